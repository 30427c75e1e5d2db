package msgpack

import (
	"encoding"
	"errors"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// encoder is the state of one call that marshals. Its methods append to b and
// return it; an error is kept in err, and what is appended after it is
// dropped.
type encoder struct {
	err      error
	path     []string // of the value that failed, the last name first
	flags    uint64
	depth    int
	maxDepth int
	array    bool // structs are laid out as arrays
	fixed    bool // it is one of flatEncoders
	programs *registry
	config   weft.EncoderConfig
	buf      []byte // for results that are copied out
	carver   mem.Carver
	sorter   sorter
	spare    mem.Spare
}

var encoders = sync.Pool{New: func() any {
	s := new(encoder)
	s.config = weft.EncoderConfig{Syntax: setting.SyntaxMsgpack, Backend: s}
	return s
}}

func newEncoder(opts []Options) *encoder {
	s := encoders.Get().(*encoder)
	s.flags, s.maxDepth, s.array, s.programs = 0, setting.DefaultMaxDepth, false, &programs
	if len(opts) > 0 {
		var ok bool
		if s.flags, ok = plan.OnlyFlags(opts); !ok {
			s.flags, s.maxDepth, s.programs = plan.FlagsOf(opts), plan.DepthOf(opts), registryOf(opts)
		}
		s.array = s.flags&setting.StructAsArray != 0
	}
	return s
}

// flatEncoders write what is flat, as maps and as arrays. They are never changed:
// a value that is longer than the format can hold makes their methods return nil.
var flatEncoders = [2]*encoder{
	{maxDepth: setting.DefaultMaxDepth, fixed: true},
	{maxDepth: setting.DefaultMaxDepth, fixed: true, array: true},
}

// release gives s back to be used again, unless it has outgrown what calls need.
func (s *encoder) release() {
	s.err, s.path, s.depth = nil, nil, 0
	s.sorter.pairs = s.sorter.pairs[:0]
	outgrown := s.outgrown()
	s.buf, s.sorter.used = s.buf[:0], 0
	if !outgrown {
		encoders.Put(s)
	}
}

// outgrown reports whether s has much more memory than is needed.
func (s *encoder) outgrown() bool {
	return s.spare.Drop(cap(s.buf)+s.sorter.kept(), len(s.buf)+s.sorter.used)
}

var (
	errFinite   = errors.New("number is not a finite decimal")
	errRaw      = errors.New("raw value is not well-formed")
	errAppender = errors.New("AppendMsgpack must append exactly one value")
	errLength   = errors.New("longer than the format can hold")
)

// fail keeps err.
//
//go:noinline
func (s *encoder) fail(b []byte, err error) []byte {
	if s.fixed {
		return nil
	}
	if s.err == nil {
		path := ""
		if path, s.err = backend.Locate(err, "msgpack"); path != "" {
			s.path = []string{path}
		}
	}
	return b
}

// within puts a name before the path of the value that failed.
//
//go:noinline
func (s *encoder) within(b []byte, name string) []byte {
	s.path = append(s.path, string(wire.AppendPointer(nil, name)))
	return b
}

// located returns the error for the caller.
func (s *encoder) located() error {
	slices.Reverse(s.path)
	return &weft.Error{Format: "msgpack", Offset: -1, Path: strings.Join(s.path, ""), Err: s.err}
}

// start writes v for a call that marshals, p is its program if that is there: top,
// with a short cut for what most calls are given, a pointer to a struct.
func (s *encoder) start(b []byte, v any, p *program) []byte {
	if p != nil && p.direct {
		if q := mem.PtrOf(v); !q.IsNil() {
			return s.structure(b, p.elem, q)
		}
	}
	return s.top(b, v)
}

// top writes any Go value.
func (s *encoder) top(b []byte, v any) []byte {
	if s.programs.codecs != nil && v != nil {
		return s.other(b, v)
	}
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
	return s.other(b, v)
}

// other writes a Go value, not nil, by the program of its type.
func (s *encoder) other(b []byte, v any) []byte {
	p := s.programs.of(v)
	if p.faults[plan.Marshal] != nil {
		return s.fail(b, p.faults[plan.Marshal])
	}
	if p.enc == plan.Pointer {
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
	if !s.fixed {
		s.depth++
	}
	return true
}

// leave goes back.
func (s *encoder) leave() {
	if !s.fixed {
		s.depth--
	}
}

// value writes the value at q.
func (s *encoder) value(b []byte, p *program, q mem.Ptr) []byte {
	switch p.enc {
	case plan.Struct:
		return s.structure(b, p, q)
	case plan.String:
		return s.string(b, *mem.At[string](q))
	case plan.Bool:
		return packwire.AppendBool(b, *mem.At[bool](q))
	case plan.Int:
		return packwire.AppendInt(b, int64(*mem.At[int](q)))
	case plan.Int64:
		return packwire.AppendInt(b, *mem.At[int64](q))
	case plan.Int8, plan.Int16, plan.Int32:
		return packwire.AppendInt(b, mem.LoadInt(q, p.enc.Integer()))
	case plan.Uint:
		return packwire.AppendUint(b, uint64(*mem.At[uint](q)))
	case plan.Uint64:
		return packwire.AppendUint(b, *mem.At[uint64](q))
	case plan.Uint8, plan.Uint16, plan.Uint32, plan.Uintptr:
		return packwire.AppendUint(b, uint64(mem.LoadInt(q, p.enc.Integer())))
	case plan.Float32:
		return packwire.AppendFloat32(b, *mem.At[float32](q))
	case plan.Float64:
		return packwire.AppendFloat64(b, *mem.At[float64](q))
	case plan.Time:
		return packwire.AppendTime(b, *mem.At[time.Time](q))
	case plan.Bytes:
		return s.bytes(b, *mem.At[[]byte](q))
	case plan.Slice:
		return s.slice(b, p, q)
	case cFast:
		return p.encFast(s, b, q)
	case plan.Map:
		return s.mapping(b, p, q)
	case plan.Pointer:
		return s.pointer(b, p, q)
	case plan.Any:
		return s.top(b, *mem.At[any](q))
	}
	return s.rare(b, p, q)
}

// rare is value for the kinds that are met less often.
func (s *encoder) rare(b []byte, p *program, q mem.Ptr) []byte {
	switch p.enc {
	case cLate:
		late, err := p.later.Meet(plan.Marshal)
		if err != nil {
			return s.fail(b, err)
		}
		return s.value(b, late, q)
	case plan.Array:
		return s.elements(b, p.elem, q.Array(), p.typ.Len)
	case plan.Option:
		return s.option(b, p, q)
	case plan.Interface:
		v := q.Value(p.mem)
		if v.IsNil() {
			return s.nilValue(b, p)
		}
		return s.top(b, v.Elem().Interface())
	case plan.ByteSlice:
		return s.bytes(b, p.nonNil(q.Value(p.mem).Bytes()))
	case plan.ByteArray:
		return s.bytes(b, q.Value(p.mem).Bytes())
	case plan.Number:
		return s.number(b, *mem.At[string](q))
	case plan.Raw:
		return s.raw(b, *mem.At[[]byte](q))
	case plan.Complex64:
		c := *mem.At[complex64](q)
		return packwire.AppendFloat32(packwire.AppendFloat32(append(b, packwire.FixArray|2), real(c)), imag(c))
	case plan.Complex128:
		c := *mem.At[complex128](q)
		return packwire.AppendFloat64(packwire.AppendFloat64(append(b, packwire.FixArray|2), real(c)), imag(c))
	case cUnion:
		return s.union(b, p, q)
	case cAppender, cWeft, cBinary, cText:
		return s.hook(b, p, q)
	}
	return s.fail(b, errors.New(p.typ.Rtype.String()+" has no form in MessagePack"))
}

// string writes v, checking what only huge strings can violate.
func (s *encoder) string(b []byte, v string) []byte {
	if l := len(b); len(v) < 32 && cap(b)-l >= 32 {
		return b[:steps.PackShort(mem.BytesOf(b), l, v)]
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
	if cap(b)-len(b) < len(v)+maxHeader {
		b = steps.Grow(b, len(v)+maxHeader)
	}
	return b[:putBytes(b, len(b), v)]
}

// maxHeader is the room that the header of a str or bin needs.
const maxHeader = 8

// putBytes writes v as bin, or nil, at b[l:], which has room for it. Same as
// packwire.AppendBytes.
func putBytes(b []byte, l int, v []byte) int {
	w := mem.BytesOf(b)
	if v == nil {
		w.Set(l, packwire.Nil)
		return l + 1
	}
	l = putBytesHeader(w, l, uint32(len(v)))
	return l + copy(w.Slice(l, l+len(v)), v)
}

// putBytesHeader writes the header of a bin of n bytes at w[l:].
func putBytesHeader(w mem.Bytes, l int, n uint32) int {
	switch {
	case n <= math.MaxUint8:
		w.SetU16(l, packwire.Bin8|uint16(n)<<8)
		return l + 2
	case n <= math.MaxUint16:
		w.SetU32(l, packwire.Bin16|bits.ReverseBytes32(n)>>8)
		return l + 3
	}
	w.SetU64(l, packwire.Bin32|uint64(bits.ReverseBytes32(n))<<8)
	return l + 5
}

func oldHeader(b []byte, n int) []byte {
	if n > 31 && n <= math.MaxUint8 {
		return append(b, packwire.Str16, 0, byte(n))
	}
	return packwire.AppendStringHeader(b, n)
}

func (s *encoder) number(b []byte, v string) []byte {
	if i, err := strconv.ParseInt(v, 10, 64); err == nil && (i != 0 || v[0] != '-') { // -0 is a float
		return packwire.AppendInt(b, i)
	}
	if u, err := strconv.ParseUint(v, 10, 64); err == nil {
		return packwire.AppendUint(b, u)
	}
	if v == "" {
		return append(b, 0) // as encoding/json writes it
	}
	if wire.NumberLen(v) == len(v) && !wire.FloatHas(v) {
		return s.string(b, v)
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(v, "xX") {
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
		return s.nilValue(b, p)
	}
	return s.target(b, p.elem.meet(plan.Marshal), q)
}

// target writes the value at q, which a pointer points at. It counts as a level
// where it could be the pointer again, so that no cycle is endless.
func (s *encoder) target(b []byte, p *program, q mem.Ptr) []byte {
	if p.enc != plan.Pointer && p.enc != plan.Any && p.enc != plan.Interface {
		return s.value(b, p, q)
	}
	if !s.enter() {
		return b
	}
	b = s.value(b, p, q)
	s.leave()
	return b
}

// option writes an optional value that is not a member: one without a value is nil.
func (s *encoder) option(b []byte, p *program, q mem.Ptr) []byte {
	if p.typ.Option.StateAt(q) != plan.OptionSet {
		return s.nilValue(b, p)
	}
	return s.value(b, p.elem, q.Field(p.typ.Option.V))
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
		if len(out) <= len(b) || !mayBeValue(out[len(b):]) {
			return s.fail(b, errAppender)
		}
		return out
	case cWeft, cUnion:
		out, err := p.typ.AppendHook(&s.config, s.flags, s.maxDepth, b, v, s.depth)
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

// mayBeValue reports whether b may be one value, by its header alone: it says where
// all but arrays and maps end, and how many values these have at least the bytes of.
func mayBeValue(b []byte) bool {
	class, next, n := packwire.Head(b, 0)
	rest := len(b) - next
	switch {
	case next < 0:
		return false
	case class < packwire.ClassStr:
		return rest == 0
	case class <= packwire.ClassExt:
		return rest == n
	case class == packwire.ClassMap:
		rest /= 2
	}
	return n <= rest && (n > 0 || len(b) == next)
}

// Name implements backend.Appender.
func (s *encoder) Name() string { return "msgpack" }

// AppendValue implements backend.Appender.
func (s *encoder) AppendValue(b []byte, v any, depth int) ([]byte, error) {
	around := s.depth
	s.depth = depth
	out := s.top(b, v)
	s.depth = around
	if s.err != nil {
		err := s.located()
		s.err, s.path = nil, nil // the Encoder that asked has it now
		return b, err
	}
	return out, nil
}
