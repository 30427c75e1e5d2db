package opt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

// The element types of BSON (bsonspec.org, version 1.1).
const (
	bsonDouble   = 0x01
	bsonString   = 0x02
	bsonBinary   = 0x05
	bsonBool     = 0x08
	bsonDateTime = 0x09
	bsonNull     = 0x0a
	bsonInt32    = 0x10
	bsonInt64    = 0x12
)

// MarshalBSONValue is the method of this name that
// go.mongodb.org/mongo-driver/v2/bson asks for. T is a scalar, a string, bytes,
// a time, or has the method itself; any other T is an error.
func (o Null[T]) MarshalBSONValue() (byte, []byte, error) { return marshalBSON(o.state(), &o.V) }

// UnmarshalBSONValue is the method of this name that
// go.mongodb.org/mongo-driver/v2/bson asks for. If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalBSONValue(typ byte, b []byte) error {
	return o.keep(unmarshalBSON[T](typ, b))
}

// MarshalBSONValue does what [Null.MarshalBSONValue] does. An absent value is
// left out by the option omitempty; where it cannot be left out it is null.
func (o Val[T]) MarshalBSONValue() (byte, []byte, error) { return marshalBSON(o.state(), &o.V) }

// UnmarshalBSONValue does what [Null.UnmarshalBSONValue] does. A null is an
// error unless T has one of its own. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalBSONValue(typ byte, b []byte) error {
	return o.keep(unmarshalBSON[T](typ, b))
}

// MarshalBSONValue does what [Null.MarshalBSONValue] does. An absent value is
// left out by the option omitempty; where it cannot be left out it is null.
func (o Field[T]) MarshalBSONValue() (byte, []byte, error) { return marshalBSON(o.state(), &o.V) }

// UnmarshalBSONValue does what [Null.UnmarshalBSONValue] does. If there is an error,
// o keeps its value.
func (o *Field[T]) UnmarshalBSONValue(typ byte, b []byte) error {
	return o.keep(unmarshalBSON[T](typ, b))
}

func marshalBSON[T any](s State, v *T) (byte, []byte, error) {
	if s != IsSet {
		return bsonNull, nil, nil
	}
	copied := *v
	return bsonValue(&copied)
}

// bsonValue returns the type and the bytes of what v points to.
func bsonValue(v any) (byte, []byte, error) {
	le := binary.LittleEndian
	switch p := v.(type) {
	case interface {
		MarshalBSONValue() (byte, []byte, error)
	}:
		return p.MarshalBSONValue()
	case *time.Time:
		return bsonDateTime, le.AppendUint64(nil, uint64(p.UnixMilli())), nil
	case *RawUUID:
		return bsonBinary, append([]byte{16, 0, 0, 0, 4}, p[:]...), nil
	}
	rv := reflect.ValueOf(v).Elem()
	switch k := rv.Kind(); {
	case k == reflect.String:
		str := rv.String()
		if len(str) >= math.MaxInt32 {
			return 0, nil, errors.New("opt: string too long for BSON")
		}
		b := le.AppendUint32(make([]byte, 0, len(str)+5), uint32(len(str)+1))
		return bsonString, append(append(b, str...), 0), nil
	case k == reflect.Bool:
		if rv.Bool() {
			return bsonBool, []byte{1}, nil
		}
		return bsonBool, []byte{0}, nil
	case rv.CanInt():
		i := rv.Int()
		if k != reflect.Int64 && i == int64(int32(i)) {
			return bsonInt32, le.AppendUint32(nil, uint32(i)), nil
		}
		return bsonInt64, le.AppendUint64(nil, uint64(i)), nil
	case rv.CanUint():
		u := rv.Uint()
		if k == reflect.Uint8 || k == reflect.Uint16 {
			return bsonInt32, le.AppendUint32(nil, uint32(u)), nil
		}
		if u > math.MaxInt64 {
			return 0, nil, fmt.Errorf("opt: %d overflows the integers of BSON", u)
		}
		return bsonInt64, le.AppendUint64(nil, u), nil
	case rv.CanFloat():
		return bsonDouble, le.AppendUint64(nil, math.Float64bits(rv.Float())), nil
	case isBytes(rv.Type()):
		data := rv.Bytes()
		if len(data) > math.MaxInt32 {
			return 0, nil, errors.New("opt: too many bytes for BSON")
		}
		return bsonBinary, append(append(le.AppendUint32(nil, uint32(len(data))), 0), data...), nil
	}
	return 0, nil, fmt.Errorf("opt: %v has no MarshalBSONValue, which BSON needs", rv.Type())
}

func unmarshalBSON[T any](typ byte, b []byte) (v T, s State, err error) {
	if typ == bsonNull {
		return v, IsNull, nil
	}
	own := new(T)
	err = readBSON(typ, b, own)
	return *own, IsSet, err
}

// readBSON undoes bsonValue.
func readBSON(typ byte, b []byte, v any) (err error) {
	if u, ok := v.(interface {
		UnmarshalBSONValue(typ byte, data []byte) error
	}); ok {
		return u.UnmarshalBSONValue(typ, b)
	}
	rv := reflect.ValueOf(v).Elem()
	var ok bool
	switch typ {
	case bsonInt32, bsonInt64, bsonDouble:
		ok, err = setBSONNumber(rv, typ, b)
	case bsonDateTime:
		var t *time.Time
		if t, ok = v.(*time.Time); ok && len(b) == 8 {
			*t = time.UnixMilli(int64(binary.LittleEndian.Uint64(b))).UTC()
		}
		ok = ok && len(b) == 8
	case bsonBool:
		if ok = rv.Kind() == reflect.Bool && len(b) == 1 && b[0] < 2; ok {
			rv.SetBool(b[0] == 1)
		}
	case bsonString:
		n := len(b) - 5
		if ok = rv.Kind() == reflect.String && n >= 0 && binary.LittleEndian.Uint32(b) == uint32(n+1) && b[n+4] == 0; ok {
			rv.SetString(string(b[4 : n+4]))
		}
	case bsonBinary:
		n := len(b) - 5
		if n < 0 || binary.LittleEndian.Uint32(b) != uint32(n) {
			break
		}
		if id, isID := v.(*RawUUID); isID {
			if ok = n == 16; ok {
				copy(id[:], b[5:])
			}
		} else if ok = isBytes(rv.Type()); ok {
			rv.SetBytes(bytes.Clone(b[5:]))
		}
	}
	if !ok && err == nil {
		err = fmt.Errorf("opt: BSON type 0x%02x of %d bytes is no %v", typ, len(b), rv.Type())
	}
	return err
}

// setBSONNumber sets a number that the type of v can hold.
func setBSONNumber(v reflect.Value, typ byte, b []byte) (ok bool, err error) {
	if len(b) != 8 && (typ != bsonInt32 || len(b) != 4) {
		return false, nil
	}
	var i int64
	var f float64
	switch typ {
	case bsonInt32:
		i = int64(int32(binary.LittleEndian.Uint32(b)))
		f = float64(i)
	case bsonInt64:
		i = int64(binary.LittleEndian.Uint64(b))
		f = float64(i)
	default:
		f = math.Float64frombits(binary.LittleEndian.Uint64(b))
		if f >= -1<<63 && f < 1<<63 {
			i = int64(f)
		}
		if !v.CanFloat() && float64(i) != f {
			return false, fmt.Errorf("opt: %v is no %v", f, v.Type())
		}
	}
	switch {
	case v.CanInt():
		if v.OverflowInt(i) {
			return false, fmt.Errorf("opt: %d overflows %v", i, v.Type())
		}
		v.SetInt(i)
	case v.CanUint():
		if i < 0 || v.OverflowUint(uint64(i)) {
			return false, fmt.Errorf("opt: %d overflows %v", i, v.Type())
		}
		v.SetUint(uint64(i))
	case v.CanFloat():
		if v.OverflowFloat(f) {
			return false, fmt.Errorf("opt: %v overflows %v", f, v.Type())
		}
		v.SetFloat(f)
	default:
		return false, nil
	}
	return true, nil
}
