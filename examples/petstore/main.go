// Command petstore uses the types that weft generated from openapi.yaml: it
// takes a list of pets through JSON and MessagePack and shows what is refused.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/weftcodec/weft/examples/petstore/api"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
	"github.com/weftcodec/weft/schema"
)

//go:generate go run github.com/weftcodec/weft/cmd/weft gen openapi openapi.yaml --out api

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "petstore:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	list := api.PetList{Total: 1, Pets: []api.Pet{{
		ID:    1,
		Name:  "Rex",
		Kind:  api.KindDog,
		Added: time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC),
		Owner: slim.FieldNull[string](), // nobody's, which is more than not known
		Tags:  []string{"loud", "friendly"},
		Home:  api.Home{V: &api.Cage{Bars: 12}},
	}}}
	text, err := json.Marshal(&list)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n", text)

	var read api.PetList
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	pet := &read.Pets[0]
	if pet.Owner.State == opt.IsNull && !pet.Nick.Valid {
		fmt.Fprintf(w, "%s belongs to nobody and has no nick\n", pet.Name)
	}
	switch home := pet.Home.V.(type) {
	case *api.Cage:
		fmt.Fprintf(w, "it lives behind %d bars\n", home.Bars)
	case *api.Tank:
		fmt.Fprintf(w, "it lives in %v litres\n", home.Litres)
	}

	packed, err := msgpack.Marshal(&list)
	if err != nil {
		return err
	}
	var again api.PetList
	if err := msgpack.Unmarshal(packed, &again); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d bytes of JSON, %d of MessagePack\n", len(text), len(packed))

	// What the document does not allow is refused while it is read …
	for _, text := range []string{`{"nick":"R"}`, `{"name":"Rex","kind":"dragon"}`, `{"name":"Rex","kind":"dog","weight":0}`} {
		if err := json.UnmarshalWith([]byte(text), new(api.NewPet)); err != nil {
			fmt.Fprintln(w, err)
		}
	}
	// … and found in values that were made in Go.
	pet.Name, pet.Kind = "", "dragon"
	fmt.Fprintln(w, schema.Validate(&again), "/", schema.Validate(&read))
	return nil
}
