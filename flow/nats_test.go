package flow_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/flow/natsserver"
)

// waitFor waits until done reports true.
func waitFor(t testing.TB, what string, done func() bool) {
	t.Helper()
	for begin := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("in vain: " + what)
		}
	}
}

func fileLines(name string) []string {
	text, _ := os.ReadFile(name)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

const natsDocument = `
- {kind: nats, name: broker, store: "${DIR}/store"}
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: r}}}
- kind: route
  name: r
  routes: [{path: /keep, port: "out[0]"}, {path: /ask, port: "out[1]"}, {path: /nobody, port: "out[2]"}]
  links: {"out[0]": {name: keep}, "out[1]": {name: ask}, "out[2]": {name: nobody}}
- {kind: nats, name: keep, publish: jobs.new, id: body.id}
- {kind: nats, name: work, consume: jobs.new, tries: 3, backoff: 10ms, wait: 1s, links: {out: {name: tried}}}
- {kind: file, name: tried, write: "${DIR}/tried.ndjson", links: {out: {name: sum}}}
- {kind: map, name: sum, body: '{"id": body.id, "sum": body.a + body.b}', links: {out: {name: next}}}
- {kind: nats, name: next, publish: jobs.done}
- {kind: nats, name: results, consume: jobs.done, workers: 3, links: {out: {name: done}}}
- {kind: file, name: done, write: "${DIR}/done.ndjson"}
- {kind: nats, name: dead, consume: jobs.new.dead, links: {out: {name: letter}}}
- {kind: map, name: letter, body: '{"body": body, "type": header["content-type"]}', links: {out: {name: letters}}}
- {kind: file, name: letters, write: "${DIR}/dead.ndjson"}
- {kind: nats, name: ask, request: sums, timeout: 2s}
- {kind: nats, name: nobody, request: nobody.there, timeout: 2s}
- {kind: nats, name: answers, reply: sums, links: {out: {name: add}}}
- {kind: validate, name: add, schema: sum.json, links: {out: {name: plus}}}
- {kind: snippet, name: plus, lang: expr, status: 201, code: body.a + body.b}
`

// TestNats keeps messages, works on them, tries them again, and buries those that fail.
func TestNats(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f.yaml")
	for file, text := range map[string]string{name: natsDocument, filepath.Join(dir, "sum.json"): `{"required": ["a"]}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var log logged
	opts := []flow.Option{flow.EmbedNATS(natsserver.Start), env("DIR", dir), log.option()}
	f, err := flow.Load(name, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if w := f.Warnings(); len(w) > 0 {
		t.Error(w)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	waitFor(t, "an address", func() bool { return f.Addr("server") != nil })
	url := "http://" + f.Addr("server").String()
	j := http.Header{"Content-Type": {"application/json"}}
	for i := range 20 { // each twice
		for range 2 {
			resp, text := request(t, url, "POST /keep", j, fmt.Sprintf(`{"id":"%d","a":%d,"b":1}`, i, i))
			if resp.StatusCode != 202 || text != "" {
				t.Fatalf("%d %s\n%s", resp.StatusCode, text, log.String())
			}
		}
		if i == 10 {
			if err := f.Reload(); err != nil {
				t.Error(err)
			}
		}
	}
	resp, text := request(t, url, "POST /keep", j, `{"id":"x","a":1}`) // has no b
	if resp.StatusCode != 202 {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	for _, e := range []exchange{
		{"POST /keep", "Content-Type: application/json", `{"a":1}`, 422,
			`{"title":"Unprocessable Entity","status":422,"detail":"the id of the message is null"}`, ""},
		{"POST /ask", "Content-Type: application/json", `{"a":1,"b":2}`, 201, `3`, "Content-Type: application/json"},
		{"POST /ask", "Content-Type: application/json", `{"b":2}`, 422,
			`{"title":"Unprocessable Entity","status":422,"detail":"missing required member \"a\""}`, ""},
		{"POST /nobody", "", ``, 503, `{"title":"Service Unavailable","status":503}`, ""},
	} {
		e.run(t, url)
	}
	waitFor(t, "the results", func() bool { return len(fileLines(filepath.Join(dir, "done.ndjson"))) >= 20 })
	waitFor(t, "the dead letter", func() bool { return len(fileLines(filepath.Join(dir, "dead.ndjson"))[0]) > 0 })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	done, _ := os.ReadFile(filepath.Join(dir, "done.ndjson"))
	for i := range 20 {
		if n := bytes.Count(done, fmt.Appendf(nil, `{"id":"%d","sum":%d}`+"\n", i, i+1)); n != 1 {
			t.Errorf("%d stands %d times in\n%s", i, n, done)
		}
	}
	if n := len(fileLines(filepath.Join(dir, "tried.ndjson"))); n != 23 {
		t.Errorf("%d tries, want 20 and 3", n)
	}
	if dead := fileLines(filepath.Join(dir, "dead.ndjson")); len(dead) != 1 ||
		dead[0] != `{"body":{"a":1,"id":"x"},"type":"application/json"}` {
		t.Errorf("%q", dead)
	}
	if !strings.Contains(log.String(), `msg="dead letter" node=sum subject=jobs.new id=x`) {
		t.Errorf("%s", log.String())
	}
}

// TestNatsBuried: a message that its producer let the server accept at one place of its stream only becomes a dead letter
// nevertheless.
func TestNatsBuried(t *testing.T) {
	dir := t.TempDir()
	var server flow.NATSServer
	start := func(o flow.NATSOptions) (s flow.NATSServer, err error) {
		server, err = natsserver.Start(o)
		return server, err
	}
	f, err := flow.Parse("flow.yaml", []byte(`
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: keep}}}
- {kind: nats, name: broker, store: "${DIR}/store"}
- {kind: nats, name: keep, publish: jobs.new}
- {kind: nats, name: work, consume: jobs.new, tries: 1, wait: 1s, links: {out: {name: wrong}}}
- {kind: map, name: wrong, set: {a: 1}, links: {out: {name: nothing}}}
- {kind: snippet, name: nothing, code: x}
- {kind: nats, name: dead, consume: jobs.new.dead, links: {out: {name: letters}}}
- {kind: file, name: letters, write: "${DIR}/dead.ndjson"}
`), flow.EmbedNATS(start), env("DIR", dir))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	waitFor(t, "an address", func() bool { return f.Addr("server") != nil })
	j := http.Header{"Content-Type": {"application/json"}}
	for range 2 {
		if resp, text := request(t, "http://"+f.Addr("server").String(), "POST /", j, `{}`); resp.StatusCode != 202 {
			t.Fatal(resp.StatusCode, text)
		}
	}
	conn, err := nats.Connect("", nats.InProcessServer(server))
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	msg := nats.NewMsg("jobs.new")
	msg.Data = []byte(`[3]`)
	msg.Header.Set("Content-Type", "application/json")
	if _, err := js.PublishMsg(ctx, msg, jetstream.WithExpectLastSequence(2)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the dead letter", func() bool { return fileLines(filepath.Join(dir, "dead.ndjson"))[0] == "[3]" })
	conn.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestNatsKept checks that what was acknowledged is there when the flow has ended and begins again.
func TestNatsKept(t *testing.T) {
	dir := t.TempDir()
	opts := []flow.Option{flow.EmbedNATS(natsserver.Start), env("DIR", dir)}
	url, _ := serve(t, `
- {kind: http, name: server, address: "127.0.0.1:0", links: {out: {name: keep}}}
- {kind: nats, name: keep, publish: jobs.new}
- {kind: nats, name: broker, store: "${DIR}/first"}
`, opts...)
	if resp, text := request(t, url, "POST /", nil, "a text"); resp.StatusCode != 202 {
		t.Fatalf("%d %s", resp.StatusCode, text)
	}
	const keep = "- {kind: nats, name: broker, store: '${DIR}/store'}\n- {kind: nats, name: keep, publish: jobs.new}\n" +
		"- {kind: stdin, name: in, links: {out: {name: keep}}}\n"
	if err := finish(t, keep, append(opts, flow.Streams(strings.NewReader("1\n2\n3\n"), nil))...); err != nil {
		t.Fatal(err)
	}
	f, err := flow.Parse("flow.yaml", []byte("- {kind: nats, name: broker, store: '${DIR}/store'}\n"+
		"- {kind: nats, name: work, consume: jobs.new, links: {out: {name: out}}}\n- {kind: file, name: out, write: '${DIR}/out.ndjson'}\n"),
		opts...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	waitFor(t, "the messages", func() bool { return len(fileLines(filepath.Join(dir, "out.ndjson"))) == 3 })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestNatsCheck has what is said of documents.
func TestNatsCheck(t *testing.T) {
	const in = "- {kind: stdin, name: i, links: {out: {name: p}}}\n"
	for _, tt := range []struct{ name, doc, want string }{
		{"cluster", in + "- {kind: nats, name: p, publish: a}\n- {kind: nats, name: s, url: 'nats://h'}",
			`3:30: warning: NATS servers acknowledge before they sync, every two minutes unless sync_interval says otherwise: ` +
				`a power cut takes what was acknowledged since: set sync_interval: always there, and sync: always here to say so`},
		{"cluster that syncs", in + "- {kind: nats, name: p, publish: a}\n- {kind: nats, name: s, url: 'nats://h', sync: always}", ""},
		{"loses", in + "- {kind: nats, name: p, publish: a}\n- {kind: nats, name: s, store: x, sync: loses-two-minutes}",
			`3:10: warning: messages are acknowledged before they are synced: a power cut takes those of the last two minutes`},
		{"both", in + "- {kind: nats, name: p, publish: a}\n- {kind: nats, name: s, url: 'nats://h', sync: always, store: x}",
			`3:30: the URL of servers beside store or listen, which are of one in the process: leave one of them out`},
		{"several", in + "- {kind: nats, name: p, publish: a}\n- {kind: nats, name: s, store: x}\n- {kind: nats, name: t, store: y}",
			`2:10: there are several servers, "s" and "t": add server: NODE`},
		{"no such server", in + "- {kind: nats, name: p, publish: a, server: x}", `2:45: there is no node "x" of kind nats with url or store`},
		{"subject", in + "- {kind: nats, name: p, publish: 'a.*'}",
			`2:34: "a.*" is not a subject: expected words with dots between them, such as orders.new`},
		{"workers", "- {kind: nats, name: c, consume: 'a.>', workers: 0, dead: d, links: {out: {name: o}}}\n- {kind: stdout, name: o}",
			`1:10: a node that consumes has 1 to 10000 workers, at least 1 of tries, and a wait of at least 100ms`},
		{"sync", "- {kind: nats, name: s, sync: never}", `1:31: "never" is not possible here: there is always, loses-two-minutes`},
		{"listen", "- {kind: nats, name: s, listen: 4222}", `1:33: "4222" is not an address: expected HOST:PORT or :PORT`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "f.yaml")
			if err := os.WriteFile(name, []byte(tt.doc), 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := flow.Check([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(found.String(), name+":", ""); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	if err := finish(t, in+"- {kind: nats, name: p, publish: a}\n"); err == nil || !strings.Contains(err.Error(), "EmbedNATS") {
		t.Errorf("without a server in the program: %v", err)
	}
}
