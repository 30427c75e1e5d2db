package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/compare"
	"github.com/weftcodec/weft/cmd/weft/convert"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/tagged"
)

func convertCommand() command {
	return command{
		name:  "convert",
		line:  "IN OUT [--from FORMAT] [--to FORMAT] [--skip-damaged]",
		short: "convert between json, ndjson, msgpack, cbor, tagged and framed files",
		run:   runConvert,
		flags: func(flags *flag.FlagSet) { convertFlags(flags) },
		choices: map[string][]string{
			"from": convert.Formats(), "to": convert.Formats(),
		},
		help: `
Convert reads IN and writes its values to OUT. The formats are json, ndjson (one
JSON text per line), msgpack and cbor (a sequence of values), tagged (one message
of the hashed-tag format) and framed (a stream of frames). The end of a file name
selects the format: .json, .ndjson, .jsonl, .msgpack, .mp,
.cbor, .tagged, .framed, optionally followed by .gz, .zst or .zstd for
compression. Content that does not match the name of IN is an error. With --from
the name is ignored, and gzip or zstd content is decompressed. IN and OUT may be -
for the standard streams, which need --from or --to.

Records of ndjson, msgpack and cbor are converted one at a time, in the memory of the
longest one. So are the elements of an array that makes up a whole json, msgpack,
cbor or tagged file. An object that makes up a whole file is one record. If a value
cannot be written before all of it is read, for example because its length comes
first, it goes through a temporary file. When a json file is converted to ndjson,
each element of its array becomes a record. When records are converted to json, they
become the elements of an array, but a msgpack or cbor file of one value becomes that
value. In a framed file each element of an array that makes up a whole file is a
record.

Members keep their order, except in tagged, which sorts them by their hashes.
Tagged has no booleans: a boolean is an error unless --bools-as-ints is given,
which writes 0 or 1. In framed files each member has its own columns, one for each
kind of its values in a frame. Integers stay integers; one beyond 64 bits
becomes a bignum in CBOR and is an error in MessagePack. JSON cannot represent an
extension, a key that is neither text nor an integer, text that is not UTF-8, an
infinity or a NaN: these are errors. So is half a surrogate pair in JSON (\ud83d).
Binary becomes base64, and a timestamp becomes RFC 3339 text. Other CBOR tags are
replaced by their content.

OUT is written under a temporary name and renamed when it is complete. An error
names the file, the offset and the path, and leaves the previous OUT unchanged.

With --skip-damaged, a framed file is read past its damaged bytes: all frames that are
whole are converted, and each range of bytes that is left out is printed. IN must be a
framed file that is not compressed as a whole.`,
	}
}

func convertFlags(flags *flag.FlagSet) (from, to *string, boolsAsInts, skipDamaged *bool) {
	return flags.String("from", "", "format of IN"), flags.String("to", "", "format of OUT"),
		flags.Bool("bools-as-ints", false, "write booleans as 0 and 1 where OUT is tagged"),
		flags.Bool("skip-damaged", false, "read a framed IN past its damaged bytes")
}

func runConvert(args []string, std streams) error {
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	from, to, ints, skip := convertFlags(flags)
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(names) != 2 {
		return misuse("expected two arguments, IN and OUT; got %d", len(names))
	}
	in, out := names[0], names[1]
	var given []file.Options
	if f, _ := compare.FormatOf(*from); f != nil {
		given = append(given, file.As(f))
	}
	if *from, err = chooseFormat(in, *from, "--from"); err != nil {
		return err
	}
	if *to, err = chooseFormat(out, *to, "--to"); err != nil {
		return err
	}
	if *skip && (in == "-" || *from != "framed" || compressionOfName(in) != nil) {
		return misuse("--skip-damaged needs an IN that is a framed file and not compressed as a whole")
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	source := std.in
	options := convert.Options{From: *from, To: *to, BoolsAsInts: *ints}
	show := func(int64) {}
	if in != "-" {
		f, err := openFile(in)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			options.Size = info.Size()
		}
		if source = f; *skip {
			source = tagged.WholeFrames(f, options.Size, func(from, to int64) {
				fmt.Fprintf(std.err, "%s: bytes %d to %d are damaged, and left out\n", in, from, to)
			})
		}
		if std.terminal && options.Size >= minProgress {
			bar := newProgress(std.err, filepath.Base(in), options.Size)
			defer bar.clear()
			show = bar.show
		}
	}
	source = &stoppable{ctx: ctx, r: source}
	options.Progress = show
	packed := false
	if in == "-" {
		b := bufio.NewReader(source)
		source = b
		packed = compressed(b)
	}
	if in != "-" || packed { // whose head may be long in coming
		raw := &counted{r: source, show: func(int64) {}}
		content, err := file.OpenContent(raw, in, given...)
		if err != nil {
			return inFile(shownName(in), err)
		}
		defer content.Close()
		if source = content; content.Compression() != "" {
			raw.show, options.Progress, options.Size = show, nil, 0
		}
	}
	failed := false // the conversion, not the writing
	work := func(w io.Writer) error {
		codec := compressionOfName(out)
		if codec == nil {
			err := convert.Convert(w, source, options)
			failed = err != nil
			return err
		}
		z := codec.NewWriter(w)
		err := convert.Convert(z, source, options)
		if failed = err != nil; failed {
			return err
		}
		return z.Close()
	}
	if out == "-" {
		err = work(std.out)
	} else {
		err = file.Replace(out, work)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped; nothing was written to " + out)
	case failed:
		return inFile(shownName(in), err)
	}
	return err
}

// compressed reports whether r is gzip or zstd. Of other content it waits for no
// more than the first byte.
func compressed(r *bufio.Reader) bool {
	first, _ := r.Peek(1)
	if len(first) == 0 || first[0] != 0x1f && first[0] != 0x28 {
		return false
	}
	head, _ := r.Peek(4)
	return compress.Detect(head) != ""
}

// namesFile reports whether an error says which file it is about.
func namesFile(err error) bool {
	var pathError *fs.PathError
	return errors.As(err, &pathError)
}

// chooseFormat returns the format that a flag names, or else the file name.
func chooseFormat(name, given, flagName string) (string, error) {
	formats := convert.Formats()
	list := strings.Join(formats[:len(formats)-1], ", ") + " and " + formats[len(formats)-1]
	switch {
	case slices.Contains(formats, given):
		return given, nil
	case given != "":
		return "", misuse("%s %s: no such format; the formats are %s", flagName, given, list)
	case name == "-":
		return "", misuse("a standard stream has no name to guess the format from: add %s with one of %s", flagName, list)
	}
	if f := file.FormatOfName(name); f != nil {
		f, _, _, _ = compress.Split(f)
		return f.Name(), nil
	}
	return "", misuse("%s: the name does not select a format: add %s with one of %s", name, flagName, list)
}

// compressionOfName returns the compression that the end of a name stands for, nil
// for none.
func compressionOfName(name string) *compress.Codec {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return compress.NewGzip()
	case ".zst", ".zstd":
		return compress.NewZstd()
	}
	return nil
}

// counted is a reader that tells how much has been read.
type counted struct {
	r    io.Reader
	n    int64
	show func(int64)
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	c.show(c.n)
	return n, err
}

// stoppable is a reader that ends with an error when its context does, though
// nothing comes.
type stoppable struct {
	ctx context.Context
	r   io.Reader
	buf []byte // of a read, which may outlive the context
}

func (s *stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if len(s.buf) < len(b) {
		s.buf = make([]byte, len(b))
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := s.r.Read(s.buf[:len(b)])
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(b, s.buf[:got.n]), got.err
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}
