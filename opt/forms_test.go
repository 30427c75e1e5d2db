package opt_test

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft/opt"
)

// all is what every kind of option of T has.
type all[T any] interface {
	json.Unmarshaler
	encoding.TextUnmarshaler
	encoding.BinaryUnmarshaler
	sql.Scanner
	UnmarshalYAML(func(any) error) error
	UnmarshalBSONValue(byte, []byte) error
	UnmarshalMsg([]byte) ([]byte, error)
	UnmarshalMsgpack([]byte) error
}

type (
	color  string
	level  int16
	ratio  float32
	point  struct{ X, Y int }
	amount uint64
	octet  uint8
	wide   []octet
)

// counter stores itself in a database, and is nothing to other formats.
type counter struct{ n int64 }

func (c *counter) Value() (driver.Value, error) { return c.n, nil }
func (c *counter) Scan(src any) error           { c.n = src.(int64); return nil }

// form is one way out of a value and back into another.
type form struct {
	name string
	trip func(from, to any) error
	skip func(v any) bool // values that have no such form
}

var forms = []form{
	{"json", func(from, to any) error {
		b, err := json.Marshal(from)
		if err != nil {
			return err
		}
		return json.Unmarshal(b, to)
	}, isComplex},
	{"text", func(from, to any) error {
		b, err := from.(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return err
		}
		return to.(encoding.TextUnmarshaler).UnmarshalText(b)
	}, nil},
	{"binary", func(from, to any) error {
		b, err := from.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			return err
		}
		return to.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
	}, nil},
	{"gob", func(from, to any) error {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(from); err != nil {
			return err
		}
		return gob.NewDecoder(&b).Decode(to)
	}, nil},
	{"xml", func(from, to any) error {
		var b bytes.Buffer
		if err := xml.NewEncoder(&b).EncodeElement(from, xml.StartElement{Name: xml.Name{Local: "v"}}); err != nil {
			return err
		}
		return xml.Unmarshal(b.Bytes(), to)
	}, func(v any) bool { return isComplex(v) || reflect.DeepEqual(v, []byte("ab\x00\xff")) }},
	{"sql", func(from, to any) error {
		v, err := from.(driver.Valuer).Value()
		if err != nil {
			return err
		}
		if !driver.IsValue(v) {
			return fmt.Errorf("%T is not a driver.Value", v)
		}
		if err := to.(sql.Scanner).Scan(v); err != nil {
			return err
		}
		if s, ok := v.(string); ok { // as other drivers return it
			return to.(sql.Scanner).Scan([]byte(s))
		}
		return nil
	}, nil},
	{"bson", func(from, to any) error {
		typ, b, err := from.(interface {
			MarshalBSONValue() (byte, []byte, error)
		}).MarshalBSONValue()
		if err != nil {
			return err
		}
		return to.(interface {
			UnmarshalBSONValue(byte, []byte) error
		}).UnmarshalBSONValue(typ, b)
	}, func(v any) bool {
		return isComplex(v) || isCompound(v) || v == uint64(math.MaxUint64) || v == amount(1<<63)
	}},
	{"msgp", func(from, to any) error {
		m := from.(interface {
			MarshalMsg([]byte) ([]byte, error)
			Msgsize() int
		})
		b, err := m.MarshalMsg([]byte("before"))
		if err != nil {
			return err
		}
		if n := len(b) - len("before"); n > m.Msgsize() {
			return fmt.Errorf("%d bytes, %d announced", n, m.Msgsize())
		}
		rest, err := to.(interface {
			UnmarshalMsg([]byte) ([]byte, error)
		}).UnmarshalMsg(append(b[len("before"):], "after"...))
		if err == nil && string(rest) != "after" {
			err = fmt.Errorf("left %q", rest)
		}
		return err
	}, func(v any) bool { return isComplex(v) || isCompound(v) }},
	{"yaml", func(from, to any) error { // as a library calls the methods
		v, err := from.(interface{ MarshalYAML() (any, error) }).MarshalYAML()
		if err != nil {
			return err
		}
		return to.(interface {
			UnmarshalYAML(func(any) error) error
		}).UnmarshalYAML(func(p any) error {
			if v != nil {
				reflect.ValueOf(p).Elem().Set(reflect.ValueOf(v))
			}
			return nil
		})
	}, nil},
}

func isComplex(v any) bool {
	k := reflect.TypeOf(v).Kind()
	return k == reflect.Complex64 || k == reflect.Complex128
}

func isCompound(v any) bool {
	switch v.(type) {
	case point, []int, map[string]int, netip.Addr:
		return true
	}
	return reflect.TypeOf(v).Kind() == reflect.Pointer
}

func same(a, b any) bool {
	if e, ok := a.(interface{ Equal(time.Time) bool }); ok {
		return e.Equal(b.(time.Time))
	}
	return reflect.DeepEqual(a, b)
}

// trips sends values through every form and wants them back, and the absence of
// values through all but text, which has no null.
func trips[T any](t *testing.T, values ...T) {
	t.Helper()
	for _, f := range forms {
		for _, v := range values {
			if f.skip != nil && f.skip(v) {
				continue
			}
			var n opt.Null[T]
			var o opt.Val[T]
			var d opt.Field[T]
			for _, c := range []struct{ from, to any }{
				{opt.NullOf(v), &n}, {opt.ValOf(v), &o}, {opt.FieldOf(v), &d},
				{ptr(opt.NullOf(v)), &n}, {ptr(opt.ValOf(v)), &o}, {ptr(opt.FieldOf(v)), &d},
			} {
				if err := f.trip(c.from, c.to); err != nil {
					t.Errorf("%s: %#v: %v", f.name, c.from, err)
				}
			}
			if !n.Valid || !o.Valid || d.State != opt.IsSet || !same(n.V, v) || !same(o.V, v) || !same(d.V, v) {
				t.Errorf("%s: %#v comes back as %#v, %#v and %#v", f.name, v, n, o, d)
			}
			if f.name == "text" || f.name == "gob" {
				continue // text has no null; gob sends no zero value
			}
			if err := f.trip(opt.Null[T]{}, &n); err != nil || n.Valid || !reflect.ValueOf(n.V).IsZero() {
				t.Errorf("%s: null of %T comes back as %#v, %v", f.name, v, n, err)
			}
			err := f.trip(opt.FieldNull[T](), &d)
			if err != nil || d.State != opt.IsNull || !reflect.ValueOf(d.V).IsZero() {
				t.Errorf("%s: null of %T comes back as %#v, %v", f.name, v, d, err)
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestForms(t *testing.T) {
	trips(t, "", "x", "a <b> & \"c\" é\n", "ends\\")
	trips(t, true, false)
	trips(t, []byte("ab\x00\xff"), []byte("x"))
	trips(t, 0, 1, -1, math.MaxInt, math.MinInt)
	trips[int8](t, 0, 127, -128)
	trips[int16](t, 0, math.MaxInt16, math.MinInt16)
	trips[int32](t, 0, math.MaxInt32, math.MinInt32)
	trips[int64](t, 0, math.MaxInt64, math.MinInt64, 1<<53+1)
	trips[uint](t, 0, 1, math.MaxInt32)
	trips[uint8](t, 0, 255)
	trips[uint16](t, 0, math.MaxUint16)
	trips[uint32](t, 0, math.MaxUint32)
	trips[uint64](t, 0, 1, math.MaxInt64, math.MaxUint64)
	trips[float32](t, 0, 0.1, -1.5, math.MaxFloat32, math.SmallestNonzeroFloat32)
	trips(t, 0, 0.1, 1e300, math.Copysign(0, -1), math.SmallestNonzeroFloat64)
	trips[complex64](t, 0, 1+2i)
	trips(t, 0, 0.1-2i)
	trips(t, time.Date(2026, 7, 1, 9, 30, 0, 123e6, time.UTC), time.Unix(0, 0).UTC())
	trips(t, time.Duration(0), 90*time.Minute)
	trips(t, opt.RawUUID{0x01, 0x23, 15: 0xff}, opt.RawUUID{})
	trips[color](t, "red", "")
	trips[level](t, -5)
	trips[ratio](t, 0.1)
	trips[amount](t, 1<<63)
	trips(t, point{1, 2})
	trips(t, netip.MustParseAddr("10.0.0.1"))
	trips(t, ptr("x"), ptr("\"x\""))
	trips(t, ptr(7), ptr(-1))
	trips(t, ptr[amount](1<<63))
	trips(t, ptr(netip.MustParseAddr("10.0.0.1")))
	trips(t, wide("ab"))
}

// TestDriverValue tells what a database gets, where it is not plain.
func TestDriverValue(t *testing.T) {
	at := time.Unix(5, 0).UTC()
	tests := []struct {
		from driver.Valuer
		want driver.Value
	}{
		{opt.NullOf(ptr("x")), "x"},
		{opt.NullOf(ptr(int8(5))), int64(5)},
		{opt.NullOf(&counter{5}), int64(5)},
		{opt.NullOf(ptr(&counter{5})), int64(5)},
		{opt.NullOf((*counter)(nil)), nil},
		{opt.NullOf[any]("x"), "x"},
		{opt.NullOf[any](int8(5)), int64(5)},
		{opt.NullOf[any]([]byte("x")), []byte("x")},
		{opt.ValOf[any](at), at},
		{opt.FieldOf[any](nil), nil},
		{opt.FieldOf[driver.Valuer](&counter{5}), int64(5)},
		{opt.NullOf[any](map[string]int{"a": 1}), `{"a":1}`},
	}
	for _, tt := range tests {
		if v, err := tt.from.Value(); err != nil || !reflect.DeepEqual(v, tt.want) {
			t.Errorf("%T of %v: %#v, %v; want %#v", tt.from, tt.from, v, err, tt.want)
		}
	}
	var n opt.Null[*counter]
	if err := n.Scan(int64(5)); err != nil || n.V == nil || n.V.n != 5 {
		t.Errorf("the scanner behind a pointer: %v, %v", n, err)
	}
}

// TestFormsOfLists is for types that XML has no single element for.
func TestFormsOfLists(t *testing.T) {
	keep := forms
	defer func() { forms = keep }()
	forms = nil
	for _, f := range keep {
		if f.name != "xml" {
			forms = append(forms, f)
		}
	}
	trips(t, []int{1, 2}, []int{})
	trips(t, map[string]int{"a": 1})
}

// TestAbsent writes absent values where they can be left out.
func TestAbsent(t *testing.T) {
	type doc struct {
		XMLName xml.Name       `json:"-" xml:"doc"`
		N       opt.Null[int]  `json:"n,omitzero" xml:"n"`
		V       opt.Val[int]   `json:"v,omitzero" xml:"v"`
		F       opt.Field[int] `json:"f,omitzero" xml:"f"`
		A       opt.Val[int]   `json:"a,omitzero" xml:"a,attr"`
		B       opt.Field[int] `json:"b,omitzero" xml:"b,attr"`
	}
	tests := []struct {
		doc       doc
		json, xml string
	}{
		{doc{}, `{}`, `<doc><n xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></n></doc>`},
		{doc{N: opt.NullOf(0), V: opt.ValOf(0), F: opt.FieldOf(0), A: opt.ValOf(0), B: opt.FieldOf(0)},
			`{"n":0,"v":0,"f":0,"a":0,"b":0}`, `<doc a="0" b="0"><n>0</n><v>0</v><f>0</f></doc>`},
		{doc{N: opt.NullOf(7), F: opt.FieldNull[int]()}, `{"n":7,"f":null}`,
			`<doc><n>7</n><f xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></f></doc>`},
	}
	for _, tt := range tests {
		t.Run(tt.json, func(t *testing.T) {
			b, err := json.Marshal(tt.doc)
			if err != nil || string(b) != tt.json {
				t.Errorf("json: %s, %v; want %s", b, err, tt.json)
			}
			var back doc
			if err := json.Unmarshal(b, &back); err != nil || back != tt.doc {
				t.Errorf("json: %s comes back as %+v, %v", b, back, err)
			}
			if b, err = xml.Marshal(tt.doc); err != nil || string(b) != tt.xml {
				t.Errorf("xml: %s, %v; want %s", b, err, tt.xml)
			}
			back = doc{}
			if err := xml.Unmarshal(b, &back); err != nil {
				t.Errorf("xml: %v", err)
			}
			if back.XMLName = (xml.Name{}); back != tt.doc {
				t.Errorf("xml: %s comes back as %+v", b, back)
			}
		})
	}
}

// TestKeeps feeds every form what it must refuse, and wants the old value whole.
func TestKeeps(t *testing.T) {
	type small = int8
	old := struct {
		n opt.Null[small]
		v opt.Val[small]
		f opt.Field[small]
	}{opt.NullOf[small](7), opt.ValOf[small](7), opt.FieldOf[small](7)}
	now := old
	yaml := func(text string) func(any) error {
		return func(p any) error { return json.Unmarshal([]byte(text), p) }
	}
	tests := []struct {
		name string
		do   func(o all[small]) error
	}{
		{"json wrong type", func(o all[small]) error { return o.UnmarshalJSON([]byte(`"x"`)) }},
		{"json overflow", func(o all[small]) error { return o.UnmarshalJSON([]byte(`128`)) }},
		{"json syntax", func(o all[small]) error { return o.UnmarshalJSON([]byte(`1 2`)) }},
		{"json empty", func(o all[small]) error { return o.UnmarshalJSON(nil) }},
		{"text", func(o all[small]) error { return o.UnmarshalText([]byte("x")) }},
		{"text overflow", func(o all[small]) error { return o.UnmarshalText([]byte("128")) }},
		{"binary state", func(o all[small]) error { return o.UnmarshalBinary([]byte{3, 0}) }},
		{"binary short", func(o all[small]) error { return o.UnmarshalBinary([]byte{2}) }},
		{"binary long", func(o all[small]) error { return o.UnmarshalBinary([]byte{2, 1, 1}) }},
		{"binary null with a value", func(o all[small]) error { return o.UnmarshalBinary([]byte{1, 1}) }},
		{"binary empty", func(o all[small]) error { return o.UnmarshalBinary(nil) }},
		{"sql wrong type", func(o all[small]) error { return o.Scan("x") }},
		{"sql overflow", func(o all[small]) error { return o.Scan(int64(128)) }},
		{"yaml", func(o all[small]) error { return o.UnmarshalYAML(yaml(`"x"`)) }},
		{"yaml overflow", func(o all[small]) error { return o.UnmarshalYAML(yaml(`128`)) }},
		{"bson wrong type", func(o all[small]) error { return o.UnmarshalBSONValue(2, []byte("\x02\x00\x00\x00x\x00")) }},
		{"bson overflow", func(o all[small]) error { return o.UnmarshalBSONValue(0x10, []byte{128, 0, 0, 0}) }},
		{"bson fraction", func(o all[small]) error { return o.UnmarshalBSONValue(1, []byte{0, 0, 0, 0, 0, 0, 0xe0, 0x3f}) }},
		{"bson short", func(o all[small]) error { return o.UnmarshalBSONValue(0x10, []byte{1}) }},
		{"msgp wrong type", func(o all[small]) error { _, err := o.UnmarshalMsg([]byte{0xa1, 'x'}); return err }},
		{"msgp overflow", func(o all[small]) error { _, err := o.UnmarshalMsg([]byte{0xcc, 128}); return err }},
		{"msgp short", func(o all[small]) error { _, err := o.UnmarshalMsg([]byte{0xcd, 1}); return err }},
		{"msgp long length", func(o all[small]) error { _, err := o.UnmarshalMsg([]byte{0xdb, 255, 255, 255, 255}); return err }},
		{"msgp empty", func(o all[small]) error { _, err := o.UnmarshalMsg(nil); return err }},
		{"msgpack trailing", func(o all[small]) error { return o.UnmarshalMsgpack([]byte{1, 1}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, o := range []all[small]{&now.n, &now.v, &now.f} {
				if err := tt.do(o); err == nil {
					t.Errorf("%T takes it", o)
				}
			}
			if now != old {
				t.Errorf("the old values have changed: %v", now)
				now = old
			}
		})
	}
	nulls := []struct {
		name string
		do   func(o all[small]) error
	}{
		{"json", func(o all[small]) error { return o.UnmarshalJSON([]byte(" null ")) }},
		{"yaml", func(o all[small]) error { return o.UnmarshalYAML(yaml(`null`)) }},
		{"bson", func(o all[small]) error { return o.UnmarshalBSONValue(0x0a, nil) }},
		{"msgp", func(o all[small]) error { _, err := o.UnmarshalMsg([]byte{0xc0}); return err }},
		{"msgpack", func(o all[small]) error { return o.UnmarshalMsgpack([]byte{0xc0}) }},
		{"binary", func(o all[small]) error { return o.UnmarshalBinary([]byte{1}) }},
	}
	for _, tt := range nulls {
		t.Run(tt.name, func(t *testing.T) {
			now = old
			if err := tt.do(&now.v); err == nil || now != old {
				t.Errorf("a null for a Val: %v, and now %v", err, now.v)
			}
			if err := tt.do(&now.n); err != nil || now.n.Valid || now.n.V != 0 {
				t.Errorf("a null for a Null: %v, and now %v", err, now.n)
			}
			if err := tt.do(&now.f); err != nil || now.f != opt.FieldNull[small]() {
				t.Errorf("a null for a Field: %v, and now %v", err, now.f)
			}
		})
	}
}
