package json

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/nameset"
)

// strict returns why a text that is JSON is refused by the options about duplicate names and UTF-8. Of a text
// that is not JSON it returns nothing: that is found later.
func (d *decoder) strict() error {
	var at int
	var err error
	if d.flags&decodeRefuseUTF8 != 0 {
		at, err = d.wellEncoded(0, len(d.data))
	}
	if err == nil && d.flags&decodeRejectDuplicates != 0 {
		at, err = d.duplicates()
	}
	if err == nil || !d.check() {
		return nil
	}
	return d.located(err, at)
}

// strictCode is what the options about duplicate names and UTF-8 do. It is called through a pointer that these options
// set, so that a Go program without them is linked without it.
type strictCode struct {
	whole   func(d *decoder) error
	inside  func(d *decoder, i, j int) int
	unknown func(d *decoder, at, i int) (int, bool)
	end     func(w *nameWalk)
	forget  func(w *nameWalk)
}

var strictly = strictCode{
	(*decoder).strict, (*decoder).strictInside, (*decoder).addUnknown, (*nameWalk).end, (*nameWalk).forget,
}

// strictInside is strict for the value from i to j, which is JSON. It returns j, or failed.
func (d *decoder) strictInside(i, j int) int {
	if d.flags&decodeRefuseUTF8 != 0 {
		if _, err := d.wellEncoded(i, j); err != nil {
			return d.fail()
		}
	}
	if c := d.b.At(i); (c == '{' || c == '[') && d.flags&decodeRejectDuplicates != 0 && d.nameWalk().walk(d, i, true) >= 0 {
		return d.fail()
	}
	return j
}

// wellEncoded returns the error for the first byte from i up to end that is not UTF-8, or for the first escape
// that is half of a surrogate pair, and where it stands. The text need not be JSON.
func (d *decoder) wellEncoded(i, end int) (int, error) {
	if d.badUTF8 {
		off := 0
		for off < len(d.data) {
			r, n := utf8.DecodeRune(d.data[off:])
			if r == utf8.RuneError && n <= 1 {
				break
			}
			off += n
		}
		return off, errInvalidText
	}
	for text := d.data[:end]; ; {
		k := bytes.Index(text[i:], []byte(`\u`))
		if k < 0 {
			return 0, nil
		}
		i += k
		odd := true // the backslash begins an escape
		for j := i; j > 0 && d.data[j-1] == '\\'; j-- {
			odd = !odd
		}
		if !odd {
			i += 2
			continue
		}
		if end-i < 6 {
			return 0, nil
		}
		switch r := escapeAt(text[i:]); {
		case 0xD800 <= r && r < 0xDC00:
			if end-i < 12 {
				return d.halfPair(i)
			}
			if low := escapeAt(text[i+6:]); low < 0xDC00 || 0xE000 <= low {
				return d.halfPair(i)
			}
			i += 12
		case 0xDC00 <= r && r < 0xE000:
			return d.halfPair(i)
		default:
			i += 6
		}
	}
}

func (d *decoder) halfPair(i int) (int, error) {
	return i, fmt.Errorf("%w: %s is half of a pair", errInvalidText, d.data[i:i+6])
}

var errInvalidText = fmt.Errorf("invalid UTF-8")

// duplicates returns the error for the first member of the text that has the name of an earlier one of the same
// object, and where it stands. The text need not be JSON; in one that is not there may be others.
func (d *decoder) duplicates() (int, error) {
	w := d.nameWalk()
	at := w.walk(d, d.ws(0), d.checked)
	w.forget()
	if at < 0 {
		return 0, nil
	}
	return at, weft.ErrDuplicateName
}

func (d *decoder) nameWalk() *nameWalk {
	if d.names == nil {
		d.names = new(nameWalk)
	}
	return d.names
}

// addUnknown notes the name at i of a member for which the struct has no field, and reports whether it is new. at is
// the place for the names of the object, -1 before the first one.
func (d *decoder) addUnknown(at, i int) (int, bool) {
	w := d.nameWalk()
	if at < 0 {
		at = len(w.open)
		w.begin(0)
	}
	return at, w.add(d, &w.open[at], i) || d.check()
}

// nameWalk is a walk through the names of a text.
type nameWalk struct {
	through wire.Walker
	names   nameset.Set
	open    []nameObject
}

// nameObject is an open object.
type nameObject struct {
	nameset.Object
	depth int32 // how many arrays and objects are open in it
}

// forget drops the names of the text.
func (w *nameWalk) forget() {
	w.names.Reset()
	w.open = w.open[:0]
}

// begin opens an object.
func (w *nameWalk) begin(depth int32) *nameObject {
	w.open = append(w.open, nameObject{depth: depth})
	o := &w.open[len(w.open)-1]
	w.names.Open(&o.Object)
	return o
}

// end closes the innermost object.
func (w *nameWalk) end() {
	n := len(w.open) - 1
	w.names.Leave(&w.open[n].Object)
	w.open = w.open[:n]
}

// add adds the name at i to the innermost object and reports whether it is new, or no string.
func (w *nameWalk) add(d *decoder, o *nameObject, i int) bool {
	b, from, to, j := d.raw(i)
	switch {
	case j < 0:
		return true
	case from == i+1:
		return w.names.InsertPlain(&o.Object, b, d.buf, from, to)
	}
	return w.names.Insert(&o.Object, b.Slice(from, to), -1, d.buf)
}

// walk returns where the first name stands that its object has already, or -1 when there is none in the array or object
// at i up to where the text is not JSON, which it is known to be with checked.
func (w *nameWalk) walk(d *decoder, i int, checked bool) int {
	t, base := &w.through, len(w.open)
	t.Begin(d.most-base, true)
	var o *nameObject
	for full := true; full; {
		i = t.Walk(d.b, d.s, d.nw, i)
		var names []wire.Name
		names, full = t.Names()
		for k := range names {
			at := &names[k]
			if at.First || o.depth != at.Depth {
				o = w.innermost(base, at)
			}
			if at.Plain && !d.badUTF8 {
				i := at.Start + 1
				key := nameset.PlainKey(d.b, i, at.End)
				if !w.names.InsertNew(&o.Object, key, i, at.End) &&
					!w.names.InsertKey(&o.Object, d.buf[i:at.End], i, d.buf, key) {
					return at.Start
				}
				continue
			}
			if !checked && !d.check() {
				return -1
			}
			checked = true
			if !w.add(d, o, at.Start) {
				return at.Start
			}
		}
	}
	for len(w.open) > base {
		w.end()
	}
	return -1
}

// innermost returns the object, of those from base on, of the name that the walk has come to.
func (w *nameWalk) innermost(base int, at *wire.Name) *nameObject {
	n := len(w.open)
	for n > base && (w.open[n-1].depth > at.Depth || at.First && w.open[n-1].depth == at.Depth) {
		w.end()
		n--
	}
	if !at.First {
		return &w.open[n-1]
	}
	return w.begin(at.Depth)
}
