// Package legacy has options that restore single parts of encoding/json's behavior under the option V2 of package
// json. They are the options that encoding/json exports since go1.27, for programs that move to encoding/json/v2 step
// by step. Other programs do not need them.
//
//   - [ReportErrorsWithLegacySemantics], [MergeWithLegacySemantics], [CallMethodsWithLegacySemantics]:
//     the options that most programs need first
//
// [json.V2]: https://pkg.go.dev/github.com/weftcodec/weft/json#V2
package legacy

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
)

// option returns the set that turns l on or off, with the flag by which package json looks for
// it.
func option(l setting.Legacy, on bool) weft.Options {
	return weft.With(l, on).Decide(setting.JSONExtras, true)
}

// CallMethodsWithLegacySemantics specifies whether, under [json.V2], methods on pointers are called only on
// addressable values, as in encoding/json. It affects both marshaling and unmarshaling.
func CallMethodsWithLegacySemantics(on bool) weft.Options { return option(setting.LegacyMethods, on) }

// FormatByteArrayAsArray specifies whether, under [json.V2], an array of bytes is an array of numbers, as in
// encoding/json, instead of a string in base64. It affects both marshaling and unmarshaling.
func FormatByteArrayAsArray(on bool) weft.Options { return option(setting.LegacyByteArrays, on) }

// FormatBytesWithLegacySemantics specifies whether, under [json.V2], slices of named byte types are also strings in
// base64, and slices of bytes are also read from arrays of numbers, as in encoding/json. It affects both marshaling
// and unmarshaling.
func FormatBytesWithLegacySemantics(on bool) weft.Options { return option(setting.LegacyBytes, on) }

// FormatDurationAsNano specifies whether, under [json.V2], a time.Duration without a format is a number of
// nanoseconds, as in encoding/json, instead of an error. It affects both marshaling and unmarshaling.
func FormatDurationAsNano(on bool) weft.Options { return option(setting.LegacyDurations, on) }

// MatchCaseSensitiveDelimiter specifies whether, under [json.V2], dashes and underscores are significant if names may
// differ by case, as in encoding/json. It affects both marshaling and unmarshaling.
func MatchCaseSensitiveDelimiter(on bool) weft.Options { return option(setting.LegacyDelimiters, on) }

// MergeWithLegacySemantics specifies whether, under [json.V2], null leaves values that cannot be nil unchanged,
// elements of arrays and slices are merged into the existing ones, and elements of maps and values in interfaces are
// replaced, as in encoding/json. It affects unmarshaling.
func MergeWithLegacySemantics(on bool) weft.Options { return option(setting.LegacyMerge, on) }

// OmitEmptyWithLegacySemantics specifies whether, under [json.V2], the tag option omitempty omits false, 0, nil, and
// values of length 0, as in encoding/json, instead of what is written as null, "", [] or {}. It affects marshaling.
func OmitEmptyWithLegacySemantics(on bool) weft.Options { return option(setting.LegacyOmitEmpty, on) }

// ParseBytesWithLooseRFC4648 specifies whether, under [json.V2], line breaks within encoded bytes are skipped, as in
// encoding/json, instead of an error (RFC 4648 §3.3). It affects unmarshaling.
func ParseBytesWithLooseRFC4648(on bool) weft.Options { return option(setting.LegacyParseBytes, on) }

// ParseTimeWithLooseRFC3339 specifies whether, under [json.V2], times may deviate from RFC 3339 in the ways that
// encoding/json has always accepted. It affects unmarshaling.
func ParseTimeWithLooseRFC3339(on bool) weft.Options { return option(setting.LegacyParseTimes, on) }

// ReportErrorsWithLegacySemantics specifies whether, under [json.V2], errors are those of encoding/json: a value that
// does not fit is recorded and the rest is decoded, text that is not JSON leaves the target unchanged, and invalid
// tags and names that match two fields are not errors. It affects both marshaling and unmarshaling.
func ReportErrorsWithLegacySemantics(on bool) weft.Options { return option(setting.LegacyErrors, on) }

// StringifyWithLegacySemantics specifies whether, under [json.V2], the tag option string also applies to booleans and
// strings, and only to fields that hold these or numbers, or pointers to them, as in encoding/json. It affects both
// marshaling and unmarshaling.
func StringifyWithLegacySemantics(on bool) weft.Options { return option(setting.LegacyStrings, on) }

// UnmarshalArrayFromAnyLength specifies whether, under [json.V2], a JSON array may be shorter than the Go array,
// whose last elements become zero, or longer, as in encoding/json; extra elements are skipped. It affects
// unmarshaling.
func UnmarshalArrayFromAnyLength(on bool) weft.Options { return option(setting.LegacyLengths, on) }
