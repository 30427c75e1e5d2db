package tagged

import (
	"io"

	"github.com/weftcodec/weft/internal/jobs"
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
	e, list, n := p.elem, q.Slice(), q.SliceLen()
	fw := newFrameWriter(e, opts)
	defer fw.release()
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
	if workers > 1 && n > frameRows/4 {
		err = jobs.Run(workers, func(emit func(job func() frameBatch) bool) error {
			for i := 0; i < n; {
				// Where it depends on the records how many of them a frame has, they are gathered here.
				w, from := newFrameWriter(e, opts), i
				if w.layout.flat {
					i = min(i+frameRows, n)
				} else if i = w.gather(list, e.mem, i, n); w.err != nil {
					i = n // the last
				}
				job := func() frameBatch {
					defer w.release()
					var b []byte
					if w.layout.flat {
						b, _ = w.next(nil, list, e.mem, from, n)
					} else {
						b = w.frame(nil)
					}
					return frameBatch{b, w.located(int64(w.row))}
				}
				if !emit(job) {
					break
				}
			}
			return nil
		}, write)
	} else {
		var b []byte
		for i := 0; i < n && err == nil; {
			b, i = fw.next(b[:0], list, e.mem, i, n)
			err = write(frameBatch{b, fw.located(int64(fw.row))})
		}
	}
	if err == nil {
		_, err = w.Write(framewire.AppendEnd(nil, int64(n)))
	}
	return err
}

// frameBatch is a frame, or several, as bytes.
type frameBatch struct {
	b   []byte
	err error
}
