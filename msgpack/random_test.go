package msgpack

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
)

type (
	tuple struct {
		_    struct{} `msgpack:",array"`
		X    int
		Y    string
		Z    *tuple
		Rest []int
	}
	keyed struct{ X, Y int8 }
	catch struct {
		A    int
		More map[string]any `msgpack:",inline"`
	}
	inner struct {
		A int `json:"a"`
		B *string
	}
	namedByte byte
	ownBytes  []namedByte
)

// newMaker returns a maker of what this format has.
func newMaker(seed uint64) *sample.Maker {
	return &sample.Maker{
		Rand: rand.New(rand.NewPCG(seed, 1)),
		Tag:  "msgpack",
		Leaves: []reflect.Type{
			reflect.TypeFor[complex64](), reflect.TypeFor[complex128](), reflect.TypeFor[tuple](), reflect.TypeFor[Ext](), reflect.TypeFor[catch](),
		},
		Keys: []reflect.Type{reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[keyed](), reflect.TypeFor[[2]int]()},
		Set:  setOwn,
		Dynamic: []func(m *sample.Maker, depth int) any{
			func(m *sample.Maker, depth int) any {
				if depth <= 0 {
					return true
				}
				return map[any]any{int64(m.IntN(9)): m.Any(depth - 1), true: "x"}
			},
			func(m *sample.Maker, _ int) any { return []byte(m.String()) },
			func(m *sample.Maker, _ int) any { return time.Unix(m.Int64N(1<<40), 0).UTC() },
			func(m *sample.Maker, _ int) any { return m.Uint64() | 1<<63 },
		},
		Float: func(x float64) float64 {
			if x == 0.125 {
				return math.Inf(1)
			}
			return x
		},
	}
}

// setOwn sets what the format says more of than others.
func setOwn(m *sample.Maker, v reflect.Value) bool {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		if m.IntN(4) > 0 {
			*x = time.Unix(m.Int64()>>m.IntN(40)-m.Int64()>>34, m.Int64N(1e9)).UTC()
		}
	case *Ext:
		*x = Ext{Type: int8(m.IntN(100)), Data: []byte("abc")[:m.IntN(4)]}
		if len(x.Data) == 0 {
			x.Data = nil
		}
	case *catch:
		x.A = m.IntN(3)
		if m.IntN(2) == 0 {
			x.More = map[string]any{"x": int64(1), "y": []any{}}
		}
	default:
		return false
	}
	return true
}

// TestRandomRoundTrip is the law: what is marshaled unmarshals to an equal
// value, in both layouts, into a fresh variable and over an old value.
func TestRandomRoundTrip(t *testing.T) {
	const seed = 1
	m := newMaker(seed)
	rounds := 1000
	if testing.Short() {
		rounds = 300
	}
	for range rounds {
		rt := m.Type(3)
		for range 3 {
			v := m.Value(rt, 4)
			for _, layout := range []Options{{}, weft.StructAsArray(true), weft.Deterministic(true)} {
				b, err := Marshal(v.Interface(), layout)
				if err != nil {
					t.Fatalf("seed %d: Marshal(%v): %v", seed, rt, err)
				}
				if !Valid(b) {
					t.Fatalf("seed %d: Marshal(%v) is not well-formed: %x", seed, rt, b)
				}
				if direct, err := Marshal(v.Elem().Interface(), layout, weft.Deterministic(true)); err != nil || len(direct) != len(b) {
					t.Fatalf("seed %d: Marshal by value of %v: %x, by address %x, %v", seed, rt, direct, b, err)
				}
				in := string(b)
				w := reflect.New(rt)
				if err := Unmarshal(b, w.Interface()); err != nil {
					t.Fatalf("seed %d: Unmarshal(%v): %v\n%x", seed, rt, err, b)
				}
				if in != string(b) {
					t.Fatalf("seed %d: Unmarshal(%v) wrote to its input", seed, rt)
				}
				if !reflect.DeepEqual(v.Interface(), w.Interface()) {
					where, x, y := sample.Difference(v.Elem(), w.Elem())
					t.Fatalf("seed %d, layout %v: %v\n%s: %#v\n%#v", seed, layout, rt, where, x, y)
				}
				clear(b)
				if !reflect.DeepEqual(v.Interface(), w.Interface()) {
					t.Fatalf("seed %d: result of Unmarshal(%v) holds on to its input", seed, rt)
				}
			}
		}
	}
}

// TestRandomTruncated cuts documents at each byte, and spoils each byte: an
// error where the document is short, never a panic.
func TestRandomTruncated(t *testing.T) {
	m := newMaker(5)
	for range 150 {
		rt := m.Type(3)
		v := m.Value(rt, 3)
		b, err := Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > 1000 {
			continue
		}
		for n := range b {
			err := Unmarshal(b[:n:n], reflect.New(rt).Interface())
			var e *weft.Error
			if !asError(err, &e) || e.Offset < 0 || e.Offset > int64(n) {
				t.Fatalf("%v from the first %d bytes of %x: %v", rt, n, b, err)
			}
			bad := append([]byte(nil), b...)
			bad[n] ^= byte(1 + m.IntN(255))
			err = Unmarshal(bad, reflect.New(rt).Interface())
			if err != nil && !asError(err, &e) {
				t.Fatalf("%v from %x: %v", rt, bad, err)
			}
			var x any
			if err, ok := Unmarshal(bad, &x), Valid(bad); err == nil && !ok {
				t.Fatalf("%x is not valid and yet %v", bad, x)
			}
		}
	}
}
