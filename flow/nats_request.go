package flow

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// natsRequestConfig asks who replies under a subject.
type natsRequestConfig struct {
	Request text          `flow:"request,required" doc:"the subject under which somebody replies"`
	Timeout time.Duration `flow:"timeout" doc:"time for the answer: 504"`
	Server  text          `flow:"server" doc:"the node of kind nats that tells where, when there are several"`
}

func newNatsRequestConfig() config { return &natsRequestConfig{Timeout: 10 * time.Second} }

func (cfg *natsRequestConfig) build(b *build) step {
	b.subject(cfg.Request, false)
	return &natsRequestStep{cfg: cfg, link: b.link(cfg.Server), out: b.out("out")}
}

// natsRequestStep makes the message the answer.
type natsRequestStep struct {
	cfg  *natsRequestConfig
	link *natsLink
	out  *port
}

// run implements step.
func (s *natsRequestStep) run(c *call, m *message) error {
	msg, err := packed(c, m, s.cfg.Request.s)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.context(), s.cfg.Timeout)
	defer cancel()
	s.link.mu.Lock()
	conn := s.link.conn
	s.link.mu.Unlock()
	if conn == nil {
		return natsError(nats.ErrConnectionClosed)
	}
	answer, err := conn.RequestMsgWithContext(ctx, msg)
	if err != nil {
		return natsError(err)
	}
	if text := answer.Header.Get(headerError); text != "" {
		status, _ := strconv.Atoi(answer.Header.Get(headerStatus))
		return refuse(max(status, http.StatusBadRequest), errors.New(text))
	}
	status, err := strconv.Atoi(answer.Header.Get(headerStatus))
	if err != nil || status < 200 || status > 599 {
		status = http.StatusOK
	}
	most := m.body.max
	m.body.done()
	m.answer(status)
	m.body = body{mediaType: answer.Header.Get("Content-Type"), encoding: answer.Header.Get("Content-Encoding"),
		raw: append([]byte{}, answer.Data...), max: most}
	return s.out.send(c, m)
}

// natsReplyConfig answers requests under a subject.
type natsReplyConfig struct {
	Reply   text          `flow:"reply,required" doc:"the subject under which requests come, with * for a word and > for all that follow"`
	Group   string        `flow:"group" doc:"who shares the requests, in however many processes; else the name of the node"`
	Workers int           `flow:"workers" doc:"how many requests are answered at a time in this process"`
	Timeout time.Duration `flow:"timeout" doc:"time for the nodes to answer"`
	Server  text          `flow:"server" doc:"the node of kind nats that tells where, when there are several"`
}

func newNatsReplyConfig() config { return &natsReplyConfig{Workers: 100, Timeout: 30 * time.Second} }

func (cfg *natsReplyConfig) build(b *build) step {
	b.subject(cfg.Reply, true)
	s := &natsReplyStep{cfg: cfg, link: b.link(cfg.Server), node: b.node, flow: b.g.flow, out: b.must("out", b.node.spec.pos), group: cfg.Group}
	if s.group == "" {
		s.group = streamOf(b.node.spec.name)
	}
	if cfg.Workers < 1 || cfg.Workers > 10000 {
		b.errorf(b.node.spec.pos, "a node that replies has 1 to 10000 workers")
	}
	return s
}

// natsReplyStep answers what comes under a subject.
type natsReplyStep struct {
	cfg   *natsReplyConfig
	link  *natsLink
	node  *node
	flow  *Flow
	out   *port
	group string
}

// run implements step.
func (s *natsReplyStep) run(c *call, m *message) error { return s.out.send(c, m) }

// feed implements feed.
func (s *natsReplyStep) feed(ctx context.Context) error {
	s.link.mu.Lock()
	conn := s.link.conn
	s.link.mu.Unlock()
	if conn == nil {
		return nats.ErrConnectionClosed
	}
	requests := make(chan *nats.Msg, 1024)
	sub, err := conn.ChanQueueSubscribe(s.cfg.Reply.s, s.group, requests)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for range s.cfg.Workers {
		wg.Go(func() {
			for msg := range requests {
				s.one(ctx, msg)
			}
		})
	}
	<-ctx.Done()
	_ = sub.Unsubscribe()
	_ = conn.FlushTimeout(time.Second) // what is on its way to here is in the channel then
	close(requests)
	wg.Wait()
	return nil
}

// one answers a request.
func (s *natsReplyStep) one(ctx context.Context, msg *nats.Msg) {
	c := calls.Get().(*call)
	defer func() {
		c.release()
		calls.Put(c)
	}()
	c.flow, c.ctx = s.flow, context.WithoutCancel(ctx)
	if s.cfg.Timeout > 0 {
		c.deadline = time.Now().Add(s.cfg.Timeout)
	}
	m := &c.message
	m.method, m.scheme, m.host, m.remote, m.params = http.MethodPost, "flow", s.node.spec.name, "nats", c.params[:0]
	unpack(m, msg.Header, msg.Subject, msg.Data)
	err := func() (err error) {
		defer recovered(s.node, &err)
		return s.node.run(c, m)
	}()
	var answer *nats.Msg
	if err == nil {
		answer, err = packed(c, m, msg.Reply)
	}
	status := m.status
	if err != nil {
		e := errorOf(s.node.spec.name, err)
		s.flow.failed(c, e)
		answer, status = nats.NewMsg(msg.Reply), e.Status
		if answer.Header.Set(headerError, http.StatusText(e.Status)); e.Status < http.StatusInternalServerError {
			answer.Header.Set(headerError, e.Err.Error())
		}
	}
	if status != 0 {
		answer.Header.Set(headerStatus, strconv.Itoa(status))
	}
	if msg.Reply == "" {
		return
	}
	if err := msg.RespondMsg(answer); err != nil {
		s.flow.failed(c, errorOf(s.node.spec.name, natsError(err)))
	}
}
