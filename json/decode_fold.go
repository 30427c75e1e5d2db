package json

import (
	"fmt"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
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
	for i := range t.Fields {
		name := string(appendFold(nil, t.Fields[i].Name))
		f.folded[name] = append(f.folded[name], i)
	}
	return f
}

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

// find returns the index of the field for a name that no field has, -1 for none and -2 for more than one.
func (f *folding) find(name string) int {
	found := -1
	var room [64]byte
	for _, i := range f.folded[string(appendFold(room[:0], name))] {
		if c := f.t.Fields[i].Case; c == plan.CaseIgnore || f.all && c != plan.CaseStrict {
			if found >= 0 {
				return -2
			}
			found = i
		}
	}
	return found
}

// decode decodes the object at i into the struct at p.
func (f *folding) decode(d *decoder, n *node, p mem.Ptr, i int) int {
	b := d.b
	if b.At(i) != '{' {
		return d.misfit(n, p, i)
	}
	if !d.check() {
		return d.fail()
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	var few [fewFields / 64]uint64
	seen := seenFields(few[:])
	if len(n.fields) > fewFields {
		seen = make(seenFields, (len(n.fields)+63)/64)
	}
	flip, start := 0, i
	i = d.ws(i + 1)
	for b.At(i) != '}' {
		at := i
		name, j := d.name(i)
		if j < 0 {
			return j
		}
		k := n.names.Find(name)
		if k >= len(n.fields) {
			k = n.others[k-len(n.fields)]
		}
		if k < 0 {
			k = f.find(name)
		}
		i = d.ws(d.ws(j) + 1)
		switch {
		case k == -2:
			return d.refuse(fmt.Errorf("name %q fits more than one field of %v", name, n.rtype), at)
		case k < 0:
			if d.flags&decodeRejectUnknown != 0 && n.rest == nil && d.saved == nil {
				d.saved, d.at = d.unknownField(name), at
			}
			i = d.unknown(n, p, at, i)
		case seen.has(k) && d.flags&decodeRejectDuplicates != 0:
			return d.refuse(weft.ErrDuplicateName, at)
		default:
			seen.add(k)
			fl := &n.fields[k]
			q, ok := d.reach(fl, p, i)
			if !ok {
				i = d.skip(i)
				break
			}
			switch { // same as structValue
			case fl.op == opOption:
				i = d.optionValue(fl.node, q, i, true)
			case fl.op == opSet && b.At(i) == 'n':
				i = d.unset(fl, p, i)
			case fl.op == opSet:
				d.set(fl, p)
				i = d.value(fl.node, q, i)
			default:
				i = d.value(fl.node, q, i)
			}
			if i < 0 {
				if fl.op == opSet {
					d.restore(fl, p)
				}
				i = d.leave(n, fl, i)
				flip = -1
			} else if fl.check != nil {
				i = d.ruledField(fl, p, i)
			}
		}
		if i < 0 {
			if i == failed {
				return i
			}
			i, flip = ^i, -1
		}
		if i = d.ws(i); b.At(i) == ',' {
			i = d.ws(i + 1)
		}
	}
	d.depth--
	if flip == 0 {
		return d.required(n, seen, start, i+1)
	}
	return (i + 1) ^ flip
}

// foldsNames tells whether a name that no field of t has may be that of one.
func foldsNames(t *plan.Type, f Flags) bool {
	folds := f&flagExactNames == 0 && !t.Strict
	for i := range t.Fields {
		folds = folds || t.Fields[i].Case == plan.CaseIgnore
	}
	return folds
}
