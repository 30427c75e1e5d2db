package openapi

import (
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxHops bounds the references that one reference leads through.
const maxHops = 100

// maxSuggestions bounds the dangling references for which near names are sought.
const maxSuggestions = 200

// pendingRef is a reference met while reading, to be resolved when the
// document is read.
type pendingRef struct {
	ref  string
	pos  Pos
	what string // expected: "a schema"
	set  func(n *Node, ptr string)
	soft bool    // a broken reference is a warning
	base *Schema // with an $id: a fragment alone is one of it
	defs *defsScope
}

// defsScope is a schema with definitions of its own, and the one around it.
// References from the root of a schema are written for it where it was pasted into
// the document whole.
type defsScope struct {
	schema *Schema
	outer  *defsScope
}

// refKey is a reference as seen from a file.
type refKey struct {
	file *file
	ref  string
}

// place is where a reference leads: a node, or what is wrong.
type place struct {
	node  *Node
	ptr   string
	wrong string
}

// reference reads n as a Reference Object if it has a $ref.
func reference[T any](r *reader, n *Node, what string, ref *string, pos *Pos, target **T, desc *string, ext *Extensions, build func(*Node, string) *T) bool {
	m := n.member("$ref")
	if m == nil {
		return false
	}
	var ok bool
	*ref, ok = r.refText(m)
	*pos = m.Value.Pos
	for i := range n.Members {
		switch x := &n.Members[i]; {
		case x.Name == "$ref" || x.Name == "summary":
		case x.Name == "description":
			*desc = r.text(x)
		case strings.HasPrefix(x.Name, "x-"):
			*ext = append(*ext, *x)
		default:
			r.rep.warnf(x.Pos, "%s beside $ref is ignored: remove one of them", quote(x.Name))
		}
	}
	if ok {
		enqueue(r, *ref, *pos, what, target, build)
		r.chains = append(r.chains, func() { r.circle(*target != nil && isCircle(*target), *pos, *ref) })
	}
	return true
}

// enqueue has target set to the part that ref names.
func enqueue[T any](r *reader, ref string, pos Pos, what string, target **T, build func(*Node, string) *T) {
	r.pending = append(r.pending, pendingRef{ref: ref, pos: pos, what: what, defs: r.defs, set: func(n *Node, ptr string) {
		if v, ok := r.made[n]; ok {
			if t, ok := v.(*T); ok {
				*target = t
			} else if t := kindred[T](v); t != nil {
				r.rep.warnf(pos, "%s names %s, read as %s: correct the reference", quote(ref), partName(v), what)
				*target = t
			} else {
				r.rep.errorf(pos, "%s names %s, but %s is expected: correct the reference", quote(ref), partName(v), what)
			}
			return
		}
		*target = build(n, ptr)
	}})
}

// kindred returns the part v as another kind of part that says the same, or
// nil: documents confuse request bodies with responses, and parameters with
// headers.
func kindred[T any](v any) *T {
	switch to := any(new(T)).(type) {
	case *Response:
		if b, ok := v.(*RequestBody); ok && b.Ref == "" {
			*to = Response{Pos: b.Pos, Pointer: b.Pointer, Description: b.Description, Content: b.Content, Extensions: b.Extensions}
			return any(to).(*T)
		}
	case *RequestBody:
		if p, ok := v.(*Response); ok && p.Ref == "" {
			*to = RequestBody{Pos: p.Pos, Pointer: p.Pointer, Description: p.Description, Content: p.Content, Extensions: p.Extensions}
			return any(to).(*T)
		}
	case *Header:
		if p, ok := v.(*Parameter); ok && p.Ref == "" {
			*to = Header{Pos: p.Pos, Pointer: p.Pointer, Description: p.Description, Required: p.Required, Deprecated: p.Deprecated,
				Style: "simple", Schema: p.Schema, Content: p.Content, Example: p.Example, Examples: p.Examples, Extensions: p.Extensions}
			return any(to).(*T)
		}
	}
	return nil
}

func (r *reader) circle(is bool, pos Pos, ref string) {
	if is {
		r.rep.errorf(pos, "the references from %s lead in a circle and never to a value: write the value in one of them", quote(ref))
	}
}

// isCircle reports whether the references from v lead back into themselves.
func isCircle(v any) bool {
	switch v := v.(type) {
	case *Parameter:
		return v.Resolve().Ref != ""
	case *Header:
		return v.Resolve().Ref != ""
	case *RequestBody:
		return v.Resolve().Ref != ""
	case *Response:
		return v.Resolve().Ref != ""
	case *MediaType:
		return v.Resolve().Ref != ""
	case *Example:
		return v.Resolve().Ref != ""
	case *Link:
		return v.Resolve().Ref != ""
	case *Callback:
		return v.Resolve().Ref != ""
	case *SecurityScheme:
		return v.Resolve().Ref != ""
	}
	return false
}

func partName(v any) string {
	switch v.(type) {
	case *Schema:
		return "a schema"
	case *PathItem:
		return "a path item"
	case *Parameter:
		return "a parameter"
	case *Header:
		return "a header"
	case *RequestBody:
		return "a request body"
	case *Response:
		return "a response"
	case *MediaType:
		return "a media type"
	case *Example:
		return "an example"
	case *Link:
		return "a link"
	case *Callback:
		return "a callback"
	case *SecurityScheme:
		return "a security scheme"
	}
	return "something else"
}

// resolve follows the references met so far, and those met on the way.
func (r *reader) resolve() {
	r.drain(0)
	for _, d := range r.mapped {
		d.Mapping = slices.DeleteFunc(d.Mapping, func(m Mapping) bool { return m.Target == nil })
		if d.DefaultMapping != nil && d.DefaultMapping.Target == nil {
			d.DefaultMapping = nil
		}
	}
	for _, check := range r.chains {
		check()
	}
}

// drain follows the references met, from the one at index first on.
func (r *reader) drain(first int) {
	for i := first; i < len(r.pending); i++ {
		p := r.pending[i]
		r.pending[i] = pendingRef{}
		var to place
		if p.base != nil && strings.HasPrefix(p.ref, "#") {
			f := p.base.Pos.in()
			to = r.within(f, p.base.Node, p.base.Pointer, p.ref, p.ref[1:], 0)
		} else if !strings.HasPrefix(p.ref, "#") {
			to = r.identified(p)
		}
		if to.node == nil { // documents count from their root all the same
			to = r.lookup(p.pos.in(), p.ref, 0)
		}
		if to.wrong != "" {
			to = r.nearly(p, to)
		}
		if to.wrong != "" {
			if p.soft {
				r.rep.warnf(p.pos, "%s", to.wrong)
			} else {
				r.rep.errorf(p.pos, "%s", to.wrong)
			}
			continue
		}
		p.set(to.node, to.ptr)
	}
}

// identified returns the schema that p names relative to the $id around it or the
// $self of the file, nothing when no schema has that $id: then it is the name of a
// file.
func (r *reader) identified(p pendingRef) place {
	f := p.pos.in()
	at := f.root
	if p.base != nil {
		f, at = p.base.Pos.in(), p.base.Node
	}
	base := f.identifiers().bases[at]
	where, fragment, _ := strings.Cut(p.ref, "#")
	u, err := url.Parse(where)
	if base == nil || err != nil {
		return place{}
	}
	n := r.byID(base.ResolveReference(u).String(), f)
	if n == nil {
		return place{}
	}
	return r.within(n.Pos.in(), n, n.Pos.in().prefix+"#", p.ref, fragment, 0)
}

// nearly returns what p means, which as it is written names nothing: definitions of
// a schema around it, or a schema by its bare name.
func (r *reader) nearly(p pendingRef, to place) place {
	for d := p.defs; d != nil && (strings.HasPrefix(p.ref, "#/$defs/") || strings.HasPrefix(p.ref, "#/definitions/")); d = d.outer {
		if in := r.within(d.schema.Pos.in(), d.schema.Node, d.schema.Pointer, p.ref, p.ref[1:], maxHops); in.node != nil {
			r.rep.warnf(p.pos, "%s names nothing in the document, read as that of the schema around it: write %s", quote(p.ref), quote(in.ptr))
			return in
		}
	}
	if p.what == "a schema" && !strings.ContainsAny(p.ref, "#/.:") {
		if near := r.named(p.pos.in(), p.ref); near != "" {
			r.rep.warnf(p.pos, "%s is the name of a schema and no reference, read as one: write %s", quote(p.ref), quote(near))
			return r.lookup(p.pos.in(), near, 0)
		}
	}
	return to
}

// lookup finds what ref names in the eyes of the file f.
func (r *reader) lookup(f *file, ref string, hops int) place {
	key := refKey{f, ref}
	if p, ok := r.looked[key]; ok {
		return p
	}
	p := r.find(f, ref, hops)
	r.looked[key] = p
	return p
}

func (r *reader) find(f *file, ref string, hops int) place {
	if hops > maxHops {
		return place{wrong: quote(ref) + " leads through too many references: shorten the way"}
	}
	where, fragment, hasFragment := strings.Cut(ref, "#")
	to := f
	if where != "" {
		if n := r.byID(where, f); n != nil {
			return r.within(n.Pos.in(), n, n.Pos.in().prefix+"#", ref, fragment, hops)
		}
		if u, err := url.Parse(where); err == nil && (u.Scheme != "" && len(u.Scheme) > 1 || u.Host != "") {
			return place{wrong: quote(ref) + " is on the network, where nothing is read from: save the file beside the document and refer to it there"}
		}
		var wrong string
		if to, wrong = r.open(f, where); wrong != "" {
			return place{wrong: quote(ref) + ": " + wrong + r.meant(f, ref, hasFragment)}
		}
	} else if ref == "" {
		return place{wrong: "the reference is empty: write one such as \"#/components/schemas/Name\""}
	}
	if to.root == nil {
		return place{wrong: quote(ref) + " is in a file that cannot be read"}
	}
	return r.within(to, to.root, to.prefix+"#", ref, fragment, hops)
}

// meant returns a suggestion for a reference that looks like a file's name.
func (r *reader) meant(f *file, ref string, hasFragment bool) string {
	if hasFragment || f.root == nil {
		return ""
	}
	if near := r.named(f, ref); near != "" {
		return "; did you mean " + quote(near) + "?"
	}
	return ""
}

// named returns the reference to the part of f that name is the name of, "" when
// there is none.
func (r *reader) named(f *file, name string) string {
	for _, try := range []string{"#/" + strings.TrimPrefix(name, "/"), "#/components/schemas/" + name, "#/definitions/" + name} {
		if p := r.find(f, try, maxHops); p.node != nil {
			return try
		}
	}
	return ""
}

// maxElsewhere bounds the parts that are read through a $ref in a place where
// there is none, and maxSchemas the schemas that may come of it: each reading
// makes the part anew.
const (
	maxElsewhere = 10_000
	maxSchemas   = 4 << 20
)

// elsewhere returns where the part n is written when a lone $ref stands in its
// place: the specification has none there, some tools follow it all the same.
// The caller calls done when it has read the part.
func (r *reader) elsewhere(n *Node, ptr, what string) (to *Node, toPtr string, done func()) {
	if len(n.Members) != 1 || n.Members[0].Name != "$ref" || n.Members[0].Value.Kind != String {
		return n, ptr, func() {}
	}
	ref := n.Members[0]
	p := r.lookup(ref.Value.Pos.in(), ref.Value.Text, 0)
	r.moved++
	switch {
	case p.wrong != "":
		r.rep.errorf(ref.Value.Pos, "%s", p.wrong)
	case r.way[p.node]:
		r.rep.errorf(ref.Value.Pos, "the references from %s lead in a circle and never to a value: write the value in one of them", quote(ref.Value.Text))
	case r.moved > maxElsewhere || len(r.doc.Schemas) > maxSchemas:
		r.rep.errorf(ref.Value.Pos, "too many references in the place of %s: write it here", what)
	default:
		r.rep.warnf(ref.Pos, "$ref in the place of %s, which only some tools follow: write it here", what)
		r.way[p.node] = true
		to, toPtr, done := r.elsewhere(p.node, p.ptr, what)
		return to, toPtr, func() {
			done()
			delete(r.way, p.node)
		}
	}
	return &Node{Kind: Object, Pos: n.Pos}, ptr, func() {}
}

// resolvePath returns the path of the file called name as seen from the file
// base.
func resolvePath(base, name string) string {
	if path.IsAbs(name) || filepath.IsAbs(name) {
		return filepath.Clean(filepath.FromSlash(name))
	}
	return filepath.Join(filepath.Dir(base), filepath.FromSlash(name))
}

// open returns the file called name as seen from f, reading it if needed.
func (r *reader) open(f *file, name string) (to *file, wrong string) {
	if u, err := url.PathUnescape(name); err == nil {
		name = u
	}
	full := resolvePath(f.path, name)
	if to := r.files[full]; to != nil {
		return to, ""
	}
	if len(r.list) >= maxFiles {
		return nil, "the document has too many files"
	}
	data, err := r.read(full)
	if err != nil {
		return nil, err.Error()
	}
	rel, err := filepath.Rel(filepath.Dir(r.list[0].path), full)
	if err != nil {
		rel = full
	}
	to = r.addFile(full, full, filepath.ToSlash(rel))
	to.root = readTree(to, data, r.rep)
	return to, ""
}

// within follows a fragment from the node n, which ptr points at.
func (r *reader) within(f *file, n *Node, ptr, ref, fragment string, hops int) place {
	if u, err := url.PathUnescape(fragment); err == nil {
		fragment = u
	}
	if fragment == "" {
		return place{node: n, ptr: ptr}
	}
	if fragment[0] != '/' {
		if to := f.identifiers().anchor(n, fragment); to != nil {
			if n != f.root {
				return place{node: to, ptr: ptr + "#" + fragment}
			}
			return place{node: to, ptr: f.prefix + "#" + fragment}
		}
		wrong := quote(ref) + " names no $anchor"
		if p := r.pointer(f, n, ptr, ref, "/"+fragment, maxHops); p.node != nil {
			return place{wrong: wrong + ": did you mean " + quote("#/"+fragment) + "?"}
		}
		return place{wrong: wrong + `: write a reference such as "#/components/schemas/Name"`}
	}
	return r.pointer(f, n, ptr, ref, fragment, hops)
}

var unescape6901 = strings.NewReplacer("~1", "/", "~0", "~")

// pointer follows a JSON pointer (RFC 6901) from n. A $ref on the way is
// followed too: many documents point at parts of what a reference stands for.
func (r *reader) pointer(f *file, n *Node, ptr, ref, pointer string, hops int) place {
	base := ptr
	rest := pointer[1:]
	for {
		token, after, more := strings.Cut(rest, "/")
		name := token
		if strings.Contains(token, "~") {
			name = unescape6901.Replace(token)
		}
		next := r.child(n, name)
		if next == nil {
			if via := r.child(n, "$ref"); via != nil && via.Kind == String && hops < maxHops {
				to := r.lookup(via.Pos.in(), via.Text, hops+1)
				if to.wrong != "" {
					return place{wrong: quote(ref) + " leads through a broken reference: " + to.wrong}
				}
				return r.pointer(to.node.Pos.in(), to.node, to.ptr, ref, "/"+rest, hops+1)
			}
			return place{wrong: r.dangling(f, n, base, ptr, ref, name, after, more, hops)}
		}
		n, ptr = next, ptr+"/"+escape(name)
		if !more {
			return place{node: n, ptr: ptr}
		}
		rest = after
	}
}

// child returns the part of n that a token of a pointer names, or nil.
func (r *reader) child(n *Node, name string) *Node {
	switch n.Kind {
	case Object:
		if len(n.Members) < 64 {
			return n.Get(name)
		}
		names := r.children[n]
		if names == nil {
			names = make(map[string]*Node, len(n.Members))
			for i := range n.Members {
				names[n.Members[i].Name] = n.Members[i].Value
			}
			r.children[n] = names
		}
		return names[name]
	case Array:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
	}
	return nil
}

// dangling says what is wrong with a pointer that ends at n, which has no
// child called name, and what may have been meant.
func (r *reader) dangling(f *file, n *Node, base, ptr, ref, name, after string, more bool, hops int) string {
	where := strings.TrimSuffix(ptr, "#")
	if where == "" {
		where = "the document"
	}
	wrong := quote(ref) + " names nothing, there is no " + quote(name) + " in " + where
	if hops >= maxHops || r.rep.errors >= maxSuggestions {
		return wrong
	}
	try := func(to string) string {
		file, pointer, _ := strings.Cut(to, "#")
		if p := r.pointer(f, f.root, f.prefix+"#", to, pointer, maxHops); p.node == nil {
			return ""
		}
		if f == r.list[0] {
			file = ""
		}
		return wrong + ": did you mean " + quote(file+"#"+pointer) + "?"
	}
	near := nearest(name, func(yield func(string) bool) {
		for i := range n.Members {
			if !yield(n.Members[i].Name) {
				return
			}
		}
	})
	if near != "" {
		to := ptr + "/" + escape(near)
		if more {
			if s := try(to + "/" + after); s != "" {
				return s
			}
		} else if s := try(to); s != "" {
			return s
		}
	}
	last := name
	if more {
		last = after[strings.LastIndexByte(after, '/')+1:]
	}
	for _, section := range []string{"/components/schemas/", "/components/responses/", "/components/parameters/", "/components/requestBodies/", "/components/headers/", "/definitions/", "/$defs/"} {
		if s := try(f.prefix + "#" + section + last); s != "" {
			return s
		}
	}
	if near != "" {
		return wrong + ": did you mean " + quote(near) + " there?"
	}
	return wrong + ": define it or correct the reference"
}

func index(ptr string, i int) string { return ptr + "/" + strconv.Itoa(i) }
