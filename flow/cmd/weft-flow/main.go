// Command weft-flow runs, checks, tests and draws servers that are described by a page of YAML.
//
//	weft-flow run FILE…       runs a document until it is interrupted
//	weft-flow check FILE…     reports its errors, as file:line:col
//	weft-flow test FILE…      runs its tests
//	weft-flow record RECORDING FILE…
//	                          runs it, and records what its servers receive and answer
//	weft-flow replay RECORDING FILE…
//	                          sends the requests of a recording again, and compares the answers
//	weft-flow graph FILE…     draws it, as Mermaid or SVG
//	weft-flow schema          prints a JSON Schema of documents, for editors
//
// `weft-flow help COMMAND` describes a command; docs/flow.md describes documents.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/flow/natsserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program is one invocation of the command.
type program struct {
	ctx  context.Context
	in   io.Reader
	out  io.Writer
	err  io.Writer
	env  map[string]string
	args []string // of the command, behind its flags
}

// command is an entry of the table of commands.
type command struct {
	name, line, short, help string
	flags                   func(f *flag.FlagSet) func(p *program) error
}

// commands is the table of commands, in the order of weft-flow help.
func commands() []command {
	return []command{runCommand(), checkCommand(), testCommand(), recordCommand(), replayCommand(), graphCommand(), schemaCommand()}
}

// misuse is an invalid invocation; its text says what was expected.
type misuse struct{ error }

// errPrinted is returned by a command that has already printed its errors.
var errPrinted = errors.New("failed")

// run runs the command that args name and returns the exit status: 0 for success, 1 for an
// error, 2 for an invalid invocation.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	if len(args) == 0 {
		printHelp(errOut)
		return 2
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return help(args[1:], out, errOut)
	}
	cmd, ok := find(args[0])
	if !ok {
		return unknown(args[0], errOut)
	}
	p := &program{ctx: ctx, in: in, out: out, err: errOut, env: make(map[string]string)}
	f := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Func("env", "", func(s string) error {
		name, v, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return errors.New("expected NAME=VALUE")
		}
		p.env[name] = v
		return nil
	})
	do := cmd.flags(f)
	err := f.Parse(args[1:])
	if errors.Is(err, flag.ErrHelp) {
		cmd.print(out)
		return 0
	}
	if err != nil {
		err = misuse{err}
	} else if p.args = f.Args(); len(p.args) == 0 && strings.Contains(cmd.line, "FILE") {
		err = misuse{errors.New("expected the file of a document, got no argument")}
	} else {
		err = do(p)
	}
	var wrong misuse
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintf(errOut, "weft-flow %s: %v\nusage: weft-flow %s %s\nRun `weft-flow help %s` for more.\n", cmd.name, err,
			cmd.name, cmd.line, cmd.name)
		return 2
	case !errors.Is(err, errPrinted):
		fmt.Fprintf(errOut, "weft-flow %s: %v\n", cmd.name, err)
	}
	return 1
}

// options are those of every command that reads documents.
func (p *program) options() []flow.Option {
	return []flow.Option{flow.Streams(p.in, p.out), flow.EmbedNATS(natsserver.Start), flow.Env(func(name string) (string, bool) {
		if v, ok := p.env[name]; ok {
			return v, true
		}
		return os.LookupEnv(name)
	})}
}

func runCommand() command {
	return command{
		name: "run", line: "[-env NAME=VALUE] [-log text|json] [-v] [-drain 30s] [-watch=false] FILE…", short: "run a document until it is interrupted",
		help: `
Several files make one document. On an interrupt the program waits for the requests in
progress, at most as long as -drain specifies; a second interrupt ends it at once.

  -env NAME=VALUE   a variable for references such as ${NAME}; may be repeated
  -log FORMAT       the format of the log on standard error: text or json
  -v                log more
  -drain DURATION   time for requests in progress when it stops
  -watch=false      do not reload the document when its files change

OpenTelemetry spans are sent by OTLP over HTTP to OTEL_EXPORTER_OTLP_ENDPOINT, if it is set.
`,
		flags: func(f *flag.FlagSet) func(p *program) error {
			do := running(f)
			return func(p *program) error { return do(p, p.args) }
		},
	}
}

func recordCommand() command {
	return command{
		name: "record", line: "[flags of run] RECORDING FILE…", short: "run it, and record what its servers receive and answer",
		help: `
Record does the same as run, and appends a line of JSON to the file RECORDING for each
request to a node of kind http and its answer. Replay sends the requests again. Bodies of up
to 1 MiB are recorded; the headers Authorization, Cookie and Set-Cookie are not. A node of
kind record does the same elsewhere in a document, and has fields for these limits.

The flags are those of run: see weft-flow help run.
`,
		flags: func(f *flag.FlagSet) func(p *program) error {
			do := running(f)
			return func(p *program) error {
				if len(p.args) < 2 {
					return misuse{errors.New("expected the file to write and the file of a document, got one argument")}
				}
				if text, err := os.ReadFile(p.args[0]); err == nil && len(text) > 0 && text[0] != '{' {
					return misuse{fmt.Errorf("%s exists and is not a recording: expected the file to write first", p.args[0])}
				}
				return do(p, p.args[1:], flow.Record(p.args[0]))
			}
		},
	}
}

// running adds the flags of run, and returns what runs a document.
func running(f *flag.FlagSet) func(p *program, files []string, more ...flow.Option) error {
	format := f.String("log", "text", "")
	verbose := f.Bool("v", false, "")
	watch := f.Bool("watch", true, "")
	drain := f.Duration("drain", 30*time.Second, "")
	return func(p *program, files []string, more ...flow.Option) error {
		log, err := logger(p.err, *format, *verbose)
		if err != nil {
			return err
		}
		spans, end, err := traces(p.ctx)
		if err != nil {
			return err
		}
		more = append(append(p.options(), spans, flow.Log(log), flow.Drain(*drain), flow.Watch(*watch)), more...)
		fl, err := flow.LoadFiles(files, more...)
		if err != nil {
			return printed(p.err, err)
		}
		defer end()
		for _, w := range fl.Warnings() {
			fmt.Fprintln(p.err, w)
		}
		return fl.Run(p.ctx)
	}
}

func logger(w io.Writer, format string, more bool) (*slog.Logger, error) {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if more {
		o.Level = slog.LevelDebug
	}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, o)), nil
	}
	return nil, misuse{fmt.Errorf("-log %s: expected text or json", format)}
}

// printed prints what is wrong with a document, a line each.
func printed(w io.Writer, err error) error {
	fmt.Fprintln(w, err)
	return errPrinted
}

func checkCommand() command {
	return command{
		name: "check", line: "[-env NAME=VALUE] [-strict] FILE…", short: "report the errors in a document",
		help: `
Check prints one line per error or warning, beginning with file:line:col. The exit status is
1 if there is an error, and 0 otherwise.

  -env NAME=VALUE   a variable for references such as ${NAME}; may be repeated
  -strict           treat warnings as errors
`,
		flags: func(f *flag.FlagSet) func(p *program) error {
			strict := f.Bool("strict", false, "")
			return func(p *program) error {
				all, err := flow.Check(p.args, p.options()...)
				if err != nil {
					return err
				}
				for _, d := range all {
					fmt.Fprintln(p.out, d)
				}
				if len(all.Errors()) > 0 || *strict && len(all) > 0 {
					return errPrinted
				}
				return nil
			}
		},
	}
}

func testCommand() command {
	return command{
		name: "test", line: "[-env NAME=VALUE] [-run PATTERN] [-v] FILE…", short: "run the tests of a document",
		help: `
Tests are nodes of kind test, usually in a separate file. Test prints one line per
failure, beginning with the file:line:col of the expectation. The exit status is 1 if
a test fails or there is no test.

  -env NAME=VALUE   a variable for references such as ${NAME}; may be repeated
  -run PATTERN      only the tests whose names match the regular expression
  -v                also list the tests that pass
`,
		flags: func(f *flag.FlagSet) func(p *program) error {
			pattern := f.String("run", "", "")
			all := f.Bool("v", false, "")
			return func(p *program) error {
				chosen, err := regexp.Compile(*pattern)
				if err != nil {
					return misuse{fmt.Errorf("-run %s: %w", *pattern, err)}
				}
				results, err := flow.Test(p.args, chosen.MatchString, p.options()...)
				if err != nil {
					return printed(p.err, err)
				}
				if len(results) == 0 {
					return errors.New("there is no such test: add a node of kind test, or a file that contains one")
				}
				return judged(p, results, *all)
			}
		},
	}
}

func replayCommand() command {
	return command{
		name: "replay", line: "[-env NAME=VALUE] [-v] RECORDING FILE…", short: "send recorded requests to a document again",
		help: `
RECORDING is a file written by the command record or by a node of kind record. Replay sends
each request to the node that recorded it, and so to the nodes that follow, including
services. It prints one line for each answer with a different status or body, beginning with
the line of the recording. The exit status is 1 if an answer differs.

  -env NAME=VALUE   a variable for references such as ${NAME}; may be repeated
  -v                also list the requests with equal answers
`,
		flags: func(f *flag.FlagSet) func(p *program) error {
			all := f.Bool("v", false, "")
			return func(p *program) error {
				if len(p.args) < 2 {
					return misuse{errors.New("expected a recording and the file of a document, got one argument")}
				}
				results, err := flow.Replay(p.args[0], p.args[1:], p.options()...)
				if err != nil {
					return printed(p.err, err)
				}
				return judged(p, results, *all)
			}
		},
	}
}

// judged prints the results of tests.
func judged(p *program, results []flow.TestResult, all bool) error {
	failed := 0
	for _, r := range results {
		for _, d := range r.Failures {
			fmt.Fprintf(p.out, "%s: %s: %s\n", d.Pos, r.Name, d.Message)
		}
		if len(r.Failures) > 0 {
			failed++
		} else if all {
			fmt.Fprintf(p.out, "ok %s %v\n", r.Name, r.Time.Round(10*time.Microsecond))
		}
	}
	if failed > 0 {
		fmt.Fprintf(p.out, "%d of %s failed\n", failed, tests(len(results)))
		return errPrinted
	}
	fmt.Fprintf(p.out, "%s passed\n", tests(len(results)))
	return nil
}

// tests returns n with its unit.
func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}

func graphCommand() command {
	return command{
		name: "graph", line: "[-env NAME=VALUE] [-svg] FILE…", short: "draw a document",
		help: `
The drawing goes to standard output, as a Mermaid flowchart or as SVG.

  -env NAME=VALUE   a variable for references such as ${NAME}; may be repeated
  -svg              draw SVG
`,
		flags: func(f *flag.FlagSet) func(p *program) error {
			svg := f.Bool("svg", false, "")
			return func(p *program) error {
				fl, err := flow.LoadFiles(p.args, p.options()...)
				if err != nil {
					return printed(p.err, err)
				}
				text := fl.Mermaid()
				if *svg {
					text = fl.SVG()
				}
				_, err = io.WriteString(p.out, text)
				return err
			}
		},
	}
}

func schemaCommand() command {
	return command{
		name: "schema", line: "", short: "print a JSON Schema of documents",
		help: `
Editors use the schema to complete and check documents. Save it in their folder, and begin
each document with

  # yaml-language-server: $schema=flow.schema.json
`,
		flags: func(*flag.FlagSet) func(p *program) error {
			return func(p *program) error {
				if len(p.args) > 0 {
					return misuse{fmt.Errorf("expected no argument, got %s", p.args[0])}
				}
				_, err := p.out.Write(flow.Schema())
				return err
			}
		},
	}
}

func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func unknown(name string, w io.Writer) int {
	fmt.Fprintf(w, "weft-flow: there is no command %q\n\n", name)
	printHelp(w)
	return 2
}

func help(args []string, out, errOut io.Writer) int {
	if len(args) == 0 {
		printHelp(out)
		return 0
	}
	cmd, ok := find(args[0])
	if !ok {
		return unknown(args[0], errOut)
	}
	cmd.print(out)
	return 0
}

func (c command) print(w io.Writer) {
	fmt.Fprintf(w, "usage: weft-flow %s %s\n%s", c.name, c.line, c.help)
}

func printHelp(w io.Writer) {
	fmt.Fprint(w, "weft-flow runs servers that are described by a page of YAML.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  weft-flow %-6s %-58s %s\n", c.name, c.line, c.short)
	}
	fmt.Fprint(w, "\nRun `weft-flow help COMMAND` for more.\n")
}
