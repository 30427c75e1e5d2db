package msgpack

import (
	"encoding"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"sync"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// encoder is the state of one call that marshals. Its methods append to b and
// return it; an error is kept in err, and what is appended after it is
// dropped.
type encoder struct {
	err      error
	path     string // of the value that failed, from the value being written
	flags    weft.Flag
	depth    int
	maxDepth int
	array    bool // structs are laid out as arrays
	config   weft.EncoderConfig
	buf      []byte // for results that are copied out
	sorter   sorter
}

var encoders = sync.Pool{New: func() any {
	s := new(encoder)
	s.config = weft.EncoderConfig{Syntax: weft.SyntaxMsgpack, Backend: s}
	return s
}}

func newEncoder(opts []Options) *encoder {
	s := encoders.Get().(*encoder)
	s.flags, s.maxDepth, s.array = 0, weft.DefaultMaxDepth, false
	if len(opts) > 0 {
		s.flags, s.maxDepth = flagsOf(opts), depthOf(opts)
		s.array = s.flags&weft.FlagStructAsArray != 0
	}
	return s
}

func (s *encoder) release() {
	s.err, s.path, s.depth = nil, "", 0
	s.sorter.pairs = s.sorter.pairs[:0]
	if cap(s.buf) > maxKept {
		s.buf = nil
	}
	encoders.Put(s)
}

// maxKept bounds the buffers that are kept for the next call.
const maxKept = 1 << 20

var (
	errFinite = errors.New("number is not a finite decimal")
	errRaw    = errors.New("raw value is not well-formed")
	errLength = errors.New("longer than the format can hold")
)

// fail keeps err.
//
//go:noinline
func (s *encoder) fail(b []byte, err error) []byte {
	if s.err == nil {
		s.err = err
		var in *weft.Error
		if errors.As(err, &in) && in.Format == "msgpack" && in.Offset < 0 {
			s.err, s.path = in.Err, in.Path
		}
	}
	return b
}

// within puts a name before the path of the value that failed.
//
//go:noinline
func (s *encoder) within(b []byte, name string) []byte {
	s.path = string(weft.AppendPointer(nil, name)) + s.path
	return b
}

// located returns the error for the caller.
func (s *encoder) located() error {
	return &weft.Error{Format: "msgpack", Offset: -1, Path: s.path, Err: s.err}
}

// room is the spare capacity that every step of the loop over the fields of a
// struct starts with: a key of two words, and a short string or a number.
const room = 16 + 32

// grow returns b with room for n more bytes and some.
//
//go:noinline
func grow(b []byte, n int) []byte {
	next := mem.MakeNoZero(max(2*cap(b), len(b)+n+2*room))
	next = next[:len(b)]
	copy(next, b)
	return next
}

// top writes any Go value.
func (s *encoder) top(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, packwire.Nil)
	case bool:
		return packwire.AppendBool(b, v)
	case int:
		return packwire.AppendInt(b, int64(v))
	case int64:
		return packwire.AppendInt(b, v)
	case uint64:
		return packwire.AppendUint(b, v)
	case float64:
		return packwire.AppendFloat64(b, v)
	case string:
		return s.string(b, v)
	case []byte:
		return s.bytes(b, v)
	case map[string]any:
		return s.anyMap(b, v)
	case []any:
		return s.anys(b, v)
	}
	p := programOf(v)
	if p.marshalErr != nil {
		return s.fail(b, p.marshalErr)
	}
	if p.enc == cPointer {
		q := mem.PtrOf(v)
		if q.IsNil() {
			return append(b, packwire.Nil)
		}
		return s.target(b, p.elem, q)
	}
	q := mem.Data(v, p.mem)
	if p.copied {
		own := p.mem.New()
		p.mem.Copy(own, q)
		q = own
	}
	return s.value(b, p, q)
}

// enter goes one level deeper.
func (s *encoder) enter() bool {
	if s.depth >= s.maxDepth {
		s.fail(nil, weft.ErrDepth)
		return false
	}
	s.depth++
	return true
}

// value writes the value at q.
func (s *encoder) value(b []byte, p *program, q mem.Ptr) []byte {
	switch p.enc {
	case cStruct:
		return s.structure(b, p, q)
	case cString:
		return s.string(b, *mem.At[string](q))
	case cBool:
		return packwire.AppendBool(b, *mem.At[bool](q))
	case cInt:
		return packwire.AppendInt(b, int64(*mem.At[int](q)))
	case cInt8:
		return packwire.AppendInt(b, int64(*mem.At[int8](q)))
	case cInt16:
		return packwire.AppendInt(b, int64(*mem.At[int16](q)))
	case cInt32:
		return packwire.AppendInt(b, int64(*mem.At[int32](q)))
	case cInt64:
		return packwire.AppendInt(b, *mem.At[int64](q))
	case cUint:
		return packwire.AppendUint(b, uint64(*mem.At[uint](q)))
	case cUint8:
		return packwire.AppendUint(b, uint64(*mem.At[uint8](q)))
	case cUint16:
		return packwire.AppendUint(b, uint64(*mem.At[uint16](q)))
	case cUint32:
		return packwire.AppendUint(b, uint64(*mem.At[uint32](q)))
	case cUint64:
		return packwire.AppendUint(b, *mem.At[uint64](q))
	case cUintptr:
		return packwire.AppendUint(b, uint64(*mem.At[uintptr](q)))
	case cFloat32:
		return packwire.AppendFloat32(b, *mem.At[float32](q))
	case cFloat64:
		return packwire.AppendFloat64(b, *mem.At[float64](q))
	case cTime:
		return packwire.AppendTime(b, *mem.At[time.Time](q))
	case cBytes:
		return s.bytes(b, *mem.At[[]byte](q))
	case cSlice:
		return s.slice(b, p, q)
	case cFast:
		return p.encFast(s, b, q)
	case cMap:
		return s.mapping(b, p, q)
	case cPointer:
		return s.pointer(b, p, q)
	case cAny:
		return s.top(b, *mem.At[any](q))
	}
	return s.rare(b, p, q)
}

// rare is value for the kinds that are met less often.
func (s *encoder) rare(b []byte, p *program, q mem.Ptr) []byte {
	switch p.enc {
	case cArray:
		return s.elements(b, p.elem, q.Array(), p.typ.Len)
	case cOption:
		return s.option(b, p, q)
	case cInterface:
		v := q.Value(p.mem)
		if v.IsNil() {
			return append(b, packwire.Nil)
		}
		return s.top(b, v.Elem().Interface())
	case cByteSlice:
		return s.bytes(b, q.Value(p.mem).Bytes())
	case cByteArray:
		return s.bytes(b, q.Value(p.mem).Bytes())
	case cNumber:
		return s.number(b, *mem.At[string](q))
	case cRaw:
		return s.raw(b, *mem.At[[]byte](q))
	case cComplex64:
		c := *mem.At[complex64](q)
		return packwire.AppendFloat32(packwire.AppendFloat32(append(b, packwire.FixArray|2), real(c)), imag(c))
	case cComplex128:
		c := *mem.At[complex128](q)
		return packwire.AppendFloat64(packwire.AppendFloat64(append(b, packwire.FixArray|2), real(c)), imag(c))
	case cAppender, cWeft, cBinary, cText:
		return s.hook(b, p, q)
	}
	return s.fail(b, errors.New(p.typ.Rtype.String()+" has no form in MessagePack"))
}

// string writes v, checking what only huge strings can violate.
func (s *encoder) string(b []byte, v string) []byte {
	if l := len(b); len(v) < 32 && cap(b)-l >= 32 {
		return b[:putShort(mem.BytesOf(b), l, v)]
	}
	if len(v) > math.MaxUint8 {
		if uint64(len(v)) > math.MaxUint32 {
			return s.fail(b, errLength)
		}
	} else if s.flags&flagOldSpec != 0 && len(v) > 31 {
		return append(append(b, packwire.Str16, 0, byte(len(v))), v...)
	}
	return packwire.AppendString(b, v)
}

func (s *encoder) bytes(b, v []byte) []byte {
	switch {
	case v == nil:
		return append(b, packwire.Nil)
	case uint64(len(v)) > math.MaxUint32:
		return s.fail(b, errLength)
	case s.flags&flagOldSpec != 0:
		return append(oldHeader(b, len(v)), v...)
	}
	return packwire.AppendBytes(b, v)
}

func oldHeader(b []byte, n int) []byte {
	if n > 31 && n <= math.MaxUint8 {
		return append(b, packwire.Str16, 0, byte(n))
	}
	return packwire.AppendStringHeader(b, n)
}

func (s *encoder) number(b []byte, v string) []byte {
	if i, err := strconv.ParseInt(v, 10, 64); err == nil {
		return packwire.AppendInt(b, i)
	}
	if u, err := strconv.ParseUint(v, 10, 64); err == nil {
		return packwire.AppendUint(b, u)
	}
	if v == "" {
		return append(b, 0) // as encoding/json writes it
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return s.fail(b, errFinite)
	}
	return packwire.AppendFloat64(b, f)
}

func (s *encoder) raw(b, v []byte) []byte {
	if len(v) == 0 {
		return append(b, packwire.Nil)
	}
	if end, _ := packwire.Skip(v, 0, s.maxDepth-s.depth); end != len(v) {
		return s.fail(b, errRaw)
	}
	return append(b, v...)
}

// pointer writes what the pointer at q points at.
func (s *encoder) pointer(b []byte, p *program, q mem.Ptr) []byte {
	q = q.Deref(p.elem.mem)
	if q.IsNil() {
		return append(b, packwire.Nil)
	}
	return s.target(b, p.elem, q)
}

// target writes the value at q, which a pointer points at. It counts as a level
// where it could be the pointer again, so that no cycle is endless.
func (s *encoder) target(b []byte, p *program, q mem.Ptr) []byte {
	if p.enc != cPointer && p.enc != cAny && p.enc != cInterface {
		return s.value(b, p, q)
	}
	if !s.enter() {
		return b
	}
	b = s.value(b, p, q)
	s.depth--
	return b
}

// option writes an optional value that is no member: one without a value is nil.
func (s *encoder) option(b []byte, p *program, q mem.Ptr) []byte {
	if optionState(p, q) != optionSet {
		return append(b, packwire.Nil)
	}
	return s.value(b, p.elem, q.Field(p.typ.Option.V))
}

// States of an option, as opt.Field has them.
const (
	optionAbsent = iota
	optionNull
	optionSet
)

func optionState(p *program, q mem.Ptr) uint8 {
	o := p.typ.Option
	at := q.Field(o.State)
	if o.Kind == weft.OptionField {
		return *mem.At[uint8](at)
	}
	switch {
	case *mem.At[bool](at):
		return optionSet
	case o.Kind == weft.OptionNullable:
		return optionNull
	}
	return optionAbsent
}

// hook lets a value write itself.
func (s *encoder) hook(b []byte, p *program, q mem.Ptr) []byte {
	v := q.Addr(p.mem)
	switch p.enc {
	case cAppender:
		out, err := v.(Appender).AppendMsgpack(b)
		if err != nil {
			return s.fail(b, err)
		}
		return out
	case cWeft:
		s.config.Flags, s.config.MaxDepth = s.flags, s.maxDepth
		out, err := s.config.Append(b, v.(weft.Marshaler), s.depth)
		if err != nil {
			return s.fail(b, err)
		}
		return out
	case cBinary:
		m := v.(encoding.BinaryMarshaler)
		data, err := m.MarshalBinary()
		if err != nil {
			return s.fail(b, err)
		}
		if data == nil {
			data = []byte{}
		}
		return s.bytes(b, data)
	}
	text, err := v.(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return s.fail(b, err)
	}
	return s.string(b, mem.String(text))
}

// Name implements weft.Backend.
func (s *encoder) Name() string { return "msgpack" }

// AppendValue implements weft.Backend.
func (s *encoder) AppendValue(b []byte, v any, depth int) ([]byte, error) {
	around := s.depth
	s.depth = depth
	out := s.top(b, v)
	s.depth = around
	if s.err != nil {
		err := s.located()
		s.err, s.path = nil, "" // the Encoder that asked has it now
		return b, err
	}
	return out, nil
}

// structure writes the struct at q.
func (s *encoder) structure(b []byte, p *program, q mem.Ptr) []byte {
	if !s.enter() {
		return b
	}
	if p.array || s.array && !p.asMap {
		b = s.structArray(b, p, q)
	} else {
		b = s.structMap(b, p, q)
	}
	s.depth--
	return b
}

// structMap writes the struct at q as a map.
func (s *encoder) structMap(b []byte, p *program, q mem.Ptr) []byte {
	fields := p.fields
	head := len(b)
	most := len(fields)
	b = packwire.AppendMapHeader(b, most)
	l, n := len(b), 0
	for i := range fields {
		f := &fields[i]
		at := q.Field(f.off)
		null := false
		if f.flags != 0 {
			var ok bool
			if at, null, ok = s.special(f, q); !ok {
				continue
			}
			if f.flags&fLongKey != 0 {
				b = append(b[:l], f.key...)
				l = len(b)
			}
		}
		n++
		if cap(b)-l < room {
			b = grow(b[:l], room)
		}
		w := mem.BytesOf(b)
		w.SetU64(l, f.k0)
		w.SetU64(l+8, f.k1)
		l += int(f.n)
		if null {
			w.Set(l, packwire.Nil)
			l++
			continue
		}
		var v int64
		switch f.code {
		case cString:
			str := *mem.At[string](at)
			if len(str) < 32 {
				l = putShort(w, l, str)
				continue
			}
			b = s.string(b[:l], str)
			l = len(b)
			continue
		case cBool:
			c := byte(packwire.False)
			if *mem.At[bool](at) {
				c = packwire.True
			}
			w.Set(l, c)
			l++
			continue
		case cInt:
			v = int64(*mem.At[int](at))
		case cInt64:
			v = *mem.At[int64](at)
		case cInt32:
			v = int64(*mem.At[int32](at))
		case cInt16:
			v = int64(*mem.At[int16](at))
		case cInt8:
			v = int64(*mem.At[int8](at))
		case cUint8:
			v = int64(*mem.At[uint8](at))
		case cUint16:
			v = int64(*mem.At[uint16](at))
		case cUint32:
			v = int64(*mem.At[uint32](at))
		case cUint:
			l = putUint(w, l, uint64(*mem.At[uint](at)))
			continue
		case cUint64:
			l = putUint(w, l, *mem.At[uint64](at))
			continue
		case cFloat64:
			w.Set(l, packwire.Float64)
			w.SetU64(l+1, bits.ReverseBytes64(math.Float64bits(*mem.At[float64](at))))
			l += 9
			continue
		case cFloat32:
			w.Set(l, packwire.Float32)
			w.SetU32(l+1, bits.ReverseBytes32(math.Float32bits(*mem.At[float32](at))))
			l += 5
			continue
		case cFast:
			if b = f.p.encFast(s, b[:l], at); s.err != nil {
				return s.within(b, f.f.Name)
			}
			l = len(b)
			continue
		default:
			if b = s.value(b[:l], f.p, at); s.err != nil {
				return s.within(b, f.f.Name)
			}
			l = len(b)
			continue
		}
		if v >= -32 && v < 128 {
			w.Set(l, byte(v))
			l++
		} else {
			l = putInt(w, l, v)
		}
	}
	b = b[:l]
	if p.omits {
		if p.rest != nil {
			most, n = s.restMembers(&b, p, q, n)
		}
		if n != most {
			b = packwire.CloseMap(b, head, packwire.MapHeaderSize(len(fields)), n)
		}
	}
	return b
}

// putShort writes a str of fewer than 32 bytes at w[l:], which has 32 bytes, and
// returns the index after it. Same as packwire.AppendString.
func putShort(w mem.Bytes, l int, v string) int {
	n := len(v)
	w.Set(l, packwire.FixStr|byte(n))
	l++
	if mem.Safe {
		return l + copy(w.Slice(l, l+n), v)
	}
	from := mem.BytesOf(mem.View(v))
	switch {
	case n >= 16:
		w.SetU64(l, from.U64(0))
		w.SetU64(l+8, from.U64(8))
		w.SetU64(l+n-16, from.U64(n-16))
		w.SetU64(l+n-8, from.U64(n-8))
	case n >= 8:
		w.SetU64(l, from.U64(0))
		w.SetU64(l+n-8, from.U64(n-8))
	case n >= 4:
		w.SetU32(l, from.U32(0))
		w.SetU32(l+n-4, from.U32(n-4))
	case n > 0:
		w.Set(l, from.At(0))
		w.Set(l+n>>1, from.At(n>>1))
		w.Set(l+n-1, from.At(n-1))
	}
	return l + n
}

// putInt writes v, shortest form, at w[l:], which has 9 bytes, and returns the
// index after it. Same as packwire.AppendInt.
func putInt(w mem.Bytes, l int, v int64) int {
	if v >= 0 {
		return putUint(w, l, uint64(v))
	}
	switch {
	case v >= -32:
		w.Set(l, byte(v))
		return l + 1
	case v >= math.MinInt8:
		w.Set(l, packwire.Int8)
		w.Set(l+1, byte(v))
		return l + 2
	case v >= math.MinInt16:
		w.Set(l, packwire.Int16)
		w.SetU16(l+1, bits.ReverseBytes16(uint16(v)))
		return l + 3
	case v >= math.MinInt32:
		w.Set(l, packwire.Int32)
		w.SetU32(l+1, bits.ReverseBytes32(uint32(v)))
		return l + 5
	}
	w.Set(l, packwire.Int64)
	w.SetU64(l+1, bits.ReverseBytes64(uint64(v)))
	return l + 9
}

// putUint is putInt for unsigned integers.
func putUint(w mem.Bytes, l int, v uint64) int {
	switch {
	case v < 128:
		w.Set(l, byte(v))
		return l + 1
	case v <= math.MaxUint8:
		w.Set(l, packwire.Uint8)
		w.Set(l+1, byte(v))
		return l + 2
	case v <= math.MaxUint16:
		w.Set(l, packwire.Uint16)
		w.SetU16(l+1, bits.ReverseBytes16(uint16(v)))
		return l + 3
	case v <= math.MaxUint32:
		w.Set(l, packwire.Uint32)
		w.SetU32(l+1, bits.ReverseBytes32(uint32(v)))
		return l + 5
	}
	w.Set(l, packwire.Uint64)
	w.SetU64(l+1, bits.ReverseBytes64(v))
	return l + 9
}

// special finds a field that is not plainly there: its place, whether it is
// null, and whether it is written at all.
func (s *encoder) special(f *encField, q mem.Ptr) (at mem.Ptr, null, ok bool) {
	at = q.Field(f.off)
	if f.flags&fEmbedded != 0 {
		if at = f.f.At(q); at.IsNil() {
			return at, true, false
		}
	}
	if f.flags&fOmitEmpty != 0 && f.f.Type.IsEmpty(at) || f.flags&fOmitZero != 0 && f.f.IsZero(at) {
		return at, true, false
	}
	if f.flags&fOption != 0 {
		o := f.f.Type.Option
		state := at.Field(o.State)
		switch {
		case o.Kind == weft.OptionField:
			if c := *mem.At[uint8](state); c != optionSet {
				return at, true, c == optionNull
			}
		case !*mem.At[bool](state):
			return at, true, o.Kind == weft.OptionNullable
		}
		at = at.Field(o.V)
	}
	return at, false, true
}

// structArray writes the struct at q as an array: of every member, nil where it
// has no value, and of the map of the members without a field if there is one.
func (s *encoder) structArray(b []byte, p *program, q mem.Ptr) []byte {
	b = packwire.AppendArrayHeader(b, p.length())
	for i := range p.fields {
		f := &p.fields[i]
		at, null := q.Field(f.off), false
		if f.flags&(fEmbedded|fOption) != 0 {
			e := *f
			e.flags &= fEmbedded | fOption
			at, null, _ = s.special(&e, q)
		}
		if null {
			b = append(b, packwire.Nil)
			continue
		}
		if b = s.value(b, f.p, at); s.err != nil {
			return s.within(b, strconv.Itoa(i))
		}
	}
	if p.rest != nil {
		if at := p.rest.At(q); at.IsNil() {
			b = append(b, packwire.Nil)
		} else if b = s.value(b, p.restProg, at); s.err != nil {
			return s.within(b, strconv.Itoa(len(p.fields)))
		}
	}
	return b
}
