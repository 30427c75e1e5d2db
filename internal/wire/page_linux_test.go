package wire

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

// alonePage returns a page of memory between two that cannot be touched.
func alonePage(t *testing.T) []byte {
	t.Helper()
	size := syscall.Getpagesize()
	b, err := syscall.Mmap(-1, 0, 3*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	for _, around := range [][]byte{b[:size], b[2*size:]} {
		if err := syscall.Mprotect(around, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	return b[size : 2*size : 2*size]
}

// TestAtPageEnds has texts end and begin with a page: the kernels read no byte that is not there, and write none. A
// text that a program maps from a file ends so.
func TestAtPageEnds(t *testing.T) {
	src, dst := alonePage(t), alonePage(t)
	eachLevel(t, func(t *testing.T) {
		for n := range 330 {
			for _, text := range []string{
				strings.Repeat("a", n), strings.Repeat("a", n/2) + "é" + strings.Repeat("b", n-n/2),
				strings.Repeat("a", n) + "\xe2\x82", strings.Repeat("<", n), strings.Repeat("a\n", n/2),
				strings.Repeat("a", n) + "\u2028" + strings.Repeat("\x00", n/8),
				`"` + strings.Repeat("a", n) + `"`, strings.Repeat(" ", n) + "1", strings.Repeat("1", n),
				"[" + strings.Repeat("1,", n) + "2]", `{"` + strings.Repeat("k", n) + `":-1.5e3}`,
				strings.Repeat("[", n), `"` + strings.Repeat("a", n) + `\u00`,
			} {
				for _, at := range []int{0, len(src) - len(text)} {
					b := src[at : at+len(text)]
					copy(b, text)
					if got, want := ValidUTF8(b), ValidUTF8String(text); got != want {
						t.Fatalf("UTF-8 of %q: %v", text, got)
					}
					if HasValidJSON() {
						if got, want := ValidJSON(b, 400), ValidJSON([]byte(text), 400); got != want {
							t.Fatalf("JSON of %q: %v", text, got)
						}
					}
					Verbatim(b, EscapeHTML)
					form := AppendBase64(dst[len(dst)-Base64Len(len(b)):][:0], b)
					if back, err := AppendFromBase64(nil, form); err != nil || string(back) != text {
						t.Fatalf("%q from base64: %q, %v", text, back, err)
					}
					words := ScanWords(len(b))
					CopyScan(make([]byte, ScanPad(len(b))+KeyPad), b, make([]uint64, words), make([]uint64, words))
					want := string(AppendJSONString(nil, text, EscapeHTML))
					least := len(text) + 2
					for _, room := range []int{least, least + 1, (least + len(want)) / 2, len(want), len(want) + 33} {
						i := len(dst) - room
						if got := AppendJSONString(dst[i:i], mem.String(b), EscapeHTML); string(got) != want {
							t.Fatalf("%q: %q", text, got)
						}
						if len(text) < ShortString || room < least {
							continue
						}
						end, k := SetString(mem.BytesOf(dst), i, room, mem.String(b), EscapeHTML)
						if end < 0 && k > 0 {
							if got := AppendJSONStringFrom(dst[i:^end], text, k, EscapeHTML); string(got) != want {
								t.Fatalf("%q after %d: %q", text, k, got)
							}
						} else if end >= 0 && string(dst[i:end]) != want {
							t.Fatalf("%q: %q", text, dst[i:end])
						}
					}
					if len(text) < ShortString && !mem.Safe {
						SetShortString(mem.BytesOf(dst), len(dst)-24, mem.String(b), EscapeHTML)
					}
				}
			}
		}
	})
}

// TestVerbatimAtPageEnd has texts end that go on behind their end, up to the end of a page.
func TestVerbatimAtPageEnd(t *testing.T) {
	page := alonePage(t)
	eachLevel(t, func(t *testing.T) {
		for _, text := range []string{"[", "[[]", `["`, `["a`, `["\`, `["\u`, "[\"\xe2", "[1", "[-", "[1.", "[1,", "[t", `{"a`, `{"a"`, `{"a":`} {
			for _, behind := range []string{"1", `"`, "a", `\`, `\u`, "u", "\xe2", "[", "1,", "]", `,"":`, `""`} {
				for left := 60; left < 70; left++ {
					at := len(page) - left
					copy(page[at:], strings.Repeat(behind, left))
					text := page[at-len(text) : at][:copy(page[at-len(text):at], text)]
					if Verbatim(text, 0) || Verbatim(text, EscapeHTML) {
						t.Fatalf("%q is verbatim before %q", text, behind)
					}
				}
			}
		}
	})
}

// TestStringAtPageEnd writes strings that end where memory ends, to where memory ends: the kernels read and write
// more than they are given only where that is known to be there.
func TestStringAtPageEnd(t *testing.T) {
	if mem.Safe {
		t.Skip("without kernels")
	}
	from, to := alonePage(t), alonePage(t)
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
