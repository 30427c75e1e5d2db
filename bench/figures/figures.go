// Package figures keeps the figures on the pages equal to those of a committed run
// of the tables. A page has them between two comments,
//
//	<!-- tables: NAME -->
//	<!-- /tables -->
//
// and what is between is written by [Fill] from the newest file of bench/results.
package figures

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/weftcodec/weft/bench/harness"
)

// Dir is where results are, from the root of the clone.
const Dir = "bench/results"

// Newest reads the newest results below the root of a clone; its name is that of
// the file, from the root.
func Newest(root string) (r *harness.Report, name string, err error) {
	r, file, err := newest(filepath.Join(root, Dir))
	return r, Dir + "/" + file, err
}

// newest reads the newest results in a directory.
func newest(dir string) (r *harness.Report, file string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, "", err
	}
	if len(files) == 0 {
		return nil, "", errors.New("figures: no results in " + dir)
	}
	slices.Sort(files) // their names begin with the date
	file = files[len(files)-1]
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	r, err = harness.ReadJSON(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return r, filepath.Base(file), err
}

// Save writes a report below a directory, as JSON and as Markdown, in files named
// by its date.
func Save(dir string, r *harness.Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var text, page bytes.Buffer
	if err := errors.Join(r.WriteJSON(&text), r.WriteMarkdown(&page)); err != nil {
		return err
	}
	name := filepath.Join(dir, r.Date)
	return errors.Join(os.WriteFile(name+".json", text.Bytes(), 0o644), os.WriteFile(name+".md", page.Bytes(), 0o644))
}

// Add writes the rows of some groups to the newest results in a directory. The names of their groups get that of the
// release of Go, as in "json, go1.26.8"; rows that are there already are replaced. Both runs are of one commit and processor.
func Add(dir string, r *harness.Report) error {
	all, _, err := newest(dir)
	if err != nil {
		return err
	}
	commit := func(r *harness.Report) string { return strings.TrimSuffix(r.Env.Commit, "+") } // the first run wrote pages
	switch {
	case r.Env.Go == all.Env.Go:
		return fmt.Errorf("figures: the newest results are of %s themselves", r.Env.Go)
	case commit(r) != commit(all) || r.Env.CPU != all.Env.CPU:
		return fmt.Errorf("figures: the newest results are of commit %s on %s, and not of %s on %s",
			commit(all), all.Env.CPU, commit(r), r.Env.CPU)
	}
	for _, x := range r.Rows {
		x.Group += ", " + r.Env.Go
		if old := all.Find(x.Group, x.Corpus, x.Op, x.Case); old != nil {
			*old = x
		} else {
			all.Rows = append(all.Rows, x)
		}
	}
	return Save(dir, all)
}

// Pages returns the pages of a clone that may have figures, from its root.
func Pages(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	pages := []string{"README.md", "bench/README.md"}
	for _, f := range files {
		pages = append(pages, "docs/"+filepath.Base(f))
	}
	return pages, nil
}

// block is a marked part of a page.
var block = regexp.MustCompile(`(?s)(<!-- tables: ([a-z-]+) -->\n)(.*?)(<!-- /tables -->)`)

// Fill returns a page with its marked parts written from the results, and the names
// of these parts.
func Fill(page []byte, r *harness.Report) (filled []byte, names []string, err error) {
	filled = block.ReplaceAllFunc(page, func(found []byte) []byte {
		m := block.FindSubmatch(found)
		name := string(m[2])
		names = append(names, name)
		make, ok := tables[name]
		if !ok {
			err = errors.Join(err, fmt.Errorf("figures: no table %q", name))
			return found
		}
		text, e := make(r)
		if e != nil {
			err = errors.Join(err, fmt.Errorf("figures: table %q: %w", name, e))
			return found
		}
		return slices.Concat(m[1], []byte(text), m[4])
	})
	return filled, names, err
}

// FillAll writes the marked parts of all pages of a clone.
func FillAll(root string, r *harness.Report) error {
	pages, err := Pages(root)
	if err != nil {
		return err
	}
	for _, name := range pages {
		file := filepath.Join(root, name)
		old, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		filled, _, err := Fill(old, r)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if bytes.Equal(filled, old) {
			continue
		}
		if err := os.WriteFile(file, filled, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Without returns a page without its marked parts.
func Without(page []byte) []byte { return block.ReplaceAll(page, nil) }
