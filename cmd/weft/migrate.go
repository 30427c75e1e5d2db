package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/migrate"
)

func migrateCommand() command {
	return command{
		name:  "migrate",
		line:  "imports|nan [DIR|FILE|PACKAGE ...] [--write] [--generated]",
		short: "move Go code from other libraries to weft's",
		run:   runMigrate,
		words: []string{"imports", "nan"},
		flags: func(flags *flag.FlagSet) { migrateFlags(flags) },
		help: `
Migrate lists the changes that it would make; with --write it makes them. Formatting
is preserved. Generated files are skipped unless --generated is given. Afterwards
add the requirement to the module: go get github.com/weftcodec/weft@latest

imports: the imports of encoding/json, github.com/goccy/go-json, github.com/json-iterator/go,
github.com/bytedance/sonic and github.com/segmentio/encoding/json become imports
of github.com/weftcodec/weft/json, in the files that are named and in all Go files
below the directories (default: the current one), whatever their build tags.
Directories that the go command ignores (vendor, testdata, names that begin with
. or _) are skipped unless they are named. The local names of imports are kept.
The file - is the standard input, which is written to the standard output with
its imports changed.
An import is left unchanged, with a warning at its position, if the file uses a name
that weft does not have. A note marks each signature with Encoder or Decoder, which
are types of weft's own.

nan: the types of github.com/kak-tus/nan become those of github.com/weftcodec/weft/opt,
with their constructors, fields, methods and imports, in the packages that match
the patterns of the go command, including tests (default: all below the current directory;
a directory stands for all below it). The packages are type-checked, so every use of a field or a variable of
such a type is changed. They must compile; name all packages that use one another in
one run. A warning marks each position that needs attention, and says what to do.`,
	}
}

func migrateFlags(flags *flag.FlagSet) (write, generated *bool) {
	return flags.Bool("write", false, "change the files"), flags.Bool("generated", false, "change generated files too")
}

func runMigrate(args []string, std streams) error {
	flags := flag.NewFlagSet("migrate", flag.ContinueOnError)
	write, generated := migrateFlags(flags)
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	what := ""
	if len(names) > 0 {
		what, names = names[0], names[1:]
	}
	if stdin := slices.Contains(names, "-"); stdin && len(names) > 1 {
		return misuse("- stands alone: the standard output is for one file")
	}
	if what != "imports" && what != "nan" {
		return misuse("it can migrate imports, or nan")
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	m := migration{std: std, write: *write, generated: *generated}
	if what == "nan" {
		if slices.Contains(names, "-") {
			return misuse("nan migrates packages, not the standard input")
		}
		return m.nan(names)
	}
	for _, name := range names {
		if name == "-" {
			if err := m.filter(); err != nil {
				return err
			}
			continue
		}
		if err := m.walk(name); err != nil {
			return err
		}
	}
	m.sum("import stays", "imports stay")
	if m.broken > 0 {
		return errPrinted
	}
	return nil
}

// sum prints what was changed, and what was not in one phrase for one and one for several.
func (m *migration) sum(one, several string) {
	verb := "would be changed; --write changes them"
	if m.write {
		verb = "changed"
	}
	fmt.Fprintf(m.std.err, "%s %s, %s, %s\n", number(m.files, "file", "files"), verb, number(m.stay, one, several),
		number(m.skipped, "generated file is left unchanged", "generated files are left unchanged"))
}

// number returns n with the phrase for one or for several.
func number(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
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
			return missing(path, err)
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
	return m.apply(path, r)
}

// filter migrates the standard input to the standard output.
func (m *migration) filter() error {
	src, err := io.ReadAll(m.std.in)
	if err != nil {
		return err
	}
	r, err := migrate.File(standardInput, src, m.generated)
	if err != nil {
		return err
	}
	if len(r.Changes) > 0 {
		src = r.Text
	}
	if _, err := m.std.out.Write(src); err != nil {
		return err
	}
	m.std.out, m.write = m.std.err, false
	err = m.apply(standardInput, r)
	m.write = true // as it has been
	return err
}

// nan migrates packages, or those below directories.
func (m *migration) nan(names []string) error {
	var patterns []string
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			patterns = append(patterns, name)
			continue
		}
		if err := m.nanIn(name, []string{"./..."}); err != nil {
			return err
		}
	}
	if len(patterns) > 0 {
		if err := m.nanIn(".", patterns); err != nil {
			return err
		}
	}
	m.sum("place needs attention", "places need attention")
	return nil
}

func (m *migration) nanIn(dir string, patterns []string) error {
	results, err := migrate.Nan(dir, patterns, m.generated)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, r := range results {
		for _, notes := range [][]migrate.Note{r.Changes, r.Warnings} {
			for i := range notes {
				if rel, err := filepath.Rel(here, notes[i].Pos.Filename); err == nil && filepath.IsLocal(rel) {
					notes[i].Pos.Filename = rel
				}
			}
		}
		if err := m.apply(r.Name, r.Result); err != nil {
			return err
		}
	}
	return nil
}

// apply tells what became of a file, and writes it.
func (m *migration) apply(path string, r migrate.Result) error {
	for _, n := range r.Changes {
		fmt.Fprintf(m.std.out, "%s: %s\n", n.Pos, n.Text)
	}
	for _, n := range r.Warnings {
		fmt.Fprintf(m.std.err, "%s: warning: %s\n", n.Pos, n.Text)
	}
	m.stay += len(r.Warnings)
	for _, n := range r.Doubts {
		fmt.Fprintf(m.std.err, "%s: note: %s\n", n.Pos, n.Text)
	}
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
