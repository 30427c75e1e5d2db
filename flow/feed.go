package flow

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
)

// feed is a step where messages begin by themselves, such as one that reads a file.
type feed interface {
	step
	// feed sends messages until there are no more, which is not an error, or until ctx ends: the step of
	// the node in the next graph goes on from there.
	feed(ctx context.Context) error
}

// feeds are the sources of a graph while it is the current one.
type feeds struct {
	stop context.CancelFunc
	left atomic.Int64 // that have not ended
}

// prepare opens what the nodes of g need before there are messages.
func (g *graph) prepare() error {
	for _, open := range g.openers {
		if err := open(); err != nil {
			return err
		}
	}
	return nil
}

// feed begins the sources of g. When all of them have ended, and there is no server, the
// flow ends; one that fails ends it with an error.
func (f *Flow) feed(g *graph) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.draining {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	g.feeds.stop = stop
	var sources []*node
	for _, n := range g.nodes {
		if _, is := n.step.(feed); is {
			sources = append(sources, n)
		}
	}
	g.feeds.left.Store(int64(len(sources)))
	for _, n := range sources {
		g.running.Add(1)
		go func() {
			defer g.release()
			err := n.step.(feed).feed(ctx)
			switch {
			case err != nil:
				f.broken.Store(true)
				f.fail(errorOf(n.spec.name, err))
			case ctx.Err() == nil && g.feeds.left.Add(-1) == 0 && !g.serves():
				report(f.failures, errEnded)
			}
		}()
	}
}

// fail makes Run return err.
func (f *Flow) fail(err error) { report(f.failures, err) }

// errEnded says that there is nothing left to do.
var errEnded = fmt.Errorf("all sources have ended")

// serves reports whether g answers requests of clients.
func (g *graph) serves() bool {
	for _, s := range g.servers {
		if s.admin == nil {
			return true
		}
	}
	return false
}

// begin sends a message that begins at n: fill makes it. An answer that tells of a failure is an error.
func (n *node) begin(ctx context.Context, f *Flow, fill func(m *message)) (err error) {
	c := calls.Get().(*call)
	defer func() {
		c.release()
		calls.Put(c)
	}()
	defer recovered(n, &err)
	c.flow, c.ctx = f, context.WithoutCancel(ctx) // a source that stops lets its last message arrive
	m := &c.message
	m.method, m.scheme, m.host, m.path, m.remote = http.MethodPost, "flow", n.spec.name, "/", n.spec.kind.name
	m.params = c.params[:0]
	m.body.max = maxRecord
	fill(m)
	if err = n.run(c, m); err != nil {
		return err
	}
	if m.status >= http.StatusBadRequest && m.err == nil {
		return refuse(m.status, fmt.Errorf("the message was answered %d %s", m.status, http.StatusText(m.status)))
	}
	return nil
}

// maxRecord is how long an answer to a message of a source may be in memory.
const maxRecord = 64 << 20

// held is something that outlives a graph, such as an open file: the last graph that has it closes it.
type held struct {
	users atomic.Int64
	close func()
}

// hold makes the graph one of those that have h.
func (b *build) hold(h *held) {
	h.users.Add(1)
	b.g.closers = append(b.g.closers, func() {
		if h.users.Add(-1) == 0 {
			h.close()
		}
	})
}

// same reports whether the node had the same fields in the graph before.
func (b *build) same() bool {
	if b.prev == nil {
		return false
	}
	for _, n := range b.prev.nodes {
		if n.spec.name == b.node.spec.name {
			return n.spec.text == b.node.spec.text
		}
	}
	return false
}
