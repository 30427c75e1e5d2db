package tagged

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// eachInt reads integers and has them stored.
func (r *frameReader) eachInt(b *bound, to target, store func(v int64, q mem.Ptr) bool) bool {
	v, ok := r.integers(to.n)
	if !ok {
		return false
	}
	defer r.free(v)
	for i, x := range v {
		if !store(x, to.at(i)) {
			r.unfit(b, i, strconv.FormatInt(x, 10))
		}
	}
	return true
}

// ints64 reads integers into any kind of number.
func (r *frameReader) ints64(b *bound, to target) bool {
	v, ok := r.integers(to.n)
	if !ok {
		return false
	}
	defer r.free(v)
	switch b.p.dec {
	case cInt:
		if b.s.kind == kInt && math.MaxInt == math.MaxInt64 {
			for i, x := range v {
				*mem.At[int](to.at(i)) = int(x)
			}
			return true
		}
	case cInt64:
		if b.s.kind == kInt {
			for i, x := range v {
				*mem.At[int64](to.at(i)) = x
			}
			return true
		}
	}
	for i, x := range v {
		if !storeInt(b.p.dec, b.s.kind == kUint, x, to.at(i)) {
			text := strconv.FormatInt(x, 10)
			if b.s.kind == kUint {
				text = strconv.FormatUint(uint64(x), 10)
			}
			r.unfit(b, i, text)
		}
	}
	return true
}

// storeInt stores x, which may be unsigned, at q, a number of the kind c, if it
// fits.
func storeInt(c code, unsigned bool, x int64, q mem.Ptr) bool {
	u := uint64(x)
	positive := x >= 0 || unsigned
	negative := x < 0 && !unsigned
	small := x >= 0 || !unsigned // it is x as a signed integer
	switch c {
	case cInt:
		*mem.At[int](q) = int(x)
		return small && int64(int(x)) == x
	case cInt8:
		*mem.At[int8](q) = int8(x)
		return small && int64(int8(x)) == x
	case cInt16:
		*mem.At[int16](q) = int16(x)
		return small && int64(int16(x)) == x
	case cInt32:
		*mem.At[int32](q) = int32(x)
		return small && int64(int32(x)) == x
	case cInt64:
		*mem.At[int64](q) = x
		return small
	case cUint:
		*mem.At[uint](q) = uint(u)
		return positive && uint64(uint(u)) == u
	case cUint8:
		*mem.At[uint8](q) = uint8(u)
		return positive && uint64(uint8(u)) == u
	case cUint16:
		*mem.At[uint16](q) = uint16(u)
		return positive && uint64(uint16(u)) == u
	case cUint32:
		*mem.At[uint32](q) = uint32(u)
		return positive && uint64(uint32(u)) == u
	case cUint64:
		*mem.At[uint64](q) = u
		return positive
	case cUintptr:
		*mem.At[uintptr](q) = uintptr(u)
		return positive && uint64(uintptr(u)) == u
	}
	f := float64(u)
	if negative || small {
		f = float64(x)
	}
	if c == cFloat32 {
		*mem.At[float32](q) = float32(f)
	} else {
		*mem.At[float64](q) = f
	}
	return true
}

func (r *frameReader) floats(b *bound, to target) bool {
	v := r.scratch(to.n)
	defer r.free(v)
	single := b.s.kind == kFloat32
	rest, ok := readFloats(r.data, v, single)
	if !ok {
		return r.fail(errBlock)
	}
	r.data = rest
	for i, x := range v {
		q := to.at(i)
		switch {
		case single && b.p.dec == cFloat32:
			*mem.At[float32](q) = math.Float32frombits(uint32(x))
		case single:
			*mem.At[float64](q) = float64(math.Float32frombits(uint32(x)))
		case b.p.dec == cFloat64:
			*mem.At[float64](q) = math.Float64frombits(uint64(x))
		default:
			f := math.Float64frombits(uint64(x))
			if overflows(f) {
				r.unfit(b, i, strconv.FormatFloat(f, 'g', -1, 64))
				continue
			}
			*mem.At[float32](q) = float32(f)
		}
	}
	return true
}

func (r *frameReader) times(to target) bool {
	return r.eachTime(to.n, func(i int, t time.Time) { *mem.At[time.Time](to.at(i)) = t })
}

// eachTime reads instants: seconds, nanoseconds, seconds east of UTC.
func (r *frameReader) eachTime(n int, f func(i int, t time.Time)) bool {
	sec, ok := r.integers(n)
	if !ok {
		return false
	}
	defer r.free(sec)
	nsec, ok := r.integers(n)
	if !ok {
		return false
	}
	defer r.free(nsec)
	zone, ok := r.integers(n)
	if !ok {
		return false
	}
	defer r.free(zone)
	for i := range sec {
		if uint64(nsec[i]) > 999999999 || zone[i] < -86400 || zone[i] > 86400 {
			return r.fail(errBlock)
		}
		f(i, instant(sec[i], nsec[i], zone[i]))
	}
	return true
}

// take reads n strings into a slice.
func (r *frameReader) take(n int) ([]string, bool) {
	if !r.affords(n) {
		return nil, false
	}
	if n == 0 {
		rest, ok := skipBlock(r.data)
		if !ok {
			return nil, r.fail(errBlock)
		}
		r.data = rest
		return nil, true
	}
	v := make([]string, n)
	rest, ok := r.strings(r.data, stringTarget(v), true)
	if !ok {
		return nil, r.fail(errBlock)
	}
	r.data = rest
	return v, true
}

// texts reads what is made of text or bytes.
func (r *frameReader) texts(b *bound, to target) bool {
	v, ok := r.take(to.n)
	if !ok {
		return false
	}
	for i, s := range v {
		q := to.at(i)
		switch b.p.dec {
		case cNumber:
			if s != "" && !tagwire.IsNumber(mem.View(s)) {
				r.misfit(i, errNumber)
				continue
			}
			*mem.At[string](q) = s
		case cBytes:
			*mem.At[[]byte](q) = append(make([]byte, 0, len(s)), s...)
		case cByteSlice:
			x := reflect.MakeSlice(b.p.typ.Rtype, len(s), len(s))
			copy(x.Bytes(), s)
			q.Value(b.p.mem).Set(x)
		case cByteArray:
			if len(s) != b.p.typ.Len {
				r.misfit(i, fmt.Errorf("length is %d, must be %d", len(s), b.p.typ.Len))
				continue
			}
			copy(q.Value(b.p.mem).Bytes(), s)
		case cText:
			if err := q.Addr(b.p.mem).(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
				r.misfit(i, err)
			}
		}
	}
	return true
}

func (r *frameReader) lists(b *bound, to target) bool {
	v, total, ok := r.lengths(to.n)
	if !ok {
		return false
	}
	defer r.free(v)
	e := b.p.elem.mem
	r.enter(level{v: v, lists: true})
	a, ok := r.values2(b.elem, b.p.elem, total)
	if !r.leave(ok) {
		return false
	}
	k := 0
	for i, l := range v {
		q := to.at(i)
		n := int(max(l-1, 0))
		if l == 0 {
			r.refuseNull(b, i)
		}
		switch {
		case b.p.dec == cArray:
			in := q.Array()
			for j := range b.p.typ.Len {
				if j < n {
					e.Copy(in.At(e, j), a.At(e, k+j))
				} else {
					e.Clear(in.At(e, j))
				}
			}
		case l == 0:
			b.p.mem.Clear(q)
		default:
			q.SetSlice(a, e, k, k+n)
		}
		k += n
	}
	return true
}

// values2 is values for a node with a presence of its own.
func (r *frameReader) values2(b *bound, p *program, n int) (mem.Array, bool) {
	if !r.affords(n) {
		return mem.Array{}, false
	}
	st := reflect.SliceOf(p.mem.Rtype)
	a := mem.Of(reflect.New(st)).Make(st, p.mem, n)
	return a, r.read(b, target{a: a, t: p.mem, n: n})
}

func (r *frameReader) maps(b *bound, to target) bool {
	v, total, ok := r.lengths(to.n)
	if !ok {
		return false
	}
	defer r.free(v)
	r.enter(level{v: v, lists: true})
	keys, ok := r.values2(b.key, b.key.p, total)
	if !r.leave(ok) {
		return false
	}
	r.enter(level{v: v, lists: true, key: func(i int) string {
		return fmt.Sprint(keys.At(b.key.p.mem, i).Value(b.key.p.mem))
	}})
	elems, ok := r.values2(b.elem, b.p.elem, total)
	if !r.leave(ok) {
		return false
	}
	k := 0
	for i, l := range v {
		m := to.at(i).Value(b.p.mem)
		if l == 0 {
			m.SetZero()
			r.refuseNull(b, i)
			continue
		}
		if m.IsNil() {
			m.Set(reflect.MakeMapWithSize(b.p.typ.Rtype, int(l-1)))
		}
		for range l - 1 {
			m.SetMapIndex(keys.At(b.key.p.mem, k).Value(b.key.p.mem), elems.At(b.p.elem.mem, k).Value(b.p.elem.mem))
			k++
		}
	}
	return true
}

// messages reads values one by one: those of a message, of any kind, and of columns
// that the type does not have.
func (r *frameReader) messages(b *bound, to target) bool {
	s := *b.s
	s.nullable = b.null
	c := r.cellsOf(&s, to.n)
	if c == nil {
		return false
	}
	if b.p.unmarshalErr != nil {
		return r.fail(b.p.unmarshalErr)
	}
	plain := b.p.dec == cAny || b.p.dec == cMap && b.p.typ.Rtype == anyMapType
	for i := range to.n {
		q := to.at(i)
		state := c.state()
		if state == isAbsent {
			continue
		}
		if plain && s.kind != kMessage && r.plainly(c, state, b.p, q) {
			continue
		}
		if err := r.message(c, state, b.p, q); err != nil {
			r.misfit(i, err)
		} else if b.rules != nil {
			r.check(b.rules, i, q)
		}
	}
	return r.err == nil
}

var anyMapType = reflect.TypeFor[map[string]any]()

// plainly takes the next value of c, of the given state, into an any or a
// map[string]any, unless that has something that the value is to go into or is
// another kind of value.
func (r *frameReader) plainly(c *cells, state int64, p *program, q mem.Ptr) bool {
	if p.dec == cAny {
		v := mem.At[any](q)
		if *v != nil {
			return false
		}
		if *v = nil; state == isThere {
			*v = r.anyThere(c)
		}
		return true
	}
	m := mem.At[map[string]any](q)
	if *m != nil || state != isThere || c.kind != kStruct && c.kind != kMap {
		return false
	}
	*m, _ = r.anyThere(c).(map[string]any)
	return true
}

// message takes the next value of c, of the given state, into q.
func (r *frameReader) message(c *cells, state int64, p *program, q mem.Ptr) error {
	if c.kind == kMessage && state == isThere {
		c.next++
		in := newReader([]byte(c.texts[c.next-1]), r.opts)
		in.flags &^= setting.AliasInput
		return in.into(p, q)
	}
	row := append(r.rowed[:0], 0, 0, 0, 0)
	if state == isThere {
		row = r.rowThere(row, c)
	} else {
		row = append(row, 0)
	}
	r.rowed = row
	return newRowReader(row, &r.names, r.opts).into(p, q)
}

// into reads the value that there is into q, and releases the reader.
func (r *reader) into(p *program, q mem.Ptr) error {
	if next := r.value(r.i, r.tableAt, r.wt, p, q); next >= 0 {
		r.i = next
	}
	return r.finish()
}

// skip skips the columns of s.
func (r *frameReader) skip(s *schema, n int) bool {
	if !r.affords(n) {
		return false
	}
	blocks := 1
	if s.nullable {
		v, there, ok := r.presence(n)
		if !ok {
			return false
		}
		r.free(v)
		n = there
	}
	switch s.kind {
	case kStruct:
		for _, c := range s.nodes {
			if !r.skip(c, n) {
				return false
			}
		}
		return true
	case kList, kMap:
		v, total, ok := r.lengths(n)
		if !ok {
			return false
		}
		r.free(v)
		for _, c := range s.nodes {
			if !r.skip(c, total) {
				return false
			}
		}
		return true
	case kTime:
		blocks = 3
	}
	for range blocks {
		rest, ok := skipBlock(r.data)
		if !ok {
			return r.fail(errBlock)
		}
		r.data = rest
	}
	return true
}
