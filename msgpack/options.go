package msgpack

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
)

// Options is a set of settings; see [weft.Options].
type Options = weft.Options

// Flags of this format.
const (
	flagOldSpec   uint64 = setting.Msgpack << iota // write no str 8, bin or ext
	flagAnyMap                                     // any reads maps as map[any]any
	flagStrictLen                                  // arrays of structs must have every field and no more
	flagUTF8                                       // refuse strings that are not UTF-8
	flagOldTimes                                   // read times as other libraries wrote them
	flagAnyUints                                   // any reads unsigned formats as uint64
	flagAnyFloats                                  // any reads integers as float64
	flagAnyText                                    // any reads bin as string
)

// OldSpec writes for readers of the specification before str 8 and bin: a byte
// slice is written as a str, and no string as str 8. It affects marshaling.
func OldSpec(on bool) Options { return Options{}.Decide(flagOldSpec, on) }

// AnyMaps reads every map into an interface as map[any]any. By default it is a
// map[string]any where all keys are strings. It affects unmarshaling.
func AnyMaps(on bool) Options { return Options{}.Decide(flagAnyMap, on) }

// AnyUints reads an integer in an unsigned format into an interface as a uint64.
// By default it is an int64 where that holds it. It affects unmarshaling.
func AnyUints(on bool) Options { return Options{}.Decide(flagAnyUints, on) }

// AnyFloats reads every number into an interface as a float64, as encoding/json
// does. It affects unmarshaling.
func AnyFloats(on bool) Options { return Options{}.Decide(flagAnyFloats, on) }

// AnyText reads a bin into an interface as a string, by default a []byte. It
// affects unmarshaling.
func AnyText(on bool) Options { return Options{}.Decide(flagAnyText, on) }

// ExactArrays refuses, for a struct, an array that does not have as many elements as
// the struct has members. By default what is missing is left alone and what is
// too much is skipped. It affects unmarshaling.
func ExactArrays(on bool) Options { return Options{}.Decide(flagStrictLen, on) }

// RejectInvalidUTF8 refuses a str that is not UTF-8, also where it is skipped,
// unless it is read as bytes. By default the bytes are taken as they are. It
// affects unmarshaling.
func RejectInvalidUTF8(on bool) Options { return Options{}.Decide(flagUTF8, on) }

// OldTimes also reads times in the forms that libraries used before the
// timestamp extension: the extension of type 5 of tinylib/msgp, and an array of
// seconds and nanoseconds. Into an interface only the extension is read as a
// time. It affects unmarshaling.
func OldTimes(on bool) Options { return Options{}.Decide(flagOldTimes, on) }
