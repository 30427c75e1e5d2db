package schema

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/formats"
	"github.com/weftcodec/weft/internal/pattern"
	"github.com/weftcodec/weft/internal/wire"
)

// checkFormat returns an error unless s is as the format of JSON Schema and
// OpenAPI says: date, time, date-time, duration, uuid, ipv4, ipv6, uri, email,
// decimal or byte. Other formats hold for every string.
func checkFormat(s, format string) error {
	is, what := formats.Named(format)
	if is == nil || is(s) {
		return nil
	}
	return &weft.ConstraintError{Rule: "be " + what, Value: wire.Quote(s)}
}

// checkItems returns an error unless there are at least min of the n elements
// and, when max is not negative, at most max.
func checkItems(n, min, max int) error {
	if n >= min && uint(n) <= uint(max) {
		return nil
	}
	return count(n, min, max, "element")
}

// checkMembers returns an error unless there are at least min of the n members
// and, when max is not negative, at most max.
func checkMembers(n, min, max int) error {
	if n >= min && uint(n) <= uint(max) {
		return nil
	}
	return count(n, min, max, "member")
}

func count(n, min, max int, what string) error {
	var rule string
	limit := min
	switch {
	case n < min:
		rule = "have at least "
	case max >= 0 && n > max:
		rule, limit = "have at most ", max
	default:
		return nil
	}
	return &weft.ConstraintError{Rule: rule + plural(limit, what), Value: strconv.Itoa(n)}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// lazyPattern is a regular expression of ECMA-262 that is compiled when it is first needed.
type lazyPattern struct {
	expr     string
	compiled atomic.Pointer[pattern.Pattern]
	compile  func() *pattern.Pattern // by newPattern alone, so that no other program holds the compiler
}

// newPattern returns the pattern expr, in the syntax of ECMA-262 with its flag u, as JSON Schema has it. It panics when
// it is first used if expr is not a pattern.
func newPattern(expr string) *lazyPattern {
	p := &lazyPattern{expr: expr}
	p.compile = sync.OnceValue(func() *pattern.Pattern {
		compiled, err := pattern.Compile(expr)
		if err != nil {
			panic("schema: " + err.Error())
		}
		p.compiled.Store(compiled)
		return compiled
	})
	return p
}

// check returns an error unless the pattern matches in s.
func (p *lazyPattern) check(s string) error {
	if p.match(s) {
		return nil
	}
	return &weft.ConstraintError{Rule: "match " + p.expr, Value: wire.Quote(s)}
}

// match reports whether the pattern matches in s.
func (p *lazyPattern) match(s string) bool {
	compiled := p.compiled.Load()
	if compiled == nil {
		compiled = p.compile()
	}
	return compiled.Match(s)
}

func notUnique(i, j int) error {
	return &weft.ConstraintError{Rule: fmt.Sprintf("have no two equal elements, as %d and %d are", i, j)}
}
