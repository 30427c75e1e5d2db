package input

import (
	"bytes"
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

// TestFind: items are "<" and ">" with letters between.
func TestFind(t *testing.T) {
	far := strings.Repeat(" ", 200<<10)
	for _, tt := range []struct {
		name, text string
		from, want int64
	}{
		{"nothing", "", 0, -1},
		{"at the beginning", "<a>", 0, 0},
		{"behind it", "<a><b>", 1, 3},
		{"cut off", "<a <b", 0, -1},
		{"far", far + "< <abc>", 7, int64(len(far)) + 2},
		{"across windows", far[:64<<10-2] + "<" + strings.Repeat("x", 100) + ">", 0, 64<<10 - 2},
		{"much at many places", strings.Repeat("<a", 100<<10), 0, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			begins := func(b []byte, _ int64) bool { return b[0] == '<' }
			at, err := Find(strings.NewReader(tt.text), tt.from, int64(len(tt.text)), begins, func(in *io.SectionReader) bool {
				b := make([]byte, min(in.Size(), 200))
				io.ReadFull(in, b)
				rest := bytes.TrimLeft(b[1:], "abcx")
				return len(rest) > 0 && rest[0] == '>'
			})
			if at != tt.want || err != nil {
				t.Errorf("%d, want %d, %v", at, tt.want, err)
			}
		})
	}
	// What would take too long is taken for an item.
	text := strings.Repeat("<", 100<<10)
	all := func(b []byte, _ int64) bool { return true }
	if at, err := Find(strings.NewReader(text), 0, int64(len(text)), all, func(in *io.SectionReader) bool {
		_, err := io.Copy(io.Discard, in)
		return err == nil && false
	}); at <= 0 || err != nil {
		t.Error(at, err)
	}
	broken := errors.New("broken")
	if _, err := Find(failing{broken}, 0, 10, all, func(*io.SectionReader) bool { return false }); err != broken {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

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
