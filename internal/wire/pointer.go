package wire

import "strings"

// AppendPointer appends one reference token to a JSON pointer (RFC 6901 §3).
func AppendPointer(path []byte, token string) []byte {
	path = append(path, '/')
	if !strings.ContainsAny(token, "~/") {
		return append(path, token...)
	}
	for i := range len(token) {
		switch c := token[i]; c {
		case '~':
			path = append(path, "~0"...)
		case '/':
			path = append(path, "~1"...)
		default:
			path = append(path, c)
		}
	}
	return path
}
