package backend

import "strconv"

// Lookahead is what has been found out about a document by looking ahead: the tags
// of objects in which they stand behind other members, and the variants of unions
// that values are. Without it unions in unions would be looked through again on each
// level. A [Reader] has one, and resets it for each document.
type Lookahead struct {
	// Free says that it costs nothing to skip a value, so that tags need not be kept.
	Free bool
	// Tries is how many unions are being tried around the value that comes next.
	Tries int
	// Kept is for the [Schema] of a union.
	Kept any

	skipped int // bytes
	found   map[tagPlace]foundTag
	tried   map[triedKey]any
}

// triedKey is a value, by [Reader.Place], and the union that it was tried for.
type triedKey struct{ place, union any }

// tagPlace is an object, by the offset behind its beginning, and the name of a
// tag.
type tagPlace struct {
	at   int
	name string
}

// foundTag is the value of a tag, if the object has it.
type foundTag struct {
	tag string
	ok  bool
}

// freeSkips is how many bytes may be skipped in search of tags, beside those that
// have been read, before what stands on the way is remembered.
const freeSkips = 64 << 10

// Allows reports whether bytes may be skipped in search of a tag, where offset
// bytes have been read: as many as have been, twice, and some.
func (t *Lookahead) Allows(offset int) bool { return t.skipped < freeSkips+2*offset }

// Charge notes that n more bytes have been skipped.
func (t *Lookahead) Charge(n int) { t.skipped += n }

// Reset forgets everything.
func (t *Lookahead) Reset() {
	t.skipped, t.Tries = 0, 0
	if t.found != nil {
		t.found = nil
	}
	if t.tried != nil {
		t.tried = nil
	}
	if t.Kept != nil {
		t.Kept = nil
	}
}

// Tried returns what Note was given for the value at the place, nil for nothing.
func (t *Lookahead) Tried(place, union any) any {
	if len(t.tried) == 0 {
		return nil
	}
	return t.tried[triedKey{place, union}]
}

// Note keeps what has been found out by trying the variants of a union for the value at
// the place.
func (t *Lookahead) Note(place, union, found any) {
	if t.tried == nil {
		t.tried = make(map[triedKey]any)
	}
	t.tried[triedKey{place, union}] = found
}

// seekTag is PeekTag without the way back, for an object.
func (t *Lookahead) seekTag(r Reader, name string) (tag string, ok bool) {
	if !r.BeginMap() {
		return "", false
	}
	if !t.Free {
		if known, ok := t.found[tagPlace{r.Offset(), name}]; ok {
			return known.tag, known.ok
		}
	}
	start := r.Offset()
	for {
		// By NextKey, for which no member is unknown.
		n, more := r.NextKey()
		switch {
		case !more:
			return "", false
		case n == name:
			return readTag(r)
		case t.Free:
			r.Skip()
		case t.Allows(start):
			at := r.Offset()
			r.Skip()
			t.Charge(r.Offset() - at)
		default:
			t.collect(r, name)
		}
	}
}

// collect skips the next value and remembers the tags of the objects in it.
func (t *Lookahead) collect(r Reader, name string) {
	switch r.Kind() {
	case KindArray:
		for ok := r.BeginArray(); ok; ok = r.More() {
			t.collect(r, name)
		}
	case KindObject:
		if !r.BeginMap() {
			return
		}
		at, has, found := r.Offset(), false, foundTag{}
		for n, ok := r.NextKey(); ok; n, ok = r.NextKey() {
			first := n == name && !has
			has = has || first
			if k := r.Kind(); !first || k == KindObject || k == KindArray {
				t.collect(r, name)
			} else {
				found.tag, found.ok = readTag(r)
			}
		}
		if t.found == nil {
			t.found = make(map[tagPlace]foundTag)
		}
		t.found[tagPlace{at, name}] = found
	default:
		at := r.Offset()
		r.Skip()
		t.Charge(r.Offset() - at)
	}
}

// PeekTag is the Tag of r, whose Lookahead t is, if it has no better way: it returns the
// value of the member that is the first name of f in the object that comes next, wherever in
// it the member stands: a string, or an integer as its decimal digits. It consumes nothing. It
// reports false when the object has no such member or its value is neither.
func (t *Lookahead) PeekTag(r Reader, f *Fields) (tag string, ok bool) {
	m := r.Mark()
	if r.BeginObject(f) == 0 {
		tag, ok = readTag(r)
	} else if r.Reset(m); r.Kind() == KindObject {
		tag, ok = t.seekTag(r, f.Name(0))
	}
	ok = ok && r.Err() == nil
	r.Reset(m)
	if !ok {
		return "", false
	}
	return tag, true
}

// readTag reads what may be the value of a tag.
func readTag(r Reader) (tag string, ok bool) {
	switch k := r.Kind(); {
	case k == KindString:
		return r.String(), true
	case k.IsNumber():
		m := r.Mark()
		if v := r.Signed(64); r.Err() == nil {
			return strconv.FormatInt(v, 10), true
		}
		r.Reset(m)
	}
	r.Skip()
	return "", false
}
