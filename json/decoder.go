package json

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json/jsontext"
)

// Decoder reads JSON values from a stream, one after another. It may read beyond the requested values.
type Decoder struct {
	text    jsontext.Decoder // of r
	r       counter
	opts    decodeOptions
	err     error // ends the stream
	at      int64 // where the stream has been looked at: whitespace, a comma or a colon may be before it that text has not read
	counted int64 // bytes of the values, by which encoding/json tells where the text is wrong
	split   bool  // the elements of arrays at the top are values of their own
}

// counter counts what is read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return new(Decoder).open(r, decodeOptions{}) }

// NewDecoderWith is like [NewDecoder] with options, which apply to each decoded value. An error about the stream or a
// value is a [weft.Error] that wraps encoding/json's error and has the offset in the stream and the path in the
// value.
func NewDecoderWith(r io.Reader, opts ...Options) *Decoder {
	return new(Decoder).open(r, streaming(opts))
}

// open lets dec read from r.
func (dec *Decoder) open(r io.Reader, o decodeOptions) *Decoder {
	dec.r.Reader, dec.opts = r, o
	size := math.MaxInt
	if o.size > 0 && o.size < math.MaxInt-sizeSpare {
		size = o.size + sizeSpare
	}
	dec.text.Reset(&dec.r, anyText, jsontext.MaxSize(size))
	return dec
}

// sizeSpare is how many bytes there may be around a value that is as large as it may be.
const sizeSpare = 8 << 10

// anyText is the options by which texts are read as encoding/json reads them.
var anyText = weft.Join(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.MaxDepth(maxDepth),
	Options{}.Decide(setting.JSONAhead, true))

// UseNumber makes numbers decode into an any as [Number], not as float64.
func (dec *Decoder) UseNumber() { dec.opts.flags |= decodeNumber }

// DisallowUnknownFields makes a member for which the struct has no field an
// error.
func (dec *Decoder) DisallowUnknownFields() { dec.opts.flags |= decodeRejectUnknown }

// Decode reads the next value and stores it in the value that v points to, as [Unmarshal] does. At the end of the
// stream it returns io.EOF; if the stream ends within a value, io.ErrUnexpectedEOF.
func (dec *Decoder) Decode(v any) error {
	if dec.err != nil {
		return dec.err
	}
	state := dec.state()
	if state == scanFirstName || state == scanMember {
		return dec.misplaced(notAtBeginning)
	}
	state, at, err := dec.next(state)
	switch state {
	case scanValue, scanFirstElem:
		if err == io.EOF && dec.split && dec.text.StackDepth() > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return dec.end(err)
		}
		return dec.decode(v, at)
	case scanElem, scanColon:
		if err != nil {
			return err
		}
		dec.at = at
		return dec.misplaced(pick(state == scanColon, noColon, noComma))
	}
	return dec.misplaced(notAtBeginning)
}

// decode is Decode for the value or name that begins at at, with the whitespace before it up to where the stream has been
// looked at.
func (dec *Decoder) decode(v any, at int64) error {
	located := dec.opts.flags&decodeLocated != 0
	if located {
		dec.at = at
		dec.counted = max(dec.counted, at)
	}
	from := dec.InputOffset()
	raw, err := dec.text.ReadValue()
	if depth := dec.text.StackDepth(); err != nil && depth > 0 { // what it stands in does not count
		read := func() (err error) { raw, err = dec.text.ReadValue(); return err }
		if e, ok := err.(*jsontext.SyntacticError); ok && e.Err.Error() == tooManyOpen {
			err = dec.text.WithOptions(read, jsontext.MaxDepth(depth+maxDepth))
		}
	}
	if err != nil {
		return dec.end(dec.wrong(err))
	}
	size := dec.opts.size
	switch number := isDigit(raw[len(raw)-1]); {
	case size > 0 && len(raw) > size:
		return dec.end(tooLarge(at+int64(size), size))
	case number && dec.split && dec.text.StackDepth() > 0 && len(dec.text.UnreadBuffer()) == 0: // it may have gone on
		return dec.end(io.ErrUnexpectedEOF)
	}
	dec.counted += at + int64(len(raw)) - from
	d := newDecoder(raw, dec.opts)
	d.checked, d.lead = true, int(at-from)
	if err = d.explained(v, dec.opts); located {
		err = moved(err, at, "")
	}
	return err
}

// wrong returns what encoding/json says of the next value, of which text says err.
func (dec *Decoder) wrong(err error) error {
	rest, size := dec.rest(), dec.opts.size
	if size > 0 && len(rest) > size {
		rest = rest[:size]
	}
	d := newDecoder(rest, decodeOptions{})
	at, msg, _ := d.fault(maxDepth)
	d.release(true)
	switch e, ok := err.(*jsontext.SyntacticError); {
	case at < len(rest):
		return newSyntaxError(msg, dec.counted+int64(at+1))
	case !ok: // of the reader
		return errors.Unwrap(err)
	case e.Err == io.ErrUnexpectedEOF:
		return e.Err
	}
	return tooLarge(dec.InputOffset()+int64(size), size)
}

// end ends the stream with err.
func (dec *Decoder) end(err error) error {
	dec.err = err
	if dec.opts.flags&decodeLocated == 0 {
		return err
	}
	off := dec.r.n
	if e, ok := errors.AsType[*SyntaxError](err); ok {
		off = e.Offset - 1
	} else if err == io.ErrUnexpectedEOF {
		err = weft.ErrUnexpectedEnd
	} else {
		return err
	}
	path := pathWithin(dec.rest(), off-dec.InputOffset())
	dec.err = &weft.Error{Format: "json", Offset: off, Path: path, Err: err}
	return dec.err
}

// misplaced returns the error for something that may not stand here.
func (dec *Decoder) misplaced(msg string) error {
	err := newSyntaxError(msg, dec.InputOffset())
	if dec.opts.flags&decodeLocated != 0 {
		return &weft.Error{Format: "json", Offset: dec.InputOffset(), Err: err}
	}
	return err
}

// next passes the comma or colon that comes before the next value or name, if it is there, and returns what may stand then,
// and where. state is what may stand before. If the stream ends, err says so.
func (dec *Decoder) next(state scanState) (_ scanState, at int64, err error) {
	for d, peeked := &dec.text, false; ; peeked = true {
		b := d.UnreadBuffer()
		base, i := dec.r.n-int64(len(b)), skipSpace(b, 0)
		delim := i < len(b) && (b[i] == ',' && (state == scanElem || state == scanMember) || b[i] == ':' && state == scanColon)
		if delim {
			dec.at = max(dec.at, base+int64(i+1))
			i = skipSpace(b, i+1)
		}
		switch {
		case i == len(b) && !peeked:
			d.PeekKind()
			continue
		case i == len(b):
			_, err = d.ReadToken()
			if _, ok := err.(*jsontext.SyntacticError); ok { // within an array or object
				err = io.EOF
			} else if err != io.EOF { // of the reader
				err = errors.Unwrap(err)
			}
		}
		if delim {
			state = pick(state == scanMember, scanName, scanValue)
		}
		return state, base + int64(i), err
	}
}

// state returns what may stand next.
func (dec *Decoder) state() scanState {
	depth := dec.text.StackDepth()
	if depth == 0 {
		return scanValue
	}
	switch kind, n := dec.text.StackIndex(depth); {
	case kind == jsontext.KindBeginArray:
		return pick(n == 0, scanFirstElem, scanElem)
	case n%2 != 0:
		return scanColon
	default:
		return pick(n == 0, scanFirstName, scanMember)
	}
}

// rest returns what has been read from the stream and not been looked at.
func (dec *Decoder) rest() []byte {
	b := dec.text.UnreadBuffer()
	return b[max(dec.at-(dec.r.n-int64(len(b))), 0):]
}

// Buffered returns the data that has been read but not consumed. It is valid until the next call of Decode.
func (dec *Decoder) Buffered() io.Reader { return bytes.NewReader(dec.rest()) }

// InputOffset returns the offset in the stream of the end of the last token returned.
func (dec *Decoder) InputOffset() int64 {
	return max(dec.at, dec.r.n-int64(len(dec.text.UnreadBuffer())))
}

// More reports whether there is another element in the open array or object.
func (dec *Decoder) More() bool {
	rest := dec.rest()
	i := skipSpace(rest, 0)
	if i == len(rest) {
		dec.text.PeekKind()
		rest = dec.rest()
		if i = skipSpace(rest, 0); i == len(rest) {
			return false
		}
	}
	dec.at = dec.InputOffset() + int64(i)
	return rest[i] != ']' && rest[i] != '}'
}

// Token returns the next token: a [Delim] for [ ] { }, a bool, float64 or
// [Number], string or nil. Commas and colons are skipped. Brackets are guaranteed to match. At the end of the stream
// it returns io.EOF.
func (dec *Decoder) Token() (Token, error) {
	state, at, err := dec.next(dec.state())
	if err != nil {
		return nil, err
	}
	dec.at = at
	switch c := dec.rest()[0]; {
	case c == '[' || c == '{' || c == ']' || c == '}':
		read := func() error { _, err := dec.text.ReadToken(); return err }
		if err = read(); err != nil && dec.text.StackDepth() >= maxDepth {
			err = dec.text.WithOptions(read, jsontext.MaxDepth(math.MaxInt))
		}
		if err != nil {
			return nil, dec.unexpected(c, state)
		}
		return Delim(c), nil
	case c == '"' && (state == scanFirstName || state == scanName):
		if err = dec.err; err != nil {
			return nil, err
		}
		var s string
		if err = dec.decode(&s, at); err != nil {
			return nil, err
		}
		return s, nil
	case c == ',' || c == ':' || state != scanValue && state != scanFirstElem:
		return nil, dec.unexpected(c, state)
	}
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

func (dec *Decoder) unexpected(c byte, state scanState) error {
	msg := "invalid character " + quoteChar(c)
	if state != scanFirstName { // where encoding/json says no more
		msg += " " + scanFaults[state].words
	}
	return dec.misplaced(msg)
}
