// Package optional holds the types of the tables about values that may be
// missing: structs of 6 and of 1,000 fields whose fields are pointers, plain
// values, optional values, or values in the form of the nullable library nan.
package optional

//go:generate go run generate.go
