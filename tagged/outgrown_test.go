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
	var scratch frameWriter
	scratch.Free(make([]int64, large/8))
	for name, err := range map[string]error{
		"encoder": sample.Outgrown(s.outgrown, func(n int) { s.buf = s.buf[:n] }, large),
		"columns": sample.Outgrown(w.outgrown, func(n int) { w.columns[1].ints = w.columns[1].ints[:n/8] }, large),
		"scratch": sample.Outgrown(scratch.outgrown, func(n int) { scratch.Free(scratch.Take(large / 8)[:n/8]) }, large),
	} {
		t.Run(name, func(t *testing.T) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
