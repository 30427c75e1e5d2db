package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/weftcodec/weft/cmd/weft/inspect"
	"github.com/weftcodec/weft/compress"
)

func inspectCommand() command {
	return command{
		name:  "inspect",
		line:  "FILE [--format json|ndjson|msgpack|tagged|framed]",
		short: "print what each byte range of a file means",
		run:   runInspect,
		help: `
Each line shows a byte range, the bytes of the header (MessagePack), what they
mean, indented by nesting, and the JSON pointer to the value. Long values are
abbreviated; a MessagePack number or length that is not in its shortest form
is marked.

FILE may be - for the standard input. The format is guessed from the name
(.json, .ndjson, .jsonl, .msgpack, .mp, .tagged, .framed, with .gz, .zst or .zstd
behind it), else from the first byte. A gzip or zstd file is looked into. In a
message of the hashed-tag format a line shows the bytes of the tag, the hash, the
wire type, the name where it is known, and the value. Of a stream of frames the
schema and the frames are shown.

On broken input the command prints what it could read, then the error with its
offset and path, and exits with status 1.`,
	}
}

func runInspect(args []string, std streams) error {
	flags := flag.NewFlagSet("inspect", flag.ContinueOnError)
	format := flags.String("format", "", "format of the file")
	files, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return misuse("one file is due, %d given", len(files))
	}
	switch *format {
	case "", inspect.JSON, inspect.NDJSON, inspect.MessagePack, inspect.Tagged, inspect.Framed:
	default:
		return misuse("no format %q: the formats are json, ndjson, msgpack, tagged and framed", *format)
	}
	name := files[0]
	in := std.in
	if name == "-" {
		name = "standard input"
	} else {
		file, err := openFile(name)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
		if *format == "" {
			plain, _ := cutCompression(name)
			*format = formatOfName(plain)
		}
	}
	buffered := bufio.NewReader(in)
	head, _ := buffered.Peek(4)
	var codec *compress.Codec
	switch compress.Detect(head) {
	case compress.NameGzip:
		codec = compress.NewGzip()
	case compress.NameZstd:
		codec = compress.NewZstd()
	}
	if codec != nil {
		z := codec.NewReader(buffered)
		defer z.Close()
		buffered = bufio.NewReader(z)
		fmt.Fprintf(std.out, "%s, of whose content the offsets are\n", codec.Name())
	}
	if *format == "" {
		*format = formatOfContent(buffered)
	}
	if err := inspect.Dump(std.out, buffered, *format); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
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

// formatOfContent guesses a format from the first byte that is not whitespace.
// JSON begins with few bytes, and MessagePack of any use with none of them: they
// are small numbers.
func formatOfContent(r *bufio.Reader) string {
	for n := 1; n <= r.Size(); n++ {
		head, err := r.Peek(n)
		if err != nil && err != io.EOF || len(head) < n {
			break
		}
		switch c := head[n-1]; c {
		case 0xf7:
			if magic, _ := r.Peek(4); n == 1 && string(magic) == "\xf7wft" {
				return inspect.Framed
			}
			return inspect.MessagePack
		case ' ', '\t', '\r', '\n':
			continue
		case '{', '[', '"', '-', 't', 'f', 'n', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return inspect.NDJSON
		default:
			return inspect.MessagePack
		}
	}
	return inspect.NDJSON
}
