package pattern

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// maxTable bounds the table of a machine, in cells of two bytes, which number its rows as well: 128 KB.
const maxTable = 1 << 16

// machine is a deterministic machine. A state is the index of its row in table, which has a cell for each class with
// the state that follows.
type machine struct {
	table   []uint16
	classes [256]uint8  // the cell of each byte's class in a row
	sets    [256]uint16 // the sets of bytes that each byte is in, a bit each; the head of a row asks for them
	start   int
	sure    int   // the state of a match: that or a lower one is decided
	width   int   // of a row
	wide    bool  // whether bytes beyond ASCII are read as code points
	beyond  *trie // the cells of their classes, where wide
}

// Cells at the head of a row.
const (
	cellStay   = iota // the set of bytes after which the machine stays in the state
	cellGo            // the set of bytes after which it goes to the next row
	cellAccept        // not 0 where the end of the string makes a match
	head
)

// newMachine returns the machine of a program, and nil where it would be too large.
func newMachine(p *program) *machine {
	c := newClasses(p)
	if c == nil {
		return nil
	}
	b := newStates(p, c)
	if b == nil {
		return nil
	}
	b.shrink()
	m := &machine{width: c.n + head}
	if len(b.accepts)*m.width > maxTable || m.width > 256 {
		return nil
	}
	m.start, m.sure = int(b.start)*m.width, sure*m.width
	for q, accepts := range b.accepts {
		row := make([]uint16, m.width)
		for class, to := range b.next[q*c.n:][:c.n] {
			row[head+class] = uint16(int(to) * m.width)
		}
		if accepts {
			row[cellAccept] = 1
		}
		m.table = append(m.table, row...)
	}
	for r := range rune(0x80) {
		m.classes[r] = uint8(head + c.class(r))
	}
	if other := c.class(utf8.RuneError); b.takesBytes(other) {
		for x := 0x80; x < 0x100; x++ {
			m.classes[x] = uint8(head + other)
		}
	} else {
		m.wide = true
		m.beyond = newTrie(c)
	}
	m.addSets()
	return m
}

// takesBytes reports whether bytes beyond ASCII can be taken one by one: all code points there are of one class, of
// which several in a row do no more than one.
func (b *states) takesBytes(class int) bool {
	for part, of := range b.c.of {
		if of != class && b.c.end(part) > 0x80 {
			return false
		}
	}
	for q := range b.accepts {
		to := int(b.next[q*b.c.n+class])
		if int(b.next[to*b.c.n+class]) != to {
			return false
		}
	}
	return true
}

// byteSet is a set of bytes.
type byteSet [4]uint64

// addSets finds the sets of bytes that keep a state or lead to the next one, and keeps those that most states ask for.
func (m *machine) addSets() {
	ofClass := make([]byteSet, m.width)
	for x, class := range m.classes {
		if x < utf8.RuneSelf || !m.wide {
			ofClass[class][x>>6] |= 1 << (x & 63)
		}
	}
	type use struct {
		bytes byteSet
		cells []int // of the table, that ask for the set
	}
	uses, index := []use(nil), make(map[byteSet]int)
	ask := func(bytes byteSet, cell int) {
		if bytes == (byteSet{}) {
			return
		}
		i, ok := index[bytes]
		if !ok {
			i = len(uses)
			index[bytes] = i
			uses = append(uses, use{bytes: bytes})
		}
		uses[i].cells = append(uses[i].cells, cell)
	}
	for q := m.sure + m.width; q < len(m.table); q += m.width {
		var stay, next byteSet
		for class := head; class < m.width; class++ {
			for i, bytes := range ofClass[class] {
				switch int(m.table[q+class]) {
				case q:
					stay[i] |= bytes
				case q + m.width:
					next[i] |= bytes
				}
			}
		}
		ask(stay, q+cellStay)
		ask(next, q+cellGo)
	}
	slices.SortStableFunc(uses, func(a, b use) int { return cmp.Compare(len(b.cells), len(a.cells)) })
	for i, u := range uses[:min(len(uses), 16)] {
		for x := range 256 {
			m.sets[x] |= uint16(u.bytes[x>>6]>>(x&63)&1) << i
		}
		for _, cell := range u.cells {
			m.table[cell] = 1 << i
		}
	}
}

// run reports whether m matches in s.
func run(m *machine, s string) bool {
	q := m.start
	for i := 0; i < len(s) && q > m.sure; {
		if stay := m.table[q+cellStay]; stay != 0 {
			// The state is the same for all these bytes: none waits for the one before.
			for ; len(s)-i >= 8; i += 8 {
				t := s[i : i+8]
				if m.sets[t[0]]&m.sets[t[1]]&m.sets[t[2]]&m.sets[t[3]]&
					m.sets[t[4]]&m.sets[t[5]]&m.sets[t[6]]&m.sets[t[7]]&stay == 0 {
					break
				}
			}
			for i < len(s) && m.sets[s[i]]&stay != 0 {
				i++
			}
			if i == len(s) {
				break
			}
		} else if m.table[q+cellGo] != 0 {
			for ; i < len(s) && m.sets[s[i]]&m.table[q+cellGo] != 0; i++ {
				q += m.width
			}
			if i == len(s) {
				break
			}
		}
		if s[i] < utf8.RuneSelf || !m.wide {
			q = int(m.table[q+int(m.classes[s[i]])])
			i++
			continue
		}
		for i < len(s) && s[i] >= utf8.RuneSelf {
			var r rune
			if c := s[i]; 0xc2 <= c && c < 0xe0 && i+1 < len(s) && s[i+1]&0xc0 == 0x80 {
				// Same as DecodeRuneInString, which is not inlined: a quarter of the time of Greek or Cyrillic text.
				r = rune(c&0x1f)<<6 | rune(s[i+1]&0x3f)
				i += 2
			} else {
				var n int
				r, n = utf8.DecodeRuneInString(s[i:])
				i += n
			}
			if to := int(m.table[q+int(m.beyond.of(r))]); to != q {
				q = to
				break
			}
		}
	}
	return m.table[q+cellAccept] != 0
}
