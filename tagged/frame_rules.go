package tagged

import (
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// ruled reports whether the values of the member obey rules of the field.
func (f *boundField) ruled() bool { return f.f != nil && f.f.check }

// obeyField notes which values of the field f, of the structs in to, break its rules. The absent ones obey them.
func (r *frameReader) obeyField(f *plan.Field, to target, absent []int) {
	present(to.N, absent, func(i int) {
		if at := f.At(to.At(i)); !at.IsNil() {
			r.check(f.Rules, i, at)
		}
	})
}

// present calls visit for the numbers below n that are not absent, which are in order.
func present(n int, absent []int, visit func(i int)) {
	for i := range n {
		if len(absent) > 0 && absent[0] == i {
			absent = absent[1:]
		} else {
			visit(i)
		}
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

// requires reports whether the member must be there and may not be.
func (f *boundField) requires() bool { return f.f != nil && f.b.null && f.needed }

// bindRequired finds the required fields of which the file's struct has no column.
func (b *bound) bindRequired(flags uint64) {
	for i := range b.p.fields {
		f := &b.p.fields[i]
		if !f.f.Noted() || slices.ContainsFunc(b.fields, func(x boundField) bool { return x.f == f }) {
			continue
		}
		if f.f.Fills {
			b.fill = append(b.fill, b.p.typ.Index(f.f))
		} else if f.f.Needed(flags) {
			b.without = append(b.without, f.f.Name)
		}
	}
}

// note notes which values are absent.
func (r *frameReader) note(v []int64) {
	r.noting = false
	for i, x := range v {
		if x == isAbsent {
			r.absent = append(r.absent, i)
		}
	}
}

// missing says of n values of b what they lack: some of them the members of l, each of them those that the file
// does not have.
func (r *frameReader) missing(b *bound, n int, l map[int][]string) {
	if len(b.without)+len(l) == 0 {
		return
	}
	for i := range n {
		if len(b.without)+len(l[i]) == 0 {
			continue
		}
		e := new(weft.MissingError)
		members := b.p.typ.Members()
		for k := range members { // in declared order
			if name := members[k].Name; slices.Contains(b.without, name) || slices.Contains(l[i], name) {
				e.Names = append(e.Names, name)
			}
		}
		r.misfit(i, e)
	}
}
