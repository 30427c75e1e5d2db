package msgpack

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
)

type withRest struct {
	A int
	X map[string]any `msgpack:",inline"`
}

// TestRejectDuplicates: a repeated key is refused wherever it stands, and only a
// repeated one.
func TestRejectDuplicates(t *testing.T) {
	type one struct{ A int }
	wide := "\xde\x00\x14" // a map of 20
	for i := range 20 {
		wide += fmt.Sprintf("\xa2%02d\xc0", i%19)
	}
	for _, c := range []struct {
		in   string
		into any
		path string // of the second, "-" for none
	}{
		{"\x82\xa1A\x01\xa1A\x02", new(one), "/A"},
		{"\x82\xa1z\x01\xa1z\x02", new(one), "/z"},
		{"\x81\xa1z\x82\xa1k\x01\xa1k\x02", new(one), "/z/k"},
		{"\x82\xa1A\x01\x05\x82\xa1k\x01\xa1k\x02", new(one), "/5/k"},
		{"\x91\x82\xa1k\x01\xa1k\x02", new(Raw), "/0/k"},
		{"\x81\x82\xa1k\x01\xa1k\x02\x01", new(Raw), ""},
		{"\x82\xa1k\x01\xc4\x01k\x02", new(map[string]int), "/k"},
		{"\x82\xd0\x07\x01\x07\x02", new(map[int]int), "/7"},
		{"\x82\xcf\xff\xff\xff\xff\xff\xff\xff\xff\x01\xcf\xff\xff\xff\xff\xff\xff\xff\xff\x01", new(any), "/18446744073709551615"},
		{"\x82\xa17\x01\x07\x02", new(map[int]int), "/7"},
		{"\x82\xa17\x01\x07\x02", new(map[int]int8), "/7"},
		{"\x82\xa17\x01\x07\x02", new(any), "-"},
		{"\x82\xa1A\x01\xa1A\x02", new(withRest), "/A"},
		{"\x82\xa1z\x01\xa1z\x02", new(withRest), "/z"},
		{wide, new(any), "/00"},
		{"\x82\xca\x3f\x80\x00\x00\x01\x01\x02", new(any), "-"},
		{"\x82\xa1a\x81\xa1b\x01\xa1b\x81\xa1b\x01", new(any), "-"},
		{"\x81\xa1A\x02", &map[string]int{"A": 1}, "-"},
		{"\x81\xa1A\x02", &map[string]int8{"A": 1}, "-"},
		{"\x81\xa1A\x02", &map[string]any{"A": 1}, "-"},
		{"\x81\xa1z\x02", &withRest{X: map[string]any{"z": 1}}, "-"},
	} {
		t.Run(fmt.Sprintf("%.40q into %T", c.in, c.into), func(t *testing.T) {
			var e *weft.Error
			err := Unmarshal([]byte(c.in), c.into, weft.RejectDuplicates(true))
			if c.path == "-" {
				if err != nil {
					t.Errorf("%q into %T: %v", c.in, c.into, err)
				}
			} else if !errors.Is(err, weft.ErrDuplicateName) || !errors.As(err, &e) || e.Path != c.path {
				t.Errorf("%q into %T: %v, want a duplicate at %q", c.in, c.into, err, c.path)
			}
		})
	}
	// Keys of keys are not looked at again at every level.
	deep := strings.Repeat("\x89", 5000) + "\xdb\x00\x20\x00\x00" + strings.Repeat("x", 1<<21) +
		strings.Repeat("\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x08\x00", 5000)
	if err := Unmarshal([]byte(deep), new(Raw), weft.RejectDuplicates(true)); err != nil {
		t.Errorf("%.200v", err)
	}
	// To a type that reads itself an integer is a name.
	skip := ReaderFunc(func(r *Reader) error { r.Skip(); return r.Err() })
	for _, in := range []string{"\x82\xa17\x01\x07\x02", "\x82\xc0\x01\xc0\x02", "\x83\xc0\x01\xa1k\x01\xa1k\x02"} {
		if err := Read([]byte(in), skip, weft.RejectDuplicates(true)); !errors.Is(err, weft.ErrDuplicateName) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// TestRestNames: the catch-all map takes integers as names, and cannot write what a
// field has written.
func TestRestNames(t *testing.T) {
	var v withRest
	if err := Unmarshal([]byte("\x83\xa1A\x01\x05\x02\xcf\xff\xff\xff\xff\xff\xff\xff\xff\x03"), &v); err != nil ||
		v.X["5"] != int64(2) || v.X["18446744073709551615"] != int64(3) {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := Marshal(withRest{X: map[string]any{"B": 1, "A": 2}}); !errors.Is(err, weft.ErrDuplicateName) {
		t.Errorf("a name twice: %v", err)
	}
	type omits struct {
		A int            `msgpack:",omitempty"`
		X map[string]any `msgpack:",inline"`
	}
	if b, err := Marshal(omits{X: map[string]any{"A": 2}}); err != nil || string(b) != "\x81\xa1A\x02" {
		t.Errorf("a name that is not written by the field: %q, %v", b, err)
	}
}
