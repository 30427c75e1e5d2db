package json

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
)

func TestFormatStream(t *testing.T) {
	var out bytes.Buffer
	enc := Format.NewEncoder(&out, EscapeForHTML(false))
	for _, v := range []any{1, "<", map[string]int{"a": 1}} {
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := enc.Close(); err != nil || out.String() != "1\n\"<\"\n{\"a\":1}\n" {
		t.Fatalf("%q %v", out.String(), err)
	}
	tests := []struct {
		in     string
		values int    // read before the error
		offset int64  // of the error
		want   string // in it; "" for the end
	}{
		{"", 0, 0, ""},
		{" \n", 0, 0, ""},
		{"1 2\n[3]4", 2, 4, "cannot unmarshal array"},
		{"1\n2", 2, 0, ""},
		{"1\n{\"a\":", 1, 7, "json: at /a, offset 7: unexpected end of input"},
		{"1\nx", 1, 2, "at offset 2: invalid character 'x'"},
		{"1\n[2,}", 1, 5, "at offset 5: invalid character '}'"},
		{"1\n\"a\"\n3\n\n", 1, 2, "at offset 2: cannot unmarshal string"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"at once":      strings.NewReader(tt.in),
				"byte by byte": iotest.OneByteReader(strings.NewReader(tt.in)),
			} {
				dec := Format.NewDecoder(r)
				var err error
				n := 0
				for ; err == nil; n++ {
					var v int
					err = dec.Decode(&v)
				}
				if tt.want == "" {
					if err != io.EOF || n-1 != tt.values {
						t.Errorf("%q %s: %d values, %v", tt.in, name, n-1, err)
					}
					continue
				}
				var at *weft.Error
				if n-1 != tt.values || !errors.As(err, &at) || at.Offset != tt.offset || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%q %s: got %v, want offset %d and %q", tt.in, name, err, tt.offset, tt.want)
				}
			}
		})
	}
	// A value that does not fit is skipped.
	dec := Format.NewDecoder(strings.NewReader(`1 "a" 2`))
	var a, b int
	if dec.Decode(&a) != nil || dec.Decode(new(int)) == nil || dec.Decode(&b) != nil || a != 1 || b != 2 {
		t.Error(a, b)
	}
	broken := errors.New("disk on fire")
	if err := Format.NewDecoder(iotest.ErrReader(broken)).Decode(&a); err != broken {
		t.Error(err)
	}
	if dec.Close() != nil || dec.Decode(&a) == nil {
		t.Error("read after Close")
	}
}

func TestFormatStreamElements(t *testing.T) {
	tests := []struct {
		in   string
		want string // the values, one behind the other, and the error
		one  string // the same where the stream must be one array, if it differs
	}{
		{"[]", "EOF", ""},
		{" [ 1 , 2,3 ] ", "1 2 3 EOF", ""},
		{"[1][][2]\n3 [[4]]", "1 2 3 [4] EOF", "1 json: at offset 3: data after the value"},
		{"{\"a\":[1]}", `{"a":[1]} EOF`, "json: at offset 0: the stream must be an array"},
		{"[1,2", "1 json: at offset 4: unexpected end of input", ""}, // a number that may have gone on
		{"[1,2 ", "1 2 json: at offset 5: unexpected end of input", ""},
		{"[1,true", "1 true json: at offset 7: unexpected end of input", ""},
		{"[1,", "1 json: at offset 3: unexpected end of input", ""},
		{"[", "json: at offset 1: unexpected end of input", ""},
		{"[1 2]", "1 json: at offset 3: invalid character '2' after array element", ""},
		{"[1,]", "1 json: at offset 3: invalid character ']' looking for beginning of value", ""},
		{"[,1]", "json: at offset 1: invalid character ',' looking for beginning of value", ""},
		{"[1]]", "1 json: at offset 3: invalid character ']' looking for beginning of value", "1 json: at offset 3: data after the value"},
		{"[1],2", "1 json: at offset 3: invalid character ',' looking for beginning of value", "1 json: at offset 3: data after the value"},
		{"[1,  [2, x]]", "1 json: at /1, offset 9: invalid character 'x' looking for beginning of value", ""},
		{"", "EOF", "json: at offset 0: unexpected end of input"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"at once":      strings.NewReader(tt.in),
				"byte by byte": iotest.OneByteReader(strings.NewReader(tt.in)),
				"one array":    strings.NewReader(tt.in),
			} {
				dec, want := Format.NewDecoder(r), tt.want
				dec.(interface{ Elements() }).Elements()
				if name == "one array" {
					dec, want = Format.NewArrayDecoder(r), cmp.Or(tt.one, tt.want)
				}
				var got []string
				for len(got) < 10 {
					var v RawMessage
					if err := dec.Decode(&v); err != nil {
						got = append(got, err.Error())
						break
					}
					got = append(got, string(v))
				}
				if got := strings.Join(got, " "); got != want {
					t.Errorf("%q %s: got %s, want %s", tt.in, name, got, want)
				}
			}
		})
	}
}
