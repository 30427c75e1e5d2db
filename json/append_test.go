package json

import (
	stdjson "encoding/json"
	"testing"
	"time"
)

// TestAppendLeaves compares the functions for single values with encoding/json.
func TestAppendLeaves(t *testing.T) {
	now := time.Date(2026, 11, 21, 22, 10, 11, 120000000, time.UTC)
	must := func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
		return b
	}
	pre := []byte("pre")
	for _, tt := range []struct {
		got  []byte
		want any
	}{
		{appendBytes(pre, []byte("abcd")), []byte("abcd")},
		{appendBytes(pre, nil), []byte(nil)},
		{must(appendTime(pre, now)), now},
	} {
		t.Run(string(tt.got), func(t *testing.T) {
			want, _ := stdjson.Marshal(tt.want)
			if string(tt.got) != "pre"+string(want) {
				t.Errorf("got %s, want pre%s", tt.got, want)
			}
		})
	}
}

func TestAppendErrors(t *testing.T) {
	pre := []byte("pre")
	check := func(name string, b []byte, err error, want string) {
		t.Helper()
		if err == nil || err.Error() != want || string(b) != "pre" {
			t.Errorf("%s: got %s, %v, want %s", name, b, err, want)
		}
	}
	b, err := appendTime(pre, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	check("time", b, err, "Time.MarshalJSON: year outside of range [0,9999]")
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
