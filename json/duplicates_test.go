package json_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
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
				form := []string{`"name%d":-1.5e3`, `"%d" : "name1"`, `"a long name with %d in it":[{"x":[]},true]`, `"n\u0061me%d":{"name1":null}`}[k%4]
				if k != i && k%4 == 3 {
					form = `"name%d":1` // the same without its escape
				}
				text = fmt.Appendf(text, form, k)
			}
			text = append(text, `}, {"name1":1,"name0":2}]`...)
			var v any
			err := json.UnmarshalWith(text, &v, json.AllowDuplicateNames(false))
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

// TestDuplicateNamesRandom compares with the tokens of package jsontext, which keeps its own account of names: objects that
// are much alike, within and beside each other, with one name twice now and then, and such texts cut or spoilt.
func TestDuplicateNamesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	names := []string{"a", "b", "kids", "name", "a longer name", "caf\u00e9", `\u0063`, "", "x"}
	var object func(depth int) string
	object = func(depth int) string {
		s, n := "{", r.IntN(len(names))
		from := r.IntN(3)
		for i := range n {
			name := names[(from+i)%len(names)]
			if r.IntN(60) == 0 {
				name = names[r.IntN(len(names))]
			}
			value := []string{"1.5e3", "true", `"a"`, `"\\\""`, "[]", "{}"}[r.IntN(6)]
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
		err := json.UnmarshalWith(text, &v, json.AllowDuplicateNames(false))
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
