// Package value has an immutable dynamic value, [Value], for data whose type is known only at run time, and compiled
// conversion between it and any Go type.
//
// The names that matter:
//
//   - [Marshal] and [Unmarshal]: convert any Go value to a Value and back
//   - [Int], [String], [List], [Map] and others: make a Value
//   - [Value.Get], [Value.Lookup] and [Value.Kind]: inspect a Value
//   - [Value.With]: returns a new Value with one change
//   - [Equal], [Compare] and [Diff]
//
// A Value is 24 bytes and is passed by value. The memory that it refers to never changes, so goroutines may share it
// without a lock. A changed Value shares the unchanged parts with the original. Maps keep the order of their members;
// two maps that differ only in order are equal.
//
// Conversion uses the same tags and methods as the formats. Every format reads and writes a Value like any other Go
// value, because a Value is a [weft.Marshaler] and a *Value is a [weft.Unmarshaler].
package value
