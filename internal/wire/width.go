package wire

import "strconv"

// FitsInt reports whether v fits a signed integer of so many bits, 0 for those of an int.
func FitsInt(v int64, bits int) bool { return v<<beyond(bits)>>beyond(bits) == v }

// FitsUint is FitsInt for an unsigned integer.
func FitsUint(v uint64, bits int) bool { return v<<beyond(bits)>>beyond(bits) == v }

// beyond returns how many of 64 bits are not in an integer of so many.
func beyond(bits int) uint {
	if bits == 0 {
		bits = strconv.IntSize
	}
	return uint(64-bits) & 63
}

// IntName returns the name of the type of signed integers of so many bits, 0 for int.
func IntName(bits int) string { return UintName(bits)[1:] }

// UintName is IntName for unsigned integers.
func UintName(bits int) string { return uintNames[bits/8] }

var uintNames = [...]string{0: "uint", 1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}
