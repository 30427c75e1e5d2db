package json

import "github.com/weftcodec/weft/internal/plan"

// op is what a value decodes into, and how it is encoded. Those to which a comment says so are for one of the two.
type op uint8

const (
	opUnsupported op = iota // nothing: every value but null is an error
	opBool
	opInt
	opInt8
	opInt16
	opInt32
	opInt64
	opUint
	opUint8
	opUint16
	opUint32
	opUint64
	opUintptr
	opFloat32
	opFloat64
	opString
	opStruct
	opPointer
	opSlice
	opAny
	opTime
	opBytes // a base64 string, or decoded an array of numbers
	opArray
	opMap
	opInterface
	opNumber
	opRaw
	opOption
	opUnion  // one of several types
	opQuoted // a scalar, elem where it is encoded, within a JSON string; decoded: field only
	opWeft   // has MarshalWeft, UnmarshalWeft
	opJSON   // has MarshalJSON, UnmarshalJSON
	opText   // has MarshalText, UnmarshalText
	opTo     // has MarshalJSONTo, UnmarshalJSONFrom of this module's jsontext
	opStd    // has those of encoding/json/jsontext, where there is one
	opAppend // encoded: has AppendText
	opFunc   // fn
	opWithin // encoded: elem, a field of the struct
	opLong   // of a put alone: sub, behind the rest of a long name, or taken back if its text is empty

	// Those that follow are decoded.
	opSliceInPlace // whose elements must not move
	opRuled        // ruled, whose values obey rules
	opLocal        // fn, in which no address is kept
	opTexts        // field only: a string that is mostly one of those that its rules allow, and shares memory with that
	opEmbed        // field only: behind an embedded pointer
	opSet          // field only: an option of a scalar, for which inner is the op
)

// scalars are the ops of the kinds that need nothing but a location.
var scalars = [plan.Kinds]op{
	plan.Bool: opBool,
	plan.Int:  opInt, plan.Int8: opInt8, plan.Int16: opInt16, plan.Int32: opInt32, plan.Int64: opInt64,
	plan.Uint: opUint, plan.Uint8: opUint8, plan.Uint16: opUint16, plan.Uint32: opUint32, plan.Uint64: opUint64,
	plan.Uintptr: opUintptr,
	plan.Float32: opFloat32, plan.Float64: opFloat64,
	plan.String: opString,
	plan.Bytes:  opBytes,
	plan.Time:   opTime, plan.Duration: opInt64,
	plan.Number: opNumber,
	plan.Raw:    opRaw,
	plan.Any:    opAny, plan.Interface: opInterface,
	plan.Unsupported: opUnsupported,
}

// hookOps are the ops of the hooks of the types of this format.
var hookOps = [...]op{
	hookWeft: opWeft, hookTo: opTo, hookStd: opStd, hookJSON: opJSON, hookAppend: opAppend, hookText: opText,
}
