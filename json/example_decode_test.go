package json_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

func ExampleUnmarshal() {
	var pet struct {
		ID   int64    `json:"id"`
		Name string   `json:"name"`
		Tags []string `json:"tags"`
	}
	err := json.Unmarshal([]byte(`{"id":7,"name":"Rex","tags":["good","dog"]}`), &pet)
	fmt.Println(pet, err)

	err = json.Unmarshal([]byte(`{"id":"seven"}`), &pet)
	var te *json.UnmarshalTypeError
	fmt.Println(errors.As(err, &te), te.Field, te.Offset)
	// Output:
	// {7 Rex [good dog]} <nil>
	// true id 13
}

func ExampleUnmarshalWith() {
	var pet struct{ Name string }
	err := json.UnmarshalWith([]byte(`{"name":"Rex","legs":4}`), &pet, weft.RejectUnknown(true))
	fmt.Println(err)
	err = json.UnmarshalWith([]byte(`{"name":"Rex","name":"Max"}`), &pet, weft.RejectDuplicates(true))
	fmt.Println(errors.Is(err, weft.ErrDuplicateName), err)
	// Output:
	// json: at /legs, offset 14: unknown member
	// true json: at /name, offset 14: duplicate member name
}

func ExampleUnmarshalRead() {
	var v any
	err := json.UnmarshalRead(strings.NewReader(`{"deep":[[[[]]]]}`), &v, weft.MaxDepth(3))
	fmt.Println(errors.Is(err, weft.ErrDepth), err)
	// Output:
	// true json: at /deep/0/0, offset 10: nesting too deep
}

func ExampleValid() {
	fmt.Println(json.Valid([]byte(`{"a":[1,2]}`)), json.Valid([]byte(`{"a":[1,2}`)))
	// Output:
	// true false
}

func ExampleDecoder() {
	dec := json.NewDecoder(strings.NewReader(`{"name":"Rex"} {"name":"Max"}`))
	for {
		var pet struct{ Name string }
		if err := dec.Decode(&pet); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(pet.Name)
	}
	// Output:
	// Rex
	// Max
}

func ExampleDecoder_Token() {
	dec := json.NewDecoder(strings.NewReader(`{"pets":["Rex","Max"],"more":false}`))
	for {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		fmt.Printf("%T %v, more: %v\n", tok, tok, dec.More())
	}
	// Output:
	// json.Delim {, more: true
	// string pets, more: true
	// json.Delim [, more: true
	// string Rex, more: true
	// string Max, more: false
	// json.Delim ], more: true
	// string more, more: true
	// bool false, more: false
	// json.Delim }, more: false
}

var pointFields = weft.NewFields("x", "y")

// point reads itself, in any format.
type point struct{ X, Y int }

func (p *point) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(pointFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			p.X = d.Int()
		case 1:
			p.Y = d.Int()
		}
	}
	return o.End()
}

func ExampleUnmarshalWith_method() {
	// A type with UnmarshalWeft is honoured wherever it stands.
	var shape struct {
		Name   string
		Points []point
	}
	err := json.UnmarshalWith([]byte(`{"name":"line","points":[{"x":0,"y":0},{"x":3,"y":4}]}`), &shape)
	fmt.Println(shape, err)
	fmt.Println(json.UnmarshalWith([]byte(`{"name":"line","points":[{"x":"one"}]}`), &shape))
	// Output:
	// {line [{0 0} {3 4}]} <nil>
	// json: at /points/0/x, offset 30: cannot read string as int
}

func ExampleLocate() {
	data := []byte(`{"pets":[{"name":"Rex"},{"name":7}]}`)
	var v struct{ Pets []struct{ Name string } }
	err := json.Unmarshal(data, &v) // encoding/json's error
	fmt.Println(json.Locate(data, err))
	// Output:
	// json: at /pets/1/name, offset 32: cannot unmarshal number into Go struct field .Pets.Name of type string
}
