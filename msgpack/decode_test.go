package msgpack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
)

func asError(err error, e **weft.Error) bool { return errors.As(err, e) }

// required is a type with members that must be there.
type required struct {
	A int    `weft:"a,required"`
	B string `weft:"b,required"`
	C *required
}

func TestErrors(t *testing.T) {
	type doc struct {
		Result []struct {
			Date time.Time `msgpack:"date"`
			N    int8
			U    uint16
			F    float32
			S    string
			B    [2]byte
		} `msgpack:"result"`
		By map[int]bool
		R  *required
		I  fmt.Stringer
	}
	for _, c := range []struct{ in, want string }{
		{"\x81\xa6result\x93\x80\x80\x81\xa4date\x01", "msgpack: at /result/2/date, offset 17: cannot read uint as time.Time"},
		{"\x81\xa6result\x91\x81\xa1N\xcc\x80", "msgpack: at /result/0/N, offset 12: uint 128 does not fit int8"},
		{"\x81\xa6result\x91\x81\xa1N\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "msgpack: at /result/0/N, offset 12: cannot read float as int8"},
		{"\x81\xa6result\x91\x81\xa1U\xff", "msgpack: at /result/0/U, offset 12: int -1 does not fit uint16"},
		{"\x81\xa6result\x91\x81\xa1U\xce\x00\x01\x00\x00", "msgpack: at /result/0/U, offset 12: uint 65536 does not fit uint16"},
		{"\x81\xa6result\x91\x81\xa1F\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c",
			"msgpack: at /result/0/F, offset 12: float 1e+300 does not fit float32"},
		{"\x81\xa6result\x91\x81\xa1S\x01", "msgpack: at /result/0/S, offset 12: cannot read uint as string"},
		{"\x81\xa6result\x91\x81\xa1S\xc1", "msgpack: at /result/0/S, offset 12: byte c1 is not the start of a value"},
		{"\x81\xa6result\x91\x81\xa1B\xc4\x01x", "msgpack: at /result/0/B, offset 12: length is 1, must be 2"},
		{"\x81\xa6result\x91\x81\xa4date\xd7\xff\xff\xff\xff\xff\xff\xff\xff\xff",
			"msgpack: at /result/0/date, offset 15: timestamp is not valid"},
		{"\x81\xa6result\x91\x81\xa4date\xa1x",
			`msgpack: at /result/0/date, offset 15: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`},
		{"\x81\xa2By\x82\x01\xc3\x02\x07", "msgpack: at /By/2, offset 8: cannot read uint as bool"},
		{"\x81\xa1R\x81\xa1C\x80", `msgpack: at /R/C, offset 6: missing required members "a", "b"`},
		{"\x81\xa1R\x81\xa1a\x01", `msgpack: at /R, offset 3: missing required member "b"`},
		{"\x81\xa1I\x01", "msgpack: at /I, offset 3: cannot read uint as fmt.Stringer"},
		{"\x81\xa1x\xc1", "msgpack: at /x, offset 3: byte c1 is not the start of a value"},
		{"\x81", "msgpack: at offset 1: unexpected end of input"},
		{"\x81\xa1", "msgpack: at offset 1: unexpected end of input"},
		{"\x81\xa6result", "msgpack: at /result, offset 8: unexpected end of input"},
		{"\x80\x80", "msgpack: at offset 1: data after the value"},
		{"", "msgpack: at offset 0: unexpected end of input"},
		{"\x01", "msgpack: at offset 0: cannot read uint as msgpack.doc"},
	} {
		t.Run(c.want, func(t *testing.T) {
			err := Unmarshal([]byte(c.in), new(doc))
			if err == nil || err.Error() != c.want {
				t.Errorf("%q:\n got %v\nwant %s", c.in, err, c.want)
			}
		})
	}
	var missing *weft.MissingError
	if err := Unmarshal([]byte("\x80"), new(required)); !errors.As(err, &missing) || len(missing.Names) != 2 {
		t.Errorf("missing members: %v", err)
	}
	for _, v := range []any{nil, 1, (*int)(nil), struct{}{}} {
		if err := Unmarshal([]byte("\x01"), v); !errors.Is(err, errTarget) {
			t.Errorf("Unmarshal into %T: %v", v, err)
		}
	}
}

func TestConversions(t *testing.T) {
	for _, c := range []struct {
		in   string
		into any
		want any
	}{
		{"\xc0", &[]int{1}, []int(nil)},
		{"\xc0", &map[string]int{"a": 1}, map[string]int(nil)},
		{"\xc0", ptr(5), 0},
		{"\xc0", ptr("x"), ""},
		{"\xc0", ptr(true), false},
		{"\xc0", ptr(ptr(1)), (*int)(nil)},
		{"\xc0", &inner{A: 1}, inner{}},
		{"\x92\x01\x02", &[3]int{7, 8, 9}, [3]int{1, 2, 0}},
		{"\x94\x01\x02\x03\x04", new([3]int), [3]int{1, 2, 3}},
		{"\x05", new(float64), 5.0},
		{"\xff", new(float32), float32(-1)},
		{"\xca\x3f\xc0\x00\x00", new(float64), 1.5},
		{"\x94\xca\x3f\xc0\x00\x00\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\x05\xc0", new([]float32), []float32{1.5, 1.5, 5, 0}},
		{"\x91\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", &[]float32{7, 8}, []float32{1.5}},
		{"\xa2hi", new([]byte), []byte("hi")},
		{"\xc4\x02hi", new(string), "hi"},
		{"\x82\xa11\xa1a\x02\xa1b", new(map[int]string), map[int]string{1: "a", 2: "b"}},
		{"\x81\xa11\x05", new(map[int8]int8), map[int8]int8{1: 5}},
		{"\x82\x01\x02\xa1a\x03", new(any), map[any]any{int64(1): int64(2), "a": int64(3)}},
		{"\xd7\xff\x00\x00\x00\x00\x00\x00\x00\x01", new(any), time.Unix(1, 0).UTC()},
		{"\xd4\x05\x07", new(any), Ext{5, []byte{7}}},
		{"\x05", new(json.Number), json.Number("5")},
		{"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", new(json.Number), json.Number("1.5")},
		{"\x93\x01\x02\x03", &inner{}, inner{A: 1}}, // as array: the second is B
		{"\xd7\x03\x3f\x80\x00\x00\x40\x00\x00\x00", new(complex64), complex64(1 + 2i)},
		{"\xa14", new(big.Int), *big.NewInt(4)},
		{"\xc4\x04\x7f\x00\x00\x01", new(netip.Addr), netip.MustParseAddr("127.0.0.1")},
		{"\xa9127.0.0.1", new(netip.Addr), netip.MustParseAddr("127.0.0.1")},
		{"\x81\xa6x-name\x01", new(map[string]Raw), map[string]Raw{"x-name": Raw("\x01")}},
	} {
		t.Run(fmt.Sprintf("%q into %T", c.in, c.into), func(t *testing.T) {
			err := Unmarshal([]byte(c.in), c.into)
			if strings.HasPrefix(c.in, "\x93") {
				if err == nil || !strings.Contains(err.Error(), "at /1, offset 2: cannot read uint as string") {
					t.Errorf("%q: %v", c.in, err)
				}
				return
			}
			if err != nil {
				t.Errorf("%q into %T: %v", c.in, c.into, err)
			} else if got := reflect.ValueOf(c.into).Elem().Interface(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q into %T = %#v, want %#v", c.in, c.into, got, c.want)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

func TestDecodeOptions(t *testing.T) {
	type two struct{ A, B int }
	for _, c := range []struct {
		in   string
		into any
		opt  Options
		want error
	}{
		{"\x81\xa1C\x01", new(two), weft.RejectUnknown(true), weft.ErrUnknownMember},
		{"\x82\xa1A\x01\xa1A\x02", new(two), weft.RejectDuplicates(true), weft.ErrDuplicateName},
		{"\x82\xa1A\x01\xa1A\x02", new(any), weft.RejectDuplicates(true), weft.ErrDuplicateName},
		{"\x82\xa1A\x01\xa1A\x02", new(map[string]int), weft.RejectDuplicates(true), weft.ErrDuplicateName},
		{"\x82\xa1A\x01\xa1A\x02", new(map[string]int8), weft.RejectDuplicates(true), weft.ErrDuplicateName},
		{"\x82\x01\x01\x01\x02", new(any), weft.RejectDuplicates(true), weft.ErrDuplicateName},
		{"\xa1\xff", new(string), RejectInvalidUTF8(true), errUTF8},
		{"\x81\xa1\xff\x01", new(any), RejectInvalidUTF8(true), errUTF8},
		{"\x81\xa1\xff\x01", new(two), RejectInvalidUTF8(true), errUTF8},
		{"\x81\xa1z\x91\xa1\xff", new(two), RejectInvalidUTF8(true), errUTF8},
		{"\x92\xc4\x01\xff\xa1\xff", new(Raw), RejectInvalidUTF8(true), errUTF8},
		{"\xa1\xff", new(textName), RejectInvalidUTF8(true), errUTF8},
		{"\x91\x91\xcf\x00\x00\x00\x00\x00\x00\x00\x01", new([]struct{ A int }), weft.MaxDepth(1), weft.ErrDepth},
		{"\x91\x91\x91\x01", new(any), weft.MaxDepth(2), weft.ErrDepth},
		{"\x91\x91\x91\x01", new([][][]int8), weft.MaxDepth(2), weft.ErrDepth},
		{"\x91\x91\x91\x01", new([][][]int), weft.MaxDepth(2), weft.ErrDepth},
		{"\x91\x91\x91\x01", new([][][]float64), weft.MaxDepth(2), weft.ErrDepth},
		{"\x81\x90\x01", new(any), Options{}, errKey},
	} {
		t.Run(fmt.Sprintf("%q into %T", c.in, c.into), func(t *testing.T) {
			if err := Unmarshal([]byte(c.in), c.into, c.opt); !errors.Is(err, c.want) {
				t.Errorf("%q into %T: %v, want %v", c.in, c.into, err, c.want)
			}
			if c.want != errKey {
				if err := Unmarshal([]byte(c.in), c.into); err != nil {
					t.Errorf("%q into %T without the option: %v", c.in, c.into, err)
				}
			}
		})
	}
	v := two{A: 5, B: 6}
	if err := Unmarshal([]byte("\x91\x01"), &v); err != nil || v != (two{1, 6}) {
		t.Errorf("shorter array: %v, %v", v, err)
	}
	if err := Unmarshal([]byte("\x93\x01\x02\x90"), &v); err != nil || v != (two{1, 2}) {
		t.Errorf("longer array: %v, %v", v, err)
	}
	for _, in := range []string{"\x91\x01", "\x93\x01\x02\x90"} {
		if err := Unmarshal([]byte(in), &v, ExactArrays(true)); err == nil {
			t.Errorf("%q is accepted as two members", in)
		}
	}
	var rests []withRest
	if err := Unmarshal([]byte("\x91\x91\xcf\x00\x00\x00\x00\x00\x00\x00\x01"), &rests, ExactArrays(true)); err == nil {
		t.Error("an array of one is accepted as a member and others")
	}
	var c64 complex64
	if err := Unmarshal([]byte("\x92\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c\x00"), &c64); err == nil ||
		!strings.Contains(err.Error(), "does not fit complex64") {
		t.Errorf("1e300 as complex64: %v, %v", c64, err)
	}
	var x any
	if err := Unmarshal([]byte("\x81\xa1a\x01"), &x, AnyMaps(true)); err != nil || !reflect.DeepEqual(x, map[any]any{"a": int64(1)}) {
		t.Errorf("AnyMaps: %v, %v", x, err)
	}
	for _, in := range []string{"\xc7\x0c\x05\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x06", "\x92\x05\x06"} {
		var at time.Time
		if err := Unmarshal([]byte(in), &at, OldTimes(true)); err != nil || !at.Equal(time.Unix(5, 6)) {
			t.Errorf("old time %x: %v, %v", in, at, err)
		}
		if err := Unmarshal([]byte(in), &at); err == nil {
			t.Errorf("%x is read as a time without the option", in)
		}
	}
	in := []byte("\x92\xa3abc\xc4\x02hi")
	var alias struct {
		_ struct{} `msgpack:",array"`
		S string
		B []byte
	}
	if err := Unmarshal(in, &alias, weft.AliasInput(true)); err != nil || &alias.B[0] != &in[7] {
		t.Errorf("AliasInput: %v, %v", alias, err)
	}
}

// TestHostile gives decoders documents that claim more than they hold.
func TestHostile(t *testing.T) {
	type node struct {
		Kids []node
		M    map[string]node
		S    string
		B    []byte
		I    []int
		L    []string
		A    []any
		W    [][64]int64
	}
	headers := []string{
		"\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\xdb\xff\xff\xff\xff", "\xc6\xff\xff\xff\xff", "\xc9\xff\xff\xff\xff\x01",
		"\xdd\x7f\xff\xff\xff", "\xdf\x7f\xff\xff\xff", "\xdb\x7f\xff\xff\xff", "\xc6\x7f\xff\xff\xff", "\xc9\x7f\xff\xff\xff\x01",
	}
	targets := []func() any{
		func() any { return new(any) }, func() any { return new([]int) }, func() any { return new([]string) },
		func() any { return new([][]byte) }, func() any { return new(map[string]int) }, func() any { return new(map[string]int8) },
		func() any { return new(string) }, func() any { return new([]byte) }, func() any { return new([]node) },
		func() any { return new(node) }, func() any { return new([4]int) }, func() any { return new(Raw) },
		func() any { return new([]any) }, func() any { return new(Ext) }, func() any { return new([]bool) }, func() any { return new([]float64) },
	}
	for _, h := range headers {
		for _, f := range targets {
			for _, in := range []string{h, "\x91" + h, "\x81\xa4Kids" + h, "\x81\xa1W" + h} {
				v := f()
				if n := sample.Allocated(func() {
					var e *weft.Error
					if err := Unmarshal([]byte(in), v); !asError(err, &e) {
						t.Errorf("%x into %T: %v", in, v, err)
					}
				}); n > 64<<10 {
					t.Errorf("%x into %T allocates %d bytes", in, v, n)
				}
			}
		}
		if n := sample.Allocated(func() {
			d := NewDecoder(iotest.OneByteReader(strings.NewReader(h)))
			var v any
			if err := d.Decode(&v); !errors.Is(err, weft.ErrUnexpectedEnd) {
				t.Errorf("%x in a Decoder: %v", h, err)
			}
		}); n > 64<<10 {
			t.Errorf("%x in a Decoder allocates %d bytes", h, n)
		}
	}
	deep := bytes.Repeat([]byte{0x91}, 1e6)
	deepMap := bytes.Repeat([]byte("\x81\xa4Kids\x91"), 1e5)
	for _, in := range [][]byte{deep, deepMap} {
		for _, f := range targets[:12] {
			if n := sample.Allocated(func() {
				if err := Unmarshal(in, f()); err == nil {
					t.Errorf("%T of a deep document", f())
				}
			}); n > 32<<20 {
				t.Errorf("deep document into %T allocates %d bytes", f(), n)
			}
		}
	}
	if err := Unmarshal(deep, new(any)); !errors.Is(err, weft.ErrDepth) {
		t.Errorf("a million arrays: %v", err)
	}
	if err := NewDecoder(bytes.NewReader(deep)).Decode(new(any)); !errors.Is(err, weft.ErrDepth) {
		t.Errorf("a million arrays in a Decoder: %v", err)
	}
	if Valid(deep) {
		t.Error("a million arrays are valid")
	}
	// Each of many nested arrays claims all bytes that are left.
	greedy := bytes.Repeat([]byte("\xdc\x20\x00"), 3000)
	if n := sample.Allocated(func() { _ = Unmarshal(greedy, new(any)) }); n > 1<<20 {
		t.Errorf("nested claims allocate %d bytes", n)
	}
}

func TestStream(t *testing.T) {
	var buf bytes.Buffer
	e := NewEncoder(&buf)
	for i := range 1000 {
		if err := e.Encode(map[string]any{"i": i, "s": strings.Repeat("x", i)}); err != nil {
			t.Fatal(err)
		}
	}
	whole := buf.Bytes()
	for name, r := range map[string]io.Reader{
		"whole": bytes.NewReader(whole), "halves": iotest.HalfReader(bytes.NewReader(whole)),
		"bytes": iotest.OneByteReader(bytes.NewReader(whole)), "data with error": iotest.DataErrReader(bytes.NewReader(whole)),
	} {
		t.Run(name, func(t *testing.T) {
			d := NewDecoder(r)
			for i := range 1000 {
				var v struct {
					I int    `msgpack:"i"`
					S string `msgpack:"s"`
				}
				if !d.More() {
					t.Fatalf("%s: no more at %d", name, i)
				}
				if err := d.Decode(&v); err != nil || v.I != i || len(v.S) != i {
					t.Fatalf("%s: value %d: %v", name, i, err)
				}
			}
			if d.More() || d.InputOffset() != int64(len(whole)) {
				t.Errorf("%s: ends at %d, not %d", name, d.InputOffset(), len(whole))
			}
			if err := d.Decode(new(any)); err != io.EOF {
				t.Errorf("%s: %v, want EOF", name, err)
			}
		})
	}
	d := NewDecoder(strings.NewReader("\x01\xa1x\x92\x01"))
	var n int
	if err := d.Decode(&n); err != nil || n != 1 {
		t.Error(n, err)
	}
	if err := d.Decode(&n); err == nil || err.Error() != "msgpack: at offset 1: cannot read string as int" {
		t.Error(err)
	}
	if raw, err := d.DecodeRaw(); err == nil || err.Error() != "msgpack: at /1, offset 5: unexpected end of input" {
		t.Error(raw, err)
	}
	if err := d.Decode(&n); !errors.Is(err, weft.ErrUnexpectedEnd) {
		t.Error(err)
	}
	broken := errors.New("broken")
	d = NewDecoder(io.MultiReader(strings.NewReader("\x92\x01"), iotest.ErrReader(broken)))
	if err := d.Decode(new(any)); err != broken {
		t.Error(err)
	}
	if err := UnmarshalRead(iotest.OneByteReader(strings.NewReader("\xa2hi")), new(string)); err != nil {
		t.Error(err)
	}
	if err := UnmarshalRead(iotest.ErrReader(broken), &n); err != broken {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := MarshalWrite(&out, "hi"); err != nil || out.String() != "\xa2hi" {
		t.Error(out.String(), err)
	}
}
