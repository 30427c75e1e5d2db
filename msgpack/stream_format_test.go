package msgpack

import (
	"bytes"
	"io"
	"testing"
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
	if dec.Close() != nil || dec.Decode(new(int)) != errClosed {
		t.Error("read after Close")
	}
}
