package resty_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-resty/resty/v2"

	weftresty "github.com/weftcodec/weft/contrib/resty"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
)

type pet struct {
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

// mirror answers with the body of the request.
func mirror() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if _, err := io.Copy(w, r.Body); err != nil {
			panic(err)
		}
	}))
}

func TestClient(t *testing.T) {
	s := mirror()
	defer s.Close()
	for _, tt := range []struct {
		opts []json.Options
		want string
	}{
		{nil, `{"name":"\u003crex\u003e","tags":null}`},
		{[]json.Options{json.V2()}, `{"name":"<rex>","tags":[]}`},
	} {
		var got pet
		resp, err := weftresty.Use(resty.New(), tt.opts...).R().SetBody(pet{Name: "<rex>"}).SetResult(&got).
			SetHeader("Content-Type", "application/json").Post(s.URL)
		if err != nil || resp.String() != tt.want || got.Name != "<rex>" {
			t.Errorf("%s, %+v, %v, want %s", resp, got, err, tt.want)
		}
	}
	var p pet
	_, err := weftresty.Use(resty.New(), json.V2()).R().SetBody(`{"name":"a","name":"b"}`).SetResult(&p).
		SetHeader("Content-Type", "application/json").Post(s.URL)
	if err == nil {
		t.Errorf("%+v", p)
	}
}

func ExampleUse() {
	s := mirror()
	defer s.Close()
	var p pet
	_, err := weftresty.Use(resty.New()).R().SetBody(pet{Name: "rex"}).SetResult(&p).Post(s.URL)
	fmt.Println(p.Name, err)
	// Output: rex <nil>
}

func ExampleCodec() {
	client := resty.New()
	marshal, unmarshal := weftresty.Codec(jsontext.AllowDuplicateNames(false))
	client.SetJSONMarshaler(marshal).SetJSONUnmarshaler(unmarshal)
	fmt.Println(client.JSONUnmarshal([]byte(`{"a":1,"a":2}`), new(any)) != nil)
	// Output: true
}
