package weft_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// species is a string of which the type says what it may be.
type species string

func (species) WeftRules() weft.Rules { return weft.Rules{Enum: []species{"cat", "dog", "bird"}} }

// code is an integer with an enumeration.
type code int16

func (code) WeftRules() weft.Rules { return weft.Rules{Enum: []code{400, 404}} }

// slug has the rules of a field in its type.
type slug string

func (slug) WeftRules() weft.Rules { return weft.Rules{Check: "minLength=2,pattern=^[a-z][a-z0-9-]*$"} }

// span says of two of its members what a tag cannot.
type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (span) WeftRules() weft.Rules {
	return weft.Rules{Func: weft.CheckFunc(func(s *span) error {
		if s.From > s.To {
			return errors.New("from must not be after to")
		}
		return nil
	})}
}

// A ruleRow is a value that obeys its rules, one that does not, and what each format says of that one.
type ruleRow struct {
	name      string
	good, bad any
	path, err string
}

func rulesOf[T any](name string, good, bad T, path, err string) ruleRow {
	return ruleRow{name, &struct {
		V T `json:"v"`
	}{good}, &struct {
		V T `json:"v"`
	}{bad}, "/v" + path, err}
}

// Minimum is exported so that it can be embedded by pointer.
type Minimum struct {
	V int `json:"v" check:"minimum=3"`
}

type (
	minimum struct {
		V int `json:"v" check:"minimum=3"`
	}
	maximum struct {
		V int8 `json:"v" check:"maximum=3"`
	}
	above struct {
		V int64 `json:"v" check:"exclusiveMinimum=3"`
	}
	below struct {
		V int32 `json:"v" check:"exclusiveMaximum=3"`
	}
	unsigned struct {
		V uint16 `json:"v" check:"minimum=3,maximum=500"`
	}
	number struct {
		V float64 `json:"v" check:"exclusiveMinimum=0,maximum=1000"`
	}
	single struct {
		V float32 `json:"v" check:"minimum=-0.5,exclusiveMaximum=1.5"`
	}
	times struct {
		V uint `json:"v" check:"multipleOf=7"`
	}
	timesFloat struct {
		V float64 `json:"v" check:"multipleOf=0.01"`
	}
	constant struct {
		V string `json:"v" check:"const='a,b''|c'"`
	}
	flag struct {
		V bool `json:"v" check:"const=true"`
	}
	choice struct {
		V string `json:"v" check:"enum=a|'b|c'|d"`
	}
	choiceInt struct {
		V int `json:"v" check:"enum=1|-2|3"`
	}
	choiceFloat struct {
		V float64 `json:"v" check:"enum=0|1.5"`
	}
	length struct {
		V string `json:"v" check:"minLength=2,maxLength=4"`
	}
	pattern struct {
		V string `json:"v" check:"pattern='^[a-z]{2,3}$'"`
	}
	format struct {
		V string `json:"v" check:"format=uuid"`
	}
	bytesLen struct {
		V []byte `json:"v" check:"maxLength=3"`
	}
	items struct {
		V []string `json:"v" check:"minItems=1,maxItems=3,items.maxLength=2"`
	}
	itemsDeep struct {
		V [][]int `json:"v" check:"items.minItems=1,items.items.minimum=5"`
	}
	arrayItems struct {
		V [2]int `json:"v" check:"items.maximum=5"`
	}
	unique struct {
		V []string `json:"v" check:"uniqueItems"`
	}
	uniqueInts struct {
		V []int `json:"v" check:"uniqueItems"`
	}
	uniqueAny struct {
		V []span `json:"v" check:"uniqueItems"`
	}
	members struct {
		V map[string]int `json:"v" check:"minProperties=1,maxProperties=2"`
	}
	keys struct {
		V map[string]int `json:"v" check:"keys.pattern=^[a-z]+$,values.maximum=9"`
	}
	texts struct {
		V map[species]slug `json:"v" check:"keys.maxLength=3,values.minLength=2"`
	}
	choiceMany struct {
		V string `json:"v" check:"enum=a|b|c|d|e|f"`
	}
	lengthy struct {
		V string `json:"v" check:"minLength=19,maxLength=20"`
	}
	optional struct {
		V opt.Val[string] `json:"v,omitzero" check:"minLength=2"`
	}
	nullable struct {
		V opt.Null[int] `json:"v" check:"minimum=2"`
	}
	either struct {
		V opt.Field[float64] `json:"v,omitzero" check:"maximum=2"`
	}
	behind struct {
		V *string `json:"v" check:"minLength=2"`
	}
	optionalList struct {
		V opt.Val[[]int] `json:"v,omitzero" check:"items.minimum=2"`
	}
	numeral struct {
		V json.Number `json:"v" check:"minimum=2.5"`
	}
	embedding struct {
		*Minimum
		Other int `json:"other"`
	}
)

// manyFields returns a struct of 70 fields, of which F63 and F66 obey a rule.
func manyFields(first, last int) any {
	fields := make([]reflect.StructField, 70)
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[int]()}
	}
	fields[63].Tag, fields[66].Tag = `check:"minimum=3"`, `check:"minimum=3"`
	v := reflect.New(reflect.StructOf(fields))
	v.Elem().Field(63).SetInt(int64(first))
	v.Elem().Field(66).SetInt(int64(last))
	return v.Interface()
}

// ruleRows has a row for each rule and each kind of value that can have it.
var ruleRows = []ruleRow{
	{"minimum", &minimum{3}, &minimum{2}, "/v", "must be at least 3, not 2"},
	{"maximum", &maximum{3}, &maximum{4}, "/v", "must be at most 3, not 4"},
	{"exclusiveMinimum", &above{4}, &above{3}, "/v", "must be greater than 3, not 3"},
	{"exclusiveMaximum", &below{2}, &below{3}, "/v", "must be less than 3, not 3"},
	{"unsigned low", &unsigned{3}, &unsigned{2}, "/v", "must be at least 3, not 2"},
	{"unsigned high", &unsigned{500}, &unsigned{501}, "/v", "must be at most 500, not 501"},
	{"float above", &number{0.5}, &number{0}, "/v", "must be greater than 0, not 0"},
	{"float high", &number{1000}, &number{1000.5}, "/v", "must be at most 1000, not 1000.5"},
	{"float32 low", &single{-0.5}, &single{-0.75}, "/v", "must be at least -0.5, not -0.75"},
	{"float32 below", &single{1.25}, &single{1.5}, "/v", "must be less than 1.5, not 1.5"},
	{"multipleOf", &times{49}, &times{50}, "/v", "must be a multiple of 7, not 50"},
	{"multipleOf of a float", &timesFloat{1.23}, &timesFloat{1.234}, "/v", "must be a multiple of 0.01, not 1.234"},
	{"const", &constant{"a,b'|c"}, &constant{"a"}, "/v", `must be "a,b'|c", not "a"`},
	{"const of a boolean", &flag{true}, &flag{false}, "/v", "must be true, not false"},
	{"enum", &choice{"b|c"}, &choice{"b"}, "/v", `must be one of "a", "b|c", "d", not "b"`},
	{"enum of integers", &choiceInt{-2}, &choiceInt{2}, "/v", "must be one of 1, -2, 3, not 2"},
	{"enum of floats", &choiceFloat{1.5}, &choiceFloat{1}, "/v", "must be one of 0, 1.5, not 1"},
	{"minLength", &length{"äö"}, &length{"ä"}, "/v", "must have at least 2 characters, not 1"},
	{"maxLength", &length{"äöüß"}, &length{"äöüßx"}, "/v", "must have at most 4 characters, not 5"},
	{"pattern", &pattern{"abc"}, &pattern{"abcd"}, "/v", `must match ^[a-z]{2,3}$, not "abcd"`},
	{"format", &format{"00000000-0000-0000-0000-00000000000f"}, &format{"f"}, "/v", `must be a UUID, not "f"`},
	{"maxLength of bytes", &bytesLen{[]byte("abc")}, &bytesLen{[]byte("abcd")}, "/v", "must have at most 3 bytes, not 4"},
	{"minItems", &items{[]string{"a"}}, &items{[]string{}}, "/v", "must have at least 1 element, not 0"},
	{"maxItems", &items{[]string{"a"}}, &items{make([]string, 4)}, "/v", "must have at most 3 elements, not 4"},
	{"items", &items{[]string{"a", "bb"}}, &items{[]string{"a", "bbb"}}, "/v/1", "must have at most 2 characters, not 3"},
	{"items of lists", &itemsDeep{[][]int{{5}}}, &itemsDeep{[][]int{{5}, {5, 4}}}, "/v/1/1", "must be at least 5, not 4"},
	{"items are lists", &itemsDeep{[][]int{{5}}}, &itemsDeep{[][]int{{5}, {}}}, "/v/1", "must have at least 1 element, not 0"},
	{"items of an array", &arrayItems{[2]int{4, 5}}, &arrayItems{[2]int{5, 6}}, "/v/1", "must be at most 5, not 6"},
	{"uniqueItems", &unique{[]string{"a", "b"}}, &unique{[]string{"a", "b", "a"}}, "/v", "must have no two equal elements, as 0 and 2 are"},
	{"uniqueItems, many", &unique{strings.Split("abcdefghijklmnop", "")}, &unique{strings.Split("abcdefghijklmnob", "")}, "/v",
		"must have no two equal elements, as 1 and 15 are"},
	{"uniqueItems of integers", &uniqueInts{[]int{1, 2}}, &uniqueInts{[]int{1, 1}}, "/v", "must have no two equal elements, as 0 and 1 are"},
	{"uniqueItems of structs", &uniqueAny{[]span{{1, 2}, {1, 3}}}, &uniqueAny{[]span{{1, 2}, {1, 3}, {1, 2}}}, "/v",
		"must have no two equal elements, as 0 and 2 are"},
	{"minProperties", &members{map[string]int{"a": 1}}, &members{map[string]int{}}, "/v", "must have at least 1 member, not 0"},
	{"maxProperties", &members{map[string]int{"a": 1}}, &members{map[string]int{"a": 1, "b": 2, "c": 3}}, "/v", "must have at most 2 members, not 3"},
	{"keys", &keys{map[string]int{"a": 1}}, &keys{map[string]int{"a": 1, "B/": 2}}, "/v/B~1", `must match ^[a-z]+$, not "B/"`},
	{"values", &keys{map[string]int{"a": 1}}, &keys{map[string]int{"a": 1, "b": 10}}, "/v/b", "must be at most 9, not 10"},
	{"keys that are strings", &texts{map[species]slug{"cat": "ab"}}, &texts{map[species]slug{"bird": "ab"}}, "/v/bird",
		"must have at most 3 characters, not 4"},
	{"values that are strings", &texts{map[species]slug{"cat": "ab"}}, &texts{map[species]slug{"cat": "a"}}, "/v/cat",
		"must have at least 2 characters, not 1"},
	{"enum of many", &choiceMany{"f"}, &choiceMany{"g"}, "/v", `must be one of "a", "b", "c", "d", "e", "f", not "g"`},
	{"minLength of a long string", &lengthy{"0123456789abcdefäöü"}, &lengthy{"0123456789abcdefäö"}, "/v", "must have at least 19 characters, not 18"},
	{"maxLength of a long string", &lengthy{"0123456789abcdefäöü!"}, &lengthy{"0123456789abcdefäöü!!"}, "/v",
		"must have at most 20 characters, not 21"},
	{"one of the first of many fields", manyFields(3, 3), manyFields(2, 3), "/F63", "must be at least 3, not 2"},
	{"one of the last of many fields", manyFields(3, 3), manyFields(3, 2), "/F66", "must be at least 3, not 2"},
	{"an option", &optional{opt.ValOf("ab")}, &optional{opt.ValOf("a")}, "/v", "must have at least 2 characters, not 1"},
	{"an option that is absent", &optional{}, &optional{opt.ValOf("")}, "/v", "must have at least 2 characters, not 0"},
	{"a nullable value", &nullable{opt.NullOf(2)}, &nullable{opt.NullOf(1)}, "/v", "must be at least 2, not 1"},
	{"a nullable value that is null", &nullable{}, &nullable{opt.NullOf(0)}, "/v", "must be at least 2, not 0"},
	{"an optional nullable value", &either{opt.FieldOf(2.0)}, &either{opt.FieldOf(2.5)}, "/v", "must be at most 2, not 2.5"},
	{"an optional list", &optionalList{opt.ValOf([]int{2})}, &optionalList{opt.ValOf([]int{2, 1})}, "/v/1", "must be at least 2, not 1"},
	{"behind a pointer", &behind{new("ab")}, &behind{new("a")}, "/v", "must have at least 2 characters, not 1"},
	{"a nil pointer", &behind{}, &behind{new("")}, "/v", "must have at least 2 characters, not 0"},
	{"a nil slice that is null", &nullableList{}, &nullableList{[]string{}}, "/v", "must have at least 1 element, not 0"},
	{"a nil map that is null", &nullableMap{}, &nullableMap{map[string]int{}}, "/v", "must have at least 1 member, not 0"},
	{"nil bytes that are null", &nullableBytes{}, &nullableBytes{[]byte("a")}, "/v", "must have at least 2 bytes, not 1"},
	{"a nil slice of a type with rules", &nullableType{}, &nullableType{ruledList{}}, "/v", "must have at least 1 element, not 0"},
	{"json.Number", &numeral{"2.5"}, &numeral{"2.25"}, "/v", `must be at least 2.5, not "2.25"`},
	{"below an embedded pointer", &embedding{&Minimum{3}, 1}, &embedding{&Minimum{1}, 1}, "/v", "must be at least 3, not 1"},

	rulesOf[species]("a type's enum", "cat", "cow", "", `must be a value of species, not "cow"`),
	rulesOf[code]("a type's enum of integers", 404, 405, "", "must be a value of code, not 405"),
	rulesOf[slug]("a type's words", "ab-c", "Ab", "", `must match ^[a-z][a-z0-9-]*$, not "Ab"`),
	rulesOf("a type's function", span{1, 2}, span{2, 1}, "", "from must not be after to"),
	rulesOf("elements of a type", []species{"cat"}, []species{"cat", "cow"}, "/1", `must be a value of species, not "cow"`),
	rulesOf("elements with a function", []span{{1, 2}}, []span{{1, 2}, {2, 1}}, "/1", "from must not be after to"),
	rulesOf("values of a map", map[string]code{"a": 400}, map[string]code{"a": 1}, "/a", "must be a value of code, not 1"),
	rulesOf("behind pointers", new(new(species("cat"))), new(new(species("cow"))), "", `must be a value of species, not "cow"`),
	rulesOf("an option of a type", opt.ValOf(species("cat")), opt.ValOf(species("cow")), "", `must be a value of species, not "cow"`),
	rulesOf("an option of a struct", opt.ValOf(span{1, 2}), opt.ValOf(span{2, 1}), "", "from must not be after to"),
	rulesOf("a struct in a list", []minimum{{3}}, []minimum{{3}, {2}}, "/1/v", "must be at least 3, not 2"),

	formatRow("byte", "YQ==", "a base64 string"),
	formatRow("date", "2024-02-29", "a date"),
	formatRow("date-time", "2024-02-29T12:00:00Z", "a date-time"),
	formatRow("decimal", "1.5", "a decimal"),
	formatRow("duration", "P1D", "a duration"),
	formatRow("email", "a@b.example", "an email address"),
	formatRow("ipv4", "127.0.0.1", "an IPv4 address"),
	formatRow("ipv6", "::1", "an IPv6 address"),
	formatRow("time", "12:00:00Z", "a time"),
	formatRow("uri", "https://example.com/", "a URI"),
	formatRow("uuid", "00000000-0000-0000-0000-00000000000f", "a UUID"),
}

// fresh returns a pointer to a new zero value of the type that ptr points to.
func fresh(ptr any) any { return reflect.New(reflect.TypeOf(ptr).Elem()).Interface() }

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

// Every format refuses what breaks a rule, says which one and where, and takes what does not.
func TestRules(t *testing.T) {
	for _, f := range ruleFormats {
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
	err = f.Unmarshal(b, fresh(r.bad))
	at, ok := errors.AsType[*weft.Error](err)
	switch {
	case !ok:
		return fmt.Errorf("%+v: %w", r.bad, err)
	case at.Path != r.path || at.Err.Error() != r.err:
		return fmt.Errorf("%w; want %s at %s", err, r.err, r.path)
	case f.Name() == "value" && at.Offset != -1, f.Name() != "value" && (at.Offset < 0 || at.Offset >= int64(len(b))):
		return fmt.Errorf("offset %d of %d bytes", at.Offset, len(b))
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
		if err := schema.Validate(row.v); (err == nil) != (row.want == "") || err != nil && !strings.HasSuffix(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %s", row.v, err, row.want)
		}
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
	for _, f := range ruleFormats {
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
			V string `check:"minLength=3,maxLength=2"`
		}{}, "V: rule maxLength: nothing can have at least 3 characters and have at most 2 characters"},
		{&struct {
			V string `check:"minLength=-1"`
		}{}, `V: rule minLength: "-1" is not a count`},
		{&struct {
			V int8 `check:"enum=1|300"`
		}{}, `V: rule enum: "300" is no value of int8`},
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
		for _, f := range ruleFormats {
			b, _ := f.MarshalAppend(nil, map[string]any{"V": 1})
			for way, err := range map[string]error{"marshal": second(f.MarshalAppend(nil, row.v)), "unmarshal": f.Unmarshal(b, row.v)} {
				if err == nil || !strings.Contains(err.Error(), row.want) {
					t.Errorf("%s, %s: %v, want %s", f.Name(), way, err, row.want)
				}
			}
		}
	}
}

type wrongEnum string

func (wrongEnum) WeftRules() weft.Rules { return weft.Rules{Enum: []string{"a"}} }

func second(_ []byte, err error) error { return err }
