package json

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Decoder reads JSON values from a stream, one after another. It may read beyond the requested values.
type Decoder struct {
	r      io.Reader
	buf    []byte
	start  int   // of what is not consumed in buf
	before int64 // bytes consumed before buf
	scan   scanner
	opts   decodeOptions
	err    error // ends the stream
	inside bool  // the next value is an element of an array that is not decoded as a whole

	// An array or object is walked through, by bitmaps of the first marked bytes of buf. scan reads what is not an array
	// or object, and the string, number or literal at the end of buf.
	walk        wire.Walker
	walking     bool
	b           mem.Bytes // buf
	ends, solid mem.Words
	bits        []uint64 // memory of ends and solid
	marked      int
	valid       bool // the marked text is known to be UTF-8

	tokens  scanner // what is open around the next token, and expected
	strings slab    // memory of tokens
	boxes   mem.Boxes
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

// NewDecoderWith is like [NewDecoder] with options, which apply to each decoded value. An error about the stream or a
// value is a [weft.Error] that wraps encoding/json's error and has the offset in the stream and the path in the
// value.
func NewDecoderWith(r io.Reader, opts ...Options) *Decoder {
	return &Decoder{r: r, opts: streaming(opts)}
}

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
	if err := dec.separator(); err != nil {
		return err
	}
	if !dec.valueAllowed() {
		return dec.misplaced(notAtBeginning)
	}
	located := dec.opts.flags&decodeLocated != 0
	if located {
		dec.scan.n = max(dec.scan.n, dec.InputOffset())
	}
	n, err := dec.readValue()
	if err != nil {
		if located {
			dec.err = dec.ended(err)
		}
		return dec.err
	}
	from, base := dec.start, dec.InputOffset()
	dec.start += n // first: the value is consumed even where a method panics, so that a program that recovers goes on
	err = unmarshalValid(dec.buf[from:dec.start], v, dec.opts, nil)
	dec.tokens.endValue()
	dec.another()
	if located {
		err = moved(err, base, "")
	}
	return err
}

// ended returns err, with which the stream ends, with its place, unless it is of the reader.
func (dec *Decoder) ended(err error) error {
	// The scanner counts bytes from the start of the stream, the one at fault
	// among them.
	off := max(dec.scan.n-1, 0)
	if _, ok := errors.AsType[*SyntaxError](err); !ok {
		if err != io.ErrUnexpectedEOF {
			return err
		}
		err, off = weft.ErrUnexpectedEnd, dec.before+int64(len(dec.buf))
	}
	return &weft.Error{Format: "json", Offset: off, Path: pathWithin(dec.buf[dec.start:], off-dec.InputOffset()), Err: err}
}

// misplaced returns the error for something that may not stand here.
func (dec *Decoder) misplaced(msg string) error {
	err := newSyntaxError(msg, dec.InputOffset())
	if dec.opts.flags&decodeLocated != 0 {
		return &weft.Error{Format: "json", Offset: dec.InputOffset(), Err: err}
	}
	return err
}

// readValue reads until the buffer holds a whole value and returns its length.
func (dec *Decoder) readValue() (int, error) {
	dec.scan.reset()
	dec.walking = false
	n, size := 0, dec.opts.size
	var err error
	if size > 0 {
		_, err = dec.peek() // the spaces before the value do not count
	}
	for {
		var whole bool
		n, whole = dec.feed(n)
		if size > 0 && n > size {
			dec.err = tooLarge(dec.InputOffset()+int64(size), size)
			return 0, dec.err
		}
		if whole {
			return n, nil
		}
		if dec.scan.err != nil {
			dec.err = dec.scan.err
			return 0, dec.err
		}
		if err != nil {
			if err == io.EOF {
				if (!dec.inside || dec.scan.state != inNumber) && dec.scan.end() { // there the number may have gone on
					return n, nil
				}
				if dec.inside || skipSpace(dec.buf, 0) < len(dec.buf) {
					err = io.ErrUnexpectedEOF
				}
			}
			dec.err = err
			return 0, err
		}
		if n >= mostSpace && dec.scan.state == scanValue && !dec.walking {
			dec.start, n = dec.start+n, 0
		}
		err = dec.refill()
	}
}

// mostSpace is how many bytes of whitespace before a value are kept, which count as consumed with it.
const mostSpace = 64 << 10

// feed goes on with the value after start, of which n bytes have been looked at. It returns how many have been now, and
// whether that is the whole value. A number or literal is whole when the byte after it is seen.
func (dec *Decoder) feed(n int) (int, bool) {
	s, w, base := &dec.scan, &dec.walk, dec.start
	for i := base + n; ; n = i - base {
		if i == len(dec.buf) || s.err != nil {
			return n, false
		}
		from := i
		switch {
		case s.state >= inString:
			i += s.scalar(dec.buf[i:])
			if s.state < inString && dec.walking {
				w.State = pick(s.state == scanColon, wire.WalkColon, wire.WalkAfter)
			}
		case dec.walking:
			dec.mark()
			i = w.Walk(dec.b, dec.ends, dec.solid, i)
			s.n += int64(i - from)
			if w.State == wire.WalkDone {
				return i - base, true
			}
			if i < len(dec.buf) { // what begins here is wrong, or not whole
				s.resume(w)
				if s.step(dec.buf[i]) {
					i++
				}
			}
		case s.state == scanDone:
			return n, true
		default: // before the value
			i = skipSpace(dec.buf, i)
			s.n += int64(i - from)
			if i == len(dec.buf) {
				break
			}
			if c := dec.buf[i]; c == '{' || c == '[' {
				dec.walking = true
				w.Begin(maxDepth, false)
			} else if s.step(c) {
				i++
			}
		}
	}
}

// resume makes s expect what w does, where it stands.
func (s *scanner) resume(w *wire.Walker) {
	s.stack = slices.Grow(s.stack[:0], w.Depth)[:w.Depth]
	object := w.Object()
	if w.Depth > 0 {
		s.stack[w.Depth-1] = pick(object, byte('{'), '[')
	}
	switch w.State {
	case wire.WalkValue:
		s.state = scanValue
	case wire.WalkFirst:
		s.state = pick(object, scanFirstName, scanFirstElem)
	case wire.WalkName:
		s.state = scanName
	case wire.WalkColon:
		s.state = scanColon
	case wire.WalkAfter:
		s.state = pick(object, scanMember, scanElem)
	case wire.WalkDone:
		s.state = scanDone
	}
}

// scalar consumes b as far as it belongs to the string, number or literal that s is in.
func (s *scanner) scalar(b []byte) (i int) {
	for s.state >= inString && s.err == nil {
		from := i // what leaves the state as it is needs no step
		switch {
		case s.state == inString:
			for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
				i++
			}
		case s.state == inNumber && s.number.Repeats():
			for i < len(b) && isDigit(b[i]) {
				i++
			}
		}
		s.n += int64(i - from)
		switch {
		case i == len(b):
			return i
		case s.state == inNumber && s.number.Done() && s.number.Step(b[i]) == 0:
			s.endValue()
		case s.step(b[i]):
			i++
		}
	}
	return i
}

// mark makes the bitmaps of what buf has.
func (dec *Decoder) mark() {
	n := len(dec.buf)
	if dec.marked == n {
		return
	}
	room := dec.buf[:cap(dec.buf)]
	clear(room[n : n+wire.KeyPad])
	if len(dec.bits) < 2*wire.ScanWords(n) {
		dec.bits, dec.marked = make([]uint64, 2*wire.ScanWords(cap(dec.buf)-streamPad)), 0
	}
	half := len(dec.bits) / 2
	dec.b, dec.ends, dec.solid = mem.BytesOf(room), mem.WordsOf(dec.bits[:half]), mem.WordsOf(dec.bits[half:])
	from := dec.marked &^ 63
	dec.valid = wire.Scan(room[from:], n-from, dec.bits[from>>6:half], dec.bits[half+from>>6:]) && (dec.valid || from == 0)
	dec.marked = n
}

// streamPad is how many bytes of buf hold no text: those of the block in which it ends, and the padding after it.
const streamPad = 64 + wire.KeyPad

// refill reads more, after making room by dropping what has been consumed.
func (dec *Decoder) refill() error {
	if dec.start > 0 {
		dec.before += int64(dec.start)
		dec.buf = dec.buf[:copy(dec.buf, dec.buf[dec.start:])]
		dec.start, dec.marked = 0, 0
	}
	const first = 512 // more than half of which is left for the read that tells that a short text has ended
	if cap(dec.buf)-len(dec.buf) < first/2+streamPad {
		dec.buf = append(make([]byte, 0, 2*cap(dec.buf)+first+streamPad), dec.buf...)
		dec.bits, dec.marked = nil, 0
	}
	n, err := dec.r.Read(dec.buf[len(dec.buf) : cap(dec.buf)-streamPad])
	dec.buf = dec.buf[:len(dec.buf)+n]
	return err
}

// Buffered returns the data that has been read but not consumed. It is valid until the next call of Decode.
func (dec *Decoder) Buffered() io.Reader { return bytes.NewReader(dec.buf[dec.start:]) }

// InputOffset returns the offset in the stream of the end of the last token returned.
func (dec *Decoder) InputOffset() int64 { return dec.before + int64(dec.start) }

// More reports whether there is another element in the open array or object.
func (dec *Decoder) More() bool {
	c, err := dec.peek()
	return err == nil && c != ']' && c != '}'
}

// peek returns the next byte that is not whitespace.
func (dec *Decoder) peek() (byte, error) {
	var err error
	for n := 0; ; { // spaces seen, which count as consumed with what follows
		n = skipSpace(dec.buf, dec.start+n) - dec.start
		if i := dec.start + n; i < len(dec.buf) {
			dec.start = i
			return dec.buf[i], nil
		}
		if err != nil {
			return 0, err
		}
		if n >= mostSpace {
			dec.start, n = dec.start+n, 0
		}
		err = dec.refill()
	}
}

// Token returns the next token: a [Delim] for [ ] { }, a bool, float64 or
// [Number], string or nil. Commas and colons are skipped. Brackets are guaranteed to match. At the end of the stream
// it returns io.EOF.
func (dec *Decoder) Token() (Token, error) {
	for {
		c, err := dec.peek()
		if err != nil {
			return nil, err
		}
		switch c {
		case '[', '{', ']', '}', ':', ',':
			s := &dec.tokens
			was := s.state
			if s.most = math.MaxInt; !s.step(c) {
				s.state, s.err = was, nil
				return nil, dec.unexpected(c)
			}
			dec.start++
			dec.another()
			if c != ':' && c != ',' {
				return Delim(c), nil
			}
		default:
			state := dec.tokens.state
			name := c == '"' && (state == scanFirstName || state == scanName)
			if !name && !dec.valueAllowed() {
				return nil, dec.unexpected(c)
			}
			v, n := dec.word(c)
			if n > 0 {
				dec.start += n
				dec.scan.n += int64(n)
				dec.tokens.endValue()
				dec.another()
			} else {
				if name {
					dec.tokens.state = scanValue
				}
				slow := new(any) // v itself would be on the heap each time
				if err := dec.Decode(slow); err != nil {
					dec.tokens.state = pick(name, state, dec.tokens.state)
					return nil, err
				}
				v = *slow
			}
			if name {
				dec.tokens.state = scanColon
			}
			return v, nil
		}
	}
}

// word returns the string, number or literal that begins with c at the start of buf, and its length, if it is there as
// a whole, as most are, and has nothing that needs a decoder.
func (dec *Decoder) word(c byte) (v any, n int) {
	if dec.err != nil || dec.opts.size > 0 || dec.opts.nodes != nil {
		return nil, 0
	}
	dec.mark()
	b, i, j := dec.b, dec.start, 0
	switch c {
	case '"':
		e := dec.ends.Next(i + 1)
		if b.At(e) == '"' && e+1 < len(dec.buf) && (dec.valid || utf8.Valid(dec.buf[i+1:e])) {
			v, j = dec.strings.boxed(dec.strings.take(b, i+1, e-i-1), &dec.boxes), e+1
		}
	case 't', 'f', 'n':
		v, j = pick[any](c == 'n', nil, c == 't'), wire.SkipLiteral(b, i)
	default:
		if f, end, ok := wire.ReadFloat64(b, i); ok && dec.opts.flags&decodeNumber == 0 {
			v, j = dec.boxes.Float64(f), end
		}
	}
	if j <= 0 || j >= len(dec.buf) { // a value ends at the byte after it
		return nil, 0
	}
	return v, j - i
}

// separator consumes the comma or colon before a value that follows tokens.
func (dec *Decoder) separator() error {
	want, what := byte(','), noComma
	switch dec.tokens.state {
	case scanElem:
	case scanColon:
		want, what = ':', noColon
	default:
		return nil
	}
	c, err := dec.peek()
	if err != nil {
		return err
	}
	if c != want {
		return dec.misplaced(what)
	}
	dec.start++
	dec.tokens.state = scanValue
	return nil
}

func (dec *Decoder) valueAllowed() bool {
	return dec.tokens.state == scanValue || dec.tokens.state == scanFirstElem
}

// another makes another value follow one at the top.
func (dec *Decoder) another() {
	if dec.tokens.state == scanDone {
		dec.tokens.state = scanValue
	}
}

func (dec *Decoder) unexpected(c byte) error {
	msg := "invalid character " + quoteChar(c)
	if state := dec.tokens.state; state != scanFirstName { // where encoding/json says no more
		msg += " " + scanFaults[state].words
	}
	return dec.misplaced(msg)
}
