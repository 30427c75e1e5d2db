package cbor

import (
	"math/big"
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Marshaler is implemented by types that encode themselves as one item.
type Marshaler interface {
	MarshalCBOR() ([]byte, error)
}

// Unmarshaler is implemented by types that decode themselves from one item, which they must not retain.
type Unmarshaler interface {
	UnmarshalCBOR(b []byte) error
}

// Raw is one encoded item. It is written unchanged, after a check that it is well-formed, and read without being
// decoded. An empty Raw is written as null.
type Raw []byte

// Tag is an item with a tag (§3.4). An item whose tag has no special meaning is read into an interface as a Tag.
type Tag struct {
	Number  uint64
	Content any
}

// RawTag is an item with a tag, which is not decoded.
type RawTag struct {
	Number  uint64
	Content Raw
}

// Simple is a simple value (§3.3). A simple value without a special meaning is read into an interface as a Simple.
// The values from 24 to 31 do not exist.
type Simple uint8

// Tags with a meaning (§3.4).
const (
	tagText     = 0 // a time of RFC 3339
	tagEpoch    = 1
	tagPositive = 2
	tagNegative = 3
	tagDecimal  = 4
	tagBigFloat = 5
	tagURL64    = 21 // bytes that are to become base64 of URLs
	tagBase64   = 22 // bytes that are to become base64
	tagHex      = 23
	tagEncoded  = 24 // an item in a byte string
	tagText64   = 34 // text that is base64
	tagTextURL  = 33
	tagDays     = 100
	tagDate     = 1004
)

// specialOf returns the functions of the types that are written and read by some of their own.
func specialOf(t reflect.Type) (put encodeFunc, get decodeFunc) {
	switch t {
	case reflect.TypeFor[Tag]():
		return putTag, getTag
	case reflect.TypeFor[RawTag]():
		return putRawTag, getRawTag
	case reflect.TypeFor[Simple]():
		return putSimple, getSimple
	case reflect.TypeFor[big.Int]():
		return putBigInt, getBigInt
	}
	return nil, nil
}

func putTag(s *encoder, b []byte, q mem.Ptr) []byte {
	t := mem.At[Tag](q)
	if !s.enter() {
		return b
	}
	b = s.top(cborwire.AppendHead(b, cborwire.Tag, t.Number), t.Content)
	s.depth--
	return b
}

func getTag(r *reader, i int, q mem.Ptr) int {
	n, next := r.tagAt(i)
	if next < 0 || !r.deeper(i) {
		return -1
	}
	v, end := r.anyAt(next)
	if end < 0 {
		return -1
	}
	*mem.At[Tag](q) = Tag{n, v}
	r.depth--
	return end
}

func putRawTag(s *encoder, b []byte, q mem.Ptr) []byte {
	t := mem.At[RawTag](q)
	return s.raw(cborwire.AppendHead(b, cborwire.Tag, t.Number), t.Content)
}

func getRawTag(r *reader, i int, q mem.Ptr) int {
	n, next := r.tagAt(i)
	if next < 0 || !r.deeper(i) {
		return -1
	}
	end := r.skip(next)
	if end < 0 {
		return -1
	}
	*mem.At[RawTag](q) = RawTag{n, append(Raw(nil), r.b[next:end]...)}
	r.depth--
	return end
}

// tagAt reads the tag at i and returns the index of its content.
func (r *reader) tagAt(i int) (number uint64, next int) {
	c, n, next := r.head(i)
	if next < 0 {
		return 0, -1
	}
	if c&0xe0 != cborwire.Tag {
		return 0, r.bad(i, cborwire.Mismatch, "tag")
	}
	return n, next
}

func putSimple(s *encoder, b []byte, q mem.Ptr) []byte {
	v := *mem.At[Simple](q)
	if v >= 24 && v < 32 {
		return s.fail(b, errSimple)
	}
	return cborwire.AppendSimple(b, uint8(v))
}

func getSimple(r *reader, i int, q mem.Ptr) int {
	c, n, next := r.head(i)
	if next < 0 {
		return -1
	}
	if c < cborwire.Simple || c > cborwire.Simple8 {
		return r.bad(i, cborwire.Mismatch, "cbor.Simple")
	}
	*mem.At[Simple](q) = Simple(n)
	return next
}

func putBigInt(s *encoder, b []byte, q mem.Ptr) []byte { return appendBig(b, mem.At[big.Int](q)) }

// appendBig appends v as an integer, or as a bignum where there is not in 64 bits (§3.4.3).
func appendBig(b []byte, v *big.Int) []byte {
	major := byte(cborwire.Uint)
	if v.Sign() < 0 {
		major = cborwire.Nint
		v = new(big.Int).Not(v)
	}
	if v.IsUint64() {
		return cborwire.AppendHead(b, major, v.Uint64())
	}
	return cborwire.AppendBytes(append(b, cborwire.Tag|tagPositive|major>>5), v.Bytes())
}

func getBigInt(r *reader, i int, q mem.Ptr) int {
	if r.null(i) {
		*mem.At[big.Int](q) = big.Int{}
		return i + 1
	}
	v, end := r.bigAt(i)
	if end >= 0 {
		*mem.At[big.Int](q) = *v
	}
	return end
}

// bigAt reads an integer of any size.
func (r *reader) bigAt(i int) (v *big.Int, end int) {
	at, number := r.tagged(i)
	if at < 0 {
		return nil, -1
	}
	c, n, next := r.head(at)
	switch {
	case next < 0:
		return nil, -1
	case c < cborwire.Bytes:
		v, end = new(big.Int).SetUint64(n), next
	case c&0xe0 == cborwire.Bytes && (number == tagPositive || number == tagNegative):
		body, stop := r.body(at)
		if stop < 0 {
			return nil, -1
		}
		v, end = new(big.Int).SetBytes(body), stop
		c = cborwire.Uint
		if number == tagNegative {
			c = cborwire.Nint
		}
	default:
		return nil, r.bad(i, cborwire.Mismatch, "big.Int")
	}
	if c >= cborwire.Nint {
		v.Not(v)
	}
	return v, end
}
