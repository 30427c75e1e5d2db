package tagged

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// newRowReader returns a pooled reader over a row, whose names are those of n.
func newRowReader(row []byte, n *rowNames, opts []Options) *reader {
	r := newReader(nil, opts)
	r.exact, r.known, r.nameless = true, n.list, false
	r.flags &^= setting.AliasInput
	r.b, r.lone, r.wt, r.i, r.tableAt = row, true, uint32(row[0]&15), tagwire.TagSize, len(row)
	r.top = frame{end: len(row)}
	return r
}

// pass returns the index after the value of wire type wt at i.
func (r *reader) pass(i, end int, wt uint32) int {
	if r.exact {
		return tagwire.PassMemory(r.b, i, end, wt)
	}
	return tagwire.Pass(r.b, i, end, wt)
}

// copyRow writes the next value of a row for another format.
type copyRow struct{ r *reader }

// MarshalWeft implements [weft.Marshaler].
func (c copyRow) MarshalWeft(e *weft.Encoder) error { return e.Copy(c.r) }

// rowMessage appends the value at i of a row as a message.
func (r *reader) rowMessage(raw []byte, i int, wt uint32) ([]byte, int) {
	next := r.pass(i, len(r.b), wt)
	one := newReader(nil, nil)
	one.exact, one.known, one.lone = true, r.known, true
	one.b, one.wt, one.i, one.tableAt, one.top = r.b, wt, i, next, frame{end: next}
	raw, err := MarshalAppend(raw, copyRow{one})
	one.release()
	if err != nil {
		return raw, r.fail(i, err)
	}
	return raw, next
}

// slot returns the field of p for the member with the given tag, -1 if there is
// none.
func (r *reader) slot(p *program, tag uint32) int {
	if !r.exact {
		return p.slot(tag &^ 0xff)
	}
	e := &r.known[tag>>8]
	return p.slotNamed(e.tag, e.name)
}

// index returns the index in f of the name of the current member, -1 if it is not
// there. That of want is tried first.
func (r *reader) index(f *weft.Fields, want int) int {
	name := r.known[r.tag>>8].name
	if uint(want) < uint(f.Len()) && f.Name(want) == name {
		return want
	}
	return f.Index(name)
}

// Single implements [backend.Reader].
func (r *reader) Single() bool { return r.exact && r.wt == tagwire.Single }

// Exact implements [backend.Reader]: what is read from frames has the kinds that it
// was written with.
func (r *reader) Exact() bool { return r.exact }

// boolAt reads a boolean: the integer 0 or 1 of a message.
func (r *reader) boolAt(i, end int, wt uint32) (bool, int) {
	if wt == tagwire.Bool && r.exact {
		return r.b[i] == 1, i + 1
	}
	v, next := r.intAt(i, end, wt)
	if next >= 0 && uint64(v) > 1 {
		next = tagwire.Range
	}
	return v == 1, next
}

// rowUint reads an unsigned integer of a row.
func (r *reader) rowUint(i int) (uint64, int) { return binary.LittleEndian.Uint64(r.b[i:]), i + 8 }

// rowFloat32 reads a float of 32 bits of a row.
func (r *reader) rowFloat32(i int) (float32, int) {
	return math.Float32frombits(binary.LittleEndian.Uint32(r.b[i:])), i + 4
}

// rowBytes reads a string of bytes of a row.
func (r *reader) rowBytes(i int) ([]byte, int) {
	start, stop := tagwire.Span(r.b, i, len(r.b))
	return append([]byte{}, r.b[start:stop]...), stop
}

// rowTime reads an instant of a row.
func (r *reader) rowTime(i int) (time.Time, int) {
	start, stop := tagwire.Span(r.b, i, len(r.b))
	sec, start := tagwire.Uvarint(r.b, start, stop)
	nsec, start := tagwire.Uvarint(r.b, start, stop)
	zone, _ := tagwire.Uvarint(r.b, start, stop)
	return instant(tagwire.Unzigzag(sec), tagwire.Unzigzag(nsec), tagwire.Unzigzag(zone)), stop
}

// instant returns the instant of so many seconds and nanoseconds since 1970, in the
// zone of so many seconds east of UTC.
func instant(sec, nsec, zone int64) time.Time {
	t := time.Unix(sec, nsec).UTC()
	if zone != 0 {
		t = t.In(time.FixedZone("", int(zone)))
	}
	return t
}
