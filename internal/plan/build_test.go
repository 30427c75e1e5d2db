package plan

import (
	"encoding"
	"encoding/json"
	"math"
	"net/netip"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/opt"
)

type rawOwn []byte

var ownConfig = Config{
	Keys:  []string{"own", "weft", "json"},
	Hooks: []Hook{WeftHook(), BinaryHook(), TextHook()},
	Raws:  []RawType{{reflect.TypeFor[rawOwn](), "own"}},
}

func TestKinds(t *testing.T) {
	tests := []struct {
		of   reflect.Type
		kind Kind
		bits uint8
	}{
		{reflect.TypeFor[bool](), Bool, 0},
		{reflect.TypeFor[int](), Int, strconv.IntSize},
		{reflect.TypeFor[int8](), Int8, 8},
		{reflect.TypeFor[namedInt](), Int32, 32},
		{reflect.TypeFor[int64](), Int64, 64},
		{reflect.TypeFor[uint16](), Uint16, 16},
		{reflect.TypeFor[uintptr](), Uintptr, uint8(unsafe.Sizeof(uintptr(0)) * 8)},
		{reflect.TypeFor[float32](), Float32, 32},
		{reflect.TypeFor[float64](), Float64, 64},
		{reflect.TypeFor[complex64](), Complex64, 64},
		{reflect.TypeFor[complex128](), Complex128, 128},
		{reflect.TypeFor[named](), String, 0},
		{reflect.TypeFor[[]byte](), Bytes, 0},
		{reflect.TypeFor[namedBytes](), Bytes, 0},
		{reflect.TypeFor[[]namedByte](), Bytes, 0},
		{reflect.TypeFor[[]textByte](), Slice, 0},
		{reflect.TypeFor[[]jsonByte](), Bytes, 0}, // not a hook of this Set
		{reflect.TypeFor[[]int8](), Slice, 0},
		{reflect.TypeFor[[4]byte](), ByteArray, 0},
		{reflect.TypeFor[[4]textByte](), Array, 0},
		{reflect.TypeFor[[0]int](), Array, 0},
		{timeType, Time, 0},
		{reflect.TypeFor[namedTime](), Struct, 0},
		{durationType, Duration, 64},
		{reflect.TypeFor[namedDur](), Int64, 64},
		{numberType, Number, 0},
		{reflect.TypeFor[namedNumber](), String, 0},
		{rawType, Raw, 0},
		{reflect.TypeFor[rawOwn](), Raw, 0},
		{reflect.TypeFor[namedRaw](), Bytes, 0},
		{reflect.TypeFor[any](), Any, 0},
		{reflect.TypeFor[namedAny](), Any, 0},
		{reflect.TypeFor[error](), Interface, 0},
		{reflect.TypeFor[*int](), Pointer, 0},
		{reflect.TypeFor[map[string]int](), Map, 0},
		{reflect.TypeFor[struct{}](), Struct, 0},
		{reflect.TypeFor[opt.Null[int]](), Option, 0},
		{reflect.TypeFor[chan int](), Unsupported, 0},
		{reflect.TypeFor[func()](), Unsupported, 0},
		{reflect.TypeFor[unsafe.Pointer](), Unsupported, 0},
	}
	s := NewSet(ownConfig)
	for _, tt := range tests {
		t.Run(tt.of.String(), func(t *testing.T) {
			n := s.Of(tt.of)
			if n.Kind != tt.kind || n.Bits != tt.bits {
				t.Errorf("kind %v, %d bits, want %v, %d", n.Kind, n.Bits, tt.kind, tt.bits)
			}
			if n.Rtype != tt.of || n.Size != tt.of.Size() || n.Mem.Rtype != tt.of || n.Named != (tt.of.Name() != "") {
				t.Errorf("%+v", n)
			}
			if s.Of(tt.of) != n {
				t.Error("another plan the second time")
			}
		})
	}
	if s.Of(nil) != nil {
		t.Error("a plan of no type")
	}
	if f := s.Of(rawType).RawFormat; f != "json" {
		t.Errorf("json.RawMessage is in format %q", f)
	}
	if f := s.Of(reflect.TypeFor[rawOwn]()).RawFormat; f != "own" {
		t.Errorf("rawOwn is in format %q", f)
	}
	if n := NewSet(jsonConfig).Of(reflect.TypeFor[[]jsonByte]()); n.Kind != Slice {
		t.Errorf("[]jsonByte is %v to JSON", n.Kind)
	}
}

// weftAddr has weft's hooks by address.
type weftAddr struct{ X int }

func (*weftAddr) MarshalWeft(*weft.Encoder) error   { return nil }
func (*weftAddr) UnmarshalWeft(*weft.Decoder) error { return nil }

type binaryValue struct{ X int }

func (binaryValue) MarshalBinary() ([]byte, error) { return nil, nil }

type unmarshalMap map[string]int

func (unmarshalMap) UnmarshalText([]byte) error { return nil }

func TestHooks(t *testing.T) {
	const (
		weft HookSet = 1 << iota
		binary
		text
	)
	tests := []struct {
		of   reflect.Type
		want Hooks
	}{
		{reflect.TypeFor[int](), Hooks{}},
		{reflect.TypeFor[weftAddr](), Hooks{0, weft, 0, weft}},
		{reflect.TypeFor[*weftAddr](), Hooks{weft, 0, weft, 0}},
		{reflect.TypeFor[**weftAddr](), Hooks{}},
		{reflect.TypeFor[binaryValue](), Hooks{binary, binary, 0, 0}},
		{reflect.TypeFor[*binaryValue](), Hooks{binary, 0, 0, 0}},
		{reflect.TypeFor[struct{ binaryValue }](), Hooks{binary, binary, 0, 0}},
		{reflect.TypeFor[unmarshalMap](), Hooks{0, 0, text, text}},
		{timeType, Hooks{binary | text, binary | text, 0, binary | text}},
		{reflect.TypeFor[netip.Addr](), Hooks{binary | text, binary | text, 0, binary | text}},
		{reflect.TypeFor[encoding.TextMarshaler](), Hooks{text, 0, 0, 0}},
		{reflect.TypeFor[jsonValue](), Hooks{}},
	}
	s := NewSet(ownConfig)
	for _, tt := range tests {
		t.Run(tt.of.String(), func(t *testing.T) {
			if got := s.Of(tt.of).Hooks; got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
	if h := binary | text; h.First() != 1 || HookSet(0).First() != -1 || !h.Has(2) || h.Has(0) || s.Hook(1).Name != "binary" {
		t.Error("HookSet does not find its hooks")
	}
}

// TestKeysAgree compares which maps can be marshaled and unmarshaled, and by
// which way their keys go.
func TestKeysAgree(t *testing.T) {
	tests := []struct {
		of                 any // with one entry
		marshal, unmarshal KeyKind
	}{
		{map[string]int{"a": 1}, KeyString, KeyString},
		{map[named]int{"a": 1}, KeyString, KeyString},
		{map[int8]int{1: 1}, KeyInt, KeyInt},
		{map[namedInt]int{1: 1}, KeyInt, KeyInt},
		{map[uintptr]int{1: 1}, KeyUint, KeyUint},
		{map[time.Duration]int{1: 1}, KeyInt, KeyInt},
		{map[textString]int{"a": 1}, KeyString, KeyText},
		{map[textInt]int{1: 1}, KeyText, KeyInt},
		{map[textAddrInt]int{1: 1}, KeyInt, KeyText},
		{map[textValue]int{{"a"}: 1}, KeyText, KeyText},
		{map[*textValue]int{{"a"}: 1}, KeyText, KeyNone},
		{map[readOnlyKey]int{{1}: 1}, KeyNone, KeyText},
		{map[netip.Addr]int{netip.AddrFrom4([4]byte{1, 2, 3, 4}): 1}, KeyText, KeyText},
		{map[encoding.TextMarshaler]int{textValue{"a"}: 1}, KeyText, KeyNone},
		{map[bool]int{true: 1}, KeyNone, KeyNone},
		{map[float64]int{1: 1}, KeyNone, KeyNone},
		{map[any]int{"a": 1}, KeyNone, KeyNone},
		{map[struct{}]int{{}: 1}, KeyNone, KeyNone},
		{map[[1]int]int{{1}: 1}, KeyNone, KeyNone},
		{map[jsonValue]int{{1}: 1}, KeyNone, KeyNone},
	}
	s, anyKeys := NewSet(jsonConfig), NewSet(Config{AnyKeys: true})
	for _, tt := range tests {
		t.Run(reflect.TypeOf(tt.of).String(), func(t *testing.T) {
			rt := reflect.TypeOf(tt.of)
			n := s.Of(rt)
			if n.Kind != Map || n.KeyMarshal != tt.marshal || n.KeyUnmarshal != tt.unmarshal ||
				n.Key != s.Of(rt.Key()) || n.Elem != s.Of(rt.Elem()) {
				t.Errorf("%v: %v %v/%v, want %v/%v", rt, n.Kind, n.KeyMarshal, n.KeyUnmarshal, tt.marshal, tt.unmarshal)
			}
			if n := anyKeys.Of(rt); len(n.Problems()) > 0 || n.KeyMarshal == KeyNone || n.KeyUnmarshal == KeyNone {
				t.Errorf("%v: %v/%v with any keys", rt, n.KeyMarshal, n.KeyUnmarshal)
			}
			if !classic() && (tt.marshal == KeyNone || tt.unmarshal == KeyNone) {
				return // from go1.27 on encoding/json takes keys of more kinds
			}
			text, err := json.Marshal(tt.of)
			if (err == nil) != (tt.marshal != KeyNone) {
				t.Errorf("%v: encoding/json marshals %s, %v", rt, text, err)
			}
			if len(s.Check(n, Marshal)) > 0 != (err != nil) {
				t.Errorf("%v: problems %v when marshaling", rt, n.Problems())
			}
			err = json.Unmarshal([]byte(`{"1":2}`), reflect.New(rt).Interface())
			if tt.unmarshal != KeyNone && rt.Key() != reflect.TypeFor[netip.Addr]() && err != nil || tt.unmarshal == KeyNone && err == nil {
				t.Errorf("%v: encoding/json unmarshals with %v", rt, err)
			}
			if len(s.Check(n, Unmarshal)) > 0 != (tt.unmarshal == KeyNone) {
				t.Errorf("%v: problems %v when unmarshaling", rt, n.Problems())
			}
		})
	}
}

type fakeOption struct {
	V     int
	Valid int
}

func (fakeOption) OptionKind() uint8 { return setting.OptionNullable }

func TestOptions(t *testing.T) {
	type named opt.Val[string]
	tests := []struct {
		of    any
		kind  uint8 // OptionNone: no option
		value any
	}{
		{opt.NullOf(5), setting.OptionNullable, 5},
		{opt.ValOf("x"), setting.OptionOptional, "x"},
		{opt.FieldOf([]int{1}), setting.OptionField, []int{1}},
		{opt.ValOf(opt.NullOf(1.5)), setting.OptionOptional, opt.NullOf(1.5)},
		{fakeOption{}, setting.OptionNone, nil},
		{named{}, setting.OptionNone, nil},
		{struct{ opt.Null[int] }{}, setting.OptionNone, nil},
		{struct {
			opt.Null[int]
			Valid bool
		}{}, setting.OptionNone, nil},
	}
	s := NewSet(ownConfig)
	for _, tt := range tests {
		t.Run(reflect.TypeOf(tt.of).String(), func(t *testing.T) {
			rt := reflect.TypeOf(tt.of)
			n := s.Of(rt)
			if tt.kind == setting.OptionNone {
				if n.Kind != Struct || n.Option != nil {
					t.Errorf("%v is an option", rt)
				}
				return
			}
			if n.Kind != Option || n.Option.Kind != tt.kind || n.Option.Value != s.Of(reflect.TypeOf(tt.value)) {
				t.Errorf("%v: %+v", rt, n)
				return
			}
			v := reflect.New(rt)
			p := mem.Of(v)
			if !n.IsEmpty(p) {
				t.Errorf("the zero %v is not empty", rt)
			}
			v.Elem().Set(reflect.ValueOf(tt.of))
			if n.IsEmpty(p) {
				t.Errorf("%v is empty", tt.of)
			}
			if got := p.Field(n.Option.V).Value(n.Option.Value.Mem).Interface(); !reflect.DeepEqual(got, tt.value) {
				t.Errorf("%v has the value %v", tt.of, got)
			}
			if tt.kind == setting.OptionField {
				*mem.At[uint8](p.Field(n.Option.State)) = uint8(opt.IsNull)
				if n.IsEmpty(p) || v.Elem().Field(1).Uint() != uint64(opt.IsNull) {
					t.Errorf("%v: the state is elsewhere", rt)
				}
			} else {
				*mem.At[bool](p.Field(n.Option.State)) = false
				if !n.IsEmpty(p) || v.Elem().Field(1).Bool() {
					t.Errorf("%v: the state is elsewhere", rt)
				}
			}
		})
	}
}

func TestZeroBytes(t *testing.T) {
	minus := math.Copysign(0, -1)
	tests := []struct {
		of   any // a zero value, though its bytes may not all be zero
		want bool
	}{
		{0, true}, {false, true}, {uint8(0), true}, {"", false}, {"x"[:0], false}, {minus, false}, {0.0, false},
		{[]int(nil), true}, {map[string]int(nil), true}, {(*int)(nil), true}, {time.Time{}, true},
		{[2]int{}, true}, {[2]string{}, false}, {[0]string{}, true}, {struct{}{}, true},
		{struct {
			A int64
			B bool
		}{}, false}, // padding
		{struct{ A, B int32 }{}, true},
		{struct{ A, _ int32 }{}, false},
		{struct{ A, B float32 }{float32(minus), 0}, false},
		{complex64(0), false}, {struct{ A []string }{}, true},
	}
	s := NewSet(ownConfig)
	for _, tt := range tests {
		t.Run(reflect.TypeOf(tt.of).String(), func(t *testing.T) {
			v := reflect.New(reflect.TypeOf(tt.of))
			v.Elem().Set(reflect.ValueOf(tt.of))
			n := s.Of(v.Type().Elem())
			if n.ZeroBytes != tt.want {
				t.Errorf("%T: ZeroBytes %t", tt.of, n.ZeroBytes)
			}
			if !n.IsZero(mem.Of(v)) || !v.Elem().IsZero() {
				t.Errorf("%T %v is not zero", tt.of, tt.of)
			}
			if n.NoPointers != !hasPointersByGC(v.Type().Elem()) {
				t.Errorf("%T: NoPointers %t", tt.of, n.NoPointers)
			}
		})
	}
}

// hasPointersByGC is another view of what holds pointers.
func hasPointersByGC(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointersByGC(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointersByGC(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() >= reflect.Chan && t.Kind() != reflect.Struct
}

func TestIDs(t *testing.T) {
	s := NewSet(jsonConfig)
	seen := map[int]*Type{}
	var walk func(n *Type)
	walk = func(n *Type) {
		if n == nil || seen[n.ID] == n {
			return
		}
		if seen[n.ID] != nil || n.ID < 0 || n.ID >= s.Len() {
			t.Fatalf("%v and %v have the ID %d of %d", n, seen[n.ID], n.ID, s.Len())
		}
		if s.Of(n.Rtype) != n {
			t.Fatalf("%v has two plans", n)
		}
		seen[n.ID] = n
		walk(n.Elem)
		walk(n.Key)
		for i := range n.Members() {
			walk(n.Members()[i].Type)
		}
	}
	for _, sample := range samples {
		if rt, ok := sample.(reflect.Type); ok {
			walk(s.Of(rt))
		} else {
			walk(s.Of(reflect.TypeOf(sample)))
		}
	}
	if len(seen) != s.Len() {
		t.Errorf("%d types have been reached, the Set has %d", len(seen), s.Len())
	}
}

func TestRecursion(t *testing.T) {
	s := NewSet(jsonConfig)
	l := s.Of(reflect.TypeFor[list]())
	if l.Members()[1].Type.Elem != l {
		t.Error("list.Next does not point at list's plan")
	}
	if n := s.Of(reflect.TypeFor[recSlice]()); n.Elem != n {
		t.Error("recSlice's elements do not have its plan")
	}
	if n := s.Of(reflect.TypeFor[recMap]()); n.Elem != n {
		t.Error("recMap's elements do not have its plan")
	}
	a, b := s.Of(reflect.TypeFor[tree]()), s.Of(reflect.TypeFor[node]())
	if a.Members()[3].Type.Elem != b || b.Members()[0].Type != a || a.Members()[1].Type.Elem != a || a.Members()[2].Type.Elem != a {
		t.Error("tree and node do not share their plans")
	}
}

// TestConcurrentFirstUse asks for mutually recursive types from many
// goroutines at once and looks through whatever it gets.
func TestConcurrentFirstUse(t *testing.T) {
	rts := []reflect.Type{
		reflect.TypeFor[tree](), reflect.TypeFor[node](), reflect.TypeFor[MutualA](), reflect.TypeFor[MutualB](),
		reflect.TypeFor[list](), reflect.TypeFor[[]node](), reflect.TypeFor[map[string]*tree](), reflect.TypeFor[allKinds](),
	}
	for range 50 {
		s := NewSet(jsonConfig)
		var wg sync.WaitGroup
		got := make([][]*Type, 8)
		for g := range got {
			got[g] = make([]*Type, len(rts))
			wg.Go(func() {
				for i := range rts {
					k := (i + g) % len(rts)
					n := s.Of(rts[k])
					got[g][k] = n
					if whole(n, map[*Type]bool{}) == 0 || n.ID >= s.Len() {
						t.Errorf("%v is not complete", n)
					}
				}
			})
		}
		wg.Wait()
		for g := range got {
			for k := range rts {
				if got[g][k] != got[0][k] {
					t.Fatalf("%v has two plans", rts[k])
				}
			}
		}
	}
}

// whole counts the types that n refers to, 0 if one is not complete.
func whole(n *Type, seen map[*Type]bool) int {
	if seen[n] {
		return 1
	}
	seen[n] = true
	if n.Kind == Invalid || n.Mem == nil || (n.Kind == Pointer || n.Kind == Slice || n.Kind == Map) && n.Elem == nil {
		return 0
	}
	count := 1
	for _, next := range []*Type{n.Elem, n.Key} {
		if next != nil {
			if whole(next, seen) == 0 {
				return 0
			}
			count++
		}
	}
	for i := range n.Members() {
		if n.Members()[i].Type == nil || whole(n.Members()[i].Type, seen) == 0 {
			return 0
		}
		count++
	}
	return count
}

func TestConfigIsChecked(t *testing.T) {
	tests := []Config{
		{Hooks: make([]Hook, maxHooks+1)},
		{Hooks: []Hook{{Marshal: reflect.TypeFor[int]()}}},
		{Raws: []RawType{{reflect.TypeFor[string](), "x"}}},
	}
	for i, c := range tests {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Config %d is accepted", i)
				}
			}()
			NewSet(c)
		}()
	}
}
