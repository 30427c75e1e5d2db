package compress

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/weftcodec/weft"
)

const (
	// maxWindow bounds the memory of a decoder (RFC 8878 §3.1.1.1.2), which the
	// header of a frame asks for. Encoders of level 19 and less stay within it.
	maxWindow = 32 << 20
	// window bounds what is written, so that every decoder can read it: 8 MiB are
	// what the RFC asks of each.
	window = 8 << 20
)

// NewZstd returns a codec for Zstandard. [Codec.Err] reports invalid options. Frames that need a window of more than
// 32 MiB are an error.
func NewZstd(opts ...Options) *Codec {
	o := weft.Join(opts...)
	c := &Codec{name: NameZstd, opts: o}
	level := zstd.SpeedDefault
	if v, ok := o.Value(levelKey{}); ok && v.(int) != 0 {
		n := v.(int)
		if n < 1 || n > 22 {
			c.err = fmt.Errorf("zstd: level %d is not in 1 to 22", n)
		}
		level = zstd.EncoderLevelFromZstd(n)
	}
	m := &zstdMaker{
		encode: []zstd.EOption{
			zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true),
		},
		decode: []zstd.DOption{
			zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true),
			zstd.WithDecodeAllCapLimit(true),
		},
	}
	if level != zstd.SpeedFastest {
		m.encode = append(m.encode, zstd.WithWindowSize(window))
	}
	if v, ok := o.Value(dictKey{}); ok {
		if dicts := v.([][]byte); len(dicts) > 0 {
			m.encode = append(m.encode, zstd.WithEncoderDict(dicts[0]))
			m.decode = append(m.decode, zstd.WithDecoderDicts(dicts...))
		}
	}
	c.make = m
	if c.err == nil {
		c.err = m.check()
	}
	return c
}

type zstdMaker struct {
	encode []zstd.EOption
	decode []zstd.DOption
}

// check makes a coder of each kind, which finds a broken dictionary.
func (m *zstdMaker) check() error {
	_, err := zstd.NewWriter(nil, m.encode...)
	if err == nil {
		_, err = zstd.NewReader(nil, m.decode...)
	}
	if err != nil {
		return fmt.Errorf("zstd: option: %w", err)
	}
	return nil
}

func (m *zstdMaker) writer() writer {
	// check has found no error.
	w, _ := zstd.NewWriter(nil, m.encode...)
	return w
}

func (m *zstdMaker) reader() reader {
	r, _ := zstd.NewReader(nil, m.decode...)
	return zstdReader{r}
}

// zstdReader says what the limit is that a window is beyond.
type zstdReader struct{ *zstd.Decoder }

func (z zstdReader) Read(b []byte) (int, error) {
	n, err := z.Decoder.Read(b)
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = fmt.Errorf("the frame needs a window of more than %d bytes", maxWindow)
	}
	return n, err
}

func (z zstdReader) Reset(r io.Reader) error { return z.Decoder.Reset(r) }

func (*zstdMaker) all(w writer, dst, src []byte) ([]byte, error) {
	return w.(*zstd.Encoder).EncodeAll(src, dst), nil
}

func (*zstdMaker) whole(z reader, dst, src []byte) ([]byte, error) {
	return z.(zstdReader).DecodeAll(src, dst)
}

// guess returns the content size of the first frame (RFC 8878 §3.1.1.1.4).
func (*zstdMaker) guess(src []byte) (int64, bool) {
	var h zstd.Header
	if h.Decode(src) != nil || !h.HasFCS || h.FrameContentSize > 1<<62 {
		return 0, false
	}
	return int64(h.FrameContentSize), true
}
