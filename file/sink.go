package file

import (
	"bufio"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
)

// members is a writer of members or frames of a compression, one after another.
type members struct {
	codec *compress.Codec
	buf   *bufio.Writer
	z     *compress.Writer // of the member that has begun, nil for none
}

func newMembers(c *compress.Codec) *members {
	return &members{codec: c, buf: bufio.NewWriterSize(nil, 64<<10)}
}

// Write writes to the member, and begins one where none has begun.
func (m *members) Write(b []byte) (int, error) {
	if m.z == nil {
		m.z = m.codec.NewWriter(m.buf)
	}
	return m.z.Write(b)
}

// end ends the member.
func (m *members) end() (err error) {
	if m.z != nil {
		err = m.z.Close()
		m.z = nil
	}
	if flushed := m.buf.Flush(); err == nil {
		err = flushed
	}
	return err
}

// sink is a stream of records into a file.
type sink struct {
	w      io.Writer
	format weft.StreamFormat
	codec  *compress.Codec // nil for none
	opts   []Options
	buf    *bufio.Writer
	z      *compress.Writer // nil without compression
	enc    weft.StreamEncoder
}

func (k *sink) open(w io.Writer, s *settings) error {
	f, ok := s.format.(weft.StreamFormat)
	if !ok {
		return &weft.Error{Format: s.format.Name(), Offset: -1, Err: errNoRecords}
	}
	if s.codec != nil {
		if err := s.codec.Err(); err != nil {
			return err
		}
	}
	*k = sink{w: w, format: f, codec: s.codec, opts: s.opts, buf: bufio.NewWriterSize(w, 64<<10)}
	return nil
}

// begin begins a member, with an encoder of its own.
func (k *sink) begin() {
	k.buf.Reset(k.w)
	k.z = nil
	var w io.Writer = k.buf
	if k.codec != nil {
		k.z = k.codec.NewWriter(k.buf)
		w = k.z
	}
	k.enc = k.format.NewEncoder(w, k.opts...)
}

// close writes the end of the stream.
func (k *sink) close() error {
	err := k.enc.Close()
	if k.z != nil {
		if closed := k.z.Close(); err == nil {
			err = closed
		}
	}
	if flushed := k.buf.Flush(); err == nil {
		err = flushed
	}
	return err
}
