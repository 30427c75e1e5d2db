package convert

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// itemSink writes CBOR, in its preferred form (RFC 8949 §4.1, §6.2).
type itemSink struct{ headed }

func newItemSink() *itemSink { return &itemSink{headed{appendHead: itemHead}} }

func itemHead(b []byte, n int, object bool) []byte {
	if object {
		return cborwire.AppendHead(b, cborwire.Map, uint64(n))
	}
	return cborwire.AppendHead(b, cborwire.Array, uint64(n))
}

func (s *itemSink) name(_ int, name string) { s.text(name) }

func (s *itemSink) null()                   { s.body = append(s.body, cborwire.Null) }
func (s *itemSink) boolean(v bool)          { s.body = cborwire.AppendBool(s.body, v) }
func (s *itemSink) int(v int64)             { s.body = cborwire.AppendInt(s.body, v) }
func (s *itemSink) uint(v uint64)           { s.body = cborwire.AppendUint(s.body, v) }
func (s *itemSink) float32(v float32) error { return s.float64(float64(v)) }
func (s *itemSink) float64(v float64) error { s.body = cborwire.AppendFloat(s.body, v); return nil }
func (s *itemSink) text(v string)           { s.body = cborwire.AppendText(s.body, v) }
func (s *itemSink) binary(v []byte)         { s.body = cborwire.AppendBytes(s.body, v) }

func (s *itemSink) time(t time.Time) (err error) { return s.value(t) }

func (s *itemSink) ext(raw []byte) error {
	return fmt.Errorf("CBOR has no form for extension type %d", extType(raw))
}

func (s *itemSink) value(v any) (err error) {
	s.body, err = cbor.MarshalAppend(s.body, v)
	var located *weft.Error
	if errors.As(err, &located) {
		err = located.Err
	}
	return err
}

// mostDigits bounds the digits of an integer that becomes a bignum.
const mostDigits = 1 << 10

// number writes an integer of more than 64 bits as a bignum.
func (s *itemSink) number(text []byte) error {
	return writeNumber(s, text, func(v string) error {
		i, ok := new(big.Int), len(v) <= mostDigits
		if ok {
			_, ok = i.SetString(v, 10)
		}
		if !ok {
			return fmt.Errorf("the integer %s has more than %d digits", wire.Short(v), mostDigits)
		}
		return s.value(i)
	})
}

// simple returns the error for a simple value of CBOR that nobody has given a meaning.
func (c *converter) simple(raw []byte) error {
	n, _ := cborwire.Head(raw, 0)
	return fmt.Errorf("%s has no form for simple value %d", c.to, n)
}

// items converts a CBOR sequence (RFC 8742), as sequence does MessagePack values.
func (c *converter) items() error {
	dec := cboritem.NewDecoder(c.in)
	for {
		c.base = dec.InputOffset()
		kind := dec.PeekKind()
		var err error
		if kind == cboritem.KindArray && (c.sink != nil || c.alone) {
			err = c.array(dec)
		} else {
			err = c.item(dec)
		}
		if err == io.EOF {
			break
		} else if err != nil && c.records > 0 {
			return fmt.Errorf("value %d: %w", c.records+1, err)
		} else if err != nil {
			return err
		}
	}
	return c.ended("cbor")
}

// item converts the next item as a whole.
func (c *converter) item(dec *cboritem.Decoder) error {
	b, err := dec.ReadItem()
	if err != nil {
		return err
	}
	if c.to == JSON && c.records == 0 {
		b = slices.Clone(b) // which is gone when more is read
		if c.more(dec) {
			c.out.WriteByte('[')
		}
	}
	return c.locate(cbor.Unmarshal(b, &record{c}))
}

// more reports whether another item follows.
func (c *converter) more(dec *cboritem.Decoder) bool { return dec.PeekKind() != cboritem.KindInvalid }

// array converts the array that comes next, element by element.
func (c *converter) array(dec *cboritem.Decoder) error {
	head, err := dec.ReadToken()
	if err != nil {
		return err
	}
	n := -1
	if !head.Open {
		n = int(head.Arg)
	}
	whole, err := cboritem.AppendToken(nil, head)
	if err != nil {
		return err
	}
	l := c.openList(n, whole)
	defer l.close()
	i := 0
	for ; n < 0 && dec.PeekKind() != cboritem.KindBreak || i < n; i++ {
		c.base = dec.InputOffset()
		b, err := dec.ReadItem()
		if err != nil {
			return c.inElement(err, i, true)
		}
		l.next(i)
		if err := cbor.Unmarshal(b, &element{c}); err != nil {
			return c.inElement(c.locate(err), i, true)
		}
	}
	if n < 0 {
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		l.last = []byte{cborwire.Break}
	}
	return l.end(i, func() bool { return c.more(dec) })
}

// UnmarshalWeft converts the value that d is at.
func (v *element) UnmarshalWeft(d *weft.Decoder) error { return v.convert(d.Reader()) }
