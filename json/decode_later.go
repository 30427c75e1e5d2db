package json

import (
	"encoding"
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
)

// later is a call of UnmarshalJSON or UnmarshalText that waits for the end of the walk.
//
// A method must not be called before the whole text is known to be JSON. The walk finds out in any case, so that the calls
// wait for its end, in their order, unless something has to see what they do before: then the text is checked first, and
// the calls do not wait from there on (see [decoder.commit]). What they decode into stays where it is.
type later struct {
	n    *node
	p    mem.Ptr
	text []byte
}

// laterMost is how many of them a decoder has room for from one call to the next.
const laterMost = 1 << 10

// laterFlags are the settings under which methods may wait.
const laterFlags = decodeLocated | decodeNumber | decodeExactNames | decodeAlias

// invoke calls the method of n with text, the value at i, or lets it wait. The walk goes on at j.
func (d *decoder) invoke(n *node, p mem.Ptr, i int, text []byte, j int) int {
	c := later{n, p, text}
	switch {
	case d.replay != nil:
		n.mem.Copy(p, d.replay[0])
		if d.replay = d.replay[1:]; len(d.replay) == 0 {
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
		return d.abort(err, i)
	}
	return j
}

// call calls the method.
func (c *later) call() error {
	if c.n.op == opJSON {
		return mem.As[Unmarshaler](c.n.box, c.p).UnmarshalJSON(c.text)
	}
	return mem.As[encoding.TextUnmarshaler](c.n.box, c.p).UnmarshalText(c.text)
}

// commit checks the whole text and calls the methods that wait. It reports whether the walk may go on.
func (d *decoder) commit() bool { return d.check() && (len(d.later) == 0 || d.callLater()) }

// callLater calls the methods that wait up to one that fails, whose error becomes d.laterErr. It reports whether none
// did.
func (d *decoder) callLater() bool {
	for k := range d.later {
		if d.laterErr = d.later[k].call(); d.laterErr != nil {
			d.later = d.later[:k+1]
			return false
		}
	}
	d.forgetLater()
	return true
}

// forgetLater drops the methods that wait.
func (d *decoder) forgetLater() {
	clear(d.later)
	d.later = d.later[:0]
	if cap(d.later) > laterMost {
		d.later = nil
	}
}

// anew walks the text anew up to the method that has failed, as encoding/json ends there: the target, of type t, is to have
// nothing of what comes after. No method is called twice: what each has made is copied.
func (d *decoder) anew(n *node, t reflect.Type, p mem.Ptr) int {
	for k := range d.later {
		c := &d.later[k]
		own := c.n.mem.New()
		c.n.mem.Copy(own, c.p)
		d.replay = append(d.replay, own)
	}
	d.forgetLater()
	n.mem.Clear(p)
	d.scratch, d.opened = scratch{}, nil
	d.err, d.saved, d.all = nil, nil, nil
	d.place.reset()
	d.depth, d.hops, d.waits = 0, 0, false
	i := d.target(n, t, p, d.ws(0))
	d.replay, d.laterErr = nil, nil
	return i
}
