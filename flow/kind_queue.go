package flow

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"
)

// queueConfig is a bounded queue in memory.
type queueConfig struct {
	Size    int           `flow:"size" doc:"most messages that wait"`
	Workers int           `flow:"workers" doc:"how many messages are worked on at a time"`
	Full    string        `flow:"full" enum:"refuse,wait" doc:"what a message meets without room"`
	Timeout time.Duration `flow:"timeout" doc:"time for the nodes behind it to work on a message"`
}

func newQueueConfig() config {
	return &queueConfig{Size: 1000, Workers: 1, Timeout: 30 * time.Second}
}

func (cfg *queueConfig) build(b *build) step {
	s := &queueStep{g: b.g, node: b.node, out: b.must("out", b.node.spec.pos), wait: cfg.Full == "wait",
		timeout: cfg.Timeout}
	if cfg.Size < 1 || cfg.Workers < 1 || cfg.Workers > 10000 {
		b.errorf(b.node.spec.pos, "a queue has a size and workers of at least 1, and at most 10000 workers")
		return s
	}
	s.calls = make(chan *call, cfg.Size)
	b.g.starters = append(b.g.starters, func() {
		for range cfg.Workers {
			go s.work()
		}
	})
	b.g.closers = append(b.g.closers, func() { close(s.calls) })
	return s
}

// queueStep answers 202 and works on messages later, in the order in which they came.
type queueStep struct {
	g       *graph
	node    *node
	out     *port
	calls   chan *call
	wait    bool
	timeout time.Duration
}

var errFull = errors.New("the queue is full")

// run implements step.
func (s *queueStep) run(c *call, m *message) error {
	d, err := c.branch(m)
	if err != nil {
		return err
	}
	d.ctx = context.WithoutCancel(c.ctx)
	b := &d.message.body
	b.raw, b.plain, b.turned = bytes.Clone(b.raw), nil, nil // the call's buffers are used again
	s.g.running.Add(1)                                      // it is not over before this message is
	select {
	case s.calls <- d:
	default:
		if !s.wait {
			s.g.release()
			return &headersError{refuse(http.StatusServiceUnavailable, errFull), http.Header{"Retry-After": {"1"}}}
		}
		select {
		case s.calls <- d:
		case <-c.context().Done():
			s.g.release()
			return c.context().Err()
		}
	}
	m.body.clear()
	m.answer(http.StatusAccepted)
	return nil
}

// work works on messages until the queue is closed.
func (s *queueStep) work() {
	for c := range s.calls {
		s.one(c)
	}
}

func (s *queueStep) one(c *call) {
	defer s.g.release()
	defer c.release()
	defer recovered(s.node, nil)
	if s.timeout > 0 {
		c.deadline = time.Now().Add(s.timeout)
	}
	if err := s.out.send(c, &c.message); err != nil {
		s.g.flow.failed(c, err)
	}
}
