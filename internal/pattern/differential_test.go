package pattern

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// reference returns the pattern src as package regexp has it, and nil where it does not.
func reference(src string) *regexp.Regexp {
	expr, err := Expr(src)
	if err != nil {
		return nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil // such as a{1001}
	}
	return re
}

// author writes patterns at random.
type author struct{ *rand.Rand }

func (a author) pick(list ...string) string { return list[a.IntN(len(list))] }

func (a author) pattern(depth int) string {
	var out strings.Builder
	for i := range 1 + a.IntN(3) {
		if i > 0 && a.IntN(3) == 0 {
			out.WriteByte('|')
		}
		for range 1 + a.IntN(3) {
			out.WriteString(a.term(depth))
		}
	}
	return out.String()
}

func (a author) term(depth int) string {
	var atom string
	switch k := a.IntN(12); {
	case k == 0:
		return a.pick("^", "$", "^", "$", `\b`, `\B`, "(?m:^)", "(?m:$)")
	case k < 5:
		atom = a.pick("a", "b", "-", "é", "日", "0", "_", `\n`, `\uFFFD`, "😀", "K")
	case k < 7:
		atom = a.pick(".", `\d`, `\D`, `\w`, `\W`, `\s`, `\S`, `\p{L}`, `\P{Lu}`, "[^]", "[]", `\p{Greek}`, `\p{sc=Greek}`)
		atom = strings.Replace(atom, `\p{Greek}`, `\p{Nd}`, 1)
	case k < 9 || depth == 0:
		atom = "[" + a.pick("", "", "^")
		for range 1 + a.IntN(3) {
			atom += a.pick("a", "b", "a-z", `\d`, "é", "à-ö", "一-龥", `\W`, `\p{Lu}`, `\-`, "x-")
		}
		atom += "]"
	default:
		atom = a.pick("(", "(?:", "(?i:", "(?s:", "(?<n>") + a.pattern(depth-1) + ")"
	}
	if a.IntN(3) == 0 {
		atom += a.pick("*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "{12,20}") + a.pick("", "", "?")
	}
	return atom
}

// text returns a string that n matches, assertions aside.
func (a author) text(n *node) string {
	var out strings.Builder
	switch n.op {
	case opSet:
		if len(n.set) > 0 {
			i := a.IntN(len(n.set)/2) * 2
			lo, hi := n.set[i], n.set[i+1]
			out.WriteRune(lo + a.Int32N(min(hi-lo, 40)+1))
		}
	case opConcat:
		for _, sub := range n.subs {
			out.WriteString(a.text(sub))
		}
	case opChoice:
		out.WriteString(a.text(n.subs[a.IntN(len(n.subs))]))
	case opRepeat:
		hi := n.max
		if hi < 0 || a.IntN(4) > 0 {
			hi = n.min + a.IntN(3)
		}
		for range hi {
			out.WriteString(a.text(n.subs[0]))
		}
	case opLine, opLineEnd:
		out.WriteString(a.pick("", "\n", "\r"))
	}
	return out.String()
}

// spoiled returns s with something changed, added or taken away.
func (a author) spoiled(s string) string {
	at := a.IntN(len(s) + 1)
	more := a.pick("", "a", "b", "Z", "-", "é", "日", "\n", " ", "_", "\xff", "\xe2\x84", "\x80", "😀", "\xf0\x9f\x98", "\xed\xa0\x80")
	return s[:at] + more + s[min(len(s), at+a.IntN(3)):]
}

// differ reports a difference between what a pattern matches and what package regexp does.
func differ(t *testing.T, src string, re *regexp.Regexp, all map[string]*Pattern, s string) {
	t.Helper()
	want := all["simulation"].Match(s)
	if re != nil {
		want = re.MatchString(s)
	}
	for name, p := range all {
		if got := p.Match(s); got != want {
			t.Errorf("%s of %q: Match(%q) = %v", name, src, s, got)
		}
	}
}

// TestRandom holds random patterns against package regexp, with strings that they match and such as nearly do.
func TestRandom(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 800
	}
	machines, matches, texts := 0, 0, 0
	for seed := range uint64(n) {
		a := author{rand.New(rand.NewPCG(seed, 17))}
		src := a.pattern(3)
		tree, err := parse(src)
		if err != nil {
			continue // such as a repeated assertion
		}
		p, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]*Pattern{"pattern": p, "simulation": stepped(src)}
		re := reference(src)
		if p.machine != nil {
			machines++
		}
		for range 12 {
			s := a.text(tree)
			for a.IntN(3) == 0 {
				s = a.spoiled(s)
			}
			differ(t, src, re, all, s)
			differ(t, src, re, all, a.spoiled(""))
			if texts++; p.Match(s) {
				matches++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d patterns, %d machines, %d of %d strings match", n, machines, matches, texts)
}

// TestLookAhead holds patterns with look-ahead against package regexp's answers for their parts.
func TestLookAhead(t *testing.T) {
	matches, texts := 0, 0
	for seed := range uint64(1000) {
		a := author{rand.New(rand.NewPCG(seed, 18))}
		must, not, rest := a.pattern(1), a.pattern(1), a.pattern(1)
		p, err := Compile("^(?=" + must + ")(?!" + not + ")(?:" + rest + ")")
		if err != nil {
			continue // such as a repeated assertion
		}
		begins := func(src string) *regexp.Regexp { return reference("^(?:" + src + ")") }
		re := [3]*regexp.Regexp{begins(must), begins(not), begins(rest)}
		tree, _ := parse(must)
		if re[0] == nil || re[1] == nil || re[2] == nil {
			continue
		}
		for range 12 {
			s := a.text(tree)
			want := re[0].MatchString(s) && !re[1].MatchString(s) && re[2].MatchString(s)
			if p.Match(s) != want {
				t.Fatalf("%q, not %q, %q: Match(%q) = %v", must, not, rest, s, !want)
			}
			if texts++; want {
				matches++
			}
		}
	}
	t.Logf("%d of %d strings match", matches, texts)
}

// TestCodePoints holds classes against the code points they are about, each of them.
func TestCodePoints(t *testing.T) {
	if testing.Short() {
		t.Skip("all code points")
	}
	for _, src := range []string{`^\p{L}$`, `^[^\p{Lu}x]$`, `^\W$`, `^\s$`, `(?i)^[k-sß]$`, `^.$`, `^[é-日]$`, `^\p{sc=Han}$`} {
		p, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		re := reference(src)
		for r := range rune(utf8.MaxRune + 1) {
			if s := string(r); p.Match(s) != re.MatchString(s) {
				t.Fatalf("%s: Match(%q) = %v", src, s, p.Match(s))
			}
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, tt := range matchTests {
		for _, s := range append(tt.match, tt.not...) {
			f.Add(tt.pattern, s)
		}
	}
	f.Fuzz(func(t *testing.T, src, s string) {
		p, err := Compile(src)
		if err != nil {
			return
		}
		differ(t, src, reference(src), map[string]*Pattern{"pattern": p, "simulation": stepped(src)}, s)
	})
}
