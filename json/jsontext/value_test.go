package jsontext

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"
)

// The numbers of RFC 8785, appendix B.
func TestCanonicalNumbers(t *testing.T) {
	for _, row := range []struct {
		bits uint64
		want string
	}{
		{0x0000000000000000, "0"},
		{0x8000000000000000, "0"},
		{0x0000000000000001, "5e-324"},
		{0x8000000000000001, "-5e-324"},
		{0x7fefffffffffffff, "1.7976931348623157e+308"},
		{0xffefffffffffffff, "-1.7976931348623157e+308"},
		{0x4340000000000000, "9007199254740992"},
		{0xc340000000000000, "-9007199254740992"},
		{0x4430000000000000, "295147905179352830000"},
		{0x44b52d02c7e14af5, "9.999999999999997e+22"},
		{0x44b52d02c7e14af6, "1e+23"},
		{0x44b52d02c7e14af7, "1.0000000000000001e+23"},
		{0x444b1ae4d6e2ef4e, "999999999999999700000"},
		{0x444b1ae4d6e2ef4f, "999999999999999900000"},
		{0x444b1ae4d6e2ef50, "1e+21"},
		{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
		{0x3eb0c6f7a0b5ed8d, "0.000001"},
		{0x41b3de4355555553, "333333333.3333332"},
		{0x41b3de4355555554, "333333333.33333325"},
		{0x41b3de4355555555, "333333333.3333333"},
		{0x41b3de4355555556, "333333333.3333334"},
		{0x41b3de4355555557, "333333333.33333343"},
		{0xbecbf647612f3696, "-0.0000033333333333333333"},
		{0x43143ff3c1cb0959, "1424953923781206.2"},
	} {
		t.Run(row.want, func(t *testing.T) {
			f := math.Float64frombits(row.bits)
			v := Value(AppendFloat(nil, f, 64))
			if err := v.Canonicalize(); err != nil || string(v) != row.want {
				t.Errorf("%x: %s %v, want %s", row.bits, v, err, row.want)
			}
			if f != 0 && Float(f).String() != row.want {
				t.Errorf("%x: %s, want %s", row.bits, Float(f), row.want)
			}
		})
	}
}

// The examples of RFC 8785 §3.2, and what the options change in them.
func TestCanonicalize(t *testing.T) {
	for _, row := range []struct {
		in, want string
		opts     []Options
	}{
		{in: `{
			"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			"literals": [null, true, false]
		}`, want: `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{in: `{"\u20ac": "Euro Sign","\r": "Carriage Return","\ufb33": "Hebrew Letter Dalet With Dagesh","1": "One",
			"\ud83d\ude00": "Emoji: Grinning Face","\u0080": "Control","\u00f6": "Latin Small Letter O With Diaeresis"}`,
			want: `{"\r":"Carriage Return","1":"One","` + "\u0080" +
				`":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","` +
				"\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`},
		{in: `[1e999,-1e999,-0,-0.0,12345678901234567890,1.0]`,
			want: `[1.7976931348623157e+308,-1.7976931348623157e+308,0,0,12345678901234567000,1]`},
		{in: `[12345678901234567890]`, want: `[12345678901234567890]`, opts: []Options{CanonicalizeRawInts(false)}},
		{in: `{"b":{"d":1,"c":2},"a":[{"z":1,"y":2}]}`, want: `{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}`},
		{in: `{"b":{"d":1,"c":[]},"a":{}}`, want: "{\n \"a\": {},\n \"b\": {\n  \"c\": [],\n  \"d\": 1\n }\n}", opts: []Options{WithIndent(" ")}},
		{in: `{"b":1,"a":2}`, want: `{"a":2, "b":1}`, opts: []Options{SpaceAfterComma(true)}},
		{in: `{"a":2,"b":1,"a":1}`, want: `{"a":1,"a":2,"b":1}`, opts: []Options{AllowDuplicateNames(true)}},
	} {
		t.Run(fmt.Sprintf("%.40s", row.in), func(t *testing.T) {
			v := Value(row.in)
			if err := v.Canonicalize(row.opts...); err != nil || string(v) != row.want {
				t.Errorf("%s:\n got %s %v\nwant %s", row.in, v, err, row.want)
			}
			if err := v.Canonicalize(row.opts...); err != nil || string(v) != row.want {
				t.Errorf("again: %s %v, want %s", v, err, row.want)
			}
			opts := []Options{CanonicalizeRawInts(true), CanonicalizeRawFloats(true), ReorderRawObjects(true)}
			if b, err := AppendFormat([]byte("x"), row.in, append(opts, row.opts...)...); err != nil || string(b) != "x"+row.want {
				t.Errorf("append: %s %v, want %s", b, err, row.want)
			}
		})
	}
	v := Value(`{"a":1,"a":2}`)
	if err := v.Canonicalize(); !errors.Is(err, ErrDuplicateName) || string(v) != `{"a":1,"a":2}` {
		t.Error(v, err)
	}
	if b, err := AppendFormat([]byte("x"), "[1,]"); err == nil || string(b) != "x[1,]" {
		t.Error(b, err)
	}
}

// TestCompareUTF16 compares characters at the borders with what UTF-16 says.
func TestCompareUTF16(t *testing.T) {
	runes := []rune{0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfb33, 0xffff, 0x10000, 0x1f600, 0x10ffff}
	for _, a := range runes {
		for _, b := range runes {
			x, y := "é"+string(a)+"b", "é"+string(b)
			ux, uy := utf16.Encode([]rune(x)), utf16.Encode([]rune(y))
			want := 0
			for i := 0; want == 0 && i < min(len(ux), len(uy)); i++ {
				want = int(ux[i]) - int(uy[i])
			}
			if want == 0 {
				want = len(ux) - len(uy)
			}
			if got := compareUTF16([]byte(x), []byte(y)); (got < 0) != (want < 0) || (got > 0) != (want > 0) {
				t.Errorf("%U %U: %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestFormat(t *testing.T) {
	for _, row := range []struct {
		in, want string
		opts     []Options
	}{
		{in: " [ 1 , 2 ] ", want: "[1,2]"},
		{in: `"\u0041\/\u003c"`, want: `"A/<"`},
		{in: `"\u0041<&>"`, want: `"A\u003c\u0026\u003e"`, opts: []Options{EscapeForHTML(true)}},
		{in: `"\u0041<\u2028"`, want: `"\u0041\u003c\u2028"`, opts: []Options{EscapeForHTML(true), PreserveRawStrings(true)}},
		{in: "\"\u2028\"", want: `"\u2028"`, opts: []Options{EscapeForJS(true)}},
		{in: "\"\u2029\"", want: "\"\u2029\""},
		{in: "{\"<\":\"\u2028\"}", want: `{"\u003c":"\u2028"}`,
			opts: []Options{EscapeForHTML(true), EscapeForJS(true), PreserveRawStrings(true)}},
		{in: "\"\xff\"", want: "\"\ufffd\"", opts: []Options{AllowInvalidUTF8(true)}},
		{in: "\"\xff\"", want: "\"\xff\"", opts: []Options{AllowInvalidUTF8(true), PreserveRawStrings(true)}},
		{in: `"\ud800x"`, want: "\"\ufffdx\"", opts: []Options{AllowInvalidUTF8(true)}},
		{in: `{"a":[1,{}],"b":[]}`, want: "{\n\t\"a\": [\n\t\t1,\n\t\t{}\n\t],\n\t\"b\": []\n}", opts: []Options{Multiline(true)}},
		{in: `{"a":1}`, want: "{\n..\"a\":1\n.}", opts: []Options{WithIndent(" "), WithIndentPrefix("\t"), SpaceAfterColon(false)}},
		{in: `{"a":1}`, want: `{"a":1}`, opts: []Options{WithIndent(" "), Multiline(false)}},
		{in: `{"a":[1,2]}`, want: `{"a": [1, 2]}`, opts: []Options{SpaceAfterColon(true), SpaceAfterComma(true)}},
	} {
		t.Run(row.in, func(t *testing.T) {
			v := Value(row.in)
			want := row.want
			if strings.Contains(want, "\n.") {
				want = strings.ReplaceAll(strings.ReplaceAll(want, "\n..", "\n\t "), "\n.", "\n\t")
			}
			if err := v.Format(row.opts...); err != nil || string(v) != want {
				t.Errorf("%q %v, want %q", v, err, want)
			}
		})
	}
	v := Value(`{"a": "\u0041", "a": 1e5}`)
	if err := v.Compact(); err != nil || string(v) != `{"a":"\u0041","a":1e5}` {
		t.Error(v, err)
	}
	if err := v.Indent(WithIndent("  ")); err != nil || string(v) != "{\n  \"a\": \"\\u0041\",\n  \"a\": 1e5\n}" {
		t.Error(v, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("an indent that is not a space was taken")
		}
	}()
	WithIndent("x")
}

func TestValue(t *testing.T) {
	var none Value
	if b, err := none.MarshalJSON(); err != nil || string(b) != "null" || none.String() != "null" || none.Kind() != KindInvalid {
		t.Error(b, err)
	}
	v := Value(" [1]")
	if b, err := v.MarshalJSON(); err != nil || string(b) != " [1]" || v.Kind() != KindBeginArray {
		t.Error(b, err)
	}
	c := v.Clone()
	if err := v.UnmarshalJSON([]byte("2")); err != nil || string(v) != "2" || string(c) != " [1]" {
		t.Error(v, c, err)
	}
	if err := (*Value)(nil).UnmarshalJSON(nil); err == nil {
		t.Error("no error for nil")
	}
}

func TestQuote(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"", `""`},
		{"a\"\\/\b\f\n\r\t\x00\x1f\x7f", `"a\"\\/\b\f\n\r\t\u0000\u001f` + "\x7f\""},
		{"é€😀<&>\u2028", "\"é€😀<&>\u2028\""},
		{strings.Repeat("\x01", 100), `"` + strings.Repeat(`\u0001`, 100) + `"`},
		{strings.Repeat("x", 100) + "\n" + strings.Repeat("é", 100), `"` + strings.Repeat("x", 100) + `\n` + strings.Repeat("é", 100) + `"`},
	} {
		t.Run(row.in, func(t *testing.T) {
			b, err := AppendQuote([]byte("="), row.in)
			if err != nil || string(b) != "="+row.want {
				t.Errorf("%q: %s %v, want %s", row.in, b, err, row.want)
			}
			type bytes []byte
			if b, err := AppendQuote(nil, bytes(row.in)); err != nil || string(b) != row.want {
				t.Errorf("%q: %s %v, want %s", row.in, b, err, row.want)
			}
			if b, err := AppendUnquote([]byte("="), row.want); err != nil || string(b) != "="+row.in {
				t.Errorf("%s: %q %v, want %q", row.want, b, err, row.in)
			}
		})
	}
	if b, err := AppendQuote(nil, "a\xffb"); err == nil || string(b) != "\"a\ufffdb\"" {
		t.Errorf("%q %v", b, err)
	}
	for _, row := range []struct{ in, want, err string }{
		{``, "", "unexpected EOF"},
		{`x`, "", "invalid character 'x' at start of string (expecting '\"')"},
		{`"a`, "a", "unexpected EOF"},
		{`"a"x`, "a", "invalid character 'x' after string value"},
		{`"a\`, "a", "unexpected EOF"},
		{`"a\x"`, "a", "invalid escape sequence `\\x` in string"},
		{`"\u12`, "", "unexpected EOF"},
		{`"\ud83d\u0041"`, "\ufffdA", "invalid surrogate pair `\\ud83d\\u0041` in string"},
		{"\"a\xffb\"", "a\ufffdb", "invalid UTF-8"},
		{"\"a\nb\"", "a", `invalid character '\n' in string (expecting non-control character)`},
	} {
		t.Run(row.in, func(t *testing.T) {
			b, err := AppendUnquote(nil, row.in)
			if err == nil || err.Error() != "jsontext: "+row.err || string(b) != row.want {
				t.Errorf("%q %v, want %q %s", b, err, row.want, row.err)
			}
		})
	}
}
