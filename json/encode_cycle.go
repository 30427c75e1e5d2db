package json

import (
	"reflect"

	"github.com/weftcodec/weft/internal/mem"
)

// startCycles is the number of pointers, maps and slices within each other after which the encoder
// starts to look for cycles, as encoding/json does.
const startCycles = 1000

// visit identifies a pointer, map or slice that is being encoded.
type visit struct {
	typ mem.TypeID // of a pointer
	ptr uintptr
	len int // of a slice, -1 for the others
}

// visiting notes that v is being encoded and reports false when it already is.
func (e *encoder) visiting(v reflect.Value) (visit, bool) {
	k := visit{ptr: v.Pointer(), len: -1}
	switch v.Kind() {
	case reflect.Pointer:
		k.typ = mem.IDOfType(v.Type())
	case reflect.Slice:
		k.len = v.Len()
	}
	if e.seen == nil {
		e.seen = make(map[visit]struct{})
	}
	n := len(e.seen)
	e.seen[k] = struct{}{}
	return k, len(e.seen) > n
}

// cycleError says that v is a part of itself.
func cycleError(v reflect.Value) error {
	return &UnsupportedValueError{Value: v, Str: "encountered a cycle via " + v.Type().String()}
}

// deep writes the value v, of pr's type, beyond startCycles: a map, a pointer to what is at p, or a slice that is at p.
func (e *encoder) deep(l int, pr *program, v reflect.Value, p mem.Ptr) int {
	k, ok := e.visiting(v)
	if !ok {
		return e.fail(l, cycleError(v))
	}
	was := e.level
	e.level++
	switch pr.code {
	case opMap:
		e.level-- // which entries counts
		l = e.entries(l, pr, v, v.Len())
	case opPointer:
		l = e.put(l, pr.elem, p)
	default:
		l = e.elems(l, pr.elem, p.Slice(), p.SliceLen())
	}
	e.level = was
	delete(e.seen, k)
	return l
}

// deepPointer writes a pointer to what is at p beyond startCycles.
func (e *encoder) deepPointer(l int, pr *program, p mem.Ptr) int {
	v := p.Value(pr.elem.mem).Addr()
	if v.Type() != pr.rtype {
		named := reflect.New(pr.rtype)
		mem.Of(named).SetPtr(p)
		v = named.Elem()
	}
	return e.deep(l, pr, v, p)
}
