package plan

import (
	"reflect"

	"github.com/weftcodec/weft"
)

// Registry is [Programs] and those of the types that they lead to. It has a Set from the beginning.
type Registry[P any] struct {
	Programs[P]
	Set    *Set
	ByPlan map[*Type]*P // with those below others
	late   map[*Type]far[P]
	ahead  int // how many of late are made before their values come
}

// far is the program of a struct whose values come behind pointers, in slices or in maps.
type far[P any] struct {
	p     *P
	later *Later[P]
}

// mostAhead is how many structs that a type leads to are known with it: what leads to them is faster then.
const mostAhead = 8

// RegistryOf returns the registry that opts ask for: usual, or the value of an option, and of the dialect of opts,
// which keeps it, what in makes of that.
func RegistryOf[R any](opts []weft.Options, key any, usual *R, in func(g *R, d *weft.Dialect) *R) *R {
	g := usual
	if v, ok := ValueOf(opts, key).(*R); ok {
		g = v
	}
	if d := DialectOf(opts); d != nil {
		return d.Cache(g, func() any { return in(g, d) }).(*R)
	}
	return g
}

// Compile returns the program of a type, which compile makes unless there is one.
func (g *Registry[P]) Compile(rt reflect.Type, compile func(t *Type) *P) *P {
	t := g.Set.Of(rt)
	return g.Make(rt, func() *P {
		if g.ByPlan == nil {
			g.ByPlan, g.late = make(map[*Type]*P), make(map[*Type]far[P])
		}
		g.ahead = mostAhead
		return compile(t)
	})
}

// Enter makes p the program of t, unless there is one.
func (g *Registry[P]) Enter(t *Type, p *P) {
	if g.ByPlan[t] == nil {
		g.ByPlan[t] = p
	}
}

// Far returns the program of t, a struct whose values come behind pointers, in slices or in maps, as compile makes it,
// or what late makes: one that leads to it when the first value has come.
func (g *Registry[P]) Far(t *Type, compile func() (p *P, faults [2]error), late func(l *Later[P]) *P) *P {
	f, ok := g.late[t]
	if !ok {
		f.later = g.Later(compile)
		f.p = late(f.later)
		g.late[t] = f
	}
	known := len(g.ByPlan)
	if p := f.later.Made(g.ByPlan[t] != nil || g.ahead > 0); p != nil {
		if len(g.ByPlan) > known {
			g.ahead--
		}
		return p
	}
	return f.p
}

// Faults returns why values of t cannot be marshaled or unmarshaled, as a format says it.
func (g *Registry[P]) Faults(t *Type, say func(found []Problem) error) [2]error {
	return [2]error{
		Marshal:   say(g.Set.CheckNear(t, Marshal)),
		Unmarshal: say(g.Set.CheckNear(t, Unmarshal)),
	}
}
