package convert

import (
	"bytes"
	"io"
	"os"
)

// spool holds what cannot be written yet, because what is known last stands before
// it: in memory as long as it is small, then in a file.
type spool struct {
	mem  []byte
	file *os.File
	err  error // of a write
}

// maxSpool is how much is held in memory.
const maxSpool = 1 << 20

func (s *spool) Write(b []byte) (n int, err error) {
	if s.file == nil && len(s.mem)+len(b) <= maxSpool {
		s.mem = append(s.mem, b...)
		return len(b), nil
	}
	if s.file == nil {
		err = s.toFile()
	}
	if err == nil {
		n, err = s.file.Write(b)
	}
	s.err = err
	return n, err
}

// toFile goes on in a file.
func (s *spool) toFile() error {
	f, err := os.CreateTemp("", "weft-convert-")
	if err != nil {
		return err
	}
	s.file = f
	os.Remove(f.Name()) // where that can be, so that nothing stays of a process that is killed
	_, err = f.Write(s.mem)
	s.mem = nil
	return err
}

// reader returns a reader of all of it.
func (s *spool) reader() (io.Reader, error) {
	if s.file == nil {
		return bytes.NewReader(s.mem), nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

// copyTo writes all of it to w.
func (s *spool) copyTo(w io.Writer) error {
	r, err := s.reader()
	if err == nil {
		_, err = io.Copy(w, r)
	}
	return err
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}
