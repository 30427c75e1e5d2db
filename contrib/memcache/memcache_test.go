package memcache_test

import (
	"errors"
	"fmt"
	"net"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	driver "github.com/bradfitz/gomemcache/memcache"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/contrib/memcache"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

type pet struct {
	Name string   `json:"name" check:"minLength=1"`
	Tags []string `json:"tags"`
}

// servers are addresses: the server of the tests, and memcached where it is installed.
func servers(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"protocol": listen(t)}
	program, err := exec.LookPath("memcached")
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
	cmd := exec.Command(program, "-p", port, "-U", "0", "-l", "127.0.0.1", "-u", "root")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	all["memcached"] = addr
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
			return all
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
	}
}

func TestMemcached(t *testing.T) {
	for name, addr := range servers(t) {
		for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format, compress.Zstd(msgpack.Format)} {
			t.Run(name+"/"+f.Name(), func(t *testing.T) { run(t, driver.New(addr), f) })
		}
	}
}

func run(t *testing.T, c *driver.Client, f weft.Format) {
	defer c.Close()
	c.Timeout = 5 * time.Second
	key := func(name string) string { return f.Name() + ":" + name }
	rex := pet{"rex", []string{"a", "b"}}
	pets := memcache.New[pet](c, f)
	if _, err := pets.Get(key("1")); !errors.Is(err, driver.ErrCacheMiss) {
		t.Errorf("no value: %v", err)
	}
	if err := pets.Set(key("1"), rex, 3600); err != nil {
		t.Fatal(err)
	}
	if got, err := pets.Get(key("1")); err != nil || !reflect.DeepEqual(got, rex) {
		t.Errorf("%+v, %v", got, err)
	}
	if all, err := pets.GetAll(key("0"), key("1")); err != nil || !reflect.DeepEqual(all, map[string]pet{key("1"): rex}) {
		t.Errorf("%+v, %v", all, err)
	}

	// Of two that change an item, the second one is told.
	item, err := c.Get(key("1"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.MarshalAppend(nil, rex)
	if err != nil || string(item.Value) != string(want) {
		t.Errorf("%q, want %q, %v", item.Value, want, err)
	}
	other := *item
	v, err := pets.Value(item)
	v.Name = "max"
	if err == nil {
		err = pets.Put(item, v)
	}
	if err == nil {
		err = c.CompareAndSwap(item)
	}
	if err != nil {
		t.Error(err)
	}
	if err := c.CompareAndSwap(&other); !errors.Is(err, driver.ErrCASConflict) {
		t.Errorf("the second one: %v", err)
	}
	if got, err := pets.Get(key("1")); err != nil || got.Name != "max" {
		t.Errorf("%+v, %v", got, err)
	}

	// What is wrong tells the key and the place.
	b, err := f.MarshalAppend(nil, map[string]any{"name": ""})
	if err == nil {
		err = c.Set(&driver.Item{Key: key("3"), Value: b})
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = pets.Get(key("3"))
	_, errAll := pets.GetAll(key("3"))
	for _, err := range []error{err, errAll} {
		located, ok := errors.AsType[*weft.Error](err)
		if !ok || located.Path != "/name" || !strings.Contains(err.Error(), "memcache: key ") {
			t.Errorf("%v", err)
		}
	}
	if err := memcache.New[chan int](c, f).Set(key("4"), nil, 0); err == nil {
		t.Error("a channel has been stored")
	}
}

func ExampleNew() {
	var t testing.T
	client := driver.New(listen(&t)) // or "localhost:11211"
	defer client.Close()

	pets := memcache.New[pet](client, msgpack.Format)
	err := pets.Set("pet:1", pet{Name: "rex"}, 3600)
	p, err2 := pets.Get("pet:1")
	fmt.Println(p.Name, err, err2)
	_, err = pets.Get("pet:2")
	fmt.Println(err == driver.ErrCacheMiss)
	// Output:
	// rex <nil> <nil>
	// true
}
