package jsontext

import (
	"github.com/weftcodec/weft/internal/wire"
)

// Token is a token of JSON: a literal, a string, a number, or a bracket that begins or ends an array
// or an object. Tokens that a [Decoder] returns refer to its memory and are invalid after the next call that peeks,
// reads or skips; using one then panics. See [Token.Clone]. The zero value is not a token.
type Token struct {
	_ [0]func() // not comparable

	kind  Kind
	form  form
	plain bool   // of formRaw: the string stands for itself
	raw   *place // of formRaw: where the text is
	str   string // of formString
	num   uint64 // of formRaw: the offset of the text in the stream; else the bits of the number
}

// form is how a token that is a string or a number is kept.
type form uint8

const (
	formNone form = iota // no string or number
	formRaw              // as text
	formString
	formInt
	formUint
	formFloat32
	formFloat64
)

// Tokens without a value.
var (
	Null  = Token{kind: KindNull}
	False = Token{kind: KindFalse}
	True  = Token{kind: KindTrue}

	BeginObject = Token{kind: KindBeginObject}
	EndObject   = Token{kind: KindEndObject}
	BeginArray  = Token{kind: KindBeginArray}
	EndArray    = Token{kind: KindEndArray}
)

// Bool returns the token true or false.
func Bool(b bool) Token {
	if b {
		return Token{kind: KindTrue}
	}
	return Token{kind: KindFalse}
}

// String returns a token that is a string. An encoder rejects a string that is not UTF-8 unless [AllowInvalidUTF8] is
// set.
func String(s string) Token { return Token{kind: KindString, form: formString, str: s} }

// Kind returns the kind of the token.
func (t Token) Kind() Kind { return t.kind }

// Clone returns a token that stays valid. It copies only tokens that a [Decoder] returned.
func (t Token) Clone() Token {
	if t.form == formRaw {
		text := append(make([]byte, 0, len(t.text())+8), t.text()...) // see parseFloat
		t.raw = &place{buf: text, end: len(text)}
		t.num = 0
	}
	return t
}

// text returns the text of a raw token.
func (t Token) text() []byte {
	w := t.raw
	if uint64(w.base+int64(w.start)) != t.num {
		panic("jsontext: token used after the next call of its Decoder")
	}
	return w.buf[w.start:w.end]
}

// Bool returns the value of true or false. It panics on other tokens.
func (t Token) Bool() bool {
	if t.kind != KindTrue && t.kind != KindFalse {
		t.misused()
	}
	return t.kind == KindTrue
}

func (t Token) misused() { panic("jsontext: invalid token kind: " + t.kind.String()) }

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
	switch t.form {
	case formRaw:
		b := t.text()
		if t.kind != KindString {
			return "", b
		}
		b = b[1 : len(b)-1]
		if !t.plain {
			b, _ = appendUnquoted(make([]byte, 0, len(b)), b)
		}
		return "", b
	case formString:
		return t.str, nil
	case formNone:
		if t.kind == KindInvalid {
			return "<invalid jsontext.Token>", nil
		}
		return t.kind.String(), nil
	}
	return "", t.appendNumber(nil)
}

// appendNumber appends a number that is not raw.
func (t Token) appendNumber(b []byte) []byte {
	switch t.form {
	case formInt:
		return wire.AppendInt(b, int64(t.num))
	case formUint:
		return wire.AppendUint(b, t.num)
	case formFloat32:
		return wire.AppendFloat32(b, t.float32())
	}
	return wire.AppendFloat64(b, t.float64())
}
