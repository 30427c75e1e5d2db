package plan

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

// Parts is a struct whose fields point to the things that an object is at once. It is
// read by its codec, each part from the beginning of the object, and written as a
// struct, the body, that has the members of all parts.
type Parts struct {
	set    *Set
	name   string
	choice backend.Schema
	strict bool
	closed bool
	own    *mem.Type
	body   *mem.Type // a struct that holds one of own alone
	list   []part
	rest   *Field // the field for members that no part has, nil for none
	chosen []int  // the part of each choice
	know   func() *partsPlan
}

// part is one thing that an object may be.
type part struct {
	at   mem.Field // of the pointer
	elem reflect.Type
	mem  *mem.Type
}

// partsPlan are the members of parts.
type partsPlan struct {
	fields *weft.Fields // the names of all
	owners []uint64     // a bit for each part that has the name
	types  []*Type
	shared [][]*Field // the members of several parts, as fields of the body
}

// mostParts is how many parts there may be, and how often a value is read again because of the parts around it.
const mostParts = 64

// makeParts makes n, a struct of pointers, an object of parts.
func (b *builder) makeParts(n *Type, d *weft.Rules) error {
	choice, body := d.Parts.Choice, d.Parts.Body
	if choice == nil || body == nil {
		return fmt.Errorf("parts are made by PartsOf, with a schema")
	}
	q := &Parts{set: b.set, name: n.Rtype.Name(), choice: choice, strict: d.Strict, closed: d.Closed}
	found, rests, err := b.scanParts(n.Rtype)
	if err != nil {
		return err
	}
	for _, c := range found {
		e := c.rtype.Elem()
		q.list = append(q.list, part{c.Offset, e, mem.TypeOf(e)})
	}
	if len(rests) > 0 {
		q.rest = &rests[0].Field
		q.rest.Type = b.heldBy(n, rests[0].rtype, false)
		b.restRule(n, q.rest, rests[0])
	}
	for _, name := range choice.Names() {
		i := slices.IndexFunc(q.list, func(p part) bool { return p.elem.Name() == name })
		if i < 0 {
			return fmt.Errorf("no field points to a %s, which the choice of the parts names", name)
		}
		q.chosen = append(q.chosen, i)
	}
	q.own, q.body = n.Mem, mem.TypeOf(body)
	q.know = sync.OnceValue(q.plan)
	n.Kind, n.Parts = Coded, q
	n.Codec = b.set.config.Dialect.CodecOf(n.Rtype,
		func(e *weft.Encoder, v any) error { return q.put(e, mem.PtrOf(v)) },
		func(d *weft.Decoder, v any) error {
			q.get(d.Reader(), mem.PtrOf(v), n.Mem)
			return d.Err()
		})
	n.Hooks = Hooks{b.set.weft, b.set.weft, b.set.weft, b.set.weft}
	return nil
}

// scanParts returns the fields of t that are parts, and those for other members.
func (b *builder) scanParts(t reflect.Type) (found, rests []*candidate, err error) {
	if t.Kind() != reflect.Struct {
		return nil, nil, fmt.Errorf("parts are fields of a struct, which %v is not", t)
	}
	// The fields of another struct may be being looked at.
	was := b.scan
	b.scan.places = nil
	found, rests = b.scanFields(&Type{Rtype: t})
	for _, list := range [][]*candidate{found, rests} {
		for i, c := range list {
			own := *c
			list[i] = &own
		}
	}
	b.scan = was
	for _, c := range found {
		if c.rtype.Kind() != reflect.Pointer || c.rtype.Elem().Kind() != reflect.Struct || len(c.Embeds) > 0 {
			return nil, nil, fmt.Errorf("the field %s is not a pointer to a struct, as parts are", c.path())
		}
	}
	if len(found) == 0 || len(found) > mostParts || len(rests) > 1 {
		return nil, nil, fmt.Errorf("an object has at least one part, at most %d, and one field for other members", mostParts)
	}
	return found, rests, nil
}

// describeBody makes n a struct with the members of all parts of the struct in it. Of those of one name that comes
// first which keeps what is read; the others yield to it.
func (b *builder) describeBody(n *Type) {
	inner, at0 := n.Rtype.Field(0).Type, mem.FieldOf(n.Rtype, 0)
	found, rests, err := b.scanParts(inner)
	if err != nil {
		return // it is an error of the type of the parts
	}
	var groups [][]Field
	at := make(map[string]int)
	for _, c := range found {
		e := b.typeOf(c.rtype.Elem())
		b.complete(e)
		for i := range e.fields {
			f := e.fields[i]
			f.Embeds = append([]Embed{{Offset: at0.Then(c.Offset), Elem: e.Mem, Settable: true}}, f.Embeds...)
			f.Index = slices.Concat([]int{0}, c.Index, f.Index)
			f.Through = append([]string{c.GoName}, f.Through...)
			f.Required, f.ReadOnly, f.WriteOnly, f.Fills, f.Rules, f.Alternates = false, false, false, false, nil, nil
			k, ok := at[f.Name]
			if !ok {
				k = len(groups)
				at[f.Name], groups = k, append(groups, nil)
			}
			groups[k] = append(groups[k], f)
		}
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(x, y Field) int { return pick(x.exact(), 0, 1) - pick(y.exact(), 0, 1) })
		n.fields = append(n.fields, g...)
	}
	for i := range n.fields {
		for j := i - 1; j >= 0 && n.fields[j].Name == n.fields[i].Name; j-- {
			n.fields[i].yields = append(n.fields[i].yields, &n.fields[j])
		}
	}
	if len(rests) > 0 {
		n.rest = &rests[0].Field
		n.rest.Offset = at0.Then(n.rest.Offset)
		n.rest.Type = b.heldBy(b.typeOf(inner), rests[0].rtype, false)
	}
}

// exact reports whether the field keeps a text or a number unchanged, which times and floats do not.
func (f *Field) exact() bool {
	k := f.Type.Behind()
	return k.Kind != Time && k.Wraps != timeType && !k.Kind.IsFloat()
}

// Yields reports whether another part has the member, in the body at p.
func (f *Field) Yields(p mem.Ptr) bool {
	for _, g := range f.yields {
		if !g.left(g.At(p)) {
			return true
		}
	}
	return false
}

// plan finds out which members the parts have.
func (q *Parts) plan() *partsPlan {
	k := &partsPlan{types: make([]*Type, len(q.list))}
	var names []string
	for i, x := range q.list {
		k.types[i] = q.set.Of(x.elem)
		for j := range k.types[i].Members() {
			f := &k.types[i].Members()[j]
			for _, name := range append([]string{f.Name}, f.Alternates...) {
				at := slices.Index(names, name)
				if at < 0 {
					at = len(names)
					names, k.owners = append(names, name), append(k.owners, 0)
				}
				k.owners[at] |= 1 << i
			}
		}
	}
	k.fields = weft.NewFields(names...)
	body := q.set.Of(q.body.Rtype)
	members := body.Members()
	for i := range members {
		f := &members[i]
		if n := len(f.yields); n > 0 && (i+1 == len(members) || members[i+1].Name != f.Name) {
			k.shared = append(k.shared, append(slices.Clone(f.yields), f))
		}
	}
	return k
}

// Each calls do with each part that the object at p has, until it returns false.
func (q *Parts) Each(p mem.Ptr, do func(t *Type, at mem.Ptr) bool) bool {
	for i, x := range q.list {
		if at := p.Field(x.at).Deref(x.mem); !at.IsNil() && !do(q.know().types[i], at) {
			return false
		}
	}
	return true
}

// count returns how many parts the object at p has.
func (q *Parts) count(p mem.Ptr) (n int) {
	q.Each(p, func(*Type, mem.Ptr) bool {
		n++
		return true
	})
	return n
}

// misfit returns the error for an object without parts.
func (q *Parts) misfit() error {
	return &weft.ChoiceError{Union: q.name, Variants: q.choice.Names()}
}

// put writes the object at p.
func (q *Parts) put(e *weft.Encoder, p mem.Ptr) error {
	n := q.count(p)
	switch {
	case n > 0:
	case q.strict:
		return e.Fail(nilError(q.name))
	default:
		return e.Null()
	}
	if n > 1 {
		if err := q.agree(p.Held(q.body)); err != nil {
			return e.Fail(err)
		}
	}
	p, err := q.joined(p)
	if err != nil {
		return e.Fail(err)
	}
	return e.Value(p.Held(q.body).Addr(q.body))
}

// agree returns an error unless the parts of the object in the body at p have the same values of the members that they
// share.
func (q *Parts) agree(p mem.Ptr) error {
	for _, list := range q.know().shared {
		var first reflect.Value
		for _, f := range list {
			at := f.At(p)
			if f.left(at) {
				continue
			}
			if v := q.set.held(f.Type, at); !first.IsValid() {
				first = v
			} else if !equal(first, v) && !sameTime(first, v) && !sameText(first, v) {
				return AtMember(f.Name, errPartsDiffer)
			}
		}
	}
	return nil
}

// held returns the value of type t at p, or the one that it stands for: what a union holds, and what a wrapper, an
// option and a pointer do.
func (s *Set) held(t *Type, p mem.Ptr) reflect.Value {
	for {
		switch {
		case t.Wraps != nil:
			t, p = s.Of(t.Wraps), p.Field(mem.FieldOf(t.Rtype, 0))
		case t.Union != nil:
			i, q, _ := t.Union.Load(p)
			if i < 0 {
				return p.Value(t.Mem)
			}
			t, p = t.Union.Type(i), q
		case t.Kind == Option && t.Option.Set(p):
			t, p = t.Option.Value, p.Field(t.Option.V)
		case t.Kind == Pointer && !p.Deref(t.Elem.Mem).IsNil():
			t, p = t.Elem, p.Deref(t.Elem.Mem)
		default:
			return p.Value(t.Mem)
		}
	}
}

// sameText reports whether two values of different types are the same text.
func sameText(x, y reflect.Value) bool {
	a, ok := wireText(x)
	b, ok2 := wireText(y)
	return ok && ok2 && a == b
}

func wireText(v reflect.Value) (text string, ok bool) {
	if v = plainValue(v); !v.IsValid() {
		return "", false
	}
	if m, is := v.Interface().(encoding.TextMarshaler); is {
		b, err := m.MarshalText()
		return string(b), err == nil
	}
	switch {
	case v.Kind() == reflect.String:
		return v.String(), true
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return base64.StdEncoding.EncodeToString(v.Bytes()), true
	}
	return "", false
}

// sameTime reports whether two values, one of them a string, are the same time.
func sameTime(x, y reflect.Value) bool {
	a, ok := timeOf(x)
	b, ok2 := timeOf(y)
	return ok && ok2 && a.Equal(b)
}

func timeOf(v reflect.Value) (t time.Time, ok bool) {
	if v = plainValue(v); !v.IsValid() {
		return t, false
	}
	if v.Kind() == reflect.String {
		t, err := time.Parse(time.RFC3339Nano, v.String())
		return t, err == nil
	}
	t, ok = v.Interface().(time.Time)
	return t, ok
}

// joined returns p, or a copy of what is there with the members without a field that the parts have.
func (q *Parts) joined(p mem.Ptr) (mem.Ptr, error) {
	if q.rest == nil {
		return p, nil
	}
	var all reflect.Value
	var err error
	q.Each(p, func(t *Type, at mem.Ptr) bool {
		if t.Rest() == nil {
			return true
		}
		at = t.Rest().At(at)
		if at.IsNil() || t.Rest().Type.Kind != Map {
			return true
		}
		for e := at.Value(t.Rest().Type.Mem).MapRange(); e.Next(); {
			if !all.IsValid() {
				all = reflect.MakeMap(q.rest.Type.Rtype)
				for old := p.Field(q.rest.Offset).Value(q.rest.Type.Mem).MapRange(); old.Next(); {
					all.SetMapIndex(old.Key(), old.Value())
				}
			}
			if have := all.MapIndex(e.Key()); have.IsValid() && !equal(have, e.Value()) {
				err = AtMember(e.Key().String(), errPartsDiffer)
				return false
			}
			all.SetMapIndex(e.Key(), e.Value())
		}
		return true
	})
	if err != nil || !all.IsValid() {
		return p, err
	}
	c := q.own.New()
	q.own.Copy(c, p)
	c.Field(q.rest.Offset).Value(q.rest.Type.Mem).Set(all)
	return c, nil
}

// get reads the object at p, of type t: each part whose schema holds from the beginning.
func (q *Parts) get(r backend.Reader, p mem.Ptr, t *mem.Type) {
	if !q.strict && r.Null() {
		t.Clear(p)
		return
	}
	some := q.match(r)
	if r.Err() != nil {
		return
	}
	t.Clear(p)
	m := r.Mark()
	own := backend.IgnoredMember{All: true}
	before := r.IgnoreMember(own)
	own.Again = before.Again
	flags := r.Flags()
	named := q.rest != nil || q.closed || flags&(setting.RejectUnknown|setting.RejectDuplicates) != 0
	if named || some&(some-1) != 0 {
		own.Again++ // what is within is read more than once
	}
	depth := r.IgnoreMember(before).Depth
	if own.Again > mostParts {
		r.Fail(weft.ErrDepth)
		return
	}
	if named {
		q.others(r, p, some, flags, func(name string) bool {
			return before.Depth == depth && (before.All || name == before.Name && name != "")
		})
	}
	for i, y := range q.list {
		if some>>i&1 == 0 || r.Err() != nil {
			continue
		}
		r.Reset(m)
		at := y.mem.New()
		before := r.IgnoreMember(own)
		r.Value(at.Addr(y.mem))
		r.IgnoreMember(before)
		p.Field(y.at).SetPtr(at)
	}
}

// match returns a bit for each part that the next value is. If there is none, it fails.
func (q *Parts) match(r backend.Reader) (some uint64) {
	found, err := q.choice.Match(r)
	if r.Err() == nil {
		r.Refuse(err)
	}
	for i, at := range q.chosen {
		some |= found >> i & 1 << at
	}
	return some
}

// others reads the members that no part has of those in the set some.
func (q *Parts) others(r backend.Reader, p mem.Ptr, some uint64, flags uint64, ignored func(name string) bool) {
	k := q.know()
	closed := flags&setting.RejectUnknown != 0 || q.closed && flags&setting.AllowUnknown == 0
	for i := r.BeginObject(k.fields); i != backend.End; i = r.Member(k.fields, i+1) {
		switch {
		case i >= 0 && k.owners[i]&some != 0 || ignored(r.Name()):
			r.Skip()
		case q.rest != nil && q.rest.takes(r.Name()):
			name := strings.Clone(r.Name())
			to := p.Field(q.rest.Offset).Value(q.rest.Type.Mem)
			elem := q.rest.Type.Elem
			v := reflect.New(elem.Rtype)
			if at, is := v.Interface().(*any); is && q.strict {
				*at = r.AnyNumber()
			} else {
				r.Value(v.Interface())
			}
			if to.IsNil() {
				to.Set(reflect.MakeMap(q.rest.Type.Rtype))
			}
			to.SetMapIndex(reflect.ValueOf(name).Convert(to.Type().Key()), v.Elem())
		case closed:
			r.Refuse(weft.ErrUnknownMember)
		default:
			r.Skip()
		}
	}
}
