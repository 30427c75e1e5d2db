package tagged

import (
	"encoding"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
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
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// encoder is the state of one call that marshals. Its methods append a value to
// b, whose last four bytes are the value's tag without the wire type, which they
// put in; an error is kept in err, and what is appended after it is dropped.
type encoder struct {
	err         error
	path        []string // of the value that failed, the last name first
	flags       uint64
	depth       int
	maxDepth    int
	programs    *registry
	names       names
	rows        *rowNames // what is written is rows of these names
	sorted      []string  // names of maps
	boolsAsInts bool
	config      weft.EncoderConfig
	buf         []byte // for results that are copied out
	runs        []run
	tmp         []byte
	expect      int // length of the message, about, if it is large
	carver      mem.Carver
	spare       mem.Spare
}

var encoders = sync.Pool{New: func() any {
	s := new(encoder)
	s.config = weft.EncoderConfig{Syntax: setting.SyntaxOther, Backend: s}
	return s
}}

func newEncoder(opts []Options) *encoder {
	s := encoders.Get().(*encoder)
	s.flags, s.maxDepth, s.expect, s.programs, s.boolsAsInts = 0, setting.DefaultMaxDepth, 0, &programs, false
	if len(opts) > 0 {
		s.flags, s.maxDepth, s.programs = plan.FlagsOf(opts), plan.DepthOf(opts), registryOf(opts)
		s.boolsAsInts = boolsAsInts(opts)
	}
	return s
}

type boolsAsIntsKey struct{}

// BoolsAsInts specifies whether the hashed-tag format writes a boolean without a static Go type, such as true in an
// any or in a dynamic value, as the integer 0 or 1. By default it is an error, because the format has no booleans:
// read into an any, it would be an integer. Frames have booleans and do not need the option. It affects marshaling.
func BoolsAsInts(on bool) Options { return weft.With(boolsAsIntsKey{}, on) }

// ErrBool is the error for a boolean that can be written only with [BoolsAsInts].
var ErrBool = errors.New("the format has no booleans: use the option tagged.BoolsAsInts to write them as 0 and 1")

func boolsAsInts(opts []Options) bool {
	on, _ := plan.ValueOf(opts, boolsAsIntsKey{}).(bool)
	return on
}

// release gives s back to be used again, unless it has outgrown what calls need.
func (s *encoder) release() {
	s.err, s.path, s.depth, s.rows = nil, nil, 0, nil
	clear(s.sorted)
	s.sorted = s.sorted[:0]
	outgrown := s.outgrown()
	s.names.reset()
	s.runs, s.tmp, s.buf = s.runs[:0], s.tmp[:0], s.buf[:0]
	if !outgrown {
		encoders.Put(s)
	}
}

// outgrown reports whether s has much more memory than is needed.
func (s *encoder) outgrown() bool {
	const run, name = 24, 48 // bytes of one, with its part of the tables
	return s.spare.Drop(cap(s.buf)+cap(s.tmp)+run*cap(s.runs)+name*cap(s.names.rows),
		len(s.buf)+len(s.tmp)+name*len(s.names.rows))
}

var (
	errNumber = errors.New("number is not decimal")
	errRaw    = errors.New("raw value is not a well-formed message")
	errElems  = errors.New("more elements than the format can hold")
	errStar   = errors.New(`the format cannot have a member named "*" or of its hash`)
)

// fail keeps err.
//
//go:noinline
func (s *encoder) fail(b []byte, err error) []byte {
	if s.err == nil {
		path := ""
		if path, s.err = backend.Locate(err, formatName); path != "" {
			s.path = []string{path}
		}
	}
	return b
}

// kept returns b, and keeps err, if there is one.
func (s *encoder) kept(b []byte, err error) []byte {
	if err != nil {
		s.fail(b, err)
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
	return &weft.Error{Format: formatName, Offset: -1, Path: strings.Join(s.path, ""), Err: s.err}
}

// room is the spare capacity for a tag, and a short string or a number.
const room = 48

// message writes v as a whole message.
func (s *encoder) message(b []byte, v any) []byte {
	from := len(b)
	if v != nil {
		p := s.programs.of(v)
		if p.enc == plan.Bool && p.marshalErr == nil {
			return s.AppendBool(append(b, 0, 0, 0, 0), *mem.At[bool](mem.Data(v, p.mem)))
		}
		if p.enc == plan.Pointer && p.elem.enc == plan.Struct && p.marshalErr == nil {
			if q := mem.PtrOf(v); !q.IsNil() {
				if b = s.bare(b, p.elem, q); s.err == nil {
					b = s.finish(b)
				}
				return b
			}
		}
	}
	b = append(b, 0, 0, 0, 0)
	b = s.top(b, v, false)
	if s.err != nil {
		return b
	}
	return s.finish(s.strip(b, from))
}

// strip takes the tag and the length off the one value of a message, at from, if
// it is an object.
func (s *encoder) strip(b []byte, from int) []byte {
	if b[from] != tagwire.Object {
		return b
	}
	start, stop := tagwire.Span(b, from+tagwire.TagSize, len(b))
	copy(b[from:], b[start:stop])
	return b[:from+stop-start]
}

// finish ends a message with the table of its names.
func (s *encoder) finish(b []byte) []byte { return s.kept(s.names.appendTable(b)) }

// top writes any Go value. With inside it is the content of an any or interface, and
// not a variable that somebody points to.
func (s *encoder) top(b []byte, v any, inside bool) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 0)
	case bool:
		return s.anyBool(b, v)
	case int:
		return appendInt64(b, int64(v))
	case int64:
		return appendInt64(b, v)
	case float64:
		return s.float64(b, v)
	case string:
		return appendString(b, v)
	case map[string]any:
		return s.anyMap(b, v)
	case []any:
		if v == nil {
			return append(b, 0)
		}
		return s.elements(b, anyElem, mem.ArrayOf(v), len(v))
	}
	p := s.programs.of(v)
	if p.marshalErr != nil {
		return s.fail(b, p.marshalErr)
	}
	if p.enc == plan.Pointer {
		q := mem.PtrOf(v)
		if q.IsNil() {
			return append(b, 0)
		}
		if inside && p.elem.enc == plan.Bool {
			return s.anyBool(b, *mem.At[bool](q))
		}
		return s.target(b, p.elem, q)
	}
	if p.enc == plan.Bool {
		return s.anyBool(b, *mem.At[bool](mem.Data(v, p.mem)))
	}
	q := mem.Data(v, p.mem)
	if p.copied {
		own := p.mem.New()
		p.mem.Copy(own, q)
		q = own
	}
	return s.value(b, p, q)
}

// anyElem is the program of the elements of a []any.
var anyElem = &program{enc: plan.Any, mem: mem.TypeOf(reflect.TypeFor[any]())}

// anyBool writes a boolean of which no type says that it is one.
func (s *encoder) anyBool(b []byte, v bool) []byte {
	if !s.boolsAsInts && s.rows == nil {
		return s.fail(b, ErrBool)
	}
	return s.AppendBool(b, v)
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

// as sets the wire type of the value that is appended next.
func as(b []byte, wt byte) []byte {
	b[len(b)-tagwire.TagSize] |= wt
	return b
}

// AppendBool appends a boolean, the integer 0 or 1 of a message.
func (s *encoder) AppendBool(b []byte, v bool) []byte {
	var x byte
	if v {
		x = 1
	}
	if s.rows != nil {
		return append(as(b, tagwire.Bool), x)
	}
	return append(as(b, tagwire.Int32), 2*x)
}

func appendInt32(b []byte, v int32) []byte {
	return tagwire.AppendUvarint(as(b, tagwire.Int32), uint64(uint32(v)<<1^uint32(v>>31)))
}

func appendInt64(b []byte, v int64) []byte { return tagwire.AppendVarint(as(b, tagwire.Int64), v) }

// AppendUint appends an integer that is not negative.
func (s *encoder) AppendUint(b []byte, v uint64) []byte {
	switch {
	case s.rows != nil:
		return binary.LittleEndian.AppendUint64(as(b, tagwire.Fixed64), v)
	case v <= math.MaxInt64:
		return appendInt64(b, int64(v))
	}
	var buf [20]byte
	return appendText(as(b, tagwire.Number), mem.String(strconv.AppendUint(buf[:0], v, 10)))
}

// float32 appends a float of single precision, which messages do not have.
func (s *encoder) float32(b []byte, v float32) []byte {
	if s.rows != nil {
		return binary.LittleEndian.AppendUint32(as(b, tagwire.Single), math.Float32bits(v))
	}
	return s.float64(b, float64(v))
}

// float64 appends a double; in messages one that is not a number or infinite is null.
func (s *encoder) float64(b []byte, v float64) []byte {
	if s.rows == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		return append(b, 0)
	}
	return binary.LittleEndian.AppendUint64(as(b, tagwire.Double), math.Float64bits(v))
}

func appendText(b []byte, v string) []byte {
	return append(tagwire.AppendUvarint(b, uint64(len(v))), v...)
}

func appendString(b []byte, v string) []byte { return appendText(as(b, tagwire.String), v) }

// AppendBytes appends bytes: base64 in messages, as JSON has it, since a string of this format is text.
func (s *encoder) AppendBytes(b, v []byte) []byte {
	switch {
	case v == nil:
		return append(b, 0)
	case s.rows != nil:
		return append(tagwire.AppendUvarint(as(b, tagwire.Bytes), uint64(len(v))), v...)
	}
	b = tagwire.AppendUvarint(as(b, tagwire.String), uint64(wire.Base64Len(len(v))))
	return wire.AppendBase64(b, v)
}

// AppendTime appends an instant, which is text in messages.
func (s *encoder) AppendTime(b []byte, v time.Time) ([]byte, error) {
	_, zone := v.Zone()
	if s.rows != nil {
		return appendInstant(b, v.Unix(), int64(v.Nanosecond()), int64(zone)), nil
	}
	if zone%60 != 0 { // RFC 3339 has no seconds there, and the instant would be another
		v = v.In(time.FixedZone("", zone-zone%60))
	}
	var buf [48]byte
	text, err := wire.AppendTimeRFC3339(buf[:0], v)
	if err != nil {
		return b, err
	}
	return appendString(b, mem.String(text)), nil
}

// value writes the value at q.
func (s *encoder) value(b []byte, p *program, q mem.Ptr) []byte {
	switch p.enc {
	case plan.Struct:
		return s.structure(b, p, q)
	case plan.String:
		return appendString(b, *mem.At[string](q))
	case plan.Bool:
		return s.AppendBool(b, *mem.At[bool](q))
	case plan.Int:
		return appendInt64(b, int64(*mem.At[int](q)))
	case plan.Int64:
		return appendInt64(b, *mem.At[int64](q))
	case plan.Int8, plan.Int16, plan.Int32:
		return appendInt32(b, int32(mem.LoadInt(q, p.enc.Integer())))
	case plan.Uint8, plan.Uint16:
		v := mem.LoadInt(q, p.enc.Integer())
		if s.rows == nil {
			return appendInt32(b, int32(v))
		}
		return s.AppendUint(b, uint64(v))
	case plan.Uint32:
		return s.AppendUint(b, uint64(*mem.At[uint32](q)))
	case plan.Uint, plan.Uint64, plan.Uintptr:
		return s.AppendUint(b, uint64(mem.LoadInt(q, p.enc.Integer())))
	case plan.Float32:
		return s.float32(b, *mem.At[float32](q))
	case plan.Float64:
		return s.float64(b, *mem.At[float64](q))
	case plan.Time:
		return s.kept(s.AppendTime(b, *mem.At[time.Time](q)))
	case plan.Bytes:
		return s.AppendBytes(b, p.nonNil(*mem.At[[]byte](q)))
	case plan.Slice:
		return s.slice(b, p, q)
	case plan.Map:
		return s.mapping(b, p, q)
	case plan.Pointer:
		q = q.Deref(p.elem.mem)
		if q.IsNil() {
			return s.nilValue(b, p)
		}
		return s.target(b, p.elem, q)
	case plan.Any:
		return s.top(b, *mem.At[any](q), true)
	}
	return s.rare(b, p, q)
}

// rare is value for the kinds that are met less often.
func (s *encoder) rare(b []byte, p *program, q mem.Ptr) []byte {
	switch p.enc {
	case plan.Array:
		return s.elements(b, p.elem, q.Array(), p.typ.Len)
	case plan.Option:
		if p.typ.Option.StateAt(q) != plan.OptionSet {
			return s.nilValue(b, p)
		}
		return s.value(b, p.elem, q.Field(p.typ.Option.V))
	case plan.Interface:
		v := q.Value(p.mem)
		if v.IsNil() {
			return s.nilValue(b, p)
		}
		return s.top(b, v.Elem().Interface(), true)
	case plan.ByteSlice, plan.ByteArray:
		return s.AppendBytes(b, p.nonNil(q.Value(p.mem).Bytes()))
	case plan.Number:
		v := *mem.At[string](q)
		if v == "" {
			v = "0" // as encoding/json writes it
		}
		if !tagwire.IsNumber(mem.View(v)) {
			return s.fail(b, errNumber)
		}
		return appendText(as(b, tagwire.Number), v)
	case plan.Raw:
		return s.kept(s.AppendRaw(b, *mem.At[[]byte](q)))
	case cWeft, cText:
		return s.hook(b, p, q)
	}
	return s.fail(b, errors.New(p.typ.Rtype.String()+" has no form in this format"))
}

// target writes the value at q, which a pointer points at. It counts as a level
// where it could be the pointer again, so that no cycle is endless.
func (s *encoder) target(b []byte, p *program, q mem.Ptr) []byte {
	if p.plainTarget() {
		return s.value(b, p, q)
	}
	if !s.enter() {
		return b
	}
	b = s.value(b, p, q)
	s.depth--
	return b
}

// hook lets a value write itself.
func (s *encoder) hook(b []byte, p *program, q mem.Ptr) []byte {
	v := q.Addr(p.mem)
	if p.enc == cWeft {
		return s.kept(p.typ.AppendHook(&s.config, s.flags&^setting.StructAsArray, s.maxDepth, b, v, s.depth))
	}
	text, err := v.(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return s.fail(b, err)
	}
	return appendString(b, mem.String(text))
}
