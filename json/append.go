package json

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/wire"
)

// infinite says that v, a floating-point number, is not finite.
func infinite(v reflect.Value) error {
	return &UnsupportedValueError{Value: v, Str: strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())}
}

// appendBytes appends v as a JSON string of its base64 form (RFC 4648 §4), or null when v is nil.
func appendBytes(b, v []byte) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	b = append(b, '"')
	return append(wire.AppendBase64(b, v), '"')
}

// appendTime appends t as a JSON string in the form of RFC 3339. A time that this form cannot hold
// is an error, with which b is returned unchanged.
func appendTime(b []byte, t time.Time) ([]byte, error) {
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
	if wire.NumberLen(s) != len(s) {
		return b, fmt.Errorf("json: invalid number literal %q", s)
	}
	return append(b, s...), nil
}
