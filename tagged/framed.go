package tagged

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

const framedName = "framed"

// Framed is the framed layout as a value: a slice is a stream of its elements,
// anything else a stream of one record.
var Framed framedFormat

type framedFormat struct{}

var _ weft.Format = Framed

// Name returns "framed".
func (framedFormat) Name() string { return framedName }

// MarshalAppend appends v as a whole stream.
func (framedFormat) MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	return appendFramed(b, v, opts)
}

// MarshalWrite writes v as a whole stream; [WriteFrames] writes it a frame at a
// time.
func (framedFormat) MarshalWrite(w io.Writer, v any, opts ...Options) error {
	b, err := appendFramed(nil, v, opts)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// Unmarshal reads the stream b into the variable v points to.
func (framedFormat) Unmarshal(b []byte, v any, opts ...Options) error {
	return unmarshalFramed(b, v, opts)
}

// UnmarshalRead reads the stream of r, up to its end, into the variable v points
// to.
func (framedFormat) UnmarshalRead(r io.Reader, v any, opts ...Options) error {
	buf := input.Take()
	defer buf.Release()
	if err := buf.ReadAll(r); err != nil {
		return err
	}
	return unmarshalFramed(buf.B, v, opts)
}

// MarshalFramed returns v in the framed layout: a slice as a stream of its
// elements, anything else as a stream of one record.
func MarshalFramed(v any, opts ...Options) ([]byte, error) { return appendFramed(nil, v, opts) }

// UnmarshalFramed reads the stream b into the variable v points to. A torn stream
// is an error; a [FrameDecoder] reads what is whole of it.
func UnmarshalFramed(b []byte, v any, opts ...Options) error { return unmarshalFramed(b, v, opts) }

// Errors of streams of frames.
var (
	// ErrTorn says that a stream does not end with the frame that ends one: its
	// writer was interrupted, or its end is lost. All frames before are whole.
	ErrTorn = errors.New("the stream is torn")
	// ErrChecksum says that bytes of a frame have changed.
	ErrChecksum = errors.New("checksum does not match")
	errMagic    = errors.New("not a stream of frames")
	errCount    = errors.New("records are missing")
	errSingle   = errors.New("the stream does not have exactly one record")
)

// appendFramed appends v as a stream.
func appendFramed(b []byte, v any, opts []Options) ([]byte, error) {
	p, q, err := recordOf(v, opts)
	if err != nil {
		return b, err
	}
	out := b
	if out == nil {
		out = mem.MakeNoZero(max(int(p.size.Load())+1024, 512))
	}
	e := p
	if p.enc == cSlice {
		e = p.elem
	}
	w := newFrameWriter(e, opts)
	defer w.release()
	out = w.header(out, p, q)
	records := 1
	if p.enc == cSlice {
		records = q.SliceLen()
		out = w.records(out, q.Slice(), e.mem, records)
	} else {
		w.row = -1
		w.one(w.layout.root, q)
		w.rows = 1
		out = w.frame(out)
	}
	if w.err != nil {
		return b, w.located(int64(w.row))
	}
	out = appendEnd(out, int64(records))
	p.size.Store(int64(len(out) - len(b)))
	if b == nil {
		out = trim(out)
	}
	return out, nil
}

// header appends the header of a stream of what q is, of type p.
func (w *frameWriter) header(b []byte, p *program, q mem.Ptr) []byte {
	flags := byte(0)
	if p.enc != cSlice {
		flags = flagSingle
	} else if q.SliceIsNil() {
		flags = flagNull
	}
	return appendHeader(b, flags, w.layout.schema)
}

// recordOf finds the value that v is, or that the pointers and interfaces in v lead
// to.
func recordOf(v any, opts []Options) (*program, mem.Ptr, error) {
	for range setting.DefaultMaxDepth {
		if v == nil {
			return registryOf(opts).of(&v).elem, mem.To(&v), nil
		}
		p := registryOf(opts).of(v)
		if p.marshalErr != nil {
			return nil, mem.Ptr{}, framedError(-1, p.marshalErr)
		}
		if p.enc != cPointer {
			q := p.mem.New()
			p.mem.Copy(q, mem.Data(v, p.mem))
			return p, q, nil
		}
		q := mem.PtrOf(v)
		switch {
		case q.IsNil():
			v = nil
		case p.elem.enc == cPointer || p.elem.enc == cAny || p.elem.enc == cInterface:
			v = q.Value(p.elem.mem).Interface()
		default:
			return p.elem, q, nil
		}
	}
	return nil, mem.Ptr{}, framedError(-1, weft.ErrDepth)
}

// frameHeader is the header of a stream.
type frameHeader struct {
	flags  byte
	schema *schema
	size   int // of the header
}

// maxHeader bounds the headers that are read.
const maxHeader = 1 << 20

// parseHeader reads a header. More bytes are needed when it returns
// weft.ErrUnexpectedEnd.
func parseHeader(b []byte) (h frameHeader, err error) {
	n := len(frameMagic)
	if len(b) >= n && !begins(b) {
		return h, errMagic
	}
	if len(b) < n+3 {
		return h, weft.ErrUnexpectedEnd
	}
	if b[n] == 0 || b[n] > frameVersion {
		return h, fmt.Errorf("version %d of the layout is not known, only 1 to %d", b[n], frameVersion)
	}
	size, i := tagwire.Uvarint(b, n+2, len(b))
	switch {
	case i == tagwire.Short:
		return h, weft.ErrUnexpectedEnd
	case i < 0 || size > maxHeader:
		return h, errSchema
	case size+4 > uint64(len(b)-i):
		return h, weft.ErrUnexpectedEnd
	}
	end := i + int(size)
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return h, ErrChecksum
	}
	s, next := parseSchema(b[i:end], 0, 0)
	if next != int(size) || b[n+1] > flagNull || b[n] < s.version() {
		return h, errSchema
	}
	return frameHeader{flags: b[n+1], schema: s, size: end + 4}, nil
}

// parseFrame finds the first frame of b. At the end of b, or where b ends within
// the frame, it returns weft.ErrUnexpectedEnd.
func parseFrame(b []byte) (f storedFrame, err error) {
	if len(b) < frameHead {
		return f, weft.ErrUnexpectedEnd
	}
	size, rows, how := frameSize(b)
	if size > int64(len(b)) {
		return f, weft.ErrUnexpectedEnd
	}
	b = b[:size:size]
	switch {
	case frameSum(b) != binary.LittleEndian.Uint32(b[8:]):
		return f, ErrChecksum
	case rows > maxRows, how > bodyZstd, rows == 0 && how != bodyPlain:
		return f, errBlock
	}
	return storedFrame{rows, how, b[frameHead:]}, nil
}

// total checks the body of the frame that ends a stream of the given number of
// records.
func total(body []byte, records int64) error {
	n, next := tagwire.Uvarint(body, 0, len(body))
	if next != len(body) {
		return errBlock
	}
	if n != uint64(records) {
		return errCount
	}
	return nil
}

func framedError(off int64, err error) error {
	return &weft.Error{Format: framedName, Offset: off, Err: err}
}

// check checks all frames of b behind the header: how many records there are.
func (h *frameHeader) check(b []byte) (records int64, err error) {
	i, ended := h.size, false
	for i < len(b) {
		f, err := parseFrame(b[i:])
		if err == weft.ErrUnexpectedEnd {
			return records, framedError(int64(i), ErrTorn)
		} else if err != nil {
			return records, framedError(int64(i), err)
		}
		if ended = f.rows == 0; ended {
			if err := total(f.body, records); err != nil {
				return records, framedError(int64(i), err)
			}
		}
		records += int64(f.rows)
		i += f.size()
	}
	if !ended {
		return records, framedError(int64(i), ErrTorn)
	}
	return records, nil
}

// headerError returns the error for b, the beginning of a stream that has no more, of
// which parseHeader has said err: it is torn where it ends within its header.
func headerError(b []byte, err error) error {
	switch {
	case !begins(b):
		err = errMagic
	case err == weft.ErrUnexpectedEnd && len(b) > 0:
		return framedError(int64(len(b)), ErrTorn)
	}
	return framedError(0, err)
}

// unmarshalFramed reads the stream b into the variable v points to.
func unmarshalFramed(b []byte, v any, opts []Options) error {
	h, err := parseHeader(b)
	if err != nil {
		return headerError(b, err)
	}
	records, err := h.check(b)
	if err != nil {
		return err
	}
	p, q, err := variable(v, opts)
	if err != nil {
		return err
	}
	if h.flags&flagSingle != 0 {
		if records != 1 {
			return framedError(int64(h.size), errSingle)
		}
		return h.read(b, p, target{a: q.One(), t: p.mem, n: 1}, opts)
	}
	if p.dec == cSlice {
		if h.flags&flagNull != 0 && records == 0 {
			p.mem.Clear(q)
			return nil
		}
		e := p.elem
		a := q.Make(p.typ.Rtype, e.mem, int(records))
		return h.read(b, e, target{a: a, t: e.mem, n: int(records)}, opts)
	}
	if h.flags&flagNull != 0 && records == 0 {
		p.mem.Clear(q)
		return nil
	}
	return h.readList(b, p, q, int(records), opts)
}

// readList reads all frames of b, which have been checked, as one list, into what is
// no slice.
func (h *frameHeader) readList(b []byte, p *program, q mem.Ptr, records int, opts []Options) error {
	r := newFrameReader(opts)
	defer r.release()
	plain := p.dec == cAny && *mem.At[any](q) == nil
	all := make([]any, 0, records)
	list := begin(make([]byte, tagwire.TagSize), tagwire.Array)
	head, n := len(list)-1, 0
	err := h.frames(b, func(off int, f storedFrame) error {
		if !r.start(f, int64(off)) {
			return r.located()
		}
		c := r.cellsOf(h.schema, f.rows)
		if c == nil || !r.done() {
			return r.located()
		}
		for range f.rows {
			if plain {
				all = append(all, r.any(c))
			} else {
				list = r.row(tagwire.AppendTag(list, uint32(n+1)<<4), c)
				n++
			}
		}
		if r.err != nil {
			return r.located()
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case plain:
		*mem.At[any](q) = all
		return nil
	}
	return framedOf(newRowReader(end(list, head), &r.names, opts).into(p, q))
}

// framedOf returns an error of the hashed-tag format, whose offset is not one of the
// stream, as an error of frames.
func framedOf(err error) error {
	if e, ok := err.(*weft.Error); ok && e.Format == formatName {
		return &weft.Error{Format: framedName, Offset: -1, Path: e.Path, Err: e.Err}
	}
	return err
}

// variable returns the program and the place of the variable v points to.
func variable(v any, opts []Options) (*program, mem.Ptr, error) {
	if v == nil {
		return nil, mem.Ptr{}, framedError(0, errTarget)
	}
	p := registryOf(opts).of(v)
	if p.enc != cPointer {
		return nil, mem.Ptr{}, framedError(0, errTarget)
	}
	q := mem.PtrOf(v)
	if q.IsNil() {
		return nil, mem.Ptr{}, framedError(0, errTarget)
	}
	if p.unmarshalErr != nil {
		return nil, mem.Ptr{}, framedError(0, p.unmarshalErr)
	}
	return p.elem, q, nil
}

// frames calls f for each data frame of b, which has been checked.
func (h *frameHeader) frames(b []byte, visit func(off int, f storedFrame) error) error {
	for i := h.size; i < len(b); {
		f, err := parseFrame(b[i:])
		if err == nil && f.rows > 0 {
			err = visit(i, f)
		}
		if err != nil {
			return err
		}
		i += f.size()
	}
	return nil
}

// read reads all frames of b, which have been checked, into to.
func (h *frameHeader) read(b []byte, p *program, to target, opts []Options) error {
	bd := bind(h.schema, p, flagsOf(opts))
	r := newFrameReader(opts)
	defer r.release()
	at := 0
	return h.frames(b, func(off int, f storedFrame) error {
		part := target{a: to.a.From(to.t, at), t: to.t, off: to.off, n: f.rows}
		first := at
		at += f.rows
		if h.flags&flagSingle == 0 {
			return r.records(f, int64(off), bd, part, int64(first))
		}
		if err := r.frame(f, int64(off), bd, part); err != nil || len(r.misfits) == 0 {
			return err
		}
		return r.misfits[0]
	})
}

// done checks that the whole body has been read.
func (r *frameReader) done() bool { return len(r.data) == 0 || r.fail(errBlock) }
