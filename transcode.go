package weft

import (
	"errors"
	"strconv"

	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// Transcode converts src, a document in the format from, to the format to, and appends the result to b. Values are
// copied one by one; no tree is built. Values that the other format does not have are translated. To JSON, bytes
// become base64, and an instant RFC 3339. From JSON, a number without fraction or exponent becomes an integer if it
// fits 64 bits. Any other number, and -0, becomes a float, or decimal text if the format has that and a float64 would
// lose digits; half a surrogate pair becomes U+FFFD, unless json/jsontext's AllowInvalidUTF8(false) makes it an error.
// An extension that the other format does not have is an error. An error belongs to the format that
// fails: to from, with the offset in src, or to to, if it cannot represent a value. The options apply to both
// formats.
func Transcode(b []byte, to Format, src []byte, from Format, opts ...Options) ([]byte, error) {
	t := transcoder{b: b, to: to, opts: opts}
	err := from.Unmarshal(src, &t, opts...)
	if t.err != nil {
		err = t.err
	}
	if err != nil {
		return b, err
	}
	return t.b, nil
}

// transcoder reads a value of one format by writing it in another.
type transcoder struct {
	b    []byte
	to   Format
	opts []Options
	r    backend.Reader
	err  error // of writing
}

// UnmarshalWeft implements Unmarshaler.
func (t *transcoder) UnmarshalWeft(d *Decoder) error {
	t.r = d.r
	b, err := t.to.MarshalAppend(t.b, (*copier)(t), t.opts...)
	if err := d.Err(); err != nil {
		return err
	}
	t.b, t.err = b, err
	return err
}

type copier transcoder

// MarshalWeft implements Marshaler.
func (c *copier) MarshalWeft(e *Encoder) error { return e.Copy(c.r) }

var errNoExt = errors.New("the format has no such extension")

// Copy writes the next value of r, which may be of another format.
func (e *Encoder) Copy(r backend.Reader) error {
	if e.err == nil {
		e.copy(r)
	}
	if err := r.Err(); err != nil {
		return e.Fail(err)
	}
	return e.err
}

func (e *Encoder) copy(r backend.Reader) {
	switch r.Kind() {
	case KindNull:
		r.Null()
		e.Null()
	case KindBool:
		if e.syn == setting.SyntaxOther {
			e.copyBool(r)
			return
		}
		e.Bool(r.Bool())
	case KindInt:
		e.Int64(r.Signed(64))
	case KindUint:
		e.Uint64(r.Unsigned(64))
	case KindFloat:
		if r.Single() {
			e.Float32(r.Float32())
			return
		}
		e.Float64(r.Float64())
	case KindNumber:
		e.copyNumber(r)
	case KindString:
		e.String(r.String())
	case KindBytes:
		if e.syn == setting.SyntaxJSON {
			if text, ok := r.Later(); ok {
				e.String(text)
				return
			}
		}
		e.Bytes(r.Bytes())
	case KindTime:
		e.Time(r.Time())
	case KindArray:
		a := e.Array(-1)
		for ok := r.BeginArray(); ok; ok = e.err == nil && r.More() {
			a.Next()
			e.copy(r)
		}
		a.End()
	case KindObject:
		m := e.Map(-1)
		if !r.BeginMap() {
			return
		}
		for e.err == nil {
			k, ok := r.NextKey()
			if !ok {
				break
			}
			m.Name(k)
			e.copy(r)
		}
		m.End()
	case KindExt:
		e.Fail(errNoExt)
	default:
		r.Skip() // says what is wrong
	}
}

// copyBool copies a boolean, of which no Go type says that it is one, to a format that may
// refuse it. Then r is still at it, so that an error of r says where it stands.
func (e *Encoder) copyBool(r backend.Reader) {
	m := r.Mark()
	if e.Value(r.Bool()); e.err != nil {
		r.Reset(m)
	}
}

// copyNumber copies a number that is text.
func (e *Encoder) copyNumber(r backend.Reader) {
	m := r.Mark()
	text := r.Decimal()
	if r.Err() != nil {
		return
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && (i != 0 || text[0] != '-') { // -0 is a float
		e.Int64(i)
		return
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		e.Uint64(u)
		return
	}
	if e.w != nil && !wire.FloatHas(text) {
		e.count++
		b, err := e.w.AppendNumber(e.b, text)
		if err != nil {
			e.Fail(err)
			return
		}
		e.b = b
		return
	}
	if e.syn == setting.SyntaxJSON && !wire.FloatHas(text) {
		e.count++
		e.b = append(e.b, text...)
		return
	}
	r.Reset(m)
	e.Float64(r.Float64())
}
