package json

import (
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// value appends the value of pr's type at p.
func (e *encoder) value(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	return e.close(e.put(e.open(b), pr, p))
}

// putOther is put for the other kinds.
func (e *encoder) putOther(l int, pr *program, p mem.Ptr) int {
	w := mem.BytesOf(e.buf)
	switch pr.code {
	case opInt8:
		return wire.SetInt(w, l, int64(*mem.At[int8](p)))
	case opInt16:
		return wire.SetInt(w, l, int64(*mem.At[int16](p)))
	case opUint:
		return wire.SetUint(w, l, uint64(*mem.At[uint](p)))
	case opUint8:
		return wire.SetUint(w, l, uint64(*mem.At[uint8](p)))
	case opUint16:
		return wire.SetUint(w, l, uint64(*mem.At[uint16](p)))
	case opUint32:
		return wire.SetUint(w, l, uint64(*mem.At[uint32](p)))
	case opUint64:
		return wire.SetUint(w, l, *mem.At[uint64](p))
	case opUintptr:
		return wire.SetUint(w, l, uint64(*mem.At[uintptr](p)))
	case opFloat32:
		if f := *mem.At[float32](p); f-f == 0 {
			return e.appended(wire.AppendFloat32(e.buf[:l], f))
		}
		return e.fail(l, infinite(p.Value(pr.mem)))
	case opPointer:
		return e.nilPointer(l, pr)
	case opAny:
		return e.any(l, *mem.At[any](p))
	case opInterface:
		if v := p.Value(pr.mem).Interface(); v != nil {
			return e.any(l, v)
		}
		return e.nilPointer(l, pr)
	case opBytes:
		if p.SliceIsNil() {
			return e.empty(l, `""`, !pr.full, flagNilSliceAsEmpty)
		}
		return e.appended(appendBytes(e.buf[:l], p.Value(pr.mem).Bytes()))
	case opArray:
		return e.elems(l, pr.elem, p.Array(), pr.n)
	case opNumber:
		return e.opened(appendNumber(e.buf[:l], *mem.At[string](p)))
	case opRaw:
		raw := *mem.At[RawMessage](p)
		switch {
		case raw == nil && !e.outer.names():
			return e.putNull(l)
		case raw == nil:
			raw = RawMessage("null")
		}
		return e.fromJSON(l, pr, raw, nil, "MarshalJSON")
	case opOption:
		if optionState(pr.opt, p) != optionSet {
			return e.nilPointer(l, pr)
		}
		return e.put(l, pr.elem, p.Field(pr.opt.V))
	case opUnion:
		return e.opened(e.union(e.buf[:l], pr, p))
	case opQuoted:
		return e.opened(e.quoted(e.buf[:l], pr.elem, p))
	case opWeft, opTo, opStd, opJSON, opText, opAppend:
		return e.hookAt(l, pr, p)
	case opFunc:
		return e.opened(e.call(e.buf[:l], pr, p))
	}
	return e.fail(l, &UnsupportedTypeError{Type: pr.rtype})
}

// pointer writes what a pointer of pr's type points at, q, to l.
func (e *encoder) pointer(l int, pr *program, q mem.Ptr) int {
	if e.level >= startCycles {
		return e.deepPointer(l, pr, q)
	}
	e.level++
	if pr.elem.code == opStruct {
		l = e.object(l, pr.elem, q)
	} else {
		l = e.put(l, pr.elem, q)
	}
	e.level--
	return l
}

// time writes t to l, as its MarshalJSON does.
func (e *encoder) time(l int, pr *program, t *time.Time) int {
	b, err := appendTime(e.buf[:l], *t)
	if l = e.appended(b); err != nil {
		return e.fail(l, e.marshalError(pr.rtype, err, "MarshalJSON"))
	}
	return l
}

// quoted appends a scalar within a JSON string.
func (e *encoder) quoted(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	if pr.code == opString {
		var room [128]byte
		s, err := e.text(room[:0], *mem.At[string](p))
		if err != nil {
			return b, err
		}
		was := e.flags
		e.flags &^= flagEscapeHTML
		b, err = e.text(b, mem.String(s))
		e.flags = was
		return b, err
	}
	l := len(b)
	b, err := e.value(append(b, '"'), pr, p)
	if err != nil {
		return b[:l], err
	}
	return append(b, '"'), nil
}
