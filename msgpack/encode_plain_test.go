package msgpack

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/opt"
)

// flatAll has every kind of member that is written without an encoder.
type flatAll struct {
	Bool  bool
	I     int
	I8    int8
	I16   int16
	I32   int32
	I64   int64
	U     uint
	U8    uint8
	U16   uint16
	U32   uint32
	U64   uint64
	Ptr   uintptr
	F32   float32
	F64   float64
	S     string
	B     []byte
	T     time.Time
	Last  string
	Again int64
}

// plainAll has a flat struct, and options that may be left out.
type plainAll struct {
	Flat flatAll
	Null opt.Null[int]
	Val  opt.Val[string]
	List []flatAll
}

// TestPlainMembers compares structs with their members written one by one.
func TestPlainMembers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		v := plainAll{Flat: randomFlat(r), List: make([]flatAll, r.IntN(4))}
		for i := range v.List {
			v.List[i] = randomFlat(r)
		}
		if r.IntN(2) == 0 {
			v.Null, v.Val = opt.NullOf(r.Int()), opt.ValOf("a value that is longer than a short one"[:r.IntN(40)])
		}
		for _, array := range []bool{false, true} {
			for _, what := range []any{&v.Flat, &v, &v.List, []any{v.Flat}} {
				want := oneByOne(reflect.ValueOf(what), array)
				for _, spare := range []int{0, 5, 100, 5000} {
					b := append(make([]byte, 0, 1+spare), 'x')
					got, err := MarshalAppend(b, what, weft.StructAsArray(array))
					if err != nil || string(got[1:]) != string(want) || got[0] != 'x' {
						t.Fatalf("%T with array %v, %v:\ngot  %x\nwant %x", what, array, err, got[1:], want)
					}
				}
				if got, err := Marshal(what, weft.StructAsArray(array)); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%T with array %v, %v:\ngot  %x\nwant %x", what, array, err, got, want)
				}
			}
		}
	}
}

func randomFlat(r *rand.Rand) (v flatAll) {
	rv := reflect.ValueOf(&v).Elem()
	for i := range rv.NumField() {
		f, bits := rv.Field(i), r.Uint64()>>r.IntN(64)
		switch {
		case f.CanInt():
			f.SetInt(int64(bits) * int64(1-2*r.IntN(2)))
		case f.CanUint():
			f.SetUint(bits)
		case f.CanFloat():
			f.SetFloat(math.Float64frombits(bits &^ (1 << 62)))
		case f.Kind() == reflect.Bool:
			f.SetBool(bits&1 == 1)
		case f.Kind() == reflect.String:
			f.SetString("any text that is longer than a short one"[:r.IntN(41)])
		}
	}
	if n := r.IntN(300); n > 0 {
		v.B = make([]byte, n-1)
	}
	v.T = time.Unix(int64(r.Uint64()>>r.IntN(50)>>2), r.Int64N(2)*r.Int64N(1e9))
	return v
}

// oneByOne writes structs member by member, and what is not a struct by Marshal.
func oneByOne(v reflect.Value, array bool) []byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return oneByOne(v.Elem(), array)
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k != reflect.Uint8 {
			b := packwire.AppendArrayHeader(nil, v.Len())
			for i := range v.Len() {
				b = append(b, oneByOne(v.Index(i), array)...)
			}
			if v.IsNil() {
				b = packwire.AppendNil(nil)
			}
			return b
		}
	case reflect.Struct:
		switch v.Interface().(type) {
		case flatAll, plainAll:
			b, n := []byte(nil), 0
			for i := range v.NumField() {
				f := v.Field(i)
				if o, ok := f.Interface().(opt.Val[string]); ok && !o.Valid && !array {
					continue
				}
				n++
				if !array {
					b = packwire.AppendString(b, v.Type().Field(i).Name)
				}
				b = append(b, oneByOne(f, array)...)
			}
			if array {
				return append(packwire.AppendArrayHeader(nil, n), b...)
			}
			return append(packwire.AppendMapHeader(nil, n), b...)
		}
	}
	b, err := Marshal(v.Interface())
	if err != nil {
		panic(err)
	}
	return b
}

type (
	rootNamed string
	rootHook  struct{ A, B int }
	rootText  int
	rootLate  struct{ A, B int }
)

func (h rootHook) AppendMsgpack(b []byte) ([]byte, error) { return AppendInt(b, int64(h.A)), nil }
func (t *rootText) MarshalText() ([]byte, error)          { return []byte("text"), nil }
func (l *rootLate) MarshalWeft(e *weft.Encoder) error     { e.Int(l.B); return nil }

// TestRoots compares calls that take no encoder for what is flat with those that do.
func TestRoots(t *testing.T) {
	for name, v := range map[string]any{
		"bool": true, "int": -7, "int8": int8(-100), "uint64": uint64(math.MaxUint64), "float32": float32(1.5), "float64": 2.5,
		"string": "text", "named": rootNamed("named"), "long": rootNamed(bytes.Repeat([]byte("x"), 70_000)),
		"bytes": []byte("bytes"), "no bytes": []byte(nil), "time": time.Unix(1, 2), "duration": time.Second,
		"ints": []int{1, 2, 300}, "strings": []string{"a", ""}, "nil list": []string(nil), "map": map[string]int{"a": 1},
		"struct": flatAll{I: 5, F32: 1}, "structs": []flatAll{{}, {I: 6}}, "array": [2]int{1, 2}, "struct with a method": rootHook{1, 2},
		"text": rootText(3), "list with methods": []rootHook{{4, 5}}, "method of the pointer": rootLate{8, 9}, "pointer": new(*int),
	} {
		rv := reflect.New(reflect.TypeOf(v))
		rv.Elem().Set(reflect.ValueOf(v))
		for _, v := range []any{v, rv.Interface(), reflect.Zero(rv.Type()).Interface()} {
			for _, opts := range [][]Options{nil, {weft.StructAsArray(true)}, {OldSpec(true)}, {weft.MaxDepth(9)}} {
				var want bytes.Buffer
				if err := MarshalWrite(&want, v, opts...); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for range 2 { // before and after the type is known
					if got, err := Marshal(v, opts...); err != nil || !bytes.Equal(got, want.Bytes()) {
						t.Errorf("%s: Marshal %T %v: % x %v, want % x", name, v, opts, got, err, want.Bytes())
					}
					if got, err := MarshalAppend([]byte("before"), v, opts...); err != nil || string(got) != "before"+want.String() {
						t.Errorf("%s: MarshalAppend %T %v: % x %v, want % x", name, v, opts, got, err, want.Bytes())
					}
				}
			}
		}
	}
}
