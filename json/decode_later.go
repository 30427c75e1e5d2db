package json

import (
	"encoding"
	"errors"
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
)

// later is a call of UnmarshalJSON or UnmarshalText that waits for the end of the walk, or a map that does since such
// methods make its keys or elements.
//
// A method must not be called before the whole text is known to be JSON. The walk finds out in any case, so that the
// calls wait for its end, in their order, unless something has to see what they do before: then the text is checked
// first, and the calls do not wait from there on (see [decoder.commit]). What they decode into stays where it is. The
// entries of a map do not: their text is skipped, and decoded when methods may be called.
type later struct {
	n    *node
	p    mem.Ptr // of a method, and its text
	text []byte
}

// laterMap is a map that waits. What goes wrong with its entries is told in its place when the text is walked anew.
type laterMap struct {
	m     reflect.Value
	i     int // where its text begins
	j     int // what decoding it has returned
	err   error
	at    int // of err, as the decoder has it
	place errorPath
}

// laterMost is how many of them a decoder has room for from one call to the next, and laterSize how many bytes of text
// there are for each one that it has more.
const (
	laterMost = 1 << 10
	laterSize = 64
)

// laterFlags are the settings under which methods may wait.
const laterFlags = decodeLocated | decodeNumber | decodeExactNames | decodeAlias

// errMisfit is in place of the error of a method where none has failed, but a value in a map that waited does not fit.
var errMisfit = errors.New("a value does not fit")

// invoke calls the method of n with text, the value at i, or lets it wait. The walk goes on at j.
func (d *decoder) invoke(n *node, p mem.Ptr, i int, text []byte, j int) int {
	c := later{n, p, text}
	switch {
	case d.replay != nil:
		n.mem.Copy(p, d.replay[0].p)
		if d.replayed(); d.replay == nil && d.laterErr != errMisfit {
			return d.abort(d.laterErr, i)
		}
		return j
	case d.waits && !d.checked:
		d.later = append(d.later, c)
		return j
	case !d.commit():
		return d.fail()
	}
	if err := c.call(); err != nil {
		return d.failedBy(n, err, i)
	}
	return j
}

// waitMap lets the map m of type n wait, whose text is at i.
func (d *decoder) waitMap(n *node, m reflect.Value, i int) int {
	if d.replay != nil {
		w := &d.maps[0]
		m.Set(w.m)
		d.maps = d.maps[1:]
		d.replayed()
		switch {
		case w.j == failed:
			d.err, d.at, d.place = w.err, w.at, w.place
		case w.err != nil && d.saved == nil:
			d.saved, d.at, d.place = w.err, w.at, w.place
		default:
			return max(w.j, ^w.j)
		}
		return w.j
	}
	j := d.skip(i)
	if j >= 0 {
		d.later = append(d.later, later{n: n})
		d.maps = append(d.maps, laterMap{m: reflect.ValueOf(m.Interface()), i: i})
	}
	return j
}

// replayed drops the first one of d.replay.
func (d *decoder) replayed() {
	if d.replay = d.replay[1:]; len(d.replay) == 0 {
		d.replay = nil
	}
}

// call calls the method.
func (c *later) call() error {
	if c.n.op == opJSON {
		return mem.As[Unmarshaler](c.n.box, c.p).UnmarshalJSON(c.text)
	}
	return mem.As[encoding.TextUnmarshaler](c.n.box, c.p).UnmarshalText(c.text)
}

// fill decodes the entries of w, a map of type n. It returns the error that ends the walk, if any.
func (d *decoder) fill(n *node, w *laterMap) error {
	saved, at, place, depth, hops := d.saved, d.at, d.place, d.depth, d.hops
	d.saved, d.place, d.depth, d.hops = nil, errorPath{}, 0, 0
	w.j = d.entriesOf(n, w.m, reflect.Value{}, w.i, false)
	err := d.err
	if w.err = d.saved; w.j == failed {
		if w.err, d.err = err, nil; err == nil {
			err = errNotRead
		}
	}
	if w.err != nil {
		w.at, w.place = d.at, d.place
	}
	d.saved, d.at, d.place, d.depth, d.hops = saved, at, place, depth, hops
	return err
}

// commit checks the whole text and calls the methods that wait. It reports whether the walk may go on.
func (d *decoder) commit() bool { return d.check() && (len(d.later) == 0 || d.callLater()) }

// callLater calls the methods that wait up to one that fails, whose error becomes d.laterErr. It reports whether none
// did, and all values in maps fit.
func (d *decoder) callLater() bool {
	calls, maps := d.later, d.maps
	d.later, d.maps = nil, nil // nothing waits any more
	k, l, misfit := 0, 0, false
	for ; k < len(calls) && d.laterErr == nil; k++ {
		if c := &calls[k]; c.n.op == opMap {
			d.laterErr = d.fill(c.n, &maps[l])
			misfit = misfit || maps[l].err != nil
			l++
		} else {
			d.laterErr = c.call()
		}
	}
	d.later, d.maps = calls[:k], maps[:l]
	if misfit && d.laterErr == nil {
		d.laterErr = errMisfit
	}
	if d.laterErr != nil {
		return false
	}
	d.forgetLater()
	return true
}

// forgetLater drops what waits.
func (d *decoder) forgetLater() {
	clear(d.later)
	clear(d.maps)
	d.later, d.maps = d.later[:0], d.maps[:0]
	if cap(d.later) > max(laterMost, cap(d.buf)/laterSize) {
		d.later, d.maps = nil, nil
	}
}

// anew walks the text anew up to the method that has failed, as encoding/json ends there: the target, of type t, is to
// have nothing of what comes after. No method is called twice: what each has made is copied.
func (d *decoder) anew(n *node, t reflect.Type, p mem.Ptr) int {
	for k := range d.later {
		if c := &d.later[k]; c.n.op != opMap {
			own := c.n.mem.New()
			c.n.mem.Copy(own, c.p)
			c.p = own
		}
	}
	d.replay, d.later = d.later, nil
	n.mem.Clear(p)
	d.scratch, d.opened = scratch{}, nil
	d.err, d.saved, d.all = nil, nil, nil
	d.place.reset()
	d.depth, d.hops, d.waits = 0, 0, false
	i := d.target(n, t, p, d.ws(0))
	d.replay, d.maps, d.laterErr = nil, nil, nil
	if i != failed { // values that do not fit are in d.saved
		i = max(i, ^i)
	}
	return i
}
