package jsontext

import "github.com/weftcodec/weft/internal/wire"

// fail returns the error err at i, where which value is at fault. Errors of the reader have no place
// in the text.
func (d *Decoder) fail(i, which int, err error) error {
	return d.failAt(d.base+int64(i), which, err)
}

func (d *Decoder) failAt(offset int64, which int, err error) error {
	if _, ok := err.(*wire.IOError); ok {
		return err
	}
	if d.walking { // the place is found by reading again
		return &SyntacticError{Err: notEOF(err)}
	}
	return &SyntacticError{
		ByteOffset:  offset,
		JSONPointer: Pointer(d.state.pointer(nil, d.buf, which, 0)),
		Err:         notEOF(err),
	}
}

// whole reports whether the next token is within a value that is read whole. Then what is wrong is told
// from the grammar of that value, not from that of the stream of tokens.
func (d *Decoder) whole() bool { return d.within > 0 && len(d.stack) >= d.within }

// badDelimiter returns the error for a token that begins with c at i after the delimiter delim, at the
// offset at, or after none, where another is expected. With none, i is the place.
func (d *Decoder) badDelimiter(at int64, delim, c byte, i int) error {
	want := d.delimiter(c)
	if d.whole() && delim != 0 {
		switch {
		case d.need == ',' && delim == ',': // before a bracket that closes
			return d.unexpected(i)
		case d.need == 0:
			if d.naming {
				return d.failAt(at, next, invalidCharacter([]byte{delim}, atString))
			}
			return d.failAt(at, next, invalidCharacter([]byte{delim}, atValue))
		}
		want = d.need
	}
	if delim != 0 {
		return d.failAt(at, around, invalidCharacter([]byte{delim}, d.expected(want)))
	}
	return d.fail(i, around, invalidCharacter(d.buf[i:d.n+d.cut], d.expected(want)))
}

// expected is where a character is that stands for the delimiter need.
func (d *Decoder) expected(need byte) string {
	where := d.where(need)
	if d.writing && where == afterElement {
		return afterWritten
	}
	return where
}

// unexpected returns the error for what stands at i where a value or a name is expected, of a value that is
// read whole.
func (d *Decoder) unexpected(i int) error {
	if d.naming {
		return d.fail(i, next, invalidCharacter(d.buf[i:d.n+d.cut], atString))
	}
	return d.fail(i, next, invalidCharacter(d.buf[i:d.n+d.cut], atValue))
}

// unnamed returns the error for what stands at i, which is not a string, where the name of a member is
// expected.
func (d *Decoder) unnamed(i int) (Kind, error) {
	c := d.b.At(i)
	if i >= d.n || d.need == 0 && (c == ',' || c == ':') {
		return d.advanceSlow()
	}
	var err error
	switch k := kinds[c]; {
	case k == KindEndArray:
		return KindInvalid, d.mismatch(i)
	case d.whole():
		return KindInvalid, d.unexpected(i)
	case k == KindInvalid:
		return KindInvalid, d.fail(i, next, invalidCharacter(d.buf[i:d.n+d.cut], atValue))
	case k == KindNumber:
		i, _, err = d.numberSlow(i)
	case k == KindNull || k == KindTrue || k == KindFalse:
		i, _, err = d.literalSlow(i)
	}
	if err == nil {
		err = d.fail(i, next, ErrNonStringName)
	}
	return KindInvalid, err
}

// mismatch returns the error for a bracket at i that closes nothing, or not what is open.
func (d *Decoder) mismatch(i int) error {
	text := d.buf[i : d.n+d.cut]
	l := &d.top
	if d.whole() {
		if d.need == ',' {
			return d.fail(i, around, invalidCharacter(text, d.expected(',')))
		}
		return d.unexpected(i)
	}
	if l.object && d.b.At(i) == '}' {
		return d.fail(i, next, errNoValue)
	}
	if len(d.stack) == 0 || l.count == 0 {
		return d.fail(i, next, invalidCharacter(text, atValue))
	}
	where := afterElement
	if l.object {
		where = afterMember
	}
	err := d.fail(i, next, invalidCharacter(text, where)).(*SyntacticError)
	err.JSONPointer = err.JSONPointer.Parent()
	return err
}

// duplicate returns the error for the name between the quotes at i and end, which the object has.
func (d *Decoder) duplicate(i, end int) error {
	name := d.buf[i+1 : end]
	if !d.plain {
		name, _ = appendUnquoted(nil, name)
	}
	err := d.fail(i, next, ErrDuplicateName).(*SyntacticError)
	err.JSONPointer = Pointer(appendToken([]byte(err.JSONPointer), name))
	return err
}
