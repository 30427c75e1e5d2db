//go:build unix

package gateway

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"testing"

	"github.com/weftcodec/weft/value"
)

// payload is what nodes of a graph of dynamic values have of a request, in Go.
type payload struct {
	Method string              `json:"method"`
	Scheme string              `json:"scheme"`
	Host   string              `json:"host"`
	Path   string              `json:"path"`
	Query  map[string][]string `json:"query"`
	Proto  string              `json:"proto"`
	Header map[string][]string `json:"header"`
	Body   string              `json:"body"`
	Status int                 `json:"status"`
}

// nodes answers ping as a graph does whose nodes hand dynamic values on: three nodes, each of which makes a struct of the
// value and a value of the struct, by the compiled conversion of package value, by one that asks the reflection for
// every field, or not at all.
func nodes(what string) http.Handler {
	convert := func(p *payload) *payload { return p }
	switch what {
	case "compiled":
		convert = func(p *payload) *payload {
			v, err := value.Marshal(p)
			must(err)
			q := new(payload)
			must(value.Unmarshal(v, q))
			return q
		}
	case "reflective":
		convert = func(p *payload) *payload {
			v := reflectValue(reflect.ValueOf(p).Elem())
			q := new(payload)
			reflectInto(v, reflect.ValueOf(q).Elem())
			return q
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &payload{Method: r.Method, Scheme: "http", Host: r.Host, Path: r.URL.Path, Query: r.URL.Query(), Proto: r.Proto, Header: r.Header}
		p = convert(p) // the server
		if p.Method != "GET" || p.Path != "/ping" {
			p.Status = http.StatusNotFound
		}
		p = convert(p) // the route
		if p.Status == 0 {
			p.Status, p.Body = http.StatusOK, "pong"
		}
		p = convert(p) // the snippet
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(p.Status)
		_, _ = io.WriteString(w, p.Body)
	})
}

// reflectValue makes a value of what Go has, as a library does that compiles nothing.
func reflectValue(x reflect.Value) value.Value {
	switch x.Kind() {
	case reflect.Struct:
		var members []value.Member
		for i := range x.NumField() {
			f := x.Type().Field(i)
			members = append(members, value.Member{Name: f.Tag.Get("json"), Value: reflectValue(x.Field(i))})
		}
		return value.Map(members...)
	case reflect.Map:
		var members []value.Member
		for _, k := range x.MapKeys() {
			members = append(members, value.Member{Name: k.String(), Value: reflectValue(x.MapIndex(k))})
		}
		return value.Map(members...)
	case reflect.Slice:
		var list []value.Value
		for i := range x.Len() {
			list = append(list, reflectValue(x.Index(i)))
		}
		return value.List(list...)
	case reflect.Int:
		return value.Int(x.Int())
	case reflect.String:
		return value.String(x.String())
	}
	panic(fmt.Sprint("a field of kind ", x.Kind()))
}

// reflectInto is the way back.
func reflectInto(v value.Value, x reflect.Value) {
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			if m, ok := v.Get(x.Type().Field(i).Tag.Get("json")); ok {
				reflectInto(m, x.Field(i))
			}
		}
	case reflect.Map:
		x.Set(reflect.MakeMap(x.Type()))
		for name, m := range v.Members() {
			e := reflect.New(x.Type().Elem()).Elem()
			reflectInto(m, e)
			x.SetMapIndex(reflect.ValueOf(name), e)
		}
	case reflect.Slice:
		for m := range v.Values() {
			e := reflect.New(x.Type().Elem()).Elem()
			reflectInto(m, e)
			x.Set(reflect.Append(x, e))
		}
	case reflect.Int:
		n, _ := v.Int()
		x.SetInt(n)
	case reflect.String:
		s, _ := v.Text()
		x.SetString(s)
	}
}

// TestConversion reports which share of a server's CPU time goes into conversions between structs and dynamic values, and
// what flow takes, which makes none.
func TestConversion(t *testing.T) {
	times, n := 1, 64
	if measuring("conversion") {
		times, n = 5, 10000
	}
	var runs []run
	x := &exchange{method: "GET", path: "/ping", good: func(b []byte) bool { return string(b) == "pong" }}
	for _, name := range []string{"structs", "compiled", "reflective", "ping"} {
		runs = append(runs, run{name, newChild(t, name, ""), x})
	}
	cost, ratio := rounds(t, times, n, 64, runs...)
	for i, r := range runs {
		t.Logf("%s: %.1f µs, of which conversion %.0f %%", r.name, cost[i], max(0, 100*(1-1/ratio[i])))
	}
	if measuring("conversion") && ratio[1] >= ratio[2] {
		t.Errorf("the compiled conversion takes %.2f, the reflective one %.2f", ratio[1], ratio[2])
	}
}
