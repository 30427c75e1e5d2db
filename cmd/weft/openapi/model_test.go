package openapi

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mustLoad(t *testing.T, file string) *Document {
	t.Helper()
	doc, found := Load(file)
	if len(found) > 0 {
		t.Fatalf("findings:\n%s", found)
	}
	checkModel(t, doc)
	return doc
}

func mustParse(t *testing.T, name, text string) *Document {
	t.Helper()
	doc, found := Parse(name, []byte(text))
	if len(found) > 0 {
		t.Fatalf("findings:\n%s", found)
	}
	checkModel(t, doc)
	return doc
}

// eq reports a difference between got and want.
func eq[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestModel(t *testing.T) {
	file := filepath.Join("testdata", "shop.yaml")
	doc := mustLoad(t, file)
	eq(t, "version", doc.Version, V30)
	eq(t, "info.version", doc.Info.Version, "1.2")
	eq(t, "contact", doc.Info.Contact.Email, "team@example.com")
	eq(t, "servers", doc.Servers[0].Variables.Get("region").Enum[1].Value, "us")

	var ops []string
	for _, o := range doc.Operations {
		ops = append(ops, o.Method+" "+o.Path+" "+o.Pos.String())
	}
	eq(t, "operations", strings.Join(ops, ", "), strings.Join([]string{
		"POST /orders " + file + ":16:5",
		"GET /orders/{id} " + file + ":44:5",
		"POST /legacy " + file + ":16:5",
	}, ", "))
	create, get := doc.Operations[0], doc.Operations[1]
	eq(t, "requestBody", create.RequestBody.Resolve(), doc.Components.RequestBodies.Get("NewOrder"))
	eq(t, "reference into properties", create.RequestBody.Resolve().Content[0].Value.Schema.Resolve(), doc.Components.Schemas.Get("Order"))
	eq(t, "responses", create.Responses[1].Name, "4XX")
	eq(t, "response", create.Responses.Get("default").Resolve(), doc.Components.Responses.Get("Problem"))
	eq(t, "header", create.Responses.Get("201").Headers.Get("Location").Schema.Format, "uri")
	back := create.Callbacks.Get("shipped").Paths[0]
	eq(t, "callback", back.Value.Operations[0].Path, "{$request.body#/callback}")
	eq(t, "security of the document", create.SecuritySet, false)
	eq(t, "security scheme", doc.Security[0].Schemes[0].Scheme, doc.Components.SecuritySchemes.Get("key"))
	eq(t, "security switched off", get.SecuritySet && len(get.Security) == 0, true)

	var params []string
	for _, p := range get.AllParameters() {
		params = append(params, p.In+" "+p.Name+" "+p.Style)
	}
	eq(t, "parameters", strings.Join(params, ", "), "query fields form, header X-TRACE simple, path id simple")
	eq(t, "explode", get.AllParameters()[0].Explode, true)

	order := doc.Components.Schemas.Get("Order")
	eq(t, "pointer", order.Pointer, "#/components/schemas/Order")
	eq(t, "name", order.Name, "Order")
	eq(t, "pos", order.Pos.String(), file+":88:7")
	eq(t, "requires", order.Requires("kind") && !order.Requires("total"), true)
	eq(t, "additionalProperties", order.AdditionalProperties != nil && !order.AdditionalProperties.Allow, true)
	eq(t, "extension", order.Extensions.Get("x-go-name").Text, "Purchase")
	var names []string
	for _, p := range order.Properties {
		names = append(names, p.Name)
	}
	eq(t, "properties", strings.Join(names, " "), "id kind total count parent lines labels")
	kind := order.Properties.Get("kind")
	eq(t, "nullable", kind.Nullable, true)
	eq(t, "types", kind.Types.String(), "null|string")
	eq(t, "enum", len(kind.Enum) == 4 && kind.Enum[1].Text == "on" && kind.Enum[1].Kind == String && kind.Enum[3].Kind == Null, true)
	total := order.Properties.Get("total")
	eq(t, "minimum", total.Minimum, nil)
	eq(t, "exclusiveMinimum", total.ExclusiveMinimum.Text, "0")
	eq(t, "multipleOf", total.MultipleOf.Float, 0.01)
	count := order.Properties.Get("count")
	eq(t, "maximum", count.Maximum.Int, 9007199254740993)
	eq(t, "default", count.Default.Text, "1")
	eq(t, "recursion", order.Properties.Get("parent").Target, order)
	lines := order.Properties.Get("lines")
	eq(t, "uniqueItems", lines.UniqueItems && lines.MinItems.Int == 1, true)
	d := lines.Items.Discriminator
	eq(t, "discriminator", d.PropertyName, "type")
	eq(t, "mapping by reference", d.Mapping[0].Target, doc.Components.Schemas.Get("Goods"))
	eq(t, "mapping by name", d.Mapping[1].Target, doc.Components.Schemas.Get("Service"))
	labels := order.Properties.Get("labels").AdditionalProperties.Schema
	eq(t, "pattern", labels.Pattern, "^[a-z]+$")
	eq(t, "pattern's pos", labels.PatternPos.String(), file+":111:57")
	goods := doc.Components.Schemas.Get("Goods")
	eq(t, "allOf", goods.AllOf[0].Target, doc.Components.Schemas.Get("Line"))
	note := doc.Components.Schemas.Get("Line").Properties.Get("note")
	eq(t, "flags", note.Deprecated && note.WriteOnly && !note.ReadOnly, true)
	eq(t, "default of the empty string", note.Default.Kind == String && note.Default.Text == "", true)
}

func TestModel31(t *testing.T) {
	doc := mustParse(t, "t.yaml", `openapi: 3.1.0
info: {title: t, version: '1'}
jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema
webhooks:
  ping: {$ref: '#/components/pathItems/Ping'}
components:
  pathItems:
    Ping:
      post: {operationId: ping, responses: {'200': {description: d}}}
  schemas:
    A:
      type: [string, 'null', integer]
      const: x
      examples: [a, 1]
    B:
      $ref: '#/components/schemas/A'
      maxLength: 3
    C:
      $defs: {inner: {type: boolean, $anchor: in}}
      type: object
      properties:
        a: {$ref: '#/components/schemas/C/$defs/inner'}
        b: {$ref: '#in'}
        c: true
        d: {type: 'null'}
        e: {$ref: 'https://example.com/e'}
      patternProperties: {'^x': {type: number, exclusiveMinimum: 1.5}}
      propertyNames: {maxLength: 5}
      dependentRequired: {a: [b]}
      dependentSchemas: {a: {minProperties: 2}}
      unevaluatedProperties: false
      if: {required: [a]}
      then: {required: [b]}
      else: false
    D:
      type: array
      prefixItems: [{type: string}, {type: number}]
      items: false
      contains: {type: string}
      minContains: 2
    E:
      $id: https://example.com/e
      contentEncoding: base64
      contentMediaType: application/json
      contentSchema: {type: object}
    F:
      $dynamicAnchor: node
      type: object
      properties: {children: {type: array, items: {$dynamicRef: '#node'}}}
`)
	s := doc.Components.Schemas
	eq(t, "types", s.Get("A").Types, TypeString|TypeNull|TypeInteger)
	eq(t, "nullable", s.Get("A").Nullable, true)
	eq(t, "const", s.Get("A").Const.Text, "x")
	eq(t, "beside $ref", s.Get("B").MaxLength.Int == 3 && s.Get("B").Target == s.Get("A"), true)
	c := s.Get("C")
	eq(t, "$defs", c.Properties.Get("a").Target, c.Defs.Get("inner"))
	eq(t, "$anchor", c.Properties.Get("b").Target, c.Defs.Get("inner"))
	eq(t, "boolean schema", *c.Properties.Get("c").Boolean, true)
	eq(t, "null", c.Properties.Get("d").Types, TypeNull)
	eq(t, "$id", c.Properties.Get("e").Target, s.Get("E"))
	eq(t, "patternProperties", c.PatternProperties[0].Value.ExclusiveMinimum.Float, 1.5)
	eq(t, "dependentRequired", c.DependentRequired[0].Required[0].Value, "b")
	eq(t, "else", *c.Else.Boolean, false)
	eq(t, "items", *s.Get("D").Items.Boolean, false)
	eq(t, "prefixItems", len(s.Get("D").PrefixItems), 2)
	eq(t, "content", s.Get("E").ContentEncoding+s.Get("E").ContentSchema.Types.String(), "base64object")
	eq(t, "$dynamicRef", s.Get("F").Properties.Get("children").Items.Target, s.Get("F"))
	hook := doc.Webhooks.Get("ping")
	eq(t, "webhook", len(hook.Operations) == 1 && hook.Operations[0].Path == "ping" && hook.Operations[0].OperationID == "ping", true)
	eq(t, "operations of webhooks", len(doc.Operations), 0)
}

func TestModel20(t *testing.T) {
	doc := mustParse(t, "t.yaml", `swagger: "2.0"
info: {title: t, version: "1"}
host: api.example.com
basePath: /v1/
schemes: [https]
consumes: [application/json]
produces: [application/json, application/xml]
paths:
  /pets/{id}:
    parameters:
      - $ref: '#/parameters/id'
    post:
      parameters:
        - {in: body, name: pet, required: true, schema: {$ref: '#/definitions/Pet'}}
        - {in: query, name: q, type: array, items: {type: string}, collectionFormat: multi, minItems: 1}
      responses:
        200: {description: ok, schema: {$ref: '#/definitions/Pet'}, headers: {X-A: {type: integer}}, examples: {application/json: {}}}
    put:
      consumes: [multipart/form-data]
      parameters:
        - {in: formData, name: f, type: file, required: true}
        - {in: formData, name: n, type: integer}
      responses:
        default: {$ref: '#/responses/E'}
    patch:
      parameters: [{$ref: '#/parameters/body'}]
      responses: {default: {$ref: '#/responses/E'}}
parameters:
  id: {in: path, name: id, type: string, required: true, format: uuid}
  body: {in: body, name: b, schema: {type: object}}
responses:
  E: {description: e, schema: {type: object, x-nullable: true}}
securityDefinitions:
  b: {type: basic}
  o: {type: oauth2, flow: accessCode, authorizationUrl: a, tokenUrl: b, scopes: {read: reads}}
definitions:
  Pet:
    type: object
    discriminator: kind
    properties: {kind: {type: string}}
`)
	eq(t, "server", doc.Servers[0].URL, "https://api.example.com/v1")
	post, put, patch := doc.Operations[0], doc.Operations[1], doc.Operations[2]
	pet := doc.Components.Schemas.Get("Pet")
	eq(t, "body", post.RequestBody.Required && post.RequestBody.Content.Get("application/json").Schema.Target == pet, true)
	eq(t, "shared body", patch.RequestBody.Content[0].Value.Schema, doc.Components.RequestBodies.Get("body").Content[0].Value.Schema)
	q, id := post.AllParameters()[0], post.AllParameters()[1]
	eq(t, "query", q.Style == "form" && q.Explode && q.Schema.MinItems.Int == 1 && q.Schema.Items.Types == TypeString, true)
	eq(t, "path", id.Name == "id" && id.In == "path" && id.Schema.Format == "uuid", true)
	ok := post.Responses.Get("200")
	eq(t, "produces", len(ok.Content) == 2 && ok.Content[1].Name == "application/xml" && ok.Content[1].Value.Schema.Target == pet, true)
	eq(t, "header", ok.Headers.Get("X-A").Schema.Types, TypeInteger)
	eq(t, "example", ok.Content[0].Value.Example.Kind, Object)
	form := put.RequestBody.Content.Get("multipart/form-data").Schema
	eq(t, "form", form.Types == TypeObject && form.Requires("f") && form.Properties.Get("f").Format == "binary" &&
		len(form.Properties) == 2, true)
	e := put.Responses.Get("default").Resolve().Content[0].Value.Schema
	eq(t, "x-nullable", e.Types, TypeObject|TypeNull)
	eq(t, "basic", doc.Components.SecuritySchemes.Get("b").Scheme, "basic")
	eq(t, "flow", doc.Components.SecuritySchemes.Get("o").Flows[0].Kind, "authorizationCode")
	eq(t, "discriminator", pet.Discriminator.PropertyName, "kind")
}

func TestFiles(t *testing.T) {
	files := map[string]string{
		"api/openapi.yaml": `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a: {$ref: 'paths/a.yaml'}
components:
  schemas:
    A: {$ref: '../shared/types.json#/definitions/A'}
    B: {type: string}
`,
		"api/paths/a.yaml": `get:
  parameters:
    - $ref: '../openapi.yaml#/components/schemas/nope'
  responses:
    '200':
      description: d
      content:
        application/json:
          schema: {$ref: '../openapi.yaml#/components/schemas/A'}
`,
		"shared/types.json": `{"definitions": {"A": {"type": "object", "properties": {
  "self": {"$ref": "#/definitions/A"},
  "b": {"$ref": "../api/openapi.yaml#/components/schemas/B"},
  "bad": {"type": "strang"}}}}}`,
	}
	read := func(path string) ([]byte, error) {
		if text, ok := files[filepath.ToSlash(path)]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	doc, found := Load("api/openapi.yaml", ReadFile(read))
	want := `api/paths/a.yaml:3:13: "../openapi.yaml#/components/schemas/nope" names nothing, ` +
		`there is no "nope" in #/components/schemas: define it or correct the reference
shared/types.json:4:19: "strang" is not a type: did you mean "string"?`
	if found.String() != want {
		t.Errorf("findings:\n%s\nwant:\n%s", found, want)
	}
	eq(t, "files", strings.Join(doc.Files, " "), "api/openapi.yaml api/paths/a.yaml shared/types.json")
	a := doc.Components.Schemas.Get("A").Target
	eq(t, "pointer", a.Pointer, "../shared/types.json#/definitions/A")
	eq(t, "self", a.Properties.Get("self").Target, a)
	eq(t, "back", a.Properties.Get("b").Target, doc.Components.Schemas.Get("B"))
	eq(t, "path", doc.Operations[0].Path, "/a")
	eq(t, "schema", doc.Operations[0].Responses[0].Value.Content[0].Value.Schema.Resolve(), a)
}

func TestLoadMissing(t *testing.T) {
	doc, found := Load(filepath.Join("testdata", "none.yaml"))
	eq(t, "document", doc, nil)
	eq(t, "finding", found.String(), filepath.Join("testdata", "none.yaml")+": there is no such file: check the path")
	_, found = Load("testdata")
	if err := found.Err(); err == nil || !strings.Contains(err.Error(), "testdata: the file cannot be read: ") {
		t.Errorf("a folder: %v", err)
	}
	_, found = Load("x", ReadFile(func(string) ([]byte, error) { return nil, errors.New("broken disk") }))
	eq(t, "finding", found.String(), "x: the file cannot be read: broken disk")
}

func TestStrict(t *testing.T) {
	text := []byte("openapi: 3.0.3\ninfo: {title: t, version: 1}\npaths: {}\n")
	if _, found := Parse("t.yaml", text); found.Err() != nil || len(found.Warnings()) != 1 {
		t.Errorf("findings: %s", found)
	}
	if _, found := Parse("t.yaml", text, Strict(true)); len(found.Errors()) != 1 {
		t.Errorf("findings when strict: %s", found)
	}
}

// TestJSONAndYAML reads the same document in both and finds the same.
func TestJSONAndYAML(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	a := mustParse(t, "a.yaml", string(data))
	text := string(appendNode(nil, a.Node))
	b := mustParse(t, "b.json", text)
	c := mustParse(t, "c.yaml", text) // JSON is YAML
	for _, d := range []*Document{b, c} {
		if !equalNodes(a.Node, d.Node) {
			t.Errorf("%s: another tree than of YAML", d.Pos.File())
		}
		eq(t, "schemas", len(d.Schemas), len(a.Schemas))
		eq(t, "operations", len(d.Operations), len(a.Operations))
	}
}
