// Package inspect prints what each byte range of a JSON, MessagePack, CBOR, tagged or
// framed file means.
//
// The input is read once, in a buffer of fixed size: neither long values nor
// large files nor deep nesting take memory of their own. A message of the
// hashed-tag format, whose names stand at its end, is held whole, and of frames
// one.
package inspect

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
)

// The formats that Dump reads.
const (
	JSON        = "json"    // one JSON text
	NDJSON      = "ndjson"  // any number of JSON texts, one after another
	MessagePack = "msgpack" // any number of MessagePack values, one after another
	CBOR        = "cbor"    // any number of CBOR items, one after another
	Tagged      = "tagged"  // one message of the hashed-tag format
	Framed      = "framed"  // a stream of frames
)

// maxDepth bounds the nesting, as the decoders of weft do.
const maxDepth = 10000

// Row is a byte range and what it means.
type Row struct {
	Start, End int64  // -1 of a remark about the rows before
	Head       []byte // the bytes of the header; valid until the next row
	Depth      int    // of nesting
	What       string // what the range means
	Path       string // JSON pointer to the value, "" for none
}

// Dump reads r in the given format and writes a line for each token to w. On
// broken input it writes what was read and returns a [*weft.Error].
func Dump(w io.Writer, r io.Reader, format string) error {
	l := &lines{out: bufio.NewWriter(w), heads: format == MessagePack || format == CBOR || format == Tagged}
	err := Rows(r, format, l.row)
	if flushed := l.out.Flush(); err == nil {
		err = flushed
	}
	return err
}

// Rows reads r in the given format and calls row for each token. It returns the errors of [Dump].
func Rows(r io.Reader, format string, row func(Row)) error {
	d := &dump{
		emit:   row,
		in:     bufio.NewReaderSize(r, 64<<10),
		format: format,
	}
	var read func() error
	if format == Tagged || format == Framed {
		return d.whole(format)
	}
	switch format {
	case JSON, NDJSON:
		read, d.format = d.jsonValue, "json"
	case MessagePack:
		read = d.packValue
	case CBOR:
		read = d.itemValue
	default:
		return fmt.Errorf("no format %q: the formats are json, ndjson, msgpack, cbor, tagged and framed", format)
	}
	return d.finish(d.values(read, format == JSON))
}

// whole prints a format that is one unit.
func (d *dump) whole(format string) error {
	if format == Tagged {
		return d.finish(d.message())
	}
	return d.finish(d.stream())
}

// finish sums up what was printed, unless it ended with an error.
func (d *dump) finish(err error) error {
	if err == nil {
		d.remark(count(d.numValues, "value") + " in " + count(d.off, "byte") + ", depth " + strconv.Itoa(d.deepest))
	}
	return err
}

// dump is the state of one Dump.
type dump struct {
	emit   func(Row)
	in     *bufio.Reader
	format string

	off       int64 // of the next byte
	frames    []frame
	deepest   int
	numValues int64
	item      []byte // the item of CBOR so far, while it is short
}

// frame is an array or object that is open.
type frame struct {
	start  int64
	object bool
	index  int64  // of the current member or element
	name   string // of the current member, abbreviated
	aside  bool   // the current token belongs to no value: a key, a comma
	due    int64  // tokens that follow the current one, keys too, -1 up to a break; MessagePack and CBOR only
	inner  bool   // a tag or a string of chunks, which adds nothing to the path
	chunks byte   // the major type of the chunks, 0 for none
	value  bool   // a value follows, not a key; CBOR only
}

// values reads top-level values up to the end of the input, or exactly one.
func (d *dump) values(read func() error, one bool) error {
	for {
		if d.format == "json" {
			if err := d.space(); err != nil {
				return err
			}
		}
		_, err := d.in.Peek(1)
		switch {
		case err == io.EOF && (d.numValues > 0 || !one):
			return nil
		case err != nil:
			return d.fail(d.off, ended(err))
		case one && d.numValues == 1:
			return d.fail(d.off, weft.ErrTrailingData)
		}
		if d.numValues > 0 {
			d.remark("value " + strconv.FormatInt(d.numValues+1, 10))
		}
		if err := read(); err != nil {
			return err
		}
		d.numValues++
	}
}

// open enters an array or object whose header is read already.
func (d *dump) open(f frame) error {
	if len(d.frames) >= maxDepth {
		return d.fail(f.start, weft.ErrDepth)
	}
	d.frames = append(d.frames, f)
	d.deepest = max(d.deepest, len(d.frames))
	return nil
}

// fail returns the error for what is wrong at an offset.
func (d *dump) fail(off int64, err error) error {
	return &weft.Error{Format: d.format, Offset: off, Path: d.path(), Err: err}
}

// ended makes of the end of the input what it is inside a value: an error.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return weft.ErrUnexpectedEnd
	}
	return err
}

// flaw is the note on a value that an error ended.
func flaw(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, weft.ErrUnexpectedEnd):
		return ", cut off"
	}
	return ", broken"
}

// next reads a byte; the end of the input is an error.
func (d *dump) next() (byte, error) {
	c, err := d.in.ReadByte()
	if err != nil {
		return 0, d.fail(d.off, ended(err))
	}
	d.off++
	return c, nil
}

// Rows. A row is a byte range, the bytes of the header, and what it means.

const (
	maxIndent = 16 // levels of nesting that show
	maxPath   = 8  // last reference tokens that show
	maxName   = 40 // bytes of a name that show
	maxText   = 48 // bytes of a string, number or binary that show
)

// row prints what the bytes from start up to the current offset mean, for the
// value at the current path.
func (d *dump) row(start int64, head []byte, depth int, what string) {
	d.line(start, head, depth, what, d.path())
}

func (d *dump) line(start int64, head []byte, depth int, what, path string) {
	d.emit(Row{start, d.off, head, depth, what, path})
}

// remark says something about the rows before.
func (d *dump) remark(what string) { d.emit(Row{Start: -1, End: -1, What: what}) }

// lines prints rows as lines of text.
type lines struct {
	out   *bufio.Writer // which keeps errors for Flush
	buf   []byte
	heads bool // the bytes of headers are shown
}

func (l *lines) row(r Row) {
	b := l.buf[:0]
	if r.Start >= 0 {
		b = strconv.AppendInt(b, r.Start, 10)
		b = pad(b, 0, 8, true)
		b = append(b, ".."...)
		end := len(b)
		b = strconv.AppendInt(b, r.End, 10)
		b = pad(b, end, 10, false)
		if l.heads {
			bytes := len(b)
			for i, c := range r.Head {
				if i > 0 {
					b = append(b, ' ')
				}
				b = append(b, hexDigits[c>>4], hexDigits[c&15])
			}
			b = pad(b, bytes, 28, false)
		}
	} else if r.Depth > 0 {
		b = pad(b, 0, 20, false)
	}
	meaning := len(b)
	if r.Start >= 0 {
		for range min(r.Depth, maxIndent) {
			b = append(b, "  "...)
		}
	}
	b = append(b, r.What...)
	if r.Path != "" {
		b = append(pad(b, meaning, 40, false), "  "...)
		b = append(b, r.Path...)
	}
	l.buf = append(b, '\n')
	l.out.Write(l.buf)
}

const hexDigits = "0123456789abcdef"

// pad makes the characters from index i on as many as width, with spaces before
// or behind them.
func pad(b []byte, i, width int, before bool) []byte {
	n := width - utf8.RuneCount(b[i:])
	for range n {
		b = append(b, ' ')
	}
	if before && n > 0 {
		copy(b[i+n:], b[i:])
		for j := range n {
			b[i+j] = ' '
		}
	}
	return b
}

// path returns the JSON pointer to the current value; of a deep one only the
// end, after an ellipsis.
func (d *dump) path() string {
	frames := d.frames
	var b []byte
	if len(frames) > maxPath {
		frames = frames[len(frames)-maxPath:]
		b = append(b, "…"...)
	}
	for i, f := range frames {
		switch {
		case f.inner || f.aside && i == len(frames)-1:
		case f.object:
			b = wire.AppendPointer(b, f.name)
		default:
			b = strconv.AppendInt(append(b, '/'), f.index, 10)
		}
	}
	return string(b)
}

// text is the beginning of a string, as much as a row shows.
type text struct {
	shown []byte
	limit int
	cut   bool
	n     int64  // bytes so far
	bad   bool   // not UTF-8
	carry []byte // the beginning of a character
}

// add takes more bytes of the string.
func (t *text) add(b []byte) {
	t.n += int64(len(b))
	if room := t.limit - len(t.shown); len(b) > room {
		t.shown, t.cut = append(t.shown, b[:room]...), true
	} else {
		t.shown = append(t.shown, b...)
	}
	if t.bad {
		return
	}
	// The bytes of a character may come in several pieces.
	for len(t.carry) > 0 && len(b) > 0 {
		t.carry, b = append(t.carry, b[0]), b[1:]
		if utf8.FullRune(t.carry) {
			t.bad = !utf8.Valid(t.carry)
			t.carry = t.carry[:0]
		}
	}
	end := len(b)
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if utf8.RuneStart(b[len(b)-i]) {
			if !utf8.FullRune(b[len(b)-i:]) {
				end -= i
			}
			break
		}
	}
	t.bad = t.bad || !utf8.Valid(b[:end])
	t.carry = append(t.carry, b[end:]...)
}

// valid reports whether the string was UTF-8, once it is complete.
func (t *text) valid() bool { return !t.bad && len(t.carry) == 0 }

// String returns the text as a row shows it, without quotes and with nothing
// in it that could steer a terminal.
func (t *text) String() string {
	shown := t.shown
	if t.cut { // not in the middle of a character
		for i := range min(utf8.UTFMax-1, len(shown)) {
			if r, size := utf8.DecodeLastRune(shown[:len(shown)-i]); r != utf8.RuneError || size > 1 {
				shown = shown[:len(shown)-i]
				break
			}
		}
	}
	quoted := strconv.Quote(string(shown))
	quoted = quoted[1 : len(quoted)-1]
	if t.cut {
		quoted += "…"
	}
	return quoted
}

// count returns a number with its noun.
func count[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatUint(uint64(n), 10) + " " + noun + "s"
}
