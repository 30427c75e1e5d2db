// Package jobs runs jobs on several goroutines and returns their results in the order of the jobs.
package jobs

import "sync"

// Run runs jobs on several goroutines and passes their results on in order.
// produce, on a goroutine of its own, calls emit for each job and returns when
// that says false; consume, on the caller's, takes the results until it returns
// an error. The first error in order is returned, when no goroutine is left. A
// panic of a job becomes one of the caller.
func Run[T any](workers int, produce func(emit func(job func() T) bool) error, consume func(T) error) error {
	type task struct {
		job    func() T
		result chan T
		panics chan any
	}
	order := make(chan task, 2*workers) // bounds what is in progress
	jobs := make(chan task)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var produced error
	wg.Go(func() {
		defer close(order)
		defer close(jobs)
		produced = produce(func(job func() T) bool {
			t := task{job, make(chan T, 1), make(chan any, 1)}
			select {
			case order <- t:
			case <-stop:
				return false
			}
			select {
			case jobs <- t:
				return true
			case <-stop:
				return false
			}
		})
	})
	for range workers {
		wg.Go(func() {
			for t := range jobs {
				func() {
					done := false
					defer func() {
						if !done {
							t.panics <- recover()
						}
					}()
					r := t.job()
					done = true
					t.result <- r
				}()
			}
		})
	}
	var failed error
	var panicked any
	ended := func() bool {
		for t := range order {
			select {
			case r := <-t.result:
				if failed = consume(r); failed != nil {
					return false
				}
			case panicked = <-t.panics:
				return false
			}
		}
		return true
	}()
	if !ended {
		close(stop)
	}
	wg.Wait()
	switch {
	case panicked != nil:
		panic(panicked)
	case failed != nil:
		return failed
	}
	return produced
}
