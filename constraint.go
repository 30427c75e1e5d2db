package weft

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/pattern"
)

// ConstraintError says that a value breaks a constraint of its type.
type ConstraintError struct {
	Rule  string // what the value must do, such as "be at least 1"
	Value string // what it does or is instead, such as "0"; may be empty
}

// Error names the rule and the value.
func (e *ConstraintError) Error() string {
	if e.Value == "" {
		return "must " + e.Rule
	}
	return "must " + e.Rule + ", not " + e.Value
}

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// number is a type whose values a range can bound.
type number interface {
	integer | ~float32 | ~float64
}

// CheckMin returns an error unless x is at least min.
func CheckMin[T number](x, min T) error {
	if x < min {
		return broken(x, "be at least", min)
	}
	return nil
}

// CheckMax returns an error unless x is at most max.
func CheckMax[T number](x, max T) error {
	if x > max {
		return broken(x, "be at most", max)
	}
	return nil
}

// CheckRange returns an error unless x is at least min and at most max.
func CheckRange[T number](x, min, max T) error {
	if x < min {
		return broken(x, "be at least", min)
	}
	if x > max {
		return broken(x, "be at most", max)
	}
	return nil
}

// CheckAbove returns an error unless x is greater than min.
func CheckAbove[T number](x, min T) error {
	if x > min {
		return nil
	}
	return broken(x, "be greater than", min)
}

// CheckBelow returns an error unless x is less than max.
func CheckBelow[T number](x, max T) error {
	if x < max {
		return nil
	}
	return broken(x, "be less than", max)
}

// CheckMultiple returns an error unless x is a multiple of m, which must be
// greater than 0.
func CheckMultiple[T integer](x, m T) error {
	if x%m == 0 {
		return nil
	}
	return broken(x, "be a multiple of", m)
}

// CheckMultipleFloat returns an error unless x is a multiple of m, which must be
// greater than 0: unless the quotient is an integer within rounding.
func CheckMultipleFloat[T ~float32 | ~float64](x, m T) error {
	q := float64(x) / float64(m)
	if math.IsInf(q, 0) && math.Mod(float64(x), float64(m)) == 0 {
		return nil
	}
	if math.Abs(q-math.Round(q)) <= 1e-9*math.Max(1, math.Abs(q)) {
		return nil
	}
	return broken(x, "be a multiple of", m)
}

// broken returns the error for a value that breaks a rule about a number.
func broken[T number](x T, rule string, limit T) error {
	return &ConstraintError{Rule: fmt.Sprint(rule, " ", limit), Value: fmt.Sprint(x)}
}

// CheckLen returns an error unless s has at least min characters and, when max
// is not negative, at most max.
//
//go:noinline
func CheckLen(s string, min, max int) error {
	// A string has at most as many characters as bytes and at least a quarter.
	if len(s) >= 4*min && uint(len(s)) <= uint(max) {
		return nil
	}
	return checkLen(s, min, max)
}

func checkLen(s string, min, max int) error {
	if isASCII(s) {
		return count(len(s), min, max, "character")
	}
	return count(utf8.RuneCountInString(s), min, max, "character")
}

// isASCII reports whether s has as many characters as bytes. Most strings whose
// length is limited are such, and eight bytes at a time are quicker than a count.
func isASCII(s string) bool {
	for len(s) >= 8 {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// CheckItems returns an error unless there are at least min of the n elements
// and, when max is not negative, at most max.
func CheckItems(n, min, max int) error {
	if n >= min && uint(n) <= uint(max) {
		return nil
	}
	return count(n, min, max, "element")
}

// CheckMembers returns an error unless there are at least min of the n members
// and, when max is not negative, at most max.
func CheckMembers(n, min, max int) error {
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
	return &ConstraintError{Rule: rule + plural(limit, what), Value: strconv.Itoa(n)}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Pattern is a regular expression of ECMA-262 that is compiled when it is first needed.
type Pattern struct {
	expr     string
	compiled atomic.Pointer[pattern.Pattern]
	compile  func() *pattern.Pattern // by NewPattern alone, so that no other program holds the compiler
}

// NewPattern returns the pattern expr, in the syntax of ECMA-262 with its flag u, as JSON Schema has it. It panics when
// it is first used if expr is not a pattern, or has look-ahead, look-behind or back-references.
func NewPattern(expr string) *Pattern {
	p := &Pattern{expr: expr}
	p.compile = sync.OnceValue(func() *pattern.Pattern {
		compiled, err := pattern.Compile(expr)
		if err != nil {
			panic("weft: " + err.Error())
		}
		p.compiled.Store(compiled)
		return compiled
	})
	return p
}

// Check returns an error unless the pattern matches in s.
func (p *Pattern) Check(s string) error {
	if p.Match(s) {
		return nil
	}
	return &ConstraintError{Rule: "match " + p.expr, Value: short(s)}
}

// Match reports whether the pattern matches in s.
func (p *Pattern) Match(s string) bool {
	compiled := p.compiled.Load()
	if compiled == nil {
		compiled = p.compile()
	}
	return compiled.Match(s)
}

// CheckConst returns an error unless x is want.
func CheckConst[T cmp.Ordered | bool](x, want T) error {
	if x == want {
		return nil
	}
	return &ConstraintError{Rule: "be " + text(want), Value: text(x)}
}

// CheckUnique returns an error when two elements of s are equal.
func CheckUnique[T comparable](s []T) error {
	if len(s) <= 16 {
		for i := range s {
			for j := range i {
				if s[i] == s[j] {
					return notUnique(j, i)
				}
			}
		}
		return nil
	}
	seen := make(map[T]int, len(s))
	for i, x := range s {
		if j, dup := seen[x]; dup {
			return notUnique(j, i)
		}
		seen[x] = i
	}
	return nil
}

// CheckUniqueBy returns an error when encode appends the same bytes for two of
// the n elements it is given by index.
func CheckUniqueBy(n int, encode func(b []byte, i int) ([]byte, error)) error {
	var b []byte
	var err error
	seen := make(map[string]int, n)
	for i := range n {
		if b, err = encode(b[:0], i); err != nil {
			return err
		}
		if j, dup := seen[string(b)]; dup {
			return notUnique(j, i)
		}
		seen[string(b)] = i
	}
	return nil
}

func notUnique(i, j int) error {
	return &ConstraintError{Rule: fmt.Sprintf("have no two equal elements, as %d and %d are", i, j)}
}

// EnumError returns the error for a value that is none of the constants of the
// enum called name.
func EnumError(name string, x any) error {
	s, ok := x.(string)
	if ok {
		s = short(s)
	} else {
		s = fmt.Sprint(x)
	}
	return &ConstraintError{Rule: "be a value of " + name, Value: s}
}

func text[T cmp.Ordered | bool](x T) string {
	if s, ok := any(x).(string); ok {
		return short(s)
	}
	return fmt.Sprint(x)
}

// short returns s quoted, cut when it is long.
func short(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
