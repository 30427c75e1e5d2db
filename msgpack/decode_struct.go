package msgpack

import (
	"fmt"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// structure reads a map, or an array, into the struct at q.
func (r *Reader) structure(i int, p *program, q mem.Ptr) int {
	b := r.b
	if i >= len(b) {
		return r.bad(i, packwire.Short, p.typ.Rtype.String())
	}
	n, next := int(b[i]&15), i+1
	if b[i]&0xf0 != packwire.FixMap {
		if b[i]&0xf0 == packwire.FixArray && n <= len(b)-next {
			return r.structArray(i, next, n, p, q)
		}
		if n, next = packwire.ReadMap(b, i); next < 0 {
			return r.noMap(i, next, p, q)
		}
	}
	if !r.deeper(i) {
		return -1
	}
	if next = members[steps.PackKeyed](r, i, next, n, p, q); next >= 0 {
		r.depth--
	}
	return next
}

// structArray reads an array of n values, which begins at start, into the struct at q.
func (r *Reader) structArray(start, i, n int, p *program, q mem.Ptr) int {
	if r.flags&flagStrictLen != 0 && n != p.length() {
		return r.fail(start, lengthError(n, p.length()))
	}
	if !r.deeper(start) {
		return -1
	}
	if i = members[steps.Pack](r, start, i, n, p, q); i >= 0 {
		r.depth--
	}
	return i
}

// noMap reads what is not a map into the struct at q: nil or an array.
func (r *Reader) noMap(i, end int, p *program, q mem.Ptr) int {
	if r.null(i) && !p.typ.NoNull {
		p.mem.Clear(q)
		return i + 1
	}
	n, next := packwire.ReadArray(r.b, i)
	if next < 0 {
		if next == packwire.Mismatch {
			next = end
		}
		return r.bad(i, next, p.typ.Rtype.String())
	}
	return r.structArray(i, next, n, p, q)
}

// members reads n pairs into the struct at q, which begins at start, or n values into its members in their order: what
// is missing of these is left alone, what is too much is skipped.
func members[F steps.Pack | steps.PackKeyed](r *Reader, start, i, n int, p *program, q mem.Ptr) int {
	var form F
	keyed := len(form) != 0
	b, room := r.b, steps.ValueRoom
	if keyed {
		room = steps.KeyRoom
	}
	keys := p.keys.All()
	slots := p.slots
	var seen uint64
	var seenMore []uint64
	if keyed && len(slots) > 64 {
		seenMore = make([]uint64, len(p.required))
	}
	var c run
	c.Steps, c.B, c.Slab, c.Alias = p.steps, r.b, &r.slab, r.flags&setting.AliasInput != 0
	runs := r.runs(p, r.depth)
	stuck := -1 // what ahead has left alone
	all := n
	for want := 0; n > 0; n-- {
		if runs && want > stuck && want < len(slots) && n >= len(slots)-want && i <= len(b)-room {
			if keyed {
				stuck, i = ahead[steps.PackKeyed](r, &c, p, want, q, i)
			} else {
				stuck, i = ahead[steps.Pack](r, &c, p, want, q, i)
			}
			if i < 0 {
				return -1
			}
			if stuck > want {
				if p.checks != nil && !r.obey(start, i, p, want, stuck, q, keyed) {
					return -1
				}
				if seen&(1<<stuck-1<<want) != 0 {
					r.unconfirmed = true
				}
				seen |= 1<<stuck - 1<<want
				for j := max(want, 64); keyed && j < stuck; j++ {
					seenMore[j/64] |= 1 << (j % 64)
				}
				if n -= stuck - want; n == 0 {
					break
				}
				want = stuck
			}
		}
		slot := want
		if !keyed {
			if slot >= len(slots) {
				if i = r.behind(i, slot, p, q); i < 0 {
					return -1
				}
				want++
				continue
			}
			goto found
		}
		// The name that is expected is compared as two words; any other is looked up.
		if want < len(slots) {
			if end, ok := keys[want].Match(b, i); ok {
				i = end
				goto found
			}
		}
		{
			at := i
			if slot, i = r.name(i, p.keys); i < 0 {
				return -1
			}
			if slot < 0 && r.flags&setting.FoldNames != 0 && !p.typ.Strict {
				slot = r.foldName(at, p)
			}
			if slot < 0 {
				if i = r.unknown(at, i, p, q); i < 0 {
					return -1
				}
				continue
			}
			if slot >= len(slots) {
				slot = int(p.others[slot-len(slots)])
			}
		}
	found:
		want = slot + 1
		if !keyed {
			// All before it have been met.
		} else if slot < 64 {
			if bit := uint64(1) << uint(slot); seen&bit == 0 {
				seen |= bit
			} else if r.unconfirmed = true; r.flags&setting.RejectDuplicates != 0 {
				return r.fail(i, weft.ErrDuplicateName)
			}
		} else if i = r.seenAgain(i, seenMore, slot); i < 0 {
			return -1
		}
		f := &slots[slot]
		at := q.Field(f.off)
		if f.flags == fState {
			if i < len(b) && b[i] == packwire.Nil {
				if i = r.unset(i, f, q, keyed); i < 0 {
					return -1
				}
				continue
			}
			state := mem.At[uint8](q.Near(f.state))
			r.was = *state
			*state = f.isSet
		} else if f.flags != 0 {
			if f.flags&fNoNil != 0 && r.null(i) {
				if keyed || !f.f.MayBeLeft() {
					return r.bad(i, packwire.Mismatch, f.f.Type.Rtype.String())
				}
				i++
				continue
			}
			if f.flags&fEmbedded != 0 {
				var done bool
				if at, i, done = r.embedded(i, f, q); i < 0 {
					return -1
				} else if done {
					continue
				}
			}
		}
		if i >= len(b) {
			return r.undo(f, q, r.bad(i, packwire.Short, f.f.Type.Rtype.String()))
		}
		switch {
		case f.code != plan.Option:
			i = r.value(i, f.p, at)
		case !keyed && r.null(i): // it may have been left out
			f.p.typ.Option.SetState(at, plan.OptionNull)
			i++
		default:
			i = r.option(i, f.p, at, keyed)
		}
		if i < 0 {
			return r.undo(f, q, i)
		}
		if f.f.Rules != nil && r.flags&setting.Unchecked == 0 && (keyed || !f.f.Left(q)) &&
			!f.holds(q) && !r.obeyAt(start, i, f, slot, q) {
			return -1
		}
	}
	if !keyed {
		if all < len(slots) && len(p.required) > 0 {
			return r.missingBehind(start, i, all, p, q)
		}
	} else if len(p.required) > 0 && p.required[0]&^seen != 0 || len(p.required) > 1 {
		return r.missing(start, i, p, q, seen, seenMore)
	}
	return i
}

// foldName returns the member of p that the name at i means whatever its case, or -1.
func (r *Reader) foldName(i int, p *program) int {
	start, end := packwire.ReadString(r.b, i)
	if end < 0 {
		return -1
	}
	return p.typ.FieldFold(mem.String(r.b[start:end]))
}

// seenAgain notes that a slot beyond the first 64 has been met.
func (r *Reader) seenAgain(i int, seen []uint64, slot int) int {
	w, bit := slot/64, uint64(1)<<uint(slot%64)
	if seen[w]&bit != 0 && r.flags&setting.RejectDuplicates != 0 {
		return r.fail(i, weft.ErrDuplicateName)
	}
	seen[w] |= bit
	return i
}

// missing fails when a required member has not been met. What has a default becomes that.
func (r *Reader) missing(start, i int, p *program, q mem.Ptr, seen uint64, more []uint64) int {
	names := p.typ.Missing(q, p.required, seen, more, r.flags)
	if names != nil && !entry.Violate(&r.shared, start, "", &weft.MissingError{Names: names}) {
		return -1
	}
	return i
}

// missingBehind fails when a member behind the first n is required.
func (r *Reader) missingBehind(start, i, n int, p *program, q mem.Ptr) int {
	seen := make([]uint64, len(p.required))
	for j := range n {
		seen[j/64] |= 1 << (j % 64)
	}
	return r.missing(start, i, p, q, seen[0], seen)
}

// embedded finds the place of a field behind embedded pointers. It reports whether the value has been read.
func (r *Reader) embedded(i int, f *decField, q mem.Ptr) (at mem.Ptr, next int, done bool) {
	if r.null(i) && f.f.At(q).IsNil() {
		return at, i + 1, true
	}
	at, blocked := f.f.Make(q)
	if blocked != nil {
		return at, r.fail(i, fmt.Errorf("cannot set embedded pointer to unexported struct: %v", blocked.Elem.Rtype)), false
	}
	return at, i, false
}

// unknown handles the member whose name stands at start, and whose value at i,
// of which the struct at q has no field.
func (r *Reader) unknown(start, i int, p *program, q mem.Ptr) int {
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
	return r.restMember(start, p.restProg, at)
}

// takes reports whether the field for members without a field takes the one whose name stands at i.
func (r *Reader) takes(i int, p *program) bool {
	name, end := r.keyText(i)
	return end >= 0 && p.typ.Takes(name)
}

// behind reads the j-th value of an array, of which the struct at q has no member.
func (r *Reader) behind(i, j int, p *program, q mem.Ptr) int {
	if j == len(p.slots) && p.rest != nil {
		if r.null(i) { // there are none
			return i + 1
		}
		return r.restMap(i, p, q)
	}
	if !entry.Strange(&r.shared, i, "", p.typ) {
		return -1
	}
	return r.skip(i)
}

// restMap reads the map of the members of the struct at q that have no field.
func (r *Reader) restMap(i int, p *program, q mem.Ptr) int {
	at, blocked := p.rest.Make(q)
	if blocked != nil {
		return r.skip(i)
	}
	end := r.value(i, p.restProg, at)
	if end < 0 || !p.typ.Picks() {
		return end
	}
	if name, some := p.typ.Sift(q); some && !entry.Strange(&r.shared, i, string(wire.AppendPointer(nil, name)), p.typ) {
		return -1
	}
	return end
}

// restMember reads one pair into the catch-all map at q.
func (r *Reader) restMember(i int, p *program, q mem.Ptr) int {
	m := q.Value(p.mem)
	if m.IsNil() {
		m.Set(reflect.MakeMap(p.typ.Rtype))
	}
	e := mem.NewEntry(p.typ.Rtype)
	if _, end := packwire.ReadString(r.b, i); end < 0 && p.key.dec == plan.String && !r.null(i) {
		// A name may be written as an integer.
		name, next := r.keyText(i)
		if next < 0 {
			return -1
		}
		*mem.At[string](e.Key) = name
		if i = r.value(next, p.elem, e.Elem); i >= 0 {
			e.Put(m)
		}
		return i
	}
	return r.pair(i, p, e, m, false)
}
