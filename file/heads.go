package file

import (
	"bytes"
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/msgpack"
)

// heads knows how the records of a file begin, to recognize others where one does not end.
type heads struct {
	format weft.Format
	opts   []Options
	known  map[string]bool
	mixed  bool // not all records are arrays or maps

	start, end int64 // of the last of those that are, before any other
}

// maxHeads bounds how many different heads are remembered.
const maxHeads = 1 << 10

// add remembers how the record b begins, which ends at the offset end.
func (h *heads) add(b []byte, end int64) {
	head := h.of(b)
	if h.mixed = h.mixed || len(head) == 0; h.mixed {
		return
	}
	if h.start, h.end = h.end, end; len(h.known) < maxHeads {
		h.known[string(head)] = true
	}
}

// of returns what b, the beginning of a record, has in common with other records: the header of an array, or that of a
// map with its first key; and nothing for other values, of which records consist.
func (h *heads) of(b []byte) []byte {
	b = b[:min(len(b), input.Ahead)]
	end := 0
	switch h.format {
	case msgpack.Format:
		t, rest, err := msgpack.ReadToken(b)
		if err != nil || t.Kind != weft.KindArray && t.Kind != weft.KindObject || t.Len == 0 {
			return nil
		}
		end = len(b) - len(rest)
		if _, rest, err = msgpack.ReadToken(rest); err == nil && t.Kind == weft.KindObject {
			end = len(b) - len(rest)
		}
	case cbor.Format:
		if len(b) == 0 || b[0]>>5 < 4 || b[0]>>5 > 6 { // neither an array nor a map, nor a tag of one
			return nil
		}
		d := cboritem.NewDecoder(bytes.NewReader(b))
		t, err := d.ReadToken()
		for err == nil && t.Kind == cboritem.KindTag {
			t, err = d.ReadToken()
		}
		if err != nil || t.Kind != cboritem.KindArray && t.Kind != cboritem.KindMap {
			return nil
		}
		end = int(d.InputOffset())
		if _, err := d.ReadToken(); err == nil && t.Kind == cboritem.KindMap {
			end = int(d.InputOffset())
		}
	}
	return b[:end]
}

// find returns the offset of a record in r, in which a value does not end up to size, or -1. All that follow are
// records. They begin like earlier ones, but if there are none that can be relied on, the last has to end at size. The
// last record that was read may have swallowed it, unless it ends with what is found.
func (h *heads) find(r io.ReaderAt, size int64) (int64, error) {
	loose := h.mixed || len(h.known) == 0
	begins := func(b []byte, _ int64) bool {
		head := h.of(b)
		return len(head) > 0 && (loose || h.known[string(head)])
	}
	return input.Find(r, h.start+1, size, begins, func(in *io.SectionReader) bool {
		next, offset := rawValues(h.format, in, h.opts)
		end := h.end - (size - in.Size())
		for records := 0; ; records++ {
			b, err := next()
			switch {
			case err == io.EOF:
				return true
			case err != nil:
				return !loose && records > 0 && errors.Is(err, weft.ErrUnexpectedEnd)
			case !begins(b, 0), offset() == end:
				return false
			}
		}
	})
}
