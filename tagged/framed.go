package tagged

import (
	"errors"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

const framedName = "framed"

// Framed is the framed layout as a value: a slice is a stream of its elements,
// anything else a stream of one record.
var Framed = framedFormat{&entry.Functions{
	FormatName: framedName, Append: appendFramed, Write: writeFramed, Decode: UnmarshalFramed,
}}

type framedFormat struct{ *entry.Functions }

var _ weft.Format = Framed

// MarshalFramed returns v in the framed layout: a slice as a stream of its
// elements, anything else as a stream of one record.
func MarshalFramed(v any, opts ...Options) ([]byte, error) { return appendFramed(nil, v, opts...) }

// Errors of streams of frames.
var (
	// ErrTorn says that a stream does not end with the frame that ends one: its
	// writer was interrupted, or its end is lost. All frames before are whole.
	ErrTorn = errors.New("the stream is torn")
	// ErrChecksum says that bytes of a frame have changed. Frames that follow it may be whole.
	ErrChecksum = framewire.ErrChecksum
	errSingle   = errors.New("the stream does not have exactly one record")
)

func framedError(off int64, err error) error {
	return &weft.Error{Format: framedName, Offset: off, Err: err}
}

// writeFramed writes v as a whole stream; [WriteFrames] writes it a frame at a time.
func writeFramed(w io.Writer, v any, opts ...Options) error {
	b, err := appendFramed(nil, v, opts...)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// appendFramed appends v as a whole stream.
func appendFramed(b []byte, v any, opts ...Options) ([]byte, error) {
	p, q, err := recordOf(v, opts)
	if err != nil {
		return b, err
	}
	out := b
	if out == nil {
		out = p.large.Buffer()
	}
	e := p
	if p.enc == plan.Slice {
		e = p.elem
	}
	w := newFrameWriter(e, opts)
	defer w.release()
	out = w.header(out, p, q)
	records := 1
	if p.enc == plan.Slice {
		records = q.SliceLen()
		for i := 0; i < records && w.err == nil; {
			out, i = w.next(out, q.Slice(), e.mem, i, records)
		}
	} else {
		w.row = -1
		w.one(w.layout.root, q)
		w.rows = 1
		out = w.frame(out)
	}
	if w.err != nil {
		return b, w.located(int64(w.row))
	}
	out = framewire.AppendEnd(out, int64(records))
	if b == nil {
		out = p.large.Keep(out)
	}
	return out, nil
}

// header appends the header of a stream of what q is, of type p.
func (w *frameWriter) header(b []byte, p *program, q mem.Ptr) []byte {
	flags := byte(0)
	if p.enc != plan.Slice {
		flags = framewire.Single
	} else if q.SliceIsNil() && !p.typ.NoNull {
		flags = framewire.Null
	}
	return framewire.AppendHeader(b, flags, w.layout.schema)
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
		if p.enc != plan.Pointer {
			q := p.mem.New()
			p.mem.Copy(q, mem.Data(v, p.mem))
			return p, q, nil
		}
		q := mem.PtrOf(v)
		switch {
		case q.IsNil():
			v = nil
		case p.elem.enc == plan.Pointer || p.elem.enc == plan.Any || p.elem.enc == plan.Interface:
			v = q.Value(p.elem.mem).Interface()
		default:
			return p.elem, q, nil
		}
	}
	return nil, mem.Ptr{}, framedError(-1, weft.ErrDepth)
}

// UnmarshalFramed reads the stream b into the variable that v points to. A torn stream is an error; a [FrameDecoder]
// reads its complete frames.
func UnmarshalFramed(b []byte, v any, opts ...Options) error {
	d := FrameDecoder{in: input.Stream{Buffer: input.Buffer{B: b}, Err: io.EOF}, opts: opts}
	frames, err := d.rest()
	if err != nil {
		return err
	}
	p, q, err := variable(v, opts)
	if err != nil {
		return err
	}
	h := &d.header
	switch {
	case h.Flags&framewire.Single != 0:
		if d.read != 1 {
			return framedError(int64(h.Size), errSingle)
		}
		return d.fillAll(frames, p, target{A: q.One(), T: p.mem, N: 1})
	case h.Flags&framewire.Null != 0 && d.read == 0 && !p.typ.NoNull: // else it is empty
		return framedOf(newRowReader(make([]byte, tagwire.TagSize+1), new(rowNames), opts).into(p, q))
	case p.dec == plan.Slice:
		e, n := p.elem, int(d.read)
		return d.fillAll(frames, e, target{A: q.Make(p.typ.Rtype, e.mem, n), T: e.mem, N: n})
	}
	return d.fillList(frames, p, q)
}

// frameAt is a frame and where it stands.
type frameAt struct {
	framewire.Frame
	off, size int64
	first     int64 // the number of its first record
}

// rest returns all frames that have records, of a stream that has been read to its end.
func (d *FrameDecoder) rest() (frames []frameAt, err error) {
	for {
		rows, err := d.nextFrame()
		if err == io.EOF {
			return frames, nil
		} else if err != nil {
			return nil, err
		}
		frames = append(frames, d.placed(int64(rows)))
	}
}

// placed returns the last frame, which has so many records.
func (d *FrameDecoder) placed(rows int64) frameAt {
	size := int64(d.frame.Size())
	return frameAt{d.frame, d.whole - size, size, d.read - rows}
}

// fillAll reads the frames into to.
func (d *FrameDecoder) fillAll(frames []frameAt, p *program, to target) error {
	b := bind(d.header.Schema, p, plan.FlagsOf(d.opts))
	r := newFrameReader(d.opts)
	defer r.release()
	for _, f := range frames {
		part := target{A: to.A.From(to.T, int(f.first)), T: to.T, Off: to.Off, N: f.Rows}
		if err := r.records(f, b, part, d.header.Flags&framewire.Single != 0); err != nil {
			return err
		}
	}
	return nil
}

// fillList reads the frames as one list, into what is no slice.
func (d *FrameDecoder) fillList(frames []frameAt, p *program, q mem.Ptr) error {
	r := newFrameReader(d.opts)
	defer r.release()
	plain := p.dec == plan.Any && *mem.At[any](q) == nil
	all := make([]any, 0, d.read)
	list := begin(make([]byte, tagwire.TagSize), tagwire.Array)
	head, n := len(list)-1, 0
	for _, f := range frames {
		var c *cells
		if r.start(f) {
			c = r.cellsOf(d.header.Schema, f.Rows)
		}
		if c == nil || !r.done() {
			return r.located()
		}
		for range f.Rows {
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
	}
	if plain {
		*mem.At[any](q) = all
		return nil
	}
	return framedOf(newRowReader(tagwire.End(list, head), &r.names, d.opts).into(p, q))
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
func variable(v any, opts []Options) (p *program, q mem.Ptr, err error) {
	if p, q, err = registryOf(opts).variable(v); err != nil {
		err = framedError(0, err)
	}
	return p, q, err
}
