package flow

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Trace sets the tracer that makes OpenTelemetry spans: one for each node that a message reaches, as children of the
// span of the client or the source that the header traceparent names (W3C Trace Context). Services that are called
// receive the header too. Without a tracer a flow makes no spans and passes the header on.
func Trace(t trace.Tracer) Option { return func(s *settings) { s.tracer = t } }

// span begins a span for the message that comes to n, and returns what ends it.
func (n *node) span(t trace.Tracer, c *call, m *message) func(error) {
	before := c.trace
	kind, parent := trace.SpanKindInternal, before
	if parent == nil { // the first node
		parent = propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(m.header))
		kind = trace.SpanKindServer
	}
	switch n.step.(type) {
	case *clientStep, *natsRequestStep:
		kind = trace.SpanKindClient
	case *natsPublishStep:
		kind = trace.SpanKindProducer
	case *natsConsumeStep:
		kind = trace.SpanKindConsumer
	}
	ctx, span := t.Start(parent, n.spec.name, trace.WithSpanKind(kind), trace.WithAttributes(
		attribute.String("flow.kind", n.spec.kind.name), attribute.String("http.request.method", m.method),
		attribute.String("url.path", m.path)))
	c.trace = ctx
	return func(err error) {
		status := m.status
		if err != nil {
			e := errorOf(n.spec.name, err)
			status = e.Status
			span.SetStatus(codes.Error, e.Err.Error())
			if e.Path != "" {
				span.SetAttributes(attribute.String("flow.error.path", e.Path))
			}
		} else if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		if status != 0 {
			span.SetAttributes(attribute.Int("http.response.status_code", status))
		}
		span.End()
		if before != nil { // else what is logged of the call names the trace
			c.trace = before
		}
	}
}

// inject writes the span of the node that runs into headers.
func (c *call) inject(h map[string][]string) {
	if c.trace != nil {
		propagation.TraceContext{}.Inject(c.trace, propagation.HeaderCarrier(h))
	}
}
