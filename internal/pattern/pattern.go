// Package pattern matches strings against the regular expressions of JSON Schema: those of ECMA-262 with its flag u,
// which asks whether a pattern matches anywhere in a string.
//
// A pattern becomes a table. Code points that no part of the pattern distinguishes form a class. A state machine over
// classes is built in advance, minimized and bounded; each byte of ASCII costs one step. If the machine stays in a
// state or has only one way to go, bytes are examined without waiting for the previous state. A pattern whose machine
// would be too large is matched by following all its states at once, in time that grows with the pattern and the
// string.
//
// Each byte that is not UTF-8 counts as U+FFFD, as in package regexp.
package pattern

import "strconv"

// Pattern is a compiled pattern. It does not change, and may be used by many goroutines.
type Pattern struct {
	machine *machine
	program *simulation // where the machine would be too large
}

// Error says what is wrong with a pattern, and where.
type Error struct {
	Pattern string
	Offset  int // in bytes
	Text    string
}

// Error names the pattern, the offset and what is wrong.
func (e *Error) Error() string {
	const most = 200
	text := e.Pattern
	if len(text) > most {
		text = text[:most] + "…"
	}
	return "pattern " + strconv.Quote(text) + ", offset " + strconv.Itoa(e.Offset) + ": " + e.Text
}

// Compile returns the pattern src. Look-ahead, look-behind and back-references are refused, as is a pattern of too many
// parts; the error is an [*Error].
//
// Beyond ECMA-262 with the flag u, what is plain without the flag is taken: punctuation escaped without need, a brace
// or closing bracket that stands alone, a hyphen beside a class such as \w within brackets. So are flags of the rest of
// a group, (?i) and (?s), and (?P<name>…).
func Compile(src string) (*Pattern, error) {
	prog, err := compile(src)
	if err != nil {
		return nil, err
	}
	if m := newMachine(prog); m != nil {
		return &Pattern{machine: m}, nil
	}
	return &Pattern{program: newSimulation(prog)}, nil
}

// Check returns the error of [Compile], for a small part of its time.
func Check(src string) error {
	_, err := compile(src)
	return err
}

func compile(src string) (*program, error) {
	tree, err := parse(src)
	if err != nil {
		return nil, err
	}
	return newProgram(src, tree)
}

// Match reports whether the pattern matches somewhere in s.
func (p *Pattern) Match(s string) bool {
	if p.machine != nil {
		return run(p.machine, s)
	}
	return simulate(p.program, s)
}
