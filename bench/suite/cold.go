package suite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
)

// jsonPrograms are the programs of the JSON libraries below bench/cold and bench/alone, and what their rows are called.
var jsonPrograms = []programName{
	{"std", "encoding/json"}, {"weft", weftName}, {"gojson", "go-json"}, {"sonic", "sonic std"}, {"jsoniter", "jsoniter"}, {"segmentio", "segmentio"},
}

// programName is a program by its folder, with what its row is called.
type programName struct{ dir, name string }

// coldGroup runs programs whose first act is to decode and then to encode one document, and weighs them. It
// needs the source tree and the go command.
func coldGroup() Group {
	return Group{Name: "cold", Modules: peers.JSONModules, Run: func(r *Runner) (string, error) {
		root, ok := sourceTree("cold")
		if !ok {
			fmt.Fprintln(r.Out, "skipped: there is no source tree to build programs from")
			return "cold: skipped", nil
		}
		dir, err := os.MkdirTemp("", "weft-cold-")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		summary := "cold:"
		for _, doc := range []string{"pet", "twitter"} {
			part, err := r.cold(root, dir, doc)
			if err != nil {
				return "", err
			}
			summary += part
		}
		return summary, nil
	}}
}

// coldDocument returns the text of a document.
func coldDocument(name string) ([]byte, error) {
	if name == "pet" {
		return []byte(corpus.PetJSON), nil
	}
	for _, c := range corpus.All() {
		if c.Name == "twitter_status" {
			return c.Data()
		}
	}
	return nil, fmt.Errorf("no corpus %s", name)
}

// cold builds the programs for a document, runs them and prints the tables. It returns its part of the summary.
func (r *Runner) cold(root, dir, doc string) (string, error) {
	data, err := coldDocument(doc)
	if err != nil {
		return "", err
	}
	text := filepath.Join(dir, doc+".json")
	if err := os.WriteFile(text, data, 0o600); err != nil {
		return "", err
	}
	base, err := buildProgram(root, dir, "cold/"+doc, "none")
	if err != nil {
		return "", err
	}
	type program struct {
		path           string
		added          int
		decode, encode []float64
	}
	programs := make([]program, len(jsonPrograms))
	for i, n := range jsonPrograms {
		p := &programs[i]
		if p.path, err = buildProgram(root, dir, "cold/"+doc, n.dir); err != nil {
			return "", err
		}
		if p.added, err = sizeOver(p.path, base); err != nil {
			return "", err
		}
	}
	for range max(r.Config.Rounds, 9) {
		for i := range programs {
			p := &programs[i]
			decode, encode, err := runCold(p.path, text)
			if err != nil {
				return "", err
			}
			p.decode, p.encode = append(p.decode, decode), append(p.encode, encode)
		}
	}
	var times [2][]harness.Row
	for i, n := range jsonPrograms {
		for k, op := range []string{"first decode", "first encode"} {
			rounds, first := programs[i].decode, programs[0].decode
			if k == 1 {
				rounds, first = programs[i].encode, programs[0].encode
			}
			row := harness.RowOf(rounds, first)
			row.Group, row.Corpus, row.Op, row.Case, row.Class = "cold", doc, op, n.name, peers.Compatible
			row.Size = programs[i].added
			row.Note = "(size: bytes added to the stripped program)"
			times[k] = append(times[k], row)
		}
	}
	for _, rows := range times {
		harness.MarkAhead(rows)
		r.Report.Rows = append(r.Report.Rows, rows...)
		if err := harness.WriteText(r.Out, rows); err != nil {
			return "", err
		}
		r.standing(rows, weftName)
	}
	own, peer := find(times[0], weftName), find(times[0], "go-json")
	part := fmt.Sprintf(" %s-decode=%.0fµs go-json=%.0fµs", doc, own.Ns.Median/1e3, peer.Ns.Median/1e3)
	if doc == "pet" {
		part += fmt.Sprintf(" binary=%.2fMB", float64(own.Size)/1e6)
	}
	return part, nil
}

// sourceTree returns where the source of package bench lies, if it does with the folder.
func sourceTree(folder string) (root string, ok bool) {
	_, file, _, ok := runtime.Caller(0)
	root = filepath.Dir(filepath.Dir(file))
	_, err := os.Stat(filepath.Join(root, folder))
	return root, ok && err == nil
}

// buildProgram builds a program of a folder without symbols and returns its path.
func buildProgram(root, dir, folder, name string) (string, error) {
	out := filepath.Join(dir, filepath.Base(folder)+"-"+name)
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./"+folder+"/"+name)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", name, err, text)
	}
	return out, nil
}

// sizeOver returns how much larger a file is than another.
func sizeOver(path, base string) (int, error) {
	a, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	b, err := os.Stat(base)
	if err != nil {
		return 0, err
	}
	return int(a.Size() - b.Size()), nil
}

// runCold runs a program once and returns the nanoseconds that it prints.
func runCold(path, text string) (decode, encode float64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, text)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	fields := strings.Fields(string(out))
	if len(fields) != 2 {
		return 0, 0, fmt.Errorf("%s prints %q", filepath.Base(path), out)
	}
	if decode, err = strconv.ParseFloat(fields[0], 64); err != nil {
		return 0, 0, err
	}
	encode, err = strconv.ParseFloat(fields[1], 64)
	return decode, encode, err
}
