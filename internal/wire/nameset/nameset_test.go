package nameset

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

// TestSet compares what objects within objects have with maps, names standing in the buffer or not.
func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 3))
	for range 3000 {
		var set Set
		set.Reset()
		var open []Object
		var want []map[string]bool
		var buf []byte
		few := 1 + r.IntN(60)
		for range 1 + r.IntN(400) {
			switch k := r.IntN(20); {
			case k == 0 && len(open) < 8 || len(open) == 0:
				open = append(open, Object{})
				set.Open(&open[len(open)-1])
				want = append(want, map[string]bool{})
				continue
			case k == 1:
				set.Leave(&open[len(open)-1])
				open, want = open[:len(open)-1], want[:len(want)-1]
				continue
			case k == 2:
				set.Settle(buf, len(open), func(i int) *Object { return &open[i] })
				buf = buf[:0]
				continue
			}
			name := strings.Repeat("n", r.IntN(3)*r.IntN(12)) + string(rune('a'+r.IntN(few)))
			o, names := &open[len(open)-1], want[len(want)-1]
			isNew := false
			if r.IntN(3) == 0 {
				isNew = set.Insert(o, []byte(name), -1, buf)
			} else {
				i := len(buf)
				buf = append(append(buf, name...), `":"`...)
				padded := append(append([]byte(nil), buf...), make([]byte, 8)...)
				isNew = set.InsertPlain(o, mem.BytesOf(padded), buf, i, i+len(name))
			}
			if isNew == names[name] {
				t.Fatalf("%q is new: %v, among %d names in %d objects", name, isNew, len(names), len(open))
			}
			names[name] = true
			if latest := string(set.Latest(buf)); isNew && latest != name {
				t.Fatalf("the latest name is %q, want %q", latest, name)
			}
		}
	}
}
