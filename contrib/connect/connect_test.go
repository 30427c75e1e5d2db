package connect_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	driver "connectrpc.com/connect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/contrib/connect"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

type pet struct {
	Name string         `json:"name" check:"minLength=1"`
	Age  int            `json:"age"`
	Toys map[string]int `json:"toys,omitempty"`
}

func grow(_ context.Context, r *driver.Request[pet]) (*driver.Response[pet], error) {
	if r.Msg.Age < 0 {
		return nil, driver.NewError(driver.CodeInvalidArgument, errors.New("not born yet"))
	}
	p := *r.Msg
	p.Age++
	return driver.NewResponse(&p), nil
}

// litter streams as many pets as the request's age.
func litter(_ context.Context, r *driver.Request[pet], s *driver.ServerStream[pet]) error {
	for i := range r.Msg.Age {
		if err := s.Send(&pet{Name: r.Msg.Name, Age: i}); err != nil {
			return err
		}
	}
	return nil
}

var formats = []weft.Format{json.Format, msgpack.Format, cbor.Format}

// server serves the service over HTTP/2 in all formats.
func server() *httptest.Server {
	var opts []driver.HandlerOption
	for _, f := range formats {
		opts = append(opts, driver.WithCodec(connect.Codec(f)))
	}
	mux := http.NewServeMux()
	get := append(opts, driver.WithIdempotency(driver.IdempotencyNoSideEffects))
	mux.Handle("/pets/Grow", driver.NewUnaryHandler("/pets/Grow", grow, get...))
	mux.Handle("/pets/Litter", driver.NewServerStreamHandler("/pets/Litter", litter, opts...))
	s := httptest.NewUnstartedServer(mux)
	s.EnableHTTP2 = true
	s.StartTLS()
	return s
}

func TestServer(t *testing.T) {
	s := server()
	defer s.Close()
	protocols := map[string][]driver.ClientOption{
		"connect":  nil,
		"get":      {driver.WithHTTPGet()},
		"grpc":     {driver.WithGRPC()},
		"grpc-web": {driver.WithGRPCWeb()},
		"gzip":     {driver.WithSendGzip()},
	}
	for _, f := range formats {
		for name, opts := range protocols {
			t.Run(f.Name()+"/"+name, func(t *testing.T) {
				opts := append([]driver.ClientOption{driver.WithCodec(connect.Codec(f)),
					driver.WithIdempotency(driver.IdempotencyNoSideEffects)}, opts...)
				run(t, driver.NewClient[pet, pet](s.Client(), s.URL+"/pets/Grow", opts...),
					driver.NewClient[pet, pet](s.Client(), s.URL+"/pets/Litter", opts...))
			})
		}
	}
}

func run(t *testing.T, grow, litter *driver.Client[pet, pet]) {
	ctx := t.Context()
	for _, name := range []string{"rex <&> ü", strings.Repeat("x", 3000)} {
		r, err := grow.CallUnary(ctx, driver.NewRequest(&pet{Name: name, Age: 1, Toys: map[string]int{"ball": 1, "bone": 2}}))
		if err != nil || r.Msg.Name != name || r.Msg.Age != 2 || r.Msg.Toys["bone"] != 2 {
			t.Errorf("%.60v, %v", r, err)
		}
	}
	_, err := grow.CallUnary(ctx, driver.NewRequest(&pet{Name: "rex", Age: -1}))
	if driver.CodeOf(err) != driver.CodeInvalidArgument || !strings.Contains(err.Error(), "not born yet") {
		t.Errorf("the error of a method: %v", err)
	}
	_, err = grow.CallUnary(ctx, driver.NewRequest(&pet{}))
	if driver.CodeOf(err) != driver.CodeInvalidArgument || !strings.Contains(err.Error(), "at /name, offset ") {
		t.Errorf("a rule: %v", err)
	}
	stream, err := litter.CallServerStream(ctx, driver.NewRequest(&pet{Name: "rex", Age: 3}))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; stream.Receive(); n++ {
		if p := stream.Msg(); p.Name != "rex" || p.Age != n {
			t.Errorf("%+v", p)
		}
	}
	if err := errors.Join(stream.Err(), stream.Close()); err != nil || n != 3 {
		t.Errorf("%d pets, %v", n, err)
	}
}

// Any HTTP client calls a service by JSON, and gets a value by the same URL each time.
func TestPlain(t *testing.T) {
	s := server()
	defer s.Close()
	for _, call := range []func() (*http.Response, error){
		func() (*http.Response, error) {
			return s.Client().Post(s.URL+"/pets/Grow", "application/json", strings.NewReader(`{"name":"rex","age":1}`))
		},
		func() (*http.Response, error) {
			return s.Client().Get(s.URL + "/pets/Grow?connect=v1&encoding=json&message=%7B%22name%22%3A%22rex%22%2C%22age%22%3A1%7D")
		},
	} {
		resp, err := call()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if got := string(b); err != nil || resp.StatusCode != 200 || got != `{"name":"rex","age":2}` {
			t.Errorf("%d %s, %v", resp.StatusCode, got, err)
		}
	}
}

func ExampleCodec() {
	codec := driver.WithCodec(connect.Codec(msgpack.Format))
	s := httptest.NewServer(driver.NewUnaryHandler("/pets/Grow", grow, codec))
	defer s.Close()
	client := driver.NewClient[pet, pet](s.Client(), s.URL+"/pets/Grow", codec)
	r, err := client.CallUnary(context.Background(), driver.NewRequest(&pet{Name: "rex", Age: 1}))
	fmt.Println(r.Msg.Name, r.Msg.Age, err)
	// Output: rex 2 <nil>
}
