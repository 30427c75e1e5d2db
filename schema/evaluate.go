package schema

import (
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/wire"
)

// truth says whether a schema holds for a value.
type truth uint8

const (
	yes truth = iota
	maybe
	no
)

// and reports whether both hold.
func (t truth) and(u truth) truth { return max(t, u) }

// schemaResult is what is known of a schema and a value.
type schemaResult struct {
	is  truth
	err error // why it does not hold, when asked
}

func (s *schemaResult) and(t schemaResult) {
	if s.is != no && t.is == no {
		s.err = t.err
	}
	s.is = s.is.and(t.is)
}

// evaluator evaluates schemas while it reads a value once.
type evaluator struct {
	r       backend.Reader
	shallow bool // arrays and objects within the value are not looked into
	explain bool // say why a schema does not hold
	depth   int
	ahead   *backend.Lookahead // where decisions are noted; may be nil
	results []schemaResult     // those that callers of value still use
	sums    map[int]uint64     // of arrays and objects, by where they begin
}

// take returns n results, which the caller gives back by cutting e.results.
func (e *evaluator) take(n int) []schemaResult {
	start := len(e.results)
	for range n {
		e.results = append(e.results, schemaResult{})
	}
	return e.results[start:]
}

// value reads the next value and evaluates each schema of the list.
func (e *evaluator) value(list []*schemaNode) []schemaResult {
	if len(list) == 1 && !e.explain && !e.shallow {
		ok := e.holds(list[0])
		out := e.take(1)
		if !ok {
			out[0].is = no
		}
		return out
	}
	return e.framed(list)
}

// framed is value by a frame.
func (e *evaluator) framed(list []*schemaNode) []schemaResult {
	offset := e.r.Offset()
	k := e.r.Kind()
	f := newSchemaFrame(e, list)
	switch {
	case k == weft.KindObject && f.enter():
		f.object()
	case k == weft.KindArray && f.enter():
		f.array()
	case k == weft.KindObject || k == weft.KindArray:
		e.r.Skip()
	default:
		f.scalar(k)
	}
	f.state = make([]uint8, len(f.nodes))
	out := e.take(len(list))
	for i, n := range list {
		out[i] = f.resolve(n)
	}
	if e.ahead != nil && (k == weft.KindObject || k == weft.KindArray) {
		f.note(offset)
	}
	return out
}

// note notes the decisions of the choices that hold for the value at offset.
func (f *schemaFrame) note(offset int) {
	for _, n := range f.nodes {
		if n.list == nil {
			continue
		}
		res := make([]schemaResult, len(n.list))
		for i, v := range n.list {
			res[i] = f.resolve(v)
		}
		met := decided(f.e.ahead)
		if met == nil {
			met = make(decisions)
			f.e.ahead.Kept = met
		}
		met[choiceKey{offset, n}], _ = matching(res)
	}
}

// schemaFrame is the evaluation of schemas for one value.
type schemaFrame struct {
	e     *evaluator
	nodes []*schemaNode
	index map[*schemaNode]int // of nodes, when they are many
	own   []schemaResult      // what each node says itself, its parts apart
	state []uint8             // 0: to be resolved, 1: being resolved, 2: resolved

	names []string // of the members met
	at    []int    // where the members or elements met are, when that is asked
	count int      // members or elements met
	bits  [][]uint64
	// The rows of bits: for each node the members or elements it describes,
	// then for each node those that its rest schema refuses.
	tracked bool
	text    string   // the value as canonical text, when a node asks
	either  *numeral // the value when it may be a boolean too
	told    bool     // the value is the one or the other
}

func newSchemaFrame(e *evaluator, list []*schemaNode) *schemaFrame {
	f := &schemaFrame{e: e}
	if len(list) == 1 {
		f.nodes = list[0].inner
	} else {
		for _, n := range list {
			for _, p := range n.inner {
				if !slices.Contains(f.nodes, p) {
					f.nodes = append(f.nodes, p)
				}
			}
		}
	}
	if len(f.nodes) > 16 {
		f.index = make(map[*schemaNode]int, len(f.nodes))
		for i, n := range f.nodes {
			f.index[n] = i
		}
	}
	f.own = make([]schemaResult, len(f.nodes))
	f.never()
	return f
}

// never refuses the value where nothing is allowed.
func (f *schemaFrame) never() {
	for i, n := range f.nodes {
		if n.never {
			f.fail(i, "be absent")
		}
	}
}

func (f *schemaFrame) node(n *schemaNode) int {
	if f.index != nil {
		return f.index[n]
	}
	return slices.Index(f.nodes, n)
}

// fail notes that the i-th node does not hold, and what the value must do.
func (f *schemaFrame) fail(i int, rule string) {
	if f.own[i].is == no {
		return
	}
	f.own[i].is = no
	if f.e.explain {
		f.own[i].err = &weft.ConstraintError{Rule: rule}
	}
}

// failWith notes that the i-th node does not hold because of err.
func (f *schemaFrame) failWith(i int, err error) {
	if f.own[i].is != no {
		f.own[i].is, f.own[i].err = no, err
	}
}

// child takes what the k-th member or element, called name, says about the i-th node.
func (f *schemaFrame) child(i, k int, name string, r schemaResult) {
	if f.own[i].is != no && r.is == no && f.e.explain {
		f.own[i].err = within(name, f.at[k], r.err)
	}
	f.own[i].is = f.own[i].is.and(r.is)
}

// within returns err as one about the member or element called name, which is at the offset.
func within(name string, offset int, err error) error {
	path := string(wire.AppendPointer(nil, name))
	if v, ok := err.(weft.Violation); ok {
		return weft.Violation{Path: path + v.Path, Offset: v.Offset, Err: v.Err}
	}
	return weft.Violation{Path: path, Offset: int64(offset), Err: err}
}

// enter checks the type of a container and reports whether to look into it.
func (f *schemaFrame) enter() bool {
	e := f.e
	looks, longest, set := false, 0, setObject
	if e.r.Kind() == weft.KindArray {
		set = setArray
	}
	for i, n := range f.nodes {
		looks, longest, f.tracked = looks || n.looks, max(longest, n.longest), f.tracked || n.rests
		f.typed(i, set)
	}
	if e.shallow && e.depth > 0 {
		for i, n := range f.nodes {
			if f.own[i].is == yes && (n.looks || n.hasEnum) {
				f.own[i].is = maybe
			}
		}
		return false
	}
	if longest > 0 {
		m := e.r.Mark()
		f.text = string(appendValue(nil, e.r, &longest))
		e.r.Reset(m)
	}
	for i := range f.nodes {
		f.listed(i, f.text)
	}
	return looks
}

// typed checks that the i-th node allows values of the type.
func (f *schemaFrame) typed(i int, set kindSet) {
	if n := f.nodes[i]; n.types != 0 && n.types&set == 0 {
		if f.e.explain {
			f.fail(i, "be "+n.types.String())
		}
		f.own[i].is = no
	}
}

// listed checks that the value, given as canonical text, is in the i-th node's
// enum.
func (f *schemaFrame) listed(i int, text string) {
	if n := f.nodes[i]; n.hasEnum && !n.lists(text, !f.told && f.e.r.IntBools()) {
		f.fail(i, "be one of the values listed")
	}
}

// scalar reads a value that is not a container.
func (f *schemaFrame) scalar(k weft.Kind) {
	r := f.e.r
	switch {
	case k == weft.KindNull:
		r.Null()
		f.each(setNull, "null", nil)
	case k == weft.KindBool:
		f.each(setBool, strconv.FormatBool(r.Bool()), nil)
	case k.IsNumber():
		x := readNumeral(r, k)
		set, text := x.set(r), x.String()
		if set&setBool != 0 {
			f.either = &x
		}
		f.each(set, text, func(i int) { f.failWith1(i, f.nodes[i].checkNumber(x)) })
	case k == weft.KindString || k == weft.KindBytes || k == weft.KindTime:
		f.string(readText(r, k), k == weft.KindString)
	default:
		r.Skip()
		for i := range f.nodes {
			f.fail(i, "be a value of the document's types")
		}
	}
}

func (f *schemaFrame) string(s string, plain bool) {
	text := ""
	if slices.ContainsFunc(f.nodes, func(n *schemaNode) bool { return n.hasEnum }) {
		text = strconv.Quote(s)
	}
	f.each(setString, text, func(i int) { f.failWith1(i, f.nodes[i].checkString(s, plain)) })
}

// scalar reads a value that is no container and reports whether it is valid by
// n, which has no parts. The same as a schemaFrame of n alone finds.
func (n *schemaNode) scalar(r backend.Reader, k weft.Kind) bool {
	switch {
	case k == weft.KindNull:
		r.Null()
		return n.allowsText(setNull, "null")
	case k == weft.KindBool:
		return n.allowsText(setBool, strconv.FormatBool(r.Bool()))
	case k.IsNumber():
		if !n.never && !n.hasEnum && !n.limits && (n.types == 0 || n.types&setNumber != 0) {
			r.Skip()
			return true
		}
		x := readNumeral(r, k)
		if set := x.set(r); set&setBool != 0 {
			return n.allows1(set) && (!n.hasEnum || n.lists(x.String(), true)) && n.checkNumber(x) == nil
		}
		return n.allowsNumber(x)
	case k == weft.KindString || k == weft.KindBytes || k == weft.KindTime:
		if n.bare() {
			r.Skip()
			return n.allows1(setString)
		}
		return n.allowsString(readText(r, k), k == weft.KindString)
	}
	r.Skip()
	return false
}

// lists reports whether the value, given as canonical text, is in n's enum. In
// a boolless format it may be a boolean.
func (n *schemaNode) lists(text string, boolless bool) bool {
	if slices.Contains(n.enum, text) {
		return true
	}
	switch text {
	case "0":
		return boolless && slices.Contains(n.enum, "false")
	case "1":
		return boolless && slices.Contains(n.enum, "true")
	}
	return false
}

// set returns the types of the number x, which a boolean may be.
func (x numeral) set(r backend.Reader) kindSet {
	set := setNumber
	if x.integer() {
		set |= setInteger
		if x.exact && uint64(x.i) <= 1 && r.IntBools() {
			set |= setBool
		}
	}
	return set
}

// tell returns f for the value as a number, and f for it as a boolean.
func (f *schemaFrame) tell() [2]*schemaFrame {
	var as [2]*schemaFrame
	for k := range as {
		as[k] = &schemaFrame{
			e: f.e, nodes: f.nodes, index: f.index, told: true,
			own: make([]schemaResult, len(f.nodes)), state: make([]uint8, len(f.nodes)),
		}
		as[k].never()
	}
	x := *f.either
	as[0].each(setNumber|setInteger, x.String(), func(i int) { as[0].failWith1(i, f.nodes[i].checkNumber(x)) })
	as[1].each(setBool, strconv.FormatBool(x.i == 1), nil)
	return as
}

// only returns which of the list holds when the value is a number, or else when
// it is a boolean, and -1 if neither makes it one.
func (f *schemaFrame) only(list []*schemaNode) int {
	for _, g := range f.tell() {
		index, n := -1, 0
		for i, p := range list {
			if g.resolve(p).is == yes {
				index, n = i, n+1
			}
		}
		if n == 1 {
			return index
		}
	}
	return -1
}

// bare reports whether n says nothing about strings but that they are some.
func (n *schemaNode) bare() bool {
	return !n.never && !n.hasEnum && n.minLen == 0 && n.maxLen < 0 && n.pattern == nil && n.format == ""
}

func (f *schemaFrame) failWith1(i int, err error) {
	if err != nil {
		f.failWith(i, err)
	}
}

// each checks type and enum of a scalar for each node, then what check does.
func (f *schemaFrame) each(set kindSet, text string, check func(i int)) {
	for i := range f.nodes {
		f.typed(i, set)
		f.listed(i, text)
		if check != nil {
			check(i)
		}
	}
}

func (n *schemaNode) checkNumber(x numeral) error {
	rule, limit := "", (*numeral)(nil)
	switch {
	case n.min != nil && x.compare(*n.min) < 0:
		rule, limit = "be at least ", n.min
	case n.max != nil && x.compare(*n.max) > 0:
		rule, limit = "be at most ", n.max
	case n.above != nil && x.compare(*n.above) <= 0:
		rule, limit = "be greater than ", n.above
	case n.below != nil && x.compare(*n.below) >= 0:
		rule, limit = "be less than ", n.below
	case n.multiple != nil && !x.multipleOf(*n.multiple):
		rule, limit = "be a multiple of ", n.multiple
	case n.format != "" && !x.inFormat(n.format):
		return &weft.ConstraintError{Rule: "be an " + n.format, Value: x.short()}
	default:
		return nil
	}
	return &weft.ConstraintError{Rule: rule + limit.short(), Value: x.short()}
}

// checkString checks a string, or what stands for one and is not plain.
func (n *schemaNode) checkString(s string, plain bool) error {
	if n.minLen > 0 || n.maxLen >= 0 && len(s) > n.maxLen {
		if err := count(utf8.RuneCountInString(s), n.minLen, n.maxLen, "character"); err != nil {
			return err
		}
	}
	if n.pattern != nil {
		if err := n.pattern.check(s); err != nil {
			return err
		}
	}
	if n.format != "" && plain {
		return checkFormat(s, n.format)
	}
	return nil
}

// row returns the bits of a row with room for bit k.
func (f *schemaFrame) row(i, k int) []uint64 {
	for len(f.bits) <= i {
		f.bits = append(f.bits, nil)
	}
	for len(f.bits[i]) <= k/64 {
		f.bits[i] = append(f.bits[i], 0)
	}
	return f.bits[i]
}

func (f *schemaFrame) mark(row, i, k int) { f.row(row*len(f.nodes)+i, k)[k/64] |= 1 << (k % 64) }

func join(a, b []uint64) []uint64 {
	for i, w := range b {
		if i == len(a) {
			a = append(a, 0)
		}
		a[i] |= w
	}
	return a
}

// resolve reports whether n holds, its parts included.
func (f *schemaFrame) resolve(n *schemaNode) schemaResult {
	i := f.node(n)
	if f.state[i] == 2 {
		return f.own[i]
	}
	if f.state[i] == 1 {
		return schemaResult{} // a circle of references says nothing
	}
	f.state[i] = 1
	s := f.own[i]
	if n.ref != nil {
		s.and(f.resolve(n.ref))
	}
	for _, p := range n.allOf {
		s.and(f.resolve(p))
	}
	if n.anyOf != nil {
		s.and(f.some(n.anyOf, false))
	}
	if n.oneOf != nil {
		s.and(f.some(n.oneOf, true))
	}
	if n.not != nil {
		s.and(f.inverse(f.resolve(n.not)))
	}
	if n.when != nil {
		s.and(f.conditional(n))
	}
	for _, d := range n.dependent {
		if d.node != nil && slices.Contains(f.names, d.name) {
			s.and(f.resolve(d.node))
		}
	}
	f.state[i], f.own[i] = 2, s
	if n.restProps != nil || n.restItems != nil {
		s.and(f.rest(n, i))
		f.own[i] = s
	}
	return s
}

func (f *schemaFrame) inverse(r schemaResult) schemaResult {
	r.is = no - r.is
	r.err = nil
	if r.is == no && f.e.explain {
		r.err = &weft.ConstraintError{Rule: `not match the schema of "not"`}
	}
	return r
}

// some reports whether one of the schemas holds, and when exact is set no other.
func (f *schemaFrame) some(list []*schemaNode, exact bool) (s schemaResult) {
	n := [3]int{}
	lacks := 0
	for _, p := range list {
		r := f.resolve(p)
		n[r.is]++
		if e, ok := r.err.(*weft.MissingError); ok && slices.Contains(p.to.required, e.Names[0]) {
			lacks++
		}
		if s.err == nil {
			s.err = r.err
		}
	}
	switch {
	case exact && n[yes] > 1 && f.either != nil && f.only(list) >= 0:
		return schemaResult{}
	case exact && n[yes] > 1, n[yes]+n[maybe] == 0:
		s.is = no
		switch {
		case !f.e.explain:
		case n[yes] > 1 && f.names != nil && bareNames(list):
			s.err = &weft.ConstraintError{Rule: "have " + requiredNames(list) + ", and no other of them"}
		case n[yes] > 1:
			s.err = &weft.ConstraintError{Rule: "match only one of the " + strconv.Itoa(len(list)) +
				" schemas of a oneOf, not " + strconv.Itoa(n[yes])}
		case lacks == len(list) && lacks > 1:
			s.err = &weft.ConstraintError{Rule: "have " + requiredNames(list)}
		}
	case exact && n[maybe] > 0, n[yes] == 0:
		s.is = maybe
	}
	if s.is != no {
		s.err = nil
	}
	return s
}

// bareNames reports whether each of the schemas requires members and says nothing else of objects.
func bareNames(list []*schemaNode) bool {
	for _, n := range list {
		if n = n.to; len(n.inner) != 1 || n.quick == nil || n.required == nil || n.props != nil || n.patterns != nil ||
			n.extra != nil || n.minProps > 0 || n.maxProps >= 0 || n.never {
			return false
		}
	}
	return true
}

// requiredNames returns the names of the members that each of the schemas requires: "a" or "b" and "c".
func requiredNames(list []*schemaNode) string {
	var b []byte
	for i, n := range list {
		if i > 0 {
			b = append(b, " or "...)
		}
		for k, name := range n.to.required {
			if k > 0 {
				b = append(b, " and "...)
			}
			b = strconv.AppendQuote(b, name)
		}
	}
	return string(b)
}

func (f *schemaFrame) conditional(n *schemaNode) schemaResult {
	branch := func(p *schemaNode) schemaResult {
		if p == nil {
			return schemaResult{}
		}
		return f.resolve(p)
	}
	switch cond := f.resolve(n.when); cond.is {
	case yes:
		return branch(n.then)
	case no:
		return branch(n.orElse)
	}
	a, b := branch(n.then), branch(n.orElse)
	if a.is == b.is {
		return a
	}
	return schemaResult{is: maybe}
}

// rest checks the members or elements that no part of n describes.
func (f *schemaFrame) rest(n *schemaNode, i int) schemaResult {
	row := len(f.nodes) + i
	if row >= len(f.bits) {
		return schemaResult{}
	}
	done := f.described(n, nil)
	for k, refused := range f.bits[row] {
		if k < len(done) {
			refused &^= done[k]
		}
		if refused == 0 {
			continue
		}
		s := schemaResult{is: no}
		if f.e.explain {
			s.err = weft.ErrUnknownMember
			at := 64*k + bits.TrailingZeros64(refused)
			name := strconv.Itoa(at)
			if f.names != nil {
				name = f.names[at]
			}
			s.err = within(name, f.at[at], s.err)
		}
		return s
	}
	return schemaResult{}
}

// everything returns all members or elements of the value.
func (f *schemaFrame) everything() []uint64 {
	all := make([]uint64, (f.count+63)/64)
	for k := range f.count {
		all[k/64] |= 1 << (k % 64)
	}
	return all
}

// described returns the members or elements that n and those of its parts that
// hold describe.
func (f *schemaFrame) described(n *schemaNode, path []*schemaNode) (all []uint64) {
	if n == nil || slices.Contains(path, n) {
		return nil
	}
	path = append(path, n)
	if len(path) > 1 && (n.restProps != nil && f.names != nil || n.restItems != nil && f.names == nil) {
		return f.everything() // it holds, and with it what it says of whatever nothing in it describes
	}
	if i := f.node(n); i < len(f.bits) {
		all = join(all, f.bits[i])
	}
	add := func(p *schemaNode) {
		if p != nil && f.resolve(p).is != no {
			all = join(all, f.described(p, path))
		}
	}
	add(n.ref)
	for _, l := range [][]*schemaNode{n.allOf, n.anyOf, n.oneOf} {
		for _, p := range l {
			add(p)
		}
	}
	if n.when != nil {
		if f.resolve(n.when).is != no {
			add(n.when)
			add(n.then)
		} else {
			add(n.orElse)
		}
	}
	for _, d := range n.dependent {
		if slices.Contains(f.names, d.name) {
			add(d.node)
		}
	}
	return all
}
