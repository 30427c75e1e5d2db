// Package sample makes random Go types, and random values of them that come back
// equal from a format. Tests import it, and nothing else does.
package sample

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/weftcodec/weft/opt"
)

// Maker makes types and values.
type Maker struct {
	*rand.Rand
	// Tag is the key of the format's struct tags.
	Tag string
	// Leaves and Keys are types that the format has beside those that all have:
	// some that end a type, and some for the keys of maps.
	Leaves, Keys []reflect.Type
	// Set sets v, whose type is one of these, and reports whether it has.
	Set func(m *Maker, v reflect.Value) bool
	// Dynamic makes values for interfaces, beside those that all formats have.
	Dynamic []func(m *Maker, depth int) any
	// Text and Float, if set, make another value of what the format cannot say.
	Text  func(string) string
	Float func(float64) float64

	leaves, keys []reflect.Type
}

// Named types of every kind, and structs that reflect.StructOf cannot make.
type (
	namedInt    int16
	namedUint   uint64
	namedFloat  float32
	namedString string
	namedBool   bool
	namedBytes  []byte
	namedByte   byte
	ownBytes    []namedByte
	namedMap    map[namedString]namedInt
	namedSlice  []namedString

	inner struct {
		A int `json:"a"`
		B *string
	}
	// Embedded is a struct in others.
	Embedded struct {
		C float64 `weft:"c,omitempty"`
		D []inner
	}
	// PtrEmbedded is a pointer in others.
	PtrEmbedded struct{ E string }
	outer       struct {
		Embedded
		*PtrEmbedded
		inner
		F map[int]inner      `weft:"f,omitzero"`
		G opt.Null[string]   `weft:"g"`
		H opt.Val[int]       `weft:"h"`
		I opt.Field[float64] `weft:"i"`
		Z time.Time
		_ int
	}
	list struct {
		Value int
		Next  *list `weft:",omitempty"`
	}
	tall struct {
		Name string
		Kids []tall
		By   map[string]*tall
	}
	catch struct {
		A    int
		More map[string]any `weft:",inline"`
	}
)

// leaves returns the types that end a type in all formats.
func leaves() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
		reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](),
		reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
		reflect.TypeFor[float32](), reflect.TypeFor[float64](),
		reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[5]byte](), reflect.TypeFor[time.Time](),
		reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[namedInt](), reflect.TypeFor[namedUint](),
		reflect.TypeFor[namedFloat](), reflect.TypeFor[namedString](), reflect.TypeFor[namedBool](),
		reflect.TypeFor[namedBytes](), reflect.TypeFor[ownBytes](), reflect.TypeFor[namedMap](),
		reflect.TypeFor[namedSlice](), reflect.TypeFor[outer](), reflect.TypeFor[list](), reflect.TypeFor[tall](),
		reflect.TypeFor[opt.Null[int]](), reflect.TypeFor[catch](), reflect.TypeFor[struct{}](),
	}
}

// keys returns the types of the keys of maps in all formats.
func keys() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[namedString](), reflect.TypeFor[namedInt](),
	}
}

// Type returns a type of at most the given depth.
func (m *Maker) Type(depth int) reflect.Type {
	if m.leaves == nil {
		m.leaves, m.keys = slices.Concat(leaves(), m.Leaves), slices.Concat(keys(), m.Keys)
	}
	if depth == 0 || m.IntN(3) == 0 {
		return m.leaves[m.IntN(len(m.leaves))]
	}
	switch m.IntN(6) {
	case 0:
		return reflect.PointerTo(m.Type(depth - 1))
	case 1:
		return reflect.SliceOf(m.Type(depth - 1))
	case 2:
		return reflect.ArrayOf(m.IntN(4), m.Type(depth-1))
	case 3:
		return reflect.MapOf(m.keys[m.IntN(len(m.keys))], m.Type(depth-1))
	}
	tags := []string{
		"", m.Tag + `:"%s"`, m.Tag + `:"%s,omitempty"`, `weft:"%s-a-name-longer-than-two-words"`, `json:"%s,omitzero"`,
	}
	fields := make([]reflect.StructField, m.IntN(8))
	if m.IntN(20) == 0 {
		fields = make([]reflect.StructField, 70)
	}
	for i := range fields {
		name := fmt.Sprintf("F%d", i)
		fields[i] = reflect.StructField{Name: name, Type: m.Type(depth - 1)}
		if tag := tags[m.IntN(len(tags))]; tag != "" {
			fields[i].Tag = reflect.StructTag(fmt.Sprintf(tag, "n"+name))
		}
	}
	return reflect.StructOf(fields)
}
