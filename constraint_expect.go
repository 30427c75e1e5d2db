package weft

import "cmp"

// Checker is what generated code tells that a value breaks a constraint: the
// reader of a format.
type Checker interface {
	// Check fails with err, which is about the value read last, unless it is nil
	// or checks are off.
	Check(err error)
}

// The Expect functions are r.Check of the functions that are called Check, with
// a comparison in the caller where the constraint holds.

// ExpectMin checks that x is at least min.
func ExpectMin[T number](r Checker, x, min T) {
	if x < min {
		failMin(r, x, min)
	}
}

func failMin[T number](r Checker, x, min T) { r.Check(CheckMin(x, min)) }

// ExpectMax checks that x is at most max.
func ExpectMax[T number](r Checker, x, max T) {
	if x > max {
		failMax(r, x, max)
	}
}

func failMax[T number](r Checker, x, max T) { r.Check(CheckMax(x, max)) }

// ExpectRange checks that x is at least min and at most max.
func ExpectRange[T number](r Checker, x, min, max T) {
	if x < min || x > max {
		failRange(r, x, min, max)
	}
}

func failRange[T number](r Checker, x, min, max T) { r.Check(CheckRange(x, min, max)) }

// ExpectAbove checks that x is greater than min.
func ExpectAbove[T number](r Checker, x, min T) {
	if !(x > min) { // NaN is not
		failAbove(r, x, min)
	}
}

func failAbove[T number](r Checker, x, min T) { r.Check(CheckAbove(x, min)) }

// ExpectBelow checks that x is less than max.
func ExpectBelow[T number](r Checker, x, max T) {
	if !(x < max) {
		failBelow(r, x, max)
	}
}

func failBelow[T number](r Checker, x, max T) { r.Check(CheckBelow(x, max)) }

// ExpectConst checks that x is want.
func ExpectConst[T cmp.Ordered | bool](r Checker, x, want T) {
	if x != want {
		failConst(r, x, want)
	}
}

func failConst[T cmp.Ordered | bool](r Checker, x, want T) { r.Check(CheckConst(x, want)) }

// ExpectLen checks that s has at least min characters and, when max is not
// negative, at most max.
func ExpectLen(r Checker, s string, min, max int) {
	// A string has at most as many characters as bytes and at least a quarter.
	if len(s) < 4*min || uint(len(s)) > uint(max) {
		expectLen(r, s, min, max)
	}
}

func expectLen(r Checker, s string, min, max int) {
	if err := checkLen(s, min, max); err != nil {
		r.Check(err)
	}
}

// ExpectItems checks that there are at least min of the n elements and, when max
// is not negative, at most max.
func ExpectItems(r Checker, n, min, max int) {
	if n < min || uint(n) > uint(max) {
		failItems(r, n, min, max)
	}
}

func failItems(r Checker, n, min, max int) { r.Check(CheckItems(n, min, max)) }

// ExpectMembers checks that there are at least min of the n members and, when
// max is not negative, at most max.
func ExpectMembers(r Checker, n, min, max int) {
	if n < min || uint(n) > uint(max) {
		failMembers(r, n, min, max)
	}
}

func failMembers(r Checker, n, min, max int) { r.Check(CheckMembers(n, min, max)) }
