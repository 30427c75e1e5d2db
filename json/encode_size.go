package json

import (
	"slices"
	"sync/atomic"

	"github.com/weftcodec/weft/internal/wire/structwire"
)

// sizer tells the size of a result that is not small from the sizes of the results before it. While they are
// alike nothing is written to it, so that it does not bind goroutines together.
type sizer struct {
	capacity atomic.Int64 // what to allocate for the next result, 0 while unknown
	last     atomic.Int64 // the greatest of the recent sizes
	alike    atomic.Int32 // how many sizes in a row were near to it
}

// directSize is the least size of results that are worth sizing ahead. To copy them costs more than to write them to
// memory that the processor does not have in its cache, which it does while the next bytes are made; and goroutines
// that note sizes take long enough for each not to wait for one another.
const directSize = 8 << 10

// steady is the number of sizes in a row that must be alike for the next one to be foretold.
const steady = 3

// expect returns what to allocate, or 0 where that cannot be told.
func (s *sizer) expect() int { return int(s.capacity.Load()) }

// result is what becomes of b, written to memory of a capacity that was foretold.
func (s *sizer) result(capacity int, b []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if n := len(b); n > capacity || n < capacity-capacity/8 { // it was wrong
		s.capacity.Store(0)
		s.alike.Store(-steady)
		b = slices.Clone(b)
	}
	return b, nil
}

// observe notes the size of a result.
func (s *sizer) observe(n int) {
	last := int(s.last.Load())
	if n > last+last/64 || n < last-last/16 {
		s.last.Store(int64(n))
		s.alike.Store(min(s.alike.Load(), 0))
		return
	}
	if n > last {
		s.last.Store(int64(n))
		last = n
	}
	if s.alike.Add(1) >= steady {
		s.capacity.Store(int64(last + last/64 + structwire.Slack))
	}
}
