package mem

import (
	"bytes"
	"testing"
)

func TestCarver(t *testing.T) {
	var c Carver
	var results, want [][]byte
	for i := range 5000 {
		text := bytes.Repeat([]byte{byte(i)}, i*37%(2*CarveSize))
		b := c.Clone(text)
		if cap(b) != len(b) {
			t.Errorf("%d bytes in %d", len(b), cap(b))
		}
		if !bytes.Equal(b, text) {
			t.Fatalf("result %d is %x, want %x", i, b, text)
		}
		results, want = append(results, b), append(want, bytes.Clone(b))
	}
	for i, b := range results {
		if !bytes.Equal(b, want[i]) {
			t.Fatalf("result %d was %x and is %x", i, want[i], b)
		}
		clear(b)
	}
}
