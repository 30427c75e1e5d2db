package weft

import (
	"errors"
	"sync"
	"time"
)

// Syntax selects the grammar an [Encoder] writes by itself.
type Syntax uint8

// The grammars an Encoder knows. Any other format writes through a [Writer].
const (
	SyntaxOther Syntax = iota
	SyntaxJSON
	SyntaxMsgpack
)

// Backend is what a format gives to the Encoders it starts: the way back to
// its own engine.
type Backend interface {
	// Name returns the name of the format, for errors.
	Name() string
	// AppendValue appends any Go value by the plan of its type. The value
	// stands at the given depth.
	AppendValue(b []byte, v any, depth int) ([]byte, error)
}

// Writer is the Backend of a format whose grammar the Encoder does not know:
// it writes each token.
type Writer interface {
	Backend
	AppendNull(b []byte) []byte
	AppendBool(b []byte, v bool) []byte
	AppendInt(b []byte, v int64) []byte
	AppendUint(b []byte, v uint64) []byte
	AppendFloat32(b []byte, v float32) ([]byte, error)
	AppendFloat64(b []byte, v float64) ([]byte, error)
	AppendString(b []byte, v string) ([]byte, error)
	AppendBytes(b, v []byte) []byte
	AppendTime(b []byte, v time.Time) ([]byte, error)
	// BeginObject starts an object of up to n members; n < 0 if unknown.
	BeginObject(b []byte, n int) []byte
	// AppendName writes the name of the next member, the k-th that is written.
	// It is f's i-th name, or name when f is nil.
	AppendName(b []byte, f *Fields, i int, name string, k int) ([]byte, error)
	// EndObject closes the object that begins at head with k members written,
	// where n were announced.
	EndObject(b []byte, head, n, k int) []byte
	// BeginArray starts an array of n elements; n < 0 if unknown.
	BeginArray(b []byte, n int) []byte
	// BeginElement prepares for the k-th element.
	BeginElement(b []byte, k int) []byte
	EndArray(b []byte, head, n, k int) []byte
}

// SizedWriter is a [Writer] whose format tells integers of at most 32 bits from
// wider ones.
type SizedWriter interface {
	Writer
	AppendInt32(b []byte, v int32) []byte
}

// RawWriter is a [Writer] whose encoded values cannot be appended as they stand.
type RawWriter interface {
	Writer
	AppendRaw(b, raw []byte) ([]byte, error)
}

// EncoderConfig is how a format starts an [Encoder]. It is made once per
// format and set of options, and shared.
type EncoderConfig struct {
	Syntax   Syntax
	Backend  Backend // a Writer when Syntax is SyntaxOther
	Flags    Flag    // flags that are on
	MaxDepth int     // 0 means DefaultMaxDepth
}

var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// errOneValue says that MarshalWeft or UnmarshalWeft broke its promise.
var errOneValue = errors.New("MarshalWeft must write exactly one value")

// Append appends what m writes, standing at the given depth. On an error it
// returns b as it was. It is for format packages.
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
