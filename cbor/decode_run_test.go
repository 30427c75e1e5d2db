package cbor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
)

// runAll has members that are read in runs, between others that are not.
type runAll struct {
	First  runShort
	Flat   runFlat
	Shorts []runShort
	Flats  []runFlat
	Ints   []int
	Counts map[string]uint
	Bytes  []byte
	Deeps  []runDeep
	Deep   runDeep
	Left   runLeft
	Lefts  []runLeft
	More   *runLeft
	Part   runPart
	Sign   runSign
	Signs  []runSign
	Any    any
	Last   opt.Null[int32]
}

// runLeft has members that may be left out, with names of up to four words, of which some begin alike.
type runLeft struct {
	A    string             `json:"a,omitempty"`
	B    []byte             `json:"b,omitempty"`
	C    int                `json:"a name of three words,omitempty"`
	D    string             `json:"a name of three words too,omitempty"`
	E    *int32             `json:"e,omitempty"`
	F    bool               `json:"f,omitempty"`
	G    runFlat            `json:"a name of three words 3"`
	H    map[string]uint    `json:"h,omitempty"`
	I    []string           `json:"i,omitempty"`
	J    float32            `json:"a name of more words than a step can look at,omitempty"`
	K    *runLeaf           `json:"k,omitempty"`
	L    opt.Val[string]    `json:"l"`
	M    runLeaf            `json:"m,omitzero"`
	N    map[string]runLeaf `json:"n,omitempty"`
	O    opt.Field[[]byte]  `json:"o"`
	P    []byte             `json:"p"`
	Q, R uint16             `json:",omitempty"`
	S    *string            `json:"s,omitempty"`
}

type runLeaf struct {
	X int    `json:"x,omitempty"`
	Y string `json:"y,omitempty"`
	Z []byte `json:"z"`
}

// runPart has structs that may leave members out, which are read in its own runs, and one that must not.
type runPart struct {
	N     int
	Head  runHead
	Twice struct {
		A    string `json:"a,omitempty"`
		Head runHead
		Z    int `json:"z,omitempty"`
	}
	Must struct {
		A string `json:"a,omitempty"`
		B int    `json:"b,required,omitempty"`
	}
	Sign runSign
	End  int16 `json:",omitempty"`
}

type runHead struct {
	Alg     int    `cbor:"1,keyasint,omitempty"`
	Kid     []byte `cbor:"4,keyasint,omitempty"`
	IV      []byte `cbor:"5,keyasint,omitempty"`
	Name    string `json:"name,omitempty"`
	Partial bool   `json:"part,omitempty"`
}

// runSign is an array that holds maps, and another array.
type runSign struct {
	_         struct{} `cbor:",toarray"`
	Protected []byte
	Head      runHead
	Pair      struct {
		_    struct{} `cbor:",toarray"`
		X    string
		Head runHead
		Y    int
	}
	Payload []byte
}

// runDeep has structs in structs, which are read in the runs of the outermost one.
type runDeep struct {
	Mid struct {
		Short runShort
		N     int8
		Name  string
	}
	Pair [2]runShort
	End  runShort
}

type runShort struct {
	ID       int `cbor:"1,keyasint"`
	Name     string
	Price    float64
	Small    uint8
	Note     opt.Field[string]
	Ok       bool
	Longer   float32 `cbor:"a name of more than two words"`
	Optional opt.Val[uint64]
}

type runFlat struct {
	A int64
	B uint
	C int16
	D uint32
	E int32
	F uint16
	G uintptr
	H uint64
	I float64
	J float32
	S string
}

// fillRun sets v to random values, of which many are near the ends of what the loops do.
func fillRun(random *rand.Rand, v reflect.Value) {
	n := random.Uint64() >> random.IntN(64)
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(n&1 != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n) >> (64 - v.Type().Bits()))
		if n&1 != 0 {
			v.SetInt(int64(random.IntN(60) - 30))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(n >> (64 - v.Type().Bits()))
		if n&1 != 0 {
			v.SetUint(uint64(random.IntN(30)))
		}
	case reflect.Float32, reflect.Float64:
		f := []float64{0, math.Copysign(0, -1), 1.5, 1e-7, 65504, 65505, 1e300, 3.4e38, math.Inf(1), 0.1, float64(n)}
		v.SetFloat(f[random.IntN(len(f))])
	case reflect.String:
		v.SetString(strings.Repeat("x", random.IntN(40)<<(random.IntN(8)/2)) + []string{"", "", "é", "\x7f"}[random.IntN(4)])
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && random.IntN(4) > 0 {
				fillRun(random, f)
			}
		}
		if o, ok := v.Addr().Interface().(*opt.Field[string]); ok {
			*o = []opt.Field[string]{{}, opt.FieldOf(o.V), {State: opt.IsNull}}[random.IntN(3)]
		}
	case reflect.Array:
		for i := range v.Len() {
			fillRun(random, v.Index(i))
		}
	case reflect.Slice:
		n := random.IntN(5)
		if v.Type().Elem().Kind() == reflect.Uint8 {
			n <<= random.IntN(8)
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n+1))
		for i := range v.Len() {
			fillRun(random, v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillRun(random, v.Elem())
	case reflect.Interface:
		key := strings.Repeat("y", int(n%30))
		v.Set(reflect.ValueOf(map[string]any{"a": []any{"x", 1.5, true}, "bb": float64(n), key: nil}))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, name := range []string{"a", "b", strings.Repeat("y", int(n%30))}[:random.IntN(4)] {
			elem := reflect.New(v.Type().Elem()).Elem()
			fillRun(random, elem)
			v.SetMapIndex(reflect.ValueOf(name), elem)
		}
	}
}

// sameRun reports whether two documents differ at most in the order of the members of maps.
func sameRun(a, b []byte) bool {
	slices.Sort(a)
	b = slices.Sorted(slices.Values(b))
	return string(a) == string(b)
}

// TestRuns compares what is read in the loops of steps, with AliasInput too, with the loops that read one member after
// the other: values and errors, of documents that are whole and of those with a byte changed.
func TestRuns(t *testing.T) {
	modes := map[string][]Options{
		"lax": nil, "core": {Core.Strict()}, "length first": {LengthFirst.Strict()}, "dcbor": {DCBOR.Strict()},
		"lax core": {Core.Lax()}, "arrays": {weft.StructAsArray(true)}, "strict arrays": {Core.Strict(), weft.StructAsArray(true)},
	}
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	for name, opts := range modes {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(20, 3))
			read := func(b []byte, steps bool, more ...Options) (v runAll, said string) {
				r := newReader(b, slices.Concat(opts, more))
				if !steps {
					r.mapSteps, r.listSteps = false, false
				}
				r.whole(&v)
				return v, fmt.Sprint(r.finish())
			}
			show := func(v runAll) string {
				b, err := Marshal(&v, Core.Lax())
				return fmt.Sprintf("%x, %v", b, err)
			}
			whole := 0
			for range rounds {
				var v runAll
				fillRun(random, reflect.ValueOf(&v).Elem())
				b, err := Marshal(v, opts...)
				if err != nil {
					continue // dCBOR has no infinities
				}
				got, said := read(b, true)
				if back, err := Marshal(got, opts...); said != "<nil>" || err != nil || !sameRun(back, b) {
					t.Fatalf("%x is read as %s: %v, and written as %x: %v", b, show(got), said, back, err)
				}
				for k := range 40 {
					c := append([]byte(nil), b...)
					if k > 0 {
						c[random.IntN(len(c))] ^= 1 << random.IntN(8)
					}
					if k%8 == 7 {
						c = c[:random.IntN(len(c))]
					}
					own, err := read(c, true)
					parts, failed := read(c, true, weft.AliasInput(true))
					want, wanted := read(c, false)
					if err != wanted || show(own) != show(want) || failed != wanted || show(parts) != show(want) {
						t.Fatalf("%x is read as %s, %s, with AliasInput as %s, %s, and without runs as %s, %s",
							c, show(own), err, show(parts), failed, show(want), wanted)
					}
					if err == "<nil>" {
						whole++
					}
				}
			}
			t.Logf("%d of %d are read", whole, rounds*40)
		})
	}
}

// TestRunEnds is TestRuns for short documents, which end within a step or with it.
func TestRunEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 4))
	t.Run("short", func(t *testing.T) { runEnds[runShort](t, random) })
	t.Run("leaf", func(t *testing.T) { runEnds[runLeaf](t, random) })
	t.Run("left", func(t *testing.T) { runEnds[runLeft](t, random) })
	t.Run("flat", func(t *testing.T) { runEnds[runFlat](t, random) })
	t.Run("deep", func(t *testing.T) { runEnds[runDeep](t, random) })
	t.Run("text last", func(t *testing.T) {
		runEnds[struct {
			A, B int
			C    struct{ A, String string }
		}](t, random)
	})
}

func runEnds[T any](t *testing.T, random *rand.Rand) {
	for round := range 500 {
		var v T
		fillRun(random, reflect.ValueOf(&v).Elem())
		opts := []Options{Core.Lax()}
		if round%2 == 1 {
			opts = []Options{Core.Strict()}
		}
		b, err := Marshal(&v, opts...)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 8 {
			c := slices.Clone(b)
			switch k {
			case 0:
			case 1:
				c = c[:random.IntN(len(c))]
			case 2:
				c = c[:len(c)-1]
			default:
				c[len(c)-1-random.IntN(min(len(c), 30))] ^= 1 << random.IntN(8)
			}
			read := func(steps bool, more ...Options) string {
				var v T
				r := newReader(c, slices.Concat(opts, more))
				if !steps {
					r.mapSteps, r.listSteps = false, false
				}
				r.whole(&v)
				err := r.finish()
				out, _ := Marshal(&v, Core.Lax())
				return fmt.Sprintf("%x, %v", out, err)
			}
			want := read(false)
			if got, parts := read(true), read(true, weft.AliasInput(true)); got != want || parts != want {
				t.Fatalf("%x is read as %s, with AliasInput as %s, and without runs as %s", c, got, parts, want)
			}
		}
	}
}
