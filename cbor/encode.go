package cbor

import (
	"encoding"
	"errors"
	"math"
	"math/big"
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
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// encoder is the state of one call that marshals. Its methods append to b and return it; an error is kept in
// err, and what is appended after it is dropped.
type encoder struct {
	err      error
	path     []string // of the value that failed, the last name first
	flags    uint64
	depth    int
	maxDepth int
	array    bool // structs are laid out as arrays
	isShared bool // it is one of flatEncoders
	order    int  // of the members of structs
	programs *registry
	normal   func(text string) bool // of Normalized
	config   weft.EncoderConfig
	buf      []byte // for results that are copied out
	size     int    // of the last ones
	carver   mem.Carver
	pairs    []pair // of the maps that are being sorted
	sorted   []byte
	spare    mem.Spare
}

var encoders = sync.Pool{New: func() any {
	s := &encoder{programs: &programs}
	s.config = weft.EncoderConfig{Backend: s}
	return s
}}

func newEncoder(opts []Options) *encoder {
	s := encoders.Get().(*encoder)
	s.begin(opts)
	return s
}

// begin makes s ready for a call.
func (s *encoder) begin(opts []Options) {
	s.flags, s.maxDepth, s.array, s.order = 0, setting.DefaultMaxDepth, false, declared
	if s.programs != &programs { // to store a pointer costs while the collector runs, here and in release
		s.programs = &programs
	}
	if s.normal != nil {
		s.normal = nil
	}
	if len(opts) > 0 {
		var ok bool
		if s.flags, ok = plan.OnlyFlags(opts); !ok {
			o := weft.Join(opts...)
			s.flags, s.maxDepth, s.programs, s.normal = o.Flags(0), o.Depth(), registryOf(opts), normalOf(o)
		}
		s.array, s.order = s.flags&setting.StructAsArray != 0, orderOf(s.flags)
	}
}

// release gives s back to be used again, unless it has outgrown what calls need.
func (s *encoder) release() {
	if s.depth = 0; s.err != nil || s.path != nil {
		s.err, s.path = nil, nil
	}
	outgrown := s.spare.Drop(cap(s.buf)+cap(s.sorted)+pairSize*cap(s.pairs), 2*len(s.buf))
	s.buf, s.pairs = s.buf[:0], s.pairs[:0]
	if !outgrown {
		encoders.Put(s)
	}
}

// flatEncoders write what is flat, as maps and as arrays. They are never changed: the result is nil in place of an
// error.
var flatEncoders = [2]*encoder{
	{maxDepth: setting.DefaultMaxDepth, isShared: true, programs: &programs},
	{maxDepth: setting.DefaultMaxDepth, isShared: true, programs: &programs, array: true},
}

// appendFlat writes v, whose program p has flat. The result is nil where it takes an encoder of its own.
func appendFlat(b []byte, v any, p *program, opts []Options) []byte {
	s := flatEncoders[0]
	if len(opts) > 0 {
		flags, ok := plan.OnlyFlags(opts)
		if !ok || flags&^setting.StructAsArray != 0 {
			return nil
		}
		if flags != 0 {
			s = flatEncoders[1]
		}
	}
	var q mem.Ptr
	if p.enc == plan.Pointer {
		q = mem.PtrOf(v)
	} else {
		q = mem.Data(v, p.mem)
	}
	sh := p.flat.shapeIn(declared, s.array)
	if q.IsNil() || sh.Ops == nil {
		return nil
	}
	b, _ = s.plainList(b, p.flat, sh, q.One(), 1)
	return b
}

var (
	errFinite = errors.New("number is not finite")
	errRaw    = errors.New("raw value is not well-formed")
	errOne    = errors.New("MarshalCBOR must return exactly one item")
	errUTF8   = errors.New("string is not UTF-8")
	errSimple = errors.New("simple values from 24 to 31 do not exist")
	errNumber = errors.New("number is not a decimal")
)

// fail keeps err.
//
//go:noinline
func (s *encoder) fail(b []byte, err error) []byte {
	if s.isShared {
		return nil
	}
	if s.err == nil {
		path := ""
		if path, s.err = backend.Locate(err, "cbor"); path != "" {
			s.path = []string{path}
		}
	}
	return b
}

// within puts a name before the path of the value that failed.
//
//go:noinline
func (s *encoder) within(b []byte, name string) []byte {
	if !s.isShared {
		s.path = append(s.path, string(wire.AppendPointer(nil, name)))
	}
	return b
}

// located returns the error for the caller.
func (s *encoder) located() error {
	slices.Reverse(s.path)
	return &weft.Error{Format: "cbor", Offset: -1, Path: strings.Join(s.path, ""), Err: s.err}
}

// top writes any Go value.
func (s *encoder) top(b []byte, v any) []byte {
	if s.programs != &programs && v != nil {
		return s.other(b, v)
	}
	switch v := v.(type) {
	case nil:
		return append(b, cborwire.Null)
	case bool:
		return cborwire.AppendBool(b, v)
	case int:
		return cborwire.AppendInt(b, int64(v))
	case int64:
		return cborwire.AppendInt(b, v)
	case uint64:
		return cborwire.AppendUint(b, v)
	case float64:
		return s.float(b, v)
	case string:
		return s.string(b, v)
	case []byte:
		return s.bytes(b, v)
	case map[string]any:
		return putMap(s, b, v, anyWay())
	case []any:
		return putList(s, b, v, anyWay())
	}
	return s.other(b, v)
}

// other writes a Go value, not nil, by the program of its type.
func (s *encoder) other(b []byte, v any) []byte { return s.by(b, s.programs.of(v), v) }

// by writes a Go value, not nil, by the program p.
func (s *encoder) by(b []byte, p *program, v any) []byte {
	if p.direct { // same as below
		if q := mem.PtrOf(v); !q.IsNil() {
			return s.structure(b, p.elem, q)
		}
	}
	if p.faults[plan.Marshal] != nil {
		return s.fail(b, p.faults[plan.Marshal])
	}
	if p.enc == plan.Pointer {
		q, elem := mem.PtrOf(v), p.elem.meet(plan.Marshal)
		switch {
		case q.IsNil():
			return append(b, cborwire.Null)
		case elem.enc == plan.Struct:
			return s.structure(b, elem, q)
		}
		return s.target(b, elem, q)
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
	if !s.isShared {
		s.depth++
	}
	return true
}

// leave goes back.
func (s *encoder) leave() {
	if !s.isShared {
		s.depth--
	}
}

// failed reports whether what returned b has failed.
func (s *encoder) failed(b []byte) bool { return b == nil || s.err != nil }

// value writes the value at q.
func (s *encoder) value(b []byte, p *program, q mem.Ptr) []byte {
	switch p.enc {
	case plan.Struct:
		return s.structure(b, p, q)
	case plan.String:
		return s.string(b, *mem.At[string](q))
	case plan.Bool:
		return cborwire.AppendBool(b, *mem.At[bool](q))
	case plan.Int:
		return cborwire.AppendInt(b, int64(*mem.At[int](q)))
	case plan.Int8:
		return cborwire.AppendInt(b, int64(*mem.At[int8](q)))
	case plan.Int16:
		return cborwire.AppendInt(b, int64(*mem.At[int16](q)))
	case plan.Int32:
		return cborwire.AppendInt(b, int64(*mem.At[int32](q)))
	case plan.Int64:
		return cborwire.AppendInt(b, *mem.At[int64](q))
	case plan.Uint:
		return cborwire.AppendUint(b, uint64(*mem.At[uint](q)))
	case plan.Uint8:
		return cborwire.AppendUint(b, uint64(*mem.At[uint8](q)))
	case plan.Uint16:
		return cborwire.AppendUint(b, uint64(*mem.At[uint16](q)))
	case plan.Uint32:
		return cborwire.AppendUint(b, uint64(*mem.At[uint32](q)))
	case plan.Uint64:
		return cborwire.AppendUint(b, *mem.At[uint64](q))
	case plan.Uintptr:
		return cborwire.AppendUint(b, uint64(*mem.At[uintptr](q)))
	case plan.Float32:
		return s.float32(b, *mem.At[float32](q))
	case plan.Float64:
		return s.float(b, *mem.At[float64](q))
	case plan.Time:
		return s.time(b, *mem.At[time.Time](q))
	case plan.Bytes:
		if v := *mem.At[[]byte](q); v != nil {
			return s.bytes(b, v)
		}
		return s.null(b, p)
	case plan.Slice:
		return s.slice(b, p, q)
	case cFast:
		return p.encFast(s, b, q)
	case plan.Map:
		return s.mapping(b, p, q)
	case plan.Pointer:
		elem := p.elem
		if q = q.Deref(elem.mem); q.IsNil() {
			return s.null(b, p)
		}
		return s.target(b, elem.meet(plan.Marshal), q)
	case plan.Any:
		if v := *mem.At[any](q); v != nil {
			return s.top(b, v)
		}
		return s.null(b, p)
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
		if p.typ.Option.StateAt(q) != plan.OptionSet {
			return s.null(b, p)
		}
		return s.value(b, p.elem, q.Field(p.typ.Option.V))
	case plan.Interface:
		v := q.Value(p.mem)
		if v.IsNil() {
			return s.null(b, p)
		}
		return s.top(b, v.Elem().Interface())
	case plan.ByteSlice, plan.ByteArray:
		v := q.Value(p.mem).Bytes()
		if v == nil {
			return s.null(b, p)
		}
		return s.bytes(b, v)
	case plan.Number:
		return s.number(b, *mem.At[string](q))
	case plan.Raw:
		return s.raw(b, *mem.At[[]byte](q))
	case cHook + hookCBOR, cHook + hookWeft, cHook + hookBinary, cHook + hookText:
		return s.hook(b, p, q)
	}
	return s.fail(b, errors.New(p.typ.Rtype.String()+" has no form in CBOR"))
}

// target writes the value at q, which a pointer points at. It counts as a level where it could be the pointer
// again, so that no cycle is endless.
func (s *encoder) target(b []byte, p *program, q mem.Ptr) []byte {
	if p.enc != plan.Pointer && p.enc != plan.Any && p.enc != plan.Interface {
		return s.value(b, p, q)
	}
	if !s.enter() {
		return b
	}
	b = s.value(b, p, q)
	s.depth--
	return b
}

// string writes text.
func (s *encoder) string(b []byte, v string) []byte {
	if s.flags&flagByteText != 0 {
		return append(cborwire.AppendHead(b, cborwire.Bytes, uint64(len(v))), v...)
	}
	if len(v) < steps.ShortText {
		if cap(b)-len(b) < room {
			b = steps.Grow(b, room)
		}
		if l, ascii := steps.CBORShort(mem.BytesOf(b), len(b), v); ascii || wire.ValidUTF8String(v) {
			return b[:l]
		}
		return s.fail(b, errUTF8)
	}
	if !wire.ValidUTF8String(v) {
		return s.fail(b, errUTF8)
	}
	return cborwire.AppendText(b, v)
}

func (s *encoder) bytes(b, v []byte) []byte {
	if v == nil {
		return append(b, cborwire.Null)
	}
	if s.flags&flagByteText != 0 {
		b = append(b, cborwire.Tag|tagBase64)
	}
	return cborwire.AppendBytes(b, v)
}

func (s *encoder) float32(b []byte, v float32) []byte {
	if s.flags&flagKeepFloats != 0 && s.flags&flagFinite == 0 {
		return cborwire.AppendFloat32(b, v)
	}
	return s.float(b, float64(v))
}

func (s *encoder) float(b []byte, v float64) []byte {
	switch {
	case s.flags&(flagFinite|flagReduce|flagKeepFloats) == 0:
		return cborwire.AppendFloat(b, v)
	case s.flags&flagFinite != 0 && (math.IsInf(v, 0) || v != v):
		return s.fail(b, errFinite)
	case s.flags&flagReduce != 0 && cborwire.IsWhole(v):
		f, _ := new(big.Float).SetFloat64(v).Int(nil)
		return appendBig(b, f)
	case s.flags&flagKeepFloats != 0:
		return cborwire.AppendFloat64(b, v)
	}
	return cborwire.AppendFloat(b, v)
}

// time writes seconds where these say it all, else text.
func (s *encoder) time(b []byte, t time.Time) []byte {
	if s.flags&flagByteText == 0 && t.Nanosecond() == 0 {
		return cborwire.AppendInt(append(b, cborwire.Tag|tagEpoch), t.Unix())
	}
	var w [len(time.RFC3339Nano)]byte
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return s.fail(b, errors.New("a time with a fraction of a second has a year from 0 to 9999"))
	}
	text := t.UTC().AppendFormat(w[:0], time.RFC3339Nano)
	if s.flags&flagByteText != 0 {
		return cborwire.AppendBytes(b, text)
	}
	return append(cborwire.AppendHead(append(b, cborwire.Tag|tagText), cborwire.Text, uint64(len(text))), text...)
}

// number writes a number that is text: an integer of any size, the float of it, or else a decimal fraction.
func (s *encoder) number(b []byte, v string) []byte {
	if i, err := strconv.ParseInt(v, 10, 64); err == nil && (i != 0 || v[0] != '-') { // -0 is a float
		return cborwire.AppendInt(b, i)
	}
	if v == "" {
		return append(b, 0) // as encoding/json writes it
	}
	if len(v) <= mostDigits && strings.Trim(v[1:], "0123456789") == "" && v != "-0" {
		if i, ok := new(big.Int).SetString(v, 10); ok {
			return appendBig(b, i)
		}
	}
	if wire.NumberLen(v) == len(v) && !wire.FloatHas(v) {
		out, err := s.AppendNumber(b, v)
		if err != nil {
			return s.fail(b, err)
		}
		return out
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(v, "xX") {
		return s.fail(b, errNumber)
	}
	return s.float(b, f)
}

// mostDigits bounds the digits of an integer that is read from text.
const mostDigits = 1 << 10

func (s *encoder) raw(b, v []byte) []byte {
	if len(v) == 0 {
		return append(b, cborwire.Null)
	}
	if end, _ := cborwire.Skip(v, 0, s.maxDepth-s.depth); end != len(v) {
		return s.fail(b, errRaw)
	}
	return append(b, v...)
}

// hook lets a value write itself.
func (s *encoder) hook(b []byte, p *program, q mem.Ptr) []byte {
	v := q.Addr(p.mem)
	switch p.enc {
	case cHook + hookCBOR:
		out, err := v.(Marshaler).MarshalCBOR()
		if err != nil {
			return s.fail(b, err)
		}
		if end, _ := cborwire.Skip(out, 0, s.maxDepth-s.depth); end == cborwire.Deep {
			return s.fail(b, weft.ErrDepth)
		} else if end != len(out) {
			return s.fail(b, errOne)
		}
		return append(b, out...)
	case cHook + hookWeft:
		out, err := p.typ.AppendHook(&s.config, s.flags, s.maxDepth, b, v, s.depth)
		if err != nil {
			return s.fail(b, err)
		}
		return out
	case cHook + hookBinary:
		data, err := v.(encoding.BinaryMarshaler).MarshalBinary()
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
