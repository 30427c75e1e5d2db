package jsontext

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestWrite writes every text of the table that is valid, token by token and value by value, as it is
// read, and wants the text of Format.
func TestWrite(t *testing.T) {
	opts := [][]Options{
		nil,
		{SpaceAfterColon(true), SpaceAfterComma(true)},
		{WithIndent("  "), WithIndentPrefix("\t")},
		{EscapeForHTML(true), EscapeForJS(true)},
		{PreserveRawStrings(true)},
		{CanonicalizeRawInts(true), CanonicalizeRawFloats(true)},
		{AllowDuplicateNames(true), AllowInvalidUTF8(true)},
		{AllowDuplicateNames(true), AllowInvalidUTF8(true), PreserveRawStrings(true), Multiline(true)},
	}
	for _, row := range texts {
		for i, o := range opts {
			want := Value(row.text)
			if want.Format(o...) != nil {
				continue
			}
			for _, values := range []bool{false, true} {
				var b bytes.Buffer
				d, e := NewDecoder(strings.NewReader(row.text), o...), NewEncoder(&b, o...)
				for n := 0; ; n++ {
					var err error
					if k := d.PeekKind(); values && n > 0 && k != KindEndObject && k != KindEndArray {
						var v Value
						if v, err = d.ReadValue(); err == nil {
							err = e.WriteValue(v)
						}
					} else {
						var tok Token
						if tok, err = d.ReadToken(); err == nil {
							err = e.WriteToken(tok)
						}
					}
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatalf("%s: %v", row.at(), err)
					}
					if a, b := d.StackPointer(), e.StackPointer(); a != b {
						t.Fatalf("%s: pointer %q, want %q", row.at(), b, a)
					}
					if a, b := d.StackDepth(), e.StackDepth(); a != b {
						t.Fatalf("%s: depth %d, want %d", row.at(), b, a)
					}
				}
				if got := b.String(); got != string(want)+"\n" {
					t.Fatalf("%s: options %d, values %v:\n got %q\nwant %q", row.at(), i, values, got, want)
				}
				if e.OutputOffset() != int64(b.Len()) {
					t.Fatalf("%s: offset %d of %d", row.at(), e.OutputOffset(), b.Len())
				}
			}
		}
	}
}

func TestWriteErrors(t *testing.T) {
	s := String
	v := func(text string) Value { return Value(text) }
	for _, row := range []struct {
		name  string
		steps []any // tokens and values; the last one fails
		want  string
		after string // what can still be written
	}{
		{"end of nothing", []any{EndArray}, "jsontext: mismatching structural token for object or array", ""},
		{"wrong end", []any{BeginArray, Null, EndObject},
			`jsontext: mismatching structural token for object or array within "/1" after offset 5`, "[null"},
		{"name is not a string", []any{BeginObject, Int(1)}, "jsontext: object member name must be a string after offset 1", "{"},
		{"name is an array", []any{BeginObject, BeginArray}, "jsontext: object member name must be a string after offset 1", "{"},
		{"name is null", []any{BeginObject, v("null")}, "jsontext: object member name must be a string after offset 1", "{"},
		{"no value", []any{BeginObject, s("a"), EndObject}, `jsontext: missing value after object name within "/a" after offset 5`, `{"a"`},
		{"duplicate", []any{BeginObject, s("a"), Null, s("a")}, `jsontext: duplicate object member name "a"`, `{"a":null`},
		{"duplicate value", []any{BeginObject, s("a"), Null, v(`"\u0061"`)}, `jsontext: duplicate object member name "a"`, `{"a":null`},
		{"duplicate within", []any{BeginArray, v(`{"b":{"a":1,"a":2}}`)}, `jsontext: duplicate object member name "a" within "/0/b"`, "["},
		{"not UTF-8", []any{BeginArray, s("a\xff")}, `jsontext: invalid UTF-8 within "/0" after offset 1`, "["},
		{"no token", []any{Token{}}, "jsontext: invalid jsontext.Token", ""},
		{"empty value", []any{v("")}, "jsontext: unexpected EOF", ""},
		{"space", []any{BeginArray, v("  ")}, `jsontext: unexpected EOF within "/0" after offset 3`, "["},
		{"two values", []any{BeginArray, True, v("1 2")},
			"jsontext: invalid character '2' after top-level value within \"/1\" after offset 8", "[true"},
		{"bad value", []any{BeginObject, s("a"), v(`[1,{"b":x}]`)},
			`jsontext: invalid character 'x' at start of value within "/a/1/b" after offset 13`, `{"a"`},
		{"cut number", []any{v("-0.5e+")}, "jsontext: unexpected EOF after offset 4", ""},
		{"cut number in an array", []any{v("[1,2.")}, `jsontext: unexpected EOF within "/1" after offset 4`, ""},
		{"cut sign", []any{BeginArray, v("-")}, `jsontext: unexpected EOF within "/0" after offset 1`, "["},
		{"no comma", []any{v("[1 2]")}, "jsontext: invalid character '2' after array value (expecting ',' or ']') after offset 3", ""},
		{"cut value", []any{v(`{"a":[`)}, `jsontext: unexpected EOF within "/a" after offset 6`, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var b bytes.Buffer
			e := NewEncoder(&b)
			var err error
			for i, step := range row.steps {
				if tok, ok := step.(Token); ok {
					err = e.WriteToken(tok)
				} else {
					err = e.WriteValue(step.(Value))
				}
				if err != nil && i < len(row.steps)-1 {
					t.Fatalf("step %d: %v", i, err)
				}
			}
			if err == nil || err.Error() != row.want {
				t.Errorf("%s:\n got %v\nwant %s", row.name, err, row.want)
				if err == nil {
					return
				}
			}
			if se := new(SyntacticError); !errors.As(err, &se) || errors.Unwrap(se) == nil {
				t.Errorf("%T", err)
			}
			if string(e.buf) != row.after {
				t.Errorf("%q is written, want %q", e.buf, row.after)
			}
		})
	}
}

// fails is a writer that fails once, after n bytes.
type fails struct {
	b    bytes.Buffer
	n    int
	done bool
}

func (w *fails) Write(p []byte) (int, error) {
	if !w.done && w.n < len(p) {
		w.done = true
		w.b.Write(p[:w.n])
		return w.n, errStop
	}
	w.n -= len(p)
	return w.b.Write(p)
}

// TestWriterFails fails the writer at every byte: the error is reported, and nothing is lost.
func TestWriterFails(t *testing.T) {
	values := []string{`{"a":[1,2]}`, `"b"`, `[]`, `{"long":"` + strings.Repeat("x", gather) + `"}`, `3`}
	want := strings.Join(values, "\n") + "\n"
	step := 1
	for n := 0; n < len(want); n += step {
		if n > 100 {
			step = 1009
		}
		w := &fails{n: n}
		e := NewEncoder(w)
		failed := 0
		for _, v := range values {
			if err := e.WriteValue(Value(v)); errors.Is(err, errStop) {
				if err.Error() != "jsontext: write error: stop" {
					t.Fatal(err)
				}
				failed++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if n >= len(want)-2 { // the last value failed
			continue
		}
		if failed != 1 || w.b.String() != want {
			t.Fatalf("failed at %d, %d times: %.100q", n, failed, w.b.String())
		}
	}
	for _, n := range []int{-1, 1, 100} {
		e := NewEncoder(writerFunc(func(p []byte) (int, error) { return n, nil }))
		if err := e.WriteToken(True); err == nil {
			t.Errorf("no error for a writer that says it wrote %d of 5", n)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestWriteMuch writes a long top-level value: it must not gather.
func TestWriteMuch(t *testing.T) {
	for _, dups := range []bool{false, true} {
		var out bytes.Buffer
		e := NewEncoder(&out, AllowDuplicateNames(dups))
		e.WriteToken(BeginObject)
		e.WriteToken(String("outer/~"))
		e.WriteToken(BeginArray)
		for i := range 20000 {
			e.WriteToken(BeginObject)
			e.WriteToken(String("index"))
			e.WriteToken(Int(int64(i)))
			if err := e.WriteToken(EndObject); err != nil {
				t.Fatal(err)
			}
		}
		if cap(e.buf) > 3*gather {
			t.Errorf("%d bytes are gathered", cap(e.buf))
		}
		if p := e.StackPointer(); p != "/outer~1~0/19999" {
			t.Error(p)
		}
		e.WriteToken(EndArray)
		if err := e.WriteToken(String("outer/~")); (err == nil) != dups {
			t.Error(err)
		}
		if !dups {
			e.WriteToken(EndObject)
			if !Value(out.Bytes()).IsValid() {
				t.Error("not valid")
			}
		}
	}
}

func TestAvailableBuffer(t *testing.T) {
	var b strings.Builder
	e := NewEncoder(&b)
	for range 3 {
		v := append(e.AvailableBuffer(), `["`...)
		v = append(v, strings.Repeat("x", 100)...)
		if err := e.WriteValue(append(v, `"]`...)); err != nil {
			t.Fatal(err)
		}
	}
	if b.Len() != 3*105 {
		t.Error(b.Len())
	}
}

func TestSequence(t *testing.T) {
	var b bytes.Buffer
	e := NewEncoder(&b, TextSequence(true))
	e.WriteValue(Value(`{"a":1}`))
	e.WriteToken(BeginArray)
	e.WriteToken(EndArray)
	e.WriteToken(Int(3))
	if want := "\x1e{\"a\":1}\n\x1e[]\n\x1e3\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	for _, row := range []struct{ text, want string }{
		{b.String(), `{"a":1} [] 3 EOF`},
		{"\x1e\x1e 1\n\x1e\n\x1e2 ", "1 2 EOF"},
		{"\x1e[1]\x1e[2]", "[1] [2] EOF"},
		{"\x1e{\"a\":\x1e{\"b\":2}\n\x1etru\x1e3\n", `bad {"b":2} bad 3 EOF`},
		{"\x1e12\x1e13\n", "bad 13 EOF"},
		{"\x1etrue", "bad EOF"},
		{"1\n\x1e2\n", "1 2 EOF"},
	} {
		t.Run(row.text, func(t *testing.T) {
			for _, tokens := range []bool{false, true} {
				d := NewDecoder(strings.NewReader(row.text), TextSequence(true))
				var got []string
				for {
					if tokens && d.PeekKind() == '"' {
						t.Fatal("a string")
					}
					v, err := d.ReadValue()
					if err == io.EOF {
						got = append(got, "EOF")
						break
					}
					if err != nil {
						got = append(got, "bad")
						if d.Resync(RecordSeparator) == io.EOF {
							got = append(got, "EOF")
							break
						}
						continue
					}
					got = append(got, v.String())
				}
				if s := strings.Join(got, " "); s != row.want {
					t.Errorf("%s, want %s", s, row.want)
				}
			}
		})
	}
	d := NewDecoder(strings.NewReader("{\"a\":1}\n{\"a\":}\n{\"a\":3}\n"))
	var good int
	for {
		_, err := d.ReadValue()
		if err == io.EOF {
			break
		} else if err == nil {
			good++
		} else if err = d.Resync('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if good != 2 {
		t.Error(good)
	}
	if _, err := NewDecoder(strings.NewReader("\x1e1\n")).ReadToken(); err == nil {
		t.Error("a separator without the option")
	}
}
