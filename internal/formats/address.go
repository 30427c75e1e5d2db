package formats

// IPv4 reports whether s is an IPv4 address (RFC 3986, section 3.2.2).
func IPv4(s string) bool {
	for part := 1; ; part++ {
		n := span(s[:min(len(s), 4)], digit)
		switch x := s[:n]; n {
		case 1:
		case 2, 3:
			if x[0] == '0' || n == 3 && x > "255" {
				return false
			}
		default:
			return false
		}
		if s = s[n:]; part == 4 || s == "" || s[0] != '.' {
			return part == 4 && s == ""
		}
		s = s[1:]
	}
}

// IPv6 reports whether s is an IPv6 address without a zone (RFC 4291, section 2.2).
func IPv6(s string) bool {
	groups, gap := 0, false
	if len(s) >= 2 && s[:2] == "::" {
		gap = true
		s = s[2:]
	}
	for s != "" {
		n := span(s[:min(len(s), 5)], hex)
		if n == 0 || n > 4 {
			return false
		}
		if n < len(s) && s[n] == '.' { // the last two groups, as an IPv4 address
			if groups += 2; !IPv4(s) {
				return false
			}
			break
		}
		groups++
		if s = s[n:]; s == "" {
			break
		}
		if len(s) == 1 || s[0] != ':' {
			return false
		}
		if s = s[1:]; s[0] == ':' {
			if gap {
				return false
			}
			gap = true
			s = s[1:]
		}
	}
	return gap && groups < 8 || !gap && groups == 8
}
