package json

import (
	"reflect"
	"sync"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/json/jsontext"
)

// The hooks of the types of this format, the preferred ones first.
const (
	hookWeft = iota
	hookTo
	hookStd
	hookJSON
	hookAppend
	hookText
)

// pointersIn returns how pointers to t, which have the methods of interface type in, are stored in one: to assert that
// for each value would look the methods up.
func pointersIn(in reflect.Type, t *mem.Type) *mem.Box {
	b := mem.BoxOf(in, reflect.PointerTo(t.Rtype))
	return &b
}

// hooks are the methods by which types marshal themselves.
func hooks(v2 bool) []plan.Hook {
	h := []plan.Hook{
		hookWeft: plan.WeftHook(),
		hookTo: {
			Name: "jsontext", Marshal: reflect.TypeFor[MarshalerTo](), Unmarshal: reflect.TypeFor[UnmarshalerFrom](),
		},
		hookStd:    stdHook(),
		hookJSON:   plan.JSONHook(),
		hookAppend: {Name: "append text"},
		hookText:   plan.TextHook(),
	}
	if v2 {
		h[hookAppend].Marshal = appenderType
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
