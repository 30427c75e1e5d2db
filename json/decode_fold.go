package json

import (
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire"
)

// folding finds the fields of a struct by names that may differ by case, dashes and underscores, as
// encoding/json/v2 does.
type folding struct {
	t      *plan.Type
	all    bool // not only those tagged case:ignore
	folded map[string][]int
}

func newFolding(t *plan.Type, all bool) *folding {
	f := &folding{t: t, all: all, folded: make(map[string][]int)}
	members := t.Members()
	for i := range members {
		name := string(appendFold(nil, members[i].Name))
		f.folded[name] = append(f.folded[name], i)
	}
	return f
}

// foldsTwo is the index of the field for a name that may be that of more than one.
const foldsTwo = -2

// appendFold appends name without what does not count.
func appendFold(b []byte, name string) []byte {
	b = wire.AppendFold(b, name)
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
	for _, i := range f.folded[string(appendFold(room[:0], name))] {
		if c := f.t.Members()[i].Case; c == plan.CaseIgnore || f.all && c != plan.CaseStrict {
			if found >= 0 {
				return foldsTwo
			}
			found = i
		}
	}
	return found
}

// owner returns the name of the field for which name would be taken, or name itself.
func (f *folding) owner(name string) string {
	found := name
	for _, i := range f.folded[string(appendFold(nil, name))] {
		switch field := &f.t.Members()[i]; {
		case field.Name == name:
			return name
		case found == name && (field.Case == plan.CaseIgnore || f.all && field.Case != plan.CaseStrict):
			found = field.Name
		}
	}
	return found
}

// foldsNames tells whether a name that no field of t has may be that of one.
func foldsNames(t *plan.Type, f Flags) bool {
	folds := f&flagExactNames == 0 && !t.Strict
	members := t.Members()
	for i := range members {
		folds = folds || members[i].Case == plan.CaseIgnore
	}
	return folds
}
