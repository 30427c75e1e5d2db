package echo_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	weftecho "github.com/weftcodec/weft/contrib/echo"
	"github.com/weftcodec/weft/json"
)

type pet struct {
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

// server echoes pets by the serializer.
func server(t *testing.T, s echo.JSONSerializer) *httptest.Server {
	t.Helper()
	e := echo.New()
	e.JSONSerializer = s
	e.POST("/pets", func(c echo.Context) error {
		var p pet
		if err := c.Bind(&p); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, p)
	})
	srv := httptest.NewServer(e)
	t.Cleanup(srv.Close)
	return srv
}

func post(t *testing.T, url, query, body string) string {
	t.Helper()
	resp, err := http.Post(url+"/pets"+query, echo.MIMEApplicationJSON, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(resp.StatusCode, " ", string(b))
}

// TestServer compares with echo's own serializer.
func TestServer(t *testing.T) {
	ours, own := server(t, weftecho.Codec()), server(t, echo.DefaultJSONSerializer{})
	for _, body := range []string{`{"name":"<rex>","tags":["a"]}`, `{"name":1}`, `{"name"`, `{"name":}`, ``, `[]`, `null`} {
		for _, query := range []string{"", "?pretty"} {
			got, want := post(t, ours.URL, query, body), post(t, own.URL, query, body)
			if got != want && !strings.HasPrefix(want, "400") || got[:3] != want[:3] {
				t.Errorf("%s%s: %s, want %s", body, query, got, want)
			}
		}
	}
	want := `400 {"message":"Unmarshal type error: expected=string, got=number, field=name, offset=9"}` + "\n"
	if got := post(t, ours.URL, "", `{"name":1}`); got != want {
		t.Error(got)
	}
}

func TestOptions(t *testing.T) {
	s := server(t, weftecho.Codec(json.V2()))
	if got := post(t, s.URL, "", `{"name":"<rex>"}`); got != `200 {"name":"<rex>","tags":[]}`+"\n" {
		t.Error(got)
	}
	if got := post(t, s.URL, "?pretty", `{"name":"x"}`); got != "200 {\n  \"name\": \"x\",\n  \"tags\": []\n}\n" {
		t.Error(got)
	}
	for _, body := range []string{`{"name":"a","name":"b"}`, `{"name":1}`, `{`} {
		if got := post(t, s.URL, "", body); !strings.HasPrefix(got, "400 ") {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func ExampleCodec() {
	e := echo.New()
	e.JSONSerializer = weftecho.Codec()
	e.GET("/", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]int{"id": 1}) })
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Print(w.Body)
	// Output: {"id":1}
}
