package msgpack

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/tree"
)

// TestOutgrown: what is used again forgets huge memory when calls in a row have had
// no need of it, and not before.
func TestOutgrown(t *testing.T) {
	const large = 16 << 20
	var buf encoder
	buf.buf = make([]byte, large)
	var sorted encoder
	sorted.sorter.buf = make([]byte, large)
	var r Reader
	r.tree = tree.NewBuilder()
	text := strings.Repeat("abcdefgh", large/8)
	var deep Reader
	deep.stack = make([]frame, 0, large/frameSize)
	for name, err := range map[string]error{
		"buffer": sample.Outgrown(buf.outgrown, func(n int) { buf.buf = buf.buf[:n] }, large),
		"sorter": sample.Outgrown(sorted.outgrown, func(n int) { sorted.sorter.used = n }, large),
		"tree": sample.Outgrown(r.outgrown, func(n int) {
			r.tree.Begin()
			r.tree.End(r.tree.String([]byte(text[:n])))
		}, large),
		"stack": sample.Outgrown(deep.outgrown, func(int) {}, 0),
	} {
		t.Run(name, func(t *testing.T) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
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
