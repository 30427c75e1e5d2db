package flow

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft/value"
	"go.yaml.in/yaml/v4"
)

// The types of fields that are more than Go's own. A field of a config has a tag
//
//	flow:"name,required" enum:"a,b" default:"30s" doc:"what it is"
//
// in which the name is the document's, and default only tells what config makes.
type (
	// size is a number of bytes, such as 64KiB.
	size int64
	// text is a text with its place.
	text struct {
		s  string
		at Pos
	}
	// code is text that stands for itself: nothing in it is a reference.
	code struct {
		s    string
		node *yaml.Node
	}
	// expression is an expression in the language of package expr.
	expression struct{ code }
	// portName is the name of an output port.
	portName text
	// literal is any value, with its place.
	literal struct {
		v  value.Value
		ok bool
		at Pos
	}
)

// decoder reads the fields of one node.
type decoder struct {
	doc      *document
	spec     *spec
	verbatim bool // references are text
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	d.doc.diags.errorf(d.spec.file.pos(n), format, args...)
}

// commonFields are those that every node has.
var commonFields = []string{"kind", "name", "links", "ports", "env", "id", "namespace", "annotations", "doc", "input", "output"}

// node reads all fields of the node.
func (d *decoder) node() {
	n := d.spec.yaml
	if e := resolved(member(n, "env")); e != nil {
		d.env(e)
	}
	if v := resolved(member(n, "name")); v != nil {
		d.value(v, reflect.ValueOf(&d.spec.name).Elem(), "")
	}
	for _, field := range []string{"links", "ports"} {
		if v := resolved(member(n, field)); v != nil {
			d.links(v)
		}
	}
	for _, s := range []struct {
		field string
		to    *literal
	}{{"input", &d.spec.input}, {"output", &d.spec.output}} {
		if v := resolved(member(n, s.field)); v != nil {
			d.value(v, reflect.ValueOf(s.to).Elem(), "")
		}
	}
	d.object(n, reflect.ValueOf(d.spec.config).Elem(), commonFields)
}

// env reads the field env: names for this node, each with data or a text.
func (d *decoder) env(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "expected names with their values, got %s", describe(n))
		return
	}
	vars := make(map[string]string)
	for i := 0; i+1 < len(n.Content); i += 2 {
		v := resolved(n.Content[i+1])
		if v.Kind == yaml.MappingNode {
			if v = resolved(member(v, "data")); v == nil {
				d.fail(n.Content[i], "expected data: VALUE below %s", n.Content[i].Value)
				continue
			}
		}
		var s string
		if d.value(v, reflect.ValueOf(&s).Elem(), "") {
			vars[n.Content[i].Value] = s
		}
	}
	d.spec.vars = vars
}

// links reads the field links: for each port a list of name and port.
func (d *decoder) links(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "expected ports with the links of each, such as out: [{name: next, port: in}], got %s", describe(n))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		l := links{port: n.Content[i].Value, pos: d.spec.file.pos(n.Content[i])}
		if l.port == "io" {
			l.port = "out"
		}
		list := resolved(n.Content[i+1])
		if list.Kind == yaml.MappingNode {
			list = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{list}}
		} else if list.Kind != yaml.SequenceNode {
			d.fail(list, "expected a list of links, such as [{name: next, port: in}], got %s", describe(list))
			continue
		}
		for _, item := range list.Content {
			item = resolved(item)
			to := struct {
				Name text `flow:"name,required"`
				Port text `flow:"port"`
			}{}
			if item.Kind != yaml.MappingNode {
				d.fail(item, "expected a link, such as {name: next, port: in}, got %s", describe(item))
			} else if d.object(item, reflect.ValueOf(&to).Elem(), nil) {
				t := target{name: to.Name.s, port: to.Port.s, pos: to.Name.at}
				if t.port == "" || t.port == "io" {
					t.port = "in"
				}
				l.to = append(l.to, t)
			}
		}
		d.spec.links = append(d.spec.links, l)
	}
}

// tag is a field's tag taken apart.
func tag(f reflect.StructField) (name string, required bool) {
	name, rest, _ := strings.Cut(f.Tag.Get("flow"), ",")
	return name, rest == "required"
}

// object reads the members of n into the struct v, beside those called known. It reports whether
// all was well.
func (d *decoder) object(n *yaml.Node, v reflect.Value, known []string) bool {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "expected %s, got %s", expected(v.Type()), describe(n))
		return false
	}
	before := len(d.doc.diags)
	var names []string
	seen := make(map[string]bool)
	fields := make(map[string]int)
	for i := range v.NumField() {
		name, _ := tag(v.Type().Field(i))
		if name != "" {
			names, fields[name] = append(names, name), i
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		name := key.Value
		if seen[name] {
			d.fail(key, "the field %q stands here twice", name)
			continue
		}
		seen[name] = true
		if f, ok := fields[name]; ok {
			d.value(resolved(n.Content[i+1]), v.Field(f), v.Type().Field(f).Tag.Get("enum"))
		} else if !slices.Contains(known, name) && !strings.HasPrefix(name, "x-") {
			more := slices.Clone(names)
			if known != nil {
				more = append(more, "name", "links")
			}
			d.fail(key, "unknown field %q%s", name, suggest(name, more))
		}
	}
	for i := range v.NumField() {
		if name, required := tag(v.Type().Field(i)); required && !seen[name] {
			d.fail(n, "the field %q is missing: add %s, %s", name, name, v.Type().Field(i).Tag.Get("doc"))
		}
	}
	return len(d.doc.diags) == before
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	textType     = reflect.TypeFor[text]()
	portType     = reflect.TypeFor[portName]()
	codeType     = reflect.TypeFor[code]()
	exprType     = reflect.TypeFor[expression]()
	literalType  = reflect.TypeFor[literal]()
	sizeType     = reflect.TypeFor[size]()
)

// expected says what a field of type t holds.
func expected(t reflect.Type) string {
	switch {
	case t == durationType:
		return "a duration such as 30s or 250ms"
	case t == sizeType:
		return "a size such as 64KiB or 10MiB"
	case t == exprType:
		return "an expression"
	case t == portType:
		return "a port such as out[0]"
	case t == codeType || t == textType:
		return "a text"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list, in which stands " + expected(t.Elem())
	case reflect.Map, reflect.Struct, reflect.Pointer:
		return "an object"
	}
	return "a text"
}

// value reads n into v and reports whether all was well.
func (d *decoder) value(n *yaml.Node, v reflect.Value, enum string) bool {
	switch v.Type() {
	case literalType:
		x, ok := d.literal(n, 0)
		v.Set(reflect.ValueOf(literal{x, ok, d.spec.file.pos(n)}))
		return ok
	case codeType, exprType:
		if n.Kind != yaml.ScalarNode {
			d.fail(n, "expected %s, got %s", expected(v.Type()), describe(n))
			return false
		}
		c := code{n.Value, n}
		if v.Type() == exprType {
			v.Set(reflect.ValueOf(expression{c}))
		} else {
			v.Set(reflect.ValueOf(c))
		}
		return true
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(n, v.Elem(), enum)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			if n.Kind != yaml.ScalarNode || v.Type().Elem().Kind() == reflect.Struct && v.Type().Elem() != textType {
				d.fail(n, "expected %s, got %s", expected(v.Type()), describe(n))
				return false
			}
			n = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{n}} // one is a list of one
		}
		ok := true
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, item := range n.Content {
			ok = d.value(resolved(item), v.Index(i), enum) && ok
		}
		return ok
	case reflect.Map:
		if n.Kind != yaml.MappingNode {
			d.fail(n, "expected %s, got %s", expected(v.Type()), describe(n))
			return false
		}
		ok := true
		v.Set(reflect.MakeMap(v.Type()))
		for i := 0; i+1 < len(n.Content); i += 2 {
			x := reflect.New(v.Type().Elem()).Elem()
			ok = d.value(resolved(n.Content[i+1]), x, enum) && ok
			v.SetMapIndex(reflect.ValueOf(n.Content[i].Value), x)
		}
		return ok
	case reflect.Struct:
		if v.Type() != textType && v.Type() != portType {
			return d.object(n, v, nil)
		}
	}
	return d.scalar(n, v, enum)
}

// scalar reads n, in which names stand for their values, into v.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, enum string) bool {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" && n.Style == 0 {
		d.fail(n, "expected %s, got %s", expected(v.Type()), describe(n))
		return false
	}
	s, ok := d.expand(n)
	if !ok {
		return false
	}
	given := describe(n) // as the document has it: what a reference stands for may be a secret
	if enum != "" && !slices.Contains(strings.Split(enum, ","), s) {
		d.fail(n, "%s is not possible here%s", given, suggest(s, strings.Split(enum, ",")))
		return false
	}
	var err error
	switch v.Type() {
	case textType, portType:
		v.Set(reflect.ValueOf(text{s, d.spec.file.pos(n)}).Convert(v.Type()))
		return true
	case durationType:
		var x time.Duration
		if x, err = time.ParseDuration(s); err == nil && x < 0 {
			err = strconv.ErrRange
		}
		v.SetInt(int64(x))
	case sizeType:
		var x int64
		x, err = parseSize(s)
		v.SetInt(x)
	default:
		switch v.Kind() {
		case reflect.Bool:
			var x bool
			if x, err = strconv.ParseBool(s); s != "true" && s != "false" {
				err = strconv.ErrSyntax
			}
			v.SetBool(x)
		case reflect.Int:
			var x int
			if x, err = strconv.Atoi(s); err == nil && x < 0 {
				err = strconv.ErrRange
			}
			v.SetInt(int64(x))
		case reflect.Float64:
			var x float64
			if x, err = strconv.ParseFloat(s, 64); err == nil && !(x >= 0 && x <= math.MaxFloat64) {
				err = strconv.ErrRange
			}
			v.SetFloat(x)
		default:
			v.SetString(s)
		}
	}
	if err != nil {
		d.fail(n, "expected %s, got %s", expected(v.Type()), given)
		return false
	}
	return true
}

// parseSize reads a number of bytes.
func parseSize(s string) (int64, error) {
	units := []struct {
		name string
		n    int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}
	for _, u := range units {
		if number, ok := strings.CutSuffix(s, u.name); ok {
			x, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
			if err != nil || x < 0 || x > math.MaxInt64/u.n {
				return 0, strconv.ErrSyntax
			}
			return x * u.n, nil
		}
	}
	return 0, strconv.ErrSyntax
}

// references are ${NAME}, ${NAME:-otherwise}, ${file:PATH}, $$ and {{ .NAME }}.
var references = regexp.MustCompile(`\$\$|\$\{([^}]*)\}|\{\{\s*\.(\w+)\s*\}\}`)

// expand returns the text of n, with the values of what it refers to.
func (d *decoder) expand(n *yaml.Node) (s string, ok bool) {
	if d.verbatim || !strings.ContainsAny(n.Value, "${") {
		return n.Value, true
	}
	ok = true
	s = references.ReplaceAllStringFunc(n.Value, func(ref string) string {
		if ref == "$$" {
			return "$"
		}
		m := references.FindStringSubmatch(ref)
		name, otherwise, has := strings.Cut(m[1], ":-")
		if m[2] != "" {
			name = m[2]
		}
		if file, is := strings.CutPrefix(name, "file:"); is {
			data, path, err := d.doc.readFile(d.spec.file, file)
			if err != nil {
				ok = false
				d.fail(n, "the file %s, to which %s refers, cannot be read: %v", path, ref, err)
			}
			return strings.TrimRight(string(data), "\r\n")
		}
		if v, is := d.spec.vars[name]; is {
			return v
		}
		if v, is := d.doc.env(name); is {
			return v
		}
		if !has {
			ok = false
			d.fail(n, "the environment has no variable %s: set it, or write ${%s:-VALUE}", name, name)
		}
		return otherwise
	})
	return s, ok
}

// maxLiteral bounds how deep the values of a document nest.
const maxLiteral = 1000

// literal returns n as a value, by YAML's core schema.
func (d *decoder) literal(n *yaml.Node, depth int) (value.Value, bool) {
	if depth > maxLiteral {
		d.fail(n, "more than %d objects and lists nested in each other", maxLiteral)
		return value.Null(), false
	}
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]value.Value, len(n.Content))
		for i, item := range n.Content {
			var ok bool
			if list[i], ok = d.literal(resolved(item), depth+1); !ok {
				return value.Null(), false
			}
		}
		return value.List(list...), true
	case yaml.MappingNode:
		members := make([]value.Member, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, ok := d.literal(resolved(n.Content[i+1]), depth+1)
			if !ok {
				return value.Null(), false
			}
			members = append(members, value.Member{Name: n.Content[i].Value, Value: v})
		}
		return value.Map(members...), true
	}
	s, ok := d.expand(n)
	if !ok {
		return value.Null(), false
	}
	switch n.ShortTag() {
	case "!!null":
		return value.Null(), true
	case "!!bool":
		return value.Bool(s == "true" || s == "True" || s == "TRUE"), true
	case "!!int":
		if i, err := strconv.ParseInt(s, 0, 64); err == nil {
			return value.Int(i), true
		}
		if u, err := strconv.ParseUint(s, 0, 64); err == nil {
			return value.Uint(u), true
		}
		if v, err := value.Number(s); err == nil {
			return v, true
		}
	case "!!float":
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return value.Float(f), true
		}
	}
	return value.String(s), true
}
