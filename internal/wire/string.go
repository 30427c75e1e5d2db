package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const hexDigits = "0123456789abcdef"

// AppendJSONString appends s as a JSON string, quoted, with the bytes of encoding/json: '"' and '\\' escaped,
// control characters as \b \f \n \r \t or \u00xx, U+2028 and U+2029 as \u2028 and \u2029, with html also '<',
// '>' and '&' as \u003c, \u003e and \u0026; each byte that is not of a valid UTF-8 character becomes \ufffd.
func AppendJSONString(b []byte, s string, html bool) []byte {
	n, l := len(s), len(b)
	if cap(b)-l < n+2 {
		b = slices.Grow(b, n+2)
	}
	d := b[l : l+n+2]
	d[0] = '"'
	k := 0
	if n >= 16 {
		k = CopyPlain(d[1:], s, html)
	} else {
		// Two words that overlap hold all of s.
		var x, y, m uint64
		switch {
		case n >= 8:
			x, y = load64(s), load64(s[n-8:])
			binary.LittleEndian.PutUint64(d[1:], x)
			binary.LittleEndian.PutUint64(d[n-7:], y)
		case n >= 4:
			lo, hi := load32(s), load32(s[n-4:])
			binary.LittleEndian.PutUint32(d[1:], lo)
			binary.LittleEndian.PutUint32(d[n-3:], hi)
			x = uint64(lo) | uint64(hi)<<32
			y = x
		case n > 0:
			d[1] = s[0]
			d[1+n>>1] = s[n>>1]
			d[n] = s[n-1]
			x = uint64(s[0]) | uint64(s[n>>1])<<8 | uint64(s[n-1])<<16 | each01*' '&^0xffffff
			y = x
		default:
			x = each01 * ' '
			y = x
		}
		if html {
			m = specialHTML(x) | specialHTML(y)
		} else {
			m = special(x) | special(y)
		}
		if m == 0 {
			k = n
		}
	}
	if k == n {
		d[n+1] = '"'
		return b[:l+n+2]
	}
	return appendEscaped(b[:l+1+k], s[k:], html)
}

// appendEscaped appends the rest s of a JSON string and the closing quote.
func appendEscaped(b []byte, s string, html bool) []byte {
	d, o := b[:cap(b)], len(b)
	for i := 0; ; {
		if len(d)-o < len(s)-i+16 {
			d = slices.Grow(d[:o], len(s)-i+16)
			d = d[:cap(d)]
		}
		// Near an escape there are often others, so the first bytes are tried without the kernel.
		bulk := true
		if i+8 <= len(s) {
			x := load64(s[i:])
			m := special(x)
			if html {
				m = specialHTML(x)
			}
			binary.LittleEndian.PutUint64(d[o:], x)
			k := bits.TrailingZeros64(m) >> 3 // 8 for none
			i += k
			o += k
			bulk = i < len(s) && (m == 0 || s[i] >= 0x80)
		}
		if bulk {
			k := CopyPlain(d[o:], s[i:], html)
			i += k
			o += k
		}
		if i == len(s) {
			d[o] = '"'
			return d[:o+1]
		}
		c := s[i]
		if e := shortEscape[c]; e != 0 {
			d[o] = '\\'
			d[o+1] = e
			i++
			o += 2
			continue
		}
		u := d[o : o+6]
		o += 6
		if c < 0x80 {
			u[0], u[1], u[2], u[3], u[4], u[5] = '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15]
			i++
		} else if isLineSeparator(s[i:]) {
			u[0], u[1], u[2], u[3], u[4], u[5] = '\\', 'u', '2', '0', '2', hexDigits[s[i+2]&15]
			i += 3
		} else {
			copy(u, `\ufffd`)
			i++
		}
	}
}

// shortEscape is the byte after the backslash of the short escape for a byte that is to be escaped, or 0.
var shortEscape = [256]byte{
	'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

// load64 returns the first eight bytes of s, the lowest byte first.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// load32 returns the first four bytes of s, the lowest byte first.
func load32(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
