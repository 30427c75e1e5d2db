package pattern

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// matchTests are what ECMA-262 with the flag u says of patterns, where other dialects differ, and what is taken beyond.
var matchTests = []struct {
	pattern string
	match   []string
	not     []string
}{
	{"", []string{"", "a"}, nil},
	{"a", []string{"a", "xax"}, []string{"", "A", "b"}},
	{"^a", []string{"a", "ab"}, []string{"", "ba", "\na"}},
	{"a$", []string{"a", "ba"}, []string{"", "ab", "a\n"}},
	{"^a$|^b$", []string{"a", "b"}, []string{"ab", ""}},
	{"^a|b$", []string{"ax", "xb"}, []string{"xa", "bx"}},
	{"^$", []string{""}, []string{"\n", "a"}},
	{"$^", []string{""}, []string{"a"}},
	{"a^b", nil, []string{"ab", "a\nb"}},
	{"^[a-z][a-z0-9-]*$", []string{"a", "abc-9", "abcdefghijklmnopqrstuvwxyz"}, []string{"", "9a", "a_", "abcdefgh_", "abcdefghi\n", "é"}},
	{"^.$", []string{"a", "é", "日", "😀", "\u0085"}, []string{"", "\n", "\r", "\u2028", "\u2029", "ab", "e\u0301"}},
	{"^[^]$", []string{"a", "\n", "😀"}, []string{"", "ab"}},
	{"[]", nil, []string{"", "a", "]"}},
	{"^(?!https://)[a-z:/]+$", []string{"local", "http://a", "xhttps://"}, []string{"", "https://a", "https://", "A"}},
	{"^(?=.*[a-z])(?=.*[0-9]).{4,}$", []string{"a123", "123a5"}, []string{"abcd", "1234", "a1", "", "\na123"}},
	{"^(?![0-9]+$)[a-z0-9]+$", []string{"1a", "a"}, []string{"12", ""}},
	{"^(?!a|b)", []string{"", "c", "ca"}, []string{"a", "bc"}},
	{"^(?=(?i:a)b)(x|A)", []string{"Ab"}, []string{"ab", "x", "xAb", "A"}},
	{"^(?!)a", nil, []string{"a", ""}},
	{"^(?=a)", []string{"a", "ab"}, []string{"", "ba"}},
	{`^\d+$`, []string{"0123456789"}, []string{"", "٣", "0a"}},
	{`^\D$`, []string{"٣", "a"}, []string{"5"}},
	{`^\w+$`, []string{"azAZ09_"}, []string{"é", "-", "ſ"}},
	{`^\W$`, []string{"é", "-", "ſ", "\u212a"}, []string{"a", "_"}},
	{`^\s$`, []string{"\t", "\n", "\v", "\f", "\r", " ", "\u00a0", "\u1680", "\u2000", "\u200a", "\u2028", "\u2029", "\u202f",
		"\u205f", "\u3000", "\ufeff"}, []string{"\u0085", "\u180e", "\u200b", "a", ""}},
	{`^\S$`, []string{"\u0085", "\u180e", "a"}, []string{" ", "\ufeff"}},
	{`^[\s\S]$`, []string{"\n", "a", "😀"}, []string{"", "aa"}},
	{`\bfoo\b`, []string{"foo", "a foo.", "éfooé"}, []string{"foobar", "_foo", "foo1"}},
	{`\Bo\B`, []string{"foob"}, []string{"o", "fo"}},
	{`\B^-|x(?m:^)`, []string{"-"}, []string{"a-", "a"}},
	{`^\B$`, []string{""}, []string{"a"}},
	{`a\b`, []string{"a", "a-", "aé"}, []string{"ab"}},
	{`^[\b]$`, []string{"\b"}, []string{"b"}},
	{`^\cA\cz$`, []string{"\x01\x1a"}, []string{"AZ"}},
	{`^\0$`, []string{"\x00"}, []string{"0"}},
	{`^\x41\u0042\u{43}\u{1F600}$`, []string{"ABC😀"}, []string{"ABC"}},
	{`^\uD83D\uDE00$`, []string{"😀"}, []string{"\uFFFD\uFFFD"}},
	{`^[\uD83D\uDE00-\uD83D\uDE4F]$`, []string{"😀", "🙏"}, []string{"🚀", "a"}},
	{`^\uD83D$`, nil, []string{"😀", "\xed\xa0\xbd"}},
	{`\uD83D`, nil, []string{"😀"}},
	{`^\t\n\v\f\r$`, []string{"\t\n\v\f\r"}, nil},
	{`^\/\.\-\_\ \@\"\é$`, []string{`/.-_ @"é`}, nil},
	{`^{a}]}$`, []string{"{a}]}"}, []string{"a"}},
	{`^a{2}b{1,}c{0,2}$`, []string{"aab", "aabbcc"}, []string{"ab", "aac", "aabccc"}},
	{`^a{,}$`, []string{"a{,}"}, []string{"a"}},
	{`^a{x}$`, []string{"a{x}"}, []string{"a"}},
	{`^a{0}$`, []string{""}, []string{"a"}},
	{`^(?:a{0})*$`, []string{""}, []string{"a"}},
	{`^(a*)*$`, []string{"", "aaa"}, []string{"ab"}},
	{`^(a|b)+?c??$`, []string{"abab", "bc"}, []string{"", "c"}},
	{`^(?<year>\d{4})-(?<größe>\d\d)$`, []string{"2024-02"}, []string{"2024"}},
	{`^(?P<year>\d{4})$`, []string{"2024"}, []string{"x"}},
	{`^[a-c-e]$`, []string{"a", "-", "e"}, []string{"d"}},
	{`^[\w-.]$`, []string{"a", "-", "."}, []string{",", "/"}},
	{`^[a-\d]$`, []string{"a", "-", "5"}, []string{"b"}},
	{`^[-a]$`, []string{"a", "-"}, []string{"b"}},
	{`^[a-]$`, []string{"a", "-"}, []string{"b"}},
	{`^[\]\\^]$`, []string{"]", `\`, "^"}, []string{"a"}},
	{`^[x\s-]$`, []string{"x", "-", "\u00a0"}, []string{"y"}},
	{`^[\s-x]$`, []string{"x", "-", " "}, []string{"b"}},
	{`^[+-\s]$`, []string{"+", "-", " "}, []string{","}},
	{`^[\Sx]$`, []string{"x", "\u0085"}, []string{" "}},
	{`^[.]$`, []string{"."}, []string{"a"}},
	{`^[[:a]$`, []string{"[", ":", "a"}, []string{"b"}},
	{`^[^\]]$`, []string{"a"}, []string{"]"}},
	{`^[[]$`, []string{"["}, []string{"]"}},
	{`^[^\D5]$`, []string{"4"}, []string{"5", "a"}},
	{`^\p{L}+$`, []string{"aéß日я"}, []string{"", "a1", "٣"}},
	{`^\p{Letter}\p{gc=Lu}\p{General_Category=Decimal_Number}$`, []string{"aÉ٣"}, []string{"aé٣"}},
	{`^\p{digit}+$`, []string{"42", "৪২"}, []string{"-%#", "²"}},
	{`^\p{Script=Greek}\p{sc=Cyrillic}$`, []string{"αя"}, []string{"яα"}},
	{`^\P{Lu}$`, []string{"a", "1"}, []string{"A"}},
	{`^[\p{Lu}\d]$`, []string{"A", "É", "1"}, []string{"a"}},
	{`^[^\p{Lu}\d]$`, []string{"a"}, []string{"A", "É", "1"}},
	{`^[\P{L}]$`, []string{"1"}, []string{"a"}},
	{`^\p{Alphabetic}\p{White_Space}\p{ASCII}\p{Any}\p{Assigned}$`, []string{"ⓐ\u0085a\U0010ffffa"}, []string{"1 aaa"}},
	{`^\p{ID_Start}\p{ID_Continue}*$`, []string{"a1_é"}, []string{"1a", "_a"}},
	{`^\p{AHex}+$`, []string{"09afAF"}, []string{"g"}},
	{`(?i)^straße k$`, []string{"STRAẞE \u212a", "straße K"}, []string{"STRASSE K"}},
	{`(?i:^a)b`, []string{"Ab", "ab"}, []string{"aB"}},
	{`a(?i)b|c`, []string{"ab", "aB", "C"}, []string{"Ab"}},
	{`(?i)a(?-i)b`, []string{"Ab"}, []string{"AB"}},
	{`((?i)a)b`, []string{"Ab"}, []string{"AB"}},
	{`(?i)^[^a]$`, []string{"b"}, []string{"a", "A"}},
	{`(?i)^[k-l]$`, []string{"\u212a", "K", "l"}, []string{"m"}},
	{`(?i)^\w$`, []string{"ſ", "\u212a", "a"}, []string{"é"}},
	{`(?i)^\W$`, []string{"é"}, []string{"ſ", "\u212a", "s"}},
	{`(?i)^\P{Lu}$`, []string{"a", "A"}, nil},
	{`(?i)σ`, []string{"Σ", "ς"}, []string{"s"}},
	{`(?s)^.$`, []string{"\n", "a"}, []string{""}},
	{`^(?s:.).$`, []string{"\na"}, []string{"a\n"}},
	{`(?m)^b$`, []string{"b", "a\nb\nc", "a\u2028b\rc"}, []string{"ab", "b\tc"}},
	{`^(?m:^a$)`, []string{"a", "a\nb"}, []string{"\na", "ab"}},
	{`^(?:\uFFFD|b)$`, []string{"\ufffd", "\xff", "\x80", "b"}, []string{"\xff\xff", "\xe2\x84"}},
	{`^.{2}$`, []string{"\xe2\x84", "é\xff", "\xf0\x9f\x98"[:2], "\xed\xa0"}, []string{"\xe2\x84\xaa", "\xed\xa0\x80"}},
	{`^[^a]$`, []string{"\xff", "é"}, []string{"\xff\xff", "a"}},
	{`^[a-z]+$`, []string{"abc"}, []string{"\xff", "abc\xff"}},
	{`^(aa|aab?)*$`, []string{"", "aab", "aabaaaa"}, []string{"a", "ab"}},
	{`(a|b)*a(a|b){3}$`, []string{"abbb", "bbabab"}, []string{"bbbb", "abb"}},
	{`^(0|[1-9][0-9]*)$`, []string{"0", "10"}, []string{"01", ""}},
	{`^([01]?\d|2[0-3]):[0-5]\d$`, []string{"9:59", "23:00"}, []string{"24:00", "1:60"}},
	{`foo|bar`, []string{"a foo", "bar"}, []string{"fo ba"}},
	{`aab`, []string{"aaab", "aab", "aaaaaaaaaaaaaaab"}, []string{"aa", "ab"}},
	{`^.*x.*y`, []string{"xy", "axbyc"}, []string{"yx", "x\ny"}},
	{`^\/v1\/accounts`, []string{"/v1/accounts", "/v1/accounts/1"}, []string{"v1/accounts", "/v1/account"}},
}

func TestMatch(t *testing.T) {
	for _, tt := range matchTests {
		t.Run(tt.pattern, func(t *testing.T) {
			for name, p := range compileBoth(t, tt.pattern) {
				for i, list := range [][]string{tt.not, tt.match} {
					for _, s := range list {
						if got := p.Match(s); got != (i == 1) {
							t.Errorf("%s: Match(%q) = %v", name, s, got)
						}
					}
				}
			}
		})
	}
}

// compileBoth returns a pattern as a machine and as a simulation.
func compileBoth(t testing.TB, src string) map[string]*Pattern {
	t.Helper()
	p, err := Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	if p.machine == nil {
		t.Fatal("not a machine")
	}
	return map[string]*Pattern{"machine": p, "simulation": stepped(src)}
}

func stepped(src string) *Pattern {
	p, _ := compile(src, func(prog *program) *Pattern { return &Pattern{program: newSimulation(prog)} })
	return p
}

func TestCompileErrors(t *testing.T) {
	letters, _ := category("L") // more of them with each release of Unicode; a class counts what is in it, and itself
	tests := []struct {
		pattern string
		offset  int
		want    string // part of the text
	}{
		{"a(?=b)", 1, "look-ahead is not supported"},
		{"a(?!b)", 1, "look-ahead is not supported"},
		{"(?!b)", 0, "look-ahead is not supported"},
		{"^(?!b)a|c", 1, "look-ahead is not supported"},
		{"^a|^(?!b)c", 4, "look-ahead is not supported"},
		{"^((?!b)c)*", 2, "look-ahead is not supported"},
		{"^(?!(?=a)b)", 4, "look-ahead is not supported"},
		{"^(?!a)*b", 1, "cannot be repeated"},
		{"^(?!a", 1, "a ( without its )"},
		{"^(?!(a{1000}){1000})", 5, "too large"},
		{"(?<=a)b", 0, "look-behind is not supported"},
		{"(?<!a)b", 0, "look-behind is not supported"},
		{`(a)\1`, 3, "back-references are not supported"},
		{`(?<n>a)\k<n>`, 7, "back-references are not supported"},
		{"*", 0, "nothing to repeat"},
		{"a|+", 2, "nothing to repeat"},
		{"{2}", 0, "nothing to repeat before {2}"},
		{"^*", 0, "cannot be repeated"},
		{`a\b+`, 1, "cannot be repeated"},
		{"ba**", 1, "cannot be repeated"},
		{"a{2}{3}", 0, "cannot be repeated"},
		{"a++", 0, "cannot be repeated"},
		{"a{3,2}", 1, "out of order"},
		{"a{,2}", 1, "write {0,2}"},
		{"a{99999}", 0, "too large"},
		{"a{99999999999999999999}", 0, "too large"},
		{"(a{1000}){1000}", 1, "too large"},
		{"a)", 1, "a ) without its ("},
		{"b(a", 1, "a ( without its )"},
		{"b(?:a", 1, "a ( without its )"},
		{"(?", 0, "a ( without its )"},
		{"(?>a)", 0, "not a group"},
		{"(?#a)", 0, "not a group"},
		{"(?<>a)", 0, "not a name"},
		{"(?<1a>a)", 0, "not a name"},
		{"(?<a", 0, "not a name"},
		{"b[a", 1, "a [ without its ]"},
		{"b[a-", 1, "a [ without its ]"},
		{"[z-a]", 1, "a range out of order: z-a"},
		{"[[:alpha:]]", 1, "class of POSIX"},
		{"[]a]", 3, "a class [], which is empty"},
		{`a\`, 1, "nothing after a backslash"},
		{`[a\`, 2, "nothing after a backslash"},
		{`\Aa`, 0, "write ^"},
		{`a\z`, 1, "write $"},
		{`a\Z`, 1, "write $"},
		{`\a`, 0, `\a is not of ECMA-262`},
		{`\Qa\E`, 0, `\Q is not of ECMA-262`},
		{`\pL`, 0, `a property is \p{…}`},
		{`\p{}`, 0, "no property"},
		{`\p{letter}`, 0, `no property of Unicode that is supported: \p{letter}`},
		{`\p{Other_Math}`, 0, "no property"},
		{`\p{sc=greek}`, 0, "no property"},
		{`\p{x=y}`, 0, "no property"},
		{`\p{L`, 0, `a property is \p{…}`},
		{`\x4`, 0, `\xHH`},
		{`\x{41}`, 0, `\u{H…}`},
		{`\u004`, 0, `\uHHHH`},
		{`\u{110000}`, 0, "not a code point"},
		{`\u{}`, 0, `\u{H…}`},
		{`\u{41`, 0, `\u{H…}`},
		{`\u{-1}`, 0, "not a code point"},
		{`\c1`, 0, `\c and a letter`},
		{`\c`, 0, `\c and a letter`},
		{`\01`, 0, "octal"},
		{`[\B]`, 1, `\B is not of ECMA-262`},
		{"é\xff", 2, "not UTF-8"},
		{strings.Repeat("(", 300) + strings.Repeat(")", 300), maxDepth, "nested too deeply"},
		{strings.Repeat(`[\p{L}]`, 200), 7 * (maxRanges / (len(letters) + 2)), "too many characters and classes"},
		{"[" + strings.Repeat(`\p{L}`, 200) + "]", 0, "too many characters and classes"},
	}
	for _, tt := range tests {
		t.Run(tt.pattern[:min(len(tt.pattern), 40)], func(t *testing.T) {
			_, err := Compile(tt.pattern)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Offset != tt.offset || !strings.Contains(e.Text, tt.want) {
				t.Errorf("at offset %d: %s; want %d: %s", e.Offset, e.Text, tt.offset, tt.want)
			}
		})
	}
	const want = `pattern "a(?=b)", offset 1: look-ahead is not supported but after ^ at the begin; write the pattern without it`
	if _, err := Compile("a(?=b)"); err.Error() != want {
		t.Error(err)
	}
}

// TestHostile compiles patterns that are made to be large, and matches them.
func TestHostile(t *testing.T) {
	many := strings.Repeat("a", 2000)
	tests := []struct {
		name, pattern string
		match, not    string
	}{
		{"optional and required", "^(a?){1000}a{1000}$", many, many + "a"},
		{"exponential", "^(a|b)*a(a|b){14}$", many, strings.Repeat("b", 2000)},
		{"exponential in the middle", "x.{30}y", strings.Repeat("x", 40) + "y", strings.Repeat("x", 60)},
		{"nested stars", "^((((((a*)*)*)*)*)*)*$", many, many + "b"},
		{"counted nothing", "^((((){1000}){1000}){1000}){1000}$", "", "a"},
		{"counted anything", `^[\s\S]{0,30000}$`, strings.Repeat("é", 30000), strings.Repeat("é", 30001)},
		{"many characters", "^[^" + runs(0x4e00, 400) + "]*" + runs(0x4e00, 400) + "$", "x" + runs(0x4e00, 400), "x"},
		{"many classes", "^" + classesOf(3000) + "$", strings.Repeat("x", 3000), strings.Repeat("x", 2999)},
		{"many alternatives", "^(" + strings.Repeat("a|", 20000) + "b)*$", many + "b", "c"},
		{"many words", `(\b|a)(\b|a)(\b|a)(\b|a)(\b|a)(\b|a)(\b|a)(\b|a){300}$`, many, "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			p, err := Compile(tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			compiled := time.Since(start)
			if !p.Match(tt.match) || p.Match(tt.not) {
				t.Errorf("matches %v and %v", p.Match(tt.match), p.Match(tt.not))
			}
			t.Logf("compiled in %v (machine: %v), matched in %v", compiled, p.machine != nil, time.Since(start)-compiled)
			if compiled > 5*time.Second {
				t.Error("compiling is not bounded")
			}
		})
	}
}

// runs returns n characters from first.
func runs(first rune, n int) string {
	var s strings.Builder
	for i := range rune(n) {
		s.WriteRune(first + i)
	}
	return s.String()
}

// classesOf returns n classes of which each leaves another character out.
func classesOf(n int) string {
	var s strings.Builder
	for i := range rune(n) {
		s.WriteString("[^" + string(0x4e00+i) + "]")
	}
	return s.String()
}
