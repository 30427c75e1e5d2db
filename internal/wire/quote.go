package wire

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quote returns s quoted, cut when it is long: as errors show it.
func Quote(s string) string {
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}

// Short returns s, cut when it is long: as errors show it without quotes.
func Short(s string) string { return Cut(s, most) }

// Cut returns s, cut after at most n bytes.
func Cut(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}

// Printable returns s with nothing in it that could steer a terminal or add a line to a log: what is not printable, or
// not UTF-8, is escaped as in a Go string.
func Printable(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			quoted := strconv.Quote(s)
			return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
		}
	}
	return s
}

// most is how many bytes errors show of a text.
const most = 64

// OneOf returns the names, quoted, as alternatives.
func OneOf(names []string) string {
	var b []byte
	for i, s := range names {
		if i > 0 {
			b = append(b, " or "...)
		}
		b = append(b, Quote(s)...)
	}
	return string(b)
}
