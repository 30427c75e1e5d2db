package convert

import (
	"io"
	"os"
)

// spool holds what cannot be written yet, because what is known last stands before
// it: in memory as long as it is small, then in a file.
type spool struct {
	mem  []byte
	file *os.File
}

// maxSpool is how much is held in memory.
const maxSpool = 1 << 20

func (s *spool) Write(b []byte) (int, error) {
	if s.file == nil && len(s.mem)+len(b) <= maxSpool {
		s.mem = append(s.mem, b...)
		return len(b), nil
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "weft-convert-")
		if err != nil {
			return 0, err
		}
		s.file = f
		os.Remove(f.Name()) // where that can be, so that nothing stays of a process that is killed
		if _, err := f.Write(s.mem); err != nil {
			return 0, err
		}
	}
	return s.file.Write(b)
}

// copyTo writes all of it to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		_, err := w.Write(s.mem)
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}
