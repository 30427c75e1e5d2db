//go:build !purego

package schema_test

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

// TestSchemaMemory checks that memory does not grow with what is checked by schemas without parts. Under
// purego each name that is read is copied.
func TestSchemaMemory(t *testing.T) {
	s := schema.New("rows", `{"type":"array","items":{"$ref":"row"}}`, "row", `{"type":"object","required":["id","name"],
		"properties":{"id":{"type":"integer","minimum":0},"name":{"type":"string","maxLength":20},
			"tags":{"type":"array","items":{"type":"number"}}},
		"additionalProperties":false}`).Get("rows")
	allocs := func(n int) float64 {
		text := []byte("[" + strings.Repeat(`{"id":12,"name":"a name","tags":[1,2.5,3]},`, n) + `{"id":1,"name":""}]`)
		return testing.AllocsPerRun(20, func() {
			if err := json.UnmarshalWith(text, &checked{s}, weft.AliasInput(true)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocs(10), allocs(2000); many > few+2 {
		t.Errorf("%v allocations, %v of few rows", many, few)
	}
}
