package weft

import (
	"reflect"
	"sync"

	"github.com/weftcodec/weft/internal/setting"
)

// Options is an immutable set of settings. The zero value sets nothing. A set
// is made once, by the functions of this package and of the formats, joined by
// [Join], and shared freely; a call that takes several lets later ones win.
type Options struct {
	set    uint64 // the flags that are decided
	on     uint64 // those of them that are on
	vals   *option
	codecs *codecSet
}

// option is one setting that is more than a flag, in an immutable list.
type option struct {
	key, val any
	next     *option
}

// Decide returns the set with the flags in f decided, which are those of packages of this
// module. It is for format packages.
func (o Options) Decide(f uint64, on bool) Options {
	o.set |= f
	if on {
		o.on |= f
	} else {
		o.on &^= f
	}
	return o
}

// flag returns the set that decides the flags in f.
func flag(f uint64, on bool) Options { return Options{}.Decide(f, on) }

// With returns the set that has val for key. Keys are compared with ==; as with
// contexts, a package keeps its key's type to itself.
func With(key, val any) Options {
	return Options{vals: &option{key: key, val: val}}
}

// Join returns the union of the sets; where they differ the later one wins.
func Join(opts ...Options) Options {
	var o Options
	for i := range opts {
		o = o.join(&opts[i])
	}
	return o
}

func (o Options) join(p *Options) Options {
	o.on = o.on&^p.set | p.on
	o.set |= p.set
	if p.vals != nil {
		if o.vals == nil {
			o.vals = p.vals
		} else {
			o.vals = p.vals.over(o.vals)
		}
	}
	if p.codecs != nil {
		o.codecs = o.codecs.with(p.codecs)
	}
	return o
}

// over returns the list p in front of base.
func (p *option) over(base *option) *option {
	if p == nil {
		return base
	}
	return &option{key: p.key, val: p.val, next: p.next.over(base)}
}

// Flags returns the flags that are on, with those of defaults that the set does
// not decide. That of an option is what the option turns on:
// weft.RejectUnknown(true).Flags(0).
func (o Options) Flags(defaults uint64) uint64 { return defaults&^o.set | o.on }

// Bare reports whether the set says nothing that is more than a flag: no codecs, and no
// setting with a value.
func (o *Options) Bare() bool { return o.vals == nil && o.codecs == nil }

// Value returns what the set has for key.
func (o Options) Value(key any) (val any, ok bool) {
	for v := o.vals; v != nil; v = v.next {
		if v.key == key {
			return v.val, true
		}
	}
	return nil, false
}

// RejectUnknown makes a member that the Go type does not have an error, where
// it is skipped by default. A type may forbid unknown members itself ([Rules]);
// RejectUnknown(false) skips them there too. It affects unmarshaling.
func RejectUnknown(on bool) Options {
	if on {
		return Options{set: setting.RejectUnknown | setting.AllowUnknown, on: setting.RejectUnknown}
	}
	return Options{set: setting.RejectUnknown | setting.AllowUnknown, on: setting.AllowUnknown}
}

// Unchecked takes values that the [Rules] of their types do not allow: nothing is
// checked but what the Go types cannot hold. Validate of package schema tells
// afterwards. It affects unmarshaling.
func Unchecked(on bool) Options { return flag(setting.Unchecked, on) }

// AllViolations has a call go on after the first rule that a value breaks, and
// report all of them as a [ValidationError]. By default the first is the error.
// It affects unmarshaling.
func AllViolations(on bool) Options { return flag(setting.AllViolations, on) }

// RejectDuplicates makes two members of one name in one object an error, where
// the last one wins by default. It affects unmarshaling.
func RejectDuplicates(on bool) Options { return flag(setting.RejectDuplicates, on) }

// FoldNames lets the name of a member differ from that of its field by case, where no
// field has exactly that name; of several fields the first one is taken. JSON does so by
// default, as encoding/json does, except under its V2; the other formats, and package
// value, compare names as they are. Types that read themselves are not affected. It
// affects unmarshaling.
func FoldNames(on bool) Options {
	if on {
		return Options{set: setting.FoldNames | setting.JSONExactNames, on: setting.FoldNames}
	}
	return Options{set: setting.FoldNames | setting.JSONExactNames, on: setting.JSONExactNames}
}

// Deterministic writes equal values as equal bytes: maps are sorted by key. It
// affects marshaling.
func Deterministic(on bool) Options { return flag(setting.Deterministic, on) }

// AliasInput lets strings and byte slices of the result, those of a Value of package
// value too, point into the input, which must then not be changed as long as they are
// used. Nothing points into the buffer of a stream. It affects unmarshaling.
func AliasInput(on bool) Options { return flag(setting.AliasInput, on) }

// StructAsArray lays structs out as arrays of their fields in declared order,
// in formats that have such a layout, instead of as maps by name. It affects
// both marshaling and unmarshaling.
func StructAsArray(on bool) Options { return flag(setting.StructAsArray, on) }

// AsRequest reads a value as part of a request: a type then demands
// the required members that only requests have (writeOnly), which it does without
// otherwise. It affects unmarshaling.
func AsRequest(on bool) Options { return flag(setting.Request, on) }

// AsResponse reads a value as part of a response: a type then demands
// the required members that only responses have (readOnly), which it does without
// otherwise. It affects unmarshaling.
func AsResponse(on bool) Options { return flag(setting.Response, on) }

type depthKey struct{}

// MaxDepth limits how deep arrays and objects may nest, by default 10,000. It affects both
// marshaling and unmarshaling.
func MaxDepth(n int) Options { return With(depthKey{}, n) }

// Depth returns the limit set by [MaxDepth].
func (o Options) Depth() int {
	if n, ok := o.MaxDepth(); ok {
		return n
	}
	return setting.DefaultMaxDepth
}

// MaxDepth returns the limit set by [MaxDepth], if it is.
func (o Options) MaxDepth() (n int, ok bool) {
	if o.vals != nil {
		if v, ok := o.Value(depthKey{}); ok {
			return v.(int), true
		}
	}
	return 0, false
}

// OmitNull leaves out the members of structs that would be null: nil pointers,
// interfaces, slices and maps, and optional values that have none. Read back,
// they are what they were. A member that must be there, as its tag or its
// [opt.Field] that is null says, is written. It affects marshaling.
//
// [opt.Field]: https://pkg.go.dev/github.com/weftcodec/weft/opt#Field
func OmitNull(on bool) Options { return flag(setting.OmitNull, on) }

// OmitEmpty leaves out the members of structs that are arrays, maps or bytes
// without elements, nil or not. Read back, they are nil. A member that must be
// there, as its tag says, is written. It affects marshaling.
func OmitEmpty(on bool) Options { return flag(setting.OmitEmpty, on) }

// WriteEmpty writes every member of a struct, although the tag of its field
// says omitempty or omitzero. Only an optional value that is absent stays away.
// It affects marshaling.
func WriteEmpty(on bool) Options { return flag(setting.WriteEmpty, on) }

// Codecs has a call write and read values of some types by codecs, instead of
// as the types themselves say. The first codec for a type counts; of several
// sets the later one. What formats compile for the codecs is kept with them: a
// set is made once, and shared. It affects both marshaling and unmarshaling.
func Codecs(codecs ...Codec) Options {
	s := &codecSet{codecs: make(map[reflect.Type]*Codec, len(codecs))}
	for i := range codecs {
		c := codecs[i]
		if s.codecs[c.rtype] == nil {
			s.codecs[c.rtype] = &c
		}
	}
	s.start()
	return Options{codecs: s}
}

// codecSet is the codecs of an Options.
type codecSet struct {
	codecs   map[reflect.Type]*Codec
	dialects [setting.Dialect>>setting.DialectShift + 1]Dialect
	joined   sync.Map // *codecSet that was joined to this one -> *codecSet
}

func (s *codecSet) start() {
	for i := range s.dialects {
		s.dialects[i].set = s
		s.dialects[i].flags = uint64(i) << setting.DialectShift
	}
}

// with returns the set of both, in which t's codecs win: the same one each time.
func (s *codecSet) with(t *codecSet) *codecSet {
	if s == nil || s == t {
		return t
	}
	if u, ok := s.joined.Load(t); ok {
		return u.(*codecSet)
	}
	u := &codecSet{codecs: make(map[reflect.Type]*Codec, len(s.codecs)+len(t.codecs))}
	for k, c := range s.codecs {
		u.codecs[k] = c
	}
	for k, c := range t.codecs {
		u.codecs[k] = c
	}
	u.start()
	kept, _ := s.joined.LoadOrStore(t, u)
	return kept.(*codecSet)
}

// Dialect is those of the settings that change what Go types are on the wire:
// codecs, and which members are left out. A format compiles types once for each
// Dialect, and keeps the result with it.
type Dialect struct {
	set   *codecSet
	flags uint64
	cache sync.Map
}

// plain are the dialects without codecs. They hold caches alone.
var plain = func() *codecSet {
	s := new(codecSet)
	s.start()
	return s
}()

// Dialect returns what d, nil for the usual Dialect, becomes under the options: nil for the
// usual one. Equal settings have the same Dialect. It is for format packages.
func (o *Options) Dialect(d *Dialect) *Dialect {
	flags := o.Flags(d.Flags()) & setting.Dialect
	set := o.codecs
	if d != nil && d.set != plain {
		if set = d.set; o.codecs != nil {
			set = d.set.with(o.codecs)
		}
	}
	if set == nil {
		if flags == 0 {
			return nil
		}
		set = plain
	}
	return &set.dialects[flags>>setting.DialectShift]
}

// Cache returns what make has returned for key, which it is called for once or,
// by several goroutines, a few times. As with [With], a package keeps its key's
// type to itself.
func (d *Dialect) Cache(key any, make func() any) any {
	if v, ok := d.cache.Load(key); ok {
		return v
	}
	v, _ := d.cache.LoadOrStore(key, make())
	return v
}

// Flags returns those of the flags of the Dialect that are on. For a nil
// Dialect there is none.
func (d *Dialect) Flags() uint64 {
	if d == nil {
		return 0
	}
	return d.flags
}

// Codec returns the codec for values of type t, nil for none: one of the
// Dialect, which may be nil, or else what t declares.
func (d *Dialect) Codec(t reflect.Type) *Codec {
	if d != nil {
		if c := d.set.codecs[t]; c != nil {
			return c
		}
	}
	return declared(t)
}

// CodecOf returns the codec for values of type t that calls the functions with a pointer to the
// value. It is for package plan.
func (d *Dialect) CodecOf(t reflect.Type, put func(e *Encoder, v any) error, get func(d *Decoder, v any) error) *Codec {
	return &Codec{rtype: t, put: put, get: get}
}
