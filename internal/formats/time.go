package formats

import "strings"

// Date reports whether s is a full-date (RFC 3339, section 5.6).
func Date(s string) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return false
	}
	century, year, month, day := two(s), two(s[2:]), two(s[5:]), two(s[8:])
	if century < 0 || year < 0 || month < 1 || month > 12 || day < 1 {
		return false
	}
	days := 30 + (month+month>>3)&1
	if month == 2 {
		days = 28
		if year%4 == 0 && (year != 0 || century%4 == 0) {
			days = 29
		}
	}
	return day <= days
}

// DateTime reports whether s is a date-time (RFC 3339, section 5.6).
func DateTime(s string) bool {
	return len(s) > 10 && s[10]|0x20 == 't' && Date(s[:10]) && Time(s[11:])
}

// Time reports whether s is a full-time (RFC 3339, section 5.6). A leap second is the last of a day in UTC.
func Time(s string) bool {
	if len(s) < len("15:04:05Z") || s[2] != ':' || s[5] != ':' {
		return false
	}
	hour, minute, second := two(s), two(s[3:]), two(s[6:])
	if uint(hour) > 23 || uint(minute) > 59 || uint(second) > 60 {
		return false
	}
	if s = s[8:]; s[0] == '.' {
		n := span(s[1:], digit)
		if s = s[1+n:]; n == 0 || s == "" {
			return false
		}
	}
	offset := 0
	if s != "Z" && s != "z" {
		if len(s) != len("+15:04") || s[3] != ':' {
			return false
		}
		hours, minutes := two(s[1:]), two(s[4:])
		if uint(hours) > 23 || uint(minutes) > 59 {
			return false
		}
		switch offset = hours*60 + minutes; s[0] {
		case '+':
		case '-':
			offset = -offset
		default:
			return false
		}
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+day)%day == day-1
}

// two returns the number of two digits that s begins with, or a negative one.
func two(s string) int {
	a, b := s[0]-'0', s[1]-'0'
	if a > 9 || b > 9 {
		return -1
	}
	return int(a)*10 + int(b)
}

// Duration reports whether s is a duration (RFC 3339, appendix A).
func Duration(s string) bool {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok || rest == "" || s[len(s)-1] == 'T' {
		return false
	}
	date, clock, timed := strings.Cut(rest, "T")
	if date != "" && date[len(date)-1] == 'W' {
		return !timed && units(date, "W")
	}
	return units(date, "YMD") && units(clock, "HMS")
}

// units reports whether s is numbers each with one of the units, which come in their order without a gap.
func units(s, all string) bool {
	for last := -1; s != ""; {
		n := span(s, digit)
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
