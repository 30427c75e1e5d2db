package json

import (
	"errors"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/namewire"
)

// reader is the [backend.Reader] of this format, which types that read themselves have of their [weft.Decoder]. It is
// valid during the call that it has been given to.
type reader struct {
	d      decoder
	i      int // index of the next byte
	at     int // where the value read last begins
	key    int // where the name of the current member begins
	err    error
	broken bool        // the text is not JSON, whatever is tried next
	marked bool        // there may be a Reset: errors are cheap
	noPath *weft.Error // has no path yet
	dec    weft.Decoder
	open   bool // dec is set

	ahead backend.Lookahead
}

var _ backend.Reader = (*reader)(nil)

// errSyntax stands for the syntax error that is to be found by reading the
// text again.
var errSyntax = errors.New("json: syntax error")

// errNotRead is the error of a method that leaves its value before the end, or
// goes beyond it, without an error of its own.
var errNotRead = errors.New("the value has not been read to its end")

// begin makes r ready to read the value at i.
func (r *reader) begin(i int) {
	r.i, r.at, r.key = i, i, i
	if r.err != nil || r.noPath != nil {
		r.err, r.noPath = nil, nil
	}
	r.broken = false
}

// locate puts the offset and path into err.
func (r *reader) locate(err error) error {
	if err == errSyntax {
		var s scanner
		err := r.d.fault(&s)
		switch {
		case err == nil:
			return r.d.located(errNotRead, r.at)
		case s.deep:
			err = weft.ErrDepth
		}
		return r.d.located(err, int(s.offset()))
	}
	if e, ok := errors.AsType[*weft.Error](err); ok {
		if e == r.noPath {
			e.Path = r.d.pathAt(int(e.Offset))
			r.noPath = nil
		}
		return err
	}
	return r.d.located(err, r.at)
}

// run lets read read the value at i and returns the index after it.
func (r *reader) run(i int, read func(*reader) error) int {
	d := &r.d
	if d.saved != nil {
		return r.runAside(i, read)
	}
	if (d.unverified || len(d.later) > 0) && !d.commit() {
		return d.fail()
	}
	d.waits = false // read sees what is decoded
	depth, key := d.depth, r.key
	r.begin(i)
	err := read(r)
	if r.err != nil {
		err = r.err
	}
	if err == nil && (d.depth != depth || r.i == i) {
		err = errNotRead
	}
	d.depth, r.key = depth, key
	switch err {
	case nil:
		return r.i
	case errSyntax:
		return d.fail()
	}
	err = r.locate(err)
	r.err = nil
	return d.abort(err, -1)
}

// runAside is run where an error has been noted already, which what read does
// has no part in.
func (r *reader) runAside(i int, read func(*reader) error) int {
	d := &r.d
	saved, place, at := d.saved, d.place, d.at
	d.saved, d.place = nil, errorPath{}
	i = r.run(i, read)
	if i != failed {
		d.saved, d.place, d.at = saved, place, at
	}
	return i
}

// decoder returns the weft.Decoder over r.
func (r *reader) decoder() *weft.Decoder {
	if !r.open {
		r.dec.Over(r)
		r.open = true
	}
	return &r.dec
}

// stop makes what the decoder has failed with the error, and moves to the end
// of the text, where nothing can be read.
func (r *reader) stop(j int) {
	if r.err == nil {
		switch d := &r.d; {
		case j != failed:
			r.err, d.saved = d.placed(d.saved), nil
		case d.err != nil:
			r.err = d.placed(d.err)
		default:
			r.err, r.broken = errSyntax, true
		}
	}
	r.i = r.d.n
}

// to moves to j, which a function of the decoder has returned.
func (r *reader) to(j int) {
	if j >= 0 {
		r.i = j
		return
	}
	r.stop(j)
}

// next returns the index of the next value.
func (r *reader) next() int {
	i := r.d.ws(r.i)
	r.at = i
	return i
}

// Err returns the first error.
func (r *reader) Err() error {
	if r.err == errSyntax {
		r.err = r.locate(errSyntax)
	}
	return r.err
}

// Fail sets the error, unless there is one already, located at the value that
// was read last. Where r may be reset, since there is a [backend.Mark], the path
// is found when the reading ends.
func (r *reader) Fail(err error) {
	if r.err != nil || err == nil {
		return
	}
	r.i = r.d.n
	if r.marked && err != errSyntax {
		if _, ok := errors.AsType[*weft.Error](err); !ok {
			r.noPath = &weft.Error{Format: "json", Offset: int64(r.at), Err: err}
			r.err = r.noPath
			return
		}
	}
	r.err = r.locate(err)
}

// Missing fails with an error that names every member whose bit is set in want
// and not in seen.
func (r *reader) Missing(f *weft.Fields, seen, want uint64) {
	if r.err == nil && r.d.flags&decodeUnchecked == 0 {
		r.at = max(r.i-1, 0)
		r.Fail(plan.MissingError(f, seen, want))
	}
}

// wrong fails because the value at i is not a want.
func (r *reader) wrong(i int, want string) {
	if r.err != nil {
		return
	}
	r.at = i
	j := r.d.skip(i)
	if j < 0 {
		r.stop(j)
		return
	}
	e := &weft.TypeError{Kind: r.kind(i), Type: want}
	if e.Kind == weft.KindNumber && j-i <= 40 {
		e.Text = string(r.d.b.Slice(i, j))
	}
	r.Fail(e)
}

// Offset returns the offset of the next byte to read.
func (r *reader) Offset() int { return r.i }

// Mark returns the position, for Reset.
func (r *reader) Mark() backend.Mark {
	r.marked = true
	m := backend.Mark{Offset: r.i, Depth: r.d.depth}
	if r.err != nil {
		m.State = 1
	}
	return m
}

// Reset returns to a position and forgets an error that was met since, unless
// the error is that the text is not JSON.
func (r *reader) Reset(m backend.Mark) {
	if m.State != 0 || r.broken {
		return
	}
	r.i, r.d.depth, r.err = min(max(m.Offset, 0), r.d.n), m.Depth, nil
	r.d.saved, r.d.err = nil, nil
}

// Kind returns the kind of the next value and consumes nothing.
func (r *reader) Kind() weft.Kind { return r.kind(r.d.ws(r.i)) }

func (r *reader) kind(i int) weft.Kind {
	switch c := r.d.b.At(i); {
	case c == '"':
		return weft.KindString
	case c == '{':
		return weft.KindObject
	case c == '[':
		return weft.KindArray
	case c == 't' || c == 'f':
		return weft.KindBool
	case c == 'n':
		return weft.KindNull
	case c == '-' || isDigit(c):
		return weft.KindNumber
	}
	return weft.KindInvalid
}

// enter goes into the array or object that comes next, of which bracket is the first byte, and returns the index after
// that. If there is none, r fails with what it wants, and ok is false.
func (r *reader) enter(bracket byte, want string) (i int, ok bool) {
	d := &r.d
	i = r.next()
	if d.b.At(i) != bracket {
		r.wrong(i, want)
		return i, false
	}
	if d.depth++; d.depth > d.most {
		r.refuse()
		return i, false
	}
	return i + 1, true
}

// leave goes out of the array or object whose last bracket is at i.
func (r *reader) leave(i int) {
	r.d.depth--
	r.i = i + 1
}

// refuse fails because the text is not JSON.
func (r *reader) refuse() { r.stop(r.d.fail()) }

// BeginObject enters an object and returns its first member as Member does.
func (r *reader) BeginObject(f *weft.Fields) int {
	i, ok := r.enter('{', "object")
	if !ok {
		return backend.End
	}
	if i = r.d.ws(i); r.d.b.At(i) == '}' {
		r.leave(i)
		return backend.End
	}
	return r.member(f, 0, i)
}

// Member moves to the next member of the object and returns the index of its
// name in f, backend.Unknown or backend.End.
func (r *reader) Member(f *weft.Fields, want int) int {
	d := &r.d
	i := r.i
	if d.b.At(i) <= ' ' {
		i = d.space(i)
	}
	switch d.b.At(i) {
	case ',':
		i++
		if d.b.At(i) <= ' ' {
			i = d.space(i)
		}
		if keys := namewire.Of(f.Names()).JSON().Keys; uint(want) < uint(len(keys)) { // mostly
			if n := keys[want].Match(d.b, i); n != 0 {
				r.key, r.i = i, i+n
				return want
			}
		}
		return r.member(f, want, i)
	case '}':
		r.leave(i)
		return backend.End
	}
	r.refuse()
	return backend.End
}

// member reads the name at i and its colon.
func (r *reader) member(f *weft.Fields, want, i int) int {
	d := &r.d
	r.key = i
	names := namewire.Of(f.Names()).JSON()
	for k := max(want, 0); k < len(names.Keys) && k < want+4; k++ {
		if n := names.Keys[k].Match(d.b, i); n != 0 {
			r.i = i + n
			return k
		}
	}
	if d.b.At(i) != '"' {
		r.refuse()
		return backend.End
	}
	name, j := d.name(i)
	if j < 0 {
		r.stop(j)
		return backend.End
	}
	k := names.Table.Find(name)
	if j = d.ws(j); d.b.At(j) != ':' {
		r.refuse()
		return backend.End
	}
	r.i = j + 1
	if k < 0 {
		return backend.Unknown
	}
	return k
}

// Name returns the name of the current member.
func (r *reader) Name() string {
	if r.err != nil {
		return ""
	}
	s, j := r.d.str(r.key)
	if j < 0 {
		r.stop(j)
	}
	return s
}

// BeginArray enters an array and reports whether it has a first element.
func (r *reader) BeginArray() bool {
	i, ok := r.enter('[', "array")
	if !ok {
		return false
	}
	if i = r.d.ws(i); r.d.b.At(i) == ']' {
		r.leave(i)
		return false
	}
	r.i = i
	return true
}

// More reports whether the array has another element.
func (r *reader) More() bool {
	d := &r.d
	i := r.i
	if d.b.At(i) <= ' ' {
		i = d.space(i)
	}
	switch d.b.At(i) {
	case ',':
		r.i = i + 1
		return true
	case ']':
		r.leave(i)
		return false
	}
	r.refuse()
	return false
}

// BeginMap enters an object with open names, which NextKey reads.
func (r *reader) BeginMap() bool {
	i, ok := r.enter('{', "object")
	if ok {
		r.i = i
	}
	return ok
}

// NextKey returns the next name of an object entered by BeginMap.
func (r *reader) NextKey() (string, bool) {
	d := &r.d
	if r.i == 0 {
		r.refuse() // no BeginMap
	}
	if r.err != nil {
		return "", false
	}
	i := d.ws(r.i)
	// What ends at r.i is the brace that opens the object, or a value; and no
	// value ends in a brace that opens.
	first := d.b.At(r.i-1) == '{'
	switch c := d.b.At(i); {
	case c == '}':
		r.leave(i)
		return "", false
	case first:
	case c == ',':
		i = d.ws(i + 1)
	default:
		r.refuse()
		return "", false
	}
	r.key = i
	if d.b.At(i) != '"' {
		r.refuse()
		return "", false
	}
	s, j := d.key(i)
	if j >= 0 {
		if j = d.ws(j); d.b.At(j) != ':' {
			j = d.fail()
		}
	}
	if j < 0 {
		r.stop(j)
		return "", false
	}
	r.i = j + 1
	return s, true
}

// Null consumes a null and returns true, or consumes nothing.
func (r *reader) Null() bool {
	i := r.d.ws(r.i)
	if r.d.b.U32(i) == wordNull {
		r.at, r.i = i, i+4
		return true
	}
	return false
}

// Bool reads a boolean.
func (r *reader) Bool() bool {
	i := r.next()
	v, j := r.d.bool(i)
	if j < 0 {
		r.wrong(i, "bool")
		return false
	}
	r.i = j
	return v
}

// Signed reads an integer, which may be written with a fraction of zeros or an exponent, such as 1.0 or 1e2; so does
// Unsigned.
func (r *reader) Signed(bits int) int64 {
	i := r.next()
	v, j := r.d.int(i)
	if j < 0 {
		v, j = r.d.wholeInt(i)
	}
	if j < 0 || !wire.FitsInt(v, bits) {
		r.wrong(i, wire.IntName(bits))
		return 0
	}
	r.i = j
	return v
}

// Unsigned reads an integer without a sign.
func (r *reader) Unsigned(bits int) uint64 {
	i := r.next()
	v, j := r.d.uint(i)
	if j < 0 {
		v, j = r.d.wholeUint(i)
	}
	if j < 0 || !wire.FitsUint(v, bits) {
		r.wrong(i, wire.UintName(bits))
		return 0
	}
	r.i = j
	return v
}

// Float64 reads a number.
func (r *reader) Float64() float64 {
	i := r.next()
	f, j, ok := wire.ReadFloat64(r.d.b, i)
	if !ok {
		r.wrong(i, "float64")
		return 0
	}
	r.i = j
	return f
}

// Float32 reads a number of single precision.
func (r *reader) Float32() float32 {
	i := r.next()
	f, j, ok := wire.ReadFloat32(r.d.b, i)
	if !ok {
		r.wrong(i, "float32")
		return 0
	}
	r.i = j
	return f
}

// String reads a string.
func (r *reader) String() string {
	d := &r.d
	i := d.ws(r.i)
	r.at = i
	if d.b.At(i) == '"' {
		if e := d.strEnd(i + 1); d.b.At(e) == '"' && !d.badUTF8 {
			r.i = e + 1
			return d.strings.take(d.b, i+1, e-i-1)
		}
	}
	return r.stringSlow(i)
}

// stringSlow is String for a string with escapes, or in a text that is not UTF-8, and for other values.
func (r *reader) stringSlow(i int) string {
	if r.d.b.At(i) != '"' {
		r.wrong(i, "string")
		return ""
	}
	s, j := r.d.str(i)
	r.to(j)
	return s
}

// Bytes reads a string of bytes in base64 (RFC 4648 §4), nil for a null.
func (r *reader) Bytes() []byte {
	i := r.next()
	if r.d.b.At(i) != '"' {
		if !r.Null() {
			r.wrong(i, "bytes")
		}
		return nil
	}
	out, j, err := r.d.base64(i)
	r.to(j)
	if err != nil {
		r.Fail(err)
		return nil
	}
	return out
}

// Time reads a string that holds a date and time as RFC 3339 writes them.
func (r *reader) Time() (t time.Time) {
	i := r.next()
	if r.d.b.At(i) != '"' {
		r.wrong(i, "time")
		return t
	}
	j := r.d.timeValue(nil, mem.To(&t), i)
	r.to(j)
	if j < 0 {
		return time.Time{}
	}
	return t
}

// Any reads the next value as encoding/json decodes it into an any.
func (r *reader) Any() any {
	v, j := r.d.any(r.next())
	r.to(j)
	if j < 0 {
		return nil
	}
	return v
}

// AnyNumber is [Reader.Any] with numbers as [Number], their text.
func (r *reader) AnyNumber() any {
	before := r.d.flags
	r.d.flags |= decodeNumber
	v := r.Any()
	r.d.flags = before
	return v
}

// Raw returns the bytes of the next value, which is checked and skipped. They
// are those of the text and must not be changed.
func (r *reader) Raw() []byte {
	i := r.next()
	j := r.d.skip(i)
	r.to(j)
	if j < 0 {
		return nil
	}
	return r.d.data[i:j:j]
}

// Value reads the next value into the variable that v points to.
func (r *reader) Value(v any) {
	if r.err != nil {
		return
	}
	d := &r.d
	i := r.next()
	n := d.nodes.target(v)
	if n == nil {
		r.Fail(errors.New("Value of no pointer"))
		return
	}
	// The engine may be collecting the elements of a slice, one of which is
	// reading itself now: what it uses for that is not to be shared.
	gathers := d.gathers
	d.gathers = nil
	j := d.value(n, mem.PtrOf(v), i)
	d.gathers = gathers
	if j >= 0 && d.saved != nil {
		j = ^j // about a member that is not there
	}
	r.to(j)
}

// Skip checks and skips the next value.
func (r *reader) Skip() { r.to(r.d.skip(r.next())) }
