package tagged

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// FrameEncoder writes records one by one as a stream of frames. It holds one frame in memory. The first record
// determines the type of all records.
type FrameEncoder struct {
	w       io.Writer
	opts    []Options
	p       *program
	fw      *frameWriter
	schema  *framewire.Schema // of the file that is continued
	records int64
	buf     []byte
	err     error
	closed  bool
	typed   bool // records are what the pointers point at, of the type of p
}

// NewFrameEncoder returns a FrameEncoder that writes to w. It must be closed.
func NewFrameEncoder(w io.Writer, opts ...Options) *FrameEncoder {
	return &FrameEncoder{w: w, opts: append([]Options(nil), opts...)}
}

var (
	errClosed  = errors.New("it is closed")
	errAnother = errors.New("records of a stream must be of one type")
)

// Encode adds a record: a value, or a pointer to one. After an error of the stream, or a record that cannot be
// written, it keeps returning that error and writes nothing more.
func (e *FrameEncoder) Encode(v any) error {
	q, err := e.begin(v)
	if err != nil {
		return err
	}
	e.fw.one(e.fw.layout.root, q)
	e.fw.at = 0
	return e.added(1)
}

// EncodeSlice adds all elements of a slice, or of a slice that v points to, as
// records.
func (e *FrameEncoder) EncodeSlice(v any) error {
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if rv.Kind() != reflect.Slice {
		return framedError(-1, fmt.Errorf("%T is not a slice", v))
	}
	if rv.Len() == 0 {
		return e.err
	}
	if _, err := e.begin(rv.Index(0).Addr().Interface()); err != nil {
		return err
	}
	own := reflect.New(rv.Type())
	own.Elem().Set(rv)
	a := mem.Of(own).Slice()
	for i := 0; i < rv.Len(); {
		n := 1
		if e.fw.layout.flat {
			n = min(rv.Len()-i, frameRows-e.fw.rows, 256)
		}
		e.fw.put(e.fw.layout.root, a.From(e.p.mem, i), e.p.mem, mem.Field{}, n, false)
		if err := e.added(n); err != nil {
			return err
		}
		i += n
	}
	return nil
}

// begin finds the record that v is, and makes sure that there is a header.
func (e *FrameEncoder) begin(v any) (q mem.Ptr, err error) {
	switch {
	case e.err != nil:
		return q, e.err
	case e.closed:
		return q, framedError(-1, errClosed)
	}
	var p *program
	if e.typed {
		if p = registryOf(e.opts).of(v); p.enc == plan.Pointer {
			p, q = p.elem, mem.PtrOf(v)
		}
	} else if p, q, err = recordOf(v, e.opts); err != nil {
		return q, err
	}
	if e.p == nil {
		if err := e.open(p); err != nil {
			return q, err
		}
	}
	if p != e.p {
		return q, framedError(-1, errAnother)
	}
	return q, nil
}

// open begins a stream of records of p.
func (e *FrameEncoder) open(p *program) error {
	fw := newFrameWriter(p, e.opts)
	if e.schema != nil {
		if string(e.schema.Append(nil)) != string(fw.layout.schema.Append(nil)) {
			defer fw.release()
			return framedError(-1, fmt.Errorf("records are %v, the file has %v", fw.layout.schema, e.schema))
		}
	} else {
		e.buf = framewire.AppendHeader(e.buf, 0, fw.layout.schema)
	}
	e.p, e.fw = p, fw
	return nil
}

// added counts n records that have been added, and writes full frames.
func (e *FrameEncoder) added(n int) error {
	if e.err = e.fw.located(e.records + int64(e.fw.rows+e.fw.at)); e.err != nil {
		return e.err // the columns are uneven now
	}
	e.fw.rows += n
	if e.fw.rows >= frameRows || e.fw.size >= frameBytes {
		return e.Flush()
	}
	return nil
}

// Flush writes the records held as a frame.
func (e *FrameEncoder) Flush() error {
	if e.err != nil {
		return e.err
	}
	if e.fw != nil && e.fw.rows > 0 {
		n := e.fw.rows
		e.buf = e.fw.frame(e.buf)
		if e.err = e.fw.located(e.records); e.err != nil {
			return e.err
		}
		e.records += int64(n)
	}
	if len(e.buf) > 0 {
		_, e.err = e.w.Write(e.buf)
		e.buf = e.buf[:0]
	}
	return e.err
}

// Close writes the records held and the frame that ends a stream. It does not close the underlying writer.
func (e *FrameEncoder) Close() error {
	if e.closed {
		return e.err
	}
	err := e.Flush()
	if err == nil && e.p == nil && e.schema == nil {
		e.buf = framewire.AppendHeader(e.buf, 0, &framewire.Schema{Kind: framewire.Message}) // of no records
	}
	if err == nil {
		e.buf = framewire.AppendEnd(e.buf, e.records)
		err = e.Flush()
	}
	e.closed = true
	if e.fw != nil {
		e.fw.release()
		e.fw = nil
	}
	return err
}

// AppendFrames returns a FrameEncoder that continues the stream in f, which must have been written for the same type,
// or begins a stream if f is empty. It truncates a torn stream after its last complete frame.
func AppendFrames(f interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
}, opts ...Options) (*FrameEncoder, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	e := NewFrameEncoder(f, opts...)
	if size == 0 {
		return e, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	d := NewFrameDecoder(f)
	if err := e.follow(d); err != nil && !errors.Is(err, ErrTorn) {
		return nil, err
	}
	if d.whole < size {
		if err := f.Truncate(d.whole); err != nil {
			return nil, err
		}
	}
	if _, err := f.Seek(d.whole, io.SeekStart); err != nil {
		return nil, err
	}
	return e, nil
}

// ContinueFrames returns a FrameEncoder that writes to w what continues the stream
// of r, which it reads to its end: for a file that is compressed as a whole, of
// which w writes a further member. If only the frame that ends the stream is
// missing, there are both a FrameEncoder and an error that is [ErrTorn].
func ContinueFrames(w io.Writer, r io.Reader, opts ...Options) (*FrameEncoder, error) {
	e := NewFrameEncoder(w, opts...)
	d := NewFrameDecoder(r)
	err := e.follow(d)
	if err != nil && (!errors.Is(err, ErrTorn) || d.whole < d.in.Base+int64(len(d.in.B))) {
		return nil, err
	}
	return e, err
}

// follow makes e continue what d reads: io.EOF is not an error here.
func (e *FrameEncoder) follow(d *FrameDecoder) error {
	var err error
	for err == nil {
		_, err = d.nextFrame()
	}
	switch {
	case d.header.Schema == nil && len(d.in.B) == 0 && errors.Is(err, weft.ErrUnexpectedEnd):
		return framedError(0, ErrTorn)
	case d.header.Schema == nil:
		return err
	case d.header.Flags&framewire.Single != 0:
		return framedError(0, errSingle)
	}
	e.schema, e.records = d.header.Schema, d.read
	if err == io.EOF {
		return nil
	}
	return err
}

// FrameDecoder reads the records of a stream of frames one by one. It holds one frame in memory, and of that no more
// than has arrived.
type FrameDecoder struct {
	in     input.Stream
	opts   []Options
	header framewire.Header
	ended  bool  // the last frame was one that ends a stream
	whole  int64 // where the last whole frame ends
	read   int64 // records in frames that have been passed

	frame  framewire.Frame // the last one
	rows   int
	next   int // record of it that is next
	p      *program
	bound  *bound
	list   mem.Array // its records as p
	filled bool
	listed bool // the records must be those of a list

	misfits map[int]*weft.Error // what is wrong with records of the frame
	failed  error
}

// NewFrameDecoder returns a FrameDecoder that reads from r.
func NewFrameDecoder(r io.Reader, opts ...Options) *FrameDecoder {
	return &FrameDecoder{in: input.Stream{Src: r}, opts: append([]Options(nil), opts...)}
}

// Decode reads the next record into the variable that v points to. At the end of the stream it returns io.EOF. If the
// stream is torn, it returns an error that is [ErrTorn], after all records of complete frames have been read. A
// record that does not fit v is skipped. What a record does not have is zero in the variable afterwards.
func (d *FrameDecoder) Decode(v any) error {
	p, q, err := variable(v, d.opts)
	if err != nil {
		return err
	}
	if err := d.advance(); err != nil {
		return err
	}
	if !d.filled || d.p != p {
		if err := d.fill(p); err != nil {
			return err
		}
	}
	i := d.next
	d.next++
	if e := d.misfits[i]; e != nil {
		return e
	}
	p.mem.Copy(q, d.list.At(p.mem, i))
	return nil
}

// fill reads the records of the frame.
func (d *FrameDecoder) fill(p *program) error {
	if d.p != p || d.bound == nil {
		d.p, d.bound = p, bind(d.header.Schema, p, plan.FlagsOf(d.opts))
	}
	r := newFrameReader(d.opts)
	defer r.release()
	to := newTarget(p.mem, d.rows)
	if err := r.frame(d.placed(int64(d.rows)), d.bound, to); err != nil {
		return err
	}
	d.list = to.A
	d.misfits, d.filled = r.misfits, true
	return nil
}

// More reports whether there is another record, or an error to be returned by
// the next call other than io.EOF.
func (d *FrameDecoder) More() bool {
	return d.advance() != io.EOF
}

// advance begins with the next frame if there are no records left of this one.
func (d *FrameDecoder) advance() error {
	if d.listed && d.failed == nil {
		if single, err := d.Single(); err != nil {
			d.failed = err
		} else if single {
			d.failed = framedError(0, errNoArray)
		}
	}
	if d.failed == nil && d.next == d.rows {
		d.rows, d.failed = d.nextFrame()
		d.next, d.filled = 0, false
	}
	return d.failed
}

// Schema describes the records, such as "struct{name string; tags []string}".
func (d *FrameDecoder) Schema() (string, error) {
	if err := d.open(); err != nil {
		return "", err
	}
	return d.header.Schema.String(), nil
}

// Close releases what the decoder holds. It does not close the underlying reader.
func (d *FrameDecoder) Close() error {
	d.frame, d.rows, d.next = framewire.Frame{}, 0, 0
	d.list, d.failed = mem.Array{}, framedError(-1, errClosed)
	return d.in.Close(io.EOF)
}

// Single reports whether the stream is one value, its only record, and not a list of records.
func (d *FrameDecoder) Single() (bool, error) {
	err := d.open()
	return d.header.Flags&framewire.Single != 0, err
}

// SkipFrame skips the next frame, after checking it, and returns how many
// records it has. At the end of the stream it returns io.EOF.
func (d *FrameDecoder) SkipFrame() (records int, err error) {
	if err := d.advance(); err != nil {
		return 0, err
	}
	records = d.rows - d.next
	d.next = d.rows
	return records, nil
}

// Compressed reports whether the current frame is compressed.
func (d *FrameDecoder) Compressed() bool { return d.frame.How != framewire.Plain }

// InputOffset returns the offset of the end of the current frame.
func (d *FrameDecoder) InputOffset() int64 { return d.whole }

// open reads the header.
func (d *FrameDecoder) open() error {
	for d.header.Schema == nil {
		h, err := framewire.ParseHeader(d.in.B)
		switch {
		case err == nil:
			d.header = h
			d.in.Start, d.whole = h.Size, int64(h.Size)
		case err != framewire.ErrShort, d.in.Err == io.EOF:
			return headerError(d.in.B, err)
		case d.in.Err != nil:
			return d.in.Err
		default:
			d.in.Fill()
		}
	}
	return nil
}

// cutOff returns the error for the bytes of r from from up to size, where the stream ends within a header or a frame,
// or seems to because a length is damaged: then whole frames follow, or the checksum matches with another length. The
// offset of r in the stream is base.
func cutOff(r io.ReaderAt, from, size, base int64) error {
	if framewire.Whole(io.NewSectionReader(r, from, size-from)) {
		return framedError(base+from, fmt.Errorf("%w: the length of the frame is damaged", ErrChecksum))
	}
	switch next, err := input.Find(r, from+1, size, framewire.MayBegin, framewire.Whole); {
	case err != nil:
		return err
	case next >= 0:
		return framedError(base+from, fmt.Errorf("%w, but a frame at offset %d does", ErrChecksum, base+next))
	}
	return framedError(base+from, ErrTorn)
}

// headerError returns the error for b, the beginning of a stream that has no more, of
// which ParseHeader has said err: it is torn where it ends within its header.
func headerError(b []byte, err error) error {
	switch {
	case !framewire.Begins(b):
		err = framewire.ErrMagic
	case err == framewire.ErrShort && len(b) > 0:
		size := int64(len(b))
		if err = cutOff(bytes.NewReader(b), 0, size, 0); errors.Is(err, ErrTorn) {
			err = framedError(size, ErrTorn)
		}
		return err
	case err == framewire.ErrShort:
		err = weft.ErrUnexpectedEnd
	}
	return framedError(0, err)
}

// nextFrame reads the next frame that has records.
func (d *FrameDecoder) nextFrame() (rows int, err error) {
	if err := d.open(); err != nil {
		return 0, err
	}
	for {
		f, err := framewire.ParseFrame(d.in.Rest())
		at := d.in.Offset()
		switch {
		case err == nil && f.Rows == 0:
			if err := f.CheckEnd(d.read); err != nil {
				return 0, framedError(at, err)
			}
			d.ended = true
		case err == nil:
			d.ended = false
			d.read += int64(f.Rows)
			d.frame = f
		case err != framewire.ErrShort:
			return 0, framedError(at, err)
		case d.in.Err == io.EOF && d.in.Start == len(d.in.B) && d.ended:
			return 0, io.EOF
		case d.in.Err == io.EOF:
			rest := d.in.Rest()
			return 0, cutOff(bytes.NewReader(rest), 0, int64(len(rest)), at)
		case d.in.Err != nil:
			return 0, d.in.Err
		default:
			d.in.Fill()
			continue
		}
		d.in.Start += f.Size()
		d.whole = d.in.Offset()
		if f.Rows > 0 {
			return f.Rows, nil
		}
	}
}
