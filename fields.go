package weft

import (
	"sync/atomic"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Fields is the table of an object's member names, by index. It holds what each
// format needs to write and match them, made when the format first asks. A
// Fields is immutable, safe for concurrent use, and meant to live in a package
// variable.
type Fields struct {
	names []string
	json  atomic.Pointer[JSONNames]
	pack  atomic.Pointer[packwire.Keys]
	tags  atomic.Pointer[[]uint32]
}

// NewFields returns the table of the given names, which must differ from each
// other.
//
//go:noinline
func NewFields(names ...string) *Fields {
	return &Fields{names: append([]string(nil), names...)}
}

// Len returns the number of names.
func (f *Fields) Len() int { return len(f.names) }

// Name returns the i-th name.
func (f *Fields) Name(i int) string { return f.names[i] }

// Index returns the index of a name, or [Unknown].
func (f *Fields) Index(name string) int {
	if i := f.PackKeys().Index(name); i >= 0 {
		return i
	}
	return Unknown
}

// PackKeys returns the table as MessagePack strings. It is for format packages.
func (f *Fields) PackKeys() *packwire.Keys {
	if k := f.pack.Load(); k != nil {
		return k
	}
	return f.makePackKeys()
}

func (f *Fields) makePackKeys() *packwire.Keys {
	f.pack.CompareAndSwap(nil, packwire.NewKeys(f.names))
	return f.pack.Load()
}

// JSONNames is a Fields as JSON needs it.
type JSONNames struct {
	Plain []string        // each name as a JSON string with its colon
	HTML  []string        // the same with <, > and & escaped
	Keys  []wire.Key      // the plain names, to match where they stand
	Table *wire.NameTable // to find a name in any other spelling
}

// JSONNames returns the table as JSON names. It is for format packages.
func (f *Fields) JSONNames() *JSONNames {
	if k := f.json.Load(); k != nil {
		return k
	}
	return f.makeJSONNames()
}

func (f *Fields) makeJSONNames() *JSONNames {
	n := len(f.names)
	k := &JSONNames{make([]string, n), make([]string, n), make([]wire.Key, n), wire.NewNameTable(f.names)}
	for i, s := range f.names {
		k.Plain[i] = string(append(appendJSONString(nil, s, 0), ':'))
		k.HTML[i] = string(append(appendJSONString(nil, s, setting.JSONEscapeHTML), ':'))
		k.Keys[i] = wire.NewKey(k.Plain[i])
	}
	f.json.CompareAndSwap(nil, k)
	return f.json.Load()
}

// TagHashes returns the names as tags of the hashed-tag format, without wire
// types. It is for format packages.
func (f *Fields) TagHashes() []uint32 {
	if k := f.tags.Load(); k != nil {
		return *k
	}
	k := make([]uint32, len(f.names))
	for i, s := range f.names {
		k[i] = tagwire.Hash(s)
	}
	f.tags.CompareAndSwap(nil, &k)
	return *f.tags.Load()
}
