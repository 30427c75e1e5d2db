//go:build unix

package gateway

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/go-chi/chi/v5"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/valyala/fasthttp"
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/flow"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/value"
)

const (
	pingFile = "../../flow/testdata/ping.yaml"
	contract = "../../flow/testdata/rows.yaml"
)

// documents are those that are measured.
var documents = map[string]string{
	"gateway": `
- {kind: http, name: server, address: ":1", maxBody: 64MiB, links: {out: {name: edge}}}
- {kind: transcode, name: edge, links: {out: {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}", maxAnswer: 64MiB}
`,
	"contract": `
- {kind: http, name: server, address: ":1", maxBody: 64MiB, links: {out: {name: edge}}}
- {kind: transcode, name: edge, links: {out: {name: check}}}
- {kind: validate, name: check, openapi: ` + contract + `, links: {out: {name: api}}}
- {kind: client, name: api, url: "${UPSTREAM}", maxAnswer: 64MiB}
`,
}

// server returns what is measured.
func server(what, upstream string) http.Handler {
	switch what {
	case "net/http":
		mux := http.NewServeMux()
		mux.HandleFunc("GET /ping", pong)
		return mux
	case "chi":
		r := chi.NewRouter()
		r.Get("/ping", pong)
		return r
	case "ping":
		f, err := flow.Load(pingFile)
		must(err)
		return f.Handler("server")
	case "proxy":
		return proxy(upstream)
	case "proxy+zstd":
		return zstdProxy(proxy(upstream))
	case "proxy+kin":
		return kinProxy(proxy(upstream))
	case "proxy+pb33f":
		return pb33fProxy(proxy(upstream))
	case "structs", "compiled", "reflective":
		return nodes(what)
	}
	f, err := flow.Parse("f.yaml", []byte(documents[what]), flow.Env(func(name string) (string, bool) { return upstream, name == "UPSTREAM" }))
	must(err)
	return f.Handler("server")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func pong(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "pong")
}

// serveFast serves ping by fasthttp, and returns where.
func serveFast() string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	go func() {
		must(fasthttp.Serve(ln, func(c *fasthttp.RequestCtx) {
			if string(c.Path()) != "/ping" {
				c.NotFound()
				return
			}
			c.SetContentType("text/plain; charset=utf-8")
			c.SetBodyString("pong")
		}))
	}()
	return "http://" + ln.Addr().String()
}

// proxy is what a gateway is compared with.
func proxy(upstream string) http.Handler {
	u, err := url.Parse(upstream)
	must(err)
	p := httputil.NewSingleHostReverseProxy(u)
	p.Transport = &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	return p
}

// zstdProxy is a proxy that does nothing but to decompress requests and to compress answers, with the codec
// that flow has, in memory.
func zstdProxy(h http.Handler) http.Handler {
	codec := compress.NewZstd(compress.Level(1))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		short, err := io.ReadAll(r.Body)
		must(err)
		body, err := codec.Decompress(nil, short)
		must(err)
		r.Header.Del("Content-Encoding")
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		answer := &kept{header: w.Header()}
		h.ServeHTTP(answer, r)
		out, err := codec.Append(nil, answer.b.Bytes())
		must(err)
		w.Header().Set("Content-Encoding", "zstd")
		w.Header().Set("Content-Length", strconv.Itoa(len(out)))
		w.WriteHeader(answer.status)
		_, _ = w.Write(out)
	})
}

// kept is an answer in memory.
type kept struct {
	header http.Header
	status int
	b      bytes.Buffer
}

func (k *kept) Header() http.Header         { return k.header }
func (k *kept) WriteHeader(status int)      { k.status = status }
func (k *kept) Write(p []byte) (int, error) { return k.b.Write(p) }

// kinProxy is a proxy that checks requests and answers by kin-openapi.
func kinProxy(h http.Handler) http.Handler {
	doc, err := openapi3.NewLoader().LoadFromFile(contract)
	must(err)
	router, err := legacy.NewRouter(doc)
	must(err)
	return openapi3filter.NewValidator(router, openapi3filter.Strict(true)).Middleware(h)
}

// pb33fProxy is a proxy that checks requests and answers by libopenapi-validator.
func pb33fProxy(h http.Handler) http.Handler {
	text, err := os.ReadFile(contract)
	must(err)
	doc, err := libopenapi.NewDocument(text)
	must(err)
	check, errs := validator.NewValidator(doc)
	must(errors.Join(errs...))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ok, found := check.ValidateHttpRequestSync(r); !ok { // which leaves the body to be read again
			http.Error(w, found[0].Error(), http.StatusUnprocessableEntity)
			return
		}
		answer := &kept{header: w.Header()}
		h.ServeHTTP(answer, r)
		resp := &http.Response{StatusCode: answer.status, Header: answer.header, Body: io.NopCloser(bytes.NewReader(answer.b.Bytes()))}
		if ok, found := check.ValidateHttpResponse(r, resp); !ok {
			http.Error(w, found[0].Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.b.Bytes())
	})
}

// rows returns a value of about size bytes.
func rows(size int) value.Value {
	var list []value.Value
	for i := range max(size/80, 1) {
		list = append(list, value.Map(
			value.Member{Name: "id", Value: value.Int(int64(i) << 33)},
			value.Member{Name: "name", Value: value.String(strings.Repeat("é", i%20))},
			value.Member{Name: "price", Value: value.Float(float64(i) / 7)},
			value.Member{Name: "tags", Value: value.List(value.Bool(true), value.Null(), value.Int(-1))},
		))
	}
	return value.Map(value.Member{Name: "rows", Value: value.List(list...)}, value.Member{Name: "end", Value: value.Bool(true)})
}

// traffic is what clients send, and what they get, for rows of a size.
type traffic struct {
	upstream            string
	plain, pack, zipped *exchange // JSON, MessagePack with zstd, and JSON with zstd
}

func newTraffic(t *testing.T, size int) *traffic {
	v := rows(size)
	body, err := json.Format.MarshalAppend(nil, v)
	must(err)
	zstd := compress.NewZstd(compress.Level(1))
	encoded := func(f weft.Format) []byte {
		b, err := f.MarshalAppend(nil, v)
		must(err)
		b, err = zstd.Append(nil, b)
		must(err)
		return b
	}
	same := func(f weft.Format) func(b []byte) bool {
		return func(b []byte) bool {
			var got value.Value
			b, err := zstd.Decompress(nil, b)
			return err == nil && f.Unmarshal(b, &got) == nil && value.Equal(got, v)
		}
	}
	tr := &traffic{
		plain: &exchange{method: "POST", path: "/rows", body: body,
			header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
			good:   func(b []byte) bool { return bytes.Equal(b, body) }},
		pack: &exchange{method: "POST", path: "/rows", body: encoded(msgpack.Format), good: same(msgpack.Format),
			header: http.Header{"Content-Type": {"application/msgpack"}, "Content-Encoding": {"zstd"}, "Accept": {"application/msgpack"},
				"Accept-Encoding": {"zstd"}}},
		zipped: &exchange{method: "POST", path: "/rows", body: encoded(json.Format), good: same(json.Format),
			header: http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"zstd"}, "Accept": {"application/json"},
				"Accept-Encoding": {"zstd"}}},
	}
	tr.upstream = serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
	return tr
}

// serve serves h until the test ends.
func serve(t *testing.T, h http.HandlerFunc) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(ln) }()
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + ln.Addr().String()
}

// measuring reports whether figures are wanted, and not only that all do the same.
func measuring(name string) bool { return strings.Contains(os.Getenv("GATEWAY_CPU"), name) }
