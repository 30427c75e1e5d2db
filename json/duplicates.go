package json

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// strict returns why a text that is JSON is refused by the options about duplicate names and UTF-8.
func (d *decoder) strict() error {
	if !d.check() {
		return nil // a syntax error, which is found later
	}
	if d.flags&decodeRefuseUTF8 != 0 {
		if err := d.wellEncoded(); err != nil {
			return err
		}
	}
	if d.flags&decodeRejectDuplicates != 0 {
		return d.duplicates()
	}
	return nil
}

// wellEncoded returns the error for the first byte that is not UTF-8, or for the first escape that is half
// of a surrogate pair.
func (d *decoder) wellEncoded() error {
	if d.badUTF8 {
		off := 0
		for off < len(d.data) {
			r, n := utf8.DecodeRune(d.data[off:])
			if r == utf8.RuneError && n <= 1 {
				break
			}
			off += n
		}
		return d.located(errInvalidText, off)
	}
	for i := 0; ; {
		k := bytes.Index(d.data[i:], []byte(`\u`))
		if k < 0 {
			return nil
		}
		i += k
		odd := true // the backslash begins an escape
		for j := i; j > 0 && d.data[j-1] == '\\'; j-- {
			odd = !odd
		}
		if !odd {
			i += 2
			continue
		}
		switch r := escapeAt(d.data[i:]); {
		case 0xD800 <= r && r < 0xDC00:
			if low := escapeAt(d.data[i+6:]); low < 0xDC00 || 0xE000 <= low {
				return d.located(fmt.Errorf("%w: %s is half of a pair", errInvalidText, d.data[i:i+6]), i)
			}
			i += 12
		case 0xDC00 <= r && r < 0xE000:
			return d.located(fmt.Errorf("%w: %s is half of a pair", errInvalidText, d.data[i:i+6]), i)
		default:
			i += 6
		}
	}
}

var errInvalidText = fmt.Errorf("invalid UTF-8")

// nameSet is the names of the members of an object.
type nameSet struct {
	names  []hashedName
	filter uint64   // has a bit for each hash
	index  []uint32 // of more than fewNames: 1 and the index of a name, by its other hash
}

type hashedName struct {
	hash uint64
	name string
}

// fewNames is how many names are compared one by one.
const fewNames = 16

// reset makes the set empty.
func (s *nameSet) reset() { s.names, s.filter = s.names[:0], 0 }

// forget drops the names that the memory of s still refers to.
func (s *nameSet) forget() {
	clear(s.names[:cap(s.names)])
	s.reset()
}

// add adds a name with its hash, which need not be a good one, and tells whether it is new.
func (s *nameSet) add(hash uint64, name string, seed maphash.Seed) bool {
	n := len(s.names)
	if n >= fewNames {
		return s.addMany(name, seed)
	}
	bit := uint64(1) << (hash >> 58)
	if s.filter&bit != 0 {
		for i := range s.names {
			if x := &s.names[i]; x.hash == hash && x.name == name {
				return false
			}
		}
	}
	s.filter |= bit
	s.names = append(s.names, hashedName{hash, name})
	return true
}

// addMany is add for a set of many names, whose hashes nobody can foresee.
func (s *nameSet) addMany(name string, seed maphash.Seed) bool {
	n := len(s.names)
	if n == fewNames || 2*n >= len(s.index) {
		size := 8 * fewNames
		if n > fewNames {
			size = 2 * len(s.index)
		}
		if cap(s.index) < size {
			s.index = make([]uint32, size)
		}
		s.index = s.index[:size]
		clear(s.index)
		for i := range s.names {
			s.put(maphash.String(seed, s.names[i].name), i, false)
		}
	}
	s.names = append(s.names, hashedName{0, name})
	return s.put(maphash.String(seed, name), n, true)
}

// put enters the i-th name. With compare it tells whether none of those entered is equal.
func (s *nameSet) put(h uint64, i int, compare bool) bool {
	mask := uint64(len(s.index) - 1)
	for h &= mask; s.index[h] != 0; h = (h + 1) & mask {
		if compare && s.names[s.index[h]-1].name == s.names[i].name {
			return false
		}
	}
	s.index[h] = uint32(i + 1)
	return true
}

// hashName returns a hash of the length and of the first and last bytes.
func hashName(s string) uint64 {
	n := len(s)
	h := uint64(n)
	switch {
	case n >= 8:
		v := mem.BytesOf(mem.View(s))
		h += v.U64(0) ^ v.U64(n-8)*31
	case n >= 4:
		v := mem.BytesOf(mem.View(s))
		h += uint64(v.U32(0)) ^ uint64(v.U32(n-4))<<29
	case n > 0:
		h += uint64(s[0])<<24 | uint64(s[n>>1])<<16 | uint64(s[n-1])<<8
	}
	return h * 0x9E3779B97F4A7C15
}

// duplicates returns the error for the first member of the text, which is
// JSON, that has the name of an earlier one of the same object.
func (d *decoder) duplicates() error {
	objects, kinds := d.nameSets, d.kinds[:0]
	var seed maphash.Seed // for the sets of many names
	seeded := false
	defer func() {
		for i := range objects {
			objects[i].forget()
		}
		d.nameSets, d.kinds = objects, kinds
	}()
	depth := 0 // objects that are open
	b := d.b
	for i := 0; i < d.n; {
		switch b.At(i) {
		case '{':
			kinds = append(kinds, true)
			if depth == len(objects) {
				objects = append(objects, nameSet{})
			}
			objects[depth].reset()
			depth++
		case '[':
			kinds = append(kinds, false)
		case '}', ']':
			if kinds[len(kinds)-1] {
				depth--
			}
			kinds = kinds[:len(kinds)-1]
		case ' ', '\n', '\t', '\r':
			i = d.ws(i)
			continue
		case '"':
			start := i
			e := d.strEnd(i + 1)
			plain := b.At(e) == '"'
			if !plain {
				e = d.skipEscapes(e)
			}
			if i = d.ws(e + 1); b.At(i) != ':' {
				continue
			}
			var name string
			if plain && !d.badUTF8 {
				name = b.View(start+1, e)
			} else {
				name, _ = d.str(start)
			}
			set := &objects[depth-1]
			if len(set.names) == fewNames && !seeded {
				seed, seeded = maphash.MakeSeed(), true
			}
			if !set.add(hashName(name), name, seed) {
				return d.located(weft.ErrDuplicateName, start)
			}
		}
		i++
	}
	return nil
}
