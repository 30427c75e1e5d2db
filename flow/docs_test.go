package flow_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weftcodec/weft/flow"
)

var block = regexp.MustCompile("(?s)```(yaml|http)\n(.*?)```")

// pages are those with documents.
var pages = []string{"../docs/flow.md", "../docs/flow-streams.md"}

// TestDocs checks every document of the pages, and sends the requests that stand below it.
func TestDocs(t *testing.T) {
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := map[string]string{"method": r.Method, "path": r.RequestURI}
		if len(body) > 0 {
			answer["body"], answer["type"] = string(body), r.Header.Get("Content-Type")
		}
		w.Header().Set("Content-Type", "application/json")
		text, _ := json.Marshal(answer)
		_, _ = w.Write(text)
	})
	documents, requests, cases := 0, 0, 0
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f *flow.Flow
		for _, m := range block.FindAllStringSubmatchIndex(string(page), -1) {
			text := string(page[m[4]:m[5]])
			line := name + ":" + strconv.Itoa(1+strings.Count(string(page[:m[0]]), "\n"))
			if string(page[m[2]:m[3]]) == "http" {
				t.Run(line, func(t *testing.T) {
					for _, x := range exchanges(t, text) {
						requests++
						x.run(t, f.Handler("server"))
					}
				})
				continue
			}
			if f, err = flow.Parse(name, []byte(text), env("UPSTREAM", upstream)); err != nil {
				t.Errorf("%s: %v", line, err)
			} else if w := f.Warnings(); len(w) > 0 {
				t.Errorf("%s: %v", line, w)
			}
			documents++
			results, err := flow.Test([]string{name}, nil, env("UPSTREAM", upstream), flow.Read(func(file string) ([]byte, error) {
				if file == name {
					return []byte(text), nil
				}
				return os.ReadFile(file)
			}))
			for _, r := range results {
				cases++
				err = errors.Join(err, r.Failures.Err())
			}
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if documents < 5 || requests < 8 || cases < 1 {
		t.Errorf("%d documents, %d requests, %d tests", documents, requests, cases)
	}
}

// TestKindPages checks that every kind has a heading of its own on one of the pages.
func TestKindPages(t *testing.T) {
	var headings []string
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?m)^##+ (.*)$").FindAllSubmatch(page, -1) {
			headings = append(headings, regexp.MustCompile(`\w+`).FindAllString(string(m[1]), -1)...)
		}
	}
	_, err := flow.Parse("f.yaml", []byte("- name: x"))
	_, list, ok := strings.Cut(err.Error(), "one of ")
	if !ok {
		t.Fatal(err)
	}
	kinds := strings.Split(list, ", ")
	for _, kind := range kinds {
		if !slices.Contains(headings, kind) {
			t.Errorf("no page has a heading for the kind %s", kind)
		}
	}
	if len(kinds) < 20 {
		t.Error(kinds)
	}
}

// pageExchange is a request and its answer on a page: lines that begin with > and <.
type pageExchange struct{ request, answer []string }

func exchanges(t *testing.T, text string) (all []*pageExchange) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		rest := strings.TrimPrefix(line[1:], " ")
		switch {
		case line[0] == '>' && (len(all) == 0 || len(all[len(all)-1].answer) > 0):
			all = append(all, &pageExchange{request: []string{rest}})
		case line[0] == '>':
			all[len(all)-1].request = append(all[len(all)-1].request, rest)
		case line[0] == '<':
			all[len(all)-1].answer = append(all[len(all)-1].answer, rest)
		default:
			t.Fatalf("the line %q", line)
		}
	}
	return all
}

// split takes the first line, the headers and the body apart.
func split(lines []string) (first string, header map[string]string, body string) {
	header = make(map[string]string)
	for i, line := range lines[1:] {
		if line == "" {
			return lines[0], header, strings.Join(lines[i+2:], "\n")
		}
		name, v, _ := strings.Cut(line, ": ")
		header[name] = v
	}
	return lines[0], header, ""
}

func (x *pageExchange) run(t *testing.T, h http.Handler) {
	first, header, body := split(x.request)
	method, path, _ := strings.Cut(first, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for name, v := range header {
		r.Header.Set(name, v)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	status, header, body := split(x.answer)
	if strconv.Itoa(w.Code) != status || w.Body.String() != body {
		t.Errorf("%s: %d %s, want %s %s", first, w.Code, w.Body, status, body)
	}
	for name, v := range header {
		if got := w.Header().Get(name); got != v {
			t.Errorf("%s: %s %q, want %q", first, name, got, v)
		}
	}
}
