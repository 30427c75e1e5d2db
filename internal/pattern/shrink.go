package pattern

import "encoding/binary"

// shrink makes the states and then the classes the fewest that do the same. The dead state is then the first, the sure
// one the second, and one that mostly goes to a certain other comes before that.
func (b *states) shrink() {
	of, n := b.minimize()
	sample := make([]int, n) // a state of each part
	for q, part := range of {
		sample[part] = q
	}
	k := b.c.n
	leads := func(part, class int) int32 { return of[b.next[sample[part]*k+class]] }

	// Classes that lead to the same from every state are one.
	cells, members := make([]int, k), []int(nil)
	known := make(map[string]int)
	for class := range k {
		var key []byte
		for part := range n {
			key = binary.LittleEndian.AppendUint32(key, uint32(leads(part, class)))
		}
		cell, ok := known[string(key)]
		if !ok {
			cell = len(members)
			members = append(members, class)
			known[string(key)] = cell
		}
		cells[class] = cell
	}
	for i, class := range b.c.of {
		b.c.of[i] = cells[class]
	}
	b.c.n = len(members)

	order := b.order(n, of, func(part, cell int) int32 { return leads(part, members[cell]) })
	rank := make([]int32, n)
	for i, part := range order {
		rank[part] = int32(i)
	}
	next, accepts := make([]int32, 0, n*len(members)), make([]bool, 0, n)
	for _, part := range order {
		for _, class := range members {
			next = append(next, rank[leads(int(part), class)])
		}
		accepts = append(accepts, b.accepts[sample[part]])
	}
	b.next, b.accepts, b.start = next, accepts, rank[of[b.start]]
}

// order returns the parts in the order in which they are laid out: each before the one that follows most bytes of
// ASCII, if that has no place yet.
func (b *states) order(n int, of []int32, leads func(part, cell int) int32) []int32 {
	weight := make([]int, b.c.n)
	for r := range rune(0x80) {
		weight[b.c.class(r)]++
	}
	order, placed := make([]int32, 0, n), make([]bool, n)
	place := func(part int32) {
		order = append(order, part)
		placed[part] = true
	}
	place(of[dead])
	place(of[sure])
	weights := make([]int, n)
	for due := []int32{of[b.start]}; len(due) > 0; {
		part := due[len(due)-1]
		due = due[:len(due)-1]
		for part >= 0 && !placed[part] {
			place(part)
			best := int32(-1)
			for cell, w := range weight {
				to := leads(int(part), cell)
				if weights[to] += w; !placed[to] {
					if best < 0 || weights[to] > weights[best] {
						best = to
					}
					due = append(due, to)
				}
			}
			for cell := range weight {
				weights[leads(int(part), cell)] = 0
			}
			part = best
		}
	}
	return order
}
