package json

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// Marshalers are functions that override how values of certain types are marshaled; see [WithMarshalers]. They are
// immutable and may be shared. They cache the programs that are compiled for them, so make them once.
type Marshalers struct {
	funcs []typedMarshaler
	modes modes
}

// typedMarshaler is one of the functions.
type typedMarshaler struct {
	typ  reflect.Type
	call func(e *encoder, b []byte, p any, s spec) ([]byte, error) // p points to the value
}

// Unmarshalers are functions that override how values of certain types are unmarshaled; see [WithUnmarshalers]. They
// are immutable and may be shared. They cache the programs that are compiled for them, so make them once.
type Unmarshalers struct {
	funcs []typedUnmarshaler
	modes modes
}

type typedUnmarshaler struct {
	typ  reflect.Type
	call func(d *decoder, i int, p any, s spec) (end int, err error) // reads the value at i, of a text that is JSON
}

// WithMarshalers makes the functions marshal all values of their types. It affects marshaling.
func WithMarshalers(m *Marshalers) Options { return extra(marshalersKey{}, m) }

// WithUnmarshalers makes the functions unmarshal all values of their types. It affects unmarshaling.
func WithUnmarshalers(u *Unmarshalers) Options { return extra(unmarshalersKey{}, u) }

// JoinMarshalers returns the functions of all ms. If several apply to a type, the first one is called, and then the
// next one if it returns [errors.ErrUnsupported].
func JoinMarshalers(ms ...*Marshalers) *Marshalers {
	out := new(Marshalers)
	for _, m := range ms {
		if m != nil {
			out.funcs = append(out.funcs, m.funcs...)
		}
	}
	return out
}

// JoinUnmarshalers returns the functions of all us. If several apply to a type, the first one is called, and then the
// next one if it returns [errors.ErrUnsupported].
func JoinUnmarshalers(us ...*Unmarshalers) *Unmarshalers {
	out := new(Unmarshalers)
	for _, u := range us {
		if u != nil {
			out.funcs = append(out.funcs, u.funcs...)
		}
	}
	return out
}

// MarshalFunc returns f as the marshaler of values of type T. f must return one JSON value. If T is an unnamed
// pointer, f is called for the values that it points to; if T is an interface, for all types whose pointers implement
// it. In both cases f receives a pointer, which is never nil. MarshalFunc panics if T is a named pointer type.
func MarshalFunc[T any](f func(v T) ([]byte, error)) *Marshalers {
	t := source[T]("MarshalFunc")
	return &Marshalers{funcs: []typedMarshaler{{t, func(e *encoder, b []byte, p any, _ spec) ([]byte, error) {
		raw, err := f(argument[T](t, p))
		if err == nil {
			var out []byte
			if out, err = e.compact(b, raw); err == nil {
				return out, nil
			}
		} else if errors.Is(err, errors.ErrUnsupported) {
			err = fmt.Errorf("function of type func(%v) must not return it: %w", t, errHidden{err})
		}
		return b, e.marshalError(t, err, "MarshalFunc")
	}}}}
}

// errHidden keeps errors.Is from looking into an error.
type errHidden struct{ err error }

func (e errHidden) Error() string { return e.err.Error() }

// MarshalToFunc is like [MarshalFunc] for a function that writes one value to an encoder, or returns
// [errors.ErrUnsupported] and writes nothing. It must not retain the encoder.
func MarshalToFunc[T any](f func(e *jsontext.Encoder, v T) error) *Marshalers {
	t := source[T]("MarshalToFunc")
	return &Marshalers{funcs: []typedMarshaler{{t, func(e *encoder, b []byte, p any, s spec) ([]byte, error) {
		return e.writeText(b, s, t, "MarshalToFunc", func(w *jsontext.Encoder) error { return f(w, argument[T](t, p)) })
	}}}}
}

// UnmarshalFunc returns f as the unmarshaler of the values that T, an unnamed pointer, points to. f receives one JSON
// value, which it must not retain. T may also be an interface; then f is called for all types whose pointers
// implement it. UnmarshalFunc panics if T is neither.
func UnmarshalFunc[T any](f func(data []byte, v T) error) *Unmarshalers {
	t := target[T]("UnmarshalFunc")
	return &Unmarshalers{funcs: []typedUnmarshaler{{t, func(d *decoder, i int, p any, _ spec) (int, error) {
		j := d.skipVerified(i)
		if j < 0 {
			return j, nil
		}
		err := f(d.data[i:j:j], p.(T))
		if errors.Is(err, errors.ErrUnsupported) {
			err = fmt.Errorf("function of type func([]byte, %v) must not return it: %w", t, errHidden{err})
		}
		return j, err
	}}}}
}

// UnmarshalFromFunc is like [UnmarshalFunc] for a function that reads one value from a decoder, or returns
// [errors.ErrUnsupported] and reads nothing. It must not retain the decoder.
func UnmarshalFromFunc[T any](f func(d *jsontext.Decoder, v T) error) *Unmarshalers {
	t := target[T]("UnmarshalFromFunc")
	return &Unmarshalers{funcs: []typedUnmarshaler{{t, func(d *decoder, i int, p any, s spec) (int, error) {
		return d.readText(i, s, t, func(r *jsontext.Decoder) error { return f(r, p.(T)) })
	}}}}
}

// source returns the type T, which must not be a named pointer.
func source[T any](name string) reflect.Type {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Pointer && t.Name() != "" {
		panic(fmt.Sprintf("json: %s of %v, a named pointer type", name, t))
	}
	return t
}

// target returns the type T, which must be one to unmarshal into.
func target[T any](name string) reflect.Type {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Interface && (t.Kind() != reflect.Pointer || t.Name() != "") {
		panic(fmt.Sprintf("json: %s of %v, which is neither an unnamed pointer nor an interface", name, t))
	}
	return t
}

// argument returns what p points to as the T that a function takes.
func argument[T any](t reflect.Type, p any) T {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return p.(T)
	}
	return *p.(*T)
}

// takes reports whether a function for type to takes values of type from.
func takes(from, to reflect.Type) bool {
	switch to.Kind() {
	case reflect.Interface:
		return reflect.PointerTo(from).Implements(to)
	case reflect.Pointer:
		return reflect.PointerTo(from) == to
	}
	return from == to
}

// of returns the functions for values of type t.
func (m *Marshalers) of(t reflect.Type) (fns []typedMarshaler) {
	if m == nil {
		return nil
	}
	for _, f := range m.funcs {
		if takes(t, f.typ) {
			fns = append(fns, f)
		}
	}
	return fns
}

// of returns the functions for values of type t.
func (u *Unmarshalers) of(t reflect.Type) (fns []typedUnmarshaler) {
	if u == nil {
		return nil
	}
	for _, f := range u.funcs {
		if takes(t, f.typ) {
			fns = append(fns, f)
		}
	}
	return fns
}

// any reports whether there are functions for what is read into an interface.
func (u *Unmarshalers) any() bool {
	types := [...]reflect.Type{anyType, stringType, float64Type, reflect.TypeFor[bool](), reflect.TypeFor[[]any](),
		reflect.TypeFor[map[string]any]()}
	return slices.ContainsFunc(types[:], func(t reflect.Type) bool { return len(u.of(t)) > 0 })
}

// marshaled makes pr call the functions of the mode for values of t, and do what else it would where they all
// pass. It returns false where there are none.
func (c *compiler) marshaled(pr *program, t *plan.Type, addr bool, s spec) bool {
	fns := c.mode.marshalers.of(t.Rtype)
	if len(fns) == 0 {
		return false
	}
	s.bare = noFuncs
	under := c.specified(t, addr, s)
	pr.code = opFunc
	m := pr.mem
	pr.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
		at := p
		if !addr { // not the caller's to change
			at = m.New()
			m.Copy(at, p)
		}
		v := at.Addr(m)
		for i := range fns {
			out, err := fns[i].call(e, b, v, s)
			if err == nil || !errors.Is(err, errors.ErrUnsupported) {
				return out, err
			}
		}
		return e.value(b, under, p)
	}
	return true
}

// textWriter is an encoder that appends to an encoder's buffer, for methods and functions that write tokens.
type textWriter struct {
	appender
	enc    jsontext.Encoder
	place  wire.Place
	levels openText
	flags  encodeFlags // with set, of whom the options are
	set    *programs   // nil if they tell what a field says, or there are none
}

var textWriters = sync.Pool{New: func() any { return new(textWriter) }}

// Place implements what [wire.PlaceOf] asks for.
func (w *textWriter) Place() *wire.Place { return &w.place }

// writeText appends what write writes, which must be one value, of which a field says s. It is the named method or
// function of type t.
func (e *encoder) writeText(
	b []byte, s spec, t reflect.Type, name string, write func(*jsontext.Encoder) error,
) ([]byte, error) {
	w := e.tokens
	if w == nil {
		w = textWriters.Get().(*textWriter)
		e.tokens, w.levels.outer = w, e.outer
		w.place.Nested, w.place.Alone = e.outer.nested(), e.outer.alone()
	}
	w.levels.place(&w.place, b[e.start:], s.name)
	w.place.Buf, w.place.Level, w.place.Deep = b, e.level, false
	switch {
	case s.tagged():
		w.set = nil
		w.enc.Reset(w, e.options(), s.tag())
	case w.flags != e.flags || w.set != e.set:
		w.flags, w.set = e.flags, e.set
		w.enc.Reset(w, e.options())
	default:
		w.enc.Inside(wire.Insider{}).Begin()
	}
	err := write(&w.enc)
	in := w.enc.Inside(wire.Insider{})
	depth, n := in.Count()
	if err = ended(depth, n, err, "written"); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		if e.set.mode.v2(setting.LegacyErrors) {
			err = e.set.mode.code.positioned(in, 0, 0, t, name, err)
		} else {
			err = e.marshalError(t, err, name)
		}
	}
	if w.place.Deep && e.seen == nil {
		e.seen = make(map[visit]struct{})
	}
	if err != nil {
		return b, err
	}
	return in.Written(), nil
}

// release forgets what has been written, and gives w back.
func (w *textWriter) release() {
	w.enc.Inside(wire.Insider{}).Done()
	w.place, w.levels, w.set = wire.Place{}, openText{}, nil
	textWriters.Put(w)
}

// textTo appends what v's MarshalJSONTo writes.
func (e *encoder) textTo(b []byte, pr *program, v any) ([]byte, error) {
	if !e.outer.passes(len(b) - e.start) {
		out, err := e.writeText(b, specOf(pr.spec), pr.rtype, "MarshalJSONTo", v.(MarshalerTo).MarshalJSONTo)
		if !errors.Is(err, errors.ErrUnsupported) {
			return out, err
		}
	}
	return e.value(b, pr.under, e.origin(pr, v))
}

// origin returns the place of the value of pr's type that has given v to a method.
func (e *encoder) origin(pr *program, v any) mem.Ptr {
	rv := reflect.ValueOf(v)
	if pr.via == byPointer || pr.via == byAddress && rv.Type() != pr.rtype {
		return mem.Of(rv) // the address
	}
	box := reflect.New(pr.rtype)
	box.Elem().Set(rv)
	return mem.Of(box)
}

// textReader is a decoder over a part of a decoder's text, for methods and functions that read tokens.
type textReader struct {
	dec    jsontext.Decoder
	text   wire.Text // without an owner for nothing
	place  wire.Place
	levels openText
	flags  decodeFlags // of whom the options are, with call and nodes
	call   encodeFlags
	nodes  *nodeSet
	tagged bool // they tell what a field says
}

// Place implements what [wire.PlaceOf] asks for.
func (r *textReader) Place() *wire.Place { return &r.place }

// Read is not called: the text is in memory.
func (r *textReader) Read([]byte) (int, error) { return 0, io.EOF }

// readText lets read read the value at i, of which a field says s, and returns where it ends. It is a method of type t,
// or a function for it. The text is known to be JSON.
func (d *decoder) readText(i int, s spec, t reflect.Type, read func(*jsontext.Decoder) error) (end int, err error) {
	r := d.tokens
	if r == nil {
		r = new(textReader)
		d.tokens, r.place.Text, r.place.Alone = r, &r.text, true
	}
	first := r.text.Owner == nil
	if first {
		r.text = wire.Text{B: d.b, S: d.s, NW: d.nw, Bytes: d.data, UTF8: !d.badUTF8, Owner: d}
		r.levels = openText{at: d.outer.start(), outer: d.outer}
	}
	r.levels.place(&r.place, d.data[:i], s.name)
	r.place.Index = i
	if r.tagged || s.tagged() || r.flags != d.flags || r.call != d.call || r.nodes != d.nodes {
		r.flags, r.call, r.nodes, r.tagged = d.flags, d.call, d.nodes, s.tagged()
		o := d.options()
		if r.tagged {
			o = weft.Join(o, s.tag())
		}
		r.dec.Reset(r, o)
	} else {
		r.dec.Inside(wire.Insider{}).Begin()
	}
	err = read(&r.dec)
	in := r.dec.Inside(wire.Insider{})
	depth, n := in.Count()
	if err == nil && depth == 0 {
		_, end = in.Last()
	}
	if err = ended(depth, n, err, "read"); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		if e, ok := err.(*weft.Error); d.flags&decodeV2 != 0 {
			err = d.nodes.mode.code.positioned(in, 0, 0, t, "", err)
		} else if ok && e.Format == "json" && e.Offset >= 0 { // of what has been read of the text
			err = settled(err)
		}
	}
	return end, err
}

// release forgets the text.
func (r *textReader) release() {
	r.dec.Inside(wire.Insider{}).Done()
	r.text, r.levels, r.place.Before, r.place.In = wire.Text{}, openText{}, nil, nil
}

// tagged reports whether the tag of a field says what methods and functions with a coder have to know.
func (s spec) tagged() bool { return s.quoted || s.format != "" }

// tag tells it to the coder that is given to a method or a function. It is for the value that it writes or
// reads by [MarshalEncode] or [UnmarshalDecode].
func (s spec) tag() Options {
	return extra(setting.TagKey{}, setting.Tag{Quoted: s.quoted, Format: s.format})
}

// specOf returns what s says, which is nil for nothing.
func specOf(s *spec) spec {
	if s == nil {
		return spec{}
	}
	return *s
}

// rootOf returns what is said of the next value of a coder with the options o.
func rootOf(o Options) spec {
	tag, _ := lastOf([]Options{o}, setting.TagKey{}).(setting.Tag)
	return spec{quoted: tag.Quoted, format: tag.Format}
}

func readerOf(b []byte) io.Reader { return bytes.NewReader(b) }
