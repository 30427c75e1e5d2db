package formats

import "strings"

// Email reports whether s is a mailbox (RFC 5321, section 4.1.2) of which the parts are not too long
// (section 4.5.3.1).
func Email(s string) bool {
	if len(s) > 254 {
		return false
	}
	n := dotString(s)
	if strings.HasPrefix(s, `"`) {
		n = quoted(s)
	}
	if n == 0 || n > 64 || len(s) < n+2 || s[n] != '@' {
		return false
	}
	domain := s[n+1:]
	if domain[0] == '[' {
		return domain[len(domain)-1] == ']' && isAddressLiteral(domain[1:len(domain)-1])
	}
	return isDomain(domain)
}

// dotString returns the length of the Dot-string that s begins with: Atoms between dots. It is 0 where there is none.
func dotString(s string) int {
	for i := 0; ; i++ {
		n := span(s[i:], atom)
		if n == 0 {
			return 0
		}
		if i += n; i == len(s) || s[i] != '.' {
			return i
		}
	}
}

// quoted returns the length of the Quoted-string that s begins with, and 0 where there is none.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '"' {
			return i + 1
		}
		if s[i] == '\\' {
			i++
		}
		if i == len(s) || s[i] < ' ' || s[i] > '~' {
			break
		}
	}
	return 0
}

// isDomain reports whether s is labels between dots.
func isDomain(s string) bool {
	for {
		n := label(s)
		if n == 0 || n == len(s) {
			return n > 0
		}
		if s[n] != '.' {
			return false
		}
		s = s[n+1:]
	}
}

// label returns the length of the label that s begins with: letters, digits and hyphens, 63 at most, no hyphen at an
// end. It is 0 where there is none.
func label(s string) int {
	n := 0
	for n < len(s) && (kinds[s[n]]&(alpha|digit) != 0 || s[n] == '-') {
		n++
	}
	if n == 0 || n > 63 || s[0] == '-' || s[n-1] == '-' {
		return 0
	}
	return n
}

// isAddressLiteral reports whether s is an address that stands for a domain: of IPv4, of IPv6 or, with its tag
// before it, of another kind.
func isAddressLiteral(s string) bool {
	tag, rest, ok := strings.Cut(s, ":")
	switch {
	case !ok:
		return IPv4(s)
	case strings.EqualFold(tag, "IPv6"):
		return IPv6(rest)
	}
	for i := range len(rest) {
		if c := rest[i]; c < '!' || c > '~' || '[' <= c && c <= ']' {
			return false
		}
	}
	return rest != "" && tag != "" && label(tag) == len(tag)
}
