package cborwire

import "encoding/binary"

// Key is the name of a member as it is written, to be matched where it is expected.
type Key struct {
	Enc    string // all of it
	Len    int
	w0, w1 uint64 // the first 16 bytes, and which bits of them count
	m0, m1 uint64
}

// KeyWords is the length of the words that are compared.
const KeyWords = 16

// NewKey returns the key that is written as enc.
func NewKey(enc string) Key {
	var w, m [KeyWords]byte
	for i := range copy(w[:], enc) {
		m[i] = 0xff
	}
	return Key{
		Enc: enc, Len: len(enc),
		w0: binary.LittleEndian.Uint64(w[:]), w1: binary.LittleEndian.Uint64(w[8:]),
		m0: binary.LittleEndian.Uint64(m[:]), m1: binary.LittleEndian.Uint64(m[8:]),
	}
}

// Begins reports whether a key whose first words these are may be this one, which it is if it has no more bytes.
func (k *Key) Begins(w0, w1 uint64) bool { return (w0^k.w0)&k.m0|(w1^k.w1)&k.m1 == 0 }

// Match reports whether the key stands at b[i:].
func (k *Key) Match(b []byte, i int) bool {
	if i+KeyWords > len(b) {
		return i+k.Len <= len(b) && string(b[i:i+k.Len]) == k.Enc
	}
	p := b[i:]
	if (binary.LittleEndian.Uint64(p)^k.w0)&k.m0|(binary.LittleEndian.Uint64(p[8:])^k.w1)&k.m1 != 0 {
		return false
	}
	return k.Len <= KeyWords || k.Len <= len(p) && string(p[KeyWords:k.Len]) == k.Enc[KeyWords:]
}
