package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxAliased bounds the nodes that the aliases of a file stand for, each
// counted with everything below it.
const maxAliased = 1 << 20

// readYAML reads a YAML 1.2 text into nodes, by the core schema's rules: on,
// yes, no and dates are strings. It returns nil when the text is broken.
func readYAML(f *file, data []byte, rep *reporter) (n *Node) {
	y := yamlReader{file: f, rep: rep, open: map[*yaml.Node]bool{}, weights: map[*yaml.Node]int{}}
	defer func() {
		if v := recover(); v != nil {
			rep.errorf(Pos{file: f}, "the YAML cannot be read: %v", v)
			n = nil
		}
	}()
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		rep.errorf(Pos{file: f}, "the YAML cannot be read: %v", err)
		return nil
	}
	var doc, next yaml.Node
	if err := loader.Load(&doc); err != nil {
		y.syntax(err, data)
		return nil
	}
	if err := loader.Load(&next); err == nil {
		p := y.pos(&next)
		if len(next.Content) > 0 {
			p = y.pos(next.Content[0])
		}
		rep.errorf(p, "a second document begins here: a file holds one, split it")
	} else if !errors.Is(err, io.EOF) && !noDocument(err) {
		y.syntax(err, data)
		return nil
	}
	if len(doc.Content) != 1 {
		rep.errorf(Pos{file: f, line: 1, col: 1}, "the file holds no document")
		return nil
	}
	n, _ = y.convert(doc.Content[0], 0)
	if y.dead {
		return nil
	}
	return n
}

type yamlReader struct {
	file    *file
	rep     *reporter
	open    map[*yaml.Node]bool // anchored nodes being converted
	weights map[*yaml.Node]int  // of converted anchored nodes
	aliased int
	names   map[string]int
	dead    bool
}

func noDocument(err error) bool { return strings.Contains(err.Error(), "no documents in stream") }

// syntax reports an error of the YAML library at its place.
func (y *yamlReader) syntax(err error, data []byte) {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		var all *yaml.LoadErrors
		if errors.As(err, &all) && len(all.Errors) > 0 {
			e = all.Errors[0]
		}
	}
	if e == nil || noDocument(err) {
		if noDocument(err) || errors.Is(err, io.EOF) {
			y.rep.errorf(Pos{file: y.file, line: 1, col: 1}, emptyFile)
			return
		}
		y.rep.errorf(Pos{file: y.file}, "the YAML cannot be read: %v", err)
		return
	}
	p := Pos{file: y.file, line: int32(e.Mark.Line), col: int32(e.Mark.Column)}
	if e.Mark.Line <= 0 {
		p.line, p.col = controlPlace(data)
	}
	msg := strings.TrimSpace(e.Message)
	switch {
	case strings.Contains(msg, "tab character") || lineStartsWithTab(data, e.Mark.Line) && strings.Contains(msg, "cannot start any token"):
		msg = "a tab in the indentation: YAML allows spaces only, replace it"
	case strings.Contains(msg, "unexpected end of stream"):
		msg = "the text ends inside a quoted string"
		if e.ContextMark.Line > 0 {
			msg += fmt.Sprintf(" that begins at %d:%d", e.ContextMark.Line, e.ContextMark.Column)
		}
		msg += ": close it, or is the file cut off?"
	case strings.Contains(msg, "mapping values are not allowed"):
		msg = "a colon where no value can follow: indent these lines equally, or quote text that contains \": \""
	case strings.Contains(msg, "did not find expected key"):
		msg = "a line that is neither a member nor a list entry of what stands around it: check the indentation"
		if e.ContextMark.Line > 0 {
			msg += fmt.Sprintf(" (the object begins at %d:%d)", e.ContextMark.Line, e.ContextMark.Column)
		}
	case strings.Contains(msg, "cannot start any token"):
		msg = "a character that cannot begin a value: put the text in quotes"
	case strings.Contains(msg, "unknown anchor"):
		msg += ": define it with & before its use, or put the text in quotes"
	case strings.Contains(msg, "expected ',' or"):
		open, what := "[", "a list"
		if strings.Contains(msg, "}") {
			open, what = "{", "an object"
		}
		msg = what + " in " + open + " that goes on without a comma or its end"
		if e.ContextMark.Line > 0 {
			msg += fmt.Sprintf(" (it begins at %d:%d)", e.ContextMark.Line, e.ContextMark.Column)
		}
		msg += ": close it, or put a text that has a comma or bracket in it in quotes"
	case strings.Contains(msg, "expected '-' indicator"):
		msg = "a line that is not an entry of the list around it: begin it with a dash, or check the indentation"
	case strings.Contains(msg, "block sequence entries are not allowed"):
		msg = "a list that begins where none can stand: put it on lines of its own, indented below its name"
	case strings.Contains(msg, "escape"):
		msg += ": write a backslash twice, or put the text in single quotes"
	case strings.Contains(msg, "could not find expected ':'"):
		msg = "a line without the colon of a member: write NAME: VALUE, or indent it as part of the text above"
	case strings.Contains(msg, "control characters"):
		msg += ": remove it, or write it as an escape in double quotes"
	default:
		if e.ContextMark.Line > 0 {
			msg += fmt.Sprintf(" (%s at %d:%d)", e.ContextMsg, e.ContextMark.Line, e.ContextMark.Column)
		}
		msg += ": correct the YAML here; putting a text in quotes and indenting alike is what most often helps"
	}
	y.rep.errorf(p, "%s", msg)
}

func lineStartsWithTab(data []byte, line int) bool {
	for ; line > 1; line-- {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return false
		}
		data = data[i+1:]
	}
	return bytes.HasPrefix(bytes.TrimLeft(data, " "), []byte{'\t'})
}

// controlPlace finds the first character that YAML forbids.
func controlPlace(data []byte) (line, col int32) {
	line, col = 1, 1
	for _, r := range string(data) {
		if r < 0x20 && r != '\n' && r != '\r' && r != '\t' || r == 0x7f || r == '\uFFFD' {
			break
		}
		if r == '\n' {
			line, col = line+1, 0
		}
		col++
	}
	return line, col
}

func (y *yamlReader) pos(n *yaml.Node) Pos {
	return Pos{file: y.file, line: int32(max(n.Line, 1)), col: int32(max(n.Column, 1))}
}

// convert returns n as a Node and the number of nodes in it, aliases counted
// with what they stand for.
func (y *yamlReader) convert(n *yaml.Node, depth int) (*Node, int) {
	p := y.pos(n)
	if depth > maxDepth {
		return y.fail(p, "more than %d objects and lists nested in each other", maxDepth)
	}
	if n.Anchor != "" && n.Kind != yaml.AliasNode {
		y.open[n] = true
		defer delete(y.open, n)
	}
	out, weight := &Node{Pos: p}, 1
	switch n.Kind {
	case yaml.AliasNode:
		return y.alias(n, depth)
	case yaml.ScalarNode:
		y.scalar(n, out)
	case yaml.SequenceNode:
		out.Kind = Array
		out.Items = make([]*Node, 0, len(n.Content))
		for _, c := range n.Content {
			item, w := y.convert(c, depth+1)
			if y.dead {
				return nil, 0
			}
			weight += w
			out.Items = append(out.Items, item)
		}
	case yaml.MappingNode:
		out.Kind = Object
		weight += y.mapping(n, out, depth)
		if y.dead {
			return nil, 0
		}
	default:
		return y.fail(p, "a YAML node of an unknown kind")
	}
	if n.Anchor != "" {
		y.weights[n] = weight
	}
	return out, weight
}

func (y *yamlReader) fail(p Pos, format string, args ...any) (*Node, int) {
	if !y.dead {
		y.dead = true
		y.rep.errorf(p, format, args...)
	}
	return nil, 0
}

// alias returns a node for what the alias n stands for, made anew so that no
// two places share one. The weight is checked before anything is built.
func (y *yamlReader) alias(n *yaml.Node, depth int) (*Node, int) {
	to := n.Alias
	if to == nil {
		return y.fail(y.pos(n), "the alias *%s names no anchor", n.Value)
	}
	if y.open[to] {
		return y.fail(y.pos(n), "the alias *%s stands inside its own anchor: an endless value, use $ref for recursion", n.Value)
	}
	if w := y.weights[to]; w > maxAliased-y.aliased {
		return y.fail(y.pos(n), "the aliases up to *%s stand for more than %d values: too many, use $ref instead", n.Value, maxAliased)
	} else if w > 0 {
		// Count first what the conversion below will count again for the
		// aliases inside, so that nesting cannot outrun the bound.
		y.aliased += w
	}
	return y.convert(to, depth+1)
}

func (y *yamlReader) mapping(n *yaml.Node, out *Node, depth int) int {
	members := make([]Member, 0, len(n.Content)/2)
	var merged []Member
	weight := 0
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode && key.Alias != nil {
			key = key.Alias
		}
		p := y.pos(n.Content[i])
		if key.Kind != yaml.ScalarNode {
			y.rep.errorf(p, "a list or an object as the name of a member: names are strings")
			continue
		}
		v, w := y.convert(val, depth+1)
		if y.dead {
			return 0
		}
		weight += w + 1
		if key.Value == "<<" && key.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 {
			merged = append(merged, y.merge(v)...)
			continue
		}
		members = append(members, Member{Name: key.Value, Pos: p, Value: v})
	}
	members = uniqueMembers(members, y.rep, &y.names)
	if len(merged) > 0 {
		have := make(map[string]bool, len(members)+len(merged))
		for i := range members {
			have[members[i].Name] = true
		}
		for _, m := range merged {
			if !have[m.Name] {
				have[m.Name] = true
				members = append(members, m)
			}
		}
	}
	out.Members = members
	return weight
}

// merge returns the members that the value of a merge key << adds.
func (y *yamlReader) merge(v *Node) []Member {
	switch v.Kind {
	case Object:
		return v.Members
	case Array:
		var all []Member
		for _, x := range v.Items {
			if x.Kind != Object {
				y.rep.errorf(x.Pos, "%s in the list of a merge key <<: objects are expected", x.Kind)
				continue
			}
			all = append(all, x.Members...)
		}
		return all
	}
	y.rep.errorf(v.Pos, "%s as the value of the merge key <<: an object or a list of them is expected", v.Kind)
	return nil
}

var (
	yamlInt   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	yamlOct   = regexp.MustCompile(`^0o[0-7]+$`)
	yamlHex   = regexp.MustCompile(`^0x[0-9a-fA-F]+$`)
	yamlFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// scalar sets out's kind and text by YAML 1.2.2 §10.3.2 (the core schema).
func (y *yamlReader) scalar(n *yaml.Node, out *Node) {
	out.Kind, out.Text = String, n.Value
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return
	}
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != "!!int" && n.Tag != "!!float" && n.Tag != "!!bool" && n.Tag != "!!null" {
		return
	}
	switch s := n.Value; s {
	case "", "~", "null", "Null", "NULL":
		out.Kind, out.Text = Null, "null"
	case "true", "True", "TRUE":
		out.Kind, out.Text = Bool, "true"
	case "false", "False", "FALSE":
		out.Kind, out.Text = Bool, "false"
	default:
		if c := s[0]; c > '9' || c < '+' || len(s) > 1000 {
			return
		}
		switch {
		case yamlOct.MatchString(s), yamlHex.MatchString(s):
			if i, ok := new(big.Int).SetString(s, 0); ok {
				out.Kind, out.Text = NumberKind, i.String()
			}
		case yamlInt.MatchString(s), yamlFloat.MatchString(s):
			out.Kind, out.Text = NumberKind, jsonNumber(s)
		}
	}
}

// jsonNumber writes a decimal number of YAML in JSON's grammar.
func jsonNumber(s string) string {
	sign := ""
	switch s[0] {
	case '-':
		sign, s = "-", s[1:]
	case '+':
		s = s[1:]
	}
	exp := ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, exp = s[:i], s[i:]
	}
	whole, frac, _ := strings.Cut(s, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if frac != "" {
		frac = "." + frac
	}
	return sign + whole + frac + exp
}
