package generators

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/weftcodec/weft/bench/generators/child"
	"github.com/weftcodec/weft/bench/harness"
)

// Process is a program at work on one document.
type Process struct {
	// Hello is what the program says of itself.
	Hello child.Hello
	// Out is the value as the generated code marshals it.
	Out []byte

	cmd     *exec.Cmd
	in      *json.Encoder
	closeIn func() error
	out     *bufio.Scanner
}

// Start starts the program on a row, a model, an operation and a document.
func (p *Program) Start(ctx context.Context, row *Row, model, op string, document []byte) (*Process, error) {
	name, out := filepath.Join(p.temp, "document.json"), filepath.Join(p.temp, "out.json")
	if err := os.WriteFile(name, document, 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(name)
	defer os.Remove(out)
	c := &Process{cmd: exec.CommandContext(ctx, p.path, strings.TrimSpace(model+" "+row.model), op, name, out)}
	c.cmd.Stderr = os.Stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.closeIn, c.out = json.NewEncoder(stdin), stdin.Close, bufio.NewScanner(stdout)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	if err := c.read(&c.Hello); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if c.Hello.Error != "" {
		return nil, errors.Join(errors.New(c.Hello.Error), c.Close())
	}
	if c.Out, err = os.ReadFile(out); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// read reads a line.
func (c *Process) read(v any) error {
	if !c.out.Scan() {
		if err := c.out.Err(); err != nil {
			return err
		}
		return errors.New("the program ended")
	}
	if err := json.Unmarshal(c.out.Bytes(), v); err != nil {
		return fmt.Errorf("the program writes %q: %w", c.out.Text(), err)
	}
	return nil
}

// Measure has the program do its work n times, after warm times that do not count.
func (c *Process) Measure(n, warm int) (s harness.Sample, err error) {
	if err := c.in.Encode(child.Request{N: n, Warm: warm}); err != nil {
		return s, err
	}
	err = c.read(&s)
	return s, err
}

// Close ends the program.
func (c *Process) Close() error {
	return errors.Join(c.closeIn(), c.cmd.Wait())
}
