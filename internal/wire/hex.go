package wire

import "github.com/weftcodec/weft/internal/mem"

// Hex4 returns the value of the four hexadecimal digits of b at i, a negative one where there are others.
func Hex4(b mem.Bytes, i int) rune {
	return rune(hexValue[b.At(i)])<<12 | rune(hexValue[b.At(i+1)])<<8 |
		rune(hexValue[b.At(i+2)])<<4 | rune(hexValue[b.At(i+3)])
}

// hexValue is the value of a hexadecimal digit, -1 for other bytes.
var hexValue = func() (t [256]int16) {
	for i := range t {
		t[i] = -1
	}
	for i, c := range "0123456789abcdef" {
		t[c] = int16(i)
	}
	for i, c := range "ABCDEF" {
		t[c] = int16(10 + i)
	}
	return t
}()

// Unescaped is what a backslash and the index stand for, 0 for other escapes.
var Unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
