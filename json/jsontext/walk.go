package jsontext

import (
	"errors"
	"io"

	"github.com/weftcodec/weft/internal/wire"
)

// errGrammar stands for the error that reading by tokens finds.
var errGrammar = errors.New("not well-formed")

// walk checks the array or object at i and returns the index after it. It does what reading by tokens
// does, but for the state between tokens; so what is wrong has to be found by reading by tokens. It
// may leave levels and names behind.
func (d *Decoder) walk(i int) (int, error) {
	var (
		c      byte
		end    int
		err    error
		object bool
		unique = d.flags&flagRejectDuplicates != 0
		outer  = len(d.stack)
	)
value:
	switch c = d.b.At(i); c {
	case '"':
		if end = d.quote(i + 1); d.b.At(end) != '"' || !d.utf8 {
			if _, end, err = d.stringSlow(d.from(i)); err != nil {
				goto fail
			}
		}
		i = end + 1
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if end = wire.SkipNumber(d.b, i); end >= d.n || end < 0 {
			if _, end, err = d.numberSlow(d.from(i)); err != nil {
				goto fail
			}
		}
		i = end
	case '{', '[':
		if len(d.stack) >= d.most {
			return 0, errGrammar
		}
		object = c == '{'
		d.enter(object)
		i++
		goto first
	case 'n', 't', 'f':
		if end = d.literal(i); end < 0 {
			if _, end, err = d.literalSlow(d.from(i)); err != nil {
				goto fail
			}
		}
		i = end
	default:
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		i = d.ws(i)
		goto value
	}
after:
	i = d.ws(i)
	if c = d.b.At(i); c == ',' {
		i = d.ws(i + 1)
		if object {
			goto name
		}
		goto value
	}
	if !closes(c) || object != (c == '}') {
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		goto after
	}
closed:
	i++
	d.leave()
	object = d.top.object
	if len(d.stack) > outer {
		goto after
	}
	return i, nil
first: // of an array or object
	i = d.ws(i)
	if c = d.b.At(i); closes(c) && object == (c == '}') {
		goto closed
	}
	if !object && i < d.n {
		goto value
	}
	if i >= d.n {
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		goto first
	}
name:
	for d.b.At(i) != '"' {
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		i = d.ws(i)
	}
	d.plain = true
	if end = d.quote(i + 1); d.b.At(end) != '"' || !d.utf8 {
		d.naming = true // it is kept
		i, end, err = d.stringSlow(d.from(i))
		if d.naming = false; err != nil {
			goto fail
		}
	}
	if unique && !d.addName(i, end) {
		return 0, errGrammar
	}
	i = d.ws(end + 1)
	for d.b.At(i) != ':' {
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		i = d.ws(i)
	}
	i = d.ws(i + 1)
	goto value
fail:
	if s, ok := err.(*SyntacticError); ok {
		if err = errGrammar; s.Err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
	}
	return 0, err
}

// from tells that the text before i may be dropped, unless it is held, and returns i.
func (d *Decoder) from(i int) int {
	if !d.holding {
		d.start, d.end = i, i
	}
	return i
}

// walkOn reads more text if i is at the end of it. If not, what stands there is wrong.
func (d *Decoder) walkOn(i int) (int, error) {
	if i < d.n {
		return i, errGrammar
	}
	i, err := d.more(d.from(i))
	return i, err
}

// check reports whether the input is one value and nothing else.
func (d *Decoder) check() bool {
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
	if err != nil {
		return false
	}
	d.start, d.end = i, i
	return d.trailing() == nil
}
