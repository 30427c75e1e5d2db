package tagged

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// ruled reports whether the values of the member obey rules of the field.
func (f *boundField) ruled() bool { return f.f != nil && f.f.check }

// obeyField notes which values of the field f, of the structs in to, break its rules. The absent ones obey them.
func (r *frameReader) obeyField(f *plan.Field, to target, absent []int) {
	for i := range to.N {
		if len(absent) > 0 && absent[0] == i {
			absent = absent[1:]
		} else if at := f.At(to.At(i)); !at.IsNil() {
			r.check(f.Rules, i, at)
		}
	}
}

// obey notes which of the values break the rules.
func (r *frameReader) obey(rules *plan.Rules, to target) {
	for i := range to.N {
		r.check(rules, i, to.At(i))
	}
}

// check notes that the i-th value, which stands at p, breaks a rule: the first one, as its record does not count.
func (r *frameReader) check(rules *plan.Rules, i int, p mem.Ptr) {
	if rules.Hold(p) || r.flags&setting.Unchecked != 0 {
		return
	}
	v := rules.Broken(p, false)[0]
	r.misfit(i, &weft.Error{Format: formatName, Path: v.Path, Err: v.Err})
}

// fills reports whether the member has a default.
func (f *boundField) fills() bool { return f.f != nil && f.f.f.Fills }

// strangers notes that n structs of a closed type have a member that no field names, but for the absent ones.
func (r *frameReader) strangers(n int, absent []int) {
	for i := range n {
		if len(absent) > 0 && absent[0] == i {
			absent = absent[1:]
			continue
		}
		r.misfit(i, weft.ErrUnknownMember)
	}
}
