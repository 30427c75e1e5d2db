// Package json encodes and decodes JSON like encoding/json, but much faster. Change the import line, and a program
// behaves as before. Interfaces, error types, Number and RawMessage are encoding/json's own, so types written for one
// package work with the other.
//
// The names that matter:
//   - [Marshal], [Unmarshal], [NewEncoder] and [NewDecoder], as in encoding/json
//   - [MarshalWith], [UnmarshalWith], [MarshalWrite], [UnmarshalRead]: the same with [Options]
//   - [V2] and [Fastest]: predefined sets of options
//   - [Locate]: finds the path and the offset of an error of encoding/json
package json

import "encoding/json"

// The interfaces and types of encoding/json.
type (
	// Marshaler is implemented by types that marshal themselves into valid JSON.
	Marshaler = json.Marshaler
	// Unmarshaler is implemented by types that unmarshal a JSON description of themselves.
	Unmarshaler = json.Unmarshaler
	// Number is the text of a JSON number.
	Number = json.Number
	// RawMessage is a raw encoded JSON value.
	RawMessage = json.RawMessage
	// Token is a value of one of the types Delim, bool, float64, Number, string and nil.
	Token = json.Token
	// Delim is one of the delimiters [ ] { }.
	Delim = json.Delim
)

// The errors of encoding/json.
type (
	// SyntaxError describes a syntax error in JSON text and its offset.
	SyntaxError = json.SyntaxError
	// UnmarshalTypeError describes a JSON value that does not fit the Go type.
	UnmarshalTypeError = json.UnmarshalTypeError
	// UnmarshalFieldError is no longer returned; it is kept for compatibility.
	//lint:ignore SA1019 programs may still name it
	UnmarshalFieldError = json.UnmarshalFieldError
	// InvalidUnmarshalError describes an argument of Unmarshal that is not a non-nil pointer.
	InvalidUnmarshalError = json.InvalidUnmarshalError
	// InvalidUTF8Error is no longer returned; it is kept for compatibility.
	//lint:ignore SA1019 programs may still name it
	InvalidUTF8Error = json.InvalidUTF8Error
	// UnsupportedTypeError describes a value of a type that JSON cannot represent.
	UnsupportedTypeError = json.UnsupportedTypeError
	// UnsupportedValueError describes a value that JSON cannot represent, such as NaN.
	UnsupportedValueError = json.UnsupportedValueError
	// MarshalerError wraps an error from a MarshalJSON or MarshalText method.
	MarshalerError = json.MarshalerError
)
