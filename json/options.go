package json

import "github.com/weftcodec/weft"

// Options is a set of settings; see [weft.Options].
type Options = weft.Options

// Flags are the settings of this format that are on or off, as leaf functions and generated code
// take them.
type Flags uint32

// The flags of an encoder.
const (
	// EscapeHTML writes <, > and & within strings as \u003c, \u003e and \u0026.
	EscapeHTML Flags = 1 << iota
	// SortMapKeys writes the members of a Go map in the order of their names.
	SortMapKeys
	// NilSliceAsEmpty writes a nil slice as [] and nil bytes as "".
	NilSliceAsEmpty
	// NilMapAsEmpty writes a nil map as {}.
	NilMapAsEmpty
	// OmitZeroFields leaves out every struct field that is zero, as the tag option omitzero does.
	OmitZeroFields
	// StringNumbers writes numbers as JSON strings.
	StringNumbers

	// DefaultFlags are those of Marshal.
	DefaultFlags = EscapeHTML | SortMapKeys
)

// weft returns f as flags of the root package, which has one for SortMapKeys.
func (f Flags) weft() weft.Flag {
	w := weft.FlagJSON * weft.Flag(f&^SortMapKeys)
	if f&SortMapKeys != 0 {
		w |= weft.FlagDeterministic
	}
	return w
}

// options returns the set that decides the flags in f.
func (f Flags) options(on bool) Options { return f.weft().Options(on) }

// with returns the flags after opts, of which later ones win.
func (f Flags) with(opts []Options) Flags {
	if len(opts) == 0 {
		return f
	}
	w := f.weft()
	for i := range opts {
		w = opts[i].Flags(w)
	}
	f = Flags(w/weft.FlagJSON) & (1<<24 - 1) &^ SortMapKeys
	if w&weft.FlagDeterministic != 0 {
		f |= SortMapKeys
	}
	return f
}

// EscapeForHTML tells whether <, > and & are escaped within strings, as they are by default. It
// affects marshaling.
func EscapeForHTML(on bool) Options { return EscapeHTML.options(on) }

// Deterministic tells whether the members of Go maps are written in the order of their names, as
// they are by default. It affects marshaling.
func Deterministic(on bool) Options { return SortMapKeys.options(on) }

// FormatNilSliceAsNull tells whether a nil slice is written as null, as it is by default, or as an
// empty array. It affects marshaling.
func FormatNilSliceAsNull(on bool) Options { return NilSliceAsEmpty.options(!on) }

// FormatNilMapAsNull tells whether a nil map is written as null, as it is by default, or as an
// empty object. It affects marshaling.
func FormatNilMapAsNull(on bool) Options { return NilMapAsEmpty.options(!on) }

// OmitZeroStructFields tells whether every struct field that is zero is left out, as if its tag
// said omitzero. It affects marshaling.
func OmitZeroStructFields(on bool) Options { return OmitZeroFields.options(on) }

// StringifyNumbers tells whether numbers are written as JSON strings. It affects marshaling.
func StringifyNumbers(on bool) Options { return StringNumbers.options(on) }
