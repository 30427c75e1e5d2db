package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/sdk"
)

// The operations of the sdk group.
var sdkOps = []string{"typed decode", "typed decode, other order", "typed encode"}

// mostlyOwn is the share of the time in an SDK's own methods from which on the cell says little of the library.
const mostlyOwn = 0.6

// sdkGroup compares JSON libraries on types of public SDKs, in a program of its own.
func sdkGroup() Group {
	modules := slices.Concat(peers.JSONModules, sdk.Modules)
	return Group{Name: "sdk", Modules: modules, Run: func(r *Runner) (string, error) { return r.sdkProgram("") }}
}

// sdkProgram runs the program with the types of SDKs, for all or for one group, and returns its summary.
func (r *Runner) sdkProgram(group string) (summary string, err error) {
	root, ok := sourceTree("sdk")
	if !ok {
		return "", errors.New("no source tree to build the program from")
	}
	tags := ""
	if r.Generate && group == "" {
		if err := copyToolchain(filepath.Join(root, "sdk", "sdktypes")); err != nil {
			fmt.Fprintln(r.Out, "the toolchain's own types left out:", err)
		} else {
			tags = "jsontest"
		}
	}
	dir, err := os.MkdirTemp("", "weft-sdk-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	program, rows := filepath.Join(dir, "tables"), filepath.Join(dir, "rows.json")
	build := exec.Command("go", "build", "-tags", tags, "-o", program, "./sdk/tables")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	config, err := json.Marshal(r.Config)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(program, string(config), rows, group)
	cmd.Stdout, cmd.Stderr = r.Out, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", err
	}
	text, err := os.ReadFile(rows)
	if err != nil {
		return "", err
	}
	report, err := harness.ReadJSON(text)
	if err != nil {
		return "", err
	}
	r.Report.Rows = append(r.Report.Rows, report.Rows...)
	return strings.Join(report.Summaries, " "), nil
}

// copyToolchain writes the types that the toolchain has for its documents, which are not ours to keep.
func copyToolchain(dir string) error {
	text, err := sdk.Copied()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "toolchain_copied.go"), text, 0o644)
}

// SDK is the work of that program: it runs every operation on the documents, and adds its summary to the report.
func (r *Runner) SDK(documents []sdk.Document) error {
	s := new(sdkScore)
	for _, d := range documents {
		if err := r.sdkDocument(d, s); err != nil {
			return err
		}
	}
	s.print(r)
	r.Report.Summaries = append(r.Report.Summaries, s.summary())
	return nil
}

// sdkCell is how weft stands in one contest.
type sdkCell struct {
	name  string
	op    string
	own   float64 // the share of the time in the SDK's own methods
	ratio float64 // times the speed of the fastest compatible peer, by the medians
	best  float64 // the same by the fastest rounds
	std   float64 // times the speed of encoding/json
	more  bool    // weft has more allocations than that peer
}

type sdkScore struct{ cells []sdkCell }

// add takes in the rows of one contest.
func (s *sdkScore) add(op string, own float64, rows []harness.Row) {
	weft := find(rows, weftName)
	peer := best(rows, peers.Compatible, weftName)
	if weft == nil || !weft.Timed() || peer == nil {
		return
	}
	fastest := peer.Best
	for i := range rows {
		if r := &rows[i]; r.Timed() && r.Class == peers.Compatible && r.Case != weftName {
			fastest = min(fastest, r.Best)
		}
	}
	ratio, _ := weft.Versus(peer)
	more := weft.Allocs > peer.Allocs+0.5
	s.cells = append(s.cells, sdkCell{weft.Corpus, op, own, ratio.Median, fastest / weft.Best, weft.Ratio.Median, more})
}

// mean returns the geometric mean of the cells of an operation, against the fastest peers and encoding/json, and how
// many these are. own selects those where most of the time is the SDK's own.
func (s *sdkScore) mean(op string, own bool) (ratio, std float64, n int) {
	var ratios, stds []float64
	for _, c := range s.cells {
		if strings.HasPrefix(c.op, op) && (c.own >= mostlyOwn) == own {
			ratios, stds = append(ratios, c.ratio), append(stds, c.std)
		}
	}
	return harness.GeoMean(ratios), harness.GeoMean(stds), len(ratios)
}

// summary returns the machine-readable line.
func (s *sdkScore) summary() string {
	line := "sdk:"
	for _, op := range []string{"decode", "encode"} {
		ratio, std, n := s.mean("typed "+op, false)
		own, _, m := s.mean("typed "+op, true)
		line += fmt.Sprintf(" %s=%.2f/%d %s-std=%.2f %s-own=%.2f/%d", op, ratio, n, op, std, op, own, m)
	}
	worst, behind, more := 99.0, 0, 0
	for _, c := range s.cells {
		worst = min(worst, c.best)
		if c.best < 0.97 {
			behind++
		}
		if c.more {
			more++
		}
	}
	return fmt.Sprintf("%s worst=%.2f cells-behind=%d/%d more-allocs=%d", line, worst, behind, len(s.cells), more)
}

// print prints a line for each cell.
func (s *sdkScore) print(r *Runner) {
	fmt.Fprintf(r.Out, "\nweft against the fastest compatible library\n  %-26s %-26s %6s %8s %10s\n",
		"document", "", "own", "median", "fastest")
	for _, c := range s.cells {
		note := ""
		if c.more {
			note = "  more allocations"
		}
		fmt.Fprintf(r.Out, "  %-26s %-26s %4.0f %% %8.2f %10.2f%s\n", c.name, c.op, 100*c.own, c.ratio, c.best, note)
	}
}

// sdkDocument runs every operation on one document.
func (r *Runner) sdkDocument(d sdk.Document, s *sdkScore) error {
	data, err := d.Data()
	if err != nil {
		return err
	}
	other, err := sdk.Shuffled(data)
	if err != nil {
		return err
	}
	for _, op := range sdkOps {
		text := data
		if strings.HasSuffix(op, "order") {
			text = other
		}
		c, err := sdkContest(d, op, text)
		if err != nil {
			return err
		}
		var own float64
		for i := range c.Cases {
			if k := &c.Cases[i]; k.Name == weftName {
				if own, err = ownShare(d.Owner, k.Run); err != nil {
					return err
				}
				k.Note = fmt.Sprintf("(%.0f %% the SDK's own)", 100*own)
			}
		}
		rows, err := r.contest(c)
		if err != nil {
			return err
		}
		r.standing(rows, weftName)
		s.add(op, own, rows)
	}
	return nil
}

// sdkContest makes the contest of an operation on a document.
func sdkContest(d sdk.Document, op string, data []byte) (*harness.Contest, error) {
	typed := d.New()
	if err := json.Unmarshal(data, typed); err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	c := &harness.Contest{Group: "sdk", Corpus: d.Name, Op: op, Bytes: len(data), Ref: "encoding/json"}
	kind, _, _ := strings.Cut(op, ",")
	for _, l := range peers.AllJSON() {
		if k, ok, err := jsonCase(l, kind, data, typed, nil); err != nil {
			return nil, err
		} else if ok {
			c.Cases = append(c.Cases, k)
		}
	}
	return c, nil
}

// shareTime is how long the share of an SDK's own code is looked for.
const shareTime = 400 * time.Millisecond

// ownShare returns the share of the time of run that passes within functions whose names begin with owner, and in
// what they call.
func ownShare(owner string, run func()) (float64, error) {
	var text bytes.Buffer
	if err := pprof.StartCPUProfile(&text); err != nil {
		return 0, err
	}
	for start := time.Now(); time.Since(start) < shareTime; {
		run()
	}
	pprof.StopCPUProfile()
	p, err := profile.Parse(&text)
	if err != nil {
		return 0, err
	}
	var own, all int64
	for _, s := range p.Sample {
		all += s.Value[0]
		if slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
			return slices.ContainsFunc(l.Line, func(l profile.Line) bool { return strings.HasPrefix(l.Function.Name, owner) })
		}) {
			own += s.Value[0]
		}
	}
	return float64(own) / float64(max(all, 1)), nil
}
