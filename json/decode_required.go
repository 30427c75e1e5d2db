package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// seenFields is a set of the fields of a struct.
type seenFields []uint64

// fewFields is how many fields a set has on the stack.
const fewFields = 256

func (s seenFields) add(k int)      { s[k>>6] |= 1 << (k & 63) }
func (s seenFields) has(k int) bool { return s[k>>6]>>(k&63)&1 != 0 }

// requires notes that the k-th field must be there.
func (n *node) requires(k int) {
	for len(n.need) <= k>>6 {
		n.need = append(n.need, 0)
	}
	n.need.add(k)
}

// structSeen is structValue for a struct of which some fields must be there, or none twice: it keeps a set of those
// that were.
func (d *decoder) structSeen(n *node, p mem.Ptr, i int) int {
	b := d.b
	if b.At(i) != '{' {
		return d.misfit(n, p, i)
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	var few [fewFields / 64]uint64
	seen := seenFields(few[:])
	if len(n.fields) > fewFields {
		seen = make(seenFields, (len(n.fields)+63)/64)
	}
	start := i
	i++
	if b.At(i) <= ' ' {
		i = d.space(i)
	}
	fields := n.fields
	k := 0      // the field that is expected next
	flip := 0   // -1 once an error has been noted below, and the caller is to know
	stray := -1 // where the names without a field are noted
	if b.At(i) == '}' {
		goto end
	}
	for {
		var f *field
		for try := k; try < len(fields) && try < k+4; try++ {
			f = &fields[try]
			if w := f.key.Match(b, i); w != 0 {
				i += w
				k = try
				goto found
			}
		}
		{
			at := i
			if k, i = d.findField(n, i); i < 0 {
				return i
			}
			if k--; k < 0 {
				k = 0
				ok := true
				if d.unsure && n.rest == nil {
					stray, ok = d.code.stray(d, n, stray, at)
				}
				if !ok {
					return d.fail()
				}
				if i = d.unknown(n, p, at, d.ws(i)); i == failed {
					return i
				} else if i < 0 {
					i, flip = ^i, -1
				}
				goto next
			}
		}
		f = &fields[k]
	found:
		if seen.has(k) && !d.allNew() {
			return d.fail()
		}
		seen.add(k)
		k++
		if b.At(i) <= ' ' {
			if b.At(i) == ' ' {
				i++
			}
			if b.At(i) <= ' ' {
				i = d.space(i)
			}
		}
		if f.op == opString && f.check == nil && b.At(i) == '"' {
			q := p.Field(f.offset)
			e := d.strEnd(i + 1)
			if b.At(e) == '"' && !d.badUTF8 {
				*mem.At[string](q) = d.strings.take(b, i+1, e-i-1)
				i = e + 1
				goto next
			}
		}
		if i = d.fieldValue(f, p, i); i < 0 {
			if i = d.leave(n, f, i); i < 0 {
				return i
			}
			flip = -1
		} else if f.check != nil {
			if i = d.ruledField(f, p, i); i < 0 {
				i, flip = ^i, -1
			}
		}
	next:
		if b.At(i) <= ' ' {
			i = d.space(i)
		}
		switch b.At(i) {
		case ',':
			i++
			if b.At(i) <= ' ' {
				i = d.space(i)
			}
			continue
		case '}':
			goto end
		}
		return d.fail()
	}
end:
	d.depth--
	if stray >= 0 && d.unsure {
		d.code.end(d.names)
	}
	if flip == 0 && len(n.need) > 0 {
		return d.required(n, seen, start, i+1)
	}
	return (i + 1) ^ flip
}

// required notes an error for the object at i, which ends before j, unless the fields that must be there were seen.
func (d *decoder) required(n *node, seen seenFields, i, j int) int {
	lacks := uint64(0)
	for w, need := range n.need {
		lacks |= need &^ seen[w]
	}
	if lacks == 0 || d.saved != nil && d.all == nil {
		return j
	}
	missing := new(weft.MissingError)
	for k := range n.fields {
		if k>>6 < len(n.need) && n.need.has(k) && !seen.has(k) {
			missing.Names = append(missing.Names, n.fields[k].name)
		}
	}
	return d.violate(pathAt(d.data, i), i, missing, j)
}

// fieldValue decodes the value at i into the field f of the struct at p.
func (d *decoder) fieldValue(f *field, p mem.Ptr, i int) int {
	q := p.Field(f.offset)
	switch f.op {
	case opSet:
		if d.b.At(i) == 'n' {
			i = d.unset(f, p, i)
		} else {
			d.set(f, p)
			i = d.value(f.node, q, i)
		}
		if i < 0 {
			d.restore(f, p)
		}
		return i
	case opEmbed:
		return d.embedValue(f, p, i)
	case opQuoted:
		return d.quotedValue(f, q, i)
	case opOption:
		return d.optionValue(f.node, q, i, true)
	}
	return d.value(f.node, q, i)
}
