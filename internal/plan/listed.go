package plan

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
)

// Conform returns an error unless the value that comes next, which it does not consume, is valid by the Schema of the
// rules. A struct that is laid out as an array is judged as the object that it stands for.
func (r *Rules) Conform(in backend.Reader) error {
	switch {
	case r.null && in.Kind() == weft.KindNull:
		return nil
	case r.at.Kind == Struct && in.Kind() == weft.KindArray:
		in = &listed{Reader: in, next: r.at}
	}
	return r.Schema.Check(in)
}

// orNull returns the rules for a place where null is allowed too.
func (r *Rules) orNull() *Rules {
	if r == nil {
		return nil
	}
	own := *r
	own.null = true
	own.passNil()
	return &own
}

// listed is a Reader of structs that are laid out as arrays, as of objects with the names of their members: the one
// that comes first, and those in it. What is nil for a member that may be left out is none.
type listed struct {
	backend.Reader
	next  *Type // of the value that comes next, nil where that is not known
	open  []listedLevel
	marks []listedMark // around the place that has been reached
}

// listedLevel is an array or object that has been entered.
type listedLevel struct {
	of   *Type // the struct whose members it has, nil for none
	elem *Type // what all of its values are, nil where they differ or that is not known
	k    int   // of an array of members: the one that came last
	laid bool  // it is such an array
	rest bool  // of an array of members: those without a field follow
}

type listedMark struct {
	backend.Mark
	depth int
	next  *Type
}

// held returns the type whose layout a value of type t has.
func (n *Type) held() *Type {
	for n != nil {
		if n = n.Behind(); n.Wraps == nil {
			break
		}
		n = n.set.Of(n.Wraps)
	}
	return n
}

// laid returns the struct that comes next as an array, nil for none.
func (l *listed) laid() *Type {
	if t := l.next.held(); t != nil && t.Kind == Struct && l.Reader.Kind() == weft.KindArray {
		return t
	}
	return nil
}

// enter notes that what comes next has been entered, which is not an array of members.
func (l *listed) enter() {
	var in listedLevel
	if t := l.next.held(); t != nil {
		switch t.Kind {
		case Struct:
			in.of = t
		case Slice, Array, Map:
			in.elem = t.Elem
		}
	}
	l.open, l.next = append(l.open, in), in.elem
}

// leave notes that the innermost of what is open has ended.
func (l *listed) leave() { l.open, l.next = l.open[:len(l.open)-1], nil }

// Kind implements backend.Reader.
func (l *listed) Kind() weft.Kind {
	if l.laid() != nil {
		return weft.KindObject
	}
	return l.Reader.Kind()
}

// Mark implements backend.Reader. What has been passed is not returned to but from around it.
func (l *listed) Mark() backend.Mark {
	m := l.Reader.Mark()
	n := len(l.marks)
	for n > 0 && l.marks[n-1].depth >= len(l.open) && l.marks[n-1].Offset != m.Offset {
		n--
	}
	l.marks = append(l.marks[:n], listedMark{m, len(l.open), l.next})
	return m
}

// Reset implements backend.Reader.
func (l *listed) Reset(m backend.Mark) {
	l.Reader.Reset(m)
	for i := len(l.marks) - 1; i >= 0; i-- {
		if to := l.marks[i]; to.Mark == m {
			l.marks, l.open, l.next = l.marks[:i+1], l.open[:to.depth], to.next
			return
		}
	}
}

// BeginMap implements backend.Reader.
func (l *listed) BeginMap() bool {
	if t := l.laid(); t != nil {
		l.open, l.next = append(l.open, listedLevel{of: t, k: -1, laid: true}), nil
		return true
	}
	ok := l.Reader.BeginMap()
	if ok {
		l.enter()
	}
	return ok
}

// BeginArray implements backend.Reader.
func (l *listed) BeginArray() bool {
	ok := l.Reader.BeginArray()
	if ok {
		l.enter()
	}
	return ok
}

// More implements backend.Reader.
func (l *listed) More() bool {
	ok := l.Reader.More()
	if ok {
		l.next = l.open[len(l.open)-1].elem
	} else {
		l.leave()
	}
	return ok
}

// Tag implements backend.Reader.
func (l *listed) Tag(f *weft.Fields) (tag string, ok bool) { return l.Lookahead().PeekTag(l, f) }

// NextKey implements backend.Reader.
func (l *listed) NextKey() (name string, ok bool) {
	if in := &l.open[len(l.open)-1]; in.laid {
		name, ok = l.member(in)
	} else if name, ok = l.Reader.NextKey(); ok {
		l.next = in.elem
		if in.of != nil {
			l.next = in.of.ofMember(name)
		}
	}
	if !ok {
		l.leave()
	}
	return name, ok
}

// ofMember returns the type of the member of the struct n that is called name, nil where that is not known.
func (n *Type) ofMember(name string) *Type {
	if f := n.member(name); f != nil {
		return f.Type
	}
	if rest := n.Rest(); rest != nil {
		return rest.Type.Elem
	}
	return nil
}

// member goes to the next member of the array, and returns its name.
func (l *listed) member(in *listedLevel) (string, bool) {
	for members := in.of.Members(); ; {
		if in.rest {
			if name, ok := l.Reader.NextKey(); ok {
				l.next = in.of.Rest().Type.Elem
				return name, true
			}
			in.rest = false
		}
		in.k++
		more := false
		if in.k == 0 {
			more = l.Reader.BeginArray()
		} else {
			more = l.Reader.More()
		}
		switch null := more && l.Reader.Kind() == weft.KindNull; {
		case !more:
			return "", false
		case in.k < len(members):
			if f := &members[in.k]; !null || !f.leftAsNull() {
				l.next = f.Type
				return f.Name, true
			}
			l.Skip()
		case in.k == len(members) && in.of.Rest() != nil && !null:
			in.rest = l.Reader.BeginMap()
		default:
			l.Skip()
		}
	}
}

// leftAsNull reports whether null stands for a member that is left out, where it has a place of its own.
func (f *Field) leftAsNull() bool {
	if f.Type.Kind == Option {
		return f.Type.Option.Kind == setting.OptionOptional
	}
	return f.MayBeLeft()
}
