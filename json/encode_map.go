package json

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire"
)

// mapRange takes the entries out of maps of one type, without an allocation for each of them.
type mapRange struct {
	iter  reflect.MapIter
	key   reflect.Value          // of the map's key type
	slice reflect.Value          // of the map's elements
	head  mem.Ptr                // where slice is
	elems mem.Array              // the elements in slice
	text  encoding.TextMarshaler // key, where a value has the method that names it
}

// maxRange is the most memory that a mapRange keeps for its next use.
const maxRange = 1 << 16

// ranger returns a mapRange with room for n elements.
func (pr *program) ranger(n int) *mapRange {
	r, _ := pr.pool.Get().(*mapRange)
	if r == nil {
		slice := reflect.New(reflect.SliceOf(pr.rtype.Elem()))
		r = &mapRange{key: reflect.New(pr.rtype.Key()).Elem(), slice: slice.Elem(), head: mem.Of(slice)}
		if k := r.key.Kind(); pr.key == plan.KeyText && k != reflect.Pointer && k != reflect.Interface &&
			r.key.Type().Implements(textType) {
			r.text = r.key.Addr().Interface().(encoding.TextMarshaler)
		}
	}
	if r.slice.Cap() < n {
		r.slice.Set(reflect.MakeSlice(r.slice.Type(), n, n+n/4))
	}
	r.slice.SetLen(n)
	r.elems = r.head.Slice()
	return r
}

// done gives r back.
func (r *mapRange) done(pr *program) {
	r.iter.Reset(reflect.Value{})
	r.key.SetZero()
	r.slice.Clear()
	if uintptr(r.slice.Cap())*pr.elem.mem.Size <= maxRange {
		pr.pool.Put(r)
	}
}

// emptyMap appends a map without entries.
func (e *encoder) emptyMap(b []byte, null bool) []byte {
	if null && e.flags&flagNilMapAsEmpty == 0 {
		return append(b, "null"...)
	}
	return append(b, "{}"...)
}

// mapAt writes the map at p to l.
func (e *encoder) mapAt(l int, pr *program, p mem.Ptr) int {
	if pr.full && p.AllZero(pr.mem) {
		return e.appended(append(e.buf[:l], "{}"...))
	}
	var b []byte
	var err error
	switch pr.common {
	case rangeString:
		return e.stringMap(l, *mem.At[map[string]string](p))
	case rangeStrings:
		return e.stringsMap(l, pr.elem, *mem.At[map[string][]string](p))
	case rangeAny:
		b, err = e.anyMap(e.buf[:l], *mem.At[map[string]any](p))
	case rangeInt:
		b, err = mapOfScalars(e, e.buf[:l], *mem.At[map[string]int](p), appendInt)
	case rangeInt64:
		b, err = mapOfScalars(e, e.buf[:l], *mem.At[map[string]int64](p), appendInt64)
	case rangeFloat64:
		b, err = mapOfScalars(e, e.buf[:l], *mem.At[map[string]float64](p), appendFloat64)
	case rangeBool:
		b, err = mapOfScalars(e, e.buf[:l], *mem.At[map[string]bool](p), appendBool)
	default:
		return e.mapValue(l, pr, p.Value(pr.mem))
	}
	if l = e.open(b); err != nil {
		return e.fail(l, err)
	}
	return l
}

// mapValue writes the map v to l.
func (e *encoder) mapValue(l int, pr *program, v reflect.Value) int {
	n := v.Len()
	if n == 0 {
		return e.appended(e.emptyMap(e.buf[:l], v.IsNil()))
	}
	if e.level >= startCycles {
		k, ok := e.visiting(v)
		if !ok {
			return e.fail(l, cycleError(v))
		}
		l = e.entries(l, pr, v, n)
		delete(e.seen, k)
		return l
	}
	return e.entries(l, pr, v, n)
}

// entries writes the n entries of the map v, which has some, to l.
func (e *encoder) entries(l int, pr *program, v reflect.Value, n int) int {
	e.level++
	start := l
	w := e.scratch()
	f := w.mark()
	r := pr.ranger(n)
	r.iter.Reset(v)
	for i := 0; i < n && r.iter.Next(); i++ {
		if err := w.name(pr, r); err != nil {
			return e.fail(l, fmt.Errorf("json: encoding error for type %q: %q", pr.rtype.String(), err.Error()))
		}
		r.slice.Index(i).SetIterValue(&r.iter)
	}
	w.arrange(f, e.flags)
	n = len(w.names) - f.names
	for i := f.order; i < f.order+n; i++ {
		j := int(w.order[i].i)
		l = e.name(l, w.names[f.names+j])
		if l = e.put(l, pr.elem, r.elems.At(pr.elem.mem, j)); l < 0 {
			return e.within(l, string(w.names[f.names+j]))
		}
	}
	w.drop(f)
	r.done(pr)
	e.level--
	return e.endMap(l, start)
}

// name writes a comma, the name of a member and a colon to l.
func (e *encoder) name(l int, s string) int {
	if len(e.buf)-l < slack {
		l = e.room(l)
	}
	mem.BytesOf(e.buf).Set(l, ',')
	l = e.putString(l+1, s)
	if l == len(e.buf) {
		l = e.room(l)
	}
	mem.BytesOf(e.buf).Set(l, ':')
	return l + 1
}

// endMap closes the object of a map that begins at start, whose members each have a comma before them.
func (e *encoder) endMap(l, start int) int {
	if len(e.buf)-l < 2 {
		l = e.room(l)
	}
	w := mem.BytesOf(e.buf)
	if l == start { // the map has become empty
		w.Set(l, '{')
		l++
	}
	w.Set(start, '{')
	w.Set(l, '}')
	return l + 1
}

// name adds the name that the key of r's current entry becomes.
func (w *sorter) name(pr *program, r *mapRange) error {
	var s string
	switch pr.key {
	case plan.KeyString:
		r.key.SetIterKey(&r.iter)
		s = r.key.String()
	case plan.KeyInt:
		r.key.SetIterKey(&r.iter)
		n := len(w.text)
		w.text = wire.AppendInt(w.text, r.key.Int())
		s = mem.String(w.text[n:])
	case plan.KeyUint:
		r.key.SetIterKey(&r.iter)
		n := len(w.text)
		w.text = wire.AppendUint(w.text, r.key.Uint())
		s = mem.String(w.text[n:])
	case plan.KeyCodec:
		r.key.SetIterKey(&r.iter)
		var err error
		if s, err = pr.name.KeyText(r.key.Addr().Interface()); err != nil {
			return err
		}
	default:
		if r.text != nil {
			r.key.SetIterKey(&r.iter)
			text, err := r.text.MarshalText()
			if err != nil {
				return err
			}
			n := len(w.text)
			w.text = append(w.text, text...)
			s = mem.String(w.text[n:])
			break
		}
		var err error
		if s, err = textKey(r.iter.Key()); err != nil {
			return err
		}
	}
	w.names = append(w.names, s)
	return nil
}

// textKey returns the name of a map key that has MarshalText.
func textKey(k reflect.Value) (string, error) {
	if m, ok := k.Interface().(encoding.TextMarshaler); ok {
		if k.Kind() == reflect.Pointer && k.IsNil() {
			return "", nil
		}
		text, err := m.MarshalText()
		return string(text), err
	}
	switch { // an integer cannot come here, a nil interface can
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	panic("unexpected map key type")
}

var textType = reflect.TypeFor[encoding.TextMarshaler]()

func appendInt(b []byte, v int) ([]byte, error)     { return wire.AppendInt(b, int64(v)), nil }
func appendInt64(b []byte, v int64) ([]byte, error) { return wire.AppendInt(b, v), nil }
func appendBool(b []byte, v bool) ([]byte, error)   { return strconv.AppendBool(b, v), nil }

// mapOfScalars appends a map of what app appends.
func mapOfScalars[V any](e *encoder, b []byte, m map[string]V, app func([]byte, V) ([]byte, error)) ([]byte, error) {
	if len(m) == 0 {
		return e.emptyMap(b, m == nil), nil
	}
	start := len(b)
	how := e.flags.escapes()
	w := e.scratch()
	f := w.mark()
	for k := range m {
		w.names = append(w.names, k)
	}
	var err error
	w.arrange(f, e.flags)
	for _, k := range w.order[f.order:] {
		name := w.names[f.names+int(k.i)]
		if b, err = app(append(e.stringElem(b, name, how), ':'), m[name]); err != nil {
			return b, err
		}
	}
	w.drop(f)
	b[start] = '{'
	return append(b, '}'), nil
}

// stringMap writes a map of strings to l.
func (e *encoder) stringMap(l int, m map[string]string) int {
	if len(m) == 0 {
		return e.appended(e.emptyMap(e.buf[:l], m == nil))
	}
	start := l
	if len(m) <= fewEntries {
		var s smallMap[string]
		for _, k := range s.take(m, e.flags) {
			l = e.name(l, s.names[k.i])
			l = e.putString(l, s.vals[k.i])
		}
		return e.endMap(l, start)
	}
	w := e.scratch()
	f := w.mark()
	for k, v := range m {
		w.names = append(w.names, k)
		w.strs = append(w.strs, v)
	}
	w.arrange(f, e.flags)
	for _, k := range w.order[f.order:] {
		l = e.name(l, w.names[f.names+int(k.i)])
		l = e.putString(l, w.strs[f.strs+int(k.i)])
	}
	w.drop(f)
	return e.endMap(l, start)
}

// stringsMap writes a map of slices of strings to l.
func (e *encoder) stringsMap(l int, elem *program, m map[string][]string) int {
	if len(m) == 0 {
		return e.appended(e.emptyMap(e.buf[:l], m == nil))
	}
	start := l
	if len(m) <= fewEntries {
		var s smallMap[[]string]
		for _, k := range s.take(m, e.flags) {
			l = e.name(l, s.names[k.i])
			l = e.strings(l, elem, s.vals[k.i])
		}
		return e.endMap(l, start)
	}
	w := e.scratch()
	f := w.mark()
	for k := range m {
		w.names = append(w.names, k)
	}
	w.arrange(f, e.flags)
	for _, k := range w.order[f.order:] {
		name := w.names[f.names+int(k.i)]
		l = e.name(l, name)
		l = e.strings(l, elem, m[name])
	}
	w.drop(f)
	return e.endMap(l, start)
}

// fewEntries is the number of entries of a map for which there is room on the stack.
const fewEntries = 8

// smallMap is the entries of a small map, which need no [sorter].
type smallMap[V any] struct {
	names [fewEntries]string
	vals  [fewEntries]V
	order [fewEntries]sortKey
}

// take takes in the entries of m and returns them in the order in which they are written.
func (s *smallMap[V]) take(m map[string]V, flags encodeFlags) []sortKey {
	n := 0
	for k, v := range m {
		if n == fewEntries {
			break
		}
		s.names[n], s.vals[n], s.order[n] = k, v, sortKey{prefix(k), uint32(n)}
		n++
	}
	order := s.order[:n]
	if flags&flagSortMapKeys != 0 {
		sortNames(order, s.names[:])
	}
	return order
}

// deepMap is the way of maps of interfaces beyond startCycles.
func (e *encoder) deepMap(b []byte, m map[string]any) ([]byte, error) {
	v := reflect.ValueOf(m)
	k, ok := e.visiting(v)
	if !ok {
		return b, cycleError(v)
	}
	b, err := e.anyEntries(b, m)
	delete(e.seen, k)
	return b, err
}

// restMembers appends the members of the map, or of the encoded object, that o holds beside the
// fields of the struct at p.
func (e *encoder) restMembers(b []byte, o *put, p mem.Ptr) ([]byte, error) {
	if o.omit == omitNever {
		p = p.Field(o.Off)
	} else if p = o.reach(p); p.IsNil() {
		return b, nil
	}
	start := len(b)
	b, err := e.value(b, o.sub, p)
	if err != nil {
		return b, err
	}
	switch s := b[start:]; {
	case string(s) == "{}" || string(s) == "null":
		return b[:start], nil
	case s[0] == '{':
		b[start] = ','
		return b[:len(b)-1], nil
	}
	return b, fmt.Errorf("json: field %s of type %v does not hold an object", o.slow.field.GoName, o.slow.field.Parent)
}
