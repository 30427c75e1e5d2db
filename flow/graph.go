package flow

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/expr-lang/expr"
)

// graph is a document as compiled: nodes that call each other.
type graph struct {
	flow     *Flow
	nodes    []*node
	servers  []*httpStep
	cases    []*caseStep
	running  atomic.Int64 // requests that use it, and one while it is the current one
	closed   chan struct{}
	starters []func()       // of what runs beside requests, once the graph is the current one
	openers  []func() error // of what has to be there before messages come
	closers  []func()
	feeds    feeds
	links    []*natsLink
}

// node is a node of a graph.
type node struct {
	spec  *spec
	step  step
	outs  []*port
	fault *port // where errors go, or nil
	stats *stats
}

// step is what a node does with a message. It works in the message's place: when
// run returns, the message is the answer. After an error the message is whatever it
// was, and the node's error port takes over.
type step interface {
	run(c *call, m *message) error
}

// port is an output port: direct calls of what it is linked to.
type port struct {
	name string
	to   []*node
	ends bool // linked to the source, which gets the answer anyway, or to nothing there is
}

// linked reports whether anything is linked to the port.
func (p *port) linked() bool { return p != nil && len(p.to) > 0 }

// send hands m to what the port is linked to. Of several links the first gives the
// answer; the others run beside it, each with a copy, and are waited for.
func (p *port) send(c *call, m *message) error {
	if p == nil || len(p.to) == 0 {
		return nil
	}
	if len(p.to) == 1 {
		return p.to[0].run(c, m)
	}
	return p.fork(c, m)
}

func (p *port) fork(c *call, m *message) error {
	var wg sync.WaitGroup
	for _, n := range p.to[1:] {
		d, err := c.branch(m)
		if err != nil {
			return err
		}
		wg.Go(func() {
			defer d.release()
			defer recovered(n, nil)
			if err := n.run(d, &d.message); err != nil {
				c.flow.failed(d, err)
			}
		})
	}
	err := p.to[0].run(c, m)
	wg.Wait()
	return err
}

// run hands m to the node. What goes wrong in the node goes to its error port,
// where there is one.
func (n *node) run(c *call, m *message) (err error) {
	if t := c.flow.settings.tracer; t != nil {
		end := n.span(t, c, m)
		defer func() { end(err) }()
	}
	begin, outer := now(), c.inner
	c.inner = 0
	coded := c.coding
	c.coding = 0
	if t := n.stats.tap.Load(); t == nil {
		err = n.step.run(c, m)
	} else {
		err = n.tapped(t, c, m)
	}
	spent := now() - begin
	n.stats.add(spent-c.inner, c.coding)
	c.inner, c.coding = outer+spent, coded
	if err == nil {
		return nil
	}
	e := errorOf(n.spec.name, err)
	if e.Node == n.spec.name { // and not one of those behind it
		n.stats.fail(e)
	}
	if n.fault == nil || e.Status == statusClientClosed {
		return e
	}
	m.err, m.status, m.reply = e, e.Status, nil
	m.body.clear()
	m.body.setValue(e.value())
	return n.fault.send(c, m)
}

// tapped runs the step for somebody who looks at messages.
func (n *node) tapped(t *tap, c *call, m *message) error {
	seen := t.begin(n.stats, c, m)
	err := n.step.run(c, m)
	if seen != nil {
		t.end(seen, c, m, err)
	}
	return err
}

// recovered turns a panic of a node into an error, so that a failure of one request
// touches no other.
func recovered(n *node, err *error) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	e := &Error{Node: n.spec.name, Status: http.StatusInternalServerError, Offset: -1, Err: fmt.Errorf("panic: %v", v)}
	n.stats.fail(e)
	if err != nil {
		*err = e
	}
}

// acquire returns the current graph and keeps it from being closed until release.
func (f *Flow) acquire() *graph {
	for {
		g := f.current.Load()
		// At 0 it has been retired in between, and another one is the current one.
		for n := g.running.Load(); n > 0; n = g.running.Load() {
			if g.running.CompareAndSwap(n, n+1) {
				return g
			}
		}
	}
}

func (g *graph) release() {
	if g.running.Add(-1) == 0 {
		g.shut()
	}
}

// shut frees what the graph holds, once nobody uses it.
func (g *graph) shut() {
	for _, c := range slices.Backward(g.closers) {
		c()
	}
	close(g.closed)
}

// retire gives up a graph that is not the current one any more, and waits until the
// last request in it is answered or the context ends.
func (g *graph) retire(ctx context.Context) error {
	g.release()
	select {
	case <-g.closed:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d requests are still in progress: %w", g.running.Load(), ctx.Err())
	}
}

// build compiles one node.
type build struct {
	g    *graph
	doc  *document
	node *node
	prev *graph // the one before, when a document is reloaded
}

// errorf adds an error at p, or, for a field that is not there, at the node.
func (b *build) errorf(p Pos, format string, args ...any) {
	if p.Line == 0 {
		p = b.node.spec.pos
	}
	b.doc.diags.errorf(p, format, args...)
}

// has reports whether the document has the field.
func (b *build) has(field string) bool { return member(b.node.spec.yaml, field) != nil }

// out returns the output port called name, which may be linked to nothing.
func (b *build) out(name string) *port {
	for _, p := range b.node.outs {
		if p.name == name {
			return p
		}
	}
	return nil
}

// must returns the output port called name, and complains when it leads nowhere.
func (b *build) must(name string, at Pos) *port {
	p := b.out(name)
	if !p.linked() && (p == nil || !p.ends) {
		b.errorf(at, "the port %s of %q is linked to nothing: add links: {%s: [{name: NODE, port: in}]}", name,
			b.node.spec.name, quoted(name))
	}
	return p
}

// way is must for a port that a field names, which may be none.
func (b *build) way(name portName) (out *port, ok bool) {
	if b.node.spec.kind.hasOut(name.s) {
		return b.must(name.s, name.at), true
	}
	if name.s != "" {
		b.errorf(name.at, "%q is not an output port: expected out[0], out[1] and so on", name.s)
	}
	return nil, false
}

// quoted returns a port's name as YAML wants it in braces.
func quoted(name string) string {
	if strings.ContainsAny(name, "[]") {
		return strconv.Quote(name)
	}
	return name
}

// expr compiles an expression, as a condition when it has to be one.
func (b *build) expr(e expression, options ...expr.Option) program {
	p, err := compileExpr(e.s, options...)
	if err == nil {
		return p
	}
	line, col, msg := exprPlace(err)
	b.errorf(b.node.spec.file.within(e.node, line, col), "%s", msg)
	return nil
}

// compile makes a graph of doc. The diagnostics say what is wrong with it.
func (f *Flow) compile(doc *document, prev *graph) *graph {
	g := &graph{flow: f, closed: make(chan struct{})}
	g.running.Store(1)
	byName := make(map[string]*node, len(doc.nodes))
	for _, s := range doc.nodes {
		n := &node{spec: s, stats: new(stats)}
		if _, is := s.config.(*caseConfig); !is {
			n.stats = f.statsOf(s)
		}
		if byName[s.name] == nil {
			byName[s.name] = n
		}
		g.nodes = append(g.nodes, n)
	}
	link(doc, g, byName)
	cycles(doc, g)
	unreached(doc, g)
	for _, n := range g.nodes {
		b := &build{g: g, doc: doc, node: n, prev: prev}
		n.step = n.spec.config.build(b)
		if p := b.out("error"); p.linked() {
			n.fault = p
		}
	}
	fits(doc, g)
	g.nodes = slices.DeleteFunc(g.nodes, func(n *node) bool { _, is := n.step.(*caseStep); return is })
	return g
}

// link resolves the links of every node.
func link(doc *document, g *graph, byName map[string]*node) {
	names := make([]string, 0, len(byName))
	for _, s := range doc.nodes {
		names = append(names, s.name)
	}
	for _, n := range g.nodes {
		for _, l := range n.spec.links {
			if !n.spec.kind.hasOut(l.port) {
				doc.diags.errorf(l.pos, "a node of kind %s has no output port %q%s", n.spec.kind.name, l.port, suggest(l.port,
					n.spec.kind.outs()))
				continue
			}
			p := (&build{node: n}).out(l.port)
			if p == nil {
				p = &port{name: l.port}
				n.outs = append(n.outs, p)
			}
			for _, t := range l.to {
				to := byName[t.name]
				p.ends = p.ends || to == nil || to.spec.kind.source || !to.spec.kind.hasIn(t.port)
				switch {
				case to == nil:
					doc.diags.errorf(t.pos, "the link leads to %q, which is not a node%s", t.name, suggest(t.name, names))
				case to.spec.kind.source && t.port == "in":
				case !to.spec.kind.hasIn(t.port):
					doc.diags.errorf(t.pos, "the node %q of kind %s has no input port %q%s", t.name, to.spec.kind.name, t.port,
						suggest(t.port, to.spec.kind.ins))
				default:
					p.to = append(p.to, to)
				}
			}
		}
	}
}

// cycles complains of links that lead back to where they come from without a queue in between: such calls
// would never end.
func cycles(doc *document, g *graph) {
	state := make(map[*node]int) // 1: on the way, 2: done
	var way []*node
	var walk func(n *node)
	walk = func(n *node) {
		state[n] = 1
		way = append(way, n)
		for _, p := range n.outs {
			for _, to := range p.to {
				if to.spec.kind.breaks {
					continue
				}
				if state[to] == 1 {
					var names []string
					for _, x := range way[slices.Index(way, to):] {
						names = append(names, x.spec.name)
					}
					doc.diags.errorf(n.spec.linkPos(p.name, to.spec.name),
						"the links lead in a circle, %s -> %s: put a node of kind queue in it",
						strings.Join(names, " -> "), to.spec.name)
				} else if state[to] == 0 {
					walk(to)
				}
			}
		}
		way = way[:len(way)-1]
		state[n] = 2
	}
	for _, n := range g.nodes {
		if state[n] == 0 {
			walk(n)
		}
	}
	// What follows a queue is looked at on its own.
}

// linkPos returns the place of the link from a port to a node.
func (s *spec) linkPos(port, name string) Pos {
	for _, l := range s.links {
		for _, t := range l.to {
			if l.port == port && t.name == name {
				return t.pos
			}
		}
	}
	return s.pos
}

// unreached warns of nodes that no message comes to.
func unreached(doc *document, g *graph) {
	reached := make(map[*node]bool)
	for _, n := range g.nodes {
		for _, p := range n.outs {
			for _, to := range p.to {
				reached[to] = true
			}
		}
	}
	for _, n := range g.nodes {
		if !reached[n] && !n.spec.kind.source && doc.find(n.spec.name) == n.spec {
			doc.diags.warnf(n.spec.pos, "no link leads to %q: it never runs", n.spec.name)
		}
	}
}
