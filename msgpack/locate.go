package msgpack

import (
	"math"
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/internal/wire/trail"
)

// grammar finds where values stand.
var grammar = &trail.Grammar{
	Head: head, Key: appendKey, IsKey: isKey, Most: math.MaxInt,
	Skip: func(b []byte, i int) int {
		end, _ := packwire.Skip(b, i, deepest)
		return end
	},
}

// deepest is more than any document can nest.
const deepest = math.MaxInt

// head says what begins at b[i:].
func head(b []byte, i int) trail.Head {
	if i >= len(b) {
		return trail.Head{}
	}
	class, next, n := packwire.Head(b, i)
	switch {
	case next < 0:
		return trail.Head{}
	case class < packwire.ClassStr:
		return trail.Head{Kind: trail.Scalar, Next: next}
	case class <= packwire.ClassExt:
		if n > len(b)-next {
			return trail.Head{}
		}
		return trail.Head{Kind: trail.Scalar, Next: next + n}
	case class == packwire.ClassArray:
		return trail.Head{Kind: trail.List, N: n, Next: next}
	}
	return trail.Head{Kind: trail.Map, N: n, Next: next}
}

// locate returns the JSON pointer to the value at offset off, or to the one that cannot be read there.
func locate(b []byte, off int) string { return grammar.Path(b, off) }

// endOf returns the offset of the first value that is not whole in a document that
// ends too early, the length of b if there is none of it.
func endOf(b []byte) int {
	i := 0
	for h := head(b, i); h.Kind != trail.Invalid; h = head(b, i) {
		i = h.Next
	}
	return i
}

// isKey reports whether a key that has a text begins at i and is whole.
func isKey(b []byte, i int) bool {
	if head(b, i).Kind != trail.Scalar {
		return false
	}
	class, _, _ := packwire.Head(b, i)
	return class == packwire.ClassInt || class == packwire.ClassUint ||
		class == packwire.ClassStr || class == packwire.ClassBin
}

// appendKey appends a map's key as a reference token.
func appendKey(p, b []byte, i int) []byte {
	if start, end := packwire.ReadString(b, i); end >= 0 {
		return wire.AppendPointer(p, string(b[start:min(end, start+trail.MaxPath)]))
	}
	if v, end := packwire.ReadInt(b, i); end >= 0 {
		return strconv.AppendInt(append(p, '/'), v, 10)
	}
	if v, end := packwire.ReadUint(b, i); end >= 0 {
		return strconv.AppendUint(append(p, '/'), v, 10)
	}
	return append(p, "/?"...)
}
