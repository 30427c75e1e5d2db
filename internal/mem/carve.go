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
	// TextRoom is the least room in a chunk that [Carver.Text] carves from.
	TextRoom = 32
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

// Rest returns room in a chunk for a result of about n bytes, which then goes to [Carver.Take].
func (c *Carver) Rest(n int) []byte {
	if len(c.Chunk)-c.Used < n+largeRoom {
		c.Chunk, c.Used = MakeNoZero(keepChunk)[:keepChunk], 0
	}
	return c.Chunk[c.Used:c.Used]
}

// Take returns b, which is kept where it has been written, nil if that is not in the room from Rest.
func (c *Carver) Take(b []byte) []byte {
	n := len(b)
	if n == 0 || c.Used == len(c.Chunk) || &b[0] != &c.Chunk[c.Used] {
		return nil
	}
	c.Used += n
	return b[:n:n]
}

// Text is Clone for a string of a document, b[start:end]: up to KeepSize
// they share memory, of as much as four chunks where the document is long. What a string can keep alive is no more.
func (c *Carver) Text(b []byte, start, end int) string {
	n, at := end-start, c.Used
	if n == 0 {
		return ""
	}
	// The little that is left would have loops that need as much stop for each string.
	if max(n, TextRoom) > len(c.Chunk)-at {
		return c.moreText(b, start, end)
	}
	c.Used = at + n
	from, to := BytesOf(b), BytesOf(c.Chunk)
	if n <= 16 && len(b)-start >= 16 {
		to.Copy16(at, from, start) // what is too much is overwritten by the next string
	} else {
		copy(c.Chunk[at:], b[start:end])
	}
	return to.View(at, at+n)
}

func (c *Carver) moreText(b []byte, start, end int) string {
	if end-start > KeepSize {
		return string(b[start:end])
	}
	c.Renew(len(b) - start)
	return c.Text(b, start, end)
}

// Renew makes a chunk for strings of a document of which so many bytes are left.
func (c *Carver) Renew(left int) {
	n := min(max(left/4, ChunkSize), 4*ChunkSize)
	c.Chunk, c.Used = MakeNoZero(n)[:n], 0
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
