package weft

import (
	"reflect"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/namewire"
)

// omits returns which of setting.OmitNull and setting.OmitEmpty are on where members can
// be left out: in an array of them each has its place.
func (c *EncoderConfig) omits(array bool) uint64 {
	if array {
		return 0
	}
	return c.Flags & (setting.OmitNull | setting.OmitEmpty)
}

var optionValueType = reflect.TypeFor[setting.OptionValue]()

// absent reports whether a member that is v, or what v points to, is left out.
func (e *Encoder) absent(v any) bool {
	if e.omit == 0 {
		if _, ok := v.(setting.OptionValue); !ok {
			return false
		}
	}
	return e.absentValue(v)
}

func (e *Encoder) absentValue(v any) bool {
	null, empty := e.omit&setting.OmitNull != 0, e.omit&setting.OmitEmpty != 0
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer || r.Kind() == reflect.Interface {
		if r.IsNil() {
			return null
		}
		r = r.Elem()
	}
	switch r.Kind() {
	case reflect.Invalid:
		return null
	case reflect.Slice, reflect.Map:
		return empty && r.Len() == 0 || null && r.IsNil()
	case reflect.Array:
		return empty && r.Len() == 0
	case reflect.Struct:
		kind, there := optionState(r)
		return !there && (null || kind == setting.OptionOptional || kind == setting.OptionField)
	}
	return false
}

// optionState tells of a struct which kind of optional value it is, and whether it
// is there: a value, or a null that says so.
func optionState(r reflect.Value) (kind uint8, there bool) {
	t := r.Type()
	if t.NumField() != 2 || t.Field(0).Name != "V" || !t.Implements(optionValueType) {
		return setting.OptionNone, true
	}
	kind = r.Interface().(setting.OptionValue).OptionKind()
	switch state := r.Field(1); {
	case kind == setting.OptionField && state.CanUint():
		return kind, state.Uint() != 0
	case kind != setting.OptionField && state.Kind() == reflect.Bool:
		return kind, state.Bool()
	}
	return setting.OptionNone, true
}

// absentMarshaler reports whether a member that m would write is left out.
func (e *Encoder) absentMarshaler(m Marshaler) bool {
	if e.omit&setting.OmitNull == 0 {
		return false
	}
	r := reflect.ValueOf(m)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}

// pending is a member that is written when it turns out to have an element. It
// keeps what it needs of the ObjectEncoder, which would be allocated if it were
// referred to.
type pending struct {
	f *Fields // nil when nothing is pending
	i int
	n int // members written before
}

// late begins the member that is pending.
func (e *Encoder) late(p pending) {
	o := ObjectEncoder{e: e, f: p.f, n: p.n}
	switch e.syn {
	case setting.SyntaxJSON:
		o.json = e.jsonKeys(p.f)
	case setting.SyntaxMsgpack:
		o.pack = namewire.Of(p.f.Names()).Pack()
	}
	o.name(p.i)
	e.path[len(e.path)-1].late++
}

// countLate counts the members that have been written late.
func (o *ObjectEncoder) countLate() {
	if o.e.err != nil {
		return
	}
	top := &o.e.path[len(o.e.path)-1]
	o.n += top.late
	top.late = 0
}
