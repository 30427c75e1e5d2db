package legacy_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/legacy"
)

type (
	legacyByte   byte
	legacyMethod string
)

func (*legacyMethod) MarshalText() ([]byte, error) { return []byte("called"), nil }

type legacyQuoted struct {
	B bool   `json:",string"`
	S string `json:",string"`
}

// TestLegacyMarshal: each option of encoding/json's changes its part of V2, and off it changes nothing.
func TestLegacyMarshal(t *testing.T) {
	type omit struct {
		N int  `json:",omitempty"`
		P *int `json:",omitempty"`
	}
	for _, c := range []struct {
		name    string
		option  func(bool) json.Options
		v       any
		on, off string // "" for an error
	}{
		{"methods", legacy.CallMethodsWithLegacySemantics, struct{ M legacyMethod }{"x"}, `{"M":"x"}`, `{"M":"called"}`},
		{"methods in a map", legacy.CallMethodsWithLegacySemantics, map[string]legacyMethod{"k": "x"}, `{"k":"x"}`, `{"k":"called"}`},
		{"array of bytes", legacy.FormatByteArrayAsArray, [2]byte{1, 2}, `[1,2]`, `"AQI="`},
		{"named bytes", legacy.FormatBytesWithLegacySemantics, []legacyByte{1, 2}, `"AQI="`, `[1,2]`},
		{"duration", legacy.FormatDurationAsNano, time.Second, `1000000000`, ""},
		{"duration as a key", legacy.FormatDurationAsNano, map[time.Duration]int{2: 3}, `{"2":3}`, ""},
		{"omitempty", legacy.OmitEmptyWithLegacySemantics, omit{0, new(int)}, `{"P":0}`, `{"N":0,"P":0}`},
		{"option string", legacy.StringifyWithLegacySemantics, legacyQuoted{true, "x"}, `{"B":"true","S":"\"x\""}`, ""},
		{"wrong tag", legacy.ReportErrorsWithLegacySemantics, legacyQuoted{true, "x"}, `{"B":true,"S":"x"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, want := range []string{c.off, c.on} {
				b, err := json.MarshalWith(c.v, json.V2(), c.option(i > 0))
				if string(b) != want || (err == nil) != (want != "") {
					t.Errorf("%v: %s, %v, want %q", i > 0, b, err, want)
				}
			}
		})
	}
}

// TestLegacyUnmarshal is [TestLegacyMarshal] for the other direction.
func TestLegacyUnmarshal(t *testing.T) {
	type (
		folds  struct{ FooBar int }
		item   struct{ R, S string }
		within struct{ A any }
	)
	at := time.Date(2000, 1, 1, 1, 2, 3, 0, time.UTC)
	for _, c := range []struct {
		name    string
		option  func(bool) json.Options
		was     string // the text of what there is before
		text    string
		on, off any // nil for an error
	}{
		{"array of bytes", legacy.FormatByteArrayAsArray, "", `[1,2]`, [2]byte{1, 2}, nil},
		{"named bytes", legacy.FormatBytesWithLegacySemantics, "", `"AQI="`, []legacyByte{1, 2}, nil},
		{"numbers as bytes", legacy.FormatBytesWithLegacySemantics, "", `[1,2]`, []byte{1, 2}, nil},
		{"numbers as an array of bytes", legacy.FormatBytesWithLegacySemantics, "", `[1,2]`, [2]byte{1, 2}, nil},
		{"duration", legacy.FormatDurationAsNano, "", `1`, time.Duration(1), nil},
		{"duration as a key", legacy.FormatDurationAsNano, "", `{"2":3}`, map[time.Duration]int{2: 3}, nil},
		{"delimiter", legacy.MatchCaseSensitiveDelimiter, "", `{"foo_bar":1}`, folds{}, folds{1}},
		{"null for a number", legacy.MergeWithLegacySemantics, "7", `null`, 7, 0},
		{"null for a slice", legacy.MergeWithLegacySemantics, "[7]", `null`, []int(nil), []int(nil)},
		{"array", legacy.MergeWithLegacySemantics, `[{"R":"x"},{"R":"z"}]`, `[{"S":"y"},{}]`, [2]item{{"x", "y"}, {"z", ""}}, [2]item{{"", "y"}}},
		{"slice", legacy.MergeWithLegacySemantics, `[{"R":"x"},{"R":"z"}]`, `[{}]`, []item{{"x", ""}}, []item{{}}},
		{"map", legacy.MergeWithLegacySemantics, `{"k":{"R":"x"}}`, `{"k":{}}`, map[string]item{"k": {}}, map[string]item{"k": {"x", ""}}},
		{"interface", legacy.MergeWithLegacySemantics, `{"A":{"a":"x"}}`, `{"A":{"b":"y"}}`, within{map[string]any{"b": "y"}},
			within{map[string]any{"a": "x", "b": "y"}}},
		{"line break", legacy.ParseBytesWithLooseRFC4648, "", `"AQ\nI="`, []byte{1, 2}, nil},
		{"hour of one digit", legacy.ParseTimeWithLooseRFC3339, "", `"2000-01-01T1:02:03Z"`, at, nil},
		{"option string", legacy.StringifyWithLegacySemantics, "", `{"B":"true","S":"\"x\""}`, legacyQuoted{true, "x"}, nil},
		{"wrong tag", legacy.ReportErrorsWithLegacySemantics, "", `{"B":true,"S":"x"}`, legacyQuoted{true, "x"}, nil},
		{"short array", legacy.UnmarshalArrayFromAnyLength, "[3,4]", `[1]`, [2]int{1, 0}, nil},
		{"long array", legacy.UnmarshalArrayFromAnyLength, "[3,4]", `[1,2,3]`, [2]int{1, 2}, nil},
		{"few bytes", legacy.UnmarshalArrayFromAnyLength, "", `"AQ=="`, [2]byte{1, 0}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, want := range []any{c.off, c.on} {
				v := reflect.New(reflect.TypeOf(c.on))
				if c.was != "" {
					if err := json.Unmarshal([]byte(c.was), v.Interface()); err != nil {
						t.Fatal(err)
					}
				}
				err := json.UnmarshalWith([]byte(c.text), v.Interface(), json.V2(), json.MatchCaseInsensitiveNames(true), c.option(i > 0))
				if (err == nil) != (want != nil) || err == nil && !reflect.DeepEqual(v.Elem().Interface(), want) {
					t.Errorf("%v: %#v, %v, want %#v", i > 0, v.Elem(), err, want)
				}
			}
		})
	}
}

// TestLegacyErrors: under V2 an error may be encoding/json's, beyond which the walk goes on.
func TestLegacyErrors(t *testing.T) {
	var v struct {
		A int
		B string
	}
	err := json.UnmarshalWith([]byte(`{"A":"x","B":"y"}`), &v, json.V2(), legacy.ReportErrorsWithLegacySemantics(true))
	_, wrong := errors.AsType[*json.UnmarshalTypeError](err)
	if _, v2 := errors.AsType[*json.SemanticError](err); !wrong || v2 || v.B != "y" {
		t.Errorf("got %+v, %T: %v", v, err, err)
	}
	if err := json.UnmarshalWith([]byte(`{"A":1,"B":"z",}`), &v, json.V2(),
		legacy.ReportErrorsWithLegacySemantics(true)); err == nil || v.A != 0 {
		t.Errorf("got %+v, %v", v, err)
	}
}
