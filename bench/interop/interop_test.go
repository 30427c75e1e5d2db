package interop

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/tinylib/msgp/msgp"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/msgpack"

	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/records"
)

// edges has numbers at the ends of every width, strings and bytes at the ends of
// every header.
type edges struct {
	I8  []int8
	I16 []int16
	I32 []int32
	I64 []int64
	U16 []uint16
	U32 []uint32
	U64 []uint64
	F32 []float32
	F64 []float64
	B   []bool
	S   []string
	Bs  [][]byte
	P   *int
	N   *int
	M   map[string]int64
	Ms  map[string][]string
	L   []records.Item
	Fix [3]int
}

func newEdges() *edges {
	seven := 7
	e := &edges{
		I8: []int8{math.MinInt8, -33, -32, -1, 0, 127}, I16: []int16{math.MinInt16, -129, -128, 128, 255, 256, math.MaxInt16},
		I32: []int32{math.MinInt32, -32769, 32768, 65535, 65536, math.MaxInt32},
		I64: []int64{math.MinInt64, math.MinInt32 - 1, math.MaxUint32, math.MaxUint32 + 1, math.MaxInt64},
		U16: []uint16{0, 127, 128, 255, 256, math.MaxUint16}, U32: []uint32{math.MaxUint16 + 1, math.MaxUint32},
		U64: []uint64{math.MaxUint32 + 1, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64},
		F32: []float32{0, 1.5, -math.MaxFloat32, math.SmallestNonzeroFloat32},
		F64: []float64{0, -2.25, math.MaxFloat64, math.SmallestNonzeroFloat64},
		B:   []bool{true, false}, P: &seven, M: map[string]int64{"": 0, "k": -1}, Ms: map[string][]string{"a": {"b"}},
		L: records.NewUser().Items[:20], Fix: [3]int{1, 2, 3},
	}
	for _, n := range []int{0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536} {
		text := bytes.Repeat([]byte("ä"), n)[:n&^1]
		e.S = append(e.S, string(text))
		e.Bs = append(e.Bs, bytes.Repeat([]byte{0xc1}, n))
	}
	return e
}

// values are written by every library and read by every other.
func values() map[string]records.Sample {
	all := map[string]records.Sample{}
	for _, s := range records.Samples() {
		all[s.Name] = s
	}
	all["edges"] = records.Sample{Name: "edges", Plain: newEdges()}
	return all
}

// fresh returns a pointer to a new variable of the type that v points to.
func fresh(v any) any { return reflect.New(reflect.TypeOf(v).Elem()).Interface() }

// TestEveryPair: what one library writes another reads as the same value.
func TestEveryPair(t *testing.T) {
	read := 0
	for name, s := range values() {
		for _, w := range peers.AllPacks() {
			v := w.Value(&s)
			if w.Class == peers.Other || v == nil || reflect.ValueOf(v).IsNil() {
				continue
			}
			data, err := w.Marshal(v)
			if err != nil {
				t.Errorf("%s: %s %s cannot write it: %v", name, w.Name, w.Layout, err)
				continue
			}
			for _, r := range peers.AllPacks() {
				if w.Name != "weft" && r.Name != "weft" || r.Class == peers.Other || r.Layout != w.Layout {
					continue
				}
				want := r.Value(&s)
				if want == nil {
					continue
				}
				got := fresh(want)
				if err := r.Unmarshal(data, got); err != nil {
					t.Errorf("%s: %s cannot read what %s wrote as %s: %v", name, r.Name, w.Name, w.Layout, err)
				} else if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %s reads another value than %s wrote as %s", name, r.Name, w.Name, w.Layout)
				}
				read++
			}
		}
	}
	if read < 70 {
		t.Errorf("only %d pairs", read)
	}
	t.Logf("%d pairs", read)
}

// TestSameBytes: where the format leaves a choice weft takes the shortest form,
// as msgp does for integers: no library writes less.
func TestSameBytes(t *testing.T) {
	for name, s := range values() {
		for _, layout := range []string{peers.AsMap, peers.AsArray} {
			var own int
			for _, p := range peers.AllPacks() {
				v := p.Value(&s)
				if p.Layout != layout || v == nil || p.Class == peers.Other {
					continue
				}
				data, err := p.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				if p.Name == "weft" {
					own = len(data)
				} else if own > len(data) {
					t.Errorf("%s as %s: %d bytes, but %s needs %d", name, layout, own, p.Name, len(data))
				}
			}
		}
	}
}

var instants = []time.Time{
	time.Unix(0, 0), time.Unix(1, 0), time.Unix(math.MaxUint32, 0), time.Unix(math.MaxUint32+1, 0), time.Unix(1<<34-1, 999999999),
	time.Unix(1<<34, 0), time.Unix(-1, 0), time.Unix(-1, 999999999), time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
	time.Date(2018, 3, 1, 12, 30, 15, 123456789, time.UTC),
}

// TestTimes exchanges instants with the libraries that write the timestamp
// extension, and reads msgp's own.
func TestTimes(t *testing.T) {
	for _, at := range instants {
		own, err := msgpack.Marshal(at)
		if err != nil {
			t.Fatal(err)
		}
		type codec struct {
			name  string
			write func() ([]byte, error)
			read  func(b []byte) (time.Time, error)
		}
		for _, c := range []codec{
			{"vmihailenco", func() ([]byte, error) { return vmihailenco.Marshal(at) },
				func(b []byte) (v time.Time, err error) { err = vmihailenco.Unmarshal(b, &v); return v, err }},
			{"shamaton", func() ([]byte, error) { return shamaton.Marshal(at) },
				func(b []byte) (v time.Time, err error) { err = shamaton.Unmarshal(b, &v); return v, err }},
			{"msgp", func() ([]byte, error) { return msgp.AppendTimeExt(nil, at), nil },
				func(b []byte) (time.Time, error) { v, _, err := msgp.ReadTimeBytes(b); return v, err }},
		} {
			data, err := c.write()
			if err != nil {
				t.Fatal(err)
			}
			var got time.Time
			if err := msgpack.Unmarshal(data, &got); err != nil || !got.Equal(at) {
				t.Errorf("%v by %s, %x, is read as %v, %v", at, c.name, data, got, err)
			}
			if got, err := c.read(own); err != nil || !got.Equal(at) {
				t.Errorf("%v, %x, is read by %s as %v, %v", at, own, c.name, got, err)
			}
		}
		old := msgp.AppendTime(nil, at)
		var got time.Time
		if err := msgpack.Unmarshal(old, &got, msgpack.OldTimes(true)); err != nil || !got.Equal(at) {
			t.Errorf("%v by msgp's own extension, %x: %v, %v", at, old, got, err)
		}
		if err := msgpack.Unmarshal(old, &got); err == nil {
			t.Errorf("%x is read without OldTimes", old)
		}
	}
}

// TestOtherForms exchanges what needs more than a common type: extensions,
// complex numbers, integer keys, raw values and old str.
func TestOtherForms(t *testing.T) {
	raw := vmihailenco.RawMessage("\x93\x01\x02\x03")
	data, err := vmihailenco.Marshal(map[string]any{"r": raw})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]msgpack.Raw
	if err := msgpack.Unmarshal(data, &got); err != nil || string(got["r"]) != string(raw) {
		t.Errorf("raw: %x, %v", got, err)
	}
	for _, c := range []complex128{0, 1 + 2i, complex(math.Inf(1), -0.5)} {
		var v complex128
		if err := msgpack.Unmarshal(msgp.AppendComplex128(nil, c), &v); err != nil || v != c {
			t.Errorf("msgp's %v: %v, %v", c, v, err)
		}
		data, err := shamaton.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := msgpack.Unmarshal(data, &v); err != nil || v != c {
			t.Errorf("shamaton's %v, %x: %v, %v", c, data, v, err)
		}
		var w complex64
		if err := msgpack.Unmarshal(msgp.AppendComplex64(nil, complex64(c)), &w); err != nil || w != complex64(c) {
			t.Errorf("msgp's complex64 %v: %v, %v", c, w, err)
		}
	}
	ext := msgpack.Ext{Type: 42, Data: []byte("body")}
	own, err := msgpack.Marshal(ext)
	if err != nil {
		t.Fatal(err)
	}
	other := msgp.RawExtension{Type: 42}
	if _, err := msgp.ReadExtensionBytes(own, &other); err != nil || string(other.Data) != "body" {
		t.Errorf("msgp reads the extension as %q, %v", other.Data, err)
	}
	data, err = msgp.AppendExtension(nil, &other)
	if err != nil || !bytes.Equal(data, own) {
		t.Errorf("msgp writes the extension as %x, not %x, %v", data, own, err)
	}
	m := map[int]map[uint8]string{-5: {200: "x"}, 1 << 40: nil}
	for _, p := range peers.AllPacks() {
		if p.Class != "plan" || p.Layout != peers.AsMap || p.Name == "weft" {
			continue
		}
		data, err := p.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var got map[int]map[uint8]string
		if err := msgpack.Unmarshal(data, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(m) {
			t.Errorf("integer keys of %s: %v, %v", p.Name, got, err)
		}
		own, err := msgpack.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		if err := p.Unmarshal(own, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(m) {
			t.Errorf("%s reads integer keys as %v, %v", p.Name, got, err)
		}
	}
	u := records.NewUser()
	data, err = msgpack.Marshal(u, msgpack.OldSpec(true), weft.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	var back records.User
	if err := vmihailenco.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(&back, u) {
		t.Errorf("old specification: %v", err)
	}
}
