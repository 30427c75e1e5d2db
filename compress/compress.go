// Package compress puts gzip (RFC 1952) and Zstandard (RFC 8878) around any format.
//
// The names that matter:
//
//   - [Gzip] and [Zstd]: a compressed format, which is itself a [weft.StreamFormat]
//   - [NewGzip] and [NewZstd]: a [Codec] for arbitrary bytes
//   - [Level], [MaxSize] and [Dictionary]: options; [Train] makes a dictionary
//   - [Detect]: recognizes the compression of data
//
// Coders are reused. No call starts a goroutine. A document may decompress to at most [DefaultMaxSize] bytes, or to
// the limit that MaxSize sets. No memory is allocated only because a header claims a size.
package compress

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/weftcodec/weft"
)

// Options is a set of settings; see [weft.Options].
type Options = weft.Options

type (
	levelKey    struct{}
	maxKey      struct{}
	standardKey struct{}
	dictKey     struct{}
)

// Level sets the level of compression: from 1, the fastest, to 9 for gzip and 22 for Zstandard. Zstandard has only
// four levels; a number selects the nearest. 0 selects the default, 6 for gzip and 3 for Zstandard. It affects
// marshaling, and is set when a codec is made.
func Level(n int) Options { return weft.With(levelKey{}, n) }

// DefaultMaxSize is the default of [MaxSize].
const DefaultMaxSize = 1 << 30

// MaxSize limits the decompressed size of a document or of a whole stream, in bytes. More bytes are an error, which
// wraps [ErrTooLarge]. By default each value of a stream may have [DefaultMaxSize] bytes, and the stream any number.
// It affects unmarshaling.
func MaxSize(n int64) Options { return weft.With(maxKey{}, n) }

// Standard specifies whether gzip uses compress/gzip of the standard library, so that the bytes are exactly the same.
// It affects both marshaling and unmarshaling, and is set when a codec is made.
func Standard(on bool) Options { return weft.With(standardKey{}, on) }

// Dictionary sets the dictionaries of Zstandard, in the format of RFC 8878 §5, such as those of [Train]. The first
// one is used for writing, all of them for reading. It affects both marshaling and unmarshaling, and is set when a
// codec is made.
func Dictionary(dicts ...[]byte) Options { return weft.With(dictKey{}, dicts) }

// ErrTooLarge is the error for input that decompresses to more than the allowed size.
var ErrTooLarge = errors.New("too large when decompressed")

// Names of the compressions.
const (
	NameGzip = "gzip"
	NameZstd = "zstd"
)

// Gzip returns f inside gzip. Options of f are defaults for its calls. An invalid option is an error of every call.
//
// A stream consists of one or more gzip members. Its encoder has a method Flush() error, which writes everything
// buffered.
func Gzip(f weft.Format, opts ...Options) weft.StreamFormat {
	return NewGzip(opts...).Format(f, opts...)
}

// Zstd returns f inside Zstandard. Otherwise it is like [Gzip].
func Zstd(f weft.Format, opts ...Options) weft.StreamFormat {
	return NewZstd(opts...).Format(f, opts...)
}

// Codec is a compression with its settings and the coders that it reuses. It is safe for concurrent use.
type Codec struct {
	name    string
	opts    Options // those given
	err     error   // in them
	writers sync.Pool
	readers sync.Pool
	make    maker
}

// maker makes the coders of a codec.
type maker interface {
	writer() writer
	reader() reader
	// all compresses src behind dst with a writer of its own.
	all(w writer, dst, src []byte) ([]byte, error)
	// guess returns about how many bytes src decompresses to, when it says so.
	guess(src []byte) (n int64, ok bool)
}

// writer compresses one stream after another.
type writer interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

// reader decompresses one stream after another.
type reader interface {
	io.Reader
	Reset(r io.Reader) error
}

// Name returns "gzip" or "zstd".
func (c *Codec) Name() string { return c.name }

// Err returns an error if the options that the codec was made with are invalid.
func (c *Codec) Err() error { return c.err }

// Detect returns the name of the compression that content begins with, or "".
// Four bytes are enough.
func Detect(content []byte) string {
	switch {
	case bytes.HasPrefix(content, []byte("\x1f\x8b\x08")):
		return NameGzip
	case bytes.HasPrefix(content, []byte("\x28\xb5\x2f\xfd")),
		len(content) >= 4 && content[0]&0xf0 == 0x50 && bytes.HasPrefix(content[1:], []byte("\x2a\x4d\x18")):
		return NameZstd
	}
	return ""
}

// Append appends src, compressed as one member or frame, to dst. If there is an error, it returns dst unchanged.
func (c *Codec) Append(dst, src []byte) ([]byte, error) {
	if c.err != nil {
		return dst, c.err
	}
	w := c.writer()
	out, err := c.make.all(w, dst, src)
	c.writers.Put(w)
	if err != nil {
		return dst, c.fault(-1, err)
	}
	return out, nil
}

// NewWriter returns a writer that compresses to w. Close writes the end of the stream. A writer that is not closed
// leaves only memory for the garbage collector.
func (c *Codec) NewWriter(w io.Writer) *Writer {
	if c.err != nil {
		return &Writer{c: c, err: c.err}
	}
	z := c.writer()
	z.Reset(w)
	return &Writer{c: c, z: z}
}

func (c *Codec) writer() writer {
	if w, ok := c.writers.Get().(writer); ok {
		return w
	}
	return c.make.writer()
}

// Writer compresses one stream.
type Writer struct {
	c   *Codec
	z   writer
	err error
}

// Write compresses b.
func (w *Writer) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.z.Write(b)
	w.err = err
	return n, err
}

// Flush writes what has been compressed so far, in whole bytes.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.err = w.z.Flush()
	}
	return w.err
}

var errClosed = errors.New("compress: use after Close")

// Close writes the end of the stream. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.err == errClosed {
		return nil
	}
	err := w.err
	if w.z != nil {
		if err == nil {
			err = w.z.Close()
		}
		w.z.Reset(io.Discard)
		w.c.writers.Put(w.z)
		w.z = nil
	}
	w.err = errClosed
	return err
}

// fault returns an error of the codec at an offset of the compressed input.
func (c *Codec) fault(offset int64, err error) error {
	return &weft.Error{Format: c.name, Offset: offset, Err: plain(c.name, err)}
}

// plain returns err without what its text has of a prefix and an offset, which
// [weft.Error] has.
func plain(name string, err error) error {
	text := err.Error()
	short := strings.TrimPrefix(strings.TrimPrefix(text, name+": "), "flate: ")
	short, _, _ = strings.Cut(short, " before offset ")
	if short == text {
		return err
	}
	return &plainError{err, short}
}

// plainError is an error with another text.
type plainError struct {
	error
	text string
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.error }

// tooLarge is the error for more than max bytes.
func tooLarge(max int64) error {
	return fmt.Errorf("%w: more than %s bytes", ErrTooLarge, strconv.FormatInt(max, 10))
}

// limit returns the bytes that a document may have, and whether an option says so.
func (c *Codec) limit(opts []Options) (max int64, given bool) {
	for i := len(opts) - 1; i >= 0; i-- {
		if v, ok := opts[i].Value(maxKey{}); ok {
			return v.(int64), true
		}
	}
	if v, ok := c.opts.Value(maxKey{}); ok {
		return v.(int64), true
	}
	return DefaultMaxSize, false
}
