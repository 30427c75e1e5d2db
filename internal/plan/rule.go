package plan

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/formats"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/pattern"
	"github.com/weftcodec/weft/internal/wire"
)

// Rules are what values of one type must be beyond their Go type, compiled: of a
// field by its tag check, of a type by its method WeftRules. They look at the Go
// value, so that one implementation serves every format. An optional value that
// is not set and a nil pointer obey all rules.
type Rules struct {
	via  []step // the way from the value that is given to the one that is looked at
	at   *Type  // of that one
	list []rule

	Schema backend.Schema // of a type: what is evaluated over its values before they are read, nil for none
	null   bool           // the Schema has no say in null

	items *Rules // of each element of a list, and of each value of a map
	keys  *Rules // of each key of a map
	fn    func(ptr any) error

	test ruleTest // how Hold looks at the value

	// A value whose word at the place is one of those from low on, up to low+span, obeys the rules, if one tells.
	oneWord   bool
	word      mem.Field
	low, span uint64

	Texts *wire.NameTable // the strings allowed, where nothing else is demanded of a string
}

// ruleTest is a way to look at a value. All but testAll do the same as that for the rules that they are for.
type ruleTest uint8

const (
	testAll   ruleTest = iota // in the general way
	testText                  // a single rule of a string
	testMatch                 // a single pattern
	testInt32                 // a single range of integers of 32 bits
	testMap                   // a map of strings to strings
)

// step leads through an option or a pointer, or, if it is zero, from a slice or map that is not nil to itself.
type step struct {
	option *OptionInfo // nil for a pointer
	elem   *Type
}

// rule is one demand on a value.
type rule struct {
	op      ruleOp
	above   bool   // of ranges of floats: low itself is not allowed
	below   bool   // and high
	low     uint64 // of ranges: the least int64, uint64 or float64 bits; of lengths the least
	high    uint64
	pattern *pattern.Pattern
	format  func(s string) bool
	texts   *wire.NameTable // of ruleTexts: the strings allowed
	number  string          // of ruleTimesF: of what it is a multiple
	words   []uint64        // of ruleWords: the bits of the values allowed
	about   *ruleText
}

// ruleText says what is demanded, such as "be at least 1", of a range also of its other end.
type ruleText struct {
	demand, high string
	least, most  string // of ruleFloats: the ends as numbers
}

type ruleOp uint8

const (
	ruleInts   ruleOp = iota // a range of signed integers
	ruleUints                // of unsigned ones
	ruleFloats               // of floating-point numbers
	ruleTimes                // a multiple of an integer
	ruleTimesF               // of a floating-point number
	ruleLength               // a range of characters, or of bytes
	ruleMatch                // a pattern
	ruleFormat               // a format
	ruleTexts                // one of a list of strings
	ruleWords                // one of a list of other scalars
	ruleCount                // a range of elements, or of members
	ruleUnique               // no two equal elements
)

// Rules that need no value of their own.
const (
	bareRules = " required nullable readOnly writeOnly uniqueItems "
	allRules  = "required nullable readOnly writeOnly const enum minimum maximum exclusiveMinimum exclusiveMaximum " +
		"multipleOf minLength maxLength pattern format minItems maxItems uniqueItems minProperties maxProperties"
)

// mostSteps is how many options and pointers rules look through: what leads in a circle has more.
const mostSteps = 8

// Behind returns the type of what values of n lead to through options and pointers.
func (n *Type) Behind() *Type {
	for range mostSteps {
		switch n.Kind {
		case Option:
			n = n.Option.Value
		case Pointer:
			n = n.Elem
		default:
			return n
		}
	}
	return n
}

// newRules returns the rules for values of type t, without any yet.
func newRules(t *Type) *Rules {
	r := &Rules{at: t.Behind()}
	for ; t != r.at && len(r.via) < mostSteps; t = r.via[len(r.via)-1].elem {
		if t.Kind == Option {
			r.via = append(r.via, step{t.Option, t.Option.Value})
		} else {
			r.via = append(r.via, step{nil, t.Elem})
		}
	}
	return r
}

// fieldRules returns the rules of a field of type t whose tag check is text, those of t itself among them where its
// values are scalars; nil for none. is says what the tag tells of the member.
func (b *builder) fieldRules(t *Type, text string) (r *Rules, is bareWords, err error) {
	r = newRules(t)
	if own := r.at.Rules; own != nil && r.at.Scalar() {
		r.list, r.fn = slices.Clone(own.list), own.fn
	}
	if is, err = r.parse(text); err != nil {
		return nil, is, err
	}
	switch {
	case is&isNullable != 0 && !t.mayBeNil():
		return nil, is, fmt.Errorf("rule nullable does not suit %v: opt.Null and opt.Field hold a null", t.Rtype)
	case is&isReadOnly != 0 && is&isWriteOnly != 0:
		return nil, is, fmt.Errorf("rules readOnly and writeOnly exclude each other")
	}
	if r.empty() {
		return nil, is, nil
	}
	if is&isNullable != 0 {
		r.passNil()
	}
	r.finish()
	return r, is, nil
}

// passNil makes a nil slice or map, which stands for null, obey all rules.
func (r *Rules) passNil() {
	if k := r.at.Rtype.Kind(); len(r.via) == 0 && (k == reflect.Slice || k == reflect.Map) {
		r.via = []step{{}}
	}
}

// finish chooses how Hold looks at values.
func (r *Rules) finish() {
	for _, part := range []*Rules{r.items, r.keys} {
		if part != nil {
			part.finish()
		}
	}
	if r.fn != nil || mem.Safe {
		return
	}
	k := r.at.Kind
	r.findWord()
	switch {
	case k == Map && r.at.Key != nil && r.at.Key.Kind == String && r.at.Elem.Kind == String && r.list == nil &&
		(r.items == nil || r.items.fn == nil) && (r.keys == nil || r.keys.fn == nil):
		r.test = testMap
		return
	case len(r.list) != 1 || r.items != nil || r.keys != nil:
		return
	}
	switch op := r.list[0].op; {
	case k == String && op == ruleMatch:
		r.test = testMatch
	case k == String:
		r.test, r.Texts = testText, r.list[0].texts
	case op == ruleInts && k == Int32:
		r.test = testInt32
	}
}

// findWord finds the word that mostly tells that a value obeys the rules: the length of a string or a slice, or a
// number. Where an option is not set, a value obeys them whatever the word is.
func (r *Rules) findWord() {
	r.oneWord, r.word = false, mem.Field{}
	if len(r.list) != 1 || r.items != nil || strconv.IntSize != 64 {
		return
	}
	for i := range r.via {
		switch s := &r.via[i]; {
		case s.option != nil:
			r.word = r.word.Then(s.option.V)
		case s.elem != nil:
			return
		}
	}
	u, k := &r.list[0], r.at.Kind
	if u.op == ruleLength || u.op == ruleCount && k == Slice {
		r.word = r.word.Length()
	} else if k != Int && k != Int64 && k != Duration && k != Uint && k != Uint64 && k != Float64 {
		return
	}
	low, high := u.low, u.high
	switch u.op {
	case ruleLength:
		if k == String { // a character has at most four bytes
			low += 3 * (max(low, 1) - 1)
		}
		r.oneWord = low <= high
	case ruleInts:
		r.oneWord = int64(low) <= int64(high)
	case ruleUints, ruleCount:
		r.oneWord = low <= high
	case ruleFloats: // from 0 on they have the order of their bits
		least, most := math.Float64frombits(low), math.Float64frombits(high)
		low, high = math.Float64bits(max(least, 0)), math.Float64bits(most+0)
		if u.above && least >= 0 {
			low++
		}
		if u.below {
			high--
		}
		r.oneWord = most > 0 && low <= high
	}
	r.low, r.span = low, high-low
}

// Inner returns the rules for what the option leads to that r is for.
func (r *Rules) Inner() *Rules {
	inner := *r
	inner.via = r.via[1:]
	inner.finish()
	return &inner
}

// mayBeNil reports whether nil is a value of the type, or a union may hold none.
func (n *Type) mayBeNil() bool {
	if n.Union != nil {
		return true
	}
	switch n.Rtype.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	}
	return false
}

// bareWords are words of a tag check about the member, not its value.
type bareWords uint8

const (
	isRequired bareWords = 1 << iota
	isNullable
	isReadOnly
	isWriteOnly
)

var bareNames = []string{"required", "nullable", "readOnly", "writeOnly"}

// declared returns the rules that t declares by its method, nil if it has none.
func declared(t reflect.Type) *weft.Rules {
	if ruled, ok := zeroRuled(t); ok {
		d := ruled.WeftRules()
		return &d
	}
	return nil
}

// typeRules returns what the rules d, which t declares, demand of its values, nil for nothing.
func (b *builder) typeRules(t *Type, d *weft.Rules) (*Rules, error) {
	if d.Union != nil {
		if err := b.makeUnion(t, d.Union, d.Strict); err != nil {
			return nil, err
		}
	}
	if d.Parts != nil {
		if d.Parts.Body == t.Rtype {
			t.body = true
			return nil, nil
		}
		if err := b.makeParts(t, d); err != nil {
			return nil, err
		}
	}
	if d.Wrapper {
		if err := b.makeWrapper(t, d.Strict); err != nil {
			return nil, err
		}
	}
	r := &Rules{at: t, fn: d.Func, Schema: d.Schema}
	if d.Enum != nil {
		if err := r.enum(reflect.ValueOf(d.Enum)); err != nil {
			return nil, err
		}
	}
	is, err := r.parse(d.Check)
	for i, name := range bareNames {
		if is>>i&1 != 0 {
			return nil, fmt.Errorf("rule %s is for the field of a struct", name)
		}
	}
	if err != nil || r.empty() {
		return nil, err
	}
	r.finish()
	return r, nil
}

var ruledType = reflect.TypeFor[weft.Ruled]()

// zeroRuled returns the zero value of t, or its address, if t itself declares rules.
func zeroRuled(t reflect.Type) (weft.Ruled, bool) {
	if !hasMethods(t) || t.Kind() == reflect.Interface {
		return nil, false
	}
	if !reflect.PointerTo(t).Implements(ruledType) { // as it does if t does
		return nil, false
	}
	if promotesRules(t) {
		return nil, false
	}
	r, ok := reflect.New(t).Interface().(weft.Ruled)
	return r, ok
}

// promotesRules reports whether the struct type t has WeftRules from a field that it embeds alone: these rules are not
// those of t.
func promotesRules(t reflect.Type) bool { return embedsRules(t) && !declaresRules(t) }

// declaresRules reports whether the method WeftRules of t, or of a pointer to it, is written in the program: one that
// comes from an embedded field is the compiler's.
func declaresRules(t reflect.Type) bool {
	m, ok := t.MethodByName("WeftRules")
	if !ok {
		m, _ = reflect.PointerTo(t).MethodByName("WeftRules")
	}
	f := runtime.FuncForPC(m.Func.Pointer())
	if f == nil {
		return false
	}
	file, _ := f.FileLine(f.Entry())
	return file != "<autogenerated>"
}

// embedsRules reports whether the struct type t embeds a type with rules.
func embedsRules(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous || f.Type.Kind() == reflect.Pointer && f.Type.Name() != "" {
			continue
		}
		if f.Type.Implements(ruledType) ||
			f.Type.Kind() != reflect.Pointer && reflect.PointerTo(f.Type).Implements(ruledType) {
			return true
		}
	}
	return false
}

func (r *Rules) empty() bool {
	return r.list == nil && r.items == nil && r.keys == nil && r.fn == nil && r.Schema == nil
}

// Inlined reports whether the rules of the type n, if there are any, are among those of the fields that hold it.
func (n *Type) Inlined() bool { return n.Scalar() && (n.Rules == nil || n.Rules.Schema == nil) }

// Scalar reports whether values of n are strings, numbers or booleans.
func (n *Type) Scalar() bool {
	return Bool <= n.Kind && n.Kind <= Float64 || n.Kind == String || n.Kind == Duration || n.Kind == Number
}

// parse adds the rules that the text of a tag demands.
func (r *Rules) parse(text string) (is bareWords, err error) {
	for text != "" {
		var w ruleWord
		if w, text, err = cutRuleWord(text); err != nil {
			return 0, err
		}
		if i := slices.Index(bareNames, w.name); i >= 0 && !w.has {
			is |= 1 << i
			continue
		}
		to := r
		for {
			head, name, ok := strings.Cut(w.name, ".")
			if !ok {
				break
			}
			if to, err = to.within(head); err != nil {
				return 0, err
			}
			w.name = name
		}
		if err = to.add(&w); err != nil {
			return 0, err
		}
	}
	return is, nil
}

// within returns the rules of the parts of the value that the prefix of a word names.
func (r *Rules) within(prefix string) (*Rules, error) {
	part, of := &r.items, r.at.Elem
	is := r.at.Kind == Slice || r.at.Kind == Array
	switch prefix {
	case "items":
	case "values":
		is = r.at.Kind == Map
	case "keys":
		part, of, is = &r.keys, r.at.Key, r.at.Kind == Map
	default:
		return nil, fmt.Errorf("unknown prefix %q of a rule: it is one of items, keys and values", prefix)
	}
	if !is {
		return nil, fmt.Errorf("rules of %s do not suit %v", prefix, r.at.Rtype)
	}
	if *part == nil {
		*part = newRules(of)
	}
	return *part, nil
}

// add adds the rule that a word demands.
func (r *Rules) add(w *ruleWord) error {
	if !strings.Contains(" "+allRules+" ", " "+w.name+" ") {
		if near := nearest(w.name, strings.Fields(allRules)); near != "" {
			return fmt.Errorf("unknown rule %q: did you mean %s?", w.name, near)
		}
		return fmt.Errorf("unknown rule %q", w.name)
	}
	if w.has == strings.Contains(bareRules, " "+w.name+" ") {
		return fmt.Errorf("rule %s %s", w.name, pick(w.has, "takes no value", "needs a value"))
	}
	var err error
	known := true
	switch k := r.at.Kind; {
	case slices.Contains(bareNames, w.name):
		return fmt.Errorf("rule %s is for the field of a struct", w.name)
	case w.name == "const" || w.name == "enum":
		known, err = r.addEnum(w)
	case k == String:
		known, err = r.addText(w)
	case r.at.Scalar() && k != Bool:
		known, err = r.addNumber(w)
	case k == Bytes:
		if known = w.name == "minLength" || w.name == "maxLength"; known {
			err = r.addCount(w, "byte")
		}
	case k == Slice || k == Array:
		switch w.name {
		case "minItems", "maxItems":
			err = r.addCount(w, "element")
		case "uniqueItems":
			r.list = append(r.list, rule{op: ruleUnique})
		default:
			known = false
		}
	case k == Map || k == Struct && !isText(r.at.Rtype):
		if known = w.name == "minProperties" || w.name == "maxProperties"; known {
			err = r.addCount(w, "member")
		}
	default:
		known = false
	}
	switch {
	case !known:
		return fmt.Errorf("rule %s does not suit %v", w.name, r.at.Rtype)
	case err != nil:
		return fmt.Errorf("rule %s: %w", w.name, err)
	}
	return nil
}

// isText reports whether values of t are text by their methods.
func isText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textMarshaler) && !p.Implements(JSONHook().Marshal) && !p.Implements(weftMarshaler)
}

// addText adds a rule about strings.
func (r *Rules) addText(w *ruleWord) (known bool, err error) {
	switch w.name {
	case "minLength", "maxLength":
		return true, r.addCount(w, "character")
	case "pattern":
		p, err := pattern.Compile(w.text())
		if err != nil {
			return true, err
		}
		r.list = append(r.list, rule{op: ruleMatch, pattern: p, about: &ruleText{demand: "match " + w.text()}})
	case "format":
		is, what := formats.Named(w.text())
		if is == nil {
			return true, fmt.Errorf("unknown format %q", w.text())
		}
		r.list = append(r.list, rule{op: ruleFormat, format: is, about: &ruleText{demand: "be " + what}})
	default:
		return false, nil
	}
	return true, nil
}

// addCount adds one end of a range of characters, bytes, elements or members to the rule about it.
func (r *Rules) addCount(w *ruleWord, what string) error {
	n, err := strconv.ParseUint(w.arg, 10, 62)
	if err != nil {
		return fmt.Errorf("%q is not a count", w.arg)
	}
	op := ruleCount
	if what == "character" || what == "byte" {
		op = ruleLength
	}
	text := "have at least "
	if w.name[:3] == "max" {
		text = "have at most "
	}
	text += strconv.FormatUint(n, 10) + " " + what
	if n != 1 {
		text += "s"
	}
	return r.bound(op, w.name[:3] == "max", n, text, 0, math.MaxInt64)
}

// bound sets one end of the range of the rule op.
func (r *Rules) bound(op ruleOp, upper bool, n uint64, text string, low, high uint64) error {
	at := -1
	for i := range r.list {
		if r.list[i].op == op && r.list[i].about.free(upper) {
			at = i
		}
	}
	if at < 0 {
		r.list = append(r.list, rule{op: op, low: low, high: high, about: new(ruleText)})
		at = len(r.list) - 1
	}
	u := &r.list[at]
	if upper {
		u.high, u.about.high = n, text
	} else {
		u.low, u.about.demand = n, text
	}
	if (op == ruleLength || op == ruleCount) && u.low > u.high {
		return fmt.Errorf("nothing can %s and %s", u.about.demand, u.about.high)
	}
	return nil
}

// free reports whether that end of the range has not been set.
func (t *ruleText) free(upper bool) bool { return upper && t.high == "" || !upper && t.demand == "" }

// addNumber adds a rule about numbers.
func (r *Rules) addNumber(w *ruleWord) (known bool, err error) {
	upper := w.name == "maximum" || w.name == "exclusiveMaximum"
	open := strings.HasPrefix(w.name, "exclusive")
	var text string
	switch w.name {
	case "minimum":
		text = "be at least "
	case "maximum":
		text = "be at most "
	case "exclusiveMinimum":
		text = "be greater than "
	case "exclusiveMaximum":
		text = "be less than "
	case "multipleOf":
		return true, r.addMultiple(w)
	default:
		return false, nil
	}
	text += w.arg
	x, err := strconv.ParseFloat(w.arg, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return true, fmt.Errorf("%q is not a number", w.arg)
	}
	k := r.at.Kind
	switch {
	case k.IsInt() || k == Duration:
		n, exact := intBound(w.arg, x, upper)
		if open && exact {
			if n == pick[int64](upper, math.MinInt64, math.MaxInt64) {
				return true, fmt.Errorf("no %v can %s", r.at.Rtype, text)
			}
			n += pick[int64](upper, -1, 1)
		}
		low, high := int64(math.MinInt64), int64(math.MaxInt64)
		return true, r.bound(ruleInts, upper, uint64(n), text, uint64(low), uint64(high))
	case k.IsUint():
		n, exact := uintBound(w.arg, x, upper)
		if x < 0 && upper {
			return true, fmt.Errorf("no %v can %s", r.at.Rtype, text)
		}
		if open && exact && x >= 0 {
			if n == pick[uint64](upper, 0, math.MaxUint64) {
				return true, fmt.Errorf("no %v can %s", r.at.Rtype, text)
			}
			n += pick[uint64](upper, math.MaxUint64, 1) // one less, or one more
		}
		return true, r.bound(ruleUints, upper, n, text, 0, math.MaxUint64)
	}
	least, most := math.Float64bits(math.Inf(-1)), math.Float64bits(math.Inf(1))
	if err := r.bound(ruleFloats, upper, math.Float64bits(x), text, least, most); err != nil {
		return true, err
	}
	for i := range r.list {
		if u := &r.list[i]; u.op == ruleFloats && upper && u.about.high == text {
			u.below, u.about.most = open, w.arg
		} else if u.op == ruleFloats && !upper && u.about.demand == text {
			u.above, u.about.least = open, w.arg
		}
	}
	return true, nil
}

// intBound returns the end of a range of int64 that text, which is x, stands for: the least or greatest integer
// within it. exact tells that it is text itself.
func intBound(text string, x float64, upper bool) (n int64, exact bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	round := pick(upper, math.Floor(x), math.Ceil(x))
	switch {
	case round < -1<<63:
		return math.MinInt64, false
	case round >= 1<<63:
		return math.MaxInt64, false
	}
	return int64(round), round == x
}

// uintBound is intBound for uint64.
func uintBound(text string, x float64, upper bool) (n uint64, exact bool) {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, true
	}
	round := pick(upper, math.Floor(x), math.Ceil(x))
	switch {
	case round < 0:
		return 0, false
	case round >= 1<<64:
		return math.MaxUint64, false
	}
	return uint64(round), round == x
}

func (r *Rules) addMultiple(w *ruleWord) error {
	u := rule{op: ruleTimesF, number: w.arg, about: &ruleText{demand: "be a multiple of " + w.arg}}
	x, err := strconv.ParseFloat(w.arg, 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return fmt.Errorf("%q is not a number greater than 0", w.arg)
	}
	digits, exp := wire.NumberDigits(w.arg)
	n, _ := strconv.ParseFloat(digits, 64)
	low, high := n*math.Pow10(max(exp-len(digits), 0)), math.Pow10(max(len(digits)-exp, 0))
	if low > 1e15 || high > 1e22 { // may not be exact
		low, high = math.NaN(), math.NaN()
	}
	u.low, u.high = math.Float64bits(low), math.Float64bits(high)
	if n, err := strconv.ParseUint(w.arg, 10, 63); err == nil && !r.at.Kind.IsFloat() && r.at.Kind != Number {
		u.op, u.low = ruleTimes, n
	}
	r.list = append(r.list, u)
	return nil
}

// addEnum adds the rule that a value is one of some.
func (r *Rules) addEnum(w *ruleWord) (known bool, err error) {
	parts, text := []string{w.text()}, "be "
	if w.name == "enum" {
		parts = w.list()
		text = "be one of "
	}
	k := r.at.Kind
	if !r.at.Scalar() {
		return false, nil
	}
	u := rule{op: ruleWords}
	for i, part := range parts {
		if i > 0 {
			text += ", "
		}
		if k == String || k == Number {
			text += strconv.Quote(part)
			continue
		}
		text += part
		bits, err := parseScalar(r.at, part)
		if err != nil {
			return true, err
		}
		u.words = append(u.words, bits)
	}
	if k == String || k == Number {
		u.op, u.texts = ruleTexts, wire.NewNameTable(parts)
	}
	u.about = &ruleText{demand: text}
	r.list = append(r.list, u)
	return true, nil
}

// parseScalar returns the bits, as [scalarBits] has them, of the value of the number or boolean type t that text is.
func parseScalar(t *Type, text string) (bits uint64, err error) {
	switch k := t.Kind; {
	case k == Bool:
		var b bool
		if b, err = strconv.ParseBool(text); b {
			bits = 1
		}
	case k.IsUint():
		bits, err = strconv.ParseUint(text, 10, int(t.Bits))
	case k.IsFloat():
		var x float64
		x, err = strconv.ParseFloat(text, int(t.Bits))
		bits = math.Float64bits(x + 0)
	default:
		var n int64
		n, err = strconv.ParseInt(text, 10, int(t.Bits))
		bits = uint64(n)
	}
	if err != nil {
		err = fmt.Errorf("%q is not a value of %v", text, t.Rtype)
	}
	return bits, err
}

// enum adds the rule that a value is one of the elements of values.
func (r *Rules) enum(values reflect.Value) error {
	t := r.at
	if values.Kind() != reflect.Slice || values.Type().Elem() != t.Rtype || !t.Scalar() {
		return fmt.Errorf("the Enum of the rules is a %v: a []%v of scalars is needed", values.Type(), t.Rtype)
	}
	u := rule{op: ruleWords, about: &ruleText{demand: "be a value of " + t.Rtype.Name()}}
	var texts []string
	for i := range values.Len() {
		switch v := values.Index(i); {
		case v.Kind() == reflect.String:
			texts = append(texts, v.String())
		case v.Kind() == reflect.Bool:
			u.words = append(u.words, pick[uint64](v.Bool(), 1, 0))
		case v.CanInt():
			u.words = append(u.words, uint64(v.Int()))
		case v.CanUint():
			u.words = append(u.words, v.Uint())
		default:
			u.words = append(u.words, math.Float64bits(v.Float()+0))
		}
	}
	if t.Rtype.Kind() == reflect.String {
		u.op, u.texts = ruleTexts, wire.NewNameTable(texts)
	}
	r.list = append(r.list, u)
	return nil
}
