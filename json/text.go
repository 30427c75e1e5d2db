package json

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// MarshalerTo is implemented by types that write themselves to an encoder. MarshalJSONTo must write exactly one
// value, which may be within an array or an object.
type MarshalerTo interface {
	MarshalJSONTo(e *jsontext.Encoder) error
}

// UnmarshalerFrom is implemented by types that read themselves from a decoder. UnmarshalJSONFrom must read exactly
// one value, which may be within an array or an object.
type UnmarshalerFrom interface {
	UnmarshalJSONFrom(d *jsontext.Decoder) error
}

// errNotOne says that MarshalJSONTo or UnmarshalJSONFrom broke its promise.
var errNotOne = errors.New("must read or write exactly one value")

// MarshalEncode writes the encoding of v as the next value of e, which may be within an open array or object. The
// value is that of [Marshal]; a type that implements [MarshalerTo] writes itself. The options opts apply to this
// value and override those of e. They cannot change whitespace, nor the checks of names and UTF-8 for the name of a
// member: see [jsontext.Encoder.WithOptions].
func MarshalEncode(e *jsontext.Encoder, v any, opts ...Options) error {
	if len(opts) == 0 {
		return marshalEncode(e, v)
	}
	called := false
	err := e.WithOptions(func() error { called = true; return marshalEncode(e, v) }, opts...)
	if err != nil && !called {
		return refused(err, e.Inside(wire.Insider{}), v)
	}
	return err
}

// refused returns err, for options that a coder cannot take where it is.
func refused(err error, in wire.Stack, v any) error {
	at, p := in.Where(in.Count())
	sem := &SemanticError{ByteOffset: at.Offset, JSONPointer: jsontext.Pointer(p), GoType: reflect.TypeOf(v), Err: err}
	return &weft.Error{Format: "json", Offset: at.Offset, Path: p, Err: known{error: err, as: sem, whole: true}}
}

func marshalEncode(e *jsontext.Encoder, v any) error {
	passed := false
	if m, ok := v.(MarshalerTo); ok && lastOf([]Options{e.Options()}, marshalersKey{}) == nil {
		if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
			return e.WriteToken(jsontext.Null)
		}
		err := marshalTextTo(e, m)
		if passed = errors.Is(err, errors.ErrUnsupported); !passed {
			return err
		}
	}
	in := e.Inside(wire.Insider{})
	opts, naming := e.Options(), in.Naming()
	at := in.Shared()
	if naming || !in.Plain() {
		at = nil
	}
	all, n, v2 := [3]Options{opts}, 1, false
	if at == nil {
		v2 = encodeFlags(0).with(all[:n])&flagV2 != 0
		all[n] = pick(v2, noSpace, noEscapes)
		n++
	}
	root := rootOf(opts)
	if root.name = naming && v2; naming && !v2 {
		all[n] = StringifyNumbers(true)
		n++
	}
	o := encodingOf(all[:n])
	if root != (spec{}) {
		o.set = &o.set.mode.rooted(root).enc
	}
	if naming && o.opens(reflect.ValueOf(v)) {
		return e.WriteToken(jsontext.BeginObject) // which is refused
	}
	o.outer = &outer{coder: in, offset: in.Begins(), naming: naming, passed: passed}
	if at != nil {
		return marshalWithin(in, at, v, o)
	}
	s := takeBuffer()
	b, err := marshalTo(s.b[:0], v, o)
	if err == nil {
		err = in.Write(b, v2)
	} else {
		err = o.outer.failed(o.outer.moved(err))
	}
	s.give(b)
	return err
}

// opens reports whether v becomes an array or an object, as its type says.
func (o *encodeOptions) opens(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return false
	}
	code := o.set.lookup(v.Interface(), o.flags).code
	return code == opStruct || code == opMap || code == opSlice || code == opArray
}

// mostNested is how many methods that marshal there may be within methods: more than arrays and objects may nest.
const mostNested = 5 * setting.DefaultMaxDepth

// marshalWithin is marshalEncode for a coder of package json's, which stands at a place: what is written by o is what
// the coder would make of it.
func marshalWithin(in wire.Writes, at *wire.Place, v any, o encodeOptions) error {
	depth, _ := in.Count()
	o.outer.level, o.outer.place = at.Level+depth, at
	o.most = 0 // the text around is looked at, if it may be so deep
	if o.outer.nested() > mostNested {
		return &weft.Error{Format: "json", Offset: o.outer.offset, Err: weft.ErrDepth}
	}
	b, err := marshalTo(in.Open(), v, o)
	closed := in.Close(b, err == nil)
	if err != nil {
		return o.outer.failed(o.outer.moved(err))
	}
	return closed
}

// noSpace leaves it to the encoder to write whitespace, and noEscapes to escape for HTML too.
var (
	noSpace   = flagsSpace.options(false)
	noEscapes = weft.Join(EscapeForHTML(false), noSpace)
)

// notRaw has no options for values that are given as text: they have been obeyed for those within a value of Go.
var notRaw = weft.Join(jsontext.ReorderRawObjects(false), jsontext.CanonicalizeRawInts(false),
	jsontext.CanonicalizeRawFloats(false))

// marshalTextTo lets m write itself, and holds it to its promise.
func marshalTextTo(e *jsontext.Encoder, m MarshalerTo) error {
	in := e.Inside(wire.Insider{})
	depth, count := in.Count()
	in.Lend(true)
	err := m.MarshalJSONTo(e)
	in.Lend(false)
	d, n := in.Count()
	if err = ended(d-depth, n-count, err, "written"); err == errNotOne {
		err = errorAt(e, -1, fmt.Errorf("%T.MarshalJSONTo %w", m, errNotOne))
	}
	if err == nil || errors.Is(err, errors.ErrUnsupported) || !tellsV2(e.Options()) {
		return err
	}
	t := reflect.TypeOf(m)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return positioned(in, depth, count, t, "MarshalJSONTo", err)
}

// tellsV2 reports whether errors under the options o tell what those of encoding/json/v2 do.
func tellsV2(o Options) bool {
	return encodeFlags(0).with([]Options{o})&flagV2 != 0 && legacyOf([]Options{o})&setting.LegacyErrors == 0
}

// errorAt returns err with the place of c, which stands at offset.
func errorAt(c interface{ StackPointer() jsontext.Pointer }, offset int64, err error) error {
	return &weft.Error{Format: "json", Offset: offset, Path: string(c.StackPointer()), Err: err}
}

// ended returns err, or what is wrong with what a method or function with a coder of its own has done, which is now in
// that depth, and has taken n tokens there.
func ended(depth int, n int64, err error, done string) error {
	switch {
	case err == nil && (depth != 0 || n != 1):
		return errNotOne
	case err != nil && errors.Is(err, errors.ErrUnsupported) && (depth != 0 || n != 0):
		return fmt.Errorf("%w after something was %s", errHidden{err}, done)
	}
	return err
}

// appender is a writer that appends.
type appender struct{ b []byte }

func (w *appender) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// UnmarshalDecode reads the next value of d, which may be within an open array or object, and stores it in the value
// that v points to, as [UnmarshalWith] does. A type that implements [UnmarshalerFrom] reads itself. What the decoder
// rejects, such as duplicate names, unless they are allowed, is an error. At the end of the stream the error is
// io.EOF. The options opts apply to this value and override those of d. They cannot change the checks of names and
// UTF-8 for the name of a member: see [jsontext.Decoder.WithOptions].
func UnmarshalDecode(d *jsontext.Decoder, v any, opts ...Options) error {
	if len(opts) == 0 {
		return unmarshalDecode(d, v)
	}
	called := false
	err := d.WithOptions(func() error { called = true; return unmarshalDecode(d, v) }, opts...)
	if err != nil && !called {
		return refused(err, d.Inside(wire.Insider{}), v)
	}
	return err
}

func unmarshalDecode(d *jsontext.Decoder, v any) error {
	if r := reflect.ValueOf(v); r.Kind() != reflect.Pointer || r.IsNil() {
		return &InvalidUnmarshalError{Type: reflect.TypeOf(v)}
	}
	passed := false
	if u, ok := v.(UnmarshalerFrom); ok && lastOf([]Options{d.Options()}, unmarshalersKey{}) == nil &&
		(d.StackDepth() > 0 || d.PeekKind() != jsontext.KindInvalid) { // else the stream ends here, or is wrong
		err := unmarshalTextFrom(d, u)
		if passed = errors.Is(err, errors.ErrUnsupported); !passed {
			return err
		}
	}
	opts := []Options{d.Options()}
	in := d.Inside(wire.Insider{})
	name, t := in.Naming(), in.Text()
	o := streaming(opts)
	root := rootOf(opts[0])
	if root.name = name && o.nodes != nil && o.nodes.v2(); name && !root.name {
		o = streaming(append(opts, StringifyNumbers(true)))
	}
	if root != (spec{}) {
		o.nodes = &o.nodes.mode.rooted(root).dec
	}
	if t != nil && !name {
		if i := in.Next(); i >= 0 {
			return unmarshalWithin(d, in, i, v, o, passed)
		}
	}
	raw, err := d.ReadValue()
	if err != nil {
		return refusedAs(d, reflect.TypeOf(v).Elem(), err)
	}
	at := outer{coder: in, offset: d.InputOffset() - int64(len(raw)), read: true, naming: name, passed: passed}
	return at.leaves(in, v, at.moved(unmarshalValid(raw, v, o, &at)))
}

// unmarshalWithin is unmarshalDecode for the value at i of the text that d shares with the decoder that has given it to
// a method: it is not copied, and has been checked, unless o is stricter.
func unmarshalWithin(d *jsontext.Decoder, in wire.Reads, i int, v any, o decodeOptions, passed bool) error {
	around := in.Text().Owner.(*decoder)
	_, end := in.Last()
	at := outer{coder: in, offset: d.InputOffset() - int64(end), from: i, passed: passed}
	at.read = o.flags&decodeStrict&^around.sure != 0 || o.depth != 0 && o.depth < around.most || around.verify() != nil
	if at.read {
		if _, err := d.ReadValue(); err != nil {
			return err
		}
	}
	depth, _ := in.Count()
	w := around.within(o, &at)
	w.depth += depth
	j, err := w.explainedAt(w.nodes.target(v), v, o, i)
	err = at.moved(err)
	if !at.read {
		in.Pass(i, pick(err == nil, j, -1))
	}
	return at.leaves(in, v, err)
}

// refusedAs returns err, that of reading a value of type t which is not there, as types tell it that are read by their
// tokens. If the array or object ends there, they take the bracket for a token that does not fit.
func refusedAs(d *jsontext.Decoder, t reflect.Type, err error) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, ok := err.(*jsontext.SyntacticError); !ok || !tellsV2(d.Options()) || !opens(t) {
		return err
	}
	k := d.PeekKind()
	if told := readAs(d, t); told != nil || k != jsontext.KindEndArray && k != jsontext.KindEndObject {
		return cmp.Or(told, err)
	}
	sem := &SemanticError{ByteOffset: d.InputOffset() - 1, JSONPointer: d.StackPointer(), JSONKind: k, GoType: t}
	wrong := known{error: &UnmarshalTypeError{Value: k.String(), Type: t}, as: sem, whole: true}
	return &weft.Error{Format: "json", Offset: sem.ByteOffset, Path: string(sem.JSONPointer), Err: wrong}
}

// leaves returns err, with which v has been unmarshaled from the last value of in.
func (o *outer) leaves(in wire.Reads, v any, err error) error {
	if err != nil {
		return o.failed(err)
	}
	r := reflect.ValueOf(v)
	for r.Elem().Kind() == reflect.Pointer && !r.Elem().IsNil() {
		r = r.Elem()
	}
	if _, whole := r.Interface().(Unmarshaler); !whole {
		in.Ends()
	}
	return nil
}

// failed returns err, that of the value, and lets the coder tell its place for errors that wrap err.
func (o *outer) failed(err error) error {
	if e, ok := err.(*weft.Error); ok {
		if k, _ := e.Err.(known); k.left != nil {
			o.coder.Left(*k.left)
		}
	}
	return err
}

// unmarshalTextFrom lets u read itself, and holds it to its promise.
func unmarshalTextFrom(d *jsontext.Decoder, u UnmarshalerFrom) error {
	in := d.Inside(wire.Insider{})
	depth, count := in.Count()
	in.Lend(true)
	err := u.UnmarshalJSONFrom(d)
	in.Lend(false)
	now, n := in.Count()
	if err = ended(now-depth, n-count, err, "read"); err == errNotOne {
		err = fmt.Errorf("%T.UnmarshalJSONFrom %w", u, errNotOne)
	}
	switch {
	case err == nil || errors.Is(err, errors.ErrUnsupported):
		return err
	case tellsV2(d.Options()):
		return positioned(in, depth, count, reflect.TypeOf(u).Elem(), "", err)
	}
	if _, ok := errors.AsType[*weft.Error](err); !ok {
		err = errorAt(d, d.InputOffset(), unprefixed(unsignaled(err)))
	}
	return err
}

// moved returns err for a value that is not the whole text but stands in it.
func moved(err error, offset int64, path string) error {
	e, ok := err.(*weft.Error)
	if !ok {
		return err
	}
	out := &weft.Error{Format: e.Format, Offset: e.Offset, Path: path + e.Path, Err: e.Err}
	if out.Offset >= 0 {
		out.Offset += offset
	}
	if k, ok := e.Err.(known); ok {
		out.Err = k.moved(offset, jsontext.Pointer(path))
	}
	return out
}

// settled returns err with the note that its place is that in the stream.
func settled(err error) error {
	e, ok := err.(*weft.Error)
	if !ok {
		return err
	}
	k, ok := e.Err.(known)
	if !ok {
		k.error = e.Err
	}
	k.whole = true
	return &weft.Error{Format: e.Format, Offset: e.Offset, Path: e.Path, Err: k}
}
