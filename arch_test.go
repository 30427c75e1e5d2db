package weft_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The dependency rules of the project. Files are read whatever their build
// constraints say, so that a rule cannot be broken behind a tag.

const (
	archRoot = "github.com/weftcodec/weft"
	archTool = archRoot + "/cmd/weft"
)

// archFormats are the wire formats: a package in one of these folders belongs
// to that format.
var archFormats = []string{"json", "msgpack", "cbor", "tagged"}

// archPackage is a package as its files show it.
type archPackage struct {
	path  string // import path
	files []archFile
}

// archFile is what the rules look at in one file.
type archFile struct {
	name         string
	test         bool
	generated    bool // by weft
	imports      []string
	directives   []string // go: comments, like go:linkname
	inits        int
	undocumented []string // exported names without a comment
}

func TestArchRules(t *testing.T) {
	packages := archLoad(t)
	for _, rule := range archRules {
		t.Run(rule.name, func(t *testing.T) {
			for _, finding := range rule.check(packages) {
				t.Error(finding)
			}
		})
	}
}

func TestArchDependencies(t *testing.T) {
	for _, finding := range archForeign(archList(t, "-deps", "./...")) {
		t.Error(finding)
	}
}

func TestArchAssembly(t *testing.T) {
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if finding := archAssembly(filepath.ToSlash(name)); finding != "" {
			t.Error(finding)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// archRule is one rule: check returns a line for each place that breaks it.
type archRule struct {
	name  string
	check func([]archPackage) []string
}

var archRules = []archRule{
	{"formats", archFormatsApart},
	{"layers", archLayers},
	{"jsontext", archJSONText},
	{"generated", archGenerated},
	{"unsafe", archUnsafe},
	{"linkname", archLinkname},
	{"init", archInit},
	{"names", archNames},
	{"comments", archComments},
}

// archFormatsApart reports a format that imports another.
func archFormatsApart(packages []archPackage) []string {
	return archImports(packages, func(from, to string) string {
		a, b := archFormat(from), archFormat(to)
		if a != "" && b != "" && a != b {
			return "a format must not import another"
		}
		return ""
	})
}

// archLayers reports an import that points up, from a layer to one above it.
func archLayers(packages []archPackage) []string {
	allowed := func(to string, prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return archWithin(to, p) })
	}
	return archImports(packages, func(from, to string) string {
		switch {
		case to == "internal/sample":
			return "internal/sample is for tests"
		case archWithin(from, "cmd/weft"):
			switch {
			case archWithin(from, "cmd/weft/openapi") && archWithin(to, "cmd/weft/gen"):
				return "openapi must not know gen"
			case archWithin(from, "cmd/weft/gen/ir") && (to == "cmd/weft/gen" || archWithin(to, "cmd/weft/openapi")):
				return "gen/ir must know neither openapi nor gen"
			}
			return ""
		case archWithin(from, "bench") || archWithin(from, "examples") || archWithin(from, "contrib") || archWithin(from, "out") ||
			archWithin(from, "flow") || archWithin(from, "site"):
			return ""
		case allowed(to, "cmd", "bench", "examples", "contrib", "out", "flow", "site"):
			return "the library must not import what is built on it"
		case archWithin(from, "internal/mem"), archWithin(from, "internal/jobs"),
			archWithin(from, "internal/pattern"), archWithin(from, "internal/formats"), archWithin(from, "internal/prefer"),
			archWithin(from, "internal/setting"), archWithin(from, "internal/look"), archWithin(from, "internal/browser"):
			return from + " may import nothing of the library"
		case archWithin(from, "internal/wire"):
			if !allowed(to, "internal/mem", "internal/wire") {
				return "internal/wire may import internal/mem only"
			}
		case archWithin(from, "internal/tree"):
			if !allowed(to, "internal/mem", "internal/wire") {
				return "internal/tree may import internal/wire and internal/mem only"
			}
		case from == "":
			if !allowed(to, "backend", "internal/mem", "internal/wire", "internal/setting") {
				return "the root may import backend, internal/wire, internal/mem and internal/setting only"
			}
		case from == "backend":
			if !allowed(to, "internal/mem", "internal/wire") {
				return "backend may import internal/wire and internal/mem only"
			}
		case from == "internal/sample":
			if to != "" && !allowed(to, "opt", "internal/mem", "internal/setting") {
				return "internal/sample may import the root, opt, internal/mem and internal/setting only"
			}
		case archWithin(from, "opt"):
			if to != "" && !allowed(to, "internal/wire", "internal/setting") && (from != "opt/slim" || to != "opt") {
				return "opt may import the root, internal/wire and internal/setting only, opt/slim opt too"
			}
		case archWithin(from, "schema"):
			if !allowed(to, "backend", "value", "internal/plan", "internal/pattern", "internal/formats", "internal/wire",
				"internal/mem") && to != "" {
				return "schema may import the root, backend, value, internal/plan and what is below only"
			}
		case archWithin(from, "compress"):
			if to != "" && to != "internal/input" {
				return "compress may import the root and internal/input only"
			}
		case archWithin(from, "file"):
			if to != "" && to != "compress" && to != "internal/input" && to != "internal/jobs" && archFormat(to) == "" {
				return "file may import the root, compress, formats, internal/input and internal/jobs only"
			}
		case archWithin(from, "web"):
			if to != "" && to != "compress" && to != "internal/input" && to != "internal/prefer" && archFormat(to) == "" {
				return "web may import the root, compress, formats, internal/input and internal/prefer only"
			}
		case archWithin(from, "column"):
			if to != "" && to != "json" {
				return "column may import the root and json only"
			}
		case archWithin(from, "value"):
			if to != "" && !allowed(to, "backend", "value", "internal/plan", "internal/tree", "internal/wire", "internal/mem",
				"internal/setting") {
				return "value may import the root, backend, the plan and what is below only"
			}
		case archFormat(from) != "" || archWithin(from, "internal/plan"):
			if allowed(to, "opt", "value", "schema", "compress", "file") {
				return "formats know opt, value and schema through the root's interfaces"
			}
			if archWithin(from, "internal/plan") && archFormat(to) != "" {
				return "the plan must not know a format"
			}
		}
		return ""
	})
}

// archJSONText reports reflection in json/jsontext.
func archJSONText(packages []archPackage) []string {
	return archFiles(packages, func(p archPackage, f archFile) string {
		if archRel(p.path) != "json/jsontext" || f.test {
			return ""
		}
		for _, banned := range []string{"reflect", archRoot + "/internal/plan", "encoding/json"} {
			if slices.Contains(f.imports, banned) {
				return "json/jsontext must not import " + banned
			}
		}
		return ""
	})
}

// archGenerated reports a generated file that imports more of weft than the
// root, opt, value, schema and formats.
func archGenerated(packages []archPackage) []string {
	return archFiles(packages, func(_ archPackage, f archFile) string {
		if !f.generated {
			return ""
		}
		for _, imported := range f.imports {
			rel, ours := archCut(imported)
			if !ours || rel == "" || rel == "opt" || rel == "opt/slim" || rel == "value" || rel == "schema" || archFormat(rel) != "" {
				continue
			}
			return "generated code must not import " + imported
		}
		return ""
	})
}

// archMessage reports whether a file of bench is code of protoc-gen-go, which has
// to be as that writes it.
func archMessage(p archPackage, f archFile) bool {
	return archWithin(archRel(p.path), "bench") && strings.HasSuffix(f.name, ".pb.go")
}

// archUnsafe reports the import of unsafe outside internal/mem.
func archUnsafe(packages []archPackage) []string {
	return archFiles(packages, func(p archPackage, f archFile) string {
		if !f.test && archRel(p.path) != "internal/mem" && !archMessage(p, f) && slices.Contains(f.imports, "unsafe") {
			return "unsafe belongs in internal/mem"
		}
		return ""
	})
}

// archLinkname reports go:linkname and cgo, in tests as elsewhere.
func archLinkname(packages []archPackage) []string {
	return archFiles(packages, func(_ archPackage, f archFile) string {
		for _, directive := range f.directives {
			if strings.HasPrefix(directive, "go:linkname") || strings.HasPrefix(directive, "go:cgo_") {
				return "//" + directive + " is not allowed"
			}
		}
		if slices.Contains(f.imports, "C") {
			return "cgo is not allowed"
		}
		return ""
	})
}

// archInit reports init functions.
func archInit(packages []archPackage) []string {
	return archFiles(packages, func(p archPackage, f archFile) string {
		if !f.test && f.inits > 0 && !archMessage(p, f) {
			return "func init is not allowed: make the value where it is used"
		}
		return ""
	})
}

// archNames reports packages named by what they are not.
func archNames(packages []archPackage) []string {
	var findings []string
	for _, p := range packages {
		switch path.Base(p.path) {
		case "util", "utils", "common", "helper", "helpers", "types", "base", "misc", "shared":
			findings = append(findings, p.path+": the name does not say what the package is")
		}
	}
	return findings
}

// archComments reports exported names without a comment in the packages that
// programs import.
func archComments(packages []archPackage) []string {
	return archFiles(packages, func(p archPackage, f archFile) string {
		rel := archRel(p.path)
		if f.test || f.generated || len(f.undocumented) == 0 || strings.Contains("/"+rel+"/", "/internal/") ||
			archWithin(rel, "cmd") || archWithin(rel, "bench") || archWithin(rel, "examples") {
			return ""
		}
		return "no comment on " + strings.Join(f.undocumented, ", ")
	})
}

// archImports applies a rule to every import of one weft package by another
// outside tests; both are given relative to the root.
func archImports(packages []archPackage, rule func(from, to string) string) []string {
	return archFiles(packages, func(p archPackage, f archFile) string {
		if f.test {
			return ""
		}
		for _, imported := range f.imports {
			if to, ours := archCut(imported); ours {
				if finding := rule(archRel(p.path), to); finding != "" {
					return "imports " + imported + ": " + finding
				}
			}
		}
		return ""
	})
}

func archFiles(packages []archPackage, rule func(archPackage, archFile) string) []string {
	var findings []string
	for _, p := range packages {
		for _, f := range p.files {
			if finding := rule(p, f); finding != "" {
				findings = append(findings, path.Join(archRel(p.path), f.name)+": "+finding)
			}
		}
	}
	return findings
}

// archForeign reports packages from modules the library must not depend on.
func archForeign(listed []archListed) []string {
	var findings []string
	for _, p := range listed {
		if p.Standard || p.Module == nil {
			continue
		}
		switch p.Module.Path {
		case archRoot, "github.com/klauspost/compress":
		default:
			findings = append(findings, p.ImportPath+": the library must not depend on "+p.Module.Path)
		}
	}
	return findings
}

// archAssembly reports an assembly or C file outside internal/wire.
func archAssembly(name string) string {
	switch path.Ext(name) {
	case ".s", ".S", ".c", ".h", ".syso":
		if !archWithin(name, "internal/wire") {
			return name + ": assembly belongs in internal/wire"
		}
	}
	return ""
}

// archCut returns an import path relative to the root, and whether it is
// weft's at all.
func archCut(imported string) (string, bool) {
	if imported == archRoot {
		return "", true
	}
	return strings.CutPrefix(imported, archRoot+"/")
}

func archRel(imported string) string {
	rel, _ := archCut(imported)
	return rel
}

// archWithin reports whether a path is the folder or lies below it.
func archWithin(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

// archFormat returns the format that a package belongs to, or "".
func archFormat(rel string) string {
	for _, format := range archFormats {
		if archWithin(rel, format) {
			return format
		}
	}
	return ""
}

// archListed is what go list says of a package.
type archListed struct {
	ImportPath, Dir                   string
	Standard                          bool
	GoFiles, CgoFiles, IgnoredGoFiles []string
	TestGoFiles, XTestGoFiles         []string
	Module                            *struct{ Path string }
}

func archList(t *testing.T, args ...string) []archListed {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("go", append([]string{"list", "-json"}, args...)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	var listed []archListed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p archListed
		if err := dec.Decode(&p); err == io.EOF {
			return listed
		} else if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, p)
	}
}

// archLoad reads every package of the workspace, or of the module alone where
// there is no workspace.
func archLoad(t *testing.T) []archPackage {
	t.Helper()
	var packages []archPackage
	for _, listed := range archList(t, "work") {
		p := archPackage{path: listed.ImportPath}
		for _, name := range slices.Concat(listed.GoFiles, listed.CgoFiles, listed.IgnoredGoFiles,
			listed.TestGoFiles, listed.XTestGoFiles) {
			f, err := archParse(filepath.Join(listed.Dir, name), nil)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, f)
		}
		packages = append(packages, p)
	}
	if len(packages) < 2 {
		t.Fatalf("go list work found %d packages", len(packages))
	}
	return packages
}

// archParse reads a Go file; src is its text, or nil to read the file.
func archParse(name string, src any) (archFile, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return archFile{}, fmt.Errorf("arch: %w", err)
	}
	f := archFile{name: filepath.Base(name), test: strings.HasSuffix(name, "_test.go")}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return archFile{}, fmt.Errorf("arch: %s: %w", name, err)
		}
		f.imports = append(f.imports, imported)
	}
	for _, group := range parsed.Comments {
		for _, comment := range group.List {
			if directive, ok := strings.CutPrefix(comment.Text, "//go:"); ok {
				f.directives = append(f.directives, "go:"+directive)
			}
			f.generated = f.generated || strings.HasPrefix(comment.Text, "// Code generated by weft")
		}
	}
	for _, decl := range parsed.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name == "init" {
				f.inits++
			}
			if decl.Doc == nil && decl.Name.IsExported() && archExportedReceiver(decl) {
				f.undocumented = append(f.undocumented, decl.Name.Name)
			}
		case *ast.GenDecl:
			f.undocumented = append(f.undocumented, archUndocumented(decl)...)
		}
	}
	return f, nil
}

// archExportedReceiver reports whether a function is a method of an exported
// type, or no method at all.
func archExportedReceiver(decl *ast.FuncDecl) bool {
	if decl.Recv == nil {
		return true
	}
	receiver := decl.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return true
		}
	}
}

// archUndocumented returns the exported names of a declaration that neither it
// nor their own line comments on.
func archUndocumented(decl *ast.GenDecl) []string {
	var names []string
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if decl.Doc == nil && spec.Doc == nil && spec.Name.IsExported() {
				names = append(names, spec.Name.Name)
			}
		case *ast.ValueSpec:
			if decl.Doc != nil || spec.Doc != nil || spec.Comment != nil {
				continue
			}
			for _, name := range spec.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// TestArchCanFail proves that each rule finds what it is there to find, and
// nothing in a sound file.
func TestArchCanFail(t *testing.T) {
	tests := []struct {
		rule string
		pkg  string // relative to the root
		file string
		src  string
		want string // part of the finding; "" for none
	}{
		{"formats", "json", "a.go", `import "github.com/weftcodec/weft/msgpack"`,
			"json/a.go: imports github.com/weftcodec/weft/msgpack: a format must not import another"},
		{"formats", "json", "a.go", `import "github.com/weftcodec/weft/json/jsontext"`, ""},
		{"formats", "json", "a_test.go", `import "github.com/weftcodec/weft/msgpack"`, ""},
		{"formats", "cbor", "a.go", "//go:build purego\n\npackage p\nimport _ \"github.com/weftcodec/weft/json/jsontext\"",
			"must not import another"},
		{"layers", "", "a.go", `import "github.com/weftcodec/weft/internal/plan"`,
			"the root may import backend, internal/wire, internal/mem and internal/setting only"},
		{"layers", "", "a.go", `import "github.com/weftcodec/weft/backend"`, ""},
		{"layers", "backend", "a.go", `import "github.com/weftcodec/weft"`, "backend may import internal/wire and internal/mem only"},
		{"layers", "internal/formats", "a.go", `import "github.com/weftcodec/weft"`, "may import nothing"},
		{"layers", "internal/pattern", "a.go", `import "github.com/weftcodec/weft/internal/mem"`, "may import nothing"},
		{"layers", "", "a.go", `import "github.com/weftcodec/weft/internal/wire/jsonwire"`, ""},
		{"layers", "internal/mem", "a.go", `import "github.com/weftcodec/weft/internal/wire"`, "may import nothing"},
		{"layers", "internal/tree", "a.go", `import "github.com/weftcodec/weft"`, "internal/tree may import"},
		{"layers", "value", "a.go", `import "github.com/weftcodec/weft/internal/tree"`, ""},
		{"layers", "internal/wire/jsonwire", "a.go", `import "github.com/weftcodec/weft"`, "internal/wire may import internal/mem only"},
		{"layers", "internal/plan", "a.go", `import "github.com/weftcodec/weft/json"`, "the plan must not know a format"},
		{"layers", "json", "a.go", `import "github.com/weftcodec/weft/opt"`, "through the root's interfaces"},
		{"layers", "json", "a.go", `import "github.com/weftcodec/weft/examples/quickstart"`, "built on it"},
		{"layers", "json", "a.go", `import "github.com/weftcodec/weft/internal/plan"`, ""},
		{"layers", "opt", "a.go", `import "github.com/weftcodec/weft/json"`, "opt may import the root, internal/wire and internal/setting only"},
		{"layers", "opt", "a.go", `import "github.com/weftcodec/weft"`, ""},
		{"layers", "opt", "a.go", `import "github.com/weftcodec/weft/opt/slim"`,
			"opt may import the root, internal/wire and internal/setting only"},
		{"layers", "opt/slim", "a.go", `import "github.com/weftcodec/weft/opt"`, ""},
		{"layers", "compress", "a.go", `import "github.com/weftcodec/weft/json"`,
			"compress may import the root and internal/input only"},
		{"layers", "file", "a.go", `import "github.com/weftcodec/weft/internal/plan"`,
			"file may import the root, compress, formats, internal/input and internal/jobs only"},
		{"layers", "file", "a.go", `import "github.com/weftcodec/weft/compress"`, ""},
		{"layers", "web", "a.go", `import "github.com/weftcodec/weft/internal/plan"`, "web may import the root, compress, formats"},
		{"layers", "web", "a.go", `import "github.com/weftcodec/weft/internal/input"`, ""},
		{"layers", "column", "a.go", `import "github.com/weftcodec/weft/msgpack"`, "column may import the root and json only"},
		{"layers", "value", "a.go", `import "github.com/weftcodec/weft/json"`,
			"value may import the root, backend, the plan and what is below only"},
		{"layers", "value", "a.go", `import "github.com/weftcodec/weft/internal/plan"`, ""},
		{"layers", "cmd/weft/openapi", "a.go", `import "github.com/weftcodec/weft/cmd/weft/gen/ir"`, "openapi must not know gen"},
		{"layers", "cmd/weft/gen/ir", "a.go", `import "github.com/weftcodec/weft/cmd/weft/openapi"`, "neither openapi nor gen"},
		{"layers", "cmd/weft/gen", "a.go", `import "github.com/weftcodec/weft/cmd/weft/openapi"`, ""},
		{"jsontext", "json/jsontext", "a.go", `import "reflect"`, "must not import reflect"},
		{"jsontext", "json", "a.go", `import "reflect"`, ""},
		{"generated", "examples/petstore", "a.go",
			"// Code generated by weft. DO NOT EDIT.\n\npackage p\nimport _ \"github.com/weftcodec/weft/internal/plan\"",
			"must not import github.com/weftcodec/weft/internal/plan"},
		{"generated", "examples/petstore", "a.go",
			"// Code generated by weft. DO NOT EDIT.\n\npackage p\nimport (\n_ \"github.com/weftcodec/weft\"\n" +
				"_ \"github.com/weftcodec/weft/json\"\n_ \"time\")", ""},
		{"unsafe", "json", "a.go", `import "unsafe"`, "unsafe belongs in internal/mem"},
		{"unsafe", "internal/mem", "a.go", `import "unsafe"`, ""},
		{"unsafe", "bench/records/recordpb", "a.pb.go", `import "unsafe"`, ""},
		{"unsafe", "json", "a.pb.go", `import "unsafe"`, "unsafe belongs in internal/mem"},
		{"linkname", "json", "a.go", "//go:linkname now time.now\nfunc now() int", "//go:linkname now time.now is not allowed"},
		{"linkname", "json", "a_test.go", `import "C"`, "cgo is not allowed"},
		{"linkname", "json", "a.go", "// go:linkname in prose is fine.\nvar a int", ""},
		{"init", "json", "a.go", "func init() {}", "func init is not allowed"},
		{"init", "json", "a.go", "type t int\nfunc (t) init() {}", ""},
		{"names", "internal/util", "a.go", "", "does not say what the package is"},
		{"comments", "json", "a.go", "func Read() {}\nfunc write() {}\ntype T struct{}\nconst A = 1", "no comment on Read, T, A"},
		{"comments", "json", "a.go", "type t[K any] struct{}\nfunc (*t[K]) M() {}\n// U is.\ntype U int\nconst B = 1 // B is.", ""},
		{"comments", "internal/plan", "a.go", "func Read() {}", ""},
	}
	used := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			src := tt.src
			if !strings.Contains(src, "package p\n") {
				src = "package p\n" + src + "\n"
			}
			f, err := archParse(tt.file, src)
			if err != nil {
				t.Fatalf("%q: %v", tt.src, err)
			}
			p := archPackage{path: strings.TrimSuffix(archRoot+"/"+tt.pkg, "/"), files: []archFile{f}}
			i := slices.IndexFunc(archRules, func(r archRule) bool { return r.name == tt.rule })
			got := strings.Join(archRules[i].check([]archPackage{p}), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("%s on %s/%s %q: got %q, want %q", tt.rule, tt.pkg, tt.file, tt.src, got, tt.want)
			}
			used[tt.rule] = used[tt.rule] || tt.want != ""
		})
	}
	for _, rule := range archRules {
		if !used[rule.name] {
			t.Errorf("no test makes rule %s fail", rule.name)
		}
	}

	heavy := []archListed{
		{ImportPath: "fmt", Standard: true},
		{ImportPath: archRoot + "/json", Module: &struct{ Path string }{archRoot}},
		{ImportPath: "github.com/klauspost/compress/zstd", Module: &struct{ Path string }{"github.com/klauspost/compress"}},
		{ImportPath: "example.com/heavy/a", Module: &struct{ Path string }{"example.com/heavy"}},
	}
	if got := archForeign(heavy); len(got) != 1 || !strings.Contains(got[0], "example.com/heavy") {
		t.Errorf("foreign modules: got %q, want example.com/heavy alone", got)
	}
	if archAssembly("json/scan_amd64.s") == "" || archAssembly("internal/wire/scan_amd64.s") != "" {
		t.Error("assembly: found in the wrong place or not found")
	}
}
