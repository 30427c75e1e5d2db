package msgpack

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
)

// TestLeaves reads what the Append functions write, whole and cut short.
func TestLeaves(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6, time.UTC)
	three := func(v any, rest []byte, err error) ([]any, []byte, error) { return []any{v}, rest, err }
	for _, c := range []struct {
		in   []byte
		read func(b []byte) ([]any, []byte, error)
		want any
	}{
		{AppendBool(nil, true), func(b []byte) ([]any, []byte, error) { v, r, err := ReadBool(b); return three(v, r, err) }, true},
		{AppendInt(nil, -70000), func(b []byte) ([]any, []byte, error) { v, r, err := ReadInt(b); return three(v, r, err) }, int64(-70000)},
		{AppendUint(nil, 1<<63), func(b []byte) ([]any, []byte, error) { v, r, err := ReadUint(b); return three(v, r, err) }, uint64(1 << 63)},
		{AppendFloat64(nil, 2.5), func(b []byte) ([]any, []byte, error) { v, r, err := ReadFloat64(b); return three(v, r, err) }, 2.5},
		{AppendString(nil, "abc"), func(b []byte) ([]any, []byte, error) { v, r, err := ReadString(b); return three(v, r, err) }, "abc"},
		{AppendBytes(nil, []byte("abc")),
			func(b []byte) ([]any, []byte, error) { v, r, err := ReadBytes(b); return three(string(v), r, err) }, "abc"},
		{AppendTime(nil, at), func(b []byte) ([]any, []byte, error) { v, r, err := ReadTime(b); return three(v, r, err) }, at},
		{AppendExt(nil, 9, []byte("body")), func(b []byte) ([]any, []byte, error) {
			typ, v, r, err := ReadExt(b)
			if err == nil && typ != 9 {
				t.Errorf("extension %d", typ)
			}
			return three(string(v), r, err)
		}, "body"},
	} {
		t.Run(fmt.Sprintf("%x", c.in), func(t *testing.T) {
			got, rest, err := c.read(append(c.in, 0x2a))
			if err != nil || !reflect.DeepEqual(got[0], c.want) || string(rest) != "\x2a" {
				t.Errorf("%x: %v, rest %x, %v", c.in, got, rest, err)
			}
			for n := range c.in {
				if _, _, err := c.read(c.in[:n]); !errors.Is(err, weft.ErrUnexpectedEnd) {
					t.Errorf("%x cut at %d: %v", c.in, n, err)
				}
			}
			var e *weft.Error
			if _, _, err := c.read([]byte{0x90}); !errors.As(err, &e) || e.Offset != 0 {
				t.Errorf("an array in place of %x: %v", c.in, err)
			}
		})
	}
	if n, rest, err := ReadArrayHeader([]byte("\x92\x01\x02")); n != 2 || len(rest) != 2 || err != nil {
		t.Error(n, rest, err)
	}
	if n, rest, err := ReadMapHeader([]byte("\x81\x01\x02")); n != 1 || len(rest) != 2 || err != nil {
		t.Error(n, rest, err)
	}
	for _, in := range []string{"", "\x92\x01", "\xdd\xff\xff\xff\xff", "\x01"} {
		if _, _, err := ReadArrayHeader([]byte(in)); err == nil {
			t.Errorf("%x is an array", in)
		}
		if _, _, err := ReadMapHeader([]byte(in)); err == nil {
			t.Errorf("%x is a map", in)
		}
	}
	if rest, ok := ReadNil([]byte("\xc0\x01")); !ok || len(rest) != 1 {
		t.Error("no nil")
	}
	if rest, ok := ReadNil([]byte("\x01")); ok || len(rest) != 1 {
		t.Error("a nil")
	}
	if _, _, err := ReadUint([]byte{0xff}); err == nil {
		t.Error("-1 is unsigned")
	}
}

// TestOnePlace has values that read themselves say which of their parts is wrong, and how they know it.
func TestOnePlace(t *testing.T) {
	refused := errors.New("refused")
	const doc = "\x82\xa1a\x01\xa1b\x92\x05\x06"
	for name, err := range map[string]error{
		"by path":   weft.Violation{Path: "/b/1", Offset: -1, Err: refused},
		"by offset": weft.Violation{Path: "/b/1", Offset: 8, Err: refused},
	} {
		for call, read := range map[string]func(r *Reader) error{
			"result": func(*Reader) error { return err },
			"Fail":   func(r *Reader) error { r.Fail(err); return r.Err() },
		} {
			t.Run(name+" "+call, func(t *testing.T) {
				codec := TypeCodec(nil, func(r *Reader) (map[string]any, error) { return nil, read(r) })
				got := Unmarshal([]byte(doc), &map[string]any{}, Codecs(codec))
				if want := "msgpack: at /b/1, offset 8: refused"; got == nil || got.Error() != want {
					t.Errorf("%v, want %s", got, want)
				}
			})
		}
	}
}
