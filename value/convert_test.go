package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/opt"
)

type (
	namedInt   int16
	namedText  string
	namedByte  byte
	namedSlice []namedInt
	ownMap     map[string]any
)

type inner struct {
	X, Y int32
	Tag  namedText `weft:"tag,omitempty"`
}

// Promoted is embedded by value, Behind by pointer.
type Promoted struct {
	P int `json:"p"`
	Q string
}

type Behind struct {
	R *inner
	S [2]uint8
}

// everything has a field of each kind of type.
type everything struct {
	Bool    bool
	Int     int `json:"int"`
	I8      int8
	I16     int16
	I32     int32
	I64     int64
	Uint    uint
	U8      uint8
	U16     uint16
	U32     uint32
	U64     uint64
	Ptr     uintptr
	F32     float32
	F64     float64
	Str     string `weft:"str" json:"nothing"`
	Named   namedText
	NamedI  namedInt
	Bytes   []byte
	NamedBs []namedByte
	Arr     [3]byte
	Ints    [2]int
	Strs    []string
	Nums    namedSlice
	Time    time.Time
	Dur     time.Duration
	Number  json.Number
	Any     any
	Text    netip.Addr
	PtrText *netip.Addr
	In      inner
	PtrIn   *inner
	PtrPtr  **int
	List    []inner
	Lists   [][]float64
	Map     map[string]int
	AnyMap  map[string]any
	MapIn   map[namedText]inner
	IntMap  map[int8]string
	TextMap map[string]string
	NamedTM map[namedText]string
	NamedAM map[namedText]any
	OwnMap  ownMap
	UintMap map[uint16]*inner
	Null    opt.Null[int]
	Val     opt.Val[string]
	Field   opt.Field[[]int]
	Value   Value
	Next    *everything
	Hidden  string `json:"-"`
	Promoted
	*Behind
}

// wide lacks members and takes others.
type wide struct {
	A int            `value:"aa,omitempty" json:"x"`
	B string         `json:"bb,omitempty"`
	C *int           `weft:"cc,required"`
	D map[string]any `weft:",inline"`
}

var samples = []reflect.Type{
	reflect.TypeFor[everything](), reflect.TypeFor[inner](), reflect.TypeFor[Behind](), reflect.TypeFor[[]everything](),
	reflect.TypeFor[map[string]*everything](), reflect.TypeFor[wide](), reflect.TypeFor[map[int8][]inner](),
	reflect.TypeFor[opt.Field[inner]](), reflect.TypeFor[[3]opt.Null[string]](), reflect.TypeFor[any](), reflect.TypeFor[map[string]any](),
	reflect.TypeFor[[]any](), reflect.TypeFor[**string](), reflect.TypeFor[int8](), reflect.TypeFor[time.Time](), reflect.TypeFor[Value](),
}

// fill stores something at random in v.
func (r random) fill(v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *Value:
		*p = r.value(1)
		return
	case *time.Time:
		*p = time.Unix(int64(r.IntN(1000)), int64(r.IntN(1000))).In(zone)
		return
	case *json.Number:
		*p = json.Number([]string{"1", "1.5", "1e99"}[r.IntN(3)])
		return
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{1, 2, 3, byte(r.IntN(4))})
		return
	case *any:
		switch x := r.IntN(5); {
		case x == 0 || depth <= 0:
			*p = nil
		case x == 1:
			*p = map[string]any{"k": int64(1), "l": []any{"x", 1.5}}
		default:
			*p = []any{true, int64(r.IntN(9)), r.name(), []byte("b"), uint64(7)}[r.IntN(5)]
		}
		return
	case setting.OptionValue:
		switch p.OptionKind() {
		case setting.OptionField:
			v.Field(1).SetUint(uint64(r.IntN(3)))
		default:
			v.Field(1).SetBool(r.IntN(2) == 0)
		}
		if o := v.Field(1); o.Kind() == reflect.Bool && o.Bool() || o.Kind() == reflect.Uint8 && o.Uint() == 2 {
			r.fill(v.Field(0), depth-1)
		}
		return
	}
	n := r.IntN(3)
	if depth <= 0 {
		n = 0
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, 100, r.Int64()}[r.IntN(7)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint([]uint64{0, 1, math.MaxUint64, 100, r.Uint64()}[r.IntN(5)])
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1, -0.5, 0.1, 1e30}[r.IntN(5)])
	case reflect.String:
		v.SetString([]string{"", "a", "é\x00", r.name()}[r.IntN(4)])
	case reflect.Pointer:
		if n > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			r.fill(v.Elem(), depth-1)
		}
	case reflect.Slice:
		if r.IntN(3) > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			r.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		if r.IntN(3) == 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range n {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.fill(k, 0)
			r.fill(e, depth-1)
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" {
				r.fill(v.Field(i), depth-1)
			}
		}
	}
}

// TestConvert compares the compiled conversions with the reference and with each
// other.
func TestConvert(t *testing.T) {
	r := newRandom(4)
	for _, rt := range samples {
		for range 150 {
			x := reflect.New(rt)
			r.fill(x.Elem(), 4)
			for _, in := range []any{x.Interface(), x.Elem().Interface()} {
				got, err := Marshal(in)
				want, wantErr := refMarshal(in)
				if err != nil || wantErr != nil || !got.Equal(want) || got.String() != want.String() {
					t.Fatalf("%v:\n%v, %v, want\n%v, %v", rt, got, err, want, wantErr)
				}
			}
			v, _ := Marshal(x.Interface())
			back, ref := reflect.New(rt), reflect.New(rt)
			err, refErr := Unmarshal(v, back.Interface()), refUnmarshal(v, ref.Interface())
			if err != nil || refErr != nil || !same(back, ref) {
				t.Fatalf("%v from %v:\n%v, %v, want\n%v, %v", rt, v, back.Elem(), err, ref.Elem(), refErr)
			}
			again, err := Marshal(back.Interface())
			if err != nil || !again.Equal(v) {
				t.Fatalf("%v: %v came back as %v, %v", rt, v, again, err)
			}
		}
	}
}

// same compares by what is marshaled and, nil apart, deeply.
func same(a, b reflect.Value) bool {
	x, err := refMarshal(a.Interface())
	y, err2 := refMarshal(b.Interface())
	return err == nil && err2 == nil && x.Equal(y)
}

// TestUnmarshalAny stores values that were not made from the type: either both
// implementations fail or they agree.
func TestUnmarshalAny(t *testing.T) {
	r := newRandom(5)
	failed := 0
	for _, rt := range samples {
		for range 300 {
			v := r.value(3)
			if m, err := Marshal(reflect.New(rt).Interface()); err == nil && r.IntN(2) == 0 {
				v = m // with a few members of other kinds
				for range r.IntN(4) {
					if v.Len() > 0 && v.Kind() == KindMap {
						v = v.WithMember(v.Name(r.IntN(v.Len())), r.value(2))
					}
				}
			}
			a, b := reflect.New(rt), reflect.New(rt)
			err, want := Unmarshal(v, a.Interface()), refUnmarshal(v, b.Interface())
			if want != nil {
				failed++
				// The reference reads no instants from strings.
				if err == nil && !strings.Contains(v.String(), "T") && !strings.Contains(v.String(), "-") {
					t.Fatalf("%v from %#v: %v, want an error", rt, v, a.Elem())
				}
				continue
			}
			if err != nil || !same(a, b) {
				t.Fatalf("%v from %v: %v, %v, want %v", rt, v, a.Elem(), err, b.Elem())
			}
		}
	}
	if failed < 100 {
		t.Errorf("only %d conversions failed", failed)
	}
}

type badChan struct {
	A int
	C chan int
}

type textFails struct{}

func (textFails) MarshalText() ([]byte, error) { return nil, errReference }
func (*textFails) UnmarshalText([]byte) error  { return errReference }

type self struct{ Self *self }

func TestMarshalErrors(t *testing.T) {
	loop := &self{}
	loop.Self = loop
	list := []any{nil}
	list[0] = list
	tests := []struct {
		v    any
		want string
	}{
		{make(chan int), "value: chan int: chan has no form in any format"},
		{func() {}, "value: func(): func has no form in any format"},
		{badChan{}, "value: value.badChan, field C: chan int: chan has no form in any format"},
		{map[string]any{"a": []any{1, make(chan int)}}, "value: at /a/1: chan int: chan has no form in any format"},
		{struct{ A []any }{[]any{complex(1, 2)}}, "value: at /A/0: complex128: complex numbers have no form in the format"},
		{map[float64]int{},
			"value: map[float64]int: keys of type float64 cannot be names: a string, an integer or a type with MarshalText is needed"},
		{struct{ M map[string]textFails }{map[string]textFails{"x/y": {}}}, "value: at /M/x~1y: reference: cannot convert"},
		{json.Number("x"), "value: not a number in JSON's grammar"},
		{loop, "nesting too deep"},
		{list, "nesting too deep"},
		{json.RawMessage("1"), "has no form as a value"},
		{wide{A: 1, D: map[string]any{"aa": 2}}, `value: duplicate member name "aa"`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			v, err := Marshal(tt.v)
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) || !v.IsNull() {
				t.Errorf("%T: %.200v, want %s", tt.v, err, tt.want)
			}
			var e *weft.Error
			if !errors.As(err, &e) || e.Format != "value" {
				t.Errorf("%T: %T", tt.v, err)
			}
		})
	}
}

type needs struct {
	A int  `weft:"a,required"`
	B *int `weft:"b,required,alias:bee"`
	C int8 `weft:"c"`
}

func TestUnmarshalErrors(t *testing.T) {
	tests := []struct {
		v    Value
		out  any
		want string
	}{
		{Int(300), new(int8), "value: int 300 does not fit int8"},
		{obj("C", 1), new(struct{ C chan int }), "value: struct { C chan int }, field C: chan int: chan has no form in any format"},
		{arr(1, 300), new([]uint8), "value: at /1: int 300 does not fit uint8"},
		{obj("a", 1, "b", 2, "c", -129), new(needs), "value: at /c: int -129 does not fit int8"},
		{obj("a", 1), new(needs), `value: missing required member "b"`},
		{Map(), new(needs), `value: missing required members "a", "b"`},
		{obj("x", obj("c", 1)), new(map[string]needs), `value: at /x: missing required members "a", "b"`},
		{String("1"), new(int), "value: cannot read string as int"},
		{Bool(true), new(string), "value: cannot read bool as string"},
		{Int(1), new([]int), "value: int 1 does not fit []int"},
		{List(), new(inner), "value: cannot read array as value.inner"},
		{Float(1.5), new(int), "value: float 1.5 does not fit int"},
		{Float(1e300), new(float32), "value: float 1e+300 does not fit float32"},
		{Int(-1), new(uint), "value: int -1 does not fit uint"},
		{num("1e999"), new(float64), "value: number 1e999 does not fit float64"},
		{String("x"), new(time.Time), "value: cannot read string as time.Time"},
		{String("?"), new([]byte), "value: cannot read string as []uint8"},
		{Bytes([]byte("ab")), new([3]byte), "value: 2 bytes do not fit [3]uint8"},
		{obj("x", 1), new(map[int]int), `value: at /x: string "x" does not fit int`},
		{obj("300", 1), new(map[int8]int), `value: at /300: int 300 does not fit int8`},
		{String("x"), new(textFails), "value: reference: cannot convert"},
		{String("x"), new(error), "value: cannot read string as error"},
		{Int(1), nil, "value: Unmarshal needs a pointer that is not nil"},
		{Int(1), 5, "value: Unmarshal needs a pointer that is not nil"},
		{Int(1), (*int)(nil), "value: Unmarshal needs a pointer that is not nil"},
		{obj("X", obj("Y", String("no"))), new(map[string]*inner), "value: at /X/Y: cannot read string as int32"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			for range 3 { // the first time by names, then by route
				err := Unmarshal(tt.v, tt.out)
				if err == nil || err.Error() != tt.want {
					t.Errorf("%v to %T: %v, want %s", tt.v, tt.out, err, tt.want)
				}
			}
		})
	}
}

func TestUnmarshalMore(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 600, time.UTC)
	eight := int64(8)
	tests := []struct {
		v    Value
		out  any // what it is before, a pointer
		want any
	}{
		{String("2024-01-02T03:04:05.0000006Z"), new(time.Time), at},
		{String("aGk="), new([]byte), []byte("hi")},
		{String("aGk="), new([2]byte), [2]byte{'h', 'i'}},
		{arr(1, 2), new([]byte), []byte{1, 2}},
		{Float(3), new(int8), int8(3)},
		{num("255"), new(uint8), uint8(255)},
		{num("0.1"), new(float32), float32(0.1)},
		{Int(5), new(json.Number), json.Number("5")},
		{num("1e999"), new(json.Number), json.Number("1e999")},
		{arr(7), &[3]int{1, 2, 3}, [3]int{7, 0, 0}},
		{arr(7, 8, 9, 9), new([3]int), [3]int{7, 8, 9}},
		{obj("b", 2), &map[string]int{"a": 1}, map[string]int{"a": 1, "b": 2}},
		{obj("X", 5), &inner{1, 2, "t"}, inner{5, 2, "t"}},
		{Null(), &inner{1, 2, "t"}, inner{}},
		{Null(), &map[string]int{"a": 1}, map[string]int(nil)},
		{obj("a", 1, "bee", 8), new(needs), needs{1, new(int), 0}},
		{Int(8), ptr(any(new(int64))), any(&eight)},
		{Int(8), ptr(any("x")), any(int64(8))},
		{Null(), ptr(any("x")), any(nil)},
		{arr(nil, 1), new([]*int64), []*int64{nil, ptr(int64(1))}},
		{obj("cc", 1, "z", arr(1)), new(wide), wide{C: ptr(1), D: map[string]any{"z": []any{int64(1)}}}},
		{Ext(1, nil), new(Value), nil},
	}
	*tests[15].want.(needs).B = 8
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.40v to %T", tt.v, tt.out), func(t *testing.T) {
			for range 3 {
				if err := Unmarshal(tt.v, tt.out); err != nil {
					t.Errorf("to %T: %v", tt.out, err)
				}
			}
			if got := reflect.ValueOf(tt.out).Elem().Interface(); tt.want != nil && !reflect.DeepEqual(got, tt.want) {
				t.Errorf("to %T: %#v, want %#v", tt.out, got, tt.want)
			}
		})
	}
	// The same time in nanoseconds and zone.
	var back time.Time
	local := time.Now()
	v, _ := Marshal(local)
	if err := Unmarshal(v, &back); err != nil || !back.Equal(local) || back.Location() != local.Location() ||
		back.Nanosecond() != local.Nanosecond() {
		t.Errorf("%v came back as %v", local, back)
	}
}

func ptr[T any](v T) *T { return &v }

// TestConcurrent compiles and uses types from many goroutines at once.
func TestConcurrent(t *testing.T) {
	type a struct {
		A int               `json:",omitempty"`
		B []map[string]*int `json:"b,omitempty"`
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				x := []a{{A: g & i & 1}, {B: []map[string]*int{{fmt.Sprint(i % 5): &i}}}}
				v, err := Marshal(x)
				var y []a
				if err != nil || Unmarshal(v, &y) != nil || !reflect.DeepEqual(x, y) {
					t.Errorf("%v came back as %v", x, y)
				}
			}
		}()
	}
	wg.Wait()
}

func TestAllocs(t *testing.T) {
	if mem.Safe || sample.Race {
		t.Skip("counts of the fast build")
	}
	type flat struct {
		A string
		B int
		C bool
		D float64
		E []string
	}
	x := &flat{"a", 1, true, 2, nil}
	v, _ := Marshal(x)
	m := map[string]any{"a": 1, "b": "x", "c": true, "d": 1.5}
	var y flat
	for name, tt := range map[string]struct {
		most float64
		f    func()
	}{
		"Marshal":     {1, func() { _, _ = Marshal(x) }},
		"Marshal map": {1, func() { _, _ = Marshal(m) }},
		"Unmarshal":   {0, func() { _ = Unmarshal(v, &y) }},
		"Get":         {0, func() { _, _ = v.Get("E") }},
		"Lookup":      {0, func() { _, _ = v.Lookup("E") }},
		"Hash":        {0, func() { v.Hash() }},
		"Equal":       {0, func() { v.Equal(v) }},
	} {
		t.Run(name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, tt.f); got > tt.most {
				t.Errorf("%v allocations, at most %v are expected", got, tt.most)
			}
		})
	}
}
