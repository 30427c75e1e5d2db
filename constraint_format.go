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
		if ok = len(s) > 10 && s[10]|0x20 == 't' && isClock(s[11:]); ok {
			_, err := time.Parse(time.DateOnly, s[:10])
			ok = err == nil
		}
	case "time":
		ok = isClock(s)
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

// isClock reports whether s is a full-time (RFC 3339, section 5.6). A leap second is the last of a day in UTC.
func isClock(s string) bool {
	hour, minute, ok := hourMinute(s)
	if !ok || len(s) < len("15:04:05Z") || s[5] != ':' || !isDigit(s[6]) || !isDigit(s[7]) {
		return false
	}
	second := int(s[6]-'0')*10 + int(s[7]-'0')
	if s = s[8:]; s[0] == '.' {
		n := 1
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		if s = s[n:]; n == 1 || s == "" {
			return false
		}
	}
	offset := 0
	if s != "Z" && s != "z" {
		hours, minutes, ok := hourMinute(s[1:])
		if !ok || len(s) != len("+15:04") || s[0] != '+' && s[0] != '-' {
			return false
		}
		if offset = hours*60 + minutes; s[0] == '-' {
			offset = -offset
		}
	}
	const day = 24 * 60
	return second < 60 || second == 60 && (hour*60+minute-offset+day)%day == day-1
}

// hourMinute returns the hour and the minute that s begins with.
func hourMinute(s string) (hour, minute int, ok bool) {
	if len(s) < len("15:04") || s[2] != ':' || !isDigit(s[0]) || !isDigit(s[1]) || !isDigit(s[3]) || !isDigit(s[4]) {
		return 0, 0, false
	}
	hour, minute = int(s[0]-'0')*10+int(s[1]-'0'), int(s[3]-'0')*10+int(s[4]-'0')
	return hour, minute, hour < 24 && minute < 60
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

// isURI reports whether s is a URI (RFC 3986, section 3). Like the addresses below it is read here and not by package
// net/url, nor these by net/netip: with them every program that holds this package would be linked with a table of
// addresses.
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
	rest, fragment, _ := strings.Cut(rest, "#")
	path, query, _ := strings.Cut(rest, "?")
	if !inURI(fragment, ":@/?") || !inURI(query, ":@/?") {
		return false
	}
	if rest, ok = strings.CutPrefix(path, "//"); ok {
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		if path = rest[end:]; !isAuthority(rest[:end]) {
			return false
		}
	}
	return inURI(path, ":@/")
}

// isAuthority reports whether s is the authority of a URI (RFC 3986, section 3.2).
func isAuthority(s string) bool {
	if user, host, ok := strings.Cut(s, "@"); ok {
		if !inURI(user, ":") {
			return false
		}
		s = host
	}
	port := ""
	if rest, ok := strings.CutPrefix(s, "["); ok {
		address, after, closed := strings.Cut(rest, "]")
		if !closed || !isIPv6(address) && !isIPvFuture(address) {
			return false
		}
		if port, ok = strings.CutPrefix(after, ":"); !ok && after != "" {
			return false
		}
	} else if s, port, _ = strings.Cut(s, ":"); !inURI(s, "") {
		return false
	}
	return strings.Trim(port, "0123456789") == ""
}

// isIPvFuture reports whether s is an address of a version of IP to come (RFC 3986, section 3.2.2).
func isIPvFuture(s string) bool {
	version, address, _ := strings.Cut(s, ".")
	return len(version) > 1 && version[0]|0x20 == 'v' && strings.Trim(version[1:], hexDigits) == "" &&
		address != "" && !strings.Contains(address, "%") && inURI(address, ":")
}

const hexDigits = "0123456789abcdefABCDEF"

// inURI reports whether s has but characters that parts of a URI may have: unreserved ones, sub-delimiters, octets
// in percent-encoding (RFC 3986, section 2), and those of also.
func inURI(s, also string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isAlpha(c), isDigit(c), strings.IndexByte("-._~!$&'()*+,;=", c) >= 0, strings.IndexByte(also, c) >= 0:
		case c == '%' && len(s)-i > 2 && isHex(s[i+1]) && isHex(s[i+2]):
			i += 2
		default:
			return false
		}
	}
	return true
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
		if part == "" || len(part) > 4 || strings.Trim(part, hexDigits) != "" {
			return n, false
		}
		n++
	}
	return n, true
}

// isEmail reports whether s is a mailbox (RFC 5321, section 4.1.2) of which the parts are not too long
// (section 4.5.3.1).
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if local[0] == '"' {
		if !isQuoted(local) {
			return false
		}
	} else if !each(local, isAtom) {
		return false
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		return ok && isAddressLiteral(literal)
	}
	return each(domain, isLabel)
}

// each reports whether f holds for all parts of s between dots.
func each(s string, f func(string) bool) bool {
	for more := true; more; {
		var part string
		if part, s, more = strings.Cut(s, "."); !f(part) {
			return false
		}
	}
	return true
}

// isAtom reports whether s is an Atom (RFC 5322, section 3.2.3).
func isAtom(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlpha(c) && !isDigit(c) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// isQuoted reports whether s is a Quoted-string.
func isQuoted(s string) bool {
	if len(s) < 2 || s[len(s)-1] != '"' {
		return false
	}
	s = s[1 : len(s)-1]
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == '"' {
			return false
		}
		if i == len(s) || s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isLabel reports whether s is a part of a domain: letters, digits and hyphens, none of these at an end.
func isLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlpha(c) && !isDigit(c) && (c != '-' || i == 0 || i == len(s)-1) {
			return false
		}
	}
	return s != "" && len(s) <= 63
}

// isAddressLiteral reports whether s is an address that stands for a domain: of IPv4, of IPv6 or, with its tag
// before it, of another kind.
func isAddressLiteral(s string) bool {
	tag, rest, ok := strings.Cut(s, ":")
	switch {
	case !ok:
		return isIPv4(s)
	case strings.EqualFold(tag, "IPv6"):
		return isIPv6(rest)
	}
	for i := range len(rest) {
		if c := rest[i]; c < '!' || c > '~' || '[' <= c && c <= ']' {
			return false
		}
	}
	return isLabel(tag) && rest != ""
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
