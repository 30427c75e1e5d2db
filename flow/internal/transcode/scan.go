package transcode

import "bytes"

// jsonElements looks at the elements of an array, or the members of an object, that
// b begins with: end is the index of the comma or bracket behind those that are whole, -1 where
// none is. It finds their ends only: whoever reads them finds out whether they are JSON.
func jsonElements(b []byte) (end, n int, closed bool) {
	end, depth := -1, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			j := stringEnd(b, i)
			if j < 0 {
				return end, n, false
			}
			i = j
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth < 0 {
				if !blank(b[end+1 : i]) {
					n++
				}
				return i, n, true
			}
		case ',':
			if depth == 0 {
				end, n = i, n+1
			}
		}
	}
	return end, n, false
}

// stringEnd returns the index of the quote that ends the string which begins at
// b[i], or -1.
func stringEnd(b []byte, i int) int {
	for i++; ; i++ {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return -1
		}
		i += j
		n := 0
		for b[i-1-n] == '\\' { // ends at the first quote
			n++
		}
		if n%2 == 0 {
			return i
		}
	}
}

// jsonValue returns the index after the value that b begins with, behind blanks, or
// -1. With eof nothing follows b.
func jsonValue(b []byte, eof bool) int {
	i := skipBlanks(b, 0)
	if i == len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		if end := stringEnd(b, i); end >= 0 {
			return end + 1
		}
		return -1
	case '[', '{':
		if end, _, closed := jsonElements(b[i+1:]); closed {
			return i + 1 + end + 1
		}
		return -1
	}
	for ; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n', ',', ']', '}':
			return i
		}
	}
	if eof {
		return i
	}
	return -1
}

func blank(b []byte) bool { return skipBlanks(b, 0) == len(b) }

func skipBlanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}
