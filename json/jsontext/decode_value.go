package jsontext

import "io"

// ReadValue reads the next value as a whole, without whitespace around it, or the name of a member. The result is
// valid until the next call that peeks, reads or skips, and must not be changed. At the end of an array or object,
// which only ReadToken reads, the error is a [SyntacticError] and nothing is read. At the end of the stream the error
// is [io.EOF].
func (d *Decoder) ReadValue() (Value, error) {
	i, err := d.next()
	if err != nil {
		return nil, err
	}
	d.peeked = 0
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
	count, need, naming, named := d.top.count, d.need, d.naming, d.names.Len()
	if naming {
		_, err := d.token(i)
		return nil, err
	}
	d.holding, d.hold = true, d.end
	d.walking = true
	_, end, err := d.walk(nil, nil, i)
	d.walking = false
	if err == errGrammar || err == io.EOF {
		// Read it again to tell what is wrong and where.
		d.unwind(depth, count, need, naming, named)
		d.source.ends = err == io.EOF
		_, err = d.readTokens(d.hold+lead, depth)
		d.source.ends = false
		end = d.end
	}
	d.holding = false
	d.start, d.end = d.hold, d.hold
	if err != nil {
		d.unwind(depth, count, need, naming, named)
		return nil, err
	}
	d.top.count = count
	d.value()
	d.start, d.end = d.hold+lead, end
	return Value(d.buf[d.start:end:end]), nil
}

// readTokens reads the array or object at i token by token.
func (d *Decoder) readTokens(i, depth int) (end int, err error) {
	d.within = depth + 1
	_, err = d.token(i)
	for err == nil && len(d.stack) > depth {
		_, err = d.advance()
	}
	d.within = 0
	return d.end, err
}

// unwind goes back to what was before a value.
func (d *Decoder) unwind(depth int, count int64, need byte, naming bool, named int) {
	if len(d.stack) > depth {
		d.top = d.stack[depth]
		d.stack = d.stack[:depth]
	}
	d.top.count, d.need, d.naming = count, need, naming
	d.names.Cut(&d.top.Object, named)
}

// SkipValue reads the next value without storing it. The memory that it needs does not grow with the value, except
// for the names of its objects; see [AllowDuplicateNames]. After an error the decoder may be within the value.
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
	if d.end >= d.n && d.complete() {
		return nil
	}
	i, err := d.space(d.end, 0)
	switch err {
	case nil:
		return d.fail(i, around, invalidCharacter(d.buf[i:d.n+d.cut], afterTop))
	case io.EOF:
		return nil
	}
	return d.fail(i, around, err)
}
