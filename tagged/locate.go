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
		return string(r.rowPath(b, off))
	}
	own := newReader(b, nil)
	start, stop, wt := own.i, own.tableAt, own.wt
	names := own.table()
	if !own.lone {
		stop = own.tableAt
		path = string(appendPath(nil, b, start, stop, tagwire.Object, off, names))
	} else if wt == tagwire.Object || wt == tagwire.Array {
		if a, z := tagwire.Span(b, start, stop); z >= 0 && off >= a {
			path = string(appendPath(nil, b, a, z, wt, off, names))
		}
	}
	own.all, own.err = nil, nil
	own.release()
	return path
}

// rowPath returns the path of the value at off of the row b.
func (r *reader) rowPath(b []byte, off int) (p []byte) {
	i, stop, wt := tagwire.TagSize, len(b), uint32(b[0]&15)
	for wt == tagwire.Object || wt == tagwire.Array {
		if i, stop = tagwire.Span(b, i, stop); off < i || len(p) >= maxPath {
			return p
		}
		var tag uint32
		for {
			if i >= stop {
				return p
			}
			tag = tagwire.Tag(b, i)
			next := tagwire.PassMemory(b, i+tagwire.TagSize, stop, tag&15)
			if off < next {
				break
			}
			i = next
		}
		if i += tagwire.TagSize; off < i {
			return p
		}
		if wt == tagwire.Array {
			p = strconv.AppendUint(append(p, '/'), uint64(tag>>4)-1, 10)
		} else {
			p = wire.AppendPointer(p, r.known[tag>>8].name)
		}
		wt = tag & 15
	}
	return p
}

// maxPath bounds the length of paths.
const maxPath = 200

// appendPath appends the way to the member at off of the container b[i:stop].
func appendPath(p, b []byte, i, stop int, wt uint32, off int, names []entry) []byte {
	for i < stop && stop-i > tagwire.TagSize && len(p) < maxPath {
		tag := tagwire.Tag(b, i)
		from := i + tagwire.TagSize
		next := tagwire.PassMemory(b, from, stop, tag&15)
		if off < from {
			return p
		}
		if next >= 0 && off >= next {
			i = next
			continue
		}
		if wt == tagwire.Array {
			p = strconv.AppendUint(append(p, '/'), uint64(tag>>4)-1, 10)
		} else if k := lowest(names, tag); k < len(names) && names[k].tag == tag {
			p = wire.AppendPointer(p, names[k].name)
		} else {
			p = strconv.AppendUint(append(p, "/#"...), uint64(tag>>8), 16)
		}
		if wt = tag & 15; next < 0 || wt != tagwire.Object && wt != tagwire.Array {
			return p
		}
		if i, stop = tagwire.Span(b, from, stop); off < i {
			return p
		}
	}
	return p
}
