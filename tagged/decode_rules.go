package tagged

import (
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
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
	v := weft.Violation{Path: path, Offset: r.base + int64(at), Err: err}
	if n := len(r.violations); n == 0 || r.violations[n-1].Path != v.Path || r.violations[n-1].Error() != v.Error() {
		r.violations = append(r.violations, v) // once of a rule of the type and of the field that holds it
	}
	return true
}

// below returns the offset of the value that the JSON pointer leads to from the one at i, or of the last one on the way
// that there is.
func (r *reader) below(i, end int, wt uint32, pointer string) int {
	for pointer != "" {
		token := pointer[1:]
		pointer = ""
		if k := strings.IndexByte(token, '/'); k >= 0 {
			token, pointer = token[:k], token[k:]
		}
		if wt != tagwire.Object && wt != tagwire.Array {
			break
		}
		next, stop := r.content(i, end)
		want := r.tagOf(unescapePointer.Replace(token))
		if wt == tagwire.Array {
			k, err := strconv.Atoi(token)
			if err != nil {
				break
			}
			want = uint32(k + 1)
		}
		found := false
		for !found && stop-next > tagwire.TagSize {
			tag := tagwire.Tag(r.b, next)
			from := next + tagwire.TagSize
			if next = r.pass(from, stop, tag&15); next < 0 {
				break
			}
			if found = wt == tagwire.Array && tag>>4 == want || wt == tagwire.Object && tag&^0xff == want; found {
				i, end, wt = from, next, tag&15
			}
		}
		if !found {
			break
		}
	}
	return i
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// conforms reports whether the schema of the rules allows the value at i.
func (r *reader) conforms(i, end int, wt uint32, rules *plan.Rules) bool {
	return r.flags&setting.Unchecked != 0 || r.own(i, end, wt, func() error {
		r.Refuse(rules.Conform(r))
		r.Skip()
		return r.err
	}) >= 0
}
