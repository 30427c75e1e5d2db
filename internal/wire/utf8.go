package wire

import "github.com/weftcodec/weft/internal/mem"

// validChunk is the longest text handed to one call of a validating kernel, which cannot be preempted.
const validChunk = 1 << 20

// ValidUTF8 reports whether b is valid UTF-8, as unicode/utf8 has it.
func ValidUTF8(b []byte) bool {
	if len(b) < 64 || level == levelGeneric {
		return validShort(mem.String(b))
	}
	n := 0
	for end := len(b) &^ 63; n < end; {
		k := min(end-n, validChunk)
		if validBlocks(&b[n], k, n) != 0 {
			return false
		}
		n += k
	}
	return validShort(mem.String(b[n-unfinished(b[n-3:n]):]))
}

// ValidUTF8String is ValidUTF8 for a string.
func ValidUTF8String(s string) bool {
	if len(s) < 64 || level == levelGeneric {
		return validShort(s)
	}
	n := 0
	for end := len(s) &^ 63; n < end; {
		k := min(end-n, validChunk)
		if validBlocksString(s[n:n+k], n) != 0 {
			return false
		}
		n += k
	}
	return validShort(s[n-unfinished(s[n-3:n]):])
}

// unfinished returns the number of bytes at the end of the three bytes b from the start of a character on that
// may go on after them, or 0.
func unfinished[S []byte | string](b S) int {
	switch {
	case b[2] >= 0xc0:
		return 1
	case b[1] >= 0xe0:
		return 2
	case b[0] >= 0xf0:
		return 3
	}
	return 0
}

// validShort is ValidUTF8String without a kernel. A word that is not ASCII takes a load and a shift for each byte, and
// no branch that must be guessed: half the time of utf8.ValidString.
func validShort(s string) bool {
	b, n, i, state := mem.BytesIn(s), len(s), 0, uint64(0)
	for ; i+8 <= n; i += 8 {
		if w := b.U64(i); w&0x8080808080808080 != 0 || state&63 != utf8Done {
			for range 8 {
				state = utf8States[byte(w)] >> (state & 63)
				w >>= 8
			}
		}
	}
	for ; i < n; i++ {
		state = utf8States[b.At(i)] >> (state & 63)
	}
	return state&63 == utf8Done
}

// The states between bytes, by what must come next. Each is the place of the next one in words of utf8States.
const (
	utf8Done  = 6 * iota
	utf8Bad   // no more
	utf8One   // a last byte
	utf8Two   // two more
	utf8Three // three more
	utf8E0    // two more, from A0 on
	utf8ED    // below A0
	utf8F0    // three more, from 90 on
	utf8F4    // below 90
)

// The next states after a byte: of each state six bits, from the place of the state on.
const (
	xx = utf8Bad * (1 | 1<<6 | 1<<12 | 1<<18 | 1<<24 | 1<<30 | 1<<36 | 1<<42 | 1<<48) // from none
	as = xx ^ (utf8Bad^utf8Done)<<utf8Done
	ts = xx ^ (utf8Bad^utf8Done)<<utf8One ^ (utf8Bad^utf8One)<<utf8Two ^ (utf8Bad^utf8Two)<<utf8Three
	t8 = ts ^ (utf8Bad^utf8Two)<<utf8F4 ^ (utf8Bad^utf8One)<<utf8ED
	t9 = ts ^ (utf8Bad^utf8Two)<<utf8F0 ^ (utf8Bad^utf8One)<<utf8ED
	ta = ts ^ (utf8Bad^utf8Two)<<utf8F0 ^ (utf8Bad^utf8One)<<utf8E0
	l2 = xx ^ (utf8Bad^utf8One)<<utf8Done
	l3 = xx ^ (utf8Bad^utf8Two)<<utf8Done
	e0 = xx ^ (utf8Bad^utf8E0)<<utf8Done
	ed = xx ^ (utf8Bad^utf8ED)<<utf8Done
	l4 = xx ^ (utf8Bad^utf8Three)<<utf8Done
	f0 = xx ^ (utf8Bad^utf8F0)<<utf8Done
	f4 = xx ^ (utf8Bad^utf8F4)<<utf8Done
)

// utf8States are the next states for each byte, by RFC 3629 §4.
var utf8States = [256]uint64{
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 00
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 10
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 20
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 30
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 40
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 50
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 60
	as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, as, // 70
	t8, t8, t8, t8, t8, t8, t8, t8, t8, t8, t8, t8, t8, t8, t8, t8, // 80
	t9, t9, t9, t9, t9, t9, t9, t9, t9, t9, t9, t9, t9, t9, t9, t9, // 90
	ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, // A0
	ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, ta, // B0
	xx, xx, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, // C0
	l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, l2, // D0
	e0, l3, l3, l3, l3, l3, l3, l3, l3, l3, l3, l3, l3, ed, l3, l3, // E0
	f0, l4, l4, l4, f4, xx, xx, xx, xx, xx, xx, xx, xx, xx, xx, xx, // F0
}
