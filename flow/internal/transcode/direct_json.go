package transcode

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

// packer writes JSON as MessagePack. What it reads is UTF-8.
type packer struct {
	b, src []byte
	i      int // in src, of what comes next
	round  bool
	drop   bool // nobody wants what is written
	names  names
	text   []byte // of a string with escapes
}

// next returns the byte after blanks, or 0.
func (p *packer) next() byte {
	for p.i < len(p.src) {
		if c := p.src[p.i]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
		p.i++
	}
	return 0
}

// value writes the value that comes next, of which w asks something.
func (p *packer) value(depth int, w schema.Walk) bool {
	c := p.next()
	if w.Whole() {
		from := p.i
		return p.value(depth, schema.Walk{}) && json.UnmarshalWith(p.src[from:p.i], &whole{w}, scratch) == nil
	}
	switch c {
	case '"':
		s, ok := p.str()
		return ok && w.String(s)
	case '{':
		p.i++
		return depth < mostDirect && w.Object() && p.object(depth+1, w)
	case '[':
		p.i++
		return depth < mostDirect && w.Array() && p.array(depth+1, w)
	case 't':
		return p.word("true", packwire.True) && w.Bool(true)
	case 'f':
		return p.word("false", packwire.False) && w.Bool(false)
	case 'n':
		return p.word("null", packwire.Nil) && w.Null()
	}
	return p.number(w)
}

// scratch spares what a reader does whose result is kept.
var scratch = weft.Join(weft.AliasInput(true), weft.Options{}.Decide(setting.Scratch, true))

func (p *packer) word(text string, as byte) bool {
	if len(p.src)-p.i < len(text) || string(p.src[p.i:p.i+len(text)]) != text {
		return false
	}
	p.i += len(text)
	p.b = append(p.b, as)
	return true
}

func (p *packer) array(depth int, w schema.Walk) bool {
	head, n := len(p.b), 0
	p.b = append(p.b, packwire.FixArray)
	if p.next() == ']' {
		p.i++
		return w.EndArray(0)
	}
	for {
		at := len(p.b)
		if !p.value(depth, w.Element(n)) {
			return false
		}
		if n++; p.drop {
			p.b = p.b[:at]
		}
		switch p.next() {
		case ',':
			p.i++
		case ']':
			p.i++
			p.b = packwire.CloseArray(p.b, head, 1, n)
			return w.EndArray(n)
		default:
			return false
		}
	}
}

func (p *packer) object(depth int, w schema.Walk) bool {
	head, n, start := len(p.b), 0, len(p.names.spans)
	var met schema.Members
	p.b = append(p.b, packwire.FixMap)
	if p.next() == '}' {
		p.i++
		return w.EndObject(&met)
	}
	for {
		name, ok := p.name(start)
		at := len(p.b)
		if !ok || !p.value(depth, w.Member(&met, name)) {
			return false
		}
		if n++; p.drop { // names are compared where they stand
			p.b = p.b[:at]
		}
		switch p.next() {
		case ',':
			p.i++
		case '}':
			p.i++
			if !p.names.end(p.b, start) {
				return false
			}
			p.b = packwire.CloseMap(p.b, head, 1, n)
			return w.EndObject(&met)
		default:
			return false
		}
	}
}

// name writes the name that comes next, and passes the colon, in an object whose names are those from start on.
func (p *packer) name(start int) (string, bool) {
	if p.next() != '"' {
		return "", false
	}
	at := len(p.b)
	name, ok := p.str()
	// Names are compared with their headers: these are the same for the same length.
	if !ok || !p.names.add(p.b, start, at, len(p.b)) || p.next() != ':' {
		return "", false
	}
	p.i++
	return name, true
}

// str writes the string that comes next, and returns it: it is good up to the next one.
func (p *packer) str() (string, bool) {
	from := p.i + 1
	end := plainEnd(p.src, from)
	if end == len(p.src) || p.src[end] < ' ' {
		return "", false
	}
	if p.src[end] == '\\' {
		return p.escaped(from, end)
	}
	s := mem.String(p.src[from:end])
	p.b = packwire.AppendString(p.b, s)
	p.i = end + 1
	return s, true
}

// plainEnd returns the index of the first quote, backslash or control character from b[i] on.
func plainEnd(b []byte, i int) int {
	const each01, each80 = 0x0101010101010101, 0x8080808080808080
	for ; len(b)-i >= 8; i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slash := x^('"'*each01), x^('\\'*each01)
		// The lowest mark is exact: what a borrow spoils is above one.
		if m := ((quote-each01)&^quote | (slash-each01)&^slash | (x-' '*each01)&^x) & each80; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\'; i++ {
	}
	return i
}

// escaped writes the string that begins at from and has its first backslash at i.
func (p *packer) escaped(from, i int) (string, bool) {
	text := p.text[:0]
	for {
		text = append(text, p.src[from:i]...)
		if i == len(p.src) || p.src[i] < ' ' {
			return "", false
		}
		if p.src[i] == '"' {
			break
		}
		if i+1 == len(p.src) {
			return "", false
		}
		c := p.src[i+1]
		switch i += 2; c {
		case '"', '\\', '/':
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'u':
			r, next := unicodeEscape(p.src, i)
			if next < 0 {
				return "", false
			}
			text = utf8.AppendRune(text, r)
			from, i = next, plainEnd(p.src, next)
			continue
		default:
			return "", false
		}
		text = append(text, c)
		from, i = i, plainEnd(p.src, i)
	}
	s := mem.String(text)
	p.b = packwire.AppendString(p.b, s)
	p.text, p.i = text, i+1
	return s, true
}

// unicodeEscape returns the character of the escape whose digits begin at b[i], and the index after it, or -1 where
// it is none or half of a pair.
func unicodeEscape(b []byte, i int) (rune, int) {
	r, i := hex4(b, i)
	if i < 0 || !utf16.IsSurrogate(r) {
		return r, i
	}
	if len(b)-i < 2 || b[i] != '\\' || b[i+1] != 'u' {
		return 0, -1
	}
	low, i := hex4(b, i+2)
	if r = utf16.DecodeRune(r, low); i < 0 || r == utf8.RuneError {
		return 0, -1
	}
	return r, i
}

func hex4(b []byte, i int) (r rune, next int) {
	if len(b)-i < 4 {
		return 0, -1
	}
	for _, c := range b[i : i+4] {
		switch {
		case c-'0' < 10:
			c -= '0'
		case c|0x20-'a' < 6:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, -1
		}
		r = r<<4 | rune(c)
	}
	return r, i + 4
}

// number writes the number that comes next, as copier.number does.
func (p *packer) number(w schema.Walk) bool {
	b, i := p.src, p.i
	neg := i < len(b) && b[i] == '-'
	if neg {
		i++
	}
	var mant uint64
	whole := i
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		mant = mant*10 + uint64(b[i]-'0')
	}
	digits := i - whole
	if digits == 0 || digits > 1 && b[whole] == '0' {
		return false
	}
	if i == len(b) || b[i] != '.' && b[i]|0x20 != 'e' {
		if digits > 18 || neg && mant == 0 {
			return p.long(i, w)
		}
		v := int64(mant)
		if neg {
			v = -v
		}
		p.i, p.b = i, packwire.AppendInt(p.b, v)
		return w.Int(v)
	}
	exp := 0
	if b[i] == '.' {
		i++
		for ; i < len(b) && b[i]-'0' < 10; i++ {
			mant = mant*10 + uint64(b[i]-'0')
			exp--
		}
		if exp == 0 {
			return false
		}
		digits -= exp
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		minus := i < len(b) && b[i] == '-'
		if i < len(b) && (minus || b[i] == '+') {
			i++
		}
		from, e := i, 0
		for ; i < len(b) && b[i]-'0' < 10; i++ {
			e = min(e*10+int(b[i]-'0'), 1e6)
		}
		if i == from {
			return false
		}
		if minus {
			e = -e
		}
		exp += e
	}
	f, ok := 0.0, false
	if digits <= 19 { // which fit mant
		f, ok = wire.ParseFloat64(mant, exp, neg)
	}
	if !ok {
		var err error
		if f, err = strconv.ParseFloat(mem.String(b[p.i:i]), 64); err != nil {
			return false
		}
	}
	if !p.round && (digits > 15 || math.Abs(f) < 0x1p-1022) && !shortestIs(b[p.i:i], f) {
		return false
	}
	p.i, p.b = i, packwire.AppendFloat64(p.b, f)
	return w.Float(f)
}

// long writes the number up to end, which has no fraction and no exponent: -0, or one of many digits.
func (p *packer) long(end int, w schema.Walk) bool {
	raw := p.src[p.i:end]
	text := mem.String(raw)
	p.i = end
	if v, err := strconv.ParseInt(text, 10, 64); err == nil && v != 0 {
		p.b = packwire.AppendInt(p.b, v)
		return w.Int(v)
	} else if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		p.b = packwire.AppendUint(p.b, u)
		return w.Uint(u)
	} else if f, err := strconv.ParseFloat(text, 64); err == nil && (p.round || shortestIs(raw, f)) {
		p.b = packwire.AppendFloat64(p.b, f)
		return w.Float(f)
	}
	return false
}

// shortestIs reports whether the shortest text of f is the number text, as sameDigits does, which is asked only where
// it is spelled in another way.
func shortestIs(text []byte, f float64) bool {
	var room [32]byte
	return string(wire.AppendFloat64(room[:0], f)) == string(text) || sameDigits(text, f)
}
