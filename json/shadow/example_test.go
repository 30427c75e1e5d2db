package shadow_test

import (
	stdjson "encoding/json"
	"fmt"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/shadow"
)

// A sampled call runs both libraries. The codec returns the result of the old one and reports what differs.
func Example() {
	codec := shadow.New(shadow.Config{
		Old:    shadow.Library{Marshal: stdjson.Marshal, Unmarshal: stdjson.Unmarshal},
		New:    shadow.Library{Marshal: json.Marshal, Unmarshal: func(b []byte, v any) error { return json.UnmarshalWith(b, v, json.V2()) }},
		Sample: 1, // every call; in production a share such as 0.01
		Report: func(d *shadow.Difference) { fmt.Println(d) },
	})
	var pet struct{ Name string }
	err := codec.Unmarshal([]byte(`{"Name":"Tom","Name":"Rex"}`), &pet)
	fmt.Println(pet.Name, err, codec.Counts().Differed)
	// Output:
	// shadow: Unmarshal of struct { Name string }: only the new library fails: json: at /Name, offset 14: duplicate member name
	// Rex <nil> 1
}

// The flag of a rollout turns the new library on and off at run time.
func ExampleCodec_ServeNew() {
	codec := shadow.New(shadow.Config{
		Old: shadow.Library{Marshal: stdjson.Marshal, Unmarshal: stdjson.Unmarshal},
		New: shadow.Library{Marshal: func(v any) ([]byte, error) { return json.MarshalWith(v, json.Fastest()) }, Unmarshal: json.Unmarshal},
	})
	old, _ := codec.Marshal("a<b")
	codec.ServeNew(true)
	now, _ := codec.Marshal("a<b")
	fmt.Println(string(old), string(now))
	// Output: "a\u003cb" "a<b"
}
