package packwire

import (
	"encoding/binary"
	"math/bits"
)

// Keys is a table of up to 65,535 member names, matched against MessagePack
// strings without a Go map: the name that is expected is compared as masked 8-byte
// words, any other is found by a hash of two words. It is immutable.
type Keys struct {
	keys  []Key
	slots []uint16 // open addressing: 1 + index of the name, 0 for none
	mul   uint64
	shift uint8
}

// Key is one name of a table.
type Key struct {
	Head, Mask uint64 // first 8 bytes of the encoded name, and which bits of them count
	Tail       uint64 // last 8 bytes of it when it is longer than 8
	Len        int    // length of the encoded name
	Enc        string // the encoded name
	Name       string

	lo, hi uint64 // words of the name
}

// Encoded returns the name as a MessagePack string.
func (k *Key) Encoded() string { return k.Enc }

// NewKeys returns the table of names. Of equal names the first counts.
func NewKeys(names []string) *Keys {
	t := &Keys{keys: make([]Key, len(names))}
	for i, s := range names {
		k := &t.keys[i]
		k.Name = s
		k.Enc = string(AppendString(nil, s))
		k.Len = len(k.Enc)
		k.Head, k.Mask = load(k.Enc), ^uint64(0)
		if k.Len < 8 {
			k.Mask = 1<<(8*k.Len) - 1
		} else {
			k.Tail = load(k.Enc[k.Len-8:])
		}
		k.lo, k.hi = words(s)
	}
	t.index()
	return t
}

// load returns up to 8 bytes of s, the first one lowest.
func load(s string) uint64 {
	var w [8]byte
	copy(w[:], s)
	return binary.LittleEndian.Uint64(w[:])
}

// words returns two words that, with the length, tell any name of up to 16
// bytes from every other.
func words[S string | []byte](s S) (lo, hi uint64) {
	n := len(s)
	switch {
	case n >= 8:
		return le64(s, 0), le64(s, n-8)
	case n >= 4:
		return uint64(le32(s, 0)) | uint64(le32(s, n-4))<<32, 0
	case n > 0:
		return uint64(s[0]) | uint64(s[n>>1])<<8 | uint64(s[n-1])<<16, 0
	}
	return 0, 0
}

func le64[S string | []byte](s S, i int) uint64 {
	return uint64(le32(s, i)) | uint64(le32(s, i+4))<<32
}

func le32[S string | []byte](s S, i int) uint32 {
	_ = s[i+3]
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// hash mixes the words of a name of n bytes.
func hash(lo, hi uint64, n int) uint64 {
	h, l := bits.Mul64(lo^0x9e3779b97f4a7c15, hi^0xd6e8feb86659fd93^uint64(n)<<56)
	return h ^ l
}

// longHash is hash over every byte, for names whose two words do not tell them
// apart.
func longHash[S string | []byte](s S) uint64 {
	lo, hi := words(s)
	x := hash(lo, hi, len(s))
	for i := 8; i+16 < len(s); i += 8 {
		x = hash(x, le64(s, i), i)
	}
	if len(s) > 16 {
		x = hash(x, le64(s, len(s)-16), len(s))
	}
	return x
}

// sum returns the hash by which a name of the given words is filed.
func sum[S string | []byte](s S, lo, hi uint64) uint64 {
	if len(s) > 16 {
		return longHash(s)
	}
	return hash(lo, hi, len(s))
}

// index files the names by their hashes in a table of at least twice their
// number, under the multiplier that needs the fewest steps to find them: for
// tables of the usual size there is one that needs a single step for each.
func (t *Keys) index() {
	if len(t.keys) == 0 {
		return
	}
	size := 1 << bits.Len(uint(2*len(t.keys)-1))
	t.shift = uint8(64 - bits.Len(uint(size-1)))
	best, least := uint64(0), -1
	mul := uint64(0x9e3779b97f4a7c15)
	for range 32 {
		if steps := t.fill(size, mul); least < 0 || steps < least {
			if best, least = mul, steps; steps == 0 {
				return
			}
		}
		mul = mul*0xd1342543de82ef95 + 2 | 1
	}
	t.fill(size, best)
}

// fill makes the table and returns how many steps beyond the first it takes to
// find all names.
func (t *Keys) fill(size int, mul uint64) (steps int) {
	t.mul = mul
	t.slots = make([]uint16, size)
next:
	for i := range t.keys {
		k := &t.keys[i]
		h := int(sum(k.Name, k.lo, k.hi) * mul >> t.shift)
		for ; t.slots[h] != 0; h = (h + 1) & (size - 1) {
			if t.keys[t.slots[h]-1].Name == k.Name {
				continue next
			}
			steps++
		}
		t.slots[h] = uint16(i + 1)
	}
	return steps
}

// Len returns the number of names.
func (t *Keys) Len() int { return len(t.keys) }

// All returns the names in their order, which must not be changed.
func (t *Keys) All() []Key { return t.keys }

// At returns the i-th name.
func (t *Keys) At(i int) *Key { return &t.keys[i] }

// Find returns the index of a name, -1 when it is not in the table.
func (t *Keys) Find(s []byte) int { return find(t, s) }

// Index is Find for a string.
func (t *Keys) Index(s string) int { return find(t, s) }

func find[S string | []byte](t *Keys, s S) int {
	if t.slots == nil {
		return -1
	}
	lo, hi := words(s)
	h := int(sum(s, lo, hi) * t.mul >> t.shift)
	for t.slots[h] != 0 {
		i := int(t.slots[h]) - 1
		k := &t.keys[i]
		if k.lo == lo && k.hi == hi && len(k.Name) == len(s) && (len(s) <= 16 || k.Name == string(s)) {
			return i
		}
		h = (h + 1) & (len(t.slots) - 1)
	}
	return -1
}

// Match reports whether the encoded name k stands at b[i:], and where it ends.
// Nothing beyond b is read.
func (k *Key) Match(b []byte, i int) (end int, ok bool) {
	end = i + k.Len
	if i+8 > len(b) {
		return end, end <= len(b) && string(b[i:end]) == k.Enc
	}
	if binary.LittleEndian.Uint64(b[i:])&k.Mask != k.Head {
		return end, false
	}
	if k.Len <= 8 {
		return end, true
	}
	if end > len(b) || binary.LittleEndian.Uint64(b[end-8:]) != k.Tail {
		return end, false
	}
	return end, k.Len <= 16 || string(b[i+8:end-8]) == k.Enc[8:k.Len-8]
}
