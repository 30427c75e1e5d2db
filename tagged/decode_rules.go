package tagged

import (
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// broken notes the rules that the value at q breaks, which has been read at i. It reports whether the walk goes on.
func (r *reader) broken(i, end int, wt uint32, rules *plan.Rules, q mem.Ptr) bool {
	for _, v := range rules.Broken(q, r.flags&setting.AllViolations != 0) {
		if !r.violate(i, end, wt, v.Path, v.Err) {
			return false
		}
	}
	return true
}

// violate notes what is wrong with the part of the value at i that the JSON pointer below leads to. It reports whether
// the walk goes on, which it does where all violations are wanted.
func (r *reader) violate(i, end int, wt uint32, below string, err error) bool {
	path, at := r.pathIn(r.b, i)+below, r.below(i, end, wt, below)
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
func (r *reader) below(i, end int, wt uint32, pointer string) int {
	return wire.FollowPointer(i, pointer, func(i int, token string) int {
		if wt != tagwire.Object && wt != tagwire.Array {
			return -1
		}
		next, stop := r.content(i, end)
		want, kept := r.tagOf(token), ^uint32(0xff)
		if wt == tagwire.Array {
			k, err := strconv.Atoi(token)
			if err != nil {
				return -1
			}
			want, kept = uint32(k+1)<<4, ^uint32(15)
		}
		for stop-next > tagwire.TagSize {
			tag := tagwire.Tag(r.b, next)
			from := next + tagwire.TagSize
			if next = r.pass(from, stop, tag&15); next < 0 {
				break
			}
			if tag&kept == want {
				end, wt = next, tag&15
				return from
			}
		}
		return -1
	})
}

// conforms reports whether the schema of the rules allows the value at i.
func (r *reader) conforms(i, end int, wt uint32, rules *plan.Rules) bool {
	return r.flags&setting.Unchecked != 0 || r.own(i, end, wt, func() error {
		r.Refuse(rules.Conform(r))
		r.Skip()
		return r.err
	}) >= 0
}
