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
	ahead   []look
}

// look is a look-ahead: whether it must match, or must not.
type look struct {
	*Pattern
	holds bool
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

// Compile returns the pattern src. Look-ahead is taken after ^ at the begin of a pattern of one alternative, as in
// ^(?!test)[a-z]+$; any other one, look-behind and back-references are refused, as is a pattern of too many parts; the
// error is an [*Error].
//
// Beyond ECMA-262 with the flag u, what is plain without the flag is taken: punctuation escaped without need, a brace
// or closing bracket that stands alone, a hyphen beside a class such as \w within brackets. So are flags of the rest of
// a group, (?i) and (?s), and (?P<name>…).
func Compile(src string) (*Pattern, error) {
	return compile(src, func(prog *program) *Pattern {
		if m := newMachine(prog); m != nil {
			return &Pattern{machine: m}
		}
		return &Pattern{program: newSimulation(prog)}
	})
}

// Check returns the error of [Compile], for a small part of its time.
func Check(src string) error {
	_, err := compile(src, func(*program) *Pattern { return new(Pattern) })
	return err
}

// compile makes the pattern src of its program and those of its look-aheads.
func compile(src string, of func(*program) *Pattern) (*Pattern, error) {
	tree, err := parse(src)
	if err != nil {
		return nil, err
	}
	prog, err := newProgram(src, tree)
	if err != nil {
		return nil, err
	}
	p := of(prog)
	for _, n := range tree.subs {
		if n.op == opAhead {
			if prog, err = newProgram(src, n.subs[0]); err != nil {
				return nil, err
			}
			p.ahead = append(p.ahead, look{of(prog), n.min > 0})
		}
	}
	return p, nil
}

// Match reports whether the pattern matches somewhere in s.
func (p *Pattern) Match(s string) bool {
	if p.ahead != nil && !p.looks(s) {
		return false
	}
	if p.machine != nil {
		return run(p.machine, s)
	}
	return simulate(p.program, s)
}

// looks reports whether the look-aheads of the pattern hold.
func (p *Pattern) looks(s string) bool {
	for _, l := range p.ahead {
		if l.Match(s) != l.holds {
			return false
		}
	}
	return true
}
