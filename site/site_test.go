package main

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
)

// toMarkdown is a link to a file that is no page.
var toMarkdown = regexp.MustCompile(`href="[^":]*\.md[#"]`)

func TestSite(t *testing.T) {
	s, err := newSite("..")
	if err != nil {
		t.Fatal(err)
	}
	inNavigation := 0
	for _, x := range s.sections {
		inNavigation += len(x.Pages)
	}
	if len(s.pages) < 25 || inNavigation != len(s.pages) {
		t.Errorf("%d pages, %d in the navigation", len(s.pages), inNavigation)
	}
	for _, p := range s.pages {
		if p.Title == "" || toMarkdown.MatchString(string(p.Body)) {
			t.Errorf("%s: title %q, or a link to Markdown", p.Source, p.Title)
		}
	}
	figures := string(s.bySource["docs/figures.md"].Body)
	charts := regexp.MustCompile(`(?s)<svg class="chart".*?</svg>`).FindAllString(figures, -1)
	if len(charts) < 15 {
		t.Errorf("%d charts", len(charts))
	}
	for _, c := range charts {
		if err := xml.Unmarshal([]byte(c), new(struct{})); err != nil {
			t.Errorf("%v\n%s", err, c)
		}
		if !strings.Contains(c, `role="img" aria-label="`) {
			t.Error("no alternative text")
		}
	}
	for name, list := range chartsOf {
		for _, c := range list {
			if bars := s.bars(c); len(bars.Bars) < 2 {
				t.Errorf("%s: %s has %d bars", name, c.title, len(bars.Bars))
			}
		}
	}
}

func TestLinks(t *testing.T) {
	for _, tt := range []struct{ name, text, href, wrong string }{
		{"page", "[x](json.md)", `href="json.html"`, ""},
		{"heading", "[x](json.md#moving-a-code-base)", `href="json.html#moving-a-code-base"`, ""},
		{"own heading", "## A `b` c\n[x](#a-b-c)", `href="#a-b-c"`, ""},
		{"file", "[x](../go.work)", `href="` + repository + `/tree/main/go.work"`, ""},
		{"elsewhere", "[x](https://go.dev)", `href="https://go.dev"`, ""},
		{"no file", "[x](../nope.txt)", "", "there is no nope.txt"},
		{"no heading", "[x](json.md#nope)", "", "docs/json.md has no heading #nope"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &page{Source: "docs/x.md", URL: "x.html"}
			s := &site{root: "..", pages: []*page{p}, bySource: map[string]*page{
				p.Source: p, "docs/json.md": {URL: "json.html", Headings: []heading{{"moving-a-code-base", "", 2}}},
			}}
			if err := s.render(p, []byte(tt.text)); err != nil || !strings.Contains(string(p.Body), tt.href) {
				t.Fatalf("%v\n%s", err, p.Body)
			}
			if err := s.checkLinks(); (err != nil) != (tt.wrong != "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestMarkdown(t *testing.T) {
	p := &page{Source: "docs/x.md", URL: "x.html"}
	s := &site{bySource: map[string]*page{p.Source: p}}
	text := "# T\nfirst\n\n## Same\n\n## Same\n```go\nvar s = \"<x>\" // c\n```\n\n| a |\n|---|\n| b |\n\n<script>alert(1)</script>\n"
	if err := s.render(p, []byte(text)); err != nil {
		t.Fatal(err)
	}
	body := string(p.Body)
	for _, want := range []string{`<h2 id="same">`, `<h2 id="same-1">`, `<span class="k">var</span>`,
		`<span class="s">&#34;&lt;x&gt;&#34;</span>`,
		`<span class="c">// c</span>`, `<div class="scroll"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if p.Title != "T" || strings.Contains(body, "alert") || len(s.index) != 3 ||
		s.index[0] != (entry{"T", "T", "x.html", "first"}) || s.index[2][2] != "x.html#same-1" {
		t.Errorf("%q, %q\n%s", p.Title, s.index, body)
	}
}
