package msgpack

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// beStrict makes p, the program of a strict type, refuse nil in a list or map of plain types, and write what is empty
// where it has no place for nil.
func (p *program) beStrict() {
	empty := byte(packwire.FixArray)
	switch {
	case p.enc == plan.Bytes && p.typ.NoNull:
		p.enc, p.pure = cFast, true
		p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte {
			return s.bytes(b, p.nonNil(*mem.At[[]byte](q)))
		}
		return
	case p.enc != cFast && p.dec != cFast, p.encFast == nil:
		return
	case p.typ.Kind == plan.Map:
		empty = packwire.FixMap
	}
	write, read := p.encFast, p.decFast
	if p.typ.NoNull {
		p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte {
			n := len(b)
			if b = write(s, b, q); len(b) == n+1 && b[n] == packwire.Nil {
				b[n] = empty
			}
			return b
		}
	}
	p.decFast = func(r *Reader, i int, q mem.Ptr) int {
		was := r.noNil
		r.noNil = true
		i = read(r, i, q)
		r.noNil = was
		return i
	}
}

// fixed returns the program that writes f, of which v reads and writes the values, as its one value where it is zero.
func (g *registry) fixed(v *program, f *plan.Field) *program {
	p := &program{typ: v.typ, mem: v.mem, enc: cFast, pure: v.enc == plan.String}
	p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte { return s.value(b, v, f.Stands(q)) }
	if v.enc == plan.String {
		p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte {
			text := *mem.At[string](q)
			if text == "" {
				text = *mem.At[string](f.Stands(q))
			}
			return s.string(b, text)
		}
	}
	return p
}

// nonNil returns v, or what is empty where that is nil and the type of p has no place for nil.
func (p *program) nonNil(v []byte) []byte {
	if v == nil && p.typ.NoNull {
		return []byte{}
	}
	return v
}

// nilValue writes the nil of a pointer or an interface, or fails where its type has no place for that.
func (s *encoder) nilValue(b []byte, p *program) []byte {
	if p.typ.NoNull {
		return s.fail(b, plan.NilError(p.typ.Rtype))
	}
	return append(b, packwire.Nil)
}
