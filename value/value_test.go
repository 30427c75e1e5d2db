package value

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/weftcodec/weft/internal/mem"
)

func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(Value{}); n > 24 && !mem.Safe {
		t.Errorf("a Value is %d bytes", n)
	}
	if reflect.TypeFor[Value]().Comparable() {
		t.Error("== compares values by address")
	}
}

func num(text string) Value {
	v, err := Number(text)
	if err != nil {
		panic(err)
	}
	return v
}

func TestGetters(t *testing.T) {
	now := time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.FixedZone("Y", 5400))
	tests := []struct {
		v     Value
		kind  Kind
		i     any // int64, or nil
		u     any
		f     any
		other any // bool, string, []byte, time.Time
	}{
		{Value{}, KindNull, nil, nil, nil, nil},
		{Null(), KindNull, nil, nil, nil, nil},
		{Bool(true), KindBool, nil, nil, nil, true},
		{Bool(false), KindBool, nil, nil, nil, false},
		{Int(-5), KindInt, int64(-5), nil, -5.0, nil},
		{Int(math.MinInt64), KindInt, int64(math.MinInt64), nil, -0x1p63, nil},
		{Uint(7), KindUint, int64(7), uint64(7), 7.0, nil},
		{Uint(math.MaxUint64), KindUint, nil, uint64(math.MaxUint64), 0x1p64, nil},
		{Float(3), KindFloat, int64(3), uint64(3), 3.0, nil},
		{Float(-0x1p63), KindFloat, int64(math.MinInt64), nil, -0x1p63, nil},
		{Float(0x1p63), KindFloat, nil, uint64(1 << 63), 0x1p63, nil},
		{Float(0x1p64), KindFloat, nil, nil, 0x1p64, nil},
		{Float(0.5), KindFloat, nil, nil, 0.5, nil},
		{Float(math.Inf(-1)), KindFloat, nil, nil, math.Inf(-1), nil},
		{num("-12e1"), KindNumber, int64(-120), nil, -120.0, nil},
		{num("1.50"), KindNumber, nil, nil, 1.5, nil},
		{num("18446744073709551615"), KindNumber, nil, uint64(math.MaxUint64), 0x1p64, nil},
		{num("1e999"), KindNumber, nil, nil, nil, nil},
		{num("1e99999999999999999999"), KindNumber, nil, nil, nil, nil},
		{num("0e99999999999999999999"), KindNumber, int64(0), uint64(0), 0.0, nil},
		{String("é"), KindString, nil, nil, nil, "é"},
		{String(""), KindString, nil, nil, nil, ""},
		{Bytes([]byte{0, 1}), KindBytes, nil, nil, nil, []byte{0, 1}},
		{Bytes(nil), KindBytes, nil, nil, nil, []byte{}},
		{Time(now), KindTime, nil, nil, nil, now},
		{Time(time.Time{}), KindTime, nil, nil, nil, time.Time{}},
		{List(), KindList, nil, nil, nil, nil},
		{Map(), KindMap, nil, nil, nil, nil},
		{Ext(-3, []byte("x")), KindExt, nil, nil, nil, nil},
	}
	opt := func(v any, ok bool) any {
		if ok {
			return v
		}
		return nil
	}
	for _, tt := range tests {
		t.Run(tt.v.String(), func(t *testing.T) {
			v := tt.v
			if v.Kind() != tt.kind || v.IsNull() != (tt.kind == KindNull) {
				t.Errorf("%v: kind %v", v, v.Kind())
			}
			i, iok := v.Int()
			u, uok := v.Uint()
			f, fok := v.Float()
			if opt(i, iok) != tt.i || opt(u, uok) != tt.u || opt(f, fok) != tt.f {
				t.Errorf("%v: %v %v, %v %v, %v %v", v, i, iok, u, uok, f, fok)
			}
			b, bok := v.Bool()
			s, sok := v.Text()
			p, pok := v.Bytes()
			at, tok := v.Time()
			var got any
			for _, o := range []any{opt(b, bok), opt(s, sok), opt(p, pok), opt(at, tok)} {
				if o != nil && got != nil {
					t.Errorf("%v is two things", v)
				}
				if o != nil {
					got = o
				}
			}
			if !reflect.DeepEqual(got, tt.other) {
				t.Errorf("%v: %#v, want %#v", v, got, tt.other)
			}
			if typ, data, ok := v.Ext(); ok != (tt.kind == KindExt) || ok && (typ != -3 || string(data) != "x") {
				t.Errorf("%v: ext %v %q", v, typ, data)
			}
		})
	}
	if text, ok := num("1.50").Number(); text != "1.50" || !ok {
		t.Error("the text of a number changed")
	}
	if _, ok := Float(math.NaN()).Number(); ok {
		t.Error("NaN has the text of a number")
	}
	for _, bad := range []string{"", "-", "01", "+1", "1.", ".5", "1e", "1e+", "0x1", "1 ", "NaN", "1_0", "--1"} {
		if _, err := Number(bad); err == nil || !strings.HasPrefix(err.Error(), "value: ") {
			t.Errorf("Number(%q): %v", bad, err)
		}
	}
}

// TestImmutable changes what values were made from and what they gave away.
func TestImmutable(t *testing.T) {
	b := []byte("abc")
	elems := []Value{Int(1), Int(2)}
	members := []Member{{"a", Bytes(b)}}
	v := List(Bytes(b), Ext(1, b), List(elems...), Map(members...))
	before, text := v.Hash(), v.String()
	b[0], elems[0], members[0] = 'x', Int(9), Member{"z", Int(9)}
	for e := range v.Values() {
		if p, ok := e.Bytes(); ok {
			p[0] = 'y'
		}
		if _, p, ok := e.Ext(); ok {
			p[0] = 'y'
		}
	}
	v.Interface().([]any)[0].([]byte)[0] = 'y'
	if v.Hash() != before || v.String() != text {
		t.Errorf("%s became %v", text, v)
	}
}

func TestContainers(t *testing.T) {
	for _, n := range []int{0, 1, 2, 8, 9, 40, 1000} {
		members := make([]Member, n)
		model := map[string]Value{}
		for i := range n {
			members[i] = Member{strconv.Itoa(n - i), Int(int64(i))}
			model[members[i].Name] = members[i].Value
		}
		v := Map(members...)
		if v.Len() != n || !slices.Equal(slices.Collect(v.Names()), slices.Collect(MapOf(v.Members()).Names())) {
			t.Errorf("%d members: %d", n, v.Len())
		}
		for i, m := range members {
			x, ok := v.Get(m.Name)
			if !ok || !x.Equal(m.Value) || v.Name(i) != m.Name || !v.At(i).Equal(m.Value) || !v.Has(m.Name) {
				t.Fatalf("%d members: %q is %v, %v", n, m.Name, x, ok)
			}
		}
		if _, ok := v.Get("x"); ok || v.Has("x") || !v.At(n).IsNull() || !v.At(-1).IsNull() || v.Name(n) != "" {
			t.Error("a member too many")
		}
		if !maps.EqualFunc(maps.Collect(v.Members()), model, Equal) || !v.Equal(MapSorted(model)) || v.Hash() != MapSorted(model).Hash() {
			t.Errorf("%d members differ from their model", n)
		}
		if s := v.Sorted(); !slices.IsSorted(slices.Collect(s.Names())) || !s.Equal(v) {
			t.Errorf("%d members: Sorted is %v", n, s)
		}
	}
	v := Map(Member{"a", Int(1)}, Member{"b", Int(2)}, Member{"a", Int(3)})
	if v.String() != `{"a":3,"b":2}` {
		t.Errorf("duplicates: %v", v)
	}
	l := ListOf(slices.Values([]Value{Int(4), String("x")}))
	if l.Len() != 2 || !l.At(1).Equal(String("x")) || !l.At(2).IsNull() || String("ab").Len() != 2 || Int(5).Len() != 0 {
		t.Errorf("list %v", l)
	}
	for i, e := range l.All() {
		if !e.Equal(l.At(i)) {
			t.Errorf("element %d is %v", i, e)
		}
		break
	}
}

func TestLookup(t *testing.T) {
	v := Map(
		Member{"a", Map(Member{"b", List(Int(1), Map(Member{"c", String("x")}))})},
		Member{"a.b", Int(2)}, Member{"", Int(3)}, Member{"m~n/o", Int(4)}, Member{"é", List(List(Int(5)))},
	)
	tests := []struct{ path, want string }{ // want "": nothing
		{"", v.String()}, {"a.b[0]", "1"}, {"a.b[1].c", "x"}, {`["a.b"]`, "2"}, {`["a"].b[0]`, "1"}, {"[`a.b`]", "2"},
		{`[""]`, "3"}, {"é[0][0]", "5"}, {"m~n/o", "4"}, {`["\u00e9"][0]`, "[5]"}, {"a.b", `[1,{"c":"x"}]`},
		{"a.b[2]", ""}, {"a.b[-1]", ""}, {"a.b[00]", ""}, {"a.b[", ""}, {"a.b[]", ""}, {"a..b", ""}, {".a", ""}, {"a.", ""}, {"a]", ""},
		{"a[0]", ""}, {"a.b.c", ""}, {"x", ""}, {`["a`, ""}, {`["a"`, ""}, {`["a"]b`, ""}, {"a.b[99999999999999999999]", ""}, {"[0]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			if x, ok := v.Lookup(tt.path); ok != (tt.want != "") || ok && x.String() != tt.want {
				t.Errorf("Lookup(%q) = %v, %v", tt.path, x, ok)
			}
		})
	}
	pointers := []struct{ pointer, want string }{
		{"", v.String()}, {"/a/b/0", "1"}, {"/a/b/1/c", "x"}, {"/a.b", "2"}, {"/", "3"}, {"/m~0n~1o", "4"}, {"/é/0/0", "5"},
		{"a", ""}, {"/a/b/2", ""}, {"/a/b/-", ""}, {"/a/b/01", ""}, {"/m~n~1o", ""}, {"/m~", ""}, {"/a/b/0/x", ""}, {"/a/", ""}, {"/x", ""},
	}
	for _, tt := range pointers {
		t.Run(tt.pointer, func(t *testing.T) {
			if x, ok := v.Pointer(tt.pointer); ok != (tt.want != "") || ok && x.String() != tt.want {
				t.Errorf("Pointer(%q) = %v, %v", tt.pointer, x, ok)
			}
		})
	}
}

func TestFormat(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC)
	v := Map(Member{"n", Null()}, Member{"l", List(Bool(true), Int(-1), Uint(2), Float(0.5), num("1e400"))},
		Member{"s", String("q\"")}, Member{"b", Bytes([]byte("hi"))}, Member{"t", Time(at)}, Member{"e", Ext(5, []byte{0xab})})
	text := `{"n":null,"l":[true,-1,2,0.5,1e400],"s":"q\"","b":"aGk=","t":"2024-01-02T03:04:05.000000006Z","e":ext(5,0xab)}`
	tests := []struct{ got, want string }{
		{v.String(), text}, {fmt.Sprint(v), text}, {fmt.Sprintf("%s", v), text}, {fmt.Sprintf("%+v", v), text},
		{String("x\n").String(), "x\n"}, {fmt.Sprintf("%q", String("x\n")), `"x\n"`},
		{fmt.Sprintf("%5v|%-3s|", Int(1), String("a")), "    1|a  |"},
		{fmt.Sprintf("%05d", Int(-12)), "-0012"}, {fmt.Sprintf("%.1f", Float(1.25)), "1.2"}, {fmt.Sprintf("%x", Bytes([]byte("hi"))), "6869"},
		{fmt.Sprintf("%d", Ext(1, nil)), "ext(1,0x)"}, {Float(math.NaN()).String(), "NaN"}, {Kind(99).String(), "invalid"},
		{fmt.Sprintf("%#v", List(Null(), Bool(true), Int(-1), Uint(2), Float(0.5), String("s"), Bytes([]byte("b")), Ext(1, []byte("e")))),
			`value.List(value.Null(), value.Bool(true), value.Int(-1), value.Uint(2), value.Float(0.5), value.String("s"), ` +
				`value.Bytes([]byte("b")), value.Ext(1, []byte("e")))`},
		{Map(Member{"a", num("1")}).GoString(), `value.Map(value.Member{Name: "a", Value: value.Number("1")})`},
		{Time(at).GoString(), "value.Time(" + at.GoString() + ")"},
		{List(Float(math.NaN()), Float(math.Inf(1)), Float(math.Inf(-1)), Float(math.Copysign(0, -1))).GoString(),
			"value.List(value.Float(math.NaN()), value.Float(math.Inf(1)), value.Float(math.Inf(-1)), value.Float(math.Copysign(0, -1)))"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %s, want %s", tt.got, tt.want)
			}
		})
	}
	want := map[string]any{"n": nil, "l": []any{true, int64(-1), uint64(2), 0.5, json.Number("1e400")}, "s": "q\"", "b": []byte("hi"), "t": at}
	v2, err := v.Without("e")
	if err != nil || !reflect.DeepEqual(v2.Interface(), want) {
		t.Errorf("Interface: %#v", v2.Interface())
	}
}
