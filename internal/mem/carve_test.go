package mem

import (
	"bytes"
	"testing"
)

// TestCarverShort: short strings and integers share chunks with what is around them.
func TestCarverShort(t *testing.T) {
	var c Carver
	text := []byte("0123456789abcdefghij")
	var strings []string
	var lists [][]int
	for i := range 2000 {
		n := i % 17
		strings = append(strings, c.Text(text, 3, 3+n))
		list := c.Ints(n)
		for j := range list {
			list[j] = -i
		}
		lists = append(lists, list)
		c.Clone(text[:i%5])
	}
	for i, s := range strings {
		n := i % 17
		if s != string(text[3:3+n]) || len(lists[i]) != n || cap(lists[i]) != n {
			t.Fatalf("%d: %q %v", i, s, lists[i])
		}
		for _, v := range lists[i] {
			if v != -i {
				t.Fatalf("%d: %v", i, lists[i])
			}
		}
	}
}

func TestCarver(t *testing.T) {
	var c Carver
	var results, want [][]byte
	for i := range 5000 {
		text := bytes.Repeat([]byte{byte(i)}, i*37%(2*CarveSize))
		b := c.Clone(text)
		if i%3 == 1 { // written in place, where the room may be too small
			if b = c.Take(append(c.Rest(len(text)/2), text...)); b == nil {
				b = c.Clone(text)
			}
		}
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

// TestCarverEnd: what has no bytes lies in memory, where the last chunk is full too.
func TestCarverEnd(t *testing.T) {
	var c Carver
	for _, size := range []int{CarveSize, KeepSize} {
		for range 2 * keepChunk / CarveSize {
			c.Keep(make([]byte, size))
			if list := c.Ints(0); list == nil || len(list) != 0 || cap(list) != 0 {
				t.Fatal(list)
			}
		}
	}
	for n := range KeepSize + 2 {
		b := bytes.Repeat([]byte{byte(n)}, n)
		if out := c.Keep(b); !bytes.Equal(out, b) || cap(out) != n {
			t.Fatalf("%d bytes: %x, with room for %d", n, out, cap(out))
		}
	}
}
