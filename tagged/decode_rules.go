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
func (r *reader) broken(i int, rules *plan.Rules, q mem.Ptr) bool {
	for _, v := range rules.Broken(q, r.flags&setting.AllViolations != 0) {
		if !r.violate(i, v.Path, v.Err) {
			return false
		}
	}
	return true
}

// violate notes what is wrong with the part of the value at i that the JSON pointer below leads to. It reports whether
// the walk goes on, which it does where all violations are wanted.
func (r *reader) violate(i int, below string, err error) bool {
	if r.flags&setting.AllViolations != 0 {
		r.violations.Add(i, below, err)
		return true
	}
	path, at := r.pathIn(r.b, i)+below, r.below(i, below, parts{})
	r.fail(at, err)
	r.err.(*weft.Error).Path = path
	return false
}

// violated returns the error for all violations.
func (r *reader) violated() error {
	way, all := r.wayIn(r.b), parts{}
	defer way.end()
	return &weft.Error{Format: formatName, Offset: -1, Err: r.violations.Located(func(i int, below string) (string, int64) {
		return way.to(i), r.base + int64(r.below(i, below, all))
	})}
}

// parts is where the first elements or members of each tag begin, by where their containers begin.
type parts map[int]map[uint32]int

// below returns the offset of the value that the JSON pointer leads to from the one at i, or of the last one on the way
// that there is.
func (r *reader) below(i int, pointer string, all parts) int {
	return wire.FollowPointer(i, pointer, func(i int, token string) int {
		wt, want := uint32(tagwire.Object), r.tagOf(token)
		if i > 0 || r.lone {
			wt = tagwire.Tag(r.b, i-tagwire.TagSize) & 15
		}
		kept := ^uint32(0xff)
		if wt == tagwire.Array {
			k, err := strconv.Atoi(token)
			if err != nil {
				return -1
			}
			want, kept = uint32(k+1)<<4, ^uint32(15)
		} else if wt != tagwire.Object {
			return -1
		}
		if all[i] == nil {
			all[i] = make(map[uint32]int)
			for next, stop := r.content(i, len(r.b)); next >= 0 && stop-next > tagwire.TagSize; {
				tag, from := tagwire.Tag(r.b, next), next+tagwire.TagSize
				if _, ok := all[i][tag&kept]; !ok {
					all[i][tag&kept] = from
				}
				next = r.pass(from, stop, tag&15)
			}
		}
		if at, ok := all[i][want]; ok {
			return at
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
