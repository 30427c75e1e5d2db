package weft_test

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// fresh returns a pointer to a new zero value of the type that ptr points to.
func fresh(ptr any) any { return reflect.New(reflect.TypeOf(ptr).Elem()).Interface() }

// roomy is fresh with slices that have elements already.
func roomy(ptr any) any {
	v := reflect.New(reflect.TypeOf(ptr).Elem())
	for i := range v.Elem().NumField() {
		if f := v.Elem().Field(i); f.Kind() == reflect.Slice {
			f.Set(reflect.MakeSlice(f.Type(), 9, 9))
		}
	}
	return v.Interface()
}

// ruleFormats are the formats, and package value as if it were one.
var ruleFormats = append(formats[:len(formats):len(formats)], tagged.Framed, valueFormat{})

// valueFormat is a format that goes through a Value.
type valueFormat struct{ weft.Format }

func (valueFormat) Name() string { return "value" }

func (valueFormat) MarshalAppend(b []byte, v any, opts ...weft.Options) ([]byte, error) {
	x, err := value.MarshalWith(v, opts...)
	if err != nil {
		return b, err
	}
	return msgpack.MarshalAppend(b, x)
}

func (valueFormat) Unmarshal(b []byte, v any, opts ...weft.Options) error {
	var x value.Value
	if err := msgpack.Unmarshal(b, &x); err != nil {
		return err
	}
	return value.UnmarshalWith(x, v, opts...)
}

// version2 is JSON that is read by encoding/json/v2's rules.
type version2 struct{ weft.Format }

func (version2) Name() string { return "json V2" }

func (version2) Unmarshal(b []byte, v any, opts ...weft.Options) error {
	return json.Format.Unmarshal(b, v, append(opts, json.V2())...)
}

// Every format refuses what breaks a rule, says which one and where, and takes what does not.
func TestRules(t *testing.T) {
	for _, f := range append(ruleFormats[:len(ruleFormats):len(ruleFormats)], version2{json.Format}) {
		for _, r := range ruleRows {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				if err := r.fault(f); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// fault returns what is wrong with what the format says of the values, nil if nothing is.
func (r *ruleRow) fault(f weft.Format) error {
	b, err := f.MarshalAppend(nil, r.good)
	if err != nil {
		return err
	}
	if err := f.Unmarshal(b, fresh(r.good)); err != nil {
		return fmt.Errorf("%+v is refused: %w", r.good, err)
	}
	if b, err = f.MarshalAppend(nil, r.bad); err != nil {
		return err
	}
	for _, v := range []any{fresh(r.bad), roomy(r.bad)} {
		err = f.Unmarshal(b, v)
		at, ok := errors.AsType[*weft.Error](err)
		switch {
		case !ok:
			return fmt.Errorf("%+v: %w", r.bad, err)
		case at.Path != r.path || at.Err.Error() != r.err:
			return fmt.Errorf("%w; want %s at %s", err, r.err, r.path)
		case f.Name() == "value" && at.Offset != -1, f.Name() != "value" && (at.Offset < 0 || at.Offset >= int64(len(b))):
			return fmt.Errorf("offset %d of %d bytes", at.Offset, len(b))
		}
	}
	if err := f.Unmarshal(b, fresh(r.bad), weft.Unchecked(true)); err != nil {
		return fmt.Errorf("unchecked: %w", err)
	}
	return nil
}

// Of several records in frames, whose members are read column by column, the one is told that breaks a rule.
func TestRulesInFrames(t *testing.T) {
	for _, r := range ruleRows {
		good, bad := reflect.ValueOf(r.good).Elem(), reflect.ValueOf(r.bad).Elem()
		list := reflect.Append(reflect.MakeSlice(reflect.SliceOf(good.Type()), 0, 4), good, good, bad, good)
		b, err := tagged.MarshalFramed(list.Interface())
		if err != nil {
			t.Fatal(err)
		}
		into := reflect.New(list.Type())
		err = tagged.UnmarshalFramed(b, into.Interface())
		if at, ok := errors.AsType[*weft.Error](err); !ok || at.Path != "/2"+r.path || at.Err.Error() != r.err {
			t.Errorf("%s: %v, want %s at /2%s", r.name, err, r.err, r.path)
		}
		if err := tagged.UnmarshalFramed(b, into.Interface(), weft.Unchecked(true)); err != nil || into.Elem().Len() != 4 {
			t.Errorf("%s, unchecked: %v", r.name, err)
		}
	}
}

// Validate says of a Go value what formats say of its encoding.
func TestValidate(t *testing.T) {
	for _, r := range ruleRows {
		if err := schema.Validate(r.good); err != nil {
			t.Errorf("%s: %+v: %v", r.name, r.good, err)
		}
		err := schema.Validate(r.bad)
		all, ok := errors.AsType[*weft.ValidationError](err)
		if !ok || len(all.Violations) != 1 || all.Violations[0].Path != r.path || all.Violations[0].Err.Error() != r.err {
			t.Errorf("%s: %v, want %s at %s", r.name, err, r.err, r.path)
		}
		if again := schema.Validate([]any{map[string]any{"/": r.bad}}); !strings.HasPrefix(again.Error(), "at /0/~1"+r.path+": ") {
			t.Errorf("%s in an interface: %v", r.name, again)
		}
	}
	type loop struct{ Next *loop }
	circle := new(loop)
	circle.Next = circle
	for _, row := range []struct {
		v    any
		want string
	}{
		{nil, ""}, {(*loop)(nil), ""}, {5, ""}, {species("cow"), `must be a value of species, not "cow"`}, {circle, "nesting too deep"},
		{struct {
			V opt.Val[int] `json:"v" check:"required"`
		}{}, `missing required member "v"`},
	} {
		t.Run(row.want, func(t *testing.T) {
			if err := schema.Validate(row.v); (err == nil) != (row.want == "") || err != nil && !strings.HasSuffix(err.Error(), row.want) {
				t.Errorf("%+v: %v, want %s", row.v, err, row.want)
			}
		})
	}
}

type manyRules struct {
	Name  string         `json:"name" check:"required,minLength=2,pattern=^[a-z]+$"`
	Age   int            `json:"age" check:"minimum=0"`
	Tags  []string       `json:"tags" check:"maxItems=2,items.maxLength=3"`
	Kind  species        `json:"kind" check:"required"`
	Kids  []manyRules    `json:"kids"`
	Codes map[string]int `json:"codes" check:"values.maximum=9"`
	Span  *span          `json:"span"`
}

// What is not a number obeys no rule of numbers, where a format has it.
func TestRulesOfNaN(t *testing.T) {
	for _, r := range []struct {
		name, err string
		v         any
	}{
		{"bounds", "must be greater than 0, not NaN", &number{math.NaN()}},
		{"bounds of a float32", "must be at least -0.5, not NaN", &single{float32(math.NaN())}},
		{"enum", "must be one of 0, 1.5, not NaN", &choiceFloat{math.NaN()}},
		{"multipleOf", "must be a multiple of 0.01, not NaN", &timesFloat{math.NaN()}},
		{"multipleOf, infinite", "must be a multiple of 0.01, not +Inf", &timesFloat{math.Inf(1)}},
		{"bounds, infinite", "must be at most 1000, not +Inf", &number{math.Inf(1)}},
	} {
		for _, f := range []weft.Format{msgpack.Format, cbor.Format, tagged.Framed, valueFormat{}} {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				b, err := f.MarshalAppend(nil, r.v)
				if err != nil {
					t.Fatal(err)
				}
				if at, ok := errors.AsType[*weft.Error](f.Unmarshal(b, fresh(r.v))); !ok || at.Path != "/v" || at.Err.Error() != r.err {
					t.Errorf("%v, want %s", at, r.err)
				}
			})
		}
	}
}

// AllViolations tells all that is wrong, where it is, in every format.
func TestAllViolations(t *testing.T) {
	doc := `{"name":"X","age":-1,"tags":["abcd","a","b"],"kind":"cow","kids":[{"name":"ok","kind":"cat"},{"name":"no","age":-2,` +
		`"span":{"from":2,"to":1}}],"codes":{"a":10,"b":9,"c":11}}`
	want := []string{
		`/name: must have at least 2 characters, not 1`,
		`/name: must match ^[a-z]+$, not "X"`,
		`/age: must be at least 0, not -1`,
		`/tags: must have at most 2 elements, not 3`,
		`/tags/0: must have at most 3 characters, not 4`,
		`/kind: must be a value of species, not "cow"`,
		`/kids/1/age: must be at least 0, not -2`,
		`/kids/1/span: from must not be after to`,
		`/kids/1: missing required member "kind"`,
		`/codes/a: must be at most 9, not 10`,
		`/codes/c: must be at most 9, not 11`,
	}
	testAllViolations(t, doc, want)
	testAllViolations(t, `{"name":"ok","kind":"cat","kids":[{"name":"a1"}]}`, []string{
		`/kids/0/name: must match ^[a-z]+$, not "a1"`,
		`/kids/0: missing required member "kind"`,
	})
}

func testAllViolations(t *testing.T, doc string, want []string) {
	var tree value.Value
	if err := formats[0].Unmarshal([]byte(doc), &tree); err != nil {
		t.Fatal(err)
	}
	for _, f := range append(ruleFormats[:len(ruleFormats):len(ruleFormats)], version2{json.Format}) {
		b, err := f.MarshalAppend(nil, tree)
		if err != nil {
			t.Fatal(err)
		}
		var v manyRules
		err = f.Unmarshal(b, &v, weft.AllViolations(true))
		all, ok := errors.AsType[*weft.ValidationError](err)
		if !ok {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		var got []string
		for _, v := range all.Violations {
			got = append(got, v.Path+": "+v.Err.Error())
			if v.Offset < 0 && f.Name() != "value" || v.Offset >= int64(len(b)) {
				t.Errorf("%s: %s: offset %d of %d", f.Name(), v.Path, v.Offset, len(b))
			}
		}
		sorted := slices.Sorted(slices.Values(got))
		if !slices.Equal(sorted, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s:\n%s\nwant\n%s", f.Name(), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if err := f.Unmarshal(b, &v); err == nil || errors.As(err, &all) {
			t.Errorf("%s: without the option: %v", f.Name(), err)
		}
	}
}

// TestUniqueNumbers checks that numbers of any types and sizes are equal only if they are the same number.
func TestUniqueNumbers(t *testing.T) {
	type numbers struct {
		V []any `json:"v" check:"uniqueItems"`
	}
	for _, tt := range []struct {
		name   string
		v      []any
		unique bool
	}{
		{"unsigned", []any{uint64(1<<64 - 1), uint64(1<<64 - 2)}, true},
		{"float beside integer", []any{int64(1<<53 + 1), float64(1 << 53)}, true},
		{"float of integer", []any{uint64(1 << 63), float64(1 << 63)}, false},
		{"texts", []any{json.Number("18446744073709551616"), json.Number("18446744073709551617")}, true},
		{"texts of one number", []any{json.Number("18446744073709551617"), json.Number("184467440737095516170e-1")}, false},
		{"texts beyond float64", []any{json.Number("1e400"), json.Number("2e400")}, true},
		{"text beyond float64", []any{json.Number("1e400"), json.Number("0.1e401")}, false},
		{"text of a float", []any{json.Number("18446744073709551616"), float64(1 << 64)}, false},
		{"text of a decimal", []any{json.Number("0.1000"), 0.1}, false},
		{"zeros", []any{json.Number("-0.0"), 0}, false},
		{"not a number", []any{math.NaN(), math.NaN()}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 9 { // with hashes
				if err := schema.Validate(&numbers{tt.v}); (err == nil) != tt.unique {
					t.Errorf("%v: %v", tt.v, err)
				}
				tt.v = append(tt.v, fmt.Sprint(len(tt.v)))
			}
		})
	}
}

// TestValidateDepth checks that the levels of a Go value are those of its document: pointers are none.
func TestValidateDepth(t *testing.T) {
	type node struct {
		N    int `check:"maximum=5"`
		Next *node
		Any  any
	}
	list := &node{N: 6}
	for i := range 6000 {
		if i%2 == 0 {
			list = &node{Next: list}
		} else {
			list = &node{Any: list}
		}
	}
	if err := schema.Validate(list); err == nil || errors.Is(err, weft.ErrDepth) {
		t.Error(err)
	}
	type knot *knot
	var k knot
	k = &k
	var x any
	x = &x
	for _, v := range []any{&node{Any: &k}, &node{Any: &x}, &k, &x} {
		if err := schema.Validate(v); !errors.Is(err, weft.ErrDepth) {
			t.Errorf("%T: %v", v, err)
		}
	}
}

// Equal elements are found in about the time that it takes to read all of them, however many or deep they are.
func TestUniqueItemsTime(t *testing.T) {
	type kin struct {
		N    int   `json:"n"`
		Kids []kin `json:"kids" check:"uniqueItems"`
	}
	type dynamic struct {
		Any  []any         `json:"any" check:"uniqueItems"`
		Vals []value.Value `json:"vals" check:"uniqueItems"`
	}
	const n = 10000
	var objects strings.Builder
	for i := range n {
		fmt.Fprintf(&objects, `,{"a":{"b":%d}}`, i)
	}
	list, kids := objects.String()[1:], ""
	for i := range 9 {
		kids += fmt.Sprintf(`{"n":%d},`, i+1)
	}
	for _, tt := range []struct {
		text string
		into any
		want string
	}{
		{`{"any":[` + list + `]}`, &dynamic{}, ""},
		{`{"vals":[` + list + `]}`, &dynamic{}, ""},
		{`{"any":[` + list + `,{"a":{"b":7.0}}]}`, &dynamic{}, "as 7 and 10000 are"},
		{`{"vals":[` + list + `,{"a":{"b":7.0}}]}`, &dynamic{}, "as 7 and 10000 are"},
		{`{"vals":["a","b","a"]}`, &dynamic{}, "as 0 and 2 are"},
		{strings.Repeat(`{"kids":[{"n":1},`, n/3) + "{}" + strings.Repeat("]}", n/3), &kin{}, ""},
		{strings.Repeat(`{"kids":[`+kids, n/3) + "{}" + strings.Repeat("]}", n/3), &kin{}, ""},
		{strings.Repeat(`{"kids":[`+kids, n/3) + `{"n":7}` + strings.Repeat("]}", n/3), &kin{}, "as 6 and 9 are"},
		{`{"any":[{"a":1},{"a":2},3,4,5,6,7,8,9,` + strings.Repeat(`[1,2,3,4,5,6,7,8,9,{"a":`, n/3) + "1" +
			strings.Repeat("}]", n/3) + "]}", &dynamic{}, ""},
	} {
		begin := time.Now()
		err := json.Unmarshal([]byte(tt.text), tt.into)
		if d := time.Since(begin); d > 2*time.Second {
			t.Errorf("%.30s: %v", tt.text, d)
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.30s: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// What many values break is found in about the time that it takes to read them, and is at the place that is told.
func TestManyViolations(t *testing.T) {
	type kid struct {
		N int `json:"n" check:"minimum=0"`
	}
	type many struct {
		Kids  []kid          `json:"kids"`
		List  []int          `json:"list" check:"items.maximum=9"`
		Lists [][]int        `json:"lists" check:"items.items.maximum=9"`
		Codes map[string]int `json:"codes" check:"values.maximum=9"`
		N     kid            `json:"n"`
	}
	const n = 20000
	doc := many{Codes: make(map[string]int)}
	for i := range n {
		doc.Kids = append(doc.Kids, kid{-1})
		doc.List = append(doc.List, 10)
		doc.Lists = append(doc.Lists, []int{1, 10})
		if i < 1000 { // names of more have one hash in tagged
			doc.Codes[fmt.Sprint("c", i)] = 10
		}
	}
	tree, err := value.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(ruleFormats[:len(ruleFormats):len(ruleFormats)], version2{json.Format}) {
		b, err := f.MarshalAppend(nil, tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []weft.Options{{}, weft.AllViolations(true)} {
			var got many
			begin := time.Now()
			err = f.Unmarshal(b, &got, o)
			if d := time.Since(begin); d > 5*time.Second {
				t.Errorf("%s: %v", f.Name(), d)
			}
			all, ok := errors.AsType[*weft.ValidationError](err)
			if !ok {
				if err == nil || o != (weft.Options{}) {
					t.Errorf("%s: %v", f.Name(), err)
				}
				continue
			}
			if len(all.Violations) != 3*n+len(doc.Codes) {
				t.Errorf("%s: %d violations", f.Name(), len(all.Violations))
			}
			for _, v := range all.Violations {
				x, found := tree.Pointer(v.Path)
				if !found || f.Name() != "value" && v.Offset <= 0 {
					t.Fatalf("%s: %v at %d", f.Name(), v.Path, v.Offset)
				}
				var is int
				switch f.Name() {
				case "json":
					_, err = fmt.Sscan(string(b[v.Offset:min(int(v.Offset)+3, len(b))]), &is)
					if err != nil && strings.HasPrefix(v.Path, "/kids") {
						continue // of the struct
					}
				case "msgpack":
					is = int(int8(b[v.Offset]))
				case "cbor":
					if is = int(b[v.Offset]); is >= 0x20 {
						is = 0x1f - is
					}
				default:
					continue
				}
				if want, _ := x.Int(); int64(is) != want {
					t.Fatalf("%s: %v at %d: %d", f.Name(), v.Path, v.Offset, is)
				}
			}
		}
	}
}

// A rule that cannot hold is an error that names the field, when the type is first used.
func TestWrongRules(t *testing.T) {
	for _, row := range []struct {
		v    any
		want string
	}{
		{&struct {
			V int `check:"minLenght=1"`
		}{}, `V: unknown rule "minLenght": did you mean minLength?`},
		{&struct {
			V int `check:"minLength=1"`
		}{}, "V: rule minLength does not suit int"},
		{&struct {
			V string `check:"pattern=("`
		}{}, "V: rule pattern: "},
		{&struct {
			V string `check:"minLength"`
		}{}, "V: rule minLength needs a value"},
		{&struct {
			V []int `check:"uniqueItems=1"`
		}{}, "V: rule uniqueItems takes no value"},
		{&struct {
			V netip.Addr `check:"minProperties=1"`
		}{}, "V: rule minProperties does not suit netip.Addr"},
		{&struct {
			V string `check:"minLength=3,maxLength=2"`
		}{}, "V: rule maxLength: nothing can have at least 3 characters and have at most 2 characters"},
		{&struct {
			V string `check:"minLength=-1"`
		}{}, `V: rule minLength: "-1" is not a count`},
		{&struct {
			V int8 `check:"enum=1|300"`
		}{}, `V: rule enum: "300" is not a value of int8`},
		{&struct {
			V uint `check:"maximum=-1"`
		}{}, "V: rule maximum: no uint can be at most -1"},
		{&struct {
			V float64 `check:"minimum=x"`
		}{}, `V: rule minimum: "x" is not a number`},
		{&struct {
			V float64 `check:"multipleOf=0"`
		}{}, `V: rule multipleOf: "0" is not a number greater than 0`},
		{&struct {
			V string `check:"const='a"`
		}{}, "V: const='a: a quote is not closed"},
		{&struct {
			V string `check:"format=uuidd"`
		}{}, `V: rule format: unknown format "uuidd"`},
		{&struct {
			V string `check:"items.minLength=1"`
		}{}, "V: rules of items do not suit string"},
		{&struct {
			V []string `check:"item.minLength=1"`
		}{}, `V: unknown prefix "item" of a rule: it is one of items, keys and values`},
		{&struct {
			V any `check:"minLength=1"`
		}{}, "V: rule minLength does not suit interface {}"},
		{&struct {
			V string `json:"v,omitempty" check:"required"`
		}{}, "V: rule required and omitempty exclude each other"},
		{&struct {
			V string `check:"nullable"`
		}{}, "V: rule nullable does not suit string: opt.Null and opt.Field hold a null"},
		{&struct {
			V int `check:"required,readOnly,writeOnly"`
		}{}, "V: rules readOnly and writeOnly exclude each other"},
		{&struct {
			V []string `check:"items.readOnly"`
		}{}, "V: rule readOnly is for the field of a struct"},
		{&struct {
			V map[string]any `weft:",unknown" check:"keys.pattern=^x,minProperties=1"`
		}{}, "V: the rule of a field for other members is one keys.pattern, which their names match"},
		{&struct{ V wrongEnum }{}, "wrongEnum: the Enum of the rules is a []string: a []weft_test.wrongEnum of scalars is needed"},
	} {
		t.Run(row.want, func(t *testing.T) {
			for _, f := range ruleFormats {
				b, _ := f.MarshalAppend(nil, map[string]any{"V": 1})
				for way, err := range map[string]error{"marshal": second(f.MarshalAppend(nil, row.v)), "unmarshal": f.Unmarshal(b, row.v)} {
					if err == nil || !strings.Contains(err.Error(), row.want) {
						t.Errorf("%s, %s: %v, want %s", f.Name(), way, err, row.want)
					}
				}
			}
		})
	}
}

type wrongEnum string

func (wrongEnum) WeftRules() weft.Rules { return weft.Rules{Enum: []string{"a"}} }

func second(_ []byte, err error) error { return err }
