package generators

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/bench/generators/child"
)

// model stands in for what a tool generates.
type model struct {
	ID int `json:"id"`
}

// direct has methods of its own, one of which validates.
type direct struct{ id int }

func (d *direct) UnmarshalJSON(b []byte) error {
	var m model
	err := json.Unmarshal(b, &m)
	d.id = m.ID
	return err
}
func (d *direct) MarshalJSON() ([]byte, error) { return json.Marshal(model{d.id + 1000}) }
func (d *direct) Validate() error {
	if d.id == 0 {
		return os.ErrInvalid
	}
	return nil
}

// TestMain makes the test's binary the program that is measured, where its
// environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("WEFT_TEST_CHILD") != "" {
		child.Main(map[string]child.Model{
			"M":          {New: func() any { return new(model) }},
			"M direct":   {New: func() any { return new(direct) }, Direct: true},
			"M validate": {New: func() any { return new(direct) }, Direct: true, Validate: true},
		})
		return
	}
	os.Exit(m.Run())
}

func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("WEFT_TEST_CHILD", "1")
	p := &Program{path: self, temp: t.TempDir()}
	for _, c := range []struct {
		model, op, document, out, err string
		empty, ignored                bool
	}{
		{op: child.Unmarshal, document: `{"id":7}`, out: `{"id":7}`, empty: true},
		{op: child.Marshal, document: `{"id":7}`, out: `{"id":7}`, empty: true},
		{model: "direct", op: child.Marshal, document: `{"id":7}`, out: `{"id":1007}`, empty: true},
		{model: "validate", op: child.Unmarshal, document: `{"id":7}`, out: `{"id":1007}`},
		{model: "validate", op: child.Unmarshal, document: `{"id":0}`, err: "invalid argument"},
		{op: child.Marshal, document: `{"id":"7"}`, err: "cannot unmarshal string"},
		{op: child.MarshalIgnoring, document: `{"id":"7"}`, out: `{"id":0}`, empty: true, ignored: true},
		{model: "none", op: child.Marshal, document: `{}`, err: "ended"},
	} {
		t.Run(c.model, func(t *testing.T) {
			name := c.model + " " + c.op + " " + c.document
			proc, err := p.Start(context.Background(), &Row{model: c.model}, "M", c.op, []byte(c.document))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s: %v", name, err)
				}
				return
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if string(proc.Out) != c.out || proc.Hello.TakesEmpty != c.empty || (proc.Hello.Ignored != "") != c.ignored {
				t.Errorf("%s: %s, %+v", name, proc.Out, proc.Hello)
			}
			s, err := proc.Measure(10, 1)
			if err != nil || s.Ns <= 0 || s.Mallocs == 0 || s.Spent < s.Ns {
				t.Errorf("%s: %+v, %v", name, s, err)
			}
			if err := proc.Close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if left, _ := filepath.Glob(filepath.Join(p.temp, "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSkipped wants a line for each tool where none is to be had.
func TestSkipped(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	programs, skipped := Build(context.Background(), t.TempDir())
	if len(programs) != 0 || len(skipped) != len(All()) {
		t.Fatalf("%d programs, %q", len(programs), skipped)
	}
	for i, g := range All() {
		if !strings.HasPrefix(skipped[i], "skipped: "+g.Name+": ") {
			t.Errorf("%q", skipped[i])
		}
	}
}
