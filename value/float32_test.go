package value_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// single is a float32 that marshals itself.
type single float32

func (s single) MarshalWeft(e *weft.Encoder) error { return e.Float32(float32(s)) }

func (s *single) UnmarshalWeft(d *weft.Decoder) error {
	*s = single(d.Float32())
	return d.Err()
}

type singles struct {
	F   float32   `json:"f"`
	P   *float32  `json:"p"`
	L   []float32 `json:"l"`
	Any any       `json:"any"`
	Own single    `json:"own"`
}

// TestFloat32 holds a float32 to what it is on its way through a Value and every format: a Value
// writes what the Go value writes, and gives back the same bits.
func TestFloat32(t *testing.T) {
	formats := []weft.Format{json.Format, msgpack.Format, tagged.Format, tagged.Framed}
	r := rand.New(rand.NewPCG(7, 32))
	for i := range 2000 {
		f := math.Float32frombits(r.Uint32())
		if i%2 == 0 {
			f = float32(r.IntN(100000)) / 1000
		}
		if f-f != 0 {
			continue
		}
		in := singles{f, &f, []float32{f, -f}, f, single(f)}
		v, err := value.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var back singles
		if err := value.Unmarshal(v, &back); err != nil || !reflect.DeepEqual(back, in) {
			t.Fatalf("%#v becomes %#v, %v", in, back, err)
		}
		for _, format := range formats {
			text, err := format.MarshalAppend(nil, in)
			if err != nil {
				t.Fatal(err)
			}
			viaValue, err := format.MarshalAppend(nil, v)
			if err != nil || format != tagged.Framed && !bytes.Equal(viaValue, text) {
				t.Fatalf("%s: a Value is\n%q, %v, a struct\n%q", format.Name(), viaValue, err, text)
			}
			for _, text := range [][]byte{text, viaValue} {
				back, want := singles{}, in
				if err := format.Unmarshal(text, &back); err != nil {
					t.Fatalf("%s: %v", format.Name(), err)
				}
				if format != msgpack.Format { // has no floats of 32 bits where no type says so
					back.Any, want.Any = nil, nil
				}
				if !reflect.DeepEqual(back, want) {
					t.Fatalf("%s: %#v, want %#v", format.Name(), back, want)
				}
			}
		}
		checkFloat32(t, f)
	}
}

// checkFloat32 holds Float32 to what it shares with the Float of the same number, and to what it does not.
func checkFloat32(t *testing.T, f float32) {
	t.Helper()
	v, wide := value.Float32(f), value.Float(float64(f))
	if !v.Equal(wide) || v.Compare(wide) != 0 || wide.Compare(v) != 0 || v.Hash() != wide.Hash() {
		t.Fatalf("%v is another number than %v", v, wide)
	}
	text, err := json.Marshal(f)
	if err != nil || v.String() != string(text) {
		t.Fatalf("%v, want %s, %v", v, text, err)
	}
	if got := v.Interface(); got != f {
		t.Fatalf("%T %v", got, got)
	}
	pack := msgpack.AppendFloat32(nil, f)
	for _, v := range []value.Value{v, value.List(v), value.Map(member("a", v))} {
		b, err := msgpack.Marshal(v)
		var read value.Value
		if err == nil {
			err = msgpack.Unmarshal(b, &read)
		}
		if err != nil || !bytes.HasSuffix(b, pack) || read.GoString() != v.GoString() {
			t.Fatalf("msgpack: %#v is %x, read as %#v, %v", v, b, read, err)
		}
		if !reflect.DeepEqual(read.Interface(), v.Interface()) {
			t.Fatalf("msgpack: %#v, want %#v", read.Interface(), v.Interface())
		}
		var dynamic any
		if err := msgpack.Unmarshal(b, &dynamic); err != nil || !reflect.DeepEqual(dynamic, v.Interface()) {
			t.Fatalf("msgpack: any %#v, %v", dynamic, err)
		}
		text, err := json.Marshal(read)
		if err != nil || string(text) != v.String() {
			t.Fatalf("msgpack to JSON: %s, %v, want %v", text, err, v)
		}
		text, err = weft.Transcode(nil, json.Format, b, msgpack.Format)
		if err != nil || string(text) != v.String() {
			t.Fatalf("msgpack to JSON: %s, %v, want %v", text, err, v)
		}
	}
}

// TestNotFinite writes what JSON has no numbers for.
func TestNotFinite(t *testing.T) {
	for _, f := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		for _, x := range []any{f, float32(f), []float64{f}, []float32{float32(f)}, map[string]float64{"a": f}} {
			b, err := msgpack.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			var v value.Value
			if err := msgpack.Unmarshal(b, &v); err != nil {
				t.Fatal(err)
			}
			if text, err := json.Marshal(v); err == nil {
				t.Errorf("%#v is written as %s", v, text)
			}
		}
	}
}
