package gen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// kinds is a set of the kinds of values in a document.
type kinds uint8

const (
	nulls kinds = 1 << iota
	bools
	numbers
	texts // strings
	binaries
	times
	arrays
	objects
)

// kindsOf returns the kinds of the values of t.
func kindsOf(t *ir.Type, path []*ir.Decl) kinds {
	t = t.Under()
	switch k := t.Kind; {
	case k == ir.Foreign && t.Wire != 0:
		return kindsOf(&ir.Type{Kind: t.Wire}, path)
	case k == ir.Any, k == ir.Foreign:
		return ^kinds(0)
	case k == ir.Null:
		return nulls
	case k == ir.Bool:
		return bools
	case k.IsInt(), k.IsUint(), k.IsFloat():
		return numbers
	case k == ir.String, k == ir.Date:
		return texts
	case k == ir.JSONText:
		return texts
	case k == ir.Bytes, k == ir.JSONBytes:
		return texts | binaries // base64 in textual formats
	case k == ir.Time:
		return texts | times
	case k == ir.Slice:
		return arrays
	case k == ir.Map:
		return objects
	case k == ir.NullType:
		return nulls | kindsOf(t.Elem, path)
	}
	return declKinds(t.Decl, path)
}

func declKinds(d *ir.Decl, path []*ir.Decl) (k kinds) {
	switch d.Kind {
	case ir.Struct:
		return objects
	case ir.Union:
		if slices.Contains(path, d) {
			return 0
		}
		for _, v := range d.Union.Variants {
			k |= declKinds(v.Decl, append(path, d))
		}
		return k
	}
	return kindsOf(d.Type, path)
}

// unionKinds are the kinds between which the wire tells, in the order in which
// they are printed.
var unionKinds = []struct {
	bit   kinds
	names []string
}{
	{objects, []string{"KindObject"}},
	{arrays, []string{"KindArray"}},
	{texts, []string{"KindString"}},
	{binaries, []string{"KindBytes"}},
	{times, []string{"KindTime"}},
	{numbers, []string{"KindInt", "KindUint", "KindFloat", "KindNumber"}},
	{bools, []string{"KindBool"}},
	{nulls, []string{"KindNull"}},
}

// readUnion prints the body that reads a union: as the variant that what comes
// next is.
func (p *printer) readUnion(w wire, d *ir.Decl) {
	p.f("x := %s(r)", pickName(d))
	p.f("if x == nil {")
	p.f("return r.Err()")
	p.f("}")
	p.f("v.V = x")
	p.f("return x.Read%s(r)", w.suffix)
}

func pickName(d *ir.Decl) string { return "pick" + d.Name }

// picker prints the function that chooses between the variants of the union d
// by what comes next. In a format without booleans they are integers.
func (p *printer) picker(methods ir.Methods, d *ir.Decl) {
	pl := planUnion(d)
	chooses := false
	groups := groupKinds(d)
	if methods.Tagged && !slices.ContainsFunc(groups, func(g kindGroup) bool { return slices.Contains(g.names, "KindInt") }) {
		for i, g := range groups {
			if slices.Contains(g.names, "KindBool") {
				groups[i].names = append(g.names, "KindInt")
			}
		}
	}
	text, _ := p.nested(func() {
		p.f("switch r.Kind() {")
		for _, g := range groups {
			var cases []string
			for _, n := range g.names {
				cases = append(cases, p.weft(n))
			}
			p.f("case %s:", strings.Join(cases, ", "))
			switch {
			case g.objects && pl.member != "":
				chooses = p.pickByTag(d, pl) || chooses
			default:
				chooses = p.pickOne(g.list) || chooses
			}
		}
		p.f("}")
		if chooses && d.Union.Choice != "" {
			p.pickByChoice(d)
			p.f("return nil")
			return
		}
		p.f("r.Refuse(&%s{Union: %q, Variants: []string{%s}})", p.weft("ChoiceError"), d.Name, wrap(variantNames(d)))
		p.f("return nil")
	})
	if pl.member != "" {
		p.f("")
		p.f("var tag%s = %s(%s)", d.Name, p.weft("NewFields"), strconv.Quote(pl.member))
	}
	p.f("")
	p.f("// %s returns the variant that comes next, or nil and fails.", pickName(d))
	p.f("func %s(r %s) %s {", pickName(d), p.weft("SchemaReader"), d.Union.Interface)
	p.buf.WriteString(text)
	p.f("}")
}

// variantNames returns the names of the variants of d, quoted.
func variantNames(d *ir.Decl) []string {
	var out []string
	for _, v := range d.Union.Variants {
		out = append(out, strconv.Quote(v.Decl.Name))
	}
	return out
}

// undecided reports whether neither kinds nor tags tell the variants of d apart.
func undecided(d *ir.Decl) bool {
	pl := planUnion(d)
	for _, g := range groupKinds(d) {
		if !g.objects || pl.member == "" {
			if len(g.list) > 1 {
				return true
			}
			continue
		}
		if len(pl.rest) > 1 {
			return true
		}
		for _, list := range pl.byVal {
			if len(list) > 1 {
				return true
			}
		}
	}
	return false
}

// pickByChoice prints the choice by the schemas of the variants.
func (p *printer) pickByChoice(d *ir.Decl) {
	p.f("switch r.Choose(%s) {", d.Union.Choice)
	for i, c := range d.Union.Chosen {
		p.f("case %d:", i)
		p.f("return %s[%s](r)", p.weft("New"), c.Name)
	}
	p.f("}")
}

// kindGroup is the candidates for some kinds of values.
type kindGroup struct {
	names   []string
	objects bool
	list    []*ir.Variant
}

// groupKinds returns the candidates for each kind that d has, kinds with the
// same candidates together.
func groupKinds(d *ir.Decl) []kindGroup {
	var out []kindGroup
	for _, k := range unionKinds {
		var list []*ir.Variant
		for _, v := range d.Union.Variants {
			if declKinds(v.Decl, []*ir.Decl{d})&k.bit != 0 {
				list = append(list, v)
			}
		}
		if len(list) == 0 {
			continue
		}
		slices.SortStableFunc(list, func(a, b *ir.Variant) int { return strictness(a.Decl) - strictness(b.Decl) })
		if n := len(out); k.bit != objects && n > 0 && !out[n-1].objects && slices.Equal(out[n-1].list, list) {
			out[n-1].names = append(out[n-1].names, k.names...)
			continue
		}
		out = append(out, kindGroup{names: slices.Clone(k.names), objects: k.bit == objects, list: list})
	}
	return out
}

// strictness orders candidates that are tried in turn: what few values fit comes
// first.
func strictness(d *ir.Decl) int {
	switch {
	case d.Kind == ir.Enum && !d.Open:
		return 0
	case d.Kind == ir.Union || d.Kind == ir.Struct:
		return 2
	case d.Kind == ir.Enum:
		return 6
	}
	k := d.Type.Kind
	switch {
	case !d.Type.Checks.Empty() && d.Type.Checks.Const != nil:
		return 0
	case k == ir.Time || k == ir.Date:
		return 1
	case k.IsInt() || k.IsUint():
		return 3
	case !d.Type.Checks.Empty():
		return 4
	case k == ir.Bytes:
		return 5
	}
	return 6
}

// pickOne prints the return of the only candidate, or reports that there are
// several.
func (p *printer) pickOne(list []*ir.Variant) (several bool) {
	if len(list) != 1 {
		return true
	}
	p.f("return %s[%s](r)", p.weft("New"), list[0].Decl.Name)
	return false
}

// unionPlan says how the objects among the variants are told apart.
type unionPlan struct {
	member string                   // the discriminating member, "" for none
	values []string                 // its values, in order
	byVal  map[string][]*ir.Variant // candidates for each
	rest   []*ir.Variant            // candidates without a value
}

// planUnion decides how to tell the objects of d apart: by the discriminator of
// the document, or by a required member that has different constants in them.
func planUnion(d *ir.Decl) unionPlan {
	var list []*ir.Variant
	for _, v := range d.Union.Variants {
		if declKinds(v.Decl, []*ir.Decl{d})&objects != 0 {
			list = append(list, v)
		}
	}
	pl := unionPlan{byVal: make(map[string][]*ir.Variant), rest: list}
	if len(list) < 2 {
		return pl
	}
	if m := d.Union.Discriminator; m != "" {
		pl.fill(m, list, true, d.Union.ByValues)
		return pl
	}
	best := pl
	for _, m := range constMembers(list[0].Decl, nil) {
		try := unionPlan{byVal: make(map[string][]*ir.Variant)}
		try.fill(m, list, false, false)
		if len(try.rest) == 0 && len(try.values) > len(best.values) {
			best = try
		}
	}
	if len(best.values) > 1 {
		return best
	}
	return pl
}

// fill groups the variants by the values that their member called m has. With
// an explicit discriminator those the document maps to a variant count as well,
// and a variant that may do without the member is one of the rest too.
func (pl *unionPlan) fill(m string, list []*ir.Variant, explicit, byValues bool) {
	pl.member, pl.rest = m, nil
	for _, v := range list {
		vals, sure := constants(v.Decl, m, nil)
		switch {
		case byValues:
			vals, sure = v.Values, true
		case len(vals) == 0 && explicit:
			vals = v.Values
			sure = len(vals) > 0
		case !sure && !explicit:
			vals = nil
		case explicit:
			vals = slices.DeleteFunc(vals, func(val string) bool { return mappedElsewhere(v, list, val) })
		}
		if !sure {
			pl.rest = append(pl.rest, v)
		}
		for _, val := range vals {
			if pl.byVal[val] == nil {
				pl.values = append(pl.values, val)
			}
			if !slices.Contains(pl.byVal[val], v) {
				pl.byVal[val] = append(pl.byVal[val], v)
			}
		}
	}
	if i := slices.IndexFunc(list, func(v *ir.Variant) bool { return v.Other }); i >= 0 && explicit {
		pl.rest = list[i : i+1]
	}
}

// mappedElsewhere reports whether the document maps val to another one of the list
// than v, which allows it too, as variants do that share a list of all values.
func mappedElsewhere(v *ir.Variant, list []*ir.Variant, val string) bool {
	return !slices.Contains(v.Values, val) && slices.ContainsFunc(list, func(o *ir.Variant) bool { return slices.Contains(o.Values, val) })
}

// constMembers returns the names of the required members of d that have a
// closed list of values.
func constMembers(d *ir.Decl, path []*ir.Decl) []string {
	if d.Kind == ir.Union && !slices.Contains(path, d) {
		return constMembers(d.Union.Variants[0].Decl, append(path, d))
	}
	var out []string
	for _, f := range d.Fields {
		if _, sure := constants(d, f.Wire, nil); sure {
			out = append(out, f.Wire)
		}
	}
	return out
}

// constants returns the values that the member m of d may have where they are
// listed, and whether m always is there with one of them. For a union they are
// those of its variants.
func constants(d *ir.Decl, m string, path []*ir.Decl) (vals []string, sure bool) {
	if d.Kind == ir.Union {
		if slices.Contains(path, d) {
			return nil, false
		}
		sure = true
		for _, v := range d.Union.Variants {
			some, all := constants(v.Decl, m, append(path, d))
			vals, sure = append(vals, some...), sure && all
		}
		return vals, sure
	}
	for _, f := range d.Fields {
		if f.Wire != m {
			continue
		}
		sure = (f.Required || f.RequiredIn != ir.Nowhere) && !f.Nullable
		t := f.Type.Under()
		switch {
		case tagKind(t.Kind) && t.Checks != nil && t.Checks.Const != nil:
			return []string{t.Checks.Const.Text}, sure
		case t.Kind == ir.Ref && t.Decl.Kind == ir.Enum && !t.Decl.Open && tagKind(t.Decl.Type.Kind):
			for _, v := range t.Decl.Values {
				vals = append(vals, v.Text)
			}
			return vals, sure
		}
	}
	return nil, false
}

// tagKind reports whether values of kind k can tell variants apart.
func tagKind(k ir.Kind) bool { return k == ir.String || k.IsInt() || k.IsUint() }

// pickByTag prints the choice between the objects of d by the member that tells
// them apart. It reports whether that leaves several candidates somewhere.
func (p *printer) pickByTag(d *ir.Decl, pl unionPlan) (several bool) {
	p.f("switch tag, _ := r.Tag(tag%s); tag {", d.Name)
	var order []string
	same := make(map[string][]string) // values with the same candidates
	for _, val := range pl.values {
		if len(pl.rest) == 1 && slices.Equal(pl.byVal[val], pl.rest) {
			continue // they are what other values choose
		}
		var key strings.Builder
		for _, v := range pl.byVal[val] {
			key.WriteString(v.Decl.Name + " ")
		}
		if same[key.String()] == nil {
			order = append(order, key.String())
		}
		same[key.String()] = append(same[key.String()], val)
	}
	for _, key := range order {
		var quoted []string
		for _, val := range same[key] {
			quoted = append(quoted, strconv.Quote(val))
		}
		p.f("case %s:", wrap(quoted))
		several = p.pickOne(pl.byVal[same[key][0]]) || several
	}
	p.f("default:")
	if len(pl.rest) > 0 {
		several = p.pickOne(pl.rest) || several
	} else {
		vals := make([]string, len(pl.values))
		for i, v := range pl.values {
			vals[i] = strconv.Quote(v)
		}
		p.f("r.Refuse(&%s{Union: %q, Member: %q, Value: %s.Clone(tag), Variants: []string{%s}})", p.weft("ChoiceError"), d.Name, pl.member, p.use("strings"), wrap(vals))
		p.f("return nil")
	}
	p.f("}")
	return several
}
