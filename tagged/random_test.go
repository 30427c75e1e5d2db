package tagged

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

type spare struct {
	A    float64        `tagged:"a,omitempty"`
	More map[string]any `tagged:",inline"`
}

// newMaker returns a maker of what this format has.
func newMaker(seed uint64) *sample.Maker {
	return &sample.Maker{
		Rand:   rand.New(rand.NewPCG(seed, 1)),
		Tag:    "tagged",
		Leaves: []reflect.Type{reflect.TypeFor[spare]()},
		Set: func(m *sample.Maker, v reflect.Value) bool {
			x, ok := v.Addr().Interface().(*spare)
			if ok {
				x.A = float64(m.IntN(3))
				if m.IntN(2) == 0 {
					x.More = map[string]any{"x": int64(1), "y": []any{}}
				}
			}
			return ok
		},
		Text: func(s string) string {
			if s == "*" || s == "\xfe" { // the format has no such names
				return "+"
			}
			return s
		},
	}
}

// TestRandomRoundTrip is the law: what is marshaled unmarshals to an equal
// value, in both layouts, and what is cut or spoilt never panics.
func TestRandomRoundTrip(t *testing.T) {
	const seed = 1
	m := newMaker(seed)
	rounds := 120
	if testing.Short() {
		rounds = 60
	}
	formats := []weft.Format{Format, Framed}
	for range rounds {
		rt := m.Type(3)
		for range 3 {
			v := m.Value(rt, 4)
			for _, f := range formats {
				b, err := f.MarshalAppend(nil, v.Interface(), weft.Deterministic(true))
				if err != nil {
					t.Fatalf("seed %d: %s: %v\n%.300v", seed, f.Name(), err, rt)
				}
				if f == Format && !Valid(b) {
					t.Fatalf("seed %d: %v is not well-formed: %x", seed, rt, b)
				}
				if direct, err := f.MarshalAppend(nil, v.Elem().Interface(), weft.Deterministic(true)); err != nil || string(direct) != string(b) {
					t.Fatalf("seed %d: %s by value of %v: %x, by address %x, %v", seed, f.Name(), rt, direct, b, err)
				}
				in := string(b)
				w := reflect.New(rt)
				if err := f.Unmarshal(b, w.Interface()); err != nil {
					t.Fatalf("seed %d: %s: %v\n%.3000v\n%.300x", seed, f.Name(), err, rt, b)
				}
				if in != string(b) {
					t.Fatalf("seed %d: %s into %v wrote to its input", seed, f.Name(), rt)
				}
				if !reflect.DeepEqual(v.Interface(), w.Interface()) {
					where, x, y := sample.Difference(v.Elem(), w.Elem())
					t.Fatalf("seed %d, %s: %s: %#v\n%#v\n%.300v", seed, f.Name(), where, x, y, rt)
				}
				clear(b)
				if !reflect.DeepEqual(v.Interface(), w.Interface()) {
					t.Fatalf("seed %d: %s into %v holds on to its input", seed, f.Name(), rt)
				}
				if len(in) < 600 {
					spoil(t, m, f, rt, []byte(in))
				}
			}
		}
	}
}

// spoil cuts a document at each byte and changes each byte.
func spoil(t *testing.T, m *sample.Maker, f weft.Format, rt reflect.Type, b []byte) {
	for n := range b {
		err := f.Unmarshal(b[:n:n], reflect.New(rt).Interface())
		var e *weft.Error
		if err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(n)) {
			t.Fatalf("%s, %v from the first %d bytes of %x: %v", f.Name(), rt, n, b, err)
		}
		bad := append([]byte(nil), b...)
		bad[n] ^= byte(1 + m.IntN(255))
		if f == Framed {
			if err == nil {
				t.Fatalf("%v from the first %d bytes of %x", rt, n, b)
			}
			if f.Unmarshal(bad, reflect.New(rt).Interface()) == nil {
				t.Fatalf("%v from %x", rt, bad)
			}
			mend(bad)
		}
		err = f.Unmarshal(bad, reflect.New(rt).Interface())
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%s, %v from %x: %v", f.Name(), rt, bad, err)
		}
		var x any
		if err := f.Unmarshal(bad, &x); f == Format && (err == nil) && !Valid(bad) {
			t.Fatalf("%x is not valid and yet %v", bad, x)
		}
	}
}

// mend makes the checksums of a stream right.
func mend(b []byte) {
	n, i := tagwire.Uvarint(b, len(framewire.Magic)+2, len(b))
	if i < 0 || n > uint64(len(b)-i) {
		return
	}
	i += int(n)
	if i+4 > len(b) {
		return
	}
	binary.LittleEndian.PutUint32(b[i:], crc32.Checksum(b[:i], crc32.MakeTable(crc32.Castagnoli)))
	for i += 4; len(b)-i >= framewire.FrameLen; {
		size, rows, how := framewire.ParseSize(b[i:])
		if size > int64(len(b)-i) {
			return
		}
		framewire.Seal(b[i:i+int(size)], rows, how)
		i += int(size)
	}
}
