// Package convert turns JSON, newline-delimited JSON, MessagePack and CBOR into one
// another, value by value and without Go types in between.
//
// Members keep their order and repeated names stay. A number keeps its kind:
// a JSON number without fraction and exponent becomes a MessagePack integer,
// any other a float64, the nearest to the digits; an integer beyond 64 bits is
// an error, because it has no MessagePack form. From MessagePack to JSON,
//
//   - a float32 or float64 becomes its shortest decimal digits,
//   - binary becomes a string in base64 (RFC 4648 §4),
//   - a timestamp becomes a string in RFC 3339,
//   - an integer key becomes its decimal digits,
//
// and another extension type, another kind of key, an infinity or not-a-number,
// or text that is not UTF-8 is an error. MessagePack to MessagePack is checked
// and copied as it is. JSON that is not UTF-8 is an error, and so is an escaped surrogate
// without its other half. Every error names the offset.
//
// CBOR is written in its preferred form, with integers of any size (RFC 8949 §6.2); read, it
// becomes JSON as MessagePack does, and of what has no kind there a tag gives its content,
// undefined is null, a decimal fraction its digits (§6.1). CBOR to CBOR is checked and copied.
//
// A stream of records takes the memory of its longest record, and so does an array at
// the top of a JSON text or of a MessagePack, CBOR or tagged file, of its longest element. What
// has its length before it, or its names behind it, is held back in a temporary file when it is large. A MessagePack
// or CBOR file is a stream of values, newline-delimited JSON one of lines; a JSON file
// is one value, which becomes one record for each element when it is an array
// and goes to newline-delimited JSON. Records become the elements of an array
// in a JSON file, but a MessagePack or CBOR file of one value becomes that value; in frames
// the elements of one that is an array are the records. A file
// of the hashed-tag format is one value as a JSON file is, and a stream of frames
// records; in the former members stand in the order of their hashes, and a boolean is
// an error unless it may become the integer 0 or 1.
package convert

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// The formats.
const (
	JSON        = "json"    // one JSON text
	NDJSON      = "ndjson"  // a JSON text on each line
	MessagePack = "msgpack" // MessagePack values, one after another
	CBOR        = "cbor"    // CBOR items, one after another (RFC 8742)
	Tagged      = "tagged"  // one message of the hashed-tag format
	Framed      = "framed"  // a stream of frames
)

// Formats returns the names of the formats.
func Formats() []string { return []string{JSON, NDJSON, MessagePack, CBOR, Tagged, Framed} }

// Options are what a conversion needs to know beside its input.
type Options struct {
	From, To string // formats
	// BoolsAsInts lets booleans become 0 and 1 where To is Tagged, which has none.
	BoolsAsInts bool
	// Size is about how many bytes the input has, 0 when that is not known.
	Size int64
	// Progress, when set, is told now and then how many bytes of the input are
	// converted.
	Progress func(off int64)
}

// Convert reads all of r and writes it to w in another format, or in the same
// one without insignificant bytes.
func Convert(w io.Writer, r io.Reader, o Options) error {
	c := &converter{in: bufio.NewReaderSize(r, 64<<10), out: bufio.NewWriterSize(w, 64<<10), progress: o.Progress}
	switch o.To {
	case JSON:
		c.sink = new(textSink)
	case NDJSON:
		c.sink = &textSink{lines: true}
	case MessagePack:
		c.sink = newPackSink()
	case CBOR:
		c.sink = newItemSink()
	case Tagged:
	case Framed:
		c.frames = tagged.NewFrameEncoder(c.out)
	default:
		return fmt.Errorf("no format %q to write", o.To)
	}
	c.from, c.to, c.between, c.boolsAsInts = o.From, o.To, ",\n", o.BoolsAsInts
	c.size = int(min(o.Size, 1<<30) + bytes.MinRead) // what is more grows with what is there
	defer c.messages.held.close()
	defer c.aside.close()
	var err error
	switch o.From {
	case JSON:
		err = c.document()
	case NDJSON:
		err = c.lines()
	case MessagePack:
		err = c.packedList()
		if err == nil {
			err = c.sequence()
		}
	case CBOR:
		err = c.itemList()
		if err == nil {
			err = c.items()
		}
	case Tagged:
		err = c.message()
	case Framed:
		err = c.stream()
	default:
		return fmt.Errorf("no format %q to read", o.From)
	}
	if err == nil {
		err = c.finish()
	}
	if err != nil {
		return err
	}
	return c.out.Flush()
}

// converter is the state of one conversion.
type converter struct {
	from, to string
	in       *bufio.Reader
	out      *bufio.Writer
	sink     sink
	size     int
	progress func(off int64)

	base    int64 // offset of the current record
	steps   int   // values since the last report of progress
	records int
	between string // records in a JSON text
	aside   spool  // a part of the input that is read again
	alone   bool   // the array that the input begins with is its only value

	frames      *tagged.FrameEncoder // of Framed
	messages    messages             // records of Tagged
	boolsAsInts bool
	list        bool // they are a list, however many
}

// record is a value as the formats call it.
type record struct{ c *converter }

// ReadMsgpack converts the value that r is at.
func (v record) ReadMsgpack(r *msgpack.Reader) error { return v.c.one(r) }

// scratch spares a first pass over JSON: what a record has come to is dropped with an error.
var scratch = weft.Options{}.Decide(setting.Scratch, true)

// document converts one JSON text, an array at its top element by element.
func (c *converter) document() error {
	if first, err := c.first(); err == nil && first == '[' {
		return c.elements()
	}
	var text bytes.Buffer
	text.Grow(c.size)
	if _, err := text.ReadFrom(c.in); err != nil {
		return err
	}
	data := text.Bytes()
	if err := c.json(data); err != nil || c.to != JSON {
		return err
	}
	return c.out.WriteByte('\n')
}

// first returns the first byte that is not whitespace, where it stands within what is
// read at once.
func (c *converter) first() (byte, error) {
	for n := 1; ; n++ {
		head, err := c.in.Peek(n)
		if len(head) < n {
			return 0, err
		}
		switch head[n-1] {
		case ' ', '\t', '\r', '\n':
		default:
			return head[n-1], nil
		}
	}
}

// json converts the one JSON text in data.
func (c *converter) json(data []byte) error {
	// RFC 8259 §8.1 and §8.2. The reader would replace what is not UTF-8 and half a surrogate pair.
	return c.locate(json.UnmarshalWith(data, &record{c}, scratch, jsontext.AllowInvalidUTF8(false)))
}

var errUTF8 = errors.New("not UTF-8")

// lines converts newline-delimited JSON. Lines of whitespace are not records.
func (c *converter) lines() error {
	c.list = true
	if c.to == JSON {
		c.out.WriteByte('[')
	}
	var line []byte
	for number := 1; ; number++ {
		var err error
		if line, err = readLine(c.in, line[:0]); err != nil && err != io.EOF {
			return err
		}
		if len(bytes.TrimLeft(line, " \t\r\n")) > 0 {
			if failed := c.json(line); failed != nil {
				return fmt.Errorf("line %d: %w", number, failed)
			}
		}
		if err == io.EOF {
			break
		}
		c.base += int64(len(line))
	}
	if c.to == JSON {
		c.out.WriteString("]\n")
	}
	return nil
}

// readLine appends the next line to b, with its end. Its memory grows with the
// bytes that are there.
func readLine(r *bufio.Reader, b []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		b = append(b, part...)
		if err != bufio.ErrBufferFull {
			return b, err
		}
	}
}

// sequence converts MessagePack values. One alone is a JSON text, several are
// the elements of an array: which it is shows after the first.
func (c *converter) sequence() error {
	var value []byte
	for {
		var err error
		if head, _ := c.in.Peek(1); len(head) > 0 && (c.sink != nil || c.alone) && isArray(head[0]) {
			if err = c.packed(); err != nil && c.records > 0 {
				return fmt.Errorf("value %d: %w", c.records+1, err)
			} else if err != nil {
				return err
			}
			continue
		}
		if value, err = readValue(c.in, value[:0]); err == io.EOF {
			break
		} else if err != nil && !errors.Is(err, weft.ErrUnexpectedEnd) {
			return err
		}
		// The reader says better where a value that is cut off ends.
		_, ahead := c.in.Peek(1)
		if c.to == JSON && c.records == 0 && ahead == nil {
			c.out.WriteByte('[')
		}
		if failed := msgpack.Read(value, record{c}); failed != nil {
			if c.records > 0 || ahead == nil {
				return fmt.Errorf("value %d: %w", c.records+1, c.locate(failed))
			}
			return c.locate(failed)
		}
		c.base += int64(len(value))
	}
	return c.ended("msgpack")
}

// ended ends the JSON text of a sequence of values.
func (c *converter) ended(format string) error {
	if c.to == JSON {
		switch c.records {
		case 0:
			return &weft.Error{Format: format, Err: weft.ErrUnexpectedEnd}
		case 1:
			return c.out.WriteByte('\n')
		}
		c.out.WriteString("]\n")
	}
	return nil
}

// isArray reports whether a MessagePack array begins with b.
func isArray(b byte) bool { return b&0xf0 == 0x90 || b == 0xdc || b == 0xdd }

// locate makes the offset of an error one in the input.
func (c *converter) locate(err error) error {
	var located *weft.Error
	if c.base == 0 || !errors.As(err, &located) || located.Offset < 0 {
		return err
	}
	moved := *located
	moved.Offset += c.base
	return &moved
}

// one converts the value that r is at, as one record.
func (c *converter) one(r backend.Reader) error {
	if c.sink == nil {
		return c.keep(r)
	}
	c.sink.reset()
	if c.from == c.to && c.counted() {
		c.sink.raw(r.Raw())
	} else {
		c.value(r)
	}
	if err := r.Err(); err != nil {
		return err
	}
	if c.to == JSON && c.records > 0 {
		c.out.WriteString(c.between)
	}
	c.records++
	c.sink.flush(c.out)
	c.report(r)
	// An error that the writer keeps would show at the end: there is no need to
	// go on until then.
	_, err := c.out.Write(nil)
	return err
}

// value converts the value that r is at. Errors stay in r.
func (c *converter) value(r backend.Reader) {
	if c.steps++; c.steps >= 1<<12 {
		c.report(r)
	}
	switch kind := r.Kind(); kind {
	case weft.KindArray:
		at, n := c.sink.open(false), 0
		for ok := r.BeginArray(); ok; ok = r.More() {
			c.sink.element(n)
			c.value(r)
			n++
		}
		c.sink.close(at, n, false)
	case weft.KindObject:
		at, n := c.sink.open(true), 0
		r.BeginMap()
		for {
			name, ok := r.NextKey()
			if !ok {
				break
			}
			if c.wrongText(name) {
				r.Fail(errUTF8)
				break
			}
			c.sink.name(n, name)
			c.value(r)
			n++
		}
		c.sink.close(at, n, true)
	default:
		c.scalar(r, kind)
	}
}

// scalar converts the value that r is at, which holds no other.
func (c *converter) scalar(r backend.Reader, kind weft.Kind) {
	start := r.Mark()
	var err error
	switch kind {
	case weft.KindNull:
		r.Null()
		c.sink.null()
	case weft.KindBool:
		c.sink.boolean(r.Bool())
	case weft.KindInt:
		c.sink.int(r.Signed(64))
	case weft.KindUint:
		c.sink.uint(r.Unsigned(64))
	case weft.KindNumber:
		if c.from != JSON && c.from != NDJSON {
			if text := r.Decimal(); r.Err() == nil {
				err = c.sink.number([]byte(text))
			}
		} else {
			err = c.sink.number(r.Raw())
		}
	case weft.KindFloat:
		if c.from == MessagePack {
			err = c.float(r.Raw())
		} else if r.Single() {
			err = c.sink.float32(r.Float32())
		} else {
			err = c.sink.float64(r.Float64())
		}
	case weft.KindString:
		if s := r.String(); c.wrongText(s) {
			err = errUTF8
		} else {
			c.sink.text(s)
		}
	case weft.KindBytes:
		c.sink.binary(r.Bytes())
	case weft.KindTime:
		err = c.sink.time(r.Time())
	case weft.KindExt:
		if raw := r.Raw(); r.Err() != nil {
			break
		} else if c.from == CBOR {
			err = c.simple(raw)
		} else {
			err = c.sink.ext(raw)
		}
	default:
		r.Skip() // which says what is wrong
	}
	if err != nil && r.Err() == nil {
		r.Reset(start)
		r.Fail(err)
	}
}

// wrongText reports whether text that may stand in a binary format cannot stand in
// what is written.
func (c *converter) wrongText(s string) bool {
	return c.from != JSON && c.from != NDJSON && !utf8.ValidString(s)
}

// float converts a MessagePack floating-point number, in its own precision.
func (c *converter) float(raw []byte) error {
	switch len(raw) {
	case 5:
		return c.sink.float32(math.Float32frombits(binary.BigEndian.Uint32(raw[1:])))
	case 9:
		return c.sink.float64(math.Float64frombits(binary.BigEndian.Uint64(raw[1:])))
	}
	return nil // the reader has failed
}

// report tells the progress.
func (c *converter) report(r backend.Reader) {
	c.steps = 0
	if c.progress != nil {
		c.progress(c.base + int64(r.Offset()))
	}
}
