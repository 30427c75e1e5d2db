package json

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/weftcodec/weft/internal/mem"
)

// errorPath is where an error happened, as encoding/json tells it: the
// innermost struct, and the names of the fields on the way, innermost first.
type errorPath struct {
	in     reflect.Type
	fields []string
}

func (e *errorPath) reset() {
	if e.in != nil {
		e.in = nil
		e.fields = e.fields[:0]
	}
}

// enter adds the field through which the walk leaves a struct.
func (e *errorPath) enter(in reflect.Type, f *field) {
	if e.in == nil {
		e.in = in
	}
	e.fields = append(e.fields, f.of.Name)
	for k := len(f.of.Through) - 1; k >= 0; k-- {
		e.fields = append(e.fields, f.of.Through[k])
	}
}

// addTo puts the place into err if that is an UnmarshalTypeError itself.
func (e *errorPath) addTo(err error) error {
	t, ok := err.(*UnmarshalTypeError)
	if !ok || e.in == nil {
		return err
	}
	slices.Reverse(e.fields)
	if t.Field != "" {
		e.fields = append(e.fields, t.Field)
	}
	t.Struct, t.Field = e.in.Name(), strings.Join(e.fields, ".")
	return err
}

// leave adds field f of a struct to the place of an error and returns the
// index from which the struct goes on, or failed.
func (d *decoder) leave(n *node, f *field, i int) int {
	if i == failed {
		if d.err != nil {
			d.place.enter(n.rtype, f)
		}
		return failed
	}
	d.place.enter(n.rtype, f)
	return ^i
}

// misfit handles the value at i that the op of n could not decode into p: a
// null, a value that does not fit, or no JSON value at all.
func (d *decoder) misfit(n *node, p mem.Ptr, i int) int {
	switch c := d.b.At(i); c {
	case 'n':
		if d.b.U32(i) != wordNull {
			return d.fail()
		}
		if n.noNull {
			return d.refuseNull(n, i)
		}
		if n.nullable && !p.AllZero(n.mem) {
			n.mem.Clear(p)
		}
		return i + 4
	default:
		if n.strict && (c == '-' || isDigit(c)) {
			if j := d.wholeNumber(n, p, i); j >= 0 {
				return j
			}
		}
		if k := n.rtype.Kind(); d.flags&decodeV2 != 0 &&
			(k == reflect.Float64 || k == reflect.Float32) && (c == '-' || isDigit(c)) {
			p.Value(n.mem).SetFloat(outOfFloat(c))
		}
		return d.mismatch(n.rtype, n.numeric, i)
	}
}

// outOfFloat returns what encoding/json/v2 makes of a number that begins with c and is out of range.
func outOfFloat(c byte) float64 { return math.Inf(pick(c == '-', -1, 1)) }

// mismatch notes that the value at i does not fit t, and skips it. numeric
// tells that t is a Go number, so that a JSON number is quoted in the error.
func (d *decoder) mismatch(t reflect.Type, numeric bool, i int) int {
	j := d.skip(i)
	if j < 0 {
		return j
	}
	e := &UnmarshalTypeError{Value: d.reader.kind(i).String(), Type: t, Offset: int64(j)}
	switch c := d.b.At(i); {
	case c == '{' || c == '[':
		e.Offset = int64(i + 1)
	case numeric && (c == '-' || isDigit(c)):
		e.Value += " " + string(d.b.Slice(i, j))
	}
	return d.save(e, i, j)
}

// badQuoted is encoding/json's error for a value under the option string.
func badQuoted(item []byte, t reflect.Type) error {
	return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t)
}
