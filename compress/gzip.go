package compress

import (
	stdgzip "compress/gzip"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/gzip"

	"github.com/weftcodec/weft"
)

// NewGzip returns a codec for gzip. [Codec.Err] reports invalid options.
func NewGzip(opts ...Options) *Codec {
	o := weft.Join(opts...)
	c := &Codec{name: NameGzip, opts: o}
	m := gzipMaker{level: gzip.DefaultCompression}
	if v, ok := o.Value(levelKey{}); ok && v.(int) != 0 {
		m.level = v.(int)
		if m.level < 1 || m.level > 9 {
			c.err = fmt.Errorf("gzip: level %d is not in 1 to 9", m.level)
		}
	}
	if v, ok := o.Value(standardKey{}); ok {
		m.standard = v.(bool)
	}
	if v, ok := o.Value(dictKey{}); ok && len(v.([][]byte)) > 0 && c.err == nil {
		c.err = fmt.Errorf("gzip: has no dictionaries")
	}
	c.make = m
	return c
}

type gzipMaker struct {
	level    int
	standard bool
}

func (m gzipMaker) writer() writer {
	// An error would be one of the level.
	if m.standard {
		w, _ := stdgzip.NewWriterLevel(nil, m.level)
		return w
	}
	w, _ := gzip.NewWriterLevel(nil, m.level)
	return w
}

func (m gzipMaker) reader() reader {
	if m.standard {
		return new(stdgzip.Reader)
	}
	return new(gzip.Reader)
}

func (gzipMaker) all(w writer, dst, src []byte) ([]byte, error) {
	out := &appender{dst}
	w.Reset(out)
	_, err := w.Write(src)
	if err == nil {
		err = w.Close()
	}
	return out.b, err
}

// guess returns ISIZE (RFC 1952 §2.3.1), which is right but for several members
// and for 4 GiB and more.
func (gzipMaker) guess(src []byte) (int64, bool) {
	if len(src) < 18 {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint32(src[len(src)-4:])), true
}

// appender is a writer to the end of a slice.
type appender struct{ b []byte }

func (a *appender) Write(b []byte) (int, error) {
	a.b = append(a.b, b...)
	return len(b), nil
}
