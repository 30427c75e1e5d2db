package flow

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"
)

// choose returns the place to ask, another one than last where there is one, or nil when
// all are left alone.
func (s *clientStep) choose(last *place) *place {
	n := len(s.places)
	var first int
	switch {
	case n == 1:
		first = 0
	case s.cfg.Balance == "random":
		first = rand.IntN(n)
	case s.cfg.Balance == "least":
		first = rand.IntN(n)
		if other := (first + 1 + rand.IntN(n-1)) % n; s.places[other].inFlight.Load() < s.places[first].inFlight.Load() {
			first = other
		}
	default:
		first = int(s.turn.Add(1)-1) % n
	}
	var spare *place
	for i := range n {
		p := s.places[(first+i)%n]
		if p == last && n > 1 {
			spare = p
		} else if s.closed(p) {
			return p
		}
	}
	if spare != nil && s.closed(spare) {
		return spare
	}
	return nil
}

// closed reports whether p may be asked: after a while of being left alone, by one
// request.
func (s *clientStep) closed(p *place) bool {
	if s.cfg.Breaker == nil {
		return true
	}
	until := p.openUntil.Load()
	if until == 0 {
		return true
	}
	at := int64(now())
	return at >= until && p.openUntil.CompareAndSwap(until, at+int64(s.cfg.Breaker.Cooldown))
}

// report notes how asking p went. Who goes away says nothing of the service.
func (s *clientStep) report(p *place, resp *http.Response, err error, client context.Context) {
	if s.cfg.Breaker == nil || err != nil && client.Err() != nil {
		return
	}
	if err == nil && resp.StatusCode < http.StatusInternalServerError {
		p.failures.Store(0)
		p.openUntil.Store(0)
		return
	}
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return
	}
	if p.failures.Add(1) >= int64(s.cfg.Breaker.Failures) {
		p.openUntil.Store(int64(now() + s.cfg.Breaker.Cooldown))
	}
}

// sleep waits before the next try.
func (r *retryConfig) sleep(ctx context.Context, try int) error {
	longest := doubled(r.Backoff, r.Longest, try)
	if longest <= 0 {
		return nil
	}
	select {
	case <-time.After(rand.N(longest)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// doubled returns the wait behind the nth try: d, doubled after each other one, but no more than most.
func doubled(d, most time.Duration, n int) time.Duration {
	d = min(d, most)
	for ; n > 1 && d > 0; n-- {
		d = 2 * min(d, most/2)
	}
	return d
}

// budget bounds tries beside the first: every request earns a part of one.
type budget struct {
	share  float64
	tokens atomic.Int64 // in units
}

const (
	budgetUnit = 1000
	budgetMost = 10 // tries that may be saved up
)

func (b *budget) earn() {
	if b.tokens.Load() < budgetMost*budgetUnit {
		b.tokens.Add(int64(b.share * budgetUnit))
	}
}

// spend takes one try out of the budget and reports whether there was one.
func (b *budget) spend() bool {
	for n := b.tokens.Load(); n >= budgetUnit; n = b.tokens.Load() {
		if b.tokens.CompareAndSwap(n, n-budgetUnit) {
			return true
		}
	}
	return false
}
