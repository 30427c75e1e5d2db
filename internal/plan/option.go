package plan

import (
	"reflect"
	"slices"
	"strings"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

// States of an option, as opt.Field has them.
const (
	OptionAbsent = iota
	OptionNull
	OptionSet
)

// StateAt returns the state of the option at q. One that can be null and has no value is null.
func (o *OptionInfo) StateAt(q mem.Ptr) uint8 {
	at := q.Field(o.State)
	switch {
	case o.Kind == setting.OptionField:
		if state := *mem.At[uint8](at); state <= OptionSet {
			return state
		}
		return OptionAbsent // opt takes other states for absent too
	case *mem.At[bool](at):
		return OptionSet
	case o.Kind == setting.OptionNullable:
		return OptionNull
	}
	return OptionAbsent
}

// SetState sets the state of the option at q, and clears its value when it has none.
func (o *OptionInfo) SetState(q mem.Ptr, state uint8) {
	if state != OptionSet {
		o.Value.Mem.Clear(q.Field(o.V))
	}
	if o.Kind == setting.OptionField {
		*mem.At[uint8](q.Field(o.State)) = state
	} else {
		*mem.At[bool](q.Field(o.State)) = state == OptionSet
	}
}

// SetNull makes the option at q null: none, unless its value has a null of its own.
func (o *OptionInfo) SetNull(q mem.Ptr) {
	o.SetState(q, OptionNull)
	if !o.Null {
		return
	}
	if in := o.Value.Option; in != nil {
		in.SetNull(q.Field(o.V))
	}
	*mem.At[bool](q.Field(o.State)) = true
}

// LayoutOf reads how a struct is laid out from the tag of a blank field, that of a format or weft: as a map by the
// option map, or as an array by one of others.
func LayoutOf(rt reflect.Type, key string, others ...string) (array, asMap bool) {
	for i := range rt.NumField() {
		f := rt.Field(i)
		if f.Name != "_" {
			continue
		}
		tag, ok := f.Tag.Lookup(key)
		if !ok {
			tag = f.Tag.Get("weft")
		}
		_, opts, _ := strings.Cut(tag, ",")
		for _, o := range strings.Split(opts, ",") {
			array = array || slices.Contains(others, o)
			asMap = asMap || o == "map"
		}
	}
	return array && !asMap, asMap
}

// Set reports whether the option at p has a value.
func (o *OptionInfo) Set(p mem.Ptr) bool { return o.StateAt(p) == OptionSet }

// Absent reports whether the option at p is left out of a struct: it has no value and no place for null.
func (o *OptionInfo) Absent(p mem.Ptr) bool { return o.StateAt(p) == OptionAbsent }
