package tagged

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sort"

	"github.com/weftcodec/weft/internal/jobs"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// FrameFile reads the frames of a stream in any order. Its methods may be called
// by several goroutines at once.
type FrameFile struct {
	r      io.ReaderAt
	opts   []Options
	header framewire.Header
	frames []frameAt
	count  int64
	packed bool // some are compressed
	torn   error
}

// OpenFrames finds the frames of the stream in the first size bytes of r. It reads only their heads.
func OpenFrames(r io.ReaderAt, size int64, opts ...Options) (*FrameFile, error) {
	f := &FrameFile{r: r, opts: append([]Options(nil), opts...)}
	d := NewFrameDecoder(io.NewSectionReader(r, 0, size))
	if err := d.open(); err != nil {
		return nil, err
	}
	f.header = d.header
	ended := false
	off := int64(d.header.Size)
	for size-off >= framewire.FrameLen {
		var head [framewire.FrameLen]byte
		if _, err := r.ReadAt(head[:], off); err != nil {
			return nil, err
		}
		n, rows, how := framewire.ParseSize(head[:])
		if n > size-off {
			break
		}
		if rows > framewire.MaxRows {
			f.torn = framedError(off, ErrChecksum)
			return f, nil
		}
		x := frameAt{Frame: framewire.Frame{Rows: rows, How: how}, off: off, size: n, first: f.count}
		if ended = rows == 0; ended {
			if err := f.load(&x); err != nil {
				return nil, err
			}
			if err := x.CheckEnd(f.count); err != nil {
				return nil, framedError(off, err)
			}
		} else {
			f.frames = append(f.frames, x)
			f.count += int64(rows)
			f.packed = f.packed || how != framewire.Plain
		}
		off += n
	}
	if off < size || !ended {
		f.torn = cutOff(r, off, size, 0)
	}
	return f, nil
}

// Torn returns an error if the stream does not end with the frame that ends a stream: [ErrTorn], or [ErrChecksum] if
// a frame is damaged and others may follow it. The frames before can be read nevertheless.
func (f *FrameFile) Torn() error { return f.torn }

// Schema describes the records.
func (f *FrameFile) Schema() string { return f.header.Schema.String() }

// Len returns the number of records.
func (f *FrameFile) Len() int64 { return f.count }

// Compressed reports whether any frame is compressed.
func (f *FrameFile) Compressed() bool { return f.packed }

// Frames returns the number of frames with records.
func (f *FrameFile) Frames() int { return len(f.frames) }

// Frame returns the offset and the length of the i-th frame, the number of its first record, and its number of
// records.
func (f *FrameFile) Frame(i int) (offset, size, first int64, records int) {
	x := &f.frames[i]
	return x.off, x.size, x.first, x.Rows
}

// load reads the body of x and checks it.
func (f *FrameFile) load(x *frameAt) error {
	var b bytes.Buffer
	b.Grow(int(min(x.size, 64<<10)) + bytes.MinRead) // the length is trusted as far as there are bytes
	if n, err := b.ReadFrom(io.NewSectionReader(f.r, x.off, x.size)); err != nil {
		return err
	} else if n < x.size {
		return framedError(x.off, ErrTorn)
	}
	s, err := framewire.ParseFrame(b.Bytes())
	if err == nil && s.Rows != x.Rows {
		err = ErrChecksum
	}
	if err != nil {
		return framedError(x.off, err)
	}
	x.Frame = s
	return nil
}

var errSlice = errors.New("a pointer to a slice is needed")

// slice is variable for one that is a slice.
func (f *FrameFile) slice(v any) (p *program, q mem.Ptr, err error) {
	if p, q, err = variable(v, f.opts); err == nil && p.dec != plan.Slice {
		err = framedError(0, errSlice)
	}
	return p, q, err
}

// ReadFrame reads the records of the i-th frame into the slice that v points to, and sets its length to their number.
func (f *FrameFile) ReadFrame(i int, v any) error {
	p, q, err := f.slice(v)
	if err != nil {
		return err
	}
	return f.read(f.frames[i], bind(f.header.Schema, p.elem, plan.FlagsOf(f.opts)), q, p.typ.Rtype, p.elem.mem)
}

// read reads the records of x, of type t, into the slice of type st at q.
func (f *FrameFile) read(x frameAt, b *bound, q mem.Ptr, st reflect.Type, t *mem.Type) error {
	if err := f.load(&x); err != nil {
		return err
	}
	r := newFrameReader(f.opts)
	defer r.release()
	return r.records(x, b, target{A: q.Make(st, t, x.Rows), T: t, N: x.Rows}, false)
}

// Record reads record n, counted from 0, into the variable v points to. It reads
// the frame that the record is in.
func (f *FrameFile) Record(n int64, v any) error {
	p, q, err := variable(v, f.opts)
	if err != nil {
		return err
	}
	if n < 0 || n >= f.count {
		return framedError(-1, fmt.Errorf("there is no record %d, only %d", n, f.count))
	}
	i := sort.Search(len(f.frames), func(i int) bool { return f.frames[i].first > n }) - 1
	x := f.frames[i]
	if err := f.load(&x); err != nil {
		return err
	}
	to := newTarget(p.mem, x.Rows)
	r := newFrameReader(f.opts)
	defer r.release()
	if err := r.frame(x, bind(f.header.Schema, p, plan.FlagsOf(f.opts)), to); err != nil {
		return err
	}
	if e := r.misfits[int(n-x.first)]; e != nil {
		return inRecord(e, n)
	}
	p.mem.Copy(q, to.At(int(n-x.first)))
	return nil
}

// ReadAll reads all records into the slice v points to, by up to workers
// goroutines, which have ended when it returns.
func (f *FrameFile) ReadAll(v any, workers int) error {
	p, q, err := f.slice(v)
	if err != nil {
		return err
	}
	// What the heads of frames say is not trusted before a frame has been checked: each goes into
	// memory of its own until then.
	type part struct {
		list reflect.Value
		err  error
	}
	var lists []reflect.Value
	b := bind(f.header.Schema, p.elem, plan.FlagsOf(f.opts))
	st := reflect.SliceOf(p.elem.mem.Rtype)
	err = jobs.Run(max(1, min(workers, len(f.frames))), func(emit func(job func() part) bool) error {
		for _, x := range f.frames {
			more := emit(func() part {
				list := reflect.New(st)
				err := f.read(x, b, mem.Of(list), st, p.elem.mem)
				return part{list.Elem(), err}
			})
			if !more {
				break
			}
		}
		return nil
	}, func(l part) error {
		lists = append(lists, l.list)
		return l.err
	})
	if err != nil {
		return err
	}
	q.Make(p.typ.Rtype, p.elem.mem, int(f.count))
	out := q.Value(p.mem)
	at := 0
	for _, l := range lists {
		at += reflect.Copy(out.Slice(at, out.Len()), l)
	}
	return f.torn
}
