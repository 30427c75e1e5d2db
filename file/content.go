package file

import (
	"io"

	"github.com/weftcodec/weft"
)

// Content is the decompressed content of a file; see [OpenContent].
type Content struct{ src *source }

// OpenContent returns the decompressed content of r, which is read like a file of that name. Format and compression
// are determined as by [LoadFile], with the same errors; a name such as "-" selects nothing. Close does not close r.
func OpenContent(r io.Reader, name string, opts ...Options) (*Content, error) {
	src := &source{settings: settingsOf(opts), name: name}
	err := src.recognise(r)
	if err == nil {
		head, _ := src.r.Peek(headSize)
		err = src.empty(head, true)
	}
	if err != nil {
		src.close()
		return nil, named(name, torn(err))
	}
	return &Content{src}, nil
}

// Read reads decompressed data.
func (c *Content) Read(b []byte) (int, error) { return c.src.r.Read(b) }

// Format returns the format. It is [NDJSON] for JSON if the name says that records are lines.
func (c *Content) Format() weft.Format { return c.src.whole() }

// Compression returns "gzip" or "zstd", or "" for none.
func (c *Content) Compression() string { return c.src.compression() }

// Close releases memory.
func (c *Content) Close() error {
	c.src.close()
	return nil
}
