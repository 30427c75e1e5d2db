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
	text := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n" +
		"    A0: {$id: a0, $dynamicAnchor: n, properties: {x: {$dynamicRef: '#n'}}}\n"
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

// What looks like an $id or an $anchor in data is none, and an $anchor is one of the $id around it.
func TestIdentifiers(t *testing.T) {
	doc, diags := Parse("t.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
		Data: {enum: [{$id: "https://example.com/s/x", $anchor: x}], default: {$anchor: x}, const: {$id: x},
			x-more: {$anchor: y}, else: {type: string}},
		X: {$id: "https://example.com/s/x", type: string, $anchor: x},
		Enum: {$id: "https://example.com/s/enum", properties: {enum: {$anchor: x, type: integer},
			default: {$id: default, $anchor: y, type: "null"}}},
		A: {$id: "https://example.com/s/a", allOf: [{$id: a1, $anchor: n, type: number}, {$anchor: n, type: string}]},
		Refs: {properties: {x: {$ref: "https://example.com/s/x"}, x2: {$ref: "https://example.com/s/x#x"},
			e: {$ref: "https://example.com/s/enum#x"}, d: {$ref: "https://example.com/s/default#y"}, y: {$ref: "#y"},
			a: {$ref: "https://example.com/s/a#n"}, a1: {$ref: "https://example.com/s/a1#n"}}}}}}`))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	schemas := doc.Components.Schemas
	refs := schemas.Get("Refs").Properties
	for _, tt := range []struct {
		name string
		want *Schema
	}{
		{"x", schemas.Get("X")},
		{"x2", schemas.Get("X")},
		{"e", schemas.Get("Enum").Properties.Get("enum")},
		{"d", schemas.Get("Enum").Properties.Get("default")},
		{"y", schemas.Get("Enum").Properties.Get("default")}, // the only one of the file
		{"a", schemas.Get("A").AllOf[1]},
		{"a1", schemas.Get("A").AllOf[0]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := refs.Get(tt.name).Target; got != tt.want {
				t.Errorf("%s is %+v", tt.name, got)
			}
		})
	}
}

// A $dynamicRef is one by what its fragment names, whatever stands before that, and in the scope that leads to it.
func TestDynamicScope(t *testing.T) {
	doc, diags := Parse("t.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
		Main: {$id: "https://example.com/main", if: {$id: first, $defs: {t: {$dynamicAnchor: t, type: number}}},
			then: {$id: second, $ref: start, $defs: {t: {$dynamicAnchor: t, type: "null"}}},
			$defs: {start: {$id: start, $dynamicRef: "inner#t"}, t: {$id: inner, $dynamicAnchor: t, type: string}}},
		Plain: {$id: "https://example.com/plain", $dynamicAnchor: n, properties: {a: {$ref: part}}, type: object,
			$defs: {part: {$id: part, $dynamicRef: "#n", $defs: {n: {$anchor: n, type: integer}}}}}}}}`))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	main := doc.Components.Schemas.Get("Main")
	eq(t, "through then", main.Then.Target.Target, main.Then.Defs.Get("t"))
	eq(t, "start itself", main.Defs.Get("start").Target, main.Defs.Get("t"))
	eq(t, "an anchor that is not dynamic", doc.Components.Schemas.Get("Plain").Properties.Get("a").Target.Target.Types, TypeInteger)
}
