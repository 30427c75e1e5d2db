package wire

import (
	"encoding/base64"
	"slices"
)

// Base64Len returns the length of the base64 form of n bytes.
func Base64Len(n int) int { return base64.StdEncoding.EncodedLen(n) }

// base64Blocks is the most blocks that are handed to one call of a kernel, which cannot be preempted.
const base64Blocks = 8192

// AppendBase64 appends the base64 form of src (RFC 4648 §4).
func AppendBase64(dst, src []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, Base64Len(len(src)))[:n+Base64Len(len(src))]
	for Vectors() && len(src) >= 28 { // 4 more are read than there are in a block
		blocks := min((len(src)-4)/24, base64Blocks)
		encodeBase64(&dst[n], &src[0], blocks)
		n, src = n+32*blocks, src[24*blocks:]
	}
	base64.StdEncoding.Encode(dst[n:], src)
	return dst
}

// AppendFromBase64 appends the bytes of which src is the base64 form, as [base64.Encoding.AppendDecode] does: line
// breaks are ignored, and with an error comes what stands before it.
func AppendFromBase64(dst, src []byte) ([]byte, error) {
	n := len(dst)
	dst = slices.Grow(dst, base64.StdEncoding.DecodedLen(len(src)))
	out := dst[n:cap(dst)]
	at := 0
	for Vectors() && len(src)-at >= 44 { // 8 more are written than there are in a block
		blocks := min((len(src)-at-12)/32, base64Blocks)
		done := decodeBase64(&out[at/4*3], &src[at], blocks)
		if at += 32 * done; done < blocks {
			break
		}
	}
	k, err := base64.StdEncoding.Decode(out[at/4*3:], src[at:])
	if off, ok := err.(base64.CorruptInputError); ok {
		err = off + base64.CorruptInputError(at)
	}
	return dst[:n+at/4*3+k], err
}
