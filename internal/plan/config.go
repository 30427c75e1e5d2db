package plan

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/bits"
	"reflect"

	"github.com/weftcodec/weft"
)

// Config says how a format looks at types. It must not change after it has
// been given to [NewSet].
type Config struct {
	// Keys are the tag keys in order of preference. The first one that a field
	// has governs: its name and its options hold, and nothing of the others,
	// except that a later key's "-" hides a field that the governing tag gives
	// no name, and that the option required of the key weft holds beside any. The key json means what it means to
	// encoding/json: options that encoding/json does not know are ignored. Under every other key they are problems.
	Keys []string

	// Hooks are the methods by which types marshal themselves, the preferred
	// ones first. There are at most 16.
	Hooks []Hook

	// Raws are types of kind [Raw] beside encoding/json.RawMessage.
	Raws []RawType

	// Dialect is what options say of types. A format has a Set for each.
	Dialect *weft.Dialect

	// AnyKeys allows map keys of every kind that can be a value.
	AnyKeys bool

	// Complex allows complex numbers.
	Complex bool

	// V2, if not nil, reads the tag json, and only that, as encoding/json/v2
	// does, and refuses what that refuses of struct types. See [V2Rules].
	V2 *TagRules
}

// TagRules are those of encoding/json/v2. They are a value so that programs that
// have no use for them are linked without.
type TagRules struct {
	tag   func(*reflect.StructField) tag
	check func(b *builder, n *Type, p *place, sf *reflect.StructField, g *tag)
}

// V2Rules returns the rules for [Config.V2]. extended reports whether the options that encoding/json/v2 does not obey
// are.
func V2Rules(extended bool) *TagRules {
	tag := func(sf *reflect.StructField) tag { return parseTagV2(sf, extended) }
	return &TagRules{tag, (*builder).checkV2}
}

// Hook is a pair of methods by which a type marshals and unmarshals itself.
type Hook struct {
	Name      string
	Marshal   reflect.Type // an interface, nil if there is none
	Unmarshal reflect.Type // an interface, nil if there is none
	Foreign   bool         // methods of the standard library's, which strict types have for other packages
}

// RawType is a slice of bytes that holds one encoded value of a format.
type RawType struct {
	Rtype  reflect.Type
	Format string
}

// WeftHook is the hook of weft.Marshaler and weft.Unmarshaler.
func WeftHook() Hook {
	return Hook{Name: "weft", Marshal: reflect.TypeFor[weft.Marshaler](), Unmarshal: reflect.TypeFor[weft.Unmarshaler]()}
}

// AppendHook appends what the codec of n, or MarshalWeft, writes for the value that v points to.
func (n *Type) AppendHook(
	c *weft.EncoderConfig, flags uint64, maxDepth int, b []byte, v any, depth int,
) ([]byte, error) {
	c.Flags, c.MaxDepth = flags, maxDepth
	if n.Codec != nil {
		return c.AppendCodec(b, n.Codec, v, depth)
	}
	return c.Append(b, v.(weft.Marshaler), depth)
}

// ReadHook reads the value that v points to by the codec of n, or UnmarshalWeft.
func (n *Type) ReadHook(d *weft.Decoder, v any) error {
	if n.Codec != nil {
		return n.Codec.Unmarshal(d, v)
	}
	return v.(weft.Unmarshaler).UnmarshalWeft(d)
}

// JSONHook is the hook of encoding/json's Marshaler and Unmarshaler.
func JSONHook() Hook {
	return Hook{
		Name: "json", Marshal: jsonMarshaler, Unmarshal: jsonUnmarshaler, Foreign: true,
	}
}

// TextHook is the hook of encoding.TextMarshaler and encoding.TextUnmarshaler.
func TextHook() Hook {
	return Hook{Name: "text", Marshal: textMarshaler, Unmarshal: textUnmarshaler, Foreign: true}
}

// BinaryHook is the hook of encoding.BinaryMarshaler and
// encoding.BinaryUnmarshaler.
func BinaryHook() Hook {
	return Hook{
		Name:      "binary",
		Marshal:   reflect.TypeFor[encoding.BinaryMarshaler](),
		Unmarshal: reflect.TypeFor[encoding.BinaryUnmarshaler](),
		Foreign:   true,
	}
}

// HookSet is a set of hooks: bit i is the i-th of [Config.Hooks].
type HookSet uint16

const maxHooks = 16

// Has reports whether hook i is in the set.
func (h HookSet) Has(i int) bool { return h>>i&1 != 0 }

// First returns the preferred hook of the set, -1 if it is empty.
func (h HookSet) First() int {
	if h == 0 {
		return -1
	}
	return bits.TrailingZeros16(uint16(h))
}

// Hooks tells which of the Set's hooks a type has. The Addr sets are those of
// the method set of a pointer to the type: they include the plain ones, except
// that pointers to pointers and pointers to interfaces have no methods. A
// Pointer node whose Rtype is *T has in its plain sets what T has in its Addr
// sets; a named pointer type has no methods.
//
// What encoding/json does first with a type is First of MarshalAddr where the
// value is addressable, else First of Marshal.
type Hooks struct {
	Marshal       HookSet // on any value
	MarshalAddr   HookSet // on an addressable value, by its address
	Unmarshal     HookSet // on the value itself: pointers, interfaces, maps with value receivers
	UnmarshalAddr HookSet // by the value's address
}

var (
	weftMarshaler   = reflect.TypeFor[weft.Marshaler]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// check panics with what is wrong in c, which is a fault of the program.
func (c *Config) check() {
	if len(c.Hooks) > maxHooks {
		panic(fmt.Sprintf("plan: %d hooks, at most %d are possible", len(c.Hooks), maxHooks))
	}
	for _, h := range c.Hooks {
		for _, t := range []reflect.Type{h.Marshal, h.Unmarshal} {
			if t != nil && t.Kind() != reflect.Interface {
				panic(fmt.Sprintf("plan: hook %s: %v is not an interface", h.Name, t))
			}
		}
	}
	for _, r := range c.Raws {
		if r.Rtype.Kind() != reflect.Slice || r.Rtype.Elem().Kind() != reflect.Uint8 {
			panic(fmt.Sprintf("plan: raw type %v is not a slice of bytes", r.Rtype))
		}
	}
}

// hooksOf finds the hooks of t, apart from those of a set.
func (c *Config) hooksOf(t reflect.Type, apart HookSet) (h Hooks) {
	if h.Marshal, h.Unmarshal = c.implemented(t, apart); hasMethods(t) {
		h.MarshalAddr, h.UnmarshalAddr = c.implemented(reflect.PointerTo(t), apart)
	}
	return h
}

// implemented finds the hooks of which t has the methods, apart from those of a set.
func (c *Config) implemented(t reflect.Type, apart HookSet) (marshal, unmarshal HookSet) {
	if t.NumMethod() == 0 {
		return 0, 0
	}
	for i := range c.Hooks {
		if apart.Has(i) {
			continue
		}
		if m := c.Hooks[i].Marshal; m != nil && t.Implements(m) {
			marshal |= 1 << i
		}
		if u := c.Hooks[i].Unmarshal; u != nil && t.Implements(u) {
			unmarshal |= 1 << i
		}
	}
	return marshal, unmarshal
}

// without returns h without the hooks of a set.
func (h Hooks) without(out HookSet) Hooks {
	return Hooks{h.Marshal &^ out, h.MarshalAddr &^ out, h.Unmarshal &^ out, h.UnmarshalAddr &^ out}
}
