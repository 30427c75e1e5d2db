package weft_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/weftcodec/weft"
)

type grade int32

func TestChecks(t *testing.T) {
	digits := weft.NewPattern(`^\d+$`)
	fields := weft.NewFields("a", "b", "c")
	encode := func(s []string) func([]byte, int) ([]byte, error) {
		return func(b []byte, i int) ([]byte, error) { return append(b, strings.ToLower(s[i])...), nil }
	}
	many := make([]int, 40)
	for i := range many {
		many[i] = i
	}
	dup := append([]int{}, many...)
	dup[39] = 3
	tests := []struct {
		name string
		err  error
		want string // "" for no error
	}{
		{"min", weft.CheckMin(grade(1), 1), ""},
		{"min", weft.CheckMin(grade(0), 1), "must be at least 1, not 0"},
		{"max", weft.CheckMax(5.5, 5.5), ""},
		{"max", weft.CheckMax(5.6, 5.5), "must be at most 5.5, not 5.6"},
		{"range", weft.CheckRange(int8(-1), -1, 1), ""},
		{"range low", weft.CheckRange(int8(-2), -1, 1), "must be at least -1, not -2"},
		{"range high", weft.CheckRange(int8(2), -1, 1), "must be at most 1, not 2"},
		{"above", weft.CheckAbove(0.0, 0), "must be greater than 0, not 0"},
		{"above", weft.CheckAbove(0.1, 0), ""},
		{"below", weft.CheckBelow(uint8(9), 9), "must be less than 9, not 9"},
		{"below", weft.CheckBelow(uint8(8), 9), ""},
		{"multiple", weft.CheckMultiple(int64(9), 3), ""},
		{"multiple", weft.CheckMultiple(int64(-10), 3), "must be a multiple of 3, not -10"},
		{"multiple of a fraction", weft.CheckMultipleFloat(0.3, 0.1), ""},
		{"multiple of a fraction", weft.CheckMultipleFloat(0.35, 0.1), "must be a multiple of 0.1, not 0.35"},
		{"multiple of a fraction", weft.CheckMultipleFloat(1e308, 0.5), ""},
		{"multiple of a fraction", weft.CheckMultipleFloat(1e308, 0.123456789), "must be a multiple of 0.123456789, not 1e+308"},
		{"length", weft.CheckLen("日本", 2, 2), ""},
		{"length", weft.CheckLen("日本語", 0, 2), "must have at most 2 characters, not 3"},
		{"length", weft.CheckLen("日", 2, -1), "must have at least 2 characters, not 1"},
		{"no longest", weft.CheckLen(strings.Repeat("x", 99), 1, -1), ""},
		{"items", weft.CheckItems(3, 1, 3), ""},
		{"items", weft.CheckItems(0, 1, 3), "must have at least 1 element, not 0"},
		{"members", weft.CheckMembers(4, 1, 3), "must have at most 3 members, not 4"},
		{"pattern", digits.Check("12"), ""},
		{"pattern", digits.Check("1x"), `must match ^\d+$, not "1x"`},
		{"pattern of ECMA-262", weft.NewPattern(`^\s$`).Check("\u00a0"), ""},
		{"pattern of ECMA-262", weft.NewPattern(`^\s$`).Check("x"), `must match ^\s$, not "x"`},
		{"uuid", weft.CheckUUID("01234567-89ab-CDEF-0123-456789abcdef"), ""},
		{"uuid short", weft.CheckUUID("01234567"), `must be a UUID, not "01234567"`},
		{"uuid letter", weft.CheckUUID("g1234567-89ab-cdef-0123-456789abcdef"), `must be a UUID, not "g1234567-89ab-cdef-0123-456789abcdef"`},
		{"uuid dash", weft.CheckUUID("012345670-89a-cdef-0123-456789abcdef"), `must be a UUID, not "012345670-89a-cdef-0123-456789abcdef"`},
		{"const", weft.CheckConst("a", "a"), ""},
		{"const", weft.CheckConst("b", "a"), `must be "a", not "b"`},
		{"const", weft.CheckConst(true, false), "must be false, not true"},
		{"unique", weft.CheckUnique([]string{"a", "b"}), ""},
		{"unique", weft.CheckUnique([]string{"a", "b", "a"}), "must have no two equal elements, as 0 and 2 are"},
		{"unique of many", weft.CheckUnique(many), ""},
		{"unique of many", weft.CheckUnique(dup), "must have no two equal elements, as 3 and 39 are"},
		{"unique as written", weft.CheckUniqueBy(2, encode([]string{"a", "b"})), ""},
		{"unique as written", weft.CheckUniqueBy(2, encode([]string{"a", "A"})), "must have no two equal elements, as 0 and 1 are"},
		{"enum", weft.EnumError("Kind", "x"), `must be a value of Kind, not "x"`},
		{"enum", weft.EnumError("Code", int64(7)), `must be a value of Code, not 7`},
		{"long text is cut", weft.CheckUUID(strings.Repeat("x", 100)), `must be a UUID, not "` + strings.Repeat("x", 64) + `"…`},
		{"requires", weft.CheckRequires(fields, 0b001, true, 0b001, 0b110), ""},
		{"requires", weft.CheckRequires(fields, 0b010, true, 0b001, 0b110), `must have "a" or "b" and "c"`},
		{"requires", weft.CheckRequires(fields, 0b111, true, 0b001, 0b110), `must have "a" or "b" and "c", and no other of them`},
		{"requires", weft.CheckRequires(fields, 0b111, false, 0b001, 0b110), ""},
		{"nil", weft.NilError("Home"), "must have Home set"},
	}
	for _, tt := range tests {
		got := ""
		if tt.err != nil {
			got = tt.err.Error()
			var c *weft.ConstraintError
			if !errors.As(tt.err, &c) {
				t.Errorf("%s: %T", tt.name, tt.err)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestReport(t *testing.T) {
	var inner, outer weft.Report
	if inner.Err() != nil {
		t.Error("an empty report is an error")
	}
	base := errors.New("base")
	inner.Add(nil)
	inner.Member("a/b", base)
	inner.Item(3, base)
	outer.Member("in", inner.Err())
	outer.Add(base)
	err := outer.Err()
	if want := "at /in/a~1b: base; at /in/3: base; base"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if !errors.Is(err, base) {
		t.Error("the cause is lost")
	}
	even := func(x *int) error {
		if *x%2 != 0 {
			return base
		}
		return nil
	}
	if err := weft.ValidateItems([]int{2, 3}, even); err == nil || err.Error() != "at /1: base" {
		t.Error(err)
	}
	if err := weft.ValidateMembers(map[string]int{"x": 3, "a": 1, "b": 2}, even); err == nil || err.Error() != "at /a: base; at /x: base" {
		t.Error(err)
	}
}

// A pattern is compiled by the first of the goroutines that need it, and one that cannot be panics for each.
func TestPatternShared(t *testing.T) {
	good, bad := weft.NewPattern(`^\p{L}+$`), weft.NewPattern("a(?=b)")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if !good.Match("größe") || good.Match("1") {
				t.Error("a wrong match")
			}
			defer func() {
				if e, _ := recover().(string); !strings.HasPrefix(e, `weft: pattern "a(?=b)", offset 1: look-ahead`) {
					t.Errorf("panic %q", e)
				}
			}()
			bad.Match("ab")
		})
	}
	wg.Wait()
}
