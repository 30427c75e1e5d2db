package json

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json/jsontext"
)

// putV2 is one member of a struct, for those that are not written straight.
type putV2 struct {
	name  []byte // `,"name":`
	field *plan.Field
	put   put
	empty bool // left out if it is written as null, "", [] or {}
}

// structV2 makes pr write structs by encoding/json/v2's rules.
func (c *compiler) structV2(pr *program, t *plan.Type) {
	if err := refusal(t, true); err != nil && c.mode.v2(setting.LegacyErrors) {
		pr.failing(err)
		return
	}
	c.members(pr, t, pr.addr || c.mode.v2(setting.LegacyMethods))
	simple := t.Rest() == nil
	members := t.Members()
	for i := range members {
		f := &members[i]
		simple = simple && !(f.OmitEmpty && f.Type.Kind == plan.Option && c.mode.v2(setting.LegacyOmitEmpty))
	}
	pr.code = putStruct
	if simple {
		pr.ready()
		return
	}
	w := &structWriter{t: t}
	if t.Rest() != nil && foldsNames(t, c.flags) {
		w.folds = newFolding(t, c.mode)
	}
	i := 0
	for o := pr.first; o != nil; o = o.next {
		f := &members[i]
		if f.Type.Kind == plan.Option { // as a whole: find does not look at the state
			o.Off, o.sub, o.omit = f.Offset, c.specified(f.Type, true, c.specOf(f)), c.omission(f)
			o.code = o.sub.code
			if len(f.Embeds) > 0 || o.omit > omitSlow {
				o.slow.omit, o.omit = o.omit, omitSlow
			}
		}
		name, _ := (&encoder{flags: c.flags &^ flagRefuseUTF8}).text([]byte{','}, f.Name)
		w.members = append(w.members, putV2{name: append(name, ':'), field: f, put: *o})
		m := &w.members[len(w.members)-1]
		m.empty = f.OmitEmpty && c.mode.v2(setting.LegacyOmitEmpty)
		i++
	}
	if t.Rest() != nil {
		w.rest = pr.rest
		rest := t.Rest().Type
		if rest.Kind == plan.Pointer {
			rest = rest.Elem
			w.deref = rest.Mem
		}
		if w.restType = rest.Rtype; rest.Kind == plan.Map {
			sub := &program{rtype: rest.Rtype, mem: rest.Mem}
			sub.elem = c.program(rest.Elem, true)
			w.rests = &mapWriter{pr: sub, plain: true}
		}
	}
	pr.code, pr.fn, pr.first, pr.rest = putFunc, w.write, nil, nil
}

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
	if _, around := c.mode.quoted(f); around {
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
		return false, true
	}
	switch k := t.Kind; {
	case k == plan.Bool || k == plan.Duration || k.IsInt() || k.IsUint() || k.IsFloat():
		return false, false
	case k == plan.String || k == plan.Slice || k == plan.Bytes || k == plan.Map:
		return true, false
	case k == plan.Array || k == plan.ByteArray:
		return false, t.Len == 0
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

// structWriter writes structs of which members are left out after they have been written, or that hold
// members beside their fields.
type structWriter struct {
	t       *plan.Type
	members []putV2
	rest    *put
	rests   *mapWriter // of rest, if that is a map
	deref   *mem.Type  // of what rest points to, if it does
	folds   *folding   // nil where names are compared as they are

	restType reflect.Type
}

func (w *structWriter) write(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
	start := len(b)
	var err error
	var taken *takenNames
	if w.rest != nil && e.flags&flagRefuseDuplicates != 0 {
		taken = &takenNames{make(map[string]struct{}), w.folds}
	}
	for i := range w.members {
		m := &w.members[i]
		at := m.put.find(p)
		if at.IsNil() {
			continue
		}
		l := len(b)
		b = append(b, m.name...)
		from := len(b)
		if b, err = e.value(b, m.put.sub, at); err != nil {
			return b, err
		}
		if m.empty && emptyText(b[from:]) {
			b = b[:l]
			e.levels.reset()
			continue
		}
		taken.add(m.field.Name)
	}
	if w.rest != nil {
		at := w.rest.find(p)
		if w.deref != nil && !at.IsNil() {
			at = at.Deref(w.deref)
		}
		if !at.IsNil() {
			if b, err = w.others(e, b, start, at, taken); err != nil {
				return b, err
			}
		}
	}
	return endObject(b, start), nil
}

// duplicateName is the error for two members that have this name.
type duplicateName string

func (n duplicateName) Error() string { return fmt.Sprintf("%v %q", weft.ErrDuplicateName, string(n)) }
func (n duplicateName) Unwrap() error { return weft.ErrDuplicateName }

// others appends the members of the map or of the encoded object at p to those of the struct that begins at begin.
func (w *structWriter) others(e *encoder, b []byte, begin int, p mem.Ptr, taken *takenNames) ([]byte, error) {
	start := len(b)
	if w.rests != nil {
		v := p.Value(w.rests.pr.mem)
		if v.Len() == 0 {
			return b, nil
		}
		b, err := w.rests.entries(e, b, v, v.Len(), taken)
		if err != nil {
			return b, err
		}
		b[start] = ','
		return b[:len(b)-1], nil
	}
	raw := *mem.At[[]byte](p)
	if len(raw) == 0 {
		return b, nil
	}
	due := pick(start == begin, byte('{'), ',') // stands before the member that is expected, in errors
	if kind := jsontext.Value(raw).Kind(); kind != jsontext.KindBeginObject && kind != jsontext.KindInvalid {
		err := fmt.Errorf("json: field %s of type %v does not hold an object", w.t.Rest().GoName, w.t.Rtype)
		return append(b, due), aboutType{err, w.restType}
	}
	b, err := e.set.mode.code.reformat(b, raw, e.options())
	if err != nil {
		text, ok := err.(*jsontext.SyntacticError)
		if ok && (text.Err == jsontext.ErrDuplicateName || text.Err.Error() == errInvalidText.Error()) {
			return append(b[:start], due), err
		}
		return append(b[:start], due), marshalError(w.restType, err, "MarshalJSON")
	}
	out := b[start:]
	if len(out) == 2 {
		return b[:start], nil
	}
	if taken != nil {
		var from int64
		if err := eachName(out, func(name string, at int64) error {
			if from = at; !taken.add(name) {
				return duplicateName(name)
			}
			return nil
		}); err != nil {
			b[start] = ','
			return b[:start+int(from)-1], err
		}
	}
	b[start] = ','
	return b[:len(b)-1], nil
}

// find returns the place of the member of the struct at p, the zero Ptr when it is left out.
func (o *put) find(p mem.Ptr) mem.Ptr {
	if o.omit == omitNever {
		return p.Field(o.Off)
	}
	if o.omit >= omitSlow {
		return o.reach(p)
	}
	slow := *o.slow
	slow.omit = o.omit
	q := *o
	q.slow = &slow
	return q.reach(p)
}

// refusal returns why encoding/json/v2's rules refuse the struct type t, or nil.
func refusal(t *plan.Type, marshal bool) error {
	for i := range t.Problems() {
		p := &t.Problems()[i]
		if p.Silent || marshal && !p.Marshal || !marshal && !p.Unmarshal {
			continue
		}
		return problemError(t, p)
	}
	return nil
}

// tagFault returns what is wrong with the tags weft of the struct type t, or nil. Tags json are never wrong to
// encoding/json.
func tagFault(t *plan.Type) error { return fault(t, plan.BadName, plan.BadOption, plan.Conflict) }

// ruleFault returns what is wrong with the rules of the type t, or of its fields, or nil. They hold for a type that has
// methods of its own too.
func ruleFault(t *plan.Type) error { return fault(t, plan.BadRule) }

func fault(t *plan.Type, codes ...plan.Code) error {
	for i := range t.Problems() {
		if p := &t.Problems()[i]; slices.Contains(codes, p.Code) {
			return problemError(t, p)
		}
	}
	return nil
}

func problemError(t *plan.Type, p *plan.Problem) error {
	if p.Field != "" {
		return aboutType{fmt.Errorf("json: %v.%s: %s", t.Rtype, p.Field, p.Text), t.Rtype}
	}
	return aboutType{fmt.Errorf("json: %v: %s", t.Rtype, p.Text), t.Rtype}
}
