package json_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/opt"
)

// TestDuplicateNames looks for two equal names among few and many, in objects before and within which there are others.
func TestDuplicateNames(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 7, 15, 16, 17, 18, 40, 63, 64, 65, 300} {
		for range 20 {
			first, second := r.IntN(n), r.IntN(n)
			text, at := []byte(`[{"a":{"a":1},"b":{"a":"a"}}, {`), -1
			for i := range n {
				if i > 0 {
					text = append(text, ", "...)
				}
				k, where := i, len(text)
				if i == second && first < second {
					k, at = first, where
				}
				form := []string{
					`"name%d":-1.5e3`, `"%d" : "name1"`, `"a long name with %d in it":[{"x":[]},true]`, `"n\u0061me%d":{"name1":null}`,
				}[k%4]
				if k != i && k%4 == 3 {
					form = `"name%d":1` // the same without its escape
				}
				text = fmt.Appendf(text, form, k)
			}
			text = append(text, `}, {"name1":1,"name0":2}]`...)
			var v any
			err := json.UnmarshalWith(text, &v, jsontext.AllowDuplicateNames(false))
			var e *weft.Error
			switch {
			case at < 0 && err != nil, at >= 0 && !errors.Is(err, weft.ErrDuplicateName):
				t.Fatalf("%s: %v", text, err)
			case at >= 0 && (!errors.As(err, &e) || e.Offset != int64(at)):
				t.Fatalf("%s: %v, want offset %d", text, err, at)
			}
		}
	}
}

// objectOf returns the text of an object of n members, in the place of whose values objects stand half of the time where
// depth is left, by themselves or in pairs.
func objectOf(r *rand.Rand, n, depth int, object func(depth int) string, member func(i int) (name, value string)) string {
	s := "{"
	for i := range n {
		name, value := member(i)
		if depth > 0 && r.IntN(2) == 0 {
			value = object(depth - 1)
			if r.IntN(2) == 0 {
				value = "[" + value + ", " + object(depth-1) + "]"
			}
		}
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf("\"%s\" :%s", name, value)
	}
	return s + "}"
}

// TestDuplicateNamesRandom compares with the tokens of package jsontext, which keeps its own account of names: objects that
// are much alike, within and beside each other, with one name twice now and then, and such texts cut or spoilt.
func TestDuplicateNamesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	names := []string{"a", "b", "kids", "name", "a longer name", "caf\u00e9", `\u0063`, "", "x"}
	var object func(depth int) string
	object = func(depth int) string {
		n, from := r.IntN(len(names)), r.IntN(3)
		return objectOf(r, n, depth, object, func(i int) (name, value string) {
			name = names[(from+i)%len(names)]
			if r.IntN(60) == 0 {
				name = names[r.IntN(len(names))]
			}
			return name, []string{"1.5e3", "true", `"a"`, `"\\\""`, "[]", "{}"}[r.IntN(6)]
		})
	}
	found := 0
	for range 4000 {
		text := []byte(object(3))
		if r.IntN(4) == 0 {
			text[r.IntN(len(text))] = `{}[]",:\x1`[r.IntN(10)]
		}
		if r.IntN(8) == 0 {
			text = text[:r.IntN(len(text))]
		}
		want := int64(-1)
		if valid := json.Valid(text); valid {
			d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true))
			for {
				if _, err := d.ReadToken(); err != nil {
					var e *jsontext.SyntacticError
					if errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &e) {
						want = e.ByteOffset
						found++
					} else if err != io.EOF {
						t.Fatalf("%s: %v", text, err)
					}
					break
				}
			}
		}
		var v any
		err := json.UnmarshalWith(text, &v, jsontext.AllowDuplicateNames(false))
		var e *weft.Error
		got := int64(-1)
		if errors.Is(err, weft.ErrDuplicateName) && errors.As(err, &e) {
			got = e.Offset
		}
		if got != want {
			t.Fatalf("%s: %v, want offset %d", text, err, want)
		}
	}
	if found < 100 {
		t.Errorf("only %d texts have a name twice", found)
	}
}

type (
	// dupFew has some of the names, so that the members of the others are skipped.
	dupFew struct {
		Kids *dupFew `json:"kids"`
		A    any     `json:"a"`
		X    any     `json:"x"`
	}
	dupMost struct {
		Name   any             `json:"name"`
		Longer json.RawMessage `json:"a longer name"`
		Kids   any             `json:"kids"`
		B      map[string]any  `json:"b"`
		A      any             `json:"a"`
		X      map[string]any  `json:"x"`
	}
	dupLists struct {
		Kids []dupLists           `json:"kids"`
		X    map[dupName]dupLists `json:"x"`
		A    [2]any               `json:"a"`
		Name *string              `json:"name"`
	}
	dupName  string
	dupPlain struct {
		X    string            `json:"x"`
		B    opt.Field[string] `json:"b"`
		A    string            `json:"a"`
		Kids string            `json:"kids"`
		Name string            `json:"name"`
	}
)

// TestStrictV2 compares what V2 refuses for names that are there twice and for halves of surrogate pairs, wherever in
// a target of whatever type they stand, with what the options for these alone refuse before they decode.
func TestStrictV2(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	names := []string{"a", "b", "kids", "name", "a longer name", "caf\u00e9", `\u0063`, "c", "x", "A", `\u006b\u0069ds`}
	scalars := []string{"1.5e3", "true", `"a"`, `"\\\""`, "[]", "{}", "null", `"\ud83d\ude00"`, `["x",[1,"\u00e9"],"\n"]`}
	plain := false // the members are strings
	var object func(depth int) string
	object = func(depth int) string {
		n, from := r.IntN(len(names)), r.IntN(3)
		if depth == 0 && r.IntN(20) == 0 {
			n = 90 // more than is distinguished one by one
		}
		if plain {
			depth = 0
		}
		return objectOf(r, n, depth, object, func(i int) (name, value string) {
			name = fmt.Sprint(i)
			if i < len(names) {
				name = names[(from+i)%len(names)]
			}
			if r.IntN(60) == 0 && n < 90 || r.IntN(600) == 0 {
				name = names[r.IntN(len(names))]
			}
			if r.IntN(600) == 0 {
				name = `x\ude00`
			}
			value = scalars[r.IntN(len(scalars))]
			if plain {
				value = `"a"`
			}
			if r.IntN(600) == 0 {
				value = `["\ud83d", "\\ud83d"]`
			}
			return name, value
		})
	}
	var fields []reflect.StructField
	for i := range 300 {
		name := fmt.Sprint(i * 7 % 300)
		if i%50 == 0 {
			name = names[i/50]
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("F", i),
			Type: reflect.TypeFor[any](),
			Tag:  reflect.StructTag("json:\"" + name + "\""),
		})
	}
	types := []reflect.Type{
		reflect.StructOf(fields),
		reflect.TypeFor[any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]json.RawMessage](),
		reflect.TypeFor[map[dupName]string](), reflect.TypeFor[dupPlain](), reflect.TypeFor[struct{}](),
		reflect.TypeFor[dupFew](), reflect.TypeFor[dupMost](), reflect.TypeFor[dupLists](),
		reflect.TypeFor[map[dupName]dupFew](),
		reflect.TypeFor[map[dTextString]dupMost](), reflect.TypeFor[map[string]string](), reflect.TypeFor[*json.RawMessage](),
		reflect.TypeFor[struct{ Kids dupJSON }](),
	}
	read, refused := 0, 0
	for k := range 5000 {
		plain = r.IntN(2) == 0
		text := []byte(object(2))
		if r.IntN(8) == 0 {
			text[r.IntN(len(text))] = `{}[]",:\x1`[r.IntN(10)]
		}
		var raw json.RawMessage
		want := json.UnmarshalWith(text, &raw, jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false))
		typ := types[k%len(types)]
		p := reflect.New(typ)
		err := json.UnmarshalWith(text, p.Interface(), json.V2())
		switch {
		case want == nil && (errors.Is(err, weft.ErrDuplicateName)):
			t.Fatalf("%v: %s: %v", typ, text, err)
		case want == nil:
			read++
		case err == nil || err.Error() != want.Error():
			t.Fatalf("%v: %s: %v, want %v", typ, text, err, want)
		default:
			refused++
		}
		if want != nil && !p.Elem().IsZero() {
			t.Fatalf("%v: %s: it is refused and leaves %v", typ, text, p.Elem())
		}
		if want == nil && err == nil {
			q := reflect.New(typ)
			if err := json.UnmarshalWith(text, q.Interface(), json.V2(), jsontext.AllowDuplicateNames(true),
				jsontext.AllowInvalidUTF8(true)); err != nil || !reflect.DeepEqual(p.Interface(), q.Interface()) {
				t.Fatalf("%v: %s: %v, %v with duplicates allowed: %v", typ, text, p.Elem(), q.Elem(), err)
			}
		}
	}
	if read < 500 || refused < 500 {
		t.Errorf("%d texts are read, %d refused", read, refused)
	}
}

// dTextString and dupJSON have methods, before whose calls the whole text is looked at.
type (
	dTextString string
	dupJSON     struct{ text string }
)

func (s *dTextString) UnmarshalText(b []byte) error { *s = dTextString(b); return nil }
func (v *dupJSON) UnmarshalJSON(b []byte) error     { v.text = string(b); return nil }

// TestFoldedOrders reads lists of objects with some of their members, in orders that change: none is a duplicate, and
// what is required is missed where it is not there.
func TestFoldedOrders(t *testing.T) {
	type folded struct {
		F0 *int
		F1 []int
		F2 string
		F3 *int `json:",case:ignore"`
	}
	type required struct {
		F0 *int   `check:"required"`
		F1 []int  //
		F2 string `check:"required"`
		F3 *int   `json:",case:ignore"`
	}
	members := []string{`"F0":1`, `"F1":[1]`, `"F2":"x"`, `"f3":2`}
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		missing := false
		text := []byte("[")
		for range 3 {
			order := r.Perm(4)[:1+r.IntN(4)]
			missing = missing || !slices.Contains(order, 0) || !slices.Contains(order, 2)
			text = append(text, '{')
			for _, k := range order {
				text = append(append(text, members[k]...), ',')
			}
			text = append(text[:len(text)-1], "},"...)
		}
		text[len(text)-1] = ']'
		if err := json.UnmarshalWith(text, new([]folded), json.V2()); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		err := json.UnmarshalWith(text, new([]required), json.V2())
		if got := errors.As(err, new(*weft.MissingError)); got != missing || err != nil && !got {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// TestHalfPairs has texts made of escapes and backslashes refused where the text of jsontext is: as a member without a
// field, which is skipped, and as a whole.
func TestHalfPairs(t *testing.T) {
	pieces := []string{
		`\u0041`, `\ud800`, `\uDBff`, `\udc00`, `\uDFFF`, `\ud7ff`, `\uE000`, `\ud83d\ude00`, `\\`, `\"`, `\n`, "u", "d800", "x",
	}
	r := rand.New(rand.NewPCG(20, 26))
	refused := 0
	for range 20_000 {
		text := []byte(`{"a":"`)
		for range r.IntN(6) {
			text = append(text, pieces[r.IntN(len(pieces))]...)
		}
		text = append(text, `"}`...)
		want := jsontext.Value(text).IsValid()
		if !want {
			refused++
		}
		for _, opt := range []json.Options{json.V2(), jsontext.AllowInvalidUTF8(false)} {
			var s struct{ B int }
			if err := json.UnmarshalWith(text, &s, opt); (err == nil) != want {
				t.Fatalf("%s: %v, want an error: %t", text, err, !want)
			}
		}
	}
	if refused < 2_000 || refused > 18_000 {
		t.Errorf("%d are refused", refused)
	}
}
