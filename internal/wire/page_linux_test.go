package wire

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

// pageEnd returns memory behind which there is a page that must not be touched.
func pageEnd(t *testing.T) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(m[page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return m[:page:page]
}

// TestStringAtPageEnd writes strings that end where memory ends, to where memory ends: the kernels read and write
// more than they are given only where that is known to be there.
func TestStringAtPageEnd(t *testing.T) {
	if mem.Safe {
		t.Skip("without kernels")
	}
	from, to := pageEnd(t), pageEnd(t)
	units := []string{"plain text ", "<em>a</em> \"b\" ", "日本語 & ", "\n\t\x01", "x\u2028\xff", "ü<ü"}
	eachLevel(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(9, 10))
		for n := range 300 {
			for range 4 {
				var b strings.Builder
				for b.Len() < n {
					b.WriteString(units[rnd.IntN(len(units))])
				}
				src := from[len(from)-n:]
				copy(src, b.String())
				s := mem.String(src)
				for _, how := range allEscapes {
					want := AppendJSONString(nil, strings.Clone(s), how)
					for _, room := range []int{len(want), len(want) + 1 + rnd.IntN(100), len(want) + 440 + rnd.IntN(20)} {
						got := AppendJSONString(to[len(to)-room:][:0], s, how)
						if !bytes.Equal(got, want) {
							t.Fatalf("%q, how %v, room %d: %q, want %q", s, how, room, got, want)
						}
					}
				}
			}
		}
	})
}
