package plan

import (
	"slices"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
)

// choose returns the index of the case that the value which comes next is, or -1 when it is none, which makes r fail.
// Where cases had to be tried the value has been read, and is at q.
func (u *Union) choose(r backend.Reader, k *unionPlan) (i int, q mem.Ptr) {
	if r.Err() != nil {
		return -1, q
	}
	kind := r.Kind()
	list := k.byKind[kindBits[kind]]
	if kind == weft.KindInt && k.kinds&numbers == 0 && r.IntBools() {
		list = k.byKind[bools]
	}
	if kind == weft.KindObject && k.member != nil {
		tag, _ := r.Tag(k.member)
		if list = k.tagged(tag); list == nil {
			r.Refuse(u.untold(k, tag))
			return -1, q
		}
	}
	switch {
	case len(list) == 0:
		r.Refuse(u.misfit())
		return -1, q
	case len(list) == 1:
		return list[0], q
	}
	if kind == weft.KindObject {
		if list = k.fit(r, list); len(list) == 1 {
			return list[0], q
		}
	}
	return u.try(r, list)
}

// names returns the names of the cases.
func (u *Union) names() (out []string) {
	for i := range u.Cases {
		out = append(out, u.Cases[i].Elem.Name())
	}
	return out
}

// misfit returns the error for a value that is not a case.
func (u *Union) misfit() error { return &weft.ChoiceError{Union: u.name, Variants: u.names()} }

// untold returns the error for an object whose member that tells cases apart has the value.
func (u *Union) untold(k *unionPlan, value string) error {
	return &weft.ChoiceError{
		Union: u.name, Member: u.memberName(k), Value: strings.Clone(value), Variants: k.values.Names(),
	}
}

// tried is what has been found out by trying the cases for a value.
type tried struct {
	i   int
	q   mem.Ptr
	end backend.Mark // after the value
	err error
}

// try reads the next value as each case of the list, until one fits or, where one alone may, to the end. While unions
// around it are tried too, what has been found is kept for them.
func (u *Union) try(r backend.Reader, list []int) (i int, q mem.Ptr) {
	c := r.Lookahead()
	var place any
	if c.Tries > 0 {
		place = r.Place()
		if t, ok := c.Tried(place, u).(*tried); ok {
			if t.err == nil && !r.Pass(t.end) {
				return t.i, q
			}
			return u.settle(r, t)
		}
	}
	done := r.Trying()
	c.Tries++
	t := u.tries(r, list)
	c.Tries--
	done()
	switch {
	case r.Err() != nil:
	case c.Tries > 0:
		c.Note(place, u, t)
	default:
		c.Reset()
	}
	if t.err == nil && r.Err() == nil {
		r.Reset(t.end)
	}
	return u.settle(r, t)
}

// settle returns what has been found out by tries.
func (u *Union) settle(r backend.Reader, t *tried) (i int, q mem.Ptr) {
	if t.err != nil {
		r.Refuse(t.err)
	}
	if r.Err() != nil {
		return -1, q
	}
	return t.i, t.q
}

// tries reads the next value as each case of the list, and returns to it.
func (u *Union) tries(r backend.Reader, list []int) *tried {
	m := r.Mark()
	t := &tried{i: -1}
	if u.decl.OneOf {
		list = slices.Sorted(slices.Values(list))
	}
	for _, i := range list {
		c := &u.Cases[i]
		q := c.Mem.New()
		r.Value(q.Addr(c.Mem))
		fits := r.Err() == nil
		end := r.Mark()
		if r.Reset(m); r.Err() != nil { // it is not well-formed
			return t
		}
		switch {
		case !fits:
		case t.i < 0:
			t.i, t.q, t.end = i, q, end
			if !u.decl.OneOf {
				return t
			}
		default:
			names := []string{u.Cases[t.i].Elem.Name(), c.Elem.Name()}
			t.err = &weft.ChoiceError{Union: u.name, Variants: u.names(), Matches: names}
			return t
		}
	}
	if t.i < 0 {
		t.err = u.misfit()
	}
	return t
}
