package json

import "github.com/weftcodec/weft/internal/plan"

// legacy is a set of what encoding/json does and encoding/json/v2 does not, each part of which has an option.
type legacy uint16

const (
	legacyMethods legacy = 1 << iota
	legacyByteArrays
	legacyBytes
	legacyDurations
	legacyDelimiters
	legacyMerge
	legacyOmitEmpty
	legacyParseBytes
	legacyParseTimes
	legacyErrors
	legacyStrings
	legacyLengths

	legacyEnd
)

// legacyKey is the key of the setting for one of them.
type legacyKey legacy

func (l legacy) options(on bool) Options { return extra(legacyKey(l), on) }

// legacyOf returns those that opts have on.
func legacyOf(opts []Options) (all legacy) {
	for l := legacy(1); l < legacyEnd; l <<= 1 {
		if on, _ := lastOf(opts, legacyKey(l)).(bool); on {
			all |= l
		}
	}
	return all
}

// v2 specifies whether the mode has the rules of encoding/json/v2, and but has none of what is asked for.
func (m *mode) v2(but legacy) bool { return m != nil && m.flags&flagV2 != 0 && m.legacy&but == 0 }

// has specifies whether the mode has the rules of encoding/json/v2, but for l.
func (m *mode) has(l legacy) bool { return m != nil && m.legacy&l != 0 }

// quoted specifies whether the tag option string of f is obeyed by the program of the value, or else around it, as
// encoding/json does.
func (m *mode) quoted(f *plan.Field) (within, around bool) {
	switch {
	case !f.Quoted:
		return false, false
	case !m.v2(0):
		return false, true
	case m.v2(legacyStrings):
		return m.v2(legacyErrors) || takesString(f.Type, true), false
	}
	around = takesString(f.Type, false)
	return !around && m.v2(legacyErrors), around
}

// takesString specifies whether the tag option string is for values of type t, by the rules of encoding/json/v2 or by those of
// encoding/json.
func takesString(t *plan.Type, v2 bool) bool {
	switch {
	case t.Kind == plan.Pointer:
		return (v2 || t.Elem.Kind != plan.Pointer) && takesString(t.Elem, v2)
	case t.Kind == plan.Option:
		return takesString(t.Option.Value, v2)
	case t.Kind == plan.Bool || t.Kind == plan.String:
		return !v2
	case t.Kind == plan.Time:
		return v2
	}
	return keyIsNumber(t) || t.Kind == plan.Duration
}

// durationName returns the name of the format of durations for which a tag has the given one, "" for none.
func (m *mode) durationName(format string) string {
	switch {
	case format != "":
		return format
	case m.duration == "" && m.has(legacyDurations):
		return "nano"
	}
	return m.duration
}

// listsBytes specifies whether values of type t, bytes, are arrays of numbers by an option of encoding/json's.
func (m *mode) listsBytes(t *plan.Type) bool {
	return t.Kind == plan.ByteArray && m.has(legacyByteArrays)
}

// CallMethodsWithLegacySemantics specifies whether, under [V2], methods on pointers are called only on values that have an
// address, as encoding/json does. It affects both marshaling and unmarshaling.
func CallMethodsWithLegacySemantics(on bool) Options { return legacyMethods.options(on) }

// FormatByteArrayAsArray specifies whether, under [V2], an array of bytes is an array of numbers, as in encoding/json, and not
// a string in base64. It affects both marshaling and unmarshaling.
func FormatByteArrayAsArray(on bool) Options { return legacyByteArrays.options(on) }

// FormatBytesWithLegacySemantics specifies whether, under [V2], slices of byte types with a name of their own are strings in
// base64 too, and slices of bytes are read from arrays of numbers too, as encoding/json does. It affects both marshaling and
// unmarshaling.
func FormatBytesWithLegacySemantics(on bool) Options { return legacyBytes.options(on) }

// FormatDurationAsNano specifies whether, under [V2], a time.Duration without a format is a number of nanoseconds, as in
// encoding/json, and not an error. It affects both marshaling and unmarshaling.
func FormatDurationAsNano(on bool) Options { return legacyDurations.options(on) }

// MatchCaseSensitiveDelimiter specifies whether, under [V2], dashes and underscores count where names may differ by case, as
// they do in encoding/json. It affects both marshaling and unmarshaling.
func MatchCaseSensitiveDelimiter(on bool) Options { return legacyDelimiters.options(on) }

// MergeWithLegacySemantics specifies whether, under [V2], null leaves values alone that cannot be nil, elements of arrays and
// slices are decoded into what was there, and elements of maps and values in interfaces are not, as encoding/json does. It
// affects unmarshaling.
func MergeWithLegacySemantics(on bool) Options { return legacyMerge.options(on) }

// OmitEmptyWithLegacySemantics specifies whether, under [V2], the tag option omitempty leaves out false, 0, nil, and what has
// the length 0, as in encoding/json, and not what is written as null, "", [] or {}. It affects marshaling.
func OmitEmptyWithLegacySemantics(on bool) Options { return legacyOmitEmpty.options(on) }

// ParseBytesWithLooseRFC4648 specifies whether, under [V2], line breaks within encoded bytes are skipped, as encoding/json
// does, and no error (RFC 4648 §3.3). It affects unmarshaling.
func ParseBytesWithLooseRFC4648(on bool) Options { return legacyParseBytes.options(on) }

// ParseTimeWithLooseRFC3339 specifies whether, under [V2], times are read that deviate from RFC 3339 as encoding/json has
// always let them. It affects unmarshaling.
func ParseTimeWithLooseRFC3339(on bool) Options { return legacyParseTimes.options(on) }

// ReportErrorsWithLegacySemantics specifies whether, under [V2], errors are those of encoding/json: a value that does not fit is
// noted and the rest is decoded, text that is not JSON leaves the target alone, and tags that are wrong, and names that may
// be those of two fields, are not errors. It affects both marshaling and unmarshaling.
func ReportErrorsWithLegacySemantics(on bool) Options { return legacyErrors.options(on) }

// StringifyWithLegacySemantics specifies whether, under [V2], the tag option string is for booleans and strings too, and for
// fields that hold these or numbers, or pointers to them, alone, as in encoding/json. It affects both marshaling and
// unmarshaling.
func StringifyWithLegacySemantics(on bool) Options { return legacyStrings.options(on) }

// UnmarshalArrayFromAnyLength specifies whether, under [V2], a JSON array may be shorter than the Go array, whose last elements
// become zero, or longer, as in encoding/json. It affects unmarshaling.
func UnmarshalArrayFromAnyLength(on bool) Options { return legacyLengths.options(on) }
