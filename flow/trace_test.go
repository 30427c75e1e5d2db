package flow_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weftcodec/weft/flow"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// TestTrace joins the spans of nodes to that of the client, and the service's to them.
func TestTrace(t *testing.T) {
	var got string
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Traceparent")
		_, _ = io.WriteString(w, "ok")
	})
	const doc = `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: way}}}
- {kind: if, name: way, when: path == "/bad", links: {"out[0]": {name: bad}, "out[1]": {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}"}
- {kind: map, name: bad, body: body.a + 1}
`
	const trace1, span1 = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	parent := http.Header{"Traceparent": {"00-" + trace1 + "-" + span1 + "-01"}}
	recorder, log := tracetest.NewSpanRecorder(), new(logged)
	tracer := trace.NewTracerProvider(trace.WithSpanProcessor(recorder)).Tracer("t")
	url, _ := serve(t, doc, env("UPSTREAM", upstream), log.option(), flow.Trace(tracer))
	if resp, _ := request(t, url, "GET /x", parent.Clone(), ""); resp.StatusCode != 200 {
		t.Error(resp.Status)
	}
	spans := recorder.Ended()
	var names []string
	for i, s := range spans {
		names = append(names, s.Name()+" "+s.SpanKind().String())
		if s.SpanContext().TraceID().String() != trace1 {
			t.Errorf("%s is of another trace", s.Name())
		}
		want := span1
		if i+1 < len(spans) {
			want = spans[i+1].SpanContext().SpanID().String()
		}
		if s.Parent().SpanID().String() != want {
			t.Errorf("%s is below %s, want %s", s.Name(), s.Parent().SpanID(), want)
		}
	}
	if list := strings.Join(names, ", "); list != "api client, way internal, server server" {
		t.Error(list)
	}
	if want := "00-" + trace1 + "-" + spans[0].SpanContext().SpanID().String() + "-01"; got != want {
		t.Errorf("the service got %q, want %q", got, want)
	}
	request(t, url, "GET /bad", nil, "")
	for _, s := range recorder.Ended()[3:] {
		if s.Status().Description == "" || s.SpanContext().TraceID().String() == trace1 {
			t.Errorf("%s: %+v", s.Name(), s.Status())
		}
		if id := s.SpanContext().TraceID().String(); !strings.Contains(log.String(), "trace="+id) {
			t.Errorf("the log does not name the trace %s: %s", id, log)
		}
	}
	url, _ = serve(t, doc, env("UPSTREAM", upstream))
	if request(t, url, "GET /x", parent.Clone(), ""); got != parent.Get("Traceparent") {
		t.Errorf("without a tracer the service got %q", got)
	}
}
