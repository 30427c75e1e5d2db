package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// decodeFunc decodes the value at i into the variable at p and returns the index after it.
type decodeFunc = func(d *decoder, n *node, p mem.Ptr, i int) int

// structOf is structValue as a decodeFunc.
func structOf(d *decoder, n *node, p mem.Ptr, i int) int { return d.structValue(n, p, i) }

// requiring decodes an object by decode and then looks which of the fields that are needed were there: structs
// that need none do not pay for it. Names of no field may stand for the one that find returns.
func requiring(decode decodeFunc, find func(name string) int) decodeFunc {
	return func(d *decoder, n *node, p mem.Ptr, i int) int {
		j := decode(d, n, p, i)
		if j < 0 || d.b.At(i) != '{' || d.saved != nil {
			return j
		}
		seen := make([]bool, len(n.fields))
		d.depth++
		for k := d.ws(i + 1); d.b.At(k) != '}'; {
			name, after := d.name(k)
			at := n.names.Find(name)
			if at < 0 && d.flags&decodeExactNames == 0 {
				at = n.names.FindFold(name)
			}
			if at < 0 && find != nil {
				at = find(name)
			}
			if at >= len(n.fields) {
				at = n.others[at-len(n.fields)]
			}
			if at >= 0 {
				seen[at] = true
			}
			if k = d.skip(d.ws(d.ws(after) + 1)); k < 0 {
				return k
			}
			if k = d.ws(k); d.b.At(k) == ',' {
				k = d.ws(k + 1)
			}
		}
		d.depth--
		missing := new(weft.MissingError)
		for _, k := range n.need {
			if !seen[k] {
				missing.Names = append(missing.Names, n.fields[k].name)
			}
		}
		if missing.Names == nil {
			return j
		}
		return d.save(&weft.Error{Format: "json", Offset: int64(i), Path: PathAt(d.data, int64(i)), Err: missing}, j)
	}
}
