// Package mem is the only importer of unsafe: locations of Go values, byte
// loads without bounds checks, typed scratch memory and the two words of an
// interface.
//
// Every type has two builds with the same methods. The first uses unsafe and
// serves little-endian platforms that load unaligned words. The second,
// selected by the build tag purego and by every other platform, uses reflect
// and slices, and is slow. Engines are written once against this package and
// are tested under both.
//
// The collector must see every pointer under its own type, so memory that can
// hold pointers is always allocated as ordinary Go values (reflect.New,
// reflect's slice growth, make of a static type), and pointers are written by
// typed stores only.
package mem
