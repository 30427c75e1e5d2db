package plan

import (
	"fmt"
	"strings"
)

// checkKey is the key of the tag that holds the rules of a field, in every format.
const checkKey = "check"

// ruleWord is one word of a tag check: NAME or NAME=ARGUMENT.
type ruleWord struct {
	name string // without the prefixes items, keys and values
	arg  string
	has  bool // there is an argument
}

// cutRuleWord returns the first word of text and what comes after its comma. An argument, or a part of one between
// bars, may stand in single quotes, within which a quote is written twice.
func cutRuleWord(text string) (w ruleWord, rest string, err error) {
	n := strings.IndexAny(text, ",=")
	if n < 0 {
		return ruleWord{name: text}, "", nil
	}
	w.name, rest = text[:n], text[n+1:]
	if text[n] == ',' {
		return w, rest, nil
	}
	w.has = true
	start, quoted := true, false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case quoted:
			if c == '\'' && i+1 < len(rest) && rest[i+1] == '\'' {
				i++
			} else if c == '\'' {
				quoted = false
			}
		case c == '\'' && start:
			quoted = true
		case c == ',':
			w.arg = rest[:i]
			return w, rest[i+1:], nil
		}
		start = !quoted && rest[i] == '|'
	}
	if quoted {
		return w, "", fmt.Errorf("%s=%s: a quote is not closed", w.name, rest)
	}
	w.arg = rest
	return w, "", nil
}

// text returns the argument without its quotes.
func (w *ruleWord) text() string { return unquoteRule(w.arg) }

// list returns the parts of the argument between bars, without their quotes.
func (w *ruleWord) list() (parts []string) {
	rest, start, quoted := w.arg, true, false
	from := 0
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\'' && (start || quoted):
			if quoted && i+1 < len(rest) && rest[i+1] == '\'' {
				i++
			} else {
				quoted = !quoted
			}
		case c == '|' && !quoted:
			parts = append(parts, unquoteRule(rest[from:i]))
			from = i + 1
			start = true
			continue
		}
		start = false
	}
	return append(parts, unquoteRule(rest[from:]))
}

func unquoteRule(s string) string {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' {
		return s
	}
	return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
}

// hasWord reports whether a word stands in the text of a tag check.
func hasWord(text, name string) bool {
	for text != "" {
		w, rest, err := cutRuleWord(text)
		if err != nil {
			return false
		}
		if w.name == name {
			return true
		}
		text = rest
	}
	return false
}
