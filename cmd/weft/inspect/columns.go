package inspect

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
	"github.com/weftcodec/weft/tagged"
)

// The kinds of columns, of which docs/framed.md says what they have.
const (
	kindBool = 1 + iota
	kindInt
	kindUint
	kindFloat32
	kindFloat64
	kindString
	kindBytes
	kindTime
	kindNumber
	kindStruct
	kindList
	kindMap
	kindMessage
	kindAny

	kindNullable = 0x80

	kindObject = kindStruct // in a value node
)

var kindNames = [...]string{"null", "bool", "int", "uint", "float32", "float64", "string", "bytes", "time", "number",
	"struct", "list", "map", "message", "any"}

// Frames are checked by their checksums before their columns are read, so that these say what is wrong with a writer.
var errColumns = errors.New("the columns are not as the layout says")

// stream prints the header and the frames of a stream, and the columns of each frame.
func (d *dump) stream() error {
	var held bytes.Buffer // of what has been read ahead
	fd := tagged.NewFrameDecoder(io.TeeReader(d.in, &held))
	text, err := fd.Schema()
	if err != nil {
		return err
	}
	single, err := fd.Single()
	if err != nil {
		return err
	}
	d.off = fd.InputOffset()
	header := held.Next(int(d.off))
	what := "header of a list of "
	if single {
		what = "header of one "
	}
	d.row(0, nil, 0, what+text)
	c := columns{dump: d, b: header, i: 6}
	c.uvarint()
	schema := c.node()
	for {
		start := d.off
		records, err := fd.SkipFrame()
		d.off = fd.InputOffset()
		frame := held.Next(int(d.off - start))
		switch {
		case err == io.EOF:
			if d.off > start {
				d.row(start, nil, 0, "end of the stream")
			}
			return nil
		case err != nil:
			return err
		}
		d.numValues += int64(records)
		what := "frame of " + count(records, "record")
		if fd.Compressed() {
			what += ", zstd"
		}
		d.row(start, nil, 0, what)
		end := d.off
		if err := d.frame(schema, frame, start, records, fd.Compressed()); err != nil {
			return err
		}
		d.off = end
	}
}

// frame prints the columns of a frame, which begins at an offset.
func (d *dump) frame(schema *node, frame []byte, start int64, records int, packed bool) error {
	const head = 12 // of a frame
	c := columns{dump: d, b: frame, i: head, base: start}
	if packed {
		size, i := tagwire.Uvarint(frame, head, len(frame))
		if i < 0 || size > 1<<26 {
			return d.fail(start, errColumns)
		}
		body, err := compress.NewZstd().DecompressMax(nil, frame[i:], int64(size))
		if err != nil {
			return d.fail(start, err)
		}
		d.remark("offsets in the decompressed body, " + count(len(body), "byte"))
		c.b, c.i, c.base = body, 0, 0
	}
	c.column(schema, records, 0)
	if c.bad || c.i != len(c.b) {
		return d.fail(start, errColumns)
	}
	return nil
}

// node is a node of a schema.
type node struct {
	kind     byte
	nullable bool
	names    []string
	nodes    []*node
}

// columns walks the columns of a frame.
type columns struct {
	*dump
	b     []byte
	i     int
	base  int64 // offset of b
	where []string
	spent int // values that may take no bytes
	bad   bool
}

func (c *columns) byte() byte {
	if c.i >= len(c.b) || c.bad {
		c.bad = true
		return 0
	}
	c.i++
	return c.b[c.i-1]
}

func (c *columns) uvarint() uint64 {
	u, i := tagwire.Uvarint(c.b, c.i, len(c.b))
	if i < 0 || c.bad {
		c.bad = true
		return 0
	}
	c.i = i
	return u
}

// size reads a number of things that take a byte each at least.
func (c *columns) size() int {
	n := c.uvarint()
	if n > uint64(len(c.b)-c.i) {
		c.bad = true
		return 0
	}
	return int(n)
}

func (c *columns) text() string {
	n := c.size()
	c.i += n
	return string(c.b[c.i-n : c.i])
}

// node reads a node of the schema, which has been checked.
func (c *columns) node() *node {
	k := c.byte()
	n := &node{kind: k &^ kindNullable, nullable: k&kindNullable != 0}
	inner := map[byte]int{kindList: 1, kindMap: 2}[n.kind]
	if n.kind == kindStruct {
		inner = c.size()
	}
	for range inner {
		if n.kind == kindStruct {
			n.names = append(n.names, c.text())
		}
		n.nodes = append(n.nodes, c.node())
	}
	return n
}

// in calls f for what is a step below.
func (c *columns) in(step string, f func()) {
	c.where = append(c.where, step)
	f()
	c.where = c.where[:len(c.where)-1]
}

// affords reports whether there can be n values: beyond some, each takes a bit.
func (c *columns) affords(n int) bool {
	c.bad = c.bad || n > 1<<16 && n > 8*len(c.b)
	if c.spent += n; c.spent > 1<<28 {
		c.bad = true
	}
	return !c.bad
}

// show prints a column, which began at an index: its encoding, how many values it has, and the first.
func (c *columns) show(from, depth int, what string, n int, values []string) {
	if c.bad {
		return
	}
	c.off = c.base + int64(c.i)
	c.deepest = max(c.deepest, depth)
	var path []byte
	for _, step := range c.where {
		path = wire.AppendPointer(path, step)
	}
	what += ", " + count(n, "value")
	if len(values) > 0 {
		t := text{limit: maxText}
		t.add([]byte(strings.Join(values, ", ")))
		what += ": " + strings.TrimSuffix(string(t.shown), "…")
		if t.cut || len(values) < n {
			what += "…"
		}
	}
	c.line(c.base+int64(from), nil, depth, what, string(path))
}

// column prints the columns of a node for n values.
func (c *columns) column(s *node, n, depth int) {
	if s.nullable {
		v := c.integers("presence", n, depth, func(v int64) string {
			if v < 0 || v > 2 {
				c.bad = true
				return ""
			}
			return [...]string{"absent", "there", "null"}[v]
		})
		n = 0
		for _, x := range v {
			n += int(x & 1)
		}
	}
	if !c.affords(n) {
		return
	}
	switch s.kind {
	case kindStruct:
		for i, f := range s.nodes {
			c.in(s.names[i], func() { c.column(f, n, depth+1) })
		}
	case kindList, kindMap:
		total := c.lengths(kindNames[s.kind], n, depth)
		if s.kind == kindMap {
			c.in("(keys)", func() { c.column(s.nodes[0], total, depth+1) })
		}
		c.in("*", func() { c.column(s.nodes[len(s.nodes)-1], total, depth+1) })
	case kindAny:
		enc, end := c.block()
		if enc != 0 {
			c.bad = true
			return
		}
		c.values(n, depth)
		c.bad = c.bad || c.i != end
	default:
		c.scalars(s.kind, n, depth)
	}
}

// lengths prints the lengths of lists, and returns how many elements there are.
func (c *columns) lengths(what string, n, depth int) (total int) {
	for _, x := range c.integers("lengths of "+what, n, depth, func(v int64) string {
		if v == 0 {
			return "null"
		}
		return strconv.FormatInt(v-1, 10)
	}) {
		if x < 0 || x > math.MaxInt32 || total > math.MaxInt32 {
			c.bad = true
			return 0
		}
		total += int(max(x, 1) - 1)
	}
	return total
}

// values prints a value node for n values.
func (c *columns) values(n, depth int) {
	if len(c.where) > 1000 || !c.affords(n) {
		c.bad = true
		return
	}
	head := c.uvarint()
	kinds := make([]byte, min(head>>1, 16))
	for i := range kinds {
		kinds[i] = c.byte()
	}
	ns := []int{n}
	if head&1 != 0 {
		ns = make([]int, len(kinds))
		for _, k := range c.integers("kinds", n, depth, func(v int64) string {
			if uint64(v) < uint64(len(kinds)) {
				return kindNames[min(int(kinds[v]), kindList)]
			}
			return "?"
		}) {
			if uint64(k) >= uint64(len(ns)) {
				c.bad = true
				return
			}
			ns[k]++
		}
	}
	for i, k := range kinds {
		if i >= len(ns) || c.bad {
			return
		}
		switch {
		case k == 0:
		case k < kindStruct:
			c.scalars(k, ns[i], depth)
		case k == kindObject:
			c.objects(ns[i], depth)
		case k == kindList:
			total := c.lengths("list", ns[i], depth)
			c.in("*", func() { c.values(total, depth+1) })
		default:
			c.bad = true
		}
	}
}

// objects prints the columns of n objects.
func (c *columns) objects(n, depth int) {
	how := c.byte()
	if how == 2 {
		total := c.lengths("objects", n, depth)
		c.in("(keys)", func() { c.scalars(kindString, total, depth+1) })
		c.in("*", func() { c.values(total, depth+1) })
		return
	}
	names := make([]string, c.size())
	for i := range names {
		names[i] = c.text()
	}
	have := make([]int, len(names)) // objects that have the member
	switch how {
	case 0:
		shapes := make([][]int, c.size())
		for i := range shapes {
			shapes[i] = make([]int, c.size())
			for j := range shapes[i] {
				shapes[i][j] = int(c.uvarint())
			}
		}
		of := make([]int, len(shapes))
		if len(shapes) == 1 {
			of[0] = n
		} else {
			for _, x := range c.integers("shapes", n, depth, nil) {
				if uint64(x) >= uint64(len(of)) {
					c.bad = true
					return
				}
				of[x]++
			}
		}
		for i, members := range shapes {
			for _, m := range members {
				if uint(m) >= uint(len(have)) {
					c.bad = true
					return
				}
				have[m] += of[i]
			}
		}
	case 1:
		for i, name := range names {
			c.in(name, func() {
				for _, x := range c.integers("presence", n, depth+1, nil) {
					have[i] += int(x & 1)
				}
			})
		}
	default:
		c.bad = true
	}
	for i, name := range names {
		c.in(name, func() { c.values(have[i], depth+1) })
	}
}
