package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Write puts the files into the folder dir, which is made when it is not there,
// and removes files that were generated before and are no more. Every file is
// written beside dir first and then renamed, so a failure leaves no half of one.
// A file of the same name that was not generated is an error, and then nothing
// is written.
func Write(dir string, files []File) error {
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
			return fmt.Errorf("%s is in the way: it was not generated; move it or choose another folder", filepath.Join(dir, f.Name))
		}
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

// Check returns an error that names every file of dir that is not what Write
// would leave there.
func Check(dir string, files []File) error {
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

func has(files []File, name string) bool {
	return slices.ContainsFunc(files, func(f File) bool { return f.Name == name })
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
		if bytes.HasPrefix(data, []byte(header+"\n")) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}
