package json_test

import (
	stdjson "encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft/json"
)

// TestLongLists: lists are the same whatever lists of the type have been read before, and a short one after long ones has
// memory of its own.
func TestLongLists(t *testing.T) {
	type row struct {
		ID   int
		Name string
		Tags []string
		Pad  [8]int
	}
	type page struct{ Rows []row }
	one := `{"ID":7,"Name":"n","Tags":["a","b\n"]}`
	rows := func(n int) string { return `{"Rows":[` + strings.Repeat(one+",", n-1) + one + `]}` }
	texts := []string{rows(100), rows(100), rows(100), rows(101), rows(3), rows(100), rows(100), `{"Rows":[]}`, rows(300), rows(300), rows(2),
		rows(200), rows(200), strings.Replace(rows(200), "7", `"no"`, 1), rows(200), strings.Replace(rows(199), "]}]", "}]", 1), rows(200),
		strings.Replace(rows(200), "[{", "[null,1,{", 1), `{"Rows":null}`, rows(150)}
	for range 3 {
		for k, text := range texts {
			var got, want page
			err, stdErr := json.Unmarshal([]byte(text), &got), stdjson.Unmarshal([]byte(text), &want)
			if (err == nil) != (stdErr == nil) || !reflect.DeepEqual(got, want) {
				t.Fatalf("text %d: %d rows, %v, want %d, %v", k, len(got.Rows), err, len(want.Rows), stdErr)
			}
			if c := cap(got.Rows); c > 2*len(got.Rows)+1 {
				t.Errorf("text %d: %d rows in memory of %d", k, len(got.Rows), c)
			}
		}
	}
}
