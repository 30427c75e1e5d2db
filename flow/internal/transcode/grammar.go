package transcode

import (
	"math"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/cborwire"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/json"
)

// grammar is what is known of a binary format: where values end, and how containers begin.
type grammar struct {
	// value returns the index after the value at b[i], or -1 where it is not whole. It finds ends only: whoever reads
	// values finds out whether they are right. A byte that begins none is taken for one.
	value func(b []byte, i int) int
	// open reads the header of the container that b begins with: the number of its elements or members, -1 where only a
	// byte ends it, and the index after the header, negative where there is none.
	open func(b []byte) (object bool, n, next int)
	// head appends the header of a container. It is not asked for one of unknown length where the format has none.
	head   func(b []byte, object bool, n int) []byte
	array  byte // begins an array whose number of elements follows in 32 bits
	object byte // likewise
	null   byte
	end    byte // ends a container of unknown length and begins no value
}

// grammars are those of the formats that are read through windows, by their names; JSON is text.
var grammars = map[string]*grammar{
	nameJSON: nil,
	namePack: {packValue, packOpen, packHead, packwire.Array32, packwire.Map32, packwire.Nil, packwire.NeverUsed},
	nameCBOR: {cborValue, cborOpen, cborHead, cborwire.Array | 26, cborwire.Map | 26, cborwire.Null, cborwire.Break},
}

// elements returns the index after the values, at most most, that b begins with and that are whole, and how many they
// are.
func (g *grammar) elements(b []byte, most int) (end, n int) {
	for n < most {
		next := g.value(b, end)
		if next < 0 {
			break
		}
		end, n = next, n+1
	}
	return end, n
}

// packValue is value of MessagePack.
func packValue(b []byte, i int) int {
	for due := 1; due > 0; due-- {
		if i >= len(b) {
			return -1
		}
		class, next, size := packwire.Head(b, i)
		if next == packwire.Mismatch {
			return i + 1
		}
		if next < 0 {
			return -1
		}
		i = next
		switch class {
		case packwire.ClassStr, packwire.ClassBin, packwire.ClassExt:
			if size > len(b)-i {
				return -1
			}
			i += size
		case packwire.ClassArray:
			due += size
		case packwire.ClassMap:
			due += 2 * size
		}
		if due > len(b)-i+1 { // each takes a byte
			return -1
		}
	}
	return i
}

func packOpen(b []byte) (object bool, n, next int) {
	class, next, n := packwire.Head(b, 0)
	if class != packwire.ClassArray && class != packwire.ClassMap {
		return false, 0, -1
	}
	return class == packwire.ClassMap, n, next
}

func packHead(b []byte, object bool, n int) []byte {
	if object {
		return packwire.AppendMapHeader(b, n)
	}
	return packwire.AppendArrayHeader(b, n)
}

// cborValue is value of CBOR. A break ends what is around it.
func cborValue(b []byte, i int) int {
	if i < len(b) && b[i] == cborwire.Break {
		return -1
	}
	end, at := cborwire.Skip(b, i, setting.DefaultMaxDepth)
	if end < cborwire.Short {
		return at + 1
	}
	return end
}

// cborOpen passes tags that say nothing of what is in the container. One of more elements than 31 bits count does not
// stand in any message, and so is none.
func cborOpen(b []byte) (object bool, n, next int) {
	for i := 0; ; i = next {
		var count uint64
		if count, next = cborwire.Head(b, i); next < 0 {
			return false, 0, -1
		}
		switch major := b[i] & 0xe0; major {
		case cborwire.Tag:
			continue
		case cborwire.Array, cborwire.Map:
			if count > math.MaxInt32 || i > 0 && !transparent(append(b[:i:i], major)) {
				return false, 0, -1
			}
			if n = int(count); b[i]&31 == cborwire.Open {
				n = -1
			}
			return major == cborwire.Map, n, next
		}
		return false, 0, -1
	}
}

// transparent reports whether the tags before an empty container say nothing that another format would.
func transparent(src []byte) bool {
	_, err := weft.Transcode(nil, json.Format, src, cbor.Format)
	return err == nil
}

func cborHead(b []byte, object bool, n int) []byte {
	major := byte(cborwire.Array)
	if object {
		major = cborwire.Map
	}
	if n < 0 {
		return append(b, major|cborwire.Open)
	}
	return cborwire.AppendHead(b, major, uint64(n))
}
