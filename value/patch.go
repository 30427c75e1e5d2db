package value

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire"
)

// Merge returns v changed by a merge patch (RFC 7396): if patch is a map, its members replace those of v, maps are
// merged, and null removes a member.
func (v Value) Merge(patch Value) Value {
	if patch.Kind() != KindMap {
		return patch
	}
	if v.Kind() != KindMap {
		v = Map()
	}
	if patch.count() == 0 {
		return v
	}
	s, names, patches := v.shape(), patch.names(), patch.members()
	old := v.members()
	var b *builder // made at the first change of the names
	slots, changed := []Value(nil), false
	for i, p := range patches {
		at := s.Find(names[i], i)
		if b == nil && at < 0 && !p.IsNull() || b == nil && at >= 0 && p.IsNull() {
			b = newBuilder(len(old) + len(names))
			break
		}
	}
	if b == nil { // no name comes or goes
		for i, p := range patches {
			at := s.Find(names[i], i)
			if at < 0 {
				continue
			}
			x := old[at].Merge(p)
			if x.same(old[at]) {
				continue
			}
			if !changed {
				slots, changed = newSlots(s), true
				copy(slots[1:], old)
			}
			slots[at+1] = x
		}
		if !changed {
			return v
		}
		return mapOf(slots)
	}
	for i, x := range old {
		p, ok := patch.Get(s.Names[i])
		switch {
		case !ok:
			b.add(s.Names[i], x)
		case !p.IsNull():
			b.add(s.Names[i], x.Merge(p))
		}
	}
	for i, p := range patches {
		if s.Find(names[i], i) < 0 && !p.IsNull() {
			b.add(names[i], Value{}.Merge(p))
		}
	}
	return b.done()
}

var (
	errOperation = errors.New("bad operation")
	errAbsent    = errors.New("there is no such value")
	errTest      = errors.New("test failed")
	errPointer   = errors.New("bad pointer")
	errInside    = errors.New("a value cannot be moved into itself")
	errWhole     = errors.New("the whole document cannot be removed")
	errCopied    = errors.New("the operations copy too much")
)

// maxCopied is how much the copy operations of a patch may copy, all together: values, and bytes of text. Copies share
// their memory, so that a short patch could make a document that is too large to be written.
const maxCopied = 1 << 24

// weight returns how many values v has, itself included, and bytes of text, or more than most if it has more.
func (v Value) weight(most int) int {
	n := 1
	switch v.Kind() {
	case KindString, KindBytes, KindNumber, KindExt:
		n += v.Len()
	case KindList, KindMap:
		for i, all := 0, v.kids(); i < all.n && n <= most; i++ {
			x := all.at(i)
			n += len(v.Name(i)) + x.weight(most-n)
		}
	}
	return n
}

// Patch returns v changed by a JSON patch (RFC 6902): a list of operations, which
// are maps with the members op, path, value and from. If one of them fails, v is returned with an error that names
// the operation. The copy operations of a patch may copy 1<<24 values and bytes of text, all together. Each list or map
// that is changed is copied once, however many operations change it.
func (v Value) Patch(patch Value) (Value, error) {
	if patch.Kind() != KindList {
		return v, fault(nil, fmt.Errorf("a patch that is a %v is %w", patch.Kind(), errNoList))
	}
	p := patcher{v: v}
	for i, op := range patch.elems() {
		if err := p.apply(op); err != nil {
			return v, fault([]step{{index: i}}, err)
		}
	}
	return finish(&p.v, &p.d), nil
}

// patcher is a value that operations change.
type patcher struct {
	v      Value
	d      *draft
	copied int
}

func (p *patcher) apply(op Value) error {
	text := func(name string) (string, error) {
		x, _ := op.Get(name)
		s, ok := x.Text()
		if !ok {
			return "", fmt.Errorf("%w: no string %q", errOperation, name)
		}
		return s, nil
	}
	name, err := text("op")
	if err != nil {
		return err
	}
	path, err := text("path")
	if err != nil {
		return err
	}
	var x Value
	switch name {
	case "add", "replace", "test":
		var ok bool
		if x, ok = op.Get("value"); !ok {
			return fmt.Errorf("%w: no member %q", errOperation, "value")
		}
	case "move", "copy":
		from, err := text("from")
		if err != nil {
			return err
		}
		var ok bool
		if x, ok = pointer(&p.v, &p.d, from); !ok {
			return fmt.Errorf("%s: from %s: %w", name, wire.Quote(from), errAbsent)
		}
		if name == "copy" {
			if p.copied += x.weight(maxCopied - p.copied); p.copied > maxCopied {
				return fmt.Errorf("copy: from %s: %w", wire.Quote(from), errCopied)
			}
			break
		}
		if from == path {
			return nil
		}
		if strings.HasPrefix(path, from) && path[len(from)] == '/' {
			return fmt.Errorf("move: %w", errInside)
		}
		if err = editRemove.apply(&p.v, &p.d, from, Value{}); err != nil {
			return fmt.Errorf("move: from %s: %w", wire.Quote(from), err)
		}
	}
	switch name {
	case "add", "move", "copy":
		err = editAdd.apply(&p.v, &p.d, path, x)
	case "replace":
		err = editReplace.apply(&p.v, &p.d, path, x)
	case "remove":
		err = editRemove.apply(&p.v, &p.d, path, Value{})
	case "test":
		if y, ok := pointer(&p.v, &p.d, path); !ok {
			err = errAbsent
		} else if !y.Equal(x) {
			err = errTest
		}
	default:
		return fmt.Errorf("%w: op %.20q", errOperation, name)
	}
	if err != nil {
		return fmt.Errorf("%s: path %s: %w", name, wire.Quote(path), err)
	}
	return nil
}

// Diff returns a JSON patch (RFC 6902) that turns v into w: see [Value.Patch].
func Diff(v, w Value) Value {
	var d differ
	d.diff(v, w)
	return listOf(d.ops)
}

var (
	valueOp  = tree.NewShape([]string{"op", "path", "value"})
	removeOp = tree.NewShape([]string{"op", "path"})
)

type differ struct {
	path []byte
	ops  []Value
}

func (d *differ) op(name string, x Value) {
	s := valueOp
	if name == "remove" {
		s = removeOp
	}
	slots := newSlots(s)
	slots[1], slots[2] = String(name), String(string(d.path))
	if s == valueOp {
		slots[3] = x
	}
	d.ops = append(d.ops, mapOf(slots))
}

// at does what f does one step further down.
func (d *differ) at(s step, f func()) {
	n := len(d.path)
	d.path = s.append(d.path)
	f()
	d.path = d.path[:n]
}

func (d *differ) diff(v, w Value) {
	switch {
	case v.same(w):
	case v.Kind() == KindMap && w.Kind() == KindMap:
		for name := range v.Members() {
			if !w.Has(name) {
				d.at(step{name, -1}, func() { d.op("remove", Value{}) })
			}
		}
		for name, y := range w.Members() {
			x, ok := v.Get(name)
			d.at(step{name, -1}, func() {
				if ok {
					d.diff(x, y)
				} else {
					d.op("add", y)
				}
			})
		}
	case v.Kind() == KindList && w.Kind() == KindList:
		d.lists(v.elems(), w.elems())
	case !v.Equal(w): // lists and maps are equal if there is nothing to change
		d.op("replace", w)
	}
}

// lists changes the elements between the first and the last that are equal. What is compared and not changed in place
// is compared once, so that it takes no more time than there is in both.
func (d *differ) lists(a, b []Value) {
	m, n, ops := len(a), len(b), len(d.ops)
	i := 0
	for ; i < min(m, n) && len(d.ops) == ops; i++ {
		d.at(step{index: i}, func() { d.diff(a[i], b[i]) })
	}
	from := i
	if len(d.ops) > ops {
		from--
	}
	for len(a) != len(b) && min(m, n) > from && a[m-1].Equal(b[n-1]) {
		m--
		n--
	}
	if min(m, n) == from {
		i, d.ops = from, d.ops[:ops]
	}
	for ; i < min(m, n); i++ {
		d.at(step{index: i}, func() { d.diff(a[i], b[i]) })
	}
	for j := m - 1; j >= i; j-- {
		d.at(step{index: j}, func() { d.op("remove", Value{}) })
	}
	for ; i < n; i++ {
		d.at(step{index: i}, func() { d.op("add", b[i]) })
	}
}
