package weft_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// phrases are those that a reader has to read twice, each with what to write instead. CONTRIBUTING.md has the style.
var phrases = []struct {
	wrong, right string
	example      string
}{
	{`\b(names?|arguments?|value|element|member|type|colon|file|number|shell)s? (is|are) due\b`,
		"expected two arguments, got 0", "two names are due"},
	{"\\b[Tt]hat alone `", "only this; subject first", "that alone `cap` can tell"},
	{`\bsays? (itself|themselves) (what|how|where)\b`, "self-describing; the type defines how", "which say themselves what is in them"},
	{`\b(a form|forms) of (its|their) own\b`, "types that define their own wire form", "types with a form of their own"},
	{`\breleases? (is|are) (not )?served\b`, "weft supports", "Older releases are not served"},
	{`\b(the (path|pointer)|what|that|content|input) (is|are) none\b`, "there is no such path", "the path is none"},
	{`\btells? the (place|path|whole|offset)\b`, "gives the location", "a warning tells the place"},
	{`\b[Tt]ells whether\b`, "reports whether", "Has tells whether v is a map"},
	{`\b(is|are) told apart\b`, "are distinguished", "variants are told apart by"},
	{`\bone's own\b|\bone does not own\b`, "your own; that you do not own", "types of one's own"},
	{`\bthe other way round\b`, "vice versa", "and the other way round"},
	{`\b(is|are) had back\b|\bheeded\b`, "restored; honored", "are had back by"},
	{`%[qsvd] is no [a-z]`, "is not a", "%q is no address"},
	{`\bdoes as (it|they) (do|does)\b`, "does the same", "does as they do"},
	{`\bof which (one|the latter) (is|has)\b`, "one of which is", "pointers, of which one is set"},
	{`\b(objects|branch|body) alone\b`, "only the body", "the body alone"},
	{`\bbelieved (when|before|until)\b`, "trusted only once", "is believed when"},
	{`\bunder way\b`, "in progress", "requests under way"},
	{`\b(is|are) answered (by|with) [0-9]`, "the answer to it is 413", "a larger body is answered by 413"},
	{`\b[A-Z]\w+ has a call \w+\b`, "makes a call write", "Codecs has a call write"},
	{`\blet [a-z]+ have (it|them)\b|\bwhatever is called\b`, "always; also without this option", "whatever is called"},
	{`\bOn an error\b`, "if there is an error", "On an error b is unchanged"},
	{`\bone after the other\b`, "one by one; consecutive values", "values one after the other"},
	{`\b(comes?|came) to (its|their) end\b`, "ends", "the sources have come to their end"},
	{`\bmakes? no sense\b`, "is invalid", "options that make no sense"},
}

// TestArchStyle keeps the worst phrases out of the documentation, and out of comments, help texts and messages.
func TestArchStyle(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "*.md", "*.go", ":!*testdata*", ":!style_test.go", ":!bench/results").Output()
	if err != nil {
		t.Skip("not a clone: ", err)
	}
	var all []*regexp.Regexp
	for _, p := range phrases {
		r := regexp.MustCompile(p.wrong)
		if !r.MatchString(p.example) {
			t.Errorf("%s does not match %q", p.wrong, p.example)
		}
		all = append(all, r)
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(name)
		if err != nil {
			continue // deleted, and not committed yet
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if strings.HasSuffix(name, ".go") && !strings.ContainsAny(line, "\"`/") {
				continue
			}
			for i, r := range all {
				if found := r.FindString(line); found != "" {
					t.Errorf("%s:%d: %q: write %q, as CONTRIBUTING.md says", name, n, found, phrases[i].right)
				}
			}
		}
	}
}

// TestArchWidth bounds lines, where a tab is one character: those of the library at 120 characters, and those of all
// tests at 140. What an example prints may be longer.
func TestArchWidth(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "*.go", ":!*testdata*").Output()
	if err != nil {
		t.Skip("not a clone: ", err)
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		most := widest(name)
		if most == 0 {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue // deleted, and not committed yet
		}
		for _, finding := range wide(name, string(text), most) {
			t.Error(finding)
		}
	}
	long := strings.Repeat("x", 141)
	output := "\t// Output:\n\t// " + long + "\n\t// Output: " + long + "\n}\n"
	got := wide("a_test.go", output+long[1:]+"\n// "+long+"\n", widest("a_test.go"))
	if len(got) != 1 || !strings.HasPrefix(got[0], "a_test.go:6:") {
		t.Errorf("the lines of a test that are too long are %q", got)
	}
	line := "\t" + strings.Repeat("é", 119) + "\n"
	got = wide("json/a.go", line+"\t"+line+output, widest("json/a.go"))
	if len(got) != 3 || !strings.HasPrefix(got[0], "json/a.go:2:") {
		t.Errorf("the lines of the library that are too long are %q", got)
	}
}

// widest returns how many characters a line of a file may have, 0 for any number.
func widest(name string) int {
	if strings.HasSuffix(name, "_test.go") {
		return 140
	}
	switch top, _, _ := strings.Cut(name, "/"); top {
	case "bench", "cmd", "contrib", "examples", "flow":
		return 0
	}
	return 120
}

// wide returns a finding for each line with more characters than most. Those that examples print, which are in tests,
// may have more.
func wide(name, text string, most int) (findings []string) {
	n, printed := 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		comment := strings.TrimSpace(line)
		printed = strings.HasSuffix(name, "_test.go") &&
			(printed && strings.HasPrefix(comment, "//") || strings.HasPrefix(comment, "// Output:"))
		if size := utf8.RuneCountInString(line); size > most && !printed {
			findings = append(findings, fmt.Sprintf("%s:%d: %d characters in a line: break it, %d at most", name, n, size, most))
		}
	}
	return findings
}
