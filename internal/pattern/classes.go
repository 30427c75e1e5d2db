package pattern

import (
	"slices"
	"unicode/utf8"
)

// Bounds on the classes of a machine; a program with more is simulated.
const (
	maxClasses = 256     // so that a byte holds one
	maxParts   = 1 << 20 // parts of the code points times sets: what finding the classes costs
)

// classes are sets of code points that a program does not tell apart. They cover all code points.
type classes struct {
	n      int
	first  []rune    // of each part of the code points, in order
	of     []int     // its class
	member []rune    // a code point of each class
	sides  []context // what each class is to an assertion
}

// newClasses returns the classes of a program, and nil where they are too many.
func newClasses(p *program) *classes {
	sets := p.sets
	if p.looks&atWord != 0 {
		sets = append(slices.Clip(sets), wordRunes)
	}
	if p.looks&atLine != 0 {
		sets = append(slices.Clip(sets), lineEnds)
	}
	c := classes{first: []rune{0}}
	for _, s := range sets {
		for i := 0; i < len(s); i += 2 {
			c.first = append(c.first, s[i], s[i+1]+1)
		}
	}
	slices.Sort(c.first)
	c.first = slices.Compact(c.first)
	if last := len(c.first) - 1; c.first[last] > utf8.MaxRune {
		c.first = c.first[:last]
	}
	if len(c.first)*(len(sets)+1) > maxParts {
		return nil
	}
	// Each set parts every class into what is in it and what is not.
	c.of = make([]int, len(c.first))
	c.n = 1
	for _, s := range sets {
		in, out := make([]int, c.n), make([]int, c.n)
		n, k := 0, 0
		for i, first := range c.first {
			for k < len(s) && s[k+1] < first {
				k += 2
			}
			number := &out[c.of[i]]
			if k < len(s) && s[k] <= first {
				number = &in[c.of[i]]
			}
			if *number == 0 {
				n++
				*number = n
			}
			c.of[i] = *number - 1
		}
		if c.n = n; n > maxClasses {
			return nil
		}
	}
	c.member, c.sides = make([]rune, c.n), make([]context, c.n)
	for i, class := range c.of {
		c.member[class] = c.first[i]
		if p.looks != 0 {
			c.sides[class] = contextOf(c.first[i]) & p.looks
		}
	}
	return &c
}

// end returns the code point after the last of a part.
func (c *classes) end(part int) rune {
	if part+1 < len(c.first) {
		return c.first[part+1]
	}
	return utf8.MaxRune + 1
}

// class returns the class of r.
func (c *classes) class(r rune) int {
	part, found := slices.BinarySearch(c.first, r)
	if !found {
		part--
	}
	return c.of[part]
}
