package weft

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// Codec defines how values of one Go type are written and read, in every format, and overrides the type's own
// encoding. It is passed to calls by [Codecs], or declared by the type, which then implements [Coded].
//
// A Codec is for a defined type: a struct, an interface or any other named type that is not predeclared, as string
// is. It applies to every value of exactly this type: in fields, elements, keys, and behind pointers.
type Codec struct {
	rtype reflect.Type
	put   func(e *Encoder, v any) error // v is a pointer to the value
	get   func(d *Decoder, v any) error
	text  func(v any) (string, error) // as the key of a map, nil if it cannot be one
	parse func(s string, v any) error
}

// Coded is implemented by types that declare their own codec. WeftCodec is called on the zero value, once by each
// format; its result must be for the type itself.
//
// An interface type declares its codec, a [Union] of the types that implement it, by a method WeftUnion without
// parameters, whose result type implements Coded:
//
//	type Shape interface {
//		Area() float64
//		WeftUnion() shapes
//	}
//
//	type shapes struct{}
//
//	func (shapes) WeftCodec() weft.Codec {
//		return weft.Union[Shape](weft.Flat("type"), weft.Variant[Circle]("circle"), weft.Variant[Square]("square"))
//	}
//
// The method is never called; only its result type matters.
type Coded interface {
	WeftCodec() Codec
}

// newCodec returns an empty codec for T.
func newCodec[T any]() Codec {
	t := reflect.TypeFor[T]()
	if t.PkgPath() == "" {
		panic(fmt.Sprintf("weft: a codec is for a defined type, not for %v", t))
	}
	return Codec{rtype: t}
}

// CodecFor returns the codec that writes values of type T by put, which writes
// exactly one value, and reads them by get, which reads one.
func CodecFor[T any](put func(e *Encoder, v T) error, get func(d *Decoder) (T, error)) Codec {
	c := newCodec[T]()
	c.put = func(e *Encoder, v any) error { return put(e, *v.(*T)) }
	c.get = func(d *Decoder, v any) error {
		x, err := get(d)
		if err == nil && d.r.Err() == nil {
			*v.(*T) = x
		}
		return err
	}
	return c
}

// Adapt returns the codec that writes a T as the U that to returns, and reads a U, which from converts to a T. U may
// be any type, also one with a codec. A null is read as the zero T.
//
//	weft.Codecs(weft.Adapt(netip.Addr.String, netip.ParseAddr))
//
// If U is a string, an integer or a type with the methods MarshalText and UnmarshalText, a T can also be the key of a
// map.
func Adapt[T, U any](to func(T) U, from func(U) (T, error)) Codec {
	c := newCodec[T]()
	c.put = func(e *Encoder, v any) error {
		u := to(*v.(*T))
		return putAny(e, &u)
	}
	c.get = func(d *Decoder, v any) error {
		t := v.(*T)
		var u U
		if d.Null() {
			var zero T
			*t = zero
			return nil
		}
		getAny(d, &u)
		if err := d.r.Err(); err != nil {
			return err
		}
		x, err := from(u)
		if err == nil {
			*t = x
		}
		return err
	}
	if name := nameOf(reflect.TypeFor[U]()); name != nil {
		c.text = func(v any) (string, error) {
			u := to(*v.(*T))
			return name.text(&u)
		}
		c.parse = func(s string, v any) error {
			var u U
			if err := name.parse(s, &u); err != nil {
				return err
			}
			x, err := from(u)
			if err == nil {
				*v.(*T) = x
			}
			return err
		}
	}
	return c
}

// KeyCodec returns the codec that converts values of type T to strings if they are keys of maps. It does not affect
// other values.
func KeyCodec[T any](text func(T) string, parse func(string) (T, error)) Codec {
	c := newCodec[T]()
	c.text = func(v any) (string, error) { return text(*v.(*T)), nil }
	c.parse = func(s string, v any) error {
		x, err := parse(s)
		if err == nil {
			*v.(*T) = x
		}
		return err
	}
	return c
}

// AsKey returns the codec with another way to be the key of a map, that of a [KeyCodec] for
// the same type.
func (c Codec) AsKey(key Codec) Codec {
	if c.rtype != key.rtype || key.text == nil {
		panic(fmt.Sprintf("weft: the codec is for %v, and cannot have the keys of one for %v", c.rtype, key.rtype))
	}
	c.text, c.parse = key.text, key.parse
	return c
}

// Type returns the Go type that the codec is for.
func (c *Codec) Type() reflect.Type { return c.rtype }

// IsValue reports whether the codec is for values, and not only for keys.
func (c *Codec) IsValue() bool { return c.put != nil }

// IsKey reports whether the codec is for the keys of maps.
func (c *Codec) IsKey() bool { return c.text != nil }

// Unmarshal reads the next value into the variable v points to, which is of the
// codec's type. It is for format packages.
func (c *Codec) Unmarshal(d *Decoder, v any) error { return c.get(d, v) }

// KeyText returns the value that v points to as the key of a map. It is for
// format packages.
func (c *Codec) KeyText(v any) (string, error) { return c.text(v) }

// ParseKey sets the variable that v points to from the key s of a map. It is for format packages.
func (c *Codec) ParseKey(s string, v any) error { return c.parse(s, v) }

// AppendCodec appends what codec writes for the value that v points to, at the given depth of nesting. If there is an
// error, it returns b unchanged. It is for format packages.
func (c *EncoderConfig) AppendCodec(b []byte, codec *Codec, v any, depth int) ([]byte, error) {
	e := encoders.Get().(*Encoder)
	e.start(c, b, depth)
	err := codec.put(e, v)
	e.ran(err, 0, 0)
	out, err := e.b, e.err
	e.stop()
	if err != nil {
		return b, err
	}
	return out, nil
}

// putAny writes the value that v points to. Same as e.Value(v), faster for the
// types that adapters are made of.
func putAny(e *Encoder, v any) error {
	switch v := v.(type) {
	case *string:
		return e.String(*v)
	case *int64:
		return e.Int64(*v)
	case *int:
		return e.Int(*v)
	case *float64:
		return e.Float64(*v)
	case *bool:
		return e.Bool(*v)
	}
	return e.Value(v)
}

// getAny reads the next value, not a null, into the variable v points to. Same
// as d.Value(v).
func getAny(d *Decoder, v any) {
	switch v := v.(type) {
	case *string:
		*v = d.String()
	case *int64:
		*v = d.Int64()
	case *int:
		*v = d.Int()
	case *float64:
		*v = d.Float64()
	case *bool:
		*v = d.Bool()
	default:
		d.Value(v)
	}
}

// naming is how values of a type are names. Its functions take pointers.
type naming struct {
	text  func(v any) (string, error)
	parse func(s string, v any) error
}

var (
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// nameOf returns how values of type t are names, nil if they cannot be.
func nameOf(t reflect.Type) *naming {
	switch p := reflect.PointerTo(t); {
	case t.Kind() == reflect.String:
		return &naming{
			func(v any) (string, error) { return reflect.ValueOf(v).Elem().String(), nil },
			func(s string, v any) error { reflect.ValueOf(v).Elem().SetString(s); return nil },
		}
	case p.Implements(textMarshaler) && p.Implements(textUnmarshaler):
		return &naming{
			func(v any) (string, error) {
				b, err := v.(encoding.TextMarshaler).MarshalText()
				return string(b), err
			},
			func(s string, v any) error { return v.(encoding.TextUnmarshaler).UnmarshalText([]byte(s)) },
		}
	}
	zero := reflect.Zero(t)
	switch {
	case zero.CanInt():
		return &naming{
			func(v any) (string, error) { return strconv.FormatInt(reflect.ValueOf(v).Elem().Int(), 10), nil },
			func(s string, v any) error {
				i, err := strconv.ParseInt(s, 10, t.Bits())
				reflect.ValueOf(v).Elem().SetInt(i)
				return numberError(err)
			},
		}
	case zero.CanUint():
		return &naming{
			func(v any) (string, error) { return strconv.FormatUint(reflect.ValueOf(v).Elem().Uint(), 10), nil },
			func(s string, v any) error {
				i, err := strconv.ParseUint(s, 10, t.Bits())
				reflect.ValueOf(v).Elem().SetUint(i)
				return numberError(err)
			},
		}
	}
	return nil
}

var errNameNumber = errors.New("the name is not an integer that fits")

func numberError(err error) error {
	if err != nil {
		return errNameNumber
	}
	return nil
}
