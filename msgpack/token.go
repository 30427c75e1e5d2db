package msgpack

import (
	"errors"
	"math"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Token is a scalar, or the header of an array or map, whose Len elements or
// pairs follow as tokens. Which fields are used depends on Kind:
//
//	KindNull             none
//	KindBool             Bool
//	KindInt              Int: a signed format
//	KindUint             Uint: an unsigned format
//	KindFloat            Float, Single
//	KindString           Data, the bytes of a str
//	KindBytes            Data, those of a bin
//	KindExt, KindTime    Ext, Data; Ext is -1 for KindTime, the timestamp
//	KindArray            Len, elements
//	KindObject           Len, pairs
type Token struct {
	Kind   weft.Kind
	Bool   bool
	Single bool // a float of 32 bits
	Ext    int8
	Len    int
	Int    int64
	Uint   uint64
	Float  float64
	Data   []byte // part of the input
}

// ReadToken reads the first token of b and returns what follows it.
func ReadToken(b []byte) (t Token, rest []byte, err error) {
	end := t.read(b, 0)
	if end < 0 {
		return Token{}, nil, tokenError(b, 0, end)
	}
	return t, b[end:], nil
}

// tokenError says why there is no token at the start of b, which is at offset
// base of its stream.
func tokenError(b []byte, base int64, end int) error {
	err := weft.ErrUnexpectedEnd
	if end == packwire.Mismatch && len(b) > 0 {
		err = errNeverUsed
	}
	return &weft.Error{Format: "msgpack", Offset: base, Err: err}
}

// read reads the token at b[i:] and returns the index after it, or what packwire
// returns when there is none.
func (t *Token) read(b []byte, i int) int {
	*t = Token{}
	if i >= len(b) {
		return packwire.Short
	}
	class, next, n := packwire.Head(b, i)
	if next < 0 {
		return next
	}
	t.Kind = classKinds[class]
	switch class {
	case packwire.ClassBool:
		t.Bool = b[i] == packwire.True
	case packwire.ClassInt:
		t.Int, _ = packwire.ReadInt(b, i)
	case packwire.ClassUint:
		t.Uint, _ = packwire.ReadUint(b, i)
	case packwire.ClassFloat:
		t.Float, _ = packwire.ReadFloat64(b, i)
		t.Single = b[i] == packwire.Float32
	case packwire.ClassArray, packwire.ClassMap:
		t.Len = n
	case packwire.ClassStr, packwire.ClassBin, packwire.ClassExt:
		if n > len(b)-next {
			return packwire.Short
		}
		if class == packwire.ClassExt {
			if t.Ext = int8(b[next-1]); t.Ext == packwire.ExtTime {
				t.Kind = weft.KindTime
			}
		}
		t.Data = b[next : next+n : next+n]
		return next + n
	}
	return next
}

var errToken = errors.New("token cannot be written")

// AppendToken appends t in its shortest form. A Kind that is not a token, or a length beyond 32 bits, is an error;
// then it returns b unchanged.
func AppendToken(b []byte, t Token) ([]byte, error) {
	if t.Len < 0 || uint64(t.Len) > math.MaxUint32 || uint64(len(t.Data)) > math.MaxUint32 {
		return b, &weft.Error{Format: "msgpack", Offset: -1, Err: errLength}
	}
	switch t.Kind {
	case weft.KindNull:
		return packwire.AppendNil(b), nil
	case weft.KindBool:
		return packwire.AppendBool(b, t.Bool), nil
	case weft.KindInt:
		return packwire.AppendInt(b, t.Int), nil
	case weft.KindUint:
		return packwire.AppendUint(b, t.Uint), nil
	case weft.KindFloat:
		if t.Single {
			return packwire.AppendFloat32(b, float32(t.Float)), nil
		}
		return packwire.AppendFloat64(b, t.Float), nil
	case weft.KindString:
		return append(packwire.AppendStringHeader(b, len(t.Data)), t.Data...), nil
	case weft.KindBytes:
		return packwire.AppendBytes(b, t.Data), nil
	case weft.KindExt:
		return packwire.AppendExt(b, t.Ext, t.Data), nil
	case weft.KindTime:
		return packwire.AppendExt(b, packwire.ExtTime, t.Data), nil
	case weft.KindArray:
		return packwire.AppendArrayHeader(b, t.Len), nil
	case weft.KindObject:
		return packwire.AppendMapHeader(b, t.Len), nil
	}
	return b, &weft.Error{Format: "msgpack", Offset: -1, Err: errToken}
}

// ReadToken reads the next token of the stream, so that a container need not be
// in memory at once: after the header of an array its elements can be read by
// [Decoder.Decode] or as further tokens. The caller must keep track of nesting. Data is valid until the next method
// call. At the end of the stream it returns io.EOF, also within a container.
func (d *Decoder) ReadToken() (t Token, err error) {
	b, err := d.in.Next(packwire.Short, func(b []byte) (end, at int) { return t.read(b, 0), 0 }, func(end, _ int) error {
		d.in.Err = tokenError(d.in.Rest(), d.InputOffset(), end)
		return d.in.Err
	})
	if err != nil {
		return Token{}, err
	}
	d.in.Start += len(b)
	return t, nil
}
