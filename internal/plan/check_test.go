package plan

import (
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft/opt"
)

type selfPtr *selfPtr
type selfPtrA **selfPtrA
type selfOption *opt.Null[selfOption]

type badDeep struct {
	A  int
	In struct {
		L []map[string]*chan int
	}
}

type badRecursive struct {
	Next *badRecursive
	F    func()
}

type badHooked struct {
	C badJSON
	P *badJSON
}

type badJSON struct{ Ch chan int }

func (badJSON) MarshalJSON() ([]byte, error) { return nil, nil }

type badEmbedded struct {
	*BadPart
	B complex128
}

type BadPart struct{ Ch chan int }

type aliasTwice struct {
	A int `weft:"a,alias:b"`
	B int `weft:"b"`
	C int `weft:"c,alias:x"`
	D int `weft:"d,alias:x"`
}

type twoRests struct {
	A map[string]int `weft:",inline"`
	B map[string]int `weft:",unknown"`
}

type embedRequired struct {
	Base `weft:",required"`
}

func TestCheck(t *testing.T) {
	own := NewSet(ownConfig)
	js := NewSet(jsonConfig)
	numbers := NewSet(Config{Complex: true})
	tests := []struct {
		s                  *Set
		of                 reflect.Type
		marshal, unmarshal string // all problems, "; " between them
	}{
		{own, reflect.TypeFor[tree](), "", ""},
		{own, reflect.TypeFor[chan int](), "chan int: chan has no form in any format", "="},
		{own, reflect.TypeFor[[]func()](), "func(): func has no form in any format", "="},
		{own, reflect.TypeFor[complex64](), "complex64: complex numbers have no form in the format", "="},
		{numbers, reflect.TypeFor[complex64](), "", ""},
		{own, reflect.TypeFor[selfPtr](), "plan.selfPtr: a pointer that only ever points at pointers has no value", "="},
		{own, reflect.TypeFor[selfOption](), "plan.selfOption: a pointer that only ever points at pointers has no value", "="},
		{own, reflect.TypeFor[badDeep](), "struct { L []map[string]*chan int }, field L: chan int: chan has no form in any format", "="},
		{own, reflect.TypeFor[badRecursive](), "plan.badRecursive, field F: func(): func has no form in any format", "="},
		{own, reflect.TypeFor[badHooked](), "plan.badJSON, field Ch: chan int: chan has no form in any format", "="},
		{js, reflect.TypeFor[badHooked](), "", "plan.badJSON, field Ch: chan int: chan has no form in any format"},
		{own, reflect.TypeFor[badEmbedded](),
			"plan.badEmbedded, field BadPart.Ch: chan int: chan has no form in any format; " +
				"plan.badEmbedded, field B: complex128: complex numbers have no form in the format", "="},
		{own, reflect.TypeFor[struct {
			M map[readOnlyKey]int
			N map[*textValue]int
		}](),
			"struct { M map[plan.readOnlyKey]int; N map[*plan.textValue]int }, " +
				"field M: map[plan.readOnlyKey]int: keys of type plan.readOnlyKey cannot be names: a string, an integer or a type " +
				"with MarshalText is needed",
			"struct { M map[plan.readOnlyKey]int; N map[*plan.textValue]int }, " +
				"field N: map[*plan.textValue]int: keys of type *plan.textValue cannot be names: a string, an integer or a type " +
				"with UnmarshalText is needed"},
		{own, reflect.TypeFor[embedConflict](),
			`plan.embedConflict, field Base.ID: is one of several fields with the name "ID" at the same depth: Base.ID, Other.ID`,
			"="},
		{own, reflect.TypeFor[embedThrice](),
			`plan.embedThrice, field L1.Common.C: is one of several fields with the name "C" at the same depth: ` +
				`plan.Common is embedded more than once`, "="},
		{own, sameTag,
			`struct { A int "json:\"x\""; B int "json:\"x\""; ` +
				`C int }, field A: is one of several fields with the name "x" at the same depth: A, B`, "="},
		{own, reflect.TypeFor[aliasTwice](),
			`plan.aliasTwice, field A: the alias "b" is already a name of the field B; plan.aliasTwice, field D: ` +
				`the alias "x" is already a name of the field C`, "="},
		{own, reflect.TypeFor[twoRests](),
			`plan.twoRests, field B: the field A at the same depth also takes the members that no field names`, "="},
		{own, reflect.TypeFor[embedRequired](),
			`plan.embedRequired, field Base: options required and alias have no effect on an embedded struct`, "="},
	}
	for _, tt := range tests {
		t.Run(tt.of.String(), func(t *testing.T) {
			if tt.unmarshal == "=" {
				tt.unmarshal = tt.marshal
			}
			n := tt.s.Of(tt.of)
			for d, want := range []string{tt.marshal, tt.unmarshal} {
				var texts []string
				for _, p := range tt.s.Check(n, Direction(d)) {
					texts = append(texts, p.Error())
					if p.Silent != (p.Code == SameName && !strings.Contains(p.Text, "alias")) {
						t.Errorf("%s: Silent is %t", p.Error(), p.Silent)
					}
				}
				if got := strings.Join(texts, "; "); got != want {
					t.Errorf("%v:\n%s, want\n%s", tt.of, got, want)
				}
			}
		})
	}
	if n := own.Of(reflect.TypeFor[selfPtrA]()); len(n.Problems()) != 1 || n.Problems()[0].Code != SelfPointer {
		t.Errorf("%v: %v", n, n.Problems())
	}
}

func TestDump(t *testing.T) {
	s := NewSet(ownConfig)
	type item struct {
		ID   int64          `weft:"id,required"`
		Name *string        `weft:"name,omitempty,alias:title"`
		Base                // promoted
		In   *item          `json:"in"`
		Tags map[int]string `weft:",omitzero"`
		Rest map[string]any `weft:",inline"`
	}
	want := `#0 struct plan.item
	"id" ID #1 [0] tagged required
	"name" Name #2 [1] tagged omitempty alias:title
	"ID" Base.ID #4 [2 0]
	"in" In #5 [3] tagged
	"Tags" Tags #6 [4] omitzero
	"Rest" Rest #7 [5] inline
#1 int64 int64 nopointers zerobytes
#2 pointer *string of #3 zerobytes
#4 int int nopointers zerobytes
#5 pointer *plan.item of #0 zerobytes
#6 map map[int]string [#4 int/int] #3 zerobytes
#7 map map[string]interface {} [#3 string/string] #8 zerobytes
#3 string string
#8 any interface {} zerobytes
`
	if got := s.Of(reflect.TypeFor[item]()).Dump(); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	for _, tt := range []struct {
		of   any
		line string
	}{
		{opt.ValOf(1), "#0 option opt.Val[int] optional of #1 nopointers"},
		{rawOwn{}, "raw plan.rawOwn of #1 own zerobytes"},
		{&weftAddr{}, "pointer *plan.weftAddr of #1 zerobytes hooks 1/0 1/0"},
		{embedUnexportedMixed{}, "\t\"X\" Chain3.inner.X #1 [1 1 0] via *plan.Chain3 via *plan.inner(unsettable)"},
		{embedConflict{}, "\t! plan.embedConflict, field Base.ID: is one of several"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			if got := NewSet(ownConfig).Of(reflect.TypeOf(tt.of)).Dump(); !strings.Contains(got, tt.line) {
				t.Errorf("%T: got\n%s, want\n%s in it", tt.of, got, tt.line)
			}
		})
	}
}
