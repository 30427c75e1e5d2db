package mem

// Carver copies results, and gives small ones parts of a chunk that they share: each has its part alone, without
// room behind it. That costs a fraction of an allocation, and a result that is kept keeps no more than a chunk
// from the collector. The zero Carver is ready for use, by one goroutine at a time.
type Carver struct {
	chunk []byte
	used  int
}

const (
	// ChunkSize is the size of a chunk.
	ChunkSize = 2 << 10
	// CarveSize is the greatest size of a result that is carved from a chunk.
	CarveSize = ChunkSize / 8
)

// Clone returns a copy of b without room behind it.
func (c *Carver) Clone(b []byte) []byte {
	n, at := len(b), c.used
	if n > CarveSize {
		out := make([]byte, n)
		copy(out, b)
		return out
	}
	if len(c.chunk)-at < n {
		c.chunk, at = MakeNoZero(ChunkSize)[:ChunkSize], 0
	}
	c.used = at + n
	out := c.chunk[at : at+n : at+n]
	copy(out, b)
	return out
}
