package value

import (
	"bytes"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// jsonCells is json for the list of n cells of d that begin at from, or for the map
// of shape s.
func (x *exporter) jsonCells(b []byte, d *tree.Doc, from, n int, s *tree.Shape) []byte {
	if !x.enter() {
		return b
	}
	var names []string
	how := tree.SpellJSON
	end := byte(']')
	if s == nil {
		b = append(b, '[')
	} else {
		if x.html {
			how = tree.SpellHTML
		}
		names = s.Spelling(how)
		b = append(b, '{')
		end = '}'
	}
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if names != nil {
			b = append(b, names[i]...)
		} else if s != nil {
			b = tree.AppendName(b, s.Names[i], how)
		}
		c := d.Cell(from + i)
		switch c.Tag() {
		case tree.TagString:
			b = wire.AppendJSONString(b, d.Text(c.At(), c.Small()), wire.HTML(x.html))
		case tree.TagInt:
			b = wire.AppendInt(b, c.Int())
		case tree.TagSimple:
			if c > tree.True {
				v := inTree(d, c)
				b = x.json(b, &v)
				break
			}
			b = append(b, simpleJSON[c-tree.Null]...)
		case tree.TagNumber:
			b = append(b, d.Text(c.At(), c.Small())...)
		case tree.TagList:
			if c.Small() == 0 {
				b = append(b, "[]"...)
				break
			}
			b = x.jsonCells(b, d, c.At(), c.Small(), nil)
		case tree.TagMap:
			if c == tree.EmptyMap {
				b = append(b, "{}"...)
				break
			}
			m := d.Shape(c.Small())
			b = x.jsonCells(b, d, c.At(), m.Len(), m)
		case tree.TagFar:
			v := farValue(d, c)
			b = x.json(b, &v)
		default:
			if !c.IsFinite() {
				x.fail(errNotFinite)
				break
			}
			b = wire.AppendFloat64(b, c.Float())
		}
		if x.err != nil {
			x.in(cellStep(s, i))
			return b
		}
	}
	x.levels++
	return append(b, end)
}

// jsonText is json for a list or a map of which there is the text.
func (x *exporter) jsonText(b []byte, v *Value) []byte {
	if text := mem.Target[tree.Lazy](v.ref).Text(); !x.html || !hasHTML(text) {
		return append(b, text...)
	}
	w := v.open()
	return x.json(b, &w)
}

// hasHTML reports whether there is something in a text that is escaped for HTML.
func hasHTML(text []byte) bool {
	return bytes.IndexByte(text, '<') >= 0 || bytes.IndexByte(text, '>') >= 0 || bytes.IndexByte(text, '&') >= 0 ||
		bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029"))
}

var simpleJSON = [...]string{"null", "false", "true"}

// cellStep is the step into the i-th value of a list, or of a map of shape s.
func cellStep(s *tree.Shape, i int) step {
	if s == nil {
		return step{index: i}
	}
	return step{s.Names[i], -1}
}

// msgpackCells is msgpack for the list of n cells of d that begin at from, or for
// the map of shape s.
func (x *exporter) msgpackCells(b []byte, d *tree.Doc, from, n int, s *tree.Shape) []byte {
	if !x.enter() {
		return b
	}
	var names []string
	if s == nil {
		b = packwire.AppendArrayHeader(b, n)
	} else {
		names = s.Spelling(tree.SpellMsgpack)
		b = packwire.AppendMapHeader(b, n)
	}
	for i := range n {
		if names != nil {
			b = append(b, names[i]...)
		} else if s != nil {
			b = tree.AppendName(b, s.Names[i], tree.SpellMsgpack)
		}
		c := d.Cell(from + i)
		switch c.Tag() {
		case tree.TagString:
			b = packwire.AppendString(b, d.Text(c.At(), c.Small()))
		case tree.TagInt:
			b = packwire.AppendInt(b, c.Int())
		case tree.TagList:
			b = x.msgpackCells(b, d, c.At(), c.Small(), nil)
		case tree.TagMap:
			if c == tree.EmptyMap {
				b = packwire.AppendMapHeader(b, 0)
				break
			}
			m := d.Shape(c.Small())
			b = x.msgpackCells(b, d, c.At(), m.Len(), m)
		case tree.TagSimple:
			if f, ok := c.Float32(); ok {
				b = packwire.AppendFloat32(b, f)
				break
			}
			b = append(b, simpleMsgpack[c-tree.Null])
		case tree.TagNumber, tree.TagFar:
			v := inTree(d, c)
			b = x.msgpack(b, &v)
		default:
			b = packwire.AppendFloat64(b, c.Float())
		}
		if x.err != nil {
			x.in(cellStep(s, i))
			return b
		}
	}
	x.levels++
	return b
}

var simpleMsgpack = [...]byte{0xc0, 0xc2, 0xc3}
