package value

import "strings"

// Clone returns a copy of v that shares only the names of members with v. A document read from JSON or MessagePack is
// one piece of memory, and every part of it, even a single string, keeps all of it alive. To keep a small part of a
// large document for long, keep a clone.
func (v Value) Clone() Value {
	switch v.Kind() {
	case KindNumber:
		return numberOf(strings.Clone(v.text()))
	case KindString:
		return String(strings.Clone(v.text()))
	case KindBytes:
		return Bytes(v.bytes())
	case KindExt:
		return Ext(int64(v.num), v.extData())
	case KindList:
		from := v.kids()
		elems := make([]Value, from.n)
		for i := range elems {
			elems[i] = from.at(i).Clone()
		}
		return listOf(elems)
	case KindMap:
		from := v.kids()
		if from.n == 0 {
			return Map()
		}
		slots := newSlots(v.shape())
		for i := range from.n {
			slots[i+1] = from.at(i).Clone()
		}
		return mapOf(slots)
	}
	return v
}
