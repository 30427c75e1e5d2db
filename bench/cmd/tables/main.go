// Command tables runs the benchmarks and prints their tables.
//
//	go run ./bench/cmd/tables [GROUP…] [--quick|--full] [--json FILE] [--html FILE] [--md FILE] [--results DIR] [--against FILE]
//	go run ./bench/cmd/tables --docs
//
// Without a group all of them run. Figures are ratios of process CPU time
// with all libraries interleaved in one process; see package harness. Nothing
// is pinned: on a busy or a many-core machine use
//
//	taskset -c 0 go run ./bench/cmd/tables
//
// With --results the run is kept, as DIR/DATE.json and DIR/DATE.md, and the figures
// in README.md and docs are written from it. A run of some groups is added to the newest
// results there, under its release of Go, for another release than that of the whole run.
// With --docs alone nothing is measured: the figures are written from the newest results
// that are kept.
//
// With --against the rows of weft that are slower than in an earlier run, by more than 3 %
// of their ratio, are listed at the end.
//
// The last line of a group is its machine-readable summary. The exit status is
// 0 whatever the figures are, 1 when a table could not be made, 2 for a wrong
// argument.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/weftcodec/weft/bench/figures"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/suite"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

// arguments are the parsed command line.
type arguments struct {
	groups         []string
	config         harness.Config
	json, html, md string
	results        string
	against        *harness.Report
	docs           bool
	procs          int
	generate       bool
}

// parse reads the command line; flags and groups may be mixed.
func parse(args []string) (arguments, error) {
	var a arguments
	fs := flag.NewFlagSet("tables", flag.ContinueOnError)
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: tables [GROUP…] [flags]\n\ngroups: %s (default: all)\n\n", strings.Join(groupNames(), ", "))
		fs.PrintDefaults()
	}
	quick := fs.Bool("quick", false, "few rounds, for a first look")
	full := fs.Bool("full", false, "many rounds, for published figures")
	fs.StringVar(&a.json, "json", "", "also write the results as JSON to `FILE`")
	fs.StringVar(&a.html, "html", "", "also write a page with tables and charts to `FILE`")
	fs.StringVar(&a.md, "md", "", "also write the tables as Markdown to `FILE`")
	fs.StringVar(&a.results, "results", "", "also keep the results in `DIR`, or add those of some groups there, and write the figures on the pages")
	against := fs.String("against", "", "also list the rows that are slower than in `FILE`, results as JSON, by more than 3 %")
	fs.BoolVar(&a.docs, "docs", false, "measure nothing: write the figures on the pages from the newest results")
	fs.IntVar(&a.procs, "procs", 1, "GOMAXPROCS of the run")
	noGenerate := fs.Bool("no-generate", false, "leave out the peers whose code is generated first")
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return a, err
		}
		if fs.NArg() == 0 {
			break
		}
		a.groups = append(a.groups, fs.Arg(0))
		args = fs.Args()[1:]
	}
	for _, g := range a.groups {
		if !slices.Contains(groupNames(), g) {
			return a, fmt.Errorf("unknown group %q: the groups are %s", g, strings.Join(groupNames(), ", "))
		}
	}
	a.generate = !*noGenerate
	if *against != "" {
		text, err := os.ReadFile(*against)
		if err != nil {
			return a, err
		}
		if a.against, err = harness.ReadJSON(text); err != nil {
			return a, fmt.Errorf("%s: %w", *against, err)
		}
	}
	switch {
	case *quick && *full:
		return a, fmt.Errorf("--quick and --full exclude each other")
	case *quick:
		a.config = harness.Quick
	case *full:
		a.config = harness.Full
	default:
		a.config = harness.Normal
	}
	return a, nil
}

func groupNames() []string {
	var names []string
	for _, g := range suite.Groups() {
		names = append(names, g.Name)
	}
	return names
}

func run(args []string, out io.Writer) error {
	a, err := parse(args)
	if err == flag.ErrHelp {
		return nil
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(2)
	}
	if a.docs {
		return fillPages()
	}
	if a.generate {
		if done, err := rerunWithGenerated(args); done || err != nil {
			return err
		}
	}
	runtime.GOMAXPROCS(a.procs)
	var modules []string
	var groups []suite.Group
	for _, g := range suite.Groups() {
		if len(a.groups) == 0 || slices.Contains(a.groups, g.Name) {
			groups = append(groups, g)
			modules = append(modules, g.Modules...)
		}
	}
	var failed error
	report := &harness.Report{Env: harness.Environment(modules...), Config: a.config}
	fmt.Fprint(out, report.Env.String())
	fmt.Fprintf(out, "%s; ratio = times faster than the first row, median and quartiles over the rounds\n", a.config)
	for _, g := range groups {
		fmt.Fprintf(out, "\n=== %s ===\n", g.Name)
		r := &suite.Runner{Config: a.config, Generate: a.generate, Out: out, Report: report}
		summary, err := g.Run(r)
		if err != nil {
			// The other groups are worth having all the same.
			failed = errors.Join(failed, fmt.Errorf("%s: %w", g.Name, err))
			summary = g.Name + ": failed: " + err.Error()
		}
		report.Summaries = append(report.Summaries, summary)
		fmt.Fprintf(out, "%s\n", summary)
	}
	report.Date = time.Now().UTC().Format(time.DateOnly)
	if a.against != nil {
		failed = errors.Join(failed, report.WriteAgainst(out, a.against, 0.03))
	}
	if a.results != "" {
		keep := figures.Save
		if len(a.groups) > 0 {
			keep = figures.Add
		}
		failed = errors.Join(failed, keep(a.results, report), fillPages())
	}
	return errors.Join(failed, save(a.json, report.WriteJSON), save(a.html, report.WriteHTML), save(a.md, report.WriteMarkdown))
}

// fillPages writes the figures on the pages from the newest results.
func fillPages() error {
	_, file, _, ok := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, figures.Dir)); !ok || err != nil {
		return fmt.Errorf("there is no source tree with results")
	}
	report, _, err := figures.Newest(root)
	if err != nil {
		return err
	}
	return figures.FillAll(root, report)
}

// save writes a file through a temporary one, so that a failure leaves no
// half-written report.
func save(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".tables-*")
	if err != nil {
		return err
	}
	err = write(f)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
