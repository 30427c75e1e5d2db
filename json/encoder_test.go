package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestEncoderLikeStandard writes the table through both encoders under changing settings.
func TestEncoderLikeStandard(t *testing.T) {
	if !classicStd {
		t.Skip("encoding/json is another one")
	}
	var got, want bytes.Buffer
	enc, std := NewEncoder(&got), stdjson.NewEncoder(&want)
	for i, r := range encodeTable() {
		switch i % 7 {
		case 1:
			enc.SetEscapeHTML(false)
			std.SetEscapeHTML(false)
		case 3:
			enc.SetIndent("#", "\t")
			std.SetIndent("#", "\t")
		case 4:
			enc.SetEscapeHTML(true)
			std.SetEscapeHTML(true)
		case 5:
			enc.SetIndent("", "")
			std.SetIndent("", "")
		}
		gotErr, wantErr := enc.Encode(r.v), std.Encode(r.v)
		if !sameResult(gotErr, wantErr) || got.String() != want.String() {
			t.Errorf("encode_test.go:%d: got %.200s, %v, want %.200s, %v", r.line, &got, gotErr, &want, wantErr)
		}
		got.Reset()
		want.Reset()
	}
}

// failingWriter fails from the n-th call on, having taken a part.
type failingWriter struct {
	n   int
	got strings.Builder
}

var errWriter = errors.New("disk full")

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.n--; w.n < 0 {
		return 1, errWriter
	}
	return w.got.Write(b)
}

func TestEncoderWriterFails(t *testing.T) {
	w := &failingWriter{n: 1}
	enc := NewEncoder(w)
	if err := enc.Encode(1); err != nil {
		t.Fatal(err)
	}
	if err := enc.Encode(func() {}); !errors.As(err, new(*UnsupportedTypeError)) {
		t.Errorf("got %v", err)
	}
	for range 2 { // the error stays
		if err := enc.Encode(2); err != errWriter {
			t.Errorf("got %v", err)
		}
	}
	w.n = 5
	if err := enc.Encode(3); err != errWriter || w.got.String() != "1\n" {
		t.Errorf("got %v, %q", err, w.got.String())
	}
}

func TestMarshalWrite(t *testing.T) {
	var w failingWriter
	w.n = 1
	if err := MarshalWrite(&w, map[string]any{"a": "<"}, EscapeForHTML(false)); err != nil || w.got.String() != `{"a":"<"}` {
		t.Errorf("got %q, %v", w.got.String(), err)
	}
	if err := MarshalWrite(&w, 1); err != errWriter {
		t.Errorf("got %v", err)
	}
	w = failingWriter{n: 9}
	if err := MarshalWrite(&w, []any{1, func() {}}); err == nil || w.got.Len() != 0 {
		t.Errorf("got %q, %v", w.got.String(), err)
	}
}

// TestEncoderNested checks that the buffer of an encoder is not handed out twice.
func TestEncoderNested(t *testing.T) {
	var out bytes.Buffer
	v := nestingMarshaler{3}
	if err := NewEncoder(&out).Encode([]any{v, "tail"}); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), `[{"n":3,"in":{"n":2,"in":{"n":1,"in":{"n":0}}}},"tail"]`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

type nestingMarshaler struct{ n int }

// MarshalJSON uses the encoder within the encoder.
func (m nestingMarshaler) MarshalJSON() ([]byte, error) {
	v := map[string]any{"n": m.n}
	if m.n > 0 {
		in, err := Marshal(nestingMarshaler{m.n - 1})
		if err != nil {
			return nil, err
		}
		v["in"] = RawMessage(in)
		return Marshal(struct {
			N  int        `json:"n"`
			In RawMessage `json:"in"`
		}{m.n, in})
	}
	return Marshal(v)
}
