package flow

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// throttleConfig bounds how many messages pass in a time.
type throttleConfig struct {
	Rate  float64       `flow:"rate,required" doc:"how many messages pass in the time per"`
	Per   time.Duration `flow:"per" doc:"the time that rate is for"`
	Burst int           `flow:"burst" doc:"how many may pass at once after a rest"`
	Key   expression    `flow:"key" doc:"what has a rate of its own, such as remote; else all together"`
	Keys  int           `flow:"keys" doc:"most keys that are kept in mind"`
	Wait  time.Duration `flow:"wait" doc:"how long a message may wait for its turn"`
}

func newThrottleConfig() config { return &throttleConfig{Per: time.Second, Keys: 10000} }

func (cfg *throttleConfig) build(b *build) step {
	s := &throttleStep{out: b.out("out"), wait: cfg.Wait, keys: int64(cfg.Keys), state: new(throttleState)}
	if cfg.Per <= 0 || cfg.Keys < 1 || b.has("rate") && (cfg.Rate <= 0 || math.IsInf(cfg.Rate/cfg.Per.Seconds(), 0)) {
		b.errorf(b.node.spec.pos, "a rate is more than 0, for a time of more than 0 and at least 1 key")
		return s
	}
	s.rate = cfg.Rate / cfg.Per.Seconds()
	if s.burst = float64(cfg.Burst); s.burst < 1 {
		s.burst = max(math.Ceil(cfg.Rate), 1)
	}
	if cfg.Key.node != nil {
		s.key = b.expr(cfg.Key)
	}
	if p, ok := b.before().(*throttleStep); ok {
		s.state = p.state // a document that is reloaded gives nobody a fresh start
	}
	return s
}

// before returns the step that the node had in the graph before, or nil.
func (b *build) before() step {
	if b.prev != nil {
		for _, n := range b.prev.nodes {
			if n.spec.name == b.node.spec.name {
				return n.step
			}
		}
	}
	return nil
}

// throttleState is what has passed. It outlives the graph.
type throttleState struct {
	mu      sync.Mutex
	buckets recent[*bucket]
}

// bucket holds what may pass at once: it is filled at the rate, up to the burst.
type bucket struct {
	left float64 // below 0 with what waits
	at   time.Time
}

// throttleStep lets a message pass, makes it wait for its turn, or refuses it.
type throttleStep struct {
	out         *port
	rate, burst float64 // messages in a second, and at once
	key         program
	keys        int64
	wait        time.Duration
	state       *throttleState
}

var errThrottled = errors.New("too many requests in this time")

// run implements step.
func (s *throttleStep) run(c *call, m *message) error {
	key := ""
	if s.key != nil {
		v, err := s.key.value(c, m)
		if err != nil {
			return err
		}
		key = v.String()
	}
	due, ok := s.take(key, time.Now())
	if !ok {
		seconds := strconv.Itoa(int(math.Ceil(due.Seconds())))
		return &headersError{refuse(http.StatusTooManyRequests, errThrottled), http.Header{"Retry-After": {seconds}}}
	}
	if due > 0 {
		timer := time.NewTimer(due)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.context().Done():
			return c.context().Err()
		}
	}
	return s.out.send(c, m)
}

// take takes a turn, and returns how long it is until then. Where that is too long, it takes none and ok is false.
func (s *throttleStep) take(key string, now time.Time) (due time.Duration, ok bool) {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	b, known := s.state.buckets.get(key)
	if !known {
		b = &bucket{s.burst, now}
		s.state.buckets.put(key, b, 1, s.keys)
	}
	b.left = min(b.left+max(now.Sub(b.at).Seconds(), 0)*s.rate, s.burst)
	b.at = now
	if b.left < 1 {
		seconds := (1 - b.left) / s.rate
		if due = math.MaxInt64; seconds < due.Seconds() {
			due = time.Duration(math.Ceil(seconds * float64(time.Second)))
		}
		if due > s.wait {
			return due, false
		}
	}
	b.left--
	return due, true
}
