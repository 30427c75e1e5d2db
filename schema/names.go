package schema

import (
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/plan"
)

// choiceNames are the members that the variants of a choice require.
type choiceNames struct {
	fields   *weft.Fields
	required []uint64 // of each variant
	objects  []bool   // the variant may be an object
}

// newChoiceNames returns what the variants require, or nil when that does not
// tell any two apart.
func newChoiceNames(list []*schemaNode) *choiceNames {
	c := &choiceNames{required: make([]uint64, len(list)), objects: make([]bool, len(list))}
	var names []string
	for i, n := range list {
		c.objects[i] = n.allows(setObject, nil)
		for _, name := range n.requires(nil, nil) {
			k := slices.Index(names, name)
			if k < 0 {
				k = len(names)
				names = append(names, name)
			}
			if k < 64 {
				c.required[i] |= 1 << k
			}
		}
	}
	for _, set := range c.required {
		if set != c.required[0] {
			c.fields = weft.NewFields(names[:min(len(names), 64)]...)
			return c
		}
	}
	return nil
}

// requires appends the members that n requires whatever else holds.
func (n *schemaNode) requires(names []string, path []*schemaNode) []string {
	if n == nil || slices.Contains(path, n) {
		return names
	}
	path = append(path, n)
	names = append(names, n.required...)
	names = n.ref.requires(names, path)
	for _, p := range n.allOf {
		names = p.requires(names, path)
	}
	return names
}

// allows reports whether values of the type may be valid, as far as types say.
func (n *schemaNode) allows(set kindSet, path []*schemaNode) bool {
	if n == nil || slices.Contains(path, n) {
		return true
	}
	path = append(path, n)
	if n.never || n.types != 0 && n.types&set == 0 || !n.ref.allows(set, path) {
		return false
	}
	for _, p := range n.allOf {
		if !p.allows(set, path) {
			return false
		}
	}
	for _, l := range [][]*schemaNode{n.anyOf, n.oneOf} {
		if l != nil && !slices.ContainsFunc(l, func(p *schemaNode) bool { return p.allows(set, path) }) {
			return false
		}
	}
	return true
}

// byNames returns the one variant that an object may be by what variants
// require, or -1. Whether it is that variant its reader finds.
func (n *schemaNode) byNames(r backend.Reader) int {
	c := n.wanted
	if c == nil || r.Kind() != weft.KindObject {
		return -1
	}
	seen := plan.PeekNames(r, c.fields)
	one := -1
	for i, set := range c.required {
		if set&^seen != 0 || !c.objects[i] {
			continue
		}
		if one >= 0 {
			return -1
		}
		one = i
	}
	return one
}
