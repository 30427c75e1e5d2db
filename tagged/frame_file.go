package tagged

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft/internal/mem"
)

// FrameFile reads the frames of a stream in any order. Its methods may be called
// by several goroutines at once.
type FrameFile struct {
	r      io.ReaderAt
	opts   []Options
	header frameHeader
	frames []frameAt
	count  int64
	packed bool // some are compressed
	torn   error
}

type frameAt struct {
	off, size int64
	first     int64 // number of its first record
	rows      int
}

// OpenFrames finds the frames of the stream in the first size bytes of r. It reads
// their heads only.
func OpenFrames(r io.ReaderAt, size int64, opts ...Options) (*FrameFile, error) {
	f := &FrameFile{r: r, opts: append([]Options(nil), opts...)}
	d := NewFrameDecoder(io.NewSectionReader(r, 0, size))
	if err := d.open(); err != nil {
		return nil, err
	}
	f.header = d.header
	ended := false
	off := int64(d.header.size)
	for off < size {
		var head [frameHead]byte
		if size-off < frameHead {
			break
		}
		if _, err := r.ReadAt(head[:], off); err != nil {
			return nil, err
		}
		n, rows, how := frameSize(head[:])
		if n > size-off || rows > maxRows {
			break
		}
		if ended = rows == 0; ended {
			end, err := f.frame(frameAt{off: off, size: n})
			if err != nil {
				return nil, err
			}
			if err := total(end.body, f.count); err != nil {
				return nil, framedError(off, err)
			}
		} else {
			f.frames = append(f.frames, frameAt{off, n, f.count, rows})
			f.count += int64(rows)
			f.packed = f.packed || how != bodyPlain
		}
		off += n
	}
	if off < size || !ended {
		f.torn = framedError(off, ErrTorn)
	}
	return f, nil
}

// Torn returns an error that is [ErrTorn] when the stream does not end with the
// frame that ends one; the frames before are there all the same.
func (f *FrameFile) Torn() error { return f.torn }

// Schema describes the records.
func (f *FrameFile) Schema() string { return f.header.schema.String() }

// Len returns the number of records.
func (f *FrameFile) Len() int64 { return f.count }

// Compressed reports whether there are frames that are compressed.
func (f *FrameFile) Compressed() bool { return f.packed }

// Frames returns the number of frames with records.
func (f *FrameFile) Frames() int { return len(f.frames) }

// Frame returns where the i-th frame begins, its length, the number of its first
// record, and how many it has.
func (f *FrameFile) Frame(i int) (offset, size, first int64, records int) {
	x := f.frames[i]
	return x.off, x.size, x.first, x.rows
}

// frame reads a frame and checks it.
func (f *FrameFile) frame(x frameAt) (s storedFrame, err error) {
	b := make([]byte, 0, min(x.size, 64<<10))
	for int64(len(b)) < x.size { // the length is trusted as far as there are bytes
		n := int(min(x.size-int64(len(b)), int64(len(b))+64<<10))
		b = append(b, make([]byte, n)...)
		if _, err := f.r.ReadAt(b[len(b)-n:], x.off+int64(len(b)-n)); err != nil {
			if err == io.EOF {
				err = framedError(x.off, ErrTorn)
			}
			return s, err
		}
	}
	s, err = parseFrame(b)
	if err == nil && s.rows != x.rows {
		err = ErrChecksum
	}
	if err != nil {
		return s, framedError(x.off, err)
	}
	return s, nil
}

var errSlice = errors.New("a pointer to a slice is needed")

// ReadFrame reads the records of the i-th frame into the slice v points to, which
// gets their number as its length.
func (f *FrameFile) ReadFrame(i int, v any) error {
	p, q, err := variable(v, f.opts)
	if err != nil {
		return err
	}
	if p.dec != cSlice {
		return framedError(0, errSlice)
	}
	x := f.frames[i]
	s, err := f.frame(x)
	if err != nil {
		return err
	}
	a := q.Make(p.typ.Rtype, p.elem.mem, x.rows)
	return f.read(s, x, bind(f.header.schema, p.elem, flagsOf(f.opts)), target{a: a, t: p.elem.mem, n: x.rows})
}

// read reads the records of s, the frame x.
func (f *FrameFile) read(s storedFrame, x frameAt, b *bound, to target) error {
	r := newFrameReader(f.opts)
	defer r.release()
	return r.records(s, x.off, b, to, x.first)
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
	s, err := f.frame(x)
	if err != nil {
		return err
	}
	st := reflect.SliceOf(p.mem.Rtype)
	a := mem.Of(reflect.New(st)).Make(st, p.mem, x.rows)
	r := newFrameReader(f.opts)
	defer r.release()
	if err := r.frame(s, x.off, bind(f.header.schema, p, flagsOf(f.opts)), target{a: a, t: p.mem, n: x.rows}); err != nil {
		return err
	}
	if e := r.misfits[int(n-x.first)]; e != nil {
		return inRecord(e, n)
	}
	p.mem.Copy(q, a.At(p.mem, int(n-x.first)))
	return nil
}

// ReadAll reads all records into the slice v points to, by up to workers
// goroutines, which have ended when it returns.
func (f *FrameFile) ReadAll(v any, workers int) error {
	p, q, err := variable(v, f.opts)
	if err != nil {
		return err
	}
	if p.dec != cSlice {
		return framedError(0, errSlice)
	}
	// What the heads of frames say is not trusted before a frame has been checked: each goes into
	// memory of its own until then.
	lists := make([]reflect.Value, len(f.frames))
	errs := make([]error, len(f.frames))
	b := bind(f.header.schema, p.elem, flagsOf(f.opts))
	st := reflect.SliceOf(p.elem.mem.Rtype)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range max(1, min(workers, len(f.frames))) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				i := int(next.Add(1) - 1)
				if i >= len(f.frames) {
					return
				}
				x := f.frames[i]
				s, err := f.frame(x)
				if err != nil {
					errs[i] = err
					return
				}
				list := reflect.New(st)
				a := mem.Of(list).Make(st, p.elem.mem, x.rows)
				errs[i] = f.read(s, x, b, target{a: a, t: p.elem.mem, n: x.rows})
				lists[i] = list.Elem()
			}
		}()
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	q.Make(p.typ.Rtype, p.elem.mem, int(f.count))
	out := q.Value(p.mem)
	at := 0
	for _, l := range lists {
		at += reflect.Copy(out.Slice(at, out.Len()), l)
	}
	return f.torn
}
