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
	at, path := r.below(i, below), locate(r.b, i, false)+below
	if r.flags&setting.AllViolations == 0 {
		r.fail(at, err)
		r.err.(*weft.Error).Path = path
		return false
	}
	r.violations = plan.AddViolation(r.violations, weft.Violation{Path: path, Offset: r.base + int64(at), Err: err})
	return true
}

// below returns the offset of the value that the JSON pointer leads to from the one at i, or of the last one on the way
// that there is.
func (r *reader) below(i int, pointer string) int {
	return wire.FollowPointer(i, pointer, func(i int, token string) int { return r.child(i, len(r.b), token) })
}

// child returns the offset of the element or of the last member, before end, of the value at i that token
// names, or -1.
func (r *reader) child(i, end int, token string) int {
	var c byte
	for {
		n, next := cborwire.Head(r.b, i)
		if next < 0 {
			return -1
		}
		if c = r.b[i]; c&0xe0 != cborwire.Tag {
			_, i = n, next
			break
		}
		i = next
	}
	if c&0xe0 != cborwire.Array && c&0xe0 != cborwire.Map {
		return -1
	}
	found := -1
	for k := 0; i < end && r.b[i] != cborwire.Break; k++ {
		name := strconv.Itoa(k)
		if c&0xe0 == cborwire.Map {
			name = wire.UnescapeToken(string(appendKey(nil, r.b, i)[1:]))
			if i, _ = cborwire.Skip(r.b, i, r.maxDepth); i < 0 || i >= end {
				break
			}
		}
		if name == token {
			found = i
		}
		if i, _ = cborwire.Skip(r.b, i, r.maxDepth); i < 0 {
			break
		}
	}
	return found
}
