package pattern

import "unicode/utf8"

// trie maps code points to bytes. Equal blocks are kept once.
type trie struct {
	top    [utf8.MaxRune>>12 + 1]uint16 // by r>>12: a block of middle
	middle []uint16                     // by r>>6&63: a block of leaves
	leaves []uint8                      // by r&63
}

// of returns what r is mapped to.
func (t *trie) of(r rune) uint8 {
	m := int(t.top[r>>12])<<6 | int(r>>6&63)
	return t.leaves[int(t.middle[m])<<6|int(r&63)]
}

// newTrie returns the trie of the cells of classes.
func newTrie(c *classes) *trie {
	t := &trie{}
	leaves, middles := make(map[[64]uint8]uint16), make(map[[64]uint16]uint16)
	leaf := func(cells [64]uint8) uint16 {
		i, ok := leaves[cells]
		if !ok {
			i = uint16(len(leaves))
			leaves[cells] = i
			t.leaves = append(t.leaves, cells[:]...)
		}
		return i
	}
	part := 0
	cell := func(r rune) uint8 { // for ascending r
		for c.end(part) <= r {
			part++
		}
		return uint8(head + c.of[part])
	}
	for top := range t.top {
		first := rune(top << 12)
		if cell(first); top > 0 && c.first[part] <= first-1<<12 && c.end(part) >= first+1<<12 {
			t.top[top] = t.top[top-1] // all of the same part
			continue
		}
		var middle [64]uint16
		for i := range middle {
			r := first + rune(i)<<6
			if cell(r); i > 0 && c.first[part] <= r-1<<6 && c.end(part) >= r+1<<6 {
				middle[i] = middle[i-1]
				continue
			}
			var cells [64]uint8
			for k := range cells {
				cells[k] = cell(r + rune(k))
			}
			middle[i] = leaf(cells)
		}
		i, ok := middles[middle]
		if !ok {
			i = uint16(len(middles))
			middles[middle] = i
			t.middle = append(t.middle, middle[:]...)
		}
		t.top[top] = i
	}
	return t
}
