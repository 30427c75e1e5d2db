package mem

import "math/bits"

// Carver copies results, and gives small ones parts of a chunk that they share: each has its part alone, without
// room behind it. That costs a fraction of an allocation, and a result that is kept keeps no more than a chunk
// from the collector. The zero Carver is ready for use, by one goroutine at a time.
type Carver struct {
	Chunk []byte
	Used  int // bytes of it that are taken
}

const (
	// ChunkSize is the size of a chunk.
	ChunkSize = 2 << 10
	// CarveSize is the greatest size of a result that is carved from a chunk.
	CarveSize = ChunkSize / 8
	// KeepSize is the greatest size of what [Carver.Keep] carves from a chunk, of keepChunk then.
	KeepSize  = 1 << 10
	keepChunk = 6912 // the runtime has memory of this size
)

// Keep is Clone for a part of a document, of which there may be many: larger ones share memory too.
func (c *Carver) Keep(b []byte) []byte {
	if n := len(b); n > CarveSize && n <= KeepSize {
		if len(c.Chunk)-c.Used < n {
			c.Chunk, c.Used = MakeNoZero(keepChunk)[:keepChunk], 0
		}
	} else if n > KeepSize || len(c.Chunk)-c.Used < n {
		return c.Clone(b)
	}
	at := c.Used
	c.Used = at + len(b)
	out := c.Chunk[at:c.Used:c.Used]
	copy(out, b)
	return out
}

// Clone16 returns the n bytes of b from i on, no more than 16, as a string. Of b 16 bytes can be read there.
func (c *Carver) Clone16(b Bytes, i, n int) string {
	at := c.Used
	if len(c.Chunk)-at < 16 {
		return String(c.Clone(b.Slice(i, i+n)))
	}
	to := BytesOf(c.Chunk)
	to.Copy16(at, b, i)
	c.Used = at + n
	return to.View(at, at+n)
}

// Ints returns n integers that have any values.
func (c *Carver) Ints(n int) []int {
	const size = bits.UintSize / 8
	at := (c.Used + size - 1) &^ (size - 1)
	if Safe || n > CarveSize/size || n == 0 { // a chunk may end where none begin
		return make([]int, n)
	}
	if len(c.Chunk)-at < n*size {
		c.Chunk, at = MakeNoZero(ChunkSize)[:ChunkSize], 0
	}
	c.Used = at + n*size
	return BytesOf(c.Chunk).Ints(at, n)[:n:n]
}

// Clone returns a copy of b without room behind it.
func (c *Carver) Clone(b []byte) []byte {
	n, at := len(b), c.Used
	if n > CarveSize {
		out := make([]byte, len(b)) // not zeroed: the copy follows
		copy(out, b)
		return out
	}
	if len(c.Chunk)-at < n {
		c.Chunk, at = MakeNoZero(ChunkSize)[:ChunkSize], 0
	}
	c.Used = at + n
	out := c.Chunk[at : at+n : at+n]
	copy(out, b)
	return out
}
