package tagged

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// cells is what has been read of the columns of a node, from which values are taken
// one by one.
type cells struct {
	kind byte
	next int     // of the values that are there
	null []int64 // presence, nil where all are there
	at   int     // next of it

	ints  []int64 // by kind: integers, the bits of floats, seconds, lengths, which of nodes a value is in
	nsec  []int64
	zone  []int64
	texts []string
	nodes []*cells // members, elements, keys and values, kinds

	names []string // of members
	tags  []uint32 // of names, made when there is a row
	has   [][]int64
	lists [][]int32 // the members of each shape, whose number is in ints
}

// cellsOf reads the columns of n values of s.
func (r *frameReader) cellsOf(s *framewire.Schema, n int) *cells {
	if !r.affords(n) {
		return nil
	}
	c, ok := &cells{kind: s.Kind}, false
	if s.Nullable {
		if c.null, n, ok = r.presence(n); !ok {
			return nil
		}
	}
	switch {
	case s.Kind == framewire.Struct:
		ok, c.names = len(s.Nodes) > 0 || n <= framewire.MaxFree || r.fail(framewire.ErrBlock), s.Names
		for i := 0; ok && i < len(s.Nodes); i++ {
			r.enter(level{name: s.Names[i]})
			in := r.cellsOf(s.Nodes[i], n)
			c.nodes, ok = append(c.nodes, in), r.leave(in != nil)
		}
	case s.Kind == framewire.List || s.Kind == framewire.Map:
		c.ints, n, ok = r.lengths(n)
		for i := 0; ok && i < len(s.Nodes); i++ {
			in := r.cellsOf(s.Nodes[i], n)
			c.nodes, ok = append(c.nodes, in), in != nil
		}
	case s.Kind == framewire.Dynamic && !r.skipping:
		encoding, data, rest, ok := framewire.ReadBlock(r.data)
		if !ok || encoding != 0 {
			r.fail(framewire.ErrBlock)
			return nil
		}
		r.data = data
		in := r.valueCells(n, r.maxDepth)
		if in == nil || !r.done() {
			return nil
		}
		r.data = rest
		in.null = c.null
		return in
	default:
		ok = r.scalars(c, n)
	}
	if !ok {
		return nil
	}
	return c
}

// spend reports whether there can be n more values that may take no bytes.
func (r *frameReader) spend(n int) bool {
	if n <= framewire.MaxFree {
		r.spent += n
	}
	return r.spent <= maxFreeValues+8*len(r.body) || r.fail(framewire.ErrBlock)
}

// valueCells reads the columns of n values of any kind, nested no deeper than depth.
func (r *frameReader) valueCells(n, depth int) *cells {
	if depth < 0 {
		r.fail(weft.ErrDepth)
		return nil
	}
	head, i := tagwire.Uvarint(r.data, 0, len(r.data))
	count, indexed := head>>1, head&1 != 0
	if i < 0 || count > framewire.Kinds || int(count) > len(r.data)-i || (count == 0) != (n == 0) ||
		count > 1 && !indexed || n > framewire.MaxFree && !indexed || !r.affords(n) || !r.spend(n) {
		r.fail(framewire.ErrBlock)
		return nil
	}
	kinds := r.data[i : i+int(count)]
	r.data = r.data[i+int(count):]
	c := &cells{kind: framewire.Dynamic}
	counts := make([]int, count)
	if indexed {
		var ok bool
		if c.ints, _, ok = r.below(n, int(count)); !ok {
			return nil
		}
		for _, k := range c.ints {
			counts[k]++
		}
	} else if count == 1 {
		counts[0] = n
	}
	for k, kind := range kinds {
		if k > 0 && kinds[k-1] >= kind || kind >= framewire.Kinds ||
			kind == framewire.Map || kind == framewire.Message || kind == framewire.Dynamic {
			r.fail(framewire.ErrBlock)
			return nil
		}
		in := r.kindCells(kind, counts[k], depth)
		if in == nil {
			return nil
		}
		c.nodes = append(c.nodes, in)
	}
	if len(c.nodes) == 1 {
		return c.nodes[0]
	}
	return c
}

// kindCells reads the columns of n values of one kind.
func (r *frameReader) kindCells(kind byte, n, depth int) *cells {
	c, ok := &cells{kind: kind}, false
	switch kind {
	case framewire.List:
		if c.ints, n, ok = r.lengths(n); ok {
			in := r.valueCells(n, depth-1)
			c.nodes, ok = []*cells{in}, in != nil
		}
	case framewire.Struct:
		ok = r.objectCells(c, n, depth-1)
	default:
		ok = r.scalars(c, n)
	}
	if !ok {
		return nil
	}
	return c
}

// objectCells reads the columns of n objects.
func (r *frameReader) objectCells(c *cells, n, depth int) bool {
	if len(r.data) == 0 {
		return r.fail(framewire.ErrBlock)
	}
	mode := r.data[0]
	r.data = r.data[1:]
	if mode == objectsNames {
		c.kind = framewire.Map
		names, in, ok := &cells{kind: framewire.String}, (*cells)(nil), false
		if c.ints, n, ok = r.lengths(n); ok && r.scalars(names, n) {
			in = r.valueCells(n, depth)
		}
		c.nodes = []*cells{names, in}
		return in != nil
	}
	count, ok := r.uvarint(len(r.data))
	if !ok {
		return false
	}
	for range count {
		start, stop := tagwire.Span(r.data, 0, len(r.data))
		if stop < 0 {
			return r.fail(framewire.ErrBlock)
		}
		c.names = append(c.names, string(r.data[start:stop]))
		r.data = r.data[stop:]
	}
	members := make([]int, count)
	switch {
	case mode == objectsShapes:
		ok = r.shapes(c, n, members)
	case mode == objectsPresence:
		for k := range members {
			if !r.spend(n) {
				return false
			}
			var has []int64
			if has, members[k], ok = r.below(n, 2); !ok {
				return false
			}
			c.has = append(c.has, has)
		}
	default:
		ok = r.fail(framewire.ErrBlock)
	}
	if !ok {
		return false
	}
	for _, m := range members {
		in := r.valueCells(m, depth)
		if in == nil {
			return false
		}
		c.nodes = append(c.nodes, in)
	}
	return true
}

// uvarint reads a number of things that take a byte each, of which there are most.
func (r *frameReader) uvarint(most int) (int, bool) {
	v, next := tagwire.Uvarint(r.data, 0, len(r.data))
	if next < 0 || most < 0 || v > uint64(most) {
		return 0, r.fail(framewire.ErrBlock)
	}
	r.data = r.data[next:]
	return int(v), true
}

// shapes reads which members each of n objects has, and counts them.
func (r *frameReader) shapes(c *cells, n int, members []int) bool {
	count, ok := r.uvarint(len(r.data))
	if !ok || (count == 0) != (n == 0) {
		return r.fail(framewire.ErrBlock)
	}
	for range count {
		size, ok := r.uvarint(len(r.data))
		if !ok {
			return false
		}
		list := make([]int32, size)
		for i := range list {
			slot, ok := r.uvarint(len(members) - 1)
			if !ok {
				return false
			}
			list[i] = int32(slot)
		}
		c.lists = append(c.lists, list)
	}
	if count <= 1 {
		c.ints = make([]int64, n)
	} else if !r.spend(n) {
		return false
	} else if c.ints, _, ok = r.below(n, count); !ok {
		return false
	}
	used := make([]int, count)
	for _, k := range c.ints {
		used[k]++
	}
	for k, list := range c.lists {
		for _, slot := range list {
			members[slot] += used[k]
		}
	}
	return true
}

// state returns what the next value is: only one that is there is to be taken.
func (c *cells) state() int64 {
	if c.null == nil {
		return isThere
	}
	c.at++
	return c.null[c.at-1]
}

// eachMember calls visit for each member of the i-th object that is there.
func (c *cells) eachMember(i int, visit func(k int)) {
	switch {
	case c.lists != nil:
		for _, k := range c.lists[c.ints[i]] {
			visit(int(k))
		}
	case c.has != nil:
		for k, has := range c.has {
			if has[i] != 0 {
				visit(k)
			}
		}
	default:
		for k := range c.nodes {
			visit(k)
		}
	}
}

// any takes the next value as a plain Go value: nil, bool, int64, uint64, float32,
// float64, string, []byte, time.Time, json.Number, []any or map[string]any.
func (r *frameReader) any(c *cells) any {
	if c.state() != isThere {
		return nil
	}
	return r.anyThere(c)
}

// anyThere is any for a value whose state is known.
func (r *frameReader) anyThere(c *cells) any {
	i := c.next
	c.next++
	switch c.kind {
	case framewire.Dynamic:
		return r.any(c.nodes[c.ints[i]])
	case framewire.Bool:
		return c.ints[i] == 1
	case framewire.Int:
		return r.boxes.Int64(c.ints[i])
	case framewire.Uint:
		return uint64(c.ints[i])
	case framewire.Float32:
		return math.Float32frombits(uint32(c.ints[i]))
	case framewire.Float64:
		return r.boxes.Float64(math.Float64frombits(uint64(c.ints[i])))
	case framewire.String:
		return r.boxes.String(c.texts[i])
	case framewire.Bytes:
		return []byte(c.texts[i])
	case framewire.Time:
		return instant(c.ints[i], c.nsec[i], c.zone[i])
	case framewire.Number:
		if s := c.texts[i]; s != "" && !tagwire.IsNumber(mem.View(s)) {
			r.fail(errNumber)
		}
		return json.Number(c.texts[i])
	case framewire.List:
		n := c.ints[i] - 1
		if n < 0 {
			return nil
		}
		out := make([]any, n)
		for k := range out {
			out[k] = r.any(c.nodes[0])
		}
		return out
	case framewire.Map:
		n := c.ints[i] - 1
		if n < 0 {
			return nil
		}
		m := make(map[string]any, n)
		for range n {
			name := c.nodes[0].name()
			m[name] = r.any(c.nodes[1])
		}
		return m
	case framewire.Struct:
		n := len(c.nodes)
		if c.lists != nil {
			n = len(c.lists[c.ints[i]])
		}
		m := make(map[string]any, n)
		c.eachMember(i, func(k int) {
			switch in := c.nodes[k]; in.state() {
			case isThere:
				m[c.names[k]] = r.anyThere(in)
			case isNull:
				m[c.names[k]] = nil
			}
		})
		return m
	case framewire.Message:
		var x any
		if err := Unmarshal([]byte(c.texts[i]), &x); err != nil {
			r.fail(err)
		}
		return x
	}
	return nil
}

// name takes the next key of a map as a name.
func (c *cells) name() string {
	i := c.next
	c.next++
	switch c.kind {
	case framewire.Int:
		return strconv.FormatInt(c.ints[i], 10)
	case framewire.Uint:
		return strconv.FormatUint(uint64(c.ints[i]), 10)
	}
	return c.texts[i]
}

// rowTypes are the wire types in rows by the kinds that rowThere asks for.
var rowTypes = [framewire.Kinds]byte{
	framewire.Uint: tagwire.Fixed64, framewire.Float64: tagwire.Double,
	framewire.String: tagwire.String, framewire.Bytes: tagwire.Bytes, framewire.Number: tagwire.Number,
}

// row takes the next value and appends it as one of a row, whose tag b ends with.
func (r *frameReader) row(b []byte, c *cells) []byte {
	if c.state() != isThere {
		return append(b, 0)
	}
	return r.rowThere(b, c)
}

// rowThere is row for a value whose state is known.
func (r *frameReader) rowThere(b []byte, c *cells) []byte {
	i := c.next
	c.next++
	switch c.kind {
	case framewire.Dynamic:
		return r.row(b, c.nodes[c.ints[i]])
	case framewire.Bool:
		return append(as(b, tagwire.Bool), byte(c.ints[i]))
	case framewire.Int:
		return appendInt64(b, c.ints[i])
	case framewire.Uint, framewire.Float64:
		return binary.LittleEndian.AppendUint64(as(b, rowTypes[c.kind]), uint64(c.ints[i]))
	case framewire.Float32:
		return binary.LittleEndian.AppendUint32(as(b, tagwire.Single), uint32(c.ints[i]))
	case framewire.String, framewire.Bytes, framewire.Number:
		if c.kind == framewire.Number && c.texts[i] == "" { // which other formats write as 0 too
			return appendInt64(b, 0)
		}
		return appendText(as(b, rowTypes[c.kind]), c.texts[i])
	case framewire.Time:
		return appendInstant(b, c.ints[i], c.nsec[i], c.zone[i])
	case framewire.Message:
		s := newEncoder(nil)
		s.rows = &r.names
		b, err := s.AppendRaw(b, []byte(c.texts[i]))
		s.release()
		if err != nil {
			r.fail(err)
		}
		return b
	case framewire.List, framewire.Map:
		n := int(c.ints[i] - 1)
		if n < 0 {
			return append(b, 0)
		}
		wt := byte(tagwire.Array)
		if c.kind == framewire.Map {
			wt = tagwire.Object
		}
		b = begin(b, wt)
		head := len(b) - 1
		for k := range n {
			if c.kind == framewire.Map {
				b = tagwire.AppendTag(b, r.names.tag(c.nodes[0].name()))
				b = r.row(b, c.nodes[1])
			} else {
				b = r.row(tagwire.AppendTag(b, uint32(k+1)<<4), c.nodes[0])
			}
		}
		return tagwire.End(b, head)
	case framewire.Struct:
		if c.tags == nil {
			c.tags = make([]uint32, len(c.names))
			for k, name := range c.names {
				c.tags[k] = r.names.tag(name)
			}
		}
		b = begin(b, tagwire.Object)
		head := len(b) - 1
		c.eachMember(i, func(k int) {
			switch in := c.nodes[k]; in.state() {
			case isThere:
				b = r.rowThere(tagwire.AppendTag(b, c.tags[k]), in)
			case isNull:
				b = append(tagwire.AppendTag(b, c.tags[k]), 0)
			}
		})
		return tagwire.End(b, head)
	}
	return append(b, 0)
}
