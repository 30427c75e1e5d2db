package fiber_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"

	weftfiber "github.com/weftcodec/weft/contrib/fiber"
	"github.com/weftcodec/weft/json"
)

type pet struct {
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

// ask has an app that echoes pets answer a request.
func ask(t *testing.T, c fiber.Config, body string) string {
	t.Helper()
	app := fiber.New(c)
	app.Post("/pets", func(c fiber.Ctx) error {
		var p pet
		if err := c.Bind().JSON(&p); err != nil {
			return fiber.NewError(http.StatusBadRequest, err.Error())
		}
		return c.JSON(p)
	})
	r := httptest.NewRequest(http.MethodPost, "/pets", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	resp, err := app.Test(r)
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

// TestApp compares with fiber's own functions.
func TestApp(t *testing.T) {
	for _, body := range []string{`{"name":"<rex>","tags":["a"]}`, `{"name":1}`, `{"name"`, `[]`, `null`} {
		got, want := ask(t, weftfiber.Config(fiber.Config{}), body), ask(t, fiber.Config{}, body)
		if got != want && !strings.HasPrefix(want, "400") || got[:3] != want[:3] {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	c := weftfiber.Config(fiber.Config{}, json.V2())
	if got := ask(t, c, `{"name":"<rex>"}`); got != `200 {"name":"<rex>","tags":[]}` {
		t.Error(got)
	}
	if got := ask(t, c, `{"name":"a","name":"b"}`); !strings.HasPrefix(got, "400 ") {
		t.Error(got)
	}
}

func ExampleConfig() {
	app := fiber.New(weftfiber.Config(fiber.Config{AppName: "pets"}))
	app.Get("/", func(c fiber.Ctx) error { return c.JSON(map[string]int{"id": 1}) })
	resp, err := app.Test(httptest.NewRequest(http.MethodGet, "/", nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	fmt.Println(string(b), err)
	// Output: {"id":1} <nil>
}

func ExampleCodec() {
	encode, decode := weftfiber.Codec(json.FormatNilSliceAsNull(false))
	var p pet
	err := decode([]byte(`{"name":"rex"}`), &p)
	b, _ := encode(p)
	fmt.Println(string(b), err)
	// Output: {"name":"rex","tags":[]} <nil>
}
