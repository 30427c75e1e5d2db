package plan

import (
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
)

// Union is a type whose values are of one of several types, the cases. What tells
// the cases apart is found out when the first value is read or written, since that
// takes the plans of all of them.
type Union struct {
	Cases []UnionCase

	set    *Set
	name   string
	decl   *weft.Variants
	strict bool      // null is not a value of the union
	at     mem.Field // where the interface stands that holds a case
	iface  *mem.Type // of that interface
	layout backend.Layout
	known  atomic.Pointer[unionPlan]
}

// UnionCase is one of the types of a [Union].
type UnionCase struct {
	Elem  reflect.Type // what is decoded: the type of the case or, if that is a pointer, of what it points to
	Mem   *mem.Type    // of Elem
	Names []string     // the values of the discriminator that are declared to choose it

	name    string     // of Elem in errors
	id      mem.TypeID // of what is in the interface
	other   mem.TypeID // of what may be there too: a pointer, where a case is none
	pointer bool
	box     mem.Box
}

// unionOf returns the union that rules declare for t, nil for none.
func (b *builder) unionOf(t reflect.Type, d *weft.Variants, strict bool) (*Union, error) {
	if t.Kind() != reflect.Struct || t.NumField() != 1 ||
		t.Field(0).Type.Kind() != reflect.Interface || !t.Field(0).IsExported() {
		return nil, fmt.Errorf("a union is a struct of one exported field, which is an interface")
	}
	f := t.Field(0)
	u := &Union{set: b.set, name: t.Name(), decl: d, strict: strict, at: mem.PlaceOf(&f), iface: mem.TypeOf(f.Type)}
	if err := u.cases(f.Type); err != nil {
		return nil, err
	}
	if d.Discriminator != "" {
		u.layout = weft.Flat(d.Discriminator)
	}
	return u, nil
}

// cases describes the cases, which implement the type in.
func (u *Union) cases(in reflect.Type) error {
	if len(u.decl.Cases) == 0 {
		return fmt.Errorf("the union has no cases")
	}
	u.Cases = make([]UnionCase, len(u.decl.Cases))
	for i := range u.decl.Cases {
		d, c := &u.decl.Cases[i], &u.Cases[i]
		t := d.Type
		switch {
		case t == nil || t.Kind() == reflect.Interface:
			return fmt.Errorf("the case %v of the union is not a type of values", t)
		case !t.Implements(in):
			return fmt.Errorf("the case %v of the union does not implement %v", t, in)
		case u.index(mem.IDOfType(t)) >= 0:
			return fmt.Errorf("%v is twice a case of the union", t)
		}
		c.Elem, c.Names, c.id, c.box = t, d.Names, mem.IDOfType(t), mem.BoxOf(in, t)
		if c.pointer = t.Kind() == reflect.Pointer; c.pointer {
			c.Elem = t.Elem()
		}
		c.Mem, c.name = mem.TypeOf(c.Elem), c.Elem.String()
	}
	for i := range u.Cases {
		if c := &u.Cases[i]; !c.pointer && reflect.PointerTo(c.Elem).Implements(in) {
			if id := mem.IDOfType(reflect.PointerTo(c.Elem)); u.index(id) < 0 {
				c.other = id
			}
		}
	}
	return nil
}

// index returns the index of the case that is in an interface as a type with the id, or -1.
func (u *Union) index(id mem.TypeID) int {
	for i := range u.Cases {
		if c := &u.Cases[i]; c.id == id || c.other == id {
			return i
		}
	}
	return -1
}

// Load returns the case that the union at p holds, and where the value is, which may be read only. What it holds is
// returned too: nil for nothing. The index is -1 for what is not a case, and for a nil pointer.
func (u *Union) Load(p mem.Ptr) (i int, q mem.Ptr, held any) {
	held = p.Field(u.at).Value(u.iface).Interface()
	if held == nil {
		return -1, mem.Ptr{}, nil
	}
	id := mem.IDOf(held)
	if i = u.index(id); i < 0 {
		return -1, mem.Ptr{}, held
	}
	c := &u.Cases[i]
	if c.pointer || c.id != id {
		if q = mem.PtrOf(held); q.IsNil() {
			return -1, mem.Ptr{}, nil
		}
		return i, q, held
	}
	return i, mem.Data(held, c.Mem), held
}

// Store makes the union at p hold what is at q, the i-th case. It may share the memory of that.
func (u *Union) Store(p mem.Ptr, i int, q mem.Ptr) { p.Field(u.at).SetBox(&u.Cases[i].box, q) }

// know returns how the cases are distinguished.
func (u *Union) know() *unionPlan {
	if k := u.known.Load(); k != nil {
		return k
	}
	return u.find()
}

//go:noinline
func (u *Union) find() *unionPlan {
	u.known.CompareAndSwap(nil, u.plan())
	return u.known.Load()
}

// Type returns the plan of the i-th case.
func (u *Union) Type(i int) *Type { return u.know().types[i] }

// packs reports whether objects that are laid out as arrays say what they are: they are arrays of the discriminator and
// the case.
func (u *Union) packs(k *unionPlan) bool {
	return u.layout.Fields != nil && k.kinds&arrays == 0 && k.kinds&objects != 0
}

// codec returns how values of the union, of type t, are read and written by the protocol.
func (u *Union) codec(t *Type, in *weft.Dialect) *weft.Codec {
	return in.CodecOf(t.Rtype,
		func(e *weft.Encoder, v any) error { return u.put(e, mem.PtrOf(v)) },
		func(d *weft.Decoder, v any) error {
			u.get(d, t, mem.PtrOf(v))
			return d.Err()
		})
}

// get reads the union at p.
func (u *Union) get(d *weft.Decoder, t *Type, p mem.Ptr) {
	r := d.Reader()
	k := u.know()
	if !u.strict && k.kinds&nulls == 0 && r.Null() {
		t.Mem.Clear(p)
		return
	}
	if u.packs(k) && r.Kind() == weft.KindArray {
		u.unpack(d, k, p)
		return
	}
	i, q := u.choose(r, k)
	if i < 0 {
		return
	}
	if q.IsNil() {
		c := &u.Cases[i]
		q = c.Mem.New()
		if k.look.Lacks[i] != "" {
			before := r.IgnoreMember(backend.IgnoredMember{Name: k.look.Lacks[i]})
			r.Value(q.Addr(c.Mem))
			r.IgnoreMember(before)
		} else {
			r.Value(q.Addr(c.Mem))
		}
	}
	if r.Err() == nil {
		u.Store(p, i, q)
	}
}

// unpack reads the union at p from an array of the discriminator and the case, as objects are laid out that are arrays.
func (u *Union) unpack(d *weft.Decoder, k *unionPlan, p mem.Ptr) {
	r := d.Reader()
	tag, _ := r.Tag(u.layout.Fields)
	list := k.tagged(tag)
	if len(list) != 1 {
		r.Refuse(u.untold(k, tag))
		return
	}
	i := list[0]
	c := &u.Cases[i]
	q := c.Mem.New()
	m, read := r.Mark(), false
	o := d.Object(u.layout.Fields)
	for o.Next() {
		if o.Index() == 1 {
			d.Value(q.Addr(c.Mem))
			read = true
		}
	}
	switch {
	case o.End() != nil:
	case read:
		u.Store(p, i, q)
	default:
		r.Reset(m)
		r.Refuse(u.misfit())
	}
}
