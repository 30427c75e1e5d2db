package weft

import (
	"encoding/base64"
	"net/netip"
	"net/url"
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
		a, err := netip.ParseAddr(s)
		ok, what = err == nil && a.Is4(), "IPv4 address"
	case "ipv6":
		a, err := netip.ParseAddr(s)
		ok, what = err == nil && a.Is6() && a.Zone() == "", "IPv6 address"
	case "uri":
		u, err := url.Parse(s)
		ok, what = err == nil && u.IsAbs() && !strings.ContainsAny(s, " \\^`{|}<>\""), "URI"
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
