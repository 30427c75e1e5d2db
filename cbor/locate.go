package cbor

import (
	"strconv"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
	"github.com/weftcodec/weft/internal/wire/trail"
)

// grammar finds where values stand. Of what is too deep the way there is one that is cut off.
var grammar = &trail.Grammar{
	Head: itemAt, Key: appendKey, Skip: skipAt, Most: 128,
	IsKey: func(b []byte, i int) bool {
		end, _ := cborwire.Skip(b, i, 1)
		return end >= 0
	},
}

// itemAt says what begins at b[i:].
func itemAt(b []byte, i int) trail.Head {
	n, next := cborwire.Head(b, i)
	if next < 0 {
		return trail.Head{}
	}
	h := trail.Head{N: int(n), Next: next}
	switch c := b[i]; {
	case c == cborwire.Break:
		h.Kind = trail.End
	case c < cborwire.Array || c >= cborwire.Simple:
		return trail.Head{Kind: trail.Scalar, Next: skipAt(b, i)}
	case c >= cborwire.Tag:
		h.Kind, h.N = trail.Tag, 1
	default:
		if h.Kind = trail.List; c&0xe0 == cborwire.Map {
			h.Kind = trail.Map
		}
		if c&31 == cborwire.Open {
			h.N = -1
		}
	}
	return h
}

func skipAt(b []byte, i int) int {
	end, _ := cborwire.Skip(b, i, setting.DefaultMaxDepth)
	return end
}

// appendKey appends a map's key as a reference token.
func appendKey(p, b []byte, i int) []byte {
	if body, end := cborwire.AppendString(nil, b, i); end >= 0 {
		body = body[:min(len(body), trail.MaxPath)]
		for len(body) > 0 && !utf8.Valid(body) {
			body = body[:len(body)-1]
		}
		return wire.AppendPointer(p, string(body))
	}
	n, end := cborwire.Head(b, i)
	switch {
	case end < 0 || b[i] >= cborwire.Bytes:
		return append(p, "/?"...)
	case b[i] >= cborwire.Nint:
		if n == 1<<64-1 {
			return append(p, "/-18446744073709551616"...)
		}
		return strconv.AppendUint(append(p, "/-"...), n+1, 10)
	}
	return strconv.AppendUint(append(p, '/'), n, 10)
}
