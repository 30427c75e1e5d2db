package json

import (
	"encoding"
	"reflect"
	"sync"

	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/json/jsontext"
)

// directMarshaler is implemented by types that append themselves: AppendJSON appends one well-formed value. It
// comes before every other hook.
type directMarshaler interface {
	AppendJSON(b []byte, f Flags) ([]byte, error)
}

// directUnmarshaler is implemented by types that read themselves: ReadJSON reads one value. It comes before
// every other hook.
type directUnmarshaler interface {
	ReadJSON(r *Reader) error
}

// The hooks of the types of this format, the preferred ones first.
const (
	hookDirect = iota
	hookWeft
	hookTo
	hookStd
	hookJSON
	hookAppend
	hookText
)

// encodeHooks are the codes of the hooks.
var encodeHooks = [...]putCode{
	hookDirect: putDirect, hookWeft: putWeft, hookTo: putTo, hookStd: putStd,
	hookJSON: putJSON, hookAppend: putAppend, hookText: putText,
}

// hooks are the methods by which types marshal themselves.
func hooks(v2 bool) []plan.Hook {
	h := []plan.Hook{
		hookDirect: {Name: "direct", Marshal: reflect.TypeFor[directMarshaler](), Unmarshal: reflect.TypeFor[directUnmarshaler]()},
		hookWeft:   plan.WeftHook(),
		hookTo:     {Name: "jsontext", Marshal: reflect.TypeFor[MarshalerTo](), Unmarshal: reflect.TypeFor[UnmarshalerFrom]()},
		hookStd:    stdHook(),
		hookJSON:   plan.JSONHook(),
		hookAppend: {Name: "append text"},
		hookText:   plan.TextHook(),
	}
	if v2 {
		h[hookAppend].Marshal = reflect.TypeFor[encoding.TextAppender]()
	}
	return h
}

// plans are the plans of the types of this format.
var plans = plan.NewSet(plan.Config{Keys: []string{"json", "weft"}, Hooks: hooks(false)})

// plansV2 returns the plans of the types as encoding/json/v2 sees them, which a Go program that does not ask
// for them is linked without.
func plansV2(extended bool) *plan.Set {
	s := &setsV2[pick(extended, 1, 0)]
	s.once.Do(func() {
		s.plans = plan.NewSet(plan.Config{
			Keys:  []string{"json"},
			Hooks: hooks(true),
			Raws:  []plan.RawType{{Rtype: reflect.TypeFor[jsontext.Value](), Format: "json"}},
			V2:    plan.V2Rules(extended),
		})
	})
	return s.plans
}

// setsV2 are those without and with [ExtendedTags].
var setsV2 [2]struct {
	once  sync.Once
	plans *plan.Set
}
