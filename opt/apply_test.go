package opt_test

import (
	"bytes"
	"database/sql"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
)

// city, who and its parts are a domain without tags or options.
type city struct {
	Name string
	Zip  int
}

type kind string

type stamp struct{ Created, Changed time.Time }

type shape interface{ sides() int }

type square struct{ Side, Border int }

func (*square) sides() int { return 4 }

type who struct {
	Name   string
	Age    uint8
	Kind   kind
	Score  float32
	Nick   *string
	Home   city
	Work   *city
	Tags   []string
	Labels map[string]string
	Rooms  map[string]city
	Cities []city
	Born   time.Time
	Any    any
	Shape  shape
	Mail   sql.NullString
	Limit  sql.Null[int64]
	Opt    opt.Field[int]
	Big    *big.Int
	stamp
	secret int
}

// someone is a who, with references of its own.
func someone() who {
	nick := "nick"
	return who{
		Name: "ann", Age: 30, Kind: "k", Score: 1.5, Nick: &nick, Home: city{"berlin", 1}, Work: &city{"bonn", 2},
		Tags: []string{"a"}, Labels: map[string]string{"x": "1", "y": "2"}, Rooms: map[string]city{"r": {"r", 3}},
		Cities: []city{{"c", 4}}, Any: map[string]any{"p": 1.0, "q": 2.0}, Shape: &square{5, 6},
		Mail: sql.NullString{String: "m", Valid: true}, Opt: opt.FieldOf(7), stamp: stamp{Created: time.Unix(8, 0)}, secret: 9,
	}
}

type cityPatch struct {
	Name opt.Field[string] `json:"name"`
	Zip  slim.Val[int64]   `json:"zip"`
}

func TestApply(t *testing.T) {
	name, none := "bob", (*string)(nil)
	born := time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)
	type named = struct {
		Name opt.Field[string] `json:"full_name"`
	}
	for _, tt := range []struct {
		name  string
		patch any
		want  func(w *who)
	}{
		{"nothing", struct{}{}, func(w *who) {}},
		{"absent of each", struct {
			Name opt.Field[string]
			Age  opt.Val[int]
			Kind slim.Field[string]
			Born slim.Val[time.Time]
			Nick *string
			Tags []string
			Any  any
			Zip  map[string]int // of no field
			Home *cityPatch
		}{}, func(w *who) {}},
		{"set of each", struct {
			Name opt.Field[string]
			Age  opt.Val[int]
			Kind slim.Field[string]
			Born slim.Val[time.Time]
			Nick *string
		}{opt.FieldOf("bob"), opt.ValOf(31), slim.FieldOf("l"), slim.ValOf(born), &name},
			func(w *who) { w.Name, w.Age, w.Kind, w.Born, w.Nick = "bob", 31, "l", born, &name }},
		{"null of each", struct {
			Nick, Work, Labels, Mail, Limit, Opt opt.Field[string]
			Any                                  slim.Field[int]
			Tags                                 opt.Null[[]string]
			Shape                                opt.Null[int]
			Rooms                                opt.Val[*int]
			Big                                  opt.Field[*big.Int]
		}{opt.FieldNull[string](), opt.FieldNull[string](), opt.FieldNull[string](), opt.FieldNull[string](), opt.FieldNull[string](),
			opt.FieldNull[string](), slim.FieldNull[int](), opt.Null[[]string]{}, opt.Null[int]{}, opt.ValOf[*int](nil), opt.FieldOf[*big.Int](nil)},
			func(w *who) {
				w.Nick, w.Work, w.Labels, w.Mail, w.Opt, w.Any, w.Tags, w.Shape, w.Rooms = nil, nil, nil, sql.NullString{},
					opt.Field[int]{}, nil, nil, nil, nil
			}},
		{"a plain field is always there", struct{ Name string }{}, func(w *who) { w.Name = "" }},
		{"unless it is left out", struct {
			Name string `json:",omitempty"`
			Age  int    `weft:",omitzero"`
		}{}, func(w *who) {}},
		{"a name in the patch alone", named{opt.FieldOf("eve")}, func(w *who) { w.Name = "eve" }},
		{"another Go name", struct {
			X opt.Val[string] `json:"Name"`
			Y opt.Val[string] `weft:"Kind" json:"other"`
		}{opt.ValOf("eve"), opt.ValOf("z")}, func(w *who) { w.Name, w.Kind = "eve", "z" }},
		{"nested", struct{ Home cityPatch }{cityPatch{Zip: slim.ValOf[int64](9)}}, func(w *who) { w.Home.Zip = 9 }},
		{"nested in a pointer", struct{ Work *cityPatch }{&cityPatch{Zip: slim.ValOf[int64](9)}}, func(w *who) { w.Work = &city{"bonn", 9} }},
		{"nested in an option", struct{ Home, Work opt.Field[cityPatch] }{Work: opt.FieldOf(cityPatch{Name: opt.FieldOf("ulm")})},
			func(w *who) { w.Work = &city{"ulm", 2} }},
		{"embedded in both", struct{ *stamp }{&stamp{Changed: born}}, func(w *who) { w.stamp = stamp{Changed: born} }},
		{"promoted", struct{ Changed opt.Field[time.Time] }{opt.FieldOf(born)}, func(w *who) { w.Changed = born }},
		{"a map into a map", struct {
			Labels map[string]opt.Field[string]
		}{map[string]opt.Field[string]{"x": opt.FieldNull[string](), "y": {}, "z": opt.FieldOf("3")}},
			func(w *who) { w.Labels = map[string]string{"y": "2", "z": "3"} }},
		{"a struct into a map", struct {
			Labels struct{ X, Y opt.Field[string] }
		}{struct{ X, Y opt.Field[string] }{Y: opt.FieldOf("3")}},
			func(w *who) { w.Labels = map[string]string{"x": "1", "y": "2", "Y": "3"} }},
		{"structs in a map", struct{ Rooms map[string]cityPatch }{map[string]cityPatch{
			"r": {Name: opt.FieldOf("s")},
			"t": {Zip: slim.ValOf[int64](1)},
		}},
			func(w *who) { w.Rooms = map[string]city{"r": {"s", 3}, "t": {"", 1}} }},
		{"a slice of others", struct{ Cities []cityPatch }{[]cityPatch{{Name: opt.FieldOf("s")}, {}}},
			func(w *who) { w.Cities = []city{{"s", 0}, {}} }},
		{"a slice", struct{ Tags opt.Field[[]string] }{opt.FieldOf([]string{})}, func(w *who) { w.Tags = []string{} }},
		{"a map", map[string]any{"Name": "x", "Age": 3.0, "Nick": nil, "Home": map[string]any{"Zip": 5}, "Tags": []any{"t"}},
			func(w *who) { w.Name, w.Age, w.Nick, w.Home.Zip, w.Tags = "x", 3, nil, 5, []string{"t"} }},
		{"what an interface holds", struct{ Any any }{map[string]any{"p": nil, "r": 3.0}},
			func(w *who) { w.Any = map[string]any{"q": 2.0, "r": 3.0} }},
		{"another into an interface", struct{ Any opt.Field[any] }{opt.FieldOf[any](cityPatch{Name: opt.FieldNull[string]()})},
			func(w *who) { w.Any = map[string]any{"p": 1.0, "q": 2.0} }},
		{"a number into an interface", struct{ Any opt.Field[int] }{opt.FieldOf(3)}, func(w *who) { w.Any = 3 }},
		{"a pointer in an interface", struct{ Any any }{&name}, func(w *who) { w.Any = &name }},
		{"a variant", struct{ Shape opt.Field[shape] }{opt.FieldOf[shape](&square{1, 2})}, func(w *who) { w.Shape = &square{1, 2} }},
		{"database/sql", struct{ Mail, Name sql.Null[string] }{sql.Null[string]{V: "n", Valid: true}, sql.Null[string]{V: "o", Valid: true}},
			func(w *who) { w.Mail.String, w.Name = "n", "o" }},
		{"into database/sql", struct{ Limit opt.Field[int] }{opt.FieldOf(3)}, func(w *who) { w.Limit = sql.Null[int64]{V: 3, Valid: true} }},
		{"into an option", struct{ Opt opt.Val[int8] }{opt.ValOf[int8](3)}, func(w *who) { w.Opt = opt.FieldOf(3) }},
		{"behind pointers", &struct{ Name **string }{func() **string { p := &name; return &p }()}, func(w *who) { w.Name = "bob" }},
		{"a nil behind a pointer", struct{ Name **string }{&none}, func(w *who) {}},
		{"big", struct{ Big *big.Int }{big.NewInt(5)}, func(w *who) { w.Big = big.NewInt(5) }},
		{"an absent patch", opt.Field[named]{}, func(w *who) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, want, before := someone(), someone(), someone()
			shared := got
			if err := opt.Apply(&got, tt.patch); err != nil {
				t.Fatal(err)
			}
			if tt.want(&want); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v\nwant %+v", got, want)
			}
			if !reflect.DeepEqual(shared, before) {
				t.Errorf("what the target refers to was %+v and is now %+v", before, shared)
			}
		})
	}
}

func TestApplyErrors(t *testing.T) {
	type lockedPatch struct{ C opt.Val[int] }
	for _, tt := range []struct {
		name        string
		patch       any
		path, wants string
		unknown     bool
	}{
		{"null for a string", struct{ Name opt.Field[string] }{opt.FieldNull[string]()}, "/Name", "null does not fit type string", false},
		{"null for a number", struct {
			A opt.Null[int] `json:"Age"`
		}{}, "/Age", "null does not fit type uint8", false},
		{"null for a struct", struct{ Born, Home slim.Null[int] }{}, "/Born", "null does not fit type time.Time", false},
		{"null within", struct{ Home cityPatch }{cityPatch{Name: opt.FieldNull[string]()}}, "/Home/name", "null does not fit", false},
		{"null within a pointer", struct{ Work *cityPatch }{&cityPatch{Name: opt.FieldNull[string]()}}, "/Work/name", "null does not fit", false},
		{"null in a map of the patch", map[string]any{"Home": map[string]any{"Name": nil}}, "/Home/Name", "null does not fit", false},
		{"null in a list", struct{ Tags []*string }{make([]*string, 2)}, "/Tags/0", "null does not fit", false},
		{"null at all", nil, "", "null does not fit type opt_test.who", false},
		{"no such member", struct {
			N opt.Val[int] `json:"a/b"`
		}{opt.ValOf(1)}, "/a~1b", "unknown member: opt_test.who has none of the name", true},
		{"null of none", struct{ N opt.Field[int] }{opt.FieldNull[int]()}, "/N", "unknown member", true},
		{"no such member within", map[string]map[string]int{"Home": {"street": 1}}, "/Home/street", "unknown member: opt_test.city", true},
		{"case", map[string]any{"name": "x"}, "/name", "unknown member", true},
		{"both have names", struct{ In struct{ Zip opt.Val[int] } }{}, "/In", "unknown member", true},
		{"unexported", map[string]any{"secret": 1}, "/secret", "unknown member", true},
		{"a member twice", struct {
			X opt.Val[string] `json:"Name"`
			N opt.Val[string] `json:"n"`
			S struct{ Name string }
			Y opt.Val[string] `json:"Nick"`
		}{X: opt.ValOf("x"), N: opt.ValOf("n")}, "/n", "unknown member", true},
		{"not a string", struct{ Name int }{5}, "/Name", "type int does not fit type string", false},
		{"not a number", struct{ Age string }{"5"}, "/Age", "type string does not fit type uint8", false},
		{"too large", struct{ Age opt.Val[int] }{opt.ValOf(256)}, "/Age", "256 does not fit type uint8", false},
		{"negative", struct{ Age opt.Val[int8] }{opt.ValOf[int8](-1)}, "/Age", "-1 does not fit type uint8", false},
		{"a fraction", map[string]any{"Age": 1.5}, "/Age", "1.5 does not fit type uint8", false},
		{"overflow", map[string]any{"Score": 1e300}, "/Score", "1e+300 does not fit type float32", false},
		{"digits", map[string]any{"Score": 1<<24 + 1}, "/Score", "16777217 does not fit type float32", false},
		{"an object for a string", struct{ Name cityPatch }{}, "/Name", "type opt_test.cityPatch does not fit type string", false},
		{"a string for an object", struct{ Home string }{"x"}, "/Home", "type string does not fit type opt_test.city", false},
		{"in a list", struct{ Cities []map[string]string }{[]map[string]string{{}, {"Zip": "x"}}}, "/Cities/1/Zip",
			"type string does not fit type int", false},
		{"in a map", struct{ Labels map[string]int }{map[string]int{"x": 1}}, "/Labels/x", "type int does not fit type string", false},
		{"no variant", struct{ Shape opt.Val[int] }{opt.ValOf(1)}, "/Shape", "type int does not fit type opt_test.shape", false},
		{"a map by numbers", struct{ Home map[int]int }{map[int]int{1: 1}}, "/Home", "keys must be strings", false},
		{"a list for all", []int{1}, "", "type []int does not fit type opt_test.who", false},
		{"behind a pointer", lockedPatch{opt.ValOf(1)}, "/C", "unknown member", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := someone()
			err := opt.Apply(&got, tt.patch)
			var at *weft.Error
			if !errors.As(err, &at) || at.Path != tt.path || at.Format != "opt" || !strings.Contains(err.Error(), tt.wants) {
				t.Errorf("%v; want %q at %s", err, tt.wants, tt.path)
			}
			if errors.Is(err, weft.ErrUnknownMember) != tt.unknown {
				t.Errorf("%v", err)
			}
			if !reflect.DeepEqual(got, someone()) {
				t.Errorf("the target is %+v", got)
			}
		})
	}
	if err := opt.Apply((*who)(nil), struct{}{}); err == nil || !strings.Contains(err.Error(), "nil pointer") {
		t.Error(err)
	}
	locked := struct{ *base }{&base{C: 1}}
	if err := opt.Apply(&locked, struct{ C int }{2}); err == nil || locked.C != 1 {
		t.Error(err, locked.C)
	}
	twice := struct{ A, B int }{1, 2}
	if err := opt.Apply(&twice, struct {
		X  int `json:"A"`
		A  int `json:"-"`
		In struct {
			A int `json:"b"`
		} `weft:",inline"`
	}{X: 3}); err == nil || twice.A != 1 {
		t.Error(err, twice)
	}
}

// Members that have no field go where the others are kept.
func TestApplyUnknown(t *testing.T) {
	target := own{ID: 1, More: map[string]any{"a": 1, "b": 2}}
	kept := target.More
	err := opt.Apply(&target, map[string]any{"id": 5, "a": nil, "c": "x", "note": nil, "in": map[string]any{"a": 1.0}})
	want := own{ID: 5, More: map[string]any{"b": 2, "c": "x"}, In: slim.ValOf(inner{A: opt.FieldOf(1)})}
	if err != nil || !reflect.DeepEqual(target, want) || len(kept) != 2 {
		t.Errorf("%v: %+v\nwant %+v; %v", err, target, want, kept)
	}
	// Those of a patch go into fields.
	user := struct{ ID, Zip int }{}
	if err := opt.Apply(&user, struct {
		More map[string]any `weft:",unknown"`
	}{map[string]any{"Zip": 7.0}}); err != nil || user.Zip != 7 {
		t.Error(err, user)
	}
}

// A number goes where it fits.
func TestApplyNumbers(t *testing.T) {
	var numbers struct {
		I8  int8
		U8  uint8
		I64 int64
		U64 uint64
		F32 float32
		F64 float64
	}
	for _, tt := range []struct {
		v    any
		fits string // the fields
	}{
		{5, "I8 U8 I64 U64 F32 F64"},
		{int8(-5), "I8 I64 F32 F64"},
		{uint16(200), "U8 I64 U64 F32 F64"},
		{uint64(1 << 63), "U64 F32 F64"},
		{uint64(1<<64 - 1), "U64"},
		{int64(-1 << 63), "I64 F32 F64"},
		{int64(1<<63 - 1), "I64 U64"},
		{int64(1<<53 + 1), "I64 U64"},
		{1<<24 + 1, "I64 U64 F64"},
		{float32(2), "I8 U8 I64 U64 F32 F64"},
		{0.5, "F32 F64"},
		{-2.0, "I8 I64 F32 F64"},
		{0x1p63, "U64 F32 F64"},
		{0x1p64, "F32 F64"},
		{-0x1p63, "I64 F32 F64"},
		{1e39, "F64"},
		{math.NaN(), "F32 F64"},
		{math.Inf(1), "F32 F64"},
	} {
		t.Run(fmt.Sprintf("%T %v", tt.v, tt.v), func(t *testing.T) {
			fields := reflect.TypeOf(numbers)
			for i := range fields.NumField() {
				name, got := fields.Field(i).Name, numbers
				err := opt.Apply(&got, map[string]any{name: tt.v})
				if fits := slices.Contains(strings.Fields(tt.fits), name); (err == nil) != fits {
					t.Errorf("%s: %v", name, err)
				} else if f := reflect.ValueOf(got).Field(i); fits && f.CanInt() && f.Int() != reflect.ValueOf(tt.v).Convert(f.Type()).Int() {
					t.Errorf("%s: %v", name, f)
				}
			}
		})
	}
}

// Unions take variants, and go into the one that they hold.
func TestApplyUnion(t *testing.T) {
	type holder struct{ U choice }
	target := holder{choice{&own{ID: 1, Nick: opt.ValOf("n")}}}
	for _, tt := range []struct {
		patch any
		want  choice
		err   string
	}{
		{struct{ U choice }{}, target.U, ""},
		{struct{ U choice }{choice{&own{ID: 2}}}, choice{&own{ID: 2, Nick: opt.ValOf("n")}}, ""},
		{struct{ U opt.Field[choice] }{opt.FieldOf(choice{&inner{}})}, choice{&inner{}}, ""},
		{struct{ U *inner }{&inner{B: opt.NullOf(3)}}, choice{&inner{B: opt.NullOf(3)}}, ""},
		{struct{ U opt.Field[choice] }{opt.FieldNull[choice]()}, choice{}, "null does not fit type opt_test.choice"},
		{struct{ U city }{}, choice{}, "type opt_test.city does not fit type opt_test.variant"},
	} {
		t.Run(tt.err, func(t *testing.T) {
			got := target
			if err := opt.Apply(&got, tt.patch); err != nil || tt.err != "" {
				if err == nil || tt.err == "" || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("%+v: %v, want %q", tt.patch, err, tt.err)
				}
			} else if !reflect.DeepEqual(got.U, tt.want) {
				t.Errorf("%+v: %+v, want %+v", tt.patch, got.U, tt.want)
			}
		})
	}
}

// account is a domain, and accountPatch what clients may say of it.
type account struct {
	Name  string         `json:"name"`
	Quota *int           `json:"quota,omitempty"`
	Mails []string       `json:"mails"`
	Flags map[string]int `json:"flags"`
	Home  place          `json:"home"`
	Work  *place         `json:"work"`
}

type place struct {
	City string   `json:"city"`
	At   *float64 `json:"at"`
}

type accountPatch struct {
	Name  slim.Field[string]                    `json:"name,omitzero"`
	Quota opt.Field[int]                        `json:"quota,omitzero"`
	Mails opt.Field[[]string]                   `json:"mails,omitzero"`
	Flags opt.Field[map[string]slim.Field[int]] `json:"flags,omitzero"`
	Home  opt.Field[placePatch]                 `json:"home,omitzero"`
	Work  slim.Field[placePatch]                `json:"work,omitzero"`
}

type placePatch struct {
	City opt.Field[string]  `json:"city,omitzero"`
	At   opt.Field[float64] `json:"at,omitzero"`
}

// Apply of a patch that has been read does what merging the texts does, or says
// where a null cannot be held; Apply of a difference gives what it leads to.
func FuzzApply(f *testing.F) {
	f.Add(`{"name":"a","quota":1,"mails":["x"],"flags":{"a":1},"home":{"city":"b","at":1},"work":{"city":"c"}}`,
		`{"name":"b","quota":null,"mails":[],"flags":{"a":null,"b":2},"home":{"at":null},"work":{"at":2}}`)
	f.Add(`{}`, `{"work":{"at":null,"city":"x"},"flags":{"x":null},"mails":["a"]}`)
	f.Add(`{"work":{"city":"a"}}`, `{"work":null,"name":null}`)
	f.Add(`{"home":{"city":"a"}}`, `{"home":null}`)
	f.Add(`{"flags":{"a":1}}`, `{"flags":null,"home":{}}`)
	f.Fuzz(func(t *testing.T, first, second string) {
		strict := weft.Join(json.RejectUnknownMembers(true), json.MatchCaseInsensitiveNames(false), jsontext.AllowDuplicateNames(false))
		var a, b account
		var pa, pb accountPatch
		if stdjson.Unmarshal([]byte(first), &a) != nil || json.Format.Unmarshal([]byte(first), &pa, strict) != nil ||
			json.Format.Unmarshal([]byte(second), &pb, strict) != nil || !strings.HasPrefix(strings.TrimSpace(second), "{") {
			return
		}
		if opt.Apply(&a, struct{}{}) != nil {
			t.Fatal("nothing is an error")
		}
		got := a
		before := marshal(t, a)
		err := opt.Apply(&got, pb)
		if after := marshal(t, a); !bytes.Equal(before, after) {
			t.Fatalf("the target was %s and is now %s", before, after)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "null does not fit") || !strings.Contains(second, "null") {
				t.Fatal(err)
			}
			return
		}
		if text, want := marshal(t, got), mergedText(t, reflect.TypeFor[account](), before, marshal(t, pb)); !bytes.Equal(text, want) {
			t.Fatalf("%s with %s is %s, want %s", before, second, text, want)
		}
		// What b says is what the difference to it leads to.
		if stdjson.Unmarshal([]byte(second), &b) != nil {
			return
		}
		d, err := opt.Diff(pa, pb)
		if err != nil {
			return
		}
		c := account{}
		if opt.Apply(&c, pa) != nil || opt.Apply(&b, pb) != nil {
			return
		}
		if err := opt.Apply(&c, d); err != nil {
			if !strings.Contains(err.Error(), "null does not fit") { // the member of a plain field has gone
				t.Fatal(err)
			}
			return
		}
		if text, want := marshal(t, c), marshal(t, b); !bytes.Equal(text, want) {
			t.Fatalf("from %s to %s by %s is %s, want %s", first, second, marshal(t, d), text, want)
		}
		same := pa
		if err := opt.Apply(&same, d); err != nil || !reflect.DeepEqual(marshal(t, same), marshal(t, pb)) {
			t.Fatalf("%v: %s, want %s", err, marshal(t, same), marshal(t, pb))
		}
	})
}
