package json

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/nameset"
	"github.com/weftcodec/weft/json/jsontext"
)

// strict returns why a text that is JSON is refused by the options about duplicate names and UTF-8. Of a text
// that is not JSON it returns nothing: that is found later.
func (d *decoder) strict() error {
	refused := d.flags&decodeRefuseUTF8 != 0 && (d.badUTF8 || d.halves(0, len(d.data)))
	if !refused && d.flags&decodeRejectDuplicates != 0 && bytes.IndexByte(d.data, '{') >= 0 {
		w := d.nameWalk()
		refused = !w.walk(d, d.ws(0), d.checked)
		w.forget()
	}
	if !refused || !d.check() {
		return nil
	}
	if d.flags&decodeV2 != 0 { // which reads the text again in any case
		return errRefused
	}
	_, err := jsontext.AppendFormat(nil, d.data, jsontext.AllowDuplicateNames(d.flags&decodeRejectDuplicates == 0),
		jsontext.AllowInvalidUTF8(d.flags&decodeRefuseUTF8 == 0), weft.MaxDepth(d.most))
	if e, ok := err.(*jsontext.SyntacticError); ok {
		return refusedText(d.data, e)
	}
	return nil
}

// refusedText returns e, for which the options refuse data, as errors of this package are.
func refusedText(data []byte, e *jsontext.SyntacticError) error {
	err := errInvalidText
	switch {
	case e.Err == jsontext.ErrDuplicateName:
		err = weft.ErrDuplicateName
	case data[e.ByteOffset] == '\\':
		err = fmt.Errorf("%w: %s is half of a pair", errInvalidText, data[e.ByteOffset:e.ByteOffset+6])
	}
	return &weft.Error{Format: "json", Offset: e.ByteOffset, Path: pathAt(data, int(e.ByteOffset)), Err: err}
}

var (
	errInvalidText = errors.New("invalid UTF-8")
	errRefused     = errors.New("refused by the options") // until its place is known
)

// halves reports whether some escape from i to j is half of a surrogate pair. Of a text that is not JSON it may report
// so.
func (d *decoder) halves(i, j int) bool {
	for s := d.data[i:j]; ; {
		k := bytes.Index(s, []byte(`\u`))
		if k < 0 {
			return false
		}
		behind := k > 0 && s[k-1] == '\\' // it may be a backslash and a u
		s = s[k:]
		switch {
		case !behind && len(s) >= 6 && (s[2]|0x20 != 'd' || s[3] < '8'):
			s = s[6:]
		case !behind && len(s) >= 12 && s[3]|0x20 < 'c' && string(s[6:8]) == `\u` && s[8]|0x20 == 'd' && s[9]|0x20 >= 'c':
			s = s[12:]
		default:
			text := jsontext.Value(d.data[i:j])
			return !text.IsValid(jsontext.AllowDuplicateNames(true), weft.MaxDepth(d.most))
		}
	}
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

// strictInside is strict for the value from i to j, which is JSON and UTF-8. It returns j, or failed.
func (d *decoder) strictInside(i, j int) int {
	if d.flags&decodeRefuseUTF8 != 0 && d.halves(i, j) {
		return d.fail()
	}
	if c := d.b.At(i); (c == '{' || c == '[') && d.flags&decodeRejectDuplicates != 0 && !d.nameWalk().walk(d, i, true) {
		return d.fail()
	}
	return j
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

// walk reports whether all names in the array or object at i are new to their objects, up to where the text is not
// JSON, which it is known to be with checked.
func (w *nameWalk) walk(d *decoder, i int, checked bool) bool {
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
					return false
				}
				continue
			}
			if !checked && !d.check() {
				return true
			}
			checked = true
			if !w.add(d, o, at.Start) {
				return false
			}
		}
	}
	for len(w.open) > base {
		w.end()
	}
	return true
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
