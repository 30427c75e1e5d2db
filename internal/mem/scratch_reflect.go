//go:build purego || !(amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import "reflect"

// Slab hands out new zeroed values of one type.
type Slab struct{ t *Type }

// NewSlab returns a slab of t.
func NewSlab(t *Type) *Slab { return &Slab{t} }

// Init makes a zero s what [NewSlab] returns.
func (s *Slab) Init(t *Type) { s.t = t }

// New returns the location of a new zero value.
func (s *Slab) New() Ptr { return s.t.New() }

// Own returns p, which has memory of its own.
func (s *Slab) Own(p Ptr) Ptr { return p }

// Make stores a slice of n new zero values, of no more than [MostShared] bytes, at p, which holds a slice of type list,
// and returns them.
func (s *Slab) Make(p Ptr, list reflect.Type, n int) Array { return p.Make(list, s.t, n) }

// In would begin a region: values share nothing.
func (s *Slab) In(region int) {}

// Gather collects the elements of slices whose length is not known yet. Slices
// of one type may nest: each remembers its [Gather.Mark].
type Gather struct {
	t     *Type
	elems []reflect.Value // pointers to the elements
}

// NewGather returns a gatherer of elements of type t. nests tells that slices
// of t may be gathered while another one is.
func NewGather(t *Type, nests bool) *Gather { return &Gather{t: t} }

// Init makes a zero g what [NewGather] returns.
func (g *Gather) Init(t *Type, nests bool) { g.t = t }

// In would begin a region: slices share nothing.
func (g *Gather) In(region int) {}

// Free returns g, which slices within others may use.
func (g *Gather) Free() *Gather { return g }

// Mark begins a slice: what it returns goes to [Gather.Take].
func (g *Gather) Mark() int { return len(g.elems) }

// Next returns the location of one more element, which is zero.
func (g *Gather) Next() Ptr {
	v := reflect.New(g.t.Rtype)
	g.elems = append(g.elems, v)
	return Of(v)
}

// Take stores the elements gathered since mark, of which there is at least
// one, as a new slice of their exact number at dst, which holds a []t, and
// forgets them. The slice may share memory with other ones if share is true.
func (g *Gather) Take(mark int, dst Ptr, share bool) {
	v := dst.v.Elem()
	n := len(g.elems) - mark
	s := reflect.MakeSlice(v.Type(), n, n)
	for i := range n {
		s.Index(i).Set(g.elems[mark+i].Elem())
	}
	v.Set(s)
	clear(g.elems[mark:])
	g.elems = g.elems[:mark]
}

// Boxes turns strings and numbers into interfaces.
type Boxes struct{ _ byte }

// String returns any(s).
func (b *Boxes) String(s string) any { return s }

// Cut lets the strings from here on share nothing with those before.
func (b *Boxes) Cut() {}

// Float64 returns any(f).
func (b *Boxes) Float64(f float64) any { return f }

// Int64 returns any(i).
func (b *Boxes) Int64(i int64) any { return i }

// List returns n elements and any of them.
func List(n int) ([]any, any) {
	elems := make([]any, n)
	return elems, elems
}
