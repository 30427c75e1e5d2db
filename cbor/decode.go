package cbor

import (
	"encoding"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// The methods of this file read the value at offset i of the document into a location and return the index
// after it, -1 after an error.

// whole reads the whole document into the variable v points to. If it is not well-formed, the variable is left
// unchanged: one that is zero is made so again, any other waits until the whole document is checked.
func (r *reader) whole(v any) {
	p := r.programs.First(v)
	if p != nil && p.into && !mem.PtrOf(v).IsNil() { // same as programOf
		p = p.elem
	} else if p = r.programOf(0, v); p == nil {
		return
	}
	q, m := mem.PtrOf(v), p.mem
	zero := q.AllZero(m)
	if !zero {
		if end, at := cborwire.Skip(r.b, 0, r.maxDepth); end < 0 {
			r.illFormed(at, end)
			return
		} else if end != len(r.b) {
			r.fail(end, weft.ErrTrailingData)
			return
		}
	}
	r.document(p, q)
	if zero && (r.err != nil || r.i != len(r.b)) {
		b := r.b
		if r.err != nil {
			b = r.all
		}
		if r.ill {
			m.Clear(q)
		} else if end, _ := cborwire.Skip(b, 0, r.maxDepth); end != len(b) {
			m.Clear(q)
		}
	}
}

// document reads the whole document into the variable at q.
func (r *reader) document(p *program, q mem.Ptr) {
	if r.flags&setting.RejectDuplicates != 0 && r.rules&cborwire.Sorted == 0 {
		if end, at := cborwire.Check(r.b, 0, r.maxDepth, cborwire.Unique); end == cborwire.Twice {
			r.fail(at, weft.ErrDuplicateName)
			return
		}
	}
	if r.normal != nil {
		if i := unnormalized(r.b, r.normal); i >= 0 {
			r.fail(i, errNormal)
			return
		}
	}
	if end := r.value(0, p, q); end >= 0 {
		r.i = end
	}
}

// target reads the value at i into the variable v points to.
func (r *reader) target(i int, v any) int {
	p := r.programOf(i, v)
	if p == nil {
		return -1
	}
	return r.value(i, p, mem.PtrOf(v))
}

// programOf returns the program of the variable v points to, into which the value at i is to be read, or nil if it
// cannot be.
func (r *reader) programOf(i int, v any) *program {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		r.fail(i, errTarget)
		return nil
	}
	p := r.programs.of(v)
	err := p.faults[plan.Unmarshal]
	if p.enc == plan.Pointer {
		p = p.elem.meet(plan.Unmarshal)
	} else {
		p = r.programs.compile(rv.Type().Elem())
		err = p.faults[plan.Unmarshal]
	}
	if err != nil {
		r.fail(i, err)
		return nil
	}
	return p
}

var (
	errTarget = errors.New("unmarshaling requires a non-nil pointer")
	errHook   = errors.New("the value has not been read to its end")
	errKey    = errors.New("value cannot be a map key")
)

// value reads the value at i into q.
func (r *reader) value(i int, p *program, q mem.Ptr) int {
	switch p.dec {
	case plan.Struct:
		return r.structure(i, p, q)
	case plan.String:
		s, end := r.text(i)
		if end >= 0 {
			*mem.At[string](q) = s
		}
		return end
	case plan.Bool:
		v, end := r.boolAt(i)
		if end >= 0 {
			*mem.At[bool](q) = v
		}
		return end
	case plan.Int, plan.Int8, plan.Int16, plan.Int32, plan.Int64:
		return r.int(i, p.dec, q)
	case plan.Uint, plan.Uint8, plan.Uint16, plan.Uint32, plan.Uint64, plan.Uintptr:
		return r.uint(i, p.dec, q)
	case plan.Float64:
		v, end := r.floatAt(i)
		if end >= 0 {
			*mem.At[float64](q) = v
		}
		return end
	case plan.Float32:
		v, end := r.singleAt(i)
		if end >= 0 {
			*mem.At[float32](q) = v
		}
		return end
	case cFast:
		return p.decFast(r, i, q)
	case plan.Slice:
		return r.slice(i, p, q)
	case plan.Map:
		return r.mapping(i, p, q)
	case plan.Pointer:
		return r.pointer(i, p, q)
	case plan.Any:
		return r.dynamic(i, mem.At[any](q))
	case plan.Bytes:
		return r.bytes(i, mem.At[[]byte](q))
	case plan.Time:
		t, end := r.timeAt(i)
		if end >= 0 {
			*mem.At[time.Time](q) = t
		}
		return end
	}
	return r.rare(i, p, q)
}

// rare is value for the kinds that are met less often.
func (r *reader) rare(i int, p *program, q mem.Ptr) int {
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
			v.SetZero()
			if b != nil {
				s := reflect.MakeSlice(p.typ.Rtype, len(b), len(b))
				copy(s.Bytes(), b)
				v.Set(s)
			}
		}
		return end
	case plan.ByteArray:
		var b []byte
		end := r.bytes(i, &b)
		switch {
		case end < 0:
		case b == nil:
			p.mem.Clear(q)
		case len(b) != p.typ.Len:
			return r.fail(i, lengthError(len(b), p.typ.Len))
		default:
			copy(q.Value(p.mem).Bytes(), b)
		}
		return end
	case plan.Number:
		text, end := r.numberText(i)
		if end >= 0 {
			*mem.At[string](q) = text
		}
		return end
	case plan.Raw:
		end := r.skip(i)
		if end >= 0 {
			raw := mem.At[[]byte](q)
			*raw = append((*raw)[:0], r.b[i:end]...)
		}
		return end
	case cHook + hookCBOR, cHook + hookWeft, cHook + hookBinary, cHook + hookText:
		return r.hook(i, p, q)
	case cRuled:
		if p.typ.NoNull && r.null(i) {
			return r.bad(i, cborwire.Mismatch, p.typ.Rtype.String())
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
	return r.fail(i, errors.New(p.typ.Rtype.String()+" has no form in CBOR"))
}

// lengthError says that n elements are present and want are expected.
func lengthError(n, want int) error { return fmt.Errorf("length is %d, must be %d", n, want) }

// int reads a signed integer of the kind c.
func (r *reader) int(i int, c plan.Kind, q mem.Ptr) int {
	v, end := r.intAs(i, intNames[c])
	if end < 0 {
		return end
	}
	if !steps.StoreInt(stepCodes[c], q, v) {
		return r.bad(i, cborwire.Range, intNames[c])
	}
	return end
}

// uint reads an unsigned integer of the kind c.
func (r *reader) uint(i int, c plan.Kind, q mem.Ptr) int {
	v, end := r.uintAs(i, intNames[c])
	if end < 0 {
		return end
	}
	if !steps.StoreUint(stepCodes[c], q, v) {
		return r.bad(i, cborwire.Range, intNames[c])
	}
	return end
}

var intNames = [...]string{
	plan.Int: "int", plan.Int8: "int8", plan.Int16: "int16", plan.Int32: "int32", plan.Int64: "int64",
	plan.Uint: "uint", plan.Uint8: "uint8", plan.Uint16: "uint16", plan.Uint32: "uint32", plan.Uint64: "uint64",
	plan.Uintptr: "uintptr",
}

// bytes reads a string into *v, whose memory is used again when it is large enough.
func (r *reader) bytes(i int, v *[]byte) int {
	if at, end := r.shortBytes(i); end >= 0 { // same as below
		switch body := r.b[at:end]; {
		case len(body) <= cap(*v) && len(body) > 0:
			*v = append((*v)[:0], body...)
		case len(body) == 0:
			*v = []byte{}
		default:
			*v = r.carver.Keep(body)
		}
		return end
	}
	if r.null(i) {
		*v = nil
		return i + 1
	}
	at, number := r.tagged(i)
	if at < 0 {
		return -1
	}
	if at < len(r.b) && r.b[at]&0xe0 == cborwire.Array {
		return r.byteList(at, v)
	}
	body, end := r.body(at)
	switch {
	case end < 0:
		return -1
	case r.flags&flagByteText != 0 && r.b[at]&0xe0 == cborwire.Text:
		return r.bad(i, cborwire.Mismatch, "[]byte")
	case r.isBase64(at, number):
		// Text that says so is bytes in base64, and what has not said in the mode of Kubernetes that it is bytes.
		coding := base64.StdEncoding
		if number == tagTextURL {
			coding = base64.RawURLEncoding
		}
		out, err := coding.DecodeString(string(body))
		if err != nil {
			return r.fail(i, err)
		}
		*v = out
	case len(body) <= cap(*v) && len(body) > 0 && r.flags&setting.AliasInput == 0:
		*v = append((*v)[:0], body...)
	default:
		*v = r.own(body)
	}
	return end
}

// shortBytes finds the bytes of a byte string of less than 64 KiB whose head is in its shortest form, where they are
// to be copied as they are: r.b[at:end]. The end is -1 for any other.
func (r *reader) shortBytes(i int) (at, end int) {
	b := r.b
	if i+3 > len(b) || r.flags&(flagByteText|setting.AliasInput) != 0 {
		return 0, -1
	}
	n := int(b[i] - cborwire.Bytes)
	switch at = i + 1; {
	case n < 24:
	case n == 24 && b[at] >= 24:
		n, at = int(b[at]), at+1
	case n == 25 && b[at] > 0:
		n, at = int(b[at])<<8|int(b[at+1]), at+2
	default:
		return 0, -1
	}
	if n > len(b)-at {
		return 0, -1
	}
	return at, at + n
}

// byteList reads an array of integers as bytes.
func (r *reader) byteList(i int, v *[]byte) int {
	n, next := r.count(i, cborwire.Array)
	if next < 0 || !r.deeper(i) {
		return -1
	}
	list := make([]byte, 0, made[byte](n))
	for ; n != 0 && !r.ends(&next, n, 1); n-- {
		at := next
		u, end := r.uintAs(at, "uint8")
		if end >= 0 && u > math.MaxUint8 {
			return r.bad(at, cborwire.Range, "uint8")
		}
		if next = end; end < 0 {
			return -1
		}
		list = append(list, byte(u))
	}
	*v = list
	r.depth--
	return next
}

// isBase64 reports whether the string at at, with the given tag, is base64 of the bytes that it stands for.
func (r *reader) isBase64(at int, number uint64) bool {
	if r.b[at]&0xe0 == cborwire.Text {
		return number == tagText64 || number == tagTextURL
	}
	return r.flags&flagByteText != 0 && (number < tagURL64 || number > tagHex)
}

// numberText reads a number as text.
func (r *reader) numberText(i int) (string, int) {
	if r.null(i) {
		return "", i + 1
	}
	at, number := r.tagged(i)
	if at < 0 || at >= len(r.b) {
		return "", r.bad(i, cborwire.Short, "number")
	}
	switch c := r.b[at]; {
	case number == tagDecimal, number == tagBigFloat:
		return r.decimal(i, at, number)
	case c < cborwire.Nint:
		v, end := r.uintAs(at, "uint64")
		return strconv.FormatUint(v, 10), end
	case c < cborwire.Bytes || c&0xe0 == cborwire.Bytes:
		v, end := r.bigAt(i)
		if end < 0 {
			return "", end
		}
		if v.BitLen() > 4*mostDigits {
			return "", r.fail(i, errRange)
		}
		return v.String(), end
	}
	v, end := r.floatAt(at)
	if end < 0 {
		return "", end
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "", r.fail(i, errFinite)
	}
	return strconv.FormatFloat(v, 'g', -1, 64), end
}

var errRange = errors.New("number has too many digits")

// decimal reads the decimal fraction or bigfloat (§3.4.4) whose array is at at as text.
func (r *reader) decimal(i, at int, number uint64) (string, int) {
	n, next := r.count(at, cborwire.Array)
	if next < 0 || n != 2 {
		return "", r.bad(i, cborwire.Mismatch, "number")
	}
	r.reserved -= n
	exp, next := r.bigAt(next)
	if next < 0 {
		return "", -1
	}
	mantissa, next := r.bigAt(next)
	if next < 0 {
		return "", -1
	}
	if mantissa.BitLen() > 4*mostDigits || !exp.IsInt64() {
		return "", r.fail(i, errRange)
	}
	if number == tagDecimal {
		return mantissa.String() + "e" + exp.String(), next
	}
	e := exp.Int64()
	if e > 4*mostDigits || e < -4*mostDigits {
		return "", r.fail(i, errRange)
	}
	if e >= 0 {
		return mantissa.Lsh(mantissa, uint(e)).String(), next
	}
	fives := new(big.Int).Exp(big.NewInt(5), big.NewInt(-e), nil) // m/2^e is m·5^e/10^e
	return mantissa.Mul(mantissa, fives).String() + "e" + exp.String(), next
}

// pointer reads what the pointer at q points at, a new variable if it is nil.
func (r *reader) pointer(i int, p *program, q mem.Ptr) int {
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

// dynamic reads any value into an interface. One that holds a pointer is read into what that points at.
func (r *reader) dynamic(i int, v *any) int {
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
func (r *reader) deepTarget(i int, v any) int {
	if !r.deeper(i) {
		return -1
	}
	end := r.target(i, v)
	r.depth--
	return end
}

// iface reads into an interface with methods: what the pointer in it points at, or nil.
func (r *reader) iface(i int, p *program, q mem.Ptr) int {
	v := q.Value(p.mem)
	if r.null(i) {
		v.SetZero()
		return i + 1
	}
	if e := v.Elem(); e.IsValid() && e.Kind() == reflect.Pointer && !e.IsNil() {
		return r.deepTarget(i, e.Interface())
	}
	return r.bad(i, cborwire.Mismatch, p.typ.Rtype.String())
}

// hook lets a value read itself.
func (r *reader) hook(i int, p *program, q mem.Ptr) int {
	v := q.Addr(p.mem)
	switch p.dec {
	case cHook + hookWeft:
		return r.one(i, func() error { return p.typ.ReadHook(&r.dec, v) })
	case cHook + hookCBOR:
		end := r.skip(i)
		if end >= 0 {
			if err := v.(Unmarshaler).UnmarshalCBOR(r.b[i:end:end]); err != nil {
				return r.fail(i, err)
			}
		}
		return end
	}
	if r.null(i) {
		p.mem.Clear(q)
		return i + 1
	}
	at, _ := r.tagged(i)
	if at < 0 {
		return -1
	}
	body, end := r.body(at)
	if end < 0 {
		return r.bad(i, cborwire.Mismatch, p.typ.Rtype.String())
	}
	var err error
	if p.dec == cHook+hookText || r.b[at]&0xe0 == cborwire.Text && p.text {
		err = v.(encoding.TextUnmarshaler).UnmarshalText(body)
	} else {
		err = v.(encoding.BinaryUnmarshaler).UnmarshalBinary(body)
	}
	if err != nil {
		return r.fail(i, err)
	}
	return end
}

// one has a value read itself, at i, and checks that it has read one value.
func (r *reader) one(i int, read func() error) int {
	r.i = i
	open, top, depth := len(r.stack), r.top, r.depth
	err := read()
	switch {
	case r.err != nil:
		return -1
	case err != nil:
		return r.fail(i, err)
	case len(r.stack) != open || r.depth != depth || r.i == i:
		return r.fail(i, errHook)
	}
	r.top = top
	return r.i
}

// option reads an optional value: null is none, unless it is a null of the value's own type. Where one that is never
// null could have been left out, as a member of a map, null is an error. The old value stays as it is when the new one
// cannot be read.
func (r *reader) option(i int, p *program, q mem.Ptr, member bool) int {
	o := p.typ.Option
	v := q.Field(o.V)
	if r.null(i) && !o.Null {
		if member && o.Kind == setting.OptionOptional {
			return r.bad(i, cborwire.Mismatch, p.elem.typ.Rtype.String())
		}
		o.SetState(q, plan.OptionNull)
		return i + 1
	}
	own := p.elem.mem.New()
	end := r.value(i, p.elem, own)
	if end >= 0 {
		p.elem.mem.Copy(v, own)
		o.SetState(q, plan.OptionSet)
	}
	return end
}

// bigFloat returns the float nearest to v.
func bigFloat(v *big.Int) float64 {
	f, _ := new(big.Float).SetInt(v).Float64()
	return f
}
