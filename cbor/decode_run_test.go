package cbor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
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
	Last   opt.Null[int32]
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
		v.SetString(strings.Repeat("x", random.IntN(40)) + []string{"", "", "é", "\x7f"}[random.IntN(4)])
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
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
		v.Set(reflect.MakeSlice(v.Type(), random.IntN(5), 5))
		for i := range v.Len() {
			fillRun(random, v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillRun(random, v.Elem())
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]uint{"a": uint(n), "b": 2}))
	}
}

// TestRuns compares what is read in the loops of steps with the loops that read one member after the other, which
// AliasInput has all be read in: values and errors, of documents that are whole and of those with a byte changed.
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
			read := func(b []byte, alias bool) (runAll, string) {
				var v runAll
				err := Unmarshal(b, &v, append(opts[:len(opts):len(opts)], weft.AliasInput(alias))...)
				return v, fmt.Sprint(err)
			}
			whole := 0
			for range rounds {
				var v runAll
				fillRun(random, reflect.ValueOf(&v).Elem())
				b, err := Marshal(v, opts...)
				if err != nil {
					continue // dCBOR has no infinities
				}
				got, said := read(b, false)
				if back, err := Marshal(got, opts...); said != "<nil>" || err != nil || string(back) != string(b) && len(v.Counts) < 2 {
					t.Fatalf("%x is read as %+v: %v, and written as %x: %v", b, got, said, back, err)
				}
				for k := range 40 {
					c := append([]byte(nil), b...)
					if k > 0 {
						c[random.IntN(len(c))] ^= 1 << random.IntN(8)
					}
					if k%8 == 7 {
						c = c[:random.IntN(len(c))]
					}
					own, err := read(c, false)
					want, wanted := read(c, true)
					if err != wanted || fmt.Sprintf("%+v", own) != fmt.Sprintf("%+v", want) {
						t.Fatalf("%x is read as %+v, %s, and without runs as %+v, %s", c, own, err, want, wanted)
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
