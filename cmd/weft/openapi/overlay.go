package openapi

import "strings"

// maxOverlaid bounds the nodes that overlays add to a document.
const maxOverlaid = 1 << 20

// Overlays changes the document, once read, by the Overlay documents (OpenAPI
// Overlay 1.0 and 1.1) in the files called paths, one by one: it mends
// a document you do not own. What an overlay adds keeps its place in the
// overlay's file; a reference in it is one of the document.
func Overlays(paths ...string) Option {
	return func(o *options) { o.overlays = append(o.overlays, paths...) }
}

// overlay applies the overlays to the document in f.
func (r *reader) overlay(f *file) {
	for _, path := range r.opts.overlays {
		g := &file{name: path, path: path, index: len(r.list) + len(r.layers) + 1<<20, home: f}
		r.layers = append(r.layers, g)
		data, err := r.read(path)
		if err != nil {
			r.rep.errorf(Pos{file: g}, "%s", err)
			continue
		}
		if root := readTree(g, data, r.rep); root != nil {
			r.applyOverlay(f.root, root)
		}
	}
}

// overlayAction is an Action Object.
type overlayAction struct {
	pos          Pos
	target, from *Node
	update       *Node
	remove       bool
}

func (r *reader) applyOverlay(doc, root *Node) {
	if root.Kind != Object || root.member("overlay") == nil {
		r.rep.errorf(root.Pos, "an Overlay document is expected: an object with the members overlay, info and actions")
		return
	}
	var version, extends string
	var actions []overlayAction
	var ext Extensions
	r.object(root, "an Overlay document", &ext,
		field{"overlay", func(m *Member) {
			if version = r.text(m); version != "1.0" && version != "1.1" && !strings.HasPrefix(version, "1.0.") && !strings.HasPrefix(version, "1.1.") {
				r.rep.errorf(m.Value.Pos, "overlay %s is not a supported version: expected 1.0 or 1.1", quote(version))
			}
		}},
		field{"info", func(m *Member) {
			if r.isObject(m.Value, "the info object") {
				r.need(m.Value, "the info object", "title", "version")
			}
		}},
		field{"extends", r.str(&extends)},
		field{"actions", func(m *Member) {
			for _, n := range r.items(m, "actions") {
				if a, ok := r.overlayAction(n); ok {
					actions = append(actions, a)
				}
			}
		}},
	)
	r.need(root, "the Overlay document", "info", "actions")
	for _, a := range actions {
		if r.overlaid <= maxOverlaid {
			r.applyAction(doc, a)
		}
	}
}

func (r *reader) overlayAction(n *Node) (a overlayAction, ok bool) {
	a.pos = n.Pos
	var ext Extensions
	var description string
	if !r.object(n, "an action", &ext,
		field{"target", func(m *Member) { a.target = m.Value }},
		field{"description", r.str(&description)},
		field{"update", raw(&a.update)},
		field{"remove", r.bool(&a.remove)},
		field{"copy", func(m *Member) { a.from = m.Value }},
	) {
		return a, false
	}
	switch {
	case a.target == nil:
		r.rep.errorf(n.Pos, "the action lacks target: add the path of what to change")
	case a.update == nil && a.from == nil && !a.remove:
		r.rep.warnf(n.Pos, "the action does nothing: add update, remove or copy")
	default:
		return a, true
	}
	return a, false
}

// selected returns the nodes that the path in n selects, each once.
func (r *reader) selected(doc, n *Node) ([]found, bool) {
	if n.Kind != String {
		r.rep.errorf(n.Pos, "%s where a JSONPath is expected: write a string such as $.paths", n.Kind)
		return nil, false
	}
	q, err := parsePath(n.Text)
	if err != nil {
		r.rep.errorf(n.Pos, "%s is not a JSONPath (RFC 9535): %s", quote(n.Text), err)
		return nil, false
	}
	all, ok := q.find(doc)
	if !ok {
		r.rep.errorf(n.Pos, "%s visits more than %d nodes: name what to change more closely", quote(n.Text), maxPathSteps)
		return nil, false
	}
	seen := make(map[*Node]bool, len(all))
	out := all[:0]
	for _, f := range all {
		if !seen[f.node] {
			seen[f.node] = true
			out = append(out, f)
		}
	}
	return out, true
}

func (r *reader) applyAction(doc *Node, a overlayAction) {
	targets, ok := r.selected(doc, a.target)
	if !ok {
		return
	}
	if len(targets) == 0 {
		r.rep.warnf(a.target.Pos, "%s selects nothing, so nothing is changed: correct the path", quote(a.target.Text))
		return
	}
	if a.remove {
		r.removeNodes(a, targets)
		return
	}
	with := a.update
	if a.from != nil {
		from, ok := r.selected(doc, a.from)
		if !ok {
			return
		}
		if len(from) != 1 {
			r.rep.errorf(a.from.Pos, "%s selects %d nodes, but must select one to copy", quote(a.from.Text), len(from))
			return
		}
		with = from[0].node.clone()
	}
	size := with.size()
	for _, t := range targets {
		if r.overlaid += size; r.overlaid > maxOverlaid {
			r.rep.errorf(a.pos, "the overlays add more than %d values: too many", maxOverlaid)
			return
		}
		if !update(t.node, with.clone()) {
			r.rep.errorf(a.pos, "the update is %s, but %s selects %s: they do not go together", with.Kind, quote(a.target.Text), t.node.Kind)
			return
		}
	}
}

// removeNodes takes the targets out of what holds them.
func (r *reader) removeNodes(a overlayAction, targets []found) {
	gone := make(map[*Node]bool, len(targets))
	parents := make(map[*Node]bool)
	for _, t := range targets {
		if t.parent == nil {
			r.rep.errorf(a.target.Pos, "the document itself cannot be removed")
			continue
		}
		gone[t.node] = true
		parents[t.parent] = true
	}
	for n := range parents {
		items := n.Items[:0]
		for _, x := range n.Items {
			if !gone[x] {
				items = append(items, x)
			}
		}
		n.Items = items
		members := n.Members[:0]
		for _, m := range n.Members {
			if !gone[m.Value] {
				members = append(members, m)
			}
		}
		n.Members = members
	}
}

// update merges with into the target: objects member by member, a value or the
// items of a list into a list, and a scalar in the place of a scalar. It
// reports false when they do not go together.
func update(target, with *Node) bool {
	switch {
	case target.Kind == Object && with.Kind == Object:
		merge(target, with)
	case target.Kind == Array && with.Kind == Array:
		target.Items = append(target.Items[:len(target.Items):len(target.Items)], with.Items...)
	case target.Kind == Array:
		target.Items = append(target.Items[:len(target.Items):len(target.Items)], with)
	case target.Kind != Object && with.Kind != Object && with.Kind != Array:
		*target = *with
	default:
		return false
	}
	return true
}

// merge adds the members of with to the object n: lists are joined, objects
// merged, other values replaced.
func merge(n, with *Node) {
	n.Members = n.Members[:len(n.Members):len(n.Members)]
	for _, m := range with.Members {
		at := n.member(m.Name)
		switch {
		case at == nil:
			n.Members = append(n.Members, m)
		case at.Value.Kind == Object && m.Value.Kind == Object:
			merge(at.Value, m.Value)
		case at.Value.Kind == Array && m.Value.Kind == Array:
			at.Value.Items = append(at.Value.Items[:len(at.Value.Items):len(at.Value.Items)], m.Value.Items...)
		default:
			at.Value, at.Pos = m.Value, m.Pos
		}
	}
}

// clone returns a copy of n that shares nothing with it.
func (n *Node) clone() *Node {
	c := *n
	c.Items = make([]*Node, len(n.Items))
	for i, x := range n.Items {
		c.Items[i] = x.clone()
	}
	c.Members = make([]Member, len(n.Members))
	for i, m := range n.Members {
		m.Value = m.Value.clone()
		c.Members[i] = m
	}
	return &c
}

// size returns the number of nodes in n.
func (n *Node) size() int {
	size := 1
	for _, x := range n.Items {
		size += x.size()
	}
	for _, m := range n.Members {
		size += m.Value.size()
	}
	return size
}
