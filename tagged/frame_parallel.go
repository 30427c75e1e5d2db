package tagged

import (
	"io"

	"github.com/weftcodec/weft/internal/jobs"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// WriteFrames writes v to w as [MarshalFramed] returns it, one frame at a time. Up to workers goroutines make the
// frames of a slice; they have ended when it returns. The output does not depend on their number. If there is an
// error, a part may already have been written.
func WriteFrames(w io.Writer, v any, workers int, opts ...Options) error {
	p, q, err := recordOf(v, opts)
	if err != nil {
		return err
	}
	if p.enc != plan.Slice {
		return writeFramed(w, v, opts...)
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
		_, err = w.Write(framewire.AppendEnd(nil, int64(s.n)))
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

// batch returns b, which w has appended frames to, or its error.
func (w *frameWriter) batch(b []byte) frameBatch {
	if w.err != nil {
		return frameBatch{err: w.located(int64(w.row))}
	}
	return frameBatch{b: b}
}

// produceAll makes one frame after the other by w.
func (s *frameSaver) produceAll(w *frameWriter, write func(frameBatch) error) error {
	var b []byte
	for i := 0; i < s.n; {
		b, i = w.next(b[:0], s.list, s.p.mem, i, s.n)
		if err := write(w.batch(b)); err != nil {
			return err
		}
	}
	return nil
}

// produce gives out the making of each frame as a job. Where it depends on the
// records how many of them a frame has, they are gathered here.
func (s *frameSaver) produce(emit func(job func() frameBatch) bool) error {
	for i := 0; i < s.n; {
		w, from := newFrameWriter(s.p, s.opts), i
		if s.layout.flat {
			i = min(i+frameRows, s.n)
		} else if i = w.gather(s.list, s.p.mem, i, s.n); w.err != nil {
			i = s.n // the last
		}
		job := func() frameBatch {
			defer w.release()
			var b []byte
			if s.layout.flat {
				b, _ = w.next(nil, s.list, s.p.mem, from, s.n)
			} else {
				b = w.frame(nil)
			}
			return w.batch(b)
		}
		if !emit(job) {
			break
		}
	}
	return nil
}
