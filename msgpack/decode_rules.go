package msgpack

import (
	"math/bits"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// obey reports whether the slots from one to another of the struct at q obey the rules of their fields, or the walk goes
// on all the same. The struct begins at start, and has been read up to end. In an array, which is not keyed, a member that
// is left out of maps is there all the same, and obeys.
func (r *Reader) obey(start, end int, p *program, from, to int, q mem.Ptr, keyed bool) bool {
	if r.flags&setting.Unchecked != 0 {
		return true
	}
	for w := from / 64; w <= (to-1)/64; w++ {
		set := p.checks[w]
		if w == from/64 {
			set &= ^uint64(0) << (from % 64)
		}
		if w == to/64 {
			set &= 1<<(to%64) - 1
		}
		for ; set != 0; set &= set - 1 {
			slot := 64*w + bits.TrailingZeros64(set)
			f := &p.slots[slot]
			if (keyed || !f.f.Left(q)) && !f.holds(q) && !r.obeyAt(start, end, f, slot, q) {
				return false
			}
		}
	}
	return true
}

// holds reports whether the value of the field in the struct at q is known to obey the rules.
func (d *decField) holds(q mem.Ptr) bool {
	return d.flags&fEmbedded == 0 && d.rules.Hold(q.Field(d.off))
}

// obeyAt is obey for one slot, of which that is not known.
//
//go:noinline
func (r *Reader) obeyAt(start, end int, f *decField, slot int, q mem.Ptr) bool {
	at := q.Field(f.off)
	if f.flags&fEmbedded != 0 {
		if at = f.f.At(q); at.IsNil() || f.rules.Hold(at) {
			return true
		}
	}
	i := r.child(start, end, f.f.Name)
	if i < 0 { // laid out as an array, or under another name
		if i = r.child(start, end, strconv.Itoa(slot)); i < 0 {
			i = start
		}
	}
	return r.broken(i, end, f.rules, at) >= 0
}

// broken notes the rules that the value at q breaks, which has been read from i to end. It returns end, or -1 where the
// walk ends.
func (r *Reader) broken(i, end int, rules *plan.Rules, q mem.Ptr) int {
	for _, v := range rules.Broken(q, r.flags&setting.AllViolations != 0) {
		if !r.violate(v.Path, i, v.Err) {
			return -1
		}
	}
	return end
}

// violate notes what is wrong with the part of the value at i that the JSON pointer below leads to. It reports whether
// the walk goes on, which it does where all violations are wanted.
func (r *Reader) violate(below string, i int, err error) bool {
	if r.flags&setting.AllViolations != 0 {
		r.violations.Add(i, below, err)
		return true
	}
	path, at := locate(r.b, i)+below, r.below(i, below)
	r.fail(at, err)
	r.err.(*weft.Error).Path = path
	return false
}

// violated returns the error for all violations.
func (r *Reader) violated() error {
	var parts plan.Places
	w := walker{b: r.b}
	return &weft.Error{Format: "msgpack", Offset: -1, Err: r.violations.Located(func(i int, below string) (string, int64) {
		return pointer(r.b, w.to(i, nil), i), r.base + int64(parts.Follow(i, below, r.parts))
	})}
}

// below returns the offset of the value that the JSON pointer leads to from the one at i, or of the last one on the way
// that there is.
func (r *Reader) below(i int, pointer string) int {
	var parts plan.Places
	return parts.Follow(i, pointer, r.parts)
}

// parts returns where the elements or the last members of each name of the value at i begin, by reference tokens.
func (r *Reader) parts(i int) map[string]int {
	parts := make(map[string]int)
	class, next, n := packwire.Head(r.b, i)
	if class != packwire.ClassArray && class != packwire.ClassMap {
		return nil
	}
	for k := 0; k < n && next >= 0 && next < len(r.b); k++ {
		token := strconv.Itoa(k)
		if class == packwire.ClassMap {
			token = wire.UnescapeToken(string(appendKey(nil, r.b, next)[1:]))
			if next, _ = packwire.Skip(r.b, next, r.maxDepth); next < 0 || next >= len(r.b) {
				break
			}
		}
		parts[token] = next
		next, _ = packwire.Skip(r.b, next, r.maxDepth)
	}
	return parts
}

// child returns the offset of the element or of the last member, before end, of the value at i that token names, or -1.
func (r *Reader) child(i, end int, token string) int {
	found := -1
	class, next, n := packwire.Head(r.b, i)
	switch {
	case next < 0:
	case class == packwire.ClassArray:
		want, err := strconv.Atoi(token)
		for k := 0; err == nil && k < n && next >= 0 && next < end; k++ {
			if k == want {
				return next
			}
			next, _ = packwire.Skip(r.b, next, r.maxDepth)
		}
	case class == packwire.ClassMap:
		for k := 0; k < n && next >= 0 && next < end; k++ {
			name := appendKey(nil, r.b, next)
			if next, _ = packwire.Skip(r.b, next, r.maxDepth); next < 0 || next >= end {
				break
			}
			if wire.UnescapeToken(string(name[1:])) == token {
				found = next
			}
			next, _ = packwire.Skip(r.b, next, r.maxDepth)
		}
	}
	return found
}

// conforms reports whether the schema of the rules allows the value at i.
func (r *Reader) conforms(i int, rules *plan.Rules) bool {
	return r.flags&setting.Unchecked != 0 || r.own(i, func() error {
		r.Refuse(rules.Conform(r))
		r.Skip()
		return r.err
	}) >= 0
}
