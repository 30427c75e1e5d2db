package wire

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/mem"
)

// Key is the encoded form of one member name, compared as three words: its
// first eight bytes, its last eight and some between. What that leaves of longer names is compared as text.
type Key struct {
	first, mid, last uint64
	mask             uint64 // of each of the words
	n                int    // bytes of the encoded name
	midAt, lastAt    int    // where the words begin
	rest             string // between the other two of them, if the name is longer than the words
}

// never matches: no word is both of its words.
var never = Key{first: 1, mask: ^uint64(0)}

// keyLimit is the length of the longest encoded name that a Key matches by
// words; it keeps the loads within the reader's padding.
const keyLimit = 64

// KeyPad is the number of readable bytes that must follow the text in which
// keys are matched; they must be zero.
const KeyPad = keyLimit + 8

// NewKey returns the key of an encoded name that holds no zero byte. Longer
// names than 64 bytes never match.
func NewKey(enc string) Key {
	if len(enc) == 0 || len(enc) > keyLimit {
		return never
	}
	var w [keyLimit + 8]byte
	copy(w[:], enc)
	k := keyOf(&w, len(enc))
	if len(enc) > 24 {
		k.rest = enc[16 : len(enc)-8]
	}
	return k
}

// NewMemberKey is [NewKey] of `"name":`.
func NewMemberKey(name string) Key {
	const around = len(`"":`)
	if len(name)+around > keyLimit {
		return never
	}
	var w [keyLimit + 8]byte
	w[0] = '"'
	copy(w[1:], name)
	w[len(name)+1], w[len(name)+2] = '"', ':'
	k := keyOf(&w, len(name)+around)
	if k.n > 24 {
		k.rest = name[15 : len(name)-6]
	}
	return k
}

// keyOf returns the key of the n bytes at w, which has zeros behind them, but for the rest of it.
func keyOf(w *[keyLimit + 8]byte, n int) Key {
	k := Key{n: n, midAt: min(max(n-16, 0), 8), lastAt: max(n-8, 0), mask: ^uint64(0)}
	k.first = binary.LittleEndian.Uint64(w[:])
	k.mid = binary.LittleEndian.Uint64(w[k.midAt:])
	k.last = binary.LittleEndian.Uint64(w[k.lastAt:])
	if n < 8 {
		k.mask = 1<<(8*n) - 1
	}
	return k
}

// Match returns the length of the encoded name if it stands at i of b, else 0.
// [KeyPad] bytes must follow the text.
func (k *Key) Match(b mem.Bytes, i int) int {
	if k.Begins(b, i) && (k.Short() || k.Ends(b, i)) {
		return k.n
	}
	return 0
}

// Begins reports whether the words of k stand at i of b. Match is this and, for a key that is not [Key.Short],
// [Key.Ends]. A loop over members tests the parts one by one, as the compiler makes a value of a conjunction that it
// inlines.
func (k *Key) Begins(b mem.Bytes, i int) bool {
	return ((b.U64(i)^k.first)|(b.U64(i+k.midAt)^k.mid)|(b.U64(i+k.lastAt)^k.last))&k.mask == 0
}

// Short reports whether the words of k are all of it.
func (k *Key) Short() bool { return k.n <= 24 }

// Ends reports whether the rest of a key that begins at i of b stands there too.
func (k *Key) Ends(b mem.Bytes, i int) bool { return b.Has(i+16, k.rest) }

// Len returns the length of the encoded name.
func (k *Key) Len() int { return k.n }

// NameTable finds names by their text, exactly or with encoding/json's folding
// of case.
type NameTable struct {
	names []string
	words []nameWords // of the names
	slots []uint16    // open addressing by nameWords.hash: index + 1, 0 for none
	mask  uint32
	shift uint8                     // of hashes, to what mask leaves
	ascii bool                      // all names are ASCII
	folds atomic.Pointer[foldTable] // nil until it is needed
}

// nameWords is what a name is compared by first.
type nameWords struct {
	first, last uint64 // its first eight bytes and its last eight; of a shorter name, all of them twice
	n           int
}

// foldTable is the folded names.
type foldTable struct {
	names []string
	slots []uint16 // as those of the names themselves
}

// NotSure is what [NameTable.At] returns for a name that may be another one with case folded.
const NotSure = -2

// NewNameTable returns the table of names, of which there may be 65,535. Of
// equal names the first is found.
func NewNameTable(names []string) *NameTable {
	size := 4
	for size < 3*len(names) {
		size *= 2
	}
	t := &NameTable{
		names: names, words: make([]nameWords, len(names)), slots: make([]uint16, size), mask: uint32(size - 1),
		ascii: true, shift: uint8(64 - bits.TrailingZeros(uint(size))),
	}
	for i, name := range names {
		t.words[i] = wordsOf(name)
		t.ascii = t.ascii && isASCII(name)
		insertName(t.slots, names, t.words[i].hash(t.shift), i)
	}
	return t
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Names returns the names, which are not to be changed.
func (t *NameTable) Names() []string { return t.names }

// fold makes the table of the folded names.
func (t *NameTable) fold() *foldTable {
	f := &foldTable{make([]string, len(t.names)), make([]uint16, len(t.slots))}
	for i, name := range t.names {
		f.names[i] = string(AppendFold(nil, name))
		w := wordsOf(f.names[i])
		insertName(f.slots, f.names, w.hash(t.shift), i)
	}
	t.folds.CompareAndSwap(nil, f)
	return f
}

// insertName adds the i-th name, unless an equal one is there.
func insertName(slots []uint16, names []string, h uint32, i int) {
	mask := uint32(len(slots) - 1)
	for ; slots[h] != 0; h = (h + 1) & mask {
		if names[slots[h]-1] == names[i] {
			return
		}
	}
	slots[h] = uint16(i + 1)
}

// Find returns the index of name, or -1.
func (t *NameTable) Find(name string) int {
	w := wordsOf(name)
	for h := w.hash(t.shift) & t.mask; t.slots[h] != 0; h = (h + 1) & t.mask {
		if i := int(t.slots[h]) - 1; t.words[i] == w && (w.n <= 16 || t.names[i] == name) {
			return i
		}
	}
	return -1
}

// wordsAt is wordsOf for the n bytes at i of b, which 8 readable bytes follow.
func wordsAt(b mem.Bytes, i, n int) nameWords {
	w := nameWords{first: b.U64(i), n: n}
	if n >= 8 {
		w.last = b.U64(i + n - 8)
	} else {
		w.first &= 1<<(8*n&63) - 1
		w.last = w.first
	}
	return w
}

// Guess returns the index of the only name that the n bytes at i of b, which 8 readable bytes follow, are likely to be,
// -1 if there is none.
func (t *NameTable) Guess(b mem.Bytes, i, n int) int {
	w := wordsAt(b, i, n)
	return int(t.slots[w.hash(t.shift)&t.mask]) - 1
}

// At returns the index of the name that is the n bytes at i of b, which 8 readable bytes follow. It returns -1 if
// it equals none of the names, with case folded either, and NotSure where it does not know that.
func (t *NameTable) At(b mem.Bytes, i, n int) int {
	w := wordsAt(b, i, n)
	none := -1
	for h := w.hash(t.shift) & t.mask; t.slots[h] != 0; h = (h + 1) & t.mask {
		k := int(t.slots[h]) - 1
		c := &t.words[k]
		if *c == w && (n <= 16 || t.names[k] == b.View(i, i+n)) {
			return k
		}
		if c.n == n && (c.first^w.first|c.last^w.last)&upper == 0 {
			none = NotSure
		}
	}
	if !t.ascii {
		return NotSure
	}
	// A letter that is not ASCII may fold to one that is.
	high := w.first | w.last
	for k := 8; k < n-8; k += 8 {
		high |= b.U64(i + k)
	}
	if high&(0x80*(^uint64(0)/255)) != 0 {
		return NotSure
	}
	return none
}

// upper has all bits of each byte but the one by which the case of an ASCII letter differs.
const upper = ^uint64(0) / 255 * 0xDF

// FindFold returns the index of the first name that equals name when case is
// folded as encoding/json folds it, or -1.
func (t *NameTable) FindFold(name string) int {
	f := t.folds.Load()
	if f == nil {
		f = t.fold()
	}
	var buf [64]byte
	fold := AppendFold(buf[:0], name)
	w := wordsOf(mem.String(fold))
	for h := w.hash(t.shift) & t.mask; f.slots[h] != 0; h = (h + 1) & t.mask {
		if i := int(f.slots[h]) - 1; f.names[i] == string(fold) {
			return i
		}
	}
	return -1
}

// wordsOf returns the words of s, and reads nothing behind it.
func wordsOf(s string) nameWords {
	w := nameWords{n: len(s)}
	switch n := len(s); {
	case n >= 8:
		v := mem.BytesOf(mem.View(s))
		w.first, w.last = v.U64(0), v.U64(n-8)
		return w
	case n >= 4:
		v := mem.BytesOf(mem.View(s))
		w.first = uint64(v.U32(0)) | uint64(v.U32(n-4))<<(8*(n-4)&63)
	case n > 0:
		w.first = uint64(s[0]) | uint64(s[n>>1])<<(8*(n>>1)&63) | uint64(s[n-1])<<(8*(n-1)&63)
	}
	w.last = w.first
	return w
}

// hash mixes the words of a name, without regard to the case of ASCII letters, to a number of 64 bits less the shift:
// those that all bytes have a part in.
func (w *nameWords) hash(shift uint8) uint32 {
	h := (w.first & upper) * 0x9E3779B97F4A7C15
	h += (w.last&upper ^ uint64(w.n)) * 0xBF58476D1CE4E5B9
	return uint32(h >> (shift & 63))
}

// AppendFold appends name with each character replaced by the least one that
// differs from it by case alone, as encoding/json compares names.
func AppendFold(b []byte, name string) []byte {
	for i := 0; i < len(name); {
		if c := name[i]; c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			b = append(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(name[i:])
		b = utf8.AppendRune(b, foldRune(r))
		i += n
	}
	return b
}

// foldRune returns the least character of r's case folding orbit.
func foldRune(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
