package plan

import (
	"fmt"
	"strings"
)

// Direction is marshaling or unmarshaling.
type Direction uint8

// The directions.
const (
	Marshal Direction = iota
	Unmarshal
)

// Check returns what is impossible in t and in the types that its values
// consist of, in the order of the fields; nothing if t is sound. It does not look
// into types that have a hook for the direction, nor behind interfaces. A
// problem of a type without a name of its own is told as one of the field that
// has the type.
func (s *Set) Check(t *Type, d Direction) []Problem {
	c := checker{set: s, direction: d, seen: map[*Type]bool{}}
	c.visit(t, nil, "", false)
	return c.found
}

// CheckNear is [Set.Check] but for the structs behind pointers, in slices and in maps that the fields of others hold:
// for formats that check those when their values come.
func (s *Set) CheckNear(t *Type, d Direction) []Problem {
	c := checker{set: s, direction: d, seen: map[*Type]bool{}, near: true}
	c.visit(t, nil, "", false)
	return c.found
}

// Impossible returns the error for what has been found of a type, and for more that is impossible in it, nil for
// nothing.
func Impossible(found []Problem, more ...string) error {
	if len(found)+len(more) == 0 {
		return nil
	}
	texts := make([]string, len(found))
	for i := range found {
		texts[i] = found[i].Error()
	}
	return fmt.Errorf("impossible type: %s", strings.Join(append(texts, more...), "; "))
}

type checker struct {
	set       *Set
	direction Direction
	near      bool // but for structs that are far
	pointers  int  // on the way
	seen      map[*Type]bool
	found     []Problem
}

// visit checks t, which is the type of the field of owner or within it, far if not as a part of its value.
func (c *checker) visit(t, owner *Type, field string, far bool) {
	if c.seen[t] || far && c.near && t.Kind == Struct {
		return
	}
	if t.Kind != Unsupported { // each field of such a type is told
		c.seen[t] = true
	}
	if t.Union != nil {
		for i := range t.Union.Cases {
			c.visit(c.set.Of(t.Union.Cases[i].Elem), owner, field, true)
		}
		return
	}
	if t.Parts != nil {
		for i := range t.Parts.list {
			c.visit(c.set.Of(t.Parts.list[i].elem), owner, field, true)
		}
	}
	hooks := t.Hooks.MarshalAddr | t.Hooks.Marshal
	if c.direction == Unmarshal {
		hooks = t.Hooks.UnmarshalAddr | t.Hooks.Unmarshal
	}
	if hooks != 0 {
		return
	}
	for _, p := range t.Problems() {
		if c.direction == Marshal && !p.Marshal || c.direction == Unmarshal && !p.Unmarshal {
			continue
		}
		if p.Code == Hidden && c.pointers > 0 {
			continue // a type such as url.URL leads to what it seldom has
		}
		if p.Field == "" && owner != nil {
			p.Text = p.Rtype.String() + ": " + p.Text
			p.Rtype, p.Field = owner.Rtype, field
		}
		c.found = append(c.found, p)
	}
	members := t.Members()
	for i := range members {
		f := &members[i]
		c.visit(f.Type, t, f.Path(), false)
	}
	if t.Rest() != nil {
		c.visit(t.Rest().Type, t, t.Rest().Path(), false)
	}
	if t.Option != nil {
		c.visit(t.Option.Value, owner, field, far)
	}
	if t.Key != nil && (t.KeyMarshal == KeyOther || t.KeyUnmarshal == KeyOther) {
		c.visit(t.Key, owner, field, far)
	}
	if t.Elem != nil && t.Kind != Bytes && t.Kind != ByteArray && t.Kind != Raw {
		if t.Kind == Pointer {
			c.pointers++
			defer func() { c.pointers-- }()
		}
		c.visit(t.Elem, owner, field, far || owner != nil && t.Kind != Array)
	}
}

// Error says where the problem is and what it is, as in
// "main.T, field A.B: …".
func (p *Problem) Error() string {
	if p.Field == "" {
		return p.Rtype.String() + ": " + p.Text
	}
	return p.Rtype.String() + ", field " + p.Field + ": " + p.Text
}
