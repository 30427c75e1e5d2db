package jsontext

import (
	"errors"
	"io"
	"unicode/utf8"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Sizes of the memory of a window. It grows to the usual size when the input proves to be long, and
// beyond only for one token or value.
const (
	windowTiny  = 1 << 7
	windowLeast = 1 << 10
	windowUsual = 64 << 10
	windowPad   = 64 // of these, the bytes that are free past any text
)

// window is the part of the input that a decoder has in memory, with the bitmaps of [wire.Scan] over
// it: where strings may end, and where whitespace ends. Past the text stand bytes that end whatever
// is looked for, so that few loops look at the length.
type window struct {
	b     mem.Bytes
	s, nw mem.Words
	n     int  // bytes of text
	cut   int  // bytes after them that begin a character
	utf8  bool // the text is valid UTF-8 as a whole
	full  bool // the last read filled the memory
	place
}

// place is the token that was read last within the text.
type place struct {
	buf   []byte // the text and its padding
	base  int64  // offset in the stream of the first byte
	start int    // of the token
	end   int    // of it; what is before it has been read
	form  form   // formRaw
}

// source is what a window is filled from.
type source struct {
	r    io.Reader
	err  error  // came with the last bytes
	ends bool   // the input is taken to end here
	mem  []byte // the rest of the input when there is no reader
}

// read reads at least one byte unless it returns an error.
func (s *source) read(p []byte) (int, error) {
	if s.r == nil {
		n := copy(p, s.mem)
		s.mem = s.mem[n:]
		if n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}
	if s.ends {
		return 0, io.EOF
	}
	if err := s.err; err != nil {
		s.err = nil
		return 0, err
	}
	for range 100 {
		n, err := s.r.Read(p)
		if n < 0 || n > len(p) {
			return 0, &wire.IOError{What: "read", Err: errBadRead}
		}
		if err != nil && err != io.EOF {
			err = &wire.IOError{What: "read", Err: err}
		}
		if n > 0 {
			s.err = err
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, &wire.IOError{What: "read", Err: io.ErrNoProgress}
}

var errBadRead = errors.New("reader returned an impossible count")

// left returns how many bytes the source has left, as far as it tells.
func (s *source) left() int {
	if s.r == nil {
		return len(s.mem)
	}
	if l, ok := s.r.(interface{ Len() int }); ok {
		return l.Len()
	}
	return 0
}

// empty forgets the text.
func (w *window) empty() {
	w.n, w.cut, w.start, w.end, w.base, w.full = 0, 0, 0, 0, 0, false
	w.utf8 = true
}

// room returns how many bytes of text the memory holds.
func (w *window) room() int { return max(len(w.buf)-windowPad, 0) }

// grow gets memory of a size and moves the text from keep on there.
func (w *window) grow(size, keep int) {
	words := wire.ScanWords(size - windowPad)
	buf := mem.MakeNoZero(size + 16*words)[:size] // and the bitmaps
	copy(buf, w.buf[keep:w.n+w.cut])
	w.buf, w.b = buf, mem.BytesOf(buf)
	bits := w.b.Uint64s(size, 2*words)
	w.s, w.nw = mem.WordsOf(bits[:words]), mem.WordsOf(bits[words:])
}

// drop forgets the text before keep.
func (w *window) drop(keep int) {
	w.base += int64(keep)
	w.start, w.end = max(w.start-keep, 0), w.end-keep
	w.n -= keep
	w.utf8 = true
}

// scan adds the bytes that follow the text to it and makes the bitmaps from the block of i on. Unless
// the input ends it leaves a character that is cut off to the next time.
func (w *window) scan(i int, ends bool) {
	w.n += w.cut
	w.cut = 0
	if !ends && w.n > 0 && w.buf[w.n-1] >= utf8.RuneSelf {
		w.cut = unfinished(w.buf[max(0, w.n-utf8.UTFMax):w.n])
		w.n -= w.cut
	}
	if i > w.n {
		i = w.n
	}
	w.b.SetU64(w.n+w.cut, 0)
	w.b.SetU64(w.n+w.cut+8, 0)
	i &^= 63
	words := wire.ScanWords(w.room())
	if !wire.Scan(w.buf[i:], w.n-i, w.s.Slice(i>>6, words), w.nw.Slice(i>>6, words)) {
		w.utf8 = false
	}
}

// unfinished returns the number of bytes at the end of b that begin a character and do not finish it.
func unfinished(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if tail[0] >= utf8.RuneSelf && !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

// ws returns the index of the first byte at or after i that is not whitespace.
func (w *window) ws(i int) int {
	if w.b.At(i) > ' ' {
		return i
	}
	return w.wsSlow(i)
}

//go:noinline
func (w *window) wsSlow(i int) int { return w.nw.Next(i) }

// quote returns the index of the first quote, backslash or control character at or after i.
func (w *window) quote(i int) int { return w.s.Next(i) }
