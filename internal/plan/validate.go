package plan

import (
	"cmp"
	"math/bits"
	"reflect"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// Validate calls report with each rule that the value of type t at p, or a part of it, breaks, and the path to the
// part, until report returns false. A member that is left out when the value is written obeys all rules but required.
// What is nested more than setting.DefaultMaxDepth deep is an error. Schemas are evaluated by conform, which is given a
// pointer to the value.
func (s *Set) Validate(
	t *Type, p mem.Ptr, conform func(s backend.Schema, ptr any) error, report func(path string, err error) bool,
) {
	w := walker{set: s, conform: conform, report: report}
	w.value(t, p)
}

// walker goes through a Go value.
type walker struct {
	set  *Set
	path []byte
	level
	report func(path string, err error) bool

	conform func(s backend.Schema, ptr any) error
}

// level is how deep a walk is.
type level struct {
	depth int // in structs, lists and maps
	steps int // in pointers and the like, within these
}

// note reports a violation below where the walk is.
func (w *walker) note(path string, err error) bool { return w.report(string(w.path)+path, err) }

// value validates the value of type t at p, and reports whether the walk goes on.
func (w *walker) value(t *Type, p mem.Ptr) bool {
	if t.Rules != nil && !t.Rules.Hold(p) && !t.Rules.each(p, w.note) {
		return false
	}
	if r := t.Rules; r != nil && r.Schema != nil && !(r.null && p.Value(t.Mem).IsZero()) && !w.schema(r.Schema, t, p) {
		return false
	}
	was := w.level
	switch t.Kind {
	case Struct, Slice, Array, Map:
		w.level = level{depth: was.depth + 1}
	case Pointer, Option, Any, Interface, Coded: // which are what they hold
		if t.Kind == Coded && t.Union == nil && t.Parts == nil {
			return true
		}
		w.steps++
	default:
		return true
	}
	if w.depth > setting.DefaultMaxDepth || w.steps > setting.DefaultMaxDepth {
		return w.note("", weft.ErrDepth) && false
	}
	ok := w.parts(t, p)
	w.level = was
	return ok
}

func (w *walker) parts(t *Type, p mem.Ptr) bool {
	switch t.Kind {
	case Struct:
		return w.fields(t, p)
	case Pointer:
		q := p.Deref(t.Elem.Mem)
		if q.IsNil() {
			return w.none(t)
		}
		return w.value(t.Elem, q)
	case Option:
		if !t.Option.Set(p) {
			return w.none(t)
		}
		return w.value(t.Option.Value, p.Field(t.Option.V))
	case Slice, Array:
		if t.Elem.Scalar() && t.Elem.Rules == nil {
			return true
		}
		a, n := elements(t, p)
		for i := range n {
			if !w.under(strconv.Itoa(i), t.Elem, a.At(t.Elem.Mem, i)) {
				return false
			}
		}
	case Map:
		return w.entries(t, p)
	case Coded:
		if t.Parts != nil {
			return w.pieces(t, p)
		}
		return w.union(t.Union, p)
	default:
		v := p.Value(t.Mem).Elem()
		if !v.IsValid() {
			return w.none(t)
		}
		return w.value(w.set.Of(v.Type()), mem.Of(addressable(v)))
	}
	return true
}

// schema evaluates the schema over the value of type t at p, and reports whether the walk goes on.
func (w *walker) schema(s backend.Schema, t *Type, p mem.Ptr) bool {
	err := w.conform(s, p.Addr(t.Mem))
	if err == nil {
		return true
	}
	if v, ok := err.(weft.Violation); ok {
		return w.note(v.Path, v.Err)
	}
	return w.note("", err)
}

// none reports a nil of type t, or an option that is not a member and has no value, where that is strict and has no
// place for null.
func (w *walker) none(t *Type) bool { return !t.NoNull || w.note("", NilError(t.Rtype)) }

// union validates the case that a union holds, with the member that tells what it is where it has none.
func (w *walker) union(u *Union, p mem.Ptr) bool {
	i, q, held := u.Load(p)
	switch {
	case i >= 0:
	case held != nil:
		return w.note("", u.Unknown(held))
	case u.strict:
		return w.note("", nilError(u.name))
	default:
		return true
	}
	_, q, err := u.Tagged(i, q)
	if !w.value(u.Type(i), q) {
		return false
	}
	if err == nil {
		return true
	}
	path, err := backend.Locate(err, "")
	return w.note(path, err)
}

// pieces validates the parts of an object, and what they are together.
func (w *walker) pieces(t *Type, p mem.Ptr) bool {
	q := t.Parts
	n, fine := q.count(p), true
	if n == 0 {
		return !q.strict || w.note("", q.misfit())
	}
	report := w.report
	w.report = func(path string, err error) bool {
		fine = false
		return report(path, err)
	}
	ok := q.Each(p, w.value)
	w.report = report
	others := q.rest != nil && p.Field(q.rest.Offset).Value(q.rest.Type.Mem).Len() > 0
	if !ok || !fine || n == 1 && !others {
		return ok
	}
	return w.schema(q.choice, t, p)
}

// addressable returns a pointer to a copy of v.
func addressable(v reflect.Value) reflect.Value {
	q := reflect.New(v.Type())
	q.Elem().Set(v)
	return q
}

// under validates the part that token names.
func (w *walker) under(token string, t *Type, p mem.Ptr) bool {
	n := len(w.path)
	w.path = wire.AppendPointer(w.path, token)
	ok := w.value(t, p)
	w.path = w.path[:n]
	return ok
}

// entries validates the keys and values of a map, in the order of the keys.
func (w *walker) entries(t *Type, p mem.Ptr) bool {
	if t.Elem.Scalar() && t.Elem.Rules == nil && t.Key.Rules == nil {
		return true
	}
	m := p.Value(t.Mem)
	keys := m.MapKeys()
	slices.SortFunc(keys, CompareKeys)
	for _, k := range keys {
		if r := t.Key.Rules; r != nil {
			key := mem.Of(addressable(k))
			if !r.Hold(key) && !r.each(key, under(KeyName(k), w.note)) {
				return false
			}
		}
		if !w.under(KeyName(k), t.Elem, mem.Of(addressable(m.MapIndex(k)))) {
			return false
		}
	}
	return true
}

// fields validates the members of a struct.
func (w *walker) fields(t *Type, p mem.Ptr) bool {
	var missing []string
	members := t.Members()
	for i := range members {
		f := &members[i]
		at := f.Written(p)
		if f.left(at) {
			if f.Required {
				missing = append(missing, f.Name)
			}
			continue
		}
		if f.Rules != nil && !f.Rules.Hold(at) && !f.Rules.each(at, under(f.Name, w.note)) {
			return false
		}
		if f.Type.Inlined() || f.Type.Kind == Time {
			continue // the rules of the field have those of the type
		}
		if !w.under(f.Name, f.Type, at) {
			return false
		}
	}
	if missing != nil && !w.note("", &weft.MissingError{Names: missing}) {
		return false
	}
	if t.Rest() != nil {
		if at := t.Rest().At(p); !at.IsNil() {
			if r := t.Rest().names; r != nil && !r.Hold(at) && !r.each(at, w.note) {
				return false
			}
			return w.value(t.Rest().Type, at)
		}
	}
	return true
}

// MayBeLeft reports whether there are values with which the field is left out of its struct.
func (f *Field) MayBeLeft() bool { return f.OmitZero || f.OmitEmpty || len(f.Embeds) > 0 }

// Left reports whether the field of the struct at p is left out when that is written.
func (f *Field) Left(p mem.Ptr) bool { return f.MayBeLeft() && f.left(f.At(p)) }

// left reports whether the field at p is left out of its struct when that is written.
func (f *Field) left(p mem.Ptr) bool {
	return p.IsNil() || f.OmitZero && f.IsZero(p) || f.OmitEmpty && f.Type.IsEmpty(p) ||
		f.Type.Kind == Option && f.Type.Option.Absent(p)
}

// Missing names the members of the struct at p that are required and not in the set seen, of which more has the words
// behind the first. What has a default becomes that.
func (n *Type) Missing(p mem.Ptr, required []uint64, seen uint64, more []uint64, flags uint64) (names []string) {
	members := n.Members()
	for w, need := range required {
		if w == 0 {
			need &^= seen
		} else {
			need &^= more[w]
		}
		for ; need != 0; need &= need - 1 {
			k := 64*w + bits.TrailingZeros64(need)
			if f := &members[k]; f.Fills {
				n.Fill(k, p)
			} else if f.Needed(flags) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// Violations is what is wrong with a document, where all of it is wanted. The paths are found when all is known, in one
// walk: to find one by itself is to go through the document.
type Violations struct {
	list []weft.Violation
	at   []int // where the values begin from which their paths lead on
}

// Add adds that err is wrong with what the JSON pointer below leads to from the value at at, once where a rule of a
// type and of the field that holds it say the same.
func (v *Violations) Add(at int, below string, err error) {
	if n := len(v.list) - 1; n >= 0 && v.at[n] == at && v.list[n].Path == below && v.list[n].Err.Error() == err.Error() {
		return
	}
	v.list, v.at = append(v.list, weft.Violation{Path: below, Err: err}), append(v.at, at)
}

// Any reports whether there is one.
func (v *Violations) Any() bool { return v.list != nil }

// Located returns the error for all of them: place returns the JSON pointer to the value at an index, and the offset of
// what a pointer leads to from there. It is asked for the indexes in ascending order.
func (v *Violations) Located(place func(at int, below string) (path string, offset int64)) error {
	order := make([]int, len(v.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v.at[i], v.at[j]) })
	for _, i := range order {
		x := &v.list[i]
		path, offset := place(v.at[i], x.Path)
		x.Path, x.Offset = path+x.Path, offset
	}
	return &weft.ValidationError{Violations: v.list}
}

// Places is where the elements or the last members of each name begin in the arrays and objects that have been looked
// into, by where these begin, and by reference tokens.
type Places map[int]map[string]int

// Follow is [wire.FollowPointer] through parts that are found once; find finds those of the value at i.
func (p *Places) Follow(i int, pointer string, find func(i int) map[string]int) int {
	return wire.FollowPointer(i, pointer, func(i int, token string) int {
		parts, ok := (*p)[i]
		if !ok {
			if parts = find(i); *p == nil {
				*p = make(Places)
			}
			(*p)[i] = parts
		}
		if at, ok := parts[token]; ok {
			return at
		}
		return -1
	})
}
