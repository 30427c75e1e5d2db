package value

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
)

// point writes and reads itself.
type point struct {
	X, Y int
	More []string
	By   map[string]float64
}

var pointFields = weft.NewFields("x", "y", "more", "by")

func (p *point) MarshalWeft(e *weft.Encoder) error {
	if p.X < 0 {
		return errReference
	}
	o := e.Object(pointFields)
	o.Int(0, p.X)
	o.Value(1, p.Y)
	a := o.Array(2, -1)
	for _, s := range p.More {
		a.Next()
		e.String(s)
	}
	a.End()
	m := o.Map(3, len(p.By))
	for k, f := range p.By {
		m.Name(k)
		e.Float64(f)
	}
	m.End()
	return o.End()
}

func (p *point) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(pointFields)
	o.Require(0)
	for o.Next() {
		switch o.Index() {
		case 0:
			p.X = d.Int()
		case 1:
			d.Value(&p.Y)
		case 2:
			for a := d.Array(); a.Next(); {
				p.More = append(p.More, d.String())
			}
		case 3:
			for m := d.Map(); m.Next(); {
				p.By[m.Name()] = d.Float64()
			}
		}
	}
	return o.End()
}

// scalars writes and reads one of each.
type scalars struct{ all []any }

func (s scalars) MarshalWeft(e *weft.Encoder) error {
	a := e.Array(len(s.all))
	for _, x := range s.all {
		a.Next()
		switch x := x.(type) {
		case nil:
			e.Null()
		case bool:
			e.Bool(x)
		case int64:
			e.Int64(x)
		case uint64:
			e.Uint64(x)
		case float32:
			e.Float32(x)
		case float64:
			e.Float64(x)
		case string:
			e.String(x)
		case []byte:
			e.Bytes(x)
		case time.Time:
			e.Time(x)
		case *point:
			e.Marshal(x)
		}
	}
	return a.End()
}

type rawWriter struct{}

func (rawWriter) MarshalWeft(e *weft.Encoder) error { return e.Raw([]byte("1")) }

type twice struct{}

func (twice) MarshalWeft(e *weft.Encoder) error   { e.Int(1); return e.Int(2) }
func (twice) UnmarshalWeft(d *weft.Decoder) error { return nil }

func TestHooks(t *testing.T) {
	p := &point{1, 2, []string{"a", "b"}, map[string]float64{"f": 0.5}}
	v, err := Marshal(map[string]any{"p": p, "l": []*point{nil, p}, "s": []point{*p}})
	const text = `{"x":1,"y":2,"more":["a","b"],"by":{"f":0.5}}`
	if want := `{"l":[null,` + text + `],"p":` + text + `,"s":[` + text + `]}`; err != nil || v.String() != want {
		t.Fatalf("%v, %v, want %s", v, err, want)
	}
	pv, _ := v.Get("p")
	back := point{By: map[string]float64{}}
	if err := Unmarshal(pv.WithMember("z", arr(1)), &back); err != nil || !reflect.DeepEqual(&back, p) {
		t.Errorf("%+v, %v", back, err)
	}
	at := time.Date(2024, 1, 2, 3, 4, 5, 6, zone)
	all := scalars{[]any{nil, true, int64(-1), uint64(1), float32(0.5), 0.25, "s", []byte("b"), at, p, []byte(nil)}}
	v, err = Marshal(all)
	want := List(Null(), Bool(true), Int(-1), Uint(1), Float(0.5), Float(0.25), String("s"), Bytes([]byte("b")), Time(at), pv, Null())
	if err != nil || !v.Equal(want) || v.At(3).Kind() != KindUint {
		t.Errorf("%v, %v, want %v", v, err, want)
	}
	for _, tt := range []struct {
		v    any
		want string
	}{
		{[]any{1, &point{X: -1}}, "value: at /1: reference: cannot convert"},
		{map[string]any{"r": rawWriter{}}, "value: at /r: raw bytes have no form as a value"},
		{twice{}, "value: MarshalWeft must write exactly one value"},
		{scalars{[]any{nil, &point{X: -1}}}, "value: at /1: reference: cannot convert"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if _, err := Marshal(tt.v); err == nil || err.Error() != tt.want {
				t.Errorf("%T: %v, want %s", tt.v, err, tt.want)
			}
		})
	}
	for _, tt := range []struct {
		v    Value
		out  any
		want string
	}{
		{obj("p", obj("x", 1, "more", arr("a", 5))), new(map[string]*point), "value: at /p/more/1: int 5 does not fit string"},
		{obj("p", obj("y", 1)), new(map[string]*point), `value: at /p: missing required member "x"`},
		{obj("x", 1, "y", "s"), new(point), `value: at /y: cannot read string as int`},
		{obj("x", num("1.5")), new(point), `value: at /x: number 1.5 does not fit int`},
		{Int(1), new(twice), "value: UnmarshalWeft must read exactly one value"},
		{arr(), new(point), "value: cannot read array as object"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if err := Unmarshal(tt.v, tt.out); err == nil || err.Error() != tt.want {
				t.Errorf("%v to %T: %v, want %s", tt.v, tt.out, err, tt.want)
			}
		})
	}
}

// union reads a value by trying one kind after the other.
type union struct{ got string }

func (u *union) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	m := r.Mark()
	for ok := r.BeginArray(); ok; ok = r.More() {
		r.Signed(0)
	}
	if r.Err() == nil {
		u.got = "ints"
		return nil
	}
	r.Reset(m)
	if r.Kind() == weft.KindArray {
		u.got = fmt.Sprint(r.Any())
		return nil
	}
	return r.Err()
}

func TestMark(t *testing.T) {
	for text, v := range map[string]Value{"ints": arr(1, 2), "[1 x]": arr(1, "x"), "[1 [2]]": arr(1, arr(2))} {
		t.Run(text, func(t *testing.T) {
			var u struct{ U []union }
			if err := Unmarshal(obj("U", arr(v, v)), &u); err != nil || u.U[1].got != text {
				t.Errorf("%v: %v, %v", v, u, err)
			}
		})
	}
}

// TestReader reads every scalar through the cursor.
func TestReader(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC)
	v := List(Bool(true), Int(-8), Int(-16), Int(-32), Int(-64), Uint(8), Uint(16), Uint(32), Uint(64), Int(1), Uint(2),
		Float(0.5), Float(0.25), String("s"), Bytes([]byte("b")), Time(at), Null(), Int(9), arr(1))
	r := &reader{types: usual, cur: v, pending: true}
	r.BeginArray()
	var got []any
	d := new(weft.Decoder)
	d.Over(r)
	for _, read := range []func() any{
		func() any { return r.Bool() }, func() any { return d.Int8() }, func() any { return d.Int16() }, func() any { return d.Int32() },
		func() any { return d.Int64() }, func() any { return d.Uint8() }, func() any { return d.Uint16() }, func() any { return d.Uint32() },
		func() any { return d.Uint64() }, func() any { return d.Int() }, func() any { return d.Uint() }, func() any { return r.Float32() },
		func() any { return r.Float64() }, func() any { return r.String() }, func() any { return string(r.Bytes()) },
		func() any { return r.Time() },
		func() any { return r.Null() }, func() any { r.Skip(); return nil }, func() any { var x []int; r.Value(&x); return x[0] },
	} {
		got = append(got, read())
		r.More()
	}
	want := []any{true, int8(-8), int16(-16), int32(-32), int64(-64), uint8(8), uint16(16), uint32(32), uint64(64), 1, uint(2),
		float32(0.5), 0.25, "s", "b", at, true, nil, 1}
	if !reflect.DeepEqual(got, want) || r.Err() != nil || r.Kind() != weft.KindInvalid || len(r.open) != 0 {
		t.Errorf("%v, %v", got, r.Err())
	}
	if r.Signed(0); r.Err() == nil {
		t.Error("a value after the last")
	}
	if r = (&reader{types: usual, cur: v, pending: true}); r.Raw() != nil || r.Err() == nil {
		t.Error("a value has raw bytes")
	}
}
