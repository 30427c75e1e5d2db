package jsontext

import "github.com/weftcodec/weft/internal/wire"

// reformat appends the array or object that d reads at i in the form that the flags ask for. It is
// a walk with an output: from run on the text of d is the output, up to where it has to differ.
// Errors are those of [Decoder.walk].
func (e *Encoder) reformat(b []byte, d *Decoder, i int) ([]byte, error) {
	var (
		c       byte
		j, end  int
		err     error
		object  bool
		some    bool // the array or object that ends has elements
		run     = i
		unique  = d.flags&flagRejectDuplicates != 0
		asIs    = e.flags&flagsEscape == 0 // strings without escapes are right
		keep    = asIs && e.flags&flagPreserveStrings != 0
		numbers = e.flags&(flagCanonicalInts|flagCanonicalFloats) == 0 // are right
		lines   = e.flags&flagMultiline != 0
		commas  = lines || e.flags&flagSpaceComma != 0 // space follows them
		colons  = e.flags&flagSpaceColon != 0
		reorder = e.flags&flagReorder != 0
		outer   = len(e.stack)
	)
	if reorder {
		e.reorders.begin()
	}
value:
	switch c = d.b.At(i); c {
	case '"':
		end = d.quote(i + 1)
		if d.b.At(end) == '"' && d.utf8 && asIs {
			i = end + 1
			break
		}
		b = append(b, d.buf[run:i]...)
		d.plain = true
		if d.b.At(end) != '"' || !d.utf8 {
			if i, end, err = d.stringSlow(d.from(i)); err != nil {
				goto fail
			}
		}
		run = i
		i = end + 1
		if !keep && !(asIs && d.plain) {
			b, _ = e.appendRawString(b, d.buf[run:i], d.plain)
			run = i
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if end = wire.SkipNumber(d.b, i); end >= d.n || end < 0 {
			b = append(b, d.buf[run:i]...)
			if i, end, err = d.numberSlow(d.from(i)); err != nil {
				goto fail
			}
			run = i
		}
		if !numbers {
			b = append(b, d.buf[run:i]...)
			b = e.appendRawNumber(b, d.buf[i:end])
			run = end
		}
		i = end
	case '{', '[':
		if len(d.stack) >= d.most {
			return b, errGrammar
		}
		object = c == '{'
		d.enter(object)
		if object && reorder {
			e.reorders.object()
		}
		i++
		goto first
	case 'n':
		if end = i + 4; d.b.U32(i) != wire.WordNull {
			b = append(b, d.buf[run:i]...)
			if i, end, err = d.literalSlow(d.from(i)); err != nil {
				goto fail
			}
			run = i
		}
		i = end
	case 't':
		if end = i + 4; d.b.U32(i) != wire.WordTrue {
			b = append(b, d.buf[run:i]...)
			if i, end, err = d.literalSlow(d.from(i)); err != nil {
				goto fail
			}
			run = i
		}
		i = end
	case 'f':
		if end = i + 5; d.b.U32(i+1) != wire.WordAlse {
			b = append(b, d.buf[run:i]...)
			if i, end, err = d.literalSlow(d.from(i)); err != nil {
				goto fail
			}
			run = i
		}
		i = end
	default:
		b = append(b, d.buf[run:i]...)
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		i = d.ws(i)
		run = i
		goto value
	}
after:
	end = i
	i = d.ws(i)
	if c = d.b.At(i); c == ',' {
		j = d.ws(i + 1)
		if commas {
			b = append(append(b, d.buf[run:end]...), ',')
			b = e.gap(b, outer+len(d.stack), true)
			run = j
		} else if i != end || j != i+1 {
			b = append(append(b, d.buf[run:end]...), ',')
			run = j
		}
		i = j
		if object {
			goto name
		}
		goto value
	}
	if !closes(c) || object != (c == '}') {
		b = append(b, d.buf[run:end]...)
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		run = i
		goto after
	}
	some = true
closed:
	if i != end || lines || reorder {
		b = append(b, d.buf[run:end]...)
		run = i
		if some && lines {
			b = e.line(b, outer+len(d.stack)-1)
		}
		if object && reorder {
			b = e.reorders.end(b, some)
		}
	}
	i++
	d.leave()
	object = d.top.object
	if len(d.stack) > 0 {
		goto after
	}
	d.start, d.end = i, i
	return append(b, d.buf[run:i]...), nil
first: // of an array or object
	end = i
	i = d.ws(i)
	if c = d.b.At(i); closes(c) && object == (c == '}') {
		some = false
		goto closed
	}
	if i >= d.n {
		b = append(b, d.buf[run:end]...)
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		run = i
		goto first
	}
	if lines {
		b = e.gap(append(b, d.buf[run:end]...), outer+len(d.stack), false)
		run = i
	} else if i != end {
		b = append(b, d.buf[run:end]...)
		run = i
	}
	if !object {
		goto value
	}
name:
	for d.b.At(i) != '"' {
		b = append(b, d.buf[run:i]...)
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		i = d.ws(i)
		run = i
	}
	d.plain = true
	if end = d.quote(i + 1); d.b.At(end) != '"' || !d.utf8 {
		b = append(b, d.buf[run:i]...)
		d.naming = true // it is kept
		i, end, err = d.stringSlow(d.from(i))
		if d.naming = false; err != nil {
			goto fail
		}
		run = i
	}
	if reorder {
		b = append(b, d.buf[run:i]...)
		run = i
		e.reorders.member(len(b), d.buf[i+1:end], d.plain)
	}
	if unique {
		if d.plain && !d.addPlain(i+1, end) || !d.plain && !d.addName(i, end) {
			return b, errGrammar
		}
	}
	end++
	if !keep && !(asIs && d.plain) {
		b = append(b, d.buf[run:i]...)
		b, _ = e.appendRawString(b, d.buf[i:end], d.plain)
		run = end
	}
	for i = d.ws(end); d.b.At(i) != ':'; i = d.ws(i) {
		b = append(b, d.buf[run:end]...)
		if i, err = d.walkOn(i); err != nil {
			goto fail
		}
		run, end = i, i
	}
	if j = d.ws(i + 1); colons {
		b = append(append(b, d.buf[run:end]...), ": "...)
		run = j
	} else if i != end || j != i+1 {
		b = append(append(b, d.buf[run:end]...), ':')
		run = j
	}
	i = j
	goto value
fail:
	return b, err
}

// walkOn reads more text if i is at the end of it. If not, what stands there is wrong.
func (d *Decoder) walkOn(i int) (int, error) {
	if i < d.n {
		return i, errGrammar
	}
	i, err := d.more(d.from(i))
	return i, err
}
