package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"html"
	"html/template"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	xast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// link is a link to a file of the repository.
type link struct {
	source, anchor string
	under          string // the heading of the second level that it stands below
}

// render makes a page of Markdown.
func (s *site) render(p *page, source []byte) error {
	m := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blocks{s}, 100))))
	ctx := parser.NewContext(parser.WithIDs(&headingIDs{seen: map[string]int{}}))
	doc := m.Parser().Parse(text.NewReader(source), parser.WithContext(ctx))
	under := ""
	var words strings.Builder
	at := heading{}
	keep := func() {
		if t := strings.Join(strings.Fields(words.String()), " "); t != "" || at.Level > 0 {
			to := p.URL
			if at.Level > 1 {
				to += "#" + at.ID
			}
			s.index = append(s.index, entry{p.Title, at.Text, to, t})
		}
		words.Reset()
	}
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			keep()
			id, _ := n.AttributeString("id")
			at = heading{fmt.Sprintf("%s", id), plain(n, source), n.Level}
			p.Headings = append(p.Headings, at)
			switch n.Level {
			case 1:
				p.Title = at.Text
			case 2:
				under = at.Text
			}
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			if err := s.link(p, n, under); err != nil {
				return ast.WalkStop, err
			}
		case *ast.Text:
			words.Write(n.Value(source))
			words.WriteByte(' ')
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			words.Write(lines(n, source))
			words.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	keep()
	var b bytes.Buffer
	if err := m.Renderer().Render(&b, source, doc); err != nil {
		return err
	}
	p.Body = template.HTML(b.String())
	return nil
}

// link makes a link to a file one to its page, or to the repository.
func (s *site) link(p *page, n *ast.Link, under string) error {
	u, err := url.Parse(string(n.Destination))
	if err != nil {
		return err
	}
	if u.Scheme != "" || u.Host != "" {
		return nil
	}
	l := link{source: p.Source, anchor: u.Fragment, under: under}
	if u.Path != "" {
		l.source = path.Join(path.Dir(p.Source), u.Path)
	}
	p.links = append(p.links, l)
	switch to := s.bySource[l.source]; {
	case to == nil:
		n.Destination = []byte(repository + "/tree/main/" + l.source)
	default:
		n.Destination = []byte(to.URL)
		if u.Path == "" {
			n.Destination = nil
		}
		if l.anchor != "" {
			n.Destination = append(n.Destination, "#"+l.anchor...)
		}
	}
	return nil
}

// plain returns the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func lines(n ast.Node, source []byte) []byte { return n.Lines().Value(source) }

// headingIDs makes the anchors that GitHub makes.
type headingIDs struct{ seen map[string]int }

var notInID = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// Generate implements [parser.IDs].
func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.ReplaceAll(notInID.ReplaceAllString(strings.ToLower(strings.TrimSpace(string(value))), ""), " ", "-")
	n := h.seen[id]
	if h.seen[id]++; n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put implements [parser.IDs].
func (h *headingIDs) Put(value []byte) { h.seen[string(value)]++ }

// blocks renders what looks different from plain Markdown.
type blocks struct{ s *site }

// RegisterFuncs implements [renderer.NodeRenderer].
func (b blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, b.heading)
	r.Register(ast.KindFencedCodeBlock, b.code)
	r.Register(ast.KindCodeBlock, b.code)
	r.Register(ast.KindHTMLBlock, b.comment)
	r.Register(xast.KindTable, b.table)
}

// heading renders a heading with a link to itself.
func (b blocks) heading(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id, _ := h.AttributeString("id")
	switch {
	case entering:
		fmt.Fprintf(w, `<h%d id="%s">`, h.Level, id)
	case h.Level == 1:
		fmt.Fprintf(w, "</h%d>\n", h.Level)
	default:
		fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="Link to %s">#</a></h%d>`+"\n",
			id, html.EscapeString(plain(n, source)), h.Level)
	}
	return ast.WalkContinue, nil
}

// code renders a block of code.
func (b blocks) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := ""
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(f.Language(source))
	}
	code := lines(n, source)
	shown := html.EscapeString(string(code))
	if language == "go" {
		shown = colored(code)
	}
	fmt.Fprintf(w, `<div class="block"><pre tabindex="0"><code>%s</code></pre></div>`+"\n", shown)
	return ast.WalkSkipChildren, nil
}

// colored marks the keywords, strings and comments of Go.
func colored(code []byte) string {
	var b strings.Builder
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(code)), code, nil, scanner.ScanComments)
	done := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		class := ""
		switch {
		case tok == token.COMMENT:
			class = "c"
		case tok == token.STRING, tok == token.CHAR:
			class = "s"
		case tok.IsKeyword():
			class = "k"
		}
		start := int(pos) - 1
		if class == "" || start < done || start+len(lit) > len(code) {
			continue
		}
		fmt.Fprintf(&b, `%s<span class="%s">%s</span>`,
			html.EscapeString(string(code[done:start])), class, html.EscapeString(lit))
		done = start + len(lit)
	}
	return b.String() + html.EscapeString(string(code[done:]))
}

// comment renders the charts of a table before it, and no other HTML.
func (b blocks) comment(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if m := tableMark.FindSubmatch(lines(n, source)); entering && m != nil {
		w.WriteString(b.s.charts(string(m[1])))
	}
	return ast.WalkSkipChildren, nil
}

var tableMark = regexp.MustCompile(`<!-- tables: ([a-z-]+) -->`)

// table renders a table that can be scrolled by itself.
func (b blocks) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>` + "\n")
	} else {
		w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
