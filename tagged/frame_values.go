package tagged

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// store stores the values of c, of the kind of b.
func (r *frameReader) store(b *bound, c *cells, to target) {
	switch b.s.Kind {
	case framewire.Bool:
		for i, x := range c.ints {
			*mem.At[bool](to.At(i)) = x == 1
		}
	case framewire.Int, framewire.Uint:
		r.storeInts(b, c.ints, to)
	case framewire.Float32, framewire.Float64:
		r.storeFloats(b, c.ints, to)
	case framewire.Time:
		for i := range c.ints {
			*mem.At[time.Time](to.At(i)) = instant(c.ints[i], c.nsec[i], c.zone[i])
		}
	default:
		r.storeTexts(b, c.texts, to)
	}
}

// storeInts stores integers in any kind of number.
func (r *frameReader) storeInts(b *bound, v []int64, to target) {
	c, unsigned := b.p.dec, b.s.Kind == framewire.Uint
	switch {
	case c == plan.Int && !unsigned && math.MaxInt == math.MaxInt64:
		for i, x := range v {
			*mem.At[int](to.At(i)) = int(x)
		}
		return
	case c == plan.Int64 && !unsigned:
		for i, x := range v {
			*mem.At[int64](to.At(i)) = x
		}
		return
	}
	for i, x := range v {
		q, ok := to.At(i), true
		switch {
		case c >= plan.Float32 && unsigned:
			storeFloat(c, q, float64(uint64(x)))
		case c >= plan.Float32:
			storeFloat(c, q, float64(x))
		case unsigned:
			ok = mem.StoreUint(q, c.Integer(), uint64(x))
		default:
			ok = mem.StoreInt(q, c.Integer(), x)
		}
		if !ok {
			text := strconv.FormatInt(x, 10)
			if unsigned {
				text = strconv.FormatUint(uint64(x), 10)
			}
			r.unfit(b, i, text)
		}
	}
}

// storeFloat stores f at q, a float of the kind c.
func storeFloat(c plan.Kind, q mem.Ptr, f float64) {
	if c == plan.Float32 {
		*mem.At[float32](q) = float32(f)
	} else {
		*mem.At[float64](q) = f
	}
}

// storeFloats stores floats of the given bits.
func (r *frameReader) storeFloats(b *bound, v []int64, to target) {
	single, c := b.s.Kind == framewire.Float32, b.p.dec
	for i, x := range v {
		q := to.At(i)
		f := math.Float64frombits(uint64(x))
		switch {
		case single && c == plan.Float32: // whatever NaN it is
			*mem.At[float32](q) = math.Float32frombits(uint32(x))
			continue
		case single:
			f = float64(math.Float32frombits(uint32(x)))
		case c == plan.Float32 && overflows(f):
			r.unfit(b, i, strconv.FormatFloat(f, 'g', -1, 64))
			continue
		}
		storeFloat(c, q, f)
	}
}

// storeTexts stores what is made of text or bytes.
func (r *frameReader) storeTexts(b *bound, v []string, to target) {
	for i, s := range v {
		q := to.At(i)
		switch b.p.dec {
		case plan.Number:
			if s != "" && !tagwire.IsNumber(mem.View(s)) {
				r.misfit(i, errNumber)
				continue
			}
			*mem.At[string](q) = s
		case plan.Bytes:
			*mem.At[[]byte](q) = append(make([]byte, 0, len(s)), s...)
		case plan.ByteSlice:
			x := reflect.MakeSlice(b.p.typ.Rtype, len(s), len(s))
			copy(x.Bytes(), s)
			q.Value(b.p.mem).Set(x)
		case plan.ByteArray:
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
}

// lists reads lists and arrays.
func (r *frameReader) lists(b *bound, to target) bool {
	v, total, ok := r.lengths(to.N)
	if !ok {
		return false
	}
	defer r.Free(v)
	e := b.p.elem.mem
	r.enter(level{v: v, lists: true})
	from := newTarget(e, total)
	if !r.leave(r.read(b.elem, from)) {
		return false
	}
	k, a := 0, from.A
	for i, l := range v {
		q := to.At(i)
		n := int(max(l-1, 0))
		if l == 0 {
			r.refuseNull(b, i)
		}
		switch {
		case b.p.dec == plan.Array:
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

// maps reads maps.
func (r *frameReader) maps(b *bound, to target) bool {
	v, total, ok := r.lengths(to.N)
	if !ok {
		return false
	}
	defer r.Free(v)
	r.enter(level{v: v, lists: true})
	keys := newTarget(b.key.p.mem, total)
	if !r.leave(r.read(b.key, keys)) {
		return false
	}
	r.enter(level{v: v, lists: true, key: func(i int) string {
		return fmt.Sprint(keys.At(i).Value(b.key.p.mem))
	}})
	elems := newTarget(b.p.elem.mem, total)
	if !r.leave(r.read(b.elem, elems)) {
		return false
	}
	k := 0
	for i, l := range v {
		m := to.At(i).Value(b.p.mem)
		if l == 0 {
			m.SetZero()
			r.refuseNull(b, i)
			continue
		}
		if m.IsNil() {
			m.Set(reflect.MakeMapWithSize(b.p.typ.Rtype, int(l-1)))
		}
		for range l - 1 {
			m.SetMapIndex(keys.At(k).Value(b.key.p.mem), elems.At(k).Value(b.p.elem.mem))
			k++
		}
	}
	return true
}

// messages reads values one by one: those of a message, of any kind, and of columns
// that the type does not have.
func (r *frameReader) messages(b *bound, to target) bool {
	s := *b.s
	s.Nullable = b.null
	c := r.cellsOf(&s, to.N)
	if c == nil {
		return false
	}
	if b.p.unmarshalErr != nil {
		return r.fail(b.p.unmarshalErr)
	}
	plain := b.p.dec == plan.Any || b.p.dec == plan.Map && b.p.typ.Rtype == anyMapType
	for i := range to.N {
		q := to.At(i)
		state := c.state()
		if state == isAbsent {
			continue
		}
		if plain && s.Kind != framewire.Message && r.plainly(c, state, b.p, q) {
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
	if p.dec == plan.Any {
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
	if *m != nil || state != isThere || c.kind != framewire.Struct && c.kind != framewire.Map {
		return false
	}
	*m, _ = r.anyThere(c).(map[string]any)
	return true
}

// message takes the next value of c, of the given state, into q.
func (r *frameReader) message(c *cells, state int64, p *program, q mem.Ptr) error {
	if c.kind == framewire.Message && state == isThere {
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
	r.moved(r.value(r.i, r.tableAt, r.wt, p, q))
	return r.finish()
}

// skip skips the columns of s.
func (r *frameReader) skip(s *framewire.Schema, n int) bool {
	r.skipping = true
	c := r.cellsOf(s, n)
	r.skipping = false
	return c != nil
}
