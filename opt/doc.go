// Package opt holds values that may be missing. They are plain structs: no pointer,
// no allocation, comparable when T is, and their zero values mean "nothing there".
//
// The names that matter:
//
//   - [Null]: a value or null, made by [NullOf]; [String], [Int], [Time] and others are short names
//   - [Val]: a value or absent, made by [ValOf]
//   - [Field]: a value, null or absent, made by [FieldOf] and [FieldNull]
//   - [Apply], [Diff] and [Merge]: structs of them as patches
//   - [Date] and [UUID]
//
// They are used like pointers, without the dereference that may fail:
//
//	if p.Nick.Valid && p.Nick.V == "rex" { … }
//
// Every weft format writes null for a null value, leaves out the member of an absent
// one, and distinguishes null from absent when it reads a Field. With encoding/json
// the same holds when the fields of a struct have the option omitzero:
//
//	type Pet struct {
//		Owner opt.Null[string]  `json:"owner"`
//		Nick  opt.Val[string]   `json:"nick,omitzero"`
//		Age   opt.Field[uint8]  `json:"age,omitzero"`
//	}
package opt
