package jsontext

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
)

// raw returns the token of a text.
func raw(text string) Token {
	t, err := NewDecoder(strings.NewReader(text)).ReadToken()
	if err != nil {
		panic(err)
	}
	return t
}

func TestTokenNumbers(t *testing.T) {
	const none, syntax, ranged = 0, 1, 2
	errs := []error{nil, strconv.ErrSyntax, strconv.ErrRange}
	inf := math.Inf(1)
	for _, row := range []struct {
		tok   Token
		text  string
		f     float64
		ferr  int
		i     int64
		ierr  int
		u     uint64
		uerr  int
		f32   float32
		f32er int
	}{
		{raw("0"), "0", 0, none, 0, none, 0, none, 0, none},
		{raw("-0"), "-0", 0, none, 0, none, 0, syntax, 0, none},
		{raw("12"), "12", 12, none, 12, none, 12, none, 12, none},
		{raw("-12"), "-12", -12, none, -12, none, 0, syntax, -12, none},
		{raw("1.5"), "1.5", 1.5, none, 1, syntax, 1, syntax, 1.5, none},
		{raw("-1.5"), "-1.5", -1.5, none, -1, syntax, 0, syntax, -1.5, none},
		{raw("1e2"), "1e2", 100, none, 100, syntax, 100, syntax, 100, none},
		{raw("1e999"), "1e999", inf, ranged, math.MaxInt64, syntax, math.MaxUint64, syntax, float32(inf), ranged},
		{raw("-1e999"), "-1e999", -inf, ranged, math.MinInt64, syntax, 0, syntax, float32(-inf), ranged},
		{raw("1e39"), "1e39", 1e39, none, math.MaxInt64, syntax, math.MaxUint64, syntax, float32(inf), ranged},
		{raw("9223372036854775807"), "9223372036854775807", 1 << 63, none, math.MaxInt64, none, math.MaxInt64, none, 1 << 63, none},
		{raw("9223372036854775808"), "9223372036854775808", 1 << 63, none, math.MaxInt64, ranged, 1 << 63, none, 1 << 63, none},
		{raw("-9223372036854775808"), "-9223372036854775808", -1 << 63, none, math.MinInt64, none, 0, syntax, -1 << 63, none},
		{raw("-9223372036854775809"), "-9223372036854775809", -1 << 63, none, math.MinInt64, ranged, 0, syntax, -1 << 63, none},
		{raw("18446744073709551615"), "18446744073709551615", 1 << 64, none, math.MaxInt64, ranged, math.MaxUint64, none, 1 << 64, none},
		{raw("18446744073709551616"), "18446744073709551616", 1 << 64, none, math.MaxInt64, ranged, math.MaxUint64, ranged, 1 << 64, none},
		{raw("99999999999999999999999"), "99999999999999999999999", 1e23, none, math.MaxInt64, ranged, math.MaxUint64, ranged, 1e23, none},
		{raw("0.1234567890123456789012345"), "0.1234567890123456789012345", 0.12345678901234568, none, 0, syntax, 0, syntax, 0.12345679, none},
		{Int(-7), "-7", -7, none, -7, none, 0, syntax, -7, none},
		{Uint(math.MaxUint64), "18446744073709551615", 1 << 64, none, math.MaxInt64, ranged, math.MaxUint64, none, 1 << 64, none},
		{Float(2.5), "2.5", 2.5, none, 2, syntax, 2, syntax, 2.5, none},
		{Float(-3), "-3", -3, none, -3, none, 0, syntax, -3, none},
		{Float(1e300), "1e+300", 1e300, none, math.MaxInt64, ranged, math.MaxUint64, ranged, float32(inf), ranged},
		{Float32(0.1), "0.1", float64(float32(0.1)), none, 0, syntax, 0, syntax, 0.1, none},
		{Float32(3), "3", 3, none, 3, none, 3, none, 3, none},
	} {
		t.Run(row.text, func(t *testing.T) {
			if row.tok.Kind() != KindNumber || row.tok.String() != row.text {
				t.Errorf("%v %s", row.tok.Kind(), row.tok)
			}
			if f, err := row.tok.Float(); f != row.f || !errors.Is(err, errs[row.ferr]) {
				t.Errorf("Float %v %v", f, err)
			}
			if f, err := row.tok.Float32(); f != row.f32 || !errors.Is(err, errs[row.f32er]) {
				t.Errorf("Float32 %v %v", f, err)
			}
			if i, err := row.tok.Int(); i != row.i || !errors.Is(err, errs[row.ierr]) {
				t.Errorf("Int %v %v", i, err)
			}
			if u, err := row.tok.Uint(); u != row.u || !errors.Is(err, errs[row.uerr]) {
				t.Errorf("Uint %v %v", u, err)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	for _, row := range []struct {
		tok  Token
		kind Kind
		text string
	}{
		{Token{}, KindInvalid, "<invalid jsontext.Token>"},
		{Null, 'n', "null"}, {True, 't', "true"}, {False, 'f', "false"},
		{Bool(true), 't', "true"}, {Bool(false), 'f', "false"},
		{BeginObject, '{', "{"}, {EndObject, '}', "}"}, {BeginArray, '[', "["}, {EndArray, ']', "]"},
		{String(""), '"', ""}, {String("a\n"), '"', "a\n"}, {raw(`"a\n"`), '"', "a\n"}, {raw(`"é"`), '"', "é"},
		{Float(math.NaN()), '"', "NaN"}, {Float(math.Inf(1)), '"', "Infinity"}, {Float32(float32(math.Inf(-1))), '"', "-Infinity"},
	} {
		t.Run(row.text, func(t *testing.T) {
			for _, tok := range []Token{row.tok, row.tok.Clone()} {
				if tok.Kind() != row.kind || tok.String() != row.text {
					t.Errorf("%v %q, want %v %q", tok.Kind(), tok.String(), row.kind, row.text)
				}
			}
		})
	}
	if !True.Bool() || False.Bool() {
		t.Error("bool")
	}
	if f, err := raw(`"-Infinity"`).Float(); err != nil || !math.IsInf(f, -1) {
		t.Error(f, err)
	}
	for _, text := range []string{"01", "-01", "007"} { // values one right after the other
		tok, err := NewDecoder(strings.NewReader(text)).ReadToken()
		f, ferr := tok.Float()
		f32, ferr32 := tok.Float32()
		if err != nil || ferr != nil || ferr32 != nil || f != 0 || f32 != 0 || math.Signbit(f) != (text[0] == '-') {
			t.Errorf("%s begins with %v %v, %v %v %v", text, f, f32, err, ferr, ferr32)
		}
	}
	for i, misuse := range []func(){
		func() { Null.Bool() }, func() { Null.Int() }, func() { String("1").Uint() }, func() { True.Float() },
		func() { String("x").Float() }, func() { AppendFloat(nil, 1, 16) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("misuse", i)
				}
			}()
			misuse()
		}()
	}
	if k := Kind('x'); k.String() != "<invalid jsontext.Kind: 'x'>" || KindNumber.String() != "number" || KindInvalid.String() != "invalid" {
		t.Error(k)
	}
	if s := string(AppendFloat(AppendFloat(AppendFloat(nil, math.Copysign(0, -1), 64), 0.1, 32), math.NaN(), 64)); s != `-00.1"NaN"` {
		t.Error(s)
	}
}

func TestPointer(t *testing.T) {
	for _, row := range []struct {
		p      Pointer
		valid  bool
		parent Pointer
		last   string
		tokens string
	}{
		{"", true, "", "", ""},
		{"/", true, "", "", "|"},
		{"/a", true, "", "a", "a|"},
		{"/a/b", true, "/a", "b", "a|b|"},
		{"/a/", true, "/a", "", "a||"},
		{"/a~1b/~0~01", true, "/a~1b", "~~1", "a/b|~~1|"},
		{"/~2", false, "", "~2", "~2|"},
		{"/~", false, "", "~", "~|"},
		{"a", false, "", "a", "a|"},
		{"/\xff", false, "", "\xff", "\xff|"},
	} {
		t.Run(string(row.p), func(t *testing.T) {
			var tokens string
			for tok := range row.p.Tokens() {
				tokens += tok + "|"
			}
			if row.p.IsValid() != row.valid || row.p.Parent() != row.parent || row.p.LastToken() != row.last || tokens != row.tokens {
				t.Errorf("%v %q %q %q", row.p.IsValid(), row.p.Parent(), row.p.LastToken(), tokens)
			}
			if row.valid && row.p != "" && row.parent.AppendToken(row.last) != row.p {
				t.Errorf("appended %q", row.parent.AppendToken(row.last))
			}
		})
	}
	for range Pointer("/a/b").Tokens() {
		break
	}
	for _, row := range []struct {
		p, q Pointer
		want bool
	}{{"", "", true}, {"", "/a", true}, {"/a", "/a", true}, {"/a", "/a/b", true}, {"/a", "/ab", false}, {"/a/b", "/a", false}} {
		t.Run(string(row.p+" in "+row.q), func(t *testing.T) {
			if row.p.Contains(row.q) != row.want {
				t.Errorf("%q contains %q: %v", row.p, row.q, !row.want)
			}
		})
	}
}
