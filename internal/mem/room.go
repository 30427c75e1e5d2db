package mem

// Room is memory for values that are made a few at a time and are needed for as
// long as each other. It is made in pieces.
type Room[T any] []T

// Take returns n zero values; a new piece is of so many, or of n.
func (r *Room[T]) Take(n, piece int) []T {
	if len(*r) < n {
		if n >= piece {
			return make([]T, n)
		}
		*r = make([]T, piece)
	}
	s := (*r)[:n:n]
	*r = (*r)[n:]
	return s
}
