package cbor

import (
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// TypeTag assigns a tag to the values of a Go type.
type TypeTag struct {
	number uint64
	rtype  reflect.Type
	put    encodeFunc // of TypedArray
	isSet  bool       // of Set
}

// TagOf writes values of type T with the given tag, and requires the tag when they are read. An item with that tag is
// also read into an interface as a T.
func TagOf[T any](number uint64) TypeTag { return TypeTag{number: number, rtype: reflect.TypeFor[T]()} }

// tagSet is the tags of one option.
type tagSet struct {
	byType   map[reflect.Type]TypeTag
	byNumber map[uint64]reflect.Type
}

// Tags assigns tags to types. If there are several tags for a type, or several types for a tag, the first one wins.
// The result caches how types are written with it, so make it once and share it. It affects both marshaling and
// unmarshaling.
func Tags(tags ...TypeTag) Options {
	t := &tagSet{make(map[reflect.Type]TypeTag), make(map[uint64]reflect.Type)}
	for _, x := range tags {
		if _, ok := t.byType[x.rtype]; !ok {
			t.byType[x.rtype] = x
		}
		if x.put == nil && !x.isSet && t.byNumber[x.number] == nil {
			t.byNumber[x.number] = x.rtype
		}
	}
	return weft.With(tagsKey{}, &registry{Registry: plan.Registry[program]{Set: set}, tags: t})
}

type tagsKey struct{}

// registryOf returns the programs that opts ask for.
func registryOf(opts []Options) *registry {
	return plan.RegistryOf(opts, tagsKey{}, &programs, func(g *registry, d *weft.Dialect) *registry {
		return &registry{Registry: plan.Registry[program]{Set: set.In(d)}, tags: g.tags}
	})
}

// tag makes p write and read the tag of its type, if it has one.
func (g *registry) tag(p *program) {
	if g.tags == nil {
		return
	}
	tag, ok := g.tags.byType[p.typ.Rtype]
	number := tag.number
	switch {
	case !ok:
		return
	case tag.put != nil:
		p.enc, p.encFast = cFast, tag.put
		return
	case tag.isSet:
		p.enc = cFast
		p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte { return s.putSet(b, p, q) }
		return
	}
	plain := &program{
		enc: p.enc, dec: p.dec, mem: p.mem, typ: p.typ, elem: p.elem, key: p.key, text: p.text,
		encFast: p.encFast, decFast: p.decFast, array: p.array, asMap: p.asMap, omits: p.omits, fields: p.fields,
		slots: p.slots, expected: p.expected, keys: p.keys, names: p.names, others: p.others, required: p.required,
		noted: p.noted, plain: p.plain, checks: p.checks, rest: p.rest, restProg: p.restProg,
	}
	plain.entries.New = p.entries.New
	p.enc, p.dec = cFast, cFast
	p.encFast = func(s *encoder, b []byte, q mem.Ptr) []byte {
		return s.value(cborwire.AppendHead(b, cborwire.Tag, number), plain, q)
	}
	p.decFast = func(r *reader, i int, q mem.Ptr) int {
		if r.null(i) {
			p.mem.Clear(q)
			return i + 1
		}
		n, next := r.tagAt(i)
		if next >= 0 && n != number {
			return r.bad(i, cborwire.Mismatch, p.typ.Rtype.String())
		}
		if next < 0 || !r.deeper(i) {
			return -1
		}
		if next = r.value(next, plain, q); next >= 0 {
			r.depth--
		}
		return next
	}
}

// tagAny reads the content of a tag that a type has into a value of that type.
func (r *reader) tagAny(i int, t reflect.Type) (any, int) {
	v := reflect.New(t)
	p := r.programs.compile(t)
	if p.faults[plan.Unmarshal] != nil {
		return nil, r.fail(i, p.faults[plan.Unmarshal])
	}
	end := r.value(i, p, mem.Of(v))
	if end < 0 {
		return nil, -1
	}
	return v.Elem().Interface(), end
}
