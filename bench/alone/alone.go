// Package alone is what the programs below it share. Each links one JSON library and no other, so that what the
// collector does for a call is not done for the data of libraries that a real program would not have: package suite
// builds them for the group alone and measures them in turn.
package alone

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/remote"
)

// Operations are the second argument of a program, by what it does.
var Operations = []string{"typed decode", "typed encode", "any decode", "any encode"}

// Hello is the first line that a program writes.
type Hello struct {
	// Error says why nothing can be measured.
	Error string `json:"error,omitempty"`
}

// Main serves a library by its arguments: the name of a corpus, an operation, the file with its text, and the
// file to write the library's result to, as text.
func Main(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: PROGRAM CORPUS OPERATION DOCUMENT OUT")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(1)
	hello := Hello{}
	run, err := prepare(os.Args[1], os.Args[2], os.Args[3], os.Args[4], marshal, unmarshal)
	if err != nil {
		hello.Error = err.Error()
	}
	if err := remote.Serve(os.Stdin, os.Stdout, hello, run); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// prepare does the work once and returns it.
func prepare(name, op, document, out string, marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) (func(), error) {
	data, err := os.ReadFile(document)
	if err != nil {
		return nil, err
	}
	typ, err := typeOf(name, op)
	if err != nil {
		return nil, err
	}
	v := reflect.New(typ).Interface()
	var text []byte
	var run func()
	switch op {
	case "typed decode", "any decode":
		if err := unmarshal(data, v); err != nil {
			return nil, err
		}
		text, err = json.Marshal(v)
		run = func() { _ = unmarshal(data, reflect.New(typ).Interface()) }
	case "typed encode", "any encode":
		if err := json.Unmarshal(data, v); err != nil {
			return nil, err
		}
		text, err = marshal(v)
		run = func() { _, _ = marshal(v) }
	default:
		return nil, fmt.Errorf("no operation %q", op)
	}
	return run, errors.Join(err, os.WriteFile(out, text, 0o600))
}

// typeOf returns the type that an operation on a corpus reads and writes.
func typeOf(name, op string) (reflect.Type, error) {
	for _, c := range corpus.All() {
		switch {
		case c.Name != name:
		case strings.HasPrefix(op, "any"):
			return reflect.TypeFor[any](), nil
		default:
			return reflect.TypeOf(c.New()).Elem(), nil
		}
	}
	return nil, fmt.Errorf("no corpus %q", name)
}
