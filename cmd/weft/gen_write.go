package main

import (
	"bytes"
	"errors"
	"fmt"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen"
)

// writePackage puts the files into the folder dir, which is made when it is not there,
// and removes files that were generated before and are no more. Every file is
// written beside dir first and then renamed, so a failure leaves no half of one.
// A file of the same name that was not generated is an error, as is a file of
// another package, and then nothing is written.
func writePackage(dir string, files []gen.File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder cannot be made: %w: choose another one", err)
	}
	stale, err := generated(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		_, err := os.Lstat(filepath.Join(dir, f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !slices.Contains(stale, f.Name):
			return fmt.Errorf("%s exists and was not generated: move it or choose another folder", filepath.Join(dir, f.Name))
		}
	}
	if err := samePackage(dir, files, stale); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".weft-gen-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(temp, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := os.Rename(filepath.Join(temp, f.Name), filepath.Join(dir, f.Name)); err != nil {
			return err
		}
	}
	for _, name := range stale {
		if !has(files, name) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// samePackage returns an error if the files and those in dir that stay would be
// of several packages. Tests from outside and files that no build has, such as
// those with the constraint ignore, may be of another.
func samePackage(dir string, files []gen.File, stale []string) error {
	if len(files) == 0 {
		return nil
	}
	name, err := packageOf(files[0].Name, files[0].Data)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".go" || slices.Contains(stale, e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		old, err := packageOf(path, nil)
		if err != nil { // no Go, which the compiler will say
			continue
		}
		if strings.HasSuffix(e.Name(), "_test.go") {
			old = strings.TrimSuffix(old, "_test")
		}
		if old == name {
			continue
		}
		if built, err := gobuild.Default.MatchFile(dir, e.Name()); err == nil && built {
			return fmt.Errorf("%s is of package %s, and a folder can hold only one: use --package %s, or choose another folder with --out",
				path, old, old)
		}
	}
	return nil
}

// packageOf returns the name in the package clause of a file.
func packageOf(path string, data []byte) (string, error) {
	var src any
	if data != nil {
		src = data
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	return f.Name.Name, nil
}

// checkPackage returns an error that names every file of dir that is not what writePackage
// would leave there.
func checkPackage(dir string, files []gen.File) error {
	var bad []string
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			bad = append(bad, f.Name+" (missing)")
		case err != nil:
			return err
		case !bytes.Equal(data, f.Data):
			bad = append(bad, f.Name)
		}
	}
	old, err := generated(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range old {
		if !has(files, name) {
			bad = append(bad, name+" (no longer generated)")
		}
	}
	if bad == nil {
		return nil
	}
	return fmt.Errorf("%s is stale: %s; generate it again", dir, strings.Join(bad, ", "))
}

func has(files []gen.File, name string) bool {
	return slices.ContainsFunc(files, func(f gen.File) bool { return f.Name == name })
}

// generated returns the names of the files in dir that begin with the header of
// this generator.
func generated(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(data, []byte(gen.Header+"\n")) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}
