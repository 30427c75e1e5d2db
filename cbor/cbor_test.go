package cbor

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/opt"
)

// vector is a line of a table of testdata.
type vector struct {
	at     string // file and line
	marked bool
	b      []byte
	text   string
}

func vectors(t testing.TB, name string) (list []vector) {
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		code, text, _ := strings.Cut(in.Text(), " ")
		if code == "#" {
			continue
		}
		v := vector{at: fmt.Sprintf("%s:%d", name, n), marked: strings.ContainsAny(code[:1], "*<"), text: text}
		if v.b, err = hex.DecodeString(strings.TrimLeft(code, "*<")); err != nil {
			t.Fatal(v.at, err)
		}
		list = append(list, v)
	}
	if len(list) < 50 {
		t.Fatalf("%s has %d rows", name, len(list))
	}
	return list
}

// diag returns the item that text is the notation of.
func diag(t testing.TB, text string) []byte {
	t.Helper()
	b, err := cboritem.ParseDiagnostic(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b
}

// text is the notation of an item.
func text(b []byte) string {
	s, rest, err := cboritem.AppendDiagnostic(nil, b)
	if err != nil || len(rest) > 0 {
		return fmt.Sprintf("%x (%v)", b, err)
	}
	return string(s)
}

// TestAppendixA: each vector is read, and written back unchanged if it is in its preferred form; no prefix of it is.
func TestAppendixA(t *testing.T) {
	for _, v := range vectors(t, "appendix_a.txt") {
		var x any
		if err := Unmarshal(v.b, &x); err != nil {
			t.Errorf("%s: %v", v.at, err)
			continue
		}
		b, err := Marshal(x, weft.Deterministic(true))
		kept := !v.marked && v.b[0] != 0xf7 && v.b[0] != 0xd7 && v.b[0] != 0xc0 && v.b[0] != 0xc1 // what any has no type for
		if err != nil || kept && !bytes.Equal(b, v.b) {
			t.Errorf("%s: %s is read as %#v, written as %s %v", v.at, v.text, x, text(b), err)
		}
		var again any
		if err := Unmarshal(b, &again, Core.Strict()); err != nil || !equal(again, x) {
			t.Errorf("%s: %s is read as %#v, want %#v, %v", v.at, text(b), again, x, err)
		}
		var raw Raw
		if err := Unmarshal(v.b, &raw); err != nil || !bytes.Equal(raw, v.b) {
			t.Errorf("%s: raw %x %v", v.at, raw, err)
		}
		if err := Unmarshal(v.b, &raw, Preferred(true), Definite(true)); (err != nil) != v.marked || Valid(v.b, Core.Strict()) == v.marked {
			t.Errorf("%s: deterministic: %v", v.at, err)
		}
		for n := range v.b {
			y := any("unchanged")
			if err := Unmarshal(v.b[:n], &y); !errors.Is(err, io.ErrUnexpectedEOF) || y != any("unchanged") {
				t.Errorf("%s: cut off at %d: %v %v", v.at, n, y, err)
			}
		}
	}
}

// equal is reflect.DeepEqual for which NaN is itself.
func equal(x, y any) bool {
	f, ok := x.(float64)
	g, ok2 := y.(float64)
	return ok && ok2 && f != f && g != g || reflect.DeepEqual(x, y)
}

func TestAppendixF(t *testing.T) {
	for _, v := range vectors(t, "appendix_f.txt") {
		for name, p := range map[string]any{
			"any":    new(any),
			"raw":    new(Raw),
			"struct": new(struct{ A int }),
			"list":   new([]int),
			"map":    new(map[string]string),
		} {
			err := Unmarshal(v.b, p)
			if e := (*weft.Error)(nil); !errors.As(err, &e) || (name == "any" || name == "raw") && errors.Is(err, io.ErrUnexpectedEOF) != v.marked {
				t.Errorf("%s: %x into %s: %v", v.at, v.b, name, err)
			}
			if !reflect.ValueOf(p).Elem().IsZero() {
				t.Errorf("%s: %x has left %v", v.at, v.b, reflect.ValueOf(p).Elem())
			}
		}
		if Valid(v.b) {
			t.Errorf("%s: %x is valid", v.at, v.b)
		}
	}
}

type cose struct {
	Alg   int    `cbor:"1,keyasint"`
	Kid   []byte `cbor:"4,keyasint,omitempty"`
	Other string `cbor:"-70001,keyasint,omitempty"`
	Name  string `cbor:"name,omitempty"`
}

type point struct {
	_    struct{} `cbor:",toarray"`
	X, Y int
}

type all struct {
	Z   int            `json:"z"`
	A   string         `json:"a"`
	Bb  float64        `json:"bb"`
	F   float32        `json:"f"`
	M   map[int]string `json:"m"`
	L   []point        `json:"l"`
	T   time.Time      `json:"t"`
	P   *all           `json:"p,omitempty"`
	Big *big.Int       `json:"big"`
	N   json.Number    `json:"n"`
	Any any            `json:"any"`
	Arr [2]byte        `json:"arr"`
	D   time.Duration  `json:"d"`
	Raw Raw            `json:"raw"`
}

var late = time.Date(2024, 2, 29, 12, 0, 0, 500, time.UTC)

func huge() *big.Int { return new(big.Int).Lsh(big.NewInt(1), 70) }

func record() all {
	return all{
		Z: -1000, A: "wörter", Bb: 1.5, F: 0.1, M: map[int]string{1: "a", -1: "b"}, L: []point{{X: 1, Y: -2}}, T: late,
		P: &all{T: late.Truncate(time.Second), Big: big.NewInt(5), N: "1.25", Raw: Raw{0xf6}}, Big: huge(), N: "18446744073709551616",
		Any: []any{nil, true, "x"}, Arr: [2]byte{1, 2}, D: time.Second, Raw: Raw{0x82, 1, 2},
	}
}

// onlyJSON has methods of encoding/json, which are not called.
type onlyJSON struct{ A int }

func (onlyJSON) MarshalJSON() ([]byte, error)  { return []byte(`"json"`), nil }
func (*onlyJSON) UnmarshalJSON(b []byte) error { return errors.New("not called") }

// TestWritten: what is written of Go values, under options, and that it is read back as they were.
func TestWritten(t *testing.T) {
	type empty struct{}
	type inner struct {
		A int    `json:"a,omitempty"`
		S string `json:"s,omitempty"`
	}
	type middle struct {
		I inner
		B bool `json:",omitempty"`
		J inner
		P *int `json:",omitempty"`
	}
	type outer struct {
		M middle
		N int `json:",omitempty"`
		L []middle
	}
	for _, tt := range []struct {
		name string
		v    any
		want string
		opts []Options
	}{
		{"integers by key", cose{Alg: -7, Kid: []byte{1}, Other: "o", Name: "n"}, `{1: -7, 4: h'01', -70001: "o", "name": "n"}`, nil},
		{"left out", cose{Alg: -7}, `{1: -7}`, nil},
		{"left out within", outer{M: middle{J: inner{A: 24}}, L: []middle{{}, {I: inner{1, "s"}, B: true, P: new(int)}}},
			`{"M": {"I": {}, "J": {"a": 24}}, "L": [{"I": {}, "J": {}}, {"I": {"a": 1, "s": "s"}, "B": true, "J": {}, "P": 0}]}`, nil},
		{"left out within, sorted", outer{M: middle{J: inner{S: "s"}}, N: 1, L: []middle{}},
			`{"L": [], "M": {"I": {}, "J": {"s": "s"}}, "N": 1}`, []Options{Core.Strict()}},
		{"empty before one that is left out", struct {
			A struct{}
			B opt.Val[int]
			N int
		}{}, `{"A": {}, "N": 0}`, nil},
		{"left out within an array", struct {
			_ struct{} `cbor:",array"`
			I inner
			N int
			J inner
		}{I: inner{S: "s"}, N: 1}, `[{"s": "s"}, 1, {}]`, nil},
		{"methods of JSON alone", map[string]onlyJSON{"a": {1}, "b": {}}, `{"a": {"A": 1}, "b": {"A": 0}}`, []Options{Core.Strict()}},
		{"as an array", point{X: 1, Y: 2}, `[1, 2]`, nil},
		{"as an array by option", cose{Alg: 1}, `[1, null, "", ""]`, []Options{weft.StructAsArray(true)}},
		{"bytewise", map[any]int{int64(10): 1, int64(100): 2, int64(-1): 3, "z": 4, "aa": 5, false: 8},
			`{10: 1, 100: 2, -1: 3, "z": 4, "aa": 5, false: 8}`, []Options{Core.Strict()}},
		{"length first", map[any]int{int64(10): 1, int64(100): 2, int64(-1): 3, "z": 4, "aa": 5, false: 8},
			`{10: 1, -1: 3, false: 8, 100: 2, "z": 4, "aa": 5}`, []Options{LengthFirst.Strict()}},
		{"struct bytewise", struct{ B, Aa, A int }{1, 2, 3}, `{"A": 3, "B": 1, "Aa": 2}`, []Options{weft.Deterministic(true)}},
		{"floats kept", []any{1.0, float64(float32(0.1))}, `[1.0_3, 0.10000000149011612_3]`, []Options{KeepFloats(true)}},
		{"single kept", struct{ F float32 }{1}, `{"F": 1.0_2}`, []Options{KeepFloats(true)}},
		{"CTAP2", map[any]float64{"z": 1.5, int64(1000): 1, "aa": 0}, `{1000: 1.0_3, "z": 1.5_3, "aa": 0.0_3}`, []Options{CTAP2.Strict()}},
		{"infinity", math.Inf(-1), `-Infinity`, nil},
		{"a time", late.Truncate(time.Second), `1(1709208000)`, nil},
		{"a time with a fraction", late, `0("2024-02-29T12:00:00.0000005Z")`, nil},
		{"a negative bignum", *new(big.Int).Neg(huge()), `-1180591620717411303424`, nil},
		{"a large integer", *new(big.Int).SetUint64(math.MaxUint64), `18446744073709551615`, nil},
		{"tag", Tag{1000, "x"}, `1000("x")`, nil},
		{"raw tag", RawTag{1000, Raw{0x01}}, `1000(1)`, nil},
		{"simple", Simple(99), `simple(99)`, nil},
		{"nothing", empty{}, `{}`, nil},
		{"nil list", []int(nil), `null`, nil},
		{"nil bytes", []byte(nil), `null`, nil},
		{"many", make([]int, 30), "[" + strings.Repeat("0, ", 29) + "0]", nil},
		{"tagged by option", []point{{X: 1, Y: 2}}, `[40000([1, 2])]`, []Options{Tags(TagOf[point](40000))}},
		{"typed array by option", []float32{1, 2}, `85(h'0000803f00000040')`, []Options{Tags(TypedArray[float32]())}},
		{"set by option", map[int]struct{}{2: {}, 1: {}}, `258([1, 2])`, []Options{Core.Strict(), Tags(Set[int]())}},
		{"Kubernetes", struct {
			B []byte
			S string
			T time.Time
		}{[]byte{1}, "x", late}, `{'B': 22(h'01'), 'S': 'x', 'T': '2024-02-29T12:00:00.0000005Z'}`, []Options{Kubernetes.Strict()}},
		{"DCBOR", []any{int64(2), 2.5, int64(-3)}, `[2, 2.5, -3]`, []Options{DCBOR.Strict()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Marshal(tt.v, tt.opts...)
			if want := diag(t, tt.want); err != nil || !bytes.Equal(b, want) {
				t.Fatalf("%s %v, want %s", text(b), err, tt.want)
			}
			got := reflect.New(reflect.TypeOf(tt.v))
			if err := Unmarshal(b, got.Interface(), tt.opts...); err != nil || !reflect.DeepEqual(got.Elem().Interface(), tt.v) {
				t.Errorf("%s is read as %+v %v", text(b), got.Elem(), err)
			}
		})
	}
}

// TestRoundTrip: a value of many types is read as it was from what every mode writes, at once and from a stream
// byte by byte, and a strict mode reads what it has written alone.
func TestRoundTrip(t *testing.T) {
	modes := map[string][]Options{
		"usual": nil, "core": {Core.Strict()}, "length first": {LengthFirst.Strict()}, "array": {weft.StructAsArray(true)},
		"core lax": {Core.Lax()}, "dcbor": {DCBOR.Strict()}, "dcbor lax": {DCBOR.Lax()}, "alias": {weft.AliasInput(true)},
	}
	for name, opts := range modes {
		t.Run(name, func(t *testing.T) {
			want := record()
			b, err := Marshal(&want, opts...)
			if err != nil {
				t.Fatal(err)
			}
			appended, err := MarshalAppend([]byte("x"), want, opts...)
			if err != nil || len(appended) != 1+len(b) || name != "usual" && name != "array" && name != "alias" && !bytes.Equal(appended[1:], b) {
				t.Errorf("%s %v", text(appended[1:]), err)
			}
			var got all
			if err := Unmarshal(b, &got, opts...); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s\nis read as %+v\nwant       %+v\n%v", text(b), got, want, err)
			}
			d := NewDecoder(iotest.OneByteReader(bytes.NewReader(append(b, b...))), opts...)
			for range 2 {
				var got all
				if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("stream: %+v %v", got, err)
				}
			}
			if err := d.Decode(&got); err != io.EOF {
				t.Error(err)
			}
			for n := range b {
				var got all
				if err := Unmarshal(b[:n], &got, opts...); err == nil || !reflect.ValueOf(got).IsZero() {
					t.Fatalf("cut off at %d: %v", n, err)
				}
				if err := NewDecoder(bytes.NewReader(b[:n]), opts...).Decode(&got); err == nil {
					t.Fatalf("stream cut off at %d", n)
				}
			}
		})
	}
}

// TestRefused: what modes and options refuse, where, and that it is read without them.
func TestRefused(t *testing.T) {
	type pair struct {
		A int `json:"a"`
		B any `json:"b"`
	}
	for _, tt := range []struct {
		name, in, path string
		v              func() any
		opts           Options
	}{
		{"long integer", `{"a": 1_0}`, "/a", func() any { return new(pair) }, Preferred(true)},
		{"long integer in any", `[1_0]`, "/0", func() any { return new(any) }, Preferred(true)},
		{"long text", `{"b": "x"_0}`, "/b", func() any { return new(pair) }, Preferred(true)},
		{"long key", `{"a"_0: 1}`, "/a", func() any { return new(pair) }, Preferred(true)},
		{"long list", `{"b": [_0 1]}`, "/b", func() any { return new(pair) }, Preferred(true)},
		{"long float", `{"b": 1.5_3}`, "/b", func() any { return new(pair) }, Preferred(true)},
		{"long in what is skipped", `{"a": 1, "c": {"d": 1_0}}`, "/c/d", func() any { return new(pair) }, Preferred(true)},
		{"short bignum in what is skipped", `{"a": 1, "c": 3(h'00')}`, "/c", func() any { return new(pair) }, Core.Strict()},
		{"short bignum", `2(h'01')`, "", func() any { return new(big.Int) }, Preferred(true)},
		{"unsorted struct", `{"b": 1, "a": 1}`, "/a", func() any { return new(pair) }, Core.Strict()},
		{"unsorted any", `{"b": 1, "a": 1}`, "/a", func() any { return new(any) }, Core.Strict()},
		{"unsorted map", `{"b": 1, "a": 1}`, "/a", func() any { return new(map[string]int) }, Core.Strict()},
		{"unsorted general map", `{2: 1, 1: 1}`, "/1", func() any { return new(map[int8]int8) }, Core.Strict()},
		{"unsorted skipped", `{"a": 1, "c": {"b": 1, "a": 1}}`, "/c/a", func() any { return new(pair) }, Core.Strict()},
		{"bytewise is not length first", `{100: 1, -1: 1}`, "/-1", func() any { return new(map[int]int) }, LengthFirst.Strict()},
		{"length first is not bytewise", `{-1: 1, 100: 1}`, "/100", func() any { return new(map[int]int) }, Core.Strict()},
		{"twice in a struct", `{"a": 1, "a": 1}`, "/a", func() any { return new(pair) }, Core.Strict()},
		{"twice without order", `{"a": 1, "b": 1, "a": 1}`, "/a", func() any { return new(pair) }, weft.RejectDuplicates(true)},
		{"twice in a map", `{"b": 1, "a": 1, "b": 1}`, "/b", func() any { return new(map[string]int) }, weft.RejectDuplicates(true)},
		{"twice in any", `{"b": 1, "a": 1, "b": 1}`, "/b", func() any { return new(any) }, weft.RejectDuplicates(true)},
		{"twice in a map of pointers", `{"a": 1, "b": 1, "b": 1}`, "/b", func() any { return new(map[string]*int) }, Core.Strict()},
		{"twice as bytes and text", `{h'61': 1, "a": 1}`, "/a", func() any { return new(map[string]*int) }, Core.Strict()},
		{"twice as bytes and text in a fast map", `{h'61': 1, "a": 1}`, "/a", func() any { return new(map[string]int) }, Core.Strict()},
		{"twice in two lengths", `{"a": 1, (_ "a"): 1}`, "/a", func() any { return new(map[string]*int) },
			weft.Join(Sorted(true), weft.RejectDuplicates(true))},
		{"not in order among counts", `{"a": 1, "c": 2, "b": 300000, "d": 1}`, "/b", func() any { return new(map[string]int) }, Core.Strict()},
		{"not in order behind a long key", `{"aaaaaaaaaaaaaaaaab": 1, "aaaaaaaaaaaaaaaaaa": 2, "b": 1}`, "/aaaaaaaaaaaaaaaaaa",
			func() any { return new(map[string]int) }, Core.Strict()},
		{"not in order behind sixteen", `{"aaaaaaaaaaaaaaab": 1, "aaaaaaaaaaaaaaaa": 2, "aaaaaaaaaaaaaaac": 1}`, "/aaaaaaaaaaaaaaaa",
			func() any { return new(map[string]int) }, Core.Strict()},
		{"twice in two forms", `{1: 1, 1_0: 2}`, "/1", func() any { return new(map[int]int) }, weft.RejectDuplicates(true)},
		{"open list", `{"b": [_ 1]}`, "/b", func() any { return new(pair) }, Definite(true)},
		{"open struct", `{_ "b": 1}`, "", func() any { return new(pair) }, Core.Strict()},
		{"open text", `(_ "a")`, "", func() any { return new(string) }, Definite(true)},
		{"tag", `{"a": 9(1)}`, "/a", func() any { return new(pair) }, Untagged(true)},
		{"tag in CTAP2", `[1(1)]`, "/0", func() any { return new([]time.Time) }, CTAP2.Strict()},
		{"deep in CTAP2", `[[[[[1]]]]]`, "/0/0/0/0", func() any { return new(any) }, CTAP2.Strict()},
		{"undefined", `{"a": undefined}`, "/a", func() any { return new(pair) }, FewSimple(true)},
		{"undefined in any", `[undefined]`, "/0", func() any { return new(any) }, DCBOR.Strict()},
		{"NaN", `[NaN]`, "/0", func() any { return new([]float64) }, Finite(true)},
		{"infinity in Kubernetes", `[Infinity]`, "/0", func() any { return new(any) }, Kubernetes.Strict()},
		{"whole float", `[1.0]`, "/0", func() any { return new(any) }, DCBOR.Strict()},
		{"unknown member", `{"c": 1}`, "/c", func() any { return new(pair) }, weft.RejectUnknown(true)},
		{"length of an array", `[1]`, "", func() any { return new(point) }, ExactArrays(true)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := diag(t, tt.in)
			err := Unmarshal(b, tt.v(), tt.opts)
			if e := (*weft.Error)(nil); !errors.As(err, &e) || e.Path != tt.path {
				t.Errorf("%v, want one at %q", err, tt.path)
			}
			if err := Unmarshal(b, tt.v()); err != nil {
				t.Errorf("without: %v", err)
			}
			if err := NewDecoder(bytes.NewReader(b), tt.opts).Decode(tt.v()); err == nil {
				t.Error("the stream is read")
			}
		})
	}
}

// TestRead: what is read into Go types in other forms than it is written, and what is not read.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     any // nil for an error
		into     any
	}{
		{"open map", `{_ "X": 1, "Y": 2}`, point{X: 1, Y: 2}, point{}},
		{"open array", `[_ 1, 2, 3]`, []int{1, 2, 3}, []int(nil)},
		{"open Go array", `[_ 1, 2, 3]`, [2]int8{1, 2}, [2]int8{}},
		{"open list of structs", `[_ [1, 2], {"Y": 3}]`, []point{{X: 1, Y: 2}, {Y: 3}}, []point(nil)},
		{"open list of no structs", `[_ ]`, []point{}, []point(nil)},
		{"open list of no pointers", `[[_ ]]`, [][]*point{{}}, [][]*point(nil)},
		{"chunks", `(_ "wör", "ter")`, "wörter", ""},
		{"chunks of bytes", `(_ h'01', h'02')`, []byte{1, 2}, []byte(nil)},
		{"a chunk of no bytes", `[(_ h'')]`, [][]byte{{}}, [][]byte(nil)},
		{"chunks as a key", `{(_ "X"): 1}`, point{X: 1}, point{}},
		{"bytes as a key", `{'X': 1}`, point{X: 1}, point{}},
		{"half a character in a chunk", `h'00'`, "\x00", ""},
		{"self-described", `55799(1)`, 1, 0},
		{"typed array", `[64(h'0102')]`, [][]byte{{1, 2}}, [][]byte(nil)},
		{"typed array of halves", `84(h'003c00c0')`, []float64{1, -2}, []float64(nil)},
		{"typed array as a Go array", `78(h'ffffffff')`, [1]int{-1}, [1]int{}},
		{"typed array in any", `[69(h'01000200')]`, []any{[]uint16{1, 2}}, []any(nil)},
		{"typed array of another length", `70(h'010203')`, nil, []uint32(nil)},
		{"typed array of text", `70("abcd")`, nil, []uint32(nil)},
		{"typed array out of range", `65(h'0100')`, nil, []int8(nil)},
		{"typed array of a reserved tag", `76(h'01')`, nil, []int8(nil)},
		{"typed array of quadruple precision", `83(h'00000000000000000000000000000000')`, []float64{0}, []float64(nil)},
		{"bytes as an array", `[_ 1, 255]`, []byte{1, 255}, []byte(nil)},
		{"bytes out of range", `[256]`, nil, []byte(nil)},
		{"homogeneous array", `41([1, 2])`, []int{1, 2}, []int(nil)},
		{"set", `258(["a", "b"])`, map[string]struct{}{"a": {}, "b": {}}, map[string]struct{}(nil)},
		{"set in any", `[258([1])]`, []any{[]any{int64(1)}}, []any(nil)},
		{"bigfloat", `5([-1, 3])`, 1.5, 0.0},
		{"bigfloat as text", `5([-2, -3])`, json.Number("-75e-2"), json.Number("")},
		{"bigfloat that is whole", `5([70, 1])`, json.Number("1180591620717411303424"), json.Number("")},
		{"bigfloat beyond", `5([100000, 1])`, nil, 0.0},
		{"encoded item", `24(<<{"X": 1, "Y": 2}>>)`, point{X: 1, Y: 2}, point{}},
		{"encoded items", `24(<<[1, 2], 3>>)`, nil, point{}},
		{"encoded item as bytes", `24(<<[1]>>)`, []byte{0x81, 1}, []byte(nil)},
		{"no encoded item", `24(h'81')`, nil, point{}},
		{"base64", `34("AQI=")`, []byte{1, 2}, []byte(nil)},
		{"base64 of URLs", `33("_w")`, []byte{255}, []byte(nil)},
		{"no base64", `34("?")`, nil, []byte(nil)},
		{"URI", `32("http://a")`, "http://a", ""},
		{"URI in any", `[32("http://a")]`, []any{Tag{32, "http://a"}}, []any(nil)},
		{"regular expression", `35("a+")`, *regexp.MustCompile("a+"), regexp.Regexp{}},
		{"MIME message", `36("A: b")`, "A: b", ""},
		{"unknown tag", `[7000("x")]`, []string{"x"}, []string(nil)},
		{"unknown tag in any", `[7000("x")]`, []any{Tag{7000, "x"}}, []any(nil)},
		{"bytes for base64 in any", `22(h'01')`, any([]byte{1}), any(nil)},
		{"bignum as int", `2(h'05')`, 5, 0},
		{"bignum as a float", `18446744073709551616`, 18446744073709551616.0, 0.0},
		{"integer as a float", `[3, -4]`, []float64{3, -4}, []float64(nil)},
		{"decimal fraction", `4([-2, 27315])`, 273.15, 0.0},
		{"decimal fraction as text", `4([-2, 27315])`, json.Number("27315e-2"), json.Number("")},
		{"large integer as text", `18446744073709551615`, json.Number("18446744073709551615"), json.Number("")},
		{"date", `1004("2024-02-29")`, late.Truncate(24 * time.Hour), time.Time{}},
		{"days", `100(19782)`, late.Truncate(24 * time.Hour), time.Time{}},
		{"days before", `100(-1)`, time.Unix(-86400, 0).UTC(), time.Time{}},
		{"seconds as a float", `1(1363896240.5)`, time.Unix(1363896240, 500000000).UTC(), time.Time{}},
		{"seconds before", `1(-1.5)`, time.Unix(-2, 500000000).UTC(), time.Time{}},
		{"integer keys from text", `{"-5": "x"}`, map[int8]string{-5: "x"}, map[int8]string(nil)},
		{"names from integers", `{5: "x"}`, map[string]string{"5": "x"}, map[string]string(nil)},
		{"null of a list", `[null, [1]]`, [][]int{nil, {1}}, [][]int(nil)},
		{"undefined", `[undefined]`, []any{nil}, []any(nil)},
		{"keys of all kinds", `{1: 2, "a": 3, h'01': 4}`, nil, any(nil)},
		{"keys that are not text", `{1: 2, "a": 3}`, any(map[any]any{int64(1): int64(2), "a": int64(3)}), any(nil)},
		{"text, then other keys", `{"b": h'02', -1: 0, "a": 3}`, any(map[any]any{"b": []byte{2}, int64(-1): int64(0), "a": int64(3)}), any(nil)},
		{"text, then other keys, open", `{_ "b": 1, 2: 0}`, any(map[any]any{"b": int64(1), int64(2): int64(0)}), any(nil)},
		{"keys of any type", `{1: h'01', "a": [], null: true}`, map[any]any{int64(1): []byte{1}, "a": []any{}, nil: true}, map[any]any(nil)},
		{"keys of any type, open", `{_ 1: 2}`, map[any]any{int64(1): int64(2)}, map[any]any(nil)},
		{"keys of any type that are lists", `{[1]: 2}`, nil, map[any]any(nil)},
		{"null of keys of any type", `[null, {}]`, []map[any]any{nil, {}}, []map[any]any(nil)},
		{"too large", `[256]`, nil, []uint8(nil)},
		{"negative", `-1`, nil, uint(0)},
		{"beyond int64", `9223372036854775808`, nil, int64(0)},
		{"text for a number", `"1"`, nil, 0},
		{"fraction for an integer", `1.5`, nil, 0},
		{"number for text", `1`, nil, ""},
		{"list for a struct of a map", `"x"`, nil, cose{}},
		{"no date", `1004("x")`, nil, time.Time{}},
		{"NaN as a time", `1(NaN)`, nil, time.Time{}},
		{"days without end", `100(9223372036854775807)`, nil, time.Time{}},
		{"another tag", `[1]`, nil, Tag{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, alias := range []bool{false, true} {
				got := reflect.New(reflect.TypeOf(&tt.into).Elem())
				if tt.into != nil {
					got = reflect.New(reflect.TypeOf(tt.into))
				}
				err := Unmarshal(diag(t, tt.in), got.Interface(), weft.AliasInput(alias))
				if tt.want == nil && err == nil || tt.want != nil && (err != nil || !reflect.DeepEqual(got.Elem().Interface(), tt.want)) {
					t.Errorf("%#v %v, want %#v", got.Elem().Interface(), err, tt.want)
				}
			}
		})
	}
	for _, in := range []string{`18446744073709551616`, `9223372036854775808`, `-9223372036854775809`, `{1: 2}`} {
		var v any
		if err := Unmarshal(diag(t, in), &v, Kubernetes.Lax()); err == nil {
			t.Errorf("Kubernetes reads %s as %v", in, v)
		}
	}
	var s string
	for _, tt := range []struct {
		in   string
		into any
		opts Options
		want string // of what is read, "" for an error
	}{
		{"\x61\xff", &s, weft.Join(), ""},
		{"\x41\xff", &s, weft.Join(), ""},
		{"\x61\xff", new(any), weft.Join(), ""},
		// Kubernetes has bytes for strings of which nobody knows whether they are UTF-8, and takes them as they are.
		{"\x61\xff", &s, Kubernetes.Strict(), ""},
		{"\x41\xff", &s, Kubernetes.Strict(), `"\xff"`},
		{"\x61\xff", new(any), Kubernetes.Strict(), ""},
		{"\x41\xff", new(any), Kubernetes.Strict(), `"\xff"`},
		{"\x81\x41\xff", new([]string), Kubernetes.Lax(), `["\xff"]`},
		{"\xa1\x41\xff\x01", new(map[string]int), Kubernetes.Lax(), `map["\xff":'\x01']`},
	} {
		err := Unmarshal([]byte(tt.in), tt.into, tt.opts)
		if got := fmt.Sprintf("%q", reflect.ValueOf(tt.into).Elem()); (err != nil) != (tt.want == "") || err == nil && got != tt.want {
			t.Errorf("%x: %s %v, want %s", tt.in, got, err, tt.want)
		}
	}
	if _, err := Marshal("\xff"); err == nil {
		t.Error("text that is not UTF-8 is written")
	}
	var v any
	if err := Unmarshal(diag(t, `40000([1, 2])`), &v, Tags(TagOf[point](40000))); err != nil || v != (point{X: 1, Y: 2}) {
		t.Errorf("%#v %v", v, err)
	}
}

// TestHostile: an error within 64 KiB, at once and byte by byte.
func TestHostile(t *testing.T) {
	million := func(head, s string) string { return head + strings.Repeat(s, 1<<20) }
	type tree struct{ L []tree }
	for name, in := range map[string]string{
		"bytes": "\x5a\xff\xff\xff\xff", "text": "\x7a\xff\xff\xff\xff", "array": "\x9a\xff\xff\xff\xff", "map": "\xba\xff\xff\xff\xff",
		"arrays": million("", "\x81"), "open arrays": million("", "\x9f"), "maps": million("", "\xa1\x61L\x81"),
		"tags": million("", "\xd9\x11\x11"), "bignum": "\xc2\x5a\x40\x00\x00\x00", "chunks": million("\x5f", "\x40"),
		"claims": strings.Repeat("\x99\x10\x00", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			b := []byte(in)
			for _, v := range []any{new(any), new([]any), new(tree), new(Raw), new(map[string]any), new(big.Int), new([]byte)} {
				_ = Unmarshal([]byte{0xf6}, v) // what is compiled is not counted
				for how, read := range map[string]func() error{
					"at once": func() error { return Unmarshal(b, v) },
					"strict":  func() error { return Unmarshal(b, v, Core.Strict()) },
					"stream":  func() error { return NewDecoder(iotest.OneByteReader(strings.NewReader(in))).Decode(v) },
				} {
					most := uint64(64 << 10)
					if sample.Race {
						most *= 2 // what is pooled is now and then thrown away
					}
					if how == "stream" && name == "chunks" {
						continue // all of it has arrived
					}
					// The process allocates beside the call now and then, and pools are emptied: once in three must do.
					least := uint64(math.MaxUint64)
					var err error
					for range 3 {
						var before, after runtime.MemStats
						runtime.ReadMemStats(&before)
						err = read()
						runtime.ReadMemStats(&after)
						if least = min(least, after.TotalAlloc-before.TotalAlloc); least <= most {
							break
						}
					}
					if err == nil || least > most {
						t.Errorf("%s of %s into %T: %.60v, %d bytes allocated", how, name, v, err, least)
					}
				}
			}
		})
	}
}

// FuzzUnmarshal: what is read is written and read unchanged, whatever the mode; what is well-formed and strict is
// written unchanged.
func FuzzUnmarshal(f *testing.F) {
	for _, v := range append(vectors(f, "appendix_a.txt"), vectors(f, "appendix_f.txt")...) {
		f.Add(v.b)
	}
	b, _ := Marshal(record())
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var v any
		lax := Unmarshal(b, &v)
		if lax == nil {
			for _, m := range []Mode{Core, LengthFirst} {
				out, err := Marshal(v, m.Strict())
				if errors.Is(err, weft.ErrDuplicateName) {
					continue // keys that differ in Go alone
				}
				var again any
				if err != nil {
					t.Fatalf("%x is read as %#v: %v", b, v, err)
				}
				if err := Unmarshal(out, &again, m.Strict()); err != nil {
					t.Fatalf("%x is written as %x: %v", b, out, err)
				}
				if again, err := Marshal(again, m.Strict()); err != nil || !bytes.Equal(again, out) {
					t.Fatalf("%x is written as %x %v", out, again, err)
				}
			}
		}
		var x all
		_ = Unmarshal(b, &x)
		var raw Raw
		strict := Unmarshal(b, &raw, Core.Strict())
		if (strict == nil) != Valid(b, Core.Strict()) {
			t.Fatalf("%x: %v, but valid is %v", b, strict, strict != nil)
		}
		if err := Unmarshal(b, &v, Core.Strict()); err == nil && strict != nil {
			t.Fatalf("%x is read strictly: %v", b, strict)
		}
	})
}
