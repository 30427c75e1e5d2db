package input

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestOutgrown: memory for a large input is kept as long as some inputs need it.
func TestOutgrown(t *testing.T) {
	large, p := make([]byte, 16<<20), new(Buffer)
	p.B = large
	for range 3 {
		for range 10 {
			p.B = large[:100]
			if p.outgrown() {
				t.Fatal("dropped while it is needed")
			}
		}
		p.B = large
		if p.outgrown() {
			t.Fatal("dropped when it has been needed")
		}
	}
	p.B = large[:100]
	for n := 0; !p.outgrown(); n++ {
		if n > 1000 {
			t.Fatal("kept for ever")
		}
	}
}

type reads func(b []byte) (int, error)

func (f reads) Read(b []byte) (int, error) { return f(b) }

func TestReadAll(t *testing.T) {
	text := strings.Repeat("abcdefgh", 1000)
	broken := errors.New("broken")
	for _, tt := range []struct {
		name string
		src  io.Reader
		n    int // bytes read
		err  error
	}{
		{"at once", strings.NewReader(text), len(text), nil},
		{"byte by byte", iotest.OneByteReader(strings.NewReader(text)), len(text), nil},
		{"the end with data", iotest.DataErrReader(strings.NewReader(text)), len(text), nil},
		{"nothing", strings.NewReader(""), 0, nil},
		{"an error behind", io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), len(text), broken},
		{"no progress", reads(func([]byte) (int, error) { return 0, nil }), 0, io.ErrNoProgress},
		{"too much", reads(func(b []byte) (int, error) { return len(b) + 1, nil }), 0, errCount},
		{"too little", reads(func(b []byte) (int, error) { return -1, nil }), 0, errCount},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := new(Buffer)
			if err := p.ReadAll(tt.src); err != tt.err || string(p.B) != text[:tt.n] {
				t.Errorf("%d bytes, %v", len(p.B), err)
			}
			if cap(p.B) > 4*max(tt.n, minRead)+2*minRead {
				t.Errorf("memory for %d bytes", cap(p.B))
			}
			p.Release()
			if q := Take(); len(p.B) != 0 || len(q.B) != 0 {
				t.Error(tt.name)
			}
		})
	}
}
