package tagged

import (
	"io"

	"github.com/weftcodec/weft"
)

var _ weft.StreamFormat = Framed

// NewEncoder is NewFrameEncoder.
func (framedFormat) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	return NewFrameEncoder(w, opts...)
}

// NewDecoder is NewFrameDecoder.
func (framedFormat) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return frameStream{NewFrameDecoder(r, opts...)}
}

// frameStream is a FrameDecoder that can be closed.
type frameStream struct{ *FrameDecoder }

func (d frameStream) Close() error {
	d.rows, d.next, d.body = 0, 0, nil
	d.failed = errClosed
	return nil
}
