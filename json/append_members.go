package json

import (
	"errors"

	"github.com/weftcodec/weft"
)

// AppendMembers appends the members of m, each with a comma before it, to an
// object that has been begun: what app appends for each, in the order of the
// names unless f lacks [SortMapKeys]. On an error it returns b as it was.
func AppendMembers[T any](b []byte, m map[string]T, f Flags, app func(*T, []byte, Flags) ([]byte, error)) ([]byte, error) {
	if len(m) == 0 {
		return b, nil
	}
	start := len(b)
	b, err := AppendMap(b, m, f, app)
	if err != nil {
		return b, err
	}
	// An object of its own without its braces.
	b[start] = ','
	return b[:len(b)-1], nil
}

// Conform returns an error unless what app appends for x is valid by s, as
// generated types ask when they validate what a Go type does not hold.
func Conform[T any](s *weft.Schema, x *T, app func(*T, []byte, Flags) ([]byte, error)) error {
	b, err := app(x, TakeBuffer(), 0)
	if err == nil {
		err = Read(b, conforming{s})
	}
	if at, ok := errors.AsType[*weft.Error](err); ok {
		err = at.Err
	}
	_, _ = GiveBuffer(b, errNotRead) // with an error nothing is copied
	return err
}

// conforming reads a value that a schema must allow.
type conforming struct{ s *weft.Schema }

func (c conforming) ReadJSON(r *Reader) error {
	r.Conform(c.s)
	r.Skip()
	return r.Err()
}
