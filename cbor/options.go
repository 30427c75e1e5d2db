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

// Preferred refuses heads and numbers that are not in their shortest form (§4.1). It affects unmarshaling.
func Preferred(on bool) Options { return Options{}.Decide(flagShortest, on) }

// Sorted refuses maps whose keys are not in the order of their bytes (§4.2.1), or twice. It affects
// unmarshaling; [weft.Deterministic] writes maps so.
func Sorted(on bool) Options { return Options{}.Decide(flagSorted, on) }

// Definite refuses items of indefinite length. It affects unmarshaling: none are written.
func Definite(on bool) Options { return Options{}.Decide(flagDefinite, on) }

// Untagged refuses tags. It affects unmarshaling.
func Untagged(on bool) Options { return Options{}.Decide(flagUntagged, on) }

// FewSimple refuses simple values other than false, true and null. It affects unmarshaling.
func FewSimple(on bool) Options { return Options{}.Decide(flagFewSimple, on) }

// Finite refuses infinities and NaN. It affects both marshaling and unmarshaling.
func Finite(on bool) Options { return Options{}.Decide(flagFinite, on) }

// KeepFloats writes floating-point numbers in the precision of their Go type, by default in the shortest that
// has them. It affects marshaling.
func KeepFloats(on bool) Options { return Options{}.Decide(flagKeepFloats, on) }

// AnyMaps reads every map into an interface as map[any]any. By default it is a map[string]any where all keys
// are text. It affects unmarshaling.
func AnyMaps(on bool) Options { return Options{}.Decide(flagAnyMaps, on) }

// ExactArrays refuses, for a struct, an array that does not have as many elements as the struct has members.
// By default what is missing is left alone and what is too much is skipped. It affects unmarshaling.
func ExactArrays(on bool) Options { return Options{}.Decide(flagExactArrays, on) }

// Mode is a profile of CBOR: options that go together.
type Mode uint8

// The modes.
const (
	// Core is the core deterministic encoding (§4.2.1): keys in the order of their bytes.
	Core Mode = iota
	// LengthFirst is Core with shorter keys first (§4.2.3), the canonical CBOR of RFC 7049.
	LengthFirst
	// CTAP2 is the canonical CBOR of FIDO's client to authenticator protocol: Core, with floating-point numbers as
	// they are, without tags, and of at most four levels.
	CTAP2
	// DCBOR is Core where a number that is an integer is written as one, and of simple values there are but
	// false, true and null. That text is in NFC is checked by [Normalized].
	DCBOR
	// Kubernetes is what its API servers write and read (KEP-4222): text as byte strings, bytes with tag 22,
	// times as text, finite numbers; text strings are read as well. Keys are in order, and what is out of
	// order is read.
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

// Strict writes by the mode, and refuses when reading what the mode does not write: in CTAP2 floating-point
// numbers may have any precision. It affects both marshaling and unmarshaling.
func (m Mode) Strict() Options { return m.options(allModes) }

// Lax writes by the mode and reads all that is valid, but for what it cannot mean. It affects both marshaling
// and unmarshaling.
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
