package mem

// Spare tells when memory that is kept from one call to the next is more than calls need. The zero
// value is ready for use.
type Spare struct{ calls uint8 }

const (
	spareFree  = 1 << 20 // bytes that may be kept whatever calls need
	spareCalls = 64      // calls in a row after which the rest goes
)

// Drop reports whether memory of kept bytes, of which a call has needed used, should not be kept:
// it is large, and many calls in a row have needed little of it.
func (s *Spare) Drop(kept, used int) bool { return kept > spareFree && s.drop(kept, used) }

func (s *Spare) drop(kept, used int) bool {
	if used > kept/8 {
		s.calls = 0
		return false
	}
	s.calls++
	return s.calls >= spareCalls
}
