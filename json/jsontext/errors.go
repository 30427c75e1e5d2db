package jsontext

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weftcodec/weft"
)

// ErrDuplicateName is the cause of a [SyntacticError] for a name that its object already has, unless
// [AllowDuplicateNames] is set. The last token of the error's pointer is the name.
var ErrDuplicateName = errors.New("duplicate object member name")

// ErrNonStringName is the cause of a [SyntacticError] if the name of a member is not a string (RFC 8259 §4).
var ErrNonStringName = errors.New("object member name must be a string")

var (
	errNoValue      = errors.New("missing value after object name")
	errMismatch     = errors.New("mismatching structural token for object or array")
	errDepth        = errors.New("exceeded max depth")
	errToken        = errors.New("invalid jsontext.Token")
	errUTF8         = errors.New("invalid UTF-8")
	errSize         = errors.New("token or value exceeds the size limit")
	errCutOff       = errors.New("text may have been cut off (expecting whitespace after it)")
	errNilUnmarshal = errors.New("jsontext.Value: UnmarshalJSON on nil pointer")
)

// SyntacticError describes text, or a token to be written, that violates the grammar of JSON, and where.
type SyntacticError struct {
	_ [0]func() // not comparable

	// ByteOffset is the offset in the stream at or after which the error is.
	ByteOffset int64
	// JSONPointer is the path to the value with the error.
	JSONPointer Pointer
	// Err is what is wrong.
	Err error
}

// Error returns the text of the error.
func (e *SyntacticError) Error() string {
	b := append(make([]byte, 0, 96), "jsontext: "...)
	path, offset := e.JSONPointer, e.ByteOffset
	switch e.Err {
	case nil:
		b = append(b, "syntactic error"...)
	case ErrDuplicateName:
		// The place of a duplicate is its name and its object.
		b = append(append(b, e.Err.Error()...), ' ')
		b = strconv.AppendQuote(b, shorten(path.LastToken()))
		path, offset = path.Parent(), 0
	default:
		b = append(b, e.Err.Error()...)
	}
	if path != "" {
		b = strconv.AppendQuote(append(b, " within "...), shorten(string(path)))
	}
	if offset > 0 {
		b = strconv.AppendInt(append(b, " after offset "...), offset, 10)
	}
	return string(b)
}

// Unwrap returns what is wrong.
func (e *SyntacticError) Unwrap() error { return e.Err }

// As sets target to the error as every format has it, if it points to a *[weft.Error].
func (e *SyntacticError) As(target any) bool {
	to, ok := target.(**weft.Error)
	if ok {
		*to = &weft.Error{Format: "json", Offset: e.ByteOffset, Path: string(e.JSONPointer), Err: e.Err}
	}
	return ok
}

// shorten returns a pointer with its middle left out if it is long.
func shorten(s string) string {
	const most = 100
	if len(s) <= most {
		return s
	}
	head, tail := s[:most/2], s[len(s)-most/2:]
	if i := strings.LastIndexByte(head, '/'); i > 0 {
		head = head[:i+1]
	}
	if i := strings.IndexByte(tail, '/'); i >= 0 {
		tail = tail[i:]
	}
	for head != "" && !utf8.ValidString(head) {
		head = head[:len(head)-1]
	}
	for tail != "" && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + "…" + tail
}

// numberError says that a number does not fit what it was asked as.
type numberError struct {
	as, text string
	err      error // strconv.ErrSyntax or strconv.ErrRange
}

func (e *numberError) Error() string {
	return "jsontext.Token(" + shorten(e.text) + ")." + e.as + " error: " + e.err.Error()
}
func (e *numberError) Unwrap() error { return e.err }

// Where a character is not what it should be.
const (
	atValue      = "at start of value"
	atString     = "at start of string (expecting '\"')"
	afterName    = "after object name (expecting ':')"
	afterMember  = "after object value (expecting ',' or '}')"
	afterElement = "after array element (expecting ',' or ']')"
	afterWritten = "after array value (expecting ',' or ']')" // the same of a value that is written
	afterTop     = "after top-level value"
	afterString  = "after string value"
	inString     = "in string (expecting non-control character)"
	inNumber     = "in number (expecting digit)"
)

// invalidCharacter says that the character that b begins with is wrong there.
func invalidCharacter(b []byte, where string) error {
	text := appendQuotedRune(append(make([]byte, 0, 96), "invalid character "...), b)
	return errors.New(string(append(append(text, ' '), where...)))
}

// invalidEscape says that the escape b, or the two of a surrogate pair, is wrong.
func invalidEscape(b []byte) error {
	what := "escape sequence "
	if len(b) > 6 {
		what = "surrogate pair "
	}
	s := string(b)
	odd := func(r rune) bool { return r == '`' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if strings.ContainsFunc(s, odd) {
		s = strconv.Quote(s)
	} else {
		s = "`" + s + "`"
	}
	return errors.New("invalid " + what + s + " in string")
}

// notEOF returns err, or io.ErrUnexpectedEOF for io.EOF.
func notEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
