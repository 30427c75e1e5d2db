package plan

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
)

// KeyError returns the error for the name of a member that does not become a key of type t,
// a kind of integer: it is one beyond its range, or none at all.
func KeyError(name string, t reflect.Type) error {
	e := &weft.TypeError{Kind: weft.KindInt, Type: t.String(), Text: name}
	digits, negative := strings.CutPrefix(name, "-")
	if k := kindOf(t.Kind()); k.IsUint() && !negative {
		e.Kind = weft.KindUint
	}
	for i := range len(digits) {
		if digits[i]-'0' > 9 {
			digits = ""
			break
		}
	}
	if digits == "" {
		e.Kind, e.Text = weft.KindString, strconv.Quote(name)
	}
	if len(e.Text) > 40 {
		e.Text = ""
	}
	return e
}
