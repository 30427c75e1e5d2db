package web_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/web"
)

type pet struct {
	Name string   `json:"name" check:"required,minLength=1"`
	Age  int      `json:"age" check:"maximum=30"`
	Tags []string `json:"tags,omitempty" check:"items.pattern=^[a-z]+$"`
}

// server echoes pets; a pet by the name of error is one.
func server(t *testing.T, opts ...weft.Options) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(web.Handle(func(r *http.Request, p pet) (pet, error) {
		switch p.Name {
		case "secret":
			return p, errors.New("the password is x")
		case "taken":
			return p, &web.Problem{Title: "Conflict", Status: http.StatusConflict, Detail: "there is one already"}
		case "invalid":
			return p, schema.Validate(pet{Age: 31})
		case "unstatused":
			return p, &web.Problem{Title: "none"}
		case "informed":
			return p, &web.Problem{Title: "none", Status: http.StatusContinue}
		}
		return p, nil
	}, opts...))
	t.Cleanup(s.Close)
	return s
}

// send sends a body with headers, written as NAME: VALUE, and returns the answer and its body.
func send(t *testing.T, s *httptest.Server, method, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

func pack(f weft.Format, v any) string {
	b, err := f.MarshalAppend(nil, v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func gzipped(text string) string {
	b, err := compress.NewGzip().Append(nil, []byte(text))
	if err != nil {
		panic(err)
	}
	return string(b)
}

var rex = pet{Name: "rex", Age: 3}

func TestNegotiation(t *testing.T) {
	s := server(t)
	text := `{"name":"rex","age":3}`
	for _, tt := range []struct {
		name, body string
		headers    []string
		status     int
		mediaType  string // of the answer
		answer     string
	}{
		{"plain", text, nil, 200, "application/json", text},
		{"json", text, []string{"Content-Type: application/json"}, 200, "application/json", text},
		{"charset", text, []string{"Content-Type: application/json; charset=UTF-8"}, 200, "application/json", text},
		{"suffix", text, []string{"Content-Type: application/vnd.pets.v1+json"}, 200, "application/json", text},
		{"msgpack in", pack(msgpack.Format, rex), []string{"Content-Type: application/msgpack"}, 200, "application/json", text},
		{"cbor in", pack(cbor.Format, rex), []string{"Content-Type: application/cbor"}, 200, "application/json", text},
		{"cbor suffix", pack(cbor.Format, rex), []string{"Content-Type: application/senml+cbor"}, 200, "application/json", text},
		{"msgpack out", text, []string{"Accept: application/msgpack"}, 200, "application/vnd.msgpack", pack(msgpack.Format, rex)},
		{"cbor out", text, []string{"Accept: application/json;q=0.5, application/cbor"}, 200, "application/cbor", pack(cbor.Format, rex)},
		{"any", text, []string{"Accept: text/html, */*;q=0.1"}, 200, "application/json", text},
		{"two headers", text, []string{"Accept: text/html", "Accept: application/cbor"}, 200, "application/cbor", pack(cbor.Format, rex)},
		{"gzip in", gzipped(text), []string{"Content-Encoding: gzip"}, 200, "application/json", text},
		{"latin-1", text, []string{"Content-Type: application/json; charset=iso-8859-1"}, 415, "application/problem+json", ""},
		{"form", "name=rex", []string{"Content-Type: application/x-www-form-urlencoded"}, 415, "application/problem+json", ""},
		{"no type", text, []string{"Content-Type: ;"}, 415, "application/problem+json", ""},
		{"brotli", text, []string{"Content-Encoding: br"}, 415, "application/problem+json", ""},
		{"not acceptable", text, []string{"Accept: text/html"}, 406, "application/problem+json", ""},
		{"none acceptable", text, []string{"Accept: */*;q=0"}, 406, "application/problem+json", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := send(t, s, "POST", tt.body, tt.headers...)
			if resp.StatusCode != tt.status || resp.Header.Get("Content-Type") != tt.mediaType || tt.answer != "" && body != tt.answer {
				t.Errorf("%d %q %q", resp.StatusCode, resp.Header, body)
			}
			if (resp.StatusCode == 200) != (resp.Header.Get("Vary") == "Accept") && tt.status != 406 {
				t.Errorf("Vary: %q", resp.Header["Vary"])
			}
			if says := resp.Header.Get("Accept") + resp.Header.Get("Accept-Encoding"); (tt.status == 415) != (says != "") {
				t.Errorf("what is accepted: %q", says)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	s := server(t, web.MaxSize(1000))
	for _, tt := range []struct {
		name, method, body string
		headers            []string
		status             int
		want               string
	}{
		{"empty", "POST", "", nil, 400, `"pointer":"#","offset":0}]}`},
		{"syntax", "POST", `{"name":}`, nil, 400, `"pointer":"#","offset":8}]}`},
		{"trailing", "POST", `{"name":"rex"} x`, nil, 400, `"offset":15}]}`},
		{"msgpack cut", "POST", "\x81\xa4na", []string{"Content-Type: application/msgpack"}, 400, `"detail":"unexpected end of input"`},
		{"cbor cut", "POST", "\xa1", []string{"Content-Type: application/cbor"}, 400, `"errors":[{`},
		{"type", "POST", `{"name":"rex","age":"x"}`, nil, 422, `"pointer":"#/age","offset":20}]}`},
		{"twice", "POST", `{"name":"rex","name":"max"}`, nil, 422, `"detail":"duplicate member name","pointer":"#/name","offset":14}]}`},
		{"not UTF-8", "POST", "{\"name\":\"r\xff\"}", nil, 422, `"pointer":"#/name"`},
		{"missing", "POST", `{}`, nil, 422, `"detail":"missing required member \"name\"","pointer":"#","offset":`},
		{"one rule", "POST", `{"name":""}`, nil, 422,
			`"detail":"json: at /name, offset 8: must have at least 1 character, not 0",` +
				`"errors":[{"detail":"must have at least 1 character, not 0","pointer":"#/name","offset":8}]}`},
		{"three rules", "POST", `{"name":"","age":31,"tags":["a","B"]}`, nil, 422,
			`"detail":"3 values are not allowed","errors":[{"detail":"must have at least 1 character, not 0",` +
				`"pointer":"#/name","offset":8},{"detail":"must be at most 30, not 31","pointer":"#/age","offset":17},` +
				`{"detail":"must match ^[a-z]+$, not \"B\"","pointer":"#/tags/1","offset":32}]}`},
		{"rules in msgpack", "POST", pack(msgpack.Format, map[string]any{"name": "x", "age": 31}),
			[]string{"Content-Type: application/msgpack"}, 422, `"pointer":"#/age"`},
		{"too large", "POST", strings.Repeat(" ", 1001), nil, 413, `at most 1000`},
		{"too large in gzip", "POST", gzipped(strings.Repeat(" ", 5000)), []string{"Content-Encoding: gzip"}, 413, `at most 1000`},
		{"no gzip", "POST", "{}", []string{"Content-Encoding: gzip"}, 400, `"detail":"gzip: `},
		{"get", "GET", "", nil, 200, `{"name":"","age":0}`},
		{"own", "POST", `{"name":"taken"}`, nil, 409, `{"title":"Conflict","status":409,"detail":"there is one already"}`},
		{"own without status", "POST", `{"name":"unstatused"}`, nil, 500, `{"title":"none","status":500}`},
		{"own with the status of no answer", "POST", `{"name":"informed"}`, nil, 500, `{"title":"none","status":500}`},
		{"not told", "POST", `{"name":"secret"}`, nil, 500, `{"title":"Internal Server Error","status":500}`},
		{"validated", "POST", `{"name":"invalid"}`, nil, 422,
			`"errors":[{"detail":"must have at least 1 character, not 0","pointer":"#/name"},` +
				`{"detail":"must be at most 30, not 31","pointer":"#/age"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := send(t, s, tt.method, tt.body, tt.headers...)
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.want) || tt.status != 200 &&
				resp.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%d %q %s\nwant %d %s", resp.StatusCode, resp.Header, body, tt.status, tt.want)
			}
		})
	}
}

// A body without a length is cut where it becomes too large; what just fits is read, and is not a pet.
func TestTooLargeStream(t *testing.T) {
	s := server(t, web.MaxSize(10))
	for n, want := range map[int]int{10: 422, 11: 413} {
		text := io.MultiReader(strings.NewReader(`"`), strings.NewReader(strings.Repeat("x", n-2)+`"`))
		req, err := http.NewRequestWithContext(t.Context(), "POST", s.URL, text)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%d bytes: %d, want %d", n, resp.StatusCode, want)
		}
	}
}

// The largest limit is one, and an empty body of a GET is none, whatever its type.
func TestLimits(t *testing.T) {
	for _, tt := range []struct{ method, body, want string }{
		{"POST", `{"name":"rex","age":3}`, `{"name":"rex","age":3}`},
		{"GET", "", `{"name":"","age":0}`},
	} {
		w := httptest.NewRecorder()
		web.Handle(func(r *http.Request, p pet) (pet, error) { return p, nil }, web.MaxSize(math.MaxInt64)).
			ServeHTTP(w, httptest.NewRequest(tt.method, "/", strings.NewReader(tt.body)))
		if w.Code != 200 || w.Body.String() != tt.want {
			t.Errorf("%s: %d %s", tt.method, w.Code, w.Body)
		}
	}
}

func TestCompress(t *testing.T) {
	s := server(t, web.Compress(true))
	long := pack(json.Format, pet{Name: strings.Repeat("x", 2000)})
	for _, tt := range []struct{ name, body, accept, want string }{
		{"short", `{"name":"rex","age":3}`, "gzip", ""},
		{"gzip", long, "gzip", "gzip"},
		{"zstd", long, "gzip, zstd, br", "zstd"},
		{"preferred", long, "gzip, zstd;q=0.5", "gzip"},
		{"identity preferred", long, "gzip;q=0.5, identity", ""},
		{"none", long, "", ""},
		{"refused", long, "gzip;q=0", ""},
		{"unknown", long, "br", ""},
		{"all", long, "*", "zstd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := send(t, s, "POST", tt.body, "Accept-Encoding: "+tt.accept)
			if got := resp.Header.Get("Content-Encoding"); got != tt.want {
				t.Fatalf("%q, want %q", got, tt.want)
			}
			var got pet
			resp.Body = io.NopCloser(strings.NewReader(body))
			if err := web.ReadResponse(resp, &got); err != nil || pack(json.Format, got) != tt.body && tt.body == long {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

func TestWrite(t *testing.T) {
	for _, tt := range []struct {
		name, accept, own string
		v                 any
		want              string // Content-Type and body
		fails             bool
	}{
		{"value", "", "", rex, `application/json {"name":"rex","age":3}`, false},
		{"no body", "text/html", "", nil, ` `, false},
		{"own type", "application/cbor", "application/hal+json", rex, `application/hal+json {"name":"rex","age":3}`, false},
		{"no value of JSON", "", "", make(chan int), ` `, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
			if tt.accept != "" {
				r.Header.Set("Accept", tt.accept)
			}
			if tt.own != "" {
				w.Header().Set("Content-Type", tt.own)
			}
			err := web.Write(w, r, http.StatusCreated, tt.v)
			if got := w.Header().Get("Content-Type") + " " + w.Body.String(); got != tt.want || (err != nil) != tt.fails ||
				err == nil && w.Code != 201 {
				t.Errorf("%d %s, %v", w.Code, got, err)
			}
		})
	}
}

func TestReadResponse(t *testing.T) {
	s := server(t)
	post := func(body string) error {
		req, err := http.NewRequestWithContext(context.Background(), "POST", s.URL, strings.NewReader(body))
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return web.ReadResponse(resp, new(pet))
	}
	if err := post(`{"name":"rex"}`); err != nil {
		t.Error(err)
	}
	p, ok := errors.AsType[*web.Problem](post(`{"name":"","age":31}`))
	if !ok || p.Status != 422 || len(p.Errors) != 2 || p.Errors[1].Pointer != "#/age" ||
		p.Error() != "web: 422 Unprocessable Entity: 2 values are not allowed" {
		t.Errorf("%v", p)
	}
	resp := &http.Response{StatusCode: 502, Body: io.NopCloser(strings.NewReader("<html>"))}
	if err := web.ReadResponse(resp, nil); err == nil || err.Error() != "web: 502 Bad Gateway" {
		t.Error(err)
	}
	resp = &http.Response{StatusCode: 204, Body: http.NoBody}
	if err := web.ReadResponse(resp, nil); err != nil {
		t.Error(err)
	}
}

// What is read does not point into memory that is used again.
func TestMemory(t *testing.T) {
	for _, alias := range []bool{false, true} {
		var first, other pet
		read := func(p *pet, name string) {
			r := httptest.NewRequest("POST", "/", bytes.NewReader([]byte(`{"name":"`+name+`"}`)))
			if err := web.Read(r, p, weft.AliasInput(alias)); err != nil {
				t.Fatal(err)
			}
		}
		read(&first, "aaaa")
		for range 10 {
			read(&other, "bbbb")
		}
		if first.Name != "aaaa" {
			t.Errorf("alias %t: %s", alias, first.Name)
		}
	}
}
