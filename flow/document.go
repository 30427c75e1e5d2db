package flow

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// document is one or more files of YAML as a list of nodes, before they are
// compiled.
type document struct {
	files []string
	nodes []*spec
	diags Diagnostics
	env   func(name string) (string, bool)
	read  func(name string) ([]byte, error)
	reads []string // the files that were read on the way, for those who watch them
}

// spec is a node as the document has it.
type spec struct {
	kind   *kind
	name   string
	pos    Pos // of the kind
	file   *source
	yaml   *yaml.Node
	text   string // the lines of the node, by which one that did not change is known
	config config
	links  []links
	vars   map[string]string // of the field env
	input  literal           // the schema of the bodies that come, or the file of one
	output literal           // of those that are handed on
}

// links are where an output port leads.
type links struct {
	port string
	pos  Pos
	to   []target
}

// target is an input port of another node.
type target struct {
	name, port string
	pos        Pos
}

// source is a file of a document.
type source struct {
	name  string
	lines []string
}

// pos returns the place of n.
func (s *source) pos(n *yaml.Node) Pos { return Pos{s.name, max(n.Line, 1), max(n.Column, 1)} }

// within returns the place of a line and column, counted from 1, in the text of the scalar n.
func (s *source) within(n *yaml.Node, line, col int) Pos {
	p := s.pos(n)
	switch n.Style {
	case yaml.LiteralStyle, yaml.FoldedStyle:
		for i := p.Line; i < len(s.lines); i++ { // the first line that is not empty tells the indentation
			if text := strings.TrimLeft(s.lines[i], " "); text != "" {
				p.Col = len(s.lines[i]) - len(text) + col
				break
			}
		}
		p.Line += line
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		if line == 1 {
			p.Col += col
		}
	default:
		if line == 1 {
			p.Col += col - 1
		}
	}
	return p
}

// parse reads the nodes of one file into doc.
func (doc *document) parse(name string, data []byte) {
	doc.files = append(doc.files, name)
	file := &source{name: name, lines: strings.Split(string(data), "\n")}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	for first := true; ; first = false {
		var n yaml.Node
		if err == nil {
			err = load(loader, &n)
		}
		if err == io.EOF || err != nil && strings.Contains(err.Error(), "no documents in stream") {
			if first {
				doc.diags.errorf(Pos{name, 1, 1}, "the file is empty: expected a list of nodes, each with a kind")
			}
			return
		} else if err != nil {
			doc.syntax(file, err)
			return
		}
		if len(n.Content) > 0 {
			doc.list(file, n.Content[0])
		}
	}
}

// load reads the next YAML document. The package yaml panics on some texts.
func load(l *yaml.Loader, n *yaml.Node) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errors.New("the YAML cannot be read")
		}
	}()
	return l.Load(n)
}

// syntax reports an error of the package yaml at its place.
func (doc *document) syntax(file *source, err error) {
	line, col, msg := yamlPlace(err)
	doc.diags.errorf(Pos{file.name, line, col}, "not YAML: %s", msg)
}

// yamlPlace returns the place of an error of the package yaml, counted from 1, and what
// is wrong.
func yamlPlace(err error) (line, col int, msg string) {
	var one *yaml.LoadError
	if all := (*yaml.LoadErrors)(nil); !errors.As(err, &one) && errors.As(err, &all) && len(all.Errors) > 0 {
		one = all.Errors[0]
	}
	if one == nil {
		return 1, 1, strings.TrimPrefix(err.Error(), "yaml: ")
	}
	return max(one.Mark.Line, 1), max(one.Mark.Column, 1), strings.TrimSpace(one.Message)
}

// list reads the nodes of n: a list of them, one alone, or a mapping with a list
// called nodes.
func (doc *document) list(file *source, n *yaml.Node) {
	switch {
	case n.Kind == yaml.SequenceNode:
	case n.Kind == yaml.MappingNode && member(n, "kind") != nil:
		n = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{n}}
	case n.Kind == yaml.MappingNode && member(n, "nodes") != nil:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if name := n.Content[i].Value; name != "nodes" && !strings.HasPrefix(name, "x-") {
				doc.diags.errorf(file.pos(n.Content[i]), "unknown field %q%s", name, suggest(name, []string{"nodes"}))
			}
		}
		if n = resolved(member(n, "nodes")); n.Kind == yaml.SequenceNode {
			break
		}
		fallthrough
	default:
		doc.diags.errorf(file.pos(n), "expected a list of nodes, each with a kind, got %s", describe(n))
		return
	}
	for _, item := range n.Content {
		doc.node(file, resolved(item))
	}
}

// node reads one node.
func (doc *document) node(file *source, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		doc.diags.errorf(file.pos(n), "expected a node, which has a kind and a name, got %s", describe(n))
		return
	}
	k := resolved(member(n, "kind"))
	if k == nil || k.Kind != yaml.ScalarNode || k.Value == "" {
		doc.diags.errorf(file.pos(n), "the node has no kind: add kind, one of %s", strings.Join(kindNames(), ", "))
		return
	}
	kind := findKind(k.Value, n)
	if kind == nil {
		doc.diags.errorf(file.pos(k), "unknown kind %q%s", k.Value, suggest(k.Value, kindNames()))
		return
	}
	s := &spec{kind: kind, pos: file.pos(k), file: file, yaml: n, config: kind.config()}
	s.text = linesOf(file, n)
	d := &decoder{doc: doc, spec: s}
	d.node()
	if s.name == "" {
		s.name = k.Value
		for i := 2; doc.find(s.name) != nil; i++ {
			s.name = k.Value + strconv.Itoa(i)
		}
	} else if other := doc.find(s.name); other != nil {
		doc.diags.errorf(file.pos(resolved(member(n, "name"))), "a second node called %q, the first is at %s: rename one",
			s.name, other.pos)
	}
	doc.nodes = append(doc.nodes, s)
}

// linesOf returns the lines that n stands in.
func linesOf(file *source, n *yaml.Node) string {
	last := n.Line
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		last = max(last, n.Line+strings.Count(n.Value, "\n"))
		for _, c := range n.Content {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(file.lines[max(n.Line-1, 0):min(last, len(file.lines))], "\n")
}

// find returns the node called name, or nil.
func (doc *document) find(name string) *spec {
	if i := slices.IndexFunc(doc.nodes, func(s *spec) bool { return s.name == name }); i >= 0 {
		return doc.nodes[i]
	}
	return nil
}

// readFile reads a file that stands in the document at p, by a name that is
// relative to the document's.
func (doc *document) readFile(from *source, name string) ([]byte, string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from.name), name)
	}
	doc.reads = append(doc.reads, name)
	data, err := doc.read(name)
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return data, name, err
}

// member returns the value of the member called name, or nil.
func member(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// resolved returns what n is an alias of, or n.
func resolved(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// describe names what n is.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "the number " + n.Value
	}
	if len(n.Value) > 40 {
		return "a text"
	}
	return strconv.Quote(n.Value)
}
