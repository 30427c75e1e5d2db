package cbor

import (
	"cmp"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Marshal returns the encoding of v.
func Marshal(v any, opts ...Options) ([]byte, error) {
	s := encoders.Get().(*encoder)
	p := programs.Find(v)
	if p != nil && p.flat != nil {
		to, large := s.room(p)
		if b := appendFlat(to, v, p, opts); b != nil { // what s remembers of the last call is not looked at
			out := s.keep(b, v, p, large)
			s.release()
			return out, nil
		}
	}
	if s.begin(opts); s.programs != &programs {
		p = s.programs.Find(v)
	}
	to, large := s.room(p)
	b := s.root(to, v, p)
	if s.err != nil {
		err := s.located()
		s.release()
		return nil, err
	}
	out := s.keep(b, v, p, large)
	s.release()
	return out, nil
}

// room returns what a result of Marshal is written to: memory of its own if those of the program are large, a chunk
// that small ones share if the last ones were.
func (s *encoder) room(p *program) (to []byte, large bool) {
	if p != nil {
		if to = p.large.Buffer(); to != nil {
			return to, true
		}
	}
	if s.size > mem.KeepSize {
		return s.buf[:0], false
	}
	return s.carver.Rest(s.size), false
}

// keep returns the result b, which has been written to such room.
func (s *encoder) keep(b []byte, v any, p *program, large bool) []byte {
	if large {
		return p.large.Keep(b)
	}
	s.size = max(len(b), s.size-s.size/8)
	if len(b) > mem.LargeSize {
		if p == nil {
			p = s.programs.Find(v) // it may have been compiled since
		}
		if p != nil {
			p.large.Note(len(b))
		}
	}
	if out := s.carver.Take(b); out != nil {
		return out
	}
	s.buf = b
	return s.carver.Clone(b)
}

// MarshalAppend appends the encoding of v to b. If there is an error, it returns b unchanged.
func MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	if p := programs.Find(v); p != nil && p.flat != nil {
		if out := appendFlat(b, v, p, opts); out != nil {
			return out, nil
		}
	}
	s := newEncoder(opts)
	out := s.root(b, v, s.programs.Find(v))
	var err error
	if s.err != nil {
		out, err = b, s.located()
	}
	s.release()
	return out, err
}

// MarshalWrite writes the encoding of v to w, in one call.
func MarshalWrite(w io.Writer, v any, opts ...Options) error {
	err, broken := write(w, v, opts)
	return cmp.Or(err, broken)
}

// write is MarshalWrite that tells errors about v from errors of w.
func write(w io.Writer, v any, opts []Options) (err, broken error) {
	s := newEncoder(opts)
	if s.buf = s.root(s.buf[:0], v, s.programs.Find(v)); s.err != nil {
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
	r := newReader(b, opts)
	r.whole(v)
	return r.finish()
}

// UnmarshalRead reads src up to its end, which must contain one value, into the variable that v points to.
func UnmarshalRead(src io.Reader, v any, opts ...Options) error {
	return entry.Read(src, v, opts, Unmarshal)
}

// Valid reports whether b is one well-formed value that satisfies the options that reject values, such as those of a
// [Mode]. If there is such an option, text must be UTF-8.
func Valid(b []byte, opts ...Options) bool {
	o := weft.Join(opts...)
	rules := rulesOf(o.Flags(0))
	if o.Flags(0)&setting.RejectDuplicates != 0 {
		rules |= cborwire.Unique
	}
	end, _ := cborwire.Check(b, 0, o.Depth(), rules)
	is := normalOf(o)
	return end == len(b) && (is == nil || unnormalized(b, is) < 0)
}

// Format is CBOR as a value.
var Format = format{&entry.Functions{
	FormatName: "cbor", Append: MarshalAppend, Write: MarshalWrite, Decode: Unmarshal,
}}

type format struct{ *entry.Functions }

var _ weft.StreamFormat = Format
