package flow

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Pos is a position in a file. The zero Pos is not a position.
type Pos struct {
	File string
	Line int // counted from 1
	Col  int // counted from 1 in characters
}

// String returns "file:line:col".
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// Severity is the severity of a [Diagnostic].
type Severity uint8

// The severities.
const (
	SeverityWarning Severity = iota + 1 // the document runs all the same
	SeverityError                       // the document does not run
)

// Diagnostic is an error or warning at a position in a document.
type Diagnostic struct {
	Pos      Pos
	Severity Severity
	Message  string // what is wrong, and what to do
}

// String returns "file:line:col: message", with "warning: " before the message of
// a warning.
func (d Diagnostic) String() string {
	msg := d.Message
	if d.Severity == SeverityWarning {
		msg = "warning: " + msg
	}
	if p := d.Pos.String(); p != "" {
		return p + ": " + msg
	}
	return msg
}

// Diagnostics are the errors and warnings about a document, in the order of their positions.
type Diagnostics []Diagnostic

// Errors returns the diagnostics that are errors.
func (d Diagnostics) Errors() Diagnostics {
	return slices.DeleteFunc(slices.Clone(d), func(x Diagnostic) bool { return x.Severity != SeverityError })
}

// Err returns an error with every error of d, a line each, or nil when d has none.
func (d Diagnostics) Err() error {
	if e := d.Errors(); len(e) > 0 {
		return errors.New(e.String())
	}
	return nil
}

// String returns the diagnostics, a line each.
func (d Diagnostics) String() string {
	lines := make([]string, len(d))
	for i, x := range d {
		lines[i] = x.String()
	}
	return strings.Join(lines, "\n")
}

func (d *Diagnostics) errorf(p Pos, format string, args ...any) {
	*d = append(*d, Diagnostic{p, SeverityError, fmt.Sprintf(format, args...)})
}

func (d *Diagnostics) warnf(p Pos, format string, args ...any) {
	*d = append(*d, Diagnostic{p, SeverityWarning, fmt.Sprintf(format, args...)})
}

// sort puts the diagnostics in the order of their places, files in the order
// given, and drops what is said twice.
func (d Diagnostics) sort(files []string) Diagnostics {
	slices.SortStableFunc(d, func(a, b Diagnostic) int {
		if a.Pos.File != b.Pos.File {
			return slices.Index(files, a.Pos.File) - slices.Index(files, b.Pos.File)
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Col - b.Pos.Col
	})
	return slices.Compact(d)
}

// suggest returns a hint at the candidate that name is most like, with the blank
// before it, or what there is when none is like it.
func suggest(name string, candidates []string) string {
	best, least := "", 3+len(name)/8
	for _, c := range candidates {
		if n := distance(strings.ToLower(name), strings.ToLower(c)); n < least && n < len(c) {
			best, least = c, n
		}
	}
	if best != "" {
		return fmt.Sprintf(": did you mean %q?", best)
	}
	if len(candidates) == 0 {
		return ""
	}
	return ": there is " + strings.Join(candidates, ", ")
}

// distance returns how many characters have to be put in, left out, replaced or
// swapped with their neighbour to make b of a.
func distance(a, b string) int {
	before, last, row := []int(nil), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, make([]int, len(b)+1)
	}
	return last[len(b)]
}
