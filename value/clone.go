package value

import "strings"

// Clone returns a copy of v that shares no memory with v but the names of members.
// What is read from JSON or MessagePack is one piece of memory, which every part of
// it, a string alone too, keeps alive: to keep a small part of a large document
// for long, keep a clone.
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
