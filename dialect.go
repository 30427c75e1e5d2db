package weft

import (
	"reflect"
	"sync"

	"github.com/weftcodec/weft/internal/setting"
)

// OmitNull leaves out the members of structs that would be null: nil pointers,
// interfaces, slices and maps, and optional values that have none. Read back,
// they are what they were. A member that must be there, as its tag or its
// [opt.Field] that is null says, is written. It affects marshaling.
//
// [opt.Field]: https://pkg.go.dev/github.com/weftcodec/weft/opt#Field
func OmitNull(on bool) Options { return Flag(setting.OmitNull).Options(on) }

// OmitEmpty leaves out the members of structs that are arrays, maps or bytes
// without elements, nil or not. Read back, they are nil. A member that must be
// there, as its tag says, is written. It affects marshaling.
func OmitEmpty(on bool) Options { return Flag(setting.OmitEmpty).Options(on) }

// WriteEmpty writes every member of a struct, although the tag of its field
// says omitempty or omitzero. Only an optional value that is absent stays away.
// It affects marshaling.
func WriteEmpty(on bool) Options { return Flag(setting.WriteEmpty).Options(on) }

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
		s.dialects[i].codecs = s.codecs
		s.dialects[i].flags = Flag(i) << setting.DialectShift
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
	codecs map[reflect.Type]*Codec
	flags  Flag
	cache  sync.Map
}

// plain are the dialects without codecs. They hold caches alone.
var plain = func() *codecSet {
	s := new(codecSet)
	s.start()
	return s
}()

// DialectOf returns the Dialect that opts ask for, nil for the usual one. Equal
// settings have the same Dialect. It is for format packages.
func DialectOf(opts []Options) *Dialect {
	var flags Flag
	var set *codecSet
	for i := range opts {
		flags = opts[i].Flags(flags)
		if c := opts[i].codecs; c != nil {
			set = set.with(c)
		}
	}
	if flags &= setting.Dialect; flags == 0 && set == nil {
		return nil
	}
	if set == nil {
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
func (d *Dialect) Flags() Flag {
	if d == nil {
		return 0
	}
	return d.flags
}

// Codec returns the codec for values of type t, nil for none: one of the
// Dialect, which may be nil, or else what t declares.
func (d *Dialect) Codec(t reflect.Type) *Codec {
	if d != nil {
		if c := d.codecs[t]; c != nil {
			return c
		}
	}
	return declared(t)
}
