package redis_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	driver "github.com/redis/go-redis/v9"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/contrib/redis"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

type pet struct {
	Name string   `json:"name" check:"minLength=1"`
	Tags []string `json:"tags"`
}

// servers are addresses: miniredis, which is in this process, and redis-server where it is installed.
func servers(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"miniredis": miniredis.RunT(t).Addr()}
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return all
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
		"--dir", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	all["redis-server"] = addr
	return all
}

func client(t *testing.T, addr string) *driver.Client {
	t.Helper()
	c := driver.NewClient(&driver.Options{Addr: addr, MaxRetries: 20})
	t.Cleanup(func() { c.Close() })
	for until := time.Now().Add(10 * time.Second); c.Ping(t.Context()).Err() != nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the server does not answer")
		}
	}
	return c
}

func TestRedis(t *testing.T) {
	for name, addr := range servers(t) {
		c := client(t, addr)
		for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format, compress.Zstd(msgpack.Format)} {
			t.Run(name+"/"+f.Name(), func(t *testing.T) { run(t, c, f) })
		}
	}
}

func run(t *testing.T, c *driver.Client, f weft.Format) {
	ctx, rex := t.Context(), pet{"rex", []string{"a", "b"}}
	if err := c.FlushAll(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	pets := redis.New[pet](c, f)
	if _, err := pets.Get(ctx, "pet:1"); !errors.Is(err, driver.Nil) {
		t.Errorf("no value: %v", err)
	}
	if err := pets.Set(ctx, "pet:1", rex, time.Hour); err != nil {
		t.Fatal(err)
	}
	if got, err := pets.Get(ctx, "pet:1"); err != nil || !reflect.DeepEqual(got, rex) {
		t.Errorf("%+v, %v", got, err)
	}
	if ttl := c.TTL(ctx, "pet:1").Val(); ttl <= 0 || ttl > time.Hour {
		t.Errorf("it lives for %v", ttl)
	}
	if raw, want := c.Get(ctx, "pet:1").Val(), pack(t, f, rex); raw != want {
		t.Errorf("%q, want %q", raw, want)
	}
	if all, err := pets.GetAll(ctx, "pet:0", "pet:1"); err != nil || !reflect.DeepEqual(all, map[string]pet{"pet:1": rex}) {
		t.Errorf("%+v, %v", all, err)
	}

	// Hashes, lists and pipelines.
	var fromHash, fromList pet
	_, err := c.Pipelined(ctx, func(p driver.Pipeliner) error {
		p.HSet(ctx, "hash", "rex", redis.In(f, &rex), "n", 1)
		p.LPush(ctx, "list", redis.In(f, rex))
		return redis.New[pet](p, f).Set(ctx, "pet:2", rex, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.HGet(ctx, "hash", "rex").Scan(redis.In(f, &fromHash)); err != nil || !reflect.DeepEqual(fromHash, rex) {
		t.Errorf("%+v, %v", fromHash, err)
	}
	if err := c.LPop(ctx, "list").Scan(redis.In(f, &fromList, weft.AliasInput(true))); err != nil || !reflect.DeepEqual(fromList, rex) {
		t.Errorf("%+v, %v", fromList, err)
	}
	if n := c.Exists(ctx, "pet:2").Val(); n != 1 {
		t.Errorf("%d keys", n)
	}

	// What is wrong tells the key and the place.
	c.Set(ctx, "pet:3", pack(t, f, map[string]any{"name": ""}), 0)
	_, err = pets.Get(ctx, "pet:3")
	_, errAll := pets.GetAll(ctx, "pet:3")
	for _, err := range []error{err, errAll} {
		located, ok := errors.AsType[*weft.Error](err)
		if !ok || located.Path != "/name" || !strings.Contains(err.Error(), `redis: key "pet:3": `) {
			t.Errorf("%v", err)
		}
	}
	if err := redis.New[chan int](c, f).Set(ctx, "k", nil, 0); err == nil {
		t.Error("a channel has been stored")
	}
}

func pack(t *testing.T, f weft.Format, v any) string {
	t.Helper()
	b, err := f.MarshalAppend(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func ExampleNew() {
	server, err := miniredis.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client := driver.NewClient(&driver.Options{Addr: server.Addr()})
	ctx := context.Background()

	pets := redis.New[pet](client, msgpack.Format)
	err = pets.Set(ctx, "pet:1", pet{Name: "rex"}, time.Hour)
	p, err2 := pets.Get(ctx, "pet:1")
	fmt.Println(p.Name, err, err2)
	_, err = pets.Get(ctx, "pet:2")
	fmt.Println(err == driver.Nil)
	// Output:
	// rex <nil> <nil>
	// true
}

func ExampleIn() {
	server, err := miniredis.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client := driver.NewClient(&driver.Options{Addr: server.Addr()})
	ctx := context.Background()

	client.HSet(ctx, "pets", "rex", redis.In(json.Format, pet{Name: "rex"}))
	var p pet
	err = client.HGet(ctx, "pets", "rex").Scan(redis.In(json.Format, &p))
	fmt.Println(p.Name, err)
	// Output: rex <nil>
}
