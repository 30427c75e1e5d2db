package json

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
)

// pathAt returns the JSON pointer (RFC 6901) of the value of data that stands
// at off, or of the innermost one around it. The text is read again from the
// start, so that a decoder keeps no path while there is no error. Where the
// text is not JSON the path leads as far as its structure can be told.
func pathAt(data []byte, off int) string {
	path, _ := placeAt(data, 0, off)
	return path
}

// pathWithin is pathAt for an offset that may be beyond the text.
func pathWithin(data []byte, offset int64) string {
	return pathAt(data, int(min(max(offset, 0), int64(len(data)))))
}

// placeAt is pathAt for the text that begins at from, and returns the offset of that value.
func placeAt(data []byte, from, off int) (pointer string, start int) {
	t := openText{at: from}
	t.walk(data, off)
	return t.levels.pointer(), t.start
}

// levels are the arrays and objects that are open where a text ends.
type levels []openLevel

type openLevel struct {
	kind  byte // '[', '{', or 0 while nothing tells
	start int
	count int    // elements or members before the one that is expected
	name  []byte // of the member that is expected
	named bool
}

// levelsOf returns the levels at the end of b, which the text of a value begins with. Of arrays and objects that
// are open the first byte may be a comma, which an encoder replaces in the end.
func levelsOf(b []byte) levels { return new(openText).upTo(b) }

// openText is what is open at an offset of a text, kept so that the next time starts there.
type openText struct {
	levels levels
	at     int
	value  bool   // no value is expected
	start  int    // of the value that has begun last, or of the array or object that has ended since
	outer  *outer // what the text stands in, nil for nothing
}

// upTo returns the levels at the end of b, which begins with the text of the last time.
func (t *openText) upTo(b []byte) levels {
	if t.at > len(b) {
		t.reset()
	}
	t.walk(b, len(b))
	return t.levels
}

// walk goes on to the token of b at off. That is looked at too if it is a string or closes an array or object. Where b
// is not JSON the levels are those that its structure tells.
func (t *openText) walk(b []byte, off int) {
	l, wanted := t.levels, !t.value
	i := t.at
	for i < len(b) && i <= off {
		var top *openLevel
		if n := len(l); n > 0 {
			top = &l[n-1]
		}
		end := i + 1
		switch c := b[i]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ':':
		case c == ']' || c == '}':
			if i == off && cutShort(b[:i]) {
				break // it is at fault: it stands in a literal
			}
			if top != nil {
				t.start = top.start
				l = l[:len(l)-1]
			}
			wanted = false
		case wanted && (c == '[' || c == '{' || c == ',' && i < off):
			t.start = i
			if i < off {
				l = slices.Grow(l, 1)[:len(l)+1]
				top = &l[len(l)-1]
				*top = openLevel{kind: pick(c == ',', 0, c), start: i, name: top.name[:0]}
			}
		case c == '{' && top != nil: // in the place of a comma: the name that follows cannot be written
			top.kind, top.named = c, false
		case c == ',':
			if top != nil && i < off {
				top.count++
				top.named = false
			}
			wanted = true
		case c == '"':
			end = stringEnd(b, i)
			if top != nil && (top.kind == '{' && !top.named || top.kind == 0 && followed(b, end)) {
				name, ok := unquote(b[i:end])
				top.kind, top.name, top.named = '{', append(top.name[:0], name...), ok
				wanted = true
				break
			}
			t.start, wanted = i, false
		default:
			if wanted {
				t.start = i
			}
			wanted = false
		}
		i = end
	}
	t.levels, t.at, t.value = l, i, !wanted
}

// cutShort reports whether b ends within a literal or a number.
func cutShort(b []byte) bool {
	word := b[bytes.LastIndexAny(b, " \n\t\r,:[{\"]}")+1:]
	switch string(word) {
	case "", "true", "false", "null":
		return false
	}
	last := word[len(word)-1]
	return last < '0' || last > '9'
}

// followed reports whether a colon follows at i.
func followed(b []byte, i int) bool {
	i = skipSpace(b, i)
	return i < len(b) && b[i] == ':'
}

// outer is a coder in whose text a value stands that is marshaled or unmarshaled by itself.
type outer struct {
	coder  wire.Stack
	offset int64 // of the text
	from   int   // where the value begins in it
	read   bool  // the coder has read it, and is behind it
	naming bool  // it is the name of a member
	passed bool  // it has passed when its own method was called
	depth  int   // of the coder plus one, when it has been asked for

	level int         // pointers, maps and slices around the value
	place *wire.Place // of the coder, if the value is appended to its buffer
}

// nested returns how many methods that write tokens are around the value.
func (o *outer) nested() int {
	if o == nil || o.place == nil {
		return 0
	}
	return o.place.Nested + 1
}

// alone reports whether the text is the whole result of a call, not one of a stream.
func (o *outer) alone() bool { return o == nil || o.place != nil && o.place.Alone }

// ended takes over from e that the value is deep.
func (o *outer) ended(e *encoder) {
	if o.place != nil && e.seen != nil {
		o.place.Deep = true
	}
}

// names reports whether the value is the name of a member.
func (o *outer) names() bool { return o != nil && o.naming }

// passes reports whether the value at i has passed, and forgets it.
func (o *outer) passes(i int) bool {
	if o == nil || !o.passed || i != o.from {
		return false
	}
	o.passed = false
	return true
}

// start returns where the value begins.
func (o *outer) start() int {
	if o == nil {
		return 0
	}
	return o.from
}

// around returns how many arrays and objects are around the value.
func (o *outer) around() int {
	if o == nil {
		return 0
	}
	if o.depth == 0 {
		o.depth = o.coder.StackDepth() + 1
	}
	return o.depth - 1
}

// taken returns what the coder has to add to the tokens it has taken, if n are taken of the value.
func (o *outer) taken(n int64) int64 { return n - pick[int64](o.read, 1, 0) }

// appendPointer appends the pointer to a value of the innermost level of the coder, in which more tokens have been
// taken than before the value.
func (o *outer) appendPointer(b []byte, which int, more int64) []byte {
	if o == nil {
		return b
	}
	return o.coder.AppendPointer(b, which, o.taken(more))
}

// moved returns err, that of the value, with its place in what the text stands in, unless it has that.
func (o *outer) moved(err error) error {
	if err == nil || placed(err) {
		return err
	}
	var k known
	if e, ok := err.(*weft.Error); ok {
		k, _ = e.Err.(known)
	}
	which, more := wire.Next, int64(0)
	if sem, ok := k.as.(*SemanticError); o.read && !(ok && o.naming && sem.JSONKind == 0) { // which is before the name
		which, more = wire.Previous, 1
	}
	path := string(o.appendPointer(nil, which, more))
	if at := k.left; at != nil {
		if at.Offset += o.offset; at.Depth > 0 {
			at.Pointer = path + at.Pointer
		} else {
			at.Pointer = string(o.appendPointer(nil, wire.Around, at.Count))
			_, n := o.coder.Level(o.around())
			at.Count = o.taken(n + at.Count)
		}
		at.Depth += o.around()
	}
	return settled(moved(err, o.offset, path))
}

// reset forgets the text, but not what it stands in.
func (t *openText) reset() {
	*t = openText{levels: t.levels[:0], at: t.outer.start(), outer: t.outer}
}

// place makes p the place of what follows b, which the text begins with. naming tells that it is the name of a member.
func (t *openText) place(p *wire.Place, b []byte, naming bool) {
	p.Offset, p.Before, p.Naming, p.In = int64(len(b)), b, naming, nil
	if t.outer != nil {
		p.Offset += t.outer.offset
		p.Naming = naming || len(b) == t.outer.from && t.outer.naming
	}
	if len(b) > 0 || t.outer != nil {
		p.In = t
	}
}

// Depth implements [wire.Nesting].
func (t *openText) Depth(b []byte) int { return t.outer.around() + len(t.upTo(b)) }

// Level implements [wire.Nesting].
func (t *openText) Level(b []byte, i int) (object bool, count int64) {
	l, around := t.upTo(b), t.outer.around()
	if k := i - around - 1; k >= 0 {
		return l[k].kind == '{', l[k].taken(k == len(l)-1)
	}
	if t.outer != nil {
		object, count = t.outer.coder.Level(i)
	}
	if i == around {
		inside := pick[int64](len(l) > 0, 1, 0) // the array or object that is the value
		if count += inside; t.outer != nil {
			count = t.outer.taken(count)
		}
	}
	return object, count
}

// taken returns how many tokens have been taken of a level, the last one or not, as coders count them: names and values
// count each.
func (l *openLevel) taken(last bool) int64 {
	n := int64(l.count)
	if l.kind == '{' {
		n = 2*n + pick[int64](l.named, 1, 0)
	}
	return n + pick[int64](last, 0, 1) // the array or object within
}

// AppendPointer implements [wire.Nesting].
func (t *openText) AppendPointer(b, before []byte, which int, more int64) []byte {
	l := t.upTo(before)
	last := len(l) - 1
	if last < 0 {
		return t.outer.appendPointer(b, which, more)
	}
	b = l[:last].appendPointer(t.outer.appendPointer(b, wire.Previous, 1))
	v := &l[last]
	k, ok := wire.Step(v.kind == '{', v.taken(true)+more, which)
	switch {
	case !ok:
		return b
	case v.kind == '{':
		return wire.AppendPointer(b, string(v.name))
	}
	return strconv.AppendInt(append(b, '/'), k, 10)
}

// pointer returns the pointer to the value that is expected, or to the object in which a name is.
func (l levels) pointer() string { return string(l.appendPointer(nil)) }

func (l levels) appendPointer(p []byte) []byte {
	for _, v := range l {
		switch {
		case v.named:
			p = wire.AppendPointer(p, string(v.name))
		case v.kind == '{':
		default:
			p = strconv.AppendInt(append(p, '/'), int64(v.count), 10)
		}
	}
	return p
}

// stringEnd returns the index after the string that begins at i.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(data)
}
