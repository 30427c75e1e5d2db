package json

import (
	"math"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire"
)

// ReadTree reads the next value for package value, which has no need of an any in
// between.
func (r *Reader) ReadTree() (doc *tree.Doc, c tree.Cell, ok bool) {
	d := &r.d
	if r.err != nil || d.n > tree.MaxInput {
		return nil, tree.Null, r.err != nil
	}
	i := r.next()
	if d.tree == nil {
		d.tree = tree.NewBuilder()
	}
	d.tree.Begin()
	var j int
	if d.flags&decodeLazy != 0 && !d.badUTF8 && d.n >= lazyText && (d.b.At(i) == '{' || d.b.At(i) == '[') {
		if j = d.skip(i); j-i >= lazyText {
			text := append(mem.MakeNoZero(j-i), d.data[i:j]...)
			r.i, c = j, d.tree.Lazy(text, openLazy)
			return d.tree.End(c), c, true
		}
	}
	c, j = d.readTree(d.tree, i)
	if j < 0 {
		d.tree.Drop()
		r.to(j)
		return nil, tree.Null, true
	}
	r.i = j
	return d.tree.End(c), c, true
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
func (d *decoder) readTree(t *tree.Builder, i int) (tree.Cell, int) {
	b, ends, solid := d.b, d.s, d.nw
	stack, top, stackCap := t.Stack.B, t.Stack.N, t.Stack.Cap
	text, at, textCap := t.Text.B, t.Text.N, t.Text.Cap
	var (
		cell  tree.Cell
		node  = t.Root() // the names read of the innermost object
		mark  = top      // where the cells of the innermost container begin
		depth = 0
		isMap = false
		c     = b.At(i)
		lazy  = d.flags&decodeLazy != 0
	)
	for {
		// b.At(i) begins a value, c.
		switch c {
		case '"':
			i++
			e := ends.Next(i)
			n := e - i
			if textCap-at < n+32 {
				t.Text.N = at
				t.Text.Grow(n + 32)
				text, textCap = t.Text.B, t.Text.Cap
			}
			if b.At(e) != '"' || d.badUTF8 || n > tree.ShortText {
				t.Text.N = at
				if cell, i = d.treeString(t, i, e); i < 0 {
					return cell, i
				}
				text, at, textCap = t.Text.B, t.Text.N, t.Text.Cap
				break
			}
			switch {
			case n <= 16:
				text.SetU64(at, b.U64(i))
				text.SetU64(at+8, b.U64(i+8))
			case n <= 32:
				text.SetU64(at, b.U64(i))
				text.SetU64(at+8, b.U64(i+8))
				text.SetU64(at+16, b.U64(i+16))
				text.SetU64(at+24, b.U64(i+24))
			default:
				copy(text.Slice(at, at+n), b.Slice(i, e))
			}
			cell = tree.StringCell(at, n)
			at += n
			i = e + 1
		case '{', '[':
			if lazy && depth > 0 {
				if j := d.skip(i); j-i >= lazyText {
					cell = t.Lazy(d.data[i:j:j], openLazy)
					i = j
					break
				}
			}
			if d.depth+depth >= d.most {
				return cell, d.fail()
			}
			if depth == len(t.Frames) {
				t.Frames = append(t.Frames, tree.Frame{})
			}
			f := &t.Frames[depth]
			f.Node, f.Mark, f.Map, f.Loose = node, mark, isMap, len(t.Loose)
			depth++
			mark, isMap = top, c == '{'
			i++
			if b.At(i) <= ' ' {
				i = solid.Next(i)
			}
			c = b.At(i)
			if !isMap {
				if c != ']' {
					continue
				}
				goto closed
			}
			if c == '}' {
				goto closed
			}
			if p := node.Inner; p != nil {
				if w := p.Key.Match(b, i); w != 0 {
					node = p
					i += w
					goto member
				}
			}
			p, j := d.treeName(t, t.Root(), i)
			if j < 0 {
				return cell, j
			}
			node.Inner = p
			node, i = p, j
			goto member
		case 't':
			if b.U32(i) != wordTrue {
				return cell, d.fail()
			}
			cell = tree.True
			i += 4
		case 'f':
			if !isFalse(b, i) {
				return cell, d.fail()
			}
			cell = tree.False
			i += 5
		case 'n':
			if b.U32(i) != wordNull {
				return cell, d.fail()
			}
			cell = tree.Null
			i += 4
		default:
			u, j, form := d.treeNumber(i)
			switch form {
			case tree.FormInt:
				cell = t.Int(int64(u))
			case tree.FormFloat:
				cell = tree.Cell(u)
			default:
				if j = d.skipNumber(i); j < 0 {
					return cell, j
				}
				t.Text.N = at
				cell = t.Number(b.Slice(i, j))
				text, at, textCap = t.Text.B, t.Text.N, t.Text.Cap
			}
			i = j
		}
	pushed:
		if depth == 0 {
			t.Text.N = at
			return cell, i
		}
		if top == stackCap {
			t.Stack.N = top
			t.Stack.Grow(8)
			stack, stackCap = t.Stack.B, t.Stack.Cap
		}
		stack.SetU64(top, uint64(cell))
		top += 8
		c = b.At(i)
		if c <= ' ' {
			i = solid.Next(i)
			c = b.At(i)
		}
		if c == ',' {
			i++
			if b.At(i) <= ' ' {
				i = solid.Next(i)
			}
			c = b.At(i)
			if !isMap {
				continue
			}
			if p := node.Next; p != nil {
				if w := p.Key.Match(b, i); w != 0 {
					node = p
					i += w
					goto member
				}
			}
			p, j := d.treeName(t, node, i)
			if j < 0 {
				return cell, j
			}
			node.Next = p
			node, i = p, j
			goto member
		}
	closed:
		{
			depth--
			f := &t.Frames[depth]
			if isMap {
				if c != '}' {
					return cell, d.fail()
				}
				if top == mark {
					cell = tree.EmptyMap
				} else {
					cell = t.Map(node, f.Loose, mark, top)
				}
			} else {
				if c != ']' {
					return cell, d.fail()
				}
				cell = t.List(mark, top)
			}
			i++
			top, mark, node, isMap = mark, f.Mark, f.Node, f.Map
			goto pushed
		}
	member:
		c = b.At(i)
		if c == ' ' {
			i++
			c = b.At(i)
		}
		if c <= ' ' {
			i = solid.Next(i)
			c = b.At(i)
		}
	}
}

// treeString is for a string with escapes, in a text that is not UTF-8, or very
// long. e is the first special character.
//
//go:noinline
func (d *decoder) treeString(t *tree.Builder, i, e int) (tree.Cell, int) {
	if d.b.At(e) == '"' && !d.badUTF8 {
		return t.String(d.b.Slice(i, e)), e + 1
	}
	s, j := d.unescape(i, e)
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

// treeNumber returns the number at i as [tree.ParseNumber] would have it, and the
// index after it, if that is soon told.
func (d *decoder) treeNumber(i int) (u uint64, j int, form tree.Form) {
	b := d.b
	neg := b.At(i) == '-'
	if neg {
		i++
	}
	m := uint64(b.At(i) - '0')
	if m > 9 {
		return 0, i, tree.FormText
	}
	first := i // of the significant digits
	i++
	if m != 0 {
		for {
			c := uint64(b.At(i) - '0')
			if c > 9 {
				break
			}
			m = m*10 + c
			i++
		}
	} else {
		first = i
	}
	count := i - first
	exp := 0
	c := b.At(i)
	if c != '.' && c|0x20 != 'e' {
		if count > 18 || m == 0 && neg || c-'0' <= 9 {
			return 0, i, tree.FormText
		}
		if neg {
			m = -m
		}
		return m, i, tree.FormInt
	}
	if c == '.' {
		i++
		point := i
		if m == 0 {
			for b.At(i) == '0' {
				i++
			}
		}
		first = i
		for {
			x := b.U64(i)
			if k := wire.CountDigits(x); k < 8 {
				if k > 0 {
					m = m*smallPow10[k] + wire.Parse8Digits(x<<(64-8*k)|0x3030303030303030>>(8*k))
					i += k
				}
				break
			}
			m = m*1e8 + wire.Parse8Digits(x)
			i += 8
		}
		if i == point {
			return 0, i, tree.FormText
		}
		exp = point - i
		count += i - first
		c = b.At(i)
	}
	if c|0x20 == 'e' {
		i++
		sign := b.At(i)
		if sign == '-' || sign == '+' {
			i++
		}
		e := int(b.At(i) - '0')
		if e > 9 {
			return 0, i, tree.FormText
		}
		i++
		for n := 0; ; n++ {
			c := int(b.At(i) - '0')
			if c > 9 {
				break
			}
			if n == 2 {
				return 0, i, tree.FormText
			}
			e = e*10 + c
			i++
		}
		if sign == '-' {
			e = -e
		}
		exp += e
	}
	if count > 17 {
		return 0, i, tree.FormText
	}
	f, ok := wire.ParseFloat64(m, exp, neg)
	if !ok || m != 0 && (math.Abs(f) < 0x1p-1022 || math.IsInf(f, 0)) {
		return 0, i, tree.FormText
	}
	return math.Float64bits(f), i, tree.FormFloat
}

// smallPow10 has the powers of ten.
var smallPow10 = [8]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

var _ tree.Source = (*Reader)(nil)
