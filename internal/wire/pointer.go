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

// FollowPointer returns where the value stands that a JSON pointer leads to from the one at i, or the last one on the
// way that there is: child returns where the member or element of the value at i stands that a token names, or -1.
func FollowPointer(i int, pointer string, child func(i int, token string) int) int {
	for pointer != "" {
		token, rest, more := strings.Cut(pointer[1:], "/")
		k := child(i, UnescapeToken(token))
		if k < 0 {
			break
		}
		if i, pointer = k, ""; more {
			pointer = "/" + rest
		}
	}
	return i
}

// UnescapeToken undoes the escapes of a reference token.
func UnescapeToken(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
