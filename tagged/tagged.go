package tagged

import (
	"cmp"
	"encoding/binary"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

const formatName = "tagged"

// Raw is one message. It is written as the value that it contains, after a check that it is well-formed, and read
// without being decoded.
type Raw []byte

// Marshal returns the encoding of v.
func Marshal(v any, opts ...Options) ([]byte, error) {
	s := newEncoder(opts)
	buf, large := s.buf[:0], (*mem.Large)(nil)
	if v != nil {
		large = &s.programs.of(v).large
		if to := large.Buffer(); to != nil {
			buf, s.expect = to, cap(to)
		}
	}
	b := s.message(buf, v)
	switch {
	case s.err != nil:
		err := s.located()
		s.release()
		return nil, err
	case s.expect > 0:
		b = large.Keep(b)
	default:
		if s.buf = b; len(b) > mem.LargeSize {
			large.Note(len(b))
		}
		b = s.carver.Clone(b)
	}
	s.release()
	return b, nil
}

// MarshalAppend appends the encoding of v to b. If there is an error, it returns b unchanged.
func MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	s := newEncoder(opts)
	out := s.message(b, v)
	var err error
	if s.err != nil {
		out, err = b, s.located()
	}
	s.release()
	return out, err
}

// MarshalWrite writes the encoding of v to w, in one call.
func MarshalWrite(w io.Writer, v any, opts ...Options) error {
	err, broken := write(w, v, opts, false)
	return cmp.Or(err, broken)
}

// write is MarshalWrite that tells errors about v from errors of w, and may put the length of the message before it.
func write(w io.Writer, v any, opts []Options, prefixed bool) (err, broken error) {
	const most = binary.MaxVarintLen64
	s := newEncoder(opts)
	s.buf = s.message(append(s.buf[:0], make([]byte, most)...), v)
	start := most
	if prefixed {
		n := uint64(len(s.buf) - most)
		start -= tagwire.UvarintLen(n)
		tagwire.AppendUvarint(s.buf[:start], n)
	}
	if s.err != nil {
		err = s.located()
	} else {
		_, broken = w.Write(s.buf[start:])
	}
	s.release()
	return err, broken
}

// Unmarshal reads the message in b into the variable that v points to. If the message is not well-formed, the
// variable is left unchanged; if it does not fit the variable, values read before the error remain.
func Unmarshal(b []byte, v any, opts ...Options) error {
	return unmarshal(newReader(b, opts), v)
}

// unmarshal reads the message of r, which it releases. A variable that is zero is
// made so again if the message is not well-formed, any other waits until the whole
// message is checked.
func unmarshal(r *reader, v any) error {
	p, q, err := r.programs.variable(v)
	if err != nil {
		r.fail(r.i, err)
		return r.finish()
	}
	zero := q.AllZero(p.mem)
	if zero || r.wellFormed() {
		r.moved(r.value(r.i, r.tableAt, r.wt, p, q))
	}
	r.end()
	if zero && r.err != nil && !wellFormed(r.all, r.maxDepth) {
		p.mem.Clear(q)
	}
	return r.finish()
}

// UnmarshalRead reads src up to its end, which must contain one message, into the variable that v points to.
func UnmarshalRead(src io.Reader, v any, opts ...Options) error {
	return entry.Read(src, v, opts, Unmarshal)
}

// Valid reports whether b is one well-formed message, nested no deeper than
// decoders allow by default.
func Valid(b []byte) bool { return wellFormed(b, setting.DefaultMaxDepth) }

func wellFormed(b []byte, depth int) bool {
	r := newReader(b, nil)
	r.maxDepth = depth
	defer r.release()
	return r.wellFormed()
}

// Format is the hashed-tag format as a value.
var Format = format{&entry.Functions{
	FormatName: formatName, Append: MarshalAppend, Write: MarshalWrite, Decode: Unmarshal,
}}

type format struct{ *entry.Functions }

var _ weft.Format = Format

// Hash returns the 24 bits by which the format identifies a member: the bits of its tag above the wire type.
func Hash(name string) uint32 { return tagwire.Hash(name) >> 8 }
