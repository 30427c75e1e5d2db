package sample

import "errors"

// Outgrown checks a function that reports whether memory is to be dropped, as one of package mem's Spare does: that
// it is kept as long as some calls need all of it, and dropped when calls in a row have not. A call of use is to need
// so many bytes; large are as many as there are, 0 where nothing can need them.
func Outgrown(outgrown func() bool, use func(int), large int) error {
	for range min(large, 5) {
		for range 20 {
			use(100)
			if outgrown() {
				return errors.New("dropped while it is needed")
			}
		}
		use(large)
		if outgrown() {
			return errors.New("dropped when it has been needed")
		}
	}
	for range 1000 {
		if use(100); outgrown() {
			return nil
		}
	}
	return errors.New("kept for ever")
}
