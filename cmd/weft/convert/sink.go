package convert

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// sink gathers one record in the format that is written. A method returns an
// error where the format has no form for the value.
type sink interface {
	// flush writes the record that was gathered, and begins the next. Errors
	// stay in w.
	flush(w *bufio.Writer)
	// reset forgets what was gathered.
	reset()

	open(object bool) int // returns what close wants back
	close(at, n int, object bool)
	element(i int)
	name(i int, name string)

	null()
	boolean(v bool)
	int(v int64)
	uint(v uint64)
	number(text []byte) error // a JSON number
	float32(v float32) error
	float64(v float64) error
	text(s string)
	binary(b []byte)
	time(t time.Time) error
	ext(raw []byte) error // a MessagePack extension, whole
	raw(b []byte)         // a value in the format that is written
}

// textSink writes JSON.
type textSink struct {
	b     []byte
	lines bool // a record ends with its line
}

func (s *textSink) reset() { s.b = s.b[:0] }

func (s *textSink) flush(w *bufio.Writer) {
	if s.lines {
		s.b = append(s.b, '\n')
	}
	w.Write(s.b)
	s.reset()
}

func (s *textSink) open(object bool) int {
	if object {
		s.b = append(s.b, '{')
	} else {
		s.b = append(s.b, '[')
	}
	return 0
}

func (s *textSink) close(_, _ int, object bool) {
	if object {
		s.b = append(s.b, '}')
	} else {
		s.b = append(s.b, ']')
	}
}

func (s *textSink) element(i int) {
	if i > 0 {
		s.b = append(s.b, ',')
	}
}

func (s *textSink) name(i int, name string) {
	s.element(i)
	s.b = append(wire.AppendJSONString(s.b, name, 0), ':')
}

func (s *textSink) null()                    { s.b = append(s.b, "null"...) }
func (s *textSink) boolean(v bool)           { s.b = strconv.AppendBool(s.b, v) }
func (s *textSink) int(v int64)              { s.b = wire.AppendInt(s.b, v) }
func (s *textSink) uint(v uint64)            { s.b = wire.AppendUint(s.b, v) }
func (s *textSink) number(text []byte) error { s.b = append(s.b, text...); return nil }
func (s *textSink) text(v string)            { s.b = wire.AppendJSONString(s.b, v, 0) }
func (s *textSink) raw(b []byte)             { s.b = append(s.b, b...) }

func (s *textSink) binary(v []byte) {
	if v == nil {
		s.null()
		return
	}
	s.b = append(base64.StdEncoding.AppendEncode(append(s.b, '"'), v), '"')
}

func (s *textSink) float32(v float32) error {
	if v-v != 0 { // not finite
		return s.fault(v)
	}
	s.b = wire.AppendFloat32(s.b, v)
	return nil
}

func (s *textSink) float64(v float64) error {
	if v-v != 0 {
		return s.fault(v)
	}
	s.b = wire.AppendFloat64(s.b, v)
	return nil
}

func (s *textSink) time(t time.Time) error {
	b, err := wire.AppendTimeRFC3339(append(s.b, '"'), t)
	if err != nil {
		return s.fault(t)
	}
	s.b = append(b, '"')
	return nil
}

// fault says what keeps v from being JSON.
func (s *textSink) fault(v any) error {
	_, err := json.Marshal(v)
	return err
}

func (s *textSink) ext(raw []byte) error {
	return fmt.Errorf("JSON has no form for extension type %d", extType(raw))
}

// extType returns the type of an extension, which stands behind a length of
// none, one, two or four bytes.
func extType(raw []byte) int8 {
	at := 1
	switch raw[0] {
	case 0xc7:
		at = 2
	case 0xc8:
		at = 3
	case 0xc9:
		at = 5
	}
	return int8(raw[at])
}

// headed gathers a record of a format in which the number of members stands before
// them. It is known after them, so that the headers are gathered apart from the rest,
// and put in where they belong when the record is whole.
type headed struct {
	appendHead func(b []byte, n int, object bool) []byte

	body  []byte
	heads []head // in the order of their places
}

// head is the header of an array or map.
type head struct {
	at     int // in the body
	n      int
	object bool
}

func (s *headed) reset() { s.body, s.heads = s.body[:0], s.heads[:0] }

func (s *headed) flush(w *bufio.Writer) {
	done := 0
	var room [16]byte
	for _, h := range s.heads {
		w.Write(s.body[done:h.at])
		done = h.at
		w.Write(s.appendHead(room[:0], h.n, h.object))
	}
	w.Write(s.body[done:])
	s.reset()
}

func (s *headed) open(object bool) int {
	s.heads = append(s.heads, head{at: len(s.body), object: object})
	return len(s.heads) - 1
}

func (s *headed) close(at, n int, _ bool) { s.heads[at].n = n }
func (s *headed) element(int)             {}
func (s *headed) raw(b []byte)            { s.body = append(s.body, b...) }

// packSink writes MessagePack.
type packSink struct{ headed }

func newPackSink() *packSink { return &packSink{headed{appendHead: packHead}} }

func packHead(b []byte, n int, object bool) []byte {
	if object {
		return msgpack.AppendMapHeader(b, n)
	}
	return msgpack.AppendArrayHeader(b, n)
}

func (s *packSink) name(_ int, name string) { s.text(name) }

func (s *packSink) null()                   { s.body = msgpack.AppendNil(s.body) }
func (s *packSink) boolean(v bool)          { s.body = msgpack.AppendBool(s.body, v) }
func (s *packSink) int(v int64)             { s.body = msgpack.AppendInt(s.body, v) }
func (s *packSink) uint(v uint64)           { s.body = msgpack.AppendUint(s.body, v) }
func (s *packSink) float32(v float32) error { s.body = msgpack.AppendFloat32(s.body, v); return nil }
func (s *packSink) float64(v float64) error { s.body = msgpack.AppendFloat64(s.body, v); return nil }
func (s *packSink) text(v string)           { s.body = msgpack.AppendString(s.body, v) }
func (s *packSink) binary(v []byte)         { s.body = msgpack.AppendBytes(s.body, v) }
func (s *packSink) time(t time.Time) error  { s.body = msgpack.AppendTime(s.body, t); return nil }
func (s *packSink) ext(raw []byte) error    { s.raw(raw); return nil }

// number writes an integer as one, whatever its size, and any other number as
// the nearest float64.
func (s *packSink) number(text []byte) error {
	return writeNumber(s, text, func(v string) error {
		return fmt.Errorf("MessagePack has no form for the integer %s, which needs more than 64 bits", wire.Short(v))
	})
}

// writeNumber writes a number, one of more than 64 bits by large.
func writeNumber(s sink, text []byte, large func(v string) error) error {
	v := string(text)
	if bytes.IndexByte(text, '.') < 0 && bytes.IndexByte(text, 'e') < 0 && bytes.IndexByte(text, 'E') < 0 {
		if v == "-0" {
			return s.float64(math.Copysign(0, -1)) // no integer has this sign
		}
		if i, err := strconv.ParseInt(v, 10, 64); err == nil {
			s.int(i)
			return nil
		}
		if u, err := strconv.ParseUint(v, 10, 64); err == nil {
			s.uint(u)
			return nil
		}
		return large(v)
	}
	f, err := strconv.ParseFloat(v, 64)
	if errors.Is(err, strconv.ErrRange) && math.IsInf(f, 0) {
		return fmt.Errorf("there is no form for the number %s, which is beyond float64", wire.Short(v))
	}
	return s.float64(f)
}
