package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checked is a package with the types of everything in it, tests too.
type checked struct {
	set     *token.FileSet
	files   []*ast.File
	names   []string // of the files
	types   *types.Package
	info    *types.Info
	ignored []string // Go files that are not built here
	broken  error    // why some of it may have no type
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export, ForTest  string
	DepOnly                           bool
	GoFiles, CgoFiles, IgnoredGoFiles []string
	ImportMap                         map[string]string
	Error                             *struct{ Err string }
}

// load type-checks the packages that match the patterns, as the go command has them in dir. What they
// import comes from the compiler.
func load(dir string, patterns []string) ([]checked, error) {
	cmd := exec.Command("go", append([]string{"list", "-e", "-export", "-deps", "-test",
		"-json=ImportPath,Dir,Export,ForTest,DepOnly,GoFiles,CgoFiles,IgnoredGoFiles,ImportMap,Error", "--"}, patterns...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the go command lists no packages: run this in the folder of a module, or name packages of it\n%s",
			bytes.TrimSpace(stderr.Bytes()))
	}
	exports := map[string]string{}
	var roots []listed
	tested := map[string]bool{} // packages that are there a second time, with their tests
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		exports[p.ImportPath] = p.Export
		if p.DepOnly || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		if path, variant, ok := strings.Cut(p.ImportPath, " "); ok && variant == "["+p.ForTest+".test]" && path == p.ForTest {
			tested[path] = true
		}
		roots = append(roots, p)
	}
	var packages []checked
	for _, p := range roots {
		if tested[p.ImportPath] || len(p.GoFiles)+len(p.CgoFiles)+len(p.IgnoredGoFiles) == 0 && p.Error == nil {
			continue
		}
		c, err := check(p, exports)
		if err != nil {
			return nil, err
		}
		packages = append(packages, c)
	}
	return packages, nil
}

// check parses and type-checks a package.
func check(p listed, exports map[string]string) (checked, error) {
	c := checked{set: token.NewFileSet(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	if p.Error != nil {
		c.broken = errors.New(p.Error.Err)
		if len(p.GoFiles)+len(p.CgoFiles)+len(p.IgnoredGoFiles) == 0 {
			c.broken = fmt.Errorf("%w: run this in the folder of a module, or name packages of it", c.broken)
		}
	}
	for _, name := range p.IgnoredGoFiles {
		c.ignored = append(c.ignored, filepath.Join(p.Dir, name))
	}
	for _, list := range [][]string{p.GoFiles, p.CgoFiles} {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			f, err := parser.ParseFile(c.set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				c.broken = err
				continue
			}
			c.files = append(c.files, f)
			c.names = append(c.names, name)
		}
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if mapped, ok := p.ImportMap[path]; ok {
			path = mapped
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("%s does not compile", path)
		}
		return os.Open(exports[path])
	}
	config := types.Config{Importer: importer.ForCompiler(c.set, "gc", lookup), FakeImportC: true, Error: func(err error) {
		if c.broken == nil {
			c.broken = err
		}
	}}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	c.types, _ = config.Check(path, c.set, c.files, c.info) // the error is in c.broken
	return c, nil
}
