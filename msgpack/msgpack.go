package msgpack

import (
	"cmp"
	"io"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Marshal returns the encoding of v.
func Marshal(v any, opts ...Options) ([]byte, error) {
	p := programs.First(v)
	if p == nil {
		p = programs.Find(v)
	}
	if p != nil {
		if buf := p.large.Buffer(); buf != nil {
			b, err := MarshalAppend(buf, v, opts...)
			if err != nil {
				return nil, err
			}
			return p.large.Keep(b), nil
		}
	}
	s := newEncoder(opts)
	if s.programs != &programs {
		p = s.programs.Find(v)
	}
	b := s.start(s.buf[:0], v, p)
	if s.err != nil {
		err := s.located()
		s.release()
		return nil, err
	}
	if len(b) > mem.LargeSize {
		if p = programs.Find(v); p != nil { // it may have been compiled since
			p.large.Note(len(b))
		}
	}
	s.buf = b
	out := s.carver.Clone(b)
	s.release()
	return out, nil
}

// MarshalAppend appends the encoding of v to b. If there is an error, it returns b unchanged.
func MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	p := programs.First(v)
	if p == nil {
		p = programs.Find(v)
	}
	if p != nil && p.flatRoot != nil {
		s := flatEncoders[0]
		if len(opts) > 0 {
			s = flatEncoder(opts)
		}
		if s != nil {
			var q mem.Ptr
			if p.enc == plan.Pointer {
				q = mem.PtrOf(v)
			} else {
				q = mem.Data(v, p.mem)
			}
			if root := p.flatRoot; q.IsNil() {
				// is nil, which appendAny writes
			} else if root.enc == plan.Struct {
				if out, _ := s.plainList(b, root, q.One(), 1); out != nil {
					return out, nil
				}
			} else if out := s.value(b, root, q); out != nil {
				return out, nil
			}
		}
	}
	return appendAny(b, v, opts)
}

// flatEncoder returns the one of flatEncoders for options, nil where they ask for more.
func flatEncoder(opts []Options) *encoder {
	flags, ok := plan.OnlyFlags(opts)
	switch {
	case !ok || flags&^setting.StructAsArray != 0:
		return nil
	case flags != 0:
		return flatEncoders[1]
	}
	return flatEncoders[0]
}

// appendAny is MarshalAppend for any value.
func appendAny(b []byte, v any, opts []Options) ([]byte, error) {
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

// MarshalWrite writes the encoding of v to w, in one call.
func MarshalWrite(w io.Writer, v any, opts ...Options) error {
	err, broken := write(w, v, opts)
	return cmp.Or(err, broken)
}

// write is MarshalWrite that tells errors about v from errors of w.
func write(w io.Writer, v any, opts []Options) (err, broken error) {
	s := newEncoder(opts)
	if s.buf = s.start(s.buf[:0], v, s.programs.Find(v)); s.err != nil {
		err = s.located()
	} else {
		_, broken = w.Write(s.buf)
	}
	s.release()
	return err, broken
}

// Unmarshal reads the value in b into the variable that v points to. If b is not exactly one well-formed value, the
// variable is left unchanged; after any other error it may be partly changed.
func Unmarshal(b []byte, v any, opts ...Options) error {
	p := programs.First(v)
	if p != nil && p.time && len(opts) == 0 {
		if q := mem.PtrOf(v); !q.IsNil() {
			if t, end := packwire.ReadTime(b, 0); end == len(b) { // a Reader tells what is wrong
				*mem.At[time.Time](q) = t
				return nil
			}
		}
	}
	r := newReader(b, opts)
	r.document(v, p, false)
	return r.finish()
}

// UnmarshalRead reads src up to its end, which must contain one value, into the variable that v points to.
func UnmarshalRead(src io.Reader, v any, opts ...Options) error {
	return entry.Read(src, v, opts, Unmarshal)
}

// Valid reports whether b is one well-formed value, nested no deeper than
// decoders allow by default.
func Valid(b []byte) bool {
	end, _ := packwire.Skip(b, 0, setting.DefaultMaxDepth)
	return end == len(b)
}

// Skip returns what follows the first value of b, and checks that the value is well-formed.
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
var Format = format{&entry.Functions{
	FormatName: "msgpack", Append: MarshalAppend, Write: MarshalWrite, Decode: Unmarshal,
}}

type format struct{ *entry.Functions }

var _ weft.Format = Format
