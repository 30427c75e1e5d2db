package pattern

// minimize returns the smallest machine that does the same, as which of its states each state is and how many there
// are. It is the algorithm of A. Valmari (Fast brief practical DFA minimization, 2012): states and transitions are
// parted in turn, until no part tells its members apart.
func (b *states) minimize() (of []int32, n int) {
	states, classes := len(b.states), b.c.n
	blocks := newParts(states)
	for q, accepts := range b.accepts {
		if accepts {
			blocks.mark(int32(q))
		}
	}
	blocks.split()
	// Transition q*classes+class leads from q; those of a class are a part to begin with.
	moves := newParts(len(b.next))
	for class := 1; class < classes; class++ {
		for q := range states {
			moves.mark(int32(q*classes + class))
		}
		moves.split()
	}
	// into lists the transitions into each state.
	into, begin := make([]int32, len(b.next)), make([]int32, states+1)
	for _, to := range b.next {
		begin[to+1]++
	}
	for q := range states {
		begin[q+1] += begin[q]
	}
	fill := append([]int32{}, begin...)
	for move, to := range b.next {
		into[fill[to]] = int32(move)
		fill[to]++
	}
	for part, block := 0, 1; part < len(moves.first); part++ {
		for _, move := range moves.members(part) {
			blocks.mark(move / int32(classes))
		}
		blocks.split()
		for ; block < len(blocks.first); block++ {
			for _, q := range blocks.members(block) {
				for _, move := range into[begin[q]:begin[q+1]] {
					moves.mark(move)
				}
			}
			moves.split()
		}
	}
	return blocks.of, len(blocks.first)
}

// parts are a partition of the numbers up to n that is refined.
type parts struct {
	elements    []int32 // those of a part beside each other, the marked ones first
	at          []int32 // where each element is
	of          []int32 // the part of each element
	first, past []int32 // where each part begins and ends
	marked      []int32 // how many of each part are marked
	touched     []int32 // parts with marked elements
}

// newParts returns the partition of n elements that is one part.
func newParts(n int) *parts {
	p := &parts{elements: make([]int32, n), at: make([]int32, n), of: make([]int32, n),
		first: []int32{0}, past: []int32{int32(n)}, marked: []int32{0}}
	for i := range p.elements {
		p.elements[i], p.at[i] = int32(i), int32(i)
	}
	return p
}

// members returns the elements of a part.
func (p *parts) members(part int) []int32 { return p.elements[p.first[part]:p.past[part]] }

// mark marks an element, once between two splits.
func (p *parts) mark(e int32) {
	part := p.of[e]
	i, j := p.at[e], p.first[part]+p.marked[part]
	if i < j {
		return
	}
	p.elements[i] = p.elements[j]
	p.at[p.elements[i]] = i
	p.elements[j], p.at[e] = e, j
	if p.marked[part] == 0 {
		p.touched = append(p.touched, part)
	}
	p.marked[part]++
}

// split makes the marked and the other elements of each part two, of which the smaller is the new one, and unmarks
// them.
func (p *parts) split() {
	for _, part := range p.touched {
		from, to := p.first[part], p.first[part]+p.marked[part]
		p.marked[part] = 0
		if to == p.past[part] {
			continue
		}
		if to-from <= p.past[part]-to {
			p.first[part] = to
		} else {
			from, to, p.past[part] = to, p.past[part], to
		}
		made := int32(len(p.first))
		p.first, p.past, p.marked = append(p.first, from), append(p.past, to), append(p.marked, 0)
		for _, e := range p.elements[from:to] {
			p.of[e] = made
		}
	}
	p.touched = p.touched[:0]
}
