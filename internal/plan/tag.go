package plan

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// The keys of tags that mean the same to all formats.
const (
	jsonKey = "json" // encoding/json's, whose leniency goes with it
	weftKey = "weft" // its rules hold whatever key governs
)

// tag is what the tags of a Go field say.
type tag struct {
	key    string // the key that governs, "" for none
	name   string // valid, "" for none
	named  bool   // the name is "", as the tag says
	hidden bool

	omitEmpty, omitZero, required, quoted, inline, unknown bool

	alternates []string
	format     string
	casing     Case
	problems   []tagProblem
}

type tagProblem struct {
	code Code
	text string
}

// fault notes a problem, apart from what calls it: the frames of those lie on each other.
//
//go:noinline
func (g *tag) fault(code Code, format string, args ...any) {
	g.problems = append(g.problems, tagProblem{code, fmt.Sprintf(format, args...)})
}

// parse reads the tags of a field into g, which is zero, as [Config.Keys] says.
func (g *tag) parse(st reflect.StructTag, keys []string) {
	text, rest := "", keys
	for i, k := range keys {
		if text = lookup(string(st), k); text != "" {
			g.key, rest = k, keys[i+1:]
			break
		}
	}
	if g.key == "" {
		return
	}
	if text == "-" {
		g.hidden = true
		return
	}
	name, opts, _ := strings.Cut(text, ",")
	quoted := false
	if g.key != jsonKey && name != "" && name[0] == '\'' {
		name, opts, quoted = cutQuoted(text)
	}
	if name == "" && !quoted {
		for _, k := range rest {
			if lookup(string(st), k) == "-" {
				g.hidden = true
				return
			}
		}
	}
	switch {
	case validName(name) || quoted:
		g.name, g.named = name, quoted && name == ""
	case name != "" && g.key != jsonKey:
		g.fault(BadName, "name %q in tag %s is not valid", name, g.key)
	}
	g.options(opts)
}

// cutQuoted returns the name in single quotes that a tag begins with, within which a quote is written twice, and the
// options behind it.
func cutQuoted(text string) (name, opts string, ok bool) {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '\'':
		case i+1 < len(text) && text[i+1] == '\'':
			i++
		case i+1 < len(text) && text[i+1] != ',':
			return text, "", false
		default:
			return strings.ReplaceAll(text[1:i], "''", "'"), strings.TrimPrefix(text[i+1:], ","), true
		}
	}
	return text, "", false
}

// options notes the options of the tag that governs.
func (g *tag) options(opts string) {
	for opts != "" {
		var o string
		if o, opts, _ = strings.Cut(opts, ","); o != "" {
			g.option(o)
		}
	}
}

// addRules notes what the tag weft of a field demands that another key governs.
func (g *tag) addRules(st reflect.StructTag) {
	if g.hidden || g.key == weftKey || !strings.Contains(string(st), weftKey) {
		return
	}
	_, opts, _ := strings.Cut(lookup(string(st), weftKey), ",")
	rules := tag{key: weftKey}
	rules.options(opts)
	g.problems = append(g.problems, rules.problems...)
	if g.required = g.required || rules.required; rules.required {
		g.checkRequired()
	}
}

// checkRequired finds options that exclude that a member must be there.
func (g *tag) checkRequired() {
	switch {
	case g.omitEmpty || g.omitZero:
		g.fault(Conflict, "options required and %s exclude each other: "+
			"a member left out when marshaling would be missed when unmarshaling", pick(g.omitEmpty, "omitempty", "omitzero"))
	case g.inline || g.unknown:
		g.fault(Conflict, "option %s and option required exclude each other", pick(g.inline, "inline", "unknown"))
	}
}

// lookup is reflect.StructTag's Get. A tag of one key, as most are, is read here when there is nothing to unquote.
func lookup(tag, key string) string {
	if n := len(key); len(tag) > n+2 && tag[:n] == key && tag[n] == ':' && tag[n+1] == '"' {
		for i := n + 2; i < len(tag) && tag[i] != '\\' && ' ' <= tag[i] && tag[i] < 0x80; i++ {
			if tag[i] == '"' {
				return tag[n+2 : i]
			}
		}
	}
	return reflect.StructTag(tag).Get(key)
}

// option notes the option o of the tag that governs.
func (g *tag) option(o string) {
	switch o {
	case "omitempty":
		g.omitEmpty = true
		return
	case "omitzero":
		g.omitZero = true
		return
	case "string":
		g.quoted = true
		return
	}
	if g.key == jsonKey {
		return
	}
	switch o {
	case "required":
		g.required = true
		return
	case "inline":
		g.inline = true
		return
	case "unknown":
		g.unknown = true
		return
	}
	switch what, arg, ok := strings.Cut(o, ":"); {
	case ok && what == "alias" && validName(arg):
		g.alternates = append(g.alternates, arg)
	case ok && what == "alias":
		g.fault(BadName, "alias %q in tag %s is not valid", arg, g.key)
	case ok && what == "format" && arg != "":
		if g.format != "" {
			g.fault(Conflict, "options format:%s and format:%s exclude each other", g.format, arg)
		}
		g.format = arg
	default:
		if near := nearestOption(o); near != "" {
			g.fault(BadOption, "unknown option %q in tag %s: did you mean %s?", o, g.key, near)
		} else {
			g.fault(BadOption, "unknown option %q in tag %s", o, g.key)
		}
	}
}

// check finds the options that exclude each other or do not suit a field of
// type t, as far as this does not depend on whether t can be inlined.
func (g *tag) check(t reflect.Type) {
	if g.required {
		g.checkRequired()
	}
	if g.quoted && !quotable(t) {
		g.fault(BadOption, "option string needs a boolean, a number or a string, not %v", t)
	}
	if !g.inline && !g.unknown {
		return
	}
	self := pick(g.inline, "inline", "unknown")
	for _, o := range []struct {
		on   bool
		name string
	}{
		{g.inline && g.unknown, "option unknown"}, {g.name != "", "a name"}, {g.omitEmpty, "option omitempty"},
		{g.omitZero, "option omitzero"}, {g.quoted, "option string"},
		{len(g.alternates) > 0, "option alias"},
	} {
		if o.on {
			g.fault(Conflict, "option %s and %s exclude each other", self, o.name)
		}
	}
}

// checkRest finds an option for what takes the members that no field names at a field of type t, which does not.
func (g *tag) checkRest(t reflect.Type, takes bool) {
	if !takes {
		g.fault(BadOption, "option %s needs a map with string keys%s, not %v", pick(g.inline, "inline", "unknown"),
			pick(g.inline, ", a struct", ""), t)
	}
}

// checkEmbedded finds options that mean nothing to an embedded struct.
func (g *tag) checkEmbedded() {
	if g.required || g.key != jsonKey && len(g.alternates) > 0 {
		g.fault(BadOption, "options required and alias have no effect on an embedded struct")
	}
}

// pick returns a if first is set, else b.
func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// quotable reports whether the option string means something to encoding/json
// for a field of type t.
func quotable(t reflect.Type) bool {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch k := kindOf(t.Kind()); {
	case k == Bool, k == String, k.IsInt(), k.IsUint(), k.IsFloat():
		return true
	}
	return false
}

// validName reports whether encoding/json takes s as a name from a tag: letters,
// digits and ASCII punctuation other than quotes, backslash and comma.
func validName(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			return false
		}
	}
	return s != ""
}

// nearestOption returns the option that o is probably a slip of, or "".
func nearestOption(o string) string {
	name, _, _ := strings.Cut(o, ":")
	return nearest(strings.TrimSpace(name),
		[]string{"omitempty", "omitzero", "required", "string", "inline", "unknown", "alias:", "format:"})
}

// nearest returns the one of the known words that word is probably a slip of, or "".
func nearest(word string, known []string) string {
	best, at := "", 3
	for _, k := range known {
		if d := distance(word, strings.ToLower(strings.TrimSuffix(k, ":"))); d < at {
			best, at = k, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace to make a, in lower case, of b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		c := a[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		for j := range len(b) {
			d := diagonal
			if c != b[j] {
				d++
			}
			diagonal = row[j+1]
			row[j+1] = min(d, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
