package tagged

import (
	"io"

	"github.com/weftcodec/weft"
)

var _ weft.StreamFormat = Framed

// NewEncoder returns a [FrameEncoder] that writes to w.
func (framedFormat) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	return NewFrameEncoder(w, opts...)
}

// NewDecoder returns a [FrameDecoder] that reads from r.
func (framedFormat) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	return NewFrameDecoder(r, opts...)
}
