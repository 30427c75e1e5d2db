package msgpack

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// The methods of this file read the value at offset i of the document into a
// location and return the index after it, -1 after an error.

// document reads the whole document into the variable that v points to; p is the program of v, if that takes no more
// than a look. Unless the document is known to be well-formed, and if it is not, the variable is left unchanged: one
// that is zero is made so again, any other waits until the whole document is checked.
func (r *Reader) document(v any, p *program, wellFormed bool) {
	var q mem.Ptr
	if p != nil && p.into && r.programs == &programs {
		p, q = p.elem, mem.PtrOf(v)
	}
	if q.IsNil() {
		if p, q = r.target(0, v); p == nil {
			return
		}
	}
	zero := false
	if !wellFormed {
		if zero = q.AllZero(p.mem); !zero {
			if end, at := packwire.Skip(r.b, 0, r.maxDepth); end != len(r.b) {
				r.illFormed(end, at)
				return
			}
		}
	}
	if r.flags&setting.RejectDuplicates != 0 {
		if r.duplicates(false); r.err != nil {
			return
		}
	}
	end := -1
	if p.dec == plan.Struct {
		end = r.structure(0, p, q)
	} else {
		end = r.value(0, p, q)
	}
	if end >= 0 {
		r.i = end
	}
	if zero && end != len(r.b) {
		r.restore(q, p.mem)
	}
}

// restore makes the variable at q zero again if the document is not well-formed.
func (r *Reader) restore(q mem.Ptr, m *mem.Type) {
	b := r.b
	if r.err != nil {
		b = r.all
	}
	if end, _ := packwire.Skip(b, 0, r.maxDepth); end != len(b) {
		m.Clear(q)
	}
}

// illFormed fails as [packwire.Skip] has found the document.
func (r *Reader) illFormed(end, at int) {
	switch {
	case end >= 0:
		r.fail(end, weft.ErrTrailingData)
	case end == packwire.Deep:
		r.fail(at, weft.ErrDepth)
	default:
		r.bad(at, end, "value")
	}
}

// target returns the program of the variable that v points to, and where that is: nil where there is none for the value
// at i, which fails.
func (r *Reader) target(i int, v any) (*program, mem.Ptr) {
	if p := r.programs.First(v); p != nil && p.into {
		if q := mem.PtrOf(v); !q.IsNil() {
			return p.elem, q
		}
	}
	return r.anyTarget(i, v)
}

//go:noinline
func (r *Reader) anyTarget(i int, v any) (p *program, q mem.Ptr) {
	var fault error
	if v != nil {
		p = r.programs.of(v)
		fault = p.faults[plan.Unmarshal]
		if t := reflect.TypeOf(v); p.enc == plan.Pointer {
			p = p.elem
		} else if t.Kind() == reflect.Pointer { // there is a codec for pointers of its type
			p = r.programs.compile(t.Elem())
			fault = p.faults[plan.Unmarshal]
		} else {
			p = nil
		}
		if p != nil {
			q = mem.PtrOf(v)
		}
	}
	switch {
	case q.IsNil():
		r.fail(i, errTarget)
		return nil, q
	case fault != nil:
		r.fail(i, fault)
		return nil, q
	}
	return p, q
}

var (
	errTarget = errors.New("expected a non-nil pointer to unmarshal into")
	errHook   = errors.New("the value has not been read to its end")
)

// value reads the value at i into q.
func (r *Reader) value(i int, p *program, q mem.Ptr) int {
	switch p.dec {
	case plan.Struct:
		return r.structure(i, p, q)
	case plan.String:
		s, end := r.string(i)
		if end >= 0 {
			*mem.At[string](q) = s
		}
		return end
	case plan.Bool:
		return r.bool(i, mem.At[bool](q))
	case plan.Int, plan.Int8, plan.Int16, plan.Int32, plan.Int64:
		return r.int(i, p.dec, q)
	case plan.Uint, plan.Uint8, plan.Uint16, plan.Uint32, plan.Uint64, plan.Uintptr:
		return r.uint(i, p.dec, q)
	case plan.Float64:
		return r.float64(i, mem.At[float64](q))
	case plan.Float32:
		return r.float32(i, mem.At[float32](q))
	case cFast:
		return p.decFast(r, i, q)
	case plan.Slice:
		return r.slice(i, p, q)
	case plan.Map:
		return r.mapping(i, p, q)
	case plan.Pointer:
		return r.pointer(i, p, q)
	case cUnion:
		return r.union(i, p, q)
	case plan.Any:
		return r.dynamic(i, mem.At[any](q))
	case plan.Bytes:
		return r.bytes(i, mem.At[[]byte](q))
	case plan.Time:
		if r.null(i) {
			*mem.At[time.Time](q) = time.Time{}
			return i + 1
		}
		t, end := r.timeAt(i)
		if end >= 0 {
			*mem.At[time.Time](q) = t
		}
		return end
	}
	return r.rare(i, p, q)
}

// rare is value for the kinds that are met less often.
func (r *Reader) rare(i int, p *program, q mem.Ptr) int {
	switch p.dec {
	case cLate:
		late, err := p.later.Meet(plan.Unmarshal)
		if err != nil {
			return r.fail(i, err)
		}
		return r.value(i, late, q)
	case plan.Array:
		return r.array(i, p, q)
	case plan.Option:
		return r.option(i, p, q, false)
	case plan.Interface:
		return r.iface(i, p, q)
	case plan.ByteSlice:
		var b []byte
		end := r.bytes(i, &b)
		if end >= 0 {
			v := q.Value(p.mem)
			if b == nil {
				v.SetZero()
			} else {
				s := reflect.MakeSlice(p.typ.Rtype, len(b), len(b))
				copy(s.Bytes(), b)
				v.Set(s)
			}
		}
		return end
	case plan.ByteArray:
		return r.byteArray(i, p, q)
	case plan.Number:
		return r.number(i, mem.At[string](q))
	case plan.Raw:
		end := r.skip(i)
		if end >= 0 {
			raw := mem.At[[]byte](q)
			*raw = append((*raw)[:0], r.b[i:end]...)
		}
		return end
	case plan.Complex64, plan.Complex128:
		return r.complex(i, p, q)
	case cAppender, cWeft, cBinary, cText:
		return r.hook(i, p, q)
	case cRuled:
		if p.typ.NoNull && r.null(i) {
			return r.bad(i, packwire.Mismatch, p.typ.Rtype.String())
		}
		if p.typ.Rules != nil && p.typ.Rules.Schema != nil && !r.conforms(i, p.typ.Rules) {
			return -1
		}
		end := r.value(i, p.unruled, q)
		if end >= 0 && p.typ.Rules != nil && r.flags&setting.Unchecked == 0 && !p.typ.Rules.Hold(q) &&
			!entry.Broken(&r.shared, i, p.typ.Rules, q) {
			return -1
		}
		return end
	}
	return r.fail(i, errors.New(p.typ.Rtype.String()+" has no form in MessagePack"))
}

// null reports whether a nil stands at i.
func (r *Reader) null(i int) bool { return i < len(r.b) && r.b[i] == packwire.Nil }

// string reads a string; a nil is "".
func (r *Reader) string(i int) (string, int) {
	b := r.b
	if i < len(b) && b[i]&0xe0 == packwire.FixStr {
		start := i + 1
		n := int(b[i] & 31)
		at, most := r.slab.Used, max(n, 16)
		if n > 0 && len(r.slab.Chunk)-at >= most && len(b)-start >= most && r.flags&flagUTF8 == 0 { // same as carve
			from, to := mem.BytesOf(b), mem.BytesOf(r.slab.Chunk)
			to.Copy16(at, from, start)
			if n > 16 {
				to.Copy16(at+n-16, from, start+n-16)
			}
			r.slab.Used = at + n
			return to.View(at, at+n), start + n
		}
		end := start + n
		if end <= len(b) && r.flags&flagUTF8 == 0 {
			return r.carve(start, end), end
		}
	}
	return r.stringSlow(i)
}

func (r *Reader) stringSlow(i int) (string, int) {
	start, end := packwire.ReadString(r.b, i)
	if end < 0 {
		if r.null(i) && !r.noNil {
			return "", i + 1
		}
		return "", r.bad(i, end, "string")
	}
	if r.flags&flagUTF8 != 0 && !utf8.Valid(r.b[start:end]) {
		return "", r.fail(i, errUTF8)
	}
	if packwire.IsBin(r.b[i]) { // no value of a discriminator
		r.unconfirmed = true
	}
	return r.carve(start, end), end
}

func (r *Reader) bool(i int, v *bool) int {
	x, end := getBool(r, i)
	if end >= 0 {
		*v = x
	}
	return end
}

// int reads a signed integer of the kind c.
func (r *Reader) int(i int, c plan.Kind, q mem.Ptr) int {
	v, end := packwire.ReadInt(r.b, i)
	if end < 0 {
		if !r.null(i) {
			return r.bad(i, end, c.String())
		}
		v, end = 0, i+1
	}
	if !steps.StoreInt(stepCodes[c], q, v) {
		return r.bad(i, packwire.Range, c.String())
	}
	return end
}

// uint reads an unsigned integer of the kind c.
func (r *Reader) uint(i int, c plan.Kind, q mem.Ptr) int {
	v, end := packwire.ReadUint(r.b, i)
	if end < 0 {
		if !r.null(i) {
			return r.bad(i, end, c.String())
		}
		v, end = 0, i+1
	}
	if !steps.StoreUint(stepCodes[c], q, v) {
		return r.bad(i, packwire.Range, c.String())
	}
	return end
}

func (r *Reader) float64(i int, v *float64) int {
	b := r.b
	if len(b)-i >= 9 && b[i] == packwire.Float64 {
		*v = math.Float64frombits(binary.BigEndian.Uint64(b[i+1:]))
		return i + 9
	}
	f, end := getFloat(r, i)
	if end >= 0 {
		*v = f
	}
	return end
}

func (r *Reader) float32(i int, v *float32) int {
	f, end := getSingle(r, i)
	if end >= 0 {
		*v = f
	}
	return end
}

// bytes reads a bin or str into *v, whose memory is used again when it is large
// enough.
func (r *Reader) bytes(i int, v *[]byte) int {
	start, end := packwire.ReadString(r.b, i)
	if end < 0 {
		if !r.null(i) {
			return r.bad(i, end, "[]byte")
		}
		*v = nil
		return i + 1
	}
	if n := end - start; n <= cap(*v) && n > 0 && r.flags&setting.AliasInput == 0 {
		*v = (*v)[:n]
		copy(*v, r.b[start:end])
	} else {
		*v = r.carveBytes(start, end)
	}
	return end
}

// byteArray reads a bin or str of exactly the array's length.
func (r *Reader) byteArray(i int, p *program, q mem.Ptr) int {
	if r.null(i) {
		p.mem.Clear(q)
		return i + 1
	}
	start, end := packwire.ReadString(r.b, i)
	if end < 0 {
		return r.bad(i, end, p.typ.Rtype.String())
	}
	if end-start != p.typ.Len {
		return r.fail(i, lengthError(end-start, p.typ.Len))
	}
	copy(q.Value(p.mem).Bytes(), r.b[start:end])
	return end
}

// lengthError says that n elements are present and want are expected.
func lengthError(n, want int) error { return fmt.Errorf("length is %d, must be %d", n, want) }

// number reads a number as text.
func (r *Reader) number(i int, v *string) int {
	switch {
	case i >= len(r.b):
		return r.bad(i, packwire.Short, "number")
	case r.null(i):
		*v = ""
		return i + 1
	}
	switch r.kindAt(i) {
	case weft.KindInt, weft.KindUint:
		if text, end := integerText(r.b, i); end >= 0 {
			*v = text
			return end
		}
	case weft.KindFloat:
		if x, end := packwire.ReadFloat64(r.b, i); end >= 0 {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return r.fail(i, errFinite)
			}
			*v = strconv.FormatFloat(x, 'g', -1, 64)
			return end
		}
	case weft.KindString: // what no float holds
		text, end := r.string(i)
		if end < 0 || wire.NumberLen(text) == len(text) && !wire.FloatHas(text) {
			*v = text
			return end
		}
		fallthrough
	default:
		return r.bad(i, packwire.Mismatch, "number")
	}
	return r.bad(i, packwire.Short, "number")
}

// complex reads an array of two floats, or the extensions by which other
// libraries write complex numbers.
func (r *Reader) complex(i int, p *program, q mem.Ptr) int {
	var re, im float64
	end := i + 1
	if !r.null(i) {
		if end = r.complexAt(i, p, &re, &im); end < 0 {
			return end
		}
	}
	if p.dec == plan.Complex64 {
		if c := complex64(complex(re, im)); beyond32(real(c), re) || beyond32(imag(c), im) {
			return r.fail(i, errRange)
		}
		*mem.At[complex64](q) = complex64(complex(re, im))
	} else {
		*mem.At[complex128](q) = complex(re, im)
	}
	return end
}

// beyond32 reports whether v, which was rounded to single, is beyond that.
func beyond32(single float32, v float64) bool {
	return math.IsInf(float64(single), 0) && !math.IsInf(v, 0)
}

func (r *Reader) complexAt(i int, p *program, re, im *float64) int {
	if typ, start, end := packwire.ReadExt(r.b, i); end >= 0 {
		body := r.b[start:end]
		switch {
		case len(body) == 8 && (typ == 3 || typ == -128): // tinylib/msgp, shamaton
			*re = float64(math.Float32frombits(binary.BigEndian.Uint32(body)))
			*im = float64(math.Float32frombits(binary.BigEndian.Uint32(body[4:])))
			return end
		case len(body) == 16 && (typ == 4 || typ == -128):
			*re = math.Float64frombits(binary.BigEndian.Uint64(body))
			*im = math.Float64frombits(binary.BigEndian.Uint64(body[8:]))
			return end
		}
		return r.bad(i, packwire.Mismatch, p.typ.Rtype.String())
	}
	n, next := packwire.ReadArray(r.b, i)
	if next < 0 {
		return r.bad(i, next, p.typ.Rtype.String())
	}
	if n != 2 {
		return r.fail(i, lengthError(n, 2))
	}
	if next = r.float64(next, re); next < 0 {
		return next
	}
	return r.float64(next, im)
}

// pointer reads what the pointer at q points at, a new variable if it is nil.
func (r *Reader) pointer(i int, p *program, q mem.Ptr) int {
	if r.null(i) {
		q.SetNil()
		return i + 1
	}
	elem := p.elem.meet(plan.Unmarshal)
	to := q.Deref(elem.mem)
	if !to.IsNil() {
		return r.value(i, elem, to)
	}
	to = r.slabs.New(elem.slab, elem.mem)
	end := r.value(i, elem, to)
	if end >= 0 {
		q.SetPtr(r.slabs.Keep(elem.slab, elem.mem, to, end-i))
	}
	return end
}

// dynamic reads any value into an interface. One that holds a pointer is read
// into what that points at.
func (r *Reader) dynamic(i int, v *any) int {
	if *v != nil && !r.null(i) {
		if rv := reflect.ValueOf(*v); rv.Kind() == reflect.Pointer && !rv.IsNil() && *v != any(v) {
			return r.deepTarget(i, *v)
		}
	}
	x, end := r.anyAt(i)
	if end >= 0 {
		*v = x
	}
	return end
}

// deepTarget is target for what a pointer in an interface points at.
func (r *Reader) deepTarget(i int, v any) int {
	if !r.deeper(i) {
		return -1
	}
	end := -1
	if p, q := r.target(i, v); p != nil {
		end = r.value(i, p, q)
	}
	r.depth--
	return end
}

// iface reads into an interface with methods: what the pointer in it points
// at, or nil.
func (r *Reader) iface(i int, p *program, q mem.Ptr) int {
	v := q.Value(p.mem)
	if r.null(i) {
		v.SetZero()
		return i + 1
	}
	if e := v.Elem(); e.IsValid() && e.Kind() == reflect.Pointer && !e.IsNil() {
		return r.deepTarget(i, e.Interface())
	}
	return r.bad(i, packwire.Mismatch, p.typ.Rtype.String())
}

// hook lets a value read itself.
func (r *Reader) hook(i int, p *program, q mem.Ptr) int {
	v := q.Addr(p.mem)
	switch p.dec {
	case cAppender, cWeft, cUnion:
		return r.own(i, func() error {
			if p.dec == cAppender {
				return v.(ReaderFrom).ReadMsgpack(r)
			}
			return p.typ.ReadHook(&r.dec, v)
		})
	}
	if r.guarded(i) {
		return -1
	}
	if r.null(i) {
		p.mem.Clear(q)
		return i + 1
	}
	start, end := packwire.ReadString(r.b, i)
	if end < 0 {
		return r.bad(i, end, p.typ.Rtype.String())
	}
	data := r.b[start:end:end]
	if isStr := r.kindAt(i) == weft.KindString; p.dec == cText || isStr && p.text {
		if r.flags&flagUTF8 != 0 && !utf8.Valid(data) {
			return r.fail(i, errUTF8)
		}
		if err := v.(encoding.TextUnmarshaler).UnmarshalText(data); err != nil {
			return r.fail(i, err)
		}
		return end
	}
	if err := v.(encoding.BinaryUnmarshaler).UnmarshalBinary(data); err != nil {
		return r.fail(i, err)
	}
	return end
}
