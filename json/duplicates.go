package json

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/weftcodec/weft"
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
	few  []string            // while there are few of them
	many map[string]struct{} // when there are not
}

func (s *nameSet) forget() {
	clear(s.few[:cap(s.few)])
	s.few, s.many = s.few[:0], nil
}

// fewNames is how many names are compared one by one.
const fewNames = 12

// add adds a name and tells whether it is new.
func (s *nameSet) add(name string) bool {
	if s.many != nil {
		n := len(s.many)
		s.many[name] = struct{}{}
		return len(s.many) > n
	}
	for _, x := range s.few {
		if x == name {
			return false
		}
	}
	if s.few = append(s.few, name); len(s.few) > fewNames {
		s.many = make(map[string]struct{}, 4*fewNames)
		for _, x := range s.few {
			s.many[x] = struct{}{}
		}
	}
	return true
}

// duplicates returns the error for the first member of the text, which is
// JSON, that has the name of an earlier one of the same object.
func (d *decoder) duplicates() error {
	objects, kinds := d.nameSets, d.kinds[:0]
	defer func() {
		for i := range objects {
			objects[i].forget()
		}
		d.nameSets, d.kinds = objects, kinds
	}()
	depth := 0 // objects that are open
	b := d.b
	for i := d.ws(0); i < d.n; i = d.ws(i) {
		switch b.At(i) {
		case '{':
			kinds = append(kinds, true)
			if depth == len(objects) {
				objects = append(objects, nameSet{})
			}
			objects[depth].forget()
			depth++
		case '[':
			kinds = append(kinds, false)
		case '}', ']':
			if kinds[len(kinds)-1] {
				depth--
			}
			kinds = kinds[:len(kinds)-1]
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
			if !objects[depth-1].add(name) {
				return d.located(weft.ErrDuplicateName, start)
			}
		}
		i++
	}
	return nil
}
