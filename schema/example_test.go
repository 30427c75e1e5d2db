package schema_test

import (
	"fmt"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

func ExampleValidate() {
	type Item struct {
		Name  string   `json:"name" check:"minLength=1"`
		Price float64  `json:"price" check:"exclusiveMinimum=0"`
		Tags  []string `json:"tags" check:"items.pattern=^[a-z]+$"`
	}
	fmt.Println(schema.Validate(Item{Name: "lamp", Price: 12.5, Tags: []string{"home"}}))
	fmt.Println(schema.Validate(Item{Name: "", Price: 1, Tags: []string{"home", "NEW"}}))
	// Output:
	// <nil>
	// at /name: must have at least 1 character, not 0; at /tags/1: must match ^[a-z]+$, not "NEW"
}

// Shift is a time of work: it ends only where it has begun.
type Shift struct {
	Begin string `json:"begin,omitempty"`
	End   string `json:"end,omitempty"`
}

var shifts = schema.New("shift", `{"type":"object","dependentRequired":{"end":["begin"]}}`)

func (Shift) WeftRules() weft.Rules { return weft.Rules{Schema: shifts.Get("shift")} }

func ExampleNew() {
	var s Shift
	fmt.Println(json.Unmarshal([]byte(`{"begin":"08:00","end":"16:00"}`), &s))
	fmt.Println(json.Unmarshal([]byte(`{"end":"16:00"}`), &s))
	// Output:
	// <nil>
	// json: at offset 0: missing required member "begin"
}

// list reads [1,2,3] by itself, as a program does that turns documents into another format.
func list(w schema.Walk) bool {
	if w.Whole() || !w.Array() {
		return false // or w.Holds, with a reader of the value
	}
	for i, v := range []int64{1, 2, 3} {
		if !w.Element(i).Int(v) {
			return false
		}
	}
	return w.EndArray(3)
}

func ExampleSchema_Walk() {
	all := schema.New(
		"small", `{"type":"array","items":{"maximum":3}}`,
		"two", `{"type":"array","maxItems":2}`,
		"even", `{"items":{"multipleOf":2}}`)
	for _, name := range []string{"small", "two", "even"} {
		fmt.Println(name, list(all.Get(name).Walk()))
	}
	// Output:
	// small true
	// two false
	// even false
}
