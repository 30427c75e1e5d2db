package cbor

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// structure reads a map, or an array, into the struct at q.
func (r *reader) structure(i int, p *program, q mem.Ptr) int {
	if i < len(r.b) && r.b[i]^cborwire.Map < steps.ShortText { // same as below
		n := int(r.b[i] ^ cborwire.Map)
		if 2*n <= len(r.b)-i-1-r.reserved && r.depth < min(r.maxDepth, checkedLevels-1) {
			if n == 0 && !p.noted {
				return i + 1
			}
			r.reserved += 2 * n
			r.depth++
			i = r.members(i, i+1, n, p, q)
			r.depth--
			return i
		}
	}
	if i < len(r.b) && r.b[i]^cborwire.Array < steps.ShortText { // same as below
		n := int(r.b[i] ^ cborwire.Array)
		if n <= len(r.b)-i-1-r.reserved && r.depth < min(r.maxDepth, checkedLevels-1) {
			r.reserved += n
			r.depth++
			i = r.structArray(i, i+1, n, p, q)
			r.depth--
			return i
		}
	}
	if r.null(i) {
		p.mem.Clear(q)
		return i + 1
	}
	at := r.content(i)
	if at < 0 {
		return -1
	}
	major := byte(cborwire.Map)
	if at < len(r.b) && r.b[at]&0xe0 == cborwire.Array {
		major = cborwire.Array
	}
	if at < len(r.b) && r.b[at]&0xe0 != major {
		return r.bad(i, cborwire.Mismatch, p.typ.Rtype.String())
	}
	n, next := r.count(at, major)
	if next < 0 || !r.deeper(i) {
		return -1
	}
	if major == cborwire.Map {
		next = r.members(at, next, n, p, q)
	} else {
		next = r.structArray(at, next, n, p, q)
	}
	r.depth--
	return next
}

// members reads n pairs into the struct at q, whose map begins at start.
func (r *reader) members(start, i, n int, p *program, q mem.Ptr) int {
	u := r.runs(p, r.depth, true)
	if u == nil || !p.plain || n <= 0 {
		return r.membersFrom(start, i, n, p, q, u, 0, -1)
	}
	var c run // same as in membersFrom
	r.ready(&c, u)
	stuck := 0
	if n != len(p.slots) {
		stuck, i = ahead[steps.CBORSome](r, &c, u, 2, 0, n, q, i)
	} else {
		stuck, i = ahead[steps.CBORKeyed](r, &c, u, 2, 0, n, q, i)
	}
	if i < 0 || c.Stop == stuck {
		return i
	}
	return r.membersFrom(start, i, c.Stop-stuck, p, q, u, stuck, stuck)
}

// membersFrom reads the last n pairs, where the member in the place want is expected next, and stuck is the place of
// the one that ahead has left alone, -1 where it has not been asked. U may be nil.
func (r *reader) membersFrom(start, i, n int, p *program, q mem.Ptr, u *runs, want, stuck int) int {
	slots, expected := p.slots, p.expected[r.order]
	var seen uint64
	var seenMore []uint64
	if len(slots) > 64 {
		seenMore = make([]uint64, len(p.required))
	}
	var c run
	if u != nil {
		r.ready(&c, u)
	}
	last, before := keySpan{}, -1 // the last key: where it is, or that of a slot
	sorted := r.rules&cborwire.Sorted != 0
	if sorted && want > 0 {
		before = int(expected[want-1])
	}
	least := 0 // members from the first on that must be there for ahead
	if len(slots) > 64 {
		least = len(slots)
	}
	for ; n != 0; n-- {
		if u != nil && want > stuck && want < len(slots) && n > 0 && n >= least-want {
			if least == 0 && n != len(slots)-want { // some are missing, or there are others
				stuck, i = ahead[steps.CBORSome](r, &c, u, 2, want, n, q, i)
			} else {
				stuck, i = ahead[steps.CBORKeyed](r, &c, u, 2, want, n, q, i)
			}
			if i < 0 {
				return -1
			}
			if stuck > want {
				if sorted { // one that is missed comes before what follows, too
					before = int(expected[stuck-1])
				}
				if p.noted {
					for k, slot := range expected[want:stuck] {
						if c.Missed>>(want+k)&1 != 0 {
							continue
						}
						if slot < 64 {
							seen |= 1 << slot
						} else {
							seenMore[slot/64] |= 1 << (slot % 64)
						}
						if slots[slot].check && !r.obeyField(start, i, p, int(slot), q) {
							return -1
						}
					}
				}
				if n = c.Stop - stuck; n == 0 {
					break
				}
				want = stuck
			}
		}
		if n < 0 && i < len(r.b) && r.b[i] == cborwire.Break { // same as ends
			i++
			break
		} else if n > 0 {
			r.reserved -= 2
		}
		at, slot := i, -1
		if i+cborwire.KeyWords <= len(r.b) {
			// The member that is expected, or one of those behind it.
			b := mem.BytesOf(r.b)
			w0, w1 := b.U64(i), b.U64(i+8)
			for k := want; k < min(want+near, len(slots)); k++ {
				if key := &slots[expected[k]].key; key.Begins(w0, w1) && (key.Len <= cborwire.KeyWords || key.Match(r.b, i)) {
					slot = int(expected[k])
					break
				}
			}
		}
		if slot >= 0 {
			i += slots[slot].key.Len
			if sorted {
				// The members from want on come after those before in their order.
				if (r.order == declared || before < 0) && !r.follows(before, &last, at, i, p) {
					return -1
				}
				before = slot
			}
		} else {
			if slot, i = r.name(at, p); i < 0 || sorted && !r.follows(before, &last, at, i, p) {
				return -1
			}
			before, last = -1, keySpan{at, i}
			if slot < 0 {
				if i = r.unknown(at, i, p, q); i < 0 {
					return -1
				}
				continue
			}
		}
		f := &slots[slot]
		want = int(f.next[r.order])
		again := false
		if bit := uint64(1) << (slot % 64); slot < 64 {
			again = seen&bit != 0
			seen |= bit
		} else {
			again = seenMore[slot/64]&bit != 0
			seenMore[slot/64] |= bit
		}
		if again && r.flags&setting.RejectDuplicates != 0 {
			return r.fail(at, weft.ErrDuplicateName)
		}
		if i = r.field(i, f, q, true); i < 0 {
			return -1
		}
		if f.check && !r.obeyField(start, i, p, slot, q) {
			return -1
		}
	}
	if p.noted && (p.required[0]&^seen != 0 || len(p.required) > 1) {
		return r.missing(start, i, p, q, seen, seenMore)
	}
	return i
}

// near is how many members behind the last one are looked at before a name is looked for.
const near = 4

// follows checks that the key that stands from at to end comes after the last one, that of slot before, or where that
// is -1 the one at last.
func (r *reader) follows(before int, last *keySpan, at, end int, p *program) bool {
	if before < 0 {
		return r.ordered(last, at, end)
	}
	return r.after([]byte(p.slots[before].key.Enc), at, end)
}

// field reads the value at i into the field f of the struct at q.
func (r *reader) field(i int, f *decField, q mem.Ptr, member bool) int {
	at := q.Field(f.off)
	if f.flags == 0 {
		switch f.code {
		case plan.String:
			s, end := r.text(i)
			if end >= 0 {
				*mem.At[string](at) = s
			}
			return end
		case plan.Struct:
			return r.structure(i, f.p, at)
		case cFast:
			return f.p.decFast(r, i, at)
		case plan.Pointer:
			return r.pointer(i, f.p, at)
		case plan.Slice:
			return r.slice(i, f.p, at)
		}
	}
	if f.flags&fNoNull != 0 && r.null(i) {
		t := f.f.Type
		switch {
		case !member && f.f.MayBeLeft():
			return i + 1
		case t.Kind != plan.Option:
		case !member: // it may have been left out
			t.Option.SetState(at, plan.OptionNull)
			return i + 1
		default:
			t = t.Option.Value
		}
		return r.bad(i, cborwire.Mismatch, t.Rtype.String())
	}
	if f.flags&fEmbedded != 0 {
		if r.null(i) && f.f.At(q).IsNil() {
			return i + 1
		}
		p, blocked := f.f.Make(q)
		if blocked != nil {
			return r.fail(i, fmt.Errorf("cannot set embedded pointer to unexported struct: %v", blocked.Elem.Rtype))
		}
		at = p
	}
	switch f.code {
	case plan.Int, plan.Int64:
		if v, end := r.smallInt(i); end >= 0 && steps.StoreInt(stepCodes[f.code], at, v) {
			return end
		}
		return r.int(i, f.code, at)
	case plan.Bool:
		if i < len(r.b) && r.b[i]|1 == cborwire.True {
			*mem.At[bool](at) = r.b[i] == cborwire.True
			return i + 1
		}
	case plan.Float64:
		if i+9 <= len(r.b) && r.b[i] == cborwire.Double {
			if u := binary.BigEndian.Uint64(r.b[i+1:]); r.rules == 0 || steps.OnlyDouble(u) && r.rules&cborwire.Reduced == 0 {
				*mem.At[float64](at) = math.Float64frombits(u)
				return i + 9
			}
		}
	case plan.Option:
		if !member && r.null(i) { // it may have been left out
			f.p.typ.Option.SetState(at, plan.OptionNull)
			return i + 1
		}
		return r.option(i, f.p, at, member)
	}
	return r.value(i, f.p, at)
}

// smallInt reads an integer of 64 bits and a sign in its shortest form, for which there are no rules. The end is -1 for
// any other, and near the end of the document.
func (r *reader) smallInt(i int) (v int64, end int) {
	if i > len(r.b)-steps.ValueRoom {
		return 0, -1
	}
	b := mem.BytesOf(r.b)
	x := b.At(i)
	switch {
	case x < 24:
		return int64(x), i + 1
	case x-cborwire.Nint < 24:
		return ^int64(x - cborwire.Nint), i + 1
	}
	v, size := steps.ReadCBORInt(b, i, x)
	if size == 0 {
		return 0, -1
	}
	return v, i + size
}

// name reads a key and finds the slot that it names: its index or -1, and the index after the key.
func (r *reader) name(i int, p *program) (slot, next int) {
	if i < len(r.b) && r.b[i]^cborwire.Text < steps.ShortText { // same as below
		if next = i + 1 + int(r.b[i]^cborwire.Text); next <= len(r.b) {
			if k := p.keys.Find(mem.String(r.b[i:next])); k >= 0 {
				return p.slot(k), next
			}
		}
	}
	next = r.skip(i)
	if next < 0 {
		return -1, -1
	}
	c := r.b[i]
	if k := p.keys.Find(mem.String(r.b[i:next])); k >= 0 && c&0xe0 != cborwire.Bytes {
		return p.slot(k), next
	}
	text, ok := "", false
	switch {
	case c < cborwire.Bytes:
		v, end := r.bigAt(i)
		if end < 0 {
			return -1, -1
		}
		text, ok = v.String(), true
	case c < cborwire.Array:
		body, end := r.body(i)
		if end < 0 {
			return -1, -1
		}
		text, ok = string(body), true
	}
	if !ok {
		return -1, next
	}
	var w [64]byte
	if k := p.keys.Find(mem.String(cborwire.AppendText(w[:0], text))); k >= 0 {
		return p.slot(k), next
	}
	if k := p.keys.Find(mem.String(cborwire.AppendKey(w[:0], r.b, i, next))); k >= 0 {
		return p.slot(k), next
	}
	if r.flags&setting.FoldNames != 0 && !p.typ.Strict {
		return p.typ.FieldFold(text), next
	}
	return -1, next
}

// slot returns the slot of the k-th key.
func (p *program) slot(k int) int {
	if k >= len(p.slots) {
		return int(p.others[k-len(p.slots)])
	}
	return k
}

// missing fails when a required member has not been met. What has a default becomes that.
func (r *reader) missing(start, i int, p *program, q mem.Ptr, seen uint64, more []uint64) int {
	names := p.typ.Missing(q, p.required, seen, more, r.flags)
	if names != nil && !entry.Violate(&r.shared, start, "", &weft.MissingError{Names: names}) {
		return -1
	}
	return i
}

// takes reports whether the field for members without a field takes the one whose key stands at i.
func (r *reader) takes(i int, p *program) bool {
	name, end := cborwire.AppendString(nil, r.b, i)
	return end >= 0 && p.typ.Takes(string(name))
}

// unknown handles the member whose key stands at start, and whose value at i, of which the struct at q has no
// field.
func (r *reader) unknown(start, i int, p *program, q mem.Ptr) int {
	if r.ignores(start) {
		return r.skip(i)
	}
	if p.rest == nil || p.typ.Picks() && !r.takes(start, p) {
		if !entry.Strange(&r.shared, i, "", p.typ) {
			return -1
		}
		return r.skip(i)
	}
	at, blocked := p.rest.Make(q)
	if blocked != nil {
		return r.skip(i)
	}
	m := at.Value(p.restProg.mem)
	if m.IsNil() {
		m.Set(reflect.MakeMap(p.restProg.typ.Rtype))
	}
	return r.pair(start, p.restProg, mem.NewEntry(p.restProg.typ.Rtype), m, false, new(keySpan))
}

// structArray reads an array of n values into the members of the struct at q in their order: what is missing
// is left alone, what is too much is skipped.
func (r *reader) structArray(start, i, n int, p *program, q mem.Ptr) int {
	if r.flags&flagExactArrays != 0 && n >= 0 && n != p.length() {
		return r.fail(start, lengthError(n, p.length()))
	}
	var c run
	u := (*runs)(nil)
	if n >= len(p.slots) {
		if u = r.runs(p, r.depth, false); u != nil {
			r.ready(&c, u)
		}
	}
	j, stuck := 0, -1
	for ; n != 0; n-- {
		if u != nil && j > stuck && j < len(p.slots) {
			k := j
			if u.keyed {
				stuck, i = ahead[steps.CBORSome](r, &c, u, 1, j, n, q, i)
			} else {
				stuck, i = ahead[steps.CBOR](r, &c, u, 1, j, n, q, i)
			}
			if i < 0 {
				return -1
			}
			for ; j < stuck && p.checks != nil; j++ {
				if p.slots[j].check && !p.slots[j].f.Left(q) && !r.obeyField(start, i, p, j, q) {
					return -1
				}
			}
			j = stuck
			if n -= j - k; n == 0 {
				break
			}
		}
		if r.ends(&i, n, 1) {
			break
		}
		switch {
		case j < len(p.slots):
			i = r.field(i, &p.slots[j], q, false)
			if i >= 0 && p.slots[j].check && !p.slots[j].f.Left(q) && !r.obeyField(start, i, p, j, q) {
				return -1
			}
		case j == len(p.slots) && p.rest != nil && r.null(i): // there are none
			i++
		case j == len(p.slots) && p.rest != nil:
			if at, blocked := p.rest.Make(q); blocked == nil {
				k := i
				if i = r.value(k, p.restProg, at); i >= 0 && p.typ.Picks() {
					name, some := p.typ.Sift(q)
					if some && !entry.Strange(&r.shared, k, string(wire.AppendPointer(nil, name)), p.typ) {
						return -1
					}
				}
				break
			}
			fallthrough
		default:
			if !entry.Strange(&r.shared, i, "", p.typ) {
				return -1
			}
			i = r.skip(i)
		}
		if j++; i < 0 {
			return -1
		}
	}
	if j < len(p.slots) && len(p.required) > 0 {
		seen := make([]uint64, len(p.required))
		for k := range j {
			seen[k/64] |= 1 << (k % 64)
		}
		return r.missing(start, i, p, q, seen[0], seen)
	}
	return i
}
