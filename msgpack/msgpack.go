package msgpack

import (
	"io"
	"math"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Marshal returns the encoding of v.
func Marshal(v any, opts ...Options) ([]byte, error) {
	if p := programs.First(v); p != nil && p.direct && p.elem.flat {
		if n := int(p.size.Load()); n > largeSize {
			b, err := appendFlat(largeBuffer(n), p.elem, v, opts)
			if err != nil {
				return nil, err
			}
			return p.large(b), nil
		}
	}
	s := newEncoder(opts)
	p := s.programs.Find(v)
	if p != nil {
		if n := int(p.size.Load()); n > largeSize {
			out, err := s.marshalLarge(v, p, n)
			s.release()
			return out, err
		}
	}
	b := s.start(s.buf[:0], v, p)
	if s.err != nil {
		err := s.located()
		s.release()
		return nil, err
	}
	if len(b) > largeSize {
		if p = s.programs.Find(v); p != nil { // it may have been compiled since
			p.size.Store(int64(len(b)))
		}
	}
	s.buf = b
	out := s.carver.Clone(b)
	s.release()
	return out, nil
}

// largeSize is the length from which on the result is not copied out of a
// buffer that is used again, but written where it stays.
const largeSize = 2 << 10

// largeRoom is what a large result is given beyond the length of the one before, so
// that there is room for the members of a last small struct.
const largeRoom = 240

// largeBuffer returns a buffer for a result of about n bytes.
func largeBuffer(n int) []byte { return mem.MakeNoZero(n + n/32 + largeRoom) }

// marshalLarge returns the encoding of v, whose program is p and which had n
// bytes the last time.
func (s *encoder) marshalLarge(v any, p *program, n int) ([]byte, error) {
	b := s.start(largeBuffer(n), v, p)
	if s.err != nil {
		return nil, s.located()
	}
	return p.large(b), nil
}

// large returns b, in a buffer from largeBuffer, without much room behind it.
func (p *program) large(b []byte) []byte {
	p.size.Store(int64(len(b)))
	if cap(b)-len(b) <= len(b)/4+largeRoom {
		return b[:len(b):len(b)]
	}
	out := make([]byte, len(b))
	copy(out, b)
	return out
}

// MarshalAppend appends the encoding of v to b. On an error it returns b as it
// was.
func MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	if p := programs.First(v); p != nil && p.direct && p.elem.flat {
		return appendFlat(b, p.elem, v, opts)
	}
	return appendAny(b, v, opts)
}

// appendAny is MarshalAppend.
func appendAny(b []byte, v any, opts []Options) ([]byte, error) {
	if len(opts) == 0 {
		if t, ok := v.(*time.Time); ok && t != nil { // same as its program
			return packwire.AppendTime(b, *t), nil
		}
	}
	s := newEncoder(opts)
	out := s.start(b, v, s.programs.Find(v))
	if s.err != nil {
		err := s.located()
		s.release()
		return b, err
	}
	s.release()
	return out, nil
}

// appendFlat is MarshalAppend for a pointer to a struct whose program p is flat.
func appendFlat(b []byte, p *program, v any, opts []Options) ([]byte, error) {
	layout := 0
	if len(opts) > 0 {
		flags, ok := weft.OnlyFlags(opts)
		if !ok || flags&^weft.FlagStructAsArray != 0 {
			return appendAny(b, v, opts)
		}
		if flags != 0 {
			layout = 1
		}
	}
	q := mem.PtrOf(v)
	if q.IsNil() {
		return appendAny(b, v, opts)
	}
	if sh := &p.shapes[layout]; sh.lone {
		// Same as flatStruct: a byte slice that there is room for is the only member.
		o := &sh.ops[0]
		bin := *mem.At[[]byte](q.Field(o.off))
		if n := len(bin); bin != nil && uint64(n) <= math.MaxUint32 && cap(b)-len(b) >= n+loneRoom {
			w := mem.BytesOf(b)
			l := o.putPrefix(w, sh.putHead(w, len(b)))
			l = putBytesHeader(w, l, uint32(n))
			return b[:l+copy(b[l:l+n], bin)], nil
		}
	}
	if out := flatEncoders[layout].flatStruct(b, p, q); out != nil {
		return out, nil
	}
	return appendAny(b, v, opts)
}

// loneRoom is room for the header of a struct of one member, its key, and the
// header of its value.
const loneRoom = 8 + prefixSize + maxHeader

// MarshalWrite writes the encoding of v to w, in one piece.
func MarshalWrite(w io.Writer, v any, opts ...Options) error {
	s := newEncoder(opts)
	b := s.start(s.buf[:0], v, s.programs.Find(v))
	var err error
	if s.err != nil {
		err = s.located()
	} else {
		_, err = w.Write(b)
	}
	s.buf = b
	s.release()
	return err
}

// Unmarshal reads the one value of b into the variable v points to.
func Unmarshal(b []byte, v any, opts ...Options) error {
	if len(opts) == 0 {
		if t, ok := v.(*time.Time); ok && t != nil { // same as its program, which also tells what is wrong
			if at, end := packwire.ReadTime(b, 0); end == len(b) {
				*t = at
				return nil
			}
		}
	}
	r := newReader(b, opts)
	r.document(v)
	return r.finish()
}

// UnmarshalRead reads the one value of src, up to its end, into the variable v
// points to.
func UnmarshalRead(src io.Reader, v any, opts ...Options) error {
	buf := input.Take()
	defer buf.Release()
	if err := buf.ReadAll(src); err != nil {
		return err
	}
	// The result must not alias a buffer that is used again.
	return Unmarshal(buf.B, v, append(opts[:len(opts):len(opts)], weft.AliasInput(false))...)
}

// Valid reports whether b is one well-formed value, nested no deeper than
// decoders allow by default.
func Valid(b []byte) bool {
	end, _ := packwire.Skip(b, 0, weft.DefaultMaxDepth)
	return end == len(b)
}

// Skip returns what follows the first value of b, which it checks to be
// well-formed.
func Skip(b []byte) (rest []byte, err error) {
	r := newReader(b, nil)
	end := r.skip(0)
	if end < 0 {
		err = r.err
	} else {
		rest = b[end:]
	}
	r.release()
	return rest, err
}

// Format is MessagePack as a value.
var Format format

type format struct{}

var _ weft.Format = Format

// Name returns "msgpack".
func (format) Name() string { return "msgpack" }

// MarshalAppend is the function of the same name.
func (format) MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	return MarshalAppend(b, v, opts...)
}

// MarshalWrite is the function of the same name.
func (format) MarshalWrite(w io.Writer, v any, opts ...Options) error {
	return MarshalWrite(w, v, opts...)
}

// Unmarshal is the function of the same name.
func (format) Unmarshal(b []byte, v any, opts ...Options) error { return Unmarshal(b, v, opts...) }

// UnmarshalRead is the function of the same name.
func (format) UnmarshalRead(r io.Reader, v any, opts ...Options) error {
	return UnmarshalRead(r, v, opts...)
}
