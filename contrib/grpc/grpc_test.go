package grpc_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	driver "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/contrib/grpc"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

type pet struct {
	Name string `json:"name" check:"minLength=1"`
	Age  int    `json:"age"`
}

type query struct {
	Names []string `json:"names"`
}

// pets is the service.
type pets interface {
	Grow(context.Context, *pet) (*pet, error)
}

type store struct{}

func (store) Grow(_ context.Context, p *pet) (*pet, error) {
	if p.Age < 0 {
		return nil, status.Error(codes.InvalidArgument, "not born yet")
	}
	return &pet{p.Name, p.Age + 1}, nil
}

// list streams a pet for each name.
func list(_ any, stream driver.ServerStream) error {
	var q query
	if err := stream.RecvMsg(&q); err != nil {
		return err
	}
	for i, name := range q.Names {
		if err := stream.SendMsg(&pet{name, i}); err != nil {
			return err
		}
	}
	return nil
}

var desc = driver.ServiceDesc{
	ServiceName: "weft.Pets",
	HandlerType: (*pets)(nil),
	Methods:     []driver.MethodDesc{grpc.Unary("Grow", pets.Grow)},
	Streams:     []driver.StreamDesc{{StreamName: "List", Handler: list, ServerStreams: true}},
}

// dial starts a server, whose calls are told to seen, and returns a client of it.
func dial(f weft.Format, seen func(method string)) (conn *driver.ClientConn, stop func(), err error) {
	var opts []driver.ServerOption
	if seen != nil {
		tell := func(ctx context.Context, in any, info *driver.UnaryServerInfo, next driver.UnaryHandler) (any, error) {
			seen(info.FullMethod)
			return next(ctx, in)
		}
		opts = append(opts, driver.UnaryInterceptor(tell))
	}
	s := driver.NewServer(append(opts, driver.ForceServerCodecV2(grpc.Codec(f)))...)
	s.RegisterService(&desc, store{})
	healthpb.RegisterHealthServer(s, health.NewServer())
	l := bufconn.Listen(1 << 16)
	go s.Serve(l)
	conn, err = driver.NewClient("passthrough:///pets", driver.WithTransportCredentials(insecure.NewCredentials()),
		driver.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) }),
		driver.WithDefaultCallOptions(driver.ForceCodecV2(grpc.Codec(f))))
	return conn, s.Stop, err
}

// TestServer calls a server of grpc through a connection in memory.
func TestServer(t *testing.T) {
	for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format} {
		for _, intercepted := range []bool{false, true} {
			t.Run(fmt.Sprint(f.Name(), intercepted), func(t *testing.T) {
				var methods []string
				var seen func(string)
				if intercepted {
					seen = func(m string) { methods = append(methods, m) }
				}
				conn, stop, err := dial(f, seen)
				if err != nil {
					t.Fatal(err)
				}
				defer stop()
				defer conn.Close()
				run(t, conn)
				if intercepted && (len(methods) == 0 || methods[0] != "/weft.Pets/Grow") {
					t.Errorf("seen: %q", methods)
				}
			})
		}
	}
}

func run(t *testing.T, conn *driver.ClientConn) {
	ctx := t.Context()
	long := strings.Repeat("x", 100_000)
	for _, name := range []string{"rex", long} {
		var p pet
		err := conn.Invoke(ctx, "/weft.Pets/Grow", &pet{name, 1}, &p, driver.UseCompressor(gzip.Name))
		if err != nil || p != (pet{name, 2}) {
			t.Errorf("%.40v, %v", p, err)
		}
	}
	err := conn.Invoke(ctx, "/weft.Pets/Grow", &pet{"rex", -1}, new(pet))
	if status.Code(err) != codes.InvalidArgument {
		t.Errorf("the status of a method: %v", err)
	}
	err = conn.Invoke(ctx, "/weft.Pets/Grow", &pet{}, new(pet))
	if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "at /name, offset ") {
		t.Errorf("a rule: %v", err)
	}
	if err := conn.Invoke(ctx, "/weft.Pets/Grow", make(chan int), new(pet)); status.Code(err) != codes.Internal {
		t.Errorf("a channel: %v", err)
	}

	stream, err := conn.NewStream(ctx, &desc.Streams[0], "/weft.Pets/List")
	if err == nil {
		err = stream.SendMsg(&query{[]string{"a", "b", long}})
	}
	if err == nil {
		err = stream.CloseSend()
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for {
		var p pet
		if err := stream.RecvMsg(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		names = append(names, p.Name)
	}
	if len(names) != 3 || names[2] != long {
		t.Errorf("%.40q", names)
	}

	answer, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
	if err != nil || answer.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Errorf("health: %v, %v", answer, err)
	}
}

func ExampleCodec() {
	conn, stop, err := dial(msgpack.Format, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()
	defer conn.Close()
	var p pet
	err = conn.Invoke(context.Background(), "/weft.Pets/Grow", &pet{"rex", 1}, &p)
	fmt.Println(p, err)
	// Output: {rex 2} <nil>
}

func ExampleUnary() {
	server := driver.NewServer(driver.ForceServerCodecV2(grpc.Codec(json.Format)))
	server.RegisterService(&driver.ServiceDesc{
		ServiceName: "weft.Pets",
		HandlerType: (*pets)(nil),
		Methods:     []driver.MethodDesc{grpc.Unary("Grow", pets.Grow)},
	}, store{})
	fmt.Println(server.GetServiceInfo()["weft.Pets"].Methods[0].Name)
	// Output: Grow
}
