package flow

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/weftcodec/weft/value"
)

// message is what goes along the links: a request on its way to the node that
// answers it, and then the answer on its way back.
type message struct {
	method string
	scheme string
	host   string
	path   string // as it came, escapes and all
	query  string // without the question mark
	params []param
	header http.Header // of the request: whoever changes it makes a copy first
	remote string      // address of the client
	status int         // of the answer, 0 while there is none
	reply  http.Header // of the answer, may be nil
	body   body        // of the request, then of the answer
	err    *Error      // what went wrong, on its way from an error port
}

// param is a part of the path that a route has named.
type param struct{ name, value string }

// answer makes the message an answer with the status.
func (m *message) answer(status int) {
	m.status, m.reply, m.err = status, nil, nil
}

// set sets a header of the answer.
func (m *message) set(name, value string) {
	if m.reply == nil {
		m.reply = make(http.Header, 4)
	}
	m.reply[name] = []string{value}
}

// call is one request with all that it takes up until it is answered.
type call struct {
	message  message
	flow     *Flow
	ctx      context.Context
	deadline time.Time // zero for none
	timed    context.Context
	cancel   context.CancelFunc
	inner    time.Duration // spent in the nodes below the one that runs
	coding   time.Duration // spent in codecs by the node that runs
	bufs     []*[]byte
	params   [8]param
	id       string
	trace    context.Context // of the span of the node that runs, or nil
	read     *requestReader  // of the request's body, or nil
	back     wish
}

// wish is what a node that stands before others will make of the answer.
type wish struct {
	by     *transcodeStep // nil: nothing
	accept []string
}

// context returns the context of the request, with its deadline.
func (c *call) context() context.Context {
	if c.timed == nil {
		c.timed = c.ctx
		if !c.deadline.IsZero() {
			c.timed, c.cancel = context.WithDeadline(c.ctx, c.deadline)
		}
	}
	return c.timed
}

// smallBuffer is the largest buffer that messages use which need little, and keptBuffer that which is kept at all. The
// collector empties pools, so that what is kept is what was in use lately.
const (
	smallBuffer = 1 << 20
	keptBuffer  = 32 << 20
)

// buffers are those that are free, the small ones and the others.
var buffers [2]sync.Pool

func bufferPool(n int64) *sync.Pool {
	if n > smallBuffer {
		return &buffers[1]
	}
	return &buffers[0]
}

// buffer returns an empty buffer for about n bytes, which goes to keep when it has been filled.
func (c *call) buffer(n int64) []byte {
	b, ok := bufferPool(n).Get().(*[]byte)
	if !ok {
		b = new([]byte)
	}
	c.bufs = append(c.bufs, b)
	return (*b)[:0]
}

// keep notes that b has grown from the buffer taken last, so that others may use it
// when the call is over.
func (c *call) keep(b []byte) []byte {
	if b == nil {
		b = []byte{}
	}
	if n := len(c.bufs); n > 0 && cap(b) <= keptBuffer {
		*c.bufs[n-1] = b
	}
	return b
}

// release gives everything back. Nothing of the call may be used afterwards, but for
// values.
func (c *call) release() {
	c.message.body.done()
	if c.cancel != nil {
		c.cancel()
	}
	for i, b := range c.bufs {
		bufferPool(int64(cap(*b))).Put(b)
		c.bufs[i] = nil
	}
	*c = call{bufs: c.bufs[:0]}
}

// leak keeps the buffers from being used again: somebody may still read them.
func (c *call) leak() { c.bufs = c.bufs[:0] }

// codec notes the time since begin as spent in codecs.
func (c *call) codec(begin time.Duration) { c.coding += now() - begin }

var started = time.Now()

// now returns the time on a clock that only goes forward.
func now() time.Duration { return time.Since(started) }

// branch returns a call for a copy of m that runs beside c.
func (c *call) branch(m *message) (*call, error) {
	b, err := m.body.copy(c)
	if err != nil {
		return nil, err
	}
	d := &call{flow: c.flow, ctx: c.context(), id: c.id, trace: c.trace}
	d.message = *m
	d.message.body = b
	d.message.params = append([]param(nil), m.params...)
	if m.reply != nil {
		d.message.reply = m.reply.Clone()
	}
	return d, nil
}

// value returns the error as an error port sees it.
func (e *Error) value() value.Value {
	members := []value.Member{
		{Name: "node", Value: value.String(e.Node)},
		{Name: "status", Value: value.Int(int64(e.Status))},
		{Name: "error", Value: value.String(e.Err.Error())},
	}
	if e.Path != "" {
		members = append(members, value.Member{Name: "path", Value: value.String(e.Path)})
	}
	if e.Offset >= 0 {
		members = append(members, value.Member{Name: "offset", Value: value.Int(e.Offset)})
	}
	return value.Map(members...)
}
