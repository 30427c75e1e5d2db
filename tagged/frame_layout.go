package tagged

import (
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// layout is how values of a Go type become columns. It is immutable; the columns
// themselves belong to a writer and are found by their index.
type layout struct {
	schema  *framewire.Schema
	columns int // in all
	root    *node
	flat    bool // root.flat()
}

// node writes the values of one Go type.
type node struct {
	kind     byte
	nullable bool
	column   int // index of its first column: presence if it is nullable, else its own
	p        *program
	fields   []nodeField
	elem     *node // of list, map, pointer and option
	key      *node
	through  byte // how a nullable value is reached
	via      byte // how it is reached behind a field that may be absent
}

// Ways to a nullable value.
const (
	throughNone    = iota
	throughPointer // of which nil is null
	throughOption
	throughBytes // of which nil is null
	throughField // the field says
)

type nodeField struct {
	f *field
	n *node
}

// columnsOf is how many columns the node itself has behind the one for presence.
var columnsOf = [framewire.Kinds]int{
	framewire.Bool: 1, framewire.Int: 1, framewire.Uint: 1, framewire.Float32: 1, framewire.Float64: 1,
	framewire.String: 1, framewire.Bytes: 1, framewire.Time: 3, framewire.Number: 1, framewire.List: 1, framewire.Map: 1,
	framewire.Message: 1, framewire.Dynamic: 1,
}

// layoutOf returns how values of p become columns.
func layoutOf(p *program) *layout {
	if l := p.columns.Load(); l != nil {
		return l
	}
	var c layoutCompiler
	var root *node
	for depth := deepest; ; depth /= 2 {
		c = layoutCompiler{open: make(map[*program]bool), depth: depth}
		if root = c.node(p); c.columns <= mostColumns || depth == 1 {
			break
		}
	}
	l := &layout{schema: root.schema(), columns: c.columns, root: root, flat: root.flat()}
	p.columns.CompareAndSwap(nil, l)
	return p.columns.Load()
}

// A layout has no more columns than mostColumns, unless the outermost struct has: types that lead to each other in many
// ways would have numbers that double with each level. Structs at the levels that are too deep become values of any
// kind.
const (
	mostColumns = 1 << 14
	deepest     = 64
)

type layoutCompiler struct {
	open    map[*program]bool // structs around, so that one in itself becomes messages
	depth   int               // how many structs there may be within each other
	structs int               // that are open
	columns int
}

// take numbers n columns.
func (c *layoutCompiler) take(n int) int {
	c.columns += n
	return c.columns - n
}

func (c *layoutCompiler) leaf(kind byte, p *program) *node {
	return &node{kind: kind, column: c.take(columnsOf[kind]), p: p}
}

// nullable puts a column for presence before what inner makes.
func (c *layoutCompiler) nullable(through byte, p *program, inner func() *node) *node {
	at := c.take(1)
	in := inner()
	if in.nullable {
		if through != throughField {
			return nil
		}
		return &node{kind: in.kind, nullable: true, column: at, p: in.p, elem: in.elem, through: through, via: in.through}
	}
	return &node{kind: in.kind, nullable: true, column: at, p: p, elem: in, through: through}
}

// node makes the node of p. What has no columns of its own becomes values of any kind,
// but for messages.
func (c *layoutCompiler) node(p *program) *node {
	from := c.columns
	if p.unruled != nil {
		p = p.unruled // rules are for reading
	}
	if n := c.try(p); n != nil {
		return n
	}
	c.columns = from
	if p.enc == plan.Raw {
		return c.leaf(framewire.Message, p)
	}
	return c.leaf(framewire.Dynamic, p)
}

var kindOf = [...]byte{
	plan.Bool: framewire.Bool, plan.Int: framewire.Int, plan.Int8: framewire.Int, plan.Int16: framewire.Int,
	plan.Int32: framewire.Int, plan.Int64: framewire.Int, plan.Uint: framewire.Uint, plan.Uint8: framewire.Uint,
	plan.Uint16: framewire.Uint, plan.Uint32: framewire.Uint, plan.Uint64: framewire.Uint, plan.Uintptr: framewire.Uint,
	plan.Float32: framewire.Float32, plan.Float64: framewire.Float64, plan.String: framewire.String,
	plan.Time:   framewire.Time,
	plan.Number: framewire.Number, plan.ByteArray: framewire.Bytes, cText: framewire.String,
}

func (c *layoutCompiler) try(p *program) *node {
	if p.enc != p.dec {
		return nil
	}
	switch p.enc {
	case plan.Bytes, plan.ByteSlice:
		return c.nullable(throughBytes, p, func() *node { return c.leaf(framewire.Bytes, p) })
	case plan.Pointer:
		if p.elem.enc == plan.Pointer || p.elem.enc == plan.Any || p.elem.enc == plan.Interface {
			return nil
		}
		return c.nullable(throughPointer, p, func() *node { return c.node(p.elem) })
	case plan.Option:
		return c.nullable(throughOption, p, func() *node { return c.node(p.elem) })
	case plan.Slice, plan.Array:
		if c.open[p] {
			return nil
		}
		c.open[p] = true
		defer delete(c.open, p)
		n := c.leaf(framewire.List, p)
		n.elem = c.node(p.elem)
		return n
	case plan.Map:
		if c.open[p] || p.elem.enc == plan.Any && p.typ.KeyMarshal == plan.KeyString {
			return nil
		}
		c.open[p] = true
		defer delete(c.open, p)
		n := c.leaf(framewire.Map, p)
		k := keyProgram(p.typ)
		switch t := p.typ; {
		case t.KeyMarshal != t.KeyUnmarshal:
			return nil
		case t.KeyMarshal == plan.KeyString, t.KeyMarshal == plan.KeyInt, t.KeyMarshal == plan.KeyUint:
			n.key = c.leaf(kindOf[k.enc], k)
		default:
			return nil
		}
		n.elem = c.node(p.elem)
		return n
	case plan.Struct:
		if p.rest != nil || c.open[p] || c.structs == c.depth || c.columns > mostColumns && c.structs > 0 {
			return nil
		}
		c.open[p] = true
		c.structs++
		defer func() { delete(c.open, p); c.structs-- }()
		n := &node{kind: framewire.Struct, p: p}
		for _, k := range p.declared {
			f := &p.fields[k]
			var in *node
			if f.flags != 0 {
				in = c.nullable(throughField, f.p, func() *node { return c.node(f.p) })
			} else {
				in = c.node(f.p)
			}
			if in == nil {
				return nil
			}
			n.fields = append(n.fields, nodeField{f, in})
		}
		return n
	}
	if int(p.enc) < len(kindOf) && kindOf[p.enc] != 0 {
		return c.leaf(kindOf[p.enc], p)
	}
	return nil
}

// keyProgram is the program of the keys of maps of type t, by their kind alone.
func keyProgram(t *plan.Type) *program {
	c := t.Key.Kind
	switch {
	case t.KeyMarshal == plan.KeyString:
		c = plan.String // whatever string it is
	case c == plan.Duration:
		c = plan.Int64
	}
	return &program{enc: c, dec: c, mem: t.Key.Mem, typ: t.Key}
}

func (n *node) schema() *framewire.Schema {
	if n.nullable {
		s := *n.elem.schema()
		s.Nullable = true
		return &s
	}
	s := &framewire.Schema{Kind: n.kind}
	switch n.kind {
	case framewire.Struct:
		for _, f := range n.fields {
			s.Names = append(s.Names, f.f.f.Name)
			s.Nodes = append(s.Nodes, f.n.schema())
		}
	case framewire.List:
		s.Nodes = []*framewire.Schema{n.elem.schema()}
	case framewire.Map:
		s.Nodes = []*framewire.Schema{n.key.schema(), n.elem.schema()}
	}
	return s
}
