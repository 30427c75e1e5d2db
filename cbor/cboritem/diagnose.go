package cboritem

import (
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// AppendDiagnostic appends the diagnostic notation (§8) of the first item of src to b and returns what
// follows the item. The notation preserves every byte: heads that are not in their shortest form and items of
// indefinite length have an encoding indicator, such as 1_0 and [_ 1], and an unusual NaN is written as float'7e01'.
// A text string that is not UTF-8 has no notation and is an error. If there is an error, b is returned unchanged.
func AppendDiagnostic(b, src []byte, opts ...weft.Options) (out, rest []byte, err error) {
	end, at := cborwire.Skip(src, 0, weft.Join(opts...).Depth())
	if end < 0 {
		return b, nil, itemError(end, at)
	}
	d := diagnosis{b: b, src: src}
	if i := d.item(0); i < 0 {
		return b, nil, &weft.Error{Format: "cbor", Offset: int64(d.at), Err: errText}
	}
	return d.b, src[end:], nil
}

// Skip returns what follows the first item of src, and checks that the item is well-formed.
func Skip(src []byte, opts ...weft.Options) (rest []byte, err error) {
	end, at := cborwire.Skip(src, 0, weft.Join(opts...).Depth())
	if end < 0 {
		return nil, itemError(end, at)
	}
	return src[end:], nil
}

var errText = errors.New("text string is not UTF-8")

// itemError is the error for an item that cborwire has refused with end.
func itemError(end, at int) error {
	err := errMalformed
	switch end {
	case cborwire.Short:
		err = weft.ErrUnexpectedEnd
	case cborwire.Deep:
		err = weft.ErrDepth
	}
	return &weft.Error{Format: "cbor", Offset: int64(at), Err: err}
}

// diagnosis writes an item that is well-formed.
type diagnosis struct {
	b   []byte
	src []byte
	at  int // of what has no notation
}

// item writes the item at i and returns the index after it, -1 where it has no notation.
func (d *diagnosis) item(i int) int {
	var t Token
	next := t.read(d.src, i)
	switch t.Kind {
	case KindUint:
		d.b = strconv.AppendUint(d.b, t.Arg, 10)
	case KindNint:
		d.b = appendNint(d.b, t.Arg)
	case KindBytes, KindText:
		if t.Open {
			return d.chunks(next, t.Kind)
		}
		return d.string(i, next, &t)
	case KindArray:
		return d.list(next, &t, '[', ']', 1)
	case KindMap:
		return d.list(next, &t, '{', '}', 2)
	case KindTag:
		return d.tag(next, &t)
	case KindSimple:
		d.simple(t.Arg)
		return next
	case KindFloat:
		d.float(&t)
		return next
	}
	d.indicator(&t)
	return next
}

// indicator writes the encoding indicator of a head that is not the shortest.
func (d *diagnosis) indicator(t *Token) {
	if n := cborwire.HeadSize(t.Arg) - 1; int(t.Size) > n {
		d.b = append(d.b, '_', sizeDigit(t.Size))
	}
}

// sizeDigit is the encoding indicator of a head with an argument of so many bytes.
func sizeDigit(size uint8) byte {
	switch size {
	case 1:
		return '0'
	case 2:
		return '1'
	case 4:
		return '2'
	}
	return '3'
}

func appendNint(b []byte, arg uint64) []byte {
	if arg == math.MaxUint64 {
		return append(b, "-18446744073709551616"...)
	}
	return strconv.AppendUint(append(b, '-'), arg+1, 10)
}

// string writes a string of definite length, which begins at i and ends at next.
func (d *diagnosis) string(i, next int, t *Token) int {
	if t.Kind == KindBytes {
		d.b = append(hex.AppendEncode(append(d.b, "h'"...), t.Data), '\'')
	} else {
		if !utf8.Valid(t.Data) {
			d.at = i
			return -1
		}
		d.b = appendText(d.b, string(t.Data))
	}
	d.indicator(t)
	return next
}

// appendText appends s in quotes, as JSON has them.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// chunks writes those of a string of indefinite length.
func (d *diagnosis) chunks(i int, kind Kind) int {
	if d.src[i] == cborwire.Break {
		if kind == KindBytes {
			d.b = append(d.b, "''_"...)
		} else {
			d.b = append(d.b, `""_`...)
		}
		return i + 1
	}
	d.b = append(d.b, "(_ "...)
	for n := 0; d.src[i] != cborwire.Break; n++ {
		if n > 0 {
			d.b = append(d.b, ", "...)
		}
		if i = d.item(i); i < 0 {
			return i
		}
	}
	d.b = append(d.b, ')')
	return i + 1
}

// list writes an array or a map, each of whose elements is so many items.
func (d *diagnosis) list(i int, t *Token, first, last byte, each int) int {
	d.b = append(d.b, first)
	if t.Open {
		d.b = append(d.b, "_ "...)
	} else if d.indicator(t); d.b[len(d.b)-1] != first {
		d.b = append(d.b, ' ')
	}
	for n := uint64(0); t.Open && d.src[i] != cborwire.Break || !t.Open && n < t.Arg; n++ {
		if n > 0 {
			d.b = append(d.b, ", "...)
		}
		for k := range each {
			if k > 0 {
				d.b = append(d.b, ": "...)
			}
			if i = d.item(i); i < 0 {
				return i
			}
		}
	}
	if t.Open {
		i++
	}
	d.b = append(d.b, last)
	return i
}

// tag writes a tag and its content; a bignum that is in its preferred form as a number.
func (d *diagnosis) tag(i int, t *Token) int {
	if t.Arg == tagBignum || t.Arg == tagNegative {
		var s Token
		next := s.read(d.src, i)
		if s.Kind == KindBytes && !s.Open && int(s.Size) == cborwire.HeadSize(s.Arg)-1 && t.Size == 0 &&
			len(s.Data) > 8 && len(s.Data) <= mostDigits && s.Data[0] != 0 {
			n := new(big.Int).SetBytes(s.Data)
			if t.Arg == tagNegative {
				n.Not(n)
			}
			d.b = n.Append(d.b, 10)
			return next
		}
	}
	d.b = strconv.AppendUint(d.b, t.Arg, 10)
	d.indicator(t)
	d.b = append(d.b, '(')
	if i = d.item(i); i >= 0 {
		d.b = append(d.b, ')')
	}
	return i
}

// The tags of bignums (§3.4.3).
const (
	tagBignum   = 2
	tagNegative = 3
)

// mostDigits bounds the bytes of a bignum that is written in decimal, which takes more than its length.
const mostDigits = 1 << 10

func (d *diagnosis) simple(v uint64) {
	switch v {
	case simpleFalse:
		d.b = append(d.b, "false"...)
	case simpleTrue:
		d.b = append(d.b, "true"...)
	case simpleNull:
		d.b = append(d.b, "null"...)
	case simpleUndefined:
		d.b = append(d.b, "undefined"...)
	default:
		d.b = append(strconv.AppendUint(append(d.b, "simple("...), v, 10), ')')
	}
}

func (d *diagnosis) float(t *Token) {
	v := t.Float()
	short := Float(v)
	if v != v {
		if t.Arg != usualNaN(t.Size) {
			d.b = append(d.b, "float'"...)
			for i := int(t.Size) - 1; i >= 0; i-- {
				d.b = hex.AppendEncode(d.b, []byte{byte(t.Arg >> (8 * i))})
			}
			d.b = append(d.b, '\'')
			return
		}
		d.b = append(d.b, "NaN"...)
	} else {
		d.b = appendFloat(d.b, v)
	}
	if t.Size != short.Size {
		d.b = append(d.b, '_', sizeDigit(t.Size))
	}
}

// usualNaN returns the bits of the NaN without a sign and a payload.
func usualNaN(size uint8) uint64 {
	switch size {
	case 2:
		return 0x7e00
	case 4:
		return 0x7fc00000
	}
	return 0x7ff8000000000000
}

// appendFloat appends a number with a point or an exponent.
func appendFloat(b []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 0):
		if v < 0 {
			b = append(b, '-')
		}
		return append(b, "Infinity"...)
	case v == math.Trunc(v) && math.Abs(v) < 1e21:
		return append(strconv.AppendFloat(b, v, 'f', -1, 64), ".0"...)
	case math.Abs(v) >= 1e-6 && math.Abs(v) < 1e21:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	text := strconv.FormatFloat(v, 'e', -1, 64)
	digits, exp, _ := strings.Cut(text, "e")
	if b = append(b, digits...); !strings.Contains(digits, ".") {
		b = append(b, ".0"...)
	}
	return append(append(b, 'e', exp[0]), strings.TrimLeft(exp[1:], "0")...)
}
