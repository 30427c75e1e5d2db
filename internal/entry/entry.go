// Package entry has the functions that the packages of formats have in common, built on what differs between them.
package entry

import (
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
)

// Functions are the functions of a format, which its [weft.Format] calls.
type Functions struct {
	FormatName string
	Append     func(b []byte, v any, opts ...weft.Options) ([]byte, error)
	Write      func(w io.Writer, v any, opts ...weft.Options) error
	Decode     func(b []byte, v any, opts ...weft.Options) error
}

// Name implements [weft.Format].
func (f *Functions) Name() string { return f.FormatName }

// MarshalAppend implements [weft.Format].
func (f *Functions) MarshalAppend(b []byte, v any, opts ...weft.Options) ([]byte, error) {
	return f.Append(b, v, opts...)
}

// MarshalWrite implements [weft.Format].
func (f *Functions) MarshalWrite(w io.Writer, v any, opts ...weft.Options) error {
	return f.Write(w, v, opts...)
}

// Unmarshal implements [weft.Format].
func (f *Functions) Unmarshal(b []byte, v any, opts ...weft.Options) error {
	return f.Decode(b, v, opts...)
}

// UnmarshalRead implements [weft.Format].
func (f *Functions) UnmarshalRead(r io.Reader, v any, opts ...weft.Options) error {
	return Read(r, v, opts, f.Decode)
}

// Read has unmarshal read all of src into the variable v points to.
func Read(src io.Reader, v any, opts []weft.Options, unmarshal func([]byte, any, ...weft.Options) error) error {
	buf := input.Take()
	defer buf.Release()
	if err := buf.ReadAll(src); err != nil {
		return err
	}
	// The result must not alias a buffer that is used again.
	return unmarshal(buf.B, v, append(opts[:len(opts):len(opts)], weft.AliasInput(false))...)
}
