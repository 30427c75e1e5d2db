package json

import (
	"errors"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

// unmarshalContent stores in x the value of a text that r has read as a string or as bytes, or has r fail.
func unmarshalContent[T any](r backend.Reader, text []byte, x *T) {
	if r.Err() != nil {
		return
	}
	flags := setting.AliasInput | r.Flags()
	*x = *new(T)
	err := UnmarshalWith(text, x, Options{}.Decide(flags, true))
	if at, ok := errors.AsType[*weft.Error](err); ok {
		r.FailLast(&weft.ContentError{Offset: at.Offset, Path: at.Path, Err: at.Err})
	} else if err != nil {
		r.FailLast(&weft.ContentError{Err: err})
	}
}

// Flags implements [backend.Reader].
func (r *reader) Flags() uint64 { return uint64(r.d.flags) & setting.OfTypes }

// Text is a value that is written, in every format, as a string that contains its JSON text, as contentMediaType and
// contentSchema of JSON Schema describe. An error in the text is a [weft.ContentError] at the string.
type Text[T any] struct{ V T }

// MarshalWeft implements [weft.Marshaler].
func (t Text[T]) MarshalWeft(e *weft.Encoder) error {
	b, err := MarshalWith(&t.V, EscapeForHTML(false))
	if err != nil {
		return e.Fail(err)
	}
	return e.String(mem.String(b))
}

// UnmarshalWeft implements [weft.Unmarshaler].
func (t *Text[T]) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	s := r.String()
	unmarshalContent(r, mem.View(s), &t.V)
	return d.Err()
}

// TextBytes is like [Text], but the JSON text is written as bytes, which textual formats write in base64.
type TextBytes[T any] struct{ V T }

// MarshalWeft implements [weft.Marshaler].
func (t TextBytes[T]) MarshalWeft(e *weft.Encoder) error {
	b, err := MarshalWith(&t.V, EscapeForHTML(false))
	if err != nil {
		return e.Fail(err)
	}
	return e.Bytes(b)
}

// UnmarshalWeft implements [weft.Unmarshaler].
func (t *TextBytes[T]) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	if r.Kind() == weft.KindNull { // which is not text
		_ = r.Bool() // fails
		return d.Err()
	}
	b := r.Bytes()
	unmarshalContent(r, b, &t.V)
	return d.Err()
}
