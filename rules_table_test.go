package weft_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/weftcodec/weft"
)

// formatRow has a value of a format, and what one of another must be.
func formatRow(name, good, want string) ruleRow {
	tag := reflect.StructTag(`json:"v" check:"format=` + name + `"`)
	t := reflect.StructOf([]reflect.StructField{{Name: "V", Type: reflect.TypeFor[string](), Tag: tag}})
	row := ruleRow{"format " + name, reflect.New(t).Interface(), reflect.New(t).Interface(), "/v", "must be " + want + `, not "none %"`}
	reflect.ValueOf(row.good).Elem().Field(0).SetString(good)
	reflect.ValueOf(row.bad).Elem().Field(0).SetString("none %")
	return row
}

// A wordRow is a text that obeys what a word or a field of weft.Rules says, and one that does not.
type wordRow struct {
	word      string
	v         any
	good, bad string
	opts      weft.Options
}

type (
	requiredOne struct {
		V int `json:"v" check:"required"`
	}
	nullableOne struct {
		V []int `json:"v,omitzero" check:"nullable"`
		W []int `json:"w,omitzero"`
	}
)

type (
	nullableList struct {
		V []string `json:"v" check:"nullable,minItems=1"`
	}
	nullableMap struct {
		V map[string]int `json:"v" check:"nullable,minProperties=1"`
	}
	nullableBytes struct {
		V []byte `json:"v" check:"nullable,minLength=2"`
	}
	nullableType struct {
		V ruledList `json:"v" check:"nullable"`
	}
	ruledList []int
)

func (nullableList) WeftRules() weft.Rules  { return weft.Rules{Strict: true} }
func (nullableMap) WeftRules() weft.Rules   { return weft.Rules{Strict: true} }
func (nullableBytes) WeftRules() weft.Rules { return weft.Rules{Strict: true} }
func (nullableType) WeftRules() weft.Rules  { return weft.Rules{Strict: true} }
func (ruledList) WeftRules() weft.Rules     { return weft.Rules{Check: "minItems=1"} }

func (nullableOne) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// wordRows has what ruleRows does not: words that say what is told of a member, and declarations of types.
var wordRows = []wordRow{
	{"required", new(requiredOne), `{"v":0}`, `{}`, weft.Options{}},
	{"readOnly", new(account), `{"name":"a","id":1}`, `{"name":"a"}`, weft.AsResponse(true)},
	{"writeOnly", new(account), `{"name":"a","secret":"bc"}`, `{"name":"a"}`, weft.AsRequest(true)},
	{"nullable", new(nullableOne), `{"v":null}`, `{"w":null}`, weft.Options{}},
	{"Strict", new(strictPart), `{"s":""}`, `{"s":null}`, weft.Options{}},
	{"Closed", new(closed), `{"v":1}`, `{"v":1,"w":2}`, weft.Options{}},
	{"Schema", new(either2), `{"a":1}`, `{"a":1,"b":2}`, weft.Options{}},
	{"Union", new(closedOne), `{"w":2}`, `{"v":2,"w":1}`, weft.Options{}},
	{"Cases", new([]varKind), `["a",1.5]`, `[{"q":1}]`, weft.Options{}},
	{"Discriminator", new(varTag), `{"kind":"cage","bars":1}`, `{"kind":"x","bars":1}`, weft.Options{}},
	{"OneOf", new(varOne), `{"n":1}`, `{"n":10}`, weft.Options{}},
	{"Parts", new(partPet), `{"name":"Rex"}`, `{}`, weft.Options{}},
	{"Enum", new([]species), `["cat"]`, `["cow"]`, weft.Options{}},
	{"Check", new([]slug), `["ab"]`, `["A"]`, weft.Options{}},
	{"Func", new(span), `{"from":1,"to":2}`, `{"from":2,"to":1}`, weft.Options{}},
	{"Wrapper", new(map[string]wrappedDate), `{"k":"2024-01-02"}`, `{"k":null}`, weft.Options{}},
	{"keys.pattern", new(pickedClosed), `{"v":1,"x-a":"b"}`, `{"v":1,"y":"b"}`, weft.Options{}},
}

// fault returns what is wrong with what the format says of the texts, nil if nothing is.
func (r *wordRow) fault(t *testing.T, f weft.Format) error {
	if err := f.Unmarshal(encodedAs(t, f, r.good), fresh(r.v), r.opts); err != nil {
		return fmt.Errorf("%s is refused: %w", r.good, err)
	}
	err := f.Unmarshal(encodedAs(t, f, r.bad), fresh(r.v), r.opts)
	if _, ok := errors.AsType[*weft.Error](err); !ok {
		return fmt.Errorf("%s: %w", r.bad, cmp.Or(err, errors.New("taken")))
	}
	return nil
}

// Every format holds every rule that docs/rules.md names: what obeys it is taken, what does not is refused. The table
// that is printed has the number of cases of each word and format.
func TestRuleTable(t *testing.T) {
	text, err := os.ReadFile("docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, line := range regexp.MustCompile(`(?m)^\|.*`).FindAllString(string(text), -1) {
		line, _, _ = strings.Cut(strings.ReplaceAll(line[1:], `\|`, ""), "|")
		for _, m := range regexp.MustCompile("`([A-Za-z.]+)").FindAllStringSubmatch(line, -1) {
			if !strings.HasPrefix(m[1], "weft.") {
				words = append(words, m[1])
			}
		}
	}
	cases := make(map[string]map[string]int) // by word and format
	for _, f := range strictFormats {
		add := func(word string, err error) {
			if err != nil {
				t.Errorf("%s: %s: %v", f.Name(), word, err)
				return
			}
			if cases[word] == nil {
				cases[word] = make(map[string]int)
			}
			cases[word][f.Name()]++
		}
		for _, r := range ruleRows {
			for _, word := range wordsIn(reflect.TypeOf(r.good)) {
				add(word, r.fault(f))
			}
		}
		for _, r := range wordRows {
			add(r.word, r.fault(t, f))
		}
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, f := range strictFormats {
		fmt.Fprint(w, "\t", f.Name())
	}
	for _, word := range words {
		if word == "Default" {
			continue // refuses nothing: TestDefaultAndClosed
		}
		if strings.HasSuffix(word, ".WORD") {
			word = strings.TrimSuffix(word, "WORD")
		}
		fmt.Fprint(w, "\n", word)
		for _, f := range strictFormats {
			n := cases[word][f.Name()]
			if fmt.Fprint(w, "\t", n); n == 0 {
				t.Errorf("no case of %s for %s", word, f.Name())
			}
		}
	}
	w.Flush()
	t.Logf("%d words\n%s", len(words), table.String())
}

// wordsIn returns the words that the tags of the struct behind t have, without what they are of, and the prefixes.
func wordsIn(t reflect.Type) (words []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	word := regexp.MustCompile(`(?:^|,)((?:items\.|keys\.|values\.)*)([a-zA-Z]+)`)
	for i := range t.NumField() {
		for _, m := range word.FindAllStringSubmatch(t.Field(i).Tag.Get("check"), -1) {
			words = append(words, m[2])
			if m[1] != "" {
				words = append(words, m[1][:strings.Index(m[1], ".")+1])
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
