package weft

import (
	"errors"
	"time"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// ObjectEncoder writes the members of one object, by their indexes in its
// Fields. Members may be omitted; each may be written once. If objects are written as arrays (see [StructAsArray]),
// members must be written in increasing order, and omitted ones are null.
type ObjectEncoder struct {
	e    *Encoder
	f    *Fields
	json []string       // names in JSON, nil otherwise
	pack *packwire.Keys // names in MessagePack, nil otherwise or in array layout
	head int            // where the header is
	n    int            // members written; in array layout elements written
}

var (
	errOrder = errors.New("members of an array layout must be written in order")
	errStray = errors.New("each Next or Name must be followed by exactly one value, and a member be written by its index")
)

// Object begins an object with members of f. The object must be ended before
// anything else is written.
func (e *Encoder) Object(f *Fields) ObjectEncoder {
	e.count++
	return e.object(f)
}

func (e *Encoder) object(f *Fields) ObjectEncoder {
	o := ObjectEncoder{e: e, f: f, head: len(e.b)}
	if !e.enter() {
		return o
	}
	e.push(step{f: f, i: atNone})
	switch {
	case e.syn == setting.SyntaxJSON:
		o.json = e.jsonKeys(f)
		e.b = append(e.b, '{')
	case e.syn == setting.SyntaxMsgpack && e.array:
		e.b = packwire.AppendArrayHeader(e.b, f.Len())
	case e.syn == setting.SyntaxMsgpack:
		o.pack = namewire.Of(f.Names()).Pack()
		e.b = packwire.AppendMapHeader(e.b, f.Len())
	case e.array:
		e.b = e.w.BeginArray(e.b, f.Len())
	default:
		e.b = e.w.BeginObject(e.b, f.Len())
	}
	return o
}

// name begins the i-th member.
func (o *ObjectEncoder) name(i int) {
	e := o.e
	if e.err != nil {
		return
	}
	if e.omit != 0 {
		o.countLate()
	}
	e.path[len(e.path)-1].i = i
	switch {
	case o.pack != nil:
		e.b = append(e.b, o.pack.At(i).Encoded()...)
	case o.json != nil:
		if o.n > 0 {
			e.b = append(e.b, ',')
		}
		e.b = append(e.b, o.json[i]...)
	case e.array:
		if i < o.n {
			e.Fail(errOrder)
			return
		}
		o.fill(i)
		if e.w != nil {
			e.b = e.w.BeginElement(e.b, i)
		}
		o.n = i
	case e.w != nil:
		var err error
		if e.b, err = e.w.AppendName(e.b, o.f, i, "", o.n); err != nil {
			e.Fail(err)
		}
	}
	o.n++
}

// fill writes null for the elements before the i-th.
func (o *ObjectEncoder) fill(i int) {
	e := o.e
	for ; o.n < i; o.n++ {
		if e.w != nil {
			e.b = e.w.BeginElement(e.b, o.n)
		}
		e.null()
	}
}

// End ends the object and returns the encoder's error.
func (o *ObjectEncoder) End() error {
	e := o.e
	if e.err != nil {
		return e.err
	}
	if e.omit != 0 {
		o.countLate()
	}
	switch {
	case o.pack != nil:
		if n := o.f.Len(); o.n != n {
			e.b = packwire.CloseMap(e.b, o.head, packwire.MapHeaderSize(n), o.n)
		}
	case o.json != nil:
		e.b = append(e.b, '}')
	case e.array:
		o.fill(o.f.Len())
		if e.w != nil {
			e.b = e.w.EndArray(e.b, o.head, o.f.Len(), o.n)
		}
	default:
		e.b = e.w.EndObject(e.b, o.head, o.f.Len(), o.n)
	}
	return e.leave(0)
}

// push begins to write what the container of step s holds.
func (e *Encoder) push(s step) {
	s.count, e.count = e.count, 0
	e.path = append(e.path, s)
	if e.pour != nil {
		e.pour.hold++
	}
}

// leave ends the innermost container, in which n values should have been
// written through the encoder itself.
func (e *Encoder) leave(n int) error {
	if e.count != n {
		return e.Fail(errStray)
	}
	top := len(e.path) - 1
	e.count = e.path[top].count
	e.path = e.path[:top]
	e.depth--
	if e.pour != nil {
		e.pour.hold--
	}
	return nil
}

// Null writes the i-th member as null.
func (o *ObjectEncoder) Null(i int) {
	if o.e.omit&setting.OmitNull != 0 {
		return
	}
	o.name(i)
	o.e.null()
}

// Bool writes the i-th member.
func (o *ObjectEncoder) Bool(i int, v bool) { o.name(i); o.e.bool(v) }

// Int writes the i-th member.
func (o *ObjectEncoder) Int(i int, v int) { o.name(i); o.e.int(int64(v)) }

// Int64 writes the i-th member.
func (o *ObjectEncoder) Int64(i int, v int64) { o.name(i); o.e.int(v) }

// Int32 writes the i-th member, an integer of at most 32 bits; see
// [Encoder.Int32].
func (o *ObjectEncoder) Int32(i int, v int32) { o.name(i); o.e.int32(v) }

// Uint64 writes the i-th member.
func (o *ObjectEncoder) Uint64(i int, v uint64) { o.name(i); o.e.uint(v) }

// Float32 writes the i-th member.
func (o *ObjectEncoder) Float32(i int, v float32) { o.name(i); o.e.float32(v) }

// Float64 writes the i-th member.
func (o *ObjectEncoder) Float64(i int, v float64) { o.name(i); o.e.float64(v) }

// String writes the i-th member.
func (o *ObjectEncoder) String(i int, v string) { o.name(i); o.e.string(v) }

// Bytes writes the i-th member; nil is written as null. See [OmitNull] and
// [OmitEmpty].
func (o *ObjectEncoder) Bytes(i int, v []byte) {
	if len(v) == 0 && o.e.omit != 0 && (v == nil || o.e.omit&setting.OmitEmpty != 0) {
		return
	}
	o.name(i)
	o.e.bytes(v)
}

// Time writes the i-th member.
func (o *ObjectEncoder) Time(i int, v time.Time) { o.name(i); o.e.time(v) }

// Marshal writes the i-th member: what m writes. See [OmitNull].
func (o *ObjectEncoder) Marshal(i int, m Marshaler) {
	if o.e.omit != 0 && o.e.absentMarshaler(m) {
		return
	}
	o.name(i)
	o.e.marshal(m)
}

// Value writes the i-th member: any Go value, by the format's plan of its type, or
// what it points to. An absent value of package opt is omitted; see also [OmitNull] and [OmitEmpty].
func (o *ObjectEncoder) Value(i int, v any) {
	if !o.e.array && o.e.absent(v) {
		return
	}
	o.name(i)
	o.e.value(v)
}

// Object begins the i-th member, an object with members of f. It must be ended
// before anything else is written.
func (o *ObjectEncoder) Object(i int, f *Fields) ObjectEncoder {
	o.name(i)
	return o.e.object(f)
}

// Array begins the i-th member, an array of n elements, or of a number not
// known yet when n < 0. See [OmitEmpty].
func (o *ObjectEncoder) Array(i, n int) ArrayEncoder {
	if o.e.omit&setting.OmitEmpty != 0 {
		o.countLate()
		return ArrayEncoder{e: o.e, n: n, late: pending{o.f, i, o.n}}
	}
	o.name(i)
	return o.e.arrayOf(n)
}

// Map begins the i-th member, an object with open names: n members, or a number
// not known yet when n < 0. See [OmitEmpty].
func (o *ObjectEncoder) Map(i, n int) MapEncoder {
	if o.e.omit&setting.OmitEmpty != 0 {
		o.countLate()
		return MapEncoder{e: o.e, n: n, late: pending{o.f, i, o.n}}
	}
	o.name(i)
	return o.e.mapOf(n)
}

// MapEncoder writes an object with arbitrary names. Each member is a Name
// followed by one value, written through the Encoder.
type MapEncoder struct {
	e    *Encoder
	head int
	size int // reserved for the header
	n    int // members announced
	k    int // members written
	late pending
}

// Map begins an object with open names: n members, or a number not known yet
// when n < 0.
func (e *Encoder) Map(n int) MapEncoder {
	e.count++
	return e.mapOf(n)
}

func (e *Encoder) mapOf(n int) MapEncoder {
	m := MapEncoder{e: e, head: len(e.b), n: n}
	if !e.enter() {
		return m
	}
	e.push(step{i: atNone})
	switch e.syn {
	case setting.SyntaxJSON:
		e.b = append(e.b, '{')
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendMapHeader(e.b, max(n, 0))
		m.size = len(e.b) - m.head
	default:
		e.b = e.w.BeginObject(e.b, n)
	}
	return m
}

// Name begins the next member.
func (m *MapEncoder) Name(name string) {
	e := m.e
	if e.err != nil {
		return
	}
	if m.late.f != nil {
		e.late(m.late)
		if *m = e.mapOf(m.n); e.err != nil {
			return
		}
	}
	top := &e.path[len(e.path)-1]
	top.name, top.i = name, byName
	switch e.syn {
	case setting.SyntaxJSON:
		if e.pour != nil {
			e.piece()
		}
		if m.k > 0 {
			e.b = append(e.b, ',')
		}
		e.b = append(appendJSONString(e.b, name, e.cfg.Flags), ':')
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendString(e.b, name)
	default:
		var err error
		if e.b, err = e.w.AppendName(e.b, nil, 0, name, m.k); err != nil {
			e.Fail(err)
		}
	}
	m.k++
}

// End ends the object and returns the encoder's error.
func (m *MapEncoder) End() error {
	e := m.e
	if e.err != nil || m.late.f != nil {
		return e.err
	}
	switch e.syn {
	case setting.SyntaxJSON:
		e.b = append(e.b, '}')
	case setting.SyntaxMsgpack:
		if m.k != m.n {
			e.b = packwire.CloseMap(e.b, m.head, m.size, m.k)
		}
	default:
		e.b = e.w.EndObject(e.b, m.head, m.n, m.k)
	}
	return e.leave(m.k)
}

// ArrayEncoder writes the elements of one array. Next comes before each
// element, which is written through the Encoder.
type ArrayEncoder struct {
	e    *Encoder
	head int
	size int
	n    int // elements announced
	k    int // elements written
	late pending

	piece int // pieces written when it began
}

// Array begins an array of n elements, or of an unknown number if n < 0. Writing a different number of elements is
// correct, but slower.
func (e *Encoder) Array(n int) ArrayEncoder {
	e.count++
	return e.arrayOf(n)
}

func (e *Encoder) arrayOf(n int) ArrayEncoder {
	a := ArrayEncoder{e: e, head: len(e.b), n: n}
	if !e.enter() {
		return a
	}
	e.push(step{i: atNone})
	switch e.syn {
	case setting.SyntaxJSON:
		e.b = append(e.b, '[')
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendArrayHeader(e.b, max(n, 0))
		a.size = len(e.b) - a.head
		if e.pour != nil && n >= 0 {
			e.pour.hold-- // the header stays
			a.piece = e.pour.pieces
		}
	default:
		e.b = e.w.BeginArray(e.b, n)
	}
	return a
}

// Next begins the next element.
func (a *ArrayEncoder) Next() {
	e := a.e
	if e.err != nil {
		return
	}
	if a.late.f != nil {
		e.late(a.late)
		if *a = e.arrayOf(a.n); e.err != nil {
			return
		}
	}
	if e.pour != nil {
		e.piece()
	}
	e.path[len(e.path)-1].i = a.k
	switch {
	case e.syn == setting.SyntaxJSON && a.k > 0:
		e.b = append(e.b, ',')
	case e.w != nil:
		e.b = e.w.BeginElement(e.b, a.k)
	}
	a.k++
}

// End ends the array and returns the encoder's error.
func (a *ArrayEncoder) End() error {
	e := a.e
	if e.err != nil || a.late.f != nil {
		return e.err
	}
	switch e.syn {
	case setting.SyntaxJSON:
		e.b = append(e.b, ']')
	case setting.SyntaxMsgpack:
		if e.pour != nil && a.n >= 0 {
			e.pour.hold++
			if a.k != a.n && e.pour.pieces != a.piece {
				return e.Fail(errAnnounced)
			}
		}
		if a.k != a.n {
			e.b = packwire.CloseArray(e.b, a.head, a.size, a.k)
		}
	default:
		e.b = e.w.EndArray(e.b, a.head, a.n, a.k)
	}
	return e.leave(a.k)
}
