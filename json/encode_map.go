package json

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
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

// mapAt writes the map at p, or the one that v holds if p is nil, to l.
func (e *encoder) mapAt(l int, pr *program, p mem.Ptr, v any) int {
	if pr.full && !p.IsNil() && p.AllZero(pr.mem) {
		return e.appended(append(e.buf[:l], "{}"...))
	}
	switch pr.common {
	case mapString:
		return commonMap(e, l, pr.elem, mem.MapOf[string](p, v))
	case mapAny:
		return e.anyMap(l, pr, mem.MapOf[any](p, v))
	case mapBool:
		return commonMap(e, l, pr.elem, mem.MapOf[bool](p, v))
	case mapInt:
		return commonMap(e, l, pr.elem, mem.MapOf[int](p, v))
	case mapNone:
		return commonMap(e, l, pr.elem, mem.MapOf[struct{}](p, v))
	case mapPtr, mapList:
		if e.level+1 >= startCycles {
			break
		}
		e.level++
		if pr.common == mapPtr {
			l = commonMap(e, l, pr.elem, mem.MapOf[*byte](p, v))
		} else {
			l = commonMap(e, l, pr.elem, mem.MapOf[[]byte](p, v))
		}
		e.level--
		return l
	}
	if p.IsNil() {
		return e.mapValue(l, pr, reflect.ValueOf(v))
	}
	return e.mapValue(l, pr, p.Value(pr.mem))
}

// mapValue writes the map v to l.
func (e *encoder) mapValue(l int, pr *program, v reflect.Value) int {
	n := v.Len()
	if n == 0 {
		return e.empty(l, "{}", v.IsNil(), flagNilMapAsEmpty)
	}
	if e.level >= startCycles {
		return e.deep(l, pr, v, mem.Ptr{})
	}
	return e.entries(l, pr, v, n)
}

// entries writes the n entries of the map v, which has some, to l.
func (e *encoder) entries(l int, pr *program, v reflect.Value, n int) int {
	e.level++
	start := l
	if pr.common == mapAny && !e.refusesNames() { // deep within others
		l = commonMap(e, l, pr.elem, mem.MapOf[any](mem.Ptr{}, v.Interface()))
		e.level--
		return l
	}
	w := e.scratch()
	f := w.mark()
	r := pr.ranger(n)
	r.iter.Reset(v)
	var taken *takenNames
	if (pr.alike || pr.beside != nil) && e.flags&flagRefuseDuplicates != 0 {
		taken = e.taking(pr.beside)
	}
	// Names that need not be sorted stay as their methods write them, one by one.
	asIs := pr.under != nil && (n == 1 || e.flags&flagSortMapKeys == 0)
	for left := n; left > 0; left -= n {
		n = pick(asIs, 1, n)
		for i := 0; i < n && r.iter.Next(); i++ {
			if err := e.keyName(l, start, w, pr, r); err != nil {
				return e.fail(e.appended(append(e.buf[:l], '{')), err)
			}
			r.slice.Index(i).SetIterValue(&r.iter)
		}
		w.arrange(f, e.flags)
		for _, o := range w.order[f.order:] {
			name := w.names[f.names+int(o.i)]
			if taken != nil && !taken.add(e.buf, start, e.set.mode, name) {
				if pr.beside == nil {
					l = e.appended(append(e.buf[:l], ','))
				}
				return e.fail(l, duplicateName(name))
			}
			if asIs {
				l = e.appended(append(e.buf[:l+1+w.raw], ':'))
			} else if l = e.name(l, name); l < 0 {
				return l
			}
			if l = e.put(l, pr.elem, r.elems.At(pr.elem.mem, int(o.i))); l < 0 {
				return e.within(l, name)
			}
		}
		w.drop(f)
	}
	if taken != nil {
		taken.set.Leave(&taken.in)
	}
	r.done(pr)
	e.level--
	return e.endObject(l, start)
}

// name writes a comma, the name of a member and a colon to l.
func (e *encoder) name(l int, s string) int {
	if len(e.buf)-l < slack {
		l = e.room(l)
	}
	mem.BytesOf(e.buf).Set(l, ',')
	if l = e.putString(l+1, s); uint(l) >= uint(len(e.buf)) {
		if l < 0 {
			e.buf[len(e.buf)-1] = '{' // as [levelsOf] reads it: there is no name yet
			return l
		}
		l = e.room(l)
	}
	mem.BytesOf(e.buf).Set(l, ':')
	return l + 1
}

// keyName adds the name that the key of r's current entry becomes to w. The map is written from start on, up to l.
func (e *encoder) keyName(l, start int, w *sorter, pr *program, r *mapRange) error {
	if pr.under != nil {
		h := e.moved()
		err := e.set.mode.code.keyName(h, l, start, w, pr, r)
		e.resume(h)
		return err
	}
	if err := w.name(pr, r); err != nil {
		return fmt.Errorf("json: encoding error for type %q: %q", pr.rtype.String(), err.Error())
	}
	return nil
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

// commonMap writes a map that a range statement ranges over to l; elem is the program of its elements.
func commonMap[V any](e *encoder, l int, elem *program, m map[string]V) int {
	if len(m) == 0 {
		return e.empty(l, "{}", m == nil, flagNilMapAsEmpty)
	}
	switch {
	case len(m) > fewEntries:
		return manyEntries(e, l, elem, m)
	case len(m) > 1:
		return someEntries(e, l, elem, m)
	}
	name, v := onlyEntry(m)
	end := entry(e, l, elem, name, v)
	if end < 0 {
		return end
	}
	return e.endObject(end, l)
}

// onlyEntry returns the entry of a map that has one. What it needs for that is not on the stack while an element is
// written, which may be such a map again.
//
//go:noinline
func onlyEntry[V any](m map[string]V) (name string, v V) {
	for name, v = range m {
		break
	}
	return name, v
}

// someEntries is commonMap for a map that has few entries.
func someEntries[V any](e *encoder, l int, elem *program, m map[string]V) int {
	start := l
	var s smallMap[V]
	order := s.take(m, e.flags)
	if strs, ok := any(&s).(*smallMap[string]); ok {
		var room [2 * fewEntries]string
		if l = e.pairs(l, strs.names[:], strs.vals[:], order, room[:0]); l > start {
			return l
		}
	}
	for _, k := range order {
		if l = entry(e, l, elem, s.names[k.i], s.vals[k.i]); l < 0 {
			return l
		}
	}
	return e.endObject(l, start)
}

// manyEntries is commonMap for any map.
func manyEntries[V any](e *encoder, l int, elem *program, m map[string]V) int {
	start := l
	w := e.scratch()
	f := w.mark()
	vals, from := valuesOf[V](w)
	for k, v := range m {
		w.names = append(w.names, k)
		if vals != nil {
			*vals = append(*vals, v)
		}
	}
	w.arrange(f, e.flags)
	if n := len(w.strs); n > f.strs {
		w.strs = slices.Grow(w.strs, 2*len(m))
		l = e.pairs(l, w.names[f.names:], w.strs[f.strs:], w.order[f.order:], w.strs[n:n])
		w.most.strs = max(w.most.strs, n+2*len(m))
		if l > start {
			w.drop(f)
			return l
		}
	}
	for i := f.order; i < f.order+len(m); i++ { // a value may be a map itself, whose members follow
		j := int(w.order[i].i)
		name := w.names[f.names+j]
		var v V
		if vals != nil {
			v = (*vals)[from+j]
		} else {
			v = m[name]
		}
		if l = entry(e, l, elem, name, v); l < 0 {
			return l
		}
	}
	w.drop(f)
	return e.endObject(l, start)
}

// valuesOf returns where w has the values of maps of type V, and how many there are; nil where it has none.
func valuesOf[V any](w *sorter) (vals *[]V, n int) {
	switch any(vals).(type) {
	case *[]string:
		vals = any(&w.strs).(*[]V)
	case *[]any:
		vals = any(&w.anys).(*[]V)
	case *[]*byte:
		vals = any(&w.ptrs).(*[]V)
	case *[][]byte:
		vals = any(&w.lists).(*[]V)
	default:
		return nil, 0
	}
	return vals, len(*vals)
}

// entry writes a comma and an entry of a map for [commonMap] to l.
func entry[V any](e *encoder, l int, elem *program, name string, v V) int {
	if l = e.name(l, name); l < 0 {
		return l
	}
	switch v := any(&v).(type) {
	case *any:
		l = e.any(l, *v)
	case *string:
		l = e.putString(l, *v)
	case *[]byte: // whatever its elements are
		if len(*v) == 0 {
			l = e.empty(l, "[]", *v == nil && !elem.full, flagNilSliceAsEmpty)
			break
		}
		e.level++
		l = e.elems(l, elem.elem, mem.ArrayOf(*v), len(*v))
		e.level--
	case *int:
		l = e.appended(wire.AppendInt(e.buf[:l], int64(*v)))
	case *bool:
		l = e.appended(strconv.AppendBool(e.buf[:l], *v))
	case *struct{}:
		l = e.put(l, elem, mem.To(new(struct{})))
	case **byte:
		switch p := mem.To(*v); {
		case p.IsNil():
			l = e.nilPointer(l, elem)
		case elem.code == opPointer:
			l = e.pointer(l, elem, p)
		default:
			l = e.methodOf(l, elem, p)
		}
	}
	if l < 0 {
		return e.within(l, name)
	}
	return l
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

// restMembers writes the members of the map, or of the encoded object, that the struct at p holds beside its fields, to
// l. The struct is written from start on.
func (e *encoder) restMembers(l, start int, pr *program, p mem.Ptr) int {
	o, rest := pr.rest, p
	if o.omit == omitNever {
		rest = p.Field(o.Off)
	} else if rest, _ = o.reach(p); rest.IsNil() {
		return l
	}
	from := l
	e.owner = start
	if l = e.put(l, o.sub, rest); l < 0 {
		return l
	}
	switch s := e.buf[from:l]; {
	case string(s) == "{}" || string(s) == "null":
		return from
	case s[0] != '{':
		f := o.slow.field
		return e.fail(l, fmt.Errorf("json: field %s of type %v does not hold an object", f.GoName, f.Parent))
	}
	if e.flags&flagV2 == 0 {
		if name, twice := e.clash(e.buf[from:l], pr, p, rest); twice {
			return e.fail(l, fmt.Errorf("json: %w %q", weft.ErrDuplicateName, name))
		}
	}
	e.buf[from] = ','
	return l - 1
}

// clash returns the name of a field of the struct at p which is written, and which a member of the map or encoded
// object at rest has too, whose text is given.
func (e *encoder) clash(text []byte, pr *program, p, rest mem.Ptr) (string, bool) {
	sub := pr.rest.sub
	for ; sub.code == opPointer; sub = sub.elem {
		rest = rest.Deref(sub.elem.mem)
	}
	var has func(name string) bool
	switch {
	case sub.common == mapAny:
		m := *mem.At[map[string]any](rest)
		has = func(name string) (ok bool) { _, ok = m[name]; return ok }
	case sub.common == mapString:
		m := *mem.At[map[string]string](rest)
		has = func(name string) (ok bool) { _, ok = m[name]; return ok }
	case sub.code == opMap && sub.key == plan.KeyString:
		m, r := rest.Value(sub.mem), sub.ranger(0)
		defer r.done(sub)
		has = func(name string) bool { r.key.SetString(name); return m.MapIndex(r.key).IsValid() }
	default:
		d := newDecoder(text, decodeOptions{})
		m := d.parts(0)
		d.release(true)
		has = func(name string) (ok bool) { _, ok = m[name]; return ok }
	}
	for o := pr.first; o != nil; o = o.next {
		if has(o.slow.field.Name) {
			if at, _ := o.reach(p); !at.IsNil() {
				return o.slow.field.Name, true
			}
		}
	}
	return "", false
}
