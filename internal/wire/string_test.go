package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/mem"
)

// allEscapes are the ways to write a string.
var allEscapes = []Escapes{0, EscapeHTML, TrustUTF8, EscapeHTML | TrustUTF8}

// stringReference is the string as the classic encoding/json writes it, which
// escapes the character that stands for a byte that is not UTF-8. On v2 it does
// not, so that encoding/json is asked about the rest only.
func stringReference(t testing.TB, s string, html bool) []byte {
	t.Helper()
	want := []byte{'"'}
	for s != "" {
		n := 0
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		if n > 0 {
			var buf bytes.Buffer
			e := json.NewEncoder(&buf)
			e.SetEscapeHTML(html)
			if err := e.Encode(s[:n]); err != nil {
				t.Fatal(err)
			}
			quoted := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
			want = append(want, quoted[1:len(quoted)-1]...)
		}
		if s = s[n:]; s != "" {
			want = append(want, `\ufffd`...)
			s = s[1:]
		}
	}
	return append(want, '"')
}

// trustedReference is the string of which no byte beyond ASCII is looked at.
func trustedReference(s string, how Escapes) []byte {
	want := []byte{'"'}
	for i := range len(s) {
		if s[i] >= 0x80 {
			want = append(want, s[i])
		} else {
			form := stringForms[how&EscapeHTML][s[i]]
			want = append(want, binary.LittleEndian.AppendUint64(nil, form)[:form>>56]...)
		}
	}
	return append(want, '"')
}

func checkString(t *testing.T, s string) {
	t.Helper()
	for _, how := range allEscapes {
		want := stringReference(t, s, how&EscapeHTML != 0)
		if how&TrustUTF8 != 0 {
			want = trustedReference(s, how)
		}
		for _, b := range [][]byte{nil, append(make([]byte, 0, len(want)+2), "ab"...)} {
			got := AppendJSONString(b, s, how)
			if !bytes.HasPrefix(got, b) || !bytes.Equal(got[len(b):], want) {
				t.Fatalf("AppendJSONString(%q, %q, how %v) = %q, want %q", b, s, how, got, want)
			}
		}
		if len(s) >= ShortString {
			checkSetString(t, s, how, want)
		}
	}
}

// checkSetString writes s where there is as much room as SetString asks for, and where there is more.
func checkSetString(t *testing.T, s string, how Escapes, want []byte) {
	t.Helper()
	const at = 3
	rooms := []int{0, 446, 447, 448, 449, 500, 6*len(s) + 448}
	if len(s) > 500 {
		rooms = rooms[4:]
	}
	for _, more := range rooms {
		room := at + len(s) + 2 + more
		all := bytes.Repeat([]byte{'~'}, room+8)
		end, k := SetString(mem.BytesOf(all), at, room, s, how)
		if tail := all[room:]; string(all[:at]) != "~~~" || string(tail) != "~~~~~~~~" {
			t.Fatalf("SetString(%q, how %v) writes beyond its room of %d: %q", s, how, room, all)
		}
		var got []byte
		switch {
		case end >= 0:
			got = all[at:end]
		case k > 0:
			got = AppendJSONStringFrom(all[:^end:room], s, k, how)[at:]
		default:
			continue
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("SetString(%q, how %v) with %d more = %d, %d, %q, want %q", s, how, more, end, k, got, want)
		}
	}
}

func TestAppendJSONStringBytes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		checkString(t, "")
		for c := range 256 {
			s := string([]byte{byte(c)})
			for n := 0; n < 40; n += sparse(7) {
				for at := range min(n, 20) {
					checkString(t, strings.Repeat("a", at)+s+strings.Repeat("b", n-at))
				}
			}
		}
		for r := 0; r < 0x11000; r += sparse(11) {
			checkString(t, string(rune(r)))
		}
	})
}

func TestAppendJSONStringUTF8(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, c := range utf8Cases {
			for n := range 70 {
				checkString(t, strings.Repeat("a", n)+c)
				checkString(t, strings.Repeat("\n", n)+c+"tail\u2028")
				checkString(t, strings.Repeat("é", n)+c+c+"<"+strings.Repeat("z", 40))
			}
		}
	})
}

func TestAppendJSONStringRandom(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(7, 8))
		for range scaled(20_000) {
			checkString(t, string(randomText(rnd, rnd.IntN(300))))
		}
		checkString(t, string(randomText(rnd, 3*copyChunk)))
		checkString(t, strings.Repeat("\x00", 1<<16))
		checkString(t, strings.Repeat("\xff", 1<<16))
	})
}

// An escape six times as long as its byte must not be paid for by copying the whole again at every byte.
func TestAppendJSONStringGrowth(t *testing.T) {
	s := strings.Repeat("\x01", 1<<16)
	if n := testing.AllocsPerRun(1, func() { AppendJSONString(nil, s, 0) }); n > 16 {
		t.Errorf("%v allocations", n)
	}
	b := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(10, func() { b = AppendJSONString(b[:0], "short text", EscapeHTML) }); n != 0 {
		t.Errorf("%v allocations with room", n)
	}
}

func FuzzAppendJSONString(f *testing.F) {
	for _, s := range utf8Cases {
		f.Add(strings.Repeat("a", 20) + s + "<\"\u2029\n")
	}
	f.Fuzz(func(t *testing.T, s string) {
		eachLevel(t, func(t *testing.T) { checkString(t, s) })
	})
}

func BenchmarkAppendJSONString(b *testing.B) {
	dst := make([]byte, 0, 1<<12)
	for _, n := range []int{2, 6, 12, 16, 24, 40, 140} {
		s := strings.Repeat("some text.", n/10+1)[:n]
		for _, name := range Levels() {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				defer SetLevel(name)()
				for b.Loop() {
					dst = AppendJSONString(dst[:0], s, EscapeHTML)
				}
			})
		}
	}
	for _, c := range []struct{ name, s string }{
		{"utf8", "日本語日本語日本語日本語日本語日本語日本語 text of some length"},
		{"escapes", `{"a":"b","some":"thing","x":{"y":"z"}}` + "\n\t\n"},
		{"html", "before the question is typed whole <em>shuttle</em> answers come before so that it"},
	} {
		for _, name := range Levels() {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				defer SetLevel(name)()
				for b.Loop() {
					dst = AppendJSONString(dst[:0], c.s, EscapeHTML)
				}
			})
		}
	}
}
