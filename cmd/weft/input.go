package main

import (
	"errors"
	"io"
	"os"
)

// standardInput is what - is called in what the user sees.
const standardInput = "standard input"

// input reads files whole, the standard input for the name -, which can be one
// of them only.
type input struct {
	in    io.Reader
	taken bool
}

func (i *input) read(name string) ([]byte, error) {
	if name != "-" {
		return os.ReadFile(name)
	}
	if i.taken {
		return nil, errors.New("- is given twice: the standard input can be read only once")
	}
	i.taken = true
	return io.ReadAll(i.in)
}

// shownName returns what a file is called in what the user sees.
func shownName(name string) string {
	if name == "-" {
		return standardInput
	}
	return name
}

// spool copies the standard input into a file, which remove removes.
func spool(in io.Reader) (name string, remove func(), err error) {
	f, err := os.CreateTemp("", "weft-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.Remove(f.Name()) }
	_, err = io.Copy(f, in)
	if err = errors.Join(err, f.Close()); err != nil {
		remove()
		return "", nil, err
	}
	return f.Name(), remove, nil
}
