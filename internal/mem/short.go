package mem

// SetShort writes the bytes of a string of fewer than 32 at b[l:], in words that overlap, and returns the
// index after it.
func (b Bytes) SetShort(l int, v string) int {
	n := len(v)
	if Safe {
		return l + copy(b.Slice(l, l+n), v)
	}
	from := BytesIn(v)
	switch {
	case n > 16:
		b.Copy16(l, from, 0)
		b.Copy16(l+n-16, from, n-16)
	case n >= 8:
		b.SetU64(l, from.U64(0))
		b.SetU64(l+n-8, from.U64(n-8))
	case n >= 4:
		b.SetU32(l, from.U32(0))
		b.SetU32(l+n-4, from.U32(n-4))
	case n > 0:
		b.Set(l, from.At(0))
		b.Set(l+n>>1, from.At(n>>1))
		b.Set(l+n-1, from.At(n-1))
	}
	return l + n
}
