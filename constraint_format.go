package weft

import (
	"encoding/base64"
	"strings"
	"time"
)

// CheckFormat returns an error unless s is as the format of JSON Schema and
// OpenAPI says: date, time, date-time, duration, uuid, ipv4, ipv6, uri, email,
// decimal or byte. Other formats hold for every string.
func CheckFormat(s, format string) error {
	ok, what := true, format
	switch format {
	case "uuid":
		return CheckUUID(s)
	case "date":
		_, err := time.Parse(time.DateOnly, s)
		ok = err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339Nano, s)
		ok = err == nil
	case "time":
		_, err := time.Parse("15:04:05.999999999Z07:00", s)
		ok = err == nil && len(s) > 8 && s[2] == ':'
	case "duration":
		ok = isDuration(s)
	case "ipv4":
		ok, what = isIPv4(s), "IPv4 address"
	case "ipv6":
		ok, what = isIPv6(s), "IPv6 address"
	case "uri":
		ok, what = isURI(s), "URI"
	case "email":
		ok, what = isEmail(s), "email address"
	case "decimal":
		ok = isDecimal(s)
	case "byte":
		_, err := base64.StdEncoding.DecodeString(s)
		ok, what = err == nil, "base64 string"
	}
	if ok {
		return nil
	}
	article := "a "
	if strings.ContainsRune("aeioIEu", rune(what[0])) {
		article = "an "
	}
	if what == "URI" {
		article = "a "
	}
	return &ConstraintError{Rule: "be " + article + what, Value: short(s)}
}

// isDuration reports whether s is a duration (RFC 3339, appendix A).
func isDuration(s string) bool {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok || rest == "" || strings.HasSuffix(s, "T") {
		return false
	}
	date, clock, timed := strings.Cut(rest, "T")
	if strings.HasSuffix(date, "W") {
		return !timed && units(date, "W")
	}
	return units(date, "YMD") && units(clock, "HMS")
}

// units reports whether s is numbers each with one of the units, which come in
// their order without a gap.
func units(s, all string) bool {
	last := -1
	for s != "" {
		n := 0
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) {
			return false
		}
		at := strings.IndexByte(all, s[n])
		if at <= last || last >= 0 && at != last+1 {
			return false
		}
		last, s = at, s[n+1:]
	}
	return true
}

// isURI reports whether s is a URI (RFC 3986, section 3), of which characters beyond ASCII may be part as they
// are. Like the addresses below it is read here and not by package net/url, nor these by net/netip: with them
// every program that holds this package would be linked with a table of addresses.
func isURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || !isAlpha(scheme[0]) {
		return false
	}
	for i := range len(scheme) {
		if c := scheme[i]; !isAlpha(c) && !isDigit(c) && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	for i := range len(rest) {
		switch c := rest[i]; {
		case c <= ' ', c == 0x7f, strings.IndexByte("\\^`{|}<>\"", c) >= 0:
			return false
		case c == '%' && (len(rest)-i < 3 || !isHex(rest[i+1]) || !isHex(rest[i+2])):
			return false
		}
	}
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return true
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if strings.ContainsAny(rest[:at], "[]@") {
			return false
		}
		rest = rest[at+1:]
	}
	port := ""
	if host, ok := strings.CutPrefix(rest, "["); ok {
		address, after, closed := strings.Cut(host, "]")
		if !closed || !isIPv6(address) {
			return false
		}
		if port, ok = strings.CutPrefix(after, ":"); !ok {
			return after == ""
		}
	} else if rest, port, _ = strings.Cut(rest, ":"); strings.ContainsAny(rest, "[]") {
		return false
	}
	return strings.Trim(port, "0123456789") == ""
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isIPv4 reports whether s is an IPv4 address (RFC 3986, section 3.2.2).
func isIPv4(s string) bool {
	for i := range 4 {
		part, rest, more := strings.Cut(s, ".")
		if more != (i < 3) || part == "" || len(part) > 3 || len(part) > 1 && part[0] == '0' {
			return false
		}
		n := 0
		for j := range len(part) {
			c := part[j]
			if c < '0' || '9' < c {
				return false
			}
			n = n*10 + int(c-'0')
		}
		if n > 255 {
			return false
		}
		s = rest
	}
	return true
}

// isIPv6 reports whether s is an IPv6 address without a zone (RFC 4291, section 2.2).
func isIPv6(s string) bool {
	head, tail, short := strings.Cut(s, "::")
	n, ok := isGroups(head, !short)
	if !short {
		return ok && n == 8
	}
	m, last := isGroups(tail, true)
	return ok && last && n+m < 8
}

// isGroups returns how many groups of 16 bits s has, which may be empty, and whether it is nothing else. Where s is
// the end of the address, an IPv4 address may take the place of the last two.
func isGroups(s string, end bool) (n int, ok bool) {
	for more := s != ""; more; {
		var part string
		part, s, more = strings.Cut(s, ":")
		if end && !more && strings.IndexByte(part, '.') >= 0 {
			return n + 2, isIPv4(part)
		}
		if part == "" || len(part) > 4 || strings.Trim(part, "0123456789abcdefABCDEF") != "" {
			return n, false
		}
		n++
	}
	return n, true
}

func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at == len(s)-1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if strings.ContainsAny(domain, " \t\r\n@") || strings.HasPrefix(domain, ".") || strings.HasSuffix(domain, ".") || strings.Contains(domain, "..") {
		return false
	}
	if len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"' {
		return true
	}
	return !strings.ContainsAny(local, " \t\r\n@\"(),:;<>[\\]") && local[0] != '.' && local[len(local)-1] != '.' && !strings.Contains(local, "..")
}

// isDecimal reports whether s is a number in JSON's grammar, or with a plus.
func isDecimal(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	digits := func() bool {
		n := 0
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n > 0
	}
	if !digits() {
		return false
	}
	if strings.HasPrefix(s, ".") {
		if s = s[1:]; !digits() {
			return false
		}
	}
	if s != "" && s[0]|0x20 == 'e' {
		if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		return digits() && s == ""
	}
	return s == ""
}
