package pattern

import (
	"strings"
	"unicode/utf8"
)

// class parses the rest of a class in brackets.
func (p *parser) class(start int) set {
	negated := p.take("^")
	if name, _, ok := strings.Cut(p.src[p.i:], ":]"); ok && len(name) > 2 && name[:2] == "[:" && isName(name[2:]) {
		p.fail(p.i, "a class of POSIX; write a range, such as a-z, or \\p{…}")
	}
	var s set
	for first := true; ; first = false {
		if p.i == len(p.src) {
			p.fail(start, "a [ without its ]; write \\[")
		}
		if p.take("]") {
			p.emptyClass = p.emptyClass || first
			break
		}
		from := p.i
		loSet, lo := p.member()
		if !strings.HasPrefix(p.src[p.i:], "-") || strings.HasPrefix(p.src[p.i:], "-]") {
			s = append(append(s, loSet...), single(loSet, lo)...)
			p.count(start, loSet)
			continue
		}
		p.i++
		if p.i == len(p.src) {
			p.fail(start, "a [ without its ]; write \\[")
		}
		hiSet, hi := p.member()
		switch {
		case loSet != nil || hiSet != nil: // the hyphen is a character
			s = append(append(append(s, '-', '-'), loSet...), hiSet...)
			s = append(append(s, single(loSet, lo)...), single(hiSet, hi)...)
		case lo > hi:
			p.fail(from, "a range out of order: "+p.src[from:p.i])
		default:
			s = append(s, lo, hi)
		}
		p.count(start, loSet)
		p.count(start, hiSet)
	}
	if s = s.tidy(); p.flags.fold {
		s = s.folded()
	}
	if negated {
		s = s.not()
	}
	return s
}

// single returns the set of r, where there is no set s.
func single(s set, r rune) set {
	if s != nil {
		return nil
	}
	return set{r, r}
}

// member parses a character or an escape within a class.
func (p *parser) member() (set, rune) {
	start := p.i
	if r := p.next(); r != '\\' {
		return nil, r
	}
	return p.escape(start, true)
}

// escape parses what follows a backslash: a set, or a character where that is nil.
func (p *parser) escape(start int, inClass bool) (set, rune) {
	if p.i == len(p.src) {
		p.fail(start, "nothing after a backslash; write \\\\")
	}
	switch r := p.next(); r {
	case 'd':
		return digits, 0
	case 'D':
		return digits.not(), 0
	case 's':
		return whiteSpaces, 0
	case 'S':
		return whiteSpaces.not(), 0
	case 'w', 'W':
		s := wordRunes
		if p.flags.fold {
			s = s.folded()
		}
		if r == 'W' {
			s = s.not()
		}
		return s, 0
	case 'p', 'P':
		s := p.property(start)
		if r == 'P' {
			s = s.not()
		}
		if p.flags.fold && !inClass {
			s = s.folded()
		}
		return s, 0
	case 'b': // outside a class it is an assertion
		return nil, '\b'
	case 'f':
		return nil, '\f'
	case 'n':
		return nil, '\n'
	case 'r':
		return nil, '\r'
	case 't':
		return nil, '\t'
	case 'v':
		return nil, '\v'
	case 'c':
		if p.i < len(p.src) && isLetter(p.src[p.i]) {
			p.i++
			return nil, rune(p.src[p.i-1] & 0x1f)
		}
		p.fail(start, "a control character is \\c and a letter")
	case 'x':
		if r, ok := p.hex(2); ok {
			return nil, r
		}
		p.fail(start, "a character is \\xHH or \\u{H…}")
	case 'u':
		return nil, p.unicode(start)
	case '0':
		if p.i < len(p.src) && '0' <= p.src[p.i] && p.src[p.i] <= '9' {
			p.fail(start, "octal numbers are not of ECMA-262; write \\xHH")
		}
		return nil, 0
	case 'A':
		p.fail(start, "\\A is not of ECMA-262; write ^")
	case 'z', 'Z':
		p.fail(start, "\\"+string(r)+" is not of ECMA-262; write $")
	default:
		switch {
		case r == 'k', '1' <= r && r <= '9':
			p.fail(start, "back-references are not supported; write the pattern without them")
		case r < utf8.RuneSelf && isLetter(byte(r)):
			p.fail(start, "\\"+string(r)+" is not of ECMA-262")
		}
		return nil, r
	}
	return nil, 0
}

// property parses the rest of \p{…}.
func (p *parser) property(start int) set {
	expr, _, ok := strings.Cut(p.src[p.i:], "}")
	if !ok || expr == "" || expr[0] != '{' {
		p.fail(start, "a property is \\p{…}")
	}
	p.i += len(expr) + 1
	expr = expr[1:]
	s, known := p.properties[expr]
	if !known {
		if s, known = property(expr); !known {
			p.fail(start, "no property of Unicode that is supported: "+p.src[start:p.i])
		}
		if p.properties == nil {
			p.properties = make(map[string]set)
		}
		p.properties[expr] = s
	}
	return s
}

// unicode parses the rest of \uHHHH, of two such that are a surrogate pair, or of \u{H…}.
func (p *parser) unicode(start int) rune {
	if p.take("{") {
		text, _, ok := strings.Cut(p.src[p.i:], "}")
		r := rune(0)
		for i := range len(text) {
			d := hexDigit(text[i])
			if r = r<<4 | d; d < 0 || r > utf8.MaxRune {
				p.fail(start, "not a code point: "+p.src[start:p.i+i+1])
			}
		}
		if !ok || text == "" {
			p.fail(start, "a character is \\uHHHH or \\u{H…}")
		}
		p.i += len(text) + 1
		return r
	}
	r, ok := p.hex(4)
	if !ok {
		p.fail(start, "a character is \\uHHHH or \\u{H…}")
	}
	if 0xd800 <= r && r < 0xdc00 {
		after := p.i
		if p.take("\\u") {
			if low, ok := p.hex(4); ok && 0xdc00 <= low && low < 0xe000 {
				return 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
			}
		}
		p.i = after
	}
	return r
}

// hex parses n hexadecimal digits.
func (p *parser) hex(n int) (r rune, ok bool) {
	if len(p.src)-p.i < n {
		return 0, false
	}
	for _, c := range []byte(p.src[p.i : p.i+n]) {
		d := hexDigit(c)
		if d < 0 {
			return 0, false
		}
		r = r<<4 | d
	}
	p.i += n
	return r, true
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isName reports whether s is letters.
func isName(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) {
			return false
		}
	}
	return s != ""
}
