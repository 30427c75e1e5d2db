package wire

import "github.com/weftcodec/weft/internal/mem"

// Layout is the white space that [Walker.Respace] writes, and what it stops for.
type Layout struct {
	Colon   bool // a space follows each colon
	Comma   bool // and each comma
	Lines   bool // each element and each member begins on a line of its own
	Strings bool // stop before each string
	Numbers bool // and each number but integers of few digits
	Members bool // gather ends of objects that are not empty, with the names
	Outer   int  // levels around the text

	prefix string
	indent string
	out    []byte // what Respace appends to, while it is at work: in registers it costs more
	line   []byte // a line break, the prefix and some indents
}

// Indent sets what each line begins with.
func (l *Layout) Indent(prefix, indent string) {
	if l.prefix != prefix || l.indent != indent {
		l.prefix, l.indent, l.line = prefix, indent, l.line[:0]
	}
}

// Line appends a line break and the indentation of depth levels.
func (l *Layout) Line(dst []byte, depth int) []byte {
	n := 1 + len(l.prefix) + depth*len(l.indent)
	if n > len(l.line) {
		l.more(depth)
	}
	return append(dst, l.line[:n]...)
}

// more makes the line long enough for a depth.
func (l *Layout) more(depth int) {
	l.line = append(append(l.line[:0], '\n'), l.prefix...)
	for range depth + 8 {
		l.line = append(l.line, l.indent...)
	}
}

// Respace is [Walker.Walk], and appends the text that it passes to dst with the white space of l instead of its own.
// What l asks to stop for is for the caller to append. Runs that stay as they are are copied whole: all from run on is
// still to be copied.
func (w *Walker) Respace(dst []byte, l *Layout, b mem.Bytes, ends, solid mem.Words, i int) ([]byte, int) {
	w.from, l.out = i, dst
	depth, object := w.Depth, w.object
	var e, end, next int
	c := b.At(i)
	if c <= ' ' {
		i = solid.Next(i)
		c = b.At(i)
	}
	run := i
	switch w.State {
	case WalkFirst:
		end = i
		goto begun
	case WalkName:
		goto name
	case WalkColon:
		goto colon
	case WalkAfter:
		goto after
	case WalkEnd:
		goto closed
	}
	if depth == 0 && c != '{' && c != '[' {
		goto stop
	}
value:
	switch c {
	case '"':
		if l.Strings {
			w.State = WalkValue
			goto stop
		}
		if e = ends.Next(i + 1); b.At(e) != '"' {
			if e = w.escapes(b, ends, e); e < 0 {
				w.State = WalkValue
				goto stop
			}
		}
		i = e + 1
	case '{', '[':
		if depth >= w.room && !w.deepen(depth) {
			w.State = WalkValue
			goto stop
		}
		w.open(depth, object)
		depth++
		object = c == '{'
		i++
		end = i
		if c = b.At(i); c <= ' ' {
			i = solid.Next(i)
			c = b.At(i)
		}
		goto begun
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if e = SkipNumber(b, i); e < 0 || l.Numbers && !fewDigits(b.Slice(i, e)) {
			w.State = WalkValue
			goto stop
		}
		i = e
	default:
		if e = SkipLiteral(b, i); e < 0 {
			w.State = WalkValue
			goto stop
		}
		i = e
	}
after:
	end = i
	if c = b.At(i); c <= ' ' {
		i = solid.Next(i)
		c = b.At(i)
	}
	if c == ',' {
		next = i + 1
		if c = b.At(next); c <= ' ' {
			next = solid.Next(next)
			c = b.At(next)
		}
		if l.Lines || l.Comma {
			l.out = append(append(l.out, b.Slice(run, end)...), ',')
			l.out, run = l.gap(l.out, depth), next
		} else if i != end || next != i+1 {
			l.out, run = append(append(l.out, b.Slice(run, end)...), ','), next
		}
		i = next
		if !object {
			goto value
		}
		w.first = false
		goto name
	}
	if !(c == '}' && object || c == ']' && !object) {
		w.State = WalkAfter
		if c == 0 && b.At(i-1)-'0' < 10 && i > w.from {
			for w.State = WalkValue; i > w.from && inNumber(b.At(i-1)); i-- {
			}
			end = i
		}
		l.out, run = append(l.out, b.Slice(run, end)...), i
		goto stop
	}
	if l.Members && object {
		n := &w.names[w.named%someNames]
		n.Start, n.Out = -1, len(l.out)+end-run
		w.named++
	}
	if i != end || l.Lines {
		l.out, run = append(l.out, b.Slice(run, end)...), i
		if l.Lines {
			l.out = l.Line(l.out, l.Outer+depth-1)
		}
	}
	if w.named == someNames {
		w.State = WalkEnd
		goto stop
	}
closed:
	i++
	depth--
	if depth == 0 {
		w.State = WalkDone
		goto stop
	}
	object = w.stack[depth>>6]>>(uint(depth)&63)&1 != 0
	goto after
begun:
	if i != end {
		l.out, run = append(l.out, b.Slice(run, end)...), i
	}
	if c == ']' && !object || c == '}' && object {
		goto closed
	}
	if c == 0 {
		w.State = WalkFirst
		goto stop
	}
	if l.Lines {
		l.out, run = l.Line(append(l.out, b.Slice(run, i)...), l.Outer+depth), i
	}
	if !object {
		goto value
	}
	w.first = true
name:
	if c != '"' || l.Strings {
		w.State = WalkName
		goto stop
	}
	e = ends.Next(i + 1)
	if c = b.At(e); c != '"' {
		if e = w.escapes(b, ends, e); e < 0 {
			w.State = WalkName
			goto stop
		}
	}
	if w.names != nil {
		n := &w.names[w.named%someNames]
		n.Start, n.End, n.Depth, n.First, n.Plain = i, e, int32(depth), w.first, c == '"'
		n.Out = len(l.out) + i - run
		if w.named++; w.named == someNames {
			i, w.State = e+1, WalkColon
			goto stop
		}
	}
	i = e + 1
	c = b.At(i)
colon:
	end = i
	if c != ':' {
		if c <= ' ' {
			i = solid.Next(i)
		}
		if b.At(i) != ':' {
			w.State = WalkColon
			l.out, run = append(l.out, b.Slice(run, end)...), i
			goto stop
		}
	}
	next = i + 1
	if c = b.At(next); c <= ' ' {
		next = solid.Next(next)
		c = b.At(next)
	}
	if l.Colon {
		l.out, run = append(append(l.out, b.Slice(run, end)...), ": "...), next
	} else if i != end || next != i+1 {
		l.out, run = append(append(l.out, b.Slice(run, end)...), ':'), next
	}
	i = next
	goto value
stop:
	w.Depth, w.object = depth, object
	dst = append(l.out, b.Slice(run, i)...)
	l.out = nil
	return dst, i
}

// fewDigits reports whether a number is an integer that every float64 and every integer holds.
func fewDigits(number []byte) bool {
	for _, c := range number {
		if c-'0' >= 10 {
			return false
		}
	}
	return len(number) < 16
}

// gap appends the space after a comma.
func (l *Layout) gap(dst []byte, depth int) []byte {
	if l.Comma {
		dst = append(dst, ' ')
	}
	if l.Lines {
		dst = l.Line(dst, l.Outer+depth)
	}
	return dst
}
