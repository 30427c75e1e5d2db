package openapi

import (
	"net/url"
	"slices"
	"strings"
)

// identifiers are the names that the schemas of a file have beside where they stand.
type identifiers struct {
	ids     map[string]*Node           // by $id or $self: as it is written, and as an address
	bases   map[*Node]*url.URL         // the address of what has one
	anchors map[*Node]map[string]*Node // by what has the $id that they are of, or the root
	loose   map[string][]*Node         // anchors by name, wherever they are
}

// identifiers returns the names of f.
func (f *file) identifiers() *identifiers {
	if f.names == nil {
		f.names = &identifiers{map[string]*Node{}, map[*Node]*url.URL{}, map[*Node]map[string]*Node{}, map[string][]*Node{}}
		if f.root != nil {
			f.names.add(f.root, f.root, nil, false)
		}
	}
	return f.names
}

// anchor returns the schema of the resource n with the $anchor name. One that only one schema of the file has is that
// of every resource: documents count from their root.
func (x *identifiers) anchor(n *Node, name string) *Node {
	if to := x.anchors[n][name]; to != nil {
		return to
	}
	if list := x.loose[name]; len(list) == 1 {
		return list[0]
	}
	return nil
}

// byID returns the schema whose $id is the address where, as seen from f.
func (r *reader) byID(where string, f *file) *Node {
	if n := f.identifiers().ids[where]; n != nil {
		return n
	}
	for _, g := range r.list {
		if n := g.identifiers().ids[where]; n != nil {
			return n
		}
	}
	return nil
}

// Where schemas stand in a schema: in a keyword, in its list or under its names. In other keywords there is data.
var (
	schemaIn = []string{"items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "contains",
		"not", "if", "then", "else", "contentSchema", "allOf", "anyOf", "oneOf", "prefixItems"}
	schemasIn = []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
	dataIn    = []string{"enum", "const", "default", "example", "examples", "value"}
)

// add adds the names of n and of what is in it. The address around it is base, and its anchors are of the resource.
// It is a schema, or maybe some other part of a document.
func (x *identifiers) add(n, resource *Node, base *url.URL, schema bool) {
	for _, item := range n.Items {
		x.add(item, resource, base, schema)
	}
	for i := range n.Members {
		m := &n.Members[i]
		if m.Value.Kind != String || m.Name != "$id" && m.Name != "$self" {
			continue
		}
		id := strings.TrimSuffix(m.Value.Text, "#")
		x.name(id, n)
		u, err := url.Parse(m.Value.Text)
		if err != nil {
			continue
		}
		if base != nil {
			u = base.ResolveReference(u)
		}
		base, x.bases[n] = u, u
		x.name(strings.TrimSuffix(u.String(), "#"), n)
		if !strings.HasPrefix(id, "#") {
			resource = n
		}
	}
	for i := range n.Members {
		m := &n.Members[i]
		switch {
		case m.Value.Kind == String:
			if m.Name == "$anchor" || m.Name == "$dynamicAnchor" {
				x.addAnchor(resource, m.Value.Text, n)
			}
		case slices.Contains(schemasIn, m.Name), !schema && m.Name == "schemas":
			for j := range m.Value.Members {
				x.add(m.Value.Members[j].Value, resource, base, true)
			}
		case slices.Contains(schemaIn, m.Name), !schema && m.Name == "schema":
			x.add(m.Value, resource, base, true)
		case !schema && !slices.Contains(dataIn, m.Name):
			x.add(m.Value, resource, base, false)
		}
	}
}

func (x *identifiers) name(id string, n *Node) {
	if x.ids[id] == nil {
		x.ids[id] = n
	}
}

func (x *identifiers) addAnchor(resource *Node, name string, n *Node) {
	of := x.anchors[resource]
	if of == nil {
		of = map[string]*Node{}
		x.anchors[resource] = of
	}
	if of[name] == nil {
		of[name] = n
	}
	x.loose[name] = append(x.loose[name], n)
}
