package openapi

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// filterExpr is a logical expression of a filter selector (§2.3.5).
type filterExpr struct {
	op    string // "||", "&&", "!", "test", or a comparison
	parts []*filterExpr
	a, b  *operand // of a comparison; a of a test
}

// operand is a literal, a query or a function.
type operand struct {
	literal *Node
	query   *jsonPath
	fn      *pathFunc
	args    []*operand
}

// pathFunc is a function extension (§2.4).
type pathFunc struct {
	name   string
	params string // for each parameter: 'v'alue or 'n'odes
	result byte   // 'v'alue or 'l'ogical
}

var pathFuncs = []pathFunc{
	{"length", "v", 'v'}, {"count", "n", 'v'}, {"value", "n", 'v'}, {"match", "vv", 'l'}, {"search", "vv", 'l'},
}

func (p *pathParser) deeper() error {
	if p.depth++; p.depth > maxPathDepth {
		return p.fail("nested too deep")
	}
	return nil
}

// logical reads an expression of ||, && and !.
func (p *pathParser) logical() (*filterExpr, error) { return p.chain("||") }

func (p *pathParser) chain(op string) (*filterExpr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	next := p.basic
	if op == "||" {
		next = func() (*filterExpr, error) { return p.chain("&&") }
	}
	out := &filterExpr{op: op}
	for {
		x, err := next()
		if err != nil {
			return nil, err
		}
		out.parts = append(out.parts, x)
		at := p.i
		if p.blanks(); !p.accept(op) {
			p.i = at
			break
		}
		p.blanks()
	}
	if len(out.parts) == 1 {
		return out.parts[0], nil
	}
	return out, nil
}

// basic reads what && joins: a comparison, a test, or an expression in
// parentheses.
func (p *pathParser) basic() (*filterExpr, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	negated := p.accept("!")
	if negated {
		p.blanks()
	}
	var x *filterExpr
	if p.accept("(") {
		p.blanks()
		in, err := p.logical()
		if err != nil {
			return nil, err
		}
		if p.blanks(); !p.accept(")") {
			return nil, p.fail(") is expected")
		}
		x = in
	} else {
		a, err := p.operand()
		if err != nil {
			return nil, err
		}
		at := p.i
		p.blanks()
		if op := p.comparison(); op != "" && !negated {
			p.blanks()
			b, err := p.operand()
			if err != nil {
				return nil, err
			}
			if !a.comparable() || !b.comparable() {
				return nil, p.fail("only values can be compared: literals, paths to one node, length(), count() and value()")
			}
			return &filterExpr{op: op, a: a, b: b}, nil
		} else if op != "" {
			return nil, p.fail("a comparison after ! must be in parentheses")
		}
		p.i = at
		if a.literal != nil || a.fn != nil && a.fn.result == 'v' {
			return nil, p.fail("a value is not a condition: compare it")
		}
		x = &filterExpr{op: "test", a: a}
	}
	if negated {
		x = &filterExpr{op: "!", parts: []*filterExpr{x}}
	}
	return x, nil
}

func (p *pathParser) comparison() string {
	for _, op := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if p.accept(op) {
			return op
		}
	}
	return ""
}

// comparable reports whether o is one value.
func (o *operand) comparable() bool {
	switch {
	case o.literal != nil:
		return true
	case o.fn != nil:
		return o.fn.result == 'v'
	}
	return o.query != nil && o.query.singular()
}

// singular reports whether q selects at most one node (§2.3.5.1).
func (q *jsonPath) singular() bool {
	for _, s := range q.segments {
		if s.descend || len(s.selectors) != 1 || s.selectors[0].kind != 'n' && s.selectors[0].kind != 'i' {
			return false
		}
	}
	return true
}

var pathNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

func (p *pathParser) operand() (*operand, error) {
	switch c := p.peek(); {
	case c == '@' || c == '$':
		q, err := p.query(c)
		return &operand{query: q}, err
	case c == '\'' || c == '"':
		s, err := p.str()
		return &operand{literal: &Node{Kind: String, Text: s}}, err
	case c == '-' || '0' <= c && c <= '9':
		text := pathNumber.FindString(p.s[p.i:])
		if text == "" {
			return nil, p.fail("no number")
		}
		p.i += len(text)
		return &operand{literal: &Node{Kind: NumberKind, Text: text}}, nil
	}
	from := p.i
	for c := p.peek(); 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_'; c = p.peek() {
		p.i++
	}
	switch word := p.s[from:p.i]; {
	case word != "" && p.peek() == '(':
		return p.function(word, from)
	case word == "true" || word == "false":
		return &operand{literal: &Node{Kind: Bool, Text: word}}, nil
	case word == "null":
		return &operand{literal: &Node{Kind: Null, Text: word}}, nil
	}
	p.i = from
	return nil, p.fail("a literal, a path that begins with @ or $, or a function is expected")
}

func (p *pathParser) function(name string, from int) (*operand, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	o := &operand{}
	for i := range pathFuncs {
		if pathFuncs[i].name == name {
			o.fn = &pathFuncs[i]
		}
	}
	if o.fn == nil {
		p.i = from
		return nil, p.fail("there is no function %s: expected length, count, value, match or search", quote(name))
	}
	p.i++
	for p.blanks(); !p.accept(")"); p.blanks() {
		if len(o.args) > 0 {
			if !p.accept(",") {
				return nil, p.fail("a comma or ) is expected")
			}
			p.blanks()
		}
		a, err := p.operand()
		if err != nil {
			return nil, err
		}
		i := len(o.args)
		if i >= len(o.fn.params) || o.fn.params[i] == 'v' && !a.comparable() || o.fn.params[i] == 'n' && a.query == nil {
			return nil, p.fail("not what the function %s takes", name)
		}
		o.args = append(o.args, a)
	}
	if len(o.args) != len(o.fn.params) {
		return nil, p.fail("the function %s takes %d arguments", name, len(o.fn.params))
	}
	return o, nil
}

// holds reports whether the expression is true of the node current.
func (f *finder) holds(x *filterExpr, current *Node) bool {
	switch x.op {
	case "||":
		for _, y := range x.parts {
			if f.holds(y, current) {
				return true
			}
		}
		return false
	case "&&":
		for _, y := range x.parts {
			if !f.holds(y, current) {
				return false
			}
		}
		return true
	case "!":
		return !f.holds(x.parts[0], current)
	case "test":
		if x.a.fn != nil {
			return f.matches(x.a, current)
		}
		return len(f.query(x.a.query, current)) > 0
	}
	a, b := f.value(x.a, current), f.value(x.b, current)
	switch x.op {
	case "==":
		return sameValue(a, b)
	case "!=":
		return !sameValue(a, b)
	case "<":
		return lessValue(a, b)
	case ">":
		return lessValue(b, a)
	case "<=":
		return lessValue(a, b) || sameValue(a, b)
	}
	return lessValue(b, a) || sameValue(a, b)
}

// value returns the value of o, nil for nothing.
func (f *finder) value(o *operand, current *Node) *Node {
	switch {
	case o.literal != nil:
		return o.literal
	case o.query != nil:
		if list := f.query(o.query, current); len(list) == 1 {
			return list[0].node
		}
		return nil
	}
	number := func(n int) *Node { return &Node{Kind: NumberKind, Text: strconv.Itoa(n)} }
	switch o.fn.name {
	case "count":
		return number(len(f.query(o.args[0].query, current)))
	case "value":
		return f.value(o.args[0], current)
	}
	switch v := f.value(o.args[0], current); {
	case v == nil:
	case v.Kind == String:
		return number(utf8.RuneCountInString(v.Text))
	case v.Kind == Array:
		return number(len(v.Items))
	case v.Kind == Object:
		return number(len(v.Members))
	}
	return nil
}

// matches evaluates match() and search().
func (f *finder) matches(o *operand, current *Node) bool {
	s, expr := f.value(o.args[0], current), f.value(o.args[1], current)
	if s == nil || expr == nil || s.Kind != String || expr.Kind != String {
		return false
	}
	text := iRegexp(expr.Text)
	if o.fn.name == "match" {
		text = `\A(?:` + text + `)\z`
	}
	re, err := regexp.Compile(text)
	return err == nil && re.MatchString(s.Text)
}

// iRegexp writes an I-Regexp (RFC 9485) in Go's syntax, where the dot matches
// a carriage return too.
func iRegexp(expr string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\' && i+1 < len(expr):
			b.WriteString(expr[i : i+2])
			i++
			continue
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '.' && !class:
			b.WriteString(`[^\n\r]`)
			continue
		}
		b.WriteByte(expr[i])
	}
	return b.String()
}

// sameValue compares two values, nil being nothing (§2.3.5.2.2).
func sameValue(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	switch a.Kind {
	case NumberKind:
		return a.Text == b.Text || toFloat(a) == toFloat(b)
	case Array:
		for i := range a.Items {
			if !sameValue(a.Items[i], b.Items[i]) {
				return false
			}
		}
	case Object:
		for i := range a.Members {
			v := b.Get(a.Members[i].Name)
			if v == nil || !sameValue(a.Members[i].Value, v) {
				return false
			}
		}
	default:
		return a.Text == b.Text
	}
	return true
}

func lessValue(a, b *Node) bool {
	switch {
	case a == nil || b == nil || a.Kind != b.Kind:
		return false
	case a.Kind == NumberKind:
		return toFloat(a) < toFloat(b)
	}
	return a.Kind == String && a.Text < b.Text
}

func toFloat(n *Node) float64 {
	v, _ := strconv.ParseFloat(n.Text, 64)
	return v
}
