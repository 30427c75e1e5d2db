package flow

import (
	"slices"
	"time"
)

// againConfig sends a message again when it fails.
type againConfig struct {
	Tries   int           `flow:"tries" doc:"tries in all"`
	On      []int         `flow:"on" doc:"statuses that are tried again, of answers and of errors"`
	Backoff time.Duration `flow:"backoff" doc:"longest wait before the second try"`
	Longest time.Duration `flow:"maxBackoff" doc:"longest wait of all"`
}

func newAgainConfig() config { return new(againConfig) }

func (cfg *againConfig) build(b *build) step {
	s := &againStep{out: b.must("out", b.node.spec.pos), wait: retryConfig{
		Tries: cfg.Tries, On: cfg.On, Backoff: cfg.Backoff, Longest: cfg.Longest,
	}}
	if s.wait.On == nil {
		s.wait.On = []int{500, 502, 503, 504}
	}
	if s.wait.defaults(); s.wait.Tries < 1 {
		b.errorf(b.node.spec.pos, "%d tries: expected at least 1", s.wait.Tries)
	}
	return s
}

// againStep sends a message along the port until it goes well.
type againStep struct {
	out  *port
	wait retryConfig
}

// run implements step.
func (s *againStep) run(c *call, m *message) error {
	if s.out == nil {
		return nil
	}
	if _, err := m.body.bytes(c); err != nil {
		return err
	}
	kept := *m
	for try := 1; ; try++ {
		err := s.out.send(c, m)
		status := m.status
		if err != nil {
			status = errorOf("", err).Status
		}
		if try >= s.wait.Tries || !slices.Contains(s.wait.On, status) {
			return err
		}
		if slept := s.wait.sleep(c.context(), try); slept != nil {
			return slept
		}
		m.body.done()
		*m = kept
	}
}
