package json

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// form is what a mode and a field make of the values of a type, for those who write and those who read them.
type form struct {
	as     formCode
	err    error // of formFailing
	within spec  // of formWithin
	quoted bool  // of formNumber: within a string; else nonfinite
	null   bool  // of formEmits

	number bool // of formText: the text is that of a number, and else the content of a string
	plain  bool // which has no escapes
	append func(b []byte, p mem.Ptr) ([]byte, error)
	parse  func(p mem.Ptr, s []byte) error
}

// formCode is what a form is.
type formCode uint8

const (
	formUsual     formCode = iota // nothing but what the type says
	formFailing                   // an error
	formWithin                    // of pointers and options: what is said of the value in them
	formList                      // of bytes: numbers
	formText                      // a text
	formBase64                    // of slices of bytes: a text in their usual form
	formNumber                    // a number in a string
	formNonfinite                 // a number, or NaN and the infinities in a string
	formEmits                     // of slices, bytes that are lists and maps: what nil is
)

func failingForm(err error) form { return form{as: formFailing, err: err} }

// badFormat says that values of type t have no such format.
func badFormat(t reflect.Type, format string) error {
	return aboutType{fmt.Errorf("json: type %v has no format %q", t, format), t, true}
}

// badString says that the option string is of no use.
func badString(t reflect.Type) error {
	return aboutType{fmt.Errorf("json: option string needs a number, not %v", t), t, true}
}

var errNoDuration = aboutType{
	errors.New("json: type time.Duration needs a format: the option FormatDuration, or the tag option format"),
	reflect.TypeFor[time.Duration](), true,
}

// form returns what m and a field that says sp make of t; with quoted all numbers are within strings.
func (m *mode) form(t *plan.Type, sp spec, quoted bool) form {
	v2, format := m.v2(0), sp.format
	if v2 && (t.Kind == plan.Raw || t.Kind == plan.Number) { // their methods have no formats
		format, sp.quoted = "", sp.quoted && t.Kind == plan.Number
	}
	quoted = quoted || sp.quoted || sp.name
	emits := format == "emitnull" || format == "emitempty"
	switch t.Kind {
	case plan.Time:
		if name := pick(format != "", format, m.time); name != "" {
			return textForm(t, name, timeFormatOf(name), sp.quoted, quoted)
		}
	case plan.Duration:
		if name := m.durationName(format); name != "" {
			return textForm(t, name, durationFormatOf(name), sp.quoted, quoted)
		} else if v2 {
			return failingForm(errNoDuration)
		}
	case plan.Bytes, plan.ByteArray:
		named := m.v2(setting.LegacyBytes) && t.Rtype.Elem().PkgPath() != ""
		switch {
		case v2 && sp.quoted:
			return failingForm(badString(t.Rtype))
		case named && emits && t.Kind == plan.Bytes:
			return form{as: formEmits, null: format == "emitnull"}
		case named && format != "":
			return failingForm(badFormat(t.Rtype, format))
		}
		if format == "" && (v2 || t.Kind == plan.Bytes) {
			format = m.bytes
		}
		return m.bytesForm(t, format, named)
	case plan.Pointer, plan.Option:
		if sp.quoted && t.Kind == plan.Pointer && t.Elem.Kind == plan.Pointer && m.has(setting.LegacyStrings) {
			return failingForm(badString(t.Rtype))
		}
		sp.bare = allHooks
		return form{as: formWithin, within: sp}
	case plan.Slice, plan.Map:
		if sp.quoted {
			return failingForm(badString(t.Rtype))
		} else if emits {
			return form{as: formEmits, null: format == "emitnull"}
		}
	}
	nonfinite := t.Kind.IsFloat() && format == "nonfinite"
	switch {
	case format != "" && !nonfinite:
		return failingForm(badFormat(t.Rtype, format))
	case nonfinite:
		return form{as: formNonfinite, quoted: quoted}
	case quoted && (keyIsNumber(t) || t.Kind == plan.Duration):
		return form{as: formNumber, quoted: true}
	case sp.quoted:
		return failingForm(badString(t.Rtype))
	}
	return form{}
}

// textFormat is how values of a type are written as a text.
type textFormat[T any] struct {
	number, plain bool // see [form]
	append        func(b []byte, v T) ([]byte, error)
	parse         func(s []byte) (T, error)
}

// textForm returns the form for f, the named format of values of t, which has no functions if there is none. The option
// string of a tag is for formats of numbers; with quoted these are within strings.
func textForm[T any](t *plan.Type, name string, f textFormat[T], tagged, quoted bool) form {
	switch {
	case f.append == nil:
		return failingForm(badFormat(t.Rtype, name))
	case tagged && !f.number:
		return failingForm(badString(t.Rtype))
	}
	return form{
		as: formText, number: f.number && !quoted, plain: f.plain,
		append: func(b []byte, p mem.Ptr) ([]byte, error) { return f.append(b, *mem.At[T](p)) },
		parse: func(p mem.Ptr, s []byte) error {
			v, err := f.parse(s)
			if err == nil {
				*mem.At[T](p) = v
			}
			return err
		},
	}
}

// bytesForm returns the form of bytes in the named format. Without a name slices are in base64, as are arrays by
// encoding/json/v2's rules; what has a type of its own for bytes is an array of numbers to these.
func (m *mode) bytesForm(t *plan.Type, name string, named bool) form {
	slice, v2 := t.Kind == plan.Bytes, m.v2(0) && !m.listsBytes(t)
	f, ok := bytesFormatOf(name)
	as := formText
	switch {
	case name == "" && !v2:
		return form{}
	case named || name == "array":
		return form{as: formList}
	case name == "":
		f, as = base64Format(), pick(slice, formBase64, formText)
	case !ok:
		return failingForm(badFormat(t.Rtype, name))
	}
	breaks, anyLength := m.has(setting.LegacyParseBytes), m.has(setting.LegacyLengths)
	return form{
		as: as, plain: true,
		append: func(b []byte, p mem.Ptr) ([]byte, error) { return f.appendTo(b, p.Value(t.Mem).Bytes()), nil },
		parse: func(p mem.Ptr, s []byte) error {
			v := p.Value(t.Mem)
			var room []byte
			if slice && v2 {
				room = v.Bytes()[:0]
			}
			out, err := f.parse(room, s, breaks)
			if err != nil {
				return err
			}
			if slice {
				v.SetBytes(pick(out == nil, []byte{}, out))
				return nil
			}
			to := v.Bytes()
			clear(to[copy(to, out):])
			if len(out) != t.Len && !anyLength {
				return fmt.Errorf("%d bytes do not fit %v", len(out), t.Rtype)
			}
			return nil
		},
	}
}
