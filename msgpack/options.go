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

// OldSpec specifies whether to write for readers of the specification before str 8 and bin: byte slices are written
// as str, and str 8 is not used. It affects marshaling.
func OldSpec(on bool) Options { return Options{}.Decide(flagOldSpec, on) }

// AnyMaps specifies whether every map is read into an interface as a map[any]any. By default it is a map[string]any
// if all keys are strings. It affects unmarshaling.
func AnyMaps(on bool) Options { return Options{}.Decide(flagAnyMap, on) }

// AnyUints specifies whether an integer in an unsigned format is read into an interface as a uint64. By default it is
// an int64 if it fits. It affects unmarshaling.
func AnyUints(on bool) Options { return Options{}.Decide(flagAnyUints, on) }

// AnyFloats specifies whether every number is read into an interface as a float64, as in encoding/json. It affects
// unmarshaling.
func AnyFloats(on bool) Options { return Options{}.Decide(flagAnyFloats, on) }

// AnyText specifies whether a bin is read into an interface as a string. By default it is a []byte. It
// affects unmarshaling.
func AnyText(on bool) Options { return Options{}.Decide(flagAnyText, on) }

// ExactArrays specifies whether an array that is read into a struct must have as many elements as the struct has
// members. By default missing members are left unchanged and extra elements are skipped. It affects unmarshaling.
func ExactArrays(on bool) Options { return Options{}.Decide(flagStrictLen, on) }

// RejectInvalidUTF8 specifies whether a str that is not UTF-8 is an error, even if it is skipped, unless it is read
// as bytes. By default the bytes are accepted unchanged. It affects unmarshaling.
func RejectInvalidUTF8(on bool) Options { return Options{}.Decide(flagUTF8, on) }

// OldTimes specifies whether times are also read in the forms that libraries used before the timestamp extension: the
// extension of type 5 of tinylib/msgp, and an array of seconds and nanoseconds. Only the extension is read into an
// interface as a time. It affects unmarshaling.
func OldTimes(on bool) Options { return Options{}.Decide(flagOldTimes, on) }
