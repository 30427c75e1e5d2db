// Package remote measures work that another process does, in turn with the work of this one: the child
// serves batches with [Serve], the parent asks for them through a [Process].
package remote

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/weftcodec/weft/bench/harness"
)

// request is a line that asks for a batch.
type request struct {
	N    int `json:"n"`
	Warm int `json:"warm"`
}

// Serve writes hello as a line of JSON, and then for each batch that in asks for a line with its
// [harness.Sample]. It returns when in ends.
func Serve(in io.Reader, w io.Writer, hello any, run func()) error {
	enc := json.NewEncoder(w)
	if err := enc.Encode(hello); err != nil || run == nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		if err := enc.Encode(harness.Measure(run, r.N, r.Warm)); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Process is a program that serves.
type Process struct {
	cmd     *exec.Cmd
	in      *json.Encoder
	closeIn func() error
	out     *bufio.Scanner
}

// Start starts a program and reads what it says first into hello.
func Start(cmd *exec.Cmd, hello any) (*Process, error) {
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, in: json.NewEncoder(stdin), closeIn: stdin.Close, out: bufio.NewScanner(stdout)}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := p.read(hello); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// read reads a line.
func (p *Process) read(v any) error {
	if !p.out.Scan() {
		if err := p.out.Err(); err != nil {
			return err
		}
		return errors.New("the program ended")
	}
	if err := json.Unmarshal(p.out.Bytes(), v); err != nil {
		return fmt.Errorf("the program writes %q: %w", p.out.Text(), err)
	}
	return nil
}

// Measure has the program do its work n times, after warm times that do not count.
func (p *Process) Measure(n, warm int) (s harness.Sample, err error) {
	if err := p.in.Encode(request{N: n, Warm: warm}); err != nil {
		return s, err
	}
	err = p.read(&s)
	return s, err
}

// Close ends the program.
func (p *Process) Close() error {
	return errors.Join(p.closeIn(), p.cmd.Wait())
}
