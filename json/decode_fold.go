package json

import (
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// folding finds the fields of a struct by names that may differ by case, dashes and underscores, as
// encoding/json/v2 does.
type folding struct {
	t      *plan.Type
	mode   *mode // by which more than those tagged case:ignore may be found
	folded map[string][]int
}

func newFolding(t *plan.Type, m *mode) *folding {
	f := &folding{t: t, mode: m, folded: make(map[string][]int)}
	members := t.Members()
	for i := range members {
		name := string(f.fold(nil, members[i].Name))
		f.folded[name] = append(f.folded[name], i)
	}
	return f
}

// foldsTwo is the index of the field for a name that may be that of more than one.
const foldsTwo = -2

// fold appends name without what does not count.
func (f *folding) fold(b []byte, name string) []byte {
	b = wire.AppendFold(b, name)
	if !f.mode.v2(setting.LegacyDelimiters) {
		return b
	}
	out := b[:0]
	for _, c := range b {
		if c != '-' && c != '_' {
			out = append(out, c)
		}
	}
	return out
}

// find returns the index of the field for a name that no field has, -1 for none and foldsTwo for more than one.
func (f *folding) find(name string) int {
	found := -1
	var room [64]byte
	for _, i := range f.folded[string(f.fold(room[:0], name))] {
		switch {
		case !f.takes(i):
		case !f.mode.v2(setting.LegacyErrors):
			return i
		case found >= 0:
			return foldsTwo
		default:
			found = i
		}
	}
	return found
}

// takes reports whether names that differ from that of the i-th field may be its.
func (f *folding) takes(i int) bool {
	c := f.t.Members()[i].Case
	return c == plan.CaseIgnore || f.mode.flags&flagExactNames == 0 && c != plan.CaseStrict && !f.t.Strict
}

// owner returns the name of the field for which name would be taken, or name itself if there is none.
func (f *folding) owner(name string) (found string, ok bool) {
	found = name
	for _, i := range f.folded[string(f.fold(nil, name))] {
		switch field := &f.t.Members()[i]; {
		case field.Name == name:
			return name, true
		case !ok && f.takes(i):
			found, ok = field.Name, true
		}
	}
	return found, ok
}

// foldsNames reports whether a name that no field of t has may be that of one.
func foldsNames(t *plan.Type, f encodeFlags) bool {
	folds := f&flagExactNames == 0 && !t.Strict
	members := t.Members()
	for i := range members {
		folds = folds || members[i].Case == plan.CaseIgnore
	}
	return folds
}
