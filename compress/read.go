package compress

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/weftcodec/weft"
)

// Reader decompresses one stream, up to a limit. Its errors have offsets in the compressed input.
type Reader struct {
	c     *Codec
	z     reader
	in    source
	fresh bool  // z has not begun
	left  int64 // bytes that may still come
	max   int64
	err   error // that ended the stream
}

// NewReader returns a reader that decompresses r. Without [MaxSize] it reads any
// number of bytes.
func (c *Codec) NewReader(r io.Reader, opts ...Options) *Reader {
	max, given := c.limit(opts)
	if !given {
		max = 1<<63 - 1
	}
	return c.open(r, max)
}

func (c *Codec) open(r io.Reader, max int64) *Reader {
	d := &Reader{c: c, left: max, max: max, err: c.err}
	if c.err != nil {
		return d
	}
	d.in.open(r)
	d.fresh = true
	return d
}

// Read decompresses.
func (d *Reader) Read(b []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	if d.fresh {
		d.start()
		if d.err != nil {
			return 0, d.err
		}
	}
	if len(b) == 0 {
		return 0, nil
	}
	var n int
	var err error
	if d.left > 0 {
		n, err = d.z.Read(b[:min(int64(len(b)), d.left)])
		d.left -= int64(n)
	} else {
		// The bytes may be just as many as there are.
		var probe [1]byte
		if n, err = d.z.Read(probe[:]); n > 0 {
			n, err = 0, tooLarge(d.max)
		}
	}
	if err != nil {
		d.end(err)
	}
	if n > 0 {
		return n, nil // the error comes with the next call
	}
	return 0, d.err
}

// start takes a decoder to the head of the input.
func (d *Reader) start() {
	d.fresh = false
	if _, err := d.in.buf.Peek(1); err != nil {
		d.end(unexpected(err))
		return
	}
	d.z = d.c.reader()
	if err := d.z.Reset(d.in.buf); err != nil {
		d.end(unexpected(err))
	}
}

// unexpected returns err, which is not expected to be the end of the input.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// end ends the stream with err and gives back what it took.
func (d *Reader) end(err error) {
	switch {
	case err == io.EOF:
		d.err = err
	case d.in.count.err != nil && d.in.count.err != io.EOF:
		d.err = d.in.count.err // the reader's below
	default:
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = weft.ErrUnexpectedEnd
		}
		d.err = d.c.fault(d.in.offset(), err)
	}
	d.release()
}

func (d *Reader) release() {
	if d.z != nil {
		d.c.release(d.z)
		d.z = nil
	}
	d.in.close()
}

func (c *Codec) reader() reader {
	if z, ok := c.readers.Get().(reader); ok {
		return z
	}
	return c.make.reader()
}

// release keeps a decoder, without its input.
func (c *Codec) release(z reader) {
	z.Reset(bytes.NewReader(nil))
	c.readers.Put(z)
}

// Close releases the memory of the reader. It does not close the underlying reader.
func (d *Reader) Close() error {
	d.release()
	d.fresh = false
	d.err = errClosed
	return nil
}

// source is a buffered reader that knows its offset.
type source struct {
	count counter
	buf   *bufio.Reader
}

func (in *source) open(r io.Reader) {
	in.count = counter{r: r}
	if b, ok := buffered.Get().(*bufio.Reader); ok {
		in.buf = b
	} else {
		in.buf = bufio.NewReaderSize(nil, 32<<10)
	}
	in.buf.Reset(&in.count)
}

func (in *source) offset() int64 { return in.count.n - int64(in.buf.Buffered()) }

func (in *source) close() {
	if in.buf != nil {
		in.buf.Reset(nil)
		buffered.Put(in.buf)
		in.buf = nil
	}
}

// counter counts what is read, and keeps the error.
type counter struct {
	r   io.Reader
	n   int64
	err error
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	c.err = err
	return n, err
}

// Decompress decompresses src and appends the result to dst. If there is an error, it returns dst unchanged. Its
// memory grows with the data, up to the limit of [MaxSize].
func (c *Codec) Decompress(dst, src []byte, opts ...Options) ([]byte, error) {
	max, _ := c.limit(opts)
	return c.decompress(dst, src, max)
}

// DecompressMax is like Decompress with a limit of max bytes.
func (c *Codec) DecompressMax(dst, src []byte, max int64) ([]byte, error) {
	return c.decompress(dst, src, max)
}

// trust is the ratio up to which a header is trusted that says how much there
// is: more than that grows as it comes.
const trust = 32

func (c *Codec) decompress(dst, src []byte, max int64) ([]byte, error) {
	if c.err != nil {
		return dst, c.err
	}
	n := int64(4 * len(src))
	guess, ok := c.make.guess(src)
	if ok {
		n = guess
	}
	n = min(n, trust*int64(len(src)), max)
	// With a byte more the end shows without growing.
	dst = grow(dst, int(n)+1)
	if m, whole := c.make.(wholeMaker); whole && ok && guess <= n {
		z := c.reader()
		out, err := m.whole(z, dst, src)
		c.release(z)
		if err == nil && int64(len(out)-len(dst)) <= max {
			return out, nil
		}
		// The stream goes on where the memory ends, and locates an error.
	}
	return c.readAll(dst, bytes.NewReader(src), max)
}

// wholeMaker is a maker whose decoders have a faster way from memory to memory.
type wholeMaker interface {
	// whole appends what src decompresses to to dst, up to its capacity.
	whole(z reader, dst, src []byte) ([]byte, error)
}

// readAll appends what r decompresses to to dst.
func (c *Codec) readAll(dst []byte, r io.Reader, max int64) ([]byte, error) {
	d := c.open(r, max)
	defer d.Close()
	out := dst
	for {
		if len(out) == cap(out) {
			more := max
			if have := int64(len(out) - len(dst)); have < max {
				more = max - have
			}
			out = grow(out, int(min(int64(len(out)+minGrow), more))+1)
		}
		n, err := d.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if err == io.EOF {
			return out, nil
		} else if err != nil {
			return dst, err
		}
	}
}

const minGrow = 4 << 10

// grow returns b with room for n more bytes.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	return append(make([]byte, 0, len(b)+n), b...)
}

// Limited reports whether an option limits the number of bytes that the reader returns.
func (d *Reader) Limited() bool { return d.max != 1<<63-1 }
