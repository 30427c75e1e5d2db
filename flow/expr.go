package flow

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/value"
)

// program is a compiled expression over a message.
type program interface {
	// value returns what the expression makes of the message.
	value(c *call, m *message) (value.Value, error)
	// holds reports whether the expression is true. It is only for those compiled as conditions.
	holds(c *call, m *message) (bool, error)
}

// variables are what an expression can speak of.
var variables = []struct {
	name string
	typ  types.Type
	get  func(c *call, m *message) (any, error)
}{
	{"method", types.String, func(_ *call, m *message) (any, error) { return m.method, nil }},
	{"host", types.String, func(_ *call, m *message) (any, error) { return m.host, nil }},
	{"path", types.String, func(_ *call, m *message) (any, error) { return m.path, nil }},
	{"remote", types.String, func(_ *call, m *message) (any, error) { return m.remote, nil }},
	{"status", types.Int, func(_ *call, m *message) (any, error) { return m.status, nil }},
	{"params", types.TypeOf(map[string]string{}), func(_ *call, m *message) (any, error) { return m.paramMap(), nil }},
	{"query", types.TypeOf(map[string]string{}), func(_ *call, m *message) (any, error) { return m.queryMap(), nil }},
	{"header", types.TypeOf(map[string]string{}), func(_ *call, m *message) (any, error) { return m.headerMap(), nil }},
	{"body", types.Any, func(c *call, m *message) (any, error) {
		v, err := m.body.value(c)
		return plain(v), err
	}},
	{"error", types.TypeOf(map[string]any{}), func(_ *call, m *message) (any, error) {
		if m.err == nil {
			return map[string]any(nil), nil
		}
		return m.err.value().Interface(), nil
	}},
}

func (m *message) paramMap() map[string]string {
	all := make(map[string]string, len(m.params))
	for _, p := range m.params {
		all[p.name] = p.value
	}
	return all
}

// queryMap returns the first value of each name of the query.
func (m *message) queryMap() map[string]string {
	q, _ := url.ParseQuery(m.query)
	all := make(map[string]string, len(q))
	for name, v := range q {
		all[name] = v[0]
	}
	return all
}

// headerMap returns the first value of each header, by lower-case names: of the
// request, or of the answer once there is one.
func (m *message) headerMap() map[string]string {
	h := m.header
	if m.status != 0 {
		h = m.reply
	}
	all := make(map[string]string, len(h)+1)
	for name, v := range h {
		if len(v) > 0 {
			all[strings.ToLower(name)] = v[0]
		}
	}
	if m.body.mediaType != "" {
		all["content-type"] = m.body.mediaType
	}
	return all
}

// plain returns v as expressions compute with it: a number that only text can say is
// the nearest float64.
func plain(v value.Value) any {
	x := v.Interface()
	if n, ok := x.(json.Number); ok {
		if f, err := n.Float64(); err == nil {
			return f
		}
	}
	return x
}

// exprProgram is a program by package expr. What it takes of the body is looked up
// in the value: only that becomes Go values.
type exprProgram struct {
	program *vm.Program
	uses    []int // indexes of the variables it speaks of
	slots   []bodySlot
	part    *string // when it is a part of the body and nothing else: the pointer to it
	states  sync.Pool
}

// bodySlot is a variable for a path from the body.
type bodySlot struct{ name, pointer string }

// exprState is what one run needs.
type exprState struct {
	vm  vm.VM
	env map[string]any
}

// compileExpr compiles a text. An error of package expr has the place in it.
func compileExpr(text string, options ...expr.Option) (*exprProgram, error) {
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	env := make(types.Map, len(variables))
	for _, v := range variables {
		env[v.name] = v.typ
	}
	options = append([]expr.Option{expr.Env(env)}, options...)
	p := new(exprProgram)
	names := make(nameVisitor)
	ast.Walk(&tree.Node, names)
	if !names["let body"] {
		paths := new(pathVisitor)
		ast.Walk(&tree.Node, paths)
		names = make(nameVisitor)
		ast.Walk(&tree.Node, names) // what is left
		if id, ok := tree.Node.(*ast.IdentifierNode); ok && id.Value == "body" {
			p.part = new(string)
		} else if ok && strings.HasPrefix(id.Value, "body·") {
			p.part = &paths.pointers[len(paths.pointers)-1]
		}
		for i, pointer := range paths.pointers {
			if names[slotName(i)] {
				p.slots = append(p.slots, bodySlot{slotName(i), pointer})
			}
			env[slotName(i)] = types.Any
		}
		options = append(options, expr.Patch(new(pathVisitor)))
	}
	for i, v := range variables {
		if names[v.name] {
			p.uses = append(p.uses, i)
		}
	}
	if p.program, err = expr.Compile(text, options...); err != nil {
		return nil, err
	}
	p.states.New = func() any { return &exprState{env: make(map[string]any, len(p.uses)+len(p.slots))} }
	return p, nil
}

// nameVisitor notes the variables of an expression, and those that let declares.
type nameVisitor map[string]bool

// Visit implements ast.Visitor.
func (v nameVisitor) Visit(n *ast.Node) {
	switch n := (*n).(type) {
	case *ast.IdentifierNode:
		v[n.Value] = true
	case *ast.VariableDeclaratorNode:
		v["let "+n.Name] = true
	}
}

// pathVisitor puts variables in the place of paths from the body, such as
// body.user.id. A walk goes from the leaves up, so that each step of a path lengthens
// the one before.
type pathVisitor struct {
	pointers []string // of the variables in the order of the walk
}

// slotName returns the name of a variable that no expression can spell.
func slotName(i int) string { return "body·" + strconv.Itoa(i) }

// Visit implements ast.Visitor.
func (v *pathVisitor) Visit(n *ast.Node) {
	m, ok := (*n).(*ast.MemberNode)
	if !ok || m.Method {
		return
	}
	from, ok := m.Node.(*ast.IdentifierNode)
	if !ok {
		return
	}
	pointer := ""
	if i, is := strings.CutPrefix(from.Value, "body·"); is {
		i, _ := strconv.Atoi(i)
		pointer = v.pointers[i]
	} else if from.Value != "body" {
		return
	}
	switch p := m.Property.(type) {
	case *ast.StringNode:
		pointer = string(wire.AppendPointer([]byte(pointer), p.Value))
	case *ast.IntegerNode:
		if p.Value < 0 {
			return
		}
		pointer += "/" + strconv.Itoa(p.Value)
	default:
		return
	}
	v.pointers = append(v.pointers, pointer)
	ast.Patch(n, &ast.IdentifierNode{Value: slotName(len(v.pointers) - 1)})
}

// run runs the program.
func (p *exprProgram) run(c *call, m *message) (any, error) {
	s := p.states.Get().(*exprState)
	for _, i := range p.uses {
		x, err := variables[i].get(c, m)
		if err != nil {
			return nil, err
		}
		s.env[variables[i].name] = x
	}
	if len(p.slots) > 0 {
		v, err := m.body.value(c)
		if err != nil {
			return nil, err
		}
		for _, slot := range p.slots {
			x, _ := v.Pointer(slot.pointer)
			s.env[slot.name] = plain(x)
		}
	}
	x, err := s.vm.Run(p.program, s.env)
	clear(s.env)
	p.states.Put(s)
	if err != nil {
		return nil, exprError(err)
	}
	return x, nil
}

// exprError returns an error of package expr in one line.
func exprError(err error) error {
	var at *file.Error
	if errors.As(err, &at) {
		return fmt.Errorf("the expression fails at %d:%d: %s", at.Line, at.Column+1, at.Message)
	}
	return fmt.Errorf("the expression fails: %w", err)
}

// exprPlace returns the place of an error of compileExpr in the text, counted from 1,
// and what is wrong.
func exprPlace(err error) (line, col int, msg string) {
	var at *file.Error
	if !errors.As(err, &at) {
		return 1, 1, "in the expression: " + err.Error()
	}
	return max(at.Line, 1), at.Column + 1, "in the expression: " + at.Message
}

// value implements program.
func (p *exprProgram) value(c *call, m *message) (value.Value, error) {
	if p.part != nil { // with its digits and the order of its members
		v, err := m.body.value(c)
		v, _ = v.Pointer(*p.part)
		return v, err
	}
	x, err := p.run(c, m)
	if err != nil {
		return value.Null(), err
	}
	switch x := x.(type) {
	case nil:
		return value.Null(), nil
	case bool:
		return value.Bool(x), nil
	case int:
		return value.Int(int64(x)), nil
	case int64:
		return value.Int(x), nil
	case float64:
		return value.Float(x), nil
	case string:
		return value.String(x), nil
	}
	return value.Marshal(x)
}

// holds implements program.
func (p *exprProgram) holds(c *call, m *message) (bool, error) {
	x, err := p.run(c, m)
	b, ok := x.(bool)
	if err == nil && !ok {
		err = fmt.Errorf("the expression gives %v, not true or false", reflect.TypeOf(x))
	}
	return b, err
}
