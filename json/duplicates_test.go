package json_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
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
