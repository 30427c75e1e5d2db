package msgpack

import (
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// plainList writes n structs, the elements of list, and returns the index of the one that failed. Room is
// made for all members of a struct at once, as far as their values are short.
func (s *encoder) plainList(b []byte, p *program, list mem.Array, n int) ([]byte, int) {
	sh := &p.shapes[0]
	if s.array {
		sh = &p.shapes[1]
	}
	var c steps.Cursor[program] // set one by one: as a whole it would be copied in words that are being written
	c.Shape, c.Mem, c.List, c.Last = sh, p.mem, list, n-1
	for ; ; c.Elem++ {
		if cap(b)-len(b) < sh.Room {
			b = steps.Grow(b, sh.Room)
		}
		c.Limit, c.Left = cap(b)-sh.Room, 0
		if s.flags&flagOldSpec == 0 {
			c.Cap = cap(b)
		}
		q := list.At(p.mem, c.Elem)
		head := len(b)
		l := sh.PutHead(mem.BytesOf(b), head)
		for i := 0; ; i++ {
			o := &sh.Ops[i]
			if o.Omit != steps.OmitNever && o.Absent(q) {
				i += int(o.Skip) - 1
				c.Left++
				continue
			}
			if o.Code == steps.End {
				break
			}
			if o.Code != steps.Other {
				if p.leaves && sh.Keyed {
					i, l = steps.Write[steps.PackSome](&c, i, q, mem.BytesOf(b), l)
				} else if sh.Keyed {
					i, l = steps.Write[steps.PackKeyed](&c, i, q, mem.BytesOf(b), l)
				} else {
					i, l = steps.Write[steps.Pack](&c, i, q, mem.BytesOf(b), l)
				}
				if o = &sh.Ops[i]; o.Code == steps.End {
					break
				}
				q = list.At(p.mem, c.Elem)
			} else if o.N > 0 {
				l = o.PutPrefix(mem.BytesOf(b), l)
			}
			switch at := q.Field(o.Off); o.P.enc {
			case cFast:
				b = o.P.encFast(s, b[:l], at)
			case plan.Bytes:
				b = s.bytes(b[:l], *mem.At[[]byte](at))
			case plan.String:
				b = s.string(b[:l], *mem.At[string](at))
			case plan.Time:
				b = packwire.AppendTime(b[:l], *mem.At[time.Time](at))
			case plan.Struct:
				b = s.structure(b[:l], o.P, at)
			case plan.Pointer:
				b = s.pointer(b[:l], o.P, at)
			case cAsked:
				if p.fields[o.In.Index].leavesOut(q) {
					i += int(o.Skip) - 1
					c.Left++
				}
				continue
			default:
				b = s.value(b[:l], o.P, at)
			}
			if s.err != nil {
				return s.inPlace(b, o.In), c.Elem
			}
			if b == nil {
				return nil, 0
			}
			if need := sh.Ops[i+1].Need; cap(b)-len(b) < need {
				b = steps.Grow(b, need)
			}
			if c.Limit = cap(b) - sh.Room; s.flags&flagOldSpec == 0 {
				c.Cap = cap(b)
			}
			l = len(b)
		}
		if b = b[:l]; p.rest != nil {
			if b = s.rest(b, p, q, head, c.Left); s.err != nil {
				return b, c.Elem
			}
		} else if c.Left > 0 {
			b = packwire.CloseMap(b, head, int(sh.HeadSize), len(p.fields)-c.Left)
		}
		if c.Elem == c.Last {
			return b, 0
		}
	}
}
