package ecma_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/ecma"
)

// What expressions of ECMA-262 match, and what they do not.
func TestExpr(t *testing.T) {
	const spaces = "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
	const others = "a\x00\x08\x0e!\u0085\u200b\u180e\U0001f600"
	for _, tt := range []struct{ expr, good, bad string }{
		{`^\s$`, spaces, others},
		{`^\S$`, others, spaces},
		{`^[\s]$`, spaces, others},
		{`^[^\s]$`, others, spaces},
		{`^[\Sx]$`, others, spaces},
		{`^[x\s-]$`, spaces + "x-", others},
		{`^[\s-x]$`, spaces + "-x", "ab"},
		{`^[+-\s]$`, spaces + "-+", ",a"},
		{`^[\w-.]$`, "a-.", ","},
		{`^.$`, "a\t\v\u0085é", "\n\r\u2028\u2029"},
		{`^[.]$`, ".", "a"},
		{`^\d$`, "09", "a\u0660"},
		{`^\w$`, "a_9", "é-"},
		{`^\cC$`, "\x03", "cC"},
		{`^\cc$`, "\x03", "cC"},
		{`^[\b]$`, "\x08", "b"},
		{`^\0$`, "\x00", "0"},
		{`^\u00e9$`, "é", "e"},
		{`^[\u0041-\u{43}]$`, "ABC", "Du"},
		{`^\ud83d\ude00$`, "\U0001f600", "\U0001f601"},
		{`^[\ud83d\ude00]$`, "\U0001f600", "\U0001f601"},
		{`^\u{1f600}$`, "\U0001f600", "u"},
		{`^[]$`, "", "]a"},
		{`^[^]$`, "]a\n", ""},
		{`^[[:a]$`, "[:a", "b"},
		{`^\p{Script=Greek}$`, "α", "a"},
		{`^\p{L}\P{gc=Lu}?$`, "aé", "1"},
		{`^(?<x>a|b)$`, "ab", "c"},
		{`^(?P<x>a)$`, "a", "b"},
		{`^\x41\/\-?$`, "", "A"},
		{`^\.$`, ".", "a"},
		{`^[\]\\]$`, `]\`, "a"},
		{`^é.?$`, "é", "e"},
		{`^\\$`, `\`, "s"},
	} {
		re, err := regexp.Compile(ecma.Expr(tt.expr))
		if err != nil {
			t.Errorf("%s: %v", tt.expr, err)
			continue
		}
		for _, s := range strings.Split(tt.good, "") {
			if !re.MatchString(s) {
				t.Errorf("%s does not match %q", tt.expr, s)
			}
		}
		for _, s := range strings.Split(tt.bad, "") {
			if re.MatchString(s) {
				t.Errorf("%s matches %q", tt.expr, s)
			}
		}
	}
	for _, expr := range []string{`(a)\1`, `(?=a)`, `(?<=a)b`, `(?<!a)b`, `\`, `[`, `\u12`, `\k<x>`} {
		if _, err := regexp.Compile(ecma.Expr(expr)); err == nil {
			t.Errorf("%s compiles", expr)
		}
	}
}

// Whatever is given, what is returned ends where it should.
func FuzzExpr(f *testing.F) {
	for _, s := range []string{`^[\s\S]+$`, `\u{1F600}`, `[^]`, `\c`, "[\xff", `\ud83d\u`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { ecma.Expr(s) })
}
