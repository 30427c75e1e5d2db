package tagged

import (
	"strconv"

	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// parts is where the first elements or members of each tag begin, by where their containers begin.
type parts map[int]map[uint32]int

// places finds places in the message or row.
func (r *reader) places() entry.Place {
	way, all := r.wayIn(r.b), parts{}
	return func(i int, below string) (path string, at int) { return way.to(i), r.below(i, below, all) }
}

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
