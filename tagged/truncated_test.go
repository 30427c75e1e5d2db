package tagged

import (
	"bytes"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// selfReader reads itself by the methods of a [backend.Reader].
type selfReader struct{ a, b int64 }

var selfFields = weft.NewFields("a", "b")

func (s *selfReader) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	for i := r.BeginObject(selfFields); i != backend.End; i = r.Member(selfFields, i+1) {
		switch i {
		case 0:
			s.a = r.Signed(64)
		case 1:
			s.b = r.Signed(64)
		default:
			r.Skip()
		}
	}
	return r.Err()
}

// TestNames: each name of a message stands in its table.
func TestNames(t *testing.T) {
	type ab struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type c struct {
		C int `json:"c"`
	}
	const (
		a     = "01964487 02"
		b     = "0141f9e8 04"
		table = "0a000000"
		nameA = "01964487 0161"
		nameB = "0141f9e8 0162"
	)
	tests := []struct {
		name, message string
		off           int64 // of the error
		path          string
		err           error
	}{
		{"no table", a, 5, "", errNoTable},
		{"no table, two members", a + b, 10, "", errNoTable},
		{"no table, an array around", "09000000 0a 18000000 05" + a, 15, "", errNoTable},
		{"no table, an object in a member", "08964487 05" + b, 10, "", errNoTable},
		{"a table without one name", a + b + table + "06" + nameA, 9, "/#e8f941", errNoName},
		{"a table without the other", a + b + table + "06" + nameB, 4, "/#874496", errNoName},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := unhex(strings.ReplaceAll(tt.message, " ", ""))
			list := bytes.HasPrefix(m, []byte{tagwire.Array})
			targets := map[string]any{"any": new(any), "a struct": new(ab), "a map": new(map[string]any), "itself": new(selfReader)}
			if list {
				targets = map[string]any{"any": new(any), "structs": new([]ab), "maps": new([]map[string]any), "itself": new([]selfReader)}
			}
			if tt.err == errNoTable { // a name that is not needed may be missing
				targets["another struct"] = new(c)
				targets["raw"] = new(Raw)
				if list {
					targets["another struct"] = new([]c)
				}
			}
			for what, v := range targets {
				var e *weft.Error
				if err := Unmarshal(m, v); !errors.As(err, &e) || e.Err != tt.err || e.Offset != tt.off || e.Path != tt.path {
					t.Errorf("%s: %v, want %v at %s, offset %d", what, err, tt.err, tt.path, tt.off)
				}
			}
		})
	}
	for _, m := range []string{"", "09000000 00", "09000000 05 11000000 02", "01000000 02", "08000000 00"} {
		var v any
		if err := Unmarshal(unhex(strings.ReplaceAll(m, " ", "")), &v); err != nil {
			t.Errorf("%s has no names and needs none: %v", m, err)
		}
	}
}

// TestTruncated cuts messages at each byte: what can still be read is a whole
// message.
func TestTruncated(t *testing.T) {
	whole := 0
	check := func(t *testing.T, b []byte, targets ...reflect.Type) {
		t.Helper()
		for n := range b {
			cut := b[:n:n]
			var v any
			if Unmarshal(cut, &v) == nil {
				again, err := Marshal(v)
				if n == 0 {
					v, again = map[string]any{}, nil
				}
				if err != nil || !bytes.Equal(again, cut) {
					t.Fatalf("the first %d bytes of %x are read as %v", n, b, v)
				}
				whole++
				continue
			}
			stream := append(tagwire.AppendUvarint(nil, uint64(n)), cut...)
			for _, rt := range append(targets, reflect.TypeFor[Raw](), reflect.TypeFor[any]()) {
				to := reflect.New(rt)
				if Unmarshal(cut, to.Interface()) == nil {
					t.Fatalf("the first %d bytes of %x are read as the %v %v", n, b, rt, to.Elem())
				}
				if NewDecoder(bytes.NewReader(stream)).Decode(reflect.New(rt).Interface()) == nil {
					t.Fatalf("the first %d bytes of %x are read from a stream as %v", n, b, rt)
				}
			}
			if Valid(cut) {
				t.Fatalf("the first %d bytes of %x are valid", n, b)
			}
		}
	}
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			b, err := hex.DecodeString(v.Hex)
			if err != nil {
				t.Fatal(err)
			}
			var targets []reflect.Type
			if x := vectorValues[v.Name]; x != nil {
				targets = append(targets, reflect.TypeOf(x))
			}
			check(t, b, targets...)
		})
	}
	t.Run("random", func(t *testing.T) {
		m, rounds := newMaker(7), 300
		if testing.Short() {
			rounds = 60
		}
		for range rounds {
			rt := m.Type(3)
			b, err := Marshal(m.Value(rt, 3).Interface())
			if err != nil {
				t.Fatal(err)
			}
			if len(b) < 1000 {
				check(t, b, rt)
			}
		}
	})
	t.Log(whole, "of the prefixes are whole messages")
}
