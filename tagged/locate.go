package tagged

import (
	"math"
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
	w := r.wayIn(r.all)
	defer w.end()
	e.Path = w.to(int(e.Offset - r.base))
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
	path, _ := w.down(off, math.MaxInt)
	return path
}

// down is to for at most depth steps. It returns where the value begins, too.
func (w *way) down(off, depth int) (path string, at int) {
	var p []byte
	at = w.start
	b, i, stop, wt := w.b, w.start, w.stop, w.wt
	for top := !w.lone; depth > 0 && (wt == tagwire.Object || wt == tagwire.Array); top = false {
		if !top {
			if i, stop = tagwire.Span(b, i, stop); stop < 0 || off < i {
				break
			}
		}
		from, next, tag := i, max(i, w.last[i]), uint32(0)
		for {
			if stop-next <= tagwire.TagSize || len(p) >= maxPath {
				return string(p), at
			}
			w.last[i] = next
			tag, from = tagwire.Tag(b, next), next+tagwire.TagSize
			if next = tagwire.PassMemory(b, from, stop, tag&15); next < 0 || off < next {
				break
			}
		}
		if off < from {
			break
		}
		p = w.r.appendStep(p, wt, tag)
		if i, wt, at = from, tag&15, from; next < 0 {
			break
		}
		depth--
	}
	return string(p), at
}

// parts returns where the elements, or the first members of each name, of the value at i begin.
func (w *way) parts(i int) map[string]int {
	wt, start, stop := w.wt, w.start, w.stop
	if i != w.start {
		wt = tagwire.Tag(w.b, i-tagwire.TagSize) & 15
	}
	parts := make(map[string]int)
	if wt != tagwire.Object && wt != tagwire.Array {
		return parts
	}
	if i != w.start || w.lone {
		start, stop = tagwire.Span(w.b, i, len(w.b))
	}
	for tag, at := range w.r.parts(start, stop) {
		name := wire.UnescapeToken(string(w.r.appendStep(nil, wt, tag)[1:]))
		if _, ok := parts[name]; !ok {
			parts[name] = at
		}
	}
	return parts
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
