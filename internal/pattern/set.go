package pattern

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// set is a set of code points: ranges, each as its first and last, in order and with gaps between them.
type set []rune

// Sets that escapes stand for (ECMA-262 §22.2.2.9).
var (
	digits      = set{'0', '9'}
	wordRunes   = set{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	lineEnds    = set{'\n', '\n', '\r', '\r', 0x2028, 0x2029}
	whiteSpaces = set{'\t', '\r', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f,
		0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff}
)

// tidy returns s, which may be in any order and overlap, as a set.
func (s set) tidy() set {
	type span struct{ lo, hi rune }
	spans := make([]span, len(s)/2)
	for i := range spans {
		spans[i] = span{s[2*i], s[2*i+1]}
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.lo) - int(b.lo) })
	out := s[:0]
	for _, x := range spans {
		if n := len(out); n > 0 && x.lo <= out[n-1]+1 {
			out[n-1] = max(out[n-1], x.hi)
		} else {
			out = append(out, x.lo, x.hi)
		}
	}
	return out
}

// not returns the code points that are not in s.
func (s set) not() set {
	out := make(set, 0, len(s)+2)
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if next < s[i] {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= utf8.MaxRune {
		out = append(out, next, utf8.MaxRune)
	}
	return out
}

// without returns the code points of s that are not in t.
func (s set) without(t set) set { return append(s.not(), t...).tidy().not() }

// has reports whether r is in s.
func (s set) has(r rune) bool {
	i, found := slices.BinarySearch(s, r)
	return found || i%2 == 1
}

// folded returns s with all code points that differ from one of its own in case alone (ECMA-262 §22.2.2.7.3).
func (s set) folded() set {
	out := slices.Clone(s)
	fold := func(lo, hi rune) {
		for r := lo; r <= hi; r++ {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				out = append(out, f, f)
			}
		}
	}
	for i := 0; i < len(s); i += 2 {
		if lo, hi := s[i], s[i+1]; hi-lo < 256 {
			fold(lo, hi)
		} else {
			for _, c := range unicode.CaseRanges { // all that has case
				fold(max(lo, rune(c.Lo)), min(hi, rune(c.Hi)))
			}
		}
	}
	return out.tidy()
}

// ofTable returns the code points of a table of package unicode, which is in order.
func ofTable(t *unicode.RangeTable) set {
	out := make(set, 0, 2*(len(t.R16)+len(t.R32)))
	put := func(lo, hi rune) {
		if n := len(out); n > 0 && lo == out[n-1]+1 {
			out[n-1] = hi
		} else {
			out = append(out, lo, hi)
		}
	}
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			put(lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			put(r, r)
		}
	}
	for _, x := range t.R16 {
		add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
	}
	for _, x := range t.R32 {
		add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
	}
	return out
}
