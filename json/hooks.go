package json

import (
	"reflect"

	"github.com/weftcodec/weft/internal/plan"
)

// directMarshaler is implemented by generated code: AppendJSON appends one well-formed value. It
// comes before every other hook.
type directMarshaler interface {
	AppendJSON(b []byte, f Flags) ([]byte, error)
}

// directUnmarshaler is implemented by generated code: ReadJSON reads one value. It comes before
// every other hook.
type directUnmarshaler interface {
	ReadJSON(r *Reader) error
}

// The hooks of the types of this format, the preferred ones first.
const (
	hookDirect = iota
	hookWeft
	hookJSON
	hookText
)

// plans are the plans of the types of this format.
var plans = plan.NewSet(plan.Config{
	Keys: []string{"json", "weft"},
	Hooks: []plan.Hook{
		hookDirect: {Name: "direct", Marshal: reflect.TypeFor[directMarshaler](), Unmarshal: reflect.TypeFor[directUnmarshaler]()},
		hookWeft:   plan.WeftHook(),
		hookJSON:   plan.JSONHook(),
		hookText:   plan.TextHook(),
	},
})
