package gin_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	ginjson "github.com/gin-gonic/gin/codec/json"

	weftgin "github.com/weftcodec/weft/contrib/gin"
	"github.com/weftcodec/weft/json"
)

type pet struct {
	Name string   `json:"name" binding:"required"`
	Tags []string `json:"tags"`
}

// server echoes pets by the codec.
func server(t *testing.T, codec ginjson.Core) *httptest.Server {
	t.Helper()
	before := ginjson.API
	ginjson.API = codec
	gin.SetMode(gin.TestMode)
	r := gin.New()
	r.POST("/pets", func(c *gin.Context) {
		var p pet
		if err := c.ShouldBindJSON(&p); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, p)
	})
	s := httptest.NewServer(r)
	t.Cleanup(func() { s.Close(); ginjson.API = before })
	return s
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	resp, err := http.Post(url+"/pets", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b strings.Builder
	if err := resp.Write(&b); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(b.String(), "\r\n\r\n")
	return fmt.Sprint(resp.StatusCode, " ", text)
}

func TestServer(t *testing.T) {
	tests := []struct{ body, want string }{
		{`{"name":"<rex>"}`, `200 {"name":"\u003crex\u003e","tags":null}`},
		{`{"tags":["a"]}`, `400 {"error":"Key: 'pet.Name' Error:Field validation for 'Name' failed on the 'required' tag"}`},
		{`{"name":1}`, `400 {"error":"json: cannot unmarshal number into Go struct field pet.name of type string"}`},
		{`{"name"`, `400 {"error":"unexpected EOF"}`},
	}
	own := ginjson.API
	for name, codec := range map[string]ginjson.Core{"weft": weftgin.Codec(), "gin": own} {
		s := server(t, codec)
		for _, tt := range tests {
			t.Run(name+" "+tt.body, func(t *testing.T) {
				if got := post(t, s.URL, tt.body); got != tt.want && (name == "weft" || !strings.HasPrefix(got, "400")) {
					t.Errorf("%s: %s: %s, want %s", name, tt.body, got, tt.want)
				}
			})
		}
	}
}

func TestOptions(t *testing.T) {
	s := server(t, weftgin.Codec(json.V2()))
	for body, want := range map[string]string{
		`{"name":"<rex>"}`:          `200 {"name":"<rex>","tags":[]}`,
		`{"Name":"rex"}`:            `400 {"error":"Key: 'pet.Name' Error:Field validation for 'Name' failed on the 'required' tag"}`,
		`{"name":"rex","name":"x"}`: `400 {"error":"json: at /name, offset 14: duplicate member name"}`,
	} {
		t.Run(body, func(t *testing.T) {
			if got := post(t, s.URL, body); got != want {
				t.Errorf("%s: %s, want %s", body, got, want)
			}
		})
	}
	c := weftgin.Codec(json.V2())
	if b, err := c.MarshalIndent(pet{Name: "<"}, "", " "); err != nil || string(b) != "{\n \"name\": \"<\",\n \"tags\": []\n}" {
		t.Errorf("%s, %v", b, err)
	}
	var b strings.Builder
	e := c.NewEncoder(&b)
	e.SetEscapeHTML(true)
	if err := e.Encode(pet{Name: "<"}); err != nil || b.String() != `{"name":"\u003c","tags":[]}`+"\n" {
		t.Errorf("%s, %v", b.String(), err)
	}
}

func ExampleCodec() {
	ginjson.API = weftgin.Codec()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.GET("/", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"id": 1}) })
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Println(w.Body)
	// Output: {"id":1}
}
