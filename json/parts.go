package json

import (
	"strings"
	"time"

	"github.com/weftcodec/weft"
)

// Agree returns an error unless the members that several parts of one object have
// are the same in all of them: the parts are objects that the functions append. It
// is for generated types that are several things at once.
func Agree(parts ...func([]byte, Flags) ([]byte, error)) error {
	all := make(map[string]string)
	for _, app := range parts {
		b, err := app(TakeBuffer(), 0)
		if err == nil {
			err = Read(b, agreeing{all})
		}
		_, _ = GiveBuffer(b, errNotRead)
		if err != nil {
			path, err := weft.Locate(err, "json")
			if at, ok := err.(*weft.Error); ok {
				return weft.Violation{Path: at.Path, Offset: -1, Err: at.Err}
			}
			return weft.Violation{Path: path, Offset: -1, Err: err}
		}
	}
	return nil
}

// agreeing reads a part, whose members must be as those of earlier parts.
type agreeing struct{ all map[string]string }

func (a agreeing) ReadJSON(r *Reader) error {
	for ok := r.BeginMap(); ok; {
		var name string
		if name, ok = r.NextKey(); !ok {
			break
		}
		name = strings.Clone(name)
		text := string(r.Raw())
		if other, met := a.all[name]; met && other != text && !sameTime(other, text) {
			r.Fail(weft.ErrPartsDiffer)
		}
		a.all[name] = text
	}
	return r.Err()
}

// sameTime reports whether two strings are the same time, which a part that knows
// it for one writes in its own way.
func sameTime(a, b string) bool {
	if len(a) < 2 || len(b) < 2 || a[0] != '"' || b[0] != '"' {
		return false
	}
	x, err := time.Parse(time.RFC3339Nano, a[1:len(a)-1])
	y, err2 := time.Parse(time.RFC3339Nano, b[1:len(b)-1])
	return err == nil && err2 == nil && x.Equal(y)
}
