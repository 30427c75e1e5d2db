package tagged

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	wjson "github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/value"
)

func TestCollisions(t *testing.T) {
	both := func(name string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), `"priceIndex"`) || !strings.Contains(err.Error(), `"roleCreated"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	type clash struct {
		PriceIndex  int `json:"priceIndex"`
		RoleCreated int `json:"roleCreated"`
	}
	_, err := Marshal(clash{})
	both("struct", err)
	both("struct read", Unmarshal(nil, new(clash)))
	_, err = Marshal([]*struct{ C clash }{})
	both("struct within", err)
	_, err = Marshal(map[string]int{"priceIndex": 1, "roleCreated": 2})
	both("map", err)
	_, err = Marshal(map[string]any{"priceIndex": 1, "x": map[string]any{"roleCreated": 2}})
	both("dynamic map", err)
	type price struct {
		N int `json:"priceIndex"`
	}
	type role struct {
		N int `json:"roleCreated"`
	}
	_, err = Marshal(struct {
		P price
		R role
	}{})
	both("message", err)
	b, err := Marshal(price{1})
	if err != nil {
		t.Fatal(err)
	}
	var c *CollisionError
	if err = Unmarshal(b, new(role)); !errors.As(err, &c) {
		t.Errorf("another name with the same hash: %v", err)
	}
	both("reading", err)
	for _, v := range []any{map[string]int{"*": 1}, struct {
		S int `json:"*"`
	}{}} {
		if _, err := Marshal(v); err == nil {
			t.Errorf("%T: * is written", v)
		}
	}
}

type everything struct {
	B   bool              `json:"b"`
	I   int               `json:"i"`
	I8  int8              `json:"i8"`
	U16 uint16            `json:"u16"`
	U64 uint64            `json:"u64"`
	F   float64           `json:"f"`
	S   string            `json:"s"`
	Bs  []byte            `json:"bs"`
	T   time.Time         `json:"t"`
	D   time.Duration     `json:"d"`
	N   json.Number       `json:"n"`
	P   *everything       `json:"p"`
	L   []int             `json:"l"`
	Ls  []string          `json:"ls"`
	A   [2]int            `json:"a"`
	M   map[string]int    `json:"m"`
	Mi  map[int]string    `json:"mi"`
	X   any               `json:"x"`
	O   opt.Field[string] `json:"o"`
	E   string            `json:"e,omitempty"`
	Req int               `weft:"req,required"`
}

func some() everything {
	return everything{B: true, I: -7, I8: -128, U16: 65535, U64: math.MaxUint64, F: 0.5, S: "text", Bs: []byte{0, 1, 255},
		T: time.Date(2026, 7, 1, 9, 30, 0, 5, time.UTC), D: time.Second, N: "1.50", P: &everything{N: "0", T: time.Unix(0, 0).UTC()},
		L: []int{1, -2}, Ls: []string{"", strings.Repeat("x", 300)}, A: [2]int{3, 4}, M: map[string]int{"k": 1}, Mi: map[int]string{-1: "m"},
		X: map[string]any{"a": []any{int64(1), nil, "s", 2.5}}, O: opt.FieldOf("o"), Req: 1}
}

func TestEverything(t *testing.T) {
	v := some()
	for _, f := range []weft.Format{Format, Framed} {
		b, err := f.MarshalAppend([]byte("head"), v)
		if err != nil {
			t.Fatal(err)
		}
		var w everything
		if err := f.UnmarshalRead(bytes.NewReader(b[4:]), &w); err != nil || !reflect.DeepEqual(v, w) {
			t.Errorf("%s: %v\n%+v\n%+v", f.Name(), err, w, v)
		}
		var out bytes.Buffer
		if err := f.MarshalWrite(&out, &v); err != nil || out.Len() != len(b)-4 {
			t.Errorf("%s: %d bytes, %v", f.Name(), out.Len(), err)
		}
	}
}

func TestErrors(t *testing.T) {
	b, err := Marshal(some())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		b    []byte
		v    any
		want string
	}{
		{b, new(struct{ I string }), ""},
		{b, new(struct {
			I string `json:"i"`
		}), "at /i"},
		{b, new(struct {
			X struct {
				A []bool `json:"a"`
			} `json:"x"`
		}), "at /x/a/2"},
		{b[:60], new(everything), "offset"},
		{nil, new(everything), "req"},
		{[]byte{1, 0, 0, 0, 4, 9}, new(int), "after"},
		{[]byte{9, 0, 0, 0, 6, 0x21, 0, 0, 0, 0}, new([]int), "offset"},
		{unhex("0900000005210000000" + "0"), new([]int), "order"},
		{unhex("0100000004"), new(bool), "bool"},
		{unhex("0f00000004"), new(int), "wire type"},
		{unhex("0b000000022b35"), new(int), ""},
		{unhex("0b000000022d2d"), new(int), "not well-formed"},
	} {
		t.Run(fmt.Sprintf("%.20x into %T", c.b, c.v), func(t *testing.T) {
			err := Unmarshal(c.b, c.v)
			var e *weft.Error
			if c.want == "" {
				if err != nil {
					t.Errorf("%x: %v", c.b, err)
				}
			} else if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%.20x into %T: %v, want %s", c.b, c.v, err, c.want)
			}
		})
	}
	if err := Unmarshal(b, new(struct{}), weft.RejectUnknown(true)); !errors.Is(err, weft.ErrUnknownMember) {
		t.Error(err)
	}
	deep := any(1)
	for range 100 {
		deep = []any{deep}
	}
	if _, err := Marshal(deep, weft.MaxDepth(50)); !errors.Is(err, weft.ErrDepth) {
		t.Error(err)
	}
	d, err := Marshal(deep)
	if err != nil {
		t.Fatal(err)
	}
	if err := Unmarshal(d, new(any), weft.MaxDepth(50)); !errors.Is(err, weft.ErrDepth) {
		t.Error(err)
	}
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func TestStream(t *testing.T) {
	var out bytes.Buffer
	e := NewEncoder(&out)
	want := []any{int64(1), map[string]any{}, map[string]any{"a": "b"}, strings.Repeat("x", 5000), []any{}}
	for _, v := range want {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	b := out.Bytes()
	d := NewDecoder(iotestOne{bytes.NewReader(b)})
	for i := 0; d.More(); i++ {
		var v any
		if err := d.Decode(&v); err != nil || !reflect.DeepEqual(v, want[i]) {
			t.Errorf("%d: %v, %v", i, v, err)
		}
	}
	if err := d.Decode(new(any)); err != io.EOF {
		t.Error(err)
	}
	d = NewDecoder(bytes.NewReader(b[:len(b)-1]))
	var err error
	for err == nil {
		err = d.Decode(new(any))
	}
	if !errors.Is(err, weft.ErrUnexpectedEnd) {
		t.Error(err)
	}
}

// iotestOne returns one byte at a time.
type iotestOne struct{ r io.Reader }

func (o iotestOne) Read(p []byte) (int, error) { return o.r.Read(p[:min(len(p), 1)]) }

// TestHostile: no length is trusted before the bytes are there.
func TestHostile(t *testing.T) {
	for _, s := range []string{
		"09000000ffffffff7f", "08000000ffffffff7f", "07000000ffffffff7f", "0b000000ffffffff7f", "0a000000ffffffff7f",
		"01000000ffffffffffffffffffff01", "0900000006180000" + "00ffffffff7f", "04000000",
	} {
		b := unhex(s)
		for _, v := range []any{new(any), new([]int), new([]everything), new(map[string]int), new(string), new(Raw), new(everything)} {
			if n := sample.Allocated(func() { _ = Unmarshal(b, v) }); n > 64<<10 {
				t.Errorf("%s into %T: %d bytes allocated", s, v, n)
			}
		}
	}
}

// TestNumberMinusZero: the text -0 is a float where its kind is asked for.
func TestNumberMinusZero(t *testing.T) {
	doc, err := Marshal(json.Number("-0"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Marshal(math.Copysign(0, -1))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := weft.Transcode(nil, Format, doc, Format); err != nil || !bytes.Equal(got, want) {
		t.Errorf("copied as %x, %v, want %x", got, err, want)
	}
	var v any
	if err := Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	if got, err := Marshal(v); err != nil || !bytes.Equal(got, want) && !bytes.Equal(got, doc) {
		t.Errorf("any(%T) is %x, %v", v, got, err)
	}
}

// TestZoneSeconds: an instant stays the same where its zone has seconds, which RFC 3339 has not.
func TestZoneSeconds(t *testing.T) {
	for _, zone := range []int{30, -30, 1172, 3600, -86399} {
		want := time.Unix(5, 7).In(time.FixedZone("", zone))
		var got time.Time
		doc, err := Marshal(want)
		if err == nil {
			err = Unmarshal(doc, &got)
		}
		if _, is := got.Zone(); err != nil || !got.Equal(want) || is != zone-zone%60 {
			t.Errorf("%v becomes %v, %v", want, got, err)
		}
	}
}

// TestNumberDigits: of a number that is text no digit is lost on the way to another format and to a value.
func TestNumberDigits(t *testing.T) {
	for _, text := range []string{
		"12345678901234567890123", "-18446744073709551616", "0.1234567890123456789", "1e400", "-0", "1.5", "18446744073709551615",
	} {
		t.Run(text, func(t *testing.T) {
			doc, err := weft.Transcode(nil, Format, []byte(text), wjson.Format)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := weft.Transcode(nil, wjson.Format, doc, Format); err != nil || string(back) != text {
				t.Errorf("comes back as %s, %v", back, err)
			}
			var v value.Value
			if err := Unmarshal(doc, &v); err != nil || v.String() != text {
				t.Errorf("is the value %v, %v", v, err)
			}
		})
	}
}

// TestKeyErrors: a key that is a number and does not fit is called one.
func TestKeyErrors(t *testing.T) {
	b, err := Marshal(map[string]int{"300": 1})
	if err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]any{
		"tagged: at /300, offset 4: int 300 does not fit int8":   new(map[int8]int),
		"tagged: at /300, offset 4: uint 300 does not fit uint8": new(map[uint8]int),
	} {
		if err := Unmarshal(b, v); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
