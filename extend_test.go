package weft_test

import (
	"errors"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// whole writes its bytes at once, or fails.
type whole struct {
	json, msgpack string
	err           error
	levels        int // what it has been told
}

func (w *whole) MarshalWeft(e *weft.Encoder) error {
	return e.Extend(func(b []byte, _ uint64, levels int) ([]byte, error) {
		w.levels = levels
		if e.Format() == "json" {
			return append(b, w.json...), w.err
		}
		return append(b, w.msgpack...), w.err
	})
}

func TestExtend(t *testing.T) {
	errBad := errors.New("bad")
	in := &whole{json: "[5]", msgpack: "\x91\x05"}
	list := []any{"a", in, map[string]any{"k": in}}
	for _, tt := range []struct {
		f    weft.Format
		want string
	}{
		{json.Format, `["a",[5],{"k":[5]}]`},
		{msgpack.Format, "\x93\xa1a\x91\x05\x81\xa1k\x91\x05"},
	} {
		in.err = nil
		b, err := tt.f.MarshalAppend([]byte("#"), list)
		if err != nil || string(b) != "#"+tt.want {
			t.Errorf("%s: %q, %v", tt.f.Name(), b, err)
		}
		if in.levels <= 0 || in.levels > setting.DefaultMaxDepth-2 {
			t.Errorf("%s: %d levels are left below two", tt.f.Name(), in.levels)
		}
		in.err = &weft.Error{Format: tt.f.Name(), Offset: -1, Path: "/deep", Err: errBad}
		b, err = tt.f.MarshalAppend([]byte("#"), list)
		if !errors.Is(err, errBad) || string(b) != "#" {
			t.Errorf("%s: %q, %v", tt.f.Name(), b, err)
		}
	}
}
