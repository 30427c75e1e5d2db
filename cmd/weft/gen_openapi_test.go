package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const goodDoc = `openapi: 3.0.3
info: {title: Small, version: "1"}
paths: {}
components:
  schemas:
    Pet:
      type: object
      required: [id]
      properties:
        id: {type: integer, format: int64}
        status: {type: string, enum: [on, off]}
`

// A broken document gives located errors and no output.
func TestGenBroken(t *testing.T) {
	tests := []struct {
		name, doc, want string
	}{
		{"dangling reference",
			strings.Replace(goodDoc, "{type: integer, format: int64}", "{$ref: '#/components/schemas/None'}", 1),
			"doc.yaml:10:"},
		{"wrong type", strings.Replace(goodDoc, "type: object", "type: thing", 1), "doc.yaml:7:"},
		{"no YAML", "openapi: [", "doc.yaml:2:1: "},
		{"empty", "", "doc.yaml"},
		{"cut", goodDoc[:len(goodDoc)-12], "doc.yaml:12:1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := scratch(t, map[string]string{"doc.yaml": tt.doc})
			out := filepath.Join(dir, "api")
			status, _, errs := weft("", "gen", "openapi", filepath.Join(dir, "doc.yaml"), "--out", out)
			if status != 1 || !strings.Contains(errs, tt.want) {
				t.Errorf("status %d: %s", status, errs)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("something was written: %v", entries)
			}
		})
	}
}

// --list prints operations and writes nothing.
func TestGenList(t *testing.T) {
	doc := strings.Replace(goodDoc, "paths: {}", `paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: a pet, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}`, 1)
	dir := scratch(t, map[string]string{"doc.yaml": doc})
	status, out, errs := weft("", "gen", "openapi", "--list", filepath.Join(dir, "doc.yaml"))
	const want = "GetPet  GET /pets/{id}\n  path id: int64\n  200 application/json: Pet\n"
	if status != 0 || out != want || errs != "" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	status, out, _ = weft("", "gen", "openapi", "--list", "--json", filepath.Join(dir, "doc.yaml"))
	if status != 0 || !strings.Contains(out, `"operationId": "getPet"`) {
		t.Errorf("status %d: %s", status, out)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was written: %v", entries)
	}
}

// --overlay mends a document before it is read.
func TestGenOverlay(t *testing.T) {
	dir := scratch(t, map[string]string{
		"doc.yaml": strings.Replace(goodDoc, "{type: integer, format: int64}", "{$ref: '#/components/schemas/None'}", 1),
		"mend.yaml": "overlay: 1.0.0\ninfo: {title: Mend, version: \"1\"}\nactions:\n" +
			"- {target: $.components.schemas, update: {None: {type: integer}}}\n",
	})
	args := []string{"gen", "openapi", filepath.Join(dir, "doc.yaml"), "--out", filepath.Join(dir, "api")}
	if status, _, errs := weft("", args...); status != 1 {
		t.Errorf("without the overlay: status %d: %s", status, errs)
	}
	if status, _, errs := weft("", append(args, "--overlay", filepath.Join(dir, "mend.yaml"))...); status != 0 || errs != "" {
		t.Errorf("with the overlay: status %d: %s", status, errs)
	}
}

func TestGenMisuse(t *testing.T) {
	dir := scratch(t, map[string]string{"doc.yaml": goodDoc})
	tests := []struct {
		args   string
		status int
		want   string
	}{
		{"gen", 2, "expected openapi and the name of one document"},
		{"gen swagger DIR/doc.yaml", 2, `cannot generate from "swagger"`},
		{"gen openapi DIR/doc.yaml", 2, "--out is missing"},
		{"gen openapi DIR/doc.yaml --out DIR/api --json", 2, "--json goes with --list"},
		{"gen openapi DIR/doc.yaml DIR/doc.yaml --out DIR/api", 2, "one document"},
		{"gen openapi DIR/doc.yaml --out DIR/api --only servers", 2, "--only servers"},
		{"gen openapi DIR/doc.yaml --out DIR/api --package 1x", 2, "expected a Go identifier"},
		{"gen openapi DIR/doc.yaml --out DIR/func", 2, "use --package"},
		{"gen openapi DIR/none.yaml --out DIR/api", 1, "none.yaml"},
		{"gen openapi DIR/doc.yaml --out DIR/doc.yaml/api --package api", 1, "doc.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			status, _, errs := weft("", strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
			if status != tt.status || !strings.Contains(errs, tt.want) {
				t.Errorf("weft %s: status %d, want %d: %s", tt.args, status, tt.status, errs)
			}
		})
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was written: %v", entries)
	}
}

// Output replaces what was generated before and nothing else.
func TestGenFolder(t *testing.T) {
	dir := scratch(t, map[string]string{"doc.yaml": goodDoc})
	doc, out := filepath.Join(dir, "doc.yaml"), filepath.Join(dir, "api")
	gen := func(args ...string) (int, string) {
		status, _, errs := weft("", append([]string{"gen", "openapi", doc, "--out", out}, args...)...)
		return status, errs
	}
	if status, errs := gen("--check"); status != 1 || !strings.Contains(errs, "stale") || !strings.Contains(errs, "models.go (missing)") {
		t.Errorf("--check of nothing: %d %s", status, errs)
	}
	if status, errs := gen(); status != 0 || errs != "" {
		t.Fatalf("%d %s", status, errs)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	models := read("models.go")
	if !strings.HasPrefix(models, "// Code generated by weft gen openapi; DO NOT EDIT.\n") || !strings.Contains(models, "package api\n") ||
		!strings.Contains(models, "PetStatusOn ") {
		t.Errorf("models.go:\n%s", models)
	}
	if status, errs := gen("--check"); status != 0 {
		t.Errorf("--check of fresh output: %d %s", status, errs)
	}

	put("own.go", "package api\n")
	put("old.go", "// Code generated by weft gen openapi; DO NOT EDIT.\n\npackage api\n")
	put("models.go", models+"// changed\n")
	if status, errs := gen("--check"); status != 1 || !strings.Contains(errs, "models.go, old.go (no longer generated)") {
		t.Errorf("--check of stale output: %d %s", status, errs)
	}
	if status, errs := gen(); status != 0 {
		t.Fatalf("%d %s", status, errs)
	}
	if read("models.go") != models || read("own.go") != "package api\n" {
		t.Error("files are not what they should be")
	}
	if _, err := os.Stat(filepath.Join(out, "old.go")); err == nil {
		t.Error("a file that is no longer generated is left")
	}

	// A file of your own in the way stops everything.
	if err := os.Remove(filepath.Join(out, "models.go")); err != nil {
		t.Fatal(err)
	}
	put("models.go", "package api\n")
	put("old.go", models)
	if status, errs := gen(); status != 1 || !strings.Contains(errs, "models.go exists and was not generated") {
		t.Errorf("%d %s", status, errs)
	}
	if read("models.go") != "package api\n" || read("old.go") != models {
		t.Error("something was written")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// Options come from the call, else from the file of --config.
func TestGenConfig(t *testing.T) {
	dir := scratch(t, map[string]string{
		"doc.yaml": goodDoc,
		"ignore":   "# what is not wanted\n\nschema Other*\n",
		"weft.yaml": "document: doc.yaml\nout: api\npackage: models\nno-marshal: true\nunknown: keep\nlayout: tags\n" +
			"ignore: ignore\nrename:\n  Pet: Animal\ntype:\n  uuid: netip.Addr\n",
		"empty.yaml":   "",
		"list.yaml":    "- out\n",
		"wrong.yaml":   "document: doc.yaml\nout: api\ncolor: red\n",
		"nested.yaml":  "document: doc.yaml\nout: api\ntag: [[a]]\n",
		"badbool.yaml": "document: doc.yaml\nout: api\nstrict: big\n",
		"bad.ignore":   "schema A\nthing B\n",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(args ...string) (int, string) {
		status, _, errs := weft("", append([]string{"gen", "openapi"}, args...)...)
		return status, errs
	}
	if status, errs := run("--config", at("weft.yaml")); status != 0 ||
		!strings.HasSuffix(errs, `warning: no schema is called "Other*"`+"\n") || strings.Count(errs, "\n") != 2 ||
		!strings.Contains(errs, `no schema is of the format "uuid", so none becomes net/netip.Addr`) {
		t.Fatal(status, errs)
	}
	text, err := os.ReadFile(at("api/models.go"))
	if err != nil || !strings.Contains(string(text), "package models\n") ||
		!strings.Contains(string(text), "type Animal struct") || !strings.Contains(string(text), "Extra ") {
		t.Errorf("%s, %v", text, err)
	}
	if entries, _ := os.ReadDir(at("api")); len(entries) != 1 {
		t.Errorf("%v", entries)
	}
	if status, errs := run("--config", at("weft.yaml"), "--check"); status != 0 {
		t.Error(status, errs)
	}
	if status, errs := run("--config", at("weft.yaml"), "--check", "--package", "other"); status != 1 || !strings.Contains(errs, "models.go") {
		t.Error("the call does not win:", status, errs)
	}
	for _, tt := range []struct {
		args   string
		status int
		want   string
	}{
		{"--config DIR/none.yaml", 1, "none.yaml"},
		{"--config DIR/empty.yaml", 2, "one document"},
		{"--config DIR/list.yaml", 1, "list.yaml:1: expected options and their values"},
		{"--config DIR/wrong.yaml", 1, "wrong.yaml:3: unknown option color"},
		{"--config DIR/nested.yaml", 1, "nested.yaml:3: expected a list of strings"},
		{"--config DIR/badbool.yaml", 1, "badbool.yaml:3: strict"},
		{"DIR/doc.yaml --out DIR/x --ignore DIR/bad.ignore", 1, "bad.ignore:2: expected tag, path or schema"},
		{"DIR/doc.yaml --out DIR/x --rename a", 2, "expected OLD=NEW"},
		{"DIR/doc.yaml --out DIR/x --type number", 2, "expected FORMAT=IMPORT.TYPE"},
		{"DIR/doc.yaml --out DIR/x --type number=float32", 2, "expected FORMAT=IMPORT.TYPE"},
		{"DIR/doc.yaml --out DIR/x --type =net/netip.Addr", 2, "expected FORMAT=IMPORT.TYPE"},
		{"DIR/doc.yaml --out DIR/x --unknown maybe", 2, "ignore, keep or refuse"},
		{"DIR/doc.yaml --out DIR/x --enum-prefix x", 2, "type or none"},
		{"DIR/doc.yaml --out DIR/x --layout two", 2, "expected one or tags"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			if status, errs := run(strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...); status != tt.status ||
				!strings.Contains(errs, tt.want) {
				t.Errorf("status %d, %s", status, errs)
			}
		})
	}
}

// A folder holds one package: what would break its build is refused, and then
// nothing is written.
func TestGenOtherPackage(t *testing.T) {
	doc := filepath.Join(scratch(t, map[string]string{"doc.yaml": goodDoc}), "doc.yaml")
	for _, tt := range []struct {
		name, file, text string
		args             []string
		want             string // of the error, "" for none
	}{
		{"another", "a.go", "package other\n", nil,
			"is of package other, and a folder can hold only one: use --package other, or choose another folder with --out"},
		{"its test", "a_test.go", "package other\n", nil, "a_test.go is of package other"},
		{"its test from outside", "a_test.go", "package other_test\n", nil, "use --package other,"},
		{"named", "a.go", "// Package other is.\npackage other\n", []string{"--package", "other"}, ""},
		{"a test from outside", "a_test.go", "package api_test\n", nil, ""},
		{"never built", "a.go", "//go:build ignore\n\npackage main\n", nil, ""},
		{"hidden", "_a.go", "package other\n", nil, ""},
		{"no Go", "a.txt", "package other\n", nil, ""},
		{"generated under another name", "models.go", "// Code generated by weft gen openapi; DO NOT EDIT.\n\npackage other\n", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "api")
			if err := os.Mkdir(out, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(out, tt.file), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			status, _, errs := weft("", append([]string{"gen", "openapi", doc, "--out", out}, tt.args...)...)
			if (status != 0) != (tt.want != "") || !strings.Contains(errs, tt.want) {
				t.Errorf("%d %s; want %q", status, errs, tt.want)
			}
			if left, err := os.ReadDir(out); err != nil || (len(left) == 1) != (tt.want != "") && tt.file != "models.go" {
				t.Errorf("%v %v", left, err)
			}
		})
	}
}
