package backend

import "github.com/weftcodec/weft/internal/wire/namewire"

// Fields is the table of an object's member names, by index. It holds what each
// format needs to write and match them, made when the format first asks. A
// Fields is immutable, safe for concurrent use, and meant to live in a package
// variable.
type Fields struct{ names namewire.Names }

// NewFields returns the table of the given names, which must differ from each
// other. It is for format packages.
func NewFields(names ...string) *Fields {
	return &Fields{namewire.Names{List: append([]string(nil), names...)}}
}

// Len returns the number of names.
func (f *Fields) Len() int { return len(f.names.List) }

// Name returns the i-th name.
func (f *Fields) Name(i int) string { return f.names.List[i] }

// Index returns the index of a name, or [Unknown].
func (f *Fields) Index(name string) int {
	if i := f.names.Pack().Index(name); i >= 0 {
		return i
	}
	return Unknown
}

// Names returns the table as the formats of this module write and match it.
func (f *Fields) Names() any { return &f.names }
