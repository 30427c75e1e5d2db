// Package child is the part of the openapi tables that runs inside the programs
// made of other generators' models. Each program serves one of them, one document
// and one direction, in a process of its own, and is measured in turn with the
// cases of the main process.
package child

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/weftcodec/weft/bench/remote"
)

// Model is a generated type.
type Model struct {
	// New returns a pointer to a zero value.
	New func() any
	// Direct has the type's own MarshalJSON and UnmarshalJSON called, in
	// place of encoding/json, which calls them where they are.
	Direct bool
	// Validate has the type's method of this name called after decoding.
	Validate bool
}

// Hello is the first line that a program writes.
type Hello struct {
	// Error says why nothing can be measured.
	Error string `json:"error,omitempty"`
	// TakesEmpty tells that an object without its required members is decoded.
	TakesEmpty bool `json:"takes_empty,omitempty"`
	// Ignored is the error of a decode that was to be ignored.
	Ignored string `json:"ignored,omitempty"`
}

// The operations, which are the second argument of a program.
const (
	Unmarshal = "unmarshal"
	Marshal   = "marshal"
	// MarshalIgnoring marshals what a decode left, whatever its error was.
	MarshalIgnoring = "marshal-ignoring"
)

// Main serves the models of a program by its arguments: the key of a model, an
// operation, the file with the document, and the file to write the value to as the
// generated code marshals it, for comparison.
func Main(models map[string]Model) {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: PROGRAM MODEL OPERATION DOCUMENT OUT")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(1)
	m, ok := models[os.Args[1]]
	if !ok {
		fmt.Fprintln(os.Stderr, "no model", os.Args[1])
		os.Exit(2)
	}
	data, err := os.ReadFile(os.Args[3])
	if err == nil {
		err = m.serve(os.Args[2], data, os.Args[4], os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve decodes once, writes what comes of it, and then measures as it is asked.
func (m Model) serve(op string, data []byte, out string, in io.Reader, w io.Writer) error {
	hello, run := m.prepare(op, data, out)
	return remote.Serve(in, w, hello, run)
}

// prepare makes the work that is measured.
func (m Model) prepare(op string, data []byte, out string) (h Hello, run func()) {
	v := m.New()
	err := m.unmarshal(data, v)
	if err != nil && op == MarshalIgnoring {
		h.Ignored, err = err.Error(), nil
	}
	var text []byte
	if err == nil {
		text, err = m.marshal(v)
	}
	if err == nil {
		err = os.WriteFile(out, text, 0o600)
	}
	if err != nil {
		h.Error = err.Error()
		return h, nil
	}
	h.TakesEmpty = m.unmarshal([]byte("{}"), m.New()) == nil
	if op == Unmarshal {
		return h, func() { _ = m.unmarshal(data, m.New()) }
	}
	return h, func() { _, _ = m.marshal(v) }
}

func (m Model) unmarshal(data []byte, v any) (err error) {
	if u, ok := v.(json.Unmarshaler); ok && m.Direct {
		err = u.UnmarshalJSON(data)
	} else {
		err = json.Unmarshal(data, v)
	}
	if err != nil || !m.Validate {
		return err
	}
	c, ok := v.(interface{ Validate() error })
	if !ok {
		return errors.New("no method Validate")
	}
	return c.Validate()
}

func (m Model) marshal(v any) ([]byte, error) {
	if u, ok := v.(json.Marshaler); ok && m.Direct {
		return u.MarshalJSON()
	}
	return json.Marshal(v)
}
