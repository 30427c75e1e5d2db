package cbor

import (
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// obeyField reports whether the slot of the struct at q obeys the rules of its field, or the walk goes on all the
// same. The struct begins at start, and has been read up to end.
func (r *reader) obeyField(start, end int, p *program, slot int, q mem.Ptr) bool {
	f := p.slots[slot].f
	at := f.At(q)
	if r.flags&setting.Unchecked != 0 || at.IsNil() || f.Rules.Hold(at) {
		return true
	}
	i := r.child(start, end, f.Name)
	if i < 0 { // laid out as an array, or under another name
		if i = r.child(start, end, strconv.Itoa(slot)); i < 0 {
			i = start
		}
	}
	return r.broken(i, end, f.Rules, at) >= 0
}

// conforms reports whether the schema of the rules allows the value at i.
func (r *reader) conforms(i int, rules *plan.Rules) bool {
	return r.flags&setting.Unchecked != 0 || r.one(i, func() error {
		r.Refuse(rules.Conform(r))
		r.Skip()
		return r.err
	}) >= 0
}

// broken notes the rules that the value at q breaks, which has been read from i to end. It returns end, or -1
// where the walk ends.
func (r *reader) broken(i, end int, rules *plan.Rules, q mem.Ptr) int {
	for _, v := range rules.Broken(q, r.flags&setting.AllViolations != 0) {
		if !r.violate(v.Path, i, v.Err) {
			return -1
		}
	}
	return end
}

// violate notes what is wrong with the part of the value at i that the JSON pointer below leads to. It tells
// whether the walk goes on, which it does where all violations are wanted.
func (r *reader) violate(below string, i int, err error) bool {
	if r.flags&setting.AllViolations != 0 {
		r.violations.Add(i, below, err)
		return true
	}
	at, path := r.below(i, below), locate(r.b, i, false)+below
	r.fail(at, err)
	r.err.(*weft.Error).Path = path
	return false
}

// violated returns the error for all violations.
func (r *reader) violated() error {
	var parts plan.Places
	w := walker{b: r.b}
	return &weft.Error{Format: "cbor", Offset: -1, Err: r.violations.Located(func(i int, below string) (string, int64) {
		return w.to(i, false), r.base + int64(parts.Follow(i, below, r.parts))
	})}
}

// child returns the offset of the element or of the last member, before end, of the value at i that token
// names, or -1.
func (r *reader) child(i, end int, token string) int {
	found := -1
	r.eachPart(i, end, func(name string, i int) {
		if name == token {
			found = i
		}
	})
	return found
}

// below returns the offset of the value that the JSON pointer leads to from the one at i, or of the last one on the way
// that there is.
func (r *reader) below(i int, pointer string) int {
	var parts plan.Places
	return parts.Follow(i, pointer, r.parts)
}

// parts returns where the elements or the last members of each name of the value at i begin, by reference tokens.
func (r *reader) parts(i int) map[string]int {
	parts := make(map[string]int)
	r.eachPart(i, len(r.b), func(name string, i int) { parts[name] = i })
	return parts
}

// eachPart calls found with the elements or members of the value at i that begin before end.
func (r *reader) eachPart(i, end int, found func(name string, i int)) {
	c, n := byte(cborwire.Tag), uint64(0)
	for c&0xe0 == cborwire.Tag {
		u, next := cborwire.Head(r.b, i)
		if next < 0 {
			return
		}
		c, n, i = r.b[i], u, next
	}
	if c&0xe0 != cborwire.Array && c&0xe0 != cborwire.Map {
		return
	}
	for k := 0; i < end; k++ {
		if c&31 == cborwire.Open && r.b[i] == cborwire.Break || c&31 != cborwire.Open && uint64(k) >= n {
			break
		}
		name := strconv.Itoa(k)
		if c&0xe0 == cborwire.Map {
			name = wire.UnescapeToken(string(appendKey(nil, r.b, i)[1:]))
			if i, _ = cborwire.Skip(r.b, i, r.maxDepth); i < 0 || i >= end {
				break
			}
		}
		found(name, i)
		if i, _ = cborwire.Skip(r.b, i, r.maxDepth); i < 0 {
			break
		}
	}
}
