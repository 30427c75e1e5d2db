package json

import (
	"errors"
	"strings"

	"github.com/weftcodec/weft"
)

// PathAt returns the JSON pointer (RFC 6901) of the value of data that stands
// at offset, or of the innermost one around it. It finds the place of errors
// that tell an offset only, such as a [SyntaxError], whose Offset is behind
// the byte at fault: PathAt(data, e.Offset-1).
func PathAt(data []byte, offset int64) string {
	return pathAt(data, int(min(max(offset, 0), int64(len(data)))))
}

// located returns err, which came of decoding data, with its offset and path.
func located(data []byte, err error) error {
	if err == nil {
		return nil
	}
	return locate(data, err)
}

func locate(data []byte, err error) error {
	if _, ok := errors.AsType[*weft.Error](err); ok {
		return err
	}
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		off := syntaxOffset(syntax)
		return &weft.Error{Format: "json", Offset: off, Path: PathAt(data, off), Err: err}
	}
	if typed, ok := errors.AsType[*UnmarshalTypeError](err); ok {
		off := max(typed.Offset-1, 0)
		return &weft.Error{Format: "json", Offset: off, Path: PathAt(data, off), Err: bare{err}}
	}
	return err
}

// syntaxOffset returns the offset of the byte at fault.
func syntaxOffset(err *SyntaxError) int64 {
	if err.Error() == unexpectedEnd {
		return err.Offset
	}
	return max(err.Offset-1, 0)
}

// bare is an error of encoding/json without the prefix that the error around
// it has.
type bare struct{ err error }

func (b bare) Error() string { return strings.TrimPrefix(b.err.Error(), "json: ") }
func (b bare) Unwrap() error { return b.err }
