package msgpack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
)

// celsius has no methods: only a codec makes it an extension.
type celsius struct{ Milli int32 }

// shout is written in capitals by a codec.
type shout string

// channel cannot be written without a codec.
type channel chan int

var someCodecs = Codecs(
	ExtCodec(7, func(b []byte, v celsius) ([]byte, error) {
		if v.Milli < -273150 {
			return nil, errBad
		}
		return binary.BigEndian.AppendUint32(b, uint32(v.Milli)), nil
	}, func(body []byte) (celsius, error) {
		if len(body) != 4 {
			return celsius{}, errBad
		}
		return celsius{int32(binary.BigEndian.Uint32(body))}, nil
	}),
	TypeCodec(func(b []byte, v shout) ([]byte, error) {
		if v == "two" {
			return AppendInt(AppendInt(b, 1), 2), nil
		}
		return AppendString(b, strings.ToUpper(string(v))), nil
	}, func(r *Reader) (shout, error) { return shout(strings.ToLower(r.String())), nil }),
	TypeCodec(func(b []byte, v channel) ([]byte, error) { return AppendInt(b, int64(cap(v))), nil },
		func(r *Reader) (channel, error) { return make(channel, min(r.Uint8(), 9)), nil }),
	TypeCodec(func(b []byte, v bool) ([]byte, error) {
		if v {
			return AppendString(b, "yes"), nil
		}
		return AppendString(b, "no"), nil
	}, func(r *Reader) (bool, error) { return r.String() == "yes", nil }),
)

func TestCodecs(t *testing.T) {
	type all struct {
		C  celsius
		P  *celsius
		L  []celsius
		M  map[celsius]shout
		S  shout
		A  any
		B  bool
		Bs []bool
		Mb map[string]bool
	}
	v := all{
		C: celsius{21500}, P: &celsius{-5}, L: []celsius{{1}, {2}}, M: map[celsius]shout{{3}: "three"}, S: "hi",
		A: celsius{4}, B: true, Bs: []bool{true, false}, Mb: map[string]bool{"k": true},
	}
	for _, o := range []Options{someCodecs, weft.Join(someCodecs, weft.StructAsArray(true))} {
		b, err := Marshal(&v, o)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), "\xd6\x07\x00\x00\x53\xfc") || !strings.Contains(string(b), "\xa2HI") {
			t.Errorf("the codecs were not used: %q", b)
		}
		var got all
		if err := Unmarshal(b, &got, o); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("read back: %+v, %v", got, err)
		}
	}
	// A codec belongs to the calls that are given it.
	if b, err := Marshal(v.C); err != nil || string(b) != "\x81\xa5Milli\xcd\x53\xfc" {
		t.Errorf("without codecs: %q, %v", b, err)
	}
	if b, err := Marshal(shout("a"), someCodecs); err != nil || string(b) != "\xa1A" {
		t.Errorf("as a whole document: %q, %v", b, err)
	}
	if b, err := Marshal([]any{true, "x"}, someCodecs); err != nil || string(b) != "\x92\xa3yes\xa1x" {
		t.Errorf("a predeclared type: %q, %v", b, err)
	}
	b, err := Marshal(struct{ W channel }{make(channel, 3)}, someCodecs)
	if err != nil || string(b) != "\x81\xa1W\x03" {
		t.Errorf("a type without a form: %q, %v", b, err)
	}
	if _, err := Marshal(struct{ F func() }{}, someCodecs); err == nil {
		t.Error("a function is written")
	}
	var x any
	if err := Unmarshal([]byte("\x93\xd6\x07\x00\x00\x00\x09\xd4\x08\x01\xc3"), &x, someCodecs); err != nil ||
		!reflect.DeepEqual(x, []any{celsius{9}, Ext{8, []byte{1}}, true}) {
		t.Errorf("into an interface: %v, %v", x, err)
	}
}

func TestCodecErrors(t *testing.T) {
	type in struct{ C celsius }
	_, err := Marshal(map[string]in{"a": {celsius{-300000}}}, someCodecs)
	var e *weft.Error
	if !errors.As(err, &e) || !errors.Is(err, errBad) || e.Path != "/a/C" {
		t.Errorf("refused by the codec: %v", err)
	}
	if _, err := Marshal(shout("two"), someCodecs); !errors.Is(err, errCodec) {
		t.Errorf("two values: %v", err)
	}
	for _, c := range []struct {
		in  string
		off int64
	}{
		{"\x81\xa1C\xd5\x07\x00\x00", 3},         // refused by the codec
		{"\x81\xa1C\xd6\x08\x00\x00\x00\x00", 3}, // another extension
		{"\x81\xa1C\x05", 3},
		{"\x81\xa1C\xc0", 3},
		{"\x81\xa1C\xd6\x07\x00", 3},
		{"\x81\xa1C\xc9\xff\xff\xff\xff\x07", 3},
	} {
		t.Run(fmt.Sprintf("%q", c.in), func(t *testing.T) {
			if err := Unmarshal([]byte(c.in), new(in), someCodecs); !errors.As(err, &e) || e.Offset != c.off || e.Path != "/C" {
				t.Error(err)
			}
			if err := Unmarshal([]byte("\x91"+c.in[3:]), new([1]any), someCodecs); c.in[3] == 0xd5 && !errors.Is(err, errBad) {
				t.Errorf("into an interface: %v", err)
			}
		})
	}
	// Every length has its own header.
	blob := Codecs(ExtCodec(1, func(b []byte, v shout) ([]byte, error) { return append(b, v...), nil },
		func(body []byte) (shout, error) { return shout(body), nil }))
	for _, n := range []int{0, 1, 2, 3, 4, 8, 15, 16, 17, 255, 256, 65535, 65536} {
		v := shout(strings.Repeat("x", n))
		b, err := Marshal(v, blob)
		if err != nil || string(b) != string(AppendExt(nil, 1, []byte(v))) {
			t.Errorf("extension of %d bytes: %.20q, %v", n, b, err)
		}
		var got shout
		if err := Unmarshal(b, &got, blob); err != nil || got != v {
			t.Errorf("extension of %d bytes is not read back: %v", n, err)
		}
	}
}

// TestKeysOfAnyKind writes and reads maps whose keys are neither strings nor
// integers.
func TestKeysOfAnyKind(t *testing.T) {
	type point struct{ X, Y int }
	for _, v := range []any{
		&map[point]string{{1, 2}: "a", {3, 4}: "b"},
		&map[[2]int8]point{{1, 2}: {5, 6}},
		&map[bool]int{true: 1, false: 0},
		&map[float64]string{1.5: "x"},
		&map[complex128]string{1 + 2i: "c"},
		&map[any]any{int64(1): "i", "s": true, 2.5: nil},
		&map[uint8]complex64{200: 1 - 1i},
		&map[int64]map[int32]int16{-1: {1: 2}},
	} {
		for _, o := range []Options{{}, weft.StructAsArray(true), weft.Deterministic(true)} {
			b, err := Marshal(v, o)
			if err != nil {
				t.Fatalf("%T: %v", v, err)
			}
			got := reflect.New(reflect.TypeOf(v).Elem())
			if err := Unmarshal(b, got.Interface(), o); err != nil || !reflect.DeepEqual(got.Interface(), v) {
				t.Errorf("%T: %x is read back as %v, %v", v, b, got.Elem(), err)
			}
		}
	}
}

func TestAnyOptions(t *testing.T) {
	const in = "\x97\x05\xcc\xff\xff\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xd0\x80\xca\x3f\x80\x00\x00\xc4\x02hi"
	for _, c := range []struct {
		opt  Options
		want []any
	}{
		{Options{}, []any{int64(5), int64(255), int64(-1), uint64(1<<64 - 1), int64(-128), float32(1), []byte("hi")}},
		{AnyUints(true), []any{uint64(5), uint64(255), int64(-1), uint64(1<<64 - 1), int64(-128), float32(1), []byte("hi")}},
		{AnyFloats(true), []any{5.0, 255.0, -1.0, float64(1<<64 - 1), -128.0, 1.0, []byte("hi")}},
		{AnyText(true), []any{int64(5), int64(255), int64(-1), uint64(1<<64 - 1), int64(-128), float32(1), "hi"}},
	} {
		t.Run(fmt.Sprint(c.want), func(t *testing.T) {
			var x any
			if err := Unmarshal([]byte(in), &x, c.opt); err != nil || !reflect.DeepEqual(x, c.want) {
				t.Errorf("%#v, %v; want %#v", x, err, c.want)
			}
		})
	}
	for _, in := range []string{"\xcd\x01", "\xd1\x01", "\xcf", "\xd3\x00"} {
		for _, o := range []Options{AnyUints(true), AnyFloats(true)} {
			if err := Unmarshal([]byte(in), new(any), o); !errors.Is(err, weft.ErrUnexpectedEnd) {
				t.Errorf("%x: %v", in, err)
			}
		}
	}
}

// unhashable cannot be a key of a map.
type unhashable struct{ l []int }

// TestCodecKeys: what a codec reads may be no key.
func TestCodecKeys(t *testing.T) {
	c := Codecs(ExtCodec(9, func(b []byte, v unhashable) ([]byte, error) { return b, nil },
		func(body []byte) (unhashable, error) { return unhashable{make([]int, len(body))}, nil }))
	for _, v := range []any{new(any), new(map[any]int), new(map[any]any)} {
		if err := Unmarshal([]byte("\x81\xd4\x09\x00\x01"), v, c); !errors.Is(err, errKey) {
			t.Errorf("into %T: %v", v, err)
		}
	}
}

// TestPointerCodec: a codec for pointers leaves what they point at alone.
func TestPointerCodec(t *testing.T) {
	type point struct{ X int }
	c := Codecs(TypeCodec(func(b []byte, v *point) ([]byte, error) { return AppendInt(b, int64(v.X)), nil },
		func(r *Reader) (*point, error) { return &point{r.Int()}, nil }))
	var p *point
	if err := Unmarshal([]byte{7}, &p, c); err != nil || p.X != 7 {
		t.Errorf("%v, %v", p, err)
	}
	var v point
	if err := Unmarshal([]byte("\x81\xa1X\x05"), &v, c); err != nil || v.X != 5 {
		t.Errorf("%v, %v", v, err)
	}
	p = nil
	if err := Unmarshal([]byte{7}, p, c); !errors.Is(err, errTarget) {
		t.Errorf("into a nil pointer: %v", err)
	}
}
