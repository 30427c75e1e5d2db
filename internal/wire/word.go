package wire

import "strings"

// Word returns the i-th of the words of a text, which a space stands between. A table of short strings would be
// several times the size of the text, in every program that links it.
func Word(text string, i int) string {
	for ; i > 0; i-- {
		text = text[strings.IndexByte(text, ' ')+1:]
	}
	if end := strings.IndexByte(text, ' '); end >= 0 {
		text = text[:end]
	}
	return text
}
