package json

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// opNoted is added to the op of a field where objects note whether it was there.
const opNoted op = 0x80

// node is the program that decodes a value of one type.
type node struct {
	op       op
	nullable bool // null makes it zero; other types ignore null
	numeric  bool // a Go number: errors quote the JSON number
	strict   bool // see weft.Rules
	noNull   bool // null is an error
	named    bool // of numbers: a type that the program has declared
	mapOp    mapOp
	merged   bool // of maps: entries are looked up before they are decoded,
	unmerged bool // but not those of a map that is new
	pointed  bool // it is reached through a pointer, or named: its methods count
	hooked   bool // a user's method gets its address, or that of a part of it: it must not move, and shares no memory
	fresh    bool // of slices and arrays: no element is decoded into as it is
	exact    bool // of arrays: the length must be that of the Go array
	key      plan.KeyKind
	whole    atomic.Uint32 // 1 if hooked is known, and the fields of structs: see [nodeSet.complete]
	id       int           // index into the decoder's scratch memory
	rtype    reflect.Type
	mem      *mem.Type
	elem     *node       // of pointers, slices, arrays, maps, options
	len      int         // of arrays
	codec    *weft.Codec // of opWeft, nil for UnmarshalWeft
	name     *weft.Codec // of the keys of maps where key is plan.KeyCodec
	keys     *node       // of maps: the program of the keys, nil for what key says
	under    *node       // of hooks: the type without them, which null is for
	box      *mem.Box    // of opJSON, opText: how an address has the method
	union    *plan.Union // of opUnion
	cases    []*node     // of opUnion
	ruled    *node       // of opRuled: the type without its rules
	rules    *plan.Rules // of opRuled
	option   *plan.OptionInfo
	fields   []field
	first    int // of structs: where decoder.follows has what came after their fields, a guess since types may share it
	names    *wire.NameTable
	rest     *field     // of structs: what takes the members without a field
	others   []int      // of structs: the fields that the names after those of the fields stand for
	typ      *plan.Type // of structs
	// need is of structs: the bits of the fields that must be there, if only in requests, or have defaults, and bitMore.
	need     uint64
	needMore fieldSet              // with bitMore: those of the others that must be there
	fold     func(name string) int // of structs: the field for a name that none has, else -1 or foldsTwo
	// fn is of opFunc and opLocal, and by V2 of opAny.
	fn   func(d *decoder, n *node, p mem.Ptr, i int) int
	spec *spec // what the field says of the value, nil for nothing
	next *node // another one of the type
}

// field is one member of a struct.
type field struct {
	key    wire.Key // `"name":`
	op     op
	inner  op       // the op under opQuoted, opEmbed and opSet
	kind   uint8    // under opSet
	isSet  uint8    // under opSet: the state of a value; 0 elsewhere
	state  mem.Near // under opSet: where the state stands
	node   *node
	offset mem.Field // where it stands, or the first pointer on the way

	rules *plan.Rules // of the value, nil for none
	bit   uint64      // with opNoted: among those of the struct, 0 for none
	of    *plan.Field
}

// nodeSet is the programs of types of one dialect and mode.
type nodeSet struct {
	plans *plan.Set
	mode  *mode               // what more they are compiled for, nil for nothing
	roots plan.Programs[node] // by the pointer type
	built []*node             // by the ID of the plan, the last one of a type first
	room  programRoom
}

// programRoom is memory for the nodes and fields of programs to come. It is made in pieces of nearly 1,792 bytes, as
// are decoders and what package plan needs: a size of which the runtime has pieces share pages, and a page that nobody
// has touched before costs more than what is done with it.
type programRoom struct {
	nodes  mem.Room[node]
	fields mem.Room[field]
}

// roomFields is how many fields are made at once, roomNodes how many nodes.
const (
	roomFields = 21
	roomNodes  = 7
)

// newNode returns a node for t.
func (s *nodeSet) newNode(t *plan.Type) *node {
	n := &s.room.nodes.Take(1, roomNodes)[0]
	*n = node{id: int(nodeCount.Add(1) - 1), rtype: t.Rtype, mem: t.Mem, strict: t.Strict, noNull: t.NoNull}
	return n
}

// newFields returns n fields.
func (s *nodeSet) newFields(n int) []field {
	return s.room.fields.Take(n, roomFields)
}

// nodes are the programs of all types that this process has decoded without a
// dialect and a mode.
var nodes = nodeSet{plans: plans}

// compiling is held while programs are made, of any set.
var compiling sync.Mutex

// nodeCount is the number of programs there are, each of which has scratch
// memory in a decoder.
var nodeCount atomic.Int64

// followCount is the number of places that all structs take in decoder.follows: one for each field and one for the end.
// Structs beyond mostFollows share those of others.
var followCount atomic.Int64

const mostFollows = 1 << 13

// root returns the program for what v points to; nil if v is not a pointer.
func (s *nodeSet) root(v any) *node {
	if n := s.roots.Find(v); n != nil {
		return n
	}
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil
	}
	mem.GrowStack()
	compiling.Lock()
	defer compiling.Unlock()
	n := s.roots.Find(v)
	if n != nil {
		return n
	}
	if s.v2() {
		n = s.specified(s.plans.Of(t.Elem()), true, s.mode.root)
	} else {
		n = s.behind(t, s.plans.Of(t.Elem()))
	}
	s.complete(n)
	s.roots.Add(t, n)
	return n
}

// compile returns the program of t, of which the lock is held by the caller. That of a struct has no fields before
// [nodeSet.complete] is called for it.
func (s *nodeSet) compile(t *plan.Type, pointed bool) *node {
	return s.specified(t, pointed, spec{})
}

// specified is compile for a field with options that matter to values.
func (s *nodeSet) specified(t *plan.Type, pointed bool, sp spec) *node {
	if t.Named {
		pointed = true
	}
	if t.ID >= len(s.built) {
		s.built = append(s.built, make([]*node, max(s.plans.Len(), t.ID+1)-len(s.built))...)
	}
	for n := s.built[t.ID]; n != nil; n = n.next {
		if n.mem == t.Mem && n.pointed == pointed && (n.spec == nil && sp == spec{} || n.spec != nil && *n.spec == sp) {
			return n
		}
	}
	n := s.newNode(t)
	n.pointed, n.next = pointed, s.built[t.ID]
	s.built[t.ID] = n
	if sp != (spec{}) {
		n.spec = &spec{sp.format, sp.quoted, sp.bare, sp.name}
	}
	if t.Kind != plan.Struct || s.hookOf(t, pointed) >= 0 {
		if err := ruleFault(t); err != nil {
			n.failing(err)
			return n
		}
	}
	if t.Rules != nil && sp.bare == allHooks {
		ruled := s.newNode(t)
		s.fill(ruled, t, pointed, sp)
		n.op, n.rules, n.ruled, n.under = opRuled, t.Rules, ruled, ruled.under
		n.nullable, n.numeric, n.named, n.codec = ruled.nullable, ruled.numeric, ruled.named, ruled.codec
		return n
	}
	s.fill(n, t, pointed, sp)
	return n
}

// fill makes n the program of t, rules apart.
func (s *nodeSet) fill(n *node, t *plan.Type, pointed bool, sp spec) {
	s.fillPlain(n, t, pointed, sp)
	if n.strict {
		n.beStrict(t)
	}
}

// hook makes n decode by a hook.
func (n *node) hook(hook int) {
	n.op = hookOps[hook]
	switch n.op {
	case opJSON:
		n.box = pointersIn(unmarshalerType, n.mem)
	case opText:
		n.box = pointersIn(textUnmarshalerType, n.mem)
	case opTo:
		n.box = pointersIn(fromType, n.mem)
	}
}

// behind returns the program of elem as a pointer of type t reaches it. A
// pointer type with a name of its own has no methods, so that encoding/json
// does not see those of what it points to.
func (s *nodeSet) behind(t reflect.Type, elem *plan.Type) *node {
	n := s.compile(elem, true)
	if t.Name() != "" && n.under != nil && !s.v2() {
		return n.under
	}
	return n
}

// hookOf returns the hook that decodes values of t, or -1.
func (s *nodeSet) hookOf(t *plan.Type, pointed bool) int {
	if pointed && t.Kind != plan.Time && t.Kind != plan.Raw && t.Kind != plan.Option && t.Kind != plan.Number {
		return t.Hooks.UnmarshalAddr.First()
	}
	return -1
}

// holdsHooks reports whether a method of the user's that may keep the address is
// called for a value of t or for a part of it, not behind a pointer.
func (s *nodeSet) holdsHooks(t *plan.Type, pointed bool) bool {
	if s.hookOf(t, pointed || t.Named) >= 0 {
		return t.Union == nil
	}
	switch t.Kind {
	case plan.Struct:
		members := t.Members()
		for i := range members {
			if len(members[i].Embeds) == 0 && s.holdsHooks(members[i].Type, false) {
				return true
			}
		}
	case plan.Array:
		return s.holdsHooks(t.Elem, false)
	case plan.Option:
		return s.holdsHooks(t.Option.Value, false)
	}
	return false
}

// complete finds out what n has to know of its parts: the fields of a struct, which wait until a value comes, since a
// type may lead to thousands of others of which none ever does; and whether methods get its address. It returns what is
// wrong with a struct, which is never whole then.
func (s *nodeSet) complete(n *node) error {
	if n.whole.Load() != 0 {
		return nil
	}
	if n.op == opStruct {
		if err := s.describeStruct(n); err != nil {
			return err
		}
	}
	for _, m := range [...]*node{n.under, n.ruled} {
		if m != nil {
			_ = s.complete(m) // its own values tell what is wrong with it
		}
	}
	if n.op == opArray || n.op == opOption {
		_ = s.complete(n.elem)
	}
	for i := range n.fields {
		if f := &n.fields[i]; len(f.of.Embeds) == 0 {
			_ = s.complete(f.node)
		}
	}
	n.hooked = n.holdsHooked()
	n.whole.Store(1)
	return nil
}

// complete is [nodeSet.complete] for the value at i, which it decodes into p, or fails for, if the type is wrong. ok is
// false then, and j what decoding it returns.
//
//go:noinline
func (d *decoder) complete(n *node, p mem.Ptr, i int) (j int, ok bool) {
	compiling.Lock()
	err := d.nodes.complete(n)
	compiling.Unlock()
	switch {
	case err == nil:
		return i, true
	case d.nodes.v2() && d.b.At(i) != '{' && ruleFault(n.typ) == nil:
		return d.misfit(n, p, i), false
	}
	return d.abort(err, i), false
}

// hooked reports whether n is hooked.
func (d *decoder) hooked(n *node) bool {
	if n.whole.Load() == 0 {
		d.nodes.find(n)
	}
	return n.hooked
}

// find is complete, alone.
func (s *nodeSet) find(n *node) {
	compiling.Lock()
	_ = s.complete(n)
	compiling.Unlock()
}

// holdsHooked reports whether n is hooked, as far as that of its parts is known. What is behind a pointer or in a slice
// or a map is memory of its own.
func (n *node) holdsHooked() bool {
	switch {
	case opWeft <= n.op && n.op <= opFunc || n.op == opRuled || n.under != nil && n.under.hooked:
		return true
	case n.op == opArray || n.op == opOption:
		return n.elem.hooked
	}
	for i := range n.fields {
		if f := &n.fields[i]; len(f.of.Embeds) == 0 && f.node.hooked {
			return true
		}
	}
	return false
}

// describe makes n the program of t without regard to t's own methods.
func (s *nodeSet) describe(n *node, t *plan.Type) {
	n.op = scalars[t.Kind]
	switch t.Kind {
	case plan.Duration:
		n.numeric = true
	case plan.Raw, plan.Any, plan.Interface:
		n.nullable = true
	case plan.Pointer:
		n.op, n.nullable = opPointer, true
		n.elem = s.behind(t.Rtype, t.Elem)
	case plan.Bytes, plan.Slice:
		n.op, n.nullable = opSlice, true
		n.elem = s.compile(t.Elem, false)
		if t.Rtype.Elem().Kind() == reflect.Uint8 {
			n.op = opBytes
		}
	case plan.ByteArray, plan.Array:
		n.op, n.len = opArray, t.Len
		n.elem = s.compile(t.Elem, false)
	case plan.Map:
		n.op, n.nullable, n.key, n.name = opMap, true, t.KeyUnmarshal, t.KeyCodec
		if n.key == plan.KeyNone {
			n.op = opUnsupported
			return
		}
		n.elem = s.compile(t.Elem, false)
		n.mapOp = mapOpOf(t.Rtype)
	case plan.Struct:
		n.op, n.typ = opStruct, t
	case plan.Option:
		n.op = opOption
		n.option = t.Option
		n.elem = s.compile(t.Option.Value, false)
	default:
		n.numeric = opInt <= n.op && n.op <= opFloat64
		n.named = n.numeric && t.Rtype.PkgPath() != ""
	}
}

// describeStruct fills in the fields of n, a struct, or returns what is wrong with it.
func (s *nodeSet) describeStruct(n *node) error {
	t := n.typ
	if err := ruleFault(t); err != nil {
		return err
	}
	if s.v2() {
		if err := refusal(t, false); err != nil && s.mode.v2(setting.LegacyErrors) {
			return err
		}
		if foldsNames(t, s.mode.flags) {
			n.fold = newFolding(t, s.mode).find
		}
	} else if err := tagFault(t); err != nil {
		return err
	}
	s.describeFields(n, t)
	return nil
}

func (s *nodeSet) describeFields(n *node, t *plan.Type) {
	members := t.Members()
	n.fields = s.newFields(len(members))
	n.first = int(followCount.Add(int64(len(members)+1))-int64(len(members)+1)) % mostFollows
	names := make([]string, len(members))
	for i := range members {
		s.describeField(&n.fields[i], &members[i])
		if members[i].Noted() {
			n.requires(i)
		}
		if members[i].Noted() && i >= bitFields || n.fold != nil || s.refusesTwice() {
			n.fields[i].note(i)
		}
		names[i] = members[i].Name
	}
	for i := range members {
		for _, name := range members[i].Alternates {
			names, n.others = append(names, name), append(n.others, i)
		}
	}
	n.names = wire.NewNameTable(names)
	if t.Rest() != nil {
		n.rest = &s.newFields(1)[0]
		s.describeField(n.rest, t.Rest())
	}
}

func (s *nodeSet) describeField(f *field, p *plan.Field) {
	*f = field{
		key:    memberKey(p.Name),
		node:   s.specified(p.Type, false, s.specOf(p)),
		offset: p.Offset,
		of:     p,
	}
	if p.Unexported && f.node.under != nil {
		f.node = f.node.under
	}
	if p.Rules != nil && f.node.op == opRuled && p.Type.Inlined() {
		f.node = f.node.ruled
	}
	f.op = f.node.op
	if _, around := s.mode.quoted(p); around {
		f.op = opQuoted
	}
	f.inner = f.op
	if len(p.Embeds) > 0 {
		f.op = opEmbed
		f.offset = p.Embeds[0].Offset
	} else {
		f.rules = p.Rules
	}
	f.describeOption()
	if op := pick(f.op == opSet, &f.inner, &f.op); *op == opString && f.rules != nil && f.rules.Texts != nil {
		*op = opTexts
	}
}

// memberKey returns the key for `"name":`, one that never matches if the name
// may be written in more ways than one.
func memberKey(name string) wire.Key {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return wire.NewKey("")
		}
	}
	return wire.NewMemberKey(name)
}

// gather returns the scratch memory for elements of slices of type n.
func (d *decoder) gather(n *node) *mem.Gather {
	if n.id < len(d.gathers) {
		if g := d.gathers[n.id]; g != nil {
			return g.Free()
		}
	}
	d.gathers = sized(d.gathers, n.id)
	var g *mem.Gather
	if k := d.firsts.gathered; k < len(d.firsts.gathers) {
		g = &d.firsts.gathers[k]
		d.firsts.gathered++
		g.Init(n.elem.mem, false)
	} else {
		g = mem.NewGather(n.elem.mem, false)
	}
	d.gathers[n.id] = g
	return g
}

// slabOf returns the memory for values that a node of that id has others point to, nil if there is none yet.
func (d *decoder) slabOf(id int) *mem.Slab {
	if id < len(d.slabs) {
		return d.slabs[id]
	}
	return nil
}

// newSlab makes the memory for [decoder.slabOf], of values of type t.
func (d *decoder) newSlab(id int, t *mem.Type) *mem.Slab {
	d.slabs = sized(d.slabs, id)
	var s *mem.Slab
	if k := d.firsts.slabbed; k < len(d.firsts.slabs) {
		s = &d.firsts.slabs[k]
		d.firsts.slabbed++
		s.Init(t)
	} else {
		s = mem.NewSlab(t)
	}
	d.slabs[id] = s
	return s
}

// counts is how many elements or entries the last two lists or maps of a type had.
type counts [2]uint32

// counted notes that a list or a map of type n has had k elements or entries.
func (d *decoder) counted(n *node, k int) {
	d.counts = sized(d.counts, n.id)
	c := &d.counts[n.id]
	c[0], c[1] = c[1], uint32(min(k, 1<<30))
}

// expected returns how many elements or entries a list or a map of type n, which begins at i, is expected to have: as
// many as the last two had at least, so far as they could all be in what is left of the text, and need no more than
// four times its memory. Each has the given size.
func (d *decoder) expected(n *node, size uintptr, i int) int {
	if n.id >= len(d.counts) {
		return 0
	}
	c := &d.counts[n.id]
	left := d.n - i
	return min(int(min(c[0], c[1])), left/2, 4*left/max(int(size), 1))
}

// entry returns an entry for maps of type n, to be given back by
// [decoder.putEntry].
func (d *decoder) entry(n *node) *mem.Entry {
	d.entries = sized(d.entries, n.id)
	free := d.entries[n.id]
	if len(free) == 0 {
		return mem.NewEntry(n.rtype)
	}
	e := free[len(free)-1]
	d.entries[n.id] = free[:len(free)-1]
	return e
}

func (d *decoder) putEntry(n *node, e *mem.Entry) {
	if n.key == plan.KeyText || n.key == plan.KeyCodec || n.keys != nil { // a method may have kept the address of the key
		e.RenewKey()
	}
	if d.hooked(n.elem) { // or that of the element
		e.RenewElem(n.elem.mem)
	}
	d.entries[n.id] = append(d.entries[n.id], e)
}

// sized returns s with an index i.
func sized[T any](s []T, i int) []T {
	if i < len(s) {
		return s
	}
	return append(s, make([]T, i+1-len(s)+8)...)
}
