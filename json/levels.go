package json

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// pathAt returns the JSON pointer (RFC 6901) of the value of data that stands
// at off, or of the innermost one around it. The text is read again from the
// start, so that a decoder keeps no path while there is no error. Where the
// text is not JSON the path leads as far as its structure can be told.
func pathAt(data []byte, off int) string {
	path, _ := placeAt(data, off)
	return path
}

// pathWithin is pathAt for an offset that may be beyond the text.
func pathWithin(data []byte, offset int64) string {
	return pathAt(data, int(min(max(offset, 0), int64(len(data)))))
}

// placeAt is pathAt, and returns the offset of that value.
func placeAt(data []byte, off int) (pointer string, start int) {
	var t openText
	t.walk(data, off)
	return t.levels.pointer(), t.start
}

// levels are the arrays and objects that are open where a text ends.
type levels []openLevel

type openLevel struct {
	kind  byte // '[', '{', or 0 while nothing tells
	start int
	count int    // elements or members before the one that is expected
	name  string // of the member that is expected
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
				l = append(l, openLevel{kind: pick(c == ',', 0, c), start: i})
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
				top.kind, top.name, top.named = '{', string(name), ok
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

// coder is a [jsontext.Encoder] or a [jsontext.Decoder].
type coder interface {
	StackDepth() int
	StackIndex(i int) (jsontext.Kind, int64)
	StackPointer() jsontext.Pointer
}

// outer is a coder in whose text a value stands that is marshaled or unmarshaled by itself.
type outer struct {
	coder  coder
	offset int64 // of the value
	read   bool  // the coder has read it, and is behind it
	naming bool  // it is the name of a member

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

// ended takes over from e that the value is deep.
func (o *outer) ended(e *encoder) {
	if o.place != nil && e.seen != nil {
		o.place.Deep = true
	}
}

// around returns the levels around the value.
func (o *outer) around() []wire.OpenLevel {
	if o == nil {
		return nil
	}
	out := make([]wire.OpenLevel, o.coder.StackDepth())
	names := slices.Collect(o.coder.StackPointer().Tokens())
	for i := range out {
		kind, n := o.coder.StackIndex(i + 1)
		out[i] = wire.OpenLevel{Object: kind == jsontext.KindBeginObject, Count: n}
		if i < len(names) {
			out[i].Name = names[i]
		}
	}
	if o.read && len(out) > 0 {
		out[len(out)-1].Count--
	}
	return out
}

// reset forgets the text, but not what it stands in.
func (t *openText) reset() {
	if t != nil {
		*t = openText{levels: t.levels[:0], outer: t.outer}
	}
}

// place returns the place of what follows b, which the text begins with. naming tells that it is the name of a member.
func (t *openText) place(b []byte, naming bool) wire.Place {
	p := wire.Place{Offset: int64(len(b)), Naming: naming}
	if t.outer != nil {
		p.Offset += t.outer.offset
		p.Naming = naming || len(b) == 0 && t.outer.naming
	}
	if len(b) == 0 && t.outer == nil {
		return p
	}
	p.Open = func() []wire.OpenLevel {
		out, in := t.outer.around(), t.upTo(b).around()
		if len(out) > 0 && len(in) > 0 {
			out[len(out)-1].Count++ // the array or object within
		}
		return append(out, in...)
	}
	return p
}

// pointer returns the pointer to what follows b, which the text begins with.
func (t *openText) pointer(b []byte) string {
	if t.outer == nil {
		return t.upTo(b).pointer()
	}
	return string(t.outer.coder.StackPointer()) + t.upTo(b).pointer()
}

// around returns the levels as coders count them: names and values count each.
func (l levels) around() []wire.OpenLevel {
	out := make([]wire.OpenLevel, len(l))
	for i, v := range l {
		count := v.count
		if v.kind == '{' {
			count = 2*count + pick(v.named, 1, 0)
		}
		if i < len(l)-1 {
			count++ // the array or object within
		}
		out[i] = wire.OpenLevel{Object: v.kind == '{', Count: int64(count), Name: v.name}
	}
	return out
}

// pointer returns the pointer to the value that is expected, or to the object in which a name is.
func (l levels) pointer() string {
	var p []byte
	for _, v := range l {
		switch {
		case v.named:
			p = wire.AppendPointer(p, v.name)
		case v.kind == '{':
		default:
			p = wire.AppendPointer(p, strconv.Itoa(v.count))
		}
	}
	return string(p)
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
