package jsontext

import (
	"io"

	"github.com/weftcodec/weft/internal/wire"
)

// Decoder reads a stream of tokens and of whole values. Calls of [Decoder.ReadToken], [Decoder.ReadValue] and
// [Decoder.SkipValue] may alternate: the member values of
//
//	{"id": 1, "tags": ["a", "b"]}
//
// can be read token by token, or each with one ReadValue. Top-level values follow one another, with whitespace
// between them if necessary.
//
// Except in SkipValue, an error leaves the position of the decoder unchanged, so that reading can continue after a
// temporary error of the reader.
type Decoder struct {
	window
	coder
	source

	reading

	peeked  int   // index of the token that PeekKind has found, plus one; or that of a passed value, negative
	peekErr error // what PeekKind has found instead
	plain   bool  // the string that was read last stands for itself
	holding bool  // the text from hold on is kept
	loose   bool  // the text that has been looked at need not be kept
	writing bool  // the text is a value for an encoder, for which some errors differ
	walking bool  // walk is at work, which does not keep the state
	hold    int
	within  int   // depth of the value that is being read whole, plus one; 0 for none
	broken  error // every call returns it

	text    *wire.Text   // what the window is of, nil if it is d's own
	walker  *wire.Walker // of whole values, nil before the first
	scratch []byte       // the value of a name

	extraAt int64 // where whitespace before the next token was dropped
	extra   int64 // and how much
}

// NewDecoder returns a decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := new(Decoder)
	d.Reset(r, opts...)
	return d
}

// Reset makes the decoder read from r like a new one. It reuses the memory of the decoder.
func (d *Decoder) Reset(r io.Reader, opts ...Options) {
	d.checkReset(r)
	d.source = source{r: r}
	d.reset(opts)
}

// reset makes the decoder like a new one, with its source.
func (d *Decoder) reset(opts []Options) {
	d.set(opts)
	d.reading = wire.ReadingOf(reads{d})
	d.restart()
	if d.outer = wire.PlaceOf(d.r); d.outer != nil {
		d.share()
	}
}

// restart begins with another source.
func (d *Decoder) restart() {
	d.window.empty()
	d.again()
}

// again begins with another value.
func (d *Decoder) again() {
	d.state.reset()
	d.peeked, d.peekErr, d.broken = 0, nil, nil
	d.holding, d.loose, d.walking, d.within, d.extra = false, false, false, 0, 0
}

// InputOffset returns the offset in the stream of the end of the last token or value read. The decoder may have read
// more from the reader.
func (d *Decoder) InputOffset() int64 {
	if d.peeked < 0 {
		d.findEnd()
	}
	at := d.base + int64(d.end)
	if d.extra != 0 && at == d.extraAt {
		at -= d.extra
	}
	return at
}

// UnreadBuffer returns the bytes after InputOffset that have been read from the reader. They are
// valid until the next call.
func (d *Decoder) UnreadBuffer() []byte {
	if d.peeked < 0 {
		d.findEnd()
	}
	return d.buf[d.end : d.n+d.cut]
}

// StackPointer returns the pointer to the last value read.
func (d *Decoder) StackPointer() Pointer {
	d.scratch = d.state.pointer(d.scratch[:0], d.buf, previous, 0)
	return Pointer(d.scratch)
}

// PeekKind returns the kind of the next token without reading it. It is [KindInvalid] if there is none; the next call
// that reads returns the reason.
func (d *Decoder) PeekKind() Kind {
	if d.peeked <= 0 {
		if d.broken != nil {
			return KindInvalid
		}
		if d.peekErr != nil { // the reader may have more by now
			d.peekErr = nil
		}
		i, err := d.next()
		if err != nil {
			d.peekErr = err
			return KindInvalid
		}
		d.peeked = i + 1
	}
	return kinds[d.b.At(d.peeked-1)]
}

// ReadToken reads the next token. It is valid until the next call that peeks, reads or skips; see
// [Token.Clone]. At the end of the stream the error is [io.EOF]. If the stream ends within a value, it is
// [io.ErrUnexpectedEOF] in a [SyntacticError], or the error of the reader.
func (d *Decoder) ReadToken() (Token, error) {
	i := d.upcoming()
	if i < 0 {
		k, err := d.advanceSlow()
		return d.made(k, err)
	}
	d.peeked = 0
	// Same as token, for a string that stands for itself.
	if d.b.At(i) == '"' && d.utf8 {
		if end := d.quote(i + 1); d.b.At(end) == '"' {
			d.plain = true
			if !d.naming {
				d.value()
			} else if unique := d.flags&flagRejectDuplicates != 0; unique && d.addPlain(i+1, end) ||
				!unique && d.addName(i, end) {
				d.top.count++
				d.need, d.naming = ':', false
			} else {
				return Token{}, d.duplicate(i, end)
			}
			d.start, d.end = i, end+1
			return Token{raw: &d.place, num: uint64(KindString)<<kindAt | uint64(d.base+int64(i))}, nil
		}
	}
	k, err := d.token(i)
	return d.made(k, err)
}

// upcoming returns the index of the next token, whose delimiter is in place, or -1 if it is not at hand. Nothing may
// stand there that begins a token.
func (d *Decoder) upcoming() int {
	if d.peeked > 0 {
		return d.peeked - 1
	}
	i := d.end
	if i >= d.n || d.peeked < 0 {
		return -1
	}
	i = d.ws(i)
	if need := d.need; need != 0 {
		if c := d.b.At(i); c == need {
			if i = d.ws(i + 1); closes(d.b.At(i)) && need == ',' {
				return -1
			}
		} else if need == ':' || !closes(c) {
			return -1
		}
	}
	return i
}

// next returns the index of the next token, after its delimiter.
func (d *Decoder) next() (int, error) {
	if i := d.upcoming(); i >= 0 && kinds[d.b.At(i)] != KindInvalid {
		return i, nil
	}
	return d.find()
}

// made returns the token that was read.
func (d *Decoder) made(k Kind, err error) (Token, error) {
	t := bare(k)
	if k == KindString || k == KindNumber {
		t.raw = &d.place
		t.num |= uint64(d.base + int64(d.start))
		if k == KindString && !d.plain {
			t.num |= notPlain
		}
	}
	return t, err
}

// advance reads the next token, which is then the text from start to end.
func (d *Decoder) advance() (Kind, error) {
	i := d.upcoming()
	if i < 0 {
		return d.advanceSlow()
	}
	d.peeked = 0
	return d.token(i)
}

// advanceSlow is advance where the next token is not at hand.
func (d *Decoder) advanceSlow() (Kind, error) {
	i, err := d.find()
	if err != nil {
		return KindInvalid, err
	}
	return d.token(i)
}

// token reads the token at i, before which its delimiter stands.
func (d *Decoder) token(i int) (Kind, error) {
	c := d.b.At(i)
	if d.naming && c != '"' && c != '}' {
		return d.unnamed(i)
	}
	var end int
	kind := Kind(c)
	switch c {
	case '"':
		end = d.quote(i + 1)
		d.plain = true
		if d.b.At(end) != '"' || !d.utf8 {
			var err error
			if i, end, err = d.stringSlow(i); err != nil {
				return KindInvalid, err
			}
		}
		if d.naming {
			if !d.addName(i, end) {
				return KindInvalid, d.duplicate(i, end)
			}
			d.top.count++
			d.need, d.naming = ':', false
		} else {
			d.value()
		}
		d.start, d.end = i, end+1
		return KindString, nil
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if n := d.b.At(i + 1); n == ',' || closes(n) { // most numbers have one digit
			end, kind = i+1, KindNumber
			break
		}
		fallthrough
	case '-':
		if end = wire.SkipNumber(d.b, i); end < 0 || end >= d.n && !d.complete() { // it may go on
			var err error
			if i, end, err = d.numberSlow(i); err != nil {
				return KindInvalid, err
			}
		}
		kind = KindNumber
	case '{', '[':
		if len(d.stack) >= d.most {
			return KindInvalid, d.fail(i, next, errDepth)
		}
		d.push(c == '{')
		d.start, d.end = i, i+1
		return kind, nil
	case '}', ']':
		if d.text != nil && len(d.stack) == 0 { // beyond the one value that a method is to read
			up := Pointer(d.state.pointer(nil, d.buf, around, 0)).Parent()
			d.value()
			d.start, d.end = i, i+1
			d.gone = &left{wire.Stand{Offset: d.base + int64(i), Depth: d.StackDepth() - 1, Pointer: string(up)}, 0, d.top.count}
			return kind, nil
		}
		if len(d.stack) == 0 || d.top.object != (c == '}') || d.need == ':' {
			return KindInvalid, d.mismatch(i)
		}
		d.pop()
		d.start, d.end = i, i+1
		return kind, nil
	case 'n', 't', 'f':
		if end = wire.SkipLiteral(d.b, i); end < 0 {
			var err error
			if i, end, err = d.literalSlow(i); err != nil {
				return KindInvalid, err
			}
		}
	default:
		if i >= d.n || d.need == 0 && (c == ',' || c == ':' || c == RecordSeparator && d.separates()) {
			return d.advanceSlow()
		}
		return KindInvalid, d.fail(i, next, invalidCharacter(d.buf[i:d.n+d.cut], atValue))
	}
	if d.flags&flagSequence != 0 && len(d.stack) == 0 {
		var err error
		if i, end, err = d.followed(i, end); err != nil {
			return KindInvalid, err
		}
	}
	d.value()
	d.start, d.end = i, end
	return kind, nil
}

// addName makes the string between the quotes at i and end the name of the next member. It returns
// false if the object has that name.
func (d *Decoder) addName(i, end int) bool {
	i++
	name := d.buf[i:end]
	if !d.plain {
		d.scratch, _ = appendUnquoted(d.scratch[:0], name)
		name, i = d.scratch, -1
	}
	switch {
	case d.flags&flagRejectDuplicates == 0:
		d.names.Replace(&d.top.Object, name, i)
		return true
	case i < 0:
		return d.names.Insert(&d.top.Object, name, i, d.buf)
	}
	return d.addPlain(i, end)
}

// addPlain is addName for a name that is the text from i to end, where duplicates are rejected.
func (d *Decoder) addPlain(i, end int) bool {
	return d.names.InsertPlain(&d.top.Object, d.b, d.buf, i, end)
}

// find returns the index of the next token, after its delimiter.
func (d *Decoder) find() (int, error) {
	if err := d.peekErr; err != nil {
		d.peekErr = nil
		return 0, err
	}
	if d.broken != nil {
		return 0, d.broken
	}
	if d.peeked < 0 {
		d.findEnd()
	}
	i, err := d.space(d.end, 0)
	for err == nil && d.b.At(i) == RecordSeparator && d.separates() {
		d.start, d.end = i+1, i+1 // so that Resync goes on to the one after it
		i, err = d.space(i+1, 0)
	}
	if err != nil {
		if err == io.EOF && len(d.stack) == 0 {
			return 0, io.EOF
		}
		return 0, d.fail(i, around, err)
	}
	c := d.b.At(i)
	var delim byte
	at := d.base + int64(i)
	if c == ',' || c == ':' {
		delim = c
		if i, err = d.space(i+1, c); err != nil {
			if d.delimiter('"') != delim {
				return 0, d.badDelimiter(at, delim, '"', i)
			}
			return 0, d.fail(i, around, err)
		}
		c = d.b.At(i)
	}
	if d.delimiter(c) != delim {
		return 0, d.badDelimiter(at, delim, c, i)
	}
	return i, nil
}

// longSpace is whitespace that is not kept while more of it is read.
const longSpace = 4 << 10

// space returns the index of the first byte at or after i that is not whitespace. delim is the
// delimiter that has been seen since end, if any.
func (d *Decoder) space(i int, delim byte) (int, error) {
	for {
		if i < d.n {
			if i = d.ws(i); i < d.n {
				return i, nil
			}
		}
		if i-d.end > longSpace && !d.holding {
			d.dropSpace(i, delim)
		}
		var err error
		if i, err = d.more(i); err != nil {
			return i, err
		}
	}
}

// dropSpace forgets the whitespace from end to i. A delimiter within is moved to its end.
func (d *Decoder) dropSpace(i int, delim byte) {
	if delim != 0 {
		i--
		d.buf[i] = delim
	}
	at := d.base + int64(d.end)
	if d.extra == 0 || at != d.extraAt {
		d.extra = 0
	}
	d.extra += int64(i - d.end)
	d.extraAt = d.base + int64(i)
	d.end = i
	d.start = i
}

// more reads more text, and returns the index that i has then.
func (d *Decoder) more(i int) (int, error) {
	at := d.base + int64(i)
	err := d.fetch()
	return int(at - d.base), err
}

// complete reports whether there is no more text to read.
func (d *Decoder) complete() bool {
	return d.text != nil || d.r == nil && len(d.mem) == 0 && d.cut == 0
}

// load makes the text v the source.
func (d *Decoder) load(v []byte) {
	d.source = source{mem: v}
	d.restart()
	if n := len(v); n <= d.room() && n > 0 {
		d.cut, d.mem = copy(d.buf, v), nil
		d.scan(0, true)
	}
}

// fetch reads more text. What has not been read of the text, and what is held, stays in the window.
func (d *Decoder) fetch() error {
	if d.complete() {
		return io.EOF
	}
	keep := d.end
	if d.holding {
		keep = d.hold
	}
	have, room := d.n+d.cut, d.room()
	left := d.limit - (have - keep)
	if d.limit == 0 {
		left = DefaultMaxSize
	}
	if left <= 0 {
		return errSize
	}
	from, moved := d.n, false
	if free := room - have; keep == have && 2*keep > room || free < max(room/4, 1) {
		size := len(d.buf)
		switch {
		case size == 0:
			left := d.source.left()
			size = windowLeast
			if left > 0 { // the least that holds it, and shows its end
				size = windowTiny
			}
			for size < windowUsual && left >= size-windowPad {
				size *= 2
			}
		case have-keep > room/2:
			size *= 2
		case d.full && size < windowUsual:
			size = min(4*size, windowUsual)
		}
		d.retain(d.buf)
		if size > len(d.buf) {
			d.grow(size, keep)
		} else {
			copy(d.buf, d.buf[keep:have])
		}
		d.drop(keep)
		d.hold -= keep
		from, moved = 0, true
	}
	have = d.n + d.cut
	n, err := d.source.read(d.buf[have : have+min(d.room()-have, left)])
	d.full = d.n+d.cut+n == d.room()
	d.cut += n
	ends := err == io.EOF && d.cut > 0
	if moved || n > 0 || ends {
		d.scan(from, ends)
	}
	if ends {
		return nil
	}
	return err
}
