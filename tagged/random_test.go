package tagged

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/tagwire"
	"github.com/weftcodec/weft/opt"
)

// Named types of every kind, and structs that reflect.StructOf cannot make.
type (
	namedInt    int16
	namedUint   uint64
	namedFloat  float32
	namedString string
	namedBool   bool
	namedBytes  []byte
	namedByte   byte
	ownBytes    []namedByte
	namedMap    map[namedString]namedInt
	namedSlice  []namedString

	inner struct {
		A int `json:"a"`
		B *string
	}
	Embedded struct {
		C float64 `tagged:"c,omitempty"`
		D []inner
	}
	PtrEmbedded struct{ E string }
	outer       struct {
		Embedded
		*PtrEmbedded
		inner
		F map[int]inner      `weft:"f,omitzero"`
		G opt.Null[string]   `tagged:"g"`
		H opt.Val[int]       `tagged:"h"`
		I opt.Field[float64] `tagged:"i"`
		Z time.Time
		_ int
	}
	list struct {
		Value int
		Next  *list `tagged:",omitempty"`
	}
	tree struct {
		Name string
		Kids []tree
		By   map[string]*tree
	}
	catch struct {
		A    int
		More map[string]any `tagged:",inline"`
	}
)

var leafTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](),
	reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[5]byte](), reflect.TypeFor[time.Time](),
	reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[namedInt](), reflect.TypeFor[namedUint](),
	reflect.TypeFor[namedFloat](), reflect.TypeFor[namedString](), reflect.TypeFor[namedBool](), reflect.TypeFor[namedBytes](),
	reflect.TypeFor[ownBytes](), reflect.TypeFor[namedMap](), reflect.TypeFor[namedSlice](), reflect.TypeFor[outer](),
	reflect.TypeFor[list](), reflect.TypeFor[tree](),
	reflect.TypeFor[opt.Null[int]](), reflect.TypeFor[catch](), reflect.TypeFor[struct{}](),
}

var keyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint16](), reflect.TypeFor[uint64](),
	reflect.TypeFor[namedString](), reflect.TypeFor[namedInt](),
}

// randomType returns a type of at most the given depth.
func randomType(rnd *rand.Rand, depth int) reflect.Type {
	if depth == 0 || rnd.IntN(3) == 0 {
		return leafTypes[rnd.IntN(len(leafTypes))]
	}
	switch rnd.IntN(6) {
	case 0:
		return reflect.PointerTo(randomType(rnd, depth-1))
	case 1:
		return reflect.SliceOf(randomType(rnd, depth-1))
	case 2:
		return reflect.ArrayOf(rnd.IntN(4), randomType(rnd, depth-1))
	case 3:
		return reflect.MapOf(keyTypes[rnd.IntN(len(keyTypes))], randomType(rnd, depth-1))
	}
	tags := []string{"", `tagged:"%s"`, `tagged:"%s,omitempty"`, `weft:"%s-a-name-longer-than-two-words"`, `json:"%s,omitzero"`}
	fields := make([]reflect.StructField, rnd.IntN(8))
	if rnd.IntN(20) == 0 {
		fields = make([]reflect.StructField, 70)
	}
	for i := range fields {
		name := fmt.Sprintf("F%d", i)
		fields[i] = reflect.StructField{Name: name, Type: randomType(rnd, depth-1)}
		if tag := tags[rnd.IntN(len(tags))]; tag != "" {
			fields[i].Tag = reflect.StructTag(fmt.Sprintf(tag, "n"+name))
		}
	}
	return reflect.StructOf(fields)
}

// fill sets v to a random value that comes back equal: slices and maps that
// omitempty leaves out are nil, floats are no NaN.
func fill(rnd *rand.Rand, v reflect.Value, depth int) {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		if rnd.IntN(4) > 0 {
			*x = time.Unix(rnd.Int64N(1<<37)-1<<35, rnd.Int64N(1e9)).UTC()
		}
		return
	case *any:
		*x = randomAny(rnd, depth)
		return
	case *opt.Null[int]:
		if rnd.IntN(2) == 0 {
			*x = opt.NullOf(rnd.Int())
		}
		return
	case *opt.Null[string]:
		if rnd.IntN(2) == 0 {
			*x = opt.NullOf("v")
		}
		return
	case *opt.Val[int]:
		if rnd.IntN(2) == 0 {
			*x = opt.ValOf(rnd.Int())
		}
		return
	case *opt.Field[float64]:
		// Never absent: an array of the members can only say null.
		if *x = opt.FieldNull[float64](); rnd.IntN(2) == 0 {
			*x = opt.FieldOf(0.25)
		}
		return
	case *catch:
		x.A = rnd.Int()
		if rnd.IntN(2) == 0 {
			x.More = map[string]any{"x": int64(1), "y": []any{}}
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rnd.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(rnd.Uint64()) >> rnd.IntN(64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(rnd.Uint64() >> rnd.IntN(64))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1, -1.5, 1e30, 0.125, rnd.NormFloat64(), rnd.ExpFloat64() * 1e30}[rnd.IntN(7)])
	case reflect.String:
		v.SetString(randomString(rnd))
	case reflect.Pointer:
		if depth > 0 && rnd.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			if p := v.Elem(); p.Kind() == reflect.Pointer || p.Kind() == reflect.Interface || p.Kind() == reflect.Slice || p.Kind() == reflect.Map {
				v.SetZero() // a pointer to nil and a nil pointer are the same on the wire
				return
			}
			fill(rnd, v.Elem(), depth-1)
			if z, ok := v.Interface().(interface{ IsZero() bool }); ok && z.IsZero() {
				v.SetZero() // which omitzero would leave out
				return
			}
			if o, ok := v.Interface().(weft.OptionValue); ok && o.OptionKind() != weft.OptionNone {
				*v.Interface().(*opt.Null[int]) = opt.NullOf(1)
			}
		}
	case reflect.Slice:
		if depth > 0 && rnd.IntN(4) > 0 {
			n := rnd.IntN(5)
			if rnd.IntN(20) == 0 {
				n = rnd.IntN(300)
			}
			if n == 0 {
				return
			}
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(rnd, v.Index(i), min(depth-1, 2))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(rnd, v.Index(i), depth-1)
		}
	case reflect.Map:
		if n := rnd.IntN(5); depth > 0 && n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(rnd, k, depth-1)
				fill(rnd, e, depth-1)
				v.SetMapIndex(k, e)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(rnd, f, depth-1)
			}
		}
	}
}

func randomString(rnd *rand.Rand) string {
	n := []int{0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 255, 256, 2000}[rnd.IntN(14)]
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.IntN(256))
	}
	if string(b) == "*" || string(b) == "\xfe" { // the format has no such names
		return "+"
	}
	return string(b)
}

// randomAny returns a value as decoding into an interface makes it.
func randomAny(rnd *rand.Rand, depth int) any {
	switch k := rnd.IntN(12); {
	case k == 0 && depth > 0:
		v := make([]any, rnd.IntN(4))
		for i := range v {
			v[i] = randomAny(rnd, depth-1)
		}
		return v
	case k == 1 && depth > 0:
		v := map[string]any{}
		for range rnd.IntN(4) {
			v[randomString(rnd)] = randomAny(rnd, depth-1)
		}
		return v
	case k == 3:
		return rnd.NormFloat64()
	case k == 8:
		return nil
	case k == 9:
		return randomString(rnd)
	}
	return int64(rnd.Uint64()) >> rnd.IntN(64)
}

// TestRandomRoundTrip is the law: what is marshaled unmarshals to an equal
// value, in both layouts, and what is cut or spoilt never panics.
func TestRandomRoundTrip(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rnd := rand.New(rand.NewPCG(seed, 1))
	rounds := 120
	if testing.Short() {
		rounds = 60
	}
	formats := []weft.Format{Format, Framed}
	for range rounds {
		rt := randomType(rnd, 3)
		for range 3 {
			v := reflect.New(rt)
			fill(rnd, v.Elem(), 4)
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
					where, x, y := difference(v.Elem(), w.Elem())
					t.Fatalf("seed %d, %s: %s: %#v\n%#v\n%.300v", seed, f.Name(), where, x, y, rt)
				}
				clear(b)
				if !reflect.DeepEqual(v.Interface(), w.Interface()) {
					t.Fatalf("seed %d: %s into %v holds on to its input", seed, f.Name(), rt)
				}
				if len(in) < 600 {
					spoil(t, rnd, f, rt, []byte(in))
				}
			}
		}
	}
}

// spoil cuts a document at each byte and changes each byte.
func spoil(t *testing.T, rnd *rand.Rand, f weft.Format, rt reflect.Type, b []byte) {
	for n := range b {
		err := f.Unmarshal(b[:n:n], reflect.New(rt).Interface())
		var e *weft.Error
		if err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(n)) {
			t.Fatalf("%s, %v from the first %d bytes of %x: %v", f.Name(), rt, n, b, err)
		}
		bad := append([]byte(nil), b...)
		bad[n] ^= byte(1 + rnd.IntN(255))
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
	n, i := tagwire.Uvarint(b, len(frameMagic)+2, len(b))
	if i < 0 || n > uint64(len(b)-i) {
		return
	}
	i += int(n)
	if i+4 > len(b) {
		return
	}
	binary.LittleEndian.PutUint32(b[i:], crc32.Checksum(b[:i], castagnoli))
	for i += 4; len(b)-i >= frameHead; {
		size, rows, how := frameSize(b[i:])
		if size > int64(len(b)-i) {
			return
		}
		seal(b[i:i+int(size)], rows, how)
		i += int(size)
	}
}

// difference returns where x and y differ first, and how.
func difference(x, y reflect.Value) (where string, a, b any) {
	if x.Kind() == y.Kind() {
		switch x.Kind() {
		case reflect.Struct:
			for i := range x.NumField() {
				if w, a, b := difference(x.Field(i), y.Field(i)); w != "" {
					return "." + x.Type().Field(i).Name + w, a, b
				}
			}
			return "", nil, nil
		case reflect.Pointer:
			if !x.IsNil() && !y.IsNil() {
				return difference(x.Elem(), y.Elem())
			}
		case reflect.Map:
			for _, k := range x.MapKeys() {
				if e := y.MapIndex(k); e.IsValid() {
					if w, a, b := difference(x.MapIndex(k), e); w != "" {
						return fmt.Sprintf("[%v]%s", k, w), a, b
					}
				}
			}
		case reflect.Slice, reflect.Array:
			if x.Len() == y.Len() && (x.Kind() == reflect.Array || x.IsNil() == y.IsNil()) {
				for i := range x.Len() {
					if w, a, b := difference(x.Index(i), y.Index(i)); w != "" {
						return fmt.Sprintf("[%d]%s", i, w), a, b
					}
				}
				return "", nil, nil
			}
		}
	}
	if x.CanInterface() && !reflect.DeepEqual(x.Interface(), y.Interface()) {
		return fmt.Sprintf(" (%v)", x.Type()), x.Interface(), y.Interface()
	}
	return "", nil, nil
}
