package value_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/value"
)

// What docs/value.md says of the types of uniflow: each test is a defect of theirs.

// TestOverwrite sets a member that is there: the map it was made from keeps its own.
func TestOverwrite(t *testing.T) {
	v := value.Map(member("a", value.Int(1)), member("b", value.Int(2)))
	hash := v.Hash()
	w := v.WithMember("a", value.Int(9))
	x, err := v.With("a", value.Int(8))
	if err != nil {
		t.Fatal(err)
	}
	if v.Hash() != hash || v.String() != `{"a":1,"b":2}` || w.String() != `{"a":9,"b":2}` || x.String() != `{"a":8,"b":2}` {
		t.Errorf("%v, %v, %v", v, w, x)
	}
}

// TestNilPointers marshals structs whose pointers are nil.
func TestNilPointers(t *testing.T) {
	type inner struct{ A *int }
	type outer struct {
		S *string
		T *time.Time
		I *inner
		L []*inner
		M map[string]*inner
		V *value.Value
		H *holder
		E error
	}
	v, err := value.Marshal(&outer{L: []*inner{nil, {}}, M: map[string]*inner{"x": nil}})
	const want = `{"S":null,"T":null,"I":null,"L":[null,{"A":null}],"M":{"x":null},"V":null,"H":null,"E":null}`
	if err != nil || v.String() != want {
		t.Errorf("%v, %v", v, err)
	}
	var back outer
	if err := value.Unmarshal(v, &back); err != nil || back.S != nil || back.I != nil || len(back.L) != 2 ||
		back.L[0] != nil || back.L[1] == nil {
		t.Errorf("%+v, %v", back, err)
	}
	if v, err := value.Marshal((*outer)(nil)); err != nil || !v.IsNull() {
		t.Errorf("%v, %v", v, err)
	}
}

// TestOverflow unmarshals integers into types that are too small.
func TestOverflow(t *testing.T) {
	for _, tt := range []struct {
		v   value.Value
		out any
	}{
		{value.Int(128), new(int8)}, {value.Int(-129), new(int8)}, {value.Int(256), new(uint8)}, {value.Int(-1), new(uint64)},
		{value.Uint(1 << 63), new(int64)}, {value.Uint(math.MaxUint64), new(int)}, {value.Int(1 << 40), new(int32)},
		{value.Float(1e10), new(int16)},
		{value.Float(0.5), new(int)}, {value.Float(1e39), new(float32)}, {num("1e30"), new(int64)},
	} {
		t.Run(fmt.Sprintf("%v to %T", tt.v, tt.out), func(t *testing.T) {
			var e *weft.TypeError
			if err := value.Unmarshal(tt.v, tt.out); !errors.As(err, &e) {
				t.Errorf("%v to %T: %v", tt.v, tt.out, err)
			}
		})
	}
}

// TestNanoseconds brings times there and back.
func TestNanoseconds(t *testing.T) {
	for _, at := range []time.Time{
		{}, time.Unix(0, 1).UTC(), time.Date(2024, 2, 29, 23, 59, 59, 999999999, time.FixedZone("", 20700)),
		time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC), time.Now(),
	} {
		v, err := value.Marshal(&at)
		var back time.Time
		if err != nil || value.Unmarshal(v, &back) != nil {
			t.Fatal(err)
		}
		_, a := at.Zone()
		_, b := back.Zone()
		if !back.Equal(at) || back.Nanosecond() != at.Nanosecond() || a != b {
			t.Errorf("%v came back as %v", at, back)
		}
	}
}

// TestUnconvertible marshals what has no form: an error, where a null would lose it.
func TestUnconvertible(t *testing.T) {
	for _, x := range []any{
		make(chan int), func() {}, complex(1, 1), struct{ F func() }{}, []any{make(chan int)}, map[string]chan int{"a": nil},
	} {
		if v, err := value.Marshal(x); err == nil {
			t.Errorf("%T became %v", x, v)
		}
	}
}

// TestInteger keeps integers that a float does not have.
func TestInteger(t *testing.T) {
	for _, i := range []int64{math.MaxInt64, math.MinInt64, 1<<53 + 1} {
		v, err := value.Marshal(map[string]any{"i": i})
		var back struct {
			I int64 `json:"i"`
		}
		if err != nil || value.Unmarshal(v, &back) != nil || back.I != i {
			t.Errorf("%d came back as %d", i, back.I)
		}
	}
	if value.Int(1<<53 + 1).Equal(value.Float(1 << 53)) {
		t.Error("two numbers that a float cannot tell apart are equal")
	}
}
