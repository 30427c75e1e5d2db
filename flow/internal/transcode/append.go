// Package transcode turns documents of one format into another: at once in memory,
// or as they come, in memory that does not grow with them.
package transcode

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
)

// Options are how a document is read and written.
type Options struct {
	From, To weft.Format
	Round    bool // numbers become the nearest float64 where the other format has none with their digits
	Window   int  // bytes that are held, for documents that are longer
	Max      int  // bytes of the longest string that is held
}

// The names of the formats that are known here.
var nameJSON, namePack, nameCBOR = json.Format.Name(), msgpack.Format.Name(), cbor.Format.Name()

// strict is what both ways have in common: two readers of one document must not
// differ in what they make of it. Strings may be parts of the input, since they are
// written at once.
var strict = []weft.Options{
	weft.AliasInput(true), weft.RejectDuplicates(true), jsontext.AllowInvalidUTF8(false), msgpack.RejectInvalidUTF8(true), json.EscapeForHTML(false),
}

// strictJSON are those of JSON that a copier reads, which is dropped with an error.
var strictJSON = append(slices.Clone(strict), weft.Options{}.Decide(setting.Scratch, true))

// Append appends to b the document src in the other format.
func (o *Options) Append(b, src []byte) ([]byte, error) {
	if out, ok := o.direct(b, src, schema.Walk{}); ok {
		return out, nil
	}
	return o.readWrite(b, src)
}

// Checked is Append for a document that is checked in the same pass. Where it is not ok, the document may still be as w
// asks: it is not read in that way then.
func (o *Options) Checked(b, src []byte, w schema.Walk) (out []byte, ok bool) {
	return o.direct(b, src, w)
}

// Valid reports whether the JSON text src is as w asks, and read in the same way by all: names stand once in an object,
// and text is UTF-8. It is not sure that it is not. It uses b, and returns it as it has grown.
func Valid(b, src []byte, w schema.Walk) ([]byte, bool) {
	p := packer{b: b, src: src, round: true, drop: true}
	ok := wire.ValidUTF8(src) && p.value(0, w) && blank(src[p.i:])
	return p.b, ok
}

// readWrite is Append for every document, by the readers and the encoder of the library.
func (o *Options) readWrite(b, src []byte) ([]byte, error) {
	if o.From.Name() != json.Format.Name() || o.Round {
		return weft.Transcode(b, o.To, src, o.From, strict...)
	}
	c := copier{b: b, to: o.To}
	if err := json.UnmarshalWith(src, &c, strictJSON...); err != nil {
		return b, err
	}
	return c.b, nil
}

// copier reads JSON by writing another format, in which numbers keep their digits.
type copier struct {
	b  []byte
	to weft.Format
	r  backend.Reader
}

// UnmarshalWeft implements weft.Unmarshaler.
func (c *copier) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	c.r = r
	b, err := c.to.MarshalAppend(c.b, c, strict...)
	if first := r.Err(); first != nil {
		return first
	}
	if err == nil {
		c.b = b
	}
	return err
}

// MarshalWeft implements weft.Marshaler.
func (c *copier) MarshalWeft(e *weft.Encoder) error {
	c.value(e)
	if err := c.r.Err(); err != nil {
		return e.Fail(err)
	}
	return e.Err()
}

func (c *copier) value(e *weft.Encoder) {
	r := c.r
	switch r.Kind() {
	case weft.KindArray:
		a := e.Array(-1)
		for ok := r.BeginArray(); ok && e.Err() == nil; ok = r.More() {
			a.Next()
			c.value(e)
		}
		a.End()
	case weft.KindObject:
		m := e.Map(-1)
		if !r.BeginMap() {
			return
		}
		for e.Err() == nil {
			name, ok := r.NextKey()
			if !ok {
				break
			}
			m.Name(name)
			c.value(e)
		}
		m.End()
	case weft.KindNumber:
		c.number(e)
	default:
		_ = e.Copy(r)
	}
}

// number writes an integer as one, and any other number as the float64 with its
// digits.
func (c *copier) number(e *weft.Encoder) {
	at := c.r.Mark()
	raw := c.r.Raw()
	if i, ok := smallInt(raw); ok {
		e.Int64(i)
		return
	}
	if !bytes.ContainsAny(raw, ".eE") && string(raw) != "-0" { // which is a float
		text := string(raw)
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			e.Int64(i)
			return
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			e.Uint64(u)
			return
		}
	}
	c.r.Reset(at)
	f := c.r.Float64()
	if c.r.Err() == nil && !sameDigits(raw, f) {
		c.r.Reset(at)
		c.r.Fail(fmt.Errorf("no float64 and no integer of 64 bits has the digits of the number %s", wire.Short(string(raw))))
		return
	}
	e.Float64(f)
}

// smallInt returns the integer that text is, of at most 18 digits.
func smallInt(text []byte) (n int64, ok bool) {
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(text) {
		return -n, n != 0 // -0 is a float
	}
	return n, true
}

// sameDigits reports whether the shortest text of f is the number text.
func sameDigits(text []byte, f float64) bool {
	var room, short [32]byte
	digits, exp := decimal(room[:0], text)
	if len(digits) <= 15 {
		// Same as below: float64 keeps 15 digits, unless the number is too small for it.
		if a := math.Abs(f); a >= 0x1p-1022 || len(digits) == 0 {
			return true
		}
	}
	if len(digits) > 17 {
		return false
	}
	var shortest [32]byte
	want, wantExp := decimal(short[:0], strconv.AppendFloat(shortest[:0], f, 'e', -1, 64))
	return string(digits) == string(want) && exp == wantExp
}

// decimal returns the digits of a number without zeros before and behind, and the power of ten of the
// last one; no digit for 0.
func decimal(digits, text []byte) ([]byte, int) {
	exp, point, zeros := 0, false, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.':
			point = true
		case c == 'e' || c == 'E':
			x, err := strconv.Atoi(string(text[i+1:]))
			if err != nil {
				return digits, 0 // so large that it is not a float64
			}
			return end(digits, exp+x+zeros)
		case c >= '0' && c <= '9':
			if point {
				exp--
			}
			if c == '0' {
				if len(digits) > 0 {
					zeros++
				}
				continue
			}
			for ; zeros > 0; zeros-- {
				digits = append(digits, '0')
			}
			digits = append(digits, c)
		}
	}
	return end(digits, exp+zeros)
}

func end(digits []byte, exp int) ([]byte, int) {
	if len(digits) == 0 {
		return digits, 0
	}
	return digits, exp
}
