package openapi

import "testing"

const genericDoc = `openapi: 3.1.0
info: {title: t, version: "1"}
paths: {}
components:
  schemas:
    Page:
      $id: page
      type: object
      properties:
        items: {type: array, items: {$dynamicRef: '#item'}}
        next: {$ref: '#/$defs/cursor'}
      $defs:
        item: {$dynamicAnchor: item}
        cursor: {type: string}
    Pet: {type: object, properties: {name: {type: string}}}
    Pets:
      $id: pets
      $ref: page
      $defs: {item: {$dynamicAnchor: item, $ref: 'doc#/components/schemas/Pet'}}
    Numbers:
      $id: numbers
      $ref: page
      $defs: {item: {$dynamicAnchor: item, type: number}}
    Tree:
      $id: tree
      $dynamicAnchor: node
      type: object
      properties: {children: {type: array, items: {$dynamicRef: '#node'}}}
    StrictTree:
      $id: strict
      $dynamicAnchor: node
      $ref: tree
      unevaluatedProperties: false
`

// A $dynamicRef means the anchor of the schema that is extended by.
func TestDynamicRef(t *testing.T) {
	doc, found := Parse("doc", []byte(genericDoc))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	get := doc.Components.Schemas.Get
	item := func(s *Schema) *Schema { return s.Properties.Get("items").Items.Target }
	if i := item(get("Page")); i == nil || i.DynamicAnchor != "item" || i.Types != 0 {
		t.Errorf("the item of Page is %+v", i)
	}
	eq(t, "item of Numbers", item(get("Numbers").Target).Types, TypeNumber)
	eq(t, "item of Pets", item(get("Pets").Target).Target, get("Pet"))
	eq(t, "cursor of Pets", get("Pets").Target.Properties.Get("next").Target, get("Page").Defs.Get("cursor"))
	child := func(s *Schema) *Schema { return s.Properties.Get("children").Items.Target }
	eq(t, "child of Tree", child(get("Tree")), get("Tree"))
	eq(t, "child of StrictTree", child(get("StrictTree").Target), get("StrictTree"))
	if get("Pets").Target == get("Page") || get("Page").Pointer != "#/components/schemas/Page" {
		t.Error("Page itself was changed")
	}
}

// A chain of schemas that extend each other is made once each.
func TestDynamicRefChain(t *testing.T) {
	text := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    A0: {$id: a0, $dynamicAnchor: n, properties: {x: {$dynamicRef: '#n'}}}\n"
	for i := 1; i < 60; i++ {
		id := string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
		before := "a0"
		if i > 1 {
			b := i - 1
			before = "a" + string(rune('0'+b/100)) + string(rune('0'+b/10%10)) + string(rune('0'+b%10))
		}
		text += "    A" + id + ": {$id: a" + id + ", $dynamicAnchor: n, $ref: " + before + "}\n"
	}
	doc, found := Parse("doc", []byte(text))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	last := doc.Components.Schemas.Get("A059")
	at := last
	for at.Target != nil {
		at = at.Target
	}
	eq(t, "the innermost x", at.Properties.Get("x").Target, last)
	if n := len(doc.Schemas); n > 10_000 {
		t.Errorf("%d schemas", n)
	}
}

// A reference is relative to the $id around it.
func TestRelativeIDs(t *testing.T) {
	doc, diags := Parse("t.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
		A: {$id: "https://example.com/s/a", type: string, $defs: {B: {$id: b, type: object, properties: {c: {$ref: c}}}}},
		C: {$id: "https://example.com/s/c", type: integer},
		D: {$id: "https://example.com/s/d", properties: {a: {$ref: a}, b: {$ref: "./b#/properties/c"}, c: {$ref: /s/c}}}}}}`))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	schemas := doc.Components.Schemas
	d := schemas.Get("D").Properties
	if d.Get("a").Target != schemas.Get("A") || d.Get("b").Resolve() != schemas.Get("C") || d.Get("c").Target != schemas.Get("C") {
		t.Errorf("%v %v %v", d.Get("a").Target, d.Get("b").Resolve(), d.Get("c").Target)
	}
}
