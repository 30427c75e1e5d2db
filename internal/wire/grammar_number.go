package wire

import "math/bits"

// numbers is what the check of numbers keeps of the block before: words, of which the last bit counts, and the
// carries of additions.
type numbers struct {
	scalars  uint64
	literals uint64
	over     uint64 // the bytes of a literal that goes on in the next block
	digits   uint64
	zeros    uint64 // the leading ones: no digit comes next
	broken   bool   // the block ends in what parts tells of
	often    bool   // many numbers are more than digits
	parts    broken
}

// broken is what the check keeps of numbers that are more than digits.
type broken struct {
	points   uint64 // dots and signs: a digit comes next
	dots     uint64
	es       uint64
	expSigns uint64 // the signs of exponents
	negative uint64 // the signs of numbers
	fraction uint64 // 1 when the block ends in a fraction
	exponent uint64 // 1 when it ends in an exponent
}

// check checks the numbers and literals of blocks that stand at i of text, where the kernel has left out what left
// says.
func (p *numbers) check(words []scalarWord, text []byte, i int, left uint64) bool {
	before, beforeLiterals, over, beforeDigits, beforeZeros := p.scalars, p.literals, p.over, p.digits, p.zeros
	var bad uint64
	parts := 0
	for k := range words {
		w := &words[k]
		scalars := w.scalars
		if scalars == 0 {
			if p.broken {
				if (p.parts.points|p.parts.es)>>63 != 0 {
					return false
				}
				p.broken, p.parts = false, broken{}
			}
			before, beforeLiterals, beforeDigits, beforeZeros = 0, 0, 0, 0
			continue
		}
		starts := scalars &^ follow(scalars, before)
		digits := w.digits & scalars
		more := scalars &^ digits
		zeros := w.zeros & digits & starts
		if more|over|beforeLiterals != 0 || p.broken {
			literals := over
			over = 0
			others := starts & more
			if left != leftMany {
				others &^= w.minuses
			}
			for ; others != 0; others &= others - 1 {
				at := bits.TrailingZeros64(others) & 63
				n := literalLen(text[i+k<<6+at:])
				if n == 0 {
					if left == leftMany && text[i+k<<6+at] == '-' {
						continue
					}
					return false
				}
				literals |= (1<<n - 1) << at
				over |= (1<<n - 1) >> (64 - at)
			}
			bad |= scalars & follow(literals, beforeLiterals) &^ literals
			beforeLiterals = literals
			if more &^= literals; more != 0 || p.broken {
				parts++
				if left != 0 {
					w.es, w.pluses = 0, 0
					if left == leftMany {
						w.dots, w.minuses = 0, 0
					}
					w.dots &= more
					w.minuses &= more
					if rest := more &^ (w.dots | w.minuses); rest != 0 {
						w.find(rest, text[i+k<<6:])
					}
				}
				signs := w.pluses | w.minuses
				dots, es := w.dots, w.es&^literals
				bad |= more &^ (dots | es | signs)
				q := &p.parts
				points := dots | signs
				afterE := follow(es, q.es)
				negative := w.minuses & starts
				expSigns := signs & afterE
				bad |= follow(points, q.points) &^ digits
				bad |= afterE &^ (digits | signs)
				bad |= (dots | es) &^ follow(digits, beforeDigits)
				bad |= w.pluses &^ afterE
				bad |= w.minuses &^ (afterE | starts)
				zeros |= w.zeros & digits & follow(negative, q.negative)
				// Adding the first digit of a run to the digits carries to the byte after the run.
				sum, fraction := bits.Add64(follow(dots, q.dots)&digits, digits, q.fraction)
				bad |= sum &^ digits & dots
				sum, exponent := bits.Add64((afterE|follow(expSigns, q.expSigns))&digits, digits, q.exponent)
				bad |= sum &^ digits & (dots | es)
				q.points, q.dots, q.es, q.expSigns = points, dots, es, expSigns
				q.negative, q.fraction, q.exponent = negative, fraction, exponent
				p.broken = (points|es)>>63|fraction|exponent != 0
			}
		}
		bad |= follow(zeros, beforeZeros) & digits
		before, beforeDigits, beforeZeros = scalars, digits, zeros
	}
	p.scalars, p.literals, p.over, p.digits, p.zeros = before, beforeLiterals, over, beforeDigits, beforeZeros
	p.often = parts > len(words)/8
	return bad == 0
}

// find adds to the words that the kernel has left out what is at the places of more in text, the block.
func (w *scalarWord) find(more uint64, text []byte) {
	for ; more != 0; more &= more - 1 {
		bit := more & -more
		switch text[bits.TrailingZeros64(more)&63] {
		case '.':
			w.dots |= bit
		case 'e', 'E':
			w.es |= bit
		case '+':
			w.pluses |= bit
		case '-':
			w.minuses |= bit
		}
	}
}

// literalLen returns the length of the literal that begins text, or 0.
func literalLen(text []byte) uint {
	switch {
	case len(text) >= 4 && (string(text[:4]) == "true" || string(text[:4]) == "null"):
		return 4
	case len(text) >= 5 && string(text[:5]) == "false":
		return 5
	}
	return 0
}
