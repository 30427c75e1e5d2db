package opt_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/opt"
)

func TestPrinting(t *testing.T) {
	tests := []struct {
		o          fmt.Stringer
		text, code string
	}{
		{opt.NullOf(5), "5", "opt.NullOf[int](5)"},
		{opt.Null[int]{}, "null", "opt.Null[int]{}"},
		{opt.ValOf("x"), "x", `opt.ValOf[string]("x")`},
		{opt.Val[string]{}, "absent", "opt.Val[string]{}"},
		{opt.FieldOf(time.Second), "1s", "opt.FieldOf[time.Duration](1000000000)"},
		{opt.FieldNull[bool](), "null", "opt.FieldNull[bool]()"},
		{opt.Field[bool]{}, "absent", "opt.Field[bool]{}"},
		{opt.Field[bool]{State: 9}, "absent", "opt.Field[bool]{}"},
	}
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			if got := tt.o.String(); got != tt.text {
				t.Errorf("%#v prints as %q, want %q", tt.o, got, tt.text)
			}
			if got := fmt.Sprintf("%#v", tt.o); got != tt.code {
				t.Errorf("%s is %s in Go, want %s", tt.text, got, tt.code)
			}
		})
	}
}

func TestEqual(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	there := at.In(time.FixedZone("", 3600))
	if n := opt.NullOf(at); n == opt.NullOf(there) || !n.Equal(opt.NullOf(there)) || n.Equal(opt.Time{}) {
		t.Error("times are compared by == or not at all")
	}
	if !opt.ValOf([]int{1}).Equal(opt.ValOf([]int{1})) || opt.ValOf([]int{1}).Equal(opt.ValOf([]int{2})) {
		t.Error("lists are not compared deeply")
	}
	f := opt.FieldNull[int]()
	if !f.Equal(opt.FieldNull[int]()) || f.Equal(opt.Field[int]{}) || f.Equal(opt.FieldOf(0)) || opt.FieldOf(1).Equal(opt.FieldOf(2)) {
		t.Error("the states of fields are mixed up")
	}
	if one := opt.NullOf(1); one != opt.FromPtr(&one.V) || opt.ValOf("x") == opt.ValOf("y") {
		t.Error("== says something else")
	}
	used := map[opt.String]int{opt.NullOf("x"): 1, {}: 2}
	if used[opt.NullOf("x")] != 1 || used[opt.String{}] != 2 {
		t.Error("no key of a map")
	}
}

func TestMapAndOrElse(t *testing.T) {
	double := func(i int) int64 { return 2 * int64(i) }
	if opt.MapNull(opt.NullOf(4), double) != opt.NullOf[int64](8) || opt.MapNull(opt.Int{}, double).Valid {
		t.Error("MapNull")
	}
	if opt.MapVal(opt.ValOf(4), double) != opt.ValOf[int64](8) || opt.MapVal(opt.Val[int]{}, double).Valid {
		t.Error("MapVal")
	}
	if opt.MapField(opt.FieldOf(4), double) != opt.FieldOf[int64](8) || opt.MapField(opt.FieldNull[int](), double) != opt.FieldNull[int64]() {
		t.Error("MapField")
	}
	never := func() int { t.Error("called for a value"); return 0 }
	nine := func() int { return 9 }
	if opt.NullOf(1).OrElse(never)+opt.ValOf(1).OrElse(never)+opt.FieldOf(1).OrElse(never) != 3 ||
		(opt.Int{}).OrElse(nine)+(opt.Val[int]{}).OrElse(nine)+opt.FieldNull[int]().OrElse(nine) != 27 {
		t.Error("OrElse")
	}
	n := 0
	for v := range opt.NullOf(1).All() {
		n += v
	}
	for v := range opt.ValOf(1).All() {
		n += v
	}
	for v := range opt.FieldOf(1).All() {
		n += v
	}
	for range opt.FieldNull[int]().All() {
		n = 100
	}
	if n != 3 {
		t.Errorf("All: %d", n)
	}
}

func TestConversions(t *testing.T) {
	five := 5
	if opt.FromPtr(&five) != opt.NullOf(5) || opt.FromPtr[int](nil).Valid {
		t.Error("FromPtr")
	}
	if opt.NullToField(opt.NullOf(5)) != opt.FieldOf(5) || opt.NullToField(opt.Int{}) != opt.FieldNull[int]() ||
		opt.ValToField(opt.ValOf(5)) != opt.FieldOf(5) || opt.ValToField(opt.Val[int]{}) != (opt.Field[int]{}) {
		t.Error("Field")
	}
	for _, f := range []opt.Field[int]{{}, opt.FieldNull[int](), opt.FieldOf(5)} {
		n, v := opt.FieldToNull(f), opt.FieldToVal(f)
		if n.Valid != f.IsSet() || v.Valid != f.IsSet() || n.V != f.V || v.V != f.V || f.IsDefined() != (f.State != opt.Absent) {
			t.Errorf("%#v: %#v, %#v", f, n, v)
		}
	}
	if !opt.NullOf(1).IsDefined() || (opt.Val[int]{}).IsDefined() {
		t.Error("IsDefined")
	}
}

func TestLog(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}}))
	log.Info("m", "n", opt.NullOf(5), "o", opt.Int{}, "v", opt.ValOf("x"), "w", opt.Val[int]{}, "f", opt.FieldNull[int](),
		"g", opt.Field[int]{})
	if got, want := strings.TrimSpace(b.String()), "msg=m n=5 o=<nil> v=x f=<nil>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestFlags(t *testing.T) {
	var o struct {
		port  opt.Val[uint16]
		name  opt.Val[string]
		wait  opt.Duration
		color opt.Field[bool]
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.TextVar(&o.port, "port", opt.ValOf[uint16](80), "")
	fs.TextVar(&o.name, "name", o.name, "")
	fs.Var(opt.NewFlag(&o.wait), "wait", "")
	fs.Var(opt.NewFlag(&o.color), "color", "")
	if o.port != opt.ValOf[uint16](80) {
		t.Errorf("the default is %v", o.port)
	}
	if err := fs.Parse([]string{"-name=", "-wait", "1m30s", "-color"}); err != nil {
		t.Fatal(err)
	}
	if o.name != opt.ValOf("") || o.wait != opt.NullOf(90*time.Second) || o.color != opt.FieldOf(true) {
		t.Errorf("%#v", o)
	}
	if err := fs.Parse([]string{"-port", "65536"}); err == nil || !strings.Contains(err.Error(), "range") || o.port != opt.ValOf[uint16](80) {
		t.Errorf("an overflow: %v, and now %v", err, o.port)
	}
	if s := opt.NewFlag(&o.wait).String(); s != "1m30s" || (opt.Flag{}).String() != "" {
		t.Errorf("String: %q", s)
	}
}

// TestEnvironment reads a variable that may be missing, empty or set.
func TestEnvironment(t *testing.T) {
	read := func() (o opt.Val[int], err error) {
		if s, ok := os.LookupEnv("WEFT_OPT_TEST"); ok {
			err = o.UnmarshalText([]byte(s))
		}
		return o, err
	}
	for _, c := range []struct {
		text string
		want opt.Val[int]
		bad  bool
	}{{"", opt.Val[int]{}, false}, {"5", opt.ValOf(5), false}, {"x", opt.Val[int]{}, true}} {
		t.Run(c.text, func(t *testing.T) {
			t.Setenv("WEFT_OPT_TEST", c.text)
			if o, err := read(); o != c.want || (err != nil) != c.bad {
				t.Errorf("%q: %v, %v", c.text, o, err)
			}
		})
	}
}

func TestUUID(t *testing.T) {
	const text = "0190b2f4-7c1e-7aaa-8bbb-0123456789ab"
	var u opt.UUID
	for _, s := range []string{text, strings.ToUpper(text), strings.ReplaceAll(text, "-", "")} {
		if err := u.UnmarshalText([]byte(s)); err != nil || u.V.String() != text {
			t.Errorf("%s: %v, %v", s, u, err)
		}
	}
	for _, bad := range []string{text[1:], text[:35] + "g", strings.Replace(text, "-", "0", 1), text + "0"} {
		if err := u.UnmarshalText([]byte(bad)); err == nil || u.V.String() != text {
			t.Errorf("%s is taken: %v", bad, u)
		}
	}
	bytes := [16]byte(u.V)
	if err := u.Scan(bytes[:]); err != nil || u.V != opt.RawUUID(bytes) {
		t.Errorf("16 bytes: %v, %v", u, err)
	}
	if err := u.Scan(5); err == nil {
		t.Error("a number is taken")
	}
}
