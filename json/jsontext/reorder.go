package jsontext

import (
	"slices"

	"github.com/weftcodec/weft/internal/wire"
)

// reorderer puts the members of objects in the order of their names in UTF-16 (RFC 8785 §3.2.3) while
// a value is written: when an object ends, its members are in the output, each as it is going to be.
type reorderer struct {
	members []outMember // of the objects that are open, the innermost last
	objects []int       // for each of them the index of its first member
	names   []byte
	scratch []byte
}

// outMember is a member in the output.
type outMember struct {
	start, end int // of its text
	name, n    int // where its name is
}

func (r *reorderer) begin() {
	r.members, r.objects, r.names = r.members[:0], r.objects[:0], r.names[:0]
}

// member begins a member at the offset at of the output, with a name of which text is what stands
// between the quotes; first tells that it is the first of its object.
func (r *reorderer) member(at int, text []byte, plain, first bool) {
	if first {
		r.objects = append(r.objects, len(r.members))
	}
	m := outMember{start: at, name: len(r.names)}
	if plain {
		r.names = append(r.names, text...)
	} else {
		r.names, _ = appendUnquoted(r.names, text)
	}
	m.n = len(r.names) - m.name
	r.members = append(r.members, m)
}

// add adds what a walker has gathered in text: names without escapes, and ends of objects, which are in b.
func (r *reorderer) add(b []byte, names []wire.Name, text []byte) {
	for k := range names {
		if n := &names[k]; n.Start < 0 {
			r.end(b, n.Out)
		} else {
			r.member(n.Out, text[n.Start+1:n.End], true, n.First)
		}
	}
}

// end ends an object that has members, at the offset at of b, before the space that comes before its bracket.
func (r *reorderer) end(b []byte, at int) {
	last := len(r.objects) - 1
	members := r.members[r.objects[last]:]
	r.objects = r.objects[:last]
	r.sort(b[:at], members)
	r.names = r.names[:members[0].name]
	r.members = r.members[:len(r.members)-len(members)]
}

// sort sorts the members that b ends with. The text between any two of them is the same.
func (r *reorderer) sort(b []byte, members []outMember) {
	name := func(m *outMember) []byte { return r.names[m.name : m.name+m.n] }
	sorted := true
	for i := 1; i < len(members); i++ {
		if compareUTF16(name(&members[i-1]), name(&members[i])) >= 0 {
			sorted = false
			break
		}
	}
	if sorted {
		return
	}
	// A member ends where the comma before the next one stands; no value ends with space.
	first, tail := members[0].start, len(b)
	between := 0
	for c := b[members[1].start-1]; isSpace(c); c = b[members[1].start-1-between] {
		between++
	}
	between++ // the comma
	for i := range members[1:] {
		members[i].end = members[i+1].start - between
	}
	members[len(members)-1].end = tail
	separator := slices.Clone(b[members[0].end:members[1].start])
	slices.SortStableFunc(members, func(x, y outMember) int {
		if c := compareUTF16(name(&x), name(&y)); c != 0 {
			return c
		}
		return compareUTF16(b[x.start:x.end], b[y.start:y.end])
	})
	out := r.scratch[:0]
	for i := range members {
		if i > 0 {
			out = append(out, separator...)
		}
		out = append(out, b[members[i].start:members[i].end]...)
	}
	copy(b[first:tail], out)
	r.scratch = out
	if cap(out) > 1<<20 {
		r.scratch = nil
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// compareUTF16 compares two texts in UTF-8 as they would compare in UTF-16. That differs only where a
// character above U+FFFF, in UTF-16 a pair of surrogates, meets one from U+E000 on.
func compareUTF16(x, y []byte) int {
	n := min(len(x), len(y))
	for i := range n {
		a, b := x[i], y[i]
		if a == b {
			continue
		}
		const pairs, most = 0xf0, 0xf4 // what characters above U+FFFF begin with
		if a >= 0xee && b >= 0xee && a <= most && b <= most && (a >= pairs) != (b >= pairs) {
			a, b = b, a
		}
		if a < b {
			return -1
		}
		return 1
	}
	return len(x) - len(y)
}
