package value

import (
	"encoding"
	"errors"
	"reflect"
	"sync"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/tree"
)

// sink makes a Value of what a weft.Marshaler writes. It is the backend of a
// format without bytes.
type sink struct {
	types *dialect
	open  []openContainer
	name  string // of the next member
	out   Value
	conf  weft.EncoderConfig
}

type openContainer struct {
	members *builder // nil for a list
	elems   []Value
	name    string // of the container in the one around it
}

var sinks = sync.Pool{New: func() any {
	s := new(sink)
	s.conf = weft.EncoderConfig{Syntax: setting.SyntaxOther, Backend: s}
	return s
}}

var _ backend.Writer = (*sink)(nil)

var errNoObject = errors.New("a variant of a flat union must be written as an object")

var errRaw = errors.New("raw bytes have no form as a value")

// hook stores what the methods of the type make of the value at p.
func (m *marshaler) hook(s *source, p mem.Ptr, out *Value) bool {
	if s.plan.Codec != nil {
		return m.sink(s, p.Addr(s.mem), out)
	}
	v := p.Value(s.mem)
	var hooked any
	if v.Kind() != reflect.Interface {
		hooked = p.Addr(s.mem) // has the methods of the value too
	} else if !v.IsNil() {
		hooked = v.Interface()
	} else {
		*out = Value{}
		return true
	}
	if s.code == sourceText {
		b, err := hooked.(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return m.fail(err)
		}
		*out = String(string(b))
		return true
	}
	return m.sink(s, hooked, out)
}

// sink stores what v writes, or what the codec of its type writes for what it
// points at.
func (m *marshaler) sink(s *source, v any, out *Value) bool {
	to := sinks.Get().(*sink)
	to.types, to.conf.Flags = m.types, m.types.flags
	var b []byte
	var err error
	if c := s.plan.Codec; c != nil {
		b, err = to.conf.AppendCodec(nil, c, v, m.depth)
	} else {
		b, err = to.conf.Append(nil, v.(weft.Marshaler), m.depth)
	}
	if err == nil && len(b) > 0 {
		err = errRaw
	}
	*out = to.out
	clear(to.open)
	to.open, to.name, to.out = to.open[:0], "", Value{}
	sinks.Put(to)
	if err != nil {
		return m.fail(err)
	}
	return true
}

// push adds a value to the innermost container.
func (s *sink) push(v Value) {
	n := len(s.open)
	if n == 0 {
		s.out = v
		return
	}
	if c := &s.open[n-1]; c.members != nil {
		c.members.add(s.name, v)
	} else {
		c.elems = append(c.elems, v)
	}
}

// Name implements backend.Appender.
func (s *sink) Name() string { return "value" }

// AppendValue implements backend.Appender.
func (s *sink) AppendValue(b []byte, v any, depth int) ([]byte, error) {
	m := marshaler{types: s.types, depth: depth}
	var x Value
	if !m.any(v, &x) {
		return b, m.err
	}
	s.push(x)
	return b, nil
}

// AppendNull implements backend.Writer.
func (s *sink) AppendNull(b []byte) []byte { s.push(Value{}); return b }

// AppendBool implements backend.Writer.
func (s *sink) AppendBool(b []byte, v bool) []byte { s.push(Bool(v)); return b }

// AppendInt implements backend.Writer.
func (s *sink) AppendInt(b []byte, v int64) []byte { s.push(Int(v)); return b }

// AppendInt32 implements backend.Writer.
func (s *sink) AppendInt32(b []byte, v int32) []byte { s.push(Int(int64(v))); return b }

// AppendNumber implements backend.Writer.
func (s *sink) AppendNumber(b []byte, text string) ([]byte, error) {
	s.push(numberOf(text))
	return b, nil
}

// AppendRaw implements backend.Writer.
func (s *sink) AppendRaw(b, _ []byte) ([]byte, error) { return b, errRaw }

// AppendUint implements backend.Writer.
func (s *sink) AppendUint(b []byte, v uint64) []byte { s.push(Uint(v)); return b }

// AppendFloat32 implements backend.Writer.
func (s *sink) AppendFloat32(b []byte, v float32) ([]byte, error) {
	s.push(Float32(v))
	return b, nil
}

// AppendFloat64 implements backend.Writer.
func (s *sink) AppendFloat64(b []byte, v float64) ([]byte, error) { s.push(Float(v)); return b, nil }

// AppendString implements backend.Writer.
func (s *sink) AppendString(b []byte, v string) ([]byte, error) { s.push(String(v)); return b, nil }

// AppendBytes implements backend.Writer.
func (s *sink) AppendBytes(b, v []byte) []byte { s.push(Bytes(v)); return b }

// AppendTime implements backend.Writer.
func (s *sink) AppendTime(b []byte, v time.Time) ([]byte, error) { s.push(Time(v)); return b, nil }

// BeginObject implements backend.Writer.
func (s *sink) BeginObject(b []byte, n int) []byte {
	s.open = append(s.open, openContainer{members: newBuilder(min(max(n, 0), tree.MaxShared)), name: s.name})
	return b
}

// AppendName implements backend.Writer.
func (s *sink) AppendName(b []byte, f *weft.Fields, i int, name string, _ int) ([]byte, error) {
	if f != nil {
		name = f.Name(i)
	}
	s.name = name
	return b, nil
}

// EndObject implements backend.Writer.
func (s *sink) EndObject(b []byte, _, _, _ int) []byte {
	c := s.pop()
	if c.members != nil {
		s.push(c.members.done())
	}
	return b
}

// BeginArray implements backend.Writer.
func (s *sink) BeginArray(b []byte, n int) []byte {
	s.open = append(s.open, openContainer{elems: make([]Value, 0, min(max(n, 0), 1024)), name: s.name})
	return b
}

// BeginElement implements backend.Writer.
func (s *sink) BeginElement(b []byte, _ int) []byte { return b }

// EndArray implements backend.Writer.
func (s *sink) EndArray(b []byte, _, _, _ int) []byte {
	s.push(listOf(s.pop().elems))
	return b
}

// AddMember implements backend.Writer.
func (s *sink) AddMember(b []byte, _ int, f *weft.Fields, i int, value string) ([]byte, error) {
	last := &s.out
	if n := len(s.open); n > 0 {
		if c := &s.open[n-1]; c.members != nil {
			last = &c.members.vals[c.members.find(s.name)+1]
		} else {
			last = &c.elems[len(c.elems)-1]
		}
	}
	if last.Kind() != KindMap {
		return b, errNoObject
	}
	with := newBuilder(1 + last.Len())
	with.add(f.Name(i), String(value))
	for name, x := range last.Members() {
		with.add(name, x)
	}
	*last = with.done()
	return b, nil
}

// pop closes the innermost container.
func (s *sink) pop() openContainer {
	n := len(s.open) - 1
	c := s.open[n]
	s.open[n] = openContainer{}
	s.open = s.open[:n]
	s.name = c.name
	return c
}
