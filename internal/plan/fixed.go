package plan

import (
	"math"
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
)

// fix finds out whether f, which is required, can have but one value, which then stands for zero where it is written.
func (f *Field) fix() {
	r, k := f.Rules, f.Type.Kind
	if !f.Required || r == nil || len(r.via) > 0 || !f.Type.Scalar() || k == Number {
		return
	}
	for i := range r.list {
		v := reflect.New(f.Type.Rtype)
		switch u := &r.list[i]; {
		case u.op == ruleTexts && len(u.texts.Names()) == 1:
			v.Elem().SetString(u.texts.Names()[0])
		case u.op != ruleWords || len(u.words) != 1:
			continue
		case k == Bool:
			v.Elem().SetBool(u.words[0] != 0)
		case k.IsFloat():
			v.Elem().SetFloat(math.Float64frombits(u.words[0]))
		case k.IsUint():
			v.Elem().SetUint(u.words[0])
		default:
			v.Elem().SetInt(int64(u.words[0]))
		}
		if !v.Elem().IsZero() {
			f.fixed = mem.Of(v)
		}
		return
	}
}

// Fixed reports whether the field is written as its one value where it is zero.
func (f *Field) Fixed() bool { return !f.fixed.IsNil() }

// Written returns the location of what is written for the field of the struct at p, if that is not left out: what
// [Field.At] returns, or that of its one value where it is zero. It is the zero Ptr where another part has the member.
func (f *Field) Written(p mem.Ptr) mem.Ptr {
	if f.yields != nil && f.Yields(p) {
		return mem.Ptr{}
	}
	at := f.At(p)
	if f.Fixed() && !at.IsNil() {
		return f.Stands(at)
	}
	return at
}

// Stands returns the location of what is written for the value at p of a field that is fixed.
func (f *Field) Stands(p mem.Ptr) mem.Ptr {
	if f.Type.IsZero(p) {
		return f.fixed
	}
	return p
}
