package weft

import (
	"sync/atomic"

	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Fields is the table of an object's member names, by index. It holds what each
// format needs to write and match them, made when the format first asks. A
// Fields is immutable, safe for concurrent use, and meant to live in a package
// variable.
type Fields struct {
	names []string
	json  atomic.Pointer[jsonNames]
	pack  atomic.Pointer[packwire.Keys]
}

// NewFields returns the table of the given names, which must differ from each
// other.
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
