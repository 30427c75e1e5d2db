package gen

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/internal/pattern"
	weftjson "github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

// sampler makes JSON texts of random values of the types of a package, which
// keep every constraint.
type sampler struct {
	rand   *rand.Rand
	height map[*ir.Decl]int // of the smallest value
	full   bool             // every optional member is there
	table  *schema.Set
	texts  map[string]string // of the table
}

// maxDepth is the depth below which values are as small as they can be.
const maxDepth = 4

func newSampler(pkg *ir.Package, seed uint64) *sampler {
	var pairs []string
	texts := make(map[string]string)
	for _, x := range pkg.Schemas {
		pairs, texts[strings.TrimPrefix(x.Name, "#")] = append(pairs, x.Name, x.Text), x.Text
	}
	s := &sampler{rand: rand.New(rand.NewPCG(seed, 0)), height: make(map[*ir.Decl]int), table: schema.New(pairs...), texts: texts}
	const never = 1000
	for _, d := range pkg.Decls {
		s.height[d] = never
	}
	for changed := true; changed; {
		changed = false
		for _, d := range pkg.Decls {
			if h := min(never, s.heightOf(d)); h < s.height[d] {
				s.height[d], changed = h, true
			}
		}
	}
	return s
}

func (s *sampler) heightOf(d *ir.Decl) int {
	switch d.Kind {
	case ir.Struct:
		h := 0
		if d.Parts != nil {
			h = 1000
			for _, f := range d.Fields {
				h = min(h, s.height[f.Type.Decl])
			}
			return h
		}
		for _, f := range d.Fields {
			if f.Required && !f.Nullable {
				h = max(h, s.typeHeight(f.Type))
			}
		}
		return h + 1
	case ir.Union:
		h := 1000
		for _, v := range d.Union.Variants {
			h = min(h, s.height[v.Decl])
		}
		return h
	}
	return s.typeHeight(d.Type)
}

func (s *sampler) typeHeight(t *ir.Type) int {
	switch t.Kind {
	case ir.Ref:
		return s.height[t.Decl]
	case ir.JSONText, ir.JSONBytes:
		return s.typeHeight(t.Elem) + 1
	case ir.Slice:
		if checksOf(t).MinItems > 0 {
			return s.typeHeight(t.Elem) + 1
		}
	case ir.Map:
		if checksOf(t).MinProps > 0 {
			return s.typeHeight(t.Elem) + 1
		}
	}
	return 0
}

func (s *sampler) chance(n int) bool { return s.rand.IntN(n) == 0 }

// decl appends a value of d. It panics with errNoSample when it finds none.
func (s *sampler) decl(b []byte, d *ir.Decl, depth int) []byte {
	return s.obeying(b, d.Schema, func(b []byte) []byte { return s.anyOf(b, d, depth) })
}

// unsampled are the keywords for which no values are made.
var unsampled = regexp.MustCompile(`"(not|if|then|contains|const|enum|prefixItems|properties|propertyNames|\$ref|` +
	`(unevaluated|additional|pattern|dependent)[A-Z][A-Za-z]+)":`)

// obeying appends what make appends when it obeys the schema in a variable, "" for none.
func (s *sampler) obeying(b []byte, variable string, make func([]byte) []byte) []byte {
	if variable == "" {
		return make(b)
	}
	if text, ok := s.texts[variable]; !ok || unsampled.MatchString(text) {
		panic(errNoSample) // values would have to be made for it
	}
	full, x := s.full, s.table.Get("#"+variable)
	defer func() { s.full = full }()
	for range 50 {
		if text := make(nil); weftjson.UnmarshalWith(text, &conforming{x}) == nil {
			return append(b, text...)
		}
		s.full = false // it may be that not all members can be there
	}
	panic(errNoSample)
}

// anyOf is decl without the schema of d.
func (s *sampler) anyOf(b []byte, d *ir.Decl, depth int) []byte {
	switch d.Kind {
	case ir.Struct:
		return s.object(b, d, depth)
	case ir.Union:
		vs := slices.Clone(d.Union.Variants)
		if depth > maxDepth {
			slices.SortStableFunc(vs, func(x, y *ir.Variant) int { return s.height[x.Decl] - s.height[y.Decl] })
			vs = vs[:1]
		}
		v := vs[s.rand.IntN(len(vs))]
		out := s.decl(nil, v.Decl, depth+1)
		if m := d.Union.Discriminator; m != "" && len(v.Values) > 0 {
			if vals, _ := constants(v.Decl, m, nil); len(vals) == 0 || d.Union.ByValues {
				out = withMember(out, m, v.Values[0])
			}
		}
		return append(b, out...)
	case ir.Enum:
		if d.Open && s.chance(3) {
			return s.typ(b, d.Type, depth)
		}
		if d.Values == nil {
			panic(errNoSample)
		}
		return s.constant(b, d.Type.Kind, d.Values[s.rand.IntN(len(d.Values))])
	}
	return s.typ(b, d.Type, depth)
}

// withMember returns the object b with a member set to a string.
func withMember(b []byte, name, value string) []byte {
	var list map[string]json.RawMessage
	if json.Unmarshal(b, &list) != nil {
		return b
	}
	list[name], _ = json.Marshal(value)
	out, _ := json.Marshal(list)
	return out
}

func (s *sampler) constant(b []byte, k ir.Kind, v *ir.Value) []byte {
	if k == ir.String {
		return s.text(b, v.Text)
	}
	return append(b, v.Text...)
}

func (s *sampler) text(b []byte, text string) []byte {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return append(b, out...)
}

func (s *sampler) object(b []byte, d *ir.Decl, depth int) []byte {
	if d.Parts != nil {
		return s.parts(b, d, depth)
	}
	present := 0
	b = append(b, '{')
	for _, f := range d.Fields {
		if !f.Required {
			if depth > maxDepth && (d.Schema == "" || !s.chance(4)) || !s.full && !s.chance(2) {
				continue
			}
			if depth > maxDepth && s.typeHeight(f.Type) >= 1000 {
				continue
			}
		}
		if present > 0 {
			b = append(b, ',')
		}
		present++
		b = append(s.text(b, f.Wire), ':')
		if f.Nullable && (depth > maxDepth || s.chance(3)) {
			b = append(b, "null"...)
		} else {
			b = s.typ(b, f.Type, depth+1)
		}
	}
	if d.Extra != nil && depth <= maxDepth {
		for i := range s.rand.IntN(3) {
			if present > 0 {
				b = append(b, ',')
			}
			present++
			b = append(s.text(b, "extra "+strconv.Itoa(i)), ':')
			b = s.typ(b, d.Extra.Type.Elem, depth+1)
		}
	}
	return append(b, '}')
}

// parts appends an object that is one of the parts of d, with members of others.
func (s *sampler) parts(b []byte, d *ir.Decl, depth int) []byte {
	first := s.rand.IntN(len(d.Fields))
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(s.decl(nil, d.Fields[first].Type.Decl, depth+1), &whole); err != nil {
		panic(err)
	}
	for i, f := range d.Fields {
		if i == first || f.Type.Decl.Closed || d.Fields[first].Type.Decl.Closed || !s.chance(2) || depth > maxDepth {
			continue
		}
		var more map[string]json.RawMessage
		if err := json.Unmarshal(s.decl(nil, f.Type.Decl, depth+1), &more); err != nil {
			panic(err)
		}
		for name, text := range more {
			if whole[name] == nil {
				whole[name] = text
			}
		}
	}
	text, err := json.Marshal(whole)
	if err != nil {
		panic(err)
	}
	return append(b, text...)
}

func (s *sampler) typ(b []byte, t *ir.Type, depth int) []byte {
	if depth > 60 {
		panic(errNoSample)
	}
	return s.obeying(b, t.Schema, func(b []byte) []byte { return s.anyType(b, t, depth) })
}

// anyType is typ without the schema of t.
func (s *sampler) anyType(b []byte, t *ir.Type, depth int) []byte {
	c := checksOf(t)
	if t.Kind == ir.Foreign {
		panic(errNoSample) // what it says is not known here
	}
	if text, ok := t.Const(); ok {
		return s.constant(b, t.Kind, &ir.Value{Text: text})
	}
	switch k := t.Kind; {
	case k == ir.Any:
		any := []string{"null", "true", "1", "-2.5", `"any"`, `[1,"x"]`, `{"a":{"b":[]}}`}
		return append(b, any[s.rand.IntN(len(any))]...)
	case k == ir.Null:
		return append(b, "null"...)
	case k == ir.Bool:
		return strconv.AppendBool(b, s.chance(2))
	case k.IsInt() || k.IsUint():
		return strconv.AppendInt(b, s.integer(k, c), 10)
	case k.IsFloat():
		return s.float(b, c)
	case k == ir.String:
		return s.text(b, s.str(c))
	case k == ir.Bytes:
		return append(b, []string{`""`, `"AA=="`, `"aGVsbG8="`}[s.rand.IntN(3)]...)
	case k == ir.Time:
		return fmt.Appendf(b, `"20%02d-0%d-1%dT0%d:30:00.%09dZ"`, s.rand.IntN(100), 1+s.rand.IntN(9), s.rand.IntN(9),
			s.rand.IntN(9), 1+s.rand.IntN(999999999))
	case k == ir.Date:
		return fmt.Appendf(b, `"20%02d-0%d-1%d"`, s.rand.IntN(100), 1+s.rand.IntN(9), s.rand.IntN(9))
	case k == ir.JSONText:
		return s.text(b, string(s.typ(nil, t.Elem, depth+1)))
	case k == ir.JSONBytes:
		return s.text(b, base64.StdEncoding.EncodeToString(s.typ(nil, t.Elem, depth+1)))
	case k == ir.NullType:
		if s.chance(3) {
			return append(b, "null"...)
		}
		return s.typ(b, t.Elem, depth)
	case k == ir.Ref:
		return s.decl(b, t.Decl, depth)
	case k == ir.Map:
		n := s.count(c.MinProps, c.MaxProps, depth)
		b = append(b, '{')
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(s.text(b, "key"+strconv.Itoa(i)), ':')
			b = s.typ(b, t.Elem, depth+1)
		}
		return append(b, '}')
	}
	n := s.count(c.MinItems, c.MaxItems, depth)
	seen := make(map[string]bool)
	b = append(b, '[')
	for i, tries := 0, 0; i < n; tries++ {
		item := string(s.typ(nil, t.Elem, depth+1))
		if c.Unique && seen[item] {
			if tries > 100 {
				if len(seen) < c.MinItems {
					panic(errNoSample)
				}
				break
			}
			continue
		}
		seen[item] = true
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
		i++
	}
	return append(b, ']')
}

// checks are the rules of a type that a sampler keeps.
type checks struct {
	Min, Max, MultipleOf, Pattern, Format string
	ExclMin, ExclMax, Unique              bool
	MinLen, MaxLen, MinItems, MaxItems    int
	MinProps, MaxProps                    int
}

func checksOf(t *ir.Type) *checks {
	c := &checks{MaxLen: -1, MaxItems: -1, MaxProps: -1}
	for _, rule := range t.Check {
		name, arg, _ := strings.Cut(rule, "=")
		n, _ := strconv.Atoi(arg)
		switch name {
		case "minimum", "exclusiveMinimum":
			c.Min, c.ExclMin = arg, name != "minimum"
		case "maximum", "exclusiveMaximum":
			c.Max, c.ExclMax = arg, name != "maximum"
		case "multipleOf":
			c.MultipleOf = arg
		case "pattern":
			c.Pattern = arg
		case "format":
			c.Format = arg
		case "uniqueItems":
			c.Unique = true
		case "minLength":
			c.MinLen = n
		case "maxLength":
			c.MaxLen = n
		case "minItems":
			c.MinItems = n
		case "maxItems":
			c.MaxItems = n
		case "minProperties":
			c.MinProps = n
		case "maxProperties":
			c.MaxProps = n
		}
	}
	return c
}

// count returns how many elements there are.
func (s *sampler) count(lo, hi, depth int) int {
	n := lo
	if depth <= maxDepth {
		n += s.rand.IntN(3)
	}
	if hi >= 0 {
		n = min(n, hi)
	}
	return n
}

func (s *sampler) integer(k ir.Kind, c *checks) int64 {
	lo, hi := int64(-100), int64(100)
	if k.IsUint() {
		lo = 0
	}
	if c.Min != "" {
		lo = whole(c.Min, c.ExclMin, 1)
		hi = max(hi, lo+100)
	}
	if c.Max != "" {
		hi = whole(c.Max, c.ExclMax, -1)
		lo = min(lo, hi)
		if c.Min == "" {
			lo = min(lo, hi-10)
		}
	}
	x := lo
	if hi > lo {
		x += s.rand.Int64N(hi - lo)
	}
	if m, _ := strconv.ParseInt(c.MultipleOf, 10, 64); m > 1 {
		x -= x % m
		if x < lo {
			x += m
		}
	}
	return x
}

// whole returns the integer that is the bound of integers within it, which are on the side of step.
func whole(bound string, excluded bool, step int64) int64 {
	n, err := strconv.ParseInt(bound, 10, 64)
	if err != nil {
		x, _ := strconv.ParseFloat(bound, 64)
		n = -step * int64(math.Floor(-float64(step)*x))
		excluded = excluded && float64(n) == x
	}
	if excluded {
		n += step
	}
	return n
}

func (s *sampler) float(b []byte, c *checks) []byte {
	lo, hi := -100.0, 100.0
	if c.Min != "" {
		lo, _ = strconv.ParseFloat(c.Min, 64)
		hi = max(hi, lo+100)
	}
	if c.Max != "" {
		hi, _ = strconv.ParseFloat(c.Max, 64)
		lo = min(lo, hi)
	}
	x := (lo + hi) / 2
	if s.chance(2) && !c.ExclMin {
		x = lo
	}
	if m, _ := strconv.ParseFloat(c.MultipleOf, 64); m > 0 {
		x = m * float64(int64(hi/m))
		if c.ExclMax && x == hi {
			x -= m
		}
	}
	return strconv.AppendFloat(b, float64(float32(x)), 'f', -1, 32)
}

// errNoSample is the panic of a sampler that cannot keep the constraints.
const errNoSample = "no sample"

// formatted has a value of each format that is checked.
var formatted = map[string]string{
	"time": "10:20:30Z", "duration": "P1DT12H", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/a?b=c",
	"email": "ann@example.com", "decimal": "12.50",
}

func (s *sampler) str(c *checks) string {
	if c.Format == "uuid" {
		return fmt.Sprintf("01234567-89ab-cdef-0123-%012x", s.rand.Uint64()>>16)
	}
	if text := formatted[c.Format]; text != "" && c.Pattern == "" {
		return text
	}
	words := []string{"", "a", "weft", "zwölf", "with \"quotes\"\n", "<tag>&", "日本", strings.Repeat("long ", 20)}
	for range 200 {
		var text string
		if c.Pattern != "" {
			expr, _ := pattern.Expr(c.Pattern)
			re, err := syntax.Parse(expr, syntax.Perl)
			if err != nil {
				panic(err)
			}
			text = s.match(re.Simplify(), 0)
			if !regexp.MustCompile(expr).MatchString(text) {
				continue
			}
		} else {
			text = words[s.rand.IntN(len(words))]
			if n := len([]rune(text)); n < c.MinLen {
				text += strings.Repeat("x", c.MinLen-n)
			}
		}
		if n := len([]rune(text)); n >= c.MinLen && (c.MaxLen < 0 || n <= c.MaxLen) {
			return text
		}
	}
	panic(errNoSample)
}

// match returns a text that re matches, anchors aside.
func (s *sampler) match(re *syntax.Regexp, depth int) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		i := s.rand.IntN(len(re.Rune)/2) * 2
		lo, hi := re.Rune[i], min(re.Rune[i+1], re.Rune[i]+20)
		if lo < ' ' && hi >= ' ' {
			lo = ' '
		}
		return string(lo + s.rand.Int32N(hi-lo+1))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(rune('a' + s.rand.IntN(26)))
	case syntax.OpCapture:
		return s.match(re.Sub[0], depth)
	case syntax.OpConcat:
		var out string
		for _, sub := range re.Sub {
			out += s.match(sub, depth+1)
		}
		return out
	case syntax.OpAlternate:
		return s.match(re.Sub[s.rand.IntN(len(re.Sub))], depth+1)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		lo, hi := 0, 3
		switch re.Op {
		case syntax.OpPlus:
			lo, hi = 1, 12
		case syntax.OpQuest:
			hi = 1
		case syntax.OpRepeat:
			lo, hi = re.Min, max(re.Max, re.Min)
		}
		var out string
		for range lo + s.rand.IntN(hi-lo+1) {
			out += s.match(re.Sub[0], depth+1)
		}
		return out
	}
	return ""
}

// samples returns up to n values of each type that has methods, by name.
func samples(t *testing.T, pkg *ir.Package, n int) map[string][]json.RawMessage {
	t.Helper()
	out := make(map[string][]json.RawMessage)
	for i, d := range pkg.Decls {
		if d.Kind == ir.Alias {
			continue
		}
		s := newSampler(pkg, uint64(i))
		for k := range n {
			s.full = k == 0
			if b := s.try(d); b != nil {
				if !json.Valid(b) {
					t.Fatalf("%s: sample is not JSON: %s", d.Name, b)
				}
				out[d.Name] = append(out[d.Name], b)
			}
		}
		if out[d.Name] == nil {
			t.Logf("no sample of %s", d.Name)
		}
	}
	return out
}

func (s *sampler) try(d *ir.Decl) (b []byte) {
	defer func() {
		if e := recover(); e != nil && e != errNoSample {
			panic(e)
		} else if e != nil {
			b = nil
		}
	}()
	return s.decl(nil, d, 0)
}
