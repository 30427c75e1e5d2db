package msgpack

import (
	"errors"
	"reflect"
	"testing"
)

// part reads and appends itself as generated types do.
type part struct {
	n    int
	tags []string
	by   map[string]part
}

func (v *part) ReadMsgpack(r *Reader) error {
	for ok := r.BeginArray(); ok; ok = r.More() {
		v.n = r.Int()
		if r.More() {
			v.tags = ReadScalars(r, v.tags, (*Reader).String)
		}
		if r.More() {
			v.by = ReadMap(r, v.by, (*part).ReadMsgpack)
		}
	}
	return r.Err()
}

func (v *part) AppendMsgpack(b []byte) ([]byte, error) {
	if v.n == 13 {
		return b, errBad
	}
	b = AppendStrings(AppendInt(AppendArrayHeader(b, 3), int64(v.n)), v.tags)
	return AppendMap(b, v.by, (*part).AppendMsgpack)
}

type parts []part

func (v *parts) ReadMsgpack(r *Reader) error {
	*v = ReadSlice(r, *v, (*part).ReadMsgpack)
	return r.Err()
}

func TestGenericHelpers(t *testing.T) {
	v := parts{{n: 1, tags: []string{"a", "b"}, by: map[string]part{"x": {n: 2, tags: []string{}, by: map[string]part{}}}}, {tags: []string{}, by: map[string]part{}}}
	b, err := AppendSlice(nil, v, (*part).AppendMsgpack)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := Marshal([]part(v)); err != nil || string(p) != string(b) {
		t.Errorf("plan: %x, %v; helpers: %x", p, err, b)
	}
	var w parts
	if err := Read(b, &w); err != nil || !reflect.DeepEqual(v, w) {
		t.Errorf("%+v, %v", w, err)
	}
	var x []part
	if err := Unmarshal(b, &x); err != nil || !reflect.DeepEqual([]part(v), x) {
		t.Errorf("%+v, %v", x, err)
	}
	for n := range b {
		if err := Read(b[:n:n], new(parts)); err == nil {
			t.Errorf("no error from %d bytes", n)
		}
	}
	bad := map[string]part{"x": {n: 13}}
	if out, err := AppendMap([]byte("x"), bad, (*part).AppendMsgpack); !errors.Is(err, errBad) || string(out) != "x" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := AppendSlice([]byte("x"), parts{{n: 13}}, (*part).AppendMsgpack); !errors.Is(err, errBad) || string(out) != "x" {
		t.Errorf("%q, %v", out, err)
	}
	h := AppendMapHeader([]byte("x"), 20)
	if got := CloseMapHeader(append(h, "\xa1k\x01"...), 1, 20, 1); string(got) != "x\x81\xa1k\x01" {
		t.Errorf("CloseMapHeader: %q", got)
	}
	h = AppendArrayHeader([]byte("x"), 20)
	if got := CloseArrayHeader(append(h, "\x01"...), 1, 20, 1); string(got) != "x\x91\x01" {
		t.Errorf("CloseArrayHeader: %q", got)
	}
	for _, c := range []struct {
		b, want []byte
	}{
		{AppendNil(nil), []byte{0xc0}}, {AppendBool(nil, true), []byte{0xc3}}, {AppendUint(nil, 200), []byte{0xcc, 200}},
		{AppendFloat32(nil, 1), []byte{0xca, 0x3f, 0x80, 0, 0}}, {AppendBytes(nil, []byte{1}), []byte{0xc4, 1, 1}},
	} {
		if !reflect.DeepEqual(c.b, c.want) {
			t.Errorf("%x, want %x", c.b, c.want)
		}
	}
}
