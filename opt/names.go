package opt

import "time"

// Names for nullable values of the common types.
type (
	Bool       = Null[bool]
	String     = Null[string]
	Bytes      = Null[[]byte]
	Int        = Null[int]
	Int8       = Null[int8]
	Int16      = Null[int16]
	Int32      = Null[int32]
	Int64      = Null[int64]
	Uint       = Null[uint]
	Uint8      = Null[uint8]
	Uint16     = Null[uint16]
	Uint32     = Null[uint32]
	Uint64     = Null[uint64]
	Byte       = Null[byte]
	Rune       = Null[rune]
	Float32    = Null[float32]
	Float64    = Null[float64]
	Complex64  = Null[complex64]
	Complex128 = Null[complex128]
	Time       = Null[time.Time]
	Duration   = Null[time.Duration]
	UUID       = Null[RawUUID]
)
