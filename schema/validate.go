// Package schema checks Go values against the rules of their types: those in the check tags of fields and those that
// the method WeftRules of a type returns.
//
// The names that matter:
//
//   - [Validate]: reports every violation in a Go value; formats check the same rules while they read
//   - [New]: compiles JSON Schemas, for constraints that rules cannot express
package schema

import (
	"errors"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/value"
)

// plans are the types that have been validated. Their members are named as in
// JSON.
var plans = plan.NewSet(plan.Config{Keys: []string{"json", "weft"}, AnyKeys: true, Complex: true})

// Validate returns a [weft.ValidationError] with every violation of a rule in v or in anything that it contains, or
// nil if there is none. v may be a pointer. Paths are JSON pointers (RFC 6901) with the names that members have in
// JSON.
//
// A member that would be omitted when v is written is not checked, except for required. An invalid rule is an error
// that names the field.
func Validate(v any) error {
	if v == nil {
		return nil
	}
	at := reflect.ValueOf(v)
	if at.Kind() != reflect.Pointer {
		p := reflect.New(at.Type())
		p.Elem().Set(at)
		at = p
	}
	if at.IsNil() {
		return nil
	}
	t := plans.Of(at.Type().Elem())
	for _, p := range plans.Check(t, plan.Marshal) {
		if p.Code == plan.BadRule {
			return &weft.Error{Offset: -1, Err: &p}
		}
	}
	found := new(weft.ValidationError)
	plans.Validate(t, mem.Of(at), conform, func(path string, err error) bool {
		if n := len(found.Violations); n > 0 {
			last := &found.Violations[n-1]
			if last.Path == path && last.Err.Error() == err.Error() {
				return true // a rule of a type and of the field that holds it
			}
		}
		found.Violations = append(found.Violations, weft.Violation{Path: path, Offset: -1, Err: err})
		return !errors.Is(err, weft.ErrDepth)
	})
	if found.Violations == nil {
		return nil
	}
	return found
}

// conform returns what is wrong by s with the value that ptr points to, as it is written.
func conform(s backend.Schema, ptr any) error {
	v, err := value.Marshal(reflect.ValueOf(ptr).Elem().Interface())
	if err != nil {
		return at(err)
	}
	return at(value.Unmarshal(v, &conforming{s}))
}

// at returns err, one of package value, as a violation.
func at(err error) error {
	path, err := backend.Locate(err, "value")
	if v, ok := err.(weft.Violation); ok { // of a schema, about a part of the value
		path, err = path+v.Path, v.Err
	}
	if err == nil {
		return nil
	}
	return weft.Violation{Path: path, Offset: -1, Err: err}
}

// conforming is a value that a schema must allow.
type conforming struct{ s backend.Schema }

// UnmarshalWeft implements [weft.Unmarshaler].
func (c *conforming) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	if err := c.s.Check(r); err != nil {
		return err
	}
	r.Skip()
	return r.Err()
}
