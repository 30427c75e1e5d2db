package config

import (
	"encoding"
	"encoding/csv"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

// leaf is a member that a variable or a flag can set.
type leaf struct {
	path []string
	t    reflect.Type
}

func (f leaf) pointer() string {
	var b []byte
	for _, name := range f.path {
		b = wire.AppendPointer(b, name)
	}
	return string(b)
}

// plain returns a name without case and punctuation, by which variables, flags and members are compared.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

// leaf returns the members that a name stands for.
func (l *loader) leaf(name string) []leaf {
	if l.leaves == nil {
		l.leaves = make(map[string][]leaf)
		if t := reflect.TypeOf(l.cfg); t != nil && t.Kind() == reflect.Pointer {
			l.walk(nil, t.Elem(), nil)
		}
	}
	return l.leaves[plain(name)]
}

var (
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	durationType = reflect.TypeFor[time.Duration]()
	optionType   = reflect.TypeFor[setting.OptionValue]()
)

// value returns the type of what pointers and options hold.
func value(t reflect.Type) reflect.Type {
	for {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		} else if v, ok := field(t); ok {
			t = v
		} else {
			return t
		}
	}
}

// field returns the type of the value of an option.
func field(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct || !t.Implements(optionType) {
		return nil, false
	}
	f, ok := t.FieldByName("V")
	return f.Type, ok
}

// walk notes the members of a type at a path. Types that hold themselves are followed once; within are those around.
func (l *loader) walk(path []string, t reflect.Type, within []reflect.Type) {
	t = value(t)
	if len(path) > 0 {
		key := plain(strings.Join(path, ""))
		l.leaves[key] = append(l.leaves[key], leaf{path, t})
	}
	if t.Kind() != reflect.Struct || isText(t) {
		return
	}
	for _, w := range within {
		if w == t {
			return
		}
	}
	within = append(within[:len(within):len(within)], t)
	for f := range t.Fields() {
		name, _, _ := strings.Cut(tag(f.Tag), ",")
		if !f.IsExported() && !f.Anonymous || name == "-" {
			continue
		}
		if f.Anonymous && name == "" && value(f.Type).Kind() == reflect.Struct {
			l.walk(path, f.Type, within)
			continue
		}
		if name == "" {
			name = f.Name
		}
		l.walk(append(path[:len(path):len(path)], name), f.Type, within)
	}
}

func tag(t reflect.StructTag) string {
	if s, ok := t.Lookup("json"); ok {
		return s
	}
	return t.Get("weft")
}

// isText reports whether values of the type are written as strings.
func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String || t == durationType || reflect.PointerTo(t).Implements(textType) ||
		t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// node returns what a text stands for, nil for nothing.
func (f leaf) node(text string) (*openapi.Node, error) {
	if isText(f.t) {
		return &openapi.Node{Kind: openapi.String, Text: text}, nil
	}
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	if f.isList() && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		list, err := csv.NewReader(strings.NewReader(text)).Read()
		if err != nil {
			return nil, err
		}
		return f.list(list)
	}
	n, found := openapi.ParseNode(".yaml", []byte(text)) // so that {a: 1} is one, too
	if e := found.Errors(); len(e) > 0 {
		return nil, errors.New(e[0].Message)
	}
	return n, nil
}

func (f leaf) isList() bool { return f.t.Kind() == reflect.Slice || f.t.Kind() == reflect.Array }

// list returns a list of what the texts stand for.
func (f leaf) list(texts []string) (*openapi.Node, error) {
	list := &openapi.Node{Kind: openapi.Array}
	item := leaf{t: reflect.TypeFor[any]()}
	if f.isList() {
		item.t = value(f.t.Elem())
	}
	for _, text := range texts {
		n, err := item.node(text)
		if err != nil {
			return nil, err
		}
		if n == nil {
			n = &openapi.Node{Kind: openapi.String}
		}
		list.Items = append(list.Items, n)
	}
	return list, nil
}
