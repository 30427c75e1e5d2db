package tree

import (
	"slices"

	"github.com/weftcodec/weft/internal/wire"
)

// Node is the names of the members of an object as far as they have been read, in
// their order: the last name and the node before. Objects that begin with the same
// names share nodes, so that the names of the second one need only be compared.
type Node struct {
	Key   wire.Key // `"name":`, which never matches where the name may be spelled otherwise
	Name  string   // the last name
	Next  *Node    // the node that came after this one the last time
	Inner *Node    // the first node of the object met last as the value of the member, or in it

	parent *Node
	shape  *Shape
	epoch  uint64 // of the document that index is for
	index  int    // the number of the shape in it
	hash   uint
	depth  int  // the number of the names
	same   bool // some of the names are the same
}

// names finds nodes. What it keeps from one document to the next is bounded.
type names struct {
	root  Node
	free  Node    // stands for names that there are no nodes for
	slots []*Node // open addressing by parent and name, at most half full
	n     int
	full  bool
	nodes [][]Node // memory for nodes
	spare []Node   // what is left of the one in use
	used  int      // how many of nodes are in use
	text  []byte   // memory for names
}

const (
	maxNodes = 2048
	maxProbe = 24
)

func (t *names) init() {
	never := wire.NewKey("")
	t.root.Key, t.free.Key = never, never
}

// reset forgets all nodes.
func (t *names) reset() {
	for _, nodes := range t.nodes {
		clear(nodes)
	}
	clear(t.slots)
	t.root.Inner, t.free.Inner = nil, nil
	t.n, t.full, t.spare, t.used = 0, false, nil, 0
}

// Root returns the node of no names.
func (b *Builder) Root() *Node { return &b.names.root }

// Name returns the node after n for one more name.
func (b *Builder) Name(n *Node, name string) *Node {
	t := &b.names
	if n == &t.free {
		b.Loose = append(b.Loose, b.intern(name))
		return n
	}
	h := HashName(name)*31 + n.hash*0x9e3779b1
	h ^= h >> 15
	mask := uint(len(t.slots) - 1)
	if len(t.slots) > 0 {
		for k, probe := h&mask, 0; ; k, probe = (k+1)&mask, probe+1 {
			x := t.slots[k]
			if x == nil {
				break
			}
			if x.hash == h && x.parent == n && x.Name == name {
				return x
			}
			if probe == maxProbe {
				return b.loosen(n, name)
			}
		}
	}
	if n.depth >= MaxShared || t.full {
		return b.loosen(n, name)
	}
	return t.add(n, name, h)
}

// add makes a node.
func (t *names) add(n *Node, name string, h uint) *Node {
	if 2*t.n >= len(t.slots) {
		old := t.slots
		t.slots = make([]*Node, max(64, 2*len(old)))
		for _, x := range old {
			if x != nil {
				t.insert(x)
			}
		}
	}
	if len(t.spare) == 0 {
		if t.used == len(t.nodes) {
			t.nodes = append(t.nodes, make([]Node, min(max(8, t.n), 64)))
		}
		t.spare = t.nodes[t.used]
		t.used++
	}
	x := &t.spare[0]
	t.spare = t.spare[1:]
	x.Name, x.parent, x.hash, x.depth = t.own(name), n, h, n.depth+1
	x.Key = memberKey(x.Name)
	t.insert(x)
	if t.n++; t.n == maxNodes {
		t.full = true
	}
	return x
}

func (t *names) insert(x *Node) {
	mask := uint(len(t.slots) - 1)
	k := x.hash & mask
	for t.slots[k] != nil {
		k = (k + 1) & mask
	}
	t.slots[k] = x
}

// own returns a copy of a name.
func (t *names) own(name string) string {
	if len(name) > cap(t.text)-len(t.text) {
		if len(name) > 256 {
			return string(append([]byte(nil), name...))
		}
		t.text = make([]byte, 0, min(max(256, 2*cap(t.text)), 4096))
	}
	from := len(t.text)
	t.text = append(t.text, name...)
	return textOf(t.text[from:])
}

// memberKey returns the key for `"name":`, one that never matches if the name may
// be written in more ways than one.
func memberKey(name string) wire.Key {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return wire.NewKey("")
		}
	}
	return wire.NewMemberKey(name)
}

// loosen goes on without nodes: the names of n and one more become loose.
func (b *Builder) loosen(n *Node, name string) *Node {
	from := len(b.Loose)
	b.Loose = n.appendNames(b.Loose)
	slices.Reverse(b.Loose[from:])
	b.Loose = append(b.Loose, b.intern(name))
	return &b.names.free
}

// appendNames appends the names of n, the last one first.
func (n *Node) appendNames(names []string) []string {
	for ; n.depth > 0; n = n.parent {
		names = append(names, n.Name)
	}
	return names
}

// intern returns a copy of a name, shared with the same name met last in its place.
func (b *Builder) intern(name string) string {
	slot := &b.loose[HashName(name)%uint(len(b.loose))]
	if *slot != name {
		*slot = b.names.own(name)
	}
	return *slot
}

// shapeOf returns the number of the shape of n's names in the document, -1 if some
// of the names are the same.
func (b *Builder) shapeOf(n *Node) int {
	if n.shape == nil {
		if n.same {
			return -1
		}
		names := n.appendNames(make([]string, 0, n.depth))
		slices.Reverse(names)
		s := NewShape(names)
		if !s.Distinct() {
			n.same = true
			return -1
		}
		n.shape = s
	}
	n.epoch, n.index = b.epoch, b.addShape(n.shape)
	return n.index
}

func (b *Builder) addShape(s *Shape) int {
	b.shapes = append(b.shapes, s)
	return len(b.shapes) - 1
}
