package weft_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
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

// grade is a kind of integer.
type grade int32

// roster ends in a list, of which it says something as a whole.
type roster struct {
	Name string `json:"name,omitzero"`
	Nums []int  `json:"nums,omitzero" check:"items.maximum=9"`
}

func (roster) WeftRules() weft.Rules {
	return weft.Rules{Func: weft.CheckFunc(func(r *roster) error {
		if len(r.Nums) != 2 {
			return errors.New("must have two numbers")
		}
		return nil
	})}
}

// window says of one of its members what a tag cannot.
type window struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (window) WeftRules() weft.Rules {
	return weft.Rules{Func: weft.CheckFunc(func(w *window) error {
		if w.From > w.To {
			return weft.Violation{Path: "/to", Offset: -1, Err: errors.New("must not be before from")}
		}
		return nil
	})}
}

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
	signed struct {
		V int8 `json:"v" check:"minimum=-1,maximum=1"`
	}
	graded struct {
		V grade `json:"v" check:"minimum=1"`
	}
	times struct {
		V uint `json:"v" check:"multipleOf=7"`
	}
	timesSigned struct {
		V int64 `json:"v" check:"multipleOf=3"`
	}
	timesTenth struct {
		V float64 `json:"v" check:"multipleOf=0.1"`
	}
	timesTiny struct {
		V float64 `json:"v" check:"multipleOf=0.123456789"`
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
	space struct {
		V string `json:"v" check:"pattern='^\\s$'"`
	}
	atLeast struct {
		V string `json:"v" check:"minLength=1"`
	}
	exactly struct {
		V string `json:"v" check:"minLength=2,maxLength=2"`
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
	numeralHigh struct {
		V json.Number `json:"v" check:"maximum=9007199254740992"`
	}
	numeralAbove struct {
		V json.Number `json:"v" check:"exclusiveMinimum=9007199254740992"`
	}
	numeralTimes struct {
		V json.Number `json:"v" check:"multipleOf=3"`
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

// upTo returns the numbers from 0 to n-2, and last.
func upTo(n, last int) []int {
	list := make([]int, n)
	for i := range n - 1 {
		list[i] = i
	}
	list[n-1] = last
	return list
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
	{"negative low", &signed{-1}, &signed{-2}, "/v", "must be at least -1, not -2"},
	{"negative high", &signed{1}, &signed{2}, "/v", "must be at most 1, not 2"},
	{"a kind of integer", &graded{1}, &graded{0}, "/v", "must be at least 1, not 0"},
	{"multipleOf of a negative number", &timesSigned{-9}, &timesSigned{-10}, "/v", "must be a multiple of 3, not -10"},
	{"multipleOf of a tenth", &timesTenth{0.3}, &timesTenth{0.35}, "/v", "must be a multiple of 0.1, not 0.35"},
	{"multipleOf of a large float", &timesTiny{0.123456789}, &timesTiny{1e308}, "/v", "must be a multiple of 0.123456789, not 1e+308"},
	{"multipleOf of a float", &timesFloat{1.23}, &timesFloat{1.234}, "/v", "must be a multiple of 0.01, not 1.234"},
	{"const", &constant{"a,b'|c"}, &constant{"a"}, "/v", `must be "a,b'|c", not "a"`},
	{"const of a boolean", &flag{true}, &flag{false}, "/v", "must be true, not false"},
	{"enum", &choice{"b|c"}, &choice{"b"}, "/v", `must be one of "a", "b|c", "d", not "b"`},
	{"enum of integers", &choiceInt{-2}, &choiceInt{2}, "/v", "must be one of 1, -2, 3, not 2"},
	{"enum of floats", &choiceFloat{1.5}, &choiceFloat{1}, "/v", "must be one of 0, 1.5, not 1"},
	{"minLength", &length{"äö"}, &length{"ä"}, "/v", "must have at least 2 characters, not 1"},
	{"maxLength", &length{"äöüß"}, &length{"äöüßx"}, "/v", "must have at most 4 characters, not 5"},
	{"pattern", &pattern{"abc"}, &pattern{"abcd"}, "/v", `must match ^[a-z]{2,3}$, not "abcd"`},
	{"pattern of ECMA-262", &space{"\u00a0"}, &space{"x"}, "/v", `must match ^\s$, not "x"`},
	{"pattern, a long string", &pattern{"ab"}, &pattern{strings.Repeat("x", 100)}, "/v",
		`must match ^[a-z]{2,3}$, not "` + strings.Repeat("x", 64) + `"…`},
	{"minLength alone", &atLeast{strings.Repeat("x", 99)}, &atLeast{""}, "/v", "must have at least 1 character, not 0"},
	{"minLength of wide characters", &exactly{"日本"}, &exactly{"日"}, "/v", "must have at least 2 characters, not 1"},
	{"maxLength of wide characters", &exactly{"日本"}, &exactly{"日本語"}, "/v", "must have at most 2 characters, not 3"},
	{"format, a wrong letter", &format{"01234567-89ab-CDEF-0123-456789abcdef"}, &format{"g1234567-89ab-cdef-0123-456789abcdef"}, "/v",
		`must be a UUID, not "g1234567-89ab-cdef-0123-456789abcdef"`},
	{"format, a wrong dash", &format{"01234567-89ab-cdef-0123-456789abcdef"}, &format{"012345670-89a-cdef-0123-456789abcdef"}, "/v",
		`must be a UUID, not "012345670-89a-cdef-0123-456789abcdef"`},
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
	{"uniqueItems of many integers", &uniqueInts{upTo(40, 39)}, &uniqueInts{upTo(40, 3)}, "/v",
		"must have no two equal elements, as 3 and 39 are"},
	{"uniqueItems of integers", &uniqueInts{[]int{1, 2}}, &uniqueInts{[]int{1, 1}}, "/v", "must have no two equal elements, as 0 and 1 are"},
	{"Func of a member", &window{1, 2}, &window{2, 1}, "/to", "must not be before from"},
	{"uniqueItems of structs", &uniqueAny{[]span{{1, 2}, {1, 3}}}, &uniqueAny{[]span{{1, 2}, {1, 3}, {1, 2}}}, "/v",
		"must have no two equal elements, as 0 and 2 are"},
	{"minProperties", &members{map[string]int{"a": 1}}, &members{map[string]int{}}, "/v", "must have at least 1 member, not 0"},
	{"maxProperties", &members{map[string]int{"a": 1}}, &members{map[string]int{"a": 1, "b": 2, "c": 3}}, "/v",
		"must have at most 2 members, not 3"},
	{"keys", &keys{map[string]int{"a": 1}}, &keys{map[string]int{"a": 1, "B/": 2}}, "/v/B~1", `must match ^[a-z]+$, not "B/"`},
	{"values", &keys{map[string]int{"a": 1}}, &keys{map[string]int{"a": 1, "b": 10}}, "/v/b", "must be at most 9, not 10"},
	{"keys that are strings", &texts{map[species]slug{"cat": "ab"}}, &texts{map[species]slug{"bird": "ab"}}, "/v/bird",
		"must have at most 3 characters, not 4"},
	{"values that are strings", &texts{map[species]slug{"cat": "ab"}}, &texts{map[species]slug{"cat": "a"}}, "/v/cat",
		"must have at least 2 characters, not 1"},
	{"enum of many", &choiceMany{"f"}, &choiceMany{"g"}, "/v", `must be one of "a", "b", "c", "d", "e", "f", not "g"`},
	{"minLength of a long string", &lengthy{"0123456789abcdefäöü"}, &lengthy{"0123456789abcdefäö"}, "/v",
		"must have at least 19 characters, not 18"},
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
	{"json.Number beyond float64", &numeralHigh{"9007199254740992"}, &numeralHigh{"9007199254740993"}, "/v",
		`must be at most 9007199254740992, not "9007199254740993"`},
	{"json.Number above", &numeralAbove{"9007199254740993"}, &numeralAbove{"9007199254740992"}, "/v",
		`must be greater than 9007199254740992, not "9007199254740992"`},
	{"multipleOf of a json.Number", &numeralTimes{"9007199254740993"}, &numeralTimes{"9007199254740995"}, "/v",
		`must be a multiple of 3, not "9007199254740995"`},
	{"multipleOf of a float next to one", &timesTenth{0.7}, &timesTenth{0.1 + 0.2 + 0x1p-54}, "/v",
		"must be a multiple of 0.1, not 0.30000000000000004"},
	{"multipleOf of a float beyond 1e15", &timesFloat{1e22}, &timesFloat{0.0100000000001}, "/v",
		"must be a multiple of 0.01, not 0.0100000000001"},
	{"below an embedded pointer", &embedding{&Minimum{3}, 1}, &embedding{&Minimum{1}, 1}, "/v", "must be at least 3, not 1"},

	rulesOf[species]("a type's enum", "cat", "cow", "", `must be a value of species, not "cow"`),
	rulesOf[code]("a type's enum of integers", 404, 405, "", "must be a value of code, not 405"),
	rulesOf[slug]("a type's words", "ab-c", "Ab", "", `must match ^[a-z][a-z0-9-]*$, not "Ab"`),
	rulesOf("a type's function", span{1, 2}, span{2, 1}, "", "from must not be after to"),
	rulesOf("what ends in a list", roster{Nums: []int{1, 2}}, roster{Nums: []int{1, 2, 3}}, "", "must have two numbers"),
	rulesOf("what has no members", roster{Nums: []int{1, 2}}, roster{}, "", "must have two numbers"),
	rulesOf("an element before the end", roster{"a", []int{1, 2}}, roster{"a", []int{2000, 3}}, "/nums/0", "must be at most 9, not 2000"),
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
