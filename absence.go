package weft

import "reflect"

// omits returns which of FlagOmitNull and FlagOmitEmpty are on where members can
// be left out: in an array of them each has its place.
func (c *EncoderConfig) omits(array bool) Flag {
	if array {
		return 0
	}
	return c.Flags & (FlagOmitNull | FlagOmitEmpty)
}

var optionValueType = reflect.TypeFor[OptionValue]()

// absent tells whether a member that is v, or what v points to, is left out.
func (e *Encoder) absent(v any) bool {
	if e.omit == 0 {
		if _, ok := v.(OptionValue); !ok {
			return false
		}
	}
	return e.absentValue(v)
}

func (e *Encoder) absentValue(v any) bool {
	null, empty := e.omit&FlagOmitNull != 0, e.omit&FlagOmitEmpty != 0
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
		return !there && (null || kind == OptionOptional || kind == OptionField)
	}
	return false
}

// optionState tells of a struct which kind of optional value it is, and whether it
// is there: a value, or a null that says so.
func optionState(r reflect.Value) (kind OptionKind, there bool) {
	t := r.Type()
	if t.NumField() != 2 || t.Field(0).Name != "V" || !t.Implements(optionValueType) {
		return OptionNone, true
	}
	kind = r.Interface().(OptionValue).OptionKind()
	switch state := r.Field(1); {
	case kind == OptionField && state.CanUint():
		return kind, state.Uint() != 0
	case kind != OptionField && state.Kind() == reflect.Bool:
		return kind, state.Bool()
	}
	return OptionNone, true
}

// absentMarshaler tells whether a member that m would write is left out.
func (e *Encoder) absentMarshaler(m Marshaler) bool {
	if e.omit&FlagOmitNull == 0 {
		return false
	}
	r := reflect.ValueOf(m)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}

// pending is a member that is written when it turns out to have an element.
type pending struct {
	o *ObjectEncoder // nil when nothing is pending
	i int
}
