package tagged

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
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

// nilPointer reports whether the pointer at q is nil, which fails where its type has no place for that.
func (w *frameWriter) nilPointer(p *program, q mem.Ptr) bool {
	if !q.Deref(p.elem.mem).IsNil() {
		return false
	}
	if p.typ.NoNull {
		w.fail(plan.NilError(p.typ.Rtype))
	}
	return true
}

// refuseNull notes that the i-th value, a null, has no place in the type of b, if that is so.
func (r *frameReader) refuseNull(b *bound, i int) {
	if b.noNull {
		err := &weft.TypeError{Kind: weft.KindNull, Type: b.typ.Rtype.String()}
		r.misfit(i, &weft.Error{Format: formatName, Err: err})
	}
}
