package plan

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// kinds is a set of the kinds of values on the wire between which a union tells.
type kinds uint16

const (
	nulls kinds = 1 << iota
	bools
	numbers
	texts
	binaries
	times
	arrays
	objects
	others

	everyKind = others<<1 - 1
)

// kindBits are the sets of the kinds of the wire.
var kindBits = [...]kinds{
	weft.KindNull: nulls, weft.KindBool: bools, weft.KindInt: numbers, weft.KindUint: numbers, weft.KindFloat: numbers,
	weft.KindNumber: numbers, weft.KindString: texts, weft.KindBytes: binaries, weft.KindTime: times,
	weft.KindArray: arrays, weft.KindObject: objects, weft.KindExt: others,
}

// Choice is how a look at a value tells which case of a union it is.
type Choice struct {
	// Sole are the cases that values of a kind are, -1 where it takes more to know. Objects are told by Tag, if it
	// is not nil.
	Sole [weft.KindExt + 1]int16

	Tag *weft.Fields // the member that tells objects apart

	// Lacks are, for each case, the name of the member that tells what it is, if it is an object without a field for that,
	// else "".
	Lacks []string

	// Packs reports whether objects are laid out as arrays of the discriminator and the case, where others are as arrays.
	Packs bool

	inside []inside // for each case

	plan *unionPlan
}

// Tagged returns the case that the value of Tag chooses, -1 where it takes more to know.
func (c *Choice) Tagged(value string) int {
	if list := c.plan.tagged(value); len(list) == 1 {
		return list[0]
	}
	return -1
}

// Choice returns how a look tells the cases apart.
func (u *Union) Choice() *Choice { return &u.know().look }

// unionPlan is how the cases of a union are distinguished.
type unionPlan struct {
	look   Choice
	types  []*Type
	kinds  kinds           // of all cases
	byKind map[kinds][]int // the cases that may be of a kind, those that few values fit first
	states []tagState      // of the discriminator in each case

	member *weft.Fields    // the member that tells objects apart, nil for none
	values *wire.NameTable // its values
	byName [][]int         // the cases of each
	rest   []int           // the objects that other values choose, and none

	// The members of the cases that are objects, in tables of 64, and for each case those that it requires and knows.
	names           []*weft.Fields
	required, known [][]uint64
}

// named reports whether the i-th case is an object that has the discriminator.
func (k *unionPlan) named(i int) bool { return k.states != nil && k.states[i].named }

// tagged returns the cases that a value of the member chooses.
func (k *unionPlan) tagged(value string) []int {
	if i := k.values.Find(value); i >= 0 {
		return k.byName[i]
	}
	return k.rest
}

// plan finds out how the cases are distinguished.
func (u *Union) plan() *unionPlan {
	k := &unionPlan{types: make([]*Type, len(u.Cases)), byKind: make(map[kinds][]int)}
	of := make([]kinds, len(u.Cases))
	for i := range u.Cases {
		k.types[i] = u.set.Of(u.Cases[i].Elem)
		of[i] = u.set.kindsOf(k.types[i], []*Union{u})
		k.kinds |= of[i]
	}
	for bit := nulls; bit <= others; bit <<= 1 {
		var list []int
		for i := range of {
			if of[i]&bit != 0 {
				list = append(list, i)
			}
		}
		slices.SortStableFunc(list, func(i, j int) int { return k.types[i].strictness() - k.types[j].strictness() })
		k.byKind[bit] = list
	}
	if k.kinds&arrays == 0 { // structs laid out as arrays
		k.byKind[arrays] = k.byKind[objects]
	}
	u.planTags(k)
	u.planNames(k)
	k.look = Choice{Tag: k.member, Lacks: make([]string, len(u.Cases)), Packs: u.packs(k), plan: k}
	for i := range u.Cases {
		if k.named(i) && !k.states[i].has {
			k.look.Lacks[i] = u.memberName(k)
		}
	}
	u.planGuesses(k)
	for kind := range k.look.Sole {
		k.look.Sole[kind] = -1
		if list := k.byKind[kindBits[kind]]; len(list) == 1 && (weft.Kind(kind) != weft.KindArray || k.kinds&arrays != 0) {
			k.look.Sole[kind] = int16(list[0])
		}
	}
	return k
}

// kindsOf returns the kinds of the values of type t. The unions around it are given.
func (s *Set) kindsOf(t *Type, path []*Union) kinds {
	if t.Union != nil {
		return s.unionKinds(t.Union, path)
	}
	if t.Parts != nil {
		return objects
	}
	if t.Wraps != nil {
		return s.kindsOf(s.Of(t.Wraps), path)
	}
	if hooks := t.Hooks.UnmarshalAddr; hooks != 0 && t.Kind != Time && t.Kind != Pointer && t.Kind != Option {
		if s.config.Hooks[hooks.First()].Unmarshal == textUnmarshaler {
			return texts
		}
		return everyKind
	}
	switch t.Kind {
	case Bool:
		return bools
	case String:
		return texts
	case Bytes, ByteArray:
		return texts | binaries // base64 in formats that are text
	case Time:
		return texts | times
	case Slice, Array:
		return arrays
	case Map, Struct:
		return objects
	case Pointer:
		return s.kindsOf(t.Elem, path)
	case Option:
		if t.Option.Kind == setting.OptionOptional {
			return s.kindsOf(t.Option.Value, path)
		}
		return nulls | s.kindsOf(t.Option.Value, path)
	}
	if t.Scalar() {
		return numbers
	}
	return everyKind
}

func (s *Set) unionKinds(u *Union, path []*Union) (all kinds) {
	if slices.Contains(path, u) {
		return 0
	}
	for i := range u.Cases {
		all |= s.kindsOf(s.Of(u.Cases[i].Elem), append(path, u))
	}
	return all
}

// strictness orders types that are tried in turn: what few values fit comes first.
func (n *Type) strictness() int {
	switch k := n.Kind; {
	case n.listed() != nil:
		return 0
	case k == Time || n.Wraps == timeType:
		return 1
	case k == Struct || n.Union != nil:
		return 2
	case k.IsInt() || k.IsUint():
		return 3
	case n.Rules != nil:
		return 4
	case k == Bytes || k == ByteArray:
		return 5
	}
	return 6
}

// listed returns the values that the rules of n itself list, nil for none.
func (n *Type) listed() []string {
	if n.Rules == nil {
		return nil
	}
	return n.Rules.listed()
}

// listed returns the only values that the rules allow to a string or an integer, nil where they list none.
func (r *Rules) listed() []string {
	for i := range r.list {
		switch u := &r.list[i]; {
		case u.op == ruleTexts && r.at.Kind == String:
			return u.texts.Names()
		case u.op == ruleWords && r.at.Kind.IsInt():
			return words(u.words, func(x uint64) string { return strconv.FormatInt(int64(x), 10) })
		case u.op == ruleWords && r.at.Kind.IsUint():
			return words(u.words, func(x uint64) string { return strconv.FormatUint(x, 10) })
		}
	}
	return nil
}

func words(list []uint64, text func(uint64) string) (out []string) {
	for _, x := range list {
		out = append(out, text(x))
	}
	return out
}

// member returns the field of the struct n, or of what it points to, that is called name, nil for none.
func (n *Type) member(name string) *Field {
	members := n.Members()
	for i := range members {
		if members[i].Name == name {
			return &members[i]
		}
	}
	return nil
}

// constants returns the values that the member called name of objects of type t may have where they are listed, and
// whether it always is there with one of them. For a union they are those of its cases.
func (s *Set) constants(t *Type, name string, path []*Union) (values []string, sure bool) {
	if u := t.Union; u != nil {
		if slices.Contains(path, u) {
			return nil, false
		}
		sure = true
		for i := range u.Cases {
			some, all := s.constants(s.Of(u.Cases[i].Elem), name, append(path, u))
			values, sure = append(values, some...), sure && all
		}
		return values, sure
	}
	f := t.member(name)
	if f == nil || f.Rules == nil {
		return nil, false
	}
	if values = f.Rules.listed(); values == nil {
		return nil, false
	}
	null := f.Type.Kind == Pointer || f.Type.Kind == Option && f.Type.Option.Kind != setting.OptionOptional
	return values, f.Required && !null
}

// planTags finds the member that tells objects apart: the discriminator that is declared or, if there is none, a
// required member whose constants differ.
func (u *Union) planTags(k *unionPlan) {
	list := slices.Clone(k.byKind[objects])
	slices.Sort(list)
	k.values = wire.NewNameTable(nil)
	if m := u.decl.Discriminator; m != "" {
		if k.rest = list; len(list) < 2 {
			u.planStates(k, m, true) // the one object is known without it
			return
		}
		k.rest = nil
		k.fill(m, list, func(i int) ([]string, bool) {
			c := &u.Cases[i]
			if len(c.Names) > 0 {
				return c.Names, !u.decl.Cases[i].Other
			}
			values, sure := u.set.constants(k.types[i], m, []*Union{u})
			return values, sure && !u.decl.Cases[i].Other
		})
		other := slices.DeleteFunc(list, func(i int) bool { return !u.decl.Cases[i].Other })
		if len(other) > 0 {
			k.rest = other
		}
		u.planStates(k, m, true)
		return
	}
	if len(list) < 2 {
		return
	}
	var best unionPlan
	for _, m := range u.set.constantMembers(k.types[list[0]], []*Union{u}) {
		var try unionPlan
		try.fill(m, list, func(i int) ([]string, bool) { return u.set.constants(k.types[i], m, []*Union{u}) })
		if len(try.rest) == 0 && len(try.byName) > len(best.byName) {
			best = try
		}
	}
	if len(best.byName) > 1 {
		k.member, k.values, k.byName, k.rest = best.member, best.values, best.byName, best.rest
		u.planStates(k, best.member.Name(0), false)
	}
}

// fill groups the objects of the list by the values of the member m, which choose them as of says: only they, if that
// is sure.
func (k *unionPlan) fill(m string, list []int, of func(i int) (values []string, sure bool)) {
	k.member = weft.NewFields(m)
	var names []string
	for _, i := range list {
		values, sure := of(i)
		if !sure {
			k.rest = append(k.rest, i)
		}
		for _, v := range values {
			at := slices.Index(names, v)
			if at < 0 {
				at = len(names)
				names, k.byName = append(names, v), append(k.byName, nil)
			}
			if !slices.Contains(k.byName[at], i) {
				k.byName[at] = append(k.byName[at], i)
			}
		}
	}
	k.values = wire.NewNameTable(names)
}

// constantMembers returns the names of the members of t that always are there with one of a list of values.
func (s *Set) constantMembers(t *Type, path []*Union) (names []string) {
	if u := t.Union; u != nil {
		if slices.Contains(path, u) {
			return nil
		}
		return s.constantMembers(s.Of(u.Cases[0].Elem), append(path, u))
	}
	members := t.Members()
	for i := range members {
		if _, sure := s.constants(t, members[i].Name, nil); sure {
			names = append(names, members[i].Name)
		}
	}
	return names
}

// planNames gathers the members that the cases require and know, where several cases are objects.
func (u *Union) planNames(k *unionPlan) {
	if len(k.byKind[objects]) < 2 {
		return
	}
	var names []string
	required, known := make([][]string, len(u.Cases)), make([][]string, len(u.Cases))
	for _, i := range k.byKind[objects] {
		required[i], known[i] = u.set.membersOf(k.types[i], []*Union{u})
		for _, name := range known[i] {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for part := range slices.Chunk(names, 64) {
		k.names = append(k.names, weft.NewFields(part...))
	}
	set := func(list []string) []uint64 {
		bits := make([]uint64, len(k.names))
		for _, name := range list {
			at := slices.Index(names, name)
			bits[at/64] |= 1 << (at % 64)
		}
		return bits
	}
	k.required, k.known = make([][]uint64, len(u.Cases)), make([][]uint64, len(u.Cases))
	for i := range u.Cases {
		k.required[i], k.known[i] = set(required[i]), set(known[i])
	}
}

// membersOf returns the names of the members that objects of type t require, and of all that they know. For a union
// they are those that all of its cases require, and that any knows.
func (s *Set) membersOf(t *Type, path []*Union) (required, known []string) {
	if u := t.Union; u != nil {
		if slices.Contains(path, u) {
			return nil, nil
		}
		for i := range u.Cases {
			some, all := s.membersOf(s.Of(u.Cases[i].Elem), append(path, u))
			if i == 0 {
				required = some
			}
			required = slices.DeleteFunc(slices.Clone(required), func(name string) bool { return !slices.Contains(some, name) })
			known = append(known, all...)
		}
		return required, known
	}
	if t.Parts != nil {
		f := t.Parts.know().fields
		for i := range f.Len() {
			known = append(known, f.Name(i))
		}
		return nil, known
	}
	members := t.Members()
	for i := range members {
		f := &members[i]
		if f.Required {
			required = append(required, f.Name)
		}
		known = append(known, f.Name)
	}
	return required, known
}

// fit returns those of the cases in the list whose required members an object has, those that know more of its members
// first.
func (k *unionPlan) fit(r backend.Reader, list []int) (out []int) {
	seen := make([]uint64, len(k.names))
	for i, f := range k.names {
		seen[i] = PeekNames(r, f)
	}
	counts := make([]int, len(k.known))
	for _, i := range list {
		all := true
		for w := range seen {
			all = all && k.required[i][w]&^seen[w] == 0
			counts[i] += bits.OnesCount64(seen[w] & k.known[i][w])
		}
		if all {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int { return counts[j] - counts[i] })
	return out
}

// PeekNames returns the set of the names of f, of which there are at most 64,
// that the object that comes next has as members. It consumes nothing.
func PeekNames(r backend.Reader, f *weft.Fields) (seen uint64) {
	m := r.Mark()
	for i := r.BeginObject(f); i != backend.End; i = r.Member(f, i+1) {
		if i >= 0 {
			seen |= 1 << i
		}
		r.Skip()
	}
	r.Reset(m)
	return seen
}
