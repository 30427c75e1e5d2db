package pattern

import "encoding/binary"

// maxSteps bounds the steps of a program, and so how far {n,m} is written out: to a megabyte.
const maxSteps = 1 << 16

// program is a pattern as a machine of steps that may go several ways at once.
type program struct {
	steps []step
	start int32
	sets  []set
	looks context // what its assertions look at
}

// step is one of a program. What it leads to is known before it: the step after the last is a match.
type step struct {
	op   stepOp
	test op    // of stepAssert
	set  int32 // of stepSet, among the program's
	next int32
	or   int32 // of stepFork
}

type stepOp byte

const (
	stepMatch  stepOp = iota // the pattern matches
	stepSet                  // a code point of a set, then next
	stepFork                 // next or or
	stepAssert               // next, where an assertion holds
)

// context is what assertions see on one side of a place in a string.
type context uint8

const (
	atEdge context = 1 << iota // the begin or the end of the string
	atWord                     // a character of a word
	atLine                     // the end of a line
)

// contextOf returns what r is to an assertion beside it.
func contextOf(r rune) (c context) {
	if wordRunes.has(r) {
		c = atWord
	}
	if lineEnds.has(r) {
		c |= atLine
	}
	return c
}

// holds reports whether an assertion holds between what is before and after.
func (o op) holds(before, after context) bool {
	switch o {
	case opBegin:
		return before&atEdge != 0
	case opEnd:
		return after&atEdge != 0
	case opLine:
		return before&(atEdge|atLine) != 0
	case opLineEnd:
		return after&(atEdge|atLine) != 0
	case opWord:
		return (before^after)&atWord != 0
	default:
		return (before^after)&atWord == 0
	}
}

// looksAt returns what an assertion looks at.
func (o op) looksAt() context {
	switch o {
	case opBegin, opEnd:
		return atEdge
	case opLine, opLineEnd:
		return atEdge | atLine
	default:
		return atWord
	}
}

// newProgram returns the program of the tree of the pattern src.
func newProgram(src string, tree *node) (_ *program, err error) {
	defer func() {
		if e, ok := recover().(*Error); ok {
			err = e
		}
	}()
	c := programmer{src: src, numbers: make(map[string]int32)}
	c.steps = append(c.steps, step{op: stepMatch})
	c.start = c.put(tree, 0)
	return &c.program, nil
}

type programmer struct {
	program
	src     string
	numbers map[string]int32 // of sets, from 1
}

// put appends the steps of n, which lead to next, and returns the first of them: next itself where n is empty.
func (c *programmer) put(n *node, next int32) int32 {
	switch n.op {
	case opEmpty, opAhead: // of look-ahead, Compile makes a pattern of its own
		return next
	case opSet:
		return c.step(n, step{op: stepSet, set: c.set(n), next: next})
	case opConcat:
		for i := len(n.subs) - 1; i >= 0; i-- {
			next = c.put(n.subs[i], next)
		}
		return next
	case opChoice:
		first := c.put(n.subs[len(n.subs)-1], next)
		for i := len(n.subs) - 2; i >= 0; i-- {
			first = c.step(n, step{op: stepFork, next: c.put(n.subs[i], next), or: first})
		}
		return first
	case opRepeat:
		return c.repeat(n, next)
	default:
		c.looks |= n.op.looksAt()
		return c.step(n, step{op: stepAssert, test: n.op, next: next})
	}
}

// repeat writes a repetition out: what must be there as often as it must, then what may, each within the one before.
func (c *programmer) repeat(n *node, next int32) int32 {
	sub, first, times := n.subs[0], next, n.min
	if n.max < 0 {
		fork := c.step(n, step{op: stepFork, or: next})
		body := c.put(sub, fork)
		if c.steps[fork].next = body; body == fork { // nothing is repeated
			c.steps[fork].next = next
		}
		if first = fork; times > 0 {
			first, times = body, times-1
		}
	} else {
		for range n.max - n.min {
			body := c.put(sub, first)
			if body == first {
				break
			}
			first = c.step(n, step{op: stepFork, next: body, or: next})
		}
	}
	for range times {
		before := first
		if first = c.put(sub, first); first == before {
			break
		}
	}
	return first
}

func (c *programmer) step(n *node, s step) int32 {
	if len(c.steps) == maxSteps {
		panic(&Error{c.src, n.offset, "too large when repetitions are written out"})
	}
	c.steps = append(c.steps, s)
	return int32(len(c.steps) - 1)
}

// set returns the index of n's set among the program's.
func (c *programmer) set(n *node) int32 {
	if n.number == 0 {
		key := make([]byte, 0, 4*len(n.set))
		for _, r := range n.set {
			key = binary.LittleEndian.AppendUint32(key, uint32(r))
		}
		if n.number = c.numbers[string(key)]; n.number == 0 {
			c.sets = append(c.sets, n.set)
			n.number = int32(len(c.sets))
			c.numbers[string(key)] = n.number
		}
	}
	return n.number - 1
}
