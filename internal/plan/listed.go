package plan

import "github.com/weftcodec/weft"

// Conform returns an error unless the value that comes next, which it does not consume, is valid by the Schema of the
// rules. A struct that is laid out as an array is judged as the object that it stands for.
func (r *Rules) Conform(in weft.Reader) error {
	switch {
	case r.null && in.Kind() == weft.KindNull:
		return nil
	case r.at.Kind == Struct && in.Kind() == weft.KindArray:
		in = &listed{Reader: in, t: r.at, mark: in.Mark(), at: in.Offset()}
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

// listed is a Reader of an array of the members of a struct, as of an object with their names. What is nil for a member
// that may be left out is none.
type listed struct {
	weft.Reader
	t    *Type
	mark weft.Mark
	at   int // the offset of the array

	open  bool // the array has been entered, but for what is below
	level int  // how deep the element is entered that comes next
	k     int  // the member that comes next
	rest  bool // it is one of those without a field
}

// Kind implements weft.Reader.
func (l *listed) Kind() weft.Kind {
	if !l.open && l.Offset() == l.at {
		return weft.KindObject
	}
	return l.Reader.Kind()
}

// Reset implements weft.Reader.
func (l *listed) Reset(m weft.Mark) {
	if l.Reader.Reset(m); m == l.mark {
		l.open, l.level, l.k, l.rest = false, 0, 0, false
	}
}

// Tag implements weft.Reader.
func (l *listed) Tag(f *weft.Fields) (tag string, ok bool) { return weft.PeekTag(l, f) }

// BeginMap implements weft.Reader.
func (l *listed) BeginMap() bool {
	if !l.open {
		l.open, l.level, l.k, l.rest = true, 0, -1, false
		return true
	}
	ok := l.Reader.BeginMap()
	if ok {
		l.level++
	}
	return ok
}

// BeginArray implements weft.Reader.
func (l *listed) BeginArray() bool {
	ok := l.Reader.BeginArray()
	if ok {
		l.level++
	}
	return ok
}

// More implements weft.Reader.
func (l *listed) More() bool {
	ok := l.Reader.More()
	if !ok {
		l.level--
	}
	return ok
}

// NextKey implements weft.Reader.
func (l *listed) NextKey() (string, bool) {
	if l.level > 0 {
		name, ok := l.Reader.NextKey()
		if !ok {
			l.level--
		}
		return name, ok
	}
	for {
		if l.rest {
			if name, ok := l.Reader.NextKey(); ok {
				return name, true
			}
			l.rest = false
		}
		l.k++
		more := false
		if l.k == 0 {
			more = l.Reader.BeginArray()
		} else {
			more = l.Reader.More()
		}
		switch null := more && l.Reader.Kind() == weft.KindNull; {
		case !more:
			l.open = false
			return "", false
		case l.k < len(l.t.Members()):
			if f := &l.t.Members()[l.k]; !null || !f.leftAsNull() {
				return f.Name, true
			}
			l.Skip()
		case l.k == len(l.t.Members()) && l.t.Rest() != nil && !null:
			l.rest = l.Reader.BeginMap()
		default:
			l.Skip()
		}
	}
}

// leftAsNull tells whether null stands for a member that is left out, where it has a place of its own.
func (f *Field) leftAsNull() bool {
	if f.Type.Kind == Option {
		return f.Type.Option.Kind == weft.OptionOptional
	}
	return f.MayBeLeft()
}
