package plan

import (
	"slices"

	"github.com/weftcodec/weft/internal/mem"
)

// Slab returns the number of n for [mem.Slabs]: -1 where new values share no memory, since they are large, or since a
// method of the user's gets the address of one or of a part of it, which it may keep, or give a finalizer, which the
// runtime refuses for a part of a slice.
func (n *Type) Slab() int {
	if n.Mem.Size > mem.MostShared || n.readsByAddr() {
		return -1
	}
	return n.ID
}

// readsByAddr reports whether values of n, or parts of them in the same memory, are read by code of the user's.
func (n *Type) readsByAddr() bool {
	switch n.Kind {
	case Time, Raw, Pointer, Interface:
		return false // which have hooks that are not called
	}
	if n.Union != nil || n.Rules != nil || n.Hooks.UnmarshalAddr != 0 {
		return true
	}
	switch n.Kind {
	case Array:
		return n.Elem.readsByAddr()
	case Option:
		return n.Option.Value.readsByAddr()
	case Struct:
		return slices.ContainsFunc(n.Members(), func(f Field) bool { return len(f.Embeds) == 0 && f.Type.readsByAddr() })
	}
	return false
}
