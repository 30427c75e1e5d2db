package structwire

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// hows are values of Run.How.
func hows() []int {
	var all []int
	for how := range 2 * AVX512 {
		if how&AVX512 == 0 || wire.Wide() {
			all = append(all, how)
		}
	}
	return all
}

// TestTexts has texts of all lengths written, of what is and is not UTF-8, as [wire.AppendJSONString] does.
func TestTexts(t *testing.T) {
	if !Have || !wire.Vectors() {
		t.Skip("no kernel")
	}
	pieces := []string{
		"a", " ", "plain text", "é", "ü", "жизнь", "日本語", "क", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "😀", "\U00010000",
		"\U0010ffff", "\u2027", "\u202a", "\u20a8", "’", strings.Repeat("x", 40), strings.Repeat("д", 40),
	}
	escaped := []string{"\n", "\"", "\\", "<", "&", "\x00", "\x1f", "\x7f"}
	wrong := []string{
		"\u2028", "\u2029", "\x80", "\xc3", "\xe2\x80", "\xe2", "\xf0\x9f\x98", "\xed\xa0\x80", "\xe0\x9f\xbf", "\xc1\xbf", "\xf4\x90\x80\x80",
		"\xf0\x8f\xbf\xbf", "\xff", "\xf5\x80\x80\x80",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var v struct{ s string }
	m := Member{Kind: String}
	m.N = uint8(copy(m.Name[:], `,"s":`))
	buf := make([]byte, 8<<10)
	src := make([]byte, 4<<10)
	left := 0
	for i := range 100_000 {
		some, most := pieces[:1+rng.IntN(len(pieces))], rng.IntN(400)
		var b []byte
		for bad := i % 4; len(b) < most; {
			switch r := rng.IntN(40); {
			case r == 0 && bad&1 != 0:
				b = append(b, wrong[rng.IntN(len(wrong))]...)
			case r == 1 && bad&2 != 0:
				b = append(b, escaped[rng.IntN(len(escaped))]...)
			default:
				b = append(b, some[rng.IntN(len(some))]...)
			}
		}
		at := rng.IntN(len(src) - len(b))
		copy(src[at:], b)
		v.s = mem.String(src[at : at+len(b)])
		for _, how := range hows() {
			r := Run{Member: &m, P: mem.To(&v), Base: mem.BytesOf(buf), Limit: len(buf) - Slack, How: how}
			r.Forms = wire.Forms(wire.Escapes(how))
			Go(&r)
			if r.Member != nil {
				if i%4 == 0 {
					left++ // near the end of a page
				}
				continue
			}
			want := string(wire.AppendJSONString(nil, v.s, wire.Escapes(how)&(HTML|Trusted)))
			if got := string(buf[len(`,"s":`):r.At]); got != want {
				t.Fatalf("%q is written as %s, how %d", v.s, got, how)
			}
		}
	}
	if left > 100_000/4*len(hows())/40 {
		t.Errorf("%d texts of UTF-8 are left", left)
	}
}

// TestSlack has as much written behind the limit as may be, and looks at what is behind that.
func TestSlack(t *testing.T) {
	if !Have || !wire.Vectors() {
		t.Skip("no kernel")
	}
	m := Member{Kind: String}
	m.N = uint8(copy(m.Name[:], `,"s":`))
	v := struct{ s string }{strings.Repeat("\x01", 64)}
	limit := len(`,"s":"`)
	buf := make([]byte, limit+Slack+64)
	for _, how := range hows() {
		r := Run{Member: &m, P: mem.To(&v), Base: mem.BytesOf(buf), Limit: limit, How: how, Forms: wire.Forms(wire.Escapes(how))}
		Go(&r)
		if string(buf[limit+Slack:]) != string(make([]byte, 64)) {
			t.Fatalf("how %d: %q is behind the slack", how, buf[limit+Slack:])
		}
		if string(buf[limit:limit+192]) != strings.Repeat(`\u0001`, 32) {
			t.Fatalf("how %d: %q", how, buf)
		}
	}
}
