package flow

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/weftcodec/weft/value"
)

// splitConfig makes several messages of one.
type splitConfig struct {
	Items   expression `flow:"items" doc:"the list whose elements become messages, else the body"`
	Workers int        `flow:"workers" doc:"how many elements are on their way at a time"`
	Answer  string     `flow:"answer" enum:"list,none" doc:"list: the answers in the order of the elements; none: 204"`
}

func newSplitConfig() config { return &splitConfig{Workers: 1, Answer: "list"} }

func (cfg *splitConfig) build(b *build) step {
	s := &splitStep{out: b.must("out", b.node.spec.pos), workers: cfg.Workers, list: cfg.Answer == "list"}
	if cfg.Workers < 1 || cfg.Workers > 10000 {
		b.errorf(b.node.spec.pos, "a split has 1 to 10000 workers")
	}
	if cfg.Items.node != nil {
		s.items = b.expr(cfg.Items)
	}
	return s
}

// splitStep sends each element of a list.
type splitStep struct {
	out     *port
	items   program // nil for the body
	workers int
	list    bool
}

// run implements step.
func (s *splitStep) run(c *call, m *message) error {
	v, err := m.body.value(c)
	if err == nil && s.items != nil {
		v, err = s.items.value(c, m)
	}
	if err != nil {
		return err
	}
	if v.Kind() != value.KindList {
		return refuse(http.StatusUnprocessableEntity, fmt.Errorf("there is %s to split: expected a list", v.Kind()))
	}
	answers := make([]value.Value, v.Len())
	next, mu := 0, sync.Mutex{}
	err = several(c.context(), min(s.workers, max(v.Len(), 1)), func(context.Context) error {
		mu.Lock()
		i := next
		next++
		mu.Unlock()
		if i >= v.Len() {
			return io.EOF
		}
		return s.one(c, m, i, v.At(i), &answers[i])
	})
	if err == nil {
		err = c.context().Err()
	}
	if err != nil {
		return err
	}
	m.body.clear()
	if !s.list {
		m.answer(http.StatusNoContent)
		return nil
	}
	m.answer(http.StatusOK)
	m.body.setValue(value.List(answers...))
	return nil
}

// one sends the element i.
func (s *splitStep) one(c *call, m *message, i int, v value.Value, answer *value.Value) (err error) {
	d, err := c.branch(m)
	if err != nil {
		return err
	}
	defer d.release()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	d.message.body.setValue(v)
	if err := s.out.send(d, &d.message); err != nil {
		return element(i, err)
	}
	if st := d.message.status; st >= http.StatusBadRequest {
		return refuse(st, fmt.Errorf("the element %d was answered %d %s", i, st, http.StatusText(st)))
	}
	if s.list {
		*answer, err = d.message.body.value(d)
	}
	return err
}

// element returns an error of the element i of a list, with the path to what it is about.
func element(i int, err error) error {
	e := *errorOf("", err)
	e.Path, e.Offset = "/"+strconv.Itoa(i)+e.Path, -1
	return &e
}

// joinConfig makes one message of several.
type joinConfig struct {
	Size    int           `flow:"size" doc:"most messages that become one"`
	Within  time.Duration `flow:"within" doc:"how long the first waits for others"`
	Answers string        `flow:"answers" enum:"same,each" doc:"same: all get the answer; each: it is a list, of which each gets its element"`
}

func newJoinConfig() config {
	return &joinConfig{Size: 100, Within: 10 * time.Millisecond, Answers: "same"}
}

func (cfg *joinConfig) build(b *build) step {
	if cfg.Size < 1 || cfg.Size > 1e6 {
		b.errorf(b.node.spec.pos, "a join has a size of 1 to 1000000")
	}
	return &joinStep{out: b.must("out", b.node.spec.pos), size: cfg.Size, within: cfg.Within, each: cfg.Answers == "each"}
}

// joinStep sends the list of the bodies that come within a time.
type joinStep struct {
	out    *port
	size   int
	within time.Duration
	each   bool

	mu   sync.Mutex
	open *batch // to which messages come, or nil
}

// batch is messages that become one.
type batch struct {
	bodies []value.Value
	full   chan struct{} // closed when nothing more fits
	done   chan struct{} // closed when there is an answer, or an error
	status int
	reply  http.Header
	answer value.Value
	err    error
}

// run implements step. The first message of a batch waits for the others, and goes on with the bodies of all.
func (s *joinStep) run(c *call, m *message) error {
	v, err := m.body.value(c)
	if err != nil {
		return err
	}
	s.mu.Lock()
	b, first := s.open, s.open == nil
	if first {
		b = &batch{full: make(chan struct{}), done: make(chan struct{})}
		s.open = b
	}
	mine := len(b.bodies)
	if b.bodies = append(b.bodies, v); len(b.bodies) == s.size {
		s.open = nil
		close(b.full)
	}
	s.mu.Unlock()
	if first {
		s.lead(c, m, b)
	}
	select {
	case <-b.done:
	case <-c.context().Done():
		return c.context().Err()
	}
	if b.err != nil {
		return b.err
	}
	v = b.answer
	if s.each && b.status < http.StatusBadRequest {
		if v.Kind() != value.KindList || v.Len() != len(b.bodies) {
			return refuse(http.StatusBadGateway, fmt.Errorf("the answer to %d messages is %s of %d: expected a list of as many",
				len(b.bodies), v.Kind(), v.Len()))
		}
		v = v.At(mine)
	}
	m.answer(b.status)
	m.reply = b.reply.Clone()
	m.body.clear()
	if !v.IsNull() || s.each {
		m.body.setValue(v)
	}
	return nil
}

// lead waits for the batch, and sends it. That the client of the first message goes away is nothing to the others.
func (s *joinStep) lead(c *call, m *message, b *batch) {
	timer := time.NewTimer(s.within)
	select {
	case <-b.full:
	case <-timer.C:
	}
	timer.Stop()
	s.mu.Lock()
	if s.open == b {
		s.open = nil
	}
	s.mu.Unlock()
	defer close(b.done)
	defer func() {
		if r := recover(); r != nil {
			b.err = fmt.Errorf("panic: %v", r)
		}
	}()
	d, err := c.branch(m)
	if err != nil {
		b.err = err
		return
	}
	defer d.release()
	d.ctx, d.deadline = context.WithoutCancel(c.ctx), c.deadline
	d.message.body.setValue(value.List(b.bodies...))
	if b.err = s.out.send(d, &d.message); b.err != nil {
		return
	}
	if b.status, b.reply = d.message.status, d.message.reply; b.status == 0 {
		b.status = http.StatusOK
	}
	if !d.message.body.empty() {
		b.answer, b.err = d.message.body.value(d)
	}
}
