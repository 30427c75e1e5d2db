package gen

import (
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// rules prints the method by which d says what its values must be beyond what
// stands in the tags of its fields.
func (p *printer) rules(d *ir.Decl) {
	parts := []string{"Strict: true"}
	for at := d; at != nil; at = definedAs(at) {
		switch at.Kind {
		case ir.Enum:
			if !at.Open {
				names := make([]string, len(at.Values))
				for i, v := range at.Values {
					if names[i] = v.Name; at != d {
						names[i] = d.Name + "(" + v.Name + ")"
					}
				}
				parts = append(parts, "Enum: []"+d.Name+"{"+wrap(names)+"}")
			}
		case ir.Defined:
			if words := wordsOf(nil, "", at.Type); words != nil {
				parts = append(parts, "Check: "+quote(strings.Join(words, ",")))
			}
		case ir.Struct:
			if at.Closed || at.Parts != nil && at.Parts.Refuse {
				parts = append(parts, "Closed: true")
			}
			if at.Parts != nil {
				parts = append(parts, p.partsOf(at, d.Name))
			}
			if text := p.defaultFields(at, d.Name); text != "" {
				parts = append(parts, "Default: "+text)
			}
		case ir.Union:
			parts = append(parts, p.variants(at))
		}
	}
	if wraps(d) {
		parts = append(parts, "Wrapper: true")
	}
	if d.CheckedBy != "" {
		parts = append(parts, "Schema: schemas().Get("+strconv.Quote(d.CheckedBy)+")")
	}
	p.f("")
	text := strings.Join(parts, ", ")
	line := "func (*" + d.Name + ") WeftRules() " + p.use("weft") + ".Rules" + " { return weft.Rules{" + text + "} }"
	if len(line) <= 120 && !strings.Contains(text, "\n") {
		p.f("%s", line)
		return
	}
	p.f("func (*%s) WeftRules() %s {", d.Name, p.use("weft")+".Rules")
	p.f("return %s\n}", block("weft.Rules", parts))
}

// definedAs returns the type that d is defined as, of which it has no methods; nil for none.
func definedAs(d *ir.Decl) *ir.Decl {
	if d.Kind != ir.Defined || d.Type.Kind != ir.Ref {
		return nil
	}
	return d.Type.Under().Decl
}

// fieldWords returns the words of the tag check of the field f.
func fieldWords(f *ir.Field) (words []string) {
	s := f.State()
	if s == ir.Plain || s == ir.Nullable {
		words = append(words, "required")
	}
	if s == ir.Nullable && f.Bare() {
		words = append(words, "nullable")
	}
	switch f.RequiredIn {
	case ir.InRequest:
		words = append(words, "required", "writeOnly")
	case ir.InResponse:
		words = append(words, "required", "readOnly")
	}
	return wordsOf(words, "", f.Type)
}

// wordsOf adds to words those for the values of t where it is used, and for what
// they consist of, which are behind prefix.
func wordsOf(words []string, prefix string, t *ir.Type) []string {
	for t = range t.Aliases() {
		for _, rule := range t.Check {
			name, arg, has := strings.Cut(rule, "=")
			if words = append(words, prefix+name); has {
				words[len(words)-1] += "=" + quoted(arg)
			}
		}
	}
	switch t.Kind {
	case ir.Slice:
		return wordsOf(words, prefix+"items.", t.Elem)
	case ir.Map:
		return wordsOf(words, prefix+"values.", t.Elem)
	case ir.NullType:
		return wordsOf(words, prefix, t.Elem)
	}
	return words
}

// quoted returns an argument of a word as it stands in a tag.
func quoted(arg string) string {
	if strings.ContainsAny(arg, ",'|") {
		return "'" + strings.ReplaceAll(arg, "'", "''") + "'"
	}
	return arg
}

// checkTag returns the tag check of the words, with the space before it, "" for none.
func checkTag(words []string) string {
	if words == nil {
		return ""
	}
	return " check:" + strconv.Quote(strings.Join(words, ","))
}

// nameWords returns the words for the names of the members that x takes, which has the members without a field.
func nameWords(x *ir.Field) (words []string) {
	if x.Patterns == nil {
		return nil
	}
	text := x.Patterns[0]
	if len(x.Patterns) > 1 {
		text = "(?:" + strings.Join(x.Patterns, ")|(?:") + ")"
	}
	return []string{"keys.pattern=" + quoted(text)}
}

// schemaTable prints the function that returns the table of schemas, which is made when the first of them is used.
func (p *printer) schemaTable(list []*ir.Schema) {
	p.f("")
	p.f("var schemas = %s.OnceValue(func() *%s {", p.use("sync"), p.use("schema")+".Set")
	p.f("return schema.New(")
	for _, s := range list {
		p.f("%s, %s,", strconv.Quote(s.Name), quote(s.Text))
	}
	p.f(")")
	p.f("})")
}
