package gen

import (
	"bytes"
	"go/format"
	"unicode"
	"unicode/utf8"
)

// formatDecls returns the text of declarations, with an empty line between each
// two, in gofmt's form.
//
// Same as format.Source(src), for text whose lines are those of the result but
// for their indentation and the columns of structs, as printers print them:
// TestFormat sees to it that gofmt has nothing to change. Declarations in which
// more may have to change are left to go/format, which takes ten times as long.
func formatDecls(src []byte) ([]byte, error) {
	f := formatter{out: make([]byte, 0, len(src)+len(src)/4)}
	var chunk []byte
	for len(src) > 0 {
		if chunk, src = nextChunk(src); len(chunk) == 0 {
			continue
		}
		start := len(f.out)
		f.out = append(f.out, '\n')
		if f.chunk(chunk) {
			continue
		}
		f.out = f.out[:start]
		text, err := format.Source(append([]byte("package p\n\n"), chunk...))
		if err != nil {
			return nil, err
		}
		f.out = append(f.out, bytes.TrimRight(text[len("package p\n"):], "\n")...)
		f.out = append(f.out, '\n')
	}
	return f.out, nil
}

// nextChunk cuts the lines up to the next empty line outside of braces and
// parentheses off src.
func nextChunk(src []byte) (chunk, rest []byte) {
	depth := 0
	for i := 0; i < len(src); {
		end := bytes.IndexByte(src[i:], '\n')
		if end < 0 {
			end = len(src) - i
		}
		line := src[i : i+end]
		if depth == 0 && len(bytes.TrimSpace(line)) == 0 {
			return src[:i], src[min(len(src), i+end+1):]
		}
		s, raw := scanLine(line)
		if raw { // a raw string over several lines
			close := bytes.IndexByte(src[i+end:], '`')
			if close < 0 {
				return src, nil
			}
			i += end + close
			end = bytes.IndexByte(src[i:], '\n')
			if end < 0 {
				return src, nil
			}
			s, _ = scanLine(src[i+1 : i+end])
			depth += s.net
			i += end + 1
			continue
		}
		depth += s.net
		i += end + 1
	}
	return src, nil
}

// scanned is what a line has outside of strings and comments.
type scanned struct {
	net      int  // openers less closers
	min      int  // least net on the way, at most 0
	comment  bool // code and a comment behind it
	colon    bool // a colon outside of brackets that is neither last nor of :=
	semi     bool
	operator bool // begins or ends in the middle of an expression
	brace    bool // an opening brace with something behind it
}

// scanLine looks at the line. It reports true for one that ends inside a raw
// string.
func scanLine(line []byte) (s scanned, raw bool) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '(', '[', '{':
			s.net++
			s.brace = s.brace || c == '{' && i+1 < len(line) && line[i+1] != '}'
		case ')', ']', '}':
			s.net--
			s.min = min(s.min, s.net)
		case '"', '\'':
			for i++; i < len(line) && line[i] != c; i++ {
				if line[i] == '\\' {
					i++
				}
			}
		case '`':
			end := bytes.IndexByte(line[i+1:], '`')
			if end < 0 {
				return s, true
			}
			i += end + 1
		case '/':
			if i+1 < len(line) && line[i+1] == '/' {
				s.comment = s.comment || i > 0
				return s, false
			}
			s.comment = s.comment || i+1 < len(line) && line[i+1] == '*'
		case ':':
			s.colon = s.colon || s.net == s.min && i+1 < len(line) && line[i+1] != '='
		case ';':
			s.semi = true
		}
	}
	if n := len(line); n > 0 {
		switch line[n-1] {
		case '|', '&', '+', '-', '*', '/', '=', '<', '>', '.':
			s.operator = !bytes.HasSuffix(line, []byte("++")) && !bytes.HasSuffix(line, []byte("--"))
		}
		switch line[0] {
		case '|', '+', '-', '/', '=', '<', '>', '.':
			s.operator = true
		}
	}
	return s, false
}

// formatter writes declarations.
type formatter struct{ out []byte }

// longest is what gofmt lets a function on one line take, without its braces.
const longest = 100

// chunk writes one declaration, or reports false when it may not.
func (f *formatter) chunk(text []byte) bool {
	lines := bytes.Split(bytes.TrimRight(text, "\n"), []byte{'\n'})
	for i := range lines {
		lines[i] = bytes.TrimRight(lines[i], " ")
	}
	n := 0
	for n < len(lines) && bytes.HasPrefix(lines[n], []byte("//")) {
		if !plainComment(lines[n]) {
			return false
		}
		f.line(0, lines[n])
		n++
	}
	if n == len(lines) {
		return false
	}
	first := lines[n]
	switch {
	case n+1 == len(lines):
		s, raw := scanLine(first)
		if raw || s.net != 0 || s.min < 0 || s.comment || s.semi || s.operator {
			return false
		}
		if bytes.HasPrefix(first, []byte("func ")) {
			return f.shortFunc(first)
		}
		if s.brace && len(first) > longest || !bytes.HasPrefix(first, []byte("type ")) && !bytes.HasPrefix(first, []byte("var ")) {
			return false
		}
		f.line(0, first)
		return true
	case bytes.Equal(first, []byte("const (")):
		return f.consts(lines[n:])
	case markers(lines[n:]):
		f.markers(lines[n:])
		return true
	case bytes.HasPrefix(first, []byte("type ")) && bytes.HasSuffix(first, []byte(" struct {")):
		return f.structType(lines[n:])
	case bytes.HasPrefix(first, []byte("func ")) || bytes.HasPrefix(first, []byte("type ")) && bytes.HasSuffix(first, []byte(" interface {")) ||
		bytes.HasPrefix(first, []byte("var ")) && bytes.HasSuffix(first, []byte(",")):
		return f.block(lines[n:])
	}
	return false
}

// shortFunc writes a function that stands on one line, on three when it is
// long.
func (f *formatter) shortFunc(line []byte) bool {
	at := bytes.Index(line, []byte(" { "))
	if at < 0 {
		f.line(0, line)
		return bytes.HasSuffix(line, []byte(" {}")) && len(line) < longest
	}
	stmt, ok := bytes.CutSuffix(line[at+3:], []byte(" }"))
	if !ok || bytes.Contains(line, []byte("func(")) || bytes.Contains(stmt, []byte("{ ")) {
		return false
	}
	for _, c := range line {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	if at+len(stmt) < longest {
		f.line(0, line)
		return true
	}
	f.line(0, line[:at+2])
	f.line(1, stmt)
	f.line(0, []byte("}"))
	return true
}

// markers reports whether each of the lines is a method without anything in it.
func markers(lines [][]byte) bool {
	for _, line := range lines {
		if !bytes.HasPrefix(line, []byte("func (*")) || !bytes.HasSuffix(line, []byte("() {}")) {
			return false
		}
	}
	return true
}

// markers writes such methods. The bodies of those that stand together are
// aligned, but that of a long one stands on lines of its own.
func (f *formatter) markers(lines [][]byte) {
	for len(lines) > 0 {
		n, width := 0, 0
		for n < len(lines) && !longMarker(lines[n]) {
			width = max(width, utf8.RuneCount(lines[n])-len(" {}"))
			n++
		}
		for _, line := range lines[:n] {
			head := line[:len(line)-len(" {}")]
			f.out = append(f.out, head...)
			f.pad(width - utf8.RuneCount(head) + 1)
			f.out = append(f.out, "{}\n"...)
		}
		if lines = lines[n:]; len(lines) > 0 {
			f.line(0, bytes.TrimSuffix(lines[0], []byte("}")))
			f.line(0, []byte("}"))
			lines = lines[1:]
		}
	}
}

func longMarker(line []byte) bool { return utf8.RuneCount(line)-len(" {}") >= longest }

// consts writes constants of one type, whose names are aligned.
func (f *formatter) consts(lines [][]byte) bool {
	if len(lines) < 3 || !bytes.Equal(lines[len(lines)-1], []byte(")")) {
		return false
	}
	width, typ := 0, []byte(nil)
	for _, line := range lines[1 : len(lines)-1] {
		name, rest, ok := bytes.Cut(line, []byte(" "))
		t, value, ok2 := bytes.Cut(rest, []byte(" = "))
		s, raw := scanLine(value)
		if !ok || !ok2 || len(name) == 0 || bytes.ContainsAny(t, " /") || typ != nil && !bytes.Equal(t, typ) || raw || s.comment || s.net != 0 || s.operator {
			return false
		}
		width, typ = max(width, utf8.RuneCount(name)), t
	}
	f.out = append(f.out, "const (\n"...)
	for _, line := range lines[1 : len(lines)-1] {
		name, rest, _ := bytes.Cut(line, []byte(" "))
		f.out = append(append(f.out, '\t'), name...)
		f.pad(width - utf8.RuneCount(name) + 1)
		f.out = append(append(f.out, rest...), '\n')
	}
	f.out = append(f.out, ")\n"...)
	return true
}

func (f *formatter) line(indent int, text []byte) {
	for range indent {
		f.out = append(f.out, '\t')
	}
	f.out = append(append(f.out, text...), '\n')
}

// plainComment reports whether gofmt leaves the line of a doc comment as it is:
// it is no list, heading, code or link.
func plainComment(line []byte) bool {
	text := line[2:]
	if len(text) == 0 {
		return true
	}
	if len(text) < 2 || text[0] != ' ' {
		return false
	}
	r, _ := utf8.DecodeRune(text[1:])
	if r >= '0' && r <= '9' {
		for i := 1; i < len(text); i++ {
			if c := text[i]; c == '.' || c == ')' {
				return false
			} else if c < '0' || c > '9' {
				break
			}
		}
	} else if r == '*' {
		if len(text) < 3 || !unicode.IsLetter(rune(text[2])) {
			return false
		}
	} else if !unicode.IsLetter(r) && r != '(' && r != '"' && r != '`' && r != '\'' && r != '\\' {
		return false
	}
	return !bytes.Contains(text, []byte("``")) && !bytes.Contains(text, []byte("''")) && text[len(text)-1] != ' ' && bytes.IndexByte(text, '\t') < 0
}

// block writes the lines of a function, an interface or a call, indented by
// what is open.
func (f *formatter) block(lines [][]byte) bool {
	var open [64]int // for each line that left something open: how much
	depth := 0
	blank := true // the line before was empty, or opened a block
	list := false // inside the values of a case
	for i, line := range lines {
		if len(line) == 0 {
			if blank || list {
				return false
			}
			blank = true
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			return false
		}
		s, raw := scanLine(line)
		closes := line[0] == '}' || line[0] == ')' || line[0] == ']'
		label := bytes.HasPrefix(line, []byte("case ")) || bytes.Equal(line, []byte("default:"))
		if raw || s.comment || s.operator || blank && i > 0 && closes && len(lines[i-1]) == 0 || len(line) > longest && !shortLiteral(line) {
			return false
		}
		last := line[len(line)-1]
		if last == ':' && !label && !list || s.colon && !bytes.HasPrefix(line, []byte("for ")) {
			return false
		}
		keyword := bytes.HasPrefix(line, []byte("if ")) || bytes.HasPrefix(line, []byte("for ")) || bytes.HasPrefix(line, []byte("switch ")) || line[0] == '}'
		if s.semi && !keyword || keyword && s.brace && !bytes.HasPrefix(line, []byte("if want := [...]uint64{")) {
			return false
		}
		comment := bytes.HasPrefix(line, []byte("//"))
		if comment && (i+1 == len(lines) || len(lines[i+1]) == 0 || lines[i+1][0] == '}' || bytes.HasPrefix(lines[i+1], []byte("case ")) || bytes.HasPrefix(lines[i+1], []byte("default:"))) {
			return false
		}
		indent := depth
		if closes || label {
			indent--
		}
		if indent < 0 || i == 0 && indent > 0 {
			return false
		}
		if len(lines[max(i-1, 0)]) == 0 && i > 0 {
			f.out = append(f.out, '\n')
		}
		f.line(indent, line)
		if label || list {
			list = last != ':'
		}
		// What the line closes, then what it opens.
		for c := -s.min; c > 0; c-- {
			if depth == 0 {
				return false
			}
			if open[depth-1]--; open[depth-1] == 0 {
				depth--
			}
		}
		if n := s.net - s.min; n > 0 {
			if depth == len(open) {
				return false
			}
			open[depth] = n
			depth++
		}
		if depth == 0 && i+1 < len(lines) {
			return false // declarations that stand together are aligned
		}
		blank = s.net > s.min || label && !list
	}
	return depth == 0
}

// shortLiteral reports whether gofmt leaves a long line as it is: it has no
// function, one whose body stands on other lines, or one that is short itself.
func shortLiteral(line []byte) bool {
	at := bytes.Index(line, []byte("func("))
	if at < 0 {
		return true
	}
	text := line[at:]
	if bytes.Contains(text[1:], []byte("func(")) {
		return false
	}
	if bytes.HasSuffix(text, []byte(" {")) {
		return true
	}
	end := bytes.LastIndex(text, []byte(" }"))
	return end >= 0 && end < longest-10 && bytes.Count(text, []byte(" { ")) == 1 && bytes.Count(text, []byte(" }")) == 1
}

// cells are the columns of a struct's field.
type cells struct {
	text  [3][]byte
	count int
}

// structType writes a struct: names, types and tags of fields that stand on
// consecutive lines are aligned.
func (f *formatter) structType(lines [][]byte) bool {
	if len(lines) < 3 || !bytes.Equal(lines[len(lines)-1], []byte("}")) {
		return false
	}
	f.line(0, lines[0])
	var run []cells
	for i, line := range lines[1 : len(lines)-1] {
		if bytes.HasPrefix(line, []byte("//")) {
			if !plainComment(line) || i == len(lines)-3 {
				return false
			}
			f.fields(run)
			run = run[:0]
			f.line(1, line)
			continue
		}
		c, ok := fieldCells(line)
		if !ok {
			return false
		}
		run = append(run, c)
	}
	f.fields(run)
	f.line(0, []byte("}"))
	return true
}

// fieldCells splits "Name Type `tag`".
func fieldCells(line []byte) (c cells, ok bool) {
	i := bytes.IndexByte(line, ' ')
	if i <= 0 || line[0] == '\t' {
		return c, false
	}
	c.text[0], c.count = line[:i], 2
	rest := line[i+1:]
	if k := bytes.Index(rest, []byte(" `")); k >= 0 {
		c.text[2], c.count = rest[k+1:], 3
		rest = rest[:k]
		if tag := c.text[2]; len(tag) < 2 || bytes.IndexByte(tag[1:], '`') != len(tag)-2 {
			return c, false // something behind the tag
		}
	}
	c.text[1] = rest
	if len(rest) == 0 || bytes.ContainsAny(rest, "{}`/\" ") || rest[0] == ' ' {
		return c, false
	}
	return c, true
}

// fields writes the fields of consecutive lines.
func (f *formatter) fields(run []cells) {
	name := 0
	for _, c := range run {
		name = max(name, utf8.RuneCount(c.text[0]))
	}
	typ := 0
	for i, c := range run {
		if c.count == 3 && (i == 0 || run[i-1].count != 3) {
			typ = 0
			for _, d := range run[i:] {
				if d.count != 3 {
					break
				}
				typ = max(typ, utf8.RuneCount(d.text[1]))
			}
		}
		f.out = append(append(f.out, '\t'), c.text[0]...)
		f.pad(name - utf8.RuneCount(c.text[0]) + 1)
		f.out = append(f.out, c.text[1]...)
		if c.count == 3 {
			f.pad(typ - utf8.RuneCount(c.text[1]) + 1)
			f.out = append(f.out, c.text[2]...)
		}
		f.out = append(f.out, '\n')
	}
}

func (f *formatter) pad(n int) {
	for range n {
		f.out = append(f.out, ' ')
	}
}
