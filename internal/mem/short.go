package mem

// SetShort writes the bytes of a string of fewer than 32 at w[l:], in words that overlap, and returns the
// index after it.
func (w Bytes) SetShort(l int, v string) int {
	n := len(v)
	if Safe {
		return l + copy(w.Slice(l, l+n), v)
	}
	from := BytesIn(v)
	switch {
	case n > 16:
		w.Copy16(l, from, 0)
		w.Copy16(l+n-16, from, n-16)
	case n >= 8:
		w.SetU64(l, from.U64(0))
		w.SetU64(l+n-8, from.U64(n-8))
	case n >= 4:
		w.SetU32(l, from.U32(0))
		w.SetU32(l+n-4, from.U32(n-4))
	case n > 0:
		w.Set(l, from.At(0))
		w.Set(l+n>>1, from.At(n>>1))
		w.Set(l+n-1, from.At(n-1))
	}
	return l + n
}
