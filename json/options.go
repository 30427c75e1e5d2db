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
	flagRejectUnknown    encodeFlags = 1 << 25 // the root's, of a decoder, which methods that write may ask for

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
	return setting.JSON*uint64((f^flagsInverted)&(1<<24-1)&^flagSortMapKeys) |
		uint64(f/flagSortMapKeys&1)*setting.Deterministic | uint64(f/flagRefuseDuplicates&1)*setting.RejectDuplicates |
		uint64(f/flagRejectUnknown&1)*setting.RejectUnknown | uint64(^f/flagExactNames&1)*setting.FoldNames
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
	return flagsOf(w)
}

// flagsOf is the opposite of [encodeFlags.weft].
func flagsOf(w uint64) encodeFlags {
	return (encodeFlags(w/setting.JSON)&(1<<24-1)^flagsInverted)&^flagSortMapKeys |
		encodeFlags(w/setting.Deterministic&1)*flagSortMapKeys |
		encodeFlags(w/setting.RejectDuplicates&1)*flagRefuseDuplicates |
		encodeFlags(w/setting.RejectUnknown&1)*flagRejectUnknown
}

// V2 returns the set of options that makes this package behave like encoding/json/v2:
//
//   - names of members must match those of fields exactly ([MatchCaseInsensitiveNames]);
//     the tag option case:ignore makes an exception;
//   - duplicate names in an object are an error ([jsontext.AllowDuplicateNames]);
//   - text that is not UTF-8 is an error ([jsontext.AllowInvalidUTF8]);
//   - nil slices and nil maps are written as [] and {} ([FormatNilSliceAsNull], [FormatNilMapAsNull]);
//   - <, > and & and U+2028 and U+2029 are not escaped ([EscapeForHTML], [jsontext.EscapeForJS]);
//   - maps are written in any order ([Deterministic]);
//   - and the semantics that have no option of their own: arrays of bytes are strings in base64, a JSON
//     array must have the length of the Go array, null makes any Go value zero, a slice's or array's
//     elements are zeroed before they are decoded, decoding into a map's element or an interface merges
//     with what is there, the tag option omitempty leaves out what is written as null, "", [] or {},
//     the option string is for numbers alone, methods on pointers are called on values that have no
//     address too, time.Duration needs a format ([FormatDuration]), base64 and RFC 3339 are read strictly, the
//     tag options embed and case are obeyed, with [ExtendedTags] format too, tags of the key weft are not looked at,
//     and wrong tags are errors.
//
// Options after it change single settings; those of package json/legacy restore the behavior of encoding/json. It
// affects both marshaling and unmarshaling.
func V2() Options { return optionsV2 }

var optionsV2 = weft.Join(
	(flagExactNames | flagV2 | flagNilSliceAsEmpty | flagNilMapAsEmpty).options(true),
	(flagEscapeHTML | flagsInverted).options(false),
	weft.RejectDuplicates(true),
	weft.Deterministic(false),
)

// Fastest returns the set of options with the least work: strings of the result share the memory of the input, which
// must then not change ([weft.AliasInput]); strings are written without escapes for HTML and without a check of their
// UTF-8 ([TrustUTF8]); and maps are written in any order. The input is still fully checked. It affects both
// marshaling and unmarshaling.
func Fastest() Options { return optionsFastest }

var optionsFastest = weft.Join(
	flagEscapeHTML.options(false), weft.Deterministic(false), weft.AliasInput(true), TrustUTF8(true))

// EscapeForHTML specifies whether <, > and & are escaped within strings, as they are by default. It
// affects marshaling.
func EscapeForHTML(on bool) Options { return flagEscapeHTML.options(on) }

// TrustUTF8 specifies whether strings to be written are known to be UTF-8, as are those that this package has read.
// Characters that are not ASCII are then copied without a check and without escapes. So a string that is not UTF-8
// produces text that is not JSON (RFC 8259 §8.1), and U+2028 and U+2029 are not escaped. Methods and values that
// write themselves are not affected. [jsontext.AllowInvalidUTF8] has no effect on trusted strings. It affects
// marshaling.
func TrustUTF8(on bool) Options { return flagTrustUTF8.options(on) }

// MatchCaseInsensitiveNames specifies whether the name of a member may differ from that of its field by case, if no
// field has exactly that name. By default it may. It affects unmarshaling.
func MatchCaseInsensitiveNames(on bool) Options { return weft.FoldNames(on) }

// They are the same as those of package setting.
var (
	_ [0]byte = [setting.JSONExactNames - setting.JSON*uint64(flagExactNames)]byte{}
	_ [0]byte = [setting.JSONExtras - setting.JSON*uint64(flagExtras)]byte{}
	_ [0]byte = [setting.JSONStringNumbers - setting.JSON*uint64(flagStringNumbers)]byte{}
)

// RejectUnknownMembers specifies whether a member for which the struct has no field is an error. By default it is
// skipped, or stored in the field that is tagged for unknown members. It affects unmarshaling.
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

// OmitZeroStructFields specifies whether every struct field that is zero is omitted, as if its tag had the option
// omitzero. It affects marshaling.
func OmitZeroStructFields(on bool) Options { return flagOmitZeroFields.options(on) }

// StringifyNumbers specifies whether numbers are written and read as JSON strings. It affects both marshaling and
// unmarshaling.
func StringifyNumbers(on bool) Options { return flagStringNumbers.options(on) }

// ExtendedTags specifies whether [V2] obeys options in the tag json that encoding/json/v2 of go1.27 does not have:
// format, which it rejects, and inline and unknown, older names of embed, which it ignores. By default V2 does the
// same. Without V2 these options belong in the tag weft, where they are always obeyed. It affects both marshaling and
// unmarshaling.
func ExtendedTags(on bool) Options { return flagExtendedTags.options(on) }

// MaxSize limits the number of bytes of a text, or of each value in a stream. By default there is no limit. It
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

// FormatTime specifies how times are written if they have no tag option format: RFC3339, RFC3339Nano, DateTime,
// DateOnly, TimeOnly or another name of a layout in package time; unix, unixmilli, unixmicro or unixnano for a number
// since 1970; or a layout of package time. It affects both marshaling and unmarshaling.
func FormatTime(format string) Options { return extra(timeKey{}, format) }

// FormatBytes specifies how slices of bytes, and with [V2] arrays of bytes, are written if they have no tag option
// format: base64, base64url, base32, base32hex, base16, hex, or array for an array of numbers. It affects both
// marshaling and unmarshaling.
func FormatBytes(format string) Options { return extra(bytesKey{}, format) }

// FormatDuration specifies how values of time.Duration are written if they have no tag option format: nano, micro,
// milli or sec for a number, units for a string such as "1h30m", iso8601 for a string such as "PT1H30M". It affects
// both marshaling and unmarshaling.
func FormatDuration(format string) Options { return extra(durationKey{}, format) }

// LazyValues specifies whether Values of package value keep arrays and objects as text until they are accessed. The
// whole text is checked when it is read, and copied once. Arrays and objects of some hundred bytes or more are
// decoded when they are accessed, one level at a time. Those that are never accessed are written back as JSON byte
// for byte, including whitespace. It affects unmarshaling.
func LazyValues(on bool) Options { return flagLazyValues.options(on) }
