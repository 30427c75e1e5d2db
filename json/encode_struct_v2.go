package json

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json/jsontext"
)

// emptyText reports whether b is a value that omitempty leaves out by encoding/json/v2's rules.
func emptyText(b []byte) bool {
	if len(b) > len("null") {
		return false
	}
	switch string(b) {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}

// emptiness tells how to find the values of f that are written as null, "", [] or {}: by value if those are left out
// that are nil or of length 0, by text if others are empty too, for which the text must be looked at.
func (c *compiler) emptiness(f *plan.Field) (byValue, byText bool) {
	within, around := c.mode.quoted(f)
	follows := f.Type.Kind == plan.Pointer || f.Type.Kind == plan.Interface // which have no methods of their own there
	if h := &f.Type.Hooks; around || within && !follows && h.Unmarshal|h.UnmarshalAddr != 0 {
		// Those are written first, which may fail.
		return false, true
	}
	return c.emptinessOf(f.Type, f.Format)
}

func (c *compiler) emptinessOf(t *plan.Type, format string) (byValue, byText bool) {
	if t.Union != nil || len(c.mode.marshalers.of(t.Rtype)) > 0 {
		return false, true
	}
	switch t.Kind {
	case plan.Any, plan.Interface:
		return true, true
	case plan.Time: // as its methods do
		return false, format != "" || c.mode.time != ""
	case plan.Number, plan.Raw, plan.Option:
		return false, true
	case plan.Pointer:
		if !c.mode.v2(setting.LegacyMethods) {
			break // methods are called with nil
		}
		if t.Elem.Kind == plan.Pointer {
			return true, true
		}
		byValue, byText = c.emptinessOf(t.Elem, format)
		return true, byValue || byText
	}
	if t.Hooks.Marshal|t.Hooks.MarshalAddr != 0 {
		_, time := promotedTime(t)
		return false, !time
	}
	switch k := t.Kind; {
	case k == plan.Bool || k == plan.Duration || k.IsInt() || k.IsUint() || k.IsFloat():
		return false, false
	case k == plan.String || k == plan.Slice || k == plan.Bytes || k == plan.Map:
		return true, false
	case k == plan.Array || k == plan.ByteArray:
		return t.Len == 0, false
	case k == plan.Struct:
		members := t.Members()
		for i := range members {
			f := &members[i]
			if !f.MayBeLeft() && f.Type.Kind != plan.Option && c.flags&flagOmitZeroFields == 0 {
				return false, false
			}
		}
	}
	return false, true
}

// restV2 makes the member of t that holds what no field names one that is written by encoding/json/v2's rules: names
// are those of the map, whatever the type of its keys does, and text is checked whole.
func (c *compiler) restV2(pr *program, t *plan.Type) {
	beside := newFolding(t, c.mode)
	f := t.Rest()
	held := f.Type
	if held.Kind == plan.Pointer {
		held = held.Elem
	}
	sub := &program{code: opMap, key: plan.KeyString, rtype: held.Rtype, mem: held.Mem}
	if held.Kind == plan.Map {
		sub.elem, sub.beside = c.program(held.Elem, true), beside
	} else {
		sub.code = opFunc
		sub.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) { return e.restText(b, t, held, beside, p) }
	}
	if held != f.Type {
		sub = &program{code: opPointer, rtype: f.Type.Rtype, mem: f.Type.Mem, elem: sub}
	}
	pr.rest.sub = sub
}

// restText appends the object at p, encoded, of type held, which stands beside the fields of t: name by name, as they
// may come twice, and value by value.
func (e *encoder) restText(b []byte, t, held *plan.Type, beside *folding, p mem.Ptr) ([]byte, error) {
	raw := *mem.At[[]byte](p)
	if len(raw) == 0 {
		return append(b, "null"...), nil
	}
	start := len(b)
	wrong := func(err error) ([]byte, error) { // where a name stands next, as levelsOf reads it
		return append(b, '{'), e.marshalError(held.Rtype, unsignaled(err), "MarshalJSON")
	}
	d := jsontext.NewDecoder(readerOf(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		weft.MaxDepth(math.MaxInt))
	if open, err := d.ReadToken(); err != nil {
		return wrong(err)
	} else if open.Kind() != jsontext.KindBeginObject {
		err = fmt.Errorf("json: field %s of type %v does not hold an object", t.Rest().GoName, t.Rtype)
		return append(b, '{'), aboutType{error: err, t: held.Rtype}
	}
	var taken *takenNames
	if e.flags&flagRefuseDuplicates != 0 {
		taken = e.taking(beside)
	}
	for d.PeekKind() != jsontext.KindEndObject {
		text, err := d.ReadValue()
		if err != nil {
			return wrong(err)
		}
		if taken != nil {
			name, _ := jsontext.AppendUnquote(nil, text)
			if !taken.add(b, start, e.set.mode, string(name)) {
				return b, duplicateName(name)
			}
		}
		for _, before := range ",:" {
			if before == ':' {
				if text, err = d.ReadValue(); err != nil {
					return wrong(err)
				}
			}
			if b, err = e.compact(append(b, byte(before)), text); err != nil {
				if before == ',' {
					b[len(b)-1] = '{'
				}
				return b, err
			}
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return wrong(err)
	}
	if _, err := d.ReadToken(); err == nil {
		return wrong(errTwoValues)
	} else if err != io.EOF {
		return wrong(err)
	}
	if taken != nil {
		taken.set.Leave(&taken.in)
	}
	if len(b) == start {
		b = append(b, '{')
	}
	b[start] = '{'
	return append(b, '}'), nil
}

var errTwoValues = errors.New("more than one value")

// written reports whether the member of that name is among those of the struct that is written to b from start on, each
// with a comma before it.
func written(b []byte, start int, name string) bool {
	if start == len(b) {
		return false
	}
	b[start] = '{'
	d := newDecoder(b[start:], decodeOptions{depth: deepest})
	_, ok := d.parts(0)[name]
	d.release(true)
	b[start] = ','
	return ok
}

// duplicateName is the error for two members that have this name.
type duplicateName string

func (n duplicateName) Error() string { return fmt.Sprintf("%v %q", weft.ErrDuplicateName, string(n)) }
func (n duplicateName) Unwrap() error { return weft.ErrDuplicateName }

// refusal returns why encoding/json/v2's rules refuse the struct type t, or nil.
func refusal(t *plan.Type, marshal bool) error {
	return fault(t, func(p *plan.Problem) bool { return !p.Silent && pick(marshal, p.Marshal, p.Unmarshal) })
}

// tagFault returns what is wrong with the tags weft of the struct type t, or nil. Tags json are never wrong to
// encoding/json.
func tagFault(t *plan.Type) error {
	return fault(t, func(p *plan.Problem) bool {
		return p.Code == plan.BadName || p.Code == plan.BadOption || p.Code == plan.Conflict
	})
}

// ruleFault returns what is wrong with the rules of the type t, or of its fields, or nil. They hold for a type that has
// methods of its own too.
func ruleFault(t *plan.Type) error {
	return fault(t, func(p *plan.Problem) bool { return p.Code == plan.BadRule })
}

func fault(t *plan.Type, is func(p *plan.Problem) bool) error {
	problems := t.Problems()
	i := slices.IndexFunc(problems, func(p plan.Problem) bool { return is(&p) })
	if i < 0 {
		return nil
	}
	where, p := t.Rtype.String(), &problems[i]
	if p.Field != "" {
		where += "." + p.Field
	}
	return aboutType{error: fmt.Errorf("json: %s: %s", where, p.Text), t: p.In}
}
