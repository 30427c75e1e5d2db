package generators

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/weftcodec/weft/bench/generators/child"
	"github.com/weftcodec/weft/bench/remote"
)

// Process is a program at work on one document.
type Process struct {
	*remote.Process
	// Hello is what the program says of itself.
	Hello child.Hello
	// Out is the value as the generated code marshals it.
	Out []byte
}

// Start starts the program on a row, a model, an operation and a document.
func (p *Program) Start(ctx context.Context, row *Row, model, op string, document []byte) (*Process, error) {
	name, out := filepath.Join(p.temp, "document.json"), filepath.Join(p.temp, "out.json")
	if err := os.WriteFile(name, document, 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(name)
	defer os.Remove(out)
	c := &Process{}
	var err error
	c.Process, err = remote.Start(exec.CommandContext(ctx, p.path, strings.TrimSpace(model+" "+row.model), op, name, out), &c.Hello)
	if err != nil {
		return nil, err
	}
	if c.Hello.Error != "" {
		return nil, errors.Join(errors.New(c.Hello.Error), c.Close())
	}
	if c.Out, err = os.ReadFile(out); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}
