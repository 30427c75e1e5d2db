package openapi_test

import (
	"fmt"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

func ExampleLoad() {
	doc, found := openapi.Load("testdata/shop.yaml")
	if err := found.Err(); err != nil {
		fmt.Println(err)
		return
	}
	order := doc.Components.Schemas.Get("Order")
	for _, p := range order.Properties {
		fmt.Println(p.Pos, p.Name, p.Value.Resolve().Types, order.Requires(p.Name))
	}
	// Output:
	// testdata/shop.yaml:91:9 id string true
	// testdata/shop.yaml:92:9 kind null|string true
	// testdata/shop.yaml:93:9 total number false
	// testdata/shop.yaml:94:9 count integer false
	// testdata/shop.yaml:95:9 parent object false
	// testdata/shop.yaml:96:9 lines array false
	// testdata/shop.yaml:109:9 labels object false
}

func ExampleParse() {
	_, found := openapi.Parse("pets.yaml", []byte(`openapi: 3.0.3
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {type: objct}
    Pets: {type: array, items: {$ref: '#/components/schemas/Pett'}}
`))
	for _, d := range found {
		fmt.Println(d)
	}
	// Output:
	// pets.yaml:6:17: "objct" is not a type: did you mean "object"?
	// pets.yaml:7:39: "#/components/schemas/Pett" names nothing, there is no "Pett" in #/components/schemas: did you mean "#/components/schemas/Pet"?
}

// An overlay gives a schema to a reference that names none.
func ExampleOverlays() {
	files := map[string]string{
		"pets.yaml": `openapi: 3.0.3
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
`,
		"mend.yaml": `overlay: 1.0.0
info: {title: Mend, version: "1"}
actions:
  - target: $.components.schemas
    update: {Pet: {type: object}}
`,
	}
	read := openapi.ReadFile(func(path string) ([]byte, error) { return []byte(files[path]), nil })
	doc, found := openapi.Load("pets.yaml", read, openapi.Overlays("mend.yaml"))
	fmt.Println(len(found), doc.Components.Schemas.Get("Pets").Items.Target.Pos)
	// Output: 0 mend.yaml:5:19
}

// Any file of JSON or YAML, with the place of each value.
func ExampleParseNode() {
	n, found := openapi.ParseNode("app.yaml", []byte("# the server\nport: 0x50\n"))
	fmt.Println(n.Get("port").Pos, string(openapi.AppendJSON(nil, n)), len(found))

	n, found = openapi.ParseNode("app.yaml", []byte("# nothing yet\n"))
	fmt.Println(n == nil, len(found))

	_, found = openapi.ParseNode("app.json", []byte("{\"port\":}"))
	fmt.Println(found)
	// Output:
	// app.yaml:2:7 {"port":80} 0
	// true 0
	// app.json:1:9: '}' where a value is expected
}

func ExampleSelection() {
	doc, _ := openapi.Parse("pets.yaml", []byte(`
openapi: 3.1.0
info: {title: pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {properties: {owner: {$ref: '#/components/schemas/Owner'}}}
    Owner: {type: object}
    Bill: {type: object}
`))
	part, _ := (&openapi.Selection{Schemas: []string{"Pet"}}).Apply(doc, doc.Families())
	for _, e := range part.Components.Schemas {
		fmt.Println(e.Name)
	}
	// Output:
	// Pet
	// Owner
}
