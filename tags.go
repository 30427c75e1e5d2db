package weft

// Tags is what has been found out about the tags in a document by looking for
// one that stands behind other members. Without it unions in unions whose tags
// come last would be looked through again on each level. A Reader has one, and
// resets it for each document.
type Tags struct {
	skipped int // bytes
	found   map[tagPlace]string
}

// tagPlace is an object, by the offset behind its beginning, and the name of a
// tag.
type tagPlace struct {
	at   int
	name string
}

// freeSkips is how many bytes may be skipped in search of tags before what stands
// on the way is remembered.
const freeSkips = 64 << 10

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
		if tag, ok = t.found[tagPlace{r.Offset(), name}]; ok {
			return tag, true
		}
	}
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
		case t.skipped < freeSkips:
			at := r.Offset()
			r.Skip()
			t.skipped += r.Offset() - at
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
		at, has := r.Offset(), false
		for n, ok := r.NextKey(); ok; n, ok = r.NextKey() {
			if n == name && !has {
				if tag, ok := readTag(r); ok {
					if t.found == nil {
						t.found = make(map[tagPlace]string)
					}
					t.found[tagPlace{at, name}] = tag
					has = true
					continue
				}
			}
			t.collect(r, name)
		}
	default:
		r.Skip()
	}
}
