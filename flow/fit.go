package flow

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/value"
)

// shape is what is known of bodies at a place of a graph before it runs.
type shape struct {
	root   value.Value    // a JSON Schema
	schema *schema.Schema // the same, to check values by
	fixed  *value.Value   // the body, where it is always the same
}

// fits complains of links along which bodies go that the node behind them refuses: as far as nodes declare
// what they take and hand on, and schemas can be compared.
func fits(doc *document, g *graph) {
	ins, outs := make(map[*node]*shape), make(map[*node]*shape)
	for _, n := range g.nodes {
		b := &build{g: g, doc: doc, node: n}
		ins[n], outs[n] = b.shape(n.spec.input), b.shape(n.spec.output)
		switch s := n.step.(type) {
		case *validateStep:
			if v := n.spec.config.(*validateConfig); s.schema != nil && s.cfg.Request == "block" {
				if root, _, ok := b.schemaFile(v.Schema); ok && ins[n] == nil {
					ins[n] = &shape{root: root, schema: s.schema}
				}
				if outs[n] == nil {
					outs[n] = ins[n]
				}
			}
		case *snippetStep:
			if s.program == nil && outs[n] == nil {
				outs[n] = &shape{fixed: &s.val}
			}
		}
	}
	f := &fitter{doc: doc, ins: ins, outs: outs, seen: make(map[fitWay]bool)}
	for _, n := range g.nodes {
		if outs[n] != nil {
			f.from, f.shape = n, outs[n]
			f.along(n)
		}
	}
}

// shape returns the schema that a node declares, or nil.
func (b *build) shape(l literal) *shape {
	if !l.ok {
		return nil
	}
	v, at := l.v, text{at: l.at}
	if name, is := v.Text(); is {
		at.s = name
		var ok bool
		if v, _, ok = b.schemaFile(at); !ok {
			return nil
		}
	}
	if k := v.Kind(); k != value.KindMap && k != value.KindBool {
		b.errorf(l.at, "expected a JSON Schema, or the file of one, got %s", k)
		return nil
	}
	if s := b.compileSchema(v, "the schema", at); s != nil {
		return &shape{root: v, schema: s}
	}
	return nil
}

// fitter follows the bodies that one node hands on.
type fitter struct {
	doc       *document
	ins, outs map[*node]*shape
	from      *node
	shape     *shape
	seen      map[fitWay]bool
}

type fitWay struct{ from, to *node }

// passing are the kinds that hand bodies on as they came.
var passing = []string{"route", "if", "switch", "throttle", "cache", "record", "queue", "http", "merge", "decode", "encode",
	"assert", "retry"}

func (f *fitter) along(n *node) {
	for _, p := range n.outs {
		if p.name == "error" {
			continue
		}
		for _, to := range p.to {
			if f.seen[fitWay{f.from, to}] {
				continue
			}
			f.seen[fitWay{f.from, to}] = true
			if in := f.ins[to]; in != nil {
				if why := f.shape.unfit(in); why != "" {
					f.doc.diags.errorf(n.spec.linkPos(p.name, to.spec.name), "the output of %q does not fit the input of %q: %s",
						f.from.spec.name, to.spec.name, why)
				}
			} else if f.outs[to] == nil && slices.Contains(passing, to.spec.kind.name) {
				f.along(to)
			}
		}
	}
}

// unfit says what of s the other refuses, or "".
func (s *shape) unfit(in *shape) string {
	if s.fixed != nil {
		return in.refuses(*s.fixed, "")
	}
	c := &comparison{out: s, in: in, seen: make(map[string]bool)}
	return c.compare(s.root, in.root, "")
}

// refuses says what the schema says of a value, or "".
func (s *shape) refuses(v value.Value, at string) string {
	raw, err := json.Format.MarshalAppend(nil, v)
	if err != nil {
		return err.Error()
	}
	k := &checker{schema: s.schema}
	if err := json.UnmarshalWith(raw, k); k.wrong != nil {
		return located(at+k.wrong.Path, k.wrong.Err.Error())
	} else if err != nil {
		return err.Error()
	}
	return ""
}

// located returns a text with the place before it.
func located(at, msg string) string {
	if at == "" {
		return msg
	}
	return "at " + at + ", " + msg
}

// comparison looks for values that one schema allows and the other refuses. Where it cannot tell, such as of patterns,
// it finds nothing.
type comparison struct {
	out, in *shape
	seen    map[string]bool
}

const deepest = 64 // schemas that stand in each other

func (c *comparison) compare(out, in value.Value, at string) string {
	if strings.Count(at, "/") > deepest {
		return ""
	}
	key := at + "\n" + out.String() + "\n" + in.String()
	if c.seen[key] {
		return ""
	}
	c.seen[key] = true
	if out.Has("$ref") {
		return c.compare(follow(c.out.root, out), in, at)
	}
	if in.Has("$ref") {
		return c.compare(out, follow(c.in.root, in), at)
	}
	if none, ok := in.Bool(); ok {
		if !none && out.Kind() != value.KindBool {
			return located(at, "nothing is allowed there")
		}
		return ""
	}
	if any, ok := out.Bool(); ok {
		if !any {
			return "" // there is no such value
		}
		out = value.Map()
	}
	for _, word := range []string{"oneOf", "anyOf"} { // each of which may come
		list, _ := out.Get(word)
		for way := range list.Values() {
			if why := c.compare(way, in, at); why != "" {
				return why
			}
		}
		if list.Len() > 0 {
			return ""
		}
	}
	if parts, ok := out.Get("allOf"); ok { // what the parts say together
		for part := range parts.Values() {
			if part.Has("$ref") {
				part = follow(c.out.root, part)
			}
			for name, v := range part.Members() {
				if have, ok := out.Get(name); ok && have.Kind() == value.KindMap && v.Kind() == value.KindMap {
					v = have.Merge(v)
				} else if ok && have.Kind() == value.KindList && v.Kind() == value.KindList {
					v, _ = have.Append(slices.Collect(v.Values())...)
				}
				out = out.WithMember(name, v)
			}
		}
		out, _ = out.Without("allOf")
	}
	if parts, ok := in.Get("allOf"); ok {
		for part := range parts.Values() {
			if why := c.compare(out, part, at); why != "" {
				return why
			}
		}
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		list, _ := in.Get(word)
		first := ""
		for way := range list.Values() {
			why := c.compare(out, way, at)
			if first = why; why == "" {
				break
			}
		}
		if first != "" {
			return first
		}
	}
	if why := c.types(out, in, at); why != "" {
		return why
	}
	if why := c.values(out, in, at); why != "" {
		return why
	}
	return c.inner(out, in, at)
}

// follow returns what a reference leads to.
func follow(root, s value.Value) value.Value {
	ref, _ := s.Get("$ref")
	text, _ := ref.Text()
	pointer, err := url.PathUnescape(strings.TrimPrefix(text, "#"))
	v, ok := root.Pointer(pointer)
	if err != nil || !ok {
		return value.Bool(true)
	}
	return v
}

// allTypes are those that a schema without a type allows.
var allTypes = []string{"null", "boolean", "object", "array", "number", "string"}

// typesOf returns the types that a schema allows.
func typesOf(s value.Value) []string {
	v, ok := s.Get("type")
	if text, is := v.Text(); is {
		return []string{text}
	}
	if !ok {
		return allTypes
	}
	var all []string
	for t := range v.Values() {
		text, _ := t.Text()
		all = append(all, text)
	}
	return all
}

// types compares what kinds of values there may be. What is listed in an enum is looked at value by value.
func (c *comparison) types(out, in value.Value, at string) string {
	if out.Has("enum") || out.Has("const") || !in.Has("type") {
		return ""
	}
	allowed := typesOf(in)
	for _, t := range typesOf(out) {
		if !slices.Contains(allowed, t) && !(t == "integer" && slices.Contains(allowed, "number")) {
			return located(at, fmt.Sprintf("it may be of type %s: expected %s", t, strings.Join(allowed, " or ")))
		}
	}
	return ""
}

// values compares enums and bounds.
func (c *comparison) values(out, in value.Value, at string) string {
	listed, ok := out.Get("enum")
	if one, is := out.Get("const"); is {
		listed, ok = value.List(one), true
	}
	allowed, bound := in.Get("enum")
	if one, is := in.Get("const"); is {
		allowed, bound = value.List(one), true
	}
	if bound && !ok {
		return located(at, "it may be any value of its type: expected one of "+allowed.String())
	}
	if bound {
		for v := range listed.Values() {
			if !slices.ContainsFunc(slices.Collect(allowed.Values()), v.Equal) {
				return located(at, fmt.Sprintf("it may be %s: expected one of %s", quote(v), allowed))
			}
		}
	}
	if ok {
		for v := range listed.Values() {
			if t := typeName(v); in.Has("type") && !slices.Contains(typesOf(in), t) &&
				!(t == "integer" && slices.Contains(typesOf(in), "number")) {
				return located(at, fmt.Sprintf("it may be %s: expected %s", quote(v), strings.Join(typesOf(in), " or ")))
			}
		}
		return ""
	}
	for _, b := range []struct {
		word, of string
		least    bool
	}{
		{"minimum", "number", true}, {"maximum", "number", false}, {"minLength", "string", true}, {"maxLength", "string", false},
		{"minItems", "array", true}, {"maxItems", "array", false}, {"minProperties", "object", true}, {"maxProperties", "object", false},
	} {
		want, is := number(in, b.word)
		have, ok := number(out, b.word)
		if !is || b.word == "minLength" && want.Sign() == 0 || !slices.ContainsFunc(typesOf(out), func(t string) bool {
			return t == b.of || t == "integer" && b.of == "number"
		}) {
			continue
		}
		if exclusive, is := number(out, "exclusive"+strings.ToUpper(b.word[:1])+b.word[1:]); is && !ok {
			have, ok = exclusive, true
		}
		if !ok || b.least && have.Cmp(want) < 0 || !b.least && have.Cmp(want) > 0 {
			text, _ := in.Get(b.word)
			return located(at, fmt.Sprintf("it does not keep %s %s", b.word, text))
		}
	}
	return ""
}

// quote returns a value as JSON.
func quote(v value.Value) string {
	if text, ok := v.Text(); ok {
		return strconv.Quote(text)
	}
	return v.String()
}

// typeName returns the type of a value as schemas name it.
func typeName(v value.Value) string {
	switch v.Kind() {
	case value.KindNull:
		return "null"
	case value.KindBool:
		return "boolean"
	case value.KindMap:
		return "object"
	case value.KindList:
		return "array"
	case value.KindInt, value.KindUint:
		return "integer"
	}
	if v.Kind().IsNumber() {
		return "number"
	}
	return "string"
}

func number(s value.Value, word string) (*big.Rat, bool) {
	v, ok := s.Get(word)
	if !ok || !v.Kind().IsNumber() {
		return nil, false
	}
	return new(big.Rat).SetString(v.String())
}

// inner compares members and elements.
func (c *comparison) inner(out, in value.Value, at string) string {
	has, wants := typesOf(out), typesOf(in)
	if slices.Contains(has, "array") && slices.Contains(wants, "array") {
		x, ok := out.Get("items")
		y, is := in.Get("items")
		if ok && is {
			if why := c.compare(x, y, at+"/0"); why != "" {
				return why
			}
		}
	}
	if !slices.Contains(has, "object") || !slices.Contains(wants, "object") || out.Has("enum") || out.Has("const") {
		return ""
	}
	given, _ := out.Get("required")
	required, _ := in.Get("required")
	for name := range required.Values() {
		text, _ := name.Text()
		if !slices.ContainsFunc(slices.Collect(given.Values()), name.Equal) {
			return located(at, "it may be without the member "+strconv.Quote(text))
		}
	}
	members, _ := out.Get("properties")
	known, _ := in.Get("properties")
	rest, others := in.Get("additionalProperties")
	for name, s := range members.Members() {
		place := at + string(wire.AppendPointer(nil, name))
		want, ok := known.Get(name)
		switch {
		case ok:
		case others && !in.Has("patternProperties"):
			if no, is := rest.Bool(); is && !no {
				return located(at, fmt.Sprintf("it may have the member %q, which is not allowed", name))
			}
			want = rest
		default:
			continue
		}
		if why := c.compare(s, want, place); why != "" {
			return why
		}
	}
	return ""
}
