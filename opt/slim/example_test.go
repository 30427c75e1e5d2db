package slim_test

import (
	"fmt"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
)

// Kind is an enum, as a generated package has it.
type Kind string

const (
	KindCat Kind = "cat"
	KindDog Kind = "dog"
)

func ExampleVal() {
	type pet struct {
		Name string         `json:"name"`
		Kind slim.Val[Kind] `json:"kind,omitzero"`
	}
	for _, text := range []string{`{"name":"rex"}`, `{"name":"rex","kind":"dog"}`, `{"name":"rex","kind":null}`} {
		var p pet
		err := json.Unmarshal([]byte(text), &p)
		fmt.Println(p.Kind.Valid, p.Kind.V, err)
	}
	// Output:
	// false  <nil>
	// true dog <nil>
	// false  json: cannot unmarshal null into Go struct field pet.kind of type slim_test.Kind
}

func ExampleNull() {
	type pet struct {
		Kind slim.Null[Kind] `json:"kind"`
	}
	for _, p := range []pet{{}, {Kind: slim.NullOf(KindDog)}} {
		b, err := json.Marshal(p)
		fmt.Println(string(b), err)
	}
	// Output:
	// {"kind":null} <nil>
	// {"kind":"dog"} <nil>
}

func ExampleField() {
	type patch struct {
		Tags slim.Field[[]string] `json:"tags,omitzero"`
	}
	for _, text := range []string{`{}`, `{"tags":null}`, `{"tags":["new"]}`} {
		var p patch
		err := json.Unmarshal([]byte(text), &p)
		fmt.Println(p.Tags.State, p.Tags.V, err)
	}
	// Output:
	// absent [] <nil>
	// null [] <nil>
	// set [new] <nil>
}

func ExampleValOf() {
	kind := slim.ValOf(KindDog)
	if kind.Valid {
		fmt.Println(kind.V)
	}
	fmt.Println(kind == slim.Val[Kind]{V: KindDog, Valid: true})
	// Output:
	// dog
	// true
}

func ExampleNullOf() {
	b, err := json.Marshal([]slim.Null[Kind]{slim.NullOf(KindDog), {}})
	fmt.Println(string(b), err)
	// Output: ["dog",null] <nil>
}

func ExampleFieldOf() {
	tags := slim.FieldOf([]string{"loud"})
	fmt.Println(tags.State, tags.V)
	// Output: set [loud]
}

func ExampleFieldNull() {
	tags := slim.FieldNull[[]string]()
	fmt.Println(tags.State == opt.IsNull)
	// Output: true
}

// The methods of package opt are a conversion away.
func ExampleVal_convert() {
	var kind slim.Val[Kind]
	fmt.Println(opt.Val[Kind](kind).Or(KindCat))
	(*opt.Val[Kind])(&kind).Set(KindDog)
	fmt.Println(opt.Val[Kind](kind))
	kind = slim.Val[Kind](opt.ValOf(KindCat))
	fmt.Println(kind.V)
	// Output:
	// cat
	// dog
	// cat
}

// A database reads and writes the twin.
func ExampleNull_sql() {
	var kind slim.Null[Kind]
	if err := (*opt.Null[Kind])(&kind).Scan("dog"); err != nil {
		fmt.Println(err)
	}
	arg, err := opt.Null[Kind](kind).Value()
	fmt.Println(kind.V, arg, err)
	// Output: dog dog <nil>
}
