package tagged

import (
	"bytes"
	"io"

	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// WholeFrames returns a reader of the stream of frames in the first size bytes of r without what is damaged. It reads
// its header, the frames whose checksums match, and one that ends the stream, and calls lost with each range of bytes
// that it leaves out, in order. If the header is damaged, reading returns an error. A stream in the bytes of a damaged
// frame is left out with it; frames there without a header can be taken for frames of the stream if the length of the
// damaged one is damaged too.
func WholeFrames(r io.ReaderAt, size int64, lost func(from, to int64)) io.Reader {
	return &wholeFrames{r: r, size: size, lost: lost, part: bytes.NewReader(nil)}
}

type wholeFrames struct {
	r         io.ReaderAt
	size      int64
	lost      func(from, to int64)
	part      io.Reader // what is read now
	off       int64     // of what follows
	records   int64
	completed bool // the last part is the frame at the end
}

func (w *wholeFrames) Read(b []byte) (int, error) {
	for len(b) > 0 {
		if n, err := w.part.Read(b); n > 0 || err != io.EOF {
			return n, err
		}
		if err := w.next(); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// next begins with the next part.
func (w *wholeFrames) next() error {
	if w.off == 0 {
		d := NewFrameDecoder(io.NewSectionReader(w.r, 0, w.size))
		if err := d.open(); err != nil {
			return err
		}
		w.off = int64(d.header.Size)
		w.part = io.NewSectionReader(w.r, 0, w.off)
		return nil
	}
	for w.off < w.size {
		from := w.off
		size, rows, whole := w.frame(from)
		if !whole {
			next := from + size
			if _, _, whole := w.frame(next); !whole {
				var err error
				if next, err = w.find(from + 1); err != nil {
					return err
				}
				if _, _, whole := w.frame(next); !whole { // there is none, or it is too hard to find
					next = w.size
				}
			}
			w.off = next
			w.lost(from, next)
			continue
		}
		if w.off += size; rows > 0 { // others end a stream, which more may follow
			w.records += int64(rows)
			w.part = io.NewSectionReader(w.r, from, size)
			return nil
		}
	}
	if w.completed {
		return io.EOF
	}
	w.completed = true
	w.part = bytes.NewReader(framewire.AppendEnd(nil, w.records))
	return nil
}

// frame returns what the frame at off says of itself, and whether its checksum matches.
func (w *wholeFrames) frame(off int64) (size int64, rows int, whole bool) {
	if off < 0 || off > w.size-framewire.FrameLen {
		return 0, 0, false
	}
	in := io.NewSectionReader(w.r, off, w.size-off)
	b := make([]byte, min(in.Size(), input.Ahead))
	if _, err := in.ReadAt(b, 0); err != nil {
		return 0, 0, false
	}
	size, rows, _ = framewire.ParseSize(b)
	return size, rows, framewire.MayBegin(b, in.Size()) && framewire.Whole(in)
}

// find returns the offset of the first frame from from on, -1 if there is none. Frames of another stream, which a frame
// can have in its bytes, are not looked at if that has a header of at most 8 KiB.
func (w *wholeFrames) find(from int64) (int64, error) {
	inner := int64(0) // where the last stream ends
	var head [8 << 10]byte
	begins := func(b []byte, rest int64) bool {
		at := w.size - rest
		if at >= inner && len(b) > len(framewire.Magic) && framewire.Begins(b) {
			n, _ := w.r.ReadAt(head[:min(rest, int64(len(head)))], at)
			if h, err := framewire.ParseHeader(head[:n]); err == nil {
				inner = at + int64(h.Size)
				for size, rows, whole := w.frame(inner); whole; size, rows, whole = w.frame(inner) {
					if inner += size; rows == 0 {
						break
					}
				}
			}
		}
		return at >= inner && framewire.MayBegin(b, rest)
	}
	return input.Find(w.r, from, w.size, begins, framewire.Whole)
}
