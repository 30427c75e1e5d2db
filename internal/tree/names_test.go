package tree

import (
	"fmt"
	"testing"
)

// TestNames reads more names than are remembered, and the same ones twice.
func TestNames(t *testing.T) {
	b := NewBuilder()
	read := func(from, to int) *Shape {
		b.Begin()
		node, loose := b.Root(), len(b.Loose)
		for i := from; i < to; i++ {
			node = b.Name(node, fmt.Sprintf("name%d", i))
			b.Push(Null)
		}
		c := b.Map(node, loose, 0, b.Stack.N)
		d := b.End(c)
		for i := from; i < to; i++ {
			if s := d.Shape(0); s.Len() != to-from || s.Names[i-from] != fmt.Sprintf("name%d", i) {
				t.Fatalf("%d names, the %dth is %s", s.Len(), i-from, s.Names[i-from])
			}
		}
		return d.Shape(0)
	}
	if a, b := read(0, 10), read(0, 10); a != b {
		t.Error("two objects of the same names have two shapes")
	}
	if a, b := read(0, MaxShared+10), read(0, MaxShared+10); a == b {
		t.Error("the shape of a large object is remembered")
	}
	first := read(0, 10)
	for i := range 3 * maxNodes {
		read(i, i+2)
	}
	if n := b.names.n; n > maxNodes {
		t.Errorf("%d nodes", n)
	}
	if again := read(0, 10); again == first || again != read(0, 10) {
		t.Error("names are not forgotten and learnt again")
	}
	n := 0
	for _, nodes := range b.names.nodes {
		n += len(nodes)
	}
	if n > maxNodes+64 {
		t.Errorf("memory for %d nodes", n)
	}
}

// TestNamesTwice closes objects with a name that is there more than once.
func TestNamesTwice(t *testing.T) {
	b := NewBuilder()
	for range 3 {
		for _, n := range []int{3, MaxShared, MaxShared + 5} {
			b.Begin()
			node, loose := b.Root(), len(b.Loose)
			for i := range n {
				node = b.Name(node, fmt.Sprint("k", i%(n-1)))
				b.Push(SmallInt(int8(i)))
			}
			c := b.Map(node, loose, 0, b.Stack.N)
			d := b.End(c)
			if s := d.Shape(c.Small()); s.Len() != n-1 || d.Cell(c.At()).Int() != int64(n-1) || d.Cell(c.At()+1).Int() != 1 {
				t.Errorf("%d names: %q", n, s.Names)
			}
		}
	}
}
