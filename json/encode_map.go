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
	key   reflect.Value // of the map's key type
	slice reflect.Value // of the map's elements
	elems mem.Array     // the elements in slice
}

// maxRange is the most memory that a mapRange keeps for its next use.
const maxRange = 1 << 16

// ranger returns a mapRange with room for n elements.
func (pr *program) ranger(n int) *mapRange {
	r, _ := pr.pool.Get().(*mapRange)
	if r == nil {
		r = &mapRange{
			key:   reflect.New(pr.rtype.Key()).Elem(),
			slice: reflect.New(reflect.SliceOf(pr.rtype.Elem())).Elem(),
		}
	}
	if r.slice.Cap() < n {
		r.slice.Set(reflect.MakeSlice(r.slice.Type(), n, n+n/4))
	}
	r.slice.SetLen(n)
	r.elems = mem.Of(r.slice.Addr()).Slice()
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
	if null && e.flags&NilMapAsEmpty == 0 {
		return append(b, "null"...)
	}
	return append(b, "{}"...)
}

// mapAt appends the map at p.
func (e *encoder) mapAt(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	if pr.full && p.Value(pr.mem).IsNil() {
		return append(b, "{}"...), nil
	}
	switch pr.common {
	case rangeAny:
		return e.anyMap(b, *mem.At[map[string]any](p))
	case rangeString:
		return e.stringMap(b, *mem.At[map[string]string](p)), nil
	case rangeInt:
		return mapOfScalars(e, b, *mem.At[map[string]int](p), appendInt)
	case rangeInt64:
		return mapOfScalars(e, b, *mem.At[map[string]int64](p), appendInt64)
	case rangeFloat64:
		return mapOfScalars(e, b, *mem.At[map[string]float64](p), AppendFloat64)
	case rangeBool:
		return mapOfScalars(e, b, *mem.At[map[string]bool](p), appendBool)
	}
	return e.mapValue(b, pr, p.Value(pr.mem))
}

// mapValue appends the map v.
func (e *encoder) mapValue(b []byte, pr *program, v reflect.Value) ([]byte, error) {
	n := v.Len()
	if n == 0 {
		return e.emptyMap(b, v.IsNil()), nil
	}
	if e.level >= startCycles {
		k, ok := e.visiting(v)
		if !ok {
			return b, cycleError(v)
		}
		b, err := e.entries(b, pr, v, n)
		delete(e.seen, k)
		return b, err
	}
	return e.entries(b, pr, v, n)
}

// entries appends the n entries of the map v, which has some.
func (e *encoder) entries(b []byte, pr *program, v reflect.Value, n int) ([]byte, error) {
	e.level++
	start := len(b)
	how := e.flags.escapes()
	w := e.scratch()
	f := w.mark()
	r := pr.ranger(n)
	r.iter.Reset(v)
	for i := 0; i < n && r.iter.Next(); i++ {
		if err := w.name(pr, r); err != nil {
			return b, fmt.Errorf("json: encoding error for type %q: %q", pr.rtype.String(), err.Error())
		}
		r.slice.Index(i).SetIterValue(&r.iter)
	}
	w.arrange(f, e.flags)
	n = len(w.names) - f.names
	var err error
	for i := f.order; i < f.order+n; i++ {
		j := int(w.order[i].i)
		b = append(e.stringElem(b, w.names[f.names+j], how), ':')
		if b, err = e.value(b, pr.elem, r.elems.At(pr.elem.mem, j)); err != nil {
			return b, inside(err, string(w.names[f.names+j]))
		}
	}
	w.drop(f)
	r.done(pr)
	e.level--
	if len(b) == start {
		return append(b, "{}"...), nil
	}
	b[start] = '{'
	return append(b, '}'), nil
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

func appendInt(b []byte, v int) ([]byte, error)     { return wire.AppendInt(b, int64(v)), nil }
func appendInt64(b []byte, v int64) ([]byte, error) { return wire.AppendInt(b, v), nil }
func appendBool(b []byte, v bool) ([]byte, error)   { return AppendBool(b, v), nil }

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

// stringMap appends a map of strings.
func (e *encoder) stringMap(b []byte, m map[string]string) []byte {
	if len(m) == 0 {
		return e.emptyMap(b, m == nil)
	}
	start := len(b)
	how := e.flags.escapes()
	w := e.scratch()
	f := w.mark()
	for k, v := range m {
		w.names = append(w.names, k)
		w.strs = append(w.strs, v)
	}
	w.arrange(f, e.flags)
	for _, k := range w.order[f.order:] {
		b = append(e.stringElem(b, w.names[f.names+int(k.i)], how), ':')
		b = wire.AppendJSONString(b, w.strs[f.strs+int(k.i)], how)
	}
	w.drop(f)
	b[start] = '{'
	return append(b, '}')
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
		p = p.Field(o.off)
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
