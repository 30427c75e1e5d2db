package json

import (
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/structwire"
)

// empty writes text, that of a value without elements, to l, or a null if it is nil and no flag asks for the text.
func (e *encoder) empty(l int, text string, isNil bool, flag encodeFlags) int {
	if isNil && e.flags&flag == 0 {
		text = "null"
	}
	return e.appended(append(e.buf[:l], text...))
}

// slice writes the slice at p to l.
func (e *encoder) slice(l int, pr *program, p mem.Ptr) int {
	n := p.SliceLen()
	if n == 0 {
		return e.empty(l, "[]", p.SliceIsNil() && !pr.full, flagNilSliceAsEmpty)
	}
	if e.leaf(pr.elem) {
		return e.elems(l, pr.elem, p.Slice(), n)
	}
	if e.level >= startCycles {
		return e.deep(l, pr, p.Value(pr.mem), p)
	}
	e.level++
	l = e.elems(l, pr.elem, p.Slice(), n)
	e.level--
	return l
}

// endArray closes the array that begins at start.
func (e *encoder) endArray(l, start int) int {
	if l == len(e.buf) {
		l = e.room(l)
	}
	w := mem.BytesOf(e.buf)
	w.Set(start, '[')
	w.Set(l, ']')
	return l + 1
}

// elems writes the n elements of an array or a slice to l. Each is written with a comma before it, and
// the first comma becomes the bracket.
func (e *encoder) elems(l int, pr *program, a mem.Array, n int) int {
	if n == 0 {
		return e.appended(append(e.buf[:l], "[]"...))
	}
	start := l
	switch {
	case pr.code == opFloat64 && !mem.Safe:
		return e.floats(l, pr, a, n, 0)
	case pr.code == opArray && pr.elem.code == opFloat64 && pr.n > 0 && !mem.Safe:
		return e.floats(l, pr.elem, a, n*pr.n, pr.n)
	case pr.isPlainStruct() || pr.code == opPointer && e.level < startCycles && pr.elem.isPlainStruct():
		return e.structs(l, pr, a, n)
	default:
		for i := range n {
			if len(e.buf)-l < slack {
				l = e.room(l)
			}
			w := mem.BytesOf(e.buf)
			w.Set(l, ',')
			l++
			p := a.At(pr.mem, i)
			switch pr.code {
			case opString:
				l = e.putString(l, *mem.At[string](p))
			case opInt:
				l = wire.SetInt(w, l, int64(*mem.At[int](p)))
			case opInt8:
				l = wire.SetInt(w, l, int64(*mem.At[int8](p)))
			case opInt16:
				l = wire.SetInt(w, l, int64(*mem.At[int16](p)))
			case opInt32:
				l = wire.SetInt(w, l, int64(*mem.At[int32](p)))
			case opInt64:
				l = wire.SetInt(w, l, *mem.At[int64](p))
			case opUint8:
				l = wire.SetInt(w, l, int64(*mem.At[uint8](p)))
			case opUint16:
				l = wire.SetInt(w, l, int64(*mem.At[uint16](p)))
			case opUint32:
				l = wire.SetInt(w, l, int64(*mem.At[uint32](p)))
			case opPointer:
				if q := p.Deref(pr.elem.mem); q.IsNil() {
					l = e.nilPointer(l, pr)
				} else {
					l = e.pointer(l, pr, q)
				}
			default:
				l = e.put(l, pr, p)
			}
			if l < 0 {
				return e.within(l, strconv.Itoa(i))
			}
		}
	}
	return e.endArray(l, start)
}

// isPlainStruct reports whether pr is of structs whose members are known and are all that there is to write.
func (pr *program) isPlainStruct() bool {
	return pr.code == opStruct && pr.waits.Load() == nil && pr.rest == nil
}

// structs writes the n structs of a, or what its pointers to structs point at, to l: see [encoder.object] and
// [encoder.pointer].
func (e *encoder) structs(l int, pr *program, a mem.Array, n int) int {
	to := pr
	if pr.code == opPointer {
		to = pr.elem
		e.level++
	}
	start, runs := l, e.runs(to)
	whole := runs
	for i := 0; whole && to != pr && i < n; i++ {
		whole = !a.At(pr.mem, i).Deref(to.mem).IsNil()
	}
	if whole {
		if len(e.buf)-l < slack {
			l = e.room(l)
		}
		mem.BytesOf(e.buf).Set(l, ',')
		list := &to.lists[0]
		if to != pr {
			list = &to.lists[1]
		}
		if l = e.run(l+1, to, a.At(pr.mem, 0), list, n); to != pr {
			e.level--
		}
		return l
	}
	for i := range n {
		if len(e.buf)-l < slack {
			l = e.room(l)
		}
		mem.BytesOf(e.buf).Set(l, ',')
		p := a.At(pr.mem, i)
		if to != pr {
			if p = p.Deref(to.mem); p.IsNil() {
				if l = e.nilPointer(l+1, pr); l < 0 {
					return e.within(l, strconv.Itoa(i))
				}
				continue
			}
		}
		var end int
		if runs {
			end = e.run(l+1, to, p, nil, 0)
		} else {
			end = e.members(l+1, to.first, nil, p)
		}
		switch {
		case end < 0:
			return e.within(end, strconv.Itoa(i))
		case end == l+1: // it is empty
			end++
		case end == len(e.buf):
			end = e.room(end)
		}
		w := mem.BytesOf(e.buf)
		w.Set(l+1, '{')
		w.Set(end, '}')
		l = end + 1
	}
	if to != pr {
		e.level--
	}
	return e.endArray(l, start)
}

// floats writes n numbers to l, in arrays of group each if that is not 0.
func (e *encoder) floats(l int, pr *program, a mem.Array, n, group int) int {
	b, start, closing := e.buf[:l], l, "]"
	if group > 0 {
		b = append(b, '[')
		start++
		closing = "]]"
	} else {
		group = n
	}
	b, done := structwire.AppendFloats(b, mem.Flat[float64](a, n), group)
	if done < n {
		if done > 0 && group < n && done%group == 0 {
			b = append(b, "],"...)
		}
		b = append(b, ',') // before the number that is not valid, whose place it tells
		return e.fail(e.open(b), infinite(a.At(pr.mem, done).Value(pr.mem)))
	}
	b[start] = '['
	return e.open(append(b, closing...))
}
