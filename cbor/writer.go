package cbor

import (
	"errors"
	"math/big"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

var _ backend.Writer = (*encoder)(nil)

// Name implements backend.Appender.
func (s *encoder) Name() string { return "cbor" }

// AppendValue implements backend.Appender.
func (s *encoder) AppendValue(b []byte, v any, depth int) ([]byte, error) {
	around := s.depth
	s.depth = depth
	out := s.top(b, v)
	s.depth = around
	return s.result(b, out)
}

// result returns what has been written, or b and the error, which the Encoder that asked has then.
func (s *encoder) result(b, out []byte) ([]byte, error) {
	if s.err != nil {
		err := s.located()
		s.err, s.path = nil, nil
		return b, err
	}
	return out, nil
}

// AppendNull implements backend.Writer.
func (s *encoder) AppendNull(b []byte) []byte { return append(b, cborwire.Null) }

// AppendBool implements backend.Writer.
func (s *encoder) AppendBool(b []byte, v bool) []byte { return cborwire.AppendBool(b, v) }

// AppendInt implements backend.Writer.
func (s *encoder) AppendInt(b []byte, v int64) []byte { return cborwire.AppendInt(b, v) }

// AppendInt32 implements backend.Writer.
func (s *encoder) AppendInt32(b []byte, v int32) []byte { return cborwire.AppendInt(b, int64(v)) }

// AppendRaw implements backend.Writer.
func (s *encoder) AppendRaw(b, raw []byte) ([]byte, error) { return append(b, raw...), nil }

// AppendUint implements backend.Writer.
func (s *encoder) AppendUint(b []byte, v uint64) []byte { return cborwire.AppendUint(b, v) }

// AppendFloat32 implements backend.Writer.
func (s *encoder) AppendFloat32(b []byte, v float32) ([]byte, error) {
	return s.result(b, s.float32(b, v))
}

// AppendFloat64 implements backend.Writer.
func (s *encoder) AppendFloat64(b []byte, v float64) ([]byte, error) {
	return s.result(b, s.float(b, v))
}

// AppendString implements backend.Writer.
func (s *encoder) AppendString(b []byte, v string) ([]byte, error) {
	return s.result(b, s.string(b, v))
}

// AppendBytes implements backend.Writer.
func (s *encoder) AppendBytes(b, v []byte) []byte { return s.bytes(b, v) }

// AppendTime implements backend.Writer.
func (s *encoder) AppendTime(b []byte, v time.Time) ([]byte, error) { return s.result(b, s.time(b, v)) }

// AppendNumber implements backend.Writer: an integer of any size, or a decimal fraction (§3.4.4).
func (s *encoder) AppendNumber(b []byte, text string) ([]byte, error) {
	digits, exp, hasExp := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(digits, ".")
	var scale big.Int
	_, ok := scale.SetString(strings.TrimPrefix(exp, "+"), 10)
	if hasExp && (!ok || !scale.IsInt64()) || len(digits) > mostDigits {
		return b, errNumber
	}
	mantissa, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return b, errNumber
	}
	if !hasExp && fraction == "" {
		return appendBig(b, mantissa), nil
	}
	scale.Sub(&scale, big.NewInt(int64(len(fraction))))
	return appendBig(appendBig(append(b, cborwire.Tag|tagDecimal, cborwire.Array|2), &scale), mantissa), nil
}

// BeginObject implements backend.Writer.
func (s *encoder) BeginObject(b []byte, n int) []byte {
	return cborwire.AppendHead(b, cborwire.Map, uint64(max(n, 0)))
}

// AppendName implements backend.Writer.
func (s *encoder) AppendName(b []byte, f *weft.Fields, i int, name string, _ int) ([]byte, error) {
	if f != nil {
		name = f.Name(i)
	}
	return s.result(b, s.string(b, name))
}

// EndObject implements backend.Writer.
func (s *encoder) EndObject(b []byte, head, n, k int) []byte {
	size := cborwire.HeadSize(uint64(max(n, 0)))
	b = s.resort(b, head+size)
	if max(n, 0) == k {
		return b
	}
	return cborwire.CloseHead(b, head, size, cborwire.Map, uint64(k))
}

// AddMember implements backend.Writer. The member comes first, unless members are sorted.
func (s *encoder) AddMember(b []byte, head int, f *weft.Fields, i int, value string) ([]byte, error) {
	n, next := cborwire.ReadCount(b, head, cborwire.Map)
	if next < 0 || n < 0 {
		return b, errObject
	}
	front := cborwire.AppendHead(make([]byte, 0, 64), cborwire.Map, uint64(n+1))
	size := len(front)
	front = s.string(s.string(front, f.Name(i)), value)
	front = append(front, b[next:]...)
	return s.result(b, s.resort(append(b[:head], front...), head+size))
}

var errObject = errors.New("a variant of a flat union must be written as an object")

// BeginArray implements backend.Writer.
func (s *encoder) BeginArray(b []byte, n int) []byte {
	return cborwire.AppendHead(b, cborwire.Array, uint64(max(n, 0)))
}

// BeginElement implements backend.Writer.
func (s *encoder) BeginElement(b []byte, _ int) []byte { return b }

// EndArray implements backend.Writer.
func (s *encoder) EndArray(b []byte, head, n, k int) []byte {
	if max(n, 0) == k {
		return b
	}
	return cborwire.CloseHead(b, head, cborwire.HeadSize(uint64(max(n, 0))), cborwire.Array, uint64(k))
}
