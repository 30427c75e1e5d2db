package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/migrate"
)

func migrateCommand() command {
	return command{
		name:  "migrate",
		line:  "imports [DIR|FILE ...] [--write] [--generated]",
		short: "move Go code from other JSON libraries to weft's",
		run:   runMigrate,
		help: `
The imports of encoding/json, github.com/goccy/go-json, github.com/json-iterator/go,
github.com/bytedance/sonic and github.com/segmentio/encoding/json become imports
of github.com/weftcodec/weft/json, in the files that are named and in all Go files
below the directories (default: the current one), whatever their build tags are.
Directories that the go command passes over (vendor, testdata, names that begin with
. or _) are left alone unless they are named, and so are generated files, without
--generated.

Names that an import has in a file stay, as does the formatting. An import stays as
it is where the file uses something of it that weft does not have under the same
name: a warning tells the place.

Without --write nothing is changed and what would be is listed. Afterwards the
module needs the requirement: go get github.com/weftcodec/weft@latest`,
	}
}

func runMigrate(args []string, std streams) error {
	flags := flag.NewFlagSet("migrate", flag.ContinueOnError)
	write := flags.Bool("write", false, "change the files")
	generated := flags.Bool("generated", false, "change generated files too")
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(names) == 0 || names[0] != "imports" {
		return misuse("imports is all that it can migrate")
	}
	names = names[1:]
	if len(names) == 0 {
		names = []string{"."}
	}
	m := migration{std: std, write: *write, generated: *generated}
	for _, name := range names {
		if err := m.walk(name); err != nil {
			return err
		}
	}
	verb := "would be changed; --write changes them"
	if *write {
		verb = "changed"
	}
	fmt.Fprintf(std.err, "%d files %s, %d imports stay, %d generated files are left alone\n", m.files, verb, m.stay, m.skipped)
	if m.broken > 0 {
		return errPrinted
	}
	return nil
}

// migration is one run.
type migration struct {
	std                          streams
	write, generated             bool
	files, stay, skipped, broken int
}

// walk migrates a file, or the Go files below a directory.
func (m *migration) walk(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry; {
		case err != nil:
			return err
		case name.IsDir():
			base := name.Name()
			if path != root && (base == "vendor" || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return nil
		case path != root && (!strings.HasSuffix(path, ".go") || !name.Type().IsRegular()):
			return nil
		}
		return m.file(path)
	})
}

func (m *migration) file(path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r, err := migrate.File(path, src, m.generated)
	if err != nil { // no Go; the others may be
		fmt.Fprintln(m.std.err, err)
		m.broken++
		return nil
	}
	for _, n := range r.Changes {
		fmt.Fprintf(m.std.out, "%s: %s\n", n.Pos, n.Text)
	}
	for _, n := range r.Warnings {
		fmt.Fprintf(m.std.err, "%s: warning: %s\n", n.Pos, n.Text)
	}
	m.stay += len(r.Warnings)
	if r.Generated {
		m.skipped++
	}
	if len(r.Changes) == 0 {
		return nil
	}
	m.files++
	if !m.write {
		return nil
	}
	return replace(path, r.Text)
}

// replace puts text in the place of the file, whole or not at all.
func replace(path string, text []byte) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".weft-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
