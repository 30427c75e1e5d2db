package play

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft/tagged"
)

func TestTypes(t *testing.T) {
	petstore, err := os.ReadFile("../../examples/petstore/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		openapi    bool
		code       []string
		problems   []Problem
	}{
		{"value", `{"id":7,"name":"Tom","owner":null,"tags":["a"]}`, false,
			[]string{"type Value struct {", "ID ", "int64", `json:"name"`, "[]string"}, nil},
		{"records", `[{"id":7,"at":{"x":1.5}},{"id":8}]`, false, []string{"type Value []", `json:"x"`, "float64"}, nil},
		{"not JSON", "{\n \"a\": tru}", false, nil, []Problem{{Line: 2, Col: 10, Path: "/a"}}},
		{"document", string(petstore), true, []string{"type Pet struct", "slim.Val[string]", "minLength=1"}, nil},
		{"wrong document", "openapi: 3.0.3\ninfo: {title: x, version: \"1\"}\npaths: {}\ncomponents:\n  schemas:\n    A: {type: objct}\n", true,
			nil, []Problem{{Line: 6, Col: 15, Message: `"objct" is not a type: did you mean "object"?`}}},
		{"empty", " \n", false, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := new(Play).Types(tt.text)
			if got.OpenAPI != tt.openapi {
				t.Errorf("OpenAPI: %v", got.OpenAPI)
			}
			for _, want := range tt.code {
				if !strings.Contains(got.Code, want) {
					t.Errorf("no %q in\n%s", want, got.Code)
				}
			}
			if len(got.Problems) != len(tt.problems) {
				t.Fatalf("%+v", got.Problems)
			}
			for i, want := range tt.problems {
				if p := got.Problems[i]; p.Line != want.Line || p.Col != want.Col || want.Message != "" &&
					p.Message != want.Message || p.Path != want.Path {
					t.Errorf("%+v, want %+v", p, want)
				}
			}
		})
	}
}

func TestEncode(t *testing.T) {
	var p Play
	for _, tt := range []struct {
		name, text, as string
		formats        int
		problem        string
	}{
		{"structs", `[{"id":1,"name":"a"},{"id":2,"name":"b"}]`, "Go types", 6, ""},
		{"values", `[{"a":1},{"a":null},{}]`, "dynamic values", 5, ""},
		{"scalar", `7`, "Go types", 6, ""},
		{"wrong", `[1,]`, "", 0, "element"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := p.Encode(tt.text, "")
			if got.As != tt.as || len(got.Encodings) != tt.formats {
				t.Fatalf("%+v", got)
			}
			if len(got.Problems) > 0 != (tt.problem != "") {
				t.Fatalf("%+v", got.Problems)
			}
			for _, e := range got.Encodings {
				if e.Error != "" {
					continue
				}
				rows := p.Rows(e.Name, 1000)
				if rows.Problem != nil || rows.More || len(rows.Rows) == 0 {
					t.Errorf("%s: %+v", e.Name, rows)
				}
				if e.Bytes == 0 || e.Gzip == 0 || e.Zstd == 0 {
					t.Errorf("%+v", e)
				}
			}
		})
	}
}

// TestValid checks values by the schemas of a document.
func TestValid(t *testing.T) {
	petstore, err := os.ReadFile("../../examples/petstore/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var p Play
	if names := p.Types(string(petstore)).Names; !slices.Contains(names, "NewPet") {
		t.Fatal(names)
	}
	for _, tt := range []struct {
		name, text string
		path       string
		line       int
	}{
		{"valid", `{"name":"Tom","kind":"cat"}`, "", 0},
		{"pattern", "{\"name\":\"Tom\",\"kind\":\"cat\",\n\"tags\":[\"a\",\"B\"]}", "/tags/1", 2},
		{"required", `{"name":"Tom"}`, "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := p.Encode(tt.text, "NewPet")
			if got.Valid != (tt.line == 0) || len(got.Encodings) == 0 {
				t.Fatalf("%+v", got)
			}
			if !got.Valid && (got.Problems[0].Path != tt.path || got.Problems[0].Line != tt.line) {
				t.Errorf("%+v", got.Problems)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	b, err := tagged.MarshalFramed([]struct{ A int }{{1}, {2}})
	if err != nil {
		t.Fatal(err)
	}
	var p Play
	if got := p.Open("x.framed", b); got.Format != "framed" || got.Problem != nil || got.Bytes != len(b) {
		t.Fatalf("%+v", got)
	}
	rows := p.Rows("file", 100)
	if len(rows.Rows) < 4 || !slices.ContainsFunc(rows.Rows, func(r Row) bool { return r.Path == "/A" && strings.Contains(r.What, "1, 2") }) {
		t.Errorf("%+v", rows)
	}
	if got := p.Open("x.framed", []byte("{}")); got.Problem == nil {
		t.Error("JSON is framed")
	}
	if rows := p.Rows("file", 2); len(rows.Rows) > 2 {
		t.Errorf("%d rows", len(rows.Rows))
	}
}
