package opt_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/weftcodec/weft/opt"
)

func ExampleNull() {
	owner := opt.NullOf("ann")
	if owner.Valid && owner.V == "ann" {
		fmt.Println("hers")
	}
	owner.SetNull()
	fmt.Println(owner.Or("nobody's"))
	// Output:
	// hers
	// nobody's
}

func ExampleVal() {
	type pet struct {
		Name string          `json:"name"`
		Nick opt.Val[string] `json:"nick,omitzero"`
	}
	for _, p := range []pet{{Name: "rex"}, {Name: "rex", Nick: opt.ValOf("")}} {
		b, err := json.Marshal(p)
		fmt.Println(string(b), err)
	}
	// Output:
	// {"name":"rex"} <nil>
	// {"name":"rex","nick":""} <nil>
}

func ExampleField() {
	type patch struct {
		Nick opt.Field[string] `json:"nick,omitzero"`
	}
	for _, text := range []string{`{}`, `{"nick":null}`, `{"nick":"r"}`} {
		var p patch
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			fmt.Println(err)
		}
		fmt.Println(p.Nick.State)
	}
	// Output:
	// absent
	// null
	// set
}

func ExampleDate() {
	type person struct {
		Born opt.Date `json:"born"`
	}
	var p person
	err := json.Unmarshal([]byte(`{"born":"1912-06-23"}`), &p)
	fmt.Println(p.Born, p.Born.In(time.UTC).Weekday(), err)
	// Output: 1912-06-23 Sunday <nil>
}
