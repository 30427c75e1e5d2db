package flow_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace/noop"

	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/flow/natsserver"
	"github.com/weftcodec/weft/json"
)

const hello = `
- {kind: http, name: server, address: "${ADDR}", links: {out: {name: hello}}}
- {kind: snippet, name: hello, code: hello}
`

func ExampleParse() {
	f, err := flow.Parse("hello.yaml", []byte(hello), flow.Env(func(name string) (string, bool) {
		return ":8000", name == "ADDR" // what ${ADDR} stands for
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	f.Handler("server").ServeHTTP(w, httptest.NewRequest("GET", "/", nil)) // in a server of the program's own
	fmt.Println(w.Code, w.Body)
	// Output: 200 hello
}

func ExampleLoad() {
	f, err := flow.Load("testdata/ping.yaml",
		flow.Log(slog.New(slog.NewTextHandler(os.Stderr, nil))), // what goes wrong
		flow.Drain(5*time.Second),                               // for requests in progress at the end
		flow.Watch(true),                                        // load it again when it changes
		flow.Trace(noop.NewTracerProvider().Tracer("ping")),     // spans of OpenTelemetry
		flow.EmbedNATS(natsserver.Start),                        // for nodes of kind nats without a url
		flow.Listen(func(network, _ string) (net.Listener, error) { return net.Listen(network, "127.0.0.1:0") }),
	)
	if err != nil {
		fmt.Println(err) // a line for each mistake
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	for f.Addr("server") == nil {
		time.Sleep(time.Millisecond)
	}
	resp, err := http.Get("http://" + f.Addr("server").String() + "/ping")
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(body), err)
	cancel()
	fmt.Println(<-done)
	// Output:
	// 200 pong <nil>
	// <nil>
}

// A document in several files, here in memory.
func ExampleLoadFiles() {
	files := map[string]string{
		"in.yaml":  "- {kind: stdin, name: in, format: text, links: {out: {name: count}}}\n",
		"out.yaml": "- {kind: map, name: count, body: 'len(body)', links: {out: {name: out}}}\n- {kind: stdout, name: out}\n",
	}
	f, err := flow.LoadFiles([]string{"in.yaml", "out.yaml"},
		flow.Read(func(name string) ([]byte, error) { return []byte(files[name]), nil }),
		flow.Streams(strings.NewReader("one\nthree\n"), os.Stdout))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := f.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3
	// 5
}

func ExampleCheck() {
	found, err := flow.Check([]string{"hello.yaml"}, flow.Read(func(string) ([]byte, error) {
		return []byte("- {kind: http, name: server, address: 8000, links: {out: {name: helo}}}\n- {kind: snippet, name: hello}\n"), nil
	}))
	fmt.Println(found, err)
	// Output:
	// hello.yaml:1:39: "8000" is not an address: expected HOST:PORT or :PORT
	// hello.yaml:1:65: the link leads to "helo", which is not a node: did you mean "hello"?
	// hello.yaml:2:3: the field "code" is missing: add code, the text, the value, or the expression that makes it
	// hello.yaml:2:10: warning: no link leads to "hello": it never runs <nil>
}

func ExampleReplay() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	document, recording := filepath.Join(dir, "f.yaml"), filepath.Join(dir, "traffic.ndjson")
	write := func(answer string) {
		text := `- {kind: http, name: server, address: ":8000", links: {out: {name: hello}}}` + "\n" +
			`- {kind: snippet, name: hello, code: ` + answer + "}\n"
		if err := os.WriteFile(document, []byte(text), 0o600); err != nil {
			fmt.Println(err)
		}
	}
	write("hello")
	f, err := flow.Load(document, flow.Record(recording))
	if err != nil {
		fmt.Println(err)
		return
	}
	f.Handler("server").ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))

	write("goodbye") // the document changes
	results, err := flow.Replay(recording, []string{document})
	for _, r := range results {
		fmt.Println(r.Name, len(r.Failures), err)
	}
	// Output: GET / 1 <nil>
}

func ExampleSchema() {
	var s struct {
		Schema string `json:"$schema"`
	}
	err := json.Unmarshal(flow.Schema(), &s) // write it to a file for editors that check YAML
	fmt.Println(s.Schema, err)
	// Output: https://json-schema.org/draft/2020-12/schema <nil>
}
