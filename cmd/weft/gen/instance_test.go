package gen

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/internal/pattern"
)

// guesser makes values that are often valid by a schema and often nearly so.
// It reads the document's own schemas and knows nothing of the generator.
type guesser struct {
	rand *rand.Rand
}

func (g *guesser) chance(n int) bool { return g.rand.IntN(n) == 0 }

// anything returns a value of any type.
func (g *guesser) anything() any {
	list := []any{
		nil, true, json.Number("0"), json.Number("-7"), json.Number("2.5"), "", "text", []any{}, []any{json.Number("1")},
		map[string]any{}, map[string]any{"zz": "q"},
	}
	return list[g.rand.IntN(len(list))]
}

func (g *guesser) value(s *openapi.Schema, depth int) any {
	if s.Boolean != nil || depth > 12 {
		return g.anything()
	}
	if g.chance(25) {
		return g.anything()
	}
	var parts []any
	if s.Target != nil {
		parts = append(parts, g.value(s.Target, depth+1))
	}
	for _, p := range s.AllOf {
		parts = append(parts, g.value(p, depth+1))
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		if len(list) > 0 {
			parts = append(parts, g.value(list[g.rand.IntN(len(list))], depth+1))
			if g.chance(8) {
				parts = append(parts, g.value(list[g.rand.IntN(len(list))], depth+1))
			}
		}
	}
	for _, p := range []*openapi.Schema{s.If, s.Then, s.Else, s.Not} {
		if p != nil && g.chance(2) {
			parts = append(parts, g.value(p, depth+1))
		}
	}
	for _, e := range s.DependentSchemas {
		if g.chance(2) {
			parts = append(parts, g.value(e.Value, depth+1))
		}
	}
	if own, ok := g.own(s, depth); ok {
		parts = append(parts, own)
	}
	return merge(parts)
}

// merge joins what parts say: objects member by member, otherwise the last.
func merge(parts []any) any {
	var out any
	for i, p := range parts {
		a, aok := out.(map[string]any)
		b, bok := p.(map[string]any)
		if !aok || !bok {
			if p != nil || i == 0 {
				out = p
			}
			continue
		}
		for _, name := range sortedNames(b) {
			a[name] = b[name]
		}
	}
	return out
}

func sortedNames(m map[string]any) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// own returns a value by the keywords of s itself.
func (g *guesser) own(s *openapi.Schema, depth int) (any, bool) {
	if s.Const != nil {
		return plain(s.Const), true
	}
	if len(s.Enum) > 0 {
		return plain(s.Enum[g.rand.IntN(len(s.Enum))]), true
	}
	var types []openapi.Types
	for t := openapi.TypeNull; t <= openapi.TypeObject; t <<= 1 {
		if s.Types.Has(t) {
			types = append(types, t)
		}
	}
	if s.Nullable && g.chance(5) {
		return nil, true
	}
	if types == nil {
		switch {
		case s.Properties != nil || s.Required != nil || s.PatternProperties != nil || s.DependentRequired != nil:
			types = append(types, openapi.TypeObject)
		case s.Items != nil || s.PrefixItems != nil || s.Contains != nil:
			types = append(types, openapi.TypeArray)
		case s.Pattern != "" || s.MinLength != nil || s.MaxLength != nil || s.ContentMediaType != "":
			types = append(types, openapi.TypeString)
		case s.Minimum != nil || s.Maximum != nil || s.MultipleOf != nil:
			types = append(types, openapi.TypeNumber)
		default:
			return g.anything(), s.Target == nil && len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) == 0
		}
	}
	switch types[g.rand.IntN(len(types))] {
	case openapi.TypeNull:
		return nil, true
	case openapi.TypeBoolean:
		return g.chance(2), true
	case openapi.TypeInteger, openapi.TypeNumber:
		return g.number(s), true
	case openapi.TypeString:
		return g.text(s, depth), true
	case openapi.TypeArray:
		return g.array(s, depth), true
	}
	return g.object(s, depth), true
}

// plain returns a value of the document as encoding/json would.
func plain(n *openapi.Node) any {
	switch n.Kind {
	case openapi.Bool:
		return n.Text == "true"
	case openapi.NumberKind:
		return json.Number(n.Text)
	case openapi.String:
		return n.Text
	case openapi.Array:
		out := []any{}
		for _, i := range n.Items {
			out = append(out, plain(i))
		}
		return out
	case openapi.Object:
		out := map[string]any{}
		for _, m := range n.Members {
			out[m.Name] = plain(m.Value)
		}
		return out
	}
	return nil
}

func (g *guesser) number(s *openapi.Schema) any {
	near := []int64{0, 1, -1, 3, 7, 50}
	for _, b := range []*openapi.Number{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf} {
		if b != nil && b.Float > -1e15 && b.Float < 1e15 {
			near = append(near, int64(b.Float)-1, int64(b.Float), int64(b.Float)+1, int64(b.Float)*2, int64(b.Float)*3)
		}
	}
	x := strconv.FormatInt(near[g.rand.IntN(len(near))], 10)
	if !s.Types.Has(openapi.TypeInteger) && g.chance(3) {
		x += ".5"
	}
	return json.Number(x)
}

func (g *guesser) text(s *openapi.Schema, depth int) any {
	switch s.Format {
	case "date":
		return "2024-02-29"
	case "date-time":
		return "2024-02-29T10:20:30.5Z"
	case "byte", "binary":
		return "AA=="
	case "uuid":
		return "01234567-89ab-cdef-0123-456789abcdef"
	}
	if f := formatted[s.Format]; f != "" && !g.chance(8) {
		return f
	}
	if s.ContentSchema != nil && !g.chance(12) {
		text, err := json.Marshal(g.value(s.ContentSchema, depth+1))
		if err == nil && s.ContentEncoding == "base64" {
			return base64.StdEncoding.EncodeToString(text)
		}
		return string(text)
	}
	if s.ContentEncoding != "" {
		return "AA=="
	}
	if expr, err := pattern.Expr(s.Pattern); err == nil && s.Pattern != "" && !g.chance(6) {
		if re, err := syntax.Parse(expr, syntax.Perl); err == nil {
			match := sampler{rand: g.rand}
			return match.match(re.Simplify(), 0)
		}
	}
	words := []string{"a", "abc", "text", "äöü", "x-y", "US"}
	if s.MinLength != nil {
		words = append(words, strings.Repeat("m", int(min(s.MinLength.Int, 1000))))
	}
	if s.MaxLength != nil && s.MaxLength.Int < 1000 {
		words = append(words, strings.Repeat("n", int(s.MaxLength.Int)), strings.Repeat("o", int(s.MaxLength.Int)+1))
	}
	return words[g.rand.IntN(len(words))]
}

func (g *guesser) array(s *openapi.Schema, depth int) any {
	n := g.rand.IntN(4)
	if s.MinItems != nil && !g.chance(5) {
		n = max(n, int(min(s.MinItems.Int, 20)))
	}
	if depth > 6 {
		n = 0
	}
	out := []any{}
	for i := range n {
		switch {
		case i < len(s.PrefixItems):
			out = append(out, g.value(s.PrefixItems[i], depth+1))
		case s.Contains != nil && g.chance(2):
			out = append(out, g.value(s.Contains, depth+1))
		case s.Items != nil:
			out = append(out, g.value(s.Items, depth+1))
		default:
			out = append(out, g.anything())
		}
	}
	return out
}

func (g *guesser) object(s *openapi.Schema, depth int) any {
	out := map[string]any{}
	for _, e := range s.Properties {
		required := s.Requires(e.Name)
		if required && g.chance(25) || !required && (depth > 5 || g.chance(2)) {
			continue
		}
		out[e.Name] = g.value(e.Value, depth+1)
	}
	for _, r := range s.Required {
		if _, ok := out[r.Value]; !ok && !g.chance(20) && s.Properties.Get(r.Value) == nil {
			out[r.Value] = g.anything()
		}
	}
	for _, e := range s.PatternProperties {
		if expr, err := pattern.Expr(e.Name); err == nil && g.chance(2) {
			if re, err := syntax.Parse(expr, syntax.Perl); err == nil {
				match := sampler{rand: g.rand}
				out[match.match(re.Simplify(), 0)+"q"] = g.value(e.Value, depth+1)
			}
		}
	}
	if x := s.AdditionalProperties; x != nil && x.Schema != nil && depth < 6 {
		for i := range g.rand.IntN(3) {
			out["more"+string(rune('a'+i))] = g.value(x.Schema, depth+1)
		}
	}
	if g.chance(10) {
		out["undescribed"] = g.anything()
	}
	return out
}
