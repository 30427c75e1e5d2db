// Package weft is the seam between Go types and wire formats: a type that
// implements [Marshaler] and [Unmarshaler] once is read and written by every
// weft format.
package weft
