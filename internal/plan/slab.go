package plan

import "github.com/weftcodec/weft/internal/mem"

// Slab returns the number of t for [mem.Slabs]: -1 where new values share no memory, since they are large, or since a method
// of the user's gets the address of one or of a part of it, which it may keep, or give a finalizer, which the runtime
// refuses for a part of a slice.
func (t *Type) Slab() int {
	if t.Mem.Size > mem.MostShared || t.readsByAddr() {
		return -1
	}
	return t.ID
}

// readsByAddr reports whether values of t, or parts of them in the same memory, are read by code of the user's.
func (t *Type) readsByAddr() bool {
	if t.Union != nil || t.Rules != nil {
		return true
	}
	switch t.Kind {
	case Time, Raw, Pointer, Interface:
		return false // which have hooks that are not called
	case Array:
		return t.Elem.readsByAddr()
	case Option:
		return t.Option.Value.readsByAddr()
	case Struct:
		for _, f := range t.Members() {
			if f.Type.readsByAddr() {
				return true
			}
		}
	}
	return t.Hooks.UnmarshalAddr != 0
}
