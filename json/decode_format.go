package json

import (
	"fmt"
	"reflect"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// byText makes n decode what set makes of a text: the content of a string, or with number the text of a
// number.
func (n *node) byText(number bool, set func(p mem.Ptr, s []byte) error) {
	n.own(func(d *decoder, n *node, p mem.Ptr, i int) int {
		c := d.b.At(i)
		if c == 'n' {
			return d.misfit(n, p, i)
		}
		if number != (c == '-' || isDigit(c)) || !number && c != '"' {
			return d.mismatch(n.rtype, false, i)
		}
		var s []byte
		var j int
		if number {
			if j = d.skipNumber(i); j >= 0 {
				s = d.b.Slice(i, j)
			}
		} else {
			s, j = d.text(i)
		}
		if j < 0 {
			return j
		}
		if err := set(p, s); err != nil {
			return d.wrongText(err, i, j)
		}
		return j
	})
}

// timeFormat makes n decode times in the named format, if there is a name.
func (n *node) timeFormat(name string, quoted, named bool, m *mode, v2 bool) bool {
	if name == "" {
		if quoted {
			n.failing(badString(n.rtype))
		}
		return quoted
	}
	f, ok := timeFormatOf(name)
	switch {
	case !ok:
		n.failing(badFormat(n.rtype, name))
		return true
	case quoted && !f.number:
		n.failing(badString(n.rtype))
		return true
	}
	n.byText(f.number && !quoted && !named && m.flags&flagStringNumbers == 0, func(p mem.Ptr, s []byte) error {
		t, err := f.parse(s)
		if err == nil {
			*mem.At[time.Time](p) = t
		}
		return err
	})
	return true
}

// durationFormat makes n decode durations in the named format, if there is a name.
func (n *node) durationFormat(name string, quoted, named bool, m *mode, v2 bool) bool {
	if name == "" {
		if v2 {
			n.failing(errNoDuration)
		}
		return v2
	}
	f, ok := durationFormatOf(name)
	switch {
	case !ok:
		n.failing(badFormat(n.rtype, name))
		return true
	case quoted && !f.number:
		n.failing(badString(n.rtype))
		return true
	}
	n.byText(f.number && !quoted && !named && m.flags&flagStringNumbers == 0, func(p mem.Ptr, s []byte) error {
		x, err := f.parse(s)
		if err == nil {
			*mem.At[int64](p) = int64(x)
		}
		return err
	})
	return true
}

// bytesFormat is [compiler.bytesFormat] for decoding.
func (s *nodeSet) bytesFormat(n *node, t *plan.Type, name string, v2, named bool) bool {
	slice := t.Kind == plan.Bytes
	f, ok := bytesFormatOf(name)
	switch {
	case name == "" && !v2:
		return false
	case named || name == "array":
		n.elem, n.len, n.nullable = s.compile(t.Elem, false), t.Len, slice || v2
		n.fresh = v2 && (slice || s.mode.v2(setting.LegacyMerge))
		n.op, n.exact = pick(slice, opSlice, opArray), v2
		return true
	case name == "":
		f = base64Format()
	case !ok:
		n.failing(badFormat(t.Rtype, name))
		return true
	}
	n.nullable = slice || v2 && !s.mode.has(setting.LegacyMerge)
	breaks, anyLength := s.mode.has(setting.LegacyParseBytes), s.mode.has(setting.LegacyLengths)
	n.byText(false, func(p mem.Ptr, s []byte) error {
		v := p.Value(t.Mem)
		if !slice {
			out, err := f.parse(nil, s, breaks)
			if err != nil {
				return err
			}
			to := v.Bytes()
			clear(to[copy(to, out):])
			if len(out) != t.Len && !anyLength {
				return fmt.Errorf("%d bytes do not fit %v", len(out), t.Rtype)
			}
			return nil
		}
		var room []byte
		if v2 {
			room = v.Bytes()[:0]
		}
		out, err := f.parse(room, s, breaks)
		if err != nil {
			return err
		}
		if out == nil {
			out = []byte{}
		}
		v.SetBytes(out)
		return nil
	})
	if s.mode.has(setting.LegacyBytes) {
		text, list := n.fn, s.newNode(t)
		s.describe(list, t)
		n.fn = func(d *decoder, n *node, p mem.Ptr, i int) int {
			if d.b.At(i) == '[' {
				return d.value(list, p, i)
			}
			return text(d, n, p, i)
		}
	}
	return true
}

// mapV2 makes n decode maps by encoding/json/v2's rules.
func (s *nodeSet) mapV2(n *node, t *plan.Type) {
	w := &mapReader{inner: s.newNode(t)}
	hooked := t.Key.Kind != plan.Number && t.Key.Hooks.UnmarshalAddr != 0 || len(s.mode.unmarshalers.of(t.Key.Rtype)) > 0
	w.plain = t.Key.Rtype.Kind() == reflect.String && !hooked && t.Key.Kind != plan.Number
	if w.codec = t.KeyCodec; w.codec != nil {
		w.plain = false
	} else if !w.plain {
		w.key = s.specified(t.Key, true, spec{name: true})
	}
	n.nullable = true
	n.elem = s.compile(t.Elem, false)
	if w.plain && s.mode.flags&flagRefuseDuplicates != 0 {
		w.inner.op, w.inner.elem, w.inner.key = opMap, n.elem, plan.KeyString
		if s.mode.unmarshalers == nil && s.mode.flags&flagStringNumbers == 0 {
			w.inner.mapOp = mapOpOf(t.Rtype)
		}
	}
	n.own(w.decode)
}

// mapReader decodes the maps of one type.
type mapReader struct {
	inner *node       // the program that is faster, where that may be used
	key   *node       // of keys that are not strings
	codec *weft.Codec // of keys that have one
	plain bool
}

func (w *mapReader) decode(d *decoder, n *node, p mem.Ptr, i int) int {
	b := d.b
	if b.At(i) != '{' {
		return d.misfit(n, p, i)
	}
	if w.inner.op == opMap && p.AllZero(n.mem) {
		return d.mapValue(w.inner, p, i)
	}
	m := p.Value(n.mem)
	refuse := d.flags&decodeRejectDuplicates != 0
	if !d.check() {
		return d.fail()
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	var seen reflect.Value
	if m.IsNil() {
		m.Set(reflect.MakeMap(n.rtype))
	} else if refuse && m.Len() > 0 {
		seen = reflect.MakeMap(reflect.MapOf(n.rtype.Key(), emptyType))
	}
	e, merges := mem.NewEntry(n.rtype), !d.nodes.mode.has(setting.LegacyMerge)
	flip := 0
	i = d.ws(i + 1)
	for b.At(i) != '}' {
		at := i
		key := e.KeyValue()
		if w.plain {
			name, j := d.str(i)
			if j < 0 {
				return j
			}
			key.SetString(name)
			i = j
		} else if w.codec != nil {
			name, j := d.str(i)
			if j < 0 {
				return j
			}
			if err := w.codec.ParseKey(name, key.Addr().Interface()); err != nil {
				return d.abort(err, at)
			}
			i = j
		} else {
			if i = d.value(w.key, e.Key, i); i < 0 {
				return d.abort(d.nameError(i, at), d.at)
			}
			if key.Kind() == reflect.Interface && !key.IsNil() && !key.Elem().Comparable() {
				return d.refuse(fmt.Errorf("a key of type %v cannot be compared", key.Elem().Type()), at)
			}
		}
		if refuse && m.MapIndex(key).IsValid() && (!seen.IsValid() || seen.MapIndex(key).IsValid()) {
			return d.refuse(weft.ErrDuplicateName, at)
		}
		if seen.IsValid() {
			seen.SetMapIndex(key, reflect.Zero(emptyType))
		}
		if merges {
			e.Load(m)
		}
		if i = d.value(n.elem, e.Elem, d.ws(d.ws(i)+1)); i < 0 {
			if i == failed {
				if d.err != nil {
					e.Put(m)
				}
				return i
			}
			i, flip = ^i, -1
		}
		e.Put(m)
		if i = d.ws(i); b.At(i) == ',' {
			i = d.ws(i + 1)
		}
	}
	d.depth--
	return (i + 1) ^ flip
}

var emptyType = reflect.TypeFor[struct{}]()

// nameError returns why the name at at did not become a key, as the walk has noted it.
func (d *decoder) nameError(i, at int) error {
	if i == failed && d.err != nil {
		return d.err
	}
	if err := d.saved; err != nil {
		d.saved = nil
		return err
	}
	d.at = at
	return errNotRead
}
