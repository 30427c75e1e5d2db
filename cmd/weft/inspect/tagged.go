package inspect

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// wireNames are the wire types of the hashed-tag format.
var wireNames = [16]string{
	"null", "int32", "uint32", "int64", "double", "fixed32", "fixed64", "string", "object", "array", "names", "number",
	"wire type 12", "wire type 13", "wire type 14", "wire type 15",
}

// message prints one message of the hashed-tag format: for each member the bytes
// of its tag, the hash, the wire type, the name and the value.
func (d *dump) message() error {
	b, err := io.ReadAll(d.in)
	if err != nil {
		return err
	}
	m := message{dump: d, b: b, names: map[uint32]string{}, table: len(b)}
	m.find()
	if d.numValues++; len(b) == 0 {
		d.row(0, nil, 0, "object without members")
		return nil
	}
	for i := 0; i < len(b); {
		if i, err = m.entry(i, len(b), false); err != nil {
			return err
		}
	}
	return nil
}

// message is a message that is being printed.
type message struct {
	*dump
	b     []byte
	names map[uint32]string // by tag
	table int
}

// find looks for the names, which are at the end.
func (m *message) find() {
	for i := 0; len(m.b)-i > tagwire.TagSize; {
		tag := tagwire.Tag(m.b, i)
		if tag == tagwire.Names {
			m.table = i
			i, stop := tagwire.Span(m.b, i+tagwire.TagSize, len(m.b))
			for stop > 0 && stop-i > tagwire.TagSize {
				start, end := tagwire.Span(m.b, i+tagwire.TagSize, stop)
				if end < 0 {
					return
				}
				m.names[tagwire.Tag(m.b, i)] = string(m.b[start:end])
				i = end
			}
			return
		}
		if i = tagwire.Pass(m.b, i+tagwire.TagSize, len(m.b), tag&15); i < 0 {
			return
		}
	}
}

func (m *message) broken(i, end int) error {
	m.off = int64(i)
	switch end {
	case tagwire.Short:
		return m.fail(int64(i), weft.ErrUnexpectedEnd)
	case tagwire.Deep:
		return m.fail(int64(i), weft.ErrDepth)
	}
	return m.fail(int64(i), fmt.Errorf("not well-formed"))
}

// entry prints the member or element at i.
func (m *message) entry(i, stop int, element bool) (next int, err error) {
	if stop-i <= tagwire.TagSize {
		return 0, m.broken(i, tagwire.Short)
	}
	tag := tagwire.Tag(m.b, i)
	wt := tag & 15
	if wt == tagwire.Names {
		return m.printNames(i, stop)
	}
	what := wireNames[wt]
	depth := len(m.frames)
	switch {
	case element:
		what = fmt.Sprintf("[%d] %s", tag>>4-1, what)
	case tag>>8 == 0:
		what = "* " + what
	default:
		name, ok := m.names[tag]
		if !ok {
			name = "?"
		}
		t := text{limit: maxName}
		t.add([]byte(name))
		m.frames = append(m.frames, frame{object: true, name: name})
		defer func() { m.frames = m.frames[:len(m.frames)-1] }()
		what = fmt.Sprintf("%06x %s %s", tag>>8, what, t.String())
	}
	if element {
		m.frames = append(m.frames, frame{index: int64(tag>>4) - 1})
		defer func() { m.frames = m.frames[:len(m.frames)-1] }()
	}
	m.deepest = max(m.deepest, len(m.frames))
	if len(m.frames) > maxDepth {
		return 0, m.broken(i, tagwire.Deep)
	}
	from := i + tagwire.TagSize
	next = tagwire.Pass(m.b, from, stop, wt)
	if next < 0 {
		return 0, m.broken(i, next)
	}
	head := m.b[i:from]
	if wt != tagwire.Object && wt != tagwire.Array {
		m.off = int64(next)
		m.row(int64(i), head, depth, what+" "+m.value(from, next, wt))
		return next, nil
	}
	start, end := tagwire.Span(m.b, from, stop)
	m.off = int64(start)
	m.row(int64(i), head, depth, what+", "+count(end-start, "byte"))
	for k := start; k < end; {
		if k, err = m.entry(k, end, wt == tagwire.Array); err != nil {
			return 0, err
		}
	}
	return next, nil
}

// value describes the scalar b[i:next].
func (m *message) value(i, next int, wt uint32) string {
	switch wt {
	case tagwire.Null:
		return ""
	case tagwire.Int32, tagwire.Int64:
		u, _ := tagwire.Uvarint(m.b, i, next)
		return strconv.FormatInt(tagwire.Unzigzag(u), 10)
	case tagwire.Uint32:
		u, _ := tagwire.Uvarint(m.b, i, next)
		return strconv.FormatUint(u, 10)
	case tagwire.Fixed32:
		return strconv.Itoa(int(int32(binary.LittleEndian.Uint32(m.b[i:]))))
	case tagwire.Fixed64:
		return strconv.FormatInt(int64(binary.LittleEndian.Uint64(m.b[i:])), 10)
	case tagwire.Double:
		return strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(m.b[i:])), 'g', -1, 64)
	}
	start, stop := tagwire.Span(m.b, i, next)
	t := text{limit: maxText}
	t.add(m.b[start:stop])
	return `"` + t.String() + `"`
}

// printNames prints the table of names.
func (m *message) printNames(i, stop int) (next int, err error) {
	start, end := tagwire.Span(m.b, i+tagwire.TagSize, stop)
	if end < 0 {
		return 0, m.broken(i, end)
	}
	m.off = int64(start)
	m.row(int64(i), m.b[i:i+tagwire.TagSize], 0, "names, "+count(end-start, "byte"))
	for k := start; k < end; {
		if end-k <= tagwire.TagSize {
			return 0, m.broken(k, tagwire.Short)
		}
		tag := tagwire.Tag(m.b, k)
		from, to := tagwire.Span(m.b, k+tagwire.TagSize, end)
		if to < 0 {
			return 0, m.broken(k, to)
		}
		t := text{limit: maxName}
		t.add(m.b[from:to])
		m.off = int64(to)
		m.row(int64(k), m.b[k:k+tagwire.TagSize], 1, fmt.Sprintf("%06x %s %s", tag>>8, wireNames[tag&15], t.String()))
		k = to
	}
	if end != stop {
		return 0, m.fail(int64(end), weft.ErrTrailingData)
	}
	return end, nil
}
