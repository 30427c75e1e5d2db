package weft

// Tags is what has been found out about the tags in a document by looking for
// one that stands behind other members. Without it unions in unions whose tags
// come last would be looked through again on each level. A Reader has one, and
// resets it for each document.
type Tags struct {
	skipped int // bytes
	found   map[tagPlace]foundTag
}

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

// TagFinder is a [TagReader] that finds tags in a way of its own.
type TagFinder interface {
	TagReader
	// FindTag is [PeekTag], unless it reports that it is not done. It asks Tags
	// whether it may skip what stands before a tag, and tells how much it has
	// skipped.
	FindTag(f *Fields) (tag string, ok, done bool)
}

// freeSkips is how many bytes may be skipped in search of tags, beside those that
// have been read, before what stands on the way is remembered.
const freeSkips = 64 << 10

// Cheap reports whether bytes may be skipped in search of a tag, where offset
// bytes have been read: as many as have been, twice, and some.
func (t *Tags) Cheap(offset int) bool { return t.skipped < freeSkips+2*offset }

// Spend tells how many bytes have been skipped.
func (t *Tags) Spend(n int) { t.skipped += n }

// Reset forgets everything.
func (t *Tags) Reset() {
	t.skipped = 0
	if t.found != nil {
		t.found = nil
	}
}

// seekTag is [PeekTag] without the way back, for an object.
func seekTag(r Reader, name string) (tag string, ok bool) {
	var t *Tags
	if x, is := r.(TagReader); is {
		t = x.Tags()
	}
	if !r.BeginMap() {
		return "", false
	}
	if t != nil {
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
		case t == nil:
			r.Skip()
		case t.Cheap(start):
			at := r.Offset()
			r.Skip()
			t.Spend(r.Offset() - at)
		default:
			t.collect(r, name)
		}
	}
}

// collect skips the next value and remembers the tags of the objects in it.
func (t *Tags) collect(r Reader, name string) {
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
		t.Spend(r.Offset() - at)
	}
}
