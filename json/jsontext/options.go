package jsontext

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
)

// Options is a set of settings; see [weft.Options]. Settings that do not apply are ignored, so one set can be used
// for this package and for package json.
type Options = weft.Options

// The flags of this package. The root's flag for duplicate names and the lowest of the format's
// flags, that for HTML, are shared with the package above; the others are the highest that the
// format has.
const (
	flagRejectDuplicates uint64 = setting.RejectDuplicates
	flagEscapeHTML       uint64 = setting.JSON
	flagInvalidUTF8      uint64 = setting.JSON << 23
	flagEscapeJS         uint64 = setting.JSON << 22
	flagPreserveStrings  uint64 = setting.JSON << 21
	flagCanonicalInts    uint64 = setting.JSON << 20
	flagCanonicalFloats  uint64 = setting.JSON << 19
	flagReorder          uint64 = setting.JSON << 18
	flagSpaceColon       uint64 = setting.JSON << 17
	flagSpaceComma       uint64 = setting.JSON << 16
	flagMultiline        uint64 = setting.JSON << 15
	flagSequence         uint64 = setting.JSON << 14

	flagsEscape = flagEscapeHTML | flagEscapeJS
	flagsSpace  = flagSpaceColon | flagSpaceComma | flagMultiline
)

// AllowDuplicateNames specifies whether an object may have several members with the same name (RFC 7493 §2.3 forbids
// it, RFC 8259 does not). By default it may not. It affects both encoding and decoding.
func AllowDuplicateNames(on bool) Options { return Options{}.Decide(flagRejectDuplicates, !on) }

// AllowInvalidUTF8 specifies whether strings may contain bytes that are not UTF-8 and unpaired surrogates, each of
// which is read as U+FFFD. By default they may not (RFC 8259 §8.1). It affects both encoding and decoding.
func AllowInvalidUTF8(on bool) Options { return Options{}.Decide(flagInvalidUTF8, on) }

// EscapeForHTML specifies whether <, > and & within strings are written as \u003c, \u003e and \u0026, so that the
// text can be embedded in HTML. It affects encoding.
func EscapeForHTML(on bool) Options { return Options{}.Decide(flagEscapeHTML, on) }

// EscapeForJS specifies whether U+2028 and U+2029 within strings are written as \u2028 and \u2029, so that the text
// can be embedded in JavaScript (RFC 8259 §12). It affects encoding.
func EscapeForJS(on bool) Options { return Options{}.Decide(flagEscapeJS, on) }

// PreserveRawStrings specifies whether the strings of a [Value] or of a [Token] that was read keep their escapes, and
// with [AllowInvalidUTF8] their bytes, except for characters that [EscapeForHTML] and [EscapeForJS] escape. By
// default they are written in their shortest form. It affects encoding.
func PreserveRawStrings(on bool) Options { return Options{}.Decide(flagPreserveStrings, on) }

// CanonicalizeRawInts specifies whether the integers of a [Value] or of a [Token] that was read, numbers without a
// fraction or an exponent, are written as RFC 8785 §3.2.2.3 requires: as the nearest float64. Integers beyond ±2⁵³
// lose precision. It affects encoding.
func CanonicalizeRawInts(on bool) Options { return Options{}.Decide(flagCanonicalInts, on) }

// CanonicalizeRawFloats specifies whether the numbers with a fraction or an exponent of a [Value] or of a
// [Token] that was read are written as RFC 8785 §3.2.2.3 requires: as the nearest float64, in its shortest form.
// Numbers beyond the largest float64 become the largest float64. It affects encoding.
func CanonicalizeRawFloats(on bool) Options { return Options{}.Decide(flagCanonicalFloats, on) }

// ReorderRawObjects specifies whether the members of the objects of a [Value] are written in the order of
// their names in UTF-16 (RFC 8785 §3.2.3). It affects encoding.
func ReorderRawObjects(on bool) Options { return Options{}.Decide(flagReorder, on) }

// SpaceAfterColon specifies whether a space follows each colon. It affects encoding.
func SpaceAfterColon(on bool) Options { return Options{}.Decide(flagSpaceColon, on) }

// SpaceAfterComma specifies whether a space follows each comma. It affects encoding.
func SpaceAfterComma(on bool) Options { return Options{}.Decide(flagSpaceComma, on) }

// Multiline specifies whether every member and every element begins on a new line, indented by its depth. Unless they
// are set, [SpaceAfterColon] is then on and the indent of [WithIndent] is a tab. It affects encoding.
func Multiline(on bool) Options { return Options{}.Decide(flagMultiline, on) }

type (
	indentKey struct{}
	prefixKey struct{}
	sizeKey   struct{}
)

// WithIndent is like [Multiline] and sets the text of one level of indentation. It panics unless the text consists of
// spaces and tabs. It affects encoding.
func WithIndent(indent string) Options {
	mustBeSpace(indent, "indent")
	return weft.Join(weft.With(indentKey{}, indent), Multiline(true))
}

// WithIndentPrefix is like [Multiline] and sets a text that begins every line but the first, before the indentation.
// It panics unless the text consists of spaces and tabs. It affects encoding.
func WithIndentPrefix(prefix string) Options {
	mustBeSpace(prefix, "indent prefix")
	return weft.Join(weft.With(prefixKey{}, prefix), Multiline(true))
}

func mustBeSpace(s, what string) {
	if bad := strings.Trim(s, " \t"); bad != "" {
		panic(string(appendQuotedRune([]byte("jsontext: invalid character "), []byte(bad))) + " in " + what)
	}
}

// GetOption returns what o has for the option that setter sets, and reports whether o sets it. Methods and functions
// that receive an [Encoder] or a [Decoder] thus learn the options of the call. Those of a field whose tag has the
// option string learn by that of StringifyNumbers too, unless they are within an array or object.
func GetOption[T any](o Options, setter func(T) Options) (v T, ok bool) {
	if toggle, is := any(setter).(func(bool) Options); is {
		on := toggle(true).Flags(0)
		if mask := on ^ toggle(false).Flags(0); mask != 0 {
			got := o.Flags(0) & mask
			tag, _ := o.Value(setting.TagKey{})
			field, _ := tag.(setting.Tag)
			val, _ := any(got == on&mask || mask == setting.JSONStringNumbers && field.Quoted).(T)
			return val, got == o.Flags(^uint64(0))&mask
		}
	}
	val, _ := o.ValueLike(setter(v))
	v, ok = val.(T)
	return v, ok
}

// MaxDepth limits how deep arrays and objects may nest; the default is [setting.DefaultMaxDepth]. It
// affects both encoding and decoding.
func MaxDepth(n int) Options { return weft.MaxDepth(n) }

// DefaultMaxSize is the default of [MaxSize], in bytes.
const DefaultMaxSize = 1 << 30

// MaxSize limits the number of bytes that a [Decoder] reads for one token or one whole value. No memory is allocated
// for bytes that have not been read. It affects decoding.
func MaxSize(n int) Options { return weft.With(sizeKey{}, n) }

// LimitOf returns the limit that [MaxSize] has set in o, and reports whether it is set.
func LimitOf(o Options) (n int, ok bool) {
	v, ok := o.Value(sizeKey{})
	if !ok {
		return 0, false
	}
	return v.(int), true
}

// TextSequence specifies whether the stream is a JSON text sequence (RFC 7464): an encoder writes a [RecordSeparator]
// before each top-level value; a decoder accepts them where a top-level value may begin, and rejects a top-level
// number or literal without whitespace after it, because it may have been cut off. See [Decoder.Resync] for
// continuing after a damaged text. It affects both encoding and decoding.
func TextSequence(on bool) Options { return Options{}.Decide(flagSequence, on) }

// settings are options as the coders use them.
type settings struct {
	flags uint64
	most  int // depth that is allowed
	limit int // see MaxSize
}

func (s *settings) set(o *Options) {
	s.flags, s.most, s.limit = o.Flags(flagRejectDuplicates), setting.DefaultMaxDepth, DefaultMaxSize
	if !o.Bare() {
		s.most = o.Depth()
		if v, ok := o.Value(sizeKey{}); ok {
			s.limit = max(v.(int), 1)
		}
	}
	if s.flags&flagMultiline != 0 {
		s.flags = o.Flags(flagRejectDuplicates | flagSpaceColon)
	}
}

// margin is what lines begin with.
type margin struct{ prefix, indent string }

func marginOf(o *Options) margin {
	m := margin{indent: "\t"}
	if v, ok := o.Value(indentKey{}); ok {
		m.indent = v.(string)
	}
	if v, ok := o.Value(prefixKey{}); ok {
		m.prefix = v.(string)
	}
	return m
}

// appendQuotedRune appends the character that b begins with in single quotes, as Go writes it.
func appendQuotedRune(to, b []byte) []byte {
	if len(b) == 0 {
		return append(to, "''"...)
	}
	if r, n := utf8.DecodeRune(b); n > 1 || r < utf8.RuneSelf {
		return strconv.AppendQuoteRune(to, r)
	}
	return append(strconv.AppendInt(append(to, `'\x`...), int64(b[0]), 16), '\'')
}
