package json

import (
	"errors"
	"strings"

	"github.com/weftcodec/weft"
)

// Locate returns err, an error of decoding data, as a [weft.Error] with the offset and the path of the error, if err
// has an offset: a [SyntaxError] or an [UnmarshalTypeError]. It returns any other error unchanged. [Unmarshal]
// returns errors of encoding/json's own types, in which errors.As finds no *weft.Error; [UnmarshalWith] locates every
// error, including those of methods.
func Locate(data []byte, err error) error {
	if _, ok := errors.AsType[*weft.Error](err); ok {
		return err
	}
	var off int64
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		off = syntaxOffset(syntax)
	} else if typed, ok := errors.AsType[*UnmarshalTypeError](err); ok {
		off = max(typed.Offset-1, 0)
		if off < int64(len(data)) && strings.IndexByte(" \t\r\n,]}", data[off]) >= 0 {
			off = max(off-1, 0) // the offset of a number for an interface is one more
		}
	} else {
		return err
	}
	return &weft.Error{Format: "json", Offset: off, Path: pathWithin(data, off), Err: unprefixed(err)}
}

// placed returns err, which the walk has noted, with its place.
func (d *decoder) placed(err error) error {
	err = d.place.addTo(err)
	if d.at < 0 {
		return err
	}
	if e, ok := err.(*weft.Error); ok && e.Format == "json" && e.Offset >= 0 &&
		(d.b.At(d.at) != '"' || e.Offset == 0 && e.Path == "") {
		return moved(e, int64(d.at), pathAt(d.data, d.at)) // of a method, which has read the value as a text of its own
	}
	return d.located(unprefixed(err), d.at)
}

// syntaxOffset returns the offset of the byte at fault.
func syntaxOffset(err *SyntaxError) int64 {
	if err.Error() == unexpectedEnd {
		return err.Offset
	}
	return max(err.Offset-1, 0)
}

// unprefixed returns err for an error around it that says the format.
func unprefixed(err error) error {
	if _, ok := err.(*UnmarshalTypeError); ok || strings.HasPrefix(err.Error(), "json: ") {
		return bare{err}
	}
	return err
}

// tooDeep is an error of encoding/json about the nesting.
type tooDeep struct{ error }

func (e tooDeep) Unwrap() error { return e.error }

// Is makes it [weft.ErrDepth] as well.
func (tooDeep) Is(target error) bool { return target == weft.ErrDepth }

// bare is an error of encoding/json without the prefix that the error around
// it has.
type bare struct{ err error }

func (b bare) Error() string { return strings.TrimPrefix(b.err.Error(), "json: ") }
func (b bare) Unwrap() error { return b.err }
