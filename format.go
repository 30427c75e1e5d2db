package weft

import "io"

// Format is a wire format as a value, for programs that choose one at run time.
// Each format package has one, such as json.Format.
type Format interface {
	// Name returns the lower-case name of the format, such as "json".
	Name() string
	// MarshalAppend appends the encoding of v to b. On an error it returns b as
	// it was.
	MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error)
	// MarshalWrite writes the encoding of v to w.
	MarshalWrite(w io.Writer, v any, opts ...Options) error
	// Unmarshal reads the one value of b into the variable v points to.
	Unmarshal(b []byte, v any, opts ...Options) error
	// UnmarshalRead reads the one value of r, up to its end, into the variable
	// v points to.
	UnmarshalRead(r io.Reader, v any, opts ...Options) error
}
