package mem

// growth is the least that [Grow] adds beyond what it is asked for.
const growth = 96

// Grow returns b in memory with room for n more bytes and some, which have any values.
//
//go:noinline
func Grow(b []byte, n int) []byte {
	next := MakeNoZero(max(2*cap(b), len(b)+n+growth))[:len(b)]
	copy(next, b)
	return next
}
