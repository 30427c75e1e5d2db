package transcode

import (
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/schema"
)

// jsonDirect writes the elements of f that are whole in the window in the direct way, and returns how many they are,
// and the index behind the comma or the bracket after the last of them. n is 0 where none is whole, or where something
// is wrong or rare: then jsonPiece does it, which finds where the elements end first. That by itself costs half of the
// direct way.
func (r *Reader) jsonDirect(f *frame) (n, used int, closed bool) {
	if r.o.To.Name() != namePack {
		return 0, 0, false
	}
	p := packer{b: r.out, src: r.rest(), round: r.o.Round}
	start, whole, names, right := len(r.out), len(r.out), 0, byte(']')
	if f.object {
		right = '}'
	}
	for !closed {
		if f.object {
			if _, ok := p.name(0); !ok {
				break
			}
		}
		if !p.value(1, schema.Walk{}) {
			break
		}
		c := p.next()
		if closed = c == right; !closed && c != ',' {
			break
		}
		p.i++
		n, used, whole, names = n+1, p.i, len(p.b), len(p.names.spans)
	}
	ok := wire.ValidUTF8(p.src[:used])
	if !closed && ok { // is what follows cut off, or wrong?
		_, more, ends := jsonElements(p.src[used:])
		ok = more == 0 && !ends
	}
	if p.names.spans = p.names.spans[:names]; f.object {
		ok = ok && p.names.end(p.b, 0)
	}
	if !ok {
		n, whole = 0, start
	}
	r.out = p.b[:whole]
	return n, used, closed
}

// packDirect is jsonDirect from MessagePack: at most due elements are left in f.
func (r *Reader) packDirect(f *frame, due int) (n, used int) {
	if r.to != nil || r.o.From.Name() != namePack {
		return 0, 0
	}
	u := unpacker{b: r.out, src: r.rest()}
	start, whole, names := len(r.out), len(r.out), 0
	for n < due {
		if f.n+n > 0 {
			u.b = append(u.b, ',')
		}
		if f.object {
			if _, ok := u.name(0); !ok {
				break
			}
		}
		if !u.value(1, schema.Walk{}) {
			break
		}
		n, used, whole, names = n+1, u.i, len(u.b), len(u.names.spans)
	}
	ok := plain(u.b[start:whole])
	if n < due && ok {
		each := 1
		if f.object {
			each = 2
		}
		_, more := r.from.elements(u.src[used:], each)
		ok = more < each
	}
	if u.names.spans = u.names.spans[:names]; f.object {
		ok = ok && u.names.end(u.src, 0)
	}
	if !ok {
		n, whole = 0, start
	}
	r.out = u.b[:whole]
	return n, used
}
