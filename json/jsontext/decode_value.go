package jsontext

import "io"

// ReadValue reads the next value whole, without whitespace around it, or the name of a member. It is
// valid until the next call that peeks, reads or skips, and must not be changed. At the end of an array
// or object, which only ReadToken reads, the error is a [SyntacticError] and nothing is read. At the
// end of the stream the error is [io.EOF].
func (d *Decoder) ReadValue() (Value, error) {
	i := d.peeked - 1
	if i >= 0 {
		d.peeked = 0
	} else {
		var err error
		if i, err = d.find(); err != nil {
			return nil, err
		}
	}
	switch c := d.b.At(i); c {
	case '}', ']':
		if len(d.stack) > 0 && d.top.object != (c == '}') {
			return nil, d.mismatch(i)
		}
		return nil, d.fail(i, next, invalidCharacter(d.buf[i:d.n+d.cut], atValue))
	case '{', '[':
		return d.readWhole(i)
	}
	if _, err := d.token(i); err != nil {
		return nil, err
	}
	return Value(d.buf[d.start:d.end:d.end]), nil
}

// readWhole reads the array or object at i.
func (d *Decoder) readWhole(i int) (Value, error) {
	depth, lead := len(d.stack), i-d.end
	count, need, naming, named := d.top.count, d.need, d.naming, len(d.names.spans)
	d.holding, d.hold, d.within = true, d.end, depth+1
	_, err := d.token(i)
	for err == nil && len(d.stack) > depth {
		_, err = d.advance()
	}
	d.holding, d.within = false, 0
	if err != nil {
		if len(d.stack) > depth {
			d.top = d.stack[depth]
			d.stack = d.stack[:depth]
		}
		d.top.count, d.need, d.naming = count, need, naming
		d.names.cut(&d.top, named)
		d.start, d.end = d.hold, d.hold
		return nil, err
	}
	d.start = d.hold + lead
	return Value(d.buf[d.start:d.end:d.end]), nil
}

// SkipValue reads the next value without keeping it: the memory it takes does not grow with the value,
// but for the names of its objects, see [AllowDuplicateNames]. An error may leave the decoder within the
// value.
func (d *Decoder) SkipValue() error {
	switch d.PeekKind() {
	case KindBeginObject, KindBeginArray:
	case KindString, KindNumber:
		d.loose = true
		_, err := d.advance()
		d.loose = false
		return err
	default:
		_, err := d.ReadValue()
		return err
	}
	depth := len(d.stack)
	d.loose = true
	_, err := d.advance()
	for err == nil && len(d.stack) > depth {
		_, err = d.advance()
	}
	d.loose = false
	return err
}

// trailing returns the error of what stands after the only value of the input.
func (d *Decoder) trailing() error {
	i, err := d.space(d.end, 0)
	switch err {
	case nil:
		return d.fail(i, around, invalidCharacter(d.buf[i:d.n+d.cut], afterTop))
	case io.EOF:
		return nil
	}
	return d.fail(i, around, err)
}
