package flow

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// natsPublishConfig keeps messages until a node that consumes has worked on them.
type natsPublishConfig struct {
	Publish text          `flow:"publish,required" doc:"the subject under which messages are kept"`
	Stream  string        `flow:"stream" doc:"the stream that keeps them, else the subject in capitals"`
	ID      expression    `flow:"id" doc:"what tells messages apart: one that is there already is not kept twice"`
	Server  text          `flow:"server" doc:"the node of kind nats that tells where, when there are several"`
	Timeout time.Duration `flow:"timeout" doc:"time to keep a message"`
}

func newNatsPublishConfig() config { return &natsPublishConfig{Timeout: 10 * time.Second} }

func (cfg *natsPublishConfig) build(b *build) step {
	b.subject(cfg.Publish, false)
	s := &natsPublishStep{cfg: cfg, link: b.link(cfg.Server), out: b.out("out"), stream: cfg.Stream}
	if s.stream == "" {
		s.stream = streamOf(cfg.Publish.s)
	}
	if cfg.ID.node != nil {
		s.id = b.expr(cfg.ID)
	}
	return s
}

// natsPublishStep answers when a message is kept.
type natsPublishStep struct {
	cfg    *natsPublishConfig
	link   *natsLink
	out    *port
	stream string
	id     program
	off    bool
}

// run implements step.
func (s *natsPublishStep) run(c *call, m *message) error {
	id := ""
	if s.id != nil {
		v, err := s.id.value(c, m)
		if err != nil {
			return err
		}
		if v.IsNull() {
			return refuse(http.StatusUnprocessableEntity, errors.New("the id of the message is null"))
		}
		id = v.String()
	} else if from := m.header.Get(jetstream.MsgIDHeader); from != "" { // one that is worked on twice is handed on once
		id = from + ">" + s.cfg.Publish.s
	}
	msg, err := packed(c, m, s.cfg.Publish.s)
	if err != nil || s.off {
		return err
	}
	ctx, cancel := context.WithTimeout(c.context(), s.cfg.Timeout)
	defer cancel()
	js, err := s.link.stream(ctx, s.stream, s.cfg.Publish.s)
	if err != nil {
		return natsError(err)
	}
	opts := []jetstream.PublishOpt{jetstream.WithExpectStream(s.stream)}
	if id != "" {
		opts = append(opts, jetstream.WithMsgID(id))
	}
	if _, err := js.PublishMsg(ctx, msg, opts...); err != nil {
		return natsError(err)
	}
	if s.out.linked() {
		return s.out.send(c, m)
	}
	m.body.clear()
	m.answer(http.StatusAccepted)
	return nil
}

// natsConsumeConfig works on messages that are kept.
type natsConsumeConfig struct {
	Consume    text          `flow:"consume,required" doc:"the subject of the messages, with * for a word and > for all that follow"`
	Stream     string        `flow:"stream" doc:"the stream that keeps them, else the subject in capitals"`
	Group      string        `flow:"group" doc:"who shares the work, in however many processes; else the name of the node"`
	Workers    int           `flow:"workers" doc:"how many messages are worked on at a time in this process"`
	Tries      int           `flow:"tries" doc:"how often a message is tried before it becomes a dead letter"`
	Backoff    time.Duration `flow:"backoff" doc:"time to the next try, doubled each time"`
	MaxBackoff time.Duration `flow:"maxBackoff" doc:"most time to the next try"`
	Wait       time.Duration `flow:"wait" doc:"after how long without a sign of life of who works on it another one gets a message"`
	Dead       text          `flow:"dead" doc:"the subject of dead letters, else that of the messages with .dead behind it"`
	Server     text          `flow:"server" doc:"the node of kind nats that tells where, when there are several"`
}

func newNatsConsumeConfig() config {
	return &natsConsumeConfig{Workers: 1, Tries: 5, Backoff: time.Second, MaxBackoff: time.Minute, Wait: 30 * time.Second}
}

func (cfg *natsConsumeConfig) build(b *build) step {
	b.subject(cfg.Consume, true)
	s := &natsConsumeStep{cfg: cfg, link: b.link(cfg.Server), node: b.node, flow: b.g.flow, out: b.must("out", b.node.spec.pos),
		stream: cfg.Stream, group: cfg.Group, dead: cfg.Dead.s}
	if s.stream == "" {
		s.stream = streamOf(cfg.Consume.s)
	}
	if s.group == "" {
		s.group = b.node.spec.name
	}
	s.group = streamOf(s.group)
	if s.dead == "" {
		s.dead = cfg.Consume.s + ".dead"
	}
	b.subject(text{s.dead, cfg.Dead.at}, false)
	if cfg.Workers < 1 || cfg.Workers > 10000 || cfg.Tries < 1 || cfg.Wait < 100*time.Millisecond {
		b.errorf(b.node.spec.pos, "a node that consumes has 1 to 10000 workers, at least 1 of tries, and a wait of at least 100ms")
	}
	return s
}

// natsConsumeStep sends each message, and acknowledges it when the last node has done its work.
type natsConsumeStep struct {
	cfg    *natsConsumeConfig
	link   *natsLink
	node   *node
	flow   *Flow
	out    *port
	stream string
	group  string
	dead   string
}

// run implements step.
func (s *natsConsumeStep) run(c *call, m *message) error { return s.out.send(c, m) }

// feed implements feed. A server that is away is waited for.
func (s *natsConsumeStep) feed(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := s.consume(ctx); err != nil && ctx.Err() == nil {
			s.flow.failed(nil, errorOf(s.node.spec.name, natsError(err)))
			select {
			case <-ctx.Done():
			case <-time.After(time.Second/2 + rand.N(time.Second/2)):
			}
		}
	}
	return nil
}

// consume works on messages until ctx ends, or something is wrong with the server.
func (s *natsConsumeStep) consume(ctx context.Context) error {
	begin, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	js, err := s.link.stream(begin, s.stream, s.cfg.Consume.s)
	if err != nil {
		return err
	}
	consumer, err := js.CreateOrUpdateConsumer(begin, s.stream, jetstream.ConsumerConfig{
		Durable: s.group, FilterSubject: s.cfg.Consume.s, AckPolicy: jetstream.AckExplicitPolicy, AckWait: s.cfg.Wait,
		MaxAckPending: 10000,
	})
	if err != nil {
		return err
	}
	// What is fetched before somebody works on it is nobody else's: no more than there are workers.
	messages, err := consumer.Messages(jetstream.PullMaxMessages(s.cfg.Workers), jetstream.PullExpiry(2*time.Second),
		jetstream.PullHeartbeat(time.Second/2))
	if err != nil {
		return err
	}
	defer messages.Stop()
	stop := context.AfterFunc(ctx, messages.Drain)
	defer stop()
	return several(context.WithoutCancel(ctx), s.cfg.Workers, func(context.Context) error {
		msg, err := messages.Next()
		if err == nil {
			s.one(ctx, js, msg)
		}
		return err
	})
}

// one works on a message. That a worker is alive is told now and then; one that ends without a word leaves the
// message to others.
func (s *natsConsumeStep) one(ctx context.Context, js jetstream.JetStream, msg jetstream.Msg) {
	meta, err := msg.Metadata()
	if err != nil {
		s.flow.failed(nil, errorOf(s.node.spec.name, err))
		return
	}
	alive, ended := context.WithCancel(context.WithoutCancel(ctx))
	defer ended()
	go func() {
		for tick := time.NewTicker(s.cfg.Wait / 3); ; {
			select {
			case <-alive.Done():
				tick.Stop()
				return
			case <-tick.C:
				_ = msg.InProgress()
			}
		}
	}()
	id := nats.Header(msg.Headers()).Get(jetstream.MsgIDHeader)
	if id == "" {
		id = s.stream + "." + strconv.FormatUint(meta.Sequence.Stream, 10)
	}
	failed := error(errWorn)
	if meta.NumDelivered <= uint64(s.cfg.Tries) { // else it was the end of every process that tried it
		failed = s.node.begin(ctx, s.flow, func(m *message) {
			unpack(m, nats.Header(msg.Headers()), msg.Subject(), msg.Data())
			m.header.Set(jetstream.MsgIDHeader, id)
		})
	}
	if failed != nil && meta.NumDelivered < uint64(s.cfg.Tries) {
		s.flow.failed(nil, errorOf(s.node.spec.name, failed))
		_ = msg.NakWithDelay(s.delay(meta.NumDelivered))
		return
	}
	end, cancel := context.WithTimeout(alive, 10*time.Second)
	defer cancel()
	if failed != nil {
		err = s.bury(end, js, msg, id, failed)
	}
	if err == nil {
		err = msg.DoubleAck(end)
	}
	if err != nil { // it comes again
		s.flow.failed(nil, errorOf(s.node.spec.name, natsError(err)))
	}
}

var errWorn = errors.New("the process ended during every try")

// delay returns the time to the try behind the nth.
func (s *natsConsumeStep) delay(n uint64) time.Duration {
	return doubled(s.cfg.Backoff, s.cfg.MaxBackoff, int(n))
}

// bury keeps a message that fails, with what is wrong, under the subject of dead letters.
func (s *natsConsumeStep) bury(ctx context.Context, js jetstream.JetStream, msg jetstream.Msg, id string, failed error) error {
	stream := streamOf(s.dead)
	if _, err := s.link.stream(ctx, stream, s.dead); err != nil {
		return err
	}
	dead := nats.NewMsg(s.dead)
	for name, v := range msg.Headers() {
		if !strings.HasPrefix(name, "Nats-") { // what the server was told of the message, such as its place in the stream
			dead.Header[name] = v
		}
	}
	e := errorOf(s.node.spec.name, failed)
	dead.Header.Set(headerSubject, msg.Subject())
	dead.Header.Set(headerError, e.Error())
	dead.Data = msg.Data()
	_, err := js.PublishMsg(ctx, dead, jetstream.WithMsgID(id+">"+s.dead), jetstream.WithExpectStream(stream))
	s.flow.settings.log.Error("dead letter", "node", e.Node, "subject", msg.Subject(), "id", id, "error", e.Error())
	if err != nil {
		return fmt.Errorf("the dead letter: %w", err)
	}
	return nil
}
