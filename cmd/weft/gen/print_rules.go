package gen

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/weftcodec/weft/cmd/weft/gen/ir"
)

// rules prints the method by which d says what its values must be beyond what
// stands in the tags of its fields.
func (p *printer) rules(d *ir.Decl, schemas *schemaTable) {
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
				parts = append(parts, p.partsOf(at, d.Name, schemas))
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
	if name := schemas.of(d); name != "" {
		parts = append(parts, "Schema: schemas().Get("+strconv.Quote(name)+")")
	}
	p.f("")
	text := strings.Join(parts, ", ")
	line := "func (*" + d.Name + ") WeftRules() " + p.weft("Rules") + " { return weft.Rules{" + text + "} }"
	if len(line) <= 120 && !strings.Contains(text, "\n") {
		p.f("%s", line)
		return
	}
	p.f("func (*%s) WeftRules() %s {", d.Name, p.weft("Rules"))
	p.f("return weft.Rules{\n%s,\n}\n}", strings.Join(parts, ",\n"))
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

// validTagName reports whether name is of letters, digits and the punctuation that
// names in tags may have.
func validTagName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// schemaTable are the JSON Schemas of a package: those of its types, with what is left to them of the places where
// types are used.
type schemaTable struct {
	texts map[string]string // by name
	used  map[string]bool   // by types
}

func newSchemaTable(pkg *ir.Package) *schemaTable {
	s := &schemaTable{texts: make(map[string]string), used: make(map[string]bool)}
	for _, x := range pkg.Schemas {
		s.texts[x.Name] = x.Text
	}
	return s
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

// of returns the name of the schema for values of d, "" for none. A struct's has also what is said of its members
// where Go types and tags do not hold it.
func (s *schemaTable) of(d *ir.Decl) string {
	var all []string
	for at := d; at != nil; at = definedAs(at) {
		if at.Schema != "" {
			all = append(all, ref(at.Schema))
		}
		if text := s.within(at); text != "" {
			all = append(all, text)
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case len(all) == 1 && d.Schema != "":
		name := "#" + d.Schema
		s.used[name] = true
		return name
	}
	name := "#" + d.Name
	s.texts[name], s.used[name] = together(all), true
	return name
}

// ref returns the text that refers to the schema of a variable.
func ref(variable string) string {
	return `{"$ref":` + jsonText("#"+variable) + `}`
}

// together returns the text of the schema of all of the list, "" for none.
func together(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return `{"allOf":[` + strings.Join(list, ",") + `]}`
}

// within returns the schema for what is left of the parts of d, "" for none.
func (s *schemaTable) within(d *ir.Decl) string {
	if d.Kind == ir.Defined {
		return s.place(d.Type, false)
	}
	if d.Kind != ir.Struct || d.Parts != nil {
		return ""
	}
	var all []string
	members := make(map[string]json.RawMessage)
	for _, f := range d.Fields {
		if text := s.place(f.Type, false); text != "" {
			if f.Nullable {
				text = strings.Replace(orNull, "%", text, 1)
			}
			members[f.Wire] = json.RawMessage(text)
		}
	}
	if d.Extra != nil {
		if text := s.place(d.Extra.Type.Elem, true); text != "" {
			if d.Extra.Patterns != nil {
				patterns := make(map[string]json.RawMessage)
				for _, p := range d.Extra.Patterns {
					patterns[p] = json.RawMessage(text)
				}
				all = append(all, `{"patternProperties":`+jsonText(patterns)+`}`)
			} else {
				for _, f := range d.Fields {
					if members[f.Wire] == nil {
						members[f.Wire] = json.RawMessage("true")
					}
				}
				all = append(all, `{"properties":`+jsonText(members)+`,"additionalProperties":`+text+`}`)
				members = nil
			}
		}
	}
	if len(members) > 0 {
		all = append(all, `{"properties":`+jsonText(members)+`}`)
	}
	return together(all)
}

// place returns the schema for what is left of the values of t where it is used, "" for none: all is left where no
// field has a tag for it.
func (s *schemaTable) place(t *ir.Type, all bool) string {
	var parts []string
	add := func(format, text string) {
		if text != "" {
			parts = append(parts, strings.Replace(format, "%", text, 1))
		}
	}
	for _, name := range t.Schemas() {
		add("%", ref(name))
	}
	for at := range t.Aliases() {
		for _, rule := range at.Check {
			name, arg, has := strings.Cut(rule, "=")
			switch {
			case !all:
				continue
			case !has:
				arg = "true"
			case name == "pattern" || name == "format" || name == "const" && at.Kind == ir.String:
				arg = jsonText(arg)
			}
			parts = append(parts, `{"`+name+`":`+arg+"}")
		}
	}
	switch u := t.Under(); u.Kind {
	case ir.Null:
		add(`{"type":"null"}`, "null")
	case ir.Slice:
		add(`{"items":%}`, s.place(u.Elem, all))
	case ir.Map:
		add(`{"additionalProperties":%}`, s.place(u.Elem, all))
	case ir.NullType:
		add(orNull, s.place(u.Elem, all))
	}
	return together(parts)
}

// orNull is a schema for null too.
const orNull = `{"anyOf":[{"type":"null"},%]}`

func jsonText(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // of texts and names, which are valid
	return strings.TrimSuffix(b.String(), "\n")
}

var refPattern = regexp.MustCompile(`"\$ref":("(?:[^"\\]|\\.)*")`)

// reached returns the names of the schemas that types use, and of those that these refer to.
func (s *schemaTable) reached() []string {
	found := maps.Clone(s.used)
	for due := slices.Collect(maps.Keys(found)); len(due) > 0; due = due[1:] {
		for _, m := range refPattern.FindAllStringSubmatch(s.texts[due[0]], -1) {
			var name string
			if json.Unmarshal([]byte(m[1]), &name) == nil && !found[name] && s.texts[name] != "" {
				found[name] = true
				due = append(due, name)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// schemaTable prints the function that returns the table of schemas, which is made when the first of them is used.
func (p *printer) schemaTable(s *schemaTable) {
	p.f("")
	p.f("var schemas = %s.OnceValue(func() *%s {", p.use("sync"), p.use("schema")+".Set")
	p.f("return schema.New(")
	for _, name := range s.reached() {
		p.f("%s, %s,", strconv.Quote(name), quote(s.texts[name]))
	}
	p.f(")")
	p.f("})")
}
