package mem

import "sync/atomic"

// Large remembers the length of a large result, so that the next one is written where it stays: not copied out of a
// buffer that is used again. Its zero value has met none.
type Large struct{ size atomic.Int64 }

const (
	// LargeSize is the length from which on a result is large.
	LargeSize = 2 << 10
	// largeRoom is what a result is given beyond the length of the one before, so that there is room for the members
	// of a last small struct.
	largeRoom = 240
)

// Buffer returns a buffer for a result that is as long as the last ones, nil if those were not large.
func (l *Large) Buffer() []byte {
	n := int(l.size.Load())
	if n <= LargeSize {
		return nil
	}
	return MakeNoZero(n + largeRoom)
}

// Note keeps the length of a result that is large, unless that of a longer one tells as much of the next one: a buffer
// that is too small costs more than what a result leaves of it. And to store it is to wait until all of the result is
// stored.
func (l *Large) Note(n int) {
	if last := int(l.size.Load()); n > last || n < last-last/16 {
		l.size.Store(int64(n))
	}
}

// Keep returns b, in memory from Buffer, without much room behind it, and notes its length.
func (l *Large) Keep(b []byte) []byte {
	l.Note(len(b))
	if cap(b)-len(b) <= len(b)/4+largeRoom {
		return b[:len(b):len(b)]
	}
	out := make([]byte, len(b))
	copy(out, b)
	return out
}
