package jsontext

import (
	"errors"
	"io"

	"github.com/weftcodec/weft/internal/wire"
)

// errGrammar stands for the error that reading by tokens finds.
var errGrammar = errors.New("not well-formed")

// walk checks the array or object at i and returns the index after it. It does what reading by tokens
// does, but for the state between tokens; so what is wrong has to be found by reading by tokens, and so has
// text that is not UTF-8. It may leave levels and names behind.
func (d *Decoder) walk(i int) (int, error) {
	w, outer := &d.walker, len(d.stack)
	w.Begin(d.most-outer, d.flags&flagRejectDuplicates != 0)
	w.Escapes = true
	for d.utf8 {
		i = w.Walk(d.b, d.s, d.nw, i)
		names, full := w.Names()
		if len(names) > 0 && !d.addAll(names, outer) {
			return 0, errGrammar
		}
		var err error
		var end int
		switch c := d.b.At(i); {
		case full:
		case w.State == wire.WalkDone:
			for len(d.stack) > outer {
				d.leave()
			}
			return i, nil
		case i >= d.n:
			i, err = d.more(d.from(i))
		case w.State == wire.WalkName && c == '"':
			d.naming = true // it is kept
			i, end, err = d.stringSlow(d.from(i))
			d.naming = false
			if err == nil && d.flags&flagRejectDuplicates != 0 {
				depth, first := w.Place()
				d.level(depth, first, outer)
				if !d.addName(i, end) {
					return 0, errGrammar
				}
			}
			i, w.State = end+1, wire.WalkColon
		case w.State != wire.WalkValue:
			return 0, errGrammar
		case c == '"':
			_, end, err = d.stringSlow(d.from(i))
			i, w.State = end+1, wire.WalkAfter
		case c == '-' || c-'0' < 10:
			_, i, err = d.numberSlow(d.from(i))
			w.State = wire.WalkAfter
		case c == 'n' || c == 't' || c == 'f':
			_, i, err = d.literalSlow(d.from(i))
			w.State = wire.WalkAfter
		default:
			return 0, errGrammar
		}
		if s, ok := err.(*SyntacticError); ok {
			if err = errGrammar; s.Err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, errGrammar
}

// addAll adds names without escapes. It returns false if an object has one of them.
func (d *Decoder) addAll(names []wire.Name, outer int) bool {
	b, buf, top := d.b, d.buf, &d.top
	for k := range names {
		n := &names[k]
		if n.First || top.depth != n.Depth {
			d.level(n.Depth, n.First, outer)
		}
		if !d.names.insertFew(top, buf[n.Start+1:n.End], n.Start+1, buf, plainKey(b, n.Start+1, n.End)) {
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
	if c := d.b.At(i); c != '{' && c != '[' {
		_, err = d.token(i)
		return err == nil && d.trailing() == nil
	}
	d.walking = true
	i, err = d.walk(i)
	d.walking = false
	if err != nil && !d.utf8 {
		d.restart(source{mem: v})
		if i, err = d.find(); err == nil {
			i, err = d.readTokens(i, 0)
		}
	}
	if err != nil {
		return false
	}
	d.start, d.end = i, i
	return d.trailing() == nil
}
