package weft

import (
	"errors"
	"math"
	"sync"
	"time"

	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Encoder writes one value of a format for a [Marshaler]. Errors are sticky: after the first error nothing more is
// written, and End and Err return it. The methods that write a scalar also return it, so that a type that is a single
// value can end with, for example, return e.String(s).
type Encoder struct {
	b     []byte
	err   error
	count int // values written at this level: 1 when the Marshaler kept its promise
	depth int
	cfg   *EncoderConfig
	w     backend.Writer // nil when the syntax is known
	syn   uint8
	array bool   // objects are laid out as arrays
	omit  uint64 // what is left out of objects
	path  []step
	pour  *pour // nil unless what is written goes out in pieces
}

// EncoderConfig is the configuration with which a format starts an [Encoder]. It is made once per format and set of
// options, and shared.
type EncoderConfig struct {
	Syntax   uint8            // 0, or the grammar of package json or msgpack, which an Encoder writes by itself
	Backend  backend.Appender // a [backend.Writer] when Syntax is 0
	Flags    uint64           // flags that are on
	MaxDepth int              // 0 means 10,000
}

var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// errOneValue says that MarshalWeft or UnmarshalWeft broke its promise.
var errOneValue = errors.New("MarshalWeft must write exactly one value")

// Append appends what m writes, at the given depth of nesting. If there is an error, it returns b unchanged. It is
// for format packages.
func (c *EncoderConfig) Append(b []byte, m Marshaler, depth int) ([]byte, error) {
	e := encoders.Get().(*Encoder)
	e.start(c, b, depth)
	e.run(m)
	out, err := e.b, e.err
	e.stop()
	if err != nil {
		return b, err
	}
	return out, nil
}

// step is one step of the way from the root to the current value.
type step struct {
	f    *Fields // the name is f's i-th
	name string  // the name, when f is nil and i is byName
	i    int     // the index in an array, when f is nil

	count int // values written in the container around
	late  int // members written that the ObjectEncoder does not know of yet
}

// Values of step.i that are not index.
const (
	byName = -1
	atNone = -2 // no element or member has begun
)

func (e *Encoder) start(c *EncoderConfig, b []byte, depth int) {
	e.b, e.err, e.count, e.depth = b, nil, 0, depth
	e.cfg, e.syn = c, c.Syntax
	e.array = c.Flags&setting.StructAsArray != 0 && c.Syntax != setting.SyntaxJSON
	e.omit = c.omits(e.array)
	if c.Syntax == setting.SyntaxOther {
		e.w = c.Backend.(backend.Writer)
	}
}

func (e *Encoder) stop() {
	clear(e.path)
	*e = Encoder{path: e.path[:0]}
	encoders.Put(e)
}

// run lets m write one value.
func (e *Encoder) run(m Marshaler) {
	count, level := e.count, len(e.path)
	e.count = 0
	e.ran(m.MarshalWeft(e), level, count)
}

// ran checks that what has returned err has written one value, and goes back to
// the container around, at level, in which count values have been written.
func (e *Encoder) ran(err error, level, count int) {
	if e.err == nil {
		if err != nil {
			e.Fail(err)
		} else if e.count != 1 || len(e.path) != level {
			e.Fail(errOneValue)
		}
	}
	e.path = e.path[:level]
	e.count = count
}

// Fail makes err the encoder's error, located at the current value, unless
// there is one already.
func (e *Encoder) Fail(err error) error {
	if e.err == nil && err != nil {
		e.err = e.located(err, nil)
	}
	return e.err
}

// located returns err with the path of the current value and one more step.
func (e *Encoder) located(err error, last *step) error {
	p := make([]byte, 0, 64)
	for i := range e.path {
		p = e.path[i].append(p)
	}
	if last != nil {
		p = last.append(p)
	}
	path, err := backend.Locate(err, e.cfg.Backend.Name())
	return &Error{Format: e.cfg.Backend.Name(), Offset: -1, Path: string(p) + path, Err: err}
}

func (s *step) append(p []byte) []byte {
	switch {
	case s.i == atNone:
		return p
	case s.f != nil:
		return wire.AppendPointer(p, s.f.Name(s.i))
	case s.i == byName:
		return wire.AppendPointer(p, s.name)
	}
	return appendIndex(append(p, '/'), s.i)
}

func appendIndex(p []byte, i int) []byte {
	if i >= 10 {
		p = appendIndex(p, i/10)
	}
	return append(p, byte('0'+i%10))
}

// Err returns the first error.
func (e *Encoder) Err() error { return e.err }

// Format returns the name of the format being written, such as "json".
func (e *Encoder) Format() string { return e.cfg.Backend.Name() }

// Syntax returns the Syntax of the [EncoderConfig]: 0 for a format that writes by a
// [backend.Writer].
func (e *Encoder) Syntax() uint8 { return e.syn }

// Null writes a null.
func (e *Encoder) Null() error {
	e.count++
	e.null()
	return e.err
}

// Bool writes a boolean.
func (e *Encoder) Bool(v bool) error {
	e.count++
	e.bool(v)
	return e.err
}

// Int writes a signed integer.
func (e *Encoder) Int(v int) error { return e.Int64(int64(v)) }

// Int64 writes a signed integer.
func (e *Encoder) Int64(v int64) error {
	e.count++
	e.int(v)
	return e.err
}

// Int32 writes a signed integer of at most 32 bits, in formats that distinguish these from wider integers.
func (e *Encoder) Int32(v int32) error {
	e.count++
	e.int32(v)
	return e.err
}

// Uint64 writes an unsigned integer.
func (e *Encoder) Uint64(v uint64) error {
	e.count++
	e.uint(v)
	return e.err
}

// Float32 writes a floating-point number of single precision.
func (e *Encoder) Float32(v float32) error {
	e.count++
	e.float32(v)
	return e.err
}

// Float64 writes a floating-point number.
func (e *Encoder) Float64(v float64) error {
	e.count++
	e.float64(v)
	return e.err
}

// String writes a string.
func (e *Encoder) String(v string) error {
	e.count++
	e.string(v)
	return e.err
}

// Bytes writes a string of bytes; nil is written as null.
func (e *Encoder) Bytes(v []byte) error {
	e.count++
	e.bytes(v)
	return e.err
}

// Time writes an instant.
func (e *Encoder) Time(v time.Time) error {
	e.count++
	e.time(v)
	return e.err
}

// Marshal writes what m writes.
func (e *Encoder) Marshal(m Marshaler) error {
	e.count++
	e.marshal(m)
	return e.err
}

// Value writes any Go value, by the format's plan of its type.
func (e *Encoder) Value(v any) error {
	e.count++
	e.value(v)
	return e.err
}

// Raw writes b, which must be one well-formed value of the format being
// written; see [Encoder.Format].
func (e *Encoder) Raw(b []byte) error {
	e.count++
	if e.w != nil {
		out, err := e.w.AppendRaw(e.b, b)
		if err != nil {
			return e.Fail(err)
		}
		e.b = out
		return e.err
	}
	e.b = append(e.b, b...)
	return e.err
}

// Extend lets f append one well-formed value of the format being written; see [Encoder.Format]. f receives what has
// been written so far, which it must keep, the flags that are on, and how many levels deep the value may nest. If f
// returns an error, which may be an [Error] of the format with a path, its other result is dropped.
func (e *Encoder) Extend(f func(b []byte, flags uint64, levels int) ([]byte, error)) error {
	e.count++
	if e.err != nil {
		return e.err
	}
	most := e.cfg.MaxDepth
	if most == 0 {
		most = setting.DefaultMaxDepth
	}
	b, err := f(e.b, e.cfg.Flags, most-e.depth)
	if err != nil {
		return e.Fail(err)
	}
	e.b = b
	return nil
}

// The methods below write a value at the current place. They keep on writing
// after an error: the bytes are dropped in the end.

func (e *Encoder) null() {
	switch e.syn {
	case setting.SyntaxJSON:
		e.b = append(e.b, "null"...)
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendNil(e.b)
	default:
		e.b = e.w.AppendNull(e.b)
	}
}

func (e *Encoder) bool(v bool) {
	switch e.syn {
	case setting.SyntaxJSON:
		e.b = appendJSONBool(e.b, v)
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendBool(e.b, v)
	default:
		e.b = e.w.AppendBool(e.b, v)
	}
}

func (e *Encoder) int(v int64) {
	switch e.syn {
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendInt(e.b, v)
	case setting.SyntaxJSON:
		e.b = wire.AppendInt(e.b, v)
	default:
		e.b = e.w.AppendInt(e.b, v)
	}
}

func (e *Encoder) int32(v int32) {
	if e.w != nil {
		e.b = e.w.AppendInt32(e.b, v)
	} else {
		e.int(int64(v))
	}
}

func (e *Encoder) uint(v uint64) {
	switch e.syn {
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendUint(e.b, v)
	case setting.SyntaxJSON:
		e.b = wire.AppendUint(e.b, v)
	default:
		e.b = e.w.AppendUint(e.b, v)
	}
}

func (e *Encoder) float32(v float32) {
	var err error
	switch e.syn {
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendFloat32(e.b, v)
	case setting.SyntaxJSON:
		e.b, err = appendJSONFloat32(e.b, v)
	default:
		e.b, err = e.w.AppendFloat32(e.b, v)
	}
	if err != nil {
		e.Fail(err)
	}
}

func (e *Encoder) float64(v float64) {
	var err error
	switch e.syn {
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendFloat64(e.b, v)
	case setting.SyntaxJSON:
		e.b, err = appendJSONFloat64(e.b, v)
	default:
		e.b, err = e.w.AppendFloat64(e.b, v)
	}
	if err != nil {
		e.Fail(err)
	}
}

func (e *Encoder) string(v string) {
	switch e.syn {
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendString(e.b, v)
	case setting.SyntaxJSON:
		e.b = appendJSONString(e.b, v, e.cfg.Flags)
	default:
		var err error
		if e.b, err = e.w.AppendString(e.b, v); err != nil {
			e.Fail(err)
		}
	}
}

func (e *Encoder) bytes(v []byte) {
	if v == nil {
		e.null()
		return
	}
	switch e.syn {
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendBytes(e.b, v)
	case setting.SyntaxJSON:
		e.b = appendJSONBytes(e.b, v)
	default:
		e.b = e.w.AppendBytes(e.b, v)
	}
}

func (e *Encoder) time(v time.Time) {
	var err error
	switch e.syn {
	case setting.SyntaxMsgpack:
		e.b = packwire.AppendTime(e.b, v)
	case setting.SyntaxJSON:
		e.b, err = appendJSONTime(e.b, v)
	default:
		e.b, err = e.w.AppendTime(e.b, v)
	}
	if err != nil {
		e.Fail(err)
	}
}

func (e *Encoder) marshal(m Marshaler) {
	if !e.enter() {
		return
	}
	e.run(m)
	e.depth--
}

func (e *Encoder) value(v any) {
	if e.err != nil {
		return
	}
	b, err := e.cfg.Backend.AppendValue(e.b, v, e.depth)
	if err != nil {
		e.Fail(err)
		return
	}
	e.b = b
}

// enter goes one level deeper, unless that is too deep.
func (e *Encoder) enter() bool {
	if e.err != nil {
		return false
	}
	most := e.cfg.MaxDepth
	if most == 0 {
		most = setting.DefaultMaxDepth
	}
	if e.depth >= most {
		e.Fail(ErrDepth)
		return false
	}
	e.depth++
	return true
}

func (e *Encoder) jsonKeys(f *Fields) []string {
	if e.cfg.Flags&setting.JSONEscapeHTML != 0 {
		return namewire.Of(f.Names()).JSON().HTML
	}
	return namewire.Of(f.Names()).JSON().Plain
}

func appendJSONBool(b []byte, v bool) []byte {
	if v {
		return append(b, "true"...)
	}
	return append(b, "false"...)
}

var errNotFinite = errors.New("number is not finite")

func appendJSONFloat64(b []byte, v float64) ([]byte, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return b, errNotFinite
	}
	return wire.AppendFloat64(b, v), nil
}

func appendJSONFloat32(b []byte, v float32) ([]byte, error) {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return b, errNotFinite
	}
	return wire.AppendFloat32(b, v), nil
}

func appendJSONBytes(b, v []byte) []byte {
	b = append(b, '"')
	return append(wire.AppendBase64(b, v), '"')
}

func appendJSONTime(b []byte, v time.Time) ([]byte, error) {
	n := len(b)
	b, err := wire.AppendTimeRFC3339(append(b, '"'), v)
	if err != nil {
		return b[:n], err
	}
	return append(b, '"'), nil
}

func appendJSONString(b []byte, s string, f uint64) []byte {
	return wire.AppendJSONString(b, s, wire.HTML(f&setting.JSONEscapeHTML != 0))
}
