// Package tagwire holds the byte functions of the hashed-tag format: the hash of
// a name, tags, and variable-length integers.
package tagwire

// Wire types: the low four bits of a tag.
const (
	Null    = 0x0 // one byte 0
	Int32   = 0x1 // ZigZag varint; booleans too
	Uint32  = 0x2 // varint; read only
	Int64   = 0x3 // ZigZag varint
	Double  = 0x4 // 8 bytes
	Fixed32 = 0x5 // 4 bytes; read only
	Fixed64 = 0x6 // 8 bytes; read only
	String  = 0x7 // length and UTF-8
	Object  = 0x8 // length and fields
	Array   = 0x9 // length and elements
	Names   = 0xa // length and the names of the message
	Number  = 0xb // length and decimal text
)

// Wire types of values in memory that no message has.
const (
	Bool   = 0xc // one byte, 0 or 1
	Single = 0xd // 4 bytes
	Bytes  = 0xe // length and bytes
	Time   = 0xf // length, then seconds, nanoseconds and seconds east as ZigZag varints
)

// TagSize is the length of a tag.
const TagSize = 4

// MaxElems is how many elements an array can have: their indexes share 32 bits
// with the wire type.
const MaxElems = 1<<27 - 1

// Hash returns the tag of a name without a wire type: the low 24 bits of its
// hash, shifted up by 8. The hash is MurmurHash2 with the seed 0xFFFFFFFF, but
// the last one to three bytes come in reverse order and with their sign.
func Hash(name string) uint32 {
	const m = 0x5bd1e995
	h := 0xffffffff ^ uint32(len(name))
	i := 0
	for ; i+4 <= len(name); i += 4 {
		k := uint32(name[i]) | uint32(name[i+1])<<8 | uint32(name[i+2])<<16 | uint32(name[i+3])<<24
		k *= m
		k ^= k >> 24
		k *= m
		h *= m
		h ^= k
	}
	if left := len(name) - i; left > 0 {
		for j := range left {
			h ^= uint32(int8(name[i+j])) << (8 * (left - 1 - j))
		}
		h *= m
	}
	h ^= h >> 13
	h *= m
	h ^= h >> 15
	return h << 8
}

// AppendTag appends a tag.
func AppendTag(b []byte, tag uint32) []byte {
	return append(b, byte(tag), byte(tag>>8), byte(tag>>16), byte(tag>>24))
}

// Tag returns the tag at b[i:], where four bytes must be.
func Tag(b []byte, i int) uint32 {
	_ = b[i+3]
	return uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16 | uint32(b[i+3])<<24
}

// AppendUvarint appends v, seven bits a byte, the lowest first.
func AppendUvarint(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// UvarintLen returns how many bytes AppendUvarint appends.
func UvarintLen(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}

// AppendVarint appends v in ZigZag form.
func AppendVarint(b []byte, v int64) []byte {
	return AppendUvarint(b, uint64(v)<<1^uint64(v>>63))
}

// Why there is no value: what functions return in place of an index.
const (
	Short    = -1 // the input ends within it
	Mismatch = -2 // it is another kind of value
	Range    = -3 // it does not fit
	Deep     = -4 // it nests too deep
	Broken   = -5 // it is not well-formed
)

// Uvarint reads an integer of up to 64 bits from b[i:end] and returns the index
// after it.
func Uvarint(b []byte, i, end int) (v uint64, next int) {
	if i < end && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	for shift := uint(0); i < end; shift += 7 {
		c := b[i]
		i++
		if shift == 63 && c > 1 {
			return 0, Broken
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, i
		}
	}
	return 0, Short
}

// Unzigzag undoes the ZigZag form.
func Unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// Span reads a length at b[i:end] and returns where what follows begins and
// ends.
func Span(b []byte, i, end int) (start, stop int) {
	if i < end && b[i] < 0x80 {
		if n := int(b[i]); n <= end-i-1 {
			return i + 1, i + 1 + n
		}
		return 0, Short
	}
	n, start := Uvarint(b, i, end)
	switch {
	case start < 0:
		return 0, start
	case n > uint64(end-start):
		return 0, Short
	}
	return start, start + int(n)
}

// Pass returns the index after the value of wire type wt at b[i:end], into which
// it does not look.
func Pass(b []byte, i, end int, wt uint32) int {
	switch wt {
	case Null:
		if i >= end {
			return Short
		}
		if b[i] != 0 {
			return Broken
		}
		return i + 1
	case Int32, Uint32, Int64:
		_, next := Uvarint(b, i, end)
		return next
	case Fixed32:
		if end-i < 4 {
			return Short
		}
		return i + 4
	case Double, Fixed64:
		if end-i < 8 {
			return Short
		}
		return i + 8
	case String, Object, Array, Number:
		_, stop := Span(b, i, end)
		return stop
	}
	return Broken
}

// PassMemory is Pass for values in memory, which are well-formed.
func PassMemory(b []byte, i, end int, wt uint32) int {
	switch wt {
	case Bool:
		return i + 1
	case Single:
		return i + 4
	case Bytes, Time:
		_, stop := Span(b, i, end)
		return stop
	}
	return Pass(b, i, end, wt)
}

// Skip checks the value of wire type wt at b[i:end], which nests no deeper than
// depth objects and arrays, and returns the index after it. Where there is none
// at is where it fails.
func Skip(b []byte, i, end int, wt uint32, depth int) (next, at int) {
	if wt != Object && wt != Array {
		if next = Pass(b, i, end, wt); next >= 0 && !inRange(b, i, next, wt) {
			return Broken, i
		}
		return next, i
	}
	if depth <= 0 {
		return Deep, i
	}
	start, stop := Span(b, i, end)
	if stop < 0 {
		return stop, i
	}
	if wt == Object {
		return Fields(b, start, stop, depth-1)
	}
	for k := uint32(1); start < stop; k++ {
		if stop-start <= TagSize {
			return Short, start
		}
		tag := Tag(b, start)
		if tag>>4 != k {
			return Broken, start
		}
		if start, at = Skip(b, start+TagSize, stop, tag&15, depth-1); start < 0 {
			return start, at
		}
	}
	return stop, stop
}

// Fields checks that b[i:end] is the fields of an object, and returns end.
func Fields(b []byte, i, end, depth int) (next, at int) {
	for i < end {
		if end-i <= TagSize {
			return Short, i
		}
		tag := Tag(b, i)
		if tag&0xf0 != 0 {
			return Broken, i
		}
		if i, at = Skip(b, i+TagSize, end, tag&15, depth); i < 0 {
			return i, at
		}
	}
	return end, end
}

// inRange reports whether the value b[i:next] is one of its wire type.
func inRange(b []byte, i, next int, wt uint32) bool {
	switch wt {
	case Int32:
		u, _ := Uvarint(b, i, next)
		return u <= 1<<32-1
	case Uint32:
		u, _ := Uvarint(b, i, next)
		return u <= 1<<32-1
	case Number:
		start, stop := Span(b, i, next)
		return IsNumber(b[start:stop])
	}
	return true
}

// IsNumber reports whether b is a decimal number: digits with a sign, a fraction
// and an exponent where wanted.
func IsNumber(b []byte) bool {
	i := 0
	digits := func() int {
		from := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		return i - from
	}
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	n := digits()
	if i < len(b) && b[i] == '.' {
		i++
		n += digits()
	}
	if n == 0 {
		return false
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		if digits() == 0 {
			return false
		}
	}
	return i == len(b)
}

// End sets the length, at head, of what has been appended behind it.
func End(b []byte, head int) []byte {
	n := len(b) - head - 1
	if n < 0x80 {
		b[head] = byte(n)
		return b
	}
	more := UvarintLen(uint64(n)) - 1
	b = append(b, "\x00\x00\x00\x00\x00\x00\x00\x00\x00"[:more]...)
	copy(b[head+1+more:], b[head+1:head+1+n])
	AppendUvarint(b[:head], uint64(n)) // within the place
	return b
}
