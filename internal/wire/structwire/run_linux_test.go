package structwire

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// TestAtPageEnds has strings end with a page that nothing readable follows.
func TestAtPageEnds(t *testing.T) {
	if !Have || !wire.Vectors() {
		t.Skip("no kernel")
	}
	size := syscall.Getpagesize()
	page, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = syscall.Munmap(page) }()
	if err := syscall.Mprotect(page[size:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	var v struct {
		s     string
		state uint8
	}
	state, _ := mem.FieldOf(reflect.TypeOf(v), 1).Near()
	m := Member{Kind: String, State: state}
	copy(m.Name[:], `,"s":`)
	m.N = uint8(len(`,"s":`))
	for n := range 200 {
		for _, special := range []string{"", "\n", "é", "日", "<", "éééééééééééééééééé", "日\nб"} {
			for after := range 40 {
				if after+len(special) > n {
					continue
				}
				text := strings.Repeat("a", n-after-len(special)) + special + strings.Repeat("b", after)
				at := size - n - rand.IntN(2)*rand.IntN(60)
				copy(page[at:], text)
				v.s = mem.String(page[at : at+n])
				v.state, m.Omit = 2, []Omission{Never, ZeroByte, NullByte, Option}[n%4]
				for _, how := range hows() {
					buf := make([]byte, n+4*Slack)
					r := Run{Member: &m, P: mem.To(&v), Base: mem.BytesOf(buf), Limit: len(buf) - Slack, How: how}
					r.Forms = wire.Forms(wire.Escapes(how))
					Go(&r)
					if r.Member != nil {
						if r.Value.IsNil() || r.At != len(`,"s":`) {
							t.Fatalf("%q: left at %d", text, r.At)
						}
						continue
					}
					want := `,"s":` + string(wire.AppendJSONString(nil, text, wire.Escapes(how)&(HTML|Trusted)))
					if got := string(buf[:r.At]); got != want {
						t.Fatalf("%q is written as %s", text, got)
					}
				}
			}
		}
	}
}
