package opt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

// MarshalMsg is the method of this name that github.com/tinylib/msgp asks for;
// its generator makes code that calls it with the flag -io=false. T is a
// scalar, a string, bytes, a time, or has the method itself.
func (o Null[T]) MarshalMsg(b []byte) ([]byte, error) { return appendMsg(b, o.state(), &o.V) }

// UnmarshalMsg is the method of this name that github.com/tinylib/msgp asks for.
// If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalMsg(b []byte) ([]byte, error) {
	v, s, rest, err := readMsg[T](b)
	return rest, o.keep(v, s, err)
}

// Msgsize is the method of this name that github.com/tinylib/msgp asks for: no
// fewer bytes than the value takes.
func (o Null[T]) Msgsize() int { return sizeMsg(o.state(), &o.V) }

// MarshalMsgpack is the method of this name that
// github.com/vmihailenco/msgpack/v5 asks for, with the T of [Null.MarshalMsg].
func (o Null[T]) MarshalMsgpack() ([]byte, error) { return o.MarshalMsg(nil) }

// UnmarshalMsgpack is the method of this name that
// github.com/vmihailenco/msgpack/v5 asks for. If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalMsgpack(b []byte) error { return o.keep(readWholeMsg[T](b)) }

// MarshalMsg does what [Null.MarshalMsg] does. Where an absent value cannot be
// left out it is nil.
func (o Val[T]) MarshalMsg(b []byte) ([]byte, error) { return appendMsg(b, o.state(), &o.V) }

// UnmarshalMsg does what [Null.UnmarshalMsg] does. A nil is an error unless T
// has one of its own. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalMsg(b []byte) ([]byte, error) {
	v, s, rest, err := readMsg[T](b)
	return rest, o.keep(v, s, err)
}

// Msgsize does what [Null.Msgsize] does.
func (o Val[T]) Msgsize() int { return sizeMsg(o.state(), &o.V) }

// MarshalMsgpack does what [Null.MarshalMsgpack] does. An absent value is left
// out by the option omitempty; where it cannot be left out it is nil.
func (o Val[T]) MarshalMsgpack() ([]byte, error) { return o.MarshalMsg(nil) }

// UnmarshalMsgpack does what [Null.UnmarshalMsgpack] does. A nil is an error
// unless T has one of its own. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalMsgpack(b []byte) error { return o.keep(readWholeMsg[T](b)) }

// MarshalMsg does what [Null.MarshalMsg] does. Where an absent value cannot be
// left out it is nil.
func (o Field[T]) MarshalMsg(b []byte) ([]byte, error) { return appendMsg(b, o.state(), &o.V) }

// UnmarshalMsg does what [Null.UnmarshalMsg] does. If there is an error, o keeps its
// value.
func (o *Field[T]) UnmarshalMsg(b []byte) ([]byte, error) {
	v, s, rest, err := readMsg[T](b)
	return rest, o.keep(v, s, err)
}

// Msgsize does what [Null.Msgsize] does.
func (o Field[T]) Msgsize() int { return sizeMsg(o.state(), &o.V) }

// MarshalMsgpack does what [Null.MarshalMsgpack] does. An absent value is left
// out by the option omitempty; where it cannot be left out it is nil.
func (o Field[T]) MarshalMsgpack() ([]byte, error) { return o.MarshalMsg(nil) }

// UnmarshalMsgpack does what [Null.UnmarshalMsgpack] does. If there is an error, o keeps
// its value.
func (o *Field[T]) UnmarshalMsgpack(b []byte) error { return o.keep(readWholeMsg[T](b)) }

// msgNil is nil in MessagePack.
const msgNil = 0xc0

// errMsgShort is the error for an input that ends too early.
var errMsgShort = errors.New("opt: unexpected end of MessagePack")

func sizeMsg[T any](s State, v *T) int {
	if s != IsSet {
		return 1
	}
	copied := *v
	return sizeMsgValue(&copied)
}

func sizeMsgValue(v any) int {
	if m, ok := v.(interface{ Msgsize() int }); ok {
		return m.Msgsize()
	}
	rv := reflect.ValueOf(v).Elem()
	if rv.Kind() == reflect.String || isBytes(rv.Type()) {
		return 5 + rv.Len()
	}
	return 18 // two numbers and a header; a time takes 15
}

func appendMsg[T any](b []byte, s State, v *T) ([]byte, error) {
	if s != IsSet {
		return append(b, msgNil), nil
	}
	copied := *v
	return appendMsgValue(b, &copied)
}

// appendMsgValue appends the value that v points to.
func appendMsgValue(b []byte, v any) ([]byte, error) {
	be := binary.BigEndian
	switch p := v.(type) {
	case interface {
		MarshalMsg([]byte) ([]byte, error)
	}:
		return p.MarshalMsg(b)
	case interface{ MarshalMsgpack() ([]byte, error) }:
		own, err := p.MarshalMsgpack()
		return append(b, own...), err
	case *time.Time: // timestamp 96
		b = be.AppendUint32(append(b, 0xc7, 12, 0xff), uint32(p.Nanosecond()))
		return be.AppendUint64(b, uint64(p.Unix())), nil
	case *RawUUID:
		return append(append(b, 0xc4, 16), p[:]...), nil
	}
	rv := reflect.ValueOf(v).Elem()
	switch k := rv.Kind(); {
	case k == reflect.Bool:
		if rv.Bool() {
			return append(b, 0xc3), nil
		}
		return append(b, 0xc2), nil
	case rv.CanInt():
		return appendMsgInt(b, rv.Int()), nil
	case rv.CanUint():
		return appendMsgUint(b, rv.Uint()), nil
	case k == reflect.Float32:
		return be.AppendUint32(append(b, 0xca), math.Float32bits(float32(rv.Float()))), nil
	case k == reflect.Float64:
		return be.AppendUint64(append(b, 0xcb), math.Float64bits(rv.Float())), nil
	case k == reflect.String:
		n := rv.Len()
		switch {
		case n < 32:
			b = append(b, 0xa0|byte(n))
		case n <= math.MaxUint8:
			b = append(b, 0xd9, byte(n))
		case n <= math.MaxUint16:
			b = be.AppendUint16(append(b, 0xda), uint16(n))
		case uint64(n) <= math.MaxUint32:
			b = be.AppendUint32(append(b, 0xdb), uint32(n))
		default:
			return b, errors.New("opt: string too long for MessagePack")
		}
		return append(b, rv.String()...), nil
	case isBytes(rv.Type()):
		n := rv.Len()
		switch {
		case n <= math.MaxUint8:
			b = append(b, 0xc4, byte(n))
		case n <= math.MaxUint16:
			b = be.AppendUint16(append(b, 0xc5), uint16(n))
		case uint64(n) <= math.MaxUint32:
			b = be.AppendUint32(append(b, 0xc6), uint32(n))
		default:
			return b, errors.New("opt: too many bytes for MessagePack")
		}
		return append(b, rv.Bytes()...), nil
	}
	return b, fmt.Errorf("opt: %v has neither MarshalMsg nor MarshalMsgpack", rv.Type())
}

func appendMsgInt(b []byte, i int64) []byte {
	be := binary.BigEndian
	switch {
	case i >= 0:
		return appendMsgUint(b, uint64(i))
	case i >= -32:
		return append(b, byte(i))
	case i >= math.MinInt8:
		return append(b, 0xd0, byte(i))
	case i >= math.MinInt16:
		return be.AppendUint16(append(b, 0xd1), uint16(i))
	case i >= math.MinInt32:
		return be.AppendUint32(append(b, 0xd2), uint32(i))
	}
	return be.AppendUint64(append(b, 0xd3), uint64(i))
}

func appendMsgUint(b []byte, u uint64) []byte {
	be := binary.BigEndian
	switch {
	case u < 128:
		return append(b, byte(u))
	case u <= math.MaxUint8:
		return append(b, 0xcc, byte(u))
	case u <= math.MaxUint16:
		return be.AppendUint16(append(b, 0xcd), uint16(u))
	case u <= math.MaxUint32:
		return be.AppendUint32(append(b, 0xce), uint32(u))
	}
	return be.AppendUint64(append(b, 0xcf), u)
}

// readWholeMsg reads a value and nothing after it.
func readWholeMsg[T any](b []byte) (v T, s State, err error) {
	v, s, rest, err := readMsg[T](b)
	if err == nil && len(rest) > 0 {
		err = errors.New("opt: bytes after a MessagePack value")
	}
	return v, s, err
}

func readMsg[T any](b []byte) (v T, s State, rest []byte, err error) {
	if len(b) == 0 {
		return v, s, b, errMsgShort
	}
	if b[0] == msgNil {
		return v, IsNull, b[1:], nil
	}
	own := new(T)
	rest, err = readMsgValue(b, own)
	return *own, IsSet, rest, err
}

// readMsgValue reads what v points to.
func readMsgValue(b []byte, v any) (rest []byte, err error) {
	switch p := v.(type) {
	case interface {
		UnmarshalMsg([]byte) ([]byte, error)
	}:
		rest, err = p.UnmarshalMsg(b)
	case interface{ UnmarshalMsgpack([]byte) error }:
		err = p.UnmarshalMsgpack(b)
	default:
		rest, err = readMsgScalar(b, reflect.ValueOf(v).Elem())
	}
	if err != nil {
		rest = b
	}
	return rest, err
}
