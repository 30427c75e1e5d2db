package interop

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	fxamacker "github.com/fxamacker/cbor/v2"
	"github.com/weftcodec/weft/cbor"
	kubernetes "k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
)

// randomTypes is how many types the values of compareTypes have: a type is never freed.
const randomTypes = 2000

// compareTypes is compareModes for values of Go types that are random, too: structs as maps and arrays, with names that
// are integers and members that may be left out. In the mode of Kubernetes its own functions are the reference. Without
// a mode it is the preferred form, and of each map one key at most.
func compareTypes(t *testing.T, seed uint64) {
	t.Helper()
	typ := randomStruct(rand.New(rand.NewPCG(seed%randomTypes, 21)), 2)
	v := reflect.New(typ)
	fill(rand.New(rand.NewPCG(seed, 22)), v.Elem(), 10)
	for _, m := range cborModes {
		marshal := m.peer.Marshal
		if m.own == cbor.LengthFirst {
			marshal = lengthFirst
		}
		compareStruct(t, m.name, seed, v.Interface(), marshal, fxamacker.Unmarshal, m.own.Strict())
	}
	fill(rand.New(rand.NewPCG(seed, 22)), v.Elem(), 2)
	compareStruct(t, "preferred", seed, v.Interface(), preferred.Marshal, fxamacker.Unmarshal)
	if finite(v.Elem()) {
		compareStruct(t, "Kubernetes", seed, v.Interface(), kubernetes.Marshal, kubernetes.Unmarshal, cbor.Kubernetes.Strict())
	}
}

// lengthFirst is fxamacker/cbor's mode of that name, by way of maps: structs whose keys are all integers it writes in
// the order of bytes, 1000 before -200, where RFC 7049 §3.9 says "If two keys have different lengths, the shorter one
// sorts earlier".
func lengthFirst(v any) ([]byte, error) {
	mode := cborModes[1].peer
	b, err := mode.Marshal(v)
	var x any
	if err == nil {
		err = fxamacker.Unmarshal(b, &x)
	}
	if err != nil {
		return nil, err
	}
	return mode.Marshal(x)
}

var preferred = peerMode(fxamacker.PreferredUnsortedEncOptions())

func compareStruct(
	t *testing.T, mode string, seed uint64, v any,
	marshal func(any) ([]byte, error), unmarshal func([]byte, any) error, opts ...cbor.Options,
) {
	t.Helper()
	want, err := marshal(v)
	if err != nil {
		t.Fatalf("%s, seed %d: the peer: %v", mode, seed, err)
	}
	got, err := cbor.Marshal(v, opts...)
	if err != nil || !bytes.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		from := max(at-10, 0)
		t.Fatalf("%s, seed %d differs at %d: %.40x, to the peer %.40x: %v: %T", mode, seed, at, got[from:], want[from:], err, v)
	}
	own, others := fresh(v), fresh(v)
	err, failed := cbor.Unmarshal(want, own, opts...), unmarshal(got, others)
	if err != nil || failed != nil {
		t.Fatalf("%s, seed %d: %x of %T: %v, by the peer: %v", mode, seed, got, v, err, failed)
	}
	if a, b := fmt.Sprintf("%#v", own), fmt.Sprintf("%#v", others); a != b && !reflect.DeepEqual(own, others) {
		back, _ := cbor.Marshal(own, opts...)
		other, _ := cbor.Marshal(others, opts...)
		if !bytes.Equal(back, other) { // pointers differ, and what NaN is not equal to; a pointer to nil becomes nil
			t.Fatalf("%s, seed %d: %x came back as %x and, by the peer, as %x", mode, seed, want, back, other)
		}
	}
}

var plainTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](),
	reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](),
}

// randomType returns a type of at most so many levels.
func randomType(r *rand.Rand, levels int) reflect.Type {
	plain := plainTypes[r.IntN(len(plainTypes))]
	if levels == 0 {
		return plain
	}
	switch r.IntN(8) {
	case 0:
		if elem := randomType(r, levels-1); elem.Kind() != reflect.Uint8 {
			return reflect.SliceOf(elem)
		}
	case 1:
		return reflect.MapOf(reflect.TypeFor[string](), randomType(r, levels-1))
	case 2:
		return reflect.PointerTo(randomType(r, 0))
	case 3:
		return randomStruct(r, levels-1)
	case 4:
		if elem := randomType(r, levels-1); elem.Kind() != reflect.Uint8 {
			return reflect.ArrayOf(r.IntN(4), elem)
		}
	}
	return plain
}

// randomStruct returns a type of structs.
func randomStruct(r *rand.Rand, levels int) reflect.Type {
	var fields []reflect.StructField
	layout := r.IntN(6)
	if layout == 0 {
		blank := reflect.StructField{Name: "_", PkgPath: "p", Type: reflect.TypeFor[struct{}](), Tag: `cbor:",toarray"`}
		fields = append(fields, blank)
	}
	for i := range r.IntN(12) {
		tag := ""
		switch {
		case layout == 1:
			tag = fmt.Sprintf("%d,keyasint", (i-4)*r.IntN(9000)+i)
		case r.IntN(2) == 0:
			tag = fmt.Sprintf("%.*s%d", r.IntN(26), "abcdefghijklmnopqrstuvwxyz", i)
		}
		if layout != 0 && r.IntN(3) == 0 {
			tag += ",omitempty"
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: randomType(r, levels), Tag: reflect.StructTag(fmt.Sprintf("cbor:%q", tag)),
		})
	}
	return reflect.StructOf(fields)
}

// fill gives v a random value, with containers of less than most elements.
func fill(r *rand.Rand, v reflect.Value, most int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64) << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64) >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(randomFloat(r))
	case reflect.String:
		v.SetString(randomText(r))
	case reflect.Pointer:
		if v.SetZero(); r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), most)
		}
	case reflect.Slice:
		if v.SetZero(); r.IntN(8) > 0 {
			n := r.IntN(most)
			if v.Type().Elem().Kind() == reflect.Uint8 {
				n = r.IntN(300)
			}
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(r, v.Index(i), most)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), most)
		}
	case reflect.Map:
		if v.SetZero(); r.IntN(8) > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range r.IntN(most) {
				key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(r, key, most)
				fill(r, elem, most)
				v.SetMapIndex(key, elem)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" {
				fill(r, v.Field(i), most)
			}
		}
	}
}

// finite reports whether all floating-point numbers are.
func finite(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return !math.IsInf(v.Float(), 0) && !math.IsNaN(v.Float())
	case reflect.Pointer:
		return v.IsNil() || finite(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !finite(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for m := v.MapRange(); m.Next(); {
			if !finite(m.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !finite(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// TestCBORBig: integers of any size are written as fxamacker/cbor writes them, and read.
func TestCBORBig(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 23))
	for range 5000 {
		v := new(big.Int).Lsh(big.NewInt(int64(r.Uint64())>>r.IntN(64)), uint(r.IntN(200)))
		v.Add(v, big.NewInt(int64(r.Uint64())>>r.IntN(64)))
		for _, m := range cborModes[:2] {
			want, err := m.peer.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var back, other big.Int
			got, err := cbor.Marshal(v, m.own.Strict())
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %d is %x, to fxamacker/cbor %x: %v", m.name, v, got, want, err)
			}
			if err := cbor.Unmarshal(want, &back, m.own.Strict()); err != nil || back.Cmp(v) != 0 {
				t.Fatalf("%d came back as %d: %v", v, &back, err)
			}
			if err := fxamacker.Unmarshal(got, &other); err != nil || other.Cmp(v) != 0 {
				t.Fatalf("%d came back from fxamacker/cbor as %d: %v", v, &other, err)
			}
		}
	}
}
