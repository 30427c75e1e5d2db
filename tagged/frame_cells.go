package tagged

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// cells is what has been read of the columns of a node, from which values are taken
// one after the other.
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
func (r *frameReader) cellsOf(s *schema, n int) *cells {
	if !r.affords(n) {
		return nil
	}
	c := &cells{kind: s.kind}
	if s.nullable {
		v := make([]int64, n)
		if n = r.whichOf(v, isNull+1); n < 0 {
			return nil
		}
		c.null = v
	}
	switch s.kind {
	case kStruct:
		if len(s.nodes) == 0 && n > maxFree {
			r.fail(errBlock)
			return nil
		}
		c.names = s.names
		for i, node := range s.nodes {
			r.enter(level{name: s.names[i]})
			in := r.cellsOf(node, n)
			if !r.leave(in != nil) {
				return nil
			}
			c.nodes = append(c.nodes, in)
		}
		return c
	case kList, kMap:
		total, ok := r.lengthsOf(c, n)
		for i := 0; ok && i < len(s.nodes); i++ {
			in := r.cellsOf(s.nodes[i], total)
			c.nodes, ok = append(c.nodes, in), in != nil
		}
		if !ok {
			return nil
		}
		return c
	case kDynamic:
		encoding, data, rest, ok := readBlock(r.data)
		if !ok || encoding != 0 {
			r.fail(errBlock)
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
	}
	if !r.scalars(c, n) {
		return nil
	}
	return c
}

// scalars reads the columns of n values of a kind that holds no others.
func (r *frameReader) scalars(c *cells, n int) bool {
	switch c.kind {
	case 0:
		return true
	case kString, kBytes, kNumber, kMessage:
		var ok bool
		c.texts, ok = r.take(n)
		return ok
	case kFloat32, kFloat64:
		c.ints = make([]int64, n)
		rest, ok := readFloats(r.data, c.ints, c.kind == kFloat32)
		if !ok {
			return r.fail(errBlock)
		}
		r.data = rest
		return true
	case kTime:
		c.nsec, c.zone = make([]int64, n), make([]int64, n)
		c.ints = make([]int64, n)
		if !r.whole(c.ints) || !r.whole(c.nsec) || !r.whole(c.zone) {
			return false
		}
		for i := range c.nsec {
			if uint64(c.nsec[i]) > 999999999 || c.zone[i] < -86400 || c.zone[i] > 86400 {
				return r.fail(errBlock)
			}
		}
		return true
	}
	c.ints = make([]int64, n)
	if c.kind == kBool {
		return r.whichOf(c.ints, 2) >= 0
	}
	return r.whole(c.ints)
}

// whole reads a block of integers.
func (r *frameReader) whole(v []int64) bool {
	rest, ok := readInts(r.data, v)
	if !ok {
		return r.fail(errBlock)
	}
	r.data = rest
	return true
}

// whichOf reads a block of integers below most. It returns how many are odd, -1 after an
// error.
func (r *frameReader) whichOf(v []int64, most int) int {
	if !r.whole(v) {
		return -1
	}
	odd := 0
	for _, x := range v {
		if uint64(x) >= uint64(most) {
			r.fail(errBlock)
			return -1
		}
		odd += int(x & 1)
	}
	return odd
}

// lengthsOf reads the lengths of n lists, and returns how many elements there are.
func (r *frameReader) lengthsOf(c *cells, n int) (total int, ok bool) {
	v, total, ok := r.lengths(n)
	if ok {
		c.ints = append([]int64(nil), v...)
		r.free(v)
	}
	return total, ok
}

// spend reports whether there can be n more values that may take no bytes.
func (r *frameReader) spend(n int) bool {
	if n <= maxFree {
		r.spent += n
	}
	return r.spent <= maxFreeValues+8*len(r.body) || r.fail(errBlock)
}

// valueCells reads the columns of n values of any kind, nested no deeper than depth.
func (r *frameReader) valueCells(n, depth int) *cells {
	if depth < 0 {
		r.fail(weft.ErrDepth)
		return nil
	}
	head, i := tagwire.Uvarint(r.data, 0, len(r.data))
	count, indexed := head>>1, head&1 != 0
	if i < 0 || count > numKinds || int(count) > len(r.data)-i || (count == 0) != (n == 0) ||
		count > 1 && !indexed || n > maxFree && !indexed || !r.affords(n) || !r.spend(n) {
		r.fail(errBlock)
		return nil
	}
	kinds := r.data[i : i+int(count)]
	r.data = r.data[i+int(count):]
	c := &cells{kind: kDynamic}
	counts := make([]int, count)
	if indexed {
		c.ints = make([]int64, n)
		if r.whichOf(c.ints, int(count)) < 0 {
			return nil
		}
		for _, k := range c.ints {
			counts[k]++
		}
	} else if count == 1 {
		counts[0] = n
	}
	for k, kind := range kinds {
		if k > 0 && kinds[k-1] >= kind || kind >= numKinds || kind == kMap || kind == kMessage || kind == kDynamic {
			r.fail(errBlock)
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
	c := &cells{kind: kind}
	switch kind {
	case kList:
		total, ok := r.lengthsOf(c, n)
		if !ok {
			return nil
		}
		in := r.valueCells(total, depth-1)
		if in == nil {
			return nil
		}
		c.nodes = []*cells{in}
		return c
	case kStruct:
		if !r.objectCells(c, n, depth-1) {
			return nil
		}
		return c
	}
	if !r.scalars(c, n) {
		return nil
	}
	return c
}

// objectCells reads the columns of n objects.
func (r *frameReader) objectCells(c *cells, n, depth int) bool {
	if len(r.data) == 0 {
		return r.fail(errBlock)
	}
	mode := r.data[0]
	r.data = r.data[1:]
	if mode == objectsNames {
		c.kind = kMap
		total, ok := r.lengthsOf(c, n)
		if !ok {
			return false
		}
		names, in := &cells{kind: kString}, (*cells)(nil)
		if r.scalars(names, total) {
			in = r.valueCells(total, depth)
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
			return r.fail(errBlock)
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
			has := make([]int64, n)
			if !r.spend(n) {
				return false
			}
			if members[k] = r.whichOf(has, 2); members[k] < 0 {
				return false
			}
			c.has = append(c.has, has)
		}
	default:
		ok = r.fail(errBlock)
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
	if next < 0 || v > uint64(most) {
		return 0, r.fail(errBlock)
	}
	r.data = r.data[next:]
	return int(v), true
}

// shapes reads which members each of n objects has, and counts them.
func (r *frameReader) shapes(c *cells, n int, members []int) bool {
	count, ok := r.uvarint(len(r.data))
	if !ok || (count == 0) != (n == 0) {
		return r.fail(errBlock)
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
	c.ints = make([]int64, n)
	if count > 1 && (!r.spend(n) || r.whichOf(c.ints, count) < 0) {
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
	case kDynamic:
		return r.any(c.nodes[c.ints[i]])
	case kBool:
		return c.ints[i] == 1
	case kInt:
		return r.boxes.Int64(c.ints[i])
	case kUint:
		return uint64(c.ints[i])
	case kFloat32:
		return math.Float32frombits(uint32(c.ints[i]))
	case kFloat64:
		return r.boxes.Float64(math.Float64frombits(uint64(c.ints[i])))
	case kString:
		return r.boxes.String(c.texts[i])
	case kBytes:
		return []byte(c.texts[i])
	case kTime:
		return instant(c.ints[i], c.nsec[i], c.zone[i])
	case kNumber:
		return json.Number(c.texts[i])
	case kList:
		n := c.ints[i] - 1
		if n < 0 {
			return nil
		}
		out := make([]any, n)
		for k := range out {
			out[k] = r.any(c.nodes[0])
		}
		return out
	case kMap:
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
	case kStruct:
		m := make(map[string]any, len(c.nodes))
		c.eachMember(i, func(k int) {
			switch in := c.nodes[k]; in.state() {
			case isThere:
				m[c.names[k]] = r.anyThere(in)
			case isNull:
				m[c.names[k]] = nil
			}
		})
		return m
	case kMessage:
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
	case kInt:
		return strconv.FormatInt(c.ints[i], 10)
	case kUint:
		return strconv.FormatUint(uint64(c.ints[i]), 10)
	}
	return c.texts[i]
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
	case kDynamic:
		return r.row(b, c.nodes[c.ints[i]])
	case kBool:
		return appendRowBool(b, c.ints[i] == 1)
	case kInt:
		return appendInt64(b, c.ints[i])
	case kUint:
		return appendRowUint(b, uint64(c.ints[i]))
	case kFloat32:
		return appendRowFloat32(b, math.Float32frombits(uint32(c.ints[i])))
	case kFloat64:
		return appendRowFloat64(b, math.Float64frombits(uint64(c.ints[i])))
	case kString:
		return appendString(b, c.texts[i])
	case kBytes:
		return appendRowBytes(b, c.texts[i])
	case kTime:
		return appendRowInstant(b, c.ints[i], c.nsec[i], c.zone[i])
	case kNumber:
		return appendText(as(b, tagwire.Number), c.texts[i])
	case kMessage:
		s := newRowEncoder(&r.names, nil)
		b, err := s.rowOfMessage(b, []byte(c.texts[i]))
		s.release()
		if err != nil {
			r.fail(err)
		}
		return b
	case kList, kMap:
		n := int(c.ints[i] - 1)
		if n < 0 {
			return append(b, 0)
		}
		wt := byte(tagwire.Array)
		if c.kind == kMap {
			wt = tagwire.Object
		}
		b = begin(b, wt)
		head := len(b) - 1
		for k := range n {
			if c.kind == kMap {
				b = tagwire.AppendTag(b, r.names.tag(c.nodes[0].name()))
				b = r.row(b, c.nodes[1])
			} else {
				b = r.row(tagwire.AppendTag(b, uint32(k+1)<<4), c.nodes[0])
			}
		}
		return end(b, head)
	case kStruct:
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
		return end(b, head)
	}
	return append(b, 0)
}
