package weft

import (
	"errors"
	"math/bits"
	"time"

	"github.com/weftcodec/weft/backend"
)

// Decoder reads one value of a format for an [Unmarshaler]. Errors are sticky: after the first error every method
// returns zero values, loops end, and End and Err return the error with its location in the document.
type Decoder struct{ r backend.Reader }

// Over makes d read from r. It is for format packages.
func (d *Decoder) Over(r backend.Reader) { d.r = r }

// Reader returns the underlying cursor, for what the Decoder does not provide.
func (d *Decoder) Reader() backend.Reader { return d.r }

// Err returns the first error.
func (d *Decoder) Err() error { return d.r.Err() }

// Fail makes err the error, located at the current value, unless there is one
// already.
func (d *Decoder) Fail(err error) error {
	if err != nil {
		d.r.Fail(err)
	}
	return d.r.Err()
}

// Kind returns the kind of the next value and consumes nothing.
func (d *Decoder) Kind() Kind { return d.r.Kind() }

// Null consumes a null and returns true, or consumes nothing.
func (d *Decoder) Null() bool { return d.r.Null() }

// Bool reads a boolean.
func (d *Decoder) Bool() bool { return d.r.Bool() }

// Int reads an integer.
func (d *Decoder) Int() int { return int(d.r.Signed(0)) }

// Int8 reads an integer of 8 bits.
func (d *Decoder) Int8() int8 { return int8(d.r.Signed(8)) }

// Int16 reads an integer of 16 bits.
func (d *Decoder) Int16() int16 { return int16(d.r.Signed(16)) }

// Int32 reads an integer of 32 bits.
func (d *Decoder) Int32() int32 { return int32(d.r.Signed(32)) }

// Int64 reads an integer of 64 bits.
func (d *Decoder) Int64() int64 { return d.r.Signed(64) }

// Uint reads an unsigned integer.
func (d *Decoder) Uint() uint { return uint(d.r.Unsigned(0)) }

// Uint8 reads an unsigned integer of 8 bits.
func (d *Decoder) Uint8() uint8 { return uint8(d.r.Unsigned(8)) }

// Uint16 reads an unsigned integer of 16 bits.
func (d *Decoder) Uint16() uint16 { return uint16(d.r.Unsigned(16)) }

// Uint32 reads an unsigned integer of 32 bits.
func (d *Decoder) Uint32() uint32 { return uint32(d.r.Unsigned(32)) }

// Uint64 reads an unsigned integer of 64 bits.
func (d *Decoder) Uint64() uint64 { return d.r.Unsigned(64) }

// Float32 reads a number of single precision.
func (d *Decoder) Float32() float32 { return d.r.Float32() }

// Float64 reads a number.
func (d *Decoder) Float64() float64 { return d.r.Float64() }

// String reads a string.
func (d *Decoder) String() string { return d.r.String() }

// Bytes reads a string of bytes, nil for a null.
func (d *Decoder) Bytes() []byte {
	if d.r.Null() {
		return nil
	}
	return d.r.Bytes()
}

// Time reads an instant.
func (d *Decoder) Time() time.Time { return d.r.Time() }

// Any reads any value as the format's dynamic Go value.
func (d *Decoder) Any() any { return d.r.Any() }

// Value reads any value into the variable v points to, by the format's plan of
// its type.
func (d *Decoder) Value(v any) { d.r.Value(v) }

// Unmarshal lets u read the next value.
func (d *Decoder) Unmarshal(u Unmarshaler) {
	if d.r.Err() == nil {
		if err := u.UnmarshalWeft(d); err != nil {
			d.r.Fail(err)
		}
	}
}

// Skip validates and skips the next value.
func (d *Decoder) Skip() { d.r.Skip() }

// Raw returns the bytes of the next value, which is skipped and validated. They
// are valid until the document has been read.
func (d *Decoder) Raw() []byte { return d.r.Raw() }

// ObjectDecoder reads the members of one object. A member that is not read
// after Next has returned it is skipped, and so are those that are not in the
// table.
type ObjectDecoder struct {
	r     backend.Reader
	f     *Fields
	i     int    // index of the current member, -1 before the first
	at    int    // offset of the current member's value
	seen  uint64 // members met, those with an index below 64
	need  uint64 // members required
	begun bool
}

// Object begins to read an object with members of f.
func (d *Decoder) Object(f *Fields) ObjectDecoder {
	return ObjectDecoder{r: d.r, f: f, i: -1}
}

// Next moves to the next member that is in the table and reports whether there
// is one.
func (o *ObjectDecoder) Next() bool {
	r := o.r
	if !o.begun {
		o.begun = true
		o.i = r.BeginObject(o.f)
	} else {
		if r.Offset() == o.at {
			r.Skip()
		}
		o.i = r.Member(o.f, o.i+1)
	}
	for o.i < 0 {
		if o.i == backend.End {
			return false
		}
		r.Skip()
		o.i = r.Member(o.f, 0)
	}
	if o.i < 64 {
		o.seen |= 1 << uint(o.i)
	}
	o.at = r.Offset()
	return true
}

// Index returns the index of the current member in the table.
func (o *ObjectDecoder) Index() int { return o.i }

// Has reports whether the i-th member has been read; i must be below 64.
func (o *ObjectDecoder) Has(i int) bool { return o.seen>>uint(i)&1 != 0 }

// Require makes End return a [MissingError] unless the given members, with indexes below 64, have been read.
func (o *ObjectDecoder) Require(members ...int) {
	for _, i := range members {
		o.need |= 1 << uint(i)
	}
}

var errNotRead = errors.New("the object has not been read to its end")

// End ends the object and returns the first error.
func (o *ObjectDecoder) End() error {
	r := o.r
	if !o.begun && o.Next() || o.i != backend.End && r.Err() == nil {
		r.Fail(errNotRead)
	}
	if bits.OnesCount64(o.need&^o.seen) > 0 && r.Err() == nil {
		r.Missing(o.f, o.seen, o.need)
	}
	return r.Err()
}

// MapDecoder reads an object with arbitrary names.
type MapDecoder struct {
	r     backend.Reader
	name  string
	begun bool
}

// Map begins to read an object with arbitrary names.
func (d *Decoder) Map() MapDecoder { return MapDecoder{r: d.r} }

// Next moves to the next member and reports whether there is one. Its value
// must be read or skipped.
func (m *MapDecoder) Next() (ok bool) {
	if !m.begun {
		m.begun = true
		if !m.r.BeginMap() {
			return false
		}
	}
	m.name, ok = m.r.NextKey()
	return ok
}

// Name returns the name of the current member.
func (m *MapDecoder) Name() string { return m.name }

// End returns the first error.
func (m *MapDecoder) End() error { return m.r.Err() }

// ArrayDecoder reads the elements of one array.
type ArrayDecoder struct {
	r     backend.Reader
	begun bool
}

// Array begins to read an array.
func (d *Decoder) Array() ArrayDecoder { return ArrayDecoder{r: d.r} }

// Next moves to the next element and reports whether there is one. It must be
// read or skipped.
func (a *ArrayDecoder) Next() bool {
	if a.begun {
		return a.r.More()
	}
	a.begun = true
	return a.r.BeginArray()
}

// End returns the first error.
func (a *ArrayDecoder) End() error { return a.r.Err() }
