package openapi

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxDepth bounds the nesting of objects and lists in a document.
const maxDepth = 1000

// readJSON reads a JSON text (RFC 8259) into nodes. It returns nil when the
// text is broken beyond reading; every mistake is reported.
func readJSON(f *file, text string, rep *reporter) *Node {
	j := jsonReader{s: text, file: f, rep: rep, line: 1}
	j.space()
	n := j.value(0)
	if j.dead {
		return nil
	}
	j.space()
	if j.i < len(j.s) {
		rep.errorf(j.pos(j.i), "%s after the document's end: remove it", j.seen())
		return nil
	}
	return n
}

// jsonReader reads one text. Strings without escapes are parts of s; nodes,
// items and members are carved from slabs.
type jsonReader struct {
	s    string
	i    int
	file *file
	rep  *reporter
	dead bool // gave up

	line int
	// start is the offset at which the line would begin if all its characters
	// up to i took one byte, so that a column is a subtraction.
	start int

	slab    []Node
	items   []*Node  // of the arrays being read, innermost last
	members []Member // of the objects being read
	itemBuf []*Node
	membBuf []Member
	names   map[string]int
}

func (j *jsonReader) pos(i int) Pos {
	return Pos{file: j.file, line: int32(j.line), col: int32(i - j.start + 1)}
}

func (j *jsonReader) fail(i int, format string, args ...any) {
	if !j.dead {
		j.dead = true
		j.rep.errorf(j.pos(i), format, args...)
	}
}

// seen describes the character at the cursor.
func (j *jsonReader) seen() string {
	if j.i >= len(j.s) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRuneInString(j.s[j.i:])
	return strconv.QuoteRune(r)
}

func (j *jsonReader) space() {
	for j.i < len(j.s) {
		switch j.s[j.i] {
		case ' ', '\t', '\r':
			j.i++
		case '\n':
			j.i++
			j.line++
			j.start = j.i
		default:
			return
		}
	}
}

func (j *jsonReader) node(k Kind, p Pos) *Node {
	if len(j.slab) == 0 {
		j.slab = make([]Node, 256)
	}
	n := &j.slab[0]
	j.slab = j.slab[1:]
	n.Kind, n.Pos = k, p
	return n
}

func (j *jsonReader) value(depth int) *Node {
	if j.i >= len(j.s) {
		j.fail(j.i, "the text ends where a value is expected: is the file cut off?")
		return nil
	}
	p := j.pos(j.i)
	switch c := j.s[j.i]; {
	case c == '"':
		n := j.node(String, p)
		n.Text = j.str()
		return n
	case c == '{':
		return j.object(p, depth+1)
	case c == '[':
		return j.array(p, depth+1)
	case c == '-' || '0' <= c && c <= '9':
		return j.number(p)
	default:
		return j.literal(p)
	}
}

func (j *jsonReader) tooDeep(depth int) bool {
	if depth > maxDepth {
		j.fail(j.i, "more than %d objects and lists nested in each other", maxDepth)
		return true
	}
	return false
}

func (j *jsonReader) object(p Pos, depth int) *Node {
	if j.tooDeep(depth) {
		return nil
	}
	n := j.node(Object, p)
	base := len(j.members)
	defer func() { j.members = j.members[:base] }()
	j.i++
	j.space()
	for first := true; ; first = false {
		if j.i < len(j.s) && j.s[j.i] == '}' {
			if !first {
				j.rep.warnf(j.pos(j.i), "a comma before the closing brace: remove the comma")
			}
			break
		}
		if j.i >= len(j.s) {
			j.fail(j.i, "the text ends inside the object that begins at %d:%d: is the file cut off?", p.line, p.col)
			return nil
		}
		if j.s[j.i] != '"' {
			if j.comment() {
				j.fail(j.i, "a comment: JSON has none, remove it")
			} else {
				j.fail(j.i, "%s where a member's name in quotes is expected", j.seen())
			}
			return nil
		}
		m := Member{Pos: j.pos(j.i)}
		m.Name = j.str()
		j.space()
		if j.dead {
			return nil
		}
		if j.i >= len(j.s) || j.s[j.i] != ':' {
			if j.i >= len(j.s) {
				j.fail(j.i, "the text ends inside the object that begins at %d:%d: is the file cut off?", p.line, p.col)
			} else {
				j.fail(j.i, "%s after the name %s: a colon is expected", j.seen(), quote(m.Name))
			}
			return nil
		}
		j.i++
		j.space()
		m.Value = j.value(depth)
		if j.dead {
			return nil
		}
		j.members = append(j.members, m)
		j.space()
		if more, ok := j.comma('}', p, "object"); !ok {
			return nil
		} else if !more {
			break
		}
	}
	j.i++
	n.Members = j.carveMembers(uniqueMembers(j.members[base:], j.rep, &j.names))
	return n
}

func (j *jsonReader) array(p Pos, depth int) *Node {
	if j.tooDeep(depth) {
		return nil
	}
	n := j.node(Array, p)
	base := len(j.items)
	defer func() { j.items = j.items[:base] }()
	j.i++
	j.space()
	for first := true; ; first = false {
		if j.i < len(j.s) && j.s[j.i] == ']' {
			if !first {
				j.rep.warnf(j.pos(j.i), "a comma before the closing bracket: remove the comma")
			}
			break
		}
		if j.i >= len(j.s) {
			j.fail(j.i, "the text ends inside the list that begins at %d:%d: is the file cut off?", p.line, p.col)
			return nil
		}
		v := j.value(depth)
		if j.dead {
			return nil
		}
		j.items = append(j.items, v)
		j.space()
		if more, ok := j.comma(']', p, "list"); !ok {
			return nil
		} else if !more {
			break
		}
	}
	j.i++
	n.Items = j.carveItems(j.items[base:])
	return n
}

// comma consumes the comma between two values and reports whether another
// value may follow; false with the cursor at the closing character. A comma
// that was forgotten is reported and read as if it were there.
func (j *jsonReader) comma(closing byte, p Pos, what string) (more, ok bool) {
	if j.i >= len(j.s) {
		j.fail(j.i, "the text ends inside the %s that begins at %d:%d: is the file cut off?", what, p.line, p.col)
		return false, false
	}
	switch c := j.s[j.i]; {
	case c == ',':
		j.i++
		j.space()
		return true, true
	case c == closing:
		return false, true
	case c == '"' || closing == ']' && (c == '{' || c == '['):
		j.rep.errorf(j.pos(j.i), "a comma is missing before this value: add it")
		return true, true
	default:
		j.fail(j.i, "%s in the %s that begins at %d:%d: a comma or %q is expected", j.seen(), what, p.line, p.col, closing)
		return false, false
	}
}

func (j *jsonReader) carveMembers(m []Member) []Member {
	if len(m) == 0 {
		return nil
	}
	if len(m) > len(j.membBuf) {
		j.membBuf = make([]Member, max(256, len(m)))
	}
	out := j.membBuf[:len(m):len(m)]
	j.membBuf = j.membBuf[len(m):]
	copy(out, m)
	return out
}

func (j *jsonReader) carveItems(v []*Node) []*Node {
	if len(v) == 0 {
		return nil
	}
	if len(v) > len(j.itemBuf) {
		j.itemBuf = make([]*Node, max(256, len(v)))
	}
	out := j.itemBuf[:len(v):len(v)]
	j.itemBuf = j.itemBuf[len(v):]
	copy(out, v)
	return out
}

func (j *jsonReader) number(p Pos) *Node {
	from := j.i
	digits := func() bool {
		at := j.i
		for j.i < len(j.s) && '0' <= j.s[j.i] && j.s[j.i] <= '9' {
			j.i++
		}
		return j.i > at
	}
	if j.s[j.i] == '-' {
		j.i++
	}
	lead := j.i
	ok := digits()
	if ok && j.s[lead] == '0' && j.i > lead+1 {
		j.fail(from, "a number with a leading zero: remove the zero, or put the value in quotes")
		return nil
	}
	if ok && j.i < len(j.s) && j.s[j.i] == '.' {
		j.i++
		ok = digits()
	}
	if ok && j.i < len(j.s) && (j.s[j.i] == 'e' || j.s[j.i] == 'E') {
		j.i++
		if j.i < len(j.s) && (j.s[j.i] == '+' || j.s[j.i] == '-') {
			j.i++
		}
		ok = digits()
	}
	if !ok {
		j.fail(from, "a number without digits where %s stands", j.seen())
		return nil
	}
	n := j.node(NumberKind, p)
	n.Text = j.s[from:j.i]
	return n
}

func (j *jsonReader) literal(p Pos) *Node {
	from := j.i
	for j.i < len(j.s) && isWordByte(j.s[j.i]) {
		j.i++
	}
	word := j.s[from:j.i]
	kind, say := Kind(0), ""
	switch word {
	case "true", "false":
		kind = Bool
	case "null":
		kind = Null
	case "True", "TRUE", "False", "FALSE":
		kind, say = Bool, "write it in lower case"
		word = map[byte]string{'T': "true", 'F': "false"}[word[0]]
	case "None", "nil", "undefined", "Null", "NULL":
		kind, say, word = Null, `write "null"`, "null"
	case "":
		if j.comment() {
			j.fail(from, "a comment: JSON has none, remove it")
		} else {
			j.fail(from, "%s where a value is expected", j.seen())
		}
		return nil
	default:
		j.fail(from, "%s is not a JSON value: put it in quotes if it is a string", quote(word))
		return nil
	}
	if say != "" {
		j.rep.warnf(p, "%s is not a JSON value: %s", quote(j.s[from:j.i]), say)
	}
	n := j.node(kind, p)
	n.Text = word
	return n
}

// comment reports whether a comment begins at the cursor.
func (j *jsonReader) comment() bool {
	s := j.s[j.i:]
	return len(s) > 1 && s[0] == '/' && (s[1] == '/' || s[1] == '*')
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == '+'
}

// str reads the string whose opening quote is at the cursor.
func (j *jsonReader) str() string {
	s, from := j.s, j.i+1
	for i := from; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			j.i = i + 1
			return s[from:i]
		}
		if c == '\\' || c < 0x20 || c >= utf8.RuneSelf {
			return j.strSlow(from, i)
		}
	}
	return j.strSlow(from, len(s))
}

// strSlow goes on with a string at its first character that needs a look.
func (j *jsonReader) strSlow(from, i int) string {
	s, opening := j.s, j.pos(from-1)
	buf, plain := []byte(nil), from // s[plain:i] is not yet in buf
	flush := func(to int) { buf = append(buf, s[plain:to]...) }
	for i < len(s) {
		c := s[i]
		switch {
		case c == '"':
			j.i = i + 1
			if buf == nil {
				return s[from:i]
			}
			flush(i)
			return string(buf)
		case c == '\\':
			flush(i)
			if buf == nil {
				buf = make([]byte, 0, 32)
			}
			var r rune
			var n int
			if r, n = unescape(s[i:]); n == 0 {
				j.rep.errorf(j.pos(i), `a backslash that begins no escape of JSON: write "\\" for a backslash`)
				r, n = '\\', 1
			}
			buf = utf8.AppendRune(buf, r)
			i += n
			plain = i
		case c == '\n':
			j.rep.errorf(j.pos(i), `a line break inside the string that begins at %d:%d: close the string, or write "\n"`, opening.line, opening.col)
			// A closing quote was probably forgotten: going on would
			// read the rest of the text inside out.
			j.dead = true
			return ""
		case c < 0x20:
			j.rep.warnf(j.pos(i), `a control character inside a string: write "\u%04x"`, c)
			i++
		case c < utf8.RuneSelf:
			i++
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			if n == 1 {
				j.rep.warnf(j.pos(i), "a byte that is not UTF-8, read as U+FFFD: save the file as UTF-8")
				flush(i)
				buf = append(buf, "\uFFFD"...)
				plain = i + 1
			}
			i += n
			j.start += n - 1
		}
	}
	j.i = i
	j.fail(i, "the text ends inside the string that begins at %d:%d: is the file cut off?", opening.line, opening.col)
	return ""
}

// unescape reads the escape at the start of s and returns its length, 0 when it
// is none.
func unescape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		hi, ok := hex4(s[2:])
		if !ok {
			return 0, 0
		}
		if hi >= 0xD800 && hi < 0xDC00 && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if lo, ok := hex4(s[8:]); ok && lo >= 0xDC00 && lo < 0xE000 {
				return (hi-0xD800)<<10 + (lo - 0xDC00) + 0x10000, 12
			}
		}
		return hi, 6 // a lone half becomes U+FFFD in AppendRune
	}
	return 0, 0
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	u, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(u), err == nil
}

// uniqueMembers drops the earlier ones of members with one name, in place, and
// reports them. The map is scratch that the caller keeps.
func uniqueMembers(m []Member, rep *reporter, scratch *map[string]int) []Member {
	if len(m) <= 12 {
		for i := 1; i < len(m); i++ {
			for k := 0; k < i; k++ {
				if m[k].Name == m[i].Name {
					return dropDuplicates(m, rep)
				}
			}
		}
		return m
	}
	if *scratch == nil {
		*scratch = make(map[string]int, 2*len(m))
	}
	clear(*scratch)
	for i := range m {
		(*scratch)[m[i].Name] = i
	}
	unique := len(*scratch) == len(m)
	if len(m) > 4096 {
		*scratch = nil // clearing it for each small object would cost too much
	}
	if !unique {
		return dropDuplicates(m, rep)
	}
	return m
}

func dropDuplicates(m []Member, rep *reporter) []Member {
	at := make(map[string]int, len(m))
	out := m[:0]
	for _, x := range m {
		k, dup := at[x.Name]
		if !dup {
			at[x.Name] = len(out)
			out = append(out, x)
			continue
		}
		if where := fmt.Sprintf("%d:%d", out[k].Pos.line, out[k].Pos.col); equalNodes(out[k].Value, x.Value) {
			rep.warnf(x.Pos, "%s stands here again as at %s: remove one", quote(x.Name), where)
		} else {
			rep.errorf(x.Pos, "%s stands here again with another value than at %s: keep one of them", quote(x.Name), where)
		}
		out[k] = x
	}
	return out
}
