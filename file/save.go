package file

import (
	"io"
	"sync"

	"github.com/weftcodec/weft/internal/jobs"
	"github.com/weftcodec/weft/tagged"
)

// SaveFile writes v to the file of that name. The end of the name (see [FormatOfName]) or [As] selects the format and
// compression. A temporary file in the same folder is written, synced, and renamed. Until then the name refers to the
// old file, and so it does after an error. Permissions are kept, and if the name is a symbolic link, its target is
// replaced.
//
// A slice is saved as records in newline-delimited JSON and in frames, by several goroutines if it is large. Such a
// file of lines is compressed in pieces of some megabytes.
func SaveFile(name string, v any, opts ...Options) error {
	s := settingsOf(opts)
	if err := s.choose(name); err != nil {
		return err
	}
	return Replace(name, func(w io.Writer) error { return s.save(w, v, name) })
}

// save writes v to w.
func (s *settings) save(w io.Writer, v any, name string) error {
	if r, ok := s.format.(records); ok {
		return s.saveRecords(w, r, listOf(v), name)
	}
	if s.format == tagged.Framed && isRecords(v) {
		return s.saveFrames(w, v)
	}
	if s.format == tagged.Format {
		return s.saveMessage(w, v)
	}
	f := s.format
	if s.codec != nil {
		f = s.codec.Format(f)
	}
	return f.MarshalWrite(w, v, s.opts...)
}

// saveMessage writes v as a message of hashed tags. An empty object, which has no
// bytes, is written as one that stands alone: a file of zero bytes is what a crash
// leaves.
func (s *settings) saveMessage(w io.Writer, v any) error {
	b, err := tagged.MarshalAppend(nil, v, s.opts...)
	if err != nil {
		return err
	}
	if len(b) == 0 {
		b = []byte("\x08\x00\x00\x00\x00")
	}
	if s.codec != nil {
		return s.compress(w, b)
	}
	_, err = w.Write(b)
	return err
}

// saveFrames writes the slice v to w as frames, which do not depend on the number of
// workers.
func (s *settings) saveFrames(w io.Writer, v any) error {
	if s.codec == nil {
		return tagged.WriteFrames(w, v, s.workers, s.opts...)
	}
	z := s.codec.NewWriter(w)
	err := tagged.WriteFrames(z, v, s.workers, s.opts...)
	if closed := z.Close(); err == nil {
		err = closed
	}
	return err
}

// sampled is the number of records that tell the size of the others.
const sampled = 64

// piece is what a job of saving gives.
type piece struct {
	b   []byte
	err error
}

// saveRecords writes the records of l. What is written does not depend on the
// number of workers.
func (s *settings) saveRecords(w io.Writer, r records, l list, name string) error {
	first, err := s.marshal(nil, r, l, 0, min(l.n, sampled), name)
	if err != nil {
		return err
	}
	size := s.piece
	if s.codec != nil {
		size = s.member
	}
	each := l.n // records in a piece
	if n := min(l.n, sampled); n > 0 {
		each = max(size/(len(first)/n+1), sampled)
	}
	if each >= l.n {
		b, err := s.marshal(first, r, l, min(l.n, sampled), l.n, name)
		if err != nil {
			return err
		}
		if s.codec != nil {
			return s.compress(w, b)
		}
		_, err = w.Write(b)
		return err
	}
	var free sync.Pool // of buffers that have been written
	take := func(n int) []byte {
		if b, ok := free.Get().(*[]byte); ok {
			return (*b)[:0]
		}
		return make([]byte, 0, n)
	}
	room := (len(first)/sampled + 2) * each // about what a piece takes
	job := func(i int) piece {
		b, err := s.marshal(take(room+room/8), r, l, i, min(i+each, l.n), name)
		if err == nil && s.codec != nil {
			text := b
			b, err = s.codec.Append(nil, text)
			free.Put(&text)
		}
		return piece{b, err}
	}
	write := func(p piece) error {
		if p.err != nil {
			return p.err
		}
		_, err := w.Write(p.b)
		if s.codec == nil {
			free.Put(&p.b)
		}
		return err
	}
	if s.workers == 1 {
		for i := 0; i < l.n; i += each {
			if err := write(job(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return jobs.Run(s.workers, func(emit func(func() piece) bool) error {
		for i := 0; i < l.n && emit(func() piece { return job(i) }); i += each {
		}
		return nil
	}, write)
}

// marshal appends the records from i to end.
func (s *settings) marshal(b []byte, r records, l list, i, end int, name string) ([]byte, error) {
	out := appender{b}
	enc := r.NewEncoder(&out, s.opts...)
	for ; i < end; i++ {
		if err := enc.Encode(l.at(i)); err != nil {
			return nil, &Error{Name: name, Record: i + 1, Err: err}
		}
	}
	return out.b, enc.Close()
}

func (s *settings) compress(w io.Writer, b []byte) error {
	out, err := s.codec.Append(nil, b)
	if err == nil {
		_, err = w.Write(out)
	}
	return err
}

// Writer writes a file record by record; see [Create].
type Writer struct {
	name string
	file *pending
	sink sink
	n    int
	err  error
}

// Create returns a writer of records to the file of that name. The file appears when the writer is closed, as with
// [SaveFile].
func Create(name string, opts ...Options) (*Writer, error) {
	s := settingsOf(opts)
	if err := s.choose(name); err != nil {
		return nil, err
	}
	p, err := create(name)
	if err != nil {
		return nil, err
	}
	w := &Writer{name: name, file: p}
	if err := w.sink.open(p, &s); err != nil {
		p.abort()
		return nil, err
	}
	w.sink.begin()
	return w, nil
}

// Encode writes the next record.
func (w *Writer) Encode(v any) error {
	if w.err != nil {
		return w.err
	}
	w.n++
	if err := w.sink.enc.Encode(v); err != nil {
		return &Error{Name: w.name, Record: w.n, Err: err}
	}
	return nil
}

// Close gives the file its name. After a disk error it discards the new file and keeps the old one.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.err = errClosed
	if err := w.sink.close(); err != nil {
		w.file.abort()
		return err
	}
	return w.file.commit()
}

// Abort discards the new file and keeps the old one. After Close it does nothing.
func (w *Writer) Abort() {
	if w.err == nil {
		w.err = errClosed
		w.file.abort()
	}
}
