package tagged

import (
	"testing"

	"github.com/weftcodec/weft/internal/sample"
)

// TestOutgrown: what is used again forgets huge memory when calls in a row have had
// no need of it, and not before.
func TestOutgrown(t *testing.T) {
	const large = 16 << 20
	var s encoder
	s.buf = make([]byte, large)
	w := frameWriter{columns: make([]column, 2)}
	w.columns[1].ints = make([]int64, large/8)
	scratch := frameWriter{ints: [][]int64{make([]int64, large/8)}}
	for name, err := range map[string]error{
		"encoder": sample.Outgrown(s.outgrown, func(n int) { s.buf = s.buf[:n] }, large),
		"columns": sample.Outgrown(w.outgrown, func(n int) { w.columns[1].ints = w.columns[1].ints[:n/8] }, large),
		"scratch": sample.Outgrown(scratch.outgrown, func(n int) { scratch.ints[0] = scratch.ints[0][:n/8] }, large),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
