package tagged

import (
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// place gives the error its path, which is found by going down to its offset.
func (r *reader) place() {
	e, ok := r.err.(*weft.Error)
	if !ok || r.all == nil || e.Path != "" {
		return
	}
	e.Path = r.pathIn(r.all, int(e.Offset-r.base))
}

// pathIn returns the JSON pointer to the value at offset off of the message or row b.
func (r *reader) pathIn(b []byte, off int) (path string) {
	if r.exact {
		return string(r.appendPath(nil, b, tagwire.TagSize, len(b), uint32(b[0]&15), off))
	}
	own := newReader(b, nil)
	i, stop, wt := own.i, own.tableAt, own.wt
	own.table()
	path = string(own.appendPath(nil, b, i, stop, wt, off))
	own.all, own.err = nil, nil
	own.release()
	return path
}

// maxPath bounds the length of paths.
const maxPath = 200

// appendPath appends the way to what stands at off of the value of wire type wt at b[i:stop].
func (r *reader) appendPath(p, b []byte, i, stop int, wt uint32, off int) []byte {
	for top := !r.exact && !r.lone; wt == tagwire.Object || wt == tagwire.Array; top = false {
		if !top {
			if i, stop = tagwire.Span(b, i, stop); stop < 0 || off < i {
				return p
			}
		}
		from, next, tag := i, i, uint32(0)
		for {
			if stop-next <= tagwire.TagSize || len(p) >= maxPath {
				return p
			}
			tag, from = tagwire.Tag(b, next), next+tagwire.TagSize
			if next = tagwire.PassMemory(b, from, stop, tag&15); next < 0 || off < next {
				break
			}
		}
		if off < from {
			return p
		}
		p = r.appendStep(p, wt, tag)
		if i, wt = from, tag&15; next < 0 {
			return p
		}
	}
	return p
}

// appendStep appends the step from an object or array to its member or element with the given tag.
func (r *reader) appendStep(p []byte, wt, tag uint32) []byte {
	switch k := lowest(r.names, tag); {
	case wt == tagwire.Array:
		return strconv.AppendUint(append(p, '/'), uint64(tag>>4)-1, 10)
	case r.exact:
		return wire.AppendPointer(p, r.known[tag>>8].name)
	case k < len(r.names) && r.names[k].tag == tag:
		return wire.AppendPointer(p, r.names[k].name)
	}
	return strconv.AppendUint(append(p, "/#"...), uint64(tag>>8), 16)
}
