package msgpack

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

var _ tree.Source = (*Reader)(nil)

// ReadTree reads the next value for package value, without an intermediate any.
func (r *Reader) ReadTree() (doc any, cell uint64, ok bool) {
	if r.err != nil || len(r.b) > tree.MaxInput {
		return nil, uint64(tree.Null), r.err != nil
	}
	if r.tree == nil {
		r.tree = tree.NewBuilder()
	}
	r.tree.Begin()
	if r.flags&setting.AliasInput != 0 {
		r.tree.Alias(r.b)
	}
	c, end := r.readTree(r.tree, r.i)
	if end < 0 {
		r.tree.Drop()
		return nil, uint64(tree.Null), true
	}
	r.i = end
	return r.tree.End(c), uint64(c), true
}

// readTree reads the value at i into t and returns its cell and the index after it,
// or a negative one. The cells of the containers that are open stand on t's stack.
func (r *Reader) readTree(t *tree.Builder, i int) (tree.Cell, int) {
	b := r.b
	var (
		cell  tree.Cell
		node  = t.Root() // the names read of the innermost map
		first *tree.Node // where the first name of that is remembered, nil after it
		mark  = t.Stack.N
		left  = 0 // values or pairs to come in the innermost container
		depth = 0
		isMap = false
	)
	for {
		if i >= len(b) {
			return cell, r.bad(i, packwire.Short, "value")
		}
		c := b[i]
		if int8(c) >= -32 {
			cell = tree.SmallInt(int8(c))
			i++
		} else if c&0xe0 == packwire.FixStr && len(b)-i > int(c&31) {
			n := int(c & 31)
			if i++; r.flags&flagUTF8 != 0 && !utf8.Valid(b[i:i+n]) {
				return cell, r.fail(i-1, errUTF8)
			}
			cell = tree.StringCell(t.Keep(b[i:i+n], i), n)
			i += n
		} else {
			class, next, n := packwire.Head(b, i)
			if next < 0 {
				return cell, r.bad(i, next, "value")
			}
			if class == packwire.ClassArray || class == packwire.ClassMap {
				least := n
				if isMap = class == packwire.ClassMap; isMap && n <= math.MaxInt/2 {
					least = 2 * n
				}
				if least > len(b)-next {
					return cell, r.bad(i, packwire.Short, "value")
				}
				if r.depth+depth >= r.maxDepth {
					return cell, r.fail(i, weft.ErrDepth)
				}
				if depth == len(t.Frames) {
					t.Frames = append(t.Frames, tree.Frame{})
				}
				// The frame has what there was around; isMap of the container around
				// is told by its frame's Map, set when that was opened.
				f := &t.Frames[depth]
				f.Node, f.Mark, f.Left, f.Map, f.Loose = node, mark, left, isMap, len(t.Loose)
				depth++
				mark, left = t.Stack.N, n
				i = next
				if isMap {
					first, node = node, t.Root()
				}
				goto more
			}
			var ok bool
			if cell, ok = r.treeScalar(t, class, i, next, n); !ok {
				return cell, -1
			}
			if i = next; class >= packwire.ClassStr {
				i += n
			}
		}
	pushed:
		if depth == 0 {
			return cell, i
		}
		t.Push(cell)
	more:
		if left == 0 {
			depth--
			f := &t.Frames[depth]
			top := t.Stack.N
			switch {
			case !f.Map:
				cell = t.List(mark, top)
			case top == mark:
				cell = tree.EmptyMap
			default:
				cell = t.Map(node, f.Loose, mark, top)
			}
			t.Stack.N = mark
			node, mark, left, first = f.Node, f.Mark, f.Left, nil
			isMap = depth > 0 && t.Frames[depth-1].Map
			goto pushed
		}
		left--
		if !isMap {
			continue
		}
		// The name that came next the last time is tried first.
		next := &node.Next
		if first != nil {
			next, first = &first.Inner, nil
		}
		start, end := packwire.ReadString(b, i)
		if p := *next; p != nil && end >= 0 && p.Name == mem.String(b[start:end]) {
			node, i = p, end
			continue
		}
		var name string
		if end >= 0 {
			if r.flags&flagUTF8 != 0 && !utf8.Valid(b[start:end]) {
				return cell, r.fail(i, errUTF8)
			}
			name = mem.String(b[start:end])
		} else if name, end = r.keyText(i); end < 0 {
			return cell, end
		}
		*next = t.Name(node, name)
		node, i = *next, end
	}
}

// treeScalar adds the value at i, whose head ends at next and says n, to t.
func (r *Reader) treeScalar(t *tree.Builder, class packwire.Class, i, next, n int) (c tree.Cell, ok bool) {
	b := r.b
	switch class {
	case packwire.ClassNil:
		return tree.Null, true
	case packwire.ClassBool:
		if b[i] == packwire.True {
			return tree.True, true
		}
		return tree.False, true
	case packwire.ClassInt, packwire.ClassUint:
		if v, end := packwire.ReadInt(b, i); end >= 0 {
			return t.Int(v), true
		}
		return t.Uint(binary.BigEndian.Uint64(b[i+1:])), true
	case packwire.ClassFloat:
		if b[i] == packwire.Float32 {
			return tree.SingleCell(math.Float32frombits(binary.BigEndian.Uint32(b[i+1:]))), true
		}
		f, _ := packwire.ReadFloat64(b, i)
		return t.Float(f), true
	}
	if n > len(b)-next {
		r.bad(i, packwire.Short, "value")
		return tree.Null, false
	}
	body := b[next : next+n]
	switch class {
	case packwire.ClassStr:
		if r.flags&flagUTF8 != 0 && !utf8.Valid(body) {
			r.fail(i, errUTF8)
			return tree.Null, false
		}
		return t.LongString(t.Keep(body, next), n), true
	case packwire.ClassBin:
		return t.Bytes(t.Keep(body, next), n), true
	}
	if b[next-1] != 0xff {
		return t.Ext(int64(int8(b[next-1])), t.Keep(body, next), n), true
	}
	at, ok := packwire.TimeBody(body)
	if !ok {
		r.fail(i, errTimestamp)
		return tree.Null, false
	}
	return t.Time(at.Unix(), at.Nanosecond()), true
}
