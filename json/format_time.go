package json

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/weftcodec/weft/internal/wire"
)

// layouts are those of package time, by name.
var layouts = [...]struct{ name, layout string }{
	{"ANSIC", time.ANSIC}, {"UnixDate", time.UnixDate}, {"RubyDate", time.RubyDate},
	{"RFC822", time.RFC822}, {"RFC822Z", time.RFC822Z}, {"RFC850", time.RFC850},
	{"RFC1123", time.RFC1123}, {"RFC1123Z", time.RFC1123Z},
	{"Kitchen", time.Kitchen}, {"Stamp", time.Stamp}, {"StampMilli", time.StampMilli},
	{"StampMicro", time.StampMicro}, {"StampNano", time.StampNano},
	{"DateTime", time.DateTime}, {"DateOnly", time.DateOnly}, {"TimeOnly", time.TimeOnly},
}

// timeFormatOf returns the format of the name. A name of letters and digits alone that is not known is
// none: package time may give it a meaning yet.
func timeFormatOf(name string) textFormat[time.Time] {
	switch name {
	case "unix":
		return unixFormat(0)
	case "unixmilli":
		return unixFormat(3)
	case "unixmicro":
		return unixFormat(6)
	case "unixnano":
		return unixFormat(9)
	case "RFC3339", "RFC3339Nano": // which not every time fits
		return textFormat[time.Time]{plain: true, append: func(b []byte, t time.Time) ([]byte, error) {
			out, err := wire.AppendTimeRFC3339(b, t)
			if err != nil {
				if _, e := t.MarshalJSON(); e != nil {
					err = e
				}
				return b, err
			}
			if name == "RFC3339" {
				out = t.AppendFormat(b, time.RFC3339)
			}
			return out, nil
		}, parse: func(s []byte) (t time.Time, err error) {
			if err = t.UnmarshalText(s); err == nil {
				err = strictRFC3339(s)
			}
			return t, err
		}}
	}
	layout := ""
	for _, l := range layouts {
		if l.name == name {
			layout = l.layout
		}
	}
	if word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }; layout == "" {
		if c := name[0] | 0x20; 'a' <= c && c <= 'z' && strings.TrimFunc(name, word) == "" {
			return textFormat[time.Time]{}
		}
		layout = name
	}
	return textFormat[time.Time]{
		append: func(b []byte, t time.Time) ([]byte, error) { return t.AppendFormat(b, layout), nil },
		parse:  func(s []byte) (time.Time, error) { return time.Parse(layout, string(s)) },
	}
}

// unixFormat returns the format of the time since 1970 in units of 10^-digits seconds.
func unixFormat(digits int) textFormat[time.Time] {
	return textFormat[time.Time]{number: true, plain: true, append: func(b []byte, t time.Time) ([]byte, error) {
		sec, nsec := t.Unix(), int64(t.Nanosecond())
		if sec < 0 {
			b = append(b, '-')
			if sec = -sec; nsec > 0 {
				sec, nsec = sec-1, 1e9-nsec
			}
		}
		return appendFixed(b, uint64(sec), uint64(nsec), digits), nil
	}, parse: func(s []byte) (time.Time, error) {
		sec, nsec, neg, err := parseFixed(string(s), digits)
		switch {
		case err != nil:
			return time.Time{}, err
		case neg:
			return time.Unix(-int64(sec), -int64(nsec)).UTC(), nil
		}
		return time.Unix(int64(sec), int64(nsec)).UTC(), nil
	}}
}

// strictRFC3339 refuses what package time reads though it is not RFC 3339.
func strictRFC3339(s []byte) error {
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	bad := func(what string) error { return fmt.Errorf("json: time %q: %s", s, what) }
	n := len(s)
	switch {
	case s[len("2006-01-02T")+1] == ':':
		return bad("the hour needs two digits")
	case s[len("2006-01-02T15:04:05")] == ',':
		return bad("a point stands before the fraction of a second")
	case s[n-1] != 'Z' && two(n-5) >= 24:
		return bad("the hours of the zone are out of range")
	case s[n-1] != 'Z' && two(n-2) >= 60:
		return bad("the minutes of the zone are out of range")
	}
	return nil
}

// appendFixed appends sec seconds and nsec nanoseconds in units of 10^-digits seconds.
func appendFixed(b []byte, sec, nsec uint64, digits int) []byte {
	var frac [9]byte
	for i := 8; i >= 0; i-- {
		frac[i] = byte('0' + nsec%10)
		nsec /= 10
	}
	whole := frac[:digits]
	if sec > 0 {
		b = append(strconv.AppendUint(b, sec, 10), whole...)
	} else if s := strings.TrimLeft(string(whole), "0"); s != "" {
		b = append(b, s...)
	} else {
		b = append(b, '0')
	}
	if s := strings.TrimRight(string(frac[digits:]), "0"); s != "" {
		b = append(append(b, '.'), s...)
	}
	return b
}

var errFixed = fmt.Errorf("is not a decimal number: %w", strconv.ErrSyntax)

// parseFixed reads a decimal number of units of 10^-digits seconds. Digits beyond nanoseconds are dropped.
func parseFixed(s string, digits int) (sec, nsec uint64, neg bool, err error) {
	text := s
	if neg = strings.HasPrefix(text, "-"); neg {
		text = text[1:]
	}
	whole, frac, point := strings.Cut(text, ".")
	if whole == "" || point && frac == "" || len(whole) > 1 && whole[0] == '0' {
		return 0, 0, neg, fmt.Errorf("json: %q %w", s, errFixed)
	}
	for i := range len(whole) + len(frac) {
		if c := (whole + frac)[i]; c < '0' || '9' < c {
			return 0, 0, neg, fmt.Errorf("json: %q %w", s, errFixed)
		}
	}
	for len(whole) <= digits {
		whole = "0" + whole
	}
	nano := whole[len(whole)-digits:] + frac
	if len(nano) < 9 {
		nano += "000000000"[len(nano):]
	}
	if sec, err = strconv.ParseUint(whole[:len(whole)-digits], 10, 64); err == nil {
		nsec, err = strconv.ParseUint(nano[:9], 10, 64)
	}
	if err != nil || sec > math.MaxInt64 && !(neg && sec == 1<<63 && nsec == 0) {
		return 0, 0, neg, outOfRange(s)
	}
	return sec, nsec, neg, nil
}

func outOfRange(s string) error { return fmt.Errorf("json: %q: %w", s, strconv.ErrRange) }

// durationFormatOf returns the format of the name.
func durationFormatOf(name string) textFormat[time.Duration] {
	switch name {
	case "units":
		return textFormat[time.Duration]{
			plain:  true,
			append: func(b []byte, d time.Duration) ([]byte, error) { return append(b, d.String()...), nil },
			parse:  func(s []byte) (time.Duration, error) { return time.ParseDuration(string(s)) },
		}
	case "iso8601":
		return textFormat[time.Duration]{
			plain:  true,
			append: func(b []byte, d time.Duration) ([]byte, error) { return appendISO8601(b, d), nil },
			parse:  func(s []byte) (time.Duration, error) { return parseISO8601(string(s)) },
		}
	case "sec":
		return secondsFormat(0)
	case "milli":
		return secondsFormat(3)
	case "micro":
		return secondsFormat(6)
	case "nano":
		return secondsFormat(9)
	}
	return textFormat[time.Duration]{}
}

// secondsFormat returns the format of durations in units of 10^-digits seconds.
func secondsFormat(digits int) textFormat[time.Duration] {
	return textFormat[time.Duration]{number: true, plain: true, append: func(b []byte, d time.Duration) ([]byte, error) {
		b, sec, nsec := appendSign(b, d)
		return appendFixed(b, sec, nsec, digits), nil
	}, parse: func(s []byte) (time.Duration, error) {
		sec, nsec, neg, err := parseFixed(string(s), digits)
		if err != nil {
			return 0, err
		}
		return durationOf(string(s), sec, nsec, neg)
	}}
}

// appendSign appends the sign of d, and returns its seconds and nanoseconds without it.
func appendSign(b []byte, d time.Duration) (_ []byte, sec, nsec uint64) {
	n := uint64(d)
	if d < 0 {
		b = append(b, '-')
		n = -n
	}
	return b, n / 1e9, n % 1e9
}

func appendISO8601(b []byte, d time.Duration) []byte {
	b, sec, nsec := appendSign(b, d)
	b = append(b, "PT"...)
	if h := sec / 3600; h > 0 {
		b = append(strconv.AppendUint(b, h, 10), 'H')
	}
	if m := sec / 60 % 60; m > 0 {
		b = append(strconv.AppendUint(b, m, 10), 'M')
	}
	if sec%60 > 0 || nsec > 0 || sec == 0 {
		b = append(appendFixed(b, sec%60, nsec, 0), 'S')
	}
	return b
}

func durationOf(s string, sec, nsec uint64, neg bool) (time.Duration, error) {
	if sec > math.MaxInt64/1_000_000_000 || sec*1e9+nsec > math.MaxInt64 && !(neg && sec*1e9+nsec == 1<<63) {
		return 0, outOfRange(s)
	}
	d := time.Duration(sec*1e9 + nsec)
	if neg {
		d = -d
	}
	return d, nil
}

// parseISO8601 reads a duration of hours, minutes and seconds (ISO 8601-1 §5.5.2). Days and longer units
// have no exact length and are refused.
func parseISO8601(text string) (time.Duration, error) {
	bad := func(what string) (time.Duration, error) {
		return 0, fmt.Errorf("json: duration %q: %s: %w", text, what, strconv.ErrSyntax)
	}
	s, neg := text, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	s = plainISO8601(s)
	if rest, ok := afterDates(s); ok && rest != s {
		if _, err := parseISO8601("P" + pick(rest == "", "T0S", rest)); err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("json: duration %q: %w", text, errInaccurate)
	}
	s, ok := strings.CutPrefix(s, "PT")
	if !ok || s == "" {
		return bad("it does not begin with PT, followed by hours, minutes and seconds")
	}
	var total, nano uint64
	for _, unit := range []struct {
		name byte
		secs uint64
	}{{'H', 3600}, {'M', 60}, {'S', 1}} {
		end := strings.IndexByte(s, unit.name)
		if end < 0 {
			continue
		}
		num := s[:end]
		s = s[end+1:]
		if strings.IndexByte(num, '.') >= 0 && s != "" {
			return bad("only the last number can have a fraction")
		}
		for len(num) > 1 && num[0] == '0' && num[1] != '.' {
			num = num[1:]
		}
		sec, nsec, minus, err := parseFixed(num, 0)
		if minus || errors.Is(err, strconv.ErrSyntax) {
			return bad("a number of hours, minutes or seconds is wrong")
		}
		if err != nil || sec > math.MaxInt64/1_000_000_000/unit.secs {
			return 0, outOfRange(text)
		}
		total += sec * unit.secs
		if nsec *= unit.secs; unit.secs > 1 { // a fraction of more digits than nanoseconds
			_, digits, _ := strings.Cut(num, ".")
			f, _ := strconv.ParseFloat("0."+digits, 64)
			nsec = uint64(math.Round(f * float64(unit.secs*1e9)))
		}
		nano += nsec
	}
	if s != "" {
		return bad("there is something else than hours, minutes and seconds, in this order")
	}
	return durationOf(text, total+nano/1e9, nano%1e9, neg)
}

// errInaccurate says that a duration has units of no exact length.
var errInaccurate = errors.New("inaccurate year, month, week, or day units")

// afterDates returns what follows the years, months, weeks and days of a duration, which are whole numbers. It returns
// s if there are none, and false if s is not a duration.
func afterDates(s string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(s, "P")
	dates := false
	for _, unit := range "YMWD" {
		n := 0
		for n < len(rest) && isDigit(rest[n]) {
			n++
		}
		if n > 0 && n < len(rest) && rest[n] == byte(unit) {
			rest, dates = rest[n+1:], true
		}
	}
	if !dates {
		return s, ok
	}
	return rest, ok && (rest == "" || rest[0] == 'T')
}

// plainISO8601 returns s with letters in upper case and points for commas.
func plainISO8601(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case 'a' <= c && c <= 'z':
			b[i] = c - 'a' + 'A'
		case c == ',':
			b[i] = '.'
		}
	}
	return string(b)
}
