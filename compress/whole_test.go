package compress

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
)

// Whole finds the end of the last whole member wherever a file is cut.
func TestWhole(t *testing.T) {
	noise := make([]byte, 300_000) // several blocks that are not compressed
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	for _, c := range []*Codec{NewGzip(), NewZstd(), NewZstd(Level(9))} {
		var file bytes.Buffer
		ends := []int{0}
		for i, part := range [][]byte{[]byte("some text"), bytes.Repeat([]byte("x"), 500_000), noise, {}, []byte("end")} {
			if i%2 == 0 {
				b, err := c.Append(nil, part)
				if err != nil {
					t.Fatal(err)
				}
				file.Write(b)
			} else {
				w := c.NewWriter(&file)
				w.Write(part)
				w.Close()
			}
			if c.Name() == NameZstd && i == 2 {
				file.WriteString("\x51\x2a\x4d\x18\x03\x00\x00\x00abc") // skippable
			}
			ends = append(ends, file.Len())
		}
		b := file.Bytes()
		if n, err := c.Whole(iotest.HalfReader(bytes.NewReader(b))); err != nil || n != int64(len(b)) {
			t.Errorf("%s: %d of %d, %v", c.Name(), n, len(b), err)
		}
		if got, err := c.Decompress(nil, b); err != nil || len(got) != 9+500_000+len(noise)+3 {
			t.Errorf("%s: %d bytes, %v", c.Name(), len(got), err)
		}
		for cut := range b {
			if cut > 200 && cut < len(b)-200 && cut%4999 != 0 {
				continue
			}
			end, torn := 0, true
			for _, e := range ends {
				if e <= cut {
					end, torn = e, e != cut
				}
			}
			n, err := c.Whole(bytes.NewReader(b[:cut]))
			if c.Name() == NameZstd && n > int64(end) && cut >= ends[3]-11 {
				continue // before the skippable frame
			}
			if n != int64(end) || torn != errors.Is(err, weft.ErrUnexpectedEnd) || torn != (err != nil) {
				t.Errorf("%s cut at %d: %d whole, want %d, %v", c.Name(), cut, n, end, err)
			}
		}
		if n, err := c.Whole(bytes.NewReader(append(bytes.Clone(b), "junk"...))); err == nil || n != int64(len(b)) {
			t.Errorf("%s with junk: %d, %v", c.Name(), n, err)
		}
	}
}
