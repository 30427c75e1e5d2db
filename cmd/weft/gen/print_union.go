package gen

import (
	"fmt"
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
	case k == ir.Any:
		return ^kinds(0)
	case k == ir.Null:
		return nulls
	case k == ir.Bool:
		return bools
	case k.IsInt(), k.IsUint(), k.IsFloat():
		return numbers
	case k == ir.String, k == ir.Date:
		return texts
	case k == ir.Bytes:
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

// readUnion prints the body that reads a union: candidates in the order pick
// returns them, until one can be read.
func (p *printer) readUnion(w wire, d *ir.Decl) {
	p.f("for m, i := r.Mark(), 0; ; i++ {")
	p.f("x, more := %s(r, i)", pickName(d))
	p.f("if x == nil {")
	p.f("r.Skip()")
	p.f("r.Check(%s(%q))", p.weft("VariantError"), d.Name)
	p.f("return r.Err()")
	p.f("}")
	p.f("if x.Read%s(r) == nil || !more {", w.suffix)
	p.f("v.V = x")
	p.f("return r.Err()")
	p.f("}")
	p.f("r.Reset(m)")
	p.f("}")
}

func pickName(d *ir.Decl) string { return "pick" + d.Name }

// picker prints the function that chooses between the variants of the union d
// by what comes next.
func (p *printer) picker(pkg *ir.Package, d *ir.Decl) {
	pl := planUnion(d)
	var vars []string
	text, _ := p.nested(func() {
		p.f("switch r.Kind() {")
		for _, g := range groupKinds(d) {
			var cases []string
			for _, n := range g.names {
				cases = append(cases, p.weft(n))
			}
			p.f("case %s:", strings.Join(cases, ", "))
			if g.objects {
				vars = append(vars, p.pickObject(d, pl)...)
			} else {
				p.pickInTurn(g.list)
			}
		}
		p.f("}")
		p.f("return nil, false")
	})
	if len(vars) > 0 {
		p.f("")
		p.f("var (")
		for _, v := range vars {
			p.f("%s", v)
		}
		p.f(")")
	}
	p.f("")
	p.f("// %s returns the i-th candidate for what comes next, and whether there is another.", pickName(d))
	p.f("func %s(r %s, i int) (v %s, more bool) {", pickName(d), p.weft("Reader"), d.Union.Interface)
	p.buf.WriteString(text)
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

// pickInTurn prints the return of the i-th of the candidates.
func (p *printer) pickInTurn(list []*ir.Variant) {
	if len(list) == 1 {
		p.f("return new(%s), false", list[0].Decl.Name)
		return
	}
	p.f("switch i {")
	for i, v := range list {
		p.f("case %d:", i)
		p.f("return new(%s), %t", v.Decl.Name, i+1 < len(list))
	}
	p.f("}")
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
		pl.fill(m, list, true)
		return pl
	}
	best := pl
	for _, m := range constMembers(list[0].Decl, nil) {
		try := unionPlan{byVal: make(map[string][]*ir.Variant)}
		try.fill(m, list, false)
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
func (pl *unionPlan) fill(m string, list []*ir.Variant, explicit bool) {
	pl.member, pl.rest = m, nil
	for _, v := range list {
		vals, sure := constants(v.Decl, m, nil)
		switch {
		case len(vals) == 0 && explicit:
			vals = v.Values
			sure = len(vals) > 0
		case !sure && !explicit:
			vals = nil
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
		sure = f.Required && !f.Nullable
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

// pickObject prints the choice between the objects of d and returns the
// variables it needs.
func (p *printer) pickObject(d *ir.Decl, pl unionPlan) (vars []string) {
	if pl.member == "" {
		return p.pickByNames(d, pl.rest, "")
	}
	table := "tag" + d.Name
	vars = append(vars, fmt.Sprintf("%s = %s(%s)", table, p.weft("NewFields"), strconv.Quote(pl.member)))
	p.f("switch tag, _ := %s(r, %s); tag {", p.weft("PeekTag"), table)
	var done []string
	n := 0
	for _, val := range pl.values {
		if slices.Contains(done, val) {
			continue
		}
		same := []string{}
		for _, other := range pl.values {
			if slices.Equal(pl.byVal[other], pl.byVal[val]) {
				same = append(same, strconv.Quote(other))
				done = append(done, other)
			}
		}
		p.f("case %s:", wrap(same))
		suffix := ""
		if n > 0 {
			suffix = strconv.Itoa(n + 1)
		}
		if len(pl.byVal[val]) > 1 {
			n++
		}
		vars = append(vars, p.pickByNames(d, pl.byVal[val], suffix)...)
	}
	if len(pl.rest) > 0 {
		p.f("default:")
		vars = append(vars, p.pickByNames(d, pl.rest, "0")...)
	}
	p.f("}")
	return vars
}

// pickByNames prints the choice between objects by the names of their members.
func (p *printer) pickByNames(d *ir.Decl, list []*ir.Variant, suffix string) (vars []string) {
	if len(list) == 1 {
		p.pickInTurn(list)
		return nil
	}
	names := telling(list)
	if len(names) == 0 {
		p.pickInTurn(list)
		return nil
	}
	table, cands := "names"+suffix+d.Name, "fit"+suffix+d.Name
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	vars = append(vars, fmt.Sprintf("%s = %s(%s)", table, p.weft("NewFields"), wrap(quoted)))
	var b strings.Builder
	for _, v := range list {
		req, known := masks(v.Decl, names, nil)
		fmt.Fprintf(&b, "{Required: %#x, Known: %#x},\n", req, known)
	}
	vars = append(vars, fmt.Sprintf("%s = []%s{\n%s}", cands, p.weft("Candidate"), b.String()))
	p.f("k, more := %s(r, %s, %s, i)", p.weft("RankCandidates"), table, cands)
	p.f("switch k {")
	for i, v := range list {
		p.f("case %d:", i)
		p.f("return new(%s), more", v.Decl.Name)
	}
	p.f("}")
	return vars
}

// telling returns the names, at most 64, of members by which the variants
// differ: first those that are required somewhere.
func telling(list []*ir.Variant) []string {
	type use struct{ known, required int }
	uses := make(map[string]*use)
	var order []string
	for _, v := range list {
		for name, req := range members(v.Decl, nil) {
			u := uses[name]
			if u == nil {
				u = new(use)
				uses[name] = u
				order = append(order, name)
			}
			u.known++
			if req {
				u.required++
			}
		}
	}
	slices.Sort(order)
	var out []string
	for _, wantRequired := range []bool{true, false} {
		for _, name := range order {
			u := uses[name]
			if u.required > 0 != wantRequired || u.known == len(list) && (u.required == 0 || u.required == len(list)) {
				continue
			}
			out = append(out, name)
		}
	}
	return out[:min(len(out), 64)]
}

// members returns the names of the members of the objects of d, and whether
// they are always required.
func members(d *ir.Decl, path []*ir.Decl) map[string]bool {
	out := make(map[string]bool)
	if d.Kind == ir.Union && !slices.Contains(path, d) {
		for i, v := range d.Union.Variants {
			m := members(v.Decl, append(path, d))
			for name, req := range m {
				old, ok := out[name]
				out[name] = req && (i == 0 || ok && old)
			}
			for name := range out {
				out[name] = out[name] && m[name]
			}
		}
	}
	for _, f := range d.Fields {
		out[f.Wire] = f.Required
	}
	return out
}

// masks returns which of the names the objects of d require and know.
func masks(d *ir.Decl, names []string, path []*ir.Decl) (required, known uint64) {
	m := members(d, path)
	for i, n := range names {
		req, ok := m[n]
		if ok {
			known |= 1 << i
		}
		if req {
			required |= 1 << i
		}
	}
	return required, known
}
