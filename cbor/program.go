package cbor

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// The codes of values that have no kind of the plan.
const (
	cFast  = plan.Kinds + iota // by a function for just this Go type
	cLate                      // a struct of which no value has come yet
	cAsked                     // of a step: whether a member is left out
	cHook                      // the hooks, in the order of hooks below
	cRuled = cHook + hooks     // no null where the type has no place for it, then unruled, and then the rules of the type
)

// The hooks, the preferred ones first.
const (
	hookCBOR = iota
	hookWeft
	hookBinary
	hookText
	hooks
)

type (
	encodeFunc = func(s *encoder, b []byte, q mem.Ptr) []byte
	decodeFunc = func(r *reader, i int, q mem.Ptr) int
)

// program is how values of one Go type are written and read. It is immutable once it can be reached.
type program struct {
	enc, dec plan.Kind
	mem      *mem.Type
	typ      *plan.Type
	elem     *program             // of pointer, slice, array, map, option
	key      *program             // of map
	later    *plan.Later[program] // of cLate
	unruled  *program             // of cRuled: how values are read that are not null, before they are checked
	text     bool                 // it can be read from text although dec is that of the binary hook
	copied   bool                 // a value in an interface must be copied before it is written
	direct   bool                 // it is a pointer to a struct that can be written
	into     bool                 // it is a pointer to a value that can be read
	meets    bool                 // different keys of the map may be the same when they are written
	slab     int                  // plan.Type.Slab

	encFast encodeFunc
	decFast decodeFunc
	pure    bool     // encFast is for what is flat
	flat    *program // of a struct, or a pointer to one, that is written without an encoder of its own

	// Of structs.
	array, asMap bool // the layout, whatever the options say
	omits        bool // members may be left out
	fields       [orders][]encField
	slots        []decField
	expected     [orders][]uint16 // the slots in these orders
	runs         [2 * orders]atomic.Pointer[runs]
	shapes       [orders][2]atomic.Pointer[shape] // of structs laid out as maps and as arrays
	keys         *wire.NameTable                  // the keys of slots as they are written, then their other names
	names        int                              // of them
	others       []uint16                         // slots of the other names
	required     []uint64                         // set of the slots that must be met, some in requests or responses alone
	checks       []uint16                         // slots whose values obey rules
	noted        bool                             // there are some in required or checks
	plain        bool                             // there are none, and no more than 64 slots
	rest         *plan.Field                      // members without a field
	restProg     *program

	entries sync.Pool // of *mem.Entry, for maps
	large   mem.Large // results of Marshal

	faults [2]error // why it cannot be written or read, by plan.Direction
}

// meet returns the program of p if that is a late one, now that a value has come, or p, if there is none.
func (p *program) meet(d plan.Direction) *program {
	if p.later != nil {
		return p.later.Or(p, d)
	}
	return p
}

// How a field differs from one that is always there, directly in the struct.
const (
	fOmitEmpty = 1 << iota
	fOmitZero
	fEmbedded // behind embedded pointers, or written as its one value
	fOption
	fNoNull // of decField: null is refused
)

// encField writes one member.
type encField struct {
	code   plan.Kind
	flags  uint8
	n      uint8 // length of the key when it is no longer than two words, else 0
	omit   plan.Omission
	slot   uint16
	tells  mem.Near // what omit looks at
	k0, k1 uint64   // the key
	off    mem.Field
	p      *program
	f      *plan.Field
	key    string
}

// decField reads one member.
type decField struct {
	code  plan.Kind
	flags uint8
	check bool           // the value obeys the rules of the field
	next  [orders]uint16 // the place after that of the field in these orders
	off   mem.Field
	p     *program
	f     *plan.Field
	key   cborwire.Key
}

// tagKeys are the keys of tags; the first one that a field has governs.
var tagKeys = []string{"cbor", "weft", "json"}

// set is the plans of all types that CBOR has met.
var set = plan.NewSet(plan.Config{
	Keys: tagKeys,
	Hooks: []plan.Hook{
		hookCBOR:   {Name: "cbor", Marshal: reflect.TypeFor[Marshaler](), Unmarshal: reflect.TypeFor[Unmarshaler]()},
		hookWeft:   plan.WeftHook(),
		hookBinary: plan.BinaryHook(),
		hookText:   plan.TextHook(),
	},
	Raws:    []plan.RawType{{Rtype: reflect.TypeFor[Raw](), Format: "cbor"}},
	AnyKeys: true,
})

// programs is the programs that are finished.
var programs = registry{Registry: plan.Registry[program]{Set: set}}

// registry keeps the program of each type.
type registry struct {
	plan.Registry[program]
	tags *tagSet // nil for none
}

// of returns the program of the dynamic type of v, which is not nil.
func (g *registry) of(v any) *program {
	if p := g.Find(v); p != nil {
		return p
	}
	return g.compile(reflect.TypeOf(v))
}

// compile makes the program of a type and publishes it.
func (g *registry) compile(rt reflect.Type) *program {
	return g.Compile(rt, func(t *plan.Type) *program {
		if t.Kind == plan.Pointer {
			g.program(t.Elem)
		}
		p := g.program(t)
		if p.elem != nil && p.elem.enc == cLate {
			p = g.make(t) // the one that others lead to stays as it is
		}
		p.copied = p.writesByAddr(map[*program]bool{})
		p.faults = g.Faults(t, problems)
		p.direct = p.enc == plan.Pointer && p.elem.enc == plan.Struct && p.faults[plan.Marshal] == nil
		root := p
		if p.direct {
			root = p.elem
		}
		if root.enc == plan.Struct && p.faults[plan.Marshal] == nil && !p.copied && root.isFlat(flatLevels) {
			p.flat = root
		}
		p.into = p.enc == plan.Pointer && p.elem.enc != cLate && p.faults[plan.Unmarshal] == nil
		return p
	})
}

// flatLevels bounds the structs in each other that are written without counting.
const flatLevels = 16

// isFlat reports whether values are written without an encoder of their own: they hold no others of which the type does
// not tell how they are written, nor any number of them within each other. An encoder that is shared says by nil that
// one is not possible.
func (p *program) isFlat(levels int) bool {
	switch p.enc {
	case plan.Struct:
		for i := range p.fields[declared] {
			if levels == 0 || !p.fields[declared][i].p.isFlat(levels-1) {
				return false
			}
		}
		return p.rest == nil
	case plan.Pointer:
		return p.elem.enc <= plan.String
	case plan.Option:
		return levels > 0 && p.elem != nil && p.elem.isFlat(levels-1)
	case cFast:
		return p.pure
	}
	return plan.Invalid < p.enc && p.enc <= plan.Time
}

// far returns the program of t, values of which come behind pointers, in slices or in maps.
func (g *registry) far(t *plan.Type) *program {
	if t.Kind != plan.Struct {
		return g.program(t)
	}
	return g.Far(t, func() (*program, [2]error) { return g.program(t), g.Faults(t, problems) },
		func(l *plan.Later[program]) *program {
			return &program{enc: cLate, dec: cLate, mem: t.Mem, typ: t, later: l}
		})
}

// problems returns the error for what is wrong with a type.
func problems(found []plan.Problem) error {
	found = slices.Clone(found)
	for i := range found {
		p := &found[i]
		if p.Code != plan.BadOption || !strings.HasPrefix(p.Text, "unknown option \"keyasint\"") {
			continue
		}
		sf, _ := p.In.FieldByName(p.Field[strings.LastIndexByte(p.Field, '.')+1:])
		p.Text = "the option keyasint needs a name that is an integer of 64 bits, in its shortest form"
		if _, ok := intKey(&sf); ok {
			p.Text = ""
		}
	}
	found = slices.DeleteFunc(found, func(p plan.Problem) bool {
		return p.Code == plan.BadOption && (p.Text == "" ||
			strings.HasPrefix(p.Text, "unknown option \"toarray\"") || strings.HasPrefix(p.Text, "unknown option \"array\""))
	})
	if len(found) == 0 {
		return nil
	}
	texts := make([]string, len(found))
	for i := range found {
		texts[i] = found[i].Error()
	}
	return fmt.Errorf("%s", strings.Join(texts, "; "))
}

// writesByAddr reports whether a value of the type cannot be written where an interface holds it: methods on
// its address might change it.
func (p *program) writesByAddr(seen map[*program]bool) bool {
	if p == nil || seen[p] {
		return false
	}
	seen[p] = true
	switch {
	case p.enc >= cHook:
		return p.typ.Hooks.Marshal.First() < 0 || p.typ.Kind == plan.Coded
	case p.enc == plan.Array, p.enc == plan.Option:
		return p.elem.writesByAddr(seen)
	case p.enc == plan.Struct:
		for i := range p.fields[declared] {
			if p.fields[declared][i].p.writesByAddr(seen) {
				return true
			}
		}
	}
	return false
}

// program returns the program of t, making it and those below unless they are there.
func (g *registry) program(t *plan.Type) *program {
	if p := g.ByPlan[t]; p != nil {
		if p.elem == nil && t.Kind == plan.Option {
			p.elem = g.ByPlan[t.Option.Value] // of a type that holds itself: who asks is below it
		}
		return p
	}
	return g.make(t)
}

// make makes the program of t.
func (g *registry) make(t *plan.Type) *program {
	p := &program{mem: t.Mem, typ: t, slab: t.Slab()}
	g.Enter(t, p)
	g.fill(p)
	if t.Rules != nil || t.NoNull {
		p.unruled = &program{mem: t.Mem, typ: t}
		g.fill(p.unruled)
		p.dec = cRuled
	}
	return p
}

// fill makes p the program of its type, without the rules of that.
func (g *registry) fill(p *program) {
	t := p.typ
	if put, get := specialOf(t.Rtype); put != nil {
		p.enc, p.dec, p.encFast, p.decFast = cFast, cFast, put, get
		return
	}
	p.enc, p.dec = t.Lower("cbor", cHook, cHook+hookWeft)
	p.text = p.dec >= cHook && t.Hooks.UnmarshalAddr.Has(hookText)
	switch t.Kind {
	case plan.Array:
		p.elem = g.program(t.Elem)
	case plan.Pointer, plan.Slice:
		p.elem = g.far(t.Elem)
	case plan.Map:
		p.elem, p.key = g.far(t.Elem), g.keyProgram(t)
		p.meets = !p.key.enc.IsDistinct()
		rt := t.Rtype
		p.entries.New = func() any { return mem.NewEntry(rt) }
	case plan.Option:
		p.elem = g.program(t.Option.Value)
	case plan.Struct:
		g.structure(p)
	}
	if (t.Kind == plan.Slice || t.Kind == plan.Map) && !t.Strict {
		p.specialize()
	}
	g.tag(p)
}

// keyProgram returns the program of the keys of map type t: one that the type writes as text is text here too.
func (g *registry) keyProgram(t *plan.Type) *program {
	k := g.program(t.Key)
	plain := k
	if k.unruled != nil {
		plain = k.unruled
	}
	p := &program{mem: k.mem, typ: k.typ, enc: k.enc, dec: plain.dec, encFast: k.encFast, decFast: plain.decFast}
	switch {
	case t.KeyCodec != nil:
		p.enc, p.dec = cFast, cFast
		p.encFast, p.decFast = codecKey(t.KeyCodec, k.mem)
		return p
	case k.enc < cHook && t.KeyMarshal == plan.KeyText && k.enc != cFast:
		p.enc = cHook + hookText
	case plain.dec < cHook && t.KeyUnmarshal == plan.KeyText && plain.dec != cFast:
	default:
		return k
	}
	if t.KeyUnmarshal == plan.KeyText && p.dec < cHook && p.dec != cFast {
		p.dec = cHook + hookText
	}
	if plain != k {
		return &program{mem: k.mem, typ: k.typ, enc: p.enc, encFast: p.encFast, dec: cRuled, unruled: p}
	}
	return p
}

// codecKey returns how keys are written and read that a codec makes strings of.
func codecKey(c *weft.Codec, m *mem.Type) (encodeFunc, decodeFunc) {
	put := func(s *encoder, b []byte, q mem.Ptr) []byte {
		text, err := c.KeyText(q.Addr(m))
		if err != nil {
			return s.fail(b, err)
		}
		return s.string(b, text)
	}
	return put, func(r *reader, i int, q mem.Ptr) int {
		text, end := r.text(i)
		if end < 0 {
			return end
		}
		if err := c.ParseKey(text, q.Addr(m)); err != nil {
			return r.fail(i, err)
		}
		return end
	}
}

// structure compiles the fields of a struct.
func (g *registry) structure(p *program) {
	t := p.typ
	p.array, p.asMap = plan.LayoutOf(t.Rtype, "cbor", "array", "toarray")
	members := t.Members()
	n := len(members)
	keys := make([]string, 0, n)
	p.fields[declared] = make([]encField, n)
	p.slots = make([]decField, n)
	p.required = make([]uint64, (n+63)/64)
	for i := range members {
		f := &members[i]
		v := g.program(f.Type)
		key := keyOf(t.Rtype, f)
		keys = append(keys, key)
		e := encField{code: v.enc, p: v, f: f, off: f.Offset, slot: uint16(i), key: key}
		d := decField{code: v.dec, p: v, f: f, off: f.Offset, key: cborwire.NewKey(key)}
		if f.Type.Rules != nil && v.unruled == nil {
			d.code = cRuled // v is being made, and will be that
		}
		if e.omit, e.tells = f.Omission(); f.OmitEmpty && e.omit == plan.OmitSlow && f.Type.Empty != plan.EmptyNever {
			e.flags |= fOmitEmpty
		}
		if f.OmitZero {
			e.flags |= fOmitZero
		}
		if len(f.Embeds) > 0 {
			e.flags |= fEmbedded
			d.flags |= fEmbedded
			e.off, d.off = f.Embeds[0].Offset, f.Embeds[0].Offset // f.Offset is within the last of the pointers' structs
		} else if f.Fixed() {
			e.flags |= fEmbedded
		}
		if v.enc == plan.Option {
			e.flags |= fOption
		}
		if f.Type.NoNull {
			d.flags |= fNoNull
		}
		if f.Rules != nil {
			d.check = true
			p.checks = append(p.checks, uint16(i))
			if v.unruled != nil && f.Type.Inlined() && !f.Type.NoNull {
				d.p, d.code = v.unruled, v.unruled.dec
			}
		}
		var w [16]byte
		if copy(w[:], key) == len(key) {
			e.k0, e.k1 = binary.LittleEndian.Uint64(w[:]), binary.LittleEndian.Uint64(w[8:])
			e.n = uint8(len(key))
		}
		if f.Noted() {
			p.required[i/64] |= 1 << (i % 64)
		}
		p.omits = p.omits || e.flags != 0 || e.omit != plan.OmitSlow
		p.fields[declared][i], p.slots[i] = e, d
	}
	for i := range members {
		for _, name := range members[i].Alternates {
			keys = append(keys, string(cborwire.AppendText(nil, name)))
			p.others = append(p.others, uint16(i))
		}
	}
	p.keys, p.names = wire.NewNameTable(keys), len(keys)
	for o := range orders {
		if o != declared {
			p.fields[o] = slices.Clone(p.fields[declared])
			slices.SortStableFunc(p.fields[o], func(x, y encField) int {
				return cborwire.CompareKeys([]byte(x.key), []byte(y.key), o == lengthFirst)
			})
		}
		p.expected[o] = make([]uint16, n)
		findRuns(p.fields[o])
		for i := range p.fields[o] {
			p.expected[o][i] = p.fields[o][i].slot
			p.slots[p.fields[o][i].slot].next[o] = uint16(i + 1)
		}
	}
	p.noted = p.checks != nil || slices.ContainsFunc(p.required, func(w uint64) bool { return w != 0 })
	p.plain = !p.noted && n > 0 && n <= 64
	if t.Rest() != nil {
		p.rest, p.restProg = t.Rest(), g.program(t.Rest().Type)
		p.omits = true
	}
}

// findRuns makes the omission of fields plan.OmitRun where it is plan.OmitInt and so is that of those behind them.
func findRuns(fields []encField) {
	n := 0 // fields from the i-th on
	for i := len(fields) - 1; i >= 0; i-- {
		f := &fields[i]
		if f.omit != plan.OmitInt && f.omit != plan.OmitRun {
			n = 0
			continue
		}
		n++
		f.omit = plan.OmitInt
		if n > plan.RunLength {
			f.omit = plan.OmitRun
		}
	}
}

// keyOf returns the key of a field as it is written: text, or an integer where the tag says keyasint.
func keyOf(t reflect.Type, f *plan.Field) string {
	sf := t.FieldByIndex(f.Index)
	if n, ok := intKey(&sf); ok {
		return string(cborwire.AppendInt(nil, n))
	}
	return string(cborwire.AppendText(nil, f.Name))
}

// intKey returns the name of a field whose governing tag has the option keyasint, if it is an integer in its shortest
// form: so different names are different keys.
func intKey(sf *reflect.StructField) (n int64, ok bool) {
	for _, key := range tagKeys {
		if text, has := sf.Tag.Lookup(key); has {
			name, opts, _ := strings.Cut(text, ",")
			name = strings.Trim(name, "'")
			n, err := strconv.ParseInt(name, 10, 64)
			return n, err == nil && name == strconv.FormatInt(n, 10) && slices.Contains(strings.Split(opts, ","), "keyasint")
		}
	}
	return 0, false
}

// length is the number of elements of the struct laid out as an array.
func (p *program) length() int {
	if p.rest != nil {
		return len(p.slots) + 1
	}
	return len(p.slots)
}

// isArray reports whether the struct is laid out as an array.
func (p *program) isArray(asArray bool) bool { return p.array || asArray && !p.asMap }
