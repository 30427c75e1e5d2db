// Package opt holds values that may be missing: a value that may be null
// ([Null]), one that may be absent ([Val]), and one that may be either
// ([Field]). They are plain structs: no pointer, no allocation, comparable when
// T is, and their zero values mean "nothing there".
//
// They are used like pointers, without the dereference that may fail:
//
//	if p.Nick.Valid && p.Nick.V == "rex" { … }
//
// Every weft format writes null for a null value, leaves out the member of an
// absent one, and tells null from absent when it reads a Field. With
// encoding/json the same holds when the fields of a struct carry the option
// omitzero:
//
//	type Pet struct {
//		Owner opt.Null[string]  `json:"owner"`
//		Nick  opt.Val[string]   `json:"nick,omitzero"`
//		Age   opt.Field[uint8]  `json:"age,omitzero"`
//	}
package opt
