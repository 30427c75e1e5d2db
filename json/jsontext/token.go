package jsontext

import (
	"github.com/weftcodec/weft/internal/wire"
)

// Token is a token of JSON: a literal, a string, a number, or a bracket that begins or ends an array
// or an object. Tokens that a [Decoder] returns refer to its memory and are invalid after the next call that peeks,
// reads or skips; using one then panics. See [Token.Clone]. The zero value is not a token.
type Token struct {
	_ [0]func() // not comparable

	// No more fields and no larger, so that it is kept in registers.
	raw *place // of a string that was read, and of a number: where the text is, or which form it has
	str string // of a string that was not read
	num uint64 // of a number that was not read, its bits; else kind, notPlain and the offset of a text that was read
}

// What num holds besides an offset.
const (
	kindAt   = 56
	notPlain = 1 << (kindAt - 1) // the string does not stand for itself
	offsets  = notPlain - 1
)

// form is how a token that is a string or a number is kept.
type form uint8

const (
	formRaw form = iota // as text
	formInt
	formUint
	formFloat32
	formFloat64
)

// numbers are what Token.raw is of numbers that were not read.
var numbers = [...]place{{}, {form: formInt}, {form: formUint}, {form: formFloat32}, {form: formFloat64}}

// number returns a token that is a number with these bits.
func number(f form, bits uint64) Token { return Token{raw: &numbers[f], num: bits} }

// bare returns a token without a value.
func bare(k Kind) Token { return Token{num: uint64(k) << kindAt} }

// Tokens without a value.
var (
	Null  = bare(KindNull)
	False = bare(KindFalse)
	True  = bare(KindTrue)

	BeginObject = bare(KindBeginObject)
	EndObject   = bare(KindEndObject)
	BeginArray  = bare(KindBeginArray)
	EndArray    = bare(KindEndArray)
)

// Bool returns the token true or false.
func Bool(b bool) Token {
	if b {
		return bare(KindTrue)
	}
	return bare(KindFalse)
}

// String returns a token that is a string. An encoder rejects a string that is not UTF-8 unless [AllowInvalidUTF8] is
// set.
func String(s string) Token { return Token{str: s, num: uint64(KindString) << kindAt} }

// Kind returns the kind of the token.
func (t Token) Kind() Kind {
	if t.raw != nil && t.raw.form != formRaw {
		return KindNumber
	}
	return Kind(t.num >> kindAt)
}

// Clone returns a token that stays valid. It copies only tokens that a [Decoder] returned.
func (t Token) Clone() Token {
	if t.raw != nil && t.raw.form == formRaw {
		text := append(make([]byte, 0, len(t.text())+8), t.text()...) // see parseFloat
		t.raw = &place{buf: text, end: len(text)}
		t.num &^= offsets
	}
	return t
}

// text returns the text of a raw token.
func (t Token) text() []byte {
	w := t.raw
	if uint64(w.base+int64(w.start)) != t.num&offsets {
		panic("jsontext: token used after the next call of its Decoder")
	}
	return w.buf[w.start:w.end]
}

// Bool returns the value of true or false. It panics on other tokens.
func (t Token) Bool() bool {
	k := t.Kind()
	if k != KindTrue && k != KindFalse {
		t.misused()
	}
	return k == KindTrue
}

func (t Token) misused() { panic("jsontext: invalid token kind: " + t.Kind().String()) }

// String returns the value of a string, and the text of any other token.
func (t Token) String() string {
	// Kept small so that it is inlined: no copy is made for a caller who does not keep the string.
	s, b := t.content()
	if b != nil {
		return string(b)
	}
	return s
}

// content returns the value of a string, or the text of another token, as a string or as bytes.
func (t Token) content() (string, []byte) {
	switch k := t.Kind(); {
	case t.raw == nil && k == KindString:
		return t.str, nil
	case t.raw == nil && k == KindInvalid:
		return "<invalid jsontext.Token>", nil
	case t.raw == nil:
		return k.String(), nil
	case t.raw.form != formRaw:
		return "", t.appendNumber(nil)
	case k == KindNumber:
		return "", t.text()
	}
	b := t.text()
	b = b[1 : len(b)-1]
	if t.num&notPlain != 0 {
		b, _ = appendUnquoted(make([]byte, 0, len(b)), b)
	}
	return "", b
}

// appendNumber appends a number that is not raw.
func (t Token) appendNumber(b []byte) []byte {
	switch t.raw.form {
	case formInt:
		return wire.AppendInt(b, int64(t.num))
	case formUint:
		return wire.AppendUint(b, t.num)
	case formFloat32:
		return wire.AppendFloat32(b, t.float32())
	}
	return wire.AppendFloat64(b, t.float64())
}
