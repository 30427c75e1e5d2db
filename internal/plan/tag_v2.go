package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Case says how the name of a member is compared with that of a field.
type Case uint8

// The ways to compare names.
const (
	CaseAny    Case = iota // as the call says
	CaseIgnore             // case:ignore
	CaseStrict             // case:strict
)

// parseTagV2 reads the tag json of a field as encoding/json/v2 does, which takes more options than
// encoding/json and refuses what it cannot make sense of. Options that it does not know are ignored.
// extended lets it take the option format, and inline and unknown, older names of embed.
func parseTagV2(sf *reflect.StructField, extended bool) tag {
	text := sf.Tag.Get(jsonKey)
	g := tag{key: jsonKey}
	if text == "-" {
		return tag{key: jsonKey, hidden: true}
	}
	if !sf.IsExported() && !sf.Anonymous {
		if _, ok := sf.Tag.Lookup(jsonKey); ok {
			g.fault(BadOption, "an unexported field cannot have the tag json:%q", text)
		}
		g.hidden = true
		return g
	}
	if text != "" && text[0] != ',' {
		n := strings.IndexAny(text, ",\\'\"`")
		if n < 0 {
			n = len(text)
		}
		if n < len(text) && text[n] != ',' {
			g.fault(BadName, "the name in tag json:%q has a quote or a backslash", text)
			n = len(text)
			if i := strings.IndexByte(text, ','); i >= 0 {
				n = i
			}
		} else {
			g.name = text[:n]
			if !utf8.ValidString(g.name) {
				g.fault(BadName, "the name %q is not UTF-8", g.name)
				g.name = string([]rune(g.name))
			}
		}
		text = text[n:]
	}
	seen := map[string]bool{}
	for text != "" {
		if text[0] != ',' {
			g.fault(BadOption, "tag json: a comma is missing before %q", text)
		} else if text = text[1:]; text == "" {
			g.fault(BadOption, "tag json ends in a comma")
			break
		}
		if g.format != "" {
			g.fault(BadOption, "option format must be the last")
		}
		o, n, err := cutOptionV2(text, false)
		if err != nil {
			g.fault(BadOption, "tag json: %v", err)
		}
		text = text[n:]
		switch o {
		case "case", "format":
			rest, ok := strings.CutPrefix(text, ":")
			if !ok {
				g.fault(BadOption, "option %s needs a value", o)
				break
			}
			arg, n, err := cutOptionV2(rest, o == "format")
			text = rest[n:]
			switch {
			case err != nil:
				g.fault(BadOption, "tag json: option %s: %v", o, err)
			case o == "format" && arg == "":
				g.fault(BadOption, "option format needs a value")
			case o == "format" && !extended:
				g.fault(BadOption, "option format is obeyed under ExtendedTags alone")
			case o == "format":
				g.format = arg
			case arg == "ignore" && g.casing != CaseStrict:
				g.casing = CaseIgnore
			case arg == "strict" && g.casing != CaseIgnore:
				g.casing = CaseStrict
			default:
				g.fault(BadOption, "option case:%s does not exist, or excludes another", arg)
			}
		case "embed", "inline", "unknown":
			g.inline = g.inline || o == "embed" || extended
		case "omitzero":
			g.omitZero = true
		case "omitempty":
			g.omitEmpty = true
		case "string":
			g.quoted = true
		default:
			switch plain := strings.ReplaceAll(strings.ToLower(o), "_", ""); plain {
			case "case", "embed", "omitzero", "omitempty", "string", "format":
				g.fault(BadOption, "option %q: did you mean %s?", o, plain)
			}
		}
		if seen[o] {
			g.fault(BadOption, "option %s stands twice", o)
		}
		seen[o] = true
	}
	if g.inline && (g.name != "" || g.omitEmpty || g.omitZero || g.quoted || g.format != "" || g.casing != CaseAny) {
		g.fault(Conflict, "option embed excludes a name and every other option")
		g.inline = g.name == ""
	}
	return g
}

// cutOptionV2 returns the option or the value that in begins with and its length: letters and digits or,
// where that is allowed, a Go string in single quotes.
func cutOptionV2(in string, quoted bool) (string, int, error) {
	comma := strings.IndexByte(in, ',')
	if comma < 0 {
		comma = len(in)
	}
	r, _ := utf8.DecodeRuneInString(in)
	switch {
	case r == '_' || unicode.IsLetter(r):
		n := strings.IndexFunc(in, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		if n < 0 {
			n = len(in)
		}
		return in[:n], n, nil
	case r != '\'' || !quoted:
		return in[:comma], comma, fmt.Errorf("option %q does not begin with a letter", in[:comma])
	}
	text := []byte{'"'}
	for i := 1; i < len(in); i++ {
		switch c := in[i]; {
		case c == '\\' && i+1 < len(in) && in[i+1] == '\'':
			i++
			text = append(text, '\'')
		case c == '\\' && i+1 < len(in):
			i++
			text = append(text, c, in[i])
		case c == '"':
			text = append(text, '\\', '"')
		case c == '\'':
			s, err := strconv.Unquote(string(append(text, '"')))
			if err != nil {
				return in[:i+1], i + 1, fmt.Errorf("%s is not a string in single quotes", in[:i+1])
			}
			return s, i + 1, nil
		default:
			text = append(text, c)
		}
	}
	return in[:comma], comma, fmt.Errorf("%q lacks its closing quote", in)
}

// checkV2 notes what encoding/json/v2 refuses of the field sf of the struct at p, in its order, and hides the field if
// it is not a member. That includes a name twice in one struct, and structs that have fields but no members, such as
// the errors of package errors.
func (b *builder) checkV2(n *Type, p *place, sf *reflect.StructField, g *tag) {
	fault := func(code Code, format string, args ...any) {
		n.fieldFault(p.rtype, p.path(sf.Name), code, format, args...)
	}
	t := sf.Type
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	for _, f := range g.problems {
		fault(f.code, "%s", f.text)
	}
	g.problems = nil
	_, tagged := sf.Tag.Lookup(jsonKey)
	p.shown = p.shown || tagged || !g.hidden
	switch embed := g.inline || sf.Anonymous && g.name == ""; {
	case g.hidden:
	case sf.Anonymous && g.name == "" && t.Kind() != reflect.Struct:
		fault(BadOption, "an embedded field that is not a struct needs a name in its tag")
	case embed && !b.isRaw(t) && b.hasMethods(t):
		fault(BadOption, "type %v has methods to marshal or unmarshal, so that its fields are not to be seen", t)
	case embed && t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && b.hasMethods(t.Key()):
		fault(BadOption, "the keys of %v have methods to marshal or unmarshal", t)
	case !embed && !sf.IsExported() && b.hasMethods(t):
		fault(BadOption, "methods of a field that is not exported cannot be called")
	case embed && t.Kind() == reflect.Struct &&
		(g.omitEmpty || g.omitZero || g.quoted || g.format != "" || g.casing != CaseAny):
		if !g.inline {
			fault(Conflict, "an embedded struct can have no options without a name")
		}
	}
	if !g.hidden && !sf.IsExported() && (!sf.Anonymous || t.Kind() != reflect.Struct) {
		fault(BadOption, "a field that is not exported cannot be a member")
		g.hidden = true
	}
	if name := cmp.Or(g.name, sf.Name); !g.hidden && !g.inline && (g.name != "" || !sf.Anonymous) {
		if first, ok := p.names[name]; ok {
			fault(SameName, "the field %s of %v has the name %q too", first, p.rtype, name)
		} else if p.names == nil {
			p.names = map[string]string{}
		}
		p.names[name] = sf.Name
	}
	if !p.shown && sf.Index[0] == p.rtype.NumField()-1 {
		n.fieldFault(p.rtype, "", BadType, "%v has no exported fields", p.rtype)
	}
}

// isRaw reports whether a t is encoded text, whose methods do not count.
func (b *builder) isRaw(t reflect.Type) bool {
	return t == rawType || slices.ContainsFunc(b.set.config.Raws, func(r RawType) bool { return r.Rtype == t })
}

// hasMethods reports whether a t or a pointer to one has a hook.
func (b *builder) hasMethods(t reflect.Type) bool {
	h := b.set.config.hooksOf(t, 0)
	return h.MarshalAddr|h.UnmarshalAddr|h.Marshal|h.Unmarshal != 0
}
