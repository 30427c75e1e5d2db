package json

import (
	"math"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire"
)

// ReadTree reads the next value for package value, which has no need of an any in
// between.
func (r *reader) ReadTree() (doc any, cell uint64, ok bool) {
	d := &r.d
	if r.err != nil || d.n > tree.MaxInput {
		return nil, uint64(tree.Null), r.err != nil
	}
	i := r.next()
	if d.tree == nil {
		d.tree = tree.NewBuilder()
	}
	d.tree.Begin()
	alias := d.flags&decodeAlias != 0
	if alias {
		d.tree.Alias(d.data)
	}
	var c tree.Cell
	var j int
	if d.flags&decodeLazy != 0 && !d.badUTF8 && d.n >= lazyText && (d.b.At(i) == '{' || d.b.At(i) == '[') {
		if j = d.skip(i); j-i >= lazyText {
			text := d.data[i:j:j]
			if !alias {
				text = append(mem.MakeNoZero(j-i), text...)
			}
			r.i, c = j, d.tree.Lazy(text, openLazy)
			return d.tree.End(c), uint64(c), true
		}
	}
	c, j = d.readTree(d.tree, i)
	if j < 0 {
		d.tree.Drop()
		r.to(j)
		return nil, uint64(tree.Null), true
	}
	r.i = j
	return d.tree.End(c), uint64(c), true
}

// lazyText is the length of the shortest text that is kept as it is where the option
// LazyValues is on.
const lazyText = 256

// openLazy reads one level of what has been kept as text.
func openLazy(text []byte) (*tree.Doc, tree.Cell) {
	d := newDecoder(text, decodeOptions{flags: decodeLazy, depth: deepest})
	if d.tree == nil {
		d.tree = tree.NewBuilder()
	}
	d.tree.Begin()
	c, _ := d.readTree(d.tree, 0) // it has been valid before
	doc := d.tree.End(c)
	d.release(true)
	return doc, c
}

// readTree reads the value at i into t and returns its cell and the index after it,
// or failed. The cells of the containers that are open stand on t's stack.
func (d *decoder) readTree(t *tree.Builder, i int) (cell tree.Cell, j int) {
	depth := d.depth
	switch c := d.b.At(i); c {
	case '{':
		cell, j = d.treeMap(t, t.Root(), i)
	case '[':
		cell, j = d.treeList(t, t.Root(), i)
	default:
		cell, j = d.treeValue(t, t.Root(), c, i)
	}
	d.depth = depth
	return cell, j
}

// treeMap reads the object at i, the value of around's last name or in it.
func (d *decoder) treeMap(t *tree.Builder, around *tree.Node, i int) (cell tree.Cell, j int) {
	b := d.b
	if d.depth >= d.most {
		return cell, d.fail()
	}
	i++
	c := b.At(i)
	if c <= ' ' {
		i = d.nw.Next(i)
		c = b.At(i)
	}
	if c == '}' {
		return tree.EmptyMap, i + 1
	}
	d.depth++
	mark, loose := t.Stack.N, len(t.Loose)
	node, next := t.Root(), &around.Inner
	for {
		p, w := *next, 0
		if p != nil {
			w = p.Key.Match(b, i)
		}
		if w == 0 {
			if p, j = d.treeName(t, node, i); j < 0 {
				return cell, j
			}
			*next = p
			i = j
		}
		node, next = p, &p.Next
		i += w
		c = b.At(i)
		if c == ' ' {
			i++
			c = b.At(i)
		}
		if c <= ' ' {
			i = d.nw.Next(i)
			c = b.At(i)
		}
		if c == '"' {
			cell, i = d.treeText(t, i)
		} else {
			cell, i = d.treeValue(t, p, c, i)
		}
		if i < 0 {
			return cell, i
		}
		s := &t.Stack
		if s.N == s.Cap {
			s.Grow(8)
		}
		s.B.SetU64(s.N, uint64(cell))
		s.N += 8
		c = b.At(i)
		if c <= ' ' {
			i = d.nw.Next(i)
			c = b.At(i)
		}
		if c != ',' {
			break
		}
		i++
		if b.At(i) <= ' ' {
			i = d.nw.Next(i)
		}
	}
	if c != '}' {
		return cell, d.fail()
	}
	d.depth--
	cell = t.Map(node, loose, mark, t.Stack.N)
	t.Stack.N = mark
	return cell, i + 1
}

// treeList reads the array at i, in the value of around's last name.
func (d *decoder) treeList(t *tree.Builder, around *tree.Node, i int) (cell tree.Cell, j int) {
	b := d.b
	if d.depth >= d.most {
		return cell, d.fail()
	}
	i++
	c := b.At(i)
	if c <= ' ' {
		i = d.nw.Next(i)
		c = b.At(i)
	}
	mark := t.Stack.N
	if c == ']' {
		return t.List(mark, mark), i + 1
	}
	d.depth++
	for {
		switch {
		case c == '"':
			cell, i = d.treeText(t, i)
		case c <= '9':
			if cell, j = d.treeNumber(t, i); j != 0 {
				i = j
				break
			}
			fallthrough
		default:
			cell, i = d.treeValue(t, around, c, i)
		}
		if i < 0 {
			return cell, i
		}
		s := &t.Stack
		if s.N == s.Cap {
			s.Grow(8)
		}
		s.B.SetU64(s.N, uint64(cell))
		s.N += 8
		c = b.At(i)
		if c <= ' ' {
			i = d.nw.Next(i)
			c = b.At(i)
		}
		if c != ',' {
			break
		}
		i++
		c = b.At(i)
		if c <= ' ' {
			i = d.nw.Next(i)
			c = b.At(i)
		}
	}
	if c != ']' {
		return cell, d.fail()
	}
	d.depth--
	cell = t.List(mark, t.Stack.N)
	t.Stack.N = mark
	return cell, i + 1
}

// treeValue reads the value at i, which begins with c.
func (d *decoder) treeValue(t *tree.Builder, around *tree.Node, c byte, i int) (cell tree.Cell, j int) {
	switch c {
	case '{', '[':
		if d.flags&decodeLazy != 0 && d.depth > 0 {
			if j := d.skip(i); j-i >= lazyText {
				return t.Lazy(d.data[i:j:j], openLazy), j
			}
		}
		if c == '{' {
			return d.treeMap(t, around, i)
		}
		return d.treeList(t, around, i)
	case '"':
		return d.treeText(t, i)
	case 't', 'f':
		v, j := d.bool(i)
		if j < 0 {
			return cell, d.fail()
		}
		return pick(v, tree.True, tree.False), j
	case 'n':
		if d.b.U32(i) != wordNull {
			return cell, d.fail()
		}
		return tree.Null, i + 4
	}
	if cell, j = d.treeNumber(t, i); j == 0 {
		if j = d.skipNumber(i); j >= 0 {
			cell = t.Number(d.b.Slice(i, j))
		}
	}
	return cell, j
}

// treeText reads the string at i.
func (d *decoder) treeText(t *tree.Builder, i int) (tree.Cell, int) {
	b, text := d.b, &t.Text
	i++
	e := d.s.Next(i)
	n, at := e-i, text.N
	if d.flags&decodeAlias != 0 {
		return d.treeString(t, i, e)
	}
	if text.Cap-at < n+32 {
		text.Grow(n + 32)
	}
	if b.At(e) != '"' || d.badUTF8 || n > tree.ShortText {
		return d.treeString(t, i, e)
	}
	switch {
	case n <= 16:
		text.B.Copy16(at, b, i)
	case n <= 32:
		text.B.Copy16(at, b, i)
		text.B.Copy16(at+16, b, i+16)
	default:
		copy(text.B.Slice(at, at+n), b.Slice(i, e))
	}
	text.N = at + n
	return tree.StringCell(at, n), e + 1
}

// treeString is for a string with escapes, in a text that is not UTF-8, or very
// long. e is the first special character.
//
//go:noinline
func (d *decoder) treeString(t *tree.Builder, i, e int) (tree.Cell, int) {
	if d.b.At(e) == '"' && !d.badUTF8 {
		return t.LongString(t.Keep(d.b.Slice(i, e), i), e-i), e + 1
	}
	s, j := d.unescape(d.esc[:0], i, e)
	if j < 0 {
		return tree.Null, j
	}
	return t.String(s), j
}

// treeName returns the node after n for the name at i, and the index after the
// colon.
//
//go:noinline
func (d *decoder) treeName(t *tree.Builder, n *tree.Node, i int) (*tree.Node, int) {
	if d.b.At(i) != '"' {
		return nil, d.fail()
	}
	name, j := d.name(i)
	if j < 0 {
		return nil, j
	}
	if d.b.At(j) != ':' {
		if j = d.ws(j); d.b.At(j) != ':' {
			return nil, d.fail()
		}
	}
	return t.Name(n, name), j + 1
}

// treeNumber returns the cell of the number at i and the index after it, or 0 if that
// is not soon told.
func (d *decoder) treeNumber(t *tree.Builder, i int) (tree.Cell, int) {
	n, j := wire.ReadDecimal(d.b, i)
	switch {
	case j < 0:
		return 0, 0
	case n.Whole():
		if n.Digits > 18 || n.Mant == 0 && n.Neg() {
			return 0, 0
		}
		v := int64(n.Mant)
		if n.Neg() {
			v = -v
		}
		return t.Int(v), j
	case n.Digits > 17 || n.Exp10 < -307 || n.Exp10 > 288: // else no float of at most 17 digits is subnormal or infinite
		return 0, 0
	}
	f, ok := wire.ParseFloat64(n.Mant, n.Exp10, n.Neg())
	if !ok {
		return 0, 0
	}
	return tree.Cell(math.Float64bits(f)), j
}

var _ tree.Source = (*reader)(nil)
