package tagged

import (
	"io"

	"github.com/weftcodec/weft/internal/jobs"
	"github.com/weftcodec/weft/internal/mem"
)

// WriteFrames writes v to w as [MarshalFramed] returns it, a frame at a time. The
// frames of a slice are made by up to workers goroutines, which have ended when it
// returns; what is written does not depend on their number. On an error part of it
// may have been written.
func WriteFrames(w io.Writer, v any, workers int, opts ...Options) error {
	p, q, err := recordOf(v, opts)
	if err != nil {
		return err
	}
	if p.enc != cSlice {
		return Framed.MarshalWrite(w, v, opts...)
	}
	s := frameSaver{p: p.elem, list: q.Slice(), n: q.SliceLen(), opts: opts}
	fw := newFrameWriter(s.p, opts)
	defer fw.release()
	s.layout = fw.layout
	if _, err := w.Write(fw.header(nil, p, q)); err != nil {
		return err
	}
	write := func(f frameBatch) error {
		if f.err != nil {
			return f.err
		}
		_, err := w.Write(f.b)
		return err
	}
	if workers > 1 && s.n > frameRows/4 {
		err = jobs.Run(workers, s.produce, write)
	} else {
		err = s.produceAll(fw, write)
	}
	if err == nil {
		_, err = w.Write(appendEnd(nil, int64(s.n)))
	}
	return err
}

// frameSaver makes frames of a slice.
type frameSaver struct {
	p      *program // of an element
	layout *layout
	list   mem.Array
	n      int
	opts   []Options
}

// frameBatch is a frame, or several, as bytes.
type frameBatch struct {
	b   []byte
	err error
}

// batch returns the batch of the records that w was given from the one of that index
// on.
func (w *frameWriter) batch(b []byte, from int) frameBatch {
	if w.err != nil {
		return frameBatch{err: w.located(int64(from + w.row))}
	}
	return frameBatch{b: b}
}

// produceAll makes one frame after the other by w.
func (s *frameSaver) produceAll(w *frameWriter, write func(frameBatch) error) error {
	var b []byte
	for i := 0; i < s.n; {
		from := i
		if s.layout.flat {
			i = min(i+frameRows, s.n)
			b = w.chunk(b[:0], s.list.From(s.p.mem, from), s.p.mem, i-from)
		} else {
			i = w.gather(s.list, s.p.mem, i, s.n)
			b = w.frame(b[:0])
		}
		if err := write(w.batch(b, from)); err != nil {
			return err
		}
	}
	return nil
}

// produce gives out the making of each frame as a job. Where it depends on the
// records how many of them a frame has, they are gathered here.
func (s *frameSaver) produce(emit func(job func() frameBatch) bool) error {
	for i := 0; i < s.n; {
		from := i
		var job func() frameBatch
		if s.layout.flat {
			i = min(i+frameRows, s.n)
			n := i - from
			job = func() frameBatch {
				w := newFrameWriter(s.p, s.opts)
				defer w.release()
				return w.batch(w.chunk(nil, s.list.From(s.p.mem, from), s.p.mem, n), from)
			}
		} else {
			w := newFrameWriter(s.p, s.opts)
			i = w.gather(s.list, s.p.mem, i, s.n)
			if w.err != nil {
				i = s.n // the last
			}
			job = func() frameBatch {
				defer w.release()
				return w.batch(w.frame(nil), from)
			}
		}
		if !emit(job) {
			break
		}
	}
	return nil
}
