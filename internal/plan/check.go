package plan

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
	c.visit(t, nil, "")
	return c.found
}

type checker struct {
	set       *Set
	direction Direction
	seen      map[*Type]bool
	found     []Problem
}

// visit checks t, which is the type of the field of owner or within it.
func (c *checker) visit(t, owner *Type, field string) {
	if c.seen[t] {
		return
	}
	if t.Kind != Unsupported { // each field of such a type is told
		c.seen[t] = true
	}
	if t.Union != nil {
		for i := range t.Union.Cases {
			c.visit(c.set.Of(t.Union.Cases[i].Elem), owner, field)
		}
		return
	}
	if t.Parts != nil {
		for i := range t.Parts.list {
			c.visit(c.set.Of(t.Parts.list[i].elem), owner, field)
		}
	}
	hooks := t.Hooks.MarshalAddr | t.Hooks.Marshal
	if c.direction == Unmarshal {
		hooks = t.Hooks.UnmarshalAddr | t.Hooks.Unmarshal
	}
	if hooks&c.set.deciding != 0 {
		return
	}
	for _, p := range t.Problems() {
		if c.direction == Marshal && !p.Marshal || c.direction == Unmarshal && !p.Unmarshal {
			continue
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
		c.visit(f.Type, t, f.Path())
	}
	if t.Rest() != nil {
		c.visit(t.Rest().Type, t, t.Rest().Path())
	}
	if t.Option != nil {
		c.visit(t.Option.Value, owner, field)
	}
	if t.Key != nil && (t.KeyMarshal == KeyOther || t.KeyUnmarshal == KeyOther) {
		c.visit(t.Key, owner, field)
	}
	if t.Elem != nil && t.Kind != Bytes && t.Kind != ByteArray && t.Kind != Raw {
		c.visit(t.Elem, owner, field)
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
