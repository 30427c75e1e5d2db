package opt_test

import (
	"database/sql"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/opt"
)

type pet struct {
	Owner opt.Null[string] `json:"owner"`
	Nick  opt.Val[string]  `json:"nick,omitzero"`
	Age   opt.Field[uint8] `json:"age,omitzero"`
	Tags  opt.Val[[]int]   `json:"tags,omitzero"`
}

func TestJSON(t *testing.T) {
	tests := []struct {
		name string
		text string
		want pet
		bad  bool
	}{
		{name: "absent", text: `{"owner":null}`},
		{name: "values", text: `{"owner":"ann","nick":"","age":0,"tags":[]}`,
			want: pet{opt.NullOf("ann"), opt.ValOf(""), opt.FieldOf(uint8(0)), opt.ValOf([]int{})}},
		{name: "null field", text: `{"owner":null,"age":null}`, want: pet{Age: opt.FieldNull[uint8]()}},
		{name: "nil slice", text: `{"owner":null,"tags":null}`, want: pet{Tags: opt.ValOf([]int(nil))}},
		{name: "null for absent only", text: `{"nick":null}`, bad: true},
		{name: "wrong type", text: `{"owner":1}`, bad: true},
		{name: "overflow", text: `{"age":256}`, bad: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got pet
			err := json.Unmarshal([]byte(tt.text), &got)
			if tt.bad {
				if err == nil {
					t.Fatalf("no error for %s: %+v", tt.text, got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			b, err := json.Marshal(got)
			if err != nil || string(b) != tt.text {
				t.Errorf("marshal: %s, %v; want %s", b, err, tt.text)
			}
		})
	}
}

func TestFailedDecodeKeepsValue(t *testing.T) {
	type pair struct{ A, B int }
	bad := []byte(`{"A":1,"B":"x"}`)
	n, v, f := opt.NullOf(pair{7, 8}), opt.ValOf(pair{7, 8}), opt.FieldOf(pair{7, 8})
	for _, u := range []json.Unmarshaler{&n, &v, &f} {
		if err := u.UnmarshalJSON(bad); err == nil {
			t.Errorf("%T: no error", u)
		}
	}
	if n != opt.NullOf(pair{7, 8}) || v != opt.ValOf(pair{7, 8}) || f != opt.FieldOf(pair{7, 8}) {
		t.Errorf("values changed: %v %v %v", n, v, f)
	}
}

func TestAccess(t *testing.T) {
	type option interface {
		Get() (int, bool)
		Or(int) int
		Ptr() *int
		IsSet() bool
		IsZero() bool
		OptionKind() uint8
	}
	one := 1
	tests := []struct {
		name string
		o    option
		kind uint8
		set  bool
		zero bool
	}{
		{"Null", opt.Null[int]{}, setting.OptionNullable, false, true},
		{"NullOf", opt.NullOf(1), setting.OptionNullable, true, false},
		{"NullFrom", opt.NullFrom(&one), setting.OptionNullable, true, false},
		{"NullFrom nil", opt.NullFrom[int](nil), setting.OptionNullable, false, true},
		{"Val", opt.Val[int]{}, setting.OptionOptional, false, true},
		{"ValOf", opt.ValOf(1), setting.OptionOptional, true, false},
		{"ValFrom", opt.ValFrom(&one), setting.OptionOptional, true, false},
		{"ValFrom nil", opt.ValFrom[int](nil), setting.OptionOptional, false, true},
		{"Field", opt.Field[int]{}, setting.OptionField, false, true},
		{"FieldNull", opt.FieldNull[int](), setting.OptionField, false, false},
		{"FieldOf", opt.FieldOf(1), setting.OptionField, true, false},
		{"FieldFrom", opt.FieldFrom(&one), setting.OptionField, true, false},
		{"FieldFrom nil", opt.FieldFrom[int](nil), setting.OptionField, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, or := 0, 5
			if tt.set {
				v, or = 1, 1
			}
			if got, ok := tt.o.Get(); got != v || ok != tt.set {
				t.Errorf("Get = %d, %t", got, ok)
			}
			if got := tt.o.Or(5); got != or {
				t.Errorf("Or = %d", got)
			}
			if p := tt.o.Ptr(); (p != nil) != tt.set || p != nil && *p != 1 {
				t.Errorf("Ptr = %v", p)
			}
			if tt.o.IsSet() != tt.set || tt.o.IsZero() != tt.zero || tt.o.OptionKind() != tt.kind {
				t.Errorf("IsSet %t, IsZero %t, kind %d", tt.o.IsSet(), tt.o.IsZero(), tt.o.OptionKind())
			}
		})
	}
}

func TestSetters(t *testing.T) {
	var n opt.Null[int]
	var v opt.Val[int]
	var f opt.Field[int]
	n.Set(1)
	v.Set(1)
	f.Set(1)
	if n != opt.NullOf(1) || v != opt.ValOf(1) || f != opt.FieldOf(1) {
		t.Errorf("Set: %v %v %v", n, v, f)
	}
	f.SetNull()
	if !f.IsNull() || f != opt.FieldNull[int]() {
		t.Errorf("SetNull: %v", f)
	}
	n.SetNull()
	v.Unset()
	f.Unset()
	if !n.IsNull() || !v.IsZero() || !f.IsZero() || n.V != 0 || v.V != 0 || f.V != 0 {
		t.Errorf("Unset: %v %v %v", n, v, f)
	}
}

func TestLayout(t *testing.T) {
	// The conversion compiles only while the fields are those of sql.Null.
	if got := sql.Null[string](opt.NullOf("x")); !got.Valid || got.V != "x" {
		t.Errorf("sql.Null = %v", got)
	}
	var n opt.Null[int64]
	var f opt.Field[int64]
	if want := 8 + reflect.TypeFor[int64]().Align(); int(reflect.TypeOf(n).Size()) != want || int(reflect.TypeOf(f).Size()) != want {
		t.Errorf("sizes %d, %d", reflect.TypeOf(n).Size(), reflect.TypeOf(f).Size())
	}
}

func TestNoAllocation(t *testing.T) {
	p := "x"
	var sink bool
	if n := testing.AllocsPerRun(100, func() {
		v := opt.ValFrom(&p)
		s, ok := v.Get()
		sink = ok && s == v.Or("y")
	}); n != 0 || !sink {
		t.Errorf("%v allocations", n)
	}
}
