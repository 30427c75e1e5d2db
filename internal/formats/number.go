package formats

// Decimal reports whether s is a number in JSON's grammar, or with a plus or zeros before it.
func Decimal(s string) bool {
	s = s[sign(s):]
	n := span(s, digit)
	if s = s[n:]; n == 0 {
		return false
	}
	if s != "" && s[0] == '.' {
		n := span(s[1:], digit)
		if s = s[1+n:]; n == 0 {
			return false
		}
	}
	if s != "" && s[0]|0x20 == 'e' {
		s = s[1:]
		s = s[sign(s):]
		return s != "" && span(s, digit) == len(s)
	}
	return s == ""
}

// sign returns the length of the sign that s may begin with.
func sign(s string) int {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return 1
	}
	return 0
}

// Base64 reports whether s is in base64 with padding (RFC 4648, section 4). As in package encoding/base64, lines may be
// ended anywhere and the bits that are left over may be any.
func Base64(s string) bool {
	n, padding := 0, 0
	for s != "" {
		k := 0
		if padding == 0 {
			k = span(s, base64)
			n += k
		}
		if s = s[k:]; s == "" {
			break
		}
		switch c := s[0]; {
		case c == '=' && (n+padding)%4 >= 2 && padding < 2:
			padding++
		case c != '\r' && c != '\n':
			return false
		}
		s = s[1:]
	}
	return (n+padding)%4 == 0
}
