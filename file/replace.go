package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// pending is a file that takes a name when it is whole.
type pending struct {
	*os.File
	name   string // that it will have
	direct bool   // it has it: it is not a regular file, such as a device
}

// create opens a file beside name.
func create(name string) (*pending, error) {
	name = linked(name)
	old, err := os.Stat(name)
	switch {
	case err == nil && old.IsDir():
		return nil, fmt.Errorf("%s is a folder: name a file in it", name)
	case err == nil && !old.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &pending{f, name, true}, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = 0o600 // until it is as the old one's
	}
	dir, base := filepath.Split(name)
	f, err := temporary(dir, base, mode)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the folder %s does not exist: create it first", name, filepath.Dir(name))
	}
	if err != nil {
		return nil, err
	}
	p := &pending{f, name, false}
	if old != nil {
		keepOwner(f, old)
		if err := f.Chmod(old.Mode().Perm()); err != nil && chmodCounts {
			p.abort()
			return nil, err
		}
	}
	return p, nil
}

// linked returns the name that symbolic links lead to from name, of a file that need not exist.
func linked(name string) string {
	const most = 255 // links; more are a circle, which the caller will meet
	for range most {
		resolved, err := filepath.EvalSymlinks(name)
		if err == nil {
			return resolved
		}
		link, err := os.Readlink(name)
		if err != nil {
			return name
		}
		if !filepath.IsAbs(link) { // it starts from where its folder really is
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return name
			}
			link = filepath.Join(dir, link)
		}
		name = link
	}
	return name
}

// commit makes the file durable and gives it its name.
func (p *pending) commit() error {
	if p.direct {
		return p.Close()
	}
	err := p.Sync()
	if !renameOpen {
		err = errors.Join(err, p.Close())
	}
	if err == nil {
		err = os.Rename(p.File.Name(), p.name)
	}
	if err != nil {
		p.abort()
		return err
	}
	if renameOpen { // until now the lock was due
		err = p.Close()
	}
	return errors.Join(err, syncDir(filepath.Dir(p.name)))
}

// abort removes the file.
func (p *pending) abort() {
	if p.direct {
		p.Close()
		return
	}
	if !renameOpen {
		p.Close()
	}
	os.Remove(p.File.Name())
	p.Close()
}

// Replace replaces the file of that name with what write writes, in the same way as [SaveFile]: if there is an error,
// the old file remains.
func Replace(name string, write func(io.Writer) error) error {
	p, err := create(name)
	if err != nil {
		return err
	}
	if err := write(p); err != nil {
		p.abort()
		return err
	}
	return p.commit()
}
