package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/internal/wire"
)

// maxFindings bounds the diagnostics kept of each severity.
const maxFindings = 1000

// reporter gathers diagnostics.
type reporter struct {
	list            Diagnostics
	errors, warning int
}

func (r *reporter) errorf(p Pos, format string, args ...any) {
	if r.errors++; r.errors <= maxFindings {
		r.list = append(r.list, Diagnostic{p, Error, fmt.Sprintf(format, args...)})
	}
}

func (r *reporter) warnf(p Pos, format string, args ...any) {
	if r.warning++; r.warning <= maxFindings {
		r.list = append(r.list, Diagnostic{p, Warning, fmt.Sprintf(format, args...)})
	}
}

// sorted returns the diagnostics by place, without repetitions.
func (r *reporter) sorted() Diagnostics {
	slices.SortStableFunc(r.list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(fileIndex(a.Pos), fileIndex(b.Pos)),
			cmp.Compare(a.Pos.line, b.Pos.line), cmp.Compare(a.Pos.col, b.Pos.col))
	})
	list := slices.CompactFunc(r.list, func(a, b Diagnostic) bool { return a == b })
	if n := r.errors - maxFindings; n > 0 {
		list = append(list, Diagnostic{last(list, Error), Error, fmt.Sprintf("%d more errors: mend the first ones and try again", n)})
	}
	if n := r.warning - maxFindings; n > 0 {
		list = append(list, Diagnostic{last(list, Warning), Warning, fmt.Sprintf("%d more warnings", n)})
	}
	return list
}

// last returns the place of the last finding of a severity.
func last(list Diagnostics, s Severity) Pos {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Severity == s {
			return list[i].Pos
		}
	}
	return Pos{}
}

func fileIndex(p Pos) int {
	if p.file == nil {
		return -1
	}
	return p.file.index
}

// quote returns s in quotes, shortened when it is long.
func quote(s string) string { return strconv.Quote(wire.Cut(s, 60)) }

// longestName bounds the names that suggestions are sought for and among.
const longestName = 100

// nearest returns the name that is likely meant by a misspelt one, "" when none
// is close.
func nearest(name string, names func(yield func(string) bool)) string {
	if len(name) > longestName {
		return ""
	}
	lower := strings.ToLower(name)
	best, found := min(len(name)/3+1, 4)+1, ""
	for n := range names {
		if n == name || len(n) > longestName || len(n)-len(name) >= best || len(name)-len(n) >= best {
			continue
		}
		if d := distance(lower, strings.ToLower(n), best); d < best {
			best, found = d, n
		}
	}
	return found
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours that turn a into b, or most when there are at least that many.
func distance(a, b string, most int) int {
	if len(a) > 2*longestName || len(b) > 2*longestName {
		return most // lower case may be longer
	}
	var rows [3][2*longestName + 1]int
	older, prev, cur := &rows[0], &rows[1], &rows[2]
	for k := range len(b) + 1 {
		prev[k] = k
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		least := i
		for k := 1; k <= len(b); k++ {
			cost := 1
			if a[i-1] == b[k-1] {
				cost = 0
			}
			cur[k] = min(prev[k]+1, cur[k-1]+1, prev[k-1]+cost)
			if i > 1 && k > 1 && a[i-1] == b[k-2] && a[i-2] == b[k-1] {
				cur[k] = min(cur[k], older[k-2]+1)
			}
			least = min(least, cur[k])
		}
		if least >= most {
			return most
		}
		older, prev, cur = prev, cur, older
	}
	return min(prev[len(b)], most)
}

// didYouMean returns the end of a message that suggests the nearest of names,
// or otherwise.
func didYouMean(name string, names func(yield func(string) bool), otherwise string) string {
	if n := nearest(name, names); n != "" {
		return "did you mean " + quote(n) + "?"
	}
	return otherwise
}
