package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/weftcodec/weft/bench/alone"
	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/remote"
)

// aloneNames are the programs below bench/alone.
var aloneNames = append([]programName{{"memory", memoryName}}, jsonPrograms...)

// aloneGroup is the json group with each library in a program that links no other.
func aloneGroup() Group {
	return Group{Name: "alone", Modules: peers.JSONModules, Run: func(r *Runner) (string, error) {
		root, ok := sourceTree("alone")
		if !ok {
			fmt.Fprintln(r.Out, "skipped: there is no source tree to build programs from")
			return "alone: skipped", nil
		}
		dir, err := os.MkdirTemp("", "weft-alone-")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		programs := make(map[string]string)
		for _, n := range aloneNames {
			if programs[n.dir], err = buildProgram(root, dir, "alone", n.dir); err != nil {
				return "", err
			}
		}
		s := newScore()
		for _, c := range corpus.All() {
			for _, op := range alone.Operations {
				if err := r.alone(dir, programs, c, op, s); err != nil {
					return "", err
				}
			}
		}
		s.print(r)
		mean := func(k int) float64 { return harness.GeoMean(s.ratios[[2]string{alone.Operations[k], weftName}]) }
		floor := harness.GeoMean(s.ratios[[2]string{alone.Operations[1], memoryName}])
		return fmt.Sprintf("alone: decode=%.2f encode=%.2f encode-floor=%.2f any-decode=%.2f any-encode=%.2f cells-behind=%d/%d",
			mean(0), mean(1), floor, mean(2), mean(3), len(s.behind), s.cells), nil
	}}
}

// alone runs one contest.
func (r *Runner) alone(dir string, programs map[string]string, c corpus.Corpus, op string, s *score) (err error) {
	data, err := c.Data()
	if err != nil {
		return err
	}
	document, out := filepath.Join(dir, "document.json"), filepath.Join(dir, "out.json")
	if err := os.WriteFile(document, data, 0o600); err != nil {
		return err
	}
	contest := &harness.Contest{Group: "alone", Corpus: c.Name, Op: op, Bytes: len(data), Ref: jsonPrograms[0].name}
	var processes []*remote.Process
	defer func() {
		for _, p := range processes {
			err = errors.Join(err, p.Close())
		}
	}()
	var want []byte
	for _, n := range append(jsonPrograms, aloneNames[0]) {
		k := harness.Case{Name: n.name, Class: peers.Compatible}
		if n.name == memoryName {
			if strings.HasSuffix(op, "decode") {
				continue
			}
			k.Class, k.Note = harness.Floor, "(no encoding)"
		}
		var hello alone.Hello
		p, err := remote.Start(exec.CommandContext(context.Background(), programs[n.dir], c.Name, op, document, out), &hello)
		if err != nil {
			return fmt.Errorf("%s: %w", n.name, err)
		}
		processes = append(processes, p)
		var text []byte
		if hello.Error == "" {
			if text, err = os.ReadFile(out); err != nil {
				return err
			}
		}
		if want == nil {
			want = text
		}
		if strings.HasSuffix(op, "encode") {
			k.Size = len(text)
		}
		k.Measure = p.Measure
		k.Check = func() (string, error) {
			switch {
			case hello.Error != "":
				return "", errors.New(hello.Error)
			case k.Class == harness.Floor:
				return "", nil
			}
			return sameJSON(text, want)
		}
		contest.Cases = append(contest.Cases, k)
	}
	rows, err := r.contest(contest)
	if err != nil {
		return err
	}
	s.add(op, rows, r.standing(rows, weftName))
	return nil
}
