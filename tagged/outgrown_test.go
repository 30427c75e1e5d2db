package tagged

import "testing"

// TestOutgrown: what is used again forgets huge memory when calls in a row have had
// no need of it, and not before.
func TestOutgrown(t *testing.T) {
	const large = 16 << 20
	var s encoder
	s.buf = make([]byte, large)
	t.Run("encoder", func(t *testing.T) {
		outgrows(t, s.outgrown, func(n int) { s.buf = s.buf[:n] }, large)
	})
	w := frameWriter{columns: make([]column, 2)}
	w.columns[1].ints = make([]int64, large/8)
	t.Run("columns", func(t *testing.T) {
		outgrows(t, w.outgrown, func(n int) { w.columns[1].ints = w.columns[1].ints[:n/8] }, large)
	})
	scratch := frameWriter{ints: [][]int64{make([]int64, large/8)}}
	t.Run("scratch", func(t *testing.T) {
		outgrows(t, scratch.outgrown, func(n int) { scratch.ints[0] = scratch.ints[0][:n/8] }, large)
	})
}

func outgrows(t *testing.T, outgrown func() bool, use func(int), large int) {
	for range 5 {
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
