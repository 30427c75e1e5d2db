package value

import (
	"runtime"
	"strings"
	"testing"
)

// TestClone keeps a part of a document and lets the rest go.
func TestClone(t *testing.T) {
	r := newRandom(11)
	for range 300 {
		if v := r.value(4); v.Clone().GoString() != v.GoString() || v.Clone().Hash() != v.Hash() {
			t.Fatalf("%#v is cloned to %#v", v, v.Clone())
		}
	}
	if Map().Clone().GoString() != "value.Map()" || List().Clone().Kind() != KindList {
		t.Error("empty ones are lost")
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	const size = 4 << 20
	var kept []Value
	before := heap()
	for range 4 {
		doc := inDoc(Map(Member{"small", List(String("s"))}, Member{"large", String(strings.Repeat("x", size))}))
		small, _ := doc.Get("small")
		kept = append(kept, small.Clone())
	}
	if after := heap(); after > before+size {
		t.Errorf("%d bytes are kept alive", after-before)
	}
	if kept[0].String() != `["s"]` {
		t.Error(kept[0])
	}
}
