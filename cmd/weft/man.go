package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

func manCommand() command {
	return command{
		name:  "man",
		line:  "",
		short: "print the manual page of this program",
		run:   runMan,
		help: `
Man prints the manual page, weft(1), in the format of man(7). It is made from the texts
of weft help. Read it with weft man | man -l -, or install it as weft.1.`,
	}
}

func runMan(args []string, std streams) error {
	rest, err := parse(flag.NewFlagSet("man", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return misuse("expected no arguments, got %d", len(rest))
	}
	_, err = io.WriteString(std.out, manPage(commands()))
	return err
}

// roff escapes text for a manual page: backslashes, hyphens, and what would begin a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// manPage returns the manual page of the commands.
func manPage(all []command) string {
	var b strings.Builder
	b.WriteString(".TH WEFT 1\n.SH NAME\nweft \\- serialize Go values and generate Go types from OpenAPI documents\n.SH SYNOPSIS\n")
	for _, cmd := range all {
		fmt.Fprintf(&b, ".B weft %s\n%s\n.br\n", cmd.name, roff(cmd.line))
	}
	b.WriteString(".SH COMMANDS\n")
	for _, cmd := range all {
		usage := roff(strings.TrimSpace(cmd.name + " " + cmd.line))
		fmt.Fprintf(&b, ".SS weft %s\n.nf\n%s\n.fi\n", usage, roff(strings.TrimSpace(cmd.help)))
	}
	b.WriteString(".SH EXIT STATUS\n0 on success, 1 on an error, 2 for an invalid call.\n")
	return b.String()
}
