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
	w := r.wayIn(b)
	defer w.end()
	return w.to(off)
}

// maxPath bounds the length of paths.
const maxPath = 200

// way finds the ways to values of the message or row b, in ascending order.
type way struct {
	b    []byte
	r    *reader     // who knows the names
	own  bool        // it is the way's
	last map[int]int // by where the content of a container begins, the member or element that was gone into last

	start, stop int // of the value
	wt          uint32
	lone        bool
}

func (r *reader) wayIn(b []byte) *way {
	w := &way{b: b, r: r, last: make(map[int]int)}
	if r.exact {
		w.start, w.stop, w.wt, w.lone = tagwire.TagSize, len(b), uint32(b[0]&15), true
		return w
	}
	own := newReader(b, nil)
	w.r, w.own = own, true
	w.start, w.stop, w.wt, w.lone = own.i, own.tableAt, own.wt, own.lone
	own.table()
	return w
}

// end gives back what the way has taken.
func (w *way) end() {
	if w.own {
		w.r.all, w.r.err = nil, nil
		w.r.release()
	}
}

// to returns the JSON pointer to the value at offset off.
func (w *way) to(off int) string {
	var p []byte
	b, i, stop, wt := w.b, w.start, w.stop, w.wt
	for top := !w.lone; wt == tagwire.Object || wt == tagwire.Array; top = false {
		if !top {
			if i, stop = tagwire.Span(b, i, stop); stop < 0 || off < i {
				return string(p)
			}
		}
		from, next, tag := i, max(i, w.last[i]), uint32(0)
		for {
			if stop-next <= tagwire.TagSize || len(p) >= maxPath {
				return string(p)
			}
			w.last[i] = next
			tag, from = tagwire.Tag(b, next), next+tagwire.TagSize
			if next = tagwire.PassMemory(b, from, stop, tag&15); next < 0 || off < next {
				break
			}
		}
		if off < from {
			return string(p)
		}
		p = w.r.appendStep(p, wt, tag)
		if i, wt = from, tag&15; next < 0 {
			return string(p)
		}
	}
	return string(p)
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
