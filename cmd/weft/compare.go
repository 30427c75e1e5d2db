package main

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/weftcodec/weft/cmd/weft/compare"
	"github.com/weftcodec/weft/file"
)

func compareCommand() command {
	return command{
		name:  "compare",
		line:  "FILE [--sort ORDER] [--time DURATION] [--json] [--html PAGE] [--format FORMAT]",
		short: "measure your own data in each format and compression",
		run:   runCompare,
		flags: func(flags *flag.FlagSet) { newCompareFlags(flags) },
		choices: map[string][]string{
			"sort": compare.Orders(), "format": {"json", "ndjson", "msgpack", "cbor", "framed", "tagged"},
		},
		help: `
Compare writes and reads the data of FILE in each format, uncompressed and with
gzip and zstd. It prints the size, the time to save and to load, and the number of
allocations. A last line recommends a format for size, for speed, and for both,
which minimizes the product of bytes and time.

FILE is JSON, newline-delimited JSON, MessagePack, CBOR, framed or tagged, also in
gzip or zstd. The end of its name selects the format, or --format: json, ndjson,
msgpack, cbor, framed or tagged. If neither does, the content selects it. FILE may
be - for the standard input. A list is measured as its elements, records as records.

If a file has more records than 8 MiB of JSON, only the first are measured, and the
first line of the table says so. Of a larger JSON object the first 8 MiB are measured.
So compare needs at most 256 MiB of memory, whatever the size of the file, unless one
record is larger than 8 MiB.

Times are for writing to and reading from memory, on one core: the minimum of several
interleaved rounds. Compare builds Go structs for the data. If none fits, because a member has
values of several kinds, it uses dynamic values, which are slower; the first line
then names the member and the records. Compare checks that every format returns the
original data. Data that a format cannot hold is listed below the table.

  --sort ORDER   size (the default), save, load, time or name
  --time 2s      how long to measure; each format is measured at least once
  --json         print the table as JSON
  --html PAGE    also write a page with a plot to a file; with - print only the page,
                 on the standard output`,
	}
}

// compareFlags are the flags of weft compare.
type compareFlags struct {
	order, page, format string
	budget              time.Duration
	asJSON              bool
}

func newCompareFlags(flags *flag.FlagSet) *compareFlags {
	c := new(compareFlags)
	flags.StringVar(&c.order, "sort", "size", "order of the table")
	flags.DurationVar(&c.budget, "time", 2*time.Second, "how long to measure")
	flags.BoolVar(&c.asJSON, "json", false, "print JSON")
	flags.StringVar(&c.page, "html", "", "file for a page")
	flags.StringVar(&c.format, "format", "", "format of the file")
	return c
}

func runCompare(args []string, std streams) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	c := newCompareFlags(flags)
	files, err := parse(flags, args)
	if err != nil {
		return err
	}
	options := compare.Options{Budget: c.budget, Sort: c.order}
	orders := compare.Orders()
	switch {
	case len(files) != 1:
		return misuse("expected one file, got %d", len(files))
	case !slices.Contains(orders, c.order):
		return misuse("--sort %s: no such order; the orders are %s and %s", c.order, strings.Join(orders[:len(orders)-1], ", "), orders[len(orders)-1])
	case c.budget < 0 || c.budget > time.Hour:
		return misuse("--time %v: give some seconds", c.budget)
	}
	var ok bool
	if options.Format, ok = compare.FormatOf(c.format); !ok {
		return misuse("no format %q: the formats are json, ndjson, msgpack, cbor, framed and tagged", c.format)
	}
	clear := func() {}
	if std.terminal {
		bar := newProgress(std.err, filepath.Base(shownName(files[0])), 1000)
		bar.parts = true
		options.Progress = func(done float64) { bar.show(int64(done * 1000)) }
		clear = bar.clear
	}
	name := files[0]
	if name == "-" {
		spooled, remove, err := spool(std.in)
		if err != nil {
			return err
		}
		defer remove()
		name = spooled
		options.Name = standardInput
	}
	report, err := compare.File(name, options)
	clear()
	switch {
	case errors.As(err, new(*file.Error)) && name != files[0]:
		return inFile(options.Name, err)
	case err != nil:
		return missing(name, err)
	case c.page == "-":
		return report.WriteHTML(std.out)
	case c.page != "":
		if err := file.Replace(c.page, report.WriteHTML); err != nil {
			return err
		}
	}
	if c.asJSON {
		return writeJSON(std.out, report)
	}
	return report.WriteText(std.out)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
