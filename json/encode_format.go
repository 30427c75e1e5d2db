package json

import (
	"errors"
	"reflect"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
)

// timeFormat makes pr write times in the named format, if there is a name.
func (c *compiler) timeFormat(pr *program, t *plan.Type, name string, quoted, v2 bool) bool {
	if name == "" {
		if quoted {
			pr.failing(badString(t.Rtype))
		}
		return quoted
	}
	f, ok := timeFormatOf(name)
	switch {
	case !ok:
		pr.failing(badFormat(t.Rtype, name))
		return true
	case quoted && !f.number:
		pr.failing(badString(t.Rtype))
		return true
	}
	quoted = quoted || c.flags&flagStringNumbers != 0
	pr.code, pr.leaf = putFunc, true
	pr.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
		at := *mem.At[time.Time](p)
		if f.number && !quoted {
			return f.append(b, at)
		}
		var room [64]byte
		s, err := f.append(room[:0], at)
		if err != nil {
			return b, marshalError(pr.rtype, err, "MarshalJSON")
		}
		return e.text(b, mem.String(s))
	}
	return true
}

// durationFormat makes pr write durations in the named format. Without a name they are numbers, where
// encoding/json/v2's rules do not ask for one.
func (c *compiler) durationFormat(pr *program, t *plan.Type, name string, quoted, v2 bool) bool {
	if name == "" {
		if v2 {
			pr.failing(errNoDuration)
		}
		return v2
	}
	f, ok := durationFormatOf(name)
	switch {
	case !ok:
		pr.failing(badFormat(t.Rtype, name))
		return true
	case quoted && !f.number:
		pr.failing(badString(t.Rtype))
		return true
	}
	quoted = quoted || !f.number || c.flags&flagStringNumbers != 0
	pr.code, pr.leaf = putFunc, true
	pr.fn = func(_ *encoder, b []byte, p mem.Ptr) ([]byte, error) {
		d := time.Duration(*mem.At[int64](p))
		if !quoted {
			return f.append(b, d), nil
		}
		return append(f.append(append(b, '"'), d), '"'), nil
	}
	return true
}

var errNoDuration = aboutType{errors.New("json: type time.Duration needs a format: the option FormatDuration, or the tag option format"),
	reflect.TypeFor[time.Duration]()}

// bytesFormat makes pr write bytes in the named format. Without a name slices are in base64, as are arrays
// by encoding/json/v2's rules; what has a type of its own for bytes is an array of numbers to these.
func (c *compiler) bytesFormat(pr *program, t *plan.Type, name string, v2, named bool) bool {
	slice := t.Kind == plan.Bytes
	f, ok := bytesFormatOf(name)
	switch {
	case name == "" && (!v2 || slice && !named):
		return false
	case named || name == "array":
		pr.elem = c.program(t.Elem, true)
		pr.code, pr.n = putArray, t.Len
		if slice {
			pr.code = putSlice
		}
		return true
	case name == "":
		f = base64Format()
	case !ok:
		pr.failing(badFormat(t.Rtype, name))
		return true
	}
	pr.code, pr.leaf = putFunc, true
	pr.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
		if slice && p.SliceIsNil() && e.flags&flagNilSliceAsEmpty == 0 {
			return append(b, "null"...), nil
		}
		v := p.Value(t.Mem)
		return append(f.appendTo(append(b, '"'), v.Bytes()), '"'), nil
	}
	return true
}
