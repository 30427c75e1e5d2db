package flow_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

const transcoder = `
- kind: http
  name: server
  address: "127.0.0.1:0"
  maxBody: 20MiB
  links: {out: {name: edge}}
- kind: transcode
  name: edge
  to: "${TO:-json}"
  compress: "${COMPRESS:-none}"
  window: "${WINDOW:-64KiB}"
  answer: "${ANSWER:-negotiate}"
  links: {out: {name: client}}
- {kind: client, name: client, url: "${UPSTREAM}"}
`

var (
	formats = map[string]weft.Format{"json": json.Format, "msgpack": msgpack.Format, "cbor": cbor.Format, "tagged": tagged.Format}
	types   = map[string]string{"json": "application/json", "msgpack": "application/msgpack", "cbor": "application/cbor",
		"tagged": "application/x-weft-tagged"}
	coders = map[string]*compress.Codec{"gzip": compress.NewGzip(), "zstd": compress.NewZstd()}
)

// packed returns v in a format and a compression.
func packed(t testing.TB, v value.Value, format, coding string) []byte {
	t.Helper()
	b, err := formats[format].MarshalAppend(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if c := coders[coding]; c != nil {
		if b, err = c.Append(nil, b); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// unpacked returns the value of a body.
func unpacked(t testing.TB, b []byte, mediaType, coding string) value.Value {
	t.Helper()
	if c := coders[coding]; c != nil {
		var err error
		if b, err = c.Decompress(nil, b); err != nil {
			t.Errorf("%s: %v", coding, err)
			return value.Null()
		}
	}
	for name, typ := range types {
		if typ == mediaType {
			var v value.Value
			if err := formats[name].Unmarshal(b, &v); err != nil {
				t.Errorf("%s: %v: %.100q", name, err, b)
			}
			return v
		}
	}
	t.Errorf("a body of %q", mediaType)
	return value.Null()
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

// TestTranscode has all pairs of formats and compressions, of bodies below and above the window, with and
// without a length.
func TestTranscode(t *testing.T) {
	type asked struct {
		header http.Header
		body   []byte
	}
	var got asked
	var answer func(w http.ResponseWriter)
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = asked{r.Header, b}
		answer(w)
	})
	for _, to := range []string{"json", "msgpack", "cbor", "tagged"} {
		for _, behind := range []string{"none", "gzip", "zstd"} {
			front, _ := serve(t, transcoder, env("UPSTREAM", upstream, "TO", to, "COMPRESS", behind))
			for _, from := range []string{"json", "msgpack", "cbor", "tagged"} {
				for _, coding := range []string{"", "gzip", "zstd"} {
					for _, size := range []int{100, 100 << 10, 700 << 10} {
						if size == 700<<10 && (testing.Short() || from == "tagged" || to == "tagged") {
							continue
						}
						name := fmt.Sprintf("%s %s to %s %s %d", from, coding, to, behind, size)
						t.Run(name, func(t *testing.T) {
							v := rows(size)
							if from == "tagged" || to == "tagged" {
								v = value.Map(value.Member{Name: "list", Value: value.List(value.String(strings.Repeat("abc", size/3)))})
							}
							answer = func(w http.ResponseWriter) {
								w.Header().Set("Content-Type", types[to])
								w.Header().Set("Etag", `"1"`)
								b := packed(t, v, to, strings.TrimPrefix(behind, "none"))
								if behind != "none" {
									w.Header().Set("Content-Encoding", behind)
								}
								if size > 1000 {
									w.(http.Flusher).Flush() // no length
								}
								_, _ = w.Write(b)
							}
							h := http.Header{"Content-Type": {types[from]}, "Accept": {types[from]}}
							if coding != "" {
								h["Content-Encoding"], h["Accept-Encoding"] = []string{coding}, []string{coding}
							}
							resp, text := request(t, front, "POST /", h, string(packed(t, v, from, coding)))
							if resp.StatusCode != 200 {
								t.Fatalf("%s %s", resp.Status, text)
							}
							if x := unpacked(t, got.body, got.header.Get("Content-Type"), got.header.Get("Content-Encoding")); !x.Equal(v) ||
								got.header.Get("Content-Type") != types[to] || got.header.Get("Content-Encoding") != strings.TrimPrefix(behind, "none") {
								t.Errorf("the service got %.200v, %v", x, got.header)
							}
							if x := unpacked(t, []byte(text), resp.Header.Get("Content-Type"), resp.Header.Get("Content-Encoding")); !x.Equal(v) ||
								resp.Header.Get("Content-Type") != types[from] || coding == "" && resp.Header.Get("Content-Encoding") != "" {
								t.Errorf("the client got %.200v, %v", x, resp.Header)
							}
							if same := from == to && coding == strings.TrimPrefix(behind, "none"); size > 1000 && same != (resp.Header.Get("Etag") == `"1"`) {
								t.Errorf("entity tag %s", resp.Header.Get("Etag"))
							}
						})
					}
				}
			}
		}
	}
}

// TestNegotiate has what clients accept of an answer in JSON of 2000 bytes.
func TestNegotiate(t *testing.T) {
	var got http.Header
	long := packed(t, rows(2000), "json", "")
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		b := long
		switch r.URL.Path {
		case "/short":
			b = b[:0:0]
			b = append(b, `{"a":1.25}`...)
		case "/text":
			w.Header().Set("Content-Type", "text/html")
		case "/image":
			w.Header().Set("Content-Type", "image/png")
		case "/partial":
			w.WriteHeader(206)
		case "/fixed":
			w.Header().Set("Cache-Control", "no-transform")
		case "/problem":
			w.Header().Set("Content-Type", "application/problem+json")
		case "/bad":
			b = []byte(`{"a":`)
		case "/digits":
			b = []byte(`{"a":0.12345678901234567890123}`)
		case "/none":
			w.WriteHeader(204)
			return
		}
		_, _ = w.Write(b)
	})
	front, _ := serve(t, transcoder, env("UPSTREAM", upstream))
	const jsonType, pack = "application/json; charset=utf-8", "application/msgpack"
	for _, tt := range []struct {
		line, accept, encoding string
		mediaType, coding      string // of the answer
		status                 int
	}{
		{"GET /", "", "", jsonType, "", 200},
		{"GET /", "*/*", "gzip, deflate, br", jsonType, "gzip", 200},
		{"GET /", pack, "", pack, "", 200},
		{"GET /", "application/*, application/msgpack;q=0.5", "", jsonType, "", 200},
		{"GET /", "application/json;q=0.5, application/x-msgpack", "zstd;q=0.1, gzip;q=0.2", pack, "gzip", 200},
		{"GET /", "application/json;q=0, */*;q=0.1", "identity, gzip;q=0", pack, "", 200},
		{"GET /", "image/png", "br", jsonType, "", 200},
		{"GET /", "text/html, application/msgpack;q=0.001", "*", pack, "zstd", 200},
		{"GET /short", pack, "zstd", pack, "", 200},
		{"GET /text", pack, "gzip", "text/html", "gzip", 200},
		{"GET /image", pack, "gzip", "image/png", "", 200},
		{"GET /partial", pack, "gzip", jsonType, "", 206},
		{"GET /fixed", pack, "gzip", jsonType, "", 200},
		{"GET /problem", pack, "", "application/problem+msgpack", "", 200},
		{"GET /bad", "", "", jsonType, "", 200}, // nobody looks into it
		{"GET /bad", pack, "", "application/problem+json", "", 502},
		{"GET /digits", pack, "", "application/problem+json", "", 502},
		{"GET /none", pack, "gzip", jsonType, "", 204},
		{"HEAD /", pack, "gzip", jsonType, "", 200},
	} {
		t.Run(tt.line+" "+tt.accept+" "+tt.encoding, func(t *testing.T) {
			h := make(http.Header)
			if tt.accept != "" {
				h.Set("Accept", tt.accept)
			}
			if tt.encoding != "" {
				h.Set("Accept-Encoding", tt.encoding)
			}
			resp, text := request(t, front, tt.line, h, "")
			if resp.StatusCode != tt.status || resp.Header.Get("Content-Type") != tt.mediaType || resp.Header.Get("Content-Encoding") != tt.coding {
				t.Errorf("%s %v %.100q, asked with %v", resp.Status, resp.Header, text, got)
			}
			if tt.mediaType == pack && tt.line == "GET /" {
				if v := unpacked(t, []byte(text), pack, tt.coding); !v.Equal(rows(2000)) {
					t.Errorf("%.200v", v)
				}
			}
			if tt.status == 200 && tt.line == "GET /" && resp.Header.Get("Vary") == "" {
				t.Error("no Vary")
			}
		})
	}
}

// TestTranscodeHostile sends bodies that are not what they say, or more than they seem.
func TestTranscodeHostile(t *testing.T) {
	reached := false
	upstream := backend(t, func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			reached = true
		}
	})
	front, _ := serve(t, strings.Replace(transcoder, "20MiB", "1MiB", 1), env("UPSTREAM", upstream))
	zeros := bytes.Repeat([]byte{'0'}, 64<<20)
	gzipBomb, _ := coders["gzip"].Append(nil, append([]byte{'"'}, zeros...))
	zstdBomb, _ := coders["zstd"].Append(nil, append([]byte{'"'}, zeros...))
	packBomb, _ := coders["zstd"].Append(nil, append([]byte{0xdd, 0, 0xff, 0xff, 0xff}, bytes.Repeat([]byte{0xc0}, 16<<20)...))
	cborBomb, _ := coders["zstd"].Append(nil, append([]byte{0x9f}, bytes.Repeat([]byte{0xf6}, 16<<20)...))
	big := packed(t, rows(700<<10), "json", "")
	for _, tt := range []struct {
		name, mediaType, coding string
		body                    []byte
		status                  int
		want                    string
	}{
		{"gzip bomb", types["json"], "gzip", gzipBomb, 413, "large"},
		{"zstd bomb", types["json"], "zstd", zstdBomb, 413, "large"},
		{"MessagePack bomb", types["msgpack"], "zstd", packBomb, 413, "large"},
		{"large array", types["msgpack"], "", []byte{0xdd, 0xff, 0xff, 0xff, 0xff}, 400, "unexpected end"},
		{"deep array", types["msgpack"], "", bytes.Repeat([]byte{0x91}, 500<<10), 400, "nest"},
		{"cut gzip", types["msgpack"], "gzip", gzipBomb[:100], 400, "unexpected end"},
		{"no gzip", types["msgpack"], "gzip", []byte("abc"), 400, "gzip"},
		{"no zstd", types["msgpack"], "zstd", []byte("abcdefgh"), 400, "zstd"},
		{"unknown", types["msgpack"], "br", []byte("abc"), 415, "unknown compression"},
		{"two", types["msgpack"], "gzip, gzip", []byte("abc"), 415, "unknown compression"},
		{"wrong end", types["msgpack"], "", append(packed(t, rows(500<<10), "msgpack", ""), 1), 400, "data after"},
		{"cut", types["msgpack"], "", packed(t, rows(500<<10), "msgpack", "")[:300<<10], 400, "unexpected end"},
		{"text that is not UTF-8", types["msgpack"], "", []byte{0xa1, 0xff}, 400, "UTF-8"},
		{"text that is not UTF-8, in CBOR", types["cbor"], "", []byte{0x61, 0xff}, 400, "UTF-8"},
		{"a name twice, in CBOR", types["cbor"], "", []byte("\xa2\x61a\x01\x61a\x02"), 400, "duplicate"},
		{"large array, in CBOR", types["cbor"], "", []byte{0x9a, 0xff, 0xff, 0xff, 0xff}, 400, "end"},
		{"CBOR bomb", types["cbor"], "zstd", cborBomb, 413, "large"},
		{"deep array, in CBOR", types["cbor"], "", bytes.Repeat([]byte{0x9f}, 500<<10), 400, "nest"},
		{"wrong end, in CBOR", types["cbor"], "", append(packed(t, rows(500<<10), "cbor", ""), 1), 400, "data after"},
		{"cut, in CBOR", types["cbor"], "", packed(t, rows(500<<10), "cbor", "")[:300<<10], 400, "unexpected end"},
		{"a break that ends nothing, in CBOR", types["cbor"], "", bytes.Repeat([]byte{0xff}, 500<<10), 400, "unexpected end of a container"},
		{"trailing data, in CBOR", "application/x+cbor", "", []byte{1, 2}, 400, "data after the value"},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", tt.name, chunked), func(t *testing.T) {
				reached = false
				var body io.Reader = bytes.NewReader(tt.body)
				if chunked {
					body = io.MultiReader(body)
				}
				req, err := http.NewRequest("POST", front, body)
				if err != nil {
					t.Fatal(err)
				}
				req.Header = http.Header{"Content-Type": {tt.mediaType}}
				if tt.coding != "" {
					req.Header["Content-Encoding"] = []string{tt.coding}
				}
				resp, err := http.DefaultTransport.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				text, _ := io.ReadAll(resp.Body)
				if resp.StatusCode != tt.status || !strings.Contains(string(text), tt.want) || reached {
					t.Errorf("%s %s, reached %v", resp.Status, text, reached)
				}
			})
		}
	}
	resp, text := request(t, front, "POST /", http.Header{"Content-Type": {types["json"]}}, string(big))
	if resp.StatusCode != 200 {
		t.Errorf("another request: %s %s", resp.Status, text)
	}
}
