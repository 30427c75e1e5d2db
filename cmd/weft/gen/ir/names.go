package ir

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are the words Go writes in one case.
var initialisms = map[string]bool{
	"acl": true, "api": true, "ascii": true, "cpu": true, "css": true, "dns": true, "eof": true,
	"guid": true, "html": true, "http": true, "https": true, "id": true, "ip": true, "json": true,
	"jwt": true, "lhs": true, "mac": true, "mfa": true, "ok": true, "qps": true, "ram": true, "rhs": true,
	"rpc": true, "sdk": true, "sla": true, "smtp": true, "sms": true, "sql": true, "ssh": true, "sso": true,
	"tcp": true, "tls": true, "ttl": true, "udp": true, "ui": true, "uid": true, "uri": true, "url": true,
	"utc": true, "utf8": true, "uuid": true, "vm": true, "vpc": true, "xml": true, "xss": true, "yaml": true,
}

// longestInitialism is the length of the longest of them.
const longestInitialism = 5

// symbols are spelled out where a name has nothing else to tell it apart.
var symbols = map[rune]string{
	'+': "Plus", '-': "Minus", '*': "Star", '/': "Slash", '<': "Less", '>': "Greater", '=': "Equal",
	'!': "Not", '&': "And", '|': "Or", '%': "Percent", '$': "Dollar", '#': "Hash", '@': "At", '.': "Dot",
	',': "Comma", ':': "Colon", ';': "Semicolon", '?': "Question", '~': "Tilde", '^': "Caret", '_': "Underscore",
	'(': "Open", ')': "Close", '[': "OpenBracket", ']': "CloseBracket", '{': "OpenBrace", '}': "CloseBrace",
	'\'': "Quote", '"': "DoubleQuote", '`': "Backquote", '\\': "Backslash", ' ': "Space",
}

// GoName returns the exported Go name for the words of text, "" when text is
// empty. Different texts may give the same name; see [Scope].
func GoName(text string) string {
	name := GoSuffix(text)
	if name == "" {
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
		name = "X" + name // a digit, or a letter without case
	}
	return name
}

// GoSuffix is [GoName] for what stands behind another name: it may begin with a
// digit.
func GoSuffix(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	words := split(text)
	for _, w := range words {
		b.WriteString(title(w, len(words) == 1 && len(w) == len(text)))
	}
	name := b.String()
	if lead := text[0]; (lead == '-' || lead == '+') && name != "" {
		name = symbols[rune(lead)] + name
	}
	if name == "" {
		for _, r := range text {
			name += symbols[r]
		}
	}
	if name == "" {
		name = "X"
	}
	return name
}

// title returns the word with a capital, or whole in capitals.
func title(w string, alone bool) string {
	lower := strings.ToLower(w)
	if len(lower) <= longestInitialism && initialisms[lower] {
		return strings.ToUpper(w)
	}
	if n := len(lower); n > 2 && n <= longestInitialism+1 && lower[n-1] == 's' && initialisms[lower[:n-1]] {
		return strings.ToUpper(w[:n-1]) + "s"
	}
	if alone && len(w) <= 4 && w == strings.ToUpper(w) {
		return w // "USD", "ASC"
	}
	r, n := utf8.DecodeRuneInString(lower)
	return string(unicode.ToUpper(r)) + lower[n:]
}

// split returns the words of text: runs of letters and digits, parted where the
// case says that a word begins.
func split(text string) []string {
	var words []string
	rs := []rune(text)
	for i := 0; i < len(rs); {
		if !unicode.IsLetter(rs[i]) && !unicode.IsDigit(rs[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(rs) && (unicode.IsLetter(rs[j]) || unicode.IsDigit(rs[j])) && !begins(rs, j) {
			j++
		}
		words = append(words, string(rs[i:j]))
		i = j
	}
	return words
}

// begins reports whether a word begins at rs[i], inside a run of letters.
func begins(rs []rune, i int) bool {
	if !unicode.IsUpper(rs[i]) {
		return false
	}
	if !unicode.IsUpper(rs[i-1]) {
		return true // "petStore", "v2Model"
	}
	// "HTTPServer": the S begins a word, but not that of "IDs".
	return i+1 < len(rs) && unicode.IsLower(rs[i+1]) && !(rs[i+1] == 's' && (i+2 == len(rs) || !unicode.IsLower(rs[i+2])))
}
