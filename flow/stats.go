package flow

import (
	"sync/atomic"
	"time"
)

// stats are the counts of a node. They outlive the graph it belongs to.
type stats struct {
	kind    string
	count   atomic.Int64
	errors  atomic.Int64
	spent   atomic.Int64 // ns, in the node itself
	coding  atomic.Int64 // ns of it in codecs
	in, out atomic.Int64 // bytes
	buckets [len(bounds)]atomic.Int64
	last    atomic.Pointer[Error]
	tap     atomic.Pointer[tap] // nil while nobody looks
}

// bounds are the upper ends of the histogram's buckets. What takes longer is in none.
var bounds = [...]time.Duration{
	10 * time.Microsecond, 50 * time.Microsecond, 250 * time.Microsecond, time.Millisecond, 5 * time.Millisecond,
	25 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second,
}

// add counts a message that took so long in the node.
func (s *stats) add(spent, coding time.Duration) {
	s.count.Add(1)
	s.spent.Add(int64(spent))
	if coding != 0 {
		s.coding.Add(int64(coding))
	}
	for i := range bounds {
		if spent <= bounds[i] {
			s.buckets[i].Add(1)
			break
		}
	}
}

// fail counts an error of the node.
func (s *stats) fail(e *Error) {
	s.errors.Add(1)
	s.last.Store(e)
}

// statsOf returns the counts of a node, which go on when a document is reloaded.
func (f *Flow) statsOf(s *spec) *stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	st := f.stats[s.name]
	if st == nil || st.kind != s.kind.name {
		st = &stats{kind: s.kind.name}
		f.stats[s.name] = st
	}
	return st
}
