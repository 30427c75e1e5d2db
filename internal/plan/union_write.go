package plan

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
)

// tagState says which values the member that tells objects apart has in a case.
type tagState struct {
	named  bool     // the case is an object, which has the member
	has    bool     // by a field or an entry of its own
	own    []string // the values that choose it
	others []string // those that choose other cases alone
	fill   string   // what is written where the case has none, if fills
	fills  bool
	rest   bool // what chooses no other case may choose it too, and that there is no value
	alone  bool // nothing else is decided by then

	text *Field // the field, where it is a plain string
}

// planStates says for each case which values of the member m it is written with. The member is the discriminator that
// is declared, or one that has other constants in each case.
func (u *Union) planStates(k *unionPlan, m string, declared bool) {
	k.states = make([]tagState, len(u.Cases))
	all := k.values.Names()
	for _, i := range k.byKind[objects] {
		s := &k.states[i]
		*s = tagState{named: true, has: u.set.hasMember(k.types[i], m, []*Union{u}), rest: slices.Contains(k.rest, i)}
		s.alone = len(k.rest) == 1 && len(all) > 0
		for at, name := range all {
			if slices.Contains(k.byName[at], i) {
				s.own = append(s.own, name)
			} else {
				s.others = append(s.others, name)
			}
		}
		if f := k.types[i].member(m); f != nil && f.Type.Kind == String && f.Embeds == nil {
			s.text = f
		}
		if declared && len(all) == 0 {
			s.own = u.Cases[i].Names
		}
		if len(s.own) == 1 || declared && len(s.own) > 0 { // of several constants the case does not say which
			s.fill, s.fills = s.own[0], true
		}
		for _, name := range u.Cases[i].Names {
			if declared && slices.Contains(s.own, name) {
				s.fill = name
				break
			}
		}
	}
}

// hasMember reports whether objects of type t have a member called name by themselves.
func (s *Set) hasMember(t *Type, name string, path []*Union) bool {
	if u := t.Union; u != nil {
		for i := range u.Cases {
			if !slices.Contains(path, u) && u.decl.Discriminator != name &&
				!s.hasMember(s.Of(u.Cases[i].Elem), name, append(path, u)) {
				return false
			}
		}
		return true
	}
	return t.member(name) != nil || t.tagMap()
}

// tagMap reports whether t is a map that may have any tag.
func (n *Type) tagMap() bool {
	return n.Kind == Map && n.Key.Kind == String && (n.Elem.Kind == Any || n.Elem.Kind == String)
}

// put writes the union at p.
func (u *Union) put(e *weft.Encoder, p mem.Ptr) error {
	i, q, held := u.Load(p)
	switch {
	case i >= 0:
	case held != nil:
		return e.Fail(u.Unknown(held))
	case u.strict:
		return e.Fail(nilError(u.name))
	default:
		return e.Null()
	}
	tag, q, err := u.Tagged(i, q)
	if err != nil {
		return e.Fail(err)
	}
	c, k := &u.Cases[i], u.know()
	if v := q.Addr(c.Mem); k.named(i) && (u.packs(k) || u.layout.Fields != nil && !k.states[i].has) {
		return e.Variant(u.layout, tag, v, k.states[i].has)
	}
	return e.Value(q.Addr(c.Mem))
}

// Unknown returns the error for something in a union that is not valid of its cases.
func (u *Union) Unknown(held any) error {
	return &weft.ChoiceError{Union: u.name, Value: reflect.TypeOf(held).String(), Variants: u.names()}
}

// Tagged returns the value at q, the i-th case, with the member that tells what it is: in a copy where it has none.
// What it has may not say otherwise. The value of the member is returned too.
func (u *Union) Tagged(i int, q mem.Ptr) (tag string, p mem.Ptr, err error) {
	k := u.know()
	if !k.named(i) {
		return "", q, nil
	}
	s := &k.states[i]
	if s.text != nil && !s.rest {
		if tag = *mem.At[string](q.Field(s.text.Offset)); tag != "" && slices.Contains(s.own, tag) { // mostly
			return tag, q, nil
		}
	}
	if tag, p, err = u.set.retag(k.types[i], u.memberName(k), s, q, []*Union{u}); tag == "" && !s.rest {
		tag = s.fill
	}
	return tag, p, err
}

// memberName returns the name of the member that tells objects apart.
func (u *Union) memberName(k *unionPlan) string {
	if k.member == nil {
		return u.decl.Discriminator
	}
	return k.member.Name(0)
}

// retag is Tagged for the value of type t at q. The unions around it are given.
func (s *Set) retag(t *Type, name string, st *tagState, q mem.Ptr, path []*Union) (tag string, p mem.Ptr, err error) {
	switch u := t.Union; {
	case u != nil:
		k := u.know()
		if slices.Contains(path, u) || k.states != nil && u.memberName(k) == name {
			return "", q, nil // it does this itself
		}
		i, at, _ := u.Load(q)
		if i < 0 {
			return "", q, nil
		}
		tag, to, err := s.retag(k.types[i], name, st, at, append(path, u))
		if err != nil || to.Same(at) {
			return tag, q, err
		}
		p = t.Mem.New()
		u.Store(p, i, to)
		return tag, p, nil
	case t.tagMap():
		return retagMap(t, name, st, q)
	}
	f := t.member(name)
	if f == nil {
		return "", q, nil
	}
	own := st.own
	if listed := fieldList(f); listed != nil {
		own = slices.DeleteFunc(slices.Clone(own), func(s string) bool { return !slices.Contains(listed, s) })
	}
	v, set := f.tagAt(q)
	if !v.IsValid() && set { // not what tells variants apart
		return "", q, nil
	}
	zero, optional := "", f.Type.Behind() != f.Type || f.Embeds != nil
	if tag = tagText(v); v.IsValid() && v.Kind() != reflect.String && v.Kind() != reflect.Interface {
		zero = "0"
	}
	zeroOwn := slices.Contains(own, zero)
	empty := !set || tag == zero && !zeroOwn
	if !optional && zeroOwn {
		empty = false
	}
	absent := optional && st.rest && st.alone // what is not there stays so
	if empty && !absent && st.fills && slices.Contains(own, st.fill) {
		p = t.Mem.New()
		t.Mem.Copy(p, q)
		if f.setTag(p, st.fill) {
			return st.fill, p, nil
		}
	}
	if !set && (absent || f.Type.Kind == Any) {
		return "", q, nil
	}
	return tag, q, st.check(tag, name, t, own)
}

// fieldList returns the values that the rules of f list, nil for none.
func fieldList(f *Field) []string {
	if f.Rules == nil {
		return nil
	}
	return f.Rules.listed()
}

// check returns an error unless the tag goes with the case, which is a t.
func (st *tagState) check(tag, name string, t *Type, own []string) error {
	switch {
	case st.rest:
		return AtMember(name, checkOtherTag(tag, t.Rtype.String(), st.others...))
	case len(own) == 0:
		return nil
	}
	return AtMember(name, CheckTag(tag, t.Rtype.String(), own...))
}

// retagMap is retag for a map.
func retagMap(t *Type, name string, st *tagState, q mem.Ptr) (tag string, p mem.Ptr, err error) {
	m := q.Value(t.Mem)
	key := reflect.ValueOf(name).Convert(t.Rtype.Key())
	v := m.MapIndex(key)
	if t.Elem.Kind == Any && v.IsValid() {
		v = v.Elem()
	}
	text := v.IsValid() && v.Kind() == reflect.String
	if (!v.IsValid() || text && v.Len() == 0) && st.fills {
		c := reflect.MakeMapWithSize(t.Rtype, m.Len()+1)
		for e := m.MapRange(); e.Next(); {
			c.SetMapIndex(e.Key(), e.Value())
		}
		elem := pick(t.Elem.Kind == Any, reflect.TypeFor[string](), t.Elem.Rtype)
		c.SetMapIndex(key, reflect.ValueOf(st.fill).Convert(elem))
		p = t.Mem.New()
		p.Value(t.Mem).Set(c)
		return st.fill, p, nil
	}
	if !text {
		return "", q, nil
	}
	return v.String(), q, st.check(v.String(), name, t, st.own)
}

// tagAt returns the string, integer or interface that the field of the struct at p holds, and whether it is set. It is
// invalid and set where the field holds something else.
func (f *Field) tagAt(p mem.Ptr) (v reflect.Value, set bool) {
	q, t := f.At(p), f.Type
	for {
		switch k := t.Kind; {
		case k == String || k.IsInt() || k.IsUint():
			if q.IsNil() {
				return reflect.Zero(t.Rtype), false
			}
			return q.Value(t.Mem), true
		case k == Any:
			if q.IsNil() || q.Value(t.Mem).IsNil() {
				return reflect.Value{}, false
			}
			v = q.Value(t.Mem).Elem()
			if v.Kind() != reflect.String {
				v = reflect.Value{}
			}
			return v, true
		case k == Pointer:
			if t = t.Elem; !q.IsNil() {
				q = q.Deref(t.Mem)
			}
		case k == Option:
			if o := t.Option; q.IsNil() || !o.Set(q) {
				q, t = mem.Ptr{}, o.Value
			} else {
				q, t = q.Field(o.V), o.Value
			}
		default:
			return reflect.Value{}, true
		}
	}
}

// tagText returns a tag as the names of cases are written.
func tagText(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return ""
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	}
	return v.String()
}

// setTag gives the field of the struct at p, which is a copy, a tag. What embedded pointers lead to is copied. It
// reports whether the field can hold it.
func (f *Field) setTag(p mem.Ptr, text string) bool {
	for i := range f.Embeds {
		e := &f.Embeds[i]
		if !e.Settable {
			return false
		}
		at := p.Field(e.Offset)
		p = e.Elem.New()
		if old := at.Deref(e.Elem); !old.IsNil() {
			e.Elem.Copy(p, old)
		}
		at.SetPtr(p)
	}
	p = p.Field(f.Offset)
	for t := f.Type; ; {
		v := p.Value(t.Mem)
		switch k := t.Kind; {
		case k == String:
			v.SetString(text)
			return true
		case k == Any:
			v.Set(reflect.ValueOf(text))
			return true
		case k.IsInt():
			n, err := strconv.ParseInt(text, 10, v.Type().Bits())
			v.SetInt(n)
			return err == nil
		case k.IsUint():
			n, err := strconv.ParseUint(text, 10, v.Type().Bits())
			v.SetUint(n)
			return err == nil
		case k == Pointer:
			at := p
			t = t.Elem
			p = t.Mem.New()
			at.SetPtr(p)
		case k == Option:
			if state := p.Field(t.Option.State); t.Option.Kind == setting.OptionField {
				*mem.At[uint8](state) = 2
			} else {
				*mem.At[bool](state) = true
			}
			p, t = p.Field(t.Option.V), t.Option.Value
		default:
			return false
		}
	}
}
