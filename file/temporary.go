package file

import (
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"strconv"
)

// A writer has a file of its own beside the name, .NAME.HOST-N.tmp, and a lock on it
// as long as it lives: the kernel takes the lock away from a writer that is killed,
// and so says for sure, whatever process has its number now, that nobody writes to
// the file any more. N is the least number that no living writer has, so that those
// of dead ones are found without reading the folder. HOST stands for the host, since
// a file system that others share may not tell them of locks.

const (
	ahead      = 8       // numbers that are looked at, though none has a file
	maxNumbers = 1 << 16 // of living writers of one name
)

// temporary returns a new file beside the one of the name base in dir, and removes
// those of dead writers.
func temporary(dir, base string, mode fs.FileMode) (own *os.File, err error) {
	prefix := dir + "." + base + "." + host() + "-"
	for i := range maxNumbers {
		name := prefix + strconv.Itoa(i) + ".tmp"
		_, err := os.Lstat(name)
		missing := errors.Is(err, fs.ErrNotExist)
		if !missing && !removeDead(name) {
			continue
		}
		if own == nil {
			if own, err = claim(name, mode); err != nil {
				return nil, err
			}
		}
		if own != nil && missing && i >= ahead {
			return own, nil
		}
	}
	if own == nil {
		return nil, fmt.Errorf("%d files %sN.tmp exist: remove those that nobody writes to", maxNumbers, prefix)
	}
	return own, nil
}

// claim makes a file and locks it. It returns nil where somebody else was faster.
func claim(name string, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	// Before there was a lock the file was one of a dead writer.
	if !lock(f) || !isAt(f, name) {
		f.Close()
		return nil, nil
	}
	return f, nil
}

// isAt reports whether f is the file of that name.
func isAt(f *os.File, name string) bool {
	own, err1 := f.Stat()
	now, err2 := os.Lstat(name)
	return err1 == nil && err2 == nil && os.SameFile(own, now)
}

// host returns a few digits that stand for the name of the host.
func host() string {
	name, err := os.Hostname()
	if err != nil {
		return rand.Text()[:8] // of nobody
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
}
