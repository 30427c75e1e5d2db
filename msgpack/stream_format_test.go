package msgpack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestFormatStream(t *testing.T) {
	var out bytes.Buffer
	enc := Format.NewEncoder(&out)
	for i := range 3 {
		if err := enc.Encode(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := enc.Close(); err != nil || out.String() != "\x00\x01\x02" {
		t.Fatalf("%x %v", out.Bytes(), err)
	}
	dec := Format.NewDecoder(&out)
	for i := range 3 {
		var v int
		if err := dec.Decode(&v); err != nil || v != i {
			t.Fatal(v, err)
		}
	}
	if err := dec.Decode(new(int)); err != io.EOF {
		t.Fatal(err)
	}
	if err := dec.Close(); err != nil {
		t.Error(err)
	}
	if err := dec.Decode(new(int)); err == nil || err.Error() != "msgpack: read after Close" {
		t.Error(err)
	}
}

func TestFormatStreamElements(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "EOF",
		"\x90":                         "EOF",
		"\x92\x01\x02":                 "1 2 EOF",
		"\x01\x92\x01\x91\x02\x90\x03": "1 1 [2] 3 EOF",
		"\xdc\x00\x01\x07":             "7 EOF",
		"\xdd\x00\x00\x00\x02\x07":     "7 msgpack: at offset 6: unexpected end of input",
		"\x91":                         "msgpack: at offset 1: unexpected end of input",
		"\xdc\x00":                     "msgpack: at offset 0: unexpected end of input",
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			dec := Format.NewDecoder(iotest.OneByteReader(strings.NewReader(in)))
			dec.(interface{ Elements() }).Elements()
			var got []string
			for len(got) < 10 {
				var v any
				if err := dec.Decode(&v); err != nil {
					got = append(got, err.Error())
					break
				}
				got = append(got, fmt.Sprint(v))
			}
			if got := strings.Join(got, " "); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestArrayDecoderWaits has an array's first element be read before the others have come.
func TestArrayDecoderWaits(t *testing.T) {
	r, w := io.Pipe()
	go w.Write([]byte("\xdc\x01\x00\x07\x08")) // 256 elements
	late := time.AfterFunc(10*time.Second, func() { w.CloseWithError(errors.New("the decoder waits for more")) })
	defer late.Stop()
	dec := Format.NewArrayDecoder(r)
	var v int
	if err := dec.Decode(&v); err != nil || v != 7 {
		t.Errorf("%d, %v", v, err)
	}
	w.Close()
}

// TestNoArray has a stream that should be one array begin with something else.
func TestNoArray(t *testing.T) {
	for in, want := range map[string]string{
		"\x81\xa1a\x01": "msgpack: at offset 0: cannot read object as array",
		"\xcd\x01\x00":  "msgpack: at offset 0: cannot read uint as array",
		"\xc0":          "msgpack: at offset 0: cannot read null as array",
		"\xc1":          "msgpack: at offset 0: byte c1 is not the start of a value",
		"\xdd\x00":      "msgpack: at offset 0: unexpected end of input",
		"":              "msgpack: at offset 0: unexpected end of input",
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if err := Format.NewArrayDecoder(strings.NewReader(in)).Decode(new(int)); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
