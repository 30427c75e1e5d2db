package tagged

import (
	"errors"
	"fmt"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Compression compresses the bodies of frames. A compress.Codec of Zstandard is
// one.
type Compression interface {
	// Name returns "zstd".
	Name() string
	// Append appends src, compressed, to dst.
	Append(dst, src []byte) ([]byte, error)
	// DecompressMax decompresses src and appends the result to dst. More than max bytes are an error.
	DecompressMax(dst, src []byte, max int64) ([]byte, error)
}

type compressKey struct{}

// Compress sets the compression of frames. Each frame is compressed by itself, if that makes it smaller. Such a
// stream can be continued, skipped, and read from record N and in parallel like any other. Reading also requires a
// Compression, with the same dictionary, if there was one; other settings may differ. It affects both marshaling and
// unmarshaling.
func Compress(c Compression) Options { return weft.With(compressKey{}, c) }

const (
	nameZstd  = "zstd"
	maxPacked = 1 << 26 // bytes of a body before it is compressed
)

var (
	errCompression = errors.New("the frame is compressed with zstd: use the option tagged.Compress to read it")
	errPacked      = errors.New("the frame does not decompress to as many bytes as it says")
)

// compressionOf returns the Compression that opts give.
func compressionOf(opts []Options) Compression {
	c, _ := plan.ValueOf(opts, compressKey{}).(Compression)
	return c
}

// pack compresses the body at the end of b, which begins at from, if that makes it
// smaller.
func (w *frameWriter) pack(b []byte, from int) (out []byte, how byte) {
	body := b[from:]
	if w.zip == nil || len(body) > maxPacked {
		return b, framewire.Plain
	}
	if w.zip.Name() != nameZstd {
		w.fail(fmt.Errorf("frames are compressed by %s, not by %s", nameZstd, w.zip.Name()))
		return b, framewire.Plain
	}
	packed, err := w.zip.Append(tagwire.AppendUvarint(w.packed[:0], uint64(len(body))), body)
	if err != nil {
		w.fail(err)
	} else if w.packed = packed; len(packed) < len(body) {
		return append(b[:from], packed...), framewire.Zstd
	}
	return b, framewire.Plain
}

// unpack appends the body of f, decompressed, to dst.
func unpack(f framewire.Frame, dst []byte, opts []Options) ([]byte, error) {
	c := compressionOf(opts)
	if c == nil || c.Name() != nameZstd {
		return nil, errCompression
	}
	size, next := tagwire.Uvarint(f.Body, 0, len(f.Body))
	if next < 0 || size > maxPacked {
		return nil, errPacked
	}
	b, err := c.DecompressMax(dst, f.Body[next:], int64(size))
	if err == nil && uint64(len(b)-len(dst)) != size {
		err = errPacked
	}
	return b, err
}
