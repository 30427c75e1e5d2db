package msgpack

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/opt"
)

// byValue and byAddr append themselves.
type byValue struct{ s string }

func (v byValue) AppendMsgpack(b []byte) ([]byte, error) {
	if v.s == "bad" {
		return b, errBad
	}
	return AppendString(b, "<"+v.s+">"), nil
}

type byAddr struct{ s string }

func (v *byAddr) AppendMsgpack(b []byte) ([]byte, error) { return AppendString(b, "*"+v.s), nil }

var errBad = errors.New("bad value")

type textName struct{ s string }

func (k textName) MarshalText() ([]byte, error) { return []byte("k" + k.s), nil }

func (k *textName) UnmarshalText(b []byte) error { k.s = string(b[1:]); return nil }

func TestEncode(t *testing.T) {
	type omit struct {
		A int            `msgpack:"a,omitempty"`
		B string         `msgpack:"b,omitzero"`
		C []int          `msgpack:"c,omitempty"`
		D time.Time      `msgpack:"d,omitzero"`
		E map[string]int `msgpack:"e,omitempty"`
		F *int           `msgpack:"-"`
	}
	type options struct {
		N opt.Null[int]
		V opt.Val[int]
		F opt.Field[int]
	}
	type cross struct {
		A int `json:"j" msgpack:"m"`
		B int `json:"b,omitempty" weft:"w"`
		C int `json:"c,omitempty"`
		D int `json:"-"`
	}
	type many struct {
		A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P *int `msgpack:",omitempty"`
		Q                                              int
	}
	deterministic := weft.Deterministic(true)
	for _, c := range []struct {
		v    any
		opt  Options
		want string
	}{
		{nil, Options{}, "\xc0"},
		{true, Options{}, "\xc3"},
		{int8(-5), Options{}, "\xfb"},
		{uintptr(300), Options{}, "\xcd\x01\x2c"},
		{float32(1.5), Options{}, "\xca\x3f\xc0\x00\x00"},
		{[]float32{1.5, -1.5}, Options{}, "\x92\xca\x3f\xc0\x00\x00\xca\xbf\xc0\x00\x00"},
		{[]float32{0, 1.5, 0, 0, 1.5}, Options{}, "\x95\xca\x00\x00\x00\x00\xca\x3f\xc0\x00\x00" +
			"\xca\x00\x00\x00\x00\xca\x00\x00\x00\x00\xca\x3f\xc0\x00\x00"},
		{[]float32(nil), Options{}, "\xc0"},
		{1.5, Options{}, "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"},
		{complex64(1 + 2i), Options{}, "\x92\xca\x3f\x80\x00\x00\xca\x40\x00\x00\x00"},
		{[]byte("hi"), Options{}, "\xc4\x02hi"},
		{[2]byte{1, 2}, Options{}, "\xc4\x02\x01\x02"},
		{ownBytes{1}, Options{}, "\xc4\x01\x01"},
		{[]byte(nil), Options{}, "\xc0"},
		{[]int(nil), Options{}, "\xc0"},
		{[]int{}, Options{}, "\x90"},
		{[]int16{1, -1}, Options{}, "\x92\x01\xff"},
		{map[string]int(nil), Options{}, "\xc0"},
		{map[string]bool{"b": true, "a": false, "": true}, deterministic, "\x83\xa0\xc3\xa1a\xc2\xa1b\xc3"},
		{map[int]int{10: 1, -300: 2, 9: 3}, deterministic, "\x83\xd1\xfe\xd4\x02\x09\x03\x0a\x01"},
		{map[keyed]int{{1, 2}: 3}, Options{}, "\x81\x82\xa1X\x01\xa1Y\x02\x03"},
		{map[textName]int{{"1"}: 3}, Options{}, "\x81\xa2k1\x03"},
		{map[string]map[string]any{"b": {"y": 1, "x": []any{nil}}, "a": nil}, deterministic, "\x82\xa1a\xc0\xa1b\x82\xa1x\x91\xc0\xa1y\x01"},
		{time.Unix(1, 0), Options{}, "\xd6\xff\x00\x00\x00\x01"},
		{time.Duration(5), Options{}, "\x05"},
		{json.Number("5"), Options{}, "\x05"},
		{json.Number("0"), Options{}, "\x00"},
		{json.Number("-0"), Options{}, "\xcb\x80\x00\x00\x00\x00\x00\x00\x00"},
		{json.Number("18446744073709551615"), Options{}, "\xcf\xff\xff\xff\xff\xff\xff\xff\xff"},
		{json.Number("0.5"), Options{}, "\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00"},
		{Raw("\x93\x01\x02\x03"), Options{}, "\x93\x01\x02\x03"},
		{Raw(nil), Options{}, "\xc0"},
		{Ext{5, []byte{1}}, Options{}, "\xd4\x05\x01"},
		{omit{}, Options{}, "\x80"},
		{omit{A: 1, C: []int{}, E: map[string]int{"x": 1}}, Options{}, "\x82\xa1a\x01\xa1e\x81\xa1x\x01"},
		{omit{}, weft.StructAsArray(true), "\x95\x00\xa0\xc0\xc7\x0c\xff\x00\x00\x00\x00\xff\xff\xff\xf1\x88\x6e\x09\x00\xc0"},
		{options{}, Options{}, "\x81\xa1N\xc0"},
		{options{opt.NullOf(1), opt.ValOf(2), opt.FieldNull[int]()}, Options{}, "\x83\xa1N\x01\xa1V\x02\xa1F\xc0"},
		{options{F: opt.FieldOf(3)}, weft.StructAsArray(true), "\x93\xc0\xc0\x03"},
		{cross{1, 0, 0, 4}, Options{}, "\x82\xa1m\x01\xa1w\x00"},
		{many{Q: 1}, Options{}, "\x81\xa1Q\x01"},
		{tuple{X: 1, Y: "y"}, Options{}, "\x94\x01\xa1y\xc0\xc0"},
		{&tuple{Z: &tuple{}}, Options{}, "\x94\x00\xa0\x94\x00\xa0\xc0\xc0\xc0"},
		{catch{1, map[string]any{"z": 2}}, Options{}, "\x82\xa1A\x01\xa1z\x02"},
		{catch{A: 1}, Options{}, "\x81\xa1A\x01"},
		{byValue{"x"}, Options{}, "\xa3<x>"},
		{&byValue{"x"}, Options{}, "\xa3<x>"},
		{byAddr{"x"}, Options{}, "\xa2*x"},
		{[]any{byAddr{"x"}, &byAddr{"y"}, (*byAddr)(nil)}, Options{}, "\x93\xa2*x\xa2*y\xc0"},
		{struct{ F byAddr }{byAddr{"z"}}, Options{}, "\x81\xa1F\xa2*z"},
		{netip.MustParseAddr("1.2.3.4"), Options{}, "\xc4\x04\x01\x02\x03\x04"},
		{big.NewInt(7), Options{}, "\xa17"},
		{strings.Repeat("x", 40), OldSpec(true), "\xda\x00\x28" + strings.Repeat("x", 40)},
		{[]byte("hi"), OldSpec(true), "\xa2hi"},
	} {
		t.Run(fmt.Sprintf("%T", c.v), func(t *testing.T) {
			got, err := Marshal(c.v, c.opt)
			if err != nil || string(got) != c.want {
				t.Errorf("Marshal(%T %+v)\n got %q, %v\nwant %q", c.v, c.v, got, err, c.want)
			}
			if got, err := MarshalAppend([]byte("before"), c.v, c.opt); err != nil || string(got) != "before"+c.want {
				t.Errorf("MarshalAppend(%T %+v) = %q, %v", c.v, c.v, got, err)
			}
		})
	}
}

func TestEncodeErrors(t *testing.T) {
	type cyclic struct{ Next any }
	loop := &cyclic{}
	loop.Next = loop
	var self any
	self = &self
	type bad struct {
		A []map[string]byValue
	}
	for _, c := range []struct {
		v    any
		want string
	}{
		{make(chan int), "msgpack: impossible type: chan int: chan has no form in any format"},
		{struct{ F func() }{}, "msgpack: impossible type: struct { F func() }, field F: func(): func has no form in any format"},
		{[]any{1, map[string]any{"x": func() {}}}, "msgpack: at /1/x: impossible type: func(): func has no form in any format"},
		{bad{[]map[string]byValue{nil, {"k/~": {"bad"}}}}, "msgpack: at /A/1/k~1~0: bad value"},
		{json.Number("x"), "msgpack: number is not a finite decimal"},
		{json.Number("0x1p4"), "msgpack: number is not a finite decimal"},
		{map[int]Raw{5: Raw("\xc1")}, "msgpack: at /5: raw value is not well-formed"},
		{Raw("\x01\x02"), "msgpack: raw value is not well-formed"},
		{struct {
			A int `weft:"a,nope"`
		}{}, `msgpack: impossible type: struct { A int "weft:\"a,nope\"" }, field A: unknown option "nope" in tag weft`},
	} {
		t.Run(c.want, func(t *testing.T) {
			b, err := Marshal(c.v)
			if err == nil || err.Error() != c.want || b != nil {
				t.Errorf("Marshal(%T)\n got %v\nwant %s", c.v, err, c.want)
			}
			if b, err := MarshalAppend([]byte("x"), c.v); err == nil || string(b) != "x" {
				t.Errorf("MarshalAppend(%T) = %q, %v", c.v, b, err)
			}
		})
	}
	for _, v := range []any{loop, self} {
		if _, err := Marshal(v); !errors.Is(err, weft.ErrDepth) {
			t.Errorf("a cycle: %.200v", err)
		}
	}
	if _, err := Marshal([][][]int{{{1}}}, weft.MaxDepth(1)); !errors.Is(err, weft.ErrDepth) {
		t.Errorf("MaxDepth: %v", err)
	}
	if _, err := Marshal(bad{[]map[string]byValue{{"x": {"bad"}}}}); !errors.Is(err, errBad) {
		t.Errorf("%v is not errBad", err)
	}
}

func TestAllocations(t *testing.T) {
	type small struct {
		A int
		B string
		C float64
		D []int
		E map[string]int
		F opt.Null[string]
	}
	v := &small{1, "two", 3, []int{4, 5}, map[string]int{"six": 7}, opt.NullOf("x")}
	b, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, 1024)
	for _, c := range []struct {
		name string
		most float64
		f    func()
	}{
		{"Marshal", 1, func() { _, _ = Marshal(v) }},
		{"MarshalAppend", 0, func() { buf, _ = MarshalAppend(buf[:0], v) }},
		{"MarshalAppend with options", 0, func() { buf, _ = MarshalAppend(buf[:0], v, weft.StructAsArray(true)) }},
		{"Unmarshal over", 0, func() { _ = Unmarshal(b, v) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if sample.Race {
				return
			}
			if n := testing.AllocsPerRun(200, c.f); n > c.most+0.2 && !mem.Safe {
				t.Errorf("%s allocates %v times", c.name, n)
			}
		})
	}
}

// nothing appends no value, or drops what there was.
type nothing struct{ drop bool }

func (n nothing) AppendMsgpack(b []byte) ([]byte, error) {
	if n.drop {
		return nil, nil
	}
	return b, nil
}

func TestAppendsNothing(t *testing.T) {
	for _, drop := range []bool{false, true} {
		if b, err := Marshal([]any{1, nothing{drop}, 2}); !errors.Is(err, errAppender) || !strings.Contains(err.Error(), "/1") {
			t.Errorf("%x, %v", b, err)
		}
	}
}

// verbatim appends what it holds.
type verbatim string

func (v verbatim) AppendMsgpack(b []byte) ([]byte, error) { return append(b, v...), nil }

// TestAppendsOneValue: what cannot be one value by its header is an error.
func TestAppendsOneValue(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, good := range []verbatim{"\xc0", "\x05", "\xcd\x01\x00", "\xa1x", "\xda\x01\x2c" + verbatim(long), "\xc4\x01x",
		"\xd4\x07x", "\xc7\x03\x07xyz", "\x90", "\x80", "\x92\x01\x02",
		"\x81\x01\x02", "\xdc\x00\x01\xc0", "\xcb12345678"} {
		if b, err := Marshal(map[string]verbatim{"a": good}); err != nil || string(b) != "\x81\xa1a"+string(good) {
			t.Errorf("%x: %x, %v", string(good), b, err)
		}
	}
	for _, bad := range []verbatim{"", "\xc1", "\xc0\xc0", "\x05\x06", "\xcd\x01", "\xcd\x01\x00\x00", "\xa1", "\xa1xy",
		"\xa2x", "\xda\x01\x2c" + verbatim(long[1:]), "\xd9", "\xc4\x02x", "\xd4\x07",
		"\xd4\x07xy", "\xc7\x03\x07xy", "\x90\xc0", "\x80\xc0", "\x92\x01", "\x81\x01", "\xdc\x00",
		"\xdd\xff\xff\xff\xff\x01", "\xdf\x00\x00\x00\x01\x01", "\xcb1234567"} {
		b, err := Marshal(map[string][]verbatim{"a": {"\xc0", bad}})
		var e *weft.Error
		if !errors.Is(err, errAppender) || !errors.As(err, &e) || e.Path != "/a/1" {
			t.Errorf("%x: %x, %v", string(bad), b, err)
		}
	}
}

// TestCyclePath: the path of an error is put together once, however long it is.
func TestCyclePath(t *testing.T) {
	cycle := []any{nil}
	cycle[0] = cycle
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Marshal(cycle)
	runtime.ReadMemStats(&after)
	var e *weft.Error
	if !errors.Is(err, weft.ErrDepth) || !errors.As(err, &e) || e.Path != strings.Repeat("/0", setting.DefaultMaxDepth) {
		t.Errorf("%.100v", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 { // put together at every level it took 100 MB
		t.Errorf("%d bytes", n)
	}
}
