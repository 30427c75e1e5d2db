package file

import (
	"io"

	"github.com/weftcodec/weft"
)

// Content is what a file holds, decompressed; see [OpenContent].
type Content struct{ src *source }

// OpenContent returns what r, which holds what a file of that name does, has when it
// is decompressed. Format and compression are found out as [LoadFile] does, with the
// same errors; a name such as "-" tells nothing. Close does not close r.
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

// Read reads what is not compressed.
func (c *Content) Read(b []byte) (int, error) { return c.src.r.Read(b) }

// Format returns the format, which is [NDJSON] for JSON of which the name says that
// records are lines.
func (c *Content) Format() weft.Format { return c.src.whole() }

// Compression returns "gzip" or "zstd", or "" for none.
func (c *Content) Compression() string { return c.src.compression() }

// Close gives back memory.
func (c *Content) Close() error {
	c.src.close()
	return nil
}
