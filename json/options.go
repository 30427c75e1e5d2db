package json

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// Options is a set of settings; see [weft.Options].
type Options = weft.Options

// encodeFlags are the settings of this format that are on or off. The bits from 14 on are those of package jsontext,
// of which two mean the opposite here, so that they are off by default.
type encodeFlags uint32

// The flags of an encoder.
const (
	// flagEscapeHTML writes <, > and & within strings as \u003c, \u003e and \u0026.
	flagEscapeHTML encodeFlags = 1 << iota
	// flagSortMapKeys writes the members of a Go map in the order of their names.
	flagSortMapKeys
	// flagNilSliceAsEmpty writes a nil slice as [] and nil bytes as "".
	flagNilSliceAsEmpty
	// flagNilMapAsEmpty writes a nil map as {}.
	flagNilMapAsEmpty
	// flagOmitZeroFields leaves out every struct field that is zero, as the tag option omitzero does.
	flagOmitZeroFields
	// flagStringNumbers writes numbers as JSON strings.
	flagStringNumbers

	// flagsDefault are those of Marshal.
	flagsDefault = flagEscapeHTML | flagSortMapKeys
)

// The flags of modes, and of decoders.
const (
	flagExactNames       encodeFlags = 1 << 6  // names are compared as they are
	flagV2               encodeFlags = 1 << 7  // what encoding/json/v2 does
	flagExtras           encodeFlags = 1 << 8  // there are settings that are not flags
	flagLazyValues       encodeFlags = 1 << 9  // of a decoder: values keep the text of what is in them
	flagTrustUTF8        encodeFlags = 1 << 10 // strings are UTF-8
	flagExtendedTags     encodeFlags = 1 << 11 // tag options of weft's own are obeyed under flagV2
	flagsSpace           encodeFlags = 7 << 15 // jsontext's for spaces and lines
	flagsCanonical       encodeFlags = 3 << 19 // jsontext's for numbers
	flagRawJS            encodeFlags = 1 << 22 // U+2028 and U+2029 stand for themselves
	flagRefuseUTF8       encodeFlags = 1 << 23 // what is not UTF-8 is an error
	flagRefuseDuplicates encodeFlags = 1 << 24 // the root's flag

	flagsInverted = flagRawJS | flagRefuseUTF8

	// modeFlags are those of an encoder that has programs of its own.
	modeFlags = flagV2 | flagExtras | flagsInverted
	// keyFlags are those of them, and beside them, that programs depend on.
	keyFlags = modeFlags | variantFlags | flagExactNames | flagExtendedTags
)

// escapes returns how strings are written.
func (f encodeFlags) escapes() wire.Escapes {
	return wire.Escapes(f&flagEscapeHTML) | wire.Escapes(f>>9)&wire.TrustUTF8
}

// weft returns f as flags of the root package, which has some of its own.
func (f encodeFlags) weft() uint64 {
	w := setting.JSON * uint64((f^flagsInverted)&(1<<24-1)&^flagSortMapKeys)
	if f&flagSortMapKeys != 0 {
		w |= setting.Deterministic
	}
	if f&flagRefuseDuplicates != 0 {
		w |= setting.RejectDuplicates
	}
	return w
}

// options returns the set that decides the flags in f, none of which is inverted or the root's.
func (f encodeFlags) options(on bool) Options { return Options{}.Decide(setting.JSON*uint64(f), on) }

// with returns the flags after opts, of which later ones win.
func (f encodeFlags) with(opts []Options) encodeFlags {
	if len(opts) == 0 {
		return f
	}
	w := f.weft()
	for i := range opts {
		w = opts[i].Flags(w)
	}
	f = (encodeFlags(w/setting.JSON)&(1<<24-1) ^ flagsInverted) &^ flagSortMapKeys
	if w&setting.Deterministic != 0 {
		f |= flagSortMapKeys
	}
	if w&setting.RejectDuplicates != 0 {
		f |= flagRefuseDuplicates
	}
	return f
}

// V2 returns the set of options by which this package does what encoding/json/v2 does by default:
//
//   - names of members are compared with those of fields as they are ([MatchCaseInsensitiveNames]);
//     the tag option case:ignore makes an exception;
//   - two members of one name in an object are an error ([jsontext.AllowDuplicateNames]);
//   - what is not UTF-8 is an error ([jsontext.AllowInvalidUTF8]);
//   - nil slices and nil maps are written as [] and {} ([FormatNilSliceAsNull], [FormatNilMapAsNull]);
//   - <, > and & and U+2028 and U+2029 are written as they are ([EscapeForHTML], [jsontext.EscapeForJS]);
//   - maps are written in any order ([Deterministic]);
//   - and the semantics that have no option of their own: arrays of bytes are strings in base64, a JSON
//     array must have the length of the Go array, null makes any Go value zero, a slice's or array's
//     elements are zeroed before they are decoded, decoding into a map's element or an interface merges
//     with what is there, the tag option omitempty leaves out what is written as null, "", [] or {},
//     the option string is for numbers alone, methods on pointers are called on values that have no
//     address too, time.Duration needs a format ([FormatDuration]), base64 and RFC 3339 are read strictly, the
//     tag options embed and case are obeyed, with [ExtendedTags] format too, tags of the key weft are not looked at, and wrong tags
//     are errors.
//
// Options after it change single settings, those of package json/legacy back to what encoding/json does. It affects both marshaling and unmarshaling.
func V2() Options { return optionsV2 }

var optionsV2 = weft.Join(
	(flagExactNames | flagV2 | flagNilSliceAsEmpty | flagNilMapAsEmpty).options(true),
	(flagEscapeHTML | flagsInverted).options(false),
	weft.RejectDuplicates(true),
	weft.Deterministic(false),
)

// Fastest returns the set of options for the least work: strings of the result share the memory of the
// input, which must then not be changed ([weft.AliasInput]), strings are written without escapes for HTML and
// without a look at their UTF-8 ([TrustUTF8]), and maps in any order. The text that is read is checked as
// ever. It affects both marshaling and unmarshaling.
func Fastest() Options { return optionsFastest }

var optionsFastest = weft.Join(flagEscapeHTML.options(false), weft.Deterministic(false), weft.AliasInput(true), TrustUTF8(true))

// EscapeForHTML specifies whether <, > and & are escaped within strings, as they are by default. It
// affects marshaling.
func EscapeForHTML(on bool) Options { return flagEscapeHTML.options(on) }

// TrustUTF8 specifies whether the strings that are written are known to be UTF-8, as those are that this package
// has read. What is not ASCII in them is then copied as it is: neither checked nor escaped, so that a string
// that is not UTF-8 makes text that is not JSON (RFC 8259 §8.1), and U+2028 and U+2029 stand for themselves.
// Methods and values that write themselves are not affected. [jsontext.AllowInvalidUTF8] has no effect on strings
// that are trusted. It affects marshaling.
func TrustUTF8(on bool) Options { return flagTrustUTF8.options(on) }

// MatchCaseInsensitiveNames specifies whether the name of a member may differ from that of its field by
// case, as it may by default where no field has exactly that name. It affects unmarshaling.
func MatchCaseInsensitiveNames(on bool) Options { return weft.FoldNames(on) }

// They are the same as those of package setting.
var (
	_ [0]byte = [setting.JSONExactNames - setting.JSON*uint64(flagExactNames)]byte{}
	_ [0]byte = [setting.JSONExtras - setting.JSON*uint64(flagExtras)]byte{}
)

// RejectUnknownMembers specifies whether a member for which the struct has no field is an error. By
// default it is skipped, or kept in the field that is tagged for it. It affects unmarshaling.
func RejectUnknownMembers(on bool) Options { return weft.RejectUnknown(on) }

// Deterministic specifies whether the members of Go maps are written in the order of their names, as
// they are by default. It affects marshaling.
func Deterministic(on bool) Options { return weft.Deterministic(on) }

// FormatNilSliceAsNull specifies whether a nil slice is written as null, as it is by default, or as an
// empty array. It affects marshaling.
func FormatNilSliceAsNull(on bool) Options { return flagNilSliceAsEmpty.options(!on) }

// FormatNilMapAsNull specifies whether a nil map is written as null, as it is by default, or as an
// empty object. It affects marshaling.
func FormatNilMapAsNull(on bool) Options { return flagNilMapAsEmpty.options(!on) }

// OmitZeroStructFields specifies whether every struct field that is zero is left out, as if its tag
// said omitzero. It affects marshaling.
func OmitZeroStructFields(on bool) Options { return flagOmitZeroFields.options(on) }

// StringifyNumbers specifies whether numbers are JSON strings. It affects both marshaling and
// unmarshaling.
func StringifyNumbers(on bool) Options { return flagStringNumbers.options(on) }

// ExtendedTags specifies whether [V2] obeys the options of tags json that are weft's own: format, which encoding/json/v2 of
// go1.27 refuses, and inline and unknown, older names of embed, which it ignores. By default it does as
// that. Without V2 these options stand in tags of the key weft, where they are always obeyed. It affects both marshaling
// and unmarshaling.
func ExtendedTags(on bool) Options { return flagExtendedTags.options(on) }

// MaxSize limits the bytes of a text, in a stream those of each value; by default there is no limit. It
// affects unmarshaling.
func MaxSize(n int) Options { return jsontext.MaxSize(n) }

type (
	timeKey         struct{}
	bytesKey        struct{}
	durationKey     struct{}
	marshalersKey   struct{}
	unmarshalersKey struct{}
)

// extra returns the set that has val for key, and the flag that tells of it.
func extra(key, val any) Options { return weft.Join(weft.With(key, val), flagExtras.options(true)) }

// FormatTime specifies how times are written that have no tag option format: one of the names RFC3339,
// RFC3339Nano, DateTime, DateOnly, TimeOnly and the others of package time's layouts; unix,
// unixmilli, unixmicro or unixnano for a number since 1970; or a layout as package time takes it. It
// affects both marshaling and unmarshaling.
func FormatTime(format string) Options { return extra(timeKey{}, format) }

// FormatBytes specifies how slices, and with [V2] arrays, of bytes are written that have no tag option
// format: base64, base64url, base32, base32hex, base16, hex, or array for an array of numbers. It
// affects both marshaling and unmarshaling.
func FormatBytes(format string) Options { return extra(bytesKey{}, format) }

// FormatDuration specifies how values of time.Duration are written that have no tag option format: nano,
// micro, milli or sec for a number, units for a string as "1h30m", iso8601 for one as "PT1H30M". It
// affects both marshaling and unmarshaling.
func FormatDuration(format string) Options { return extra(durationKey{}, format) }

// LazyValues specifies whether the Values of package value that are read keep the text of what is in
// them. The text is checked as a whole when it is read, and copied once. The arrays and objects in
// it, from some hundred bytes on, are read when somebody looks into them, one level at a time;
// those that nobody looks into are written back as JSON byte for byte, whitespace included. It
// affects unmarshaling.
func LazyValues(on bool) Options { return flagLazyValues.options(on) }
