package json

import (
	"fmt"
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
	if h := &f.Type.Hooks; around || within && h.Unmarshal|h.UnmarshalAddr != 0 {
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

// restText appends the object at p, encoded, of type held, which stands beside the fields of t.
func (e *encoder) restText(b []byte, t, held *plan.Type, beside *folding, p mem.Ptr) ([]byte, error) {
	raw := *mem.At[[]byte](p)
	if len(raw) == 0 {
		return append(b, "null"...), nil
	}
	start := len(b)
	var err error
	if kind := jsontext.Value(raw).Kind(); kind != jsontext.KindBeginObject && kind != jsontext.KindInvalid {
		err = fmt.Errorf("json: field %s of type %v does not hold an object", t.Rest().GoName, t.Rtype)
		err = aboutType{error: err, t: held.Rtype}
	} else if b, err = e.compact(b, raw); err == nil {
		if e.flags&flagRefuseDuplicates == 0 {
			return b, nil
		}
		return e.restNames(b, start, beside)
	} else if s, ok := err.(*jsontext.SyntacticError); !ok ||
		s.Err != jsontext.ErrDuplicateName && s.Err.Error() != errInvalidText.Error() {
		err = e.marshalError(held.Rtype, err, "MarshalJSON")
	}
	return append(b, '{'), err // where a name stands next, as levelsOf reads it
}

// restNames looks for names that come twice in the object that b ends with, from start on, and what it stands beside.
func (e *encoder) restNames(b []byte, start int, beside *folding) ([]byte, error) {
	taken, object := e.taking(beside), b[start:]
	var at int64
	if err := eachName(object, func(name string, from int64) error {
		if at = from; !taken.add(b, start, e.set.mode, name) {
			return duplicateName(name)
		}
		return nil
	}); err != nil {
		object[0] = ','
		return b[:start+int(at)-1], err
	}
	taken.set.Leave(&taken.in)
	return b, nil
}

// written reports whether the member of that name is among those of the struct that is written to b from start on, each
// with a comma before it.
func written(b []byte, start int, name string) bool {
	if start == len(b) {
		return false
	}
	b[start] = '{'
	err := eachName(b[start:], func(s string, _ int64) error {
		if s == name {
			return duplicateName(name)
		}
		return nil
	})
	b[start] = ','
	return err == duplicateName(name)
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
	return aboutType{error: fmt.Errorf("json: %s: %s", where, p.Text), t: t.Rtype}
}
