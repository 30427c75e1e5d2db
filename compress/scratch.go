package compress

import (
	"errors"
	"sync"
)

var errNoStream = errors.New("the format has no streams")

// buffered keeps readers, without their input.
var buffered sync.Pool

// scratch is memory for what is not compressed.
type scratch struct{ b []byte }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func takeScratch() *scratch { return scratches.Get().(*scratch) }

// maxKept bounds the memory that is kept between calls.
const maxKept = 4 << 20

func (s *scratch) give() {
	if cap(s.b) > maxKept {
		s.b = nil
	}
	scratches.Put(s)
}
