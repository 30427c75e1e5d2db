package msgpack

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/tree"
)

// TestOutgrown: what is used again forgets huge memory when calls in a row have had
// no need of it, and not before.
func TestOutgrown(t *testing.T) {
	const large = 16 << 20
	var buf encoder
	buf.buf = make([]byte, large)
	t.Run("buffer", func(t *testing.T) {
		outgrows(t, buf.outgrown, func(n int) { buf.buf = buf.buf[:n] }, large)
	})
	var sorted encoder
	sorted.sorter.buf = make([]byte, large)
	t.Run("sorter", func(t *testing.T) {
		outgrows(t, sorted.outgrown, func(n int) { sorted.sorter.used = n }, large)
	})
	var r Reader
	r.tree = tree.NewBuilder()
	text := strings.Repeat("abcdefgh", large/8)
	t.Run("tree", func(t *testing.T) {
		outgrows(t, r.outgrown, func(n int) {
			r.tree.Begin()
			r.tree.End(r.tree.String([]byte(text[:n])))
		}, large)
	})
	var deep Reader
	deep.stack = make([]frame, 0, large/frameSize)
	t.Run("stack", func(t *testing.T) {
		outgrows(t, deep.outgrown, func(int) {}, 0)
	})
}

// outgrows checks outgrown where use is to need so many bytes: large are as many as
// there are, 0 for nothing that can need them.
func outgrows(t *testing.T, outgrown func() bool, use func(int), large int) {
	for range min(large, 5) {
		for range 20 {
			use(100)
			if outgrown() {
				t.Fatal("dropped while it is needed")
			}
		}
		use(large)
		if outgrown() {
			t.Fatal("dropped when it has been needed")
		}
	}
	for n := 0; ; n++ {
		if n > 1000 {
			t.Fatal("kept for ever")
		}
		if use(100); outgrown() {
			return
		}
	}
}

// TestSorterMemory: what sorting has needed is known when the call ends.
func TestSorterMemory(t *testing.T) {
	s := newEncoder([]Options{weft.Deterministic(true)})
	b := s.top(nil, map[string]any{"b": 1, "a": map[string]any{"d": 2, "c": 3}})
	if s.err != nil || len(b) == 0 || s.sorter.used < 2*pairSize || s.sorter.used > s.sorter.kept() {
		t.Errorf("%x, %v: %d of %d bytes", b, s.err, s.sorter.used, s.sorter.kept())
	}
	if s.release(); s.sorter.used != 0 {
		t.Error(s.sorter.used)
	}
}
