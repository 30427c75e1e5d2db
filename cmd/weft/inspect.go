package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"

	"github.com/weftcodec/weft/cmd/weft/compare"
	"github.com/weftcodec/weft/cmd/weft/inspect"
	"github.com/weftcodec/weft/file"
)

func inspectCommand() command {
	return command{
		name:  "inspect",
		line:  "FILE [--format json|ndjson|msgpack|cbor|tagged|framed]",
		short: "print what each byte range of a file means",
		run:   runInspect,
		flags: func(flags *flag.FlagSet) { inspectFlags(flags) },
		choices: map[string][]string{
			"format": {inspect.JSON, inspect.NDJSON, inspect.MessagePack, inspect.CBOR, inspect.Tagged, inspect.Framed},
		},
		help: `
Inspect prints a line for each part of FILE. A line shows a byte range, the bytes
of the header (MessagePack, CBOR), their meaning, indented by nesting, and the JSON
pointer to the value. Long values are abbreviated; a number or length of MessagePack
or CBOR that is not in its shortest form is marked. A short CBOR item is followed by
its diagnostic notation (RFC 8949 §8).

FILE may be - for the standard input. The end of the name selects the format (.json,
.ndjson, .jsonl, .msgpack, .mp, .cbor, .tagged, .framed, optionally followed by .gz,
.zst or .zstd), and content that does not match is an error; if the name has no such end,
the content selects the format. Inspect decompresses gzip and zstd files. In a
message of the hashed-tag format a line shows the bytes of the tag, the hash, the
wire type, the name, if known, and the value. For a stream of frames the lines show
the schema, the frames and, for each column of a frame, its encoding and its first
values.

On malformed input the command prints what it could read, then the error with its
offset and path, and exits with status 1.`,
	}
}

func inspectFlags(flags *flag.FlagSet) (format *string) {
	return flags.String("format", "", "format of the file")
}

func runInspect(args []string, std streams) error {
	flags := flag.NewFlagSet("inspect", flag.ContinueOnError)
	format := inspectFlags(flags)
	files, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return misuse("expected one file, got %d", len(files))
	}
	switch *format {
	case "", inspect.JSON, inspect.NDJSON, inspect.MessagePack, inspect.CBOR, inspect.Tagged, inspect.Framed:
	default:
		return misuse("no format %q: the formats are json, ndjson, msgpack, cbor, tagged and framed", *format)
	}
	name := files[0]
	in, shown := std.in, shownName(name)
	if name != "-" {
		f, err := openFile(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	var opts []file.Options
	if *format != "" {
		f, _ := compare.FormatOf(*format)
		opts = append(opts, file.As(f))
	}
	content, err := file.OpenContent(in, name, opts...)
	if err != nil {
		return inFile(shown, err)
	}
	defer content.Close()
	if z := content.Compression(); z != "" {
		fmt.Fprintf(std.out, "%s, of whose content the offsets are\n", z)
	}
	if *format == "" {
		*format = content.Format().Name()
		if file.FormatOfName(name) == nil && *format == inspect.JSON {
			*format = inspect.NDJSON // or one text
		}
	}
	return inFile(shown, inspect.Dump(std.out, content, *format))
}

// inFile returns err, unless it is nil, as one that names what was read.
func inFile(name string, err error) error {
	var e *file.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	if err == nil || namesFile(err) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// missing returns err, or, where it says that there is no file of the name, what to do about it.
func missing(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no such file: check the path", name)
	}
	return err
}

// openFile opens a file to read; a folder is an error.
func openFile(name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, missing(name, err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder: name a file in it", name)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
