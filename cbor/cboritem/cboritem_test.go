package cboritem

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
)

// vector is a line of a table of cbor/testdata.
type vector struct {
	at     string // file and line
	marked bool
	b      []byte
	text   string
}

func vectors(t testing.TB, name string) (list []vector) {
	f, err := os.Open("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		code, text, _ := strings.Cut(in.Text(), " ")
		if code == "#" {
			continue
		}
		v := vector{at: fmt.Sprintf("%s:%d", name, n), marked: strings.ContainsAny(code[:1], "*<"), text: text}
		if v.b, err = hex.DecodeString(strings.TrimLeft(code, "*<")); err != nil {
			t.Fatal(v.at, err)
		}
		list = append(list, v)
	}
	if len(list) < 50 {
		t.Fatalf("%s has %d rows", name, len(list))
	}
	return list
}

var indicators = regexp.MustCompile(`_[0-3]`)

// TestDiagnosticAppendixA: the notation of each vector is that of the specification, but for encoding
// indicators and characters that need no escape, and is read as the vector; the specification's is too,
// where it says all.
func TestDiagnosticAppendixA(t *testing.T) {
	escapes := strings.NewReplacer(`\u00fc`, "ü", `\u6c34`, "水", `\ud800\udd51`, "𐅑")
	for _, v := range vectors(t, "appendix_a.txt") {
		text, rest, err := AppendDiagnostic([]byte("x"), append(v.b, 1, 2))
		if err != nil || len(rest) != 2 || indicators.ReplaceAllString(string(text[1:]), "") != escapes.Replace(v.text) {
			t.Errorf("%s: %q %v, want %q", v.at, text, err, v.text)
			continue
		}
		if b, err := ParseDiagnostic(string(text[1:])); err != nil || !bytes.Equal(b, v.b) {
			t.Errorf("%s: %q is read as %x %v", v.at, text, b, err)
		}
		if !v.marked || v.b[0] < 0xf8 {
			if b, err := ParseDiagnostic(v.text); err != nil || !bytes.Equal(b, v.b) {
				t.Errorf("%s: %q is read as %x %v", v.at, v.text, b, err)
			}
		}
	}
}

func TestDiagnosticAppendixF(t *testing.T) {
	for _, v := range vectors(t, "appendix_f.txt") {
		if text, _, err := AppendDiagnostic([]byte("x"), v.b); err == nil || string(text) != "x" {
			t.Errorf("%s: %q %v", v.at, text, err)
		}
	}
}

// TestParse: the extended literals, and invalid notation.
func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"1_0", "1801"},
		{"1_3", "1b0000000000000001"},
		{"-1_1", "390000"},
		{"1_i", "01"},
		{"24_i", "!"},
		{"256_0", "!"},
		{"0x1F", "181f"},
		{"0b101", "05"},
		{"0o17", "0f"},
		{"-0x10", "2f"},
		{"010", "!"},
		{"1.", "f93c00"},
		{"0x1.8p0", "f93e00"},
		{"1.5_2", "fa3fc00000"},
		{"1.5_3", "fb3ff8000000000000"},
		{"1.1_1", "!"},
		{"NaN_2", "fa7fc00000"},
		{"float'7e01'", "f97e01"},
		{"float'7e'", "!"},
		{"1e400", "!"},
		{"-0.0", "f98000"},
		{"1e3", "f963d0"},
		{"-Infinity", "f9fc00"},
		{"-", "!"},
		{"--1", "!"},
		{"1x", "!"},
		{"18446744073709551616", "c249010000000000000000"},
		{"-18446744073709551617", "c349010000000000000000"},
		{"18446744073709551616_3", "!"},
		{"1(0)", "c100"},
		{"1_0(0)", "d80100"},
		{"1 (0)", "!"},
		{"1(0", "!"},
		{"-1(0)", "!"},
		{"1(0,1)", "!"},
		{"'a b'", "43612062"},
		{`'\''`, "4127"},
		{"h'01 /one/ 02 # two\n 03'", "43010203"},
		{"h'0'", "!"},
		{"h'0g'", "!"},
		{"b64'AQID'", "43010203"},
		{"b64'-_8='", "42fbff"},
		{"b32'AEBAG==='", "43010203"},
		{"h32'0410" + "6==='", "43010203"},
		{"<<1, [2]>>", "43018102"},
		{"<<>>", "40"},
		{"<<1", "!"},
		{"<<<<1>>>>", "424101"},
		{`"a" "b"`, "626162"},
		{"h'01' 'a' <<1>>", "43016101"},
		{`"a" h'ff'`, "!"},
		{`"a"_1`, "79000161"},
		{`""_`, "7fff"},
		{"''_", "5fff"},
		{`"a"_`, "!"},
		{`"\u00e9\u{1f600}\ud83d\ude00"`, "6ac3a9f09f9880f09f9880"},
		{`"\ud83d"`, "!"},
		{`"\x"`, "!"},
		{`"`, "!"},
		{`"\`, "!"},
		{`"\u12"`, "!"},
		{"[]", "80"},
		{"[1,]", "8101"},
		{"[_]", "9fff"},
		{"[_1 1]", "99000101"},
		{"[_i 1]", "8101"},
		{"[1 2]", "!"},
		{"[", "!"},
		{"[,]", "!"},
		{"[1", "!"},
		{"{}", "a0"},
		{"{_1 1: 2}", "b900010102"},
		{"{1}", "!"},
		{"{1:}", "!"},
		{"{1:2", "!"},
		{"{[1]: {}}", "a18101a0"},
		{"(_ 'a', h'62')", "5f41614162ff"},
		{"(_ 'a', \"b\")", "!"},
		{"(_ )", "!"},
		{"(_ ''_)", "!"},
		{"(1)", "!"},
		{"simple(32)", "f820"},
		{"simple(0)", "e0"},
		{"simple(24)", "!"},
		{"simple(256)", "!"},
		{"simple", "!"},
		{"simple()", "!"},
		{"dt'1970-01-01T00:00:01Z'", "01"},
		{"DT'1970-01-01T00:00:01.5Z'", "c1f93e00"},
		{"dt'now'", "!"},
		{" /a/ 1 # b", "01"},
		{"/a", "!"},
		{"", "!"},
		{"1 2", "!"},
		{"nul", "!"},
		{"true", "f5"},
		{"undefined", "f7"},
		{"nullx", "!"},
		{strings.Repeat("[", 100000), "!"},
		{strings.Repeat("1(", 100000), "!"},
		{strings.Repeat("9", 100000), "!"},
		{strings.Repeat("<<", 100000), "!"},
	} {
		t.Run(fmt.Sprintf("%.30s", tt.text), func(t *testing.T) {
			b, err := ParseDiagnostic(tt.text)
			if got := hex.EncodeToString(b); tt.want == "!" && err == nil || tt.want != "!" && (err != nil || got != tt.want) {
				t.Errorf("%s %v, want %s", got, err, tt.want)
			}
			if e := (*weft.Error)(nil); err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(tt.text))) {
				t.Error(err)
			}
		})
	}
}

func never() bool { return false }

// copyTokens writes what d has to e, token by token, or a whole item where whole says so.
func copyTokens(e *Encoder, d *Decoder, whole func() bool) error {
	for {
		if k := d.PeekKind(); whole() && k != KindInvalid && k != KindBreak {
			b, err := d.ReadItem()
			if err == nil {
				err = e.WriteItem(b)
			}
			if err != nil {
				return err
			}
			continue
		}
		tok, err := d.ReadToken()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = e.WriteToken(tok)
		}
		if err != nil {
			return err
		}
		if d.StackDepth() != e.StackDepth() || d.InputOffset() != e.OutputOffset() {
			return fmt.Errorf("read %d of depth %d, written %d of depth %d",
				d.InputOffset(), d.StackDepth(), e.OutputOffset(), e.StackDepth())
		}
	}
}

// TestTokensAppendixA: all vectors are a sequence, which is written as it is read.
func TestTokensAppendixA(t *testing.T) {
	var all []byte
	for _, v := range vectors(t, "appendix_a.txt") {
		all = append(all, v.b...)
	}
	ways := map[string]func(io.Reader) io.Reader{
		"at once":      func(r io.Reader) io.Reader { return r },
		"byte by byte": iotest.OneByteReader,
	}
	for name, f := range ways {
		n := 0
		for how, whole := range map[string]func() bool{
			"tokens": never, "items": func() bool { return true }, "both": func() bool { n++; return n%3 == 0 },
		} {
			var out bytes.Buffer
			err := copyTokens(NewEncoder(&out), NewDecoder(f(bytes.NewReader(all))), whole)
			if how == "items" && err == io.EOF {
				err = nil
			}
			if how != "both" && (err != nil || !bytes.Equal(out.Bytes(), all)) {
				t.Errorf("%s %s: %v, %d bytes of %d", name, how, err, out.Len(), len(all))
			}
		}
		d, n := NewDecoder(f(bytes.NewReader(all))), 0
		for ; d.PeekKind() != KindInvalid; n++ {
			if err := d.SkipItem(); err != nil {
				t.Fatal(name, err)
			}
		}
		if want := len(vectors(t, "appendix_a.txt")); n != want {
			t.Errorf("%s: %d items skipped, want %d", name, n, want)
		}
	}
}

// TestTokensAppendixF: no vector is read, whichever way, nor any that is cut off.
func TestTokensAppendixF(t *testing.T) {
	list := vectors(t, "appendix_f.txt")
	for _, v := range vectors(t, "appendix_a.txt") {
		for n := 1; n < len(v.b); n++ {
			list = append(list, vector{at: fmt.Sprint(v.at, " cut off at ", n), marked: true, b: v.b[:n]})
		}
	}
	for _, v := range list {
		for how, read := range map[string]func(d *Decoder) error{
			"tokens": func(d *Decoder) error { return copyTokens(NewEncoder(io.Discard), d, never) },
			"item":   func(d *Decoder) error { _, err := d.ReadItem(); return err },
			"skip":   (*Decoder).SkipItem,
		} {
			err := read(NewDecoder(bytes.NewReader(v.b)))
			if e := (*weft.Error)(nil); !errors.As(err, &e) || errors.Is(err, io.ErrUnexpectedEOF) != v.marked {
				t.Errorf("%s: %s of %x: %v", v.at, how, v.b, err)
			}
		}
		if err := NewEncoder(io.Discard).WriteItem(v.b); err == nil {
			t.Errorf("%s: %x is written", v.at, v.b)
		}
	}
}

// TestEncoderRefuses: tokens that cannot stand where they are written leave the stream unchanged.
func TestEncoderRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tokens []Token
		last   Token
	}{
		{"break at the top", nil, Break},
		{"break in an array", []Token{Array(1)}, Break},
		{"break after a key", []Token{OpenMap, Int(1)}, Break},
		{"break in a tag", []Token{Tag(1)}, Break},
		{"text among bytes", []Token{OpenBytes}, Text("a")},
		{"integer among bytes", []Token{OpenBytes}, Int(1)},
		{"bytes of indefinite length among bytes", []Token{OpenBytes}, OpenBytes},
		{"no kind", nil, Token{}},
		{"length of others", nil, Token{Kind: KindText, Arg: 2, Data: []byte("a")}},
		{"reserved simple value", nil, Token{Kind: KindSimple, Arg: 24, Size: 1}},
		{"float of a byte", nil, Token{Kind: KindFloat, Size: 1}},
		{"open integer", nil, Token{Kind: KindUint, Open: true}},
		{"data of an integer", nil, Token{Kind: KindUint, Data: []byte{}}},
		{"more than memory", nil, Token{Kind: KindArray, Arg: 1 << 63}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := NewEncoder(io.Discard)
			for _, tok := range tt.tokens {
				if err := e.WriteToken(tok); err != nil {
					t.Fatal(err)
				}
			}
			at := e.OutputOffset()
			if err := e.WriteToken(tt.last); err == nil || e.OutputOffset() != at {
				t.Errorf("%v at %d, was at %d", err, e.OutputOffset(), at)
			}
		})
	}
}

func TestToken(t *testing.T) {
	for _, tt := range []struct {
		tok  Token
		want string
	}{
		{Int(-500), "3901f3"},
		{Uint(1 << 40), "1b0000010000000000"},
		{Bytes([]byte{1}), "4101"},
		{Text("ü"), "62c3bc"},
		{Array(24), "9818"},
		{Map(2), "a2"},
		{Tag(55799), "d9d9f7"},
		{Simple(255), "f8ff"},
		{Bool(true), "f5"},
		{Bool(false), "f4"},
		{Null, "f6"},
		{Undefined, "f7"},
		{Float(1.5), "f93e00"},
		{Float(1.1), "fb3ff199999999999a"},
		{OpenMap, "bf"},
		{Break, "ff"},
		{Token{Kind: KindUint, Arg: 1, Size: 4}, "1a00000001"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			b, err := AppendToken(nil, tt.tok)
			if got := hex.EncodeToString(b); got != tt.want || err != nil {
				t.Errorf("%v: %s %v, want %s", tt.tok, got, err, tt.want)
			}
		})
	}
	if v, ok := Int(-500).Int(); v != -500 || !ok {
		t.Error(v, ok)
	}
	if _, ok := Uint(1 << 63).Int(); ok || Float(1.1).Float() != 1.1 || KindBreak.String() != "break" || Kind(99).String() != "invalid" {
		t.Error("token")
	}
}

// TestHostile: a decoder that is fed one byte at a time takes no memory for what is not there.
func TestHostile(t *testing.T) {
	for name, b := range map[string]string{
		"bytes":  "\x5b\x00\x00\x00\x01\x00\x00\x00\x00",
		"array":  "\x9b\x00\x00\x00\x01\x00\x00\x00\x00",
		"arrays": strings.Repeat("\x9f", 1<<20),
		"tags":   strings.Repeat("\xc1", 1<<20),
		"maps":   strings.Repeat("\xbf\x00", 1<<20),
		"chunks": "\x5f" + strings.Repeat("\x40", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			for how, read := range map[string]func(d *Decoder) error{
				"tokens": (*Decoder).SkipItem, "item": func(d *Decoder) error { _, err := d.ReadItem(); return err },
			} {
				if how == "item" && name == "chunks" {
					continue // all of it has arrived
				}
				most := uint64(64 << 10)
				if how == "item" {
					most *= 2 // what has arrived of it is there
				}
				least, err := uint64(math.MaxUint64), error(nil)
				for try := 0; try < 3 && least > most; try++ { // the process allocates beside the call now and then
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					err = read(NewDecoder(iotest.OneByteReader(strings.NewReader(b))))
					runtime.ReadMemStats(&after)
					least = min(least, after.TotalAlloc-before.TotalAlloc)
				}
				if err == nil || least > most {
					t.Errorf("%s of %s: %v, %d bytes allocated", how, name, err, least)
				}
			}
		})
	}
}

// FuzzDiagnostic: what is well-formed and text is written as notation that is read as the same bytes, and
// as tokens that are written as the same bytes.
func FuzzDiagnostic(f *testing.F) {
	for _, v := range append(vectors(f, "appendix_a.txt"), vectors(f, "appendix_f.txt")...) {
		f.Add(v.b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text, rest, err := AppendDiagnostic(nil, b)
		if err != nil {
			return
		}
		b = b[:len(b)-len(rest)]
		again, err := ParseDiagnostic(string(text))
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x is %s, read as %x %v", b, text, again, err)
		}
		var out bytes.Buffer
		err = copyTokens(NewEncoder(&out), NewDecoder(bytes.NewReader(b)), never)
		if err != nil || !bytes.Equal(out.Bytes(), b) {
			t.Fatalf("%x is copied as %x %v", b, out.Bytes(), err)
		}
	})
}

// FuzzParse: no text is more than an error, and what is read is well-formed.
func FuzzParse(f *testing.F) {
	for _, v := range vectors(f, "appendix_a.txt") {
		f.Add(v.text)
	}
	f.Add(`<<1_0, h'0 1', b64'AA' "a" (_ 'b')>>`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseDiagnostic(text)
		if err == nil {
			if err = NewEncoder(io.Discard).WriteItem(b); err != nil {
				t.Fatalf("%q is read as %x: %v", text, b, err)
			}
		}
	})
}
