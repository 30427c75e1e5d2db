package tagged

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
)

// nonNil returns v, or what is empty where that is nil and the type of p has no place for null.
func (p *program) nonNil(v []byte) []byte {
	if v == nil && p.typ.NoNull {
		return []byte{}
	}
	return v
}

// nilValue writes the null of a nil pointer or interface, or fails where its type has no place for that.
func (s *encoder) nilValue(b []byte, p *program) []byte {
	if p.typ.NoNull {
		return s.fail(b, plan.NilError(p.typ.Rtype))
	}
	return append(b, 0)
}

// refuseNull notes that the i-th value, a null, has no place in the type of b, if that is so.
func (r *frameReader) refuseNull(b *bound, i int) {
	if t := b.p.typ; t.NoNull {
		err := &weft.TypeError{Kind: weft.KindNull, Type: t.Rtype.String()}
		r.misfit(i, &weft.Error{Format: formatName, Err: err})
	}
}
