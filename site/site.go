package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weftcodec/weft/bench/figures"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/internal/look"
)

// repository is where links lead to what is no page.
const repository = "https://github.com/weftcodec/weft"

//go:embed static/page.html
var pageText string

//go:embed static/play.html
var playText string

//go:embed static/site.css
var siteStyle string

//go:embed static/site.js
var siteScript string

//go:embed static/play.js
var playScript string

// pagesOf are the pages that are not in docs, by their source.
var pagesOf = map[string]string{
	"README.md": "index.html", "docs/README.md": "docs.html", "bench/README.md": "bench.html",
	"CHANGELOG.md": "changelog.html", "CONTRIBUTING.md": "contributing.html", "SECURITY.md": "reporting.html",
}

// page is a page of the site.
type page struct {
	Source, URL, Title string
	Body               template.HTML
	Headings           []heading
	links              []link
}

// heading is a heading of a page.
type heading struct {
	ID, Text string
	Level    int
}

// section is a part of the navigation.
type section struct {
	Title string
	Pages []*page
}

// entry is a section of a page that search finds: title of the page, heading, address and text.
type entry [4]string

// site is all pages.
type site struct {
	root     string
	pages    []*page
	bySource map[string]*page
	sections []section
	index    []entry
	report   *harness.Report
}

// newSite reads the pages of a clone.
func newSite(root string) (*site, error) {
	s := &site{root: root, bySource: make(map[string]*page)}
	var err error
	if s.report, _, err = figures.Newest(root); err != nil {
		return nil, err
	}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	sources := []string{"README.md", "bench/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
	for _, name := range docs {
		sources = append(sources, "docs/"+filepath.Base(name))
	}
	for _, source := range sources {
		url := pagesOf[source]
		if url == "" {
			url = strings.TrimSuffix(filepath.Base(source), ".md") + ".html"
		}
		s.bySource[source] = &page{Source: source, URL: url}
		s.pages = append(s.pages, s.bySource[source])
	}
	for _, p := range s.pages {
		text, err := os.ReadFile(filepath.Join(root, p.Source))
		if err != nil {
			return nil, err
		}
		if err := s.render(p, text); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Source, err)
		}
	}
	s.navigation()
	return s, s.checkLinks()
}

// navigation makes the sections of docs/README.md those of the site. A page that none of them leads to is in the last.
func (s *site) navigation() {
	start, contents := s.bySource["README.md"], s.bySource["docs/README.md"]
	s.sections = []section{{"Start", []*page{start, contents}}}
	placed := map[*page]bool{start: true, contents: true}
	for _, l := range contents.links {
		p := s.bySource[l.source]
		if p == nil || placed[p] || l.under == "" {
			continue
		}
		if last := &s.sections[len(s.sections)-1]; last.Title != l.under {
			s.sections = append(s.sections, section{Title: l.under})
		}
		placed[p] = true
		last := &s.sections[len(s.sections)-1]
		last.Pages = append(last.Pages, p)
	}
	rest := section{Title: "Project"}
	for _, p := range s.pages {
		if !placed[p] {
			rest.Pages = append(rest.Pages, p)
		}
	}
	s.sections = append(s.sections, rest)
}

// checkLinks reports every link that leads to nothing.
func (s *site) checkLinks() error {
	var errs []error
	for _, p := range s.pages {
		for _, l := range p.links {
			to := s.bySource[l.source]
			switch {
			case to == nil:
				if _, err := os.Stat(filepath.Join(s.root, l.source)); err != nil {
					errs = append(errs, fmt.Errorf("%s: there is no %s", p.Source, l.source))
				}
			case l.anchor != "" && !slices.ContainsFunc(to.Headings, func(h heading) bool { return h.ID == l.anchor }):
				errs = append(errs, fmt.Errorf("%s: %s has no heading #%s", p.Source, l.source, l.anchor))
			}
		}
	}
	return errors.Join(errs...)
}

// view is what the template of a page shows.
type view struct {
	*page
	Sections   []section
	Repository string
	Play       bool
}

// write writes the pages and the index of the search.
func (s *site) write(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	playground := &page{URL: "playground.html", Title: "Playground", Body: template.HTML(playText)}
	for _, p := range append([]*page{playground}, s.pages...) {
		var b bytes.Buffer
		if err := t.Execute(&b, view{p, s.sections, repository, p.Source == ""}); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, p.URL), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	index, err := json.Marshal(s.index)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"style.css": look.Style + siteStyle, "site.js": siteScript, "play.js": playScript,
		"search.js": fmt.Sprintf("weftIndex = %s;\n", index),
	} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
