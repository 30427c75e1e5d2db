// Package ecma turns regular expressions of ECMA-262, as JSON Schema has them, into those of package regexp.
package ecma

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Expr returns the expression in the syntax of package regexp that matches what expr matches by ECMA-262 with its
// flag u. What package regexp does not have, such as back-references and look-around, stays as it is and does not
// compile; what is of that package's syntax alone, such as (?P<name>…), stays too.
func Expr(expr string) string {
	t := translator{in: expr}
	for t.i < len(t.in) {
		t.next()
	}
	return t.out.String()
}

// What \s matches, and what \S does: white space and the ends of lines (ECMA-262, sections 12.2 and 12.3).
const (
	space    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	notSpace = `\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

type translator struct {
	in    string
	i     int
	class bool // within brackets
	out   strings.Builder
}

// next turns what comes next.
func (t *translator) next() {
	switch c := t.in[t.i]; {
	case c == '\\' && t.i+1 < len(t.in):
		t.i++
		t.escape()
	case c == '[' && !t.class:
		t.open()
	case c == '[':
		t.put(1, `\[`) // else [: would begin a class by name
	case c == ']':
		t.class = false
		t.put(1, "]")
	case c == '-' && t.class && strings.HasPrefix(strings.ToLower(t.in[t.i+1:]), `\s`):
		t.put(1, `\-`) // no range has a set for an end
	case c == '.' && !t.class:
		t.put(1, `[^\n\r\x{2028}\x{2029}]`)
	case strings.HasPrefix(t.in[t.i:], "(?<") && !t.class && !strings.HasPrefix(t.in[t.i+3:], "=") && !strings.HasPrefix(t.in[t.i+3:], "!"):
		t.put(3, "(?P<")
	default:
		_, n := utf8.DecodeRuneInString(t.in[t.i:])
		t.put(n, t.in[t.i:t.i+n])
	}
}

// put writes text for the next n bytes.
func (t *translator) put(n int, text string) {
	t.i += n
	t.out.WriteString(text)
}

// open turns the bracket that begins a class. One that has nothing in it matches nothing, or anything.
func (t *translator) open() {
	switch rest := t.in[t.i:]; {
	case strings.HasPrefix(rest, "[]"):
		t.put(2, `[^\x00-\x{10ffff}]`)
	case strings.HasPrefix(rest, "[^]"):
		t.put(3, `[\x00-\x{10ffff}]`)
	case strings.HasPrefix(rest, "[^"):
		t.class = true
		t.put(2, "[^")
	default:
		t.class = true
		t.put(1, "[")
	}
}

// escape turns what stands behind a backslash.
func (t *translator) escape() {
	switch c := t.in[t.i]; {
	case c == 's' || c == 'S':
		t.space(c == 's')
	case c == 'b' && t.class:
		t.put(1, `\x08`)
	case c == '0' && (t.i+1 == len(t.in) || t.in[t.i+1] < '0' || t.in[t.i+1] > '9'):
		t.put(1, `\x00`)
	case c == 'c' && t.i+1 < len(t.in) && 'a' <= t.in[t.i+1]|0x20 && t.in[t.i+1]|0x20 <= 'z':
		t.rune(2, rune(t.in[t.i+1]&31))
	case c == 'u':
		t.unicode()
	case (c == 'p' || c == 'P') && strings.HasPrefix(t.in[t.i+1:], "{"):
		name, _, _ := strings.Cut(t.in[t.i+2:], "}")
		_, value, ok := strings.Cut(name, "=") // of a script or a general category
		if !ok {
			value = name
		}
		t.put(2+len(name), `\`+string(c)+"{"+value)
	default:
		_, n := utf8.DecodeRuneInString(t.in[t.i:])
		t.put(n, `\`+t.in[t.i:t.i+n])
	}
}

// space turns \s, or \S unless is is set.
func (t *translator) space(is bool) {
	switch {
	case t.class && is:
		t.put(1, space)
	case t.class:
		t.put(1, notSpace)
	case is:
		t.put(1, "["+space+"]")
	default:
		t.put(1, "[^"+space+"]")
	}
	if t.class && strings.HasPrefix(t.in[t.i:], "-") {
		t.put(1, `\-`)
	}
}

// unicode turns \uXXXX, two of them for a character beyond 16 bits, and \u{X}.
func (t *translator) unicode() {
	rest := t.in[t.i+1:]
	if text, _, ok := strings.Cut(rest, "}"); ok && strings.HasPrefix(text, "{") {
		if x, err := strconv.ParseUint(text[1:], 16, 21); err == nil {
			t.rune(len(text)+2, rune(x))
			return
		}
	}
	high, ok := hex4(rest)
	if !ok {
		t.put(1, `\u`)
		return
	}
	if 0xd800 <= high && high < 0xdc00 && strings.HasPrefix(rest[4:], `\u`) {
		if low, ok := hex4(rest[6:]); ok && 0xdc00 <= low && low < 0xe000 {
			t.rune(11, (high-0xd800)<<10+low-0xdc00+0x10000)
			return
		}
	}
	t.rune(5, high)
}

// rune writes r for the next n bytes.
func (t *translator) rune(n int, r rune) { t.put(n, `\x{`+strconv.FormatInt(int64(r), 16)+"}") }

// hex4 returns the number that s begins with in four hexadecimal digits.
func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	x, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(x), err == nil
}
