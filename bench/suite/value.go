package suite

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/bytedance/sonic"
	"github.com/go-viper/mapstructure/v2"
	gojson "github.com/goccy/go-json"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/value"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
)

// valueModules are the modules whose versions belong beside the figures.
var valueModules = []string{"github.com/goccy/go-json", "github.com/bytedance/sonic", "github.com/go-viper/mapstructure/v2"}

// valueGroup compares package value with other ways to hold data of unknown
// type: conversion from and to Go types, reading JSON, passing it on as
// MessagePack, and looking into it.
func valueGroup() Group {
	return Group{Name: "value", Modules: valueModules, Run: func(r *Runner) (string, error) {
		summary := "value:"
		samples := valueSamples()
		for i := range samples {
			for _, op := range []string{"marshal", "unmarshal"} {
				rows, err := r.contest(convertContest(&samples[i], op))
				if err != nil {
					return "", err
				}
				if own := find(rows, weftName); own.Timed() {
					summary += fmt.Sprintf(" %s-%s-ns=%.0f %s-%s-allocs=%.0f", samples[i].key, op, own.Ns.Median, samples[i].key, op, own.Allocs)
				}
			}
		}
		var read, readBytes, pass, passBytes []float64
		for _, c := range corpus.All() {
			data, err := c.Data()
			if err != nil {
				return "", err
			}
			rows, err := r.contest(readContest(c.Name, data))
			if err != nil {
				return "", err
			}
			own, ref := find(rows, weftName), find(rows, "go-json into any")
			read, readBytes = append(read, own.Ratio.Median), append(readBytes, own.BOp/ref.BOp)
			fmt.Fprintf(r.Out, "  %s: %.1f %% of the bytes\n", weftName, 100*own.BOp/ref.BOp)
			if rows, err = r.contest(passContest(c.Name, data)); err != nil {
				return "", err
			}
			own, ref = find(rows, weftName), find(rows, "weft any")
			pass, passBytes = append(pass, 1/own.Ratio.Median), append(passBytes, own.BOp/ref.BOp)
			fmt.Fprintf(r.Out, "  %s: %.1f %% of the time, %.1f %% of the bytes\n", weftName, 100/own.Ratio.Median, 100*own.BOp/ref.BOp)
		}
		lookup, err := lookupContest()
		if err != nil {
			return "", err
		}
		rows, err := r.contest(lookup)
		if err != nil {
			return "", err
		}
		steps, path := find(rows, weftName), find(rows, "weft path")
		pathRatio, _ := path.Versus(find(rows, "map of maps, path"))
		return fmt.Sprintf("%s json=%.2f json-bytes=%.2f to-msgpack=%.2f to-msgpack-bytes=%.2f lookup=%.2f lookup-path=%.2f", summary,
			harness.GeoMean(read), harness.GeoMean(readBytes), harness.GeoMean(pass), harness.GeoMean(passBytes),
			steps.Ratio.Median, pathRatio.Median), nil
	}}
}

// convertContest turns a sample into a value or back. Other libraries know maps
// of any for what weft has a Value for.
func convertContest(s *valueSample, op string) *harness.Contest {
	c := &harness.Contest{Group: "value", Corpus: s.name, Op: op, Ref: "encoding/json"}
	v, err := value.Marshal(s.in)
	var plain any
	if err == nil {
		plain, err = viaJSON(s.in)
	}
	failed := func() (string, error) { return "", err }
	same := func(got any) (string, error) {
		if err == nil && !reflect.DeepEqual(got, s.in) {
			return "", errors.New("comes back as another value")
		}
		return "", err
	}
	add := func(name string, run func(), check func() (string, error)) {
		c.Cases = append(c.Cases, harness.Case{Name: name, Class: "plan", Run: run, Check: check})
	}
	if op == "marshal" {
		equal := func(got value.Value, err error) (string, error) {
			if err == nil && !got.Equal(v) {
				err = errors.New("makes another value")
			}
			return "", err
		}
		add("encoding/json", func() { _, _ = viaJSON(s.in) }, failed)
		add(weftName, func() { _, _ = value.Marshal(s.in) }, func() (string, error) { return equal(value.Marshal(s.in)) })
		add("by hand", func() { s.toValue() }, func() (string, error) { return equal(s.toValue(), nil) })
		if s.key != "map" && s.key != "1000" { // it makes neither a map of a map nor of a slice
			add("mapstructure", func() {
				var m map[string]any
				_ = mapstructure.Decode(s.in, &m)
			}, func() (string, error) {
				var m map[string]any
				err := mapstructure.Decode(s.in, &m)
				if err == nil && len(m) != v.Len() {
					err = errors.New("makes another map")
				}
				return "(map[string]any, not deep)", err
			})
		}
		return c
	}
	from := v.Interface() // with an instant that is one
	for _, p := range []struct {
		name string
		run  func(out any) error
	}{
		{"encoding/json", func(out any) error {
			text, err := stdjson.Marshal(plain)
			if err != nil {
				return err
			}
			return stdjson.Unmarshal(text, out)
		}},
		{weftName, func(out any) error { return value.Unmarshal(v, out) }},
		{"by hand", func(out any) error { s.fromValue(v, out); return nil }},
		{"mapstructure", func(out any) error { return mapstructure.Decode(from, out) }},
	} {
		out := reflect.New(reflect.TypeOf(s.in).Elem()) // used again, so that only what is in it is allocated
		to := out.Interface()
		add(p.name, func() {
			out.Elem().SetZero()
			_ = p.run(to)
		}, func() (string, error) {
			got := fresh(s.in)
			if err := p.run(got); err != nil {
				return "", err
			}
			return same(got)
		})
	}
	return c
}

// viaJSON is the way from a Go value to maps that needs no library.
func viaJSON(in any) (out any, err error) {
	text, err := stdjson.Marshal(in)
	if err == nil {
		err = stdjson.Unmarshal(text, &out)
	}
	return out, err
}

// weftAliasName is the row of Values whose strings are parts of the input, in a class of
// its own.
const weftAliasName = "weft AliasInput"

func classOf(name string) string {
	if name == weftAliasName {
		return "alias"
	}
	return "plan"
}

var aliasInput = weft.AliasInput(true)

func unmarshalAlias(b []byte, v any) error { return json.UnmarshalWith(b, v, aliasInput) }

// readContest reads JSON without a type.
func readContest(name string, data []byte) *harness.Contest {
	c := &harness.Contest{Group: "value", Corpus: name, Op: "read json", Bytes: len(data), Ref: "go-json into any"}
	for _, p := range []struct {
		name      string
		unmarshal func([]byte, any) error
	}{{"go-json into any", gojson.Unmarshal}, {"sonic into any", sonic.ConfigStd.Unmarshal}, {"encoding/json into any", stdjson.Unmarshal}, {"weft into any", func(b []byte, v any) error { return json.Unmarshal(b, v) }}} {
		c.Cases = append(c.Cases, harness.Case{Name: p.name, Class: "plan",
			Run: func() {
				var v any
				_ = p.unmarshal(data, &v)
			},
			Check: func() (string, error) {
				var v any
				return "", p.unmarshal(data, &v)
			}})
	}
	for _, p := range []struct {
		name      string
		unmarshal func([]byte, any) error
	}{{weftName, func(b []byte, v any) error { return json.Unmarshal(b, v) }}, {weftAliasName, unmarshalAlias}} {
		c.Cases = append(c.Cases, harness.Case{Name: p.name, Class: classOf(p.name),
			Run: func() {
				var v value.Value
				_ = p.unmarshal(data, &v)
			},
			Check: func() (string, error) {
				var v value.Value
				if err := p.unmarshal(data, &v); err != nil {
					return "", err
				}
				var want value.Value
				if err := stdjson.Unmarshal(data, &want); err != nil || !v.Equal(want) {
					return "", fmt.Errorf("reads another value (%v)", err)
				}
				return "", nil
			}})
	}
	return c
}

// passContest reads JSON and writes MessagePack.
func passContest(name string, data []byte) *harness.Contest {
	c := &harness.Contest{Group: "value", Corpus: name, Op: "json to msgpack", Bytes: len(data), Ref: "weft any"}
	byValue := func(unmarshal func([]byte, any) error) func() ([]byte, error) {
		return func() ([]byte, error) {
			var v value.Value
			if err := unmarshal(data, &v); err != nil {
				return nil, err
			}
			return msgpack.Marshal(v)
		}
	}
	byAny := func(unmarshal func([]byte, any) error) func() ([]byte, error) {
		return func() ([]byte, error) {
			var v any
			if err := unmarshal(data, &v); err != nil {
				return nil, err
			}
			return msgpack.Marshal(v)
		}
	}
	for _, p := range []struct {
		name string
		run  func() ([]byte, error)
	}{{"weft any", byAny(func(b []byte, v any) error { return json.Unmarshal(b, v) })}, {"go-json any", byAny(gojson.Unmarshal)}, {weftName, byValue(func(b []byte, v any) error { return json.Unmarshal(b, v) })},
		{weftAliasName, byValue(unmarshalAlias)}} {
		c.Cases = append(c.Cases, harness.Case{Name: p.name, Class: classOf(p.name),
			Run: func() { _, _ = p.run() },
			Check: func() (string, error) {
				b, err := p.run()
				if err != nil {
					return "", err
				}
				var v, want value.Value
				if err := msgpack.Unmarshal(b, &v); err != nil {
					return "", err
				}
				if err := json.Unmarshal(data, &want); err != nil {
					return "", err
				}
				if !v.Equal(want) && (p.name == weftName || p.name == weftAliasName) {
					return "", errors.New("writes another value")
				}
				return fmt.Sprintf("(%d bytes)", len(b)), nil
			}})
	}
	return c
}

// lookupContest looks up four members, one in the other, by their names and by a
// path of them.
func lookupContest() (*harness.Contest, error) {
	data := []byte(`{"meta":{"version":3},"users":{"total":2,"first":{"id":7,"name":"Ada","tags":["a","b"],"address":` +
		`{"street":"Long Road","number":5,"city":"London","zip":"N1"}},"last":{"id":8,"name":"Bob"}},"ok":true}`)
	const path, want = "users.first.address.city", "London"
	names := strings.Split(path, ".")
	var v value.Value
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	var plain map[string]any
	if err := stdjson.Unmarshal(data, &plain); err != nil {
		return nil, err
	}
	made, err := value.Marshal(plain)
	if err != nil {
		return nil, err
	}
	steps := func(v value.Value) func() string {
		return func() string {
			x := v
			for _, name := range names {
				x, _ = x.Get(name)
			}
			s, _ := x.Text()
			return s
		}
	}
	paths := func() string {
		x, _ := v.Lookup(path)
		s, _ := x.Text()
		return s
	}
	maps := func() string {
		var x any = plain
		for _, name := range names {
			m, _ := x.(map[string]any)
			x = m[name]
		}
		s, _ := x.(string)
		return s
	}
	mapsPath := func() string {
		var x any = plain
		for rest, more := path, true; more; {
			var name string
			name, rest, more = strings.Cut(rest, ".")
			m, _ := x.(map[string]any)
			x = m[name]
		}
		s, _ := x.(string)
		return s
	}
	c := &harness.Contest{Group: "value", Corpus: path, Op: "look up", Ref: "map of maps"}
	for _, p := range []struct {
		name string
		run  func() string
	}{{"map of maps", maps}, {"map of maps, path", mapsPath}, {weftName, steps(v)}, {"weft path", paths}, {"weft, marshaled", steps(made)}} {
		c.Cases = append(c.Cases, harness.Case{Name: p.name, Class: "plan", Run: func() { p.run() }, Check: func() (string, error) {
			if got := p.run(); got != want {
				return "", fmt.Errorf("finds %q", got)
			}
			return "", nil
		}})
	}
	return c, nil
}
