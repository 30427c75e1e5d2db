package json

import (
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// wordFalse is the text false, the first byte lowest.
const wordFalse = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32

// object appends the struct at p. Every member is written with a comma before it, and the first
// comma becomes the brace.
func (e *encoder) object(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	start := len(b)
	how := e.flags.escapes()
	var err error
	for o := pr.first; o != nil; o = o.next {
		var at mem.Ptr
		switch { // the usual ones are better off without a table
		case o.omit == omitNever:
			at = p.Field(o.off)
		case o.omit == omitInt:
			if *mem.At[int](p.Near(o.state)) == 0 {
				continue
			}
			at = p.Field(o.off)
		default:
			switch o.omit {
			case omitString:
				if at = p.Field(o.off); *mem.At[string](at) == "" {
					continue
				}
			case omitSlice:
				if at = p.Field(o.off); at.SliceLen() == 0 {
					continue
				}
			case omitWord:
				if at = p.Field(o.off); *mem.At[uint64](at) == 0 {
					continue
				}
			case omitHalf:
				if at = p.Field(o.off); *mem.At[uint32](at) == 0 {
					continue
				}
			case omitByte:
				if at = p.Field(o.off); *mem.At[uint8](at) == 0 {
					continue
				}
			case omitFloat64:
				if at = p.Field(o.off); *mem.At[float64](at) == 0 {
					continue
				}
			case omitTime:
				if at = p.Field(o.off); mem.At[time.Time](at).IsZero() {
					continue
				}
			case omitUnset:
				if !*mem.At[bool](p.Near(o.state)) {
					continue
				}
				at = p.Field(o.off)
			case nullUnset:
				if !*mem.At[bool](p.Near(o.state)) {
					b = o.null(b)
					continue
				}
				at = p.Field(o.off)
			case omitAbsent:
				if state := *mem.At[uint8](p.Near(o.state)); state != optionSet {
					if state == optionNull {
						b = o.null(b)
					}
					continue
				}
				at = p.Field(o.off)
			default:
				if at = o.reach(p); at.IsNil() {
					continue
				}
			}
		}
		l := len(b)
		if cap(b)-l < slack {
			b = grow(b, slack)
		}
		w := mem.BytesOf(b)
		name := mem.BytesOf(o.name[:])
		w.Copy16(l, name, 0)
		w.Copy16(l+16, name, 16)
		l += int(o.n)
		if o.n > nameRoom {
			b = o.tail(b[:l-int(o.n)+nameRoom])
			w, l = mem.BytesOf(b), len(b)
		}
		var v int64
		switch o.code {
		case putString:
			s := *mem.At[string](at)
			if !mem.Safe && len(s) < wire.ShortString {
				if end := wire.SetShortString(w, l, s, how); end >= 0 {
					b = b[:end]
					continue
				}
			}
			b = wire.AppendJSONString(b[:l], s, how)
			continue
		case putBool:
			if *mem.At[bool](at) {
				w.SetU32(l, wordTrue)
				b = b[:l+4]
			} else {
				w.SetU64(l, wordFalse)
				b = b[:l+5]
			}
			continue
		case putInt:
			v = int64(*mem.At[int](at))
		case putInt32:
			v = int64(*mem.At[int32](at))
		case putInt64:
			v = *mem.At[int64](at)
		case putUint8:
			v = int64(*mem.At[uint8](at))
		case putUint32:
			v = int64(*mem.At[uint32](at))
		case putUint64:
			b = b[:wire.SetUint(w, l, *mem.At[uint64](at))]
			continue
		case putFloat64:
			f := *mem.At[float64](at)
			if f-f != 0 {
				return b, infinite(at.Value(o.sub.mem))
			}
			b = wire.AppendFloat64(b[:l], f)
			continue
		case putStruct:
			if b, err = e.object(b[:l], o.sub, at); err != nil {
				return b, err
			}
			continue
		case putSlice:
			if at.SliceLen() == 0 && !at.SliceIsNil() {
				w.SetU16(l, '['|']'<<8)
				b = b[:l+2]
				continue
			}
			if b, err = e.slice(b[:l], o.sub, at); err != nil {
				return b, err
			}
			continue
		case putStrings:
			b = e.strings(b[:l], *mem.At[[]string](at))
			continue
		case putPointer:
			if q := at.Deref(o.sub.elem.mem); q.IsNil() {
				w.SetU32(l, wordNull)
				b = b[:l+4]
			} else if b, err = e.pointer(b[:l], o.sub, q); err != nil {
				return b, err
			}
			continue
		default:
			if b, err = e.value(b[:l], o.sub, at); err != nil {
				return b, err
			}
			continue
		}
		w.Set(l, '-')
		minus := v >> 63
		b = b[:wire.SetUint(w, l-int(minus), uint64(v^minus-minus))]
	}
	if pr.rest != nil {
		if b, err = e.restMembers(b, pr.rest, p); err != nil {
			return b, err
		}
	}
	return EndObject(b, start), nil
}

// tail appends the rest of a long name, and leaves room for a number.
func (o *put) tail(b []byte) []byte {
	b = append(b, o.slow.rest...)
	if cap(b)-len(b) < slack {
		b = grow(b, slack)
	}
	return b
}

// EndObject closes the object that begins at start of b, whose members were each appended as
// `,"name":value`.
func EndObject(b []byte, start int) []byte {
	if len(b) == start {
		return append(b, "{}"...)
	}
	b[start] = '{'
	return append(b, '}')
}
