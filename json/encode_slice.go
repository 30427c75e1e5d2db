package json

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// emptyList appends a slice without elements.
func (e *encoder) emptyList(b []byte, null bool) []byte {
	if null && e.flags&NilSliceAsEmpty == 0 {
		return append(b, "null"...)
	}
	return append(b, "[]"...)
}

// slice appends the slice at p.
func (e *encoder) slice(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	n := p.SliceLen()
	if n == 0 {
		return e.emptyList(b, p.SliceIsNil()), nil
	}
	if pr.elem.leaf {
		return e.elems(b, pr.elem, p.Slice(), n)
	}
	if e.level >= startCycles {
		return e.deepSlice(b, pr, p)
	}
	e.level++
	b, err := e.elems(b, pr.elem, p.Slice(), n)
	e.level--
	return b, err
}

// strings appends a slice of strings.
func (e *encoder) strings(b []byte, s []string) []byte {
	if len(s) == 0 {
		return e.emptyList(b, s == nil)
	}
	return appendStrings(b, s, e.flags.escapes())
}

// elems appends the n elements of an array or a slice. Each is written with a comma before it, and
// the first comma becomes the bracket.
func (e *encoder) elems(b []byte, pr *program, a mem.Array, n int) ([]byte, error) {
	if n == 0 {
		return append(b, "[]"...), nil
	}
	start := len(b)
	var err error
	switch pr.code {
	case putString:
		how := e.flags.escapes()
		for i := range n {
			b = e.stringElem(b, *mem.At[string](a.At(pr.mem, i)), how)
		}
	case putFloat64:
		if !mem.Safe {
			return e.floats(b, pr, a, n, 0)
		}
		for i := range n {
			f := *mem.At[float64](a.At(pr.mem, i))
			if f-f != 0 {
				return b, infinite(a.At(pr.mem, i).Value(pr.mem))
			}
			b = wire.AppendFloat64(append(b, ','), f)
		}
	case putInt:
		b = intElems[int](b, pr, a, n)
	case putInt8:
		b = intElems[int8](b, pr, a, n)
	case putInt16:
		b = intElems[int16](b, pr, a, n)
	case putInt32:
		b = intElems[int32](b, pr, a, n)
	case putInt64:
		b = intElems[int64](b, pr, a, n)
	case putUint8:
		b = intElems[uint8](b, pr, a, n)
	case putUint16:
		b = intElems[uint16](b, pr, a, n)
	case putUint32:
		b = intElems[uint32](b, pr, a, n)
	case putStruct:
		for i := range n {
			if b, err = e.object(append(b, ','), pr, a.At(pr.mem, i)); err != nil {
				return b, err
			}
		}
	case putPointer:
		for i := range n {
			b = append(b, ',')
			q := a.At(pr.mem, i).Deref(pr.elem.mem)
			if q.IsNil() {
				b = append(b, "null"...)
			} else if b, err = e.pointer(b, pr, q); err != nil {
				return b, err
			}
		}
	case putAny:
		for i := range n {
			if b, err = e.any(append(b, ','), *mem.At[any](a.At(pr.mem, i))); err != nil {
				return b, err
			}
		}
	default:
		if pr.code == putArray && pr.elem.code == putFloat64 && pr.n > 0 && !mem.Safe {
			return e.floats(b, pr.elem, a, n*pr.n, pr.n)
		}
		for i := range n {
			if b, err = e.value(append(b, ','), pr, a.At(pr.mem, i)); err != nil {
				return b, err
			}
		}
	}
	b[start] = '['
	return append(b, ']'), nil
}

// floats appends n numbers, in arrays of group each if that is not 0.
func (e *encoder) floats(b []byte, pr *program, a mem.Array, n, group int) ([]byte, error) {
	start, closing := len(b), "]"
	if group > 0 {
		b = append(b, '[')
		start++
		closing = "]]"
	} else {
		group = n
	}
	b, done := wire.AppendFloats(b, mem.Flat[float64](a, n), group)
	if done < n {
		return b, infinite(a.At(pr.mem, done).Value(pr.mem))
	}
	b[start] = '['
	return append(b, closing...), nil
}

// intElems appends integers, each with a comma before it.
func intElems[T int | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](b []byte, pr *program, a mem.Array, n int) []byte {
	for i := range n {
		l := len(b)
		if cap(b)-l < slack {
			b = grow(b, slack)
		}
		w := mem.BytesOf(b)
		w.Set(l, ',')
		b = b[:wire.SetInt(w, l+1, int64(*mem.At[T](a.At(pr.mem, i))))]
	}
	return b
}

// stringElem appends a string with a comma before it.
func (e *encoder) stringElem(b []byte, s string, how wire.Escapes) []byte {
	l := len(b)
	if !mem.Safe && len(s) < wire.ShortString {
		if cap(b)-l < slack {
			b = grow(b, slack)
		}
		w := mem.BytesOf(b)
		w.Set(l, ',')
		if end := wire.SetShortString(w, l+1, s, how); end >= 0 {
			return b[:end]
		}
	}
	return wire.AppendJSONString(append(b[:l], ','), s, how)
}
