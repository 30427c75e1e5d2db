package json

import (
	"slices"

	"github.com/weftcodec/weft/internal/mem"
)

// member is one member of an object that is being decoded into any.
type member struct {
	name string
	v    any
}

// any returns the value at i as encoding/json decodes it into an empty
// interface, and the index after it. By encoding/json/v2's rules it returns with failed what is kept of the value.
func (d *decoder) any(i int) (any, int) {
	b := d.b
	switch c := b.At(i); c {
	case '"':
		s, j := d.str(i)
		if j < 0 {
			return nil, j
		}
		return d.strings.boxed(s, &d.boxes), j
	case '{':
		return d.anyObject(i)
	case '[':
		return d.anyArray(i)
	case 't', 'f':
		if v, j := d.bool(i); j >= 0 {
			return v, j
		}
	case 'n':
		if b.U32(i) == wordNull {
			return nil, i + 4
		}
	default:
		return d.anyNumber(i)
	}
	return nil, d.fail()
}

// few is how many elements or members of an open array or object stand on the
// stack, where storing a pointer costs the collector nothing. More of them go
// to the decoder's scratch memory.
const few = 8

func (d *decoder) anyArray(i int) (any, int) {
	b := d.b
	if d.depth++; d.depth > d.most {
		return nil, d.fail()
	}
	i = d.ws(i + 1)
	if b.At(i) == ']' {
		d.depth--
		return []any{}, i + 1
	}
	var first [few]any
	n, mark, flip, start := 0, len(d.anys), 0, i
	for {
		v, j := d.any(i)
		if j < 0 {
			if j == failed {
				if v != nil {
					v = append(slices.Concat(first[:min(n, few)], d.anys[mark:]), v)
				}
				return v, j
			}
			j, flip = ^j, -1
		}
		if n < few {
			first[n] = v
		} else {
			d.anys = append(d.anys, v)
		}
		n++
		i = d.ws(j)
		switch b.At(i) {
		case ',':
			i++
			if b.At(i) <= ' ' {
				i = d.space(i)
			}
			continue
		case ']':
			out := d.anySlice(n, i-start)
			if copy(out, first[:]) < n {
				rest := d.anys[mark:]
				copy(out[few:], rest)
				clear(rest)
				d.anys = d.anys[:mark]
			}
			d.depth--
			return out, (i + 1) ^ flip
		}
		return nil, d.fail()
	}
}

// sharedAnys is the length of the slices that short arrays share: 2 KB with the word that the runtime
// adds before what is longer than 512 bytes and holds pointers.
const sharedAnys = 127

// anySlice returns a slice for n elements, whose text has the given length.
func (d *decoder) anySlice(n, text int) []any {
	if n > sharedAnys/8 || text > sharedText {
		return make([]any, n)
	}
	if n > len(d.shared) {
		d.sharing = min(max(2*d.sharing+1, n), sharedAnys)
		d.shared = make([]any, d.sharing)
	}
	out := d.shared[:n:n]
	d.shared = d.shared[n:]
	return out
}

func (d *decoder) anyObject(i int) (any, int) {
	b := d.b
	if d.depth++; d.depth > d.most {
		return nil, d.fail()
	}
	i = d.ws(i + 1)
	if b.At(i) == '}' {
		d.depth--
		return map[string]any{}, i + 1
	}
	var first [few]member
	n, mark, flip := 0, len(d.members), 0
	for {
		if b.At(i) != '"' {
			return nil, d.fail()
		}
		name, j := d.key(i)
		if j < 0 {
			return nil, j
		}
		if b.At(j) != ':' {
			if j = d.ws(j); b.At(j) != ':' {
				return nil, d.fail()
			}
		}
		v, j := d.any(d.ws(j + 1))
		if j < 0 {
			if j == failed {
				if v != nil {
					m := map[string]any{name: v}
					for _, e := range slices.Concat(first[:min(n, few)], d.members[mark:]) {
						m[e.name] = e.v
					}
					v = m
				}
				return v, j
			}
			j, flip = ^j, -1
		}
		if n < few {
			first[n].name, first[n].v = name, v
		} else {
			d.members = append(d.members, member{name, v})
		}
		n++
		i = d.ws(j)
		switch b.At(i) {
		case ',':
			i++
			if b.At(i) <= ' ' {
				i = d.space(i)
			}
			continue
		case '}':
			m := make(map[string]any, n)
			for k := range first[:min(n, few)] {
				m[first[k].name] = first[k].v
			}
			if n > few {
				rest := d.members[mark:]
				for k := range rest {
					m[rest[k].name] = rest[k].v
				}
				clear(rest)
				d.members = d.members[:mark]
			}
			if len(m) < n && !d.allNew() {
				return nil, d.fail()
			}
			d.depth--
			return m, (i + 1) ^ flip
		}
		return nil, d.fail()
	}
}

// keyCache remembers the names of members: documents repeat them.
// keyCache is made by the first name of a member that is not a field's.
type keyCache [256]string

// key is str for the name of a member, shared with equal names met before.
func (d *decoder) key(i int) (string, int) {
	i++
	e := d.strEnd(i)
	n := e - i
	if d.b.At(e) != '"' || d.badUTF8 || n > 64 || n == 0 || d.strings.alias {
		return d.str(i - 1)
	}
	var h uint64
	if n >= 8 {
		h = d.b.U64(i) ^ d.b.U64(e-8)*31
	} else {
		h = d.b.U64(i) & (1<<(8*n) - 1)
	}
	h = (h + uint64(n)) * 0x9E3779B97F4A7C15
	if d.keys == nil {
		d.keys = new(keyCache)
	}
	slot := &d.keys[h>>56]
	if *slot == d.b.View(i, e) {
		return *slot, e + 1
	}
	s := d.strings.take(d.b, i, n)
	*slot = s
	return s, e + 1
}

// anyValue decodes the value at i into the empty interface at p.
func (d *decoder) anyValue(n *node, p mem.Ptr, i int) int {
	if *mem.At[any](p) != nil {
		return d.interfaceValue(n, n.rtype, p, i)
	}
	return d.storeAny(p, i)
}

// storeAny decodes the value at i into the empty interface at p, which keeps
// what it has if that is a number out of range, unless [decoder.any] tells what is kept of that.
func (d *decoder) storeAny(p mem.Ptr, i int) int {
	v, j := d.any(i)
	if v != nil || j != failed && d.b.At(i) == 'n' {
		*mem.At[any](p) = v
	}
	return j
}
