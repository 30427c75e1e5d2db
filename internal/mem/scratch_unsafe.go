//go:build !purego && (amd64 || arm64 || 386 || ppc64le || loong64)

package mem

import (
	"reflect"
	"unsafe"
)

// pieceSizes are sizes of memory that the runtime has, up to slabBytes. A piece of any other size wastes the rest.
var pieceSizes = [...]uint16{slabBytes, 1792, 1536, 1408, 1280, 1152, 1024}

// perPiece returns how many values of t make a piece of memory of which the least is wasted, at least 1.
func perPiece(t *Type) int {
	size, header := max(int(t.Size), 1), 8 // the runtime's, of memory that has pointers
	if t.NoPointers {
		header = 0
	}
	best, bytes := 1, 0
	for _, piece := range pieceSizes {
		if n := (int(piece) - header) / size; n > 1 && (best == 1 || int(piece)*best < bytes*n) {
			best, bytes = n, int(piece)
		}
	}
	return best
}

// Slab hands out zeroed values of one type, carved from slices of that type
// so that the collector sees every pointer under its type. The slices grow
// with use, up to 2 KB: a value keeps no more than that alive beside itself.
type Slab struct {
	t    *Type
	size uintptr        // of a value
	data unsafe.Pointer // the piece in use
	i, n uintptr        // bytes in use in it, and its length
	has  int            // values in it
	most int            // and at most, 0 for not known yet

	free unsafe.Pointer // a value that has been taken back, nil for none

	region int           // that of the piece in use
	pieces int           // how many are of the region
	buf    reflect.Value // an addressable []t
	hdr    *header       // buf's memory
}

// NewSlab returns a slab of t.
func NewSlab(t *Type) *Slab { return &Slab{t: t, size: t.Size} }

// Init makes a zero s what [NewSlab] returns.
func (s *Slab) Init(t *Type) { s.t, s.size = t, t.Size }

// New returns the location of a new zero value.
func (s *Slab) New() (p Ptr) {
	if s.i == s.n {
		s.more()
	}
	p.p = unsafe.Add(s.data, s.i)
	s.i += s.size
	return
}

// Own returns where the value at p is kept that [Slab.New] returned last but for those within it: in memory of its own.
// The slab takes p back if that is another place.
func (s *Slab) Own(p Ptr) Ptr {
	if s.has == 1 && p.p == s.data {
		return p
	}
	own := s.t.New()
	s.t.Copy(own, p)
	s.t.Clear(p)
	if uintptr(p.p)-uintptr(s.data) == s.i-s.size {
		s.i -= s.size
	} else {
		s.free = p.p
	}
	return own
}

// more makes room for one more value. It is not inlined, so that [Slab.New] can be.
//
//go:noinline
func (s *Slab) more() {
	if s.free == nil {
		s.grow()
		return
	}
	s.data, s.i, s.n, s.free = s.free, 0, s.size, nil
}

func (s *Slab) grow() {
	s.pieces++
	n := max(2*s.has, 1)
	if 2*n > s.most {
		if s.most == 0 {
			s.most = perPiece(s.t)
		}
		n = min(n, s.most)
	}
	s.i, s.n, s.has = 0, uintptr(n)*s.size, n
	if n == 1 {
		s.data = s.t.New().p
		return
	}
	if s.hdr == nil {
		v := reflect.New(reflect.SliceOf(s.t.Rtype))
		s.buf, s.hdr = v.Elem(), (*header)(v.UnsafePointer())
	}
	*s.hdr = header{}
	s.buf.Grow(n)
	s.data = s.hdr.data
	*s.hdr = header{}
}

// Make stores a slice of n new zero values, of no more than [MostShared] bytes, at p, which holds a slice of type list,
// and returns them.
func (s *Slab) Make(p Ptr, list reflect.Type, n int) Array {
	need := uintptr(n) * s.size
	if need == 0 {
		return p.Make(list, s.t, n)
	}
	if s.n-s.i < need {
		s.has = max(s.has, (n+1)/2)
		s.grow()
	}
	data := unsafe.Add(s.data, s.i)
	s.i += need
	*(*header)(p.p) = header{data, n, n}
	return Array{data}
}

// In begins a region, unless it is the one that s is in: values share nothing with those of others.
func (s *Slab) In(region int) {
	if s.region != region {
		s.cut(region)
	}
}

//go:noinline
func (s *Slab) cut(region int) {
	s.region = region
	if s.pieces <= 1 {
		s.has = (int(s.i/max(s.size, 1)) + 1) / 2 // there will be as many again
	}
	s.i, s.pieces, s.free = s.n, 0, nil
}

// Gather collects the elements of slices whose length is not known yet. Short
// slices are carved from memory that several of them share, so that they cost
// neither an allocation nor a copy each; a slice keeps no more than 2 KB alive
// beside itself. Longer ones are collected in chunks, which are kept for the
// next use, and copied out at their exact size. So are slices within others of
// their type: each of those remembers its [Gather.Mark].
type Gather struct {
	t      *Type
	nests  bool
	busy   bool           // a slice has begun, and has not been taken
	inner  *Gather        // for slices within that one, nil until there is one
	carve  bool           // elements are going to the shared memory
	region int            // that of the shared memory
	used   int            // elements in the shared memory of the region, but for the last piece
	from   int            // where in the shared memory the slice begins
	data   unsafe.Pointer // the memory in use
	i, n   int            // elements in use in it, and its length

	shared struct { // the shared memory while the chunks are in use
		data unsafe.Pointer
		i, n int
	}
	size   int // of the shared memory last made
	most   int // and at most, 0 for not known yet
	chunks []chunk
	k      int // the chunk in use, -1 for none

	src, dst reflect.Value // addressable []t, for reflect's copies
	srcH     *header
	dstH     *header
}

type chunk struct {
	data  unsafe.Pointer
	n     int
	start int // elements in the chunks before it
}

// firstChunk and lastChunk bound the bytes of a chunk of more than one
// element.
const (
	firstChunk = 512
	lastChunk  = 64 << 10
)

// NewGather returns a gatherer of elements of type t. nests tells that slices
// of t may be gathered while another one is.
func NewGather(t *Type, nests bool) *Gather {
	g := new(Gather)
	g.Init(t, nests)
	return g
}

// Init makes a zero g what [NewGather] returns.
func (g *Gather) Init(t *Type, nests bool) {
	g.t, g.k, g.nests, g.carve = t, -1, nests, !nests
}

// In begins a region, unless it is the one that g is in: slices share nothing with those of others. A slice that has
// begun in another one is to be taken without sharing.
func (g *Gather) In(region int) {
	if g.region != region {
		g.cut(region)
	}
}

func (g *Gather) cut(region int) {
	g.region = region
	if !g.carve {
		return // the slices nest, and share nothing
	}
	g.size = min(g.size, (g.used+g.i+1)/2) // there will be as many again
	g.data, g.from, g.i, g.n, g.used = nil, 0, 0, 0, 0
}

// Free returns g, or another one if g is in use, for slices within the one that it gathers.
func (g *Gather) Free() *Gather {
	if g.busy {
		return g.within()
	}
	return g
}

//go:noinline
func (g *Gather) within() *Gather {
	if g.inner == nil {
		g.inner = NewGather(g.t, true)
	}
	return g.inner
}

// Mark begins a slice: what it returns goes to [Gather.Take].
func (g *Gather) Mark() int {
	if g.carve {
		g.busy = true
		g.from = g.i
		return 0
	}
	if g.k < 0 {
		return 0
	}
	return g.chunks[g.k].start + g.i
}

// Next returns the location of one more element, which is zero.
func (g *Gather) Next() Ptr {
	if g.i == g.n {
		g.grow()
	}
	p := unsafe.Add(g.data, uintptr(g.i)*g.t.Size)
	g.i++
	return Ptr{p}
}

func (g *Gather) grow() {
	if !g.carve {
		g.nextChunk()
		return
	}
	// The slice does not fit what is left of the shared memory: it moves to a
	// new piece, or to the chunks if it is more than half of one.
	if g.most == 0 {
		g.most = perPiece(g.t)
	}
	most, count := g.most, g.i-g.from
	old := g.data
	if count > 0 {
		old = unsafe.Add(old, uintptr(g.from)*g.t.Size)
	}
	if 2*count < most {
		g.size = max(min(max(2*g.size, 2*count), most), 1)
		data := g.alloc(g.size)
		if count > 0 {
			g.moveRun(data, old, count)
		}
		g.used += g.from
		g.data, g.from, g.i, g.n = data, 0, count, g.size
		return
	}
	g.carve = false
	g.shared.data, g.shared.i, g.shared.n = g.data, g.from, g.n
	g.nextChunk()
	for moved := 0; ; {
		m := min(count-moved, g.n)
		g.moveRun(g.data, unsafe.Add(old, uintptr(moved)*g.t.Size), m)
		g.i = m
		if moved += m; g.i == g.n {
			g.nextChunk()
		}
		if moved == count {
			return
		}
	}
}

// nextChunk moves on to the next chunk.
func (g *Gather) nextChunk() {
	g.k++
	if g.k == len(g.chunks) {
		size := max(int(g.t.Size), 1)
		n, start := max(firstChunk/size, 4), 0
		if g.k > 0 {
			last := g.chunks[g.k-1]
			n, start = last.n, last.start+last.n
			if 2*n*size <= lastChunk {
				n *= 2
			}
		}
		g.chunks = append(g.chunks, chunk{g.alloc(n), n, start})
	}
	c := &g.chunks[g.k]
	g.data, g.i, g.n = c.data, 0, c.n
}

// alloc returns zeroed memory for n elements.
func (g *Gather) alloc(n int) unsafe.Pointer {
	switch g.t.class {
	case classPlain:
		return unsafe.Pointer(unsafe.SliceData(make([]uint64, (uintptr(n)*g.t.Size+7)/8)))
	case classString:
		return unsafe.Pointer(unsafe.SliceData(make([]string, n)))
	case classPointer:
		return unsafe.Pointer(unsafe.SliceData(make([]unsafe.Pointer, n)))
	}
	if g.srcH == nil {
		v := reflect.New(reflect.SliceOf(g.t.Rtype))
		g.src, g.srcH = v.Elem(), (*header)(v.UnsafePointer())
		v = reflect.New(reflect.SliceOf(g.t.Rtype))
		g.dst, g.dstH = v.Elem(), (*header)(v.UnsafePointer())
	}
	*g.dstH = header{}
	g.dst.Grow(n)
	p := g.dstH.data
	*g.dstH = header{}
	return p
}

// Take stores the elements gathered since mark, of which there is at least
// one, as a new slice of their exact number at dst, which holds a []t, and
// forgets them. The slice may share memory with other ones if share is true.
func (g *Gather) Take(mark int, dst Ptr, share bool) {
	g.busy = false
	if g.carve {
		n := g.i - g.from
		data := unsafe.Add(g.data, uintptr(g.from)*g.t.Size)
		if !share {
			own := g.alloc(n)
			g.moveRun(own, data, n)
			data, g.i = own, g.from
		}
		*(*header)(dst.p) = header{data, n, n}
		g.from = g.i
		return
	}
	n := g.chunks[g.k].start + g.i - mark
	out := g.alloc(n)
	*(*header)(dst.p) = header{out, n, n}
	g.move(mark, out)
	if !g.nests {
		g.carve, g.k = true, -1
		g.data, g.i, g.n = g.shared.data, g.shared.i, g.shared.n
	}
}

// move takes the elements since mark out of the chunks, last chunk first,
// into out, and clears their place.
func (g *Gather) move(mark int, out unsafe.Pointer) {
	for {
		c := &g.chunks[g.k]
		from := max(mark-c.start, 0)
		if m := g.i - from; m > 0 {
			g.moveRun(unsafe.Add(out, uintptr(c.start+from-mark)*g.t.Size), unsafe.Add(c.data, uintptr(from)*g.t.Size), m)
		}
		g.i = from
		if c.start <= mark {
			return
		}
		g.k--
		p := &g.chunks[g.k]
		g.data, g.i, g.n = p.data, p.n, p.n
	}
}

// moveRun moves m elements from src to dst and clears src.
func (g *Gather) moveRun(dst, src unsafe.Pointer, m int) {
	switch g.t.class {
	case classPlain:
		s := unsafe.Slice((*byte)(src), uintptr(m)*g.t.Size)
		copy(unsafe.Slice((*byte)(dst), len(s)), s)
		clear(s)
	case classString:
		s := unsafe.Slice((*string)(src), m)
		copy(unsafe.Slice((*string)(dst), m), s)
		clear(s)
	case classPointer:
		s := unsafe.Slice((*unsafe.Pointer)(src), m)
		copy(unsafe.Slice((*unsafe.Pointer)(dst), m), s)
		clear(s)
	default:
		*g.srcH = header{src, m, m}
		*g.dstH = header{dst, m, m}
		reflect.Copy(g.dst, g.src)
		*g.dstH = header{}
		g.src.Clear()
		*g.srcH = header{}
	}
}

// Boxes turns strings and numbers into interfaces without an allocation for
// each: the values stand in slices that are shared by up to 64 of them, and are
// taken from their ends, so that no pointer to them changes on the way.
type Boxes struct {
	strings                           []string
	floats                            []float64
	ints                              []int64
	freeStrings, freeFloats, freeInts int
	size                              int
	made, most                        int // strings made since the last Cut, and used between the two before
}

// String returns any(s).
func (b *Boxes) String(s string) any {
	i := b.freeStrings - 1
	if uint(i) >= uint(len(b.strings)) {
		if !layoutHolds {
			return s
		}
		n := b.most - b.made
		if n <= 0 {
			n = b.made/4 + 2
		}
		n = min(n, 63) // with the word before it that the runtime adds, 1 KB
		b.strings = make([]string, n)
		b.made += n
		i = n - 1
	}
	b.freeStrings = i
	p := &b.strings[i]
	*p = s
	return box(stringType, unsafe.Pointer(p))
}

// Cut lets the strings from here on share nothing with those before.
func (b *Boxes) Cut() {
	used := b.made - b.freeStrings
	b.most, b.made, b.freeStrings = used+used/16, 0, 0
	b.strings = nil
}

// Float64 returns any(f).
func (b *Boxes) Float64(f float64) any {
	i := b.freeFloats - 1
	if uint(i) >= uint(len(b.floats)) {
		if !layoutHolds {
			return f
		}
		b.floats = make([]float64, b.next())
		i = len(b.floats) - 1
	}
	b.freeFloats = i
	p := &b.floats[i]
	*p = f
	return box(float64Type, unsafe.Pointer(p))
}

// Int64 returns any(v).
func (b *Boxes) Int64(v int64) any {
	if uint64(v) < 256 {
		return v // one of the runtime's
	}
	i := b.freeInts - 1
	if uint(i) >= uint(len(b.ints)) {
		if !layoutHolds {
			return v
		}
		b.ints = make([]int64, b.next())
		i = len(b.ints) - 1
	}
	b.freeInts = i
	p := &b.ints[i]
	*p = v
	return box(int64Type, unsafe.Pointer(p))
}

func (b *Boxes) next() int {
	b.size = min(max(2*b.size, 2), 64)
	return b.size
}

// list is a slice with the memory of its elements behind it.
type list[A any] struct {
	elems []any
	_     A
}

// List returns n elements and any of them. Few elements stand in one piece of
// memory with the slice that the interface points at.
func List(n int) ([]any, any) {
	var p unsafe.Pointer
	switch n {
	case 1:
		p = unsafe.Pointer(new(list[[1]any]))
	case 2:
		p = unsafe.Pointer(new(list[[2]any]))
	case 3:
		p = unsafe.Pointer(new(list[[3]any]))
	case 4:
		p = unsafe.Pointer(new(list[[4]any]))
	case 5:
		p = unsafe.Pointer(new(list[[5]any]))
	case 6:
		p = unsafe.Pointer(new(list[[6]any]))
	case 7:
		p = unsafe.Pointer(new(list[[7]any]))
	case 8:
		p = unsafe.Pointer(new(list[[8]any]))
	case 9:
		p = unsafe.Pointer(new(list[[9]any]))
	case 10:
		p = unsafe.Pointer(new(list[[10]any]))
	case 11, 12:
		p = unsafe.Pointer(new(list[[12]any]))
	case 13, 14:
		p = unsafe.Pointer(new(list[[14]any]))
	case 15, 16:
		p = unsafe.Pointer(new(list[[16]any]))
	}
	if p == nil || !layoutHolds {
		elems := make([]any, n)
		return elems, elems
	}
	elems := (*[]any)(p)
	*elems = unsafe.Slice((*any)(unsafe.Add(p, unsafe.Sizeof(*elems))), n)
	return *elems, box(listType, p)
}

var (
	stringType, listType   = typeWord(""), typeWord([]any(nil))
	float64Type, int64Type = typeWord(float64(0)), typeWord(int64(0))
)

func typeWord(v any) unsafe.Pointer { return (*eface)(unsafe.Pointer(&v)).typ }

func box(typ, data unsafe.Pointer) (v any) {
	*(*eface)(unsafe.Pointer(&v)) = eface{typ, data}
	return v
}
