package framewire

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// TestRunsWithin: runs of runs of runs take no memory for each level.
func TestRunsWithin(t *testing.T) {
	const levels = 1000
	var heads [][]byte
	inner := make([]byte, 16<<10)
	for size := len(inner); len(heads) < levels; {
		head := tagwire.AppendUvarint(nil, MaxFree)
		size += len(head)
		head = append(tagwire.AppendUvarint([]byte{intsRuns}, uint64(size)), head...)
		size += len(head) - tagwire.UvarintLen(MaxFree)
		heads = append(heads, head)
	}
	var b []byte
	for i := range heads {
		b = append(b, heads[levels-1-i]...)
	}
	b = append(b, inner...)
	v := make([]int64, MaxFree)
	if n := sample.Allocated(func() {
		if _, ok := ReadInts(b, v); ok {
			t.Error("read")
		}
	}); n > 2<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}

// FuzzBlocks: what blocks are made of comes back.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte("1.2.3\n1.2.-4\n10.0.7"), uint8(3))
	f.Add([]byte("2026-01-02\n2026-11-12\n2026-10-09"), uint8(4))
	f.Add([]byte("a\na\nb\na\nb\na\na\na\nc"), uint8(1))
	f.Add([]byte("/usr/share/a\n/usr/share/b\n/usr/lib/x\n/usr/lib/y"), uint8(8))
	f.Add([]byte("-0\n-1\n00\n01\n9223372036854775807\n999999999999999999"), uint8(2))
	f.Fuzz(func(t *testing.T, b []byte, size uint8) {
		var texts []string
		for _, p := range bytes.Split(b, []byte("\n")) {
			texts = append(texts, string(p))
		}
		w, r := new(Writer), new(Reader)
		block := w.AppendStrings(nil, TextsOf(texts), true)
		back := make([]string, len(texts))
		rest, ok := r.Strings(block, TextsOf(back), true)
		if !ok || len(rest) != 0 || !reflect.DeepEqual(back, texts) {
			t.Fatalf("%q becomes %q, %v: %x", texts, back, ok, block)
		}
		var ints []int64
		for i := 0; i+int(size%8) < len(b); i += int(size%8) + 1 {
			x := int64(0)
			for _, c := range b[i : i+int(size%8)+1] {
				x = x<<8 | int64(c)
			}
			if size >= 128 {
				x = int64(i)*int64(size) + x&3
			}
			ints = append(ints, x)
		}
		for _, v := range [][]int64{ints, ints[:len(ints)/2]} {
			block = AppendInts(nil, v)
			out := make([]int64, len(v))
			if rest, ok := ReadInts(block, out); !ok || len(rest) != 0 || len(v) > 0 && !reflect.DeepEqual(out, v) {
				t.Fatalf("%v becomes %v, %v: %x", v, out, ok, block)
			}
			for _, single := range []bool{false, true} {
				u := append([]int64(nil), v...)
				if single {
					for i := range u {
						u[i] = int64(uint32(u[i]))
					}
				}
				block = w.AppendFloats(nil, u, single)
				if rest, ok := ReadFloats(block, out, single); !ok || len(rest) != 0 || len(v) > 0 && !reflect.DeepEqual(out, u) {
					t.Fatalf("floats %x become %x, %v: %x", u, out, ok, block)
				}
			}
		}
	})
}
