// Package namewire has the names of an object's members as each format needs them.
package namewire

import (
	"sync/atomic"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Names are the names of members, by index, in each format: made when it first asks.
type Names struct {
	List []string

	json atomic.Pointer[JSON]
	pack atomic.Pointer[packwire.Keys]
	tags atomic.Pointer[[]uint32]
}

// Of returns the Names that a weft.Fields gives as an any.
func Of(v any) *Names { return v.(*Names) }

// Pack returns the names as MessagePack strings.
func (n *Names) Pack() *packwire.Keys {
	if k := n.pack.Load(); k != nil {
		return k
	}
	return n.makePack()
}

func (n *Names) makePack() *packwire.Keys {
	n.pack.CompareAndSwap(nil, packwire.NewKeys(n.List))
	return n.pack.Load()
}

// JSON is names as JSON needs them.
type JSON struct {
	Plain []string        // each name as a JSON string with its colon
	HTML  []string        // the same with <, > and & escaped
	Keys  []wire.Key      // the plain names, to match where they stand
	Table *wire.NameTable // to find a name in any other spelling
}

// JSON returns the names as JSON strings.
func (n *Names) JSON() *JSON {
	if k := n.json.Load(); k != nil {
		return k
	}
	return n.makeJSON()
}

func (n *Names) makeJSON() *JSON {
	l := len(n.List)
	k := &JSON{make([]string, l), make([]string, l), make([]wire.Key, l), wire.NewNameTable(n.List)}
	for i, s := range n.List {
		k.Plain[i] = string(append(wire.AppendJSONString(nil, s, 0), ':'))
		k.HTML[i] = string(append(wire.AppendJSONString(nil, s, wire.EscapeHTML), ':'))
		k.Keys[i] = wire.NewKey(k.Plain[i])
	}
	n.json.CompareAndSwap(nil, k)
	return n.json.Load()
}

// Tags returns the names as tags of the hashed-tag format, without wire types.
func (n *Names) Tags() []uint32 {
	if k := n.tags.Load(); k != nil {
		return *k
	}
	k := make([]uint32, len(n.List))
	for i, s := range n.List {
		k[i] = tagwire.Hash(s)
	}
	n.tags.CompareAndSwap(nil, &k)
	return *n.tags.Load()
}
