package jsontext

import (
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/wire"
)

// What stands in this file reads tokens that are not whole in the window, or not as simple as most.
// Its functions take the index of the token and return the one it has after more has been read.

// keepOn reads more text, for a token that is read up to i and begins at the offset at.
func (d *Decoder) keepOn(i int) (int, error) {
	if d.loose && !d.naming && i-d.end > longSpace {
		// Nobody will ask for the token. An error now leaves nothing to return to.
		d.end = i
		d.start = i
		d.broken = errCutOff
	}
	j, err := d.more(i)
	if err == nil {
		d.broken = nil
	} else if d.broken != nil {
		d.broken = notEOF(err)
	}
	return j, err
}

// stringSlow checks the string at i. It returns the indexes of its quotes.
func (d *Decoder) stringSlow(i int) (first, last int, err error) {
	at := d.base + int64(i)
	strict := d.flags&flagInvalidUTF8 == 0
	d.plain = true
	i++
	for {
		j := d.quote(i)
		if !d.utf8 && !wire.ValidUTF8(d.buf[i:j]) {
			// A character that is not whole at the end of the text is cut off by the end of the input.
			d.plain = false
			if bad := i + validPrefix(d.buf[i:j]); strict && (j < d.n || utf8.FullRune(d.buf[bad:j+d.cut])) {
				return 0, 0, d.fail(bad, next, errUTF8)
			}
		}
		switch c := d.b.At(j); {
		case j >= d.n:
			if i, err = d.keepOn(j); err != nil {
				i -= unfinished(d.buf[max(0, i-utf8.UTFMax):i])
				return 0, 0, d.fail(i, next, err)
			}
		case c == '"':
			return max(int(at-d.base), 0), j, nil
		case c == '\\':
			d.plain = false
			if i = d.escapes(j); i > j {
				continue
			}
			n, ok := escape(d.buf[j:d.n], strict)
			if !ok {
				return 0, 0, d.fail(j, next, invalidEscape(d.buf[j:j+n]))
			}
			i = j + n
			if n == 0 { // it is not whole
				if i, err = d.keepOn(j); err != nil {
					return 0, 0, d.fail(i, next, err)
				}
			}
		default:
			return 0, 0, d.fail(j, next, invalidCharacter(d.buf[j:d.n+d.cut], inString))
		}
	}
}

// escapes returns the index after the escapes at i that follow one another and need no second look.
func (d *Decoder) escapes(i int) int {
	for ; i+6 <= d.n && d.b.At(i) == '\\'; i += 2 {
		switch d.b.At(i + 1) {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			continue
		case 'u':
			if x := wire.Hex4(d.b, i+2); x < 0 || x&0xf800 == 0xd800 {
				return i
			}
			i += 4
			continue
		}
		return i
	}
	return i
}

// validPrefix returns the length of the longest start of b that is UTF-8.
func validPrefix(b []byte) int {
	n := 0
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// escape returns the length of the escape, or of the pair of escapes for one character, that b begins
// with; 0 when more bytes are needed to tell. If it is not an escape, or when strict not a character,
// ok is false and n the length of what is wrong.
func escape(b []byte, strict bool) (n int, ok bool) {
	if len(b) < 2 {
		return 0, true
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case 'u':
	default:
		return 2, false
	}
	v, whole, ok := hex4(b[2:])
	switch {
	case !ok:
		return min(len(b), 6), false
	case !whole:
		return 0, true
	case !strict || v&0xf800 != 0xd800:
		return 6, true
	}
	b = b[6:]
	if len(b) > 0 && b[0] != '\\' || len(b) > 1 && b[1] != 'u' {
		return min(6+len(b), 12), false
	}
	if len(b) < 2 {
		return 0, true
	}
	low, whole, ok := hex4(b[2:])
	if !ok || len(b) > 2 && b[2]|0x20 != 'd' || len(b) > 3 && b[3]|0x20 < 'c' {
		return min(6+len(b), 12), false
	}
	if !whole {
		return 0, true
	}
	if v >= 0xdc00 || low&0xfc00 != 0xdc00 {
		return 12, false
	}
	return 12, true
}

// hex4 returns the value of the four hexadecimal digits that b begins with. It is not whole if b ends
// within them, and not ok if some byte is no such digit.
func hex4[T []byte | string](b T) (v rune, whole, ok bool) {
	for i := range 4 {
		if i >= len(b) {
			return 0, false, true
		}
		c := b[i]
		switch {
		case c-'0' < 10:
			c -= '0'
		case c|0x20-'a' < 6:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false, false
		}
		v = v<<4 | rune(c)
	}
	return v, true, true
}

// numberSlow checks the number at i. It returns its index and the one after it.
func (d *Decoder) numberSlow(i int) (first, end int, err error) {
	at := d.base + int64(i)
	var s wire.NumberState
	number := 0 // length of the longest start that is a number
	for {
		for i >= d.n {
			if i, err = d.keepOn(i); err != nil {
				first = int(at - d.base)
				if err == io.EOF && s.Done() {
					d.broken = nil
					return max(first, 0), i, nil
				}
				if d.writing {
					first += number
				}
				return 0, 0, d.fail(first, next, err)
			}
		}
		to := s.Step(d.b.At(i))
		switch {
		case to != 0:
			s = to
			i++
			if s.Done() {
				number = int(d.base + int64(i) - at)
			}
		case s.Done():
			return max(int(at-d.base), 0), i, nil
		default:
			return 0, 0, d.fail(i, next, invalidCharacter(d.buf[i:d.n+d.cut], inNumber))
		}
	}
}

// literalSlow checks the literal at i. It returns its index and the one after it.
func (d *Decoder) literalSlow(i int) (first, end int, err error) {
	literal := Kind(d.b.At(i)).String()
	for k := 0; k < len(literal); {
		if i+k >= d.n {
			j, err := d.more(i + k)
			if i = j - k; err != nil {
				return 0, 0, d.fail(j, next, err)
			}
			continue
		}
		if d.b.At(i+k) != literal[k] {
			where := "in literal " + literal + " (expecting " + strconv.QuoteRune(rune(literal[k])) + ")"
			return 0, 0, d.fail(i+k, next, invalidCharacter(d.buf[i+k:d.n+d.cut], where))
		}
		k++
	}
	return i, i + len(literal), nil
}

// followed checks that whitespace follows the text from i to end, and returns its indexes.
func (d *Decoder) followed(i, end int) (int, int, error) {
	if end >= d.n {
		j, err := d.more(end)
		i, end = i+j-end, j
		if err == io.EOF {
			return 0, 0, d.fail(end, next, errCutOff)
		} else if err != nil {
			return 0, 0, d.fail(end, next, err)
		}
	}
	switch d.b.At(end) {
	case ' ', '\t', '\r', '\n':
		return i, end, nil
	}
	return 0, 0, d.fail(end, next, errCutOff)
}
