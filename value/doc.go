// Package value has an immutable dynamic value, [Value], for data whose type is
// known only at run time, and compiled conversion between it and any Go type.
//
// A Value is 24 bytes and is passed by value. What it refers to never changes, so
// that it may be shared by goroutines without a lock; changes such as
// [Value.With] make a new Value that shares with the old one what has not
// changed. Maps keep the order of their members; two maps that differ in nothing
// but the order are equal.
//
// [Marshal] turns any Go value into a Value and [Unmarshal] turns it back, by the
// same tags and methods as the formats. Every format reads and writes a Value as it
// does any other Go value, because a Value is a [weft.Marshaler] and a *Value a
// [weft.Unmarshaler].
package value
