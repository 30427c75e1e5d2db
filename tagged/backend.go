package tagged

import (
	"errors"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The methods of this file, and AppendBool, AppendUint, AppendBytes and AppendTime, let a weft.Encoder write the
// format.

var _ backend.Writer = (*encoder)(nil)

// Name implements backend.Appender.
func (s *encoder) Name() string { return formatName }

// AppendValue implements backend.Appender.
func (s *encoder) AppendValue(b []byte, v any, depth int) ([]byte, error) {
	around := s.depth
	s.depth = depth
	out := s.top(b, v, false)
	s.depth = around
	if s.err != nil {
		err := s.located()
		s.err, s.path = nil, nil // the Encoder that asked has it now
		return b, err
	}
	return out, nil
}

func (s *encoder) AppendNull(b []byte) []byte                        { return append(b, 0) }
func (s *encoder) AppendInt(b []byte, v int64) []byte                { return appendInt64(b, v) }
func (s *encoder) AppendInt32(b []byte, v int32) []byte              { return appendInt32(b, v) }
func (s *encoder) AppendFloat32(b []byte, v float32) ([]byte, error) { return s.float32(b, v), nil }
func (s *encoder) AppendFloat64(b []byte, v float64) ([]byte, error) { return s.float64(b, v), nil }
func (s *encoder) AppendString(b []byte, v string) ([]byte, error)   { return appendString(b, v), nil }
func (s *encoder) BeginObject(b []byte, _ int) []byte                { return begin(b, tagwire.Object) }
func (s *encoder) BeginArray(b []byte, _ int) []byte                 { return begin(b, tagwire.Array) }
func (s *encoder) EndArray(b []byte, head, _, _ int) []byte          { return tagwire.End(b, head) }

func (s *encoder) AppendNumber(b []byte, text string) ([]byte, error) {
	return appendText(as(b, tagwire.Number), text), nil
}

// AppendRaw implements backend.Writer: raw is a message, whose names become
// names of this one.
func (s *encoder) AppendRaw(b, raw []byte) ([]byte, error) {
	if !wellFormed(raw, s.maxDepth-s.depth) {
		return b, errRaw
	}
	r := newReader(raw, nil)
	defer r.release()
	if s.rows != nil {
		b = s.rowOf(b, r, r.i, r.tableAt, r.wt)
		return b, r.err
	}
	for _, n := range r.table() {
		i, err := s.names.note(n.tag&^0xff, n.name)
		if err != nil {
			return b, err
		}
		s.names.rows[i].types |= 1 << (n.tag & 15)
	}
	if r.lone {
		b = append(as(b, byte(r.wt)), raw[tagwire.TagSize:r.tableAt]...)
		return b, nil
	}
	b = begin(b, tagwire.Object)
	head := len(b) - 1
	return tagwire.End(append(b, raw[:r.tableAt]...), head), nil
}

// AppendName implements backend.Writer.
func (s *encoder) AppendName(b []byte, f *weft.Fields, i int, name string, _ int) ([]byte, error) {
	tag := uint32(0)
	if f != nil {
		if s.rows != nil {
			return tagwire.AppendTag(b, s.rows.table(f)[i]), nil
		}
		name, tag = f.Name(i), namewire.Of(f.Names()).Tags()[i]
	} else if s.rows == nil {
		tag = tagwire.Hash(name)
	}
	b, _, err := s.name(b, name, tag)
	return b, err
}

// name begins a member: it appends its tag, which messages have for the name, and returns the row of the name.
func (s *encoder) name(b []byte, name string, tag uint32) (out []byte, row int, err error) {
	switch {
	case s.rows != nil:
		tag = s.rows.tag(name)
	case tag == 0 || name == "*":
		return b, 0, errStar
	default:
		if row, err = s.names.note(tag, name); err != nil {
			return b, 0, err
		}
	}
	return tagwire.AppendTag(b, tag), row, nil
}

// EndObject implements backend.Writer.
func (s *encoder) EndObject(b []byte, head, _, _ int) []byte {
	if s.rows != nil {
		return tagwire.End(b, head)
	}
	s.runs = s.runs[:0]
	b = s.sort(b, head+1)
	for _, m := range s.runs {
		if k := s.names.find(m.tag &^ 0xff); k >= 0 {
			s.names.rows[k].types |= 1 << (m.tag & 15)
		}
	}
	return tagwire.End(b, head)
}

// AddMember implements backend.Writer. The member comes where its hash puts it.
func (s *encoder) AddMember(b []byte, head int, f *weft.Fields, i int, value string) ([]byte, error) {
	if b[head-tagwire.TagSize]&15 != tagwire.Object {
		return b, errNoObject
	}
	start, stop := tagwire.Span(b, head, len(b))
	members := append(s.tmp[:0], b[start:stop]...)
	s.tmp = nil // EndObject may need such memory too
	b, err := s.AppendName(s.BeginObject(b[:head], 0), f, i, "", 0)
	if err == nil {
		b = s.EndObject(append(appendString(b, value), members...), head, 0, 0)
	}
	s.tmp = members
	return b, err
}

var errNoObject = errors.New("a variant of a flat union must be written as an object")

// BeginElement implements backend.Writer.
func (s *encoder) BeginElement(b []byte, k int) []byte {
	if k >= tagwire.MaxElems {
		s.fail(b, errElems)
	}
	return tagwire.AppendTag(b, uint32(k+1)<<4)
}
