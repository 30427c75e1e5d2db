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

// TestPool writes to every slice that a Pool gives out and appends to some: no
// slice has a part of another one.
func TestPool(t *testing.T) {
	var p Pool[int]
	var all [][]int
	for i := range 300 {
		v := p.Make(i % 20)
		if v == nil || len(v) != i%20 {
			t.Fatalf("Make(%d) = %v", i%20, v)
		}
		for j := range v {
			if v[j] != 0 {
				t.Fatalf("slice %d is not zero", i)
			}
			v[j] = i
		}
		if i%3 == 0 {
			_ = append(v, -1)
		}
		all = append(all, v)
	}
	for i, v := range all {
		for j := range v {
			if v[j] != i {
				t.Fatalf("slice %d has %d at %d", i, v[j], j)
			}
		}
	}
}
