package json

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// AppendNull appends null.
//
//go:noinline
func AppendNull(b []byte) []byte { return append(b, "null"...) }

// AppendBool appends true or false.
//
//go:noinline
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, "true"...)
	}
	return append(b, "false"...)
}

// AppendInt appends an integer.
func AppendInt(b []byte, v int64) []byte {
	l := len(b)
	if cap(b)-l < slack {
		b = grow(b, slack)
	}
	return b[:wire.SetInt(mem.BytesOf(b), l, v)]
}

// AppendUint appends an unsigned integer.
func AppendUint(b []byte, v uint64) []byte {
	l := len(b)
	if cap(b)-l < slack {
		b = grow(b, slack)
	}
	return b[:wire.SetUint(mem.BytesOf(b), l, v)]
}

// AppendFloat64 appends a number in its shortest form, as ECMAScript writes it. NaN and the
// infinities are an [UnsupportedValueError], with which b is returned unchanged.
func AppendFloat64(b []byte, v float64) ([]byte, error) {
	if v-v != 0 {
		return b, infinite(reflect.ValueOf(v))
	}
	return wire.AppendFloat64(b, v), nil
}

// AppendFloat32 appends a number of single precision as [AppendFloat64] does.
func AppendFloat32(b []byte, v float32) ([]byte, error) {
	if v-v != 0 {
		return b, infinite(reflect.ValueOf(v))
	}
	return wire.AppendFloat32(b, v), nil
}

// infinite says that v, a floating-point number, is not finite.
func infinite(v reflect.Value) error {
	return &UnsupportedValueError{Value: v, Str: strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())}
}

// AppendString appends s as a JSON string. What is not UTF-8 in it becomes U+FFFD.
func AppendString(b []byte, s string, f Flags) []byte {
	l, how := len(b), f.escapes()
	if !mem.Safe && len(s) < wire.ShortString && cap(b)-l >= slack {
		if end := wire.SetShortString(mem.BytesOf(b), l, s, how); end >= 0 {
			return b[:end]
		}
	}
	return wire.AppendJSONString(b, s, how)
}

// AppendBytes appends v as a JSON string of its base64 form (RFC 4648 §4), or null when v is nil.
func AppendBytes(b, v []byte) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	b = append(b, '"')
	return append(base64.StdEncoding.AppendEncode(b, v), '"')
}

// AppendTime appends t as a JSON string in the form of RFC 3339. A time that this form cannot hold
// is an error, with which b is returned unchanged.
func AppendTime(b []byte, t time.Time) ([]byte, error) {
	out, err := wire.AppendTimeRFC3339(append(b, '"'), t)
	if err != nil {
		if _, e := t.MarshalJSON(); e != nil {
			err = e
		}
		return b, err
	}
	return append(out, '"'), nil
}

// appendNumber appends the text of a number; an empty one stands for 0.
func appendNumber(b []byte, s string) ([]byte, error) {
	if s == "" {
		return append(b, '0'), nil
	}
	if numberLen(s) != len(s) {
		return b, fmt.Errorf("json: invalid number literal %q", s)
	}
	return append(b, s...), nil
}
