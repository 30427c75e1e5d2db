// Command weft generates Go types from OpenAPI documents, converts files between wire formats, and prints what
// a file contains.
//
//	weft gen openapi DOC --out DIR     write Go types for an OpenAPI document
//	weft convert IN OUT                convert between json, ndjson, msgpack, cbor, tagged and framed
//	weft inspect FILE                  print what each byte range of a file means
//	weft migrate imports|nan [DIR]     move Go code from other libraries to weft's
//	weft compare FILE                  measure your data in each format and compression
//	weft completion bash|zsh|fish      print a completion script for a shell
//	weft man                           print the manual page
//	weft version                       print the version, the commit and the Go release
//
// Run `weft help COMMAND` for the details of a command.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	info, err := os.Stderr.Stat()
	os.Exit(run(os.Args[1:], streams{
		in:       os.Stdin,
		out:      os.Stdout,
		err:      os.Stderr,
		terminal: err == nil && info.Mode()&os.ModeCharDevice != 0,
	}))
}

// streams are the standard streams of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // somebody watches err
}

// command is an entry of the table of commands.
type command struct {
	name  string
	line  string // what stands behind the name in its usage
	short string // one line for the list
	// run does the work. An error is printed behind the command's name; a
	// usageError with where to read on; errPrinted not at all.
	run func(args []string, std streams) error
	// help is the text of weft help, below the usage.
	help string

	// What a shell completes: words are what may stand first, flags defines the
	// flags, and choices are the values of those that have a few.
	words   []string
	flags   func(*flag.FlagSet)
	choices map[string][]string
}

// commands is the table of commands, in the order of weft help.
func commands() []command {
	return []command{
		genCommand(),
		convertCommand(),
		inspectCommand(),
		migrateCommand(),
		compareCommand(),
		completionCommand(),
		manCommand(),
		versionCommand(),
	}
}

// usageError is an invalid call; its text says what is expected.
type usageError struct{ error }

func misuse(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// errPrinted is the error of a command that has said what is wrong.
var errPrinted = errors.New("failed")

// run runs the command that args name and returns the exit status: 0, 1 for
// an error, 2 for an invalid call.
func run(args []string, std streams) int {
	if len(args) == 0 {
		printHelp(std.err)
		return 2
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(args[1:], std)
	case "-version", "--version":
		name = "version"
	}
	cmd, ok := find(name)
	if !ok {
		unknown(name, std)
		return 2
	}
	err := cmd.run(args[1:], std)
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		cmd.print(std.out)
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(std.err, "weft %s: %v\nusage: weft %s\nRun `weft help %s` for more.\n",
			name, err, strings.TrimSpace(name+" "+cmd.line), name)
		return 2
	case !errors.Is(err, errPrinted):
		fmt.Fprintf(std.err, "weft %s: %v\n", name, err)
	}
	return 1
}

// help prints the list of commands, or the help of one.
func help(args []string, std streams) int {
	if len(args) == 0 {
		printHelp(std.out)
		return 0
	}
	cmd, ok := find(args[0])
	if !ok {
		unknown(args[0], std)
		return 2
	}
	cmd.print(std.out)
	return 0
}

func find(name string) (command, bool) {
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd, true
		}
	}
	return command{}, false
}

func unknown(name string, std streams) {
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	fmt.Fprintf(std.err, "weft: no command %q: the commands are %s\nRun `weft help` for more.\n", name, strings.Join(names, ", "))
}

func printHelp(w io.Writer) {
	fmt.Fprintf(w, "usage: weft COMMAND …\n\n")
	for _, cmd := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", cmd.name, cmd.short)
	}
	fmt.Fprintf(w, "\nRun `weft help COMMAND` for more.\n")
}

func (cmd command) print(w io.Writer) {
	fmt.Fprintf(w, "usage: weft %s\n\n%s\n", strings.TrimSpace(cmd.name+" "+cmd.line), strings.TrimSpace(cmd.help))
}

// parse reads flags, which may stand before, between and behind the other
// arguments, and returns the others. An argument after -- is never a flag.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	var others []string
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, misuse("%w", err)
		}
		rest := flags.Args()
		if len(rest) == 0 {
			return others, nil
		}
		if done := len(args) - len(rest); done > 0 && args[done-1] == "--" {
			return append(others, rest...), nil
		}
		others = append(others, rest[0])
		args = rest[1:]
	}
}
