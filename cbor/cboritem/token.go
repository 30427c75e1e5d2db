package cboritem

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Kind is the kind of a [Token].
type Kind uint8

// The kinds of tokens.
const (
	KindInvalid Kind = iota // no token: the end of the stream or an error
	KindUint                // an integer that is not negative
	KindNint                // a negative integer, -1-Arg
	KindBytes               // a byte string
	KindText                // a text string
	KindArray               // the head of an array
	KindMap                 // the head of a map
	KindTag                 // a tag, whose content comes next
	KindSimple              // a simple value, including false, true, null and undefined
	KindFloat               // a floating-point number
	KindBreak               // the end of an item of indefinite length
)

const kindNames = "invalid uint nint bytes text array map tag simple float break"

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	if k > KindBreak {
		k = KindInvalid
	}
	return wire.Word(kindNames, int(k))
}

// Token is the head of an item, with the bytes of a string. The functions of this package make tokens in their
// preferred form.
type Token struct {
	Kind Kind
	// Open reports whether a string, array or map has an indefinite length: its chunks, elements or pairs follow, up
	// to a token of KindBreak.
	Open bool
	// Size is the number of bytes of the argument after the first byte: 1, 2, 4 or 8, or 0 for none. A token that is
	// written takes at least as many as it needs.
	Size uint8
	// Arg is the argument: the integer, or -1 minus a negative integer; the number of bytes, elements or pairs; the
	// number of the tag; the simple value; or the bits of the floating-point number of Size bytes.
	Arg uint64
	// Data is the bytes of a string that is not Open.
	Data []byte
}

// Simple values with a name.
const (
	simpleFalse = cborwire.False - cborwire.Simple + iota
	simpleTrue
	simpleNull
	simpleUndefined
)

// Tokens without an argument.
var (
	Null      = Simple(simpleNull)
	Undefined = Simple(simpleUndefined)
	Break     = Token{Kind: KindBreak}
	OpenArray = Token{Kind: KindArray, Open: true}
	OpenMap   = Token{Kind: KindMap, Open: true}
	OpenBytes = Token{Kind: KindBytes, Open: true}
	OpenText  = Token{Kind: KindText, Open: true}
)

// Int returns the token of an integer.
func Int(v int64) Token {
	if v < 0 {
		return Token{Kind: KindNint, Arg: uint64(^v)}
	}
	return Token{Kind: KindUint, Arg: uint64(v)}
}

// Uint returns the token of an integer.
func Uint(v uint64) Token { return Token{Kind: KindUint, Arg: v} }

// Bytes returns the token of a byte string.
func Bytes(p []byte) Token { return Token{Kind: KindBytes, Arg: uint64(len(p)), Data: p} }

// Text returns the token of a text string.
func Text(s string) Token { return Token{Kind: KindText, Arg: uint64(len(s)), Data: []byte(s)} }

// Array returns the head of an array of n elements.
func Array(n int) Token { return Token{Kind: KindArray, Arg: uint64(n)} }

// Map returns the head of a map of n pairs.
func Map(n int) Token { return Token{Kind: KindMap, Arg: uint64(n)} }

// Tag returns the tag of the given number.
func Tag(number uint64) Token { return Token{Kind: KindTag, Arg: number} }

// Simple returns a simple value. Those from 24 to 31 do not exist.
func Simple(v uint8) Token {
	t := Token{Kind: KindSimple, Arg: uint64(v)}
	if v >= 24 {
		t.Size = 1
	}
	return t
}

// Bool returns the token of a boolean.
func Bool(v bool) Token {
	if v {
		return Simple(simpleTrue)
	}
	return Simple(simpleFalse)
}

// Float returns the token of a floating-point number in the shortest of the three precisions.
func Float(v float64) Token {
	var t Token
	var w [cborwire.MaxHead]byte
	t.read(cborwire.AppendFloat(w[:0], v), 0)
	return t
}

// Int returns an integer, and reports whether it fits an int64.
func (t Token) Int() (v int64, ok bool) {
	switch {
	case t.Arg > math.MaxInt64:
		return 0, false
	case t.Kind == KindNint:
		return ^int64(t.Arg), true
	}
	return int64(t.Arg), t.Kind == KindUint
}

// Float returns a floating-point number.
func (t Token) Float() float64 {
	switch t.Size {
	case 2:
		return cborwire.FromHalf(uint16(t.Arg))
	case 4:
		return float64(math.Float32frombits(uint32(t.Arg)))
	}
	return math.Float64frombits(t.Arg)
}

// kinds are the kinds of the major types.
var kinds = [8]Kind{KindUint, KindNint, KindBytes, KindText, KindArray, KindMap, KindTag, KindSimple}

// read reads the token at b[i:] and returns the index after it, or what cborwire returns when there is none.
func (t *Token) read(b []byte, i int) (next int) {
	n, next := cborwire.Head(b, i)
	if next < 0 {
		return next
	}
	c := b[i]
	*t = Token{Kind: kinds[c>>5], Arg: n}
	switch info := c & 31; {
	case c == cborwire.Break:
		t.Kind = KindBreak
		return next
	case info == cborwire.Open:
		t.Open = true
		return next
	case info >= 24:
		t.Size = 1 << (info - 24)
		if t.Kind == KindSimple && info > 24 {
			t.Kind = KindFloat
		}
	}
	if t.Kind == KindBytes || t.Kind == KindText {
		if n > uint64(len(b)-next) {
			return cborwire.Short
		}
		t.Data = b[next : next+int(n) : next+int(n)]
		return next + int(n)
	}
	return next
}

var errToken = errors.New("token cannot be written")

// AppendToken appends t. It does not check the order of tokens.
func AppendToken(b []byte, t Token) ([]byte, error) {
	c, ok := t.first()
	if !ok {
		return b, &weft.Error{Format: "cbor", Offset: -1, Err: errToken}
	}
	return append(appendHead(b, c, t.Arg), t.Data...), nil
}

// appendHead appends the head that begins with c and has the argument n.
func appendHead(b []byte, c byte, n uint64) []byte {
	b = append(b, c)
	switch c & 31 {
	case 24:
		b = append(b, byte(n))
	case 25:
		b = binary.BigEndian.AppendUint16(b, uint16(n))
	case 26:
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	case 27:
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

// first returns the first byte of t, if t can be written.
func (t *Token) first() (c byte, ok bool) {
	switch t.Kind {
	case KindBreak:
		return cborwire.Break, t.Data == nil
	case KindInvalid:
		return 0, false
	case KindFloat:
		switch t.Size {
		case 2:
			return cborwire.Half, t.Arg <= math.MaxUint16 && t.Data == nil
		case 4:
			return cborwire.Single, t.Arg <= math.MaxUint32 && t.Data == nil
		}
		return cborwire.Double, t.Size == 8 && t.Data == nil
	case KindSimple:
		if t.Arg < 24 {
			return cborwire.Simple | byte(t.Arg), t.Size == 0 && t.Data == nil
		}
		return cborwire.Simple8, t.Arg >= 32 && t.Arg <= math.MaxUint8 && t.Data == nil
	}
	if t.Kind > KindBreak {
		return 0, false
	}
	isString := t.Kind == KindBytes || t.Kind == KindText
	major := byte(t.Kind-KindUint) << 5
	if t.Open {
		return major | cborwire.Open, major >= cborwire.Bytes && major <= cborwire.Map && t.Data == nil
	}
	if isString && t.Arg != uint64(len(t.Data)) || !isString && t.Data != nil {
		return 0, false
	}
	size := int(t.Size)
	if need := cborwire.HeadSize(t.Arg) - 1; need > size {
		size = need
	}
	switch size {
	case 0:
		return major | byte(t.Arg), true
	case 1:
		return major | 24, true
	case 2:
		return major | 25, true
	case 4:
		return major | 26, true
	}
	return major | 27, size == 8
}
