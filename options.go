package weft

import (
	"reflect"
	"sync"

	"github.com/weftcodec/weft/internal/setting"
)

// Options is an immutable set of settings. The zero value sets nothing. Make a set once, with the functions of this
// package and of the formats, combine sets with [Join], and share them freely. If a call is given several sets, later
// ones win.
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

// Decide returns the set with the flags in f turned on or off. The flags are those of packages of this module. It is
// for format packages.
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

// With returns the set in which key has the value val. Keys are compared with ==. As with contexts, the type of the
// key should be unexported.
func With(key, val any) Options {
	return Options{vals: &option{key: key, val: val}}
}

// Join returns the union of the sets. If they differ in a setting, the later set wins.
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

// Flags returns the flags that are on, including those of defaults that the set does not decide. The flag of an
// option is, for example, weft.RejectUnknown(true).Flags(0).
func (o Options) Flags(defaults uint64) uint64 { return defaults&^o.set | o.on }

// Bare reports whether the set has only flags: no codecs, and no setting with a value.
func (o *Options) Bare() bool { return o.vals == nil && o.codecs == nil }

// Value returns the value of key in the set, and reports whether there is one.
func (o Options) Value(key any) (val any, ok bool) {
	for v := o.vals; v != nil; v = v.next {
		if v.key == key {
			return v.val, true
		}
	}
	return nil, false
}

// ValueLike returns the value in the set of the key that p has a value of, and reports whether there is one.
func (o Options) ValueLike(p Options) (val any, ok bool) {
	if p.vals == nil {
		return nil, false
	}
	return o.Value(p.vals.key)
}

// RejectUnknown specifies whether a member that the Go type does not have is an error. By default it is skipped. A
// type may forbid unknown members by its [Rules]; RejectUnknown(false) skips them there too. It affects unmarshaling.
func RejectUnknown(on bool) Options {
	if on {
		return Options{set: setting.RejectUnknown | setting.AllowUnknown, on: setting.RejectUnknown}
	}
	return Options{set: setting.RejectUnknown | setting.AllowUnknown, on: setting.AllowUnknown}
}

// Unchecked specifies whether values that violate the [Rules] of their types are accepted: then only the Go types are
// checked. Validate of package schema can check the rules later. It affects unmarshaling.
func Unchecked(on bool) Options { return flag(setting.Unchecked, on) }

// AllViolations specifies whether a call continues after the first violation of a rule, and reports all violations as
// a [ValidationError]. By default the first one is the error. It affects unmarshaling.
func AllViolations(on bool) Options { return flag(setting.AllViolations, on) }

// RejectDuplicates specifies whether duplicate names in an object are an error. By default the last member wins. It
// affects unmarshaling.
func RejectDuplicates(on bool) Options { return flag(setting.RejectDuplicates, on) }

// FoldNames specifies whether the name of a member may differ from that of its field by case, if no field has exactly
// that name; if several fields match, the first one is used. This is the default in JSON, as in encoding/json, except
// under V2. In the other formats, and in package value, names must match exactly by default. Types that read
// themselves are not affected. It affects unmarshaling.
func FoldNames(on bool) Options {
	if on {
		return Options{set: setting.FoldNames | setting.JSONExactNames, on: setting.FoldNames}
	}
	return Options{set: setting.FoldNames | setting.JSONExactNames, on: setting.JSONExactNames}
}

// Deterministic specifies whether equal values are written as equal bytes: maps are then sorted by key. It
// affects marshaling.
func Deterministic(on bool) Options { return flag(setting.Deterministic, on) }

// AliasInput specifies whether strings and byte slices of the result, including those of a Value of package value,
// may point into the input, which must then not change while they are in use. Nothing ever points into the buffer of
// a stream. It affects unmarshaling.
func AliasInput(on bool) Options { return flag(setting.AliasInput, on) }

// StructAsArray specifies whether structs are written as arrays of their fields in declared order, in formats that
// have such a layout, instead of as maps. It affects both marshaling and unmarshaling.
func StructAsArray(on bool) Options { return flag(setting.StructAsArray, on) }

// AsRequest specifies whether values are part of a request: required members that only requests have (writeOnly) must
// then be present, which are optional by default. It affects unmarshaling.
func AsRequest(on bool) Options { return flag(setting.Request, on) }

// AsResponse specifies whether values are part of a response: required members that only responses have (readOnly)
// must then be present, which are optional by default. It affects unmarshaling.
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

// MaxDepth returns the limit set by the function [MaxDepth], and reports whether it is set.
func (o Options) MaxDepth() (n int, ok bool) {
	if o.vals != nil {
		if v, ok := o.Value(depthKey{}); ok {
			return v.(int), true
		}
	}
	return 0, false
}

// OmitNull specifies whether members of structs that would be null are omitted: nil pointers, interfaces, slices and
// maps, and values of package opt that have no value. Read back, they are unchanged. A member that its tag requires,
// and a null [opt.Field], is always written. It affects marshaling.
//
// [opt.Field]: https://pkg.go.dev/github.com/weftcodec/weft/opt#Field
func OmitNull(on bool) Options { return flag(setting.OmitNull, on) }

// OmitEmpty specifies whether members of structs that are arrays, maps or bytes without elements, nil or not, are
// omitted. Read back, they are nil. A member that its tag requires is always written. It affects marshaling.
func OmitEmpty(on bool) Options { return flag(setting.OmitEmpty, on) }

// WriteEmpty specifies whether every member of a struct is written, even if the tag of its field says omitempty or
// omitzero. Only an absent value of package opt is still omitted. It affects marshaling.
func WriteEmpty(on bool) Options { return flag(setting.WriteEmpty, on) }

// Codecs makes a call write and read values of some types with codecs, which override the types' own encoding. If
// there are several codecs for a type, the first one wins; of several sets, the later one. Formats store what they
// compile for the codecs in the set, so make it once and share it. It affects both marshaling and unmarshaling.
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

// Dialect holds the settings that change the wire form of Go types: codecs, and which members are omitted. A format
// compiles types once for each Dialect, and stores the result in it.
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

// Dialect returns the Dialect d as changed by the options; nil is the default Dialect. Equal settings have the same
// Dialect. It is for format packages.
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

// Cache returns what make has returned for key. It calls make once, or a few times if several goroutines need the
// result. As with [With], the type of the key should be unexported.
func (d *Dialect) Cache(key any, make func() any) any {
	if v, ok := d.cache.Load(key); ok {
		return v
	}
	v, _ := d.cache.LoadOrStore(key, make())
	return v
}

// Flags returns the flags of the Dialect that are on. A nil Dialect has none.
func (d *Dialect) Flags() uint64 {
	if d == nil {
		return 0
	}
	return d.flags
}

// Codec returns the codec for values of type t, or nil if there is none: that of the Dialect, which may be nil, or
// else the one that t declares.
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
