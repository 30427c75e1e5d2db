package jobs

import (
	"errors"
	"testing"
)

// Results come in order, whoever is done first, up to the first error.
func TestRun(t *testing.T) {
	bad := errors.New("bad")
	for _, workers := range []int{1, 2, 7} {
		var got []int
		second := make(chan struct{})
		err := Run(workers, func(emit func(func() int) bool) error {
			for i := range 100 {
				job := func() int { return i }
				if workers > 1 && i == 0 {
					job = func() int { <-second; return 0 } // the first ends behind the second
				}
				if workers > 1 && i == 1 {
					job = func() int { close(second); return 1 }
				}
				if !emit(job) {
					t.Error("stopped")
				}
			}
			return bad
		}, func(i int) error {
			got = append(got, i)
			return nil
		})
		if err != bad || len(got) != 100 {
			t.Errorf("%d workers: %v after %d", workers, err, len(got))
		}
		for i, x := range got {
			if i != x {
				t.Fatalf("%d workers: %d comes as number %d", workers, x, i)
			}
		}
		n := 0
		err = Run(workers, func(emit func(func() int) bool) error {
			for emit(func() int { return 0 }) {
			}
			return nil
		}, func(int) error {
			if n++; n == 10 {
				return bad
			}
			return nil
		})
		if err != bad || n != 10 {
			t.Errorf("%d workers: %v after %d", workers, err, n)
		}
	}
}

// A panic of a job is one of the caller.
func TestPanic(t *testing.T) {
	n := 0
	defer func() {
		if p := recover(); p != "no" {
			t.Errorf("panicked with %v", p)
		}
	}()
	Run(3, func(emit func(func() int) bool) error {
		for i := range 1000 {
			emit(func() int {
				if i == 500 {
					panic("no")
				}
				return i
			})
		}
		return nil
	}, func(i int) error {
		if i != n {
			t.Fatalf("%d comes after %d", i, n)
		}
		n++
		return nil
	})
	t.Error("no panic")
}
