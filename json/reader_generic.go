package json

import (
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// Check fails with err unless it is nil, or checks are off.
//
//go:noinline
func (r *Reader) Check(err error) {
	if err != nil {
		r.refuted(err)
	}
}

func (r *Reader) refuted(err error) {
	if r.err != nil || r.d.flags&decodeUnchecked != 0 {
		return
	}
	switch c := r.d.b.At(max(r.i-1, 0)); {
	case r.listEnd == r.i && r.item > 0:
		r.at = r.itemStart()
	case c == ']' || c == '}':
		r.at = r.i - 1 // where the path is that of the array or object
	}
	r.Fail(err)
}

// Item returns r, to check the i-th element of the array that [ReadScalars] or
// [ReadStrings] has just read: what Check fails with before anything else is
// read is about it.
func (r *Reader) Item(i int) *Reader {
	r.item = i + 1
	return r
}

// itemStart returns where the element that Item has named begins.
func (r *Reader) itemStart() int {
	d := &r.d
	i := d.ws(r.list)
	for range r.item - 1 {
		i = d.ws(d.ws(d.skip(i)) + 1)
	}
	return i
}

// Conform checks the value that comes next, which it does not consume.
func (r *Reader) Conform(s *weft.Schema) {
	if r.err == nil && r.d.flags&decodeUnchecked == 0 {
		r.Refuse(s.Check(r))
	}
}

// Refuse skips the next value and fails with err about it, unless err is nil.
func (r *Reader) Refuse(err error) {
	if err == nil {
		return
	}
	r.Skip() // what is not JSON comes first
	if v, ok := err.(weft.Violation); ok && v.Offset >= 0 {
		r.at, err = int(v.Offset), v.Err // which tells the path
		for r.at < len(r.d.data) && r.d.data[r.at] <= ' ' {
			r.at++
		}
	}
	r.Fail(err)
}

// Arena implements [weft.SchemaReader].
func (r *Reader) Arena() *weft.Arena { return &r.arena }

// Choose returns the index of the variant that the value which comes next is.
// When it is none it fails and returns -1.
func (r *Reader) Choose(s *weft.Schema) int {
	if r.err != nil {
		return -1
	}
	i, err := s.Choose(r, &r.choices)
	r.Refuse(err)
	return i
}

// Match implements [weft.SchemaReader].
func (r *Reader) Match(s *weft.Schema) uint64 {
	if r.err != nil {
		return 0
	}
	some, err := s.Match(r, &r.choices)
	r.Refuse(err)
	return some
}

// Choices implements [weft.UnionReader].
func (r *Reader) Choices() *weft.Choices { return &r.choices }

// Place implements [weft.UnionReader].
func (r *Reader) Place() any { return r.d.ws(r.i) }

// Pass implements [weft.UnionReader].
func (r *Reader) Pass(end weft.Mark) bool {
	r.Reset(end)
	return true
}

// Trying implements [weft.UnionReader].
func (r *Reader) Trying() (done func()) {
	flags := r.d.flags
	r.d.flags &^= decodeUnchecked | decodeAllViolations
	return func() { r.d.flags = flags }
}

// Ignored implements [weft.SchemaReader].
func (r *Reader) Ignored() bool {
	in := &r.d.ignored
	return (in.All || in.Name != "" && r.Name() == in.Name) && r.d.depth == in.Depth
}

// Request reports whether the caller reads a request.
func (r *Reader) Request() bool { return r.d.flags&decodeRequest != 0 }

// Response reports whether the caller reads a response.
func (r *Reader) Response() bool { return r.d.flags&decodeResponse != 0 }

// Unknown skips the value of a member that the type does not have, which is an
// error when the type or the caller refuses such members.
func (r *Reader) Unknown(refused bool) {
	ignored := r.Ignored()
	r.Skip()
	if ignored {
		return
	}
	if f := r.d.flags; f&decodeRejectUnknown != 0 || refused && f&decodeAllowUnknown == 0 {
		r.Fail(weft.ErrUnknownMember)
	}
}

// collector gathers the elements of slices of one type for generated code.
type collector struct {
	id   mem.TypeID // of a pointer to an element
	g    *mem.Gather
	busy bool // a slice is being gathered: others of the type grow by themselves
}

// collectors finds collectors by the type of their elements. The array is a
// cache of the map.
type collectors struct {
	recent [16]*collector
	all    map[mem.TypeID]*collector
}

// collectorOf returns the collector of elements of type T, nil if it is busy.
func collectorOf[T any](r *Reader) *collector {
	id := mem.IDOf((*T)(nil))
	slot := &r.d.recent[id.Hash()&15]
	if c := *slot; c == nil || c.id != id {
		*slot = r.d.find(id, reflect.TypeFor[T]())
	}
	if c := *slot; !c.busy {
		return c
	}
	return nil
}

func (s *collectors) find(id mem.TypeID, t reflect.Type) *collector {
	c := s.all[id]
	if c == nil {
		c = &collector{id: id, g: mem.NewGather(mem.TypeOf(t), false)}
		if s.all == nil {
			s.all = make(map[mem.TypeID]*collector)
		}
		s.all[id] = c
	}
	return c
}

// ReadSlice reads an array into s from its start, each element by read, which
// gets a zero value. The result is not nil.
func ReadSlice[T any](r *Reader, s []T, read func(*T, *Reader) error) []T {
	if !r.BeginArray() {
		if s == nil {
			return []T{}
		}
		return s[:0]
	}
	if cap(s) == 0 {
		if c := collectorOf[T](r); c != nil {
			c.busy = true
			mark, start := c.g.Mark(), r.i
			for ok := true; ok; ok = r.More() {
				if err := read(mem.At[T](c.g.Next()), r); err != nil {
					r.Fail(err)
					break
				}
			}
			c.g.Take(mark, mem.To(&s), r.i-start <= sharedText)
			c.busy = false
			return s
		}
	}
	s = s[:0]
	for ok := true; ok; ok = r.More() {
		var zero T
		s = append(s, zero)
		if err := read(&s[len(s)-1], r); err != nil {
			r.Fail(err)
			break
		}
	}
	return s
}

// ReadScalars reads an array into s from its start, each element by read, such
// as (*Reader).String. The result is not nil.
func ReadScalars[T any](r *Reader, s []T, read func(*Reader) T) []T {
	if !r.BeginArray() {
		if s == nil {
			return []T{}
		}
		return s[:0]
	}
	start := r.i
	if cap(s) == 0 {
		if c := collectorOf[T](r); c != nil {
			c.busy = true
			mark := c.g.Mark()
			for ok := true; ok; ok = r.More() {
				*mem.At[T](c.g.Next()) = read(r)
			}
			c.g.Take(mark, mem.To(&s), r.i-start <= sharedText)
			c.busy = false
			r.list, r.listEnd, r.item = start, r.i, 0
			return s
		}
	}
	s = s[:0]
	for ok := true; ok; ok = r.More() {
		s = append(s, read(r))
	}
	r.list, r.listEnd, r.item = start, r.i, 0
	return s
}

// ReadStrings reads an array of strings into s from its start, and checks that
// each has at least so many characters and, unless most is negative, at most so
// many. The result is not nil.
func ReadStrings(r *Reader, s []string, least, most int) []string {
	if !r.BeginArray() {
		if s == nil {
			return []string{}
		}
		return s[:0]
	}
	start := r.i
	if cap(s) == 0 {
		if c := collectorOf[string](r); c != nil {
			c.busy = true
			mark := c.g.Mark()
			r.gatherStrings(c.g, least, most)
			c.g.Take(mark, mem.To(&s), r.i-start <= sharedText)
			c.busy = false
			r.list, r.listEnd, r.item = start, r.i, 0
			return s
		}
	}
	s = s[:0]
	for ok := true; ok; ok = r.More() {
		x := r.String()
		weft.ExpectLen(r, x, least, most)
		s = append(s, x)
	}
	r.list, r.listEnd, r.item = start, r.i, 0
	return s
}

// gatherStrings reads the elements of an array, which has some.
func (r *Reader) gatherStrings(g *mem.Gather, least, most int) {
	d := &r.d
	for {
		x := mem.At[string](g.Next())
		i := d.ws(r.i)
		r.at = i
		if e := d.strEnd(i + 1); d.b.At(i) == '"' && d.b.At(e) == '"' && !d.badUTF8 {
			r.i = e + 1
			*x = d.strings.take(d.b, i+1, e-i-1)
		} else {
			*x = r.stringSlow(i)
		}
		weft.ExpectLen(r, *x, least, most)
		if d.b.At(r.i) == ',' {
			r.i++
		} else if !r.More() {
			return
		}
	}
}

// ReadMap reads an object into m, each value by read, which gets a zero value.
// Entries that m has stay, and the result is not nil.
func ReadMap[T any](r *Reader, m map[string]T, read func(*T, *Reader) error) map[string]T {
	if m == nil {
		m = make(map[string]T)
	}
	if !r.BeginMap() {
		return m
	}
	var v T
	for {
		name, ok := r.NextKey()
		if !ok {
			return m
		}
		var zero T
		v = zero
		if err := read(&v, r); err != nil {
			r.Fail(err)
			return m
		}
		m[name] = v
	}
}
