package tagged

import (
	"slices"

	"github.com/weftcodec/weft"
)

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

// lacking is the required members that values of a struct do not have, by the values.
type lacking map[int][]string

// add notes what presence has found absent since mark.
func (l *lacking) add(r *frameReader, mark int, name string) {
	for _, i := range r.absent[mark:] {
		if *l == nil {
			*l = make(lacking)
		}
		(*l)[i] = append((*l)[i], name)
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
func (r *frameReader) missing(b *bound, n int, l lacking) {
	if len(b.without) == 0 && l == nil {
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
