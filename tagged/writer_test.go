package tagged_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/tagged"
)

// point writes itself.
type point struct{ X, Y int64 }

var pointFields = weft.NewFields("x", "y")

func (p *point) AppendTagged(b []byte, w *tagged.Writer) ([]byte, error) {
	b, head, err := w.BeginObject(b)
	if err != nil {
		return b, err
	}
	b = tagged.AppendInt(tagged.AppendTag(b, tagged.Hash("y")), p.Y) // in any order
	b = tagged.AppendInt(tagged.AppendTag(b, tagged.Hash("x")), p.X)
	return w.EndObject(b, head, pointFields)
}

func (p *point) ReadTagged(r *tagged.Reader) error {
	var seen uint64
	for i := r.BeginObject(pointFields); i != weft.End; i = r.Member(pointFields, i+1) {
		switch i {
		case 0:
			p.X = r.Int64()
			r.Check(weft.CheckMin(p.X, 0))
		case 1:
			p.Y = r.Int64()
		default:
			r.Unknown(true)
		}
		seen |= 1 << (i & 63)
	}
	return r.Done(pointFields, seen, 3)
}

func ExampleRead() {
	b, err := tagged.Marshal(&point{1, -2})
	fmt.Printf("%x %v\n", b, err)
	var p point
	err = tagged.Read(b, &p)
	fmt.Println(p, err)
	// Output:
	// 038566910203dd987e030a0000000c03856691017803dd987e0179 <nil>
	// {1 -2} <nil>
}

// all writes a member of each kind by the functions of the package.
type all struct{ plan allPlan }

type allPlan struct {
	Bool    bool              `json:"bool"`
	I32     int32             `json:"i32"`
	I64     int64             `json:"i64"`
	U64     uint64            `json:"u64"`
	F32     float32           `json:"f32"`
	F64     float64           `json:"f64"`
	S       string            `json:"s"`
	B       []byte            `json:"b"`
	NoB     []byte            `json:"nob"`
	T       time.Time         `json:"t"`
	Any     any               `json:"any"`
	Null    *int              `json:"null"`
	Strings []string          `json:"strings"`
	Points  []planPoint       `json:"points"`
	Map     map[string]string `json:"map"`
	Empty   struct{}          `json:"empty"`
}

type planPoint struct {
	X int64 `json:"x"`
	Y int64 `json:"y"`
}

var allFields = weft.NewFields("bool", "i32", "i64", "u64", "f32", "f64", "s", "b", "nob", "t", "any", "null", "strings", "points", "map", "empty")

func (v *all) AppendTagged(b []byte, w *tagged.Writer) ([]byte, error) {
	b, head, err := w.BeginObject(b)
	if err != nil {
		return b, err
	}
	p, name := &v.plan, func(name string) []byte { return tagged.AppendTag(b, tagged.Hash(name)) }
	b = tagged.AppendBool(name("bool"), p.Bool)
	b = tagged.AppendInt32(name("i32"), p.I32)
	b = tagged.AppendInt(name("i64"), p.I64)
	b = tagged.AppendUint(name("u64"), p.U64)
	b = tagged.AppendFloat32(name("f32"), p.F32)
	b = tagged.AppendFloat64(name("f64"), p.F64)
	b = tagged.AppendString(name("s"), p.S)
	b = tagged.AppendBytes(name("b"), p.B)
	b = tagged.AppendBytes(name("nob"), p.NoB)
	if b, err = tagged.AppendTime(name("t"), p.T); err != nil {
		return b, err
	}
	if b, err = tagged.AppendAny(name("any"), p.Any, w); err != nil {
		return b, err
	}
	b = tagged.AppendNull(name("null"))
	if b, err = tagged.AppendStrings(name("strings"), p.Strings, w); err != nil {
		return b, err
	}
	if b, err = tagged.AppendSlice(name("points"), p.Points, w, func(x *planPoint, b []byte, w *tagged.Writer) ([]byte, error) {
		return (*point)(x).AppendTagged(b, w)
	}); err != nil {
		return b, err
	}
	if b, err = tagged.AppendMap(name("map"), p.Map, w, func(s *string, b []byte, _ *tagged.Writer) ([]byte, error) {
		return tagged.AppendString(b, *s), nil
	}); err != nil {
		return b, err
	}
	inner := name("empty")
	inner, at, err := w.BeginObject(inner)
	if err != nil {
		return b, err
	}
	if b, err = w.EndObject(inner, at, weft.NewFields()); err != nil {
		return b, err
	}
	return w.EndObject(b, head, allFields)
}

// What a type appends by itself is what its plan writes.
func TestAppender(t *testing.T) {
	p := allPlan{
		true, -7, 1 << 40, 1 << 63, 0.5, 1.25, strings.Repeat("long ", 50), []byte{1, 2}, nil, time.Unix(1, 2).UTC(),
		map[string]any{"x": "y", "n": []any{1, nil}}, nil, []string{"a", ""}, []planPoint{{1, 2}, {3, 4}}, map[string]string{"k": "v", "bool": "too"}, struct{}{},
	}
	want, err := tagged.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // what a Writer keeps does no harm
		got, err := tagged.Marshal(&all{p})
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%q, %v\nwant %q", got, err, want)
		}
		within, err := tagged.Marshal(map[string]any{"a": []any{&point{1, 2}, planPoint{3, 4}}})
		plain, err2 := tagged.Marshal(map[string]any{"a": []planPoint{{1, 2}, {3, 4}}})
		if err != nil || err2 != nil || !bytes.Equal(within, plain) {
			t.Fatalf("%q, %v\nwant %q, %v", within, err, plain, err2)
		}
	}
	var x struct {
		Points []point `json:"points"`
	}
	if err := tagged.Unmarshal(want, &x); err != nil || !reflect.DeepEqual(x.Points, []point{{1, 2}, {3, 4}}) {
		t.Errorf("%+v, %v", x, err)
	}
}

// Errors of a type that reads itself say where they are.
func TestReaderFrom(t *testing.T) {
	for _, tt := range []struct {
		in   any
		want string
	}{
		{map[string]any{"x": 1, "y": 2}, ""},
		{map[string]any{"x": -1, "y": 2}, "at /x, offset 4: must be at least 0, not -1"},
		{map[string]any{"x": 1, "y": 2, "z": 3}, "at /z"},
		{map[string]any{"x": 1}, `missing required member "y"`},
		{5, "cannot read int as object"},
	} {
		b, err := tagged.Marshal(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		err = tagged.Read(b, new(point))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%v: %v, want %q", tt.in, err, tt.want)
		}
		list, err := tagged.Marshal([]any{map[string]any{"x": 7, "y": 8}, tt.in})
		if err != nil {
			t.Fatal(err)
		}
		var points []point
		err = tagged.Unmarshal(list, &points)
		if at := strings.Replace(tt.want, "at /", "at /1/", 1); tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), strings.Split(at, ",")[0])) {
			t.Errorf("in a list: %v: %v, want %q", tt.in, err, at)
		}
	}
	b, err := tagged.Marshal(map[string]any{"x": -1, "z": 3})
	if err != nil {
		t.Fatal(err)
	}
	var p point
	if err := tagged.Read(b, &p, weft.Unchecked(true), weft.RejectUnknown(false)); err != nil || p.X != -1 {
		t.Errorf("without checks: %v, %v", p, err)
	}
}

// twice appends two values, none none.
type twice struct{}

func (*twice) AppendTagged(b []byte, w *tagged.Writer) ([]byte, error) {
	b, head, err := w.BeginObject(b)
	if err != nil {
		return b, err
	}
	b = tagged.AppendInt(tagged.AppendTag(b, tagged.Hash("x")), 1)
	b = tagged.AppendInt(tagged.AppendTag(b, tagged.Hash("x")), 2)
	return w.EndObject(b, head, pointFields)
}

// What cannot be written is an error.
func TestAppenderErrors(t *testing.T) {
	if b, err := tagged.Marshal(new(twice)); !errors.Is(err, weft.ErrDuplicateName) {
		t.Errorf("%q, %v", b, err)
	}
	for depth, good := range []bool{1: false, 2: true} {
		if _, err := tagged.Marshal([]*point{{}}, weft.MaxDepth(depth)); depth > 0 && (err == nil) != good {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
	clash := weft.NewFields("priceIndex", "roleCreated")
	_, err := tagged.Marshal(appenderFunc(func(b []byte, w *tagged.Writer) ([]byte, error) {
		b, head, err := w.BeginObject(b)
		if err != nil {
			return b, err
		}
		return w.EndObject(b, head, clash)
	}))
	var c *tagged.CollisionError
	if !errors.As(err, &c) {
		t.Error(err)
	}
}

type appenderFunc func(b []byte, w *tagged.Writer) ([]byte, error)

func (f appenderFunc) AppendTagged(b []byte, w *tagged.Writer) ([]byte, error) { return f(b, w) }
