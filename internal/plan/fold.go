package plan

import "github.com/weftcodec/weft/internal/wire"

// folded is the names of the fields of a struct without regard to case.
type folded struct {
	names *wire.NameTable
	owner []int // of each name the index of the field
}

// FieldFold returns the index of the first field of a struct that has the name, among
// its other names too, when case is folded as encoding/json folds it, or -1.
func (n *Type) FieldFold(name string) int {
	f := n.folds.Load()
	if f == nil {
		f = n.fold()
	}
	if i := f.names.FindFold(name); i >= 0 {
		return f.owner[i]
	}
	return -1
}

func (n *Type) fold() *folded {
	members := n.Members()
	f := &folded{owner: make([]int, len(members))}
	names := make([]string, len(members))
	for i := range members {
		names[i], f.owner[i] = members[i].Name, i
	}
	for i := range members {
		for _, other := range members[i].Alternates {
			names, f.owner = append(names, other), append(f.owner, i)
		}
	}
	f.names = wire.NewNameTable(names)
	n.folds.Store(f)
	return f
}
