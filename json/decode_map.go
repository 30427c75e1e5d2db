package json

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
)

// mapOp sorts the map types whose entries are read and written without reflection: those of strings.
type mapOp uint8

const (
	mapOther mapOp = iota
	mapAny
	mapString
	mapStrings
	mapBool
	mapInt
	mapNone // those that follow are encoded: of struct{}
	mapPtr  // of pointers
	mapList // of slices
)

var mapElems = [...]reflect.Type{
	mapAny: anyType, mapString: stringType, mapStrings: stringsType, mapBool: reflect.TypeFor[bool](),
	mapInt: reflect.TypeFor[int](),
}

// mapOpOf returns how maps of type t are read and written.
func mapOpOf(t reflect.Type) mapOp {
	if t.Key() != stringType {
		return mapOther
	}
	return mapOp(max(slices.Index(mapElems[:], t.Elem()), 0))
}

// mapValue decodes the object at i into the map at p.
func (d *decoder) mapValue(n *node, p mem.Ptr, i int) int {
	if d.b.At(i) != '{' {
		return d.misfit(n, p, i)
	}
	if n.merged && !(n.unmerged && p.AllZero(n.mem)) {
		return d.reflectMap(n, p, i, true)
	}
	switch n.mapOp {
	case mapAny:
		if m := mem.At[map[string]any](p); *m == nil {
			v, j := d.anyObject(i)
			if all, ok := v.(map[string]any); ok {
				*m = all
			}
			return j
		}
	case mapString:
		return mapOf(d, n, mem.At[map[string]string](p), i, (*decoder).mapString)
	case mapBool:
		return mapOf(d, n, mem.At[map[string]bool](p), i, (*decoder).bool)
	case mapInt:
		return mapOf(d, n, mem.At[map[string]int](p), i, (*decoder).mapInt)
	}
	return d.reflectMap(n, p, i, false)
}

// entrySize is about what an entry of a map needs.
const entrySize = 64

// bool returns the boolean at i and the index after it, failed if there is none.
func (d *decoder) bool(i int) (bool, int) {
	switch {
	case d.b.U32(i) == wordTrue:
		return true, i + 4
	case isFalse(d.b, i):
		return false, i + 5
	}
	return false, failed
}

// mapString returns the string at i and the index after it, failed if there is none.
func (d *decoder) mapString(i int) (string, int) {
	if d.b.At(i) != '"' {
		return "", failed
	}
	return d.str(i)
}

// mapInt returns the int at i and the index after it, failed if there is none.
func (d *decoder) mapInt(i int) (int, int) {
	v, j := d.int(i)
	if int64(int(v)) != v {
		return 0, failed
	}
	return int(v), j
}

// mapOf decodes the object at i into the map at p. read decodes an element; where it
// fails the element's program tells why.
func mapOf[V any](d *decoder, n *node, p *map[string]V, i int, read func(*decoder, int) (V, int)) int {
	if *p == nil {
		*p = make(map[string]V, d.expected(n, entrySize, i))
	} else if len(*p) > 0 && !d.check() {
		return d.fail()
	}
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	b, m := d.b, *p
	i = d.ws(i + 1)
	if b.At(i) == '}' {
		d.depth--
		return i + 1
	}
	flip := 0
	for count := 1; ; count++ {
		if b.At(i) != '"' {
			return d.fail()
		}
		key, j := d.str(i)
		if j < 0 {
			return j
		}
		i = d.ws(j)
		if b.At(i) != ':' {
			return d.fail()
		}
		i = d.ws(i + 1)
		v, j := read(d, i)
		if j == failed {
			elem := new(V)
			j = d.value(n.elem, mem.To(elem), i)
			v = *elem
		}
		if i = j; i < 0 {
			if i == failed {
				if d.flags&decodeV2 != 0 && d.err != nil { // which keeps what there is
					m[key] = v
				}
				return i
			}
			i, flip = ^i, -1
		}
		m[key] = v
		i = d.ws(i)
		switch b.At(i) {
		case ',':
			i = d.ws(i + 1)
			continue
		case '}':
			if len(m) < count && !d.allNew() {
				return d.fail()
			}
			d.counted(n, count)
			d.depth--
			return (i + 1) ^ flip
		}
		return d.fail()
	}
}

// reflectMap is mapValue for any type of map. With merge each entry is looked up first, by encoding/json/v2's rules:
// its element is decoded into as it is, and a name that comes twice is refused.
func (d *decoder) reflectMap(n *node, p mem.Ptr, i int, merge bool) int {
	m := p.Value(n.mem)
	if (merge || !m.IsNil()) && !d.commit() { // its entries may wait
		return d.fail()
	}
	var seen reflect.Value // the names so far, where the map has others
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(n.rtype, d.expected(n, entrySize+n.elem.mem.Size, i)))
	} else if merge && d.flags&decodeRejectDuplicates != 0 && m.Len() > 0 {
		seen = reflect.MakeMap(reflect.MapOf(n.rtype.Key(), emptyType))
	}
	if (d.waits && !d.checked || d.replay != nil) && d.b.At(d.ws(i+1)) != '}' {
		if n.key == plan.KeyText || n.key == plan.KeyCodec || d.hooked(n.elem) {
			return d.waitMap(n, m, i)
		}
	}
	return d.entriesOf(n, m, seen, i, merge)
}

// entriesOf decodes the object at i into the map m, as reflectMap does. seen is the names so far, if they are needed.
func (d *decoder) entriesOf(n *node, m, seen reflect.Value, i int, merge bool) int {
	b := d.b
	refuse := merge && d.flags&decodeRejectDuplicates != 0
	merges := merge && n.fresh
	if d.depth++; d.depth > d.most {
		return d.fail()
	}
	i = d.ws(i + 1)
	if b.At(i) == '}' {
		d.depth--
		return i + 1
	}
	e := d.entry(n)
	flip := 0
	for count := 1; ; count++ {
		if b.At(i) != '"' {
			return d.fail()
		}
		start := i
		key, j := d.nameOf(n, e, i)
		if j < 0 {
			return j
		}
		i = d.ws(j)
		if b.At(i) != ':' {
			return d.fail()
		}
		if refuse && m.MapIndex(e.KeyValue()).IsValid() && (!seen.IsValid() || seen.MapIndex(e.KeyValue()).IsValid()) {
			return d.refuse(weft.ErrDuplicateName, start)
		}
		if seen.IsValid() {
			seen.SetMapIndex(e.KeyValue(), reflect.Zero(emptyType))
		}
		if merges {
			e.Load(m)
		}
		i = d.value(n.elem, e.Elem, d.ws(i+1))
		if i < 0 {
			if i == failed {
				if d.flags&decodeV2 != 0 && d.err != nil { // which keeps what there is
					e.Put(m)
				}
				return i
			}
			i, flip = ^i, -1
		}
		j, ok := d.mapKey(n, e, key, start, i)
		if j < 0 {
			if j == failed {
				return j
			}
			flip = -1
		}
		if ok {
			e.Put(m)
		} else {
			e.Clear()
		}
		i = d.ws(i)
		switch b.At(i) {
		case ',':
			i = d.ws(i + 1)
			continue
		case '}':
			if d.unverified && m.Len() < count && !d.check() {
				return d.fail()
			}
			d.putEntry(n, e)
			d.counted(n, count)
			d.depth--
			return (i + 1) ^ flip
		}
		return d.fail()
	}
}

// nameOf decodes the name at i into the key of e, unless it is one that [decoder.mapKey] makes after the element. It
// returns the name and the index after it.
func (d *decoder) nameOf(n *node, e *mem.Entry, i int) (string, int) {
	if n.keys != nil {
		j := d.value(n.keys, e.Key, i)
		if j < 0 {
			return "", d.abort(d.nameError(j, i), d.at)
		}
		if key := e.KeyValue(); key.Kind() == reflect.Interface && !key.IsNil() && !key.Elem().Comparable() {
			return "", d.abort(d.about(n.rtype, fmt.Errorf("a key of type %v cannot be compared", key.Elem().Type())), i)
		}
		return "", j
	}
	name, j := d.str(i)
	if j < 0 {
		return name, j
	}
	switch n.key {
	case plan.KeyString:
		*mem.At[string](e.Key) = name
	case plan.KeyCodec:
		if !d.commit() {
			return name, d.fail()
		}
		if err := n.name.ParseKey(name, e.KeyValue().Addr().Interface()); err != nil {
			return name, d.abort(d.about(n.rtype.Key(), err), i)
		}
	}
	return name, j
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

// mapKey makes the key of e from its text, which stands at start, where encoding/json does so after the element. ok is
// false if it does not fit.
func (d *decoder) mapKey(n *node, e *mem.Entry, key string, start, i int) (j int, ok bool) {
	if n.key == plan.KeyString || n.key == plan.KeyCodec {
		return i, true
	}
	v := e.KeyValue()
	switch n.key {
	case plan.KeyText:
		if !d.commit() {
			return d.fail(), false
		}
		var err error
		switch u := v.Addr().Interface().(type) {
		case Unmarshaler: // encoding/json asks it first
			end := d.skip(start)
			err = u.UnmarshalJSON(d.data[start:end:end])
		case encoding.TextUnmarshaler:
			err = u.UnmarshalText([]byte(key))
		}
		if err != nil {
			return d.abort(err, start), false
		}
		return i, true
	case plan.KeyInt, plan.KeyUint:
		if setNumber(v, key) == nil {
			return i, true
		}
	}
	return d.save(&UnmarshalTypeError{Value: "number " + key, Type: v.Type(), Offset: int64(start + 1)}, start, i), false
}
