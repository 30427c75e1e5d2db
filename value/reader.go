package value

import (
	"errors"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// reader is the cursor over a Value for types that read themselves. It is a format
// without bytes: its offsets count values.
type reader struct {
	types   *dialect
	flags   uint64
	ignored backend.IgnoredMember
	cur     Value // the value that is expected
	pending bool
	n       int // values taken
	open    []place
	from    int // depth at which the reader began
	err     error
	past    []state // what marks stand for
	dec     weft.Decoder
	ahead   *backend.Lookahead
}

// place is a list or map that is open, and the element that is expected or was taken
// last.
type place struct {
	v Value
	i int
}

// state is what [reader.Reset] goes back to.
type state struct {
	cur     Value
	pending bool
	n       int
	open    []place
}

var (
	errNone   = errors.New("no value is expected")
	errUnread = errors.New("UnmarshalWeft must read exactly one value")
)

// hookFlags are the options that hold for what is read by a hook too.
const hookFlags = setting.FoldNames | setting.Unchecked | setting.AllowUnknown

// hook lets what is at p read v.
func (u *unmarshaler) hook(t *target, v *Value, p mem.Ptr) bool {
	if u.ahead == nil {
		u.ahead = &backend.Lookahead{Free: true}
	}
	r := reader{types: u.types, flags: u.flags & hookFlags, cur: *v, pending: true, from: u.depth, ahead: u.ahead}
	r.dec.Over(&r)
	var err error
	if c := t.plan.Codec; c != nil {
		err = c.Unmarshal(&r.dec, p.Addr(t.mem))
	} else {
		err = p.Addr(t.mem).(weft.Unmarshaler).UnmarshalWeft(&r.dec)
	}
	switch {
	case r.err != nil:
		err = r.err
	case err == nil && (r.pending || len(r.open) > 0):
		err = errUnread
	}
	if err != nil {
		return u.fail(err)
	}
	return true
}

// take returns the value that is expected.
func (r *reader) take() Value {
	switch {
	case r.err != nil:
		return Value{}
	case !r.pending:
		r.Fail(errNone)
		return Value{}
	}
	r.pending = false
	r.n++
	return r.cur
}

// wrong says that v is not what is expected.
func (r *reader) wrong(v Value, want string) {
	if r.err == nil {
		r.Fail(typeError(&v, want))
	}
}

// enter opens v if it has the kind.
func (r *reader) enter(k Kind, want string) bool {
	v := r.take()
	if r.err != nil {
		return false
	}
	if v.Kind() != k {
		r.wrong(v, want)
		return false
	}
	if r.from+len(r.open) >= setting.DefaultMaxDepth {
		r.Fail(weft.ErrDepth)
		return false
	}
	r.open = append(r.open, place{v, -1})
	return true
}

// next moves to the next element of the innermost container and leaves it after the
// last.
func (r *reader) next() bool {
	if r.err != nil || len(r.open) == 0 {
		return false
	}
	top := &r.open[len(r.open)-1]
	top.i++
	if top.i >= top.v.Len() {
		r.open = r.open[:len(r.open)-1]
		return false
	}
	r.cur, r.pending = top.v.At(top.i), true
	return true
}

// BeginObject implements backend.Reader.
func (r *reader) BeginObject(f *weft.Fields) int {
	if !r.enter(KindMap, "object") {
		return backend.End
	}
	return r.Member(f, 0)
}

// Member implements backend.Reader.
func (r *reader) Member(f *weft.Fields, want int) int {
	if !r.next() {
		return backend.End
	}
	name := r.Name()
	if uint(want) < uint(f.Len()) && f.Name(want) == name {
		return want
	}
	return f.Index(name)
}

// Name implements backend.Reader.
func (r *reader) Name() string {
	if len(r.open) == 0 {
		return ""
	}
	top := &r.open[len(r.open)-1]
	return top.v.Name(top.i)
}

// BeginArray implements backend.Reader.
func (r *reader) BeginArray() bool { return r.enter(KindList, "array") && r.next() }

// More implements backend.Reader.
func (r *reader) More() bool { return r.next() }

// BeginMap implements backend.Reader.
func (r *reader) BeginMap() bool { return r.enter(KindMap, "object") }

// NextKey implements backend.Reader.
func (r *reader) NextKey() (string, bool) {
	if !r.next() {
		return "", false
	}
	return r.Name(), true
}

// Null implements backend.Reader.
func (r *reader) Null() bool {
	if !r.pending || r.cur.Kind() != KindNull || r.err != nil {
		return false
	}
	r.take()
	return true
}

// Bool implements backend.Reader.
func (r *reader) Bool() bool {
	v := r.take()
	b, ok := v.Bool()
	if !ok {
		r.wrong(v, "bool")
	}
	return b
}

// Signed implements backend.Reader.
func (r *reader) Signed(bits int) int64 {
	v := r.take()
	i, ok := v.Int()
	if !ok || !wire.FitsInt(i, bits) {
		r.wrong(v, wire.IntName(bits))
		return 0
	}
	return i
}

// Unsigned implements backend.Reader.
func (r *reader) Unsigned(bits int) uint64 {
	v := r.take()
	i, ok := v.Uint()
	if !ok || !wire.FitsUint(i, bits) {
		r.wrong(v, wire.UintName(bits))
		return 0
	}
	return i
}

// Float32 implements backend.Reader.
func (r *reader) Float32() float32 {
	v := r.take()
	f, ok := v.float32()
	if !ok {
		r.wrong(v, "float32")
	}
	return f
}

// Float64 implements backend.Reader.
func (r *reader) Float64() float64 {
	v := r.take()
	f, ok := v.Float()
	if !ok {
		r.wrong(v, "float64")
	}
	return f
}

// Single implements backend.Reader.
func (r *reader) Single() bool { return r.pending && r.cur.is32() }

// String implements backend.Reader.
func (r *reader) String() string {
	v := r.take()
	s, ok := v.Text()
	if !ok {
		r.wrong(v, "string")
	}
	return s
}

// Bytes implements backend.Reader.
func (r *reader) Bytes() []byte {
	v := r.take()
	b, ok := v.asBytes()
	if !ok {
		r.wrong(v, "bytes")
	}
	return b
}

// Time implements backend.Reader.
func (r *reader) Time() time.Time {
	v := r.take()
	t, ok := v.asTime()
	if !ok {
		r.wrong(v, "time")
	}
	return t
}

// Any implements backend.Reader.
func (r *reader) Any() any { return r.take().Interface() }

// Raw implements backend.Reader. A Value has no bytes, but a Number has its text.
func (r *reader) Raw() []byte {
	if v := r.take(); r.err == nil && v.Kind() == KindNumber {
		return []byte(v.text())
	}
	r.Fail(errRaw)
	return nil
}

// Value implements backend.Reader.
func (r *reader) Value(v any) {
	var ignored backend.IgnoredMember
	if r.ignored.Depth == len(r.open)+1 {
		ignored = r.ignored
	}
	x := r.take()
	if r.err == nil {
		if err := unmarshalMember(x, v, r, ignored); err != nil {
			r.Fail(err)
		}
	}
}

// Flags implements backend.Reader.
func (r *reader) Flags() uint64 { return r.flags }

// IgnoreMember implements backend.Reader.
func (r *reader) IgnoreMember(m backend.IgnoredMember) backend.IgnoredMember {
	before := r.ignored
	if m.Depth == 0 {
		m.Depth = len(r.open) + 1
	}
	r.ignored = m
	return before
}

// Lookahead implements backend.Reader: a value is skipped in one step.
func (r *reader) Lookahead() *backend.Lookahead { return r.ahead }

// IntBools implements backend.Reader.
func (r *reader) IntBools() bool { return false }

// Exact implements backend.Reader.
func (r *reader) Exact() bool { return false }

// Later implements backend.Reader.
func (r *reader) Later() (text string, ok bool) { return "", false }

// Decimal implements backend.Reader.
func (r *reader) Decimal() string {
	v := r.take()
	if v.Kind() != KindNumber {
		r.wrong(v, "number")
		return ""
	}
	return v.text()
}

// AnyNumber implements backend.Reader: numbers are what they are.
func (r *reader) AnyNumber() any { return r.Any() }

// Tag implements backend.Reader.
func (r *reader) Tag(f *weft.Fields) (tag string, ok bool) { return r.Lookahead().PeekTag(r, f) }

// FailLast implements backend.Reader.
func (r *reader) FailLast(err error) {
	if err != nil {
		r.Fail(err)
	}
}

// Refuse implements backend.Reader.
func (r *reader) Refuse(err error) { r.FailLast(err) }

// valuePlace tells a value from others that are not the same.
type valuePlace struct {
	ref       mem.Ref
	num, meta uint64
}

// Place implements backend.Reader.
func (r *reader) Place() any { return valuePlace{r.cur.ref, r.cur.num, r.cur.meta} }

// Pass implements backend.Reader: a value may stand in several places, so what it has been turned into is not shared.
func (r *reader) Pass(backend.Mark) bool { return false }

// Trying implements backend.Reader.
func (r *reader) Trying() (done func()) {
	flags := r.flags
	r.flags &^= setting.Unchecked
	return func() { r.flags = flags }
}

// Skip implements backend.Reader.
func (r *reader) Skip() { r.take() }

// Kind implements backend.Reader.
func (r *reader) Kind() weft.Kind {
	if !r.pending || r.err != nil {
		return weft.KindInvalid
	}
	return r.cur.Kind().wire()
}

// Offset implements backend.Reader.
func (r *reader) Offset() int { return r.n }

// Mark implements backend.Reader.
func (r *reader) Mark() backend.Mark {
	r.past = append(r.past, state{r.cur, r.pending, r.n, append([]place(nil), r.open...)})
	return backend.Mark{Offset: r.n, State: uint64(len(r.past) - 1)}
}

// Reset implements backend.Reader.
func (r *reader) Reset(m backend.Mark) {
	s := &r.past[m.State]
	r.cur, r.pending, r.n, r.err = s.cur, s.pending, s.n, nil
	r.open = append(r.open[:0], s.open...)
}

// Fail implements backend.Reader.
func (r *reader) Fail(err error) {
	if r.err != nil || err == nil {
		return
	}
	var path []byte
	for i := range r.open {
		p := &r.open[i]
		s := step{p.v.Name(p.i), pick(p.v.Kind() == KindList, p.i, -1)}
		path = s.append(path)
	}
	if e, ok := err.(*weft.Error); ok && e.Format == "value" {
		path, err = append(path, e.Path...), e.Err
	}
	r.err = &weft.Error{Format: "value", Offset: -1, Path: string(path), Err: err}
}

// Missing implements backend.Reader.
func (r *reader) Missing(f *weft.Fields, seen, want uint64) {
	r.Fail(plan.MissingError(f, seen, want))
}

// Err implements backend.Reader.
func (r *reader) Err() error { return r.err }
