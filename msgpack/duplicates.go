package msgpack

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// duplicates fails at the first pair, anywhere in the document, whose key an earlier
// pair of its map has. An integer is the same key as its digits if the keys are
// names.
func (r *Reader) duplicates(names bool) {
	r.findDuplicate(r.i, r.maxDepth, names, false)
}

// mapKey is a key by which pairs are distinguished.
type mapKey struct {
	kind weft.Kind
	n    uint64 // of integers
	text string // of others
}

// fewKeys is the number of keys that are compared one by one.
const fewKeys = 8

// findDuplicate is duplicates for the value at i. It returns the index after that,
// or -1: what is not well-formed is left to be found by those who read it. Within
// keys those that are arrays or maps are not compared, so that no byte is compared
// at every level.
func (r *Reader) findDuplicate(i, depth int, names, within bool) int {
	b := r.b
	if i >= len(b) {
		return -1
	}
	class, next, n := packwire.Head(b, i)
	switch {
	case next < 0 || class >= packwire.ClassArray && depth == 0:
		return -1
	case class < packwire.ClassStr:
		return next
	case class <= packwire.ClassExt:
		if n > len(b)-next {
			return -1
		}
		return next + n
	case class == packwire.ClassArray:
		for ; n > 0 && next >= 0; n-- {
			next = r.findDuplicate(next, depth-1, names, within)
		}
		return next
	}
	var few [fewKeys]mapKey
	var many map[mapKey]struct{}
	if n > fewKeys {
		many = make(map[mapKey]struct{}, min(n, (len(b)-next)/2, maxHint))
	}
	for j := range n {
		k, end := r.mapKeyAt(next, depth-1, names, within)
		if end < 0 {
			return -1
		}
		again := false
		if many != nil {
			had := len(many)
			many[k] = struct{}{}
			again = len(many) == had
		} else {
			for _, other := range few[:j] {
				again = again || other == k
			}
			few[j] = k
		}
		if again {
			return r.fail(end, weft.ErrDuplicateName)
		}
		if next = r.findDuplicate(end, depth-1, names, within); next < 0 {
			return -1
		}
	}
	return next
}

// mapKeyAt reads the key at i.
func (r *Reader) mapKeyAt(i, depth int, names, within bool) (k mapKey, end int) {
	if start, end := packwire.ReadString(r.b, i); end >= 0 {
		return mapKey{kind: weft.KindString, text: mem.String(r.b[start:end])}, end
	}
	if text, end := integerText(r.b, i); names && end >= 0 {
		return mapKey{kind: weft.KindString, text: text}, end
	}
	if v, end := packwire.ReadInt(r.b, i); end >= 0 {
		return mapKey{kind: weft.KindInt, n: uint64(v)}, end
	}
	if v, end := packwire.ReadUint(r.b, i); end >= 0 { // beyond int64
		return mapKey{kind: weft.KindUint, n: v}, end
	}
	if end = r.findDuplicate(i, depth, names, true); end < 0 {
		return k, -1
	}
	if class, _, _ := packwire.Head(r.b, i); within && class >= packwire.ClassArray {
		return mapKey{kind: weft.KindArray, n: uint64(i)}, end
	}
	return mapKey{text: mem.String(r.b[i:end])}, end
}
