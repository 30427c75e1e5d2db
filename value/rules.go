package value

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// obeys reports whether what has been stored at p obeys the rules, or what breaks them is noted.
func (u *unmarshaler) obeys(r *plan.Rules, p mem.Ptr) bool {
	if p.IsNil() || u.flags&setting.Unchecked != 0 || r.Hold(p) {
		return true
	}
	for _, v := range r.Broken(p, u.flags&setting.AllViolations != 0) {
		if !u.violate(v.Path, v.Err) {
			return false
		}
	}
	return true
}

// ruled stores v, of a type that has rules of its own.
func (u *unmarshaler) ruled(t *target, v *Value, p mem.Ptr) bool {
	if t.plan.Rules.Schema != nil && u.flags&setting.Unchecked == 0 && !u.conforms(t.plan.Rules, v) {
		return false
	}
	return u.value(t.unruled, v, p) && u.obeys(t.plan.Rules, p)
}

// violate notes what is wrong with the part of the value being stored that the JSON pointer below leads to. It reports
// whether the walk goes on, which it does where all violations are wanted.
func (u *unmarshaler) violate(below string, err error) bool {
	if u.flags&setting.AllViolations == 0 {
		u.fail(err)
		u.err.Path = below
		return false
	}
	var path []byte
	for _, s := range u.path[:min(u.depth, len(u.path))] {
		if s.index != noStep {
			path = s.append(path)
		}
	}
	v := weft.Violation{Path: string(path) + below, Offset: -1, Err: err}
	if n := len(u.violations); n == 0 || u.violations[n-1].Error() != v.Error() {
		u.violations = append(u.violations, v) // once of a rule of the type and of the field that holds it
	}
	return true
}

// at notes the way to the value that is stored next.
func (u *unmarshaler) at(s step) {
	if u.flags&setting.AllViolations == 0 {
		return
	}
	u.path = u.path[:min(u.depth-1, len(u.path))]
	for len(u.path) < u.depth-1 {
		u.path = append(u.path, step{index: noStep})
	}
	u.path = append(u.path, s)
}

// noStep is the index of a step that goes through a pointer.
const noStep = -2

// conforms reports whether the schema of the rules allows v.
func (u *unmarshaler) conforms(rules *plan.Rules, v *Value) bool {
	r := reader{
		types: u.types, flags: u.flags & hookFlags, cur: *v, pending: true, from: u.depth,
		ahead: &backend.Lookahead{Free: true},
	}
	r.dec.Over(&r)
	err := rules.Conform(&r)
	if err == nil {
		err = r.err
	}
	if err == nil {
		return true
	}
	path, err := backend.Locate(err, "value")
	u.fail(err)
	u.err.Path = path
	return false
}
