package inspect

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// scalars prints the columns of n scalars.
func (c *columns) scalars(kind byte, n, depth int) {
	name := kindNames[kind]
	switch kind {
	case kindBool:
		c.integers(name, n, depth, func(v int64) string { return strconv.FormatBool(v != 0) })
	case kindUint:
		c.integers(name, n, depth, func(v int64) string { return strconv.FormatUint(uint64(v), 10) })
	case kindTime:
		c.integers("time in seconds", n, depth, func(v int64) string { return time.Unix(v, 0).UTC().Format(time.RFC3339) })
		c.integers("nanoseconds", n, depth, nil)
		c.integers("seconds east of UTC", n, depth, nil)
	case kindFloat32, kindFloat64:
		c.floats(kind, n, depth)
	case kindString, kindBytes, kindNumber, kindMessage:
		from := c.i
		how, list := c.strings(n)
		for i, s := range list {
			switch kind {
			case kindString:
				list[i] = strconv.Quote(s)
			case kindBytes, kindMessage:
				list[i] = hex.EncodeToString([]byte(s))
			}
		}
		c.show(from, depth, name+", "+how, n, list)
	default:
		c.integers(name, n, depth, nil)
	}
}

// maxShown is how many values of a column are made ready to be shown.
const maxShown = 16

// block reads the head of a block, and returns its encoding and where it ends.
func (c *columns) block() (encoding byte, end int) {
	encoding = c.byte()
	n := c.size()
	return encoding, c.i + n
}

var intEncodings = [...]string{"constant", "packed", "delta", "runs", "plain"}

// integers prints a column of n integers, as text says, and returns them.
func (c *columns) integers(what string, n, depth int, text func(int64) string) []int64 {
	from := c.i
	how, v := c.ints(n)
	if c.bad {
		return nil
	}
	if text == nil {
		text = func(v int64) string { return strconv.FormatInt(v, 10) }
	}
	var list []string
	for _, x := range v[:min(len(v), maxShown)] {
		list = append(list, text(x))
	}
	c.show(from, depth, what+", "+how, n, list)
	return v
}

// ints reads a block of n integers.
func (c *columns) ints(n int) (how string, v []int64) {
	encoding, end := c.block()
	if int(encoding) >= len(intEncodings) || !c.affords(n) {
		c.bad = true
		return "", nil
	}
	v = make([]int64, n)
	switch {
	case n == 0:
	case encoding == 0:
		x := c.varint()
		for i := range v {
			v[i] = x
		}
	case encoding == 1:
		base := c.varint()
		c.packed(v, base, c.byte(), end)
	case encoding == 2:
		v[0] = c.varint()
		base := c.varint()
		c.packed(v[1:], base, c.byte(), end)
		for i := 1; i < n; i++ {
			v[i] += v[i-1]
		}
	case encoding == 3:
		runs := c.uvarint()
		if runs > uint64(n) || c.bad {
			c.bad = true
			return "", nil
		}
		_, values := c.ints(int(runs))
		_, lengths := c.ints(int(runs))
		out := v[:0]
		for i := range lengths {
			if c.bad || uint64(lengths[i]) >= uint64(n-len(out)) {
				c.bad = true
				return "", nil
			}
			out = append(out, slices.Repeat(values[i:i+1], int(lengths[i])+1)...)
		}
		c.bad = c.bad || len(out) != n
	default:
		for i := range v {
			v[i] = c.varint()
		}
	}
	c.bad = c.bad || c.i != end
	return intEncodings[encoding], v
}

func (c *columns) varint() int64 { return tagwire.Unzigzag(c.uvarint()) }

// packed reads integers of width bits each, which end at an index.
func (c *columns) packed(v []int64, base int64, width byte, end int) {
	size := (len(v)*int(width) + 7) / 8
	if c.bad || width > 64 || c.i+size != end {
		c.bad = true
		return
	}
	for i := range v {
		var u uint64
		for k := range int(width) {
			bit := i*int(width) + k
			u |= uint64(c.b[c.i+bit/8]>>(bit%8)&1) << k
		}
		v[i] = base + int64(u)
	}
	c.i = end
}

// floats prints a column of n floating-point numbers.
func (c *columns) floats(kind byte, n, depth int) {
	from, size := c.i, map[byte]int{kindFloat32: 4, kindFloat64: 8}[kind]
	encoding, end := c.block()
	how := "plain"
	var list []string
	show := func(f float64) { list = append(list, strconv.FormatFloat(f, 'g', -1, 8*size)) }
	switch {
	case c.bad || encoding > 1:
		c.bad = true
		return
	case encoding == 1:
		power := c.byte()
		how = "decimal of " + count(int(power), "place")
		_, v := c.ints(n)
		if power > 6 || c.bad {
			c.bad = true
			return
		}
		for _, x := range v[:min(n, maxShown)] {
			show(float64(x) / math.Pow10(int(power)))
		}
	case end-c.i != n*size:
		c.bad = true
		return
	default:
		for i := range min(n, maxShown) {
			if at := c.b[c.i+i*size:]; size == 4 {
				show(float64(math.Float32frombits(binary.LittleEndian.Uint32(at))))
			} else {
				show(math.Float64frombits(binary.LittleEndian.Uint64(at)))
			}
		}
		c.i = end
	}
	c.bad = c.bad || c.i != end
	c.show(from, depth, kindNames[kind]+", "+how, n, list)
}

var stringEncodings = [...]string{"plain", "constant", "dictionary", "front", "shape"}

// strings reads a block of n strings, and returns the first.
func (c *columns) strings(n int) (how string, list []string) {
	encoding, end := c.block()
	if int(encoding) >= len(stringEncodings) || !c.affords(n) || end > len(c.b) {
		c.bad = true
		return "", nil
	}
	how = stringEncodings[encoding]
	shown := min(n, maxShown)
	defer func() { c.i = end }()
	if n == 0 {
		return how, nil
	}
	take := func(n int64) string {
		if c.i > end || uint64(n) > uint64(end-c.i) {
			c.bad = true
			return ""
		}
		c.i += int(n)
		return string(c.b[c.i-int(n) : c.i])
	}
	switch encoding {
	case 0:
		_, v := c.ints(n)
		for i := 0; i < shown && !c.bad; i++ {
			list = append(list, take(v[i]))
		}
	case 1:
		list = slices.Repeat([]string{take(int64(end - c.i))}, shown)
	case 2:
		k := c.uvarint()
		if k > uint64(n) || c.i >= len(c.b) || c.b[c.i] == 2 {
			c.bad = true
			return how, nil
		}
		how += " of " + strconv.FormatUint(k, 10)
		_, entries := c.strings(int(k))
		_, v := c.ints(n)
		for i := 0; i < shown && !c.bad && uint64(v[i]) < uint64(len(entries)); i++ {
			list = append(list, entries[v[i]])
		}
	case 3:
		_, same := c.ints(n)
		_, more := c.ints(n)
		last := ""
		for i := 0; i < shown && !c.bad; i++ {
			if uint64(same[i]) > uint64(len(last)) {
				c.bad = true
				break
			}
			last = last[:same[i]] + take(more[i])
			list = append(list, last)
		}
	case 4:
		return how, c.shape(n, shown)
	}
	return how, list
}

// shape reads n strings that differ in their numbers only, and returns the first.
func (c *columns) shape(n, shown int) []string {
	texts := make([]string, min(int(c.byte()), 8)+1)
	for i := range texts {
		texts[i] = c.text()
	}
	list := slices.Repeat(texts[:1], shown)
	for _, t := range texts[1:] {
		width := int(c.byte())
		_, v := c.ints(n)
		for i := 0; i < shown && !c.bad; i++ {
			digits := strconv.FormatInt(v[i], 10)
			if width <= 18 {
				digits = strings.Repeat("0", max(0, width-len(digits))) + digits
			}
			list[i] += digits + t
		}
	}
	return list
}
