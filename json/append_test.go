package json

import (
	stdjson "encoding/json"
	"errors"
	"math"
	"testing"
	"time"
)

// TestAppendLeaves compares the functions for generated code with the encoder.
func TestAppendLeaves(t *testing.T) {
	now := time.Date(2026, 11, 21, 22, 10, 11, 120000000, time.UTC)
	must := func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
		return b
	}
	point := func(p *encInner, b []byte, f Flags) ([]byte, error) {
		start := len(b)
		b = AppendInt(append(b, `,"X":`...), int64(p.X))
		b = AppendInt(append(b, `,"Y":`...), int64(p.Y))
		return EndObject(b, start), nil
	}
	pre := []byte("pre")
	for _, tt := range []struct {
		got  []byte
		want any
	}{
		{AppendNull(pre), nil},
		{AppendBool(pre, true), true},
		{AppendBool(pre, false), false},
		{AppendInt(pre, math.MinInt64), int64(math.MinInt64)},
		{AppendUint(pre, math.MaxUint64), uint64(math.MaxUint64)},
		{must(AppendFloat64(pre, 1e21)), 1e21},
		{must(AppendFloat64(pre, -0.1)), -0.1},
		{must(AppendFloat32(pre, 0.1)), float32(0.1)},
		{AppendString(pre, "<\n", EscapeHTML), "<\n"},
		{AppendStrings(pre, []string{"a", "<", "a string of more than sixteen"}, EscapeHTML), []string{"a", "<", "a string of more than sixteen"}},
		{AppendStrings(pre, nil, 0), []string{}},
		{AppendBytes(pre, []byte("abcd")), []byte("abcd")},
		{AppendBytes(pre, nil), []byte(nil)},
		{must(AppendTime(pre, now)), now},
		{must(AppendAny(pre, []any{1, "x"}, DefaultFlags)), []any{1, "x"}},
		{must(AppendSlice(pre, []encInner{{1, 2}, {3, 4}}, 0, point)), []encInner{{1, 2}, {3, 4}}},
		{must(AppendSlice(pre, nil, 0, point)), []int{}},
		{must(AppendMap(pre, map[string]encInner{"b": {1, 2}, "a": {3, 4}}, DefaultFlags, point)), map[string]encInner{"b": {1, 2}, "a": {3, 4}}},
		{must(AppendMap(pre, map[string]encInner{"a": {3, 4}}, 0, point)), map[string]encInner{"a": {3, 4}}},
		{must(AppendMap(pre, nil, 0, point)), map[string]int{}},
		{EndObject(pre, 3), struct{}{}},
	} {
		want, _ := stdjson.Marshal(tt.want)
		if string(tt.got) != "pre"+string(want) {
			t.Errorf("got %s, want pre%s", tt.got, want)
		}
	}
}

func TestAppendErrors(t *testing.T) {
	pre := []byte("pre")
	fails := errors.New("fails")
	fail := func(p *encInner, b []byte, f Flags) ([]byte, error) {
		if p.X == 0 {
			return append(b, "part"...), fails
		}
		return append(b, "1"...), nil
	}
	check := func(name string, b []byte, err error, want string) {
		t.Helper()
		if err == nil || err.Error() != want || string(b) != "pre" {
			t.Errorf("%s: got %s, %v, want %s", name, b, err, want)
		}
	}
	b, err := AppendFloat64(pre, math.NaN())
	check("float64", b, err, "json: unsupported value: NaN")
	b, err = AppendFloat32(pre, float32(math.Inf(-1)))
	check("float32", b, err, "json: unsupported value: -Inf")
	b, err = AppendTime(pre, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	check("time", b, err, "Time.MarshalJSON: year outside of range [0,9999]")
	b, err = AppendAny(pre, []any{1, make(chan int)}, DefaultFlags)
	check("any", b, err, "json: unsupported type: chan int")
	b, err = AppendSlice(pre, []encInner{{X: 1}, {}}, 0, fail)
	check("slice", b, err, "at /1: fails")
	b, err = AppendMap(pre, map[string]encInner{"a": {X: 1}, "b": {}}, DefaultFlags, fail)
	check("map", b, err, "at /b: fails")
	b, err = AppendMap(pre, map[string]encInner{"b": {}}, 0, fail)
	check("unsorted map", b, err, "at /b: fails")
}

// TestAppendTimeLikeStandard covers zones and fractions.
func TestAppendTimeLikeStandard(t *testing.T) {
	base := time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC)
	for _, ns := range []int{0, 1, 10, 100, 999999999, 120000000, 123456} {
		for _, zone := range []int{0, 1, 59, 60, 3600, -3600, 19800, -34200, 86399, -86399, 86400, 90000} {
			for _, year := range []int{-1, 0, 1, 1969, 1970, 2024, 9999, 10000} {
				v := base.Add(time.Duration(ns)).AddDate(year-2024, 0, 0).In(time.FixedZone("z", zone))
				got, gotErr := Marshal(v)
				want, wantErr := stdjson.Marshal(v)
				if string(got) != string(want) || !sameResult(gotErr, wantErr) {
					t.Errorf("%v: got %s, %v, want %s, %v", v, got, gotErr, want, wantErr)
				}
			}
		}
	}
}
