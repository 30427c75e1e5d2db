package wire

import "github.com/weftcodec/weft/internal/mem"

// SetString writes s, which is not shorter than [ShortString], as a JSON string at i of w and returns the
// index after it. The caller guarantees that w may be written up to room, which is so many bytes and two more, or
// more, behind i; it may all be spoiled. Where the whole takes more than a kernel it returns ^end, less than zero, and
// the number k of bytes of s that stand before end, for [AppendJSONStringFrom] unless k is zero.
func SetString(w mem.Bytes, i, room int, s string, how Escapes) (end, k int) {
	n := len(s)
	if n > copyChunk || level != levelAVX512 && level != levelAVX2 {
		return -1, 0
	}
	w.Set(i, '"')
	i++
	k, wrote := copyBlocks(w.Addr(i), room-i-1, s, int(how))
	i += wrote
	if k < n || how&TrustUTF8 == 0 && s[n-1] >= 0x80 && endsOpen(s) {
		return ^i, k
	}
	w.Set(i, '"')
	return i + 1, k
}

// ShortString is the length below which [SetShortString] takes a string.
const ShortString = 16

// SetShortString writes s, which is shorter than [ShortString], as a JSON string at i of w and
// returns the index after it, or ^i, less than zero, when s holds something that is escaped or not
// ASCII, for [AppendJSONString] to write. The caller guarantees that 24 bytes may be written at i; those after
// the string are undefined.
func SetShortString(w mem.Bytes, i int, s string, how Escapes) int {
	n := len(s)
	src := mem.BytesOf(mem.View(s))
	w.Set(i, '"')
	// Two words that overlap hold all of s.
	var x, y uint64
	switch {
	case n >= 8:
		x, y = src.U64(0), src.U64(n-8)
		w.SetU64(i+1, x)
		w.SetU64(i+n-7, y)
		if how&EscapeHTML != 0 {
			x = specialHTML(x) | specialHTML(y)
		} else {
			x = special(x) | special(y)
		}
	case n >= 4:
		lo, hi := src.U32(0), src.U32(n-4)
		w.SetU32(i+1, lo)
		w.SetU32(i+n-3, hi)
		x = uint64(lo) | uint64(hi)<<32
		if how&EscapeHTML != 0 {
			x = specialHTML(x)
		} else {
			x = special(x)
		}
	case n > 0:
		a, b, c := src.At(0), src.At(n>>1), src.At(n-1)
		w.Set(i+1, a)
		w.Set(i+1+n>>1, b)
		w.Set(i+n, c)
		x = uint64(a) | uint64(b)<<8 | uint64(c)<<16 | each01*' '&^0xffffff
		if how&EscapeHTML != 0 {
			x = specialHTML(x)
		} else {
			x = special(x)
		}
	}
	if x != 0 {
		return ^i
	}
	w.Set(i+n+1, '"')
	return i + n + 2
}
