package json

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/weftcodec/weft"
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
var errNotOne = errors.New("must take exactly one value")

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
		return refused(err, e.OutputOffset(), e.StackPointer(), v)
	}
	return err
}

// refused returns err, for options that a coder cannot take where it is.
func refused(err error, offset int64, pointer jsontext.Pointer, v any) error {
	sem := &SemanticError{ByteOffset: offset, JSONPointer: pointer, GoType: reflect.TypeOf(v), Err: err}
	return &weft.Error{Format: "json", Offset: offset, Path: string(pointer), Err: known{err, sem}}
}

func marshalEncode(e *jsontext.Encoder, v any) error {
	if m, ok := v.(MarshalerTo); ok && lastOf([]Options{e.Options()}, marshalersKey{}) == nil {
		if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
			return e.WriteToken(jsontext.Null)
		}
		if err := marshalTextTo(e, m); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	o := encodingOf([]Options{e.Options(), pick(naming(e), nameEscapes, noEscapes)})
	o.outer = &outer{coder: e, offset: e.OutputOffset()}
	if s := rootOf(e.Options()); s.tagged() {
		o.set = &o.set.mode.rooted(s).enc
	}
	if depth := e.StackDepth(); depth > 0 {
		if _, n := e.StackIndex(depth); n > 0 {
			o.outer.offset++ // the comma or colon before the value
		}
	}
	s := takeBuffer()
	b, err := marshalTo(s.b[:0], v, o)
	if err == nil {
		err = e.WriteValue(b)
	}
	s.give(b)
	return err
}

// noEscapes leaves it to the encoder to escape for HTML and to write whitespace.
var (
	noEscapes   = weft.Join(EscapeForHTML(false), flagsSpace.options(false))
	nameEscapes = weft.Join(noEscapes, StringifyNumbers(true))
)

// naming reports whether the next value of a coder is the name of a member, where numbers are strings.
func naming(c coder) bool {
	kind, n := c.StackIndex(c.StackDepth())
	return kind == jsontext.KindBeginObject && n%2 == 0
}

// marshalTextTo lets m write itself, and holds it to its promise.
func marshalTextTo(e *jsontext.Encoder, m MarshalerTo) error {
	depth, count := place(e)
	if err := m.MarshalJSONTo(e); err != nil || tookOne(e, depth, count) {
		return err
	}
	return &weft.Error{Format: "json", Offset: -1, Path: string(e.StackPointer()), Err: fmt.Errorf("%T.MarshalJSONTo %w", m, errNotOne)}
}

// place returns how deep c is, and how many values it has taken there.
func place(c coder) (depth int, count int64) {
	depth = c.StackDepth()
	_, count = c.StackIndex(depth)
	return depth, count
}

// tookOne reports whether c, which was at that place, has taken one value since.
func tookOne(c coder, depth int, count int64) bool {
	d, n := place(c)
	return d == depth && n == count+1
}

// ended returns err, or what is wrong with what a method or function with a coder of its own has done.
func ended(c coder, err error, done string) error {
	switch depth, n := place(c); {
	case err == nil && !tookOne(c, 0, 0):
		return errNotOne
	case err != nil && errors.Is(err, errors.ErrUnsupported) && (depth != 0 || n != 0):
		return fmt.Errorf("%w after something was %s", errHidden{err}, done)
	}
	return err
}

// appender is a writer that appends, and tells an encoder the place of what it writes.
type appender struct {
	b     []byte
	place *wire.Place
}

// Place implements what [wire.PlaceOf] asks for.
func (w *appender) Place() *wire.Place { return w.place }

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
		return refused(err, d.InputOffset(), d.StackPointer(), v)
	}
	return err
}

func unmarshalDecode(d *jsontext.Decoder, v any) error {
	if r := reflect.ValueOf(v); r.Kind() != reflect.Pointer || r.IsNil() {
		return &InvalidUnmarshalError{Type: reflect.TypeOf(v)}
	}
	if u, ok := v.(UnmarshalerFrom); ok && lastOf([]Options{d.Options()}, unmarshalersKey{}) == nil &&
		(d.StackDepth() > 0 || d.PeekKind() != jsontext.KindInvalid) { // else the stream ends here, or is wrong
		if err := unmarshalTextFrom(d, u); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	opts := []Options{d.Options()}
	if naming(d) {
		opts = append(opts, StringifyNumbers(true))
	}
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	o := streaming(opts)
	if s := rootOf(d.Options()); s.tagged() {
		o.nodes = &o.nodes.mode.rooted(s).dec
	}
	at := &outer{coder: d, offset: d.InputOffset() - int64(len(raw)), read: true}
	if err := unmarshalValid(raw, v, o, at); err != nil {
		return moved(err, d.InputOffset()-int64(len(raw)), string(d.StackPointer()))
	}
	return nil
}

// unmarshalTextFrom lets u read itself, and holds it to its promise.
func unmarshalTextFrom(d *jsontext.Decoder, u UnmarshalerFrom) error {
	depth, count := place(d)
	if err := u.UnmarshalJSONFrom(d); err != nil {
		if _, ok := errors.AsType[*weft.Error](err); !ok && !errors.Is(err, errors.ErrUnsupported) {
			err = &weft.Error{Format: "json", Offset: d.InputOffset(), Path: string(d.StackPointer()), Err: unprefixed(unsignaled(err))}
		}
		return err
	}
	if tookOne(d, depth, count) {
		return nil
	}
	return &weft.Error{Format: "json", Offset: d.InputOffset(), Path: string(d.StackPointer()), Err: fmt.Errorf("%T.UnmarshalJSONFrom %w", u, errNotOne)}
}

// moved returns err for a value that is not the whole text but stands in it.
func moved(err error, offset int64, path string) error {
	if e, ok := err.(*weft.Error); ok {
		return &weft.Error{Format: e.Format, Offset: e.Offset + offset, Path: path + e.Path, Err: e.Err}
	}
	return err
}
