// Package text_test times json/jsontext against encoding/json and, where the toolchain has it,
// encoding/json/jsontext:
//
//	go test ./text -run Contest -v -contest
package text_test

import (
	"bytes"
	stdjson "encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/json/jsontext"
)

var (
	contest = flag.Bool("contest", false, "time the contests")
	full    = flag.Bool("full", false, "time them for longer")
)

// plain is a reader that only reads, so that no library can look at the buffer behind it.
type plain struct{ r bytes.Reader }

func (p *plain) Read(b []byte) (int, error) { return p.r.Read(b) }

func (p *plain) reset(b []byte) io.Reader {
	p.r.Reset(b)
	return p
}

// op is an operation that several packages have.
type op struct {
	name  string
	cases func(data []byte) []harness.Case
}

var ops = []op{
	{"tokens", tokenCases},
	{"values", valueCases},
	{"valid", validCases},
	{"compact", func(b []byte) []harness.Case { return formatCases(b, "compact") }},
	{"indent", func(b []byte) []harness.Case { return formatCases(b, "indent") }},
	{"canonicalize", func(b []byte) []harness.Case { return formatCases(b, "canonicalize") }},
	{"copy tokens", copyCases},
}

func TestContest(t *testing.T) {
	cfg := harness.Config{Rounds: 1, Batch: 1, Warm: 0}
	if *contest {
		cfg = harness.Normal
	}
	if *full {
		cfg = harness.Full
	}
	for _, o := range ops {
		for _, c := range corpus.All() {
			if strings.HasPrefix(c.Name, "result") {
				continue
			}
			data, err := c.Data()
			if err != nil {
				t.Fatal(err)
			}
			ct := harness.Contest{Group: "text", Corpus: c.Name, Op: o.name, Bytes: len(data), Ref: "encoding/json", Cases: o.cases(data)}
			if len(ct.Cases) == 0 {
				continue
			}
			rows := ct.Run(cfg)
			for i := range rows {
				if !rows[i].Timed() {
					t.Errorf("%s %s %s: %s", o.name, c.Name, rows[i].Case, rows[i].Failed)
				}
			}
			if *contest || *full {
				harness.WriteText(os.Stdout, rows)
				for i := 1; i < len(rows); i++ {
					ratio, _ := rows[0].Versus(&rows[i])
					fmt.Printf("    %.2f times as fast as %s\n", ratio.Median, rows[i].Case)
				}
			}
		}
	}
}

// ours are the cases of json/jsontext.
func tokenCases(data []byte) []harness.Case {
	var p plain
	d := jsontext.NewDecoder(p.reset(data))
	read := func() (n int) {
		d.Reset(p.reset(data))
		for {
			if _, err := d.ReadToken(); err != nil {
				if err != io.EOF {
					panic(err)
				}
				return n
			}
			n++
		}
	}
	dups := jsontext.AllowDuplicateNames(true)
	loose := func() {
		d.Reset(p.reset(data), dups)
		for {
			if _, err := d.ReadToken(); err != nil {
				return
			}
		}
	}
	v1 := func() (n int) {
		d := stdjson.NewDecoder(p.reset(data))
		for {
			if _, err := d.Token(); err != nil {
				if err != io.EOF {
					panic(err)
				}
				return n
			}
			n++
		}
	}
	want := v1()
	count := func(f func() int) func() (string, error) {
		return func() (string, error) {
			if n := f(); n != want {
				return "", fmt.Errorf("%d tokens, want %d", n, want)
			}
			return "", nil
		}
	}
	cases := []harness.Case{
		{Name: "weft", Run: func() { read() }, Check: count(read)},
		{Name: "weft dups", Run: loose, Check: count(read)},
		{Name: "encoding/json", Run: func() { v1() }, Check: count(v1)},
	}
	return append(cases, stdTokens(data, count)...)
}

func valueCases(data []byte) []harness.Case {
	var p plain
	d := jsontext.NewDecoder(p.reset(data))
	read := func() int {
		d.Reset(p.reset(data))
		v, err := d.ReadValue()
		if err != nil {
			panic(err)
		}
		return len(v)
	}
	want := len(bytes.TrimSpace(data))
	count := func(f func() int) func() (string, error) {
		return func() (string, error) {
			if n := f(); n != want {
				return "", fmt.Errorf("%d bytes, want %d", n, want)
			}
			return "", nil
		}
	}
	v1 := func() int {
		var raw stdjson.RawMessage
		if err := stdjson.NewDecoder(p.reset(data)).Decode(&raw); err != nil {
			panic(err)
		}
		return len(raw)
	}
	return append([]harness.Case{
		{Name: "weft", Run: func() { read() }, Check: count(read)},
		{Name: "encoding/json", Run: func() { v1() }, Check: count(v1)},
	}, stdValues(data, count)...)
}

func validCases(data []byte) []harness.Case {
	check := func(f func() bool) func() (string, error) {
		return func() (string, error) {
			if !f() {
				return "", fmt.Errorf("not valid")
			}
			return "", nil
		}
	}
	ours := func() bool { return jsontext.Value(data).IsValid() }
	loose := func() bool {
		return jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	}
	v1 := func() bool { return stdjson.Valid(data) }
	return append([]harness.Case{
		{Name: "weft", Run: func() { ours() }, Check: check(ours)},
		{Name: "weft loose", Run: func() { loose() }, Check: check(loose)},
		{Name: "encoding/json", Run: func() { v1() }, Check: check(v1)},
	}, stdValid(data, check)...)
}

func formatCases(data []byte, what string) []harness.Case {
	var buf []byte
	ours := func() []byte {
		v := jsontext.Value(append(buf[:0], data...))
		var err error
		switch what {
		case "compact":
			err = v.Compact()
		case "indent":
			err = v.Indent()
		default:
			err = v.Canonicalize()
		}
		if err != nil {
			panic(err)
		}
		buf = v
		return v
	}
	var out bytes.Buffer
	v1 := func() []byte {
		out.Reset()
		if what == "compact" {
			stdjson.Compact(&out, data)
		} else {
			stdjson.Indent(&out, data, "", "\t")
		}
		return out.Bytes()
	}
	none := func() (string, error) { return "", nil }
	cases := []harness.Case{{Name: "weft", Run: func() { ours() }, Check: none}}
	if what != "canonicalize" {
		cases = append(cases, harness.Case{Name: "encoding/json", Run: func() { v1() }, Check: none})
	}
	return append(cases, stdFormat(data, what, ours)...)
}

// copyCases write every token that is read.
func copyCases(data []byte) []harness.Case {
	var p plain
	d := jsontext.NewDecoder(p.reset(data))
	e := jsontext.NewEncoder(io.Discard)
	run := func() int64 {
		d.Reset(p.reset(data))
		e.Reset(io.Discard)
		for {
			t, err := d.ReadToken()
			if err != nil {
				return e.OutputOffset()
			}
			if err := e.WriteToken(t); err != nil {
				panic(err)
			}
		}
	}
	want := run()
	check := func(f func() int64) func() (string, error) {
		return func() (string, error) {
			if n := f(); n != want {
				return "", fmt.Errorf("%d bytes, want %d", n, want)
			}
			return "", nil
		}
	}
	return append([]harness.Case{{Name: "weft", Run: func() { run() }, Check: check(run)}}, stdCopy(data, check)...)
}

func BenchmarkTokens(b *testing.B) {
	for _, c := range corpus.All() {
		data, err := c.Data()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.Name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			run := tokenCases(data[:len(data):len(data)])[0].Run
			for b.Loop() {
				run()
			}
		})
	}
}

func BenchmarkValid(b *testing.B) {
	for _, c := range corpus.All() {
		data, err := c.Data()
		if err != nil {
			b.Fatal(err)
		}
		for i, name := range []string{"strict", "loose"} {
			b.Run(c.Name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				run := validCases(data)[i].Run
				for b.Loop() {
					run()
				}
			})
		}
	}
}
