package wire

// HasSeekName reports whether [SeekName] can be called: whether the processor has what it is written for.
func HasSeekName() bool { return hasSeek() }

// SeekName goes through JSON text from src[0] on, where a member of an object begins or ends, and returns the
// index of the first of
//
//   - a string that belongs to the object, not to one inside it, and begins with the character first or with a
//     backslash, whether it is a name or a value;
//   - the brace that closes the object.
//
// It returns [SeekNone] when the n bytes of text end before, and [SeekUnsure] when it has met a string that it
// cannot tell about. Only strings and braces are looked at: where the text is not JSON the result is any index.
//
// src must hold at least n+65 bytes, and one more must stand before it.
func SeekName(src []byte, n int, first byte) int {
	var st seekState
	for at := 0; at < n; {
		blocks := min((n-at+63)>>6, scanChunk)
		_ = src[at+blocks<<6]
		if i := seekBlocks(&src[at], blocks, first, &st); i != SeekNone {
			if i >= 0 {
				i += at
			}
			return i
		}
		at += blocks << 6
	}
	return SeekNone
}

// What [SeekName] returns beside indices.
const (
	SeekNone   = -1
	SeekUnsure = -2
)

// seekState is what seekBlocks passes from block to block.
type seekState struct {
	//lint:ignore U1000 the kernel uses it
	quotes uint64 // how many there were, of which the last bit counts
	//lint:ignore U1000 the kernel uses it
	escaped uint64 // 1 when the next byte comes after a backslash
	//lint:ignore U1000 the kernel uses it
	depth uint64 // objects open inside the one that is gone through
}
