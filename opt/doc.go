// Package opt has types for values that may be missing. They are plain structs, without pointers or allocations, and
// comparable if T is. Their zero values mean that no value is set.
//
// The names that matter:
//
//   - [Null]: a value or null, made by [NullOf]; [String], [Int], [Time] and others are short names
//   - [Val]: a value or absent, made by [ValOf]
//   - [Field]: a value, null or absent, made by [FieldOf] and [FieldNull]
//   - [Apply], [Diff] and [Merge]: structs of these types as patches
//   - [Date] and [UUID]
//
// Use them like pointers, without a dereference that may panic:
//
//	if p.Nick.Valid && p.Nick.V == "rex" { … }
//
// Every weft format writes null for a null value, omits the member of an absent value, and distinguishes null from
// absent when it reads a Field. With encoding/json the same holds if the fields of a struct have the tag option
// omitzero:
//
//	type Pet struct {
//		Owner opt.Null[string]  `json:"owner"`
//		Nick  opt.Val[string]   `json:"nick,omitzero"`
//		Age   opt.Field[uint8]  `json:"age,omitzero"`
//	}
package opt
