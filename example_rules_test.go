package weft_test

import (
	stdjson "encoding/json"
	"fmt"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
)

// An order is exactly what stands on the wire.
type order struct {
	ID    string         `json:"id" check:"required"`
	Lines []string       `json:"lines" check:"required"`
	Notes []string       `json:"notes" check:"required,nullable"`
	Paid  opt.Null[int]  `json:"paid" check:"required"`
	More  map[string]any `json:"more,omitzero"`
}

func (order) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// These are for encoding/json; formats of weft do not call them.
func (o order) MarshalJSON() ([]byte, error)  { return json.Marshal(o) }
func (o *order) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, o) }

func ExampleRules_strict() {
	var o order
	fmt.Println(json.Unmarshal([]byte(`{"id":"a","lines":null,"notes":null,"paid":null}`), &o))
	fmt.Println(stdjson.Unmarshal([]byte(`{"id":"a","lines":[],"notes":null,"paid":null,"more":{"a":1.10}}`), &o))
	text, err := stdjson.Marshal(o)
	fmt.Println(string(text), err)
	// Output:
	// json: at /lines, offset 18: cannot read null as []string
	// <nil>
	// {"id":"a","lines":[],"notes":null,"paid":null,"more":{"a":1.10}} <nil>
}
