package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
)

// refuseNull notes that n, of a strict type, has no place for the null at i.
func (d *decoder) refuseNull(n *node, i int) int {
	err := &weft.TypeError{Kind: weft.KindNull, Type: n.rtype.String()}
	return d.save(d.located(err, i), -1, i+4)
}

// wholeNumber decodes the number at i, which is not written as an integer, into the integer at p. It returns failed,
// and notes nothing, unless n is an integer and the number is one that fits.
func (d *decoder) wholeNumber(n *node, p mem.Ptr, i int) int {
	if n.op < opInt || n.op > opUintptr {
		return failed
	}
	v := p.Value(n.mem)
	if n.op >= opUint {
		u, j := d.wholeUint(i)
		if j < 0 || v.OverflowUint(u) {
			return failed
		}
		v.SetUint(u)
		return j
	}
	x, j := d.wholeInt(i)
	if j < 0 || v.OverflowInt(x) {
		return failed
	}
	v.SetInt(x)
	return j
}

// beStrict changes n, the program of a type that is not strict, where its op would not look at that: times take no
// null, and numbers in any are a Number.
func (n *node) beStrict(t *plan.Type) {
	read := n.fn
	switch {
	case n.op == opTime && n.noNull:
		n.local(func(d *decoder, n *node, p mem.Ptr, i int) int {
			if d.b.At(i) == 'n' {
				return d.misfit(n, p, i)
			}
			return d.timeValue(n, p, i)
		})
		return
	case t.Kind == plan.Any:
		if read == nil {
			read = (*decoder).anyValue
		}
	case t.Kind == plan.Map && t.Elem.Kind == plan.Any && n.op == opMap:
		if read == nil {
			read = (*decoder).mapValue
		}
	default:
		return
	}
	n.local(func(d *decoder, n *node, p mem.Ptr, i int) int {
		was := d.flags
		d.flags |= decodeNumber
		i = read(d, n, p, i)
		d.flags = was
		return i
	})
}
