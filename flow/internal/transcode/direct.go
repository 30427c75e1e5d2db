package transcode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
)

// direct appends to b the document src in the other format, from JSON to MessagePack or back, in one pass over its
// bytes. It is the same as what the readers and the encoder of the library make of the document, at a third of their
// cost (BenchmarkAppend); TestDirectLaw checks that. Where it is not ok, the document is wrong, or has something that is
// rare, or not as w asks: then they say what.
func (o *Options) direct(b, src []byte, w schema.Walk) (out []byte, ok bool) {
	switch {
	case o.From.Name() == nameJSON && o.To.Name() == namePack:
		if !wire.ValidUTF8(src) {
			return b, false
		}
		p := packer{b: slices.Grow(b, len(src)/2), src: src, round: o.Round}
		ok = p.value(0, w)
		return p.b, ok && blank(src[p.i:])
	case o.From.Name() == namePack && o.To.Name() == nameJSON:
		u := unpacker{b: slices.Grow(b, len(src)+len(src)/4), src: src}
		if !u.value(0, w) || u.i != len(src) {
			return b, false
		}
		return u.b, plain(u.b[len(b):])
	}
	return b, false
}

// plain reports whether text, which an unpacker has written, is as it should be: strings are copied in trust. They
// end at quotes, so that they are UTF-8 if all is.
func plain(text []byte) bool {
	return wire.ValidUTF8(text) && !bytes.Contains(text, lineSeparator) && !bytes.Contains(text, paragraphSeparator)
}

// The characters that JSON has as escapes.
var lineSeparator, paragraphSeparator = []byte("\u2028"), []byte("\u2029")

// mostDirect bounds how deep containers nest.
const mostDirect = 500

// names are the names of the objects that are open, the innermost last, as parts of what was read or written.
type names struct{ spans []span }

// span is a name: bytes from and up to an index, of which the last eight are the key.
type span struct {
	key      uint64
	from, to int
}

// fewNames is the number of names that are compared with each other, before they are sorted.
const fewNames = 8

// add adds a name to those from start on, and reports whether it is new there, as far as they are few.
func (s *names) add(b []byte, start, from, to int) bool {
	var key uint64
	switch n := to - from; {
	case n == 0:
	case to >= 8:
		key = binary.LittleEndian.Uint64(b[to-8:to]) >> (64 - 8*min(n, 8))
	default:
		for i, c := range b[from:to] {
			key |= uint64(c) << (8 * i)
		}
	}
	if len(s.spans)-start <= fewNames {
		for _, o := range s.spans[start:] {
			if o.key == key && o.to-o.from == to-from && string(b[o.from:o.to]) == string(b[from:to]) {
				return false
			}
		}
	}
	s.spans = append(s.spans, span{key, from, to})
	return true
}

// end forgets the names from start on, and reports whether they are all different.
func (s *names) end(b []byte, start int) bool {
	all := s.spans[start:]
	s.spans = s.spans[:start]
	if len(all) <= fewNames+1 {
		return true
	}
	slices.SortFunc(all, func(x, y span) int { return bytes.Compare(b[x.from:x.to], b[y.from:y.to]) })
	for i := 1; i < len(all); i++ {
		if bytes.Equal(b[all[i-1].from:all[i-1].to], b[all[i].from:all[i].to]) {
			return false
		}
	}
	return true
}

// unpacker writes MessagePack as JSON.
type unpacker struct {
	b, src []byte
	i      int // in src, of what comes next
	names  names
}

// value writes the value that comes next, of which w asks something.
func (u *unpacker) value(depth int, w schema.Walk) bool {
	if u.i >= len(u.src) {
		return false
	}
	if w.Whole() {
		from := u.i
		return u.value(depth, schema.Walk{}) && msgpack.Read(u.src[from:u.i], &whole{w}) == nil
	}
	c := u.src[u.i]
	if packwire.IsInt(c) {
		return u.integer(c, w)
	}
	if c&0xe0 == packwire.FixStr {
		from := u.i + 1
		if u.i = from + int(c&31); u.i > len(u.src) {
			return false
		}
		s := mem.String(u.src[from:u.i])
		u.b = wire.AppendJSONString(u.b, s, wire.TrustUTF8)
		return w.String(s)
	}
	class, next, n := packwire.Head(u.src, u.i)
	if next < 0 {
		return false
	}
	switch class {
	case packwire.ClassNil:
		u.i, u.b = next, append(u.b, "null"...)
		return w.Null()
	case packwire.ClassBool:
		if u.i = next; c == packwire.True {
			u.b = append(u.b, "true"...)
		} else {
			u.b = append(u.b, "false"...)
		}
		return w.Bool(c == packwire.True)
	case packwire.ClassFloat:
		return u.float(c, w)
	case packwire.ClassStr:
		if n > len(u.src)-next {
			return false
		}
		u.i = next + n
		s := mem.String(u.src[next:u.i])
		u.b = wire.AppendJSONString(u.b, s, wire.TrustUTF8)
		return w.String(s)
	case packwire.ClassArray:
		u.i = next
		return depth < mostDirect && w.Array() && u.array(n, depth+1, w)
	case packwire.ClassMap:
		u.i = next
		return depth < mostDirect && w.Object() && u.object(n, depth+1, w)
	}
	return false
}

func (u *unpacker) integer(c byte, w schema.Walk) bool {
	if c == packwire.Uint64 {
		v, end := packwire.ReadUint(u.src, u.i)
		u.i, u.b = end, wire.AppendUint(u.b, v)
		return end >= 0 && w.Uint(v)
	}
	v, end := packwire.ReadInt(u.src, u.i)
	u.i, u.b = end, wire.AppendInt(u.b, v)
	return end >= 0 && w.Int(v)
}

func (u *unpacker) float(c byte, w schema.Walk) bool {
	f, end := packwire.ReadFloat64(u.src, u.i)
	if u.i = end; end < 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return false
	}
	if c == packwire.Float32 { // the value is what its text says
		from := len(u.b)
		u.b = wire.AppendFloat32(u.b, float32(f))
		if w != (schema.Walk{}) {
			f, _ = strconv.ParseFloat(mem.String(u.b[from:]), 64)
		}
	} else {
		u.b = wire.AppendFloat64(u.b, f)
	}
	return w.Float(f)
}

func (u *unpacker) array(n, depth int, w schema.Walk) bool {
	u.b = append(u.b, '[')
	for k := range n {
		if k > 0 {
			u.b = append(u.b, ',')
		}
		if !u.value(depth, w.Element(k)) {
			return false
		}
	}
	u.b = append(u.b, ']')
	return w.EndArray(n)
}

func (u *unpacker) object(n, depth int, w schema.Walk) bool {
	u.b = append(u.b, '{')
	start := len(u.names.spans)
	var met schema.Members
	for k := range n {
		if k > 0 {
			u.b = append(u.b, ',')
		}
		name, ok := u.name(start)
		if !ok || !u.value(depth, w.Member(&met, name)) {
			return false
		}
	}
	u.b = append(u.b, '}')
	return u.names.end(u.src, start) && w.EndObject(&met)
}

// name writes the name that comes next, of an object whose names are those from start on.
func (u *unpacker) name(start int) (string, bool) {
	from, end := packwire.ReadString(u.src, u.i)
	if end < 0 || u.src[u.i] >= packwire.Bin8 && u.src[u.i] <= packwire.Bin32 || !u.names.add(u.src, start, from, end) {
		return "", false
	}
	u.i = end
	name := mem.String(u.src[from:end])
	u.b = append(wire.AppendJSONString(u.b, name, wire.TrustUTF8), ':')
	return name, true
}

// whole is a value that is looked at as a whole.
type whole struct{ schema.Walk }

func (k *whole) UnmarshalWeft(d *weft.Decoder) error { return k.holds(d.Reader()) }

func (k *whole) ReadMsgpack(r *msgpack.Reader) error { return k.holds(r) }

func (k *whole) holds(r backend.Reader) error {
	if !k.Holds(r) {
		return errInvalid
	}
	return r.Err()
}

var errInvalid = errors.New("not as the schema says")
