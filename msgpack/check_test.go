package msgpack

import (
	"errors"
	"testing"

	"github.com/weftcodec/weft"
)

// checked fails behind the n-th scalar it reads.
type checked struct{ n int }

func (c *checked) ReadMsgpack(r *Reader) error {
	c.value(r)
	return r.Err()
}

func (c *checked) value(r *Reader) {
	switch r.Kind() {
	case weft.KindObject:
		for r.BeginMap(); ; {
			if _, ok := r.NextKey(); !ok {
				break
			}
			c.value(r)
		}
	case weft.KindArray:
		for ok := r.BeginArray(); ok; ok = r.More() {
			c.value(r)
		}
	default:
		r.Skip()
	}
	if c.n--; c.n == 0 {
		r.FailLast(errors.New("stop"))
	}
}

// An error of FailLast is located at the value that was read last.
func TestCheckIsAtLastValue(t *testing.T) {
	doc, err := Marshal([]any{1, []any{"a", []any{}, 2.5}, []any{map[string]any{"k": []any{true, nil}}}, "end"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/0", "/1/0", "/1/1", "/1/2", "/1", "/2/0/k/0", "/2/0/k/1", "/2/0/k", "/2/0", "/2", "/3", ""}
	for i, path := range want {
		var e *weft.Error
		if err := Read(doc, &checked{n: i + 1}); !errors.As(err, &e) || e.Path != path {
			t.Errorf("check %d: %v, want path %q", i+1, err, path)
		}
	}
}
