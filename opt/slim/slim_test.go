package slim_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
)

type point struct{ X, Y int }

// texts are what is read, right and wrong, into every type.
var texts = []string{
	`null`, " null\n", ` 5 `, `5`, `-1`, `1.5`, `1e400`, `"dog"`, `"<é\n>"`, `""`, `true`, `[]`, `[null]`, `["a"]`, `{}`, `{"X":1,"Y":2}`,
	`{"X":9,"Y":"x"}`, `{"k":null}`, `"2026-04-01T12:00:00Z"`, ``, `nul`, `nulll`, `[`, `5 5`,
}

// TestTwins: alone under encoding/json a type of slim is written and read as its
// namesake is, and keeps its value on an error.
func TestTwins(t *testing.T) {
	twins(t, "", "dog", "<é>")
	twins(t, KindCat)
	twins(t, 0, 5, -1)
	twins(t, 1.5)
	twins(t, true)
	twins(t, uint8(255))
	twins(t, time.Second)
	twins(t, time.Date(2026, 4, 1, 12, 0, 0, 5, time.UTC))
	twins(t, nil, []string{}, []string{"a", "b"})
	twins(t, []byte("x"), nil)
	twins(t, map[string]*int{}, nil, map[string]*int{"k": nil})
	twins(t, point{}, point{1, 2})
	twins(t, &point{1, 2}, nil)
	twins[any](t, nil, "x", 5.0, []any{nil})
	twins(t, opt.NullOf(5), opt.Null[int]{})
	twins(t, slim.NullOf(5), slim.Null[int]{})
	twins(t, json.RawMessage(`{"a":[1]}`))
}

// twins compares the types of T, with the values vs.
func twins[T any](t *testing.T, vs ...T) {
	t.Helper()
	var zero T
	nulls := []opt.Null[T]{{}}
	vals := []opt.Val[T]{{}}
	fields := []opt.Field[T]{{}, opt.FieldNull[T]()}
	for _, v := range append(vs, zero) {
		nulls, vals, fields = append(nulls, opt.NullOf(v)), append(vals, opt.ValOf(v)), append(fields, opt.FieldOf(v))
		same(t, slim.NullOf(v), slim.Null[T](opt.NullOf(v)))
		same(t, slim.ValOf(v), slim.Val[T](opt.ValOf(v)))
		same(t, slim.FieldOf(v), slim.Field[T](opt.FieldOf(v)))
	}
	same(t, slim.FieldNull[T](), slim.Field[T](opt.FieldNull[T]()))
	alike(t, nulls, func(o opt.Null[T]) slim.Null[T] { return slim.Null[T](o) }, func(s slim.Null[T]) opt.Null[T] { return opt.Null[T](s) })
	alike(t, vals, func(o opt.Val[T]) slim.Val[T] { return slim.Val[T](o) }, func(s slim.Val[T]) opt.Val[T] { return opt.Val[T](s) })
	alike(t, fields, func(o opt.Field[T]) slim.Field[T] { return slim.Field[T](o) },
		func(s slim.Field[T]) opt.Field[T] { return opt.Field[T](s) })
}

// alike compares values of opt with what slimOf makes of them, which optOf turns
// back.
func alike[O, S any](t *testing.T, options []O, slimOf func(O) S, optOf func(S) O) {
	t.Helper()
	for _, o := range options {
		s := slimOf(o)
		same(t, optOf(s), o)
		written(t, s, o)
		for _, text := range texts {
			a, b := o, s
			read(t, text, &b, &a)
			same(t, optOf(b), a)
		}
	}
}

// written wants the same bytes of a value of slim and one of opt: alone, behind a
// pointer, and as a member that omitzero leaves out.
func written(t *testing.T, s, o any) {
	t.Helper()
	for _, wrap := range []func(v any) any{
		func(v any) any { return v },
		func(v any) any { return []any{v} },
		func(v any) any {
			p := reflect.New(reflect.TypeOf(v))
			p.Elem().Set(reflect.ValueOf(v))
			return p.Interface()
		},
		func(v any) any {
			tag := reflect.StructTag(`json:"v,omitzero"`)
			p := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "V", Type: reflect.TypeOf(v), Tag: tag}}))
			p.Elem().Field(0).Set(reflect.ValueOf(v))
			return p.Interface()
		},
	} {
		got, err := json.Marshal(wrap(s))
		want, err2 := json.Marshal(wrap(o))
		if string(got) != string(want) || (err == nil) != (err2 == nil) {
			t.Errorf("%#v is written %s, %v; its twin %s, %v", s, got, err, want, err2)
		}
	}
}

// read reads text into a value of slim and one of opt, as encoding/json does and
// by the method itself.
func read(t *testing.T, text string, s, o any) {
	t.Helper()
	own := s.(json.Unmarshaler).UnmarshalJSON([]byte(text))
	twin := o.(json.Unmarshaler).UnmarshalJSON([]byte(text))
	if (own == nil) != (twin == nil) {
		t.Errorf("%q into %T: %v; its twin %v", text, s, own, twin)
	}
	err, err2 := json.Unmarshal([]byte(text), s), json.Unmarshal([]byte(text), o)
	if (err == nil) != (err2 == nil) || (err == nil) != (own == nil) {
		t.Errorf("%q into %T: %v, by itself %v; its twin %v", text, s, err, own, err2)
	}
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, want %#v", got, want)
	}
}

// TestMethods: the types have three methods each, which is why they are; the
// formats know them by one.
func TestMethods(t *testing.T) {
	for v, kind := range map[any]uint8{
		new(slim.Null[Kind]): setting.OptionNullable, new(slim.Val[Kind]): setting.OptionOptional, new(slim.Field[Kind]): setting.OptionField,
	} {
		if n := reflect.TypeOf(v).NumMethod(); n != 3 {
			t.Errorf("%T has %d methods", v, n)
		}
		if got := v.(setting.OptionValue).OptionKind(); got != kind {
			t.Errorf("%T: %v", v, got)
		}
	}
}
