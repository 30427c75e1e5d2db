package openapi

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field says how a member of an object is read.
type field struct {
	name string
	read func(m *Member)
}

// object reads the members of n by the fields, the extensions into ext. It
// reports false when n is not an object; what names the kind of object.
func (r *reader) object(n *Node, what string, ext *Extensions, fields ...field) bool {
	if !r.isObject(n, what) {
		return false
	}
members:
	for i := range n.Members {
		m := &n.Members[i]
		for k := range fields {
			if fields[k].name == m.Name {
				fields[k].read(m)
				continue members
			}
		}
		if strings.HasPrefix(m.Name, "x-") {
			*ext = append(*ext, *m)
			continue
		}
		r.unknown(m, what, func(yield func(string) bool) {
			for _, f := range fields {
				if !yield(f.name) {
					return
				}
			}
		})
	}
	return true
}

func (r *reader) unknown(m *Member, what string, names func(func(string) bool)) {
	if r.rep.warning >= maxFindings {
		r.rep.warning++
		return
	}
	r.rep.warnf(m.Pos, "%s is not a member of %s and is ignored: %s", quote(m.Name), what,
		didYouMean(m.Name, names, `remove it, or begin its name with "x-"`))
}

// isObject reports whether n is an object, and complains when it is not.
func (r *reader) isObject(n *Node, what string) bool {
	if n.Kind == Object {
		return true
	}
	if n.Kind == Null {
		r.rep.warnf(n.Pos, "null where %s is expected: write {} or remove it", what)
		return false
	}
	if r.emptyList(n, what) {
		return true
	}
	r.rep.errorf(n.Pos, "%s where %s is expected: write an object", n.Kind, what)
	return false
}

// emptyList reports whether n is an empty list, as some languages write an
// empty object.
func (r *reader) emptyList(n *Node, what string) bool {
	if n.Kind != Array || len(n.Items) > 0 {
		return false
	}
	r.rep.warnf(n.Pos, "an empty list where %s is expected, read as an empty object: write {}", what)
	return true
}

// items returns the items of the list m, complaining when it is none.
func (r *reader) items(m *Member, of string) []*Node {
	switch m.Value.Kind {
	case Array:
		return m.Value.Items
	case Null:
		r.absent(m)
	default:
		r.rep.errorf(m.Value.Pos, "%s is %s, but must be a list of %s", m.Name, m.Value.Kind, of)
	}
	return nil
}

func (r *reader) absent(m *Member) {
	r.rep.warnf(m.Value.Pos, "%s is null, read as not written: remove it or give it a value", m.Name)
}

// text returns a string. Other scalars are read by their text with a warning:
// in YAML the quotes are easily forgotten.
func (r *reader) text(m *Member) string {
	switch n := m.Value; n.Kind {
	case String:
		return n.Text
	case Null:
		r.absent(m)
	case Bool, NumberKind:
		r.rep.warnf(n.Pos, "%s is %s, but must be a string: put it in quotes", m.Name, n.Kind)
		return n.Text
	default:
		if ref := n.Get("$ref"); ref != nil && ref.Kind == String && len(n.Members) == 1 {
			return r.included(m.Name, ref)
		}
		r.rep.errorf(n.Pos, "%s is %s, but must be a string", m.Name, n.Kind)
	}
	return ""
}

// included returns the text of the file that a $ref in the place of a string
// names, as some tools read it.
func (r *reader) included(name string, ref *Node) string {
	r.rep.warnf(ref.Pos, "%s is a $ref, which only some tools replace by the file's text: write the text", name)
	if r.texts >= maxFiles || strings.Contains(ref.Text, "://") {
		return ""
	}
	r.texts++
	data, err := r.read(resolvePath(ref.Pos.in().path, ref.Text))
	if err != nil || len(data) > 1<<20 || !utf8.Valid(data) {
		return ""
	}
	return string(data)
}

// refText returns a reference, which must be a string.
func (r *reader) refText(m *Member) (string, bool) {
	if m.Value.Kind != String {
		r.rep.errorf(m.Value.Pos, "%s is %s, but must be a string", m.Name, m.Value.Kind)
		return "", false
	}
	return m.Value.Text, true
}

// flag returns a boolean; a string that says one is read with a warning.
func (r *reader) flag(m *Member) bool {
	switch n := m.Value; n.Kind {
	case Bool:
		return n.Text == "true"
	case Null:
		r.absent(m)
	case String:
		if t := strings.ToLower(n.Text); t == "true" || t == "false" {
			r.rep.warnf(n.Pos, "%s is a string, but must be a boolean: remove the quotes", m.Name)
			return t == "true"
		}
		fallthrough
	default:
		r.rep.errorf(n.Pos, "%s is %s, but must be true or false", m.Name, n.Kind)
	}
	return false
}

// strings returns a list of distinct strings with their places.
func (r *reader) strings(m *Member, of string) []Text {
	var nodes []*Node
	if m.Value.Kind == String {
		r.rep.warnf(m.Value.Pos, "%s is a string, read as a list of one: write [%s]", m.Name, m.Value.Text)
		nodes = []*Node{m.Value}
	} else {
		nodes = r.items(m, of)
	}
	if len(nodes) == 0 {
		return nil
	}
	out := make([]Text, 0, len(nodes))
	var seen map[string]bool
	if len(nodes) > 16 {
		seen = make(map[string]bool, len(nodes))
	}
	for _, n := range nodes {
		t := r.text(&Member{Name: "an entry of " + m.Name, Pos: n.Pos, Value: n})
		if n.Kind == Array || n.Kind == Object || n.Kind == Null {
			continue
		}
		twice := seen[t]
		if seen != nil {
			seen[t] = true
		} else {
			twice = slices.ContainsFunc(out, func(x Text) bool { return x.Value == t })
		}
		if twice {
			r.rep.warnf(n.Pos, "%s stands in %s twice: remove one", quote(t), m.Name)
			continue
		}
		out = append(out, Text{t, n.Pos})
	}
	return out
}

// number returns a number, nil when there is none.
func (r *reader) number(m *Member) *Number {
	n := m.Value
	switch n.Kind {
	case NumberKind:
		return parseNumber(n.Text, n.Pos)
	case Null:
		r.absent(m)
		return nil
	case String:
		if s := strings.TrimSpace(n.Text); isJSONNumber(s) {
			r.rep.warnf(n.Pos, "%s is a string, but must be a number: remove the quotes", m.Name)
			return parseNumber(s, n.Pos)
		}
	}
	r.rep.errorf(n.Pos, "%s is %s, but must be a number", m.Name, n.Kind)
	return nil
}

// count returns a whole number that is not negative, nil when there is none.
func (r *reader) count(m *Member) *Number {
	n := r.number(m)
	if n == nil {
		return nil
	}
	if !n.IsInt && n.Float >= math.MaxInt64 && n.Float == math.Trunc(n.Float) {
		n.Int, n.IsInt = math.MaxInt64, true // beyond anything there can be
	}
	if !n.IsInt || n.Int < 0 {
		r.rep.warnf(n.Pos, "%s is %s, but must be a whole number from 0, so it is ignored: correct it", m.Name, quote(n.Text))
		return nil
	}
	return n
}

func isJSONNumber(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	var rep reporter
	if c := s[0]; c != '-' && (c < '0' || c > '9') {
		return false
	}
	n := readJSON(nil, s, &rep)
	return n != nil && n.Kind == NumberKind && len(rep.list) == 0
}

// parseNumber reads a number in JSON's grammar.
func parseNumber(text string, p Pos) *Number {
	n := &Number{Pos: p, Text: text}
	n.Float, _ = strconv.ParseFloat(text, 64)
	n.Int, n.IsInt = wholeNumber(text)
	return n
}

// wholeNumber returns the integer that a number in JSON's grammar is, exactly.
func wholeNumber(text string) (int64, bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, true
	}
	mant, neg := text, false
	if strings.HasPrefix(mant, "-") {
		mant, neg = mant[1:], true
	}
	exp := 0
	if i := strings.IndexAny(mant, "eE"); i >= 0 {
		e, err := strconv.Atoi(mant[i+1:])
		if err != nil || e > 1<<30 || e < -1<<30 {
			e = 1 << 30 * max(-1, min(1, e))
		}
		exp, mant = e, mant[:i]
	}
	whole, frac, _ := strings.Cut(mant, ".")
	exp -= len(frac)
	digits := strings.TrimLeft(whole+frac, "0")
	short := strings.TrimRight(digits, "0")
	exp += len(digits) - len(short)
	if short == "" {
		return 0, true
	}
	if exp < 0 || len(short)+exp > 19 {
		return 0, false
	}
	s := short + strings.Repeat("0", exp)
	if neg {
		s = "-" + s
	}
	i, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, false
	}
	return i, true
}

func (r *reader) str(to *string) func(*Member) { return func(m *Member) { *to = r.text(m) } }
func (r *reader) bool(to *bool) func(*Member)  { return func(m *Member) { *to = r.flag(m) } }
func raw(to **Node) func(*Member)              { return func(m *Member) { *to = m.Value } }

// named reads an object of named parts. Extensions are allowed among them when
// ext is not nil.
func named[T any](r *reader, m *Member, ptr string, of string, ext *Extensions, read func(n *Node, ptr, name string) *T) Map[T] {
	n := m.Value
	if n.Kind == Null {
		r.absent(m)
		return nil
	}
	n, ptr, done := r.elsewhere(n, ptr, "an object of "+of)
	defer done()
	if n.Kind != Object {
		if r.emptyList(n, "an object of "+of+" by name") {
			return nil
		}
		r.rep.errorf(n.Pos, "%s is %s, but must be an object of %s by name", m.Name, n.Kind, of)
		return nil
	}
	out := make(Map[T], 0, len(n.Members))
	for i := range n.Members {
		x := &n.Members[i]
		if ext != nil && strings.HasPrefix(x.Name, "x-") {
			*ext = append(*ext, *x)
			continue
		}
		if v := read(x.Value, ptr+"/"+escape(x.Name), x.Name); v != nil {
			out = append(out, Entry[T]{x.Name, x.Pos, v})
		}
	}
	return out
}

var escape6901 = strings.NewReplacer("~", "~0", "/", "~1")

// escape writes name as a token of a JSON pointer (RFC 6901 §3).
func escape(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return escape6901.Replace(name)
}
