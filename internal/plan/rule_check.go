package plan

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Sure reports whether one word tells that the value at p obeys the rules. If not, Hold finds out.
func (r *Rules) Sure(p mem.Ptr) bool {
	return r.oneWord && *mem.At[uint64](p.Field(r.word))-r.low <= r.span
}

// Hold reports whether the value at p obeys the rules.
func (r *Rules) Hold(p mem.Ptr) bool {
	if len(r.via) > 0 {
		if p = r.reach(p); p.IsNil() {
			return true
		}
	}
	switch r.test {
	case testText:
		return r.list[0].textHolds(*mem.At[string](p))
	case testMatch:
		return r.list[0].pattern.Match(*mem.At[string](p))
	case testInt32:
		x, u := int64(*mem.At[int32](p)), &r.list[0]
		return int64(u.low) <= x && x <= int64(u.high)
	case testMap:
		for k, s := range *mem.At[map[string]string](p) {
			if r.keys != nil && !r.keys.textHolds(k) || r.items != nil && !r.items.textHolds(s) {
				return false
			}
		}
		return true
	}
	for i := range r.list {
		if !r.list[i].holds(r.at, p) {
			return false
		}
	}
	if r.items == nil && r.keys == nil && r.fn == nil {
		return true
	}
	return r.partsHold(p)
}

// reach returns the location of the value that is looked at, nil for none.
func (r *Rules) reach(p mem.Ptr) mem.Ptr {
	for i := range r.via {
		switch s := &r.via[i]; {
		case s.elem == nil:
			if r.at.Kind == Map && p.Value(r.at.Mem).IsNil() || r.at.Kind != Map && p.SliceIsNil() {
				return mem.Ptr{}
			}
		case s.option == nil:
			if p = p.Deref(s.elem.Mem); p.IsNil() {
				return p
			}
		case !s.option.Set(p):
			return mem.Ptr{}
		default:
			p = p.Field(s.option.V)
		}
	}
	return p
}

func (r *Rules) partsHold(p mem.Ptr) bool {
	switch {
	case r.at.Kind == Map:
		for e, all := entryOf(r.at, p), true; e.Next(); {
			if all = r.keys == nil || r.keys.Hold(e.Key); !all || r.items != nil && !r.items.Hold(e.Elem) {
				return false
			}
		}
	case r.items != nil:
		a, n := elements(r.at, p)
		if r.items.test == testMatch && len(r.items.via) == 0 { // same as below
			for _, s := range mem.Flat[string](a, n) {
				if !r.items.list[0].pattern.Match(s) {
					return false
				}
			}
			return true
		}
		for i := range n {
			if q := a.At(r.at.Elem.Mem, i); !r.items.Sure(q) && !r.items.Hold(q) {
				return false
			}
		}
	}
	return r.fn == nil || r.fn(p.Addr(r.at.Mem)) == nil
}

// textHolds is Hold for a string.
func (r *Rules) textHolds(s string) bool {
	for i := range r.list {
		if !r.list[i].textHolds(s) {
			return false
		}
	}
	return true
}

// entryOf returns an entry that goes through the map of type t at p.
func entryOf(t *Type, p mem.Ptr) *mem.Entry {
	e := mem.NewEntry(t.Rtype)
	e.Range(p.Value(t.Mem))
	return e
}

// elements returns the elements of the list of type t at p, and how many there are.
func elements(t *Type, p mem.Ptr) (mem.Array, int) {
	if t.Kind == Array {
		return p.Array(), t.Len
	}
	return p.Slice(), p.SliceLen()
}

// holds reports whether the value of type t at p obeys the rule.
func (u *rule) holds(t *Type, p mem.Ptr) bool {
	switch u.op {
	case ruleInts:
		x := intAt(t, p)
		return int64(u.low) <= x && x <= int64(u.high)
	case ruleLength, ruleMatch, ruleTexts, ruleFormat:
		if t.Kind == Bytes {
			n := uint64(p.SliceLen())
			return u.low <= n && n <= u.high
		}
		return u.textHolds(*mem.At[string](p))
	case ruleWords:
		return slices.Contains(u.words, scalarBits(t, p))
	case ruleFloats:
		if t.Kind == Number {
			return floatAt(t, p) == floatAt(t, p) && !u.isUnder(*mem.At[string](p)) && !u.isOver(*mem.At[string](p))
		}
		return u.floatHolds(floatAt(t, p))
	case ruleUints:
		x := uint64(intAt(t, p))
		return u.low <= x && x <= u.high
	case ruleCount:
		n := countOf(t, p)
		return u.low <= n && n <= u.high
	case ruleUnique:
		i, _ := equalElements(t, p)
		return i < 0
	case ruleTimes:
		if t.Kind.IsUint() {
			return uint64(intAt(t, p))%u.low == 0
		}
		return intAt(t, p)%int64(u.low) == 0
	}
	return u.isMultiple(t, p)
}

// textHolds is holds for a string.
func (u *rule) textHolds(s string) bool {
	switch u.op {
	case ruleMatch:
		return u.pattern.Match(s)
	case ruleTexts:
		return u.texts.Find(s) >= 0
	case ruleFormat:
		return u.format(s)
	}
	// A string has at most as many characters as bytes and at least a quarter.
	if n := uint64(len(s)); n <= u.high && n/4 >= u.low {
		return true
	}
	n := uint64(runes(s))
	return u.low <= n && n <= u.high
}

// runes returns how many characters s has.
func runes(s string) int {
	n := 0
	for ; len(s)-n >= 8; n += 8 {
		t := s[n : n+8]
		if (t[0]|t[1]|t[2]|t[3]|t[4]|t[5]|t[6]|t[7])&0x80 != 0 {
			break
		}
	}
	return n + utf8.RuneCountInString(s[n:])
}

func (u *rule) floatHolds(x float64) bool {
	low, high := math.Float64frombits(u.low), math.Float64frombits(u.high)
	return low <= x && x <= high && !(u.above && x == low) && !(u.below && x == high)
}

// isUnder reports whether a number of any length is less than the range begins.
func (u *rule) isUnder(number string) bool {
	least := u.about.least
	return least != "" && wire.CompareNumbers(number, least) < pick(u.above, 1, 0)
}

// isOver reports whether it is greater than the range ends.
func (u *rule) isOver(number string) bool {
	most := u.about.most
	return most != "" && wire.CompareNumbers(number, most) > pick(u.below, -1, 0)
}

// isMultiple reports whether the text of the number at p is that of a multiple of a number, which is low/high where
// these are numbers.
func (u *rule) isMultiple(t *Type, p mem.Ptr) bool {
	x := floatAt(t, p)
	switch {
	case t.Kind == Number:
		return x == x && wire.IsMultiple(*mem.At[string](p), u.number)
	case x-x != 0: // not finite
		return false
	case t.Kind == Float64: // a quotient of so few digits has them as its text
		low, high := math.Float64frombits(u.low), math.Float64frombits(u.high)
		if n := math.Round(x*high/low) * low; math.Abs(n) < 1e15 && n/high == x {
			return true
		}
	}
	return wire.IsMultiple(textOf(t, p), u.number)
}

// intAt returns the integer at p: an unsigned one as the bits that it has.
func intAt(t *Type, p mem.Ptr) int64 {
	if t.Kind == Duration {
		return *mem.At[int64](p)
	}
	return mem.LoadInt(p, t.Kind.Integer())
}

// floatAt returns the number at p: of type Number NaN for anything else.
func floatAt(t *Type, p mem.Ptr) float64 {
	switch k := t.Kind; {
	case k == Float64:
		return *mem.At[float64](p)
	case k == Float32:
		return float64(*mem.At[float32](p))
	case k == Number:
		x, err := strconv.ParseFloat(*mem.At[string](p), 64)
		if err != nil && !math.IsInf(x, 0) {
			return math.NaN()
		}
		return x
	case k.IsUint():
		return float64(uint64(intAt(t, p)))
	}
	return float64(intAt(t, p))
}

// scalarBits returns the number or boolean at p as the bits that no other value has.
func scalarBits(t *Type, p mem.Ptr) uint64 {
	switch k := t.Kind; {
	case k == Bool:
		if *mem.At[bool](p) {
			return 1
		}
		return 0
	case k.IsFloat():
		return math.Float64bits(floatAt(t, p) + 0) // no negative zero
	}
	return uint64(intAt(t, p))
}

// countOf returns how many elements or members the value at p has.
func countOf(t *Type, p mem.Ptr) uint64 {
	switch t.Kind {
	case Map:
		return uint64(p.Value(t.Mem).Len())
	case Struct:
		return uint64(t.members(p))
	}
	_, n := elements(t, p)
	return uint64(n)
}

// members returns how many members the struct at p is written with.
func (n *Type) members(p mem.Ptr) (count int) {
	members := n.Members()
	for i := range members {
		if f := &members[i]; !f.left(f.At(p)) {
			count++
		}
	}
	if n.Rest() != nil {
		if at := n.Rest().At(p); !at.IsNil() && n.Rest().Type.Kind == Map {
			count += at.Value(n.Rest().Type.Mem).Len()
		}
	}
	return count
}

// Broken returns the rules that the value at p breaks, with the paths from it to the parts at fault: the first one, or
// all of them.
func (r *Rules) Broken(p mem.Ptr, all bool) (list []weft.Violation) {
	r.each(p, func(path string, err error) bool {
		list = append(list, weft.Violation{Path: path, Offset: -1, Err: err})
		return all
	})
	return list
}

// each calls report with each rule that the value at p breaks, and the path from it to the part at fault, until report
// returns false. It returns what report has returned last.
func (r *Rules) each(p mem.Ptr, report func(path string, err error) bool) bool {
	if p = r.reach(p); p.IsNil() {
		return true
	}
	for i := range r.list {
		if u := &r.list[i]; !u.holds(r.at, p) && !report("", u.broken(r.at, p)) {
			return false
		}
	}
	switch {
	case r.at.Kind == Map && (r.items != nil || r.keys != nil):
		if !r.breakEntries(p, report) {
			return false
		}
	case r.items != nil:
		a, n := elements(r.at, p)
		for i := range n {
			if at := a.At(r.at.Elem.Mem, i); !r.items.Hold(at) && !r.items.each(at, under(strconv.Itoa(i), report)) {
				return false
			}
		}
	}
	if r.fn == nil {
		return true
	}
	err := r.fn(p.Addr(r.at.Mem))
	if err == nil {
		return true
	}
	if list, ok := err.(*weft.ValidationError); ok {
		for _, v := range list.Violations {
			if !report(v.Path, v.Err) {
				return false
			}
		}
		return true
	}
	return report(backend.Locate(err, ""))
}

// breakEntries is Break for the entries of a map, in the order of their keys.
func (r *Rules) breakEntries(p mem.Ptr, report func(path string, err error) bool) bool {
	m := p.Value(r.at.Mem)
	keys := m.MapKeys()
	slices.SortFunc(keys, CompareKeys)
	entry := mem.NewEntry(r.at.Rtype)
	for _, k := range keys {
		entry.KeyValue().Set(k)
		entry.Load(m)
		below := under(KeyName(k), report)
		if r.keys != nil && !r.keys.each(entry.Key, below) || r.items != nil && !r.items.each(entry.Elem, below) {
			return false
		}
	}
	return true
}

// CompareKeys orders keys of maps: text and numbers by their value, others by their names.
func CompareKeys(x, y reflect.Value) int {
	switch {
	case x.Kind() == reflect.String:
		return cmp.Compare(x.String(), y.String())
	case x.CanInt():
		return cmp.Compare(x.Int(), y.Int())
	case x.CanUint():
		return cmp.Compare(x.Uint(), y.Uint())
	}
	return cmp.Compare(KeyName(x), KeyName(y))
}

// under returns report for what stands below the member or element that token names.
func under(token string, report func(path string, err error) bool) func(string, error) bool {
	return func(path string, err error) bool {
		return report(string(wire.AppendPointer(nil, token))+path, err)
	}
}

// broken returns the error for the value at p, which breaks the rule.
func (u *rule) broken(t *Type, p mem.Ptr) error {
	demand, value := "", textOf(t, p)
	if u.about != nil {
		demand = u.about.demand
	}
	switch u.op {
	case ruleInts:
		if demand == "" || intAt(t, p) > int64(u.high) {
			demand = u.about.high
		}
	case ruleUints:
		if demand == "" || uint64(intAt(t, p)) > u.high {
			demand = u.about.high
		}
	case ruleFloats:
		high := math.Float64frombits(u.high)
		if demand == "" || floatAt(t, p) > high || u.below && floatAt(t, p) == high ||
			t.Kind == Number && u.isOver(*mem.At[string](p)) {
			demand = u.about.high
		}
	case ruleLength, ruleCount:
		n := uint64(0)
		switch {
		case u.op == ruleCount:
			n = countOf(t, p)
		case t.Kind == Bytes:
			n = uint64(p.SliceLen())
		default:
			n = uint64(utf8.RuneCountInString(*mem.At[string](p)))
		}
		if value = strconv.FormatUint(n, 10); n > u.high {
			demand = u.about.high
		}
	case ruleUnique:
		i, j := equalElements(t, p)
		demand, value = "have no two equal elements, as "+strconv.Itoa(i)+" and "+strconv.Itoa(j)+" are", ""
	}
	return &weft.ConstraintError{Rule: demand, Value: value}
}

// textOf returns the scalar at p for an error, cut when it is long.
func textOf(t *Type, p mem.Ptr) string {
	switch k := t.Kind; {
	case k == String || k == Number:
		return wire.Quote(*mem.At[string](p))
	case k == Bool:
		return strconv.FormatBool(*mem.At[bool](p))
	case k.IsFloat():
		return strconv.FormatFloat(floatAt(t, p), 'g', -1, int(t.Bits))
	case k.IsUint():
		return strconv.FormatUint(uint64(intAt(t, p)), 10)
	case k.IsInt() || k == Duration:
		return strconv.FormatInt(intAt(t, p), 10)
	}
	return ""
}

// NilError returns the error for a nil of type t where a strict type needs a value.
func NilError(t reflect.Type) error {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	if t.Name() == "" {
		return nilError(t.String())
	}
	return nilError(t.Name())
}
