package cbor

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// Options is a set of settings; see [weft.Options].
type Options = weft.Options

// Flags of this format.
const (
	flagLengthFirst uint64 = setting.CBOR << iota // keys are ordered by length first
	flagKeepFloats                                // floats are written in their own precision
	flagReduce                                    // floats that are integers are integers
	flagByteText                                  // text is written as byte strings
	flagFinite                                    // no infinities and NaN
	flagShortest                                  // refuse what is not in its shortest form
	flagSorted                                    // refuse keys out of order
	flagDefinite                                  // refuse indefinite lengths
	flagUntagged                                  // refuse tags
	flagFewSimple                                 // refuse simple values but false, true and null
	flagAnyMaps                                   // any reads maps as map[any]any
	flagExactArrays                               // arrays of structs must have every field and no more
)

// strictFlags are those that are found broken in values that are skipped, too.
const strictFlags = flagFinite | flagShortest | flagSorted | flagDefinite | flagUntagged | flagFewSimple | flagReduce

// Preferred specifies whether heads and numbers that are not in their shortest form (§4.1) are an error. It affects
// unmarshaling.
func Preferred(on bool) Options { return Options{}.Decide(flagShortest, on) }

// Sorted specifies whether maps whose keys are duplicates or not in the order of their bytes (§4.2.1) are an error.
// It affects unmarshaling; [weft.Deterministic] writes maps in this order.
func Sorted(on bool) Options { return Options{}.Decide(flagSorted, on) }

// Definite specifies whether items of indefinite length are an error. It affects unmarshaling; they are never
// written.
func Definite(on bool) Options { return Options{}.Decide(flagDefinite, on) }

// Untagged specifies whether tags are an error. It affects unmarshaling.
func Untagged(on bool) Options { return Options{}.Decide(flagUntagged, on) }

// FewSimple specifies whether simple values other than false, true and null are an error. It affects unmarshaling.
func FewSimple(on bool) Options { return Options{}.Decide(flagFewSimple, on) }

// Finite specifies whether infinities and NaN are an error. It affects both marshaling and unmarshaling.
func Finite(on bool) Options { return Options{}.Decide(flagFinite, on) }

// KeepFloats specifies whether floating-point numbers are written in the precision of their Go type. By default they
// are written in the shortest precision that preserves them. It affects marshaling.
func KeepFloats(on bool) Options { return Options{}.Decide(flagKeepFloats, on) }

// AnyMaps specifies whether every map is read into an interface as a map[any]any. By default it is a map[string]any
// if all keys are text. It affects unmarshaling.
func AnyMaps(on bool) Options { return Options{}.Decide(flagAnyMaps, on) }

// ExactArrays specifies whether an array that is read into a struct must have as many elements as the struct has
// members. By default missing members are left unchanged and extra elements are skipped. It affects unmarshaling.
func ExactArrays(on bool) Options { return Options{}.Decide(flagExactArrays, on) }

// Mode is a profile of CBOR: a set of options.
type Mode uint8

// The modes.
const (
	// Core is the core deterministic encoding (§4.2.1): keys in the order of their bytes.
	Core Mode = iota
	// LengthFirst is Core with shorter keys first (§4.2.3), the canonical CBOR of RFC 7049.
	LengthFirst
	// CTAP2 is the canonical CBOR of FIDO's client to authenticator protocol: Core, but floating-point numbers keep
	// their precision, there are no tags, and nesting is limited to four levels.
	CTAP2
	// DCBOR is Core, but whole numbers are written as integers, and the only simple values are false, true and null.
	// Use [Normalized] to check that text is in NFC.
	DCBOR
	// Kubernetes is what its API servers write and read (KEP-4222): text as byte strings, bytes with tag 22, times as
	// text, finite numbers; text strings are read as well. Keys are written in order and read in any order.
	Kubernetes
)

// deterministic is what all deterministic modes refuse.
const deterministic = setting.Deterministic | setting.RejectDuplicates | flagShortest | flagSorted | flagDefinite

// modeFlags are the flags of each mode.
var modeFlags = [...]uint64{
	Core:        deterministic,
	LengthFirst: deterministic | flagLengthFirst,
	CTAP2:       deterministic | flagKeepFloats | flagUntagged,
	DCBOR:       deterministic | flagReduce | flagFewSimple,
	Kubernetes:  setting.Deterministic | setting.RejectDuplicates | flagByteText | flagFinite | flagFewSimple,
}

// allModes are the flags that a mode decides.
const allModes = deterministic | flagLengthFirst | flagKeepFloats | flagUntagged | flagReduce | flagFewSimple |
	flagByteText | flagFinite

// writing are those of them that affect marshaling.
const writing = setting.Deterministic | flagLengthFirst | flagKeepFloats | flagReduce | flagByteText | flagFinite

// Strict writes according to the mode, and rejects input that the mode does not write. In CTAP2 floating-point
// numbers may have any precision. It affects both marshaling and unmarshaling.
func (m Mode) Strict() Options { return m.options(allModes) }

// Lax writes according to the mode and reads everything that is valid, except what has no meaning in the mode. It
// affects both marshaling and unmarshaling.
func (m Mode) Lax() Options { return m.options(writing) }

func (m Mode) options(decided uint64) Options {
	f := modeFlags[m] & decided
	if decided == writing {
		f &^= flagFinite
		if m == DCBOR {
			f |= flagReduce
		}
	}
	o := Options{}.Decide(allModes&^f, false).Decide(f, true)
	if m == CTAP2 && decided == allModes {
		o = weft.Join(o, weft.MaxDepth(4))
	}
	if m == Kubernetes && decided == allModes {
		o = weft.Join(o, weft.MaxDepth(64))
	}
	return o
}

// rulesOf returns what is checked of items that are read.
func rulesOf(f uint64) cborwire.Rules {
	if f&strictFlags == 0 {
		return 0
	}
	return cborwire.UTF8 | cborwire.Rules(f/setting.CBOR)&flagRules
}

// flagRules are the rules that have flags, whose places among these are the same.
const flagRules = cborwire.LengthFirst | cborwire.AnyFloats | cborwire.Reduced | cborwire.Finite | cborwire.Shortest |
	cborwire.Sorted | cborwire.Definite | cborwire.Untagged | cborwire.FewSimple

// orderOf is how the members of structs are written: an index of the orders of a program.
func orderOf(f uint64) int {
	switch {
	case f&setting.Deterministic == 0:
		return declared
	case f&flagLengthFirst != 0:
		return lengthFirst
	}
	return bytewise
}

// The orders of members.
const (
	declared = iota
	bytewise
	lengthFirst
	orders
)
