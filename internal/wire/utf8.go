package wire

import "unicode/utf8"

// validChunk is the longest text handed to one call of a validating kernel, which cannot be preempted.
const validChunk = 1 << 20

// ValidUTF8 reports whether b is valid UTF-8, as utf8.Valid does.
func ValidUTF8(b []byte) bool {
	if len(b) < 64 || level == levelGeneric {
		return utf8.Valid(b)
	}
	n := 0
	for end := len(b) &^ 63; n < end; {
		k := min(end-n, validChunk)
		if validBlocks(&b[n], k, n) != 0 {
			return false
		}
		n += k
	}
	return utf8.Valid(b[n-unfinished(b[n-3:n]):])
}

// ValidUTF8String is ValidUTF8 for a string.
func ValidUTF8String(s string) bool {
	if len(s) < 64 || level == levelGeneric {
		return utf8.ValidString(s)
	}
	n := 0
	for end := len(s) &^ 63; n < end; {
		k := min(end-n, validChunk)
		if validBlocksString(s[n:n+k], n) != 0 {
			return false
		}
		n += k
	}
	return utf8.ValidString(s[n-unfinished(s[n-3:n]):])
}

// unfinished returns the number of bytes at the end of the three bytes b from the start of a character on that
// may go on after them, or 0.
func unfinished[S []byte | string](b S) int {
	switch {
	case b[2] >= 0xc0:
		return 1
	case b[1] >= 0xe0:
		return 2
	case b[0] >= 0xf0:
		return 3
	}
	return 0
}
