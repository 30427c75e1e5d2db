package gen

import (
	"slices"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// finish completes the declarations once all are known.
func (l *lowerer) finish() {
	for _, d := range l.pkg.Decls {
		if d.Kind == ir.Alias && spells(d.Type, d) {
			l.defineAs(d, d.Type)
		}
	}
	l.unaliasVariants()
	tagFields(l.pkg.Decls)
	tags(l.pkg.Decls)
	l.parts()
	pointers(l.pkg.Decls)
	l.alone()
	l.texts.write()
	l.defaults()
}

// spells reports whether lists, maps and aliases lead from t to d, which then cannot be an alias itself.
func spells(t *ir.Type, d *ir.Decl) bool {
	for range 1000 {
		switch {
		case t.Kind == ir.Ref && t.Decl == d:
			return true
		case t.Kind == ir.Ref && t.Decl.Kind == ir.Alias:
			t = t.Decl.Type
		case t.Elem != nil:
			t = t.Elem
		default:
			return false
		}
	}
	return false
}

// unaliasVariants replaces variants that turned out to be aliases: an alias
// cannot be told from the type it names.
func (l *lowerer) unaliasVariants() {
	decls := l.pkg.Decls
	wrapped := make(map[*ir.Decl]*ir.Decl)
	for i := 0; i < len(decls); i++ {
		d := decls[i]
		if d.Kind != ir.Union {
			continue
		}
		for _, v := range d.Union.Variants {
			if was := v.Decl; was.Kind == ir.Alias {
				if v.Decl = l.wrap(was, wrapped); v.Decl == nil {
					l.anyUnion(d)
					break
				}
			}
		}
	}
}

// wrap returns a type of its own for the type an alias names, nil when that is
// any.
func (l *lowerer) wrap(d *ir.Decl, wrapped map[*ir.Decl]*ir.Decl) *ir.Decl {
	t := (&ir.Type{Kind: ir.Ref, Decl: d}).Under()
	switch t.Kind {
	case ir.Any:
		return nil
	case ir.Ref:
		return t.Decl
	}
	if w := wrapped[d]; w != nil {
		return w
	}
	w := l.declare(nil, d.Name+"Value", "")
	l.defineAs(w, t)
	w.Doc = d.Doc
	wrapped[d] = w
	return w
}

// alone gives a type of its own to what is an alias of one that has no methods, or not those that check all that is
// said here: so that values that are read by themselves are checked as those of a field are.
func (l *lowerer) alone() {
	for _, d := range l.pkg.Decls {
		t := d.Type
		if d.Kind != ir.Alias || t.IsAlias() && !t.Checked() {
			continue // its own, or another name of one that has it
		}
		u, schema := l.definition(t)
		if u.Kind != ir.Null && u.Kind != ir.Date && u.Check == nil && schema == "" || u.Kind == ir.Foreign {
			continue
		}
		d.Kind, d.Stands, d.Type, d.Schema = ir.Defined, t, u, schema
	}
}

// anyUnion makes the union d, whose Go type allows everything, an alias of any.
func (l *lowerer) anyUnion(d *ir.Decl) {
	t := &ir.Type{Kind: ir.Any}
	var list []*openapi.Schema
	for _, v := range d.Union.Variants {
		list = append(list, l.choices[v]...)
	}
	if list != nil {
		t.Schema = l.texts.variable("schema", d.Name, []*openapi.Schema{choiceOf(list, d.Union.Exact)})
	}
	t.Schema, d.Schema = l.texts.both(d.Schema, t.Schema), ""
	d.Kind, d.Type, d.Union = ir.Alias, t, nil
}

// pointers marks the fields that hold a struct by a pointer: those that may be
// missing, and those that would make a struct contain itself.
func pointers(decls []*ir.Decl) {
	for _, d := range decls {
		for _, f := range d.Fields {
			f.Pointer = f.State() != ir.Plain && f.Type.Base().IsStruct()
		}
	}
	var circular []*ir.Field
	for _, d := range decls {
		for _, f := range d.Fields {
			if to := held(f); to != nil && contains(to, d, make(map[*ir.Decl]bool)) {
				circular = append(circular, f)
			}
		}
	}
	for _, f := range circular {
		f.Pointer = true
	}
}

// held returns the struct that f holds by value, or nil.
func held(f *ir.Field) *ir.Decl {
	if t := f.Type.Base(); t.IsStruct() && !f.Pointer {
		return t.Decl
	}
	return nil
}

// contains reports whether the struct d is, or holds by value, another one.
func contains(d, other *ir.Decl, seen map[*ir.Decl]bool) bool {
	seen[d] = true
	return d == other || slices.ContainsFunc(d.Fields, func(f *ir.Field) bool {
		to := held(f)
		return to != nil && !seen[to] && contains(to, other, seen)
	})
}
