package formats

import "strings"

// URI reports whether s is a URI (RFC 3986, section 3). Package net/url is not used, nor net/netip for addresses: with
// them every program that holds this package would be linked with a table of addresses.
func URI(s string) bool {
	n := 0
	for n < len(s) && (kinds[s[n]]&(alpha|digit) != 0 || s[n] == '+' || s[n] == '-' || s[n] == '.') {
		n++
	}
	if n == 0 || n == len(s) || s[n] != ':' || kinds[s[0]]&alpha == 0 {
		return false
	}
	if s = s[n+1:]; len(s) >= 2 && s[:2] == "//" {
		if s = s[2:]; !authority(&s) {
			return false
		}
	}
	s = s[uriSpan(s, path):]
	if s != "" && s[0] == '?' {
		s = s[1+uriSpan(s[1:], query):]
	}
	if s != "" && s[0] == '#' {
		s = s[1+uriSpan(s[1:], query):]
	}
	return s == ""
}

// authority cuts the authority of a URI (RFC 3986, section 3.2) from *s, and reports whether it is one.
func authority(s *string) bool {
	all := *s
	end := 0
	for end < len(all) && all[end] != '/' && all[end] != '?' && all[end] != '#' {
		end++
	}
	a := all[:end]
	*s = all[end:]
	if n := uriSpan(a, userinfo); n < len(a) && a[n] == '@' {
		a = a[n+1:]
	}
	if strings.HasPrefix(a, "[") {
		n := strings.IndexByte(a, ']')
		if n < 0 || !IPv6(a[1:n]) && !isIPvFuture(a[1:n]) {
			return false
		}
		a = a[n+1:]
	} else {
		a = a[uriSpan(a, host):]
	}
	return a == "" || a[0] == ':' && span(a[1:], digit) == len(a)-1
}

// isIPvFuture reports whether s is an address of a version of IP to come (RFC 3986, section 3.2.2).
func isIPvFuture(s string) bool {
	if s == "" || s[0]|0x20 != 'v' {
		return false
	}
	s = s[1:]
	n := span(s, hex)
	if n == 0 || len(s) < n+2 || s[n] != '.' {
		return false
	}
	s = s[n+1:]
	return span(s, userinfo) == len(s)
}

// uriSpan returns how many bytes of kind s begins with, octets in percent-encoding among them.
func uriSpan(s string, kind uint16) int {
	for i := 0; i < len(s); i++ {
		if kinds[s[i]]&kind != 0 {
			continue
		}
		if s[i] != '%' || len(s)-i < 3 || kinds[s[i+1]]&kinds[s[i+2]]&hex == 0 {
			return i
		}
		i += 2
	}
	return len(s)
}
