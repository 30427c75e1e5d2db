package json

import (
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// value appends the value of pr's type at p.
func (e *encoder) value(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	switch pr.code {
	case putBool:
		return strconv.AppendBool(b, *mem.At[bool](p)), nil
	case putInt:
		return wire.AppendInt(b, int64(*mem.At[int](p))), nil
	case putInt8:
		return wire.AppendInt(b, int64(*mem.At[int8](p))), nil
	case putInt16:
		return wire.AppendInt(b, int64(*mem.At[int16](p))), nil
	case putInt32:
		return wire.AppendInt(b, int64(*mem.At[int32](p))), nil
	case putInt64:
		return wire.AppendInt(b, *mem.At[int64](p)), nil
	case putUint:
		return wire.AppendUint(b, uint64(*mem.At[uint](p))), nil
	case putUint8:
		return wire.AppendUint(b, uint64(*mem.At[uint8](p))), nil
	case putUint16:
		return wire.AppendUint(b, uint64(*mem.At[uint16](p))), nil
	case putUint32:
		return wire.AppendUint(b, uint64(*mem.At[uint32](p))), nil
	case putUint64:
		return wire.AppendUint(b, *mem.At[uint64](p)), nil
	case putUintptr:
		return wire.AppendUint(b, uint64(*mem.At[uintptr](p))), nil
	case putFloat32:
		f := *mem.At[float32](p)
		if f-f != 0 {
			return b, infinite(p.Value(pr.mem))
		}
		return wire.AppendFloat32(b, f), nil
	case putFloat64:
		f := *mem.At[float64](p)
		if f-f != 0 {
			return b, infinite(p.Value(pr.mem))
		}
		return wire.AppendFloat64(b, f), nil
	case putString:
		return e.text(b, *mem.At[string](p))
	case putStruct:
		return e.close(e.object(e.open(b), pr, p))
	case putPointer:
		q := p.Deref(pr.elem.mem)
		if q.IsNil() {
			return e.nilValue(b, pr)
		}
		return e.close(e.pointer(e.open(b), pr, q))
	case putSlice:
		return e.close(e.slice(e.open(b), pr, p))
	case putStrings:
		return e.close(e.strings(e.open(b), pr, *mem.At[[]string](p)))
	case putAny:
		return e.any(b, *mem.At[any](p))
	case putTime:
		return e.close(e.time(e.open(b), pr, mem.At[time.Time](p)))
	case putBytes:
		return e.bytes(b, pr, p), nil
	case putArray:
		return e.close(e.elems(e.open(b), pr.elem, p.Array(), pr.n))
	case putMap:
		return e.close(e.mapAt(e.open(b), pr, p))
	case putInterface:
		v := p.Value(pr.mem).Interface()
		if v == nil {
			return e.nilValue(b, pr)
		}
		return e.any(b, v)
	case putNumber:
		return appendNumber(b, *mem.At[string](p))
	case putRaw:
		return e.raw(b, pr, *mem.At[RawMessage](p))
	case putOption:
		return e.option(b, pr, p)
	case putUnion:
		return e.union(b, pr, p)
	case putQuoted:
		return e.quoted(b, pr.elem, p)
	case putWeft, putTo, putStd, putJSON, putText, putAppend:
		return e.hookAt(b, pr, p)
	case putFunc:
		return e.call(b, pr, p)
	case putWithin:
		return e.value(b, pr.elem, p.Field(pr.at))
	}
	return b, &UnsupportedTypeError{Type: pr.rtype}
}

// pointer writes what a pointer of pr's type points at, q, to l.
func (e *encoder) pointer(l int, pr *program, q mem.Ptr) int {
	if e.level >= startCycles {
		return e.deepPointer(l, pr, q)
	}
	e.level++
	if pr.elem.code == putStruct {
		l = e.object(l, pr.elem, q)
	} else {
		l = e.put(l, pr.elem, q)
	}
	e.level--
	return l
}

// bytes appends the bytes at p in base64.
func (e *encoder) bytes(b []byte, pr *program, p mem.Ptr) []byte {
	if p.SliceIsNil() {
		if e.flags&flagNilSliceAsEmpty != 0 || pr.full {
			return append(b, `""`...)
		}
		return append(b, "null"...)
	}
	return appendBytes(b, p.Value(pr.mem).Bytes())
}

// time writes t to l, as its MarshalJSON does.
func (e *encoder) time(l int, pr *program, t *time.Time) int {
	b, err := appendTime(e.buf[:l], *t)
	if l = e.appended(b); err != nil {
		return e.fail(l, marshalError(pr.rtype, err, "MarshalJSON"))
	}
	return l
}

// raw appends an encoded value.
func (e *encoder) raw(b []byte, pr *program, raw RawMessage) ([]byte, error) {
	if raw == nil {
		return append(b, "null"...), nil
	}
	b, err := e.compact(b, raw)
	if err != nil {
		return b, marshalError(pr.rtype, err, "MarshalJSON")
	}
	return b, nil
}

// option appends an optional or nullable value: null where there is none.
func (e *encoder) option(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	if optionState(pr.opt, p) != optionSet {
		return append(b, "null"...), nil
	}
	return e.value(b, pr.elem, p.Field(pr.opt.V))
}

// quoted appends a scalar within a JSON string.
func (e *encoder) quoted(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	if pr.code == putString {
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
