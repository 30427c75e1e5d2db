package jsontext

import (
	"errors"
	"io"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/nameset"
)

// errGrammar stands for the error that reading by tokens finds.
var errGrammar = errors.New("not well-formed")

// walk checks the array or object at i and returns the index after it. If e is not nil it appends its text in the
// form that e asks for. It does what reading by tokens does, but for the state between tokens; so what is wrong has
// to be found by reading by tokens, and if e is nil so has text that is not UTF-8. It may leave levels and names
// behind.
func (d *Decoder) walk(b []byte, e *Encoder, i int) ([]byte, int, error) {
	outer := len(d.stack)
	unique := d.flags&flagRejectDuplicates != 0
	d.beginWalk(d.most-outer, unique || e != nil && e.flags&flagReorder != 0)
	w := d.walker
	w.Escapes = true
	escaped := e != nil && e.flags&flagsEscape != 0 // every string is looked at
	if e != nil {
		e.arrange()
	}
	for {
		if e != nil {
			e.layout.Strings = escaped || !d.utf8
			b, i = w.Respace(b, &e.layout, d.b, d.s, d.nw, i)
		} else if d.utf8 {
			i = w.Walk(d.b, d.s, d.nw, i)
		} else {
			return b, 0, errGrammar
		}
		names, full := w.Names()
		if len(names) > 0 {
			if unique && !d.addAll(names, outer) {
				return b, 0, errGrammar
			}
			if e != nil && e.layout.Members {
				e.reorders.add(b, names, d.buf)
			}
		}
		var err error
		first, end := i, 0
		switch c := d.b.At(i); {
		case full:
			continue
		case w.State == wire.WalkDone:
			for len(d.stack) > outer {
				d.leave()
			}
			d.start, d.end = i, i
			return b, i, nil
		case i >= d.n:
			if i, err = d.more(d.from(i)); err != nil {
				return b, 0, err
			}
			continue
		case w.State == wire.WalkName && c == '"':
			first, end, err = d.string(i, true)
			if err == nil && unique && !d.addMember(first, end, outer) {
				return b, 0, errGrammar
			}
			if err == nil && e != nil && e.layout.Members {
				_, begins := w.Place()
				e.reorders.member(len(b), d.buf[first+1:end], d.plain, begins)
			}
			i, w.State = end+1, wire.WalkColon
		case w.State != wire.WalkValue:
			return b, 0, errGrammar
		case c == '"':
			first, end, err = d.string(i, false)
			i, w.State = end+1, wire.WalkAfter
		case c == '-' || c-'0' < 10:
			if i = wire.SkipNumber(d.b, i); i >= d.n || i < 0 {
				first, i, err = d.numberSlow(d.from(first))
			}
			w.State = wire.WalkAfter
		case c == 'n' || c == 't' || c == 'f':
			first, i, err = d.literalSlow(d.from(i))
			w.State = wire.WalkAfter
		default:
			return b, 0, errGrammar
		}
		if s, ok := err.(*SyntacticError); ok {
			if err = errGrammar; s.Err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
		}
		if err != nil {
			return b, 0, err
		}
		if e == nil {
			continue
		}
		switch text := d.buf[first:i]; text[0] {
		case '"':
			b, _ = e.appendRawString(b, text, d.plain)
		case 'n', 't', 'f':
			b = append(b, text...)
		default:
			b = e.appendRawNumber(b, text)
		}
	}
}

// beginWalk makes the walker ready.
func (d *Decoder) beginWalk(most int, names bool) {
	if d.walker == nil {
		d.walker = new(wire.Walker)
	}
	d.walker.Begin(most, names)
}

// addMember adds the name between the quotes at i and end, before which the walker has stopped. It returns false if
// the object has it.
func (d *Decoder) addMember(i, end, outer int) bool {
	depth, first := d.walker.Place()
	d.level(depth, first, outer)
	return d.addName(i, end)
}

// string checks the string at i, the name of a member or not, and returns the indexes of its quotes.
func (d *Decoder) string(i int, name bool) (first, last int, err error) {
	if last = d.quote(i + 1); d.b.At(last) == '"' && d.utf8 {
		d.plain = true
		return i, last, nil
	}
	d.naming = name // it is kept
	first, last, err = d.stringSlow(d.from(i))
	d.naming = false
	return first, last, err
}

// addAll adds names without escapes. It returns false if an object has one of them.
func (d *Decoder) addAll(names []wire.Name, outer int) bool {
	b, buf, top := d.b, d.buf, &d.top
	for k := range names {
		n := &names[k]
		if n.Start < 0 {
			continue
		}
		if n.First || top.depth != n.Depth {
			d.level(n.Depth, n.First, outer)
		}
		i := n.Start + 1
		key := nameset.PlainKey(b, i, n.End)
		if !d.names.InsertNew(&top.Object, key, i, n.End) && !d.names.InsertKey(&top.Object, buf[i:n.End], i, buf, key) {
			return false
		}
	}
	return true
}

// level goes to the level of the object of a name, in which depth levels are open, of the walk that began at the level
// outer. Only objects have levels.
func (d *Decoder) level(depth int32, first bool, outer int) {
	for len(d.stack) > outer && (d.top.depth > depth || first && d.top.depth == depth) {
		d.leave()
	}
	if first {
		d.enter(true)
		d.top.depth = depth
	}
}

// from tells that the text before i may be dropped, unless it is held, and returns i.
func (d *Decoder) from(i int) int {
	if !d.holding {
		d.start, d.end = i, i
	}
	return i
}

// check reports whether v, which is the input, is one value and nothing else.
func (d *Decoder) check(v Value) bool {
	i, err := d.find()
	if err != nil {
		return false
	}
	if c := d.b.At(i); c == '{' || c == '[' {
		d.walking = true
		_, _, err = d.walk(nil, nil, i)
		d.walking = false
		if err == nil || d.utf8 {
			return err == nil && d.trailing() == nil
		}
		d.load(v)
	}
	return d.SkipValue() == nil && d.trailing() == nil
}
