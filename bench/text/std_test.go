//go:build goexperiment.jsonv2 && go1.27

package text_test

import (
	"bytes"
	std "encoding/json/jsontext"
	"fmt"
	"io"

	"github.com/weftcodec/weft/bench/harness"
)

const stdName = "encoding/json/jsontext"

func stdTokens(data []byte, check func(func() int) func() (string, error)) []harness.Case {
	var p plain
	d := std.NewDecoder(p.reset(data))
	read := func(opts ...std.Options) (n int) {
		d.Reset(p.reset(data), opts...)
		for {
			if _, err := d.ReadToken(); err != nil {
				return n
			}
			n++
		}
	}
	all := func() int { return read() }
	dups := std.AllowDuplicateNames(true)
	return []harness.Case{
		{Name: stdName, Run: func() { read() }, Check: check(all)},
		{Name: stdName + " dups", Run: func() { read(dups) }, Check: check(all)},
	}
}

func stdValues(data []byte, check func(func() int) func() (string, error)) []harness.Case {
	var p plain
	d := std.NewDecoder(p.reset(data))
	read := func() int {
		d.Reset(p.reset(data))
		v, err := d.ReadValue()
		if err != nil {
			panic(err)
		}
		return len(v)
	}
	return []harness.Case{{Name: stdName, Run: func() { read() }, Check: check(read)}}
}

func stdValid(data []byte, check func(func() bool) func() (string, error)) []harness.Case {
	valid := func() bool { return std.Value(data).IsValid() }
	loose := func() bool {
		return std.Value(data).IsValid(std.AllowDuplicateNames(true), std.AllowInvalidUTF8(true))
	}
	return []harness.Case{
		{Name: stdName, Run: func() { valid() }, Check: check(valid)},
		{Name: stdName + " loose", Run: func() { loose() }, Check: check(loose)},
	}
}

func stdFormat(data []byte, what string, ours func() []byte) []harness.Case {
	var buf []byte
	run := func() []byte {
		v := std.Value(append(buf[:0], data...))
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
	return []harness.Case{{Name: stdName, Run: func() { run() }, Check: func() (string, error) {
		if !bytes.Equal(run(), ours()) {
			return "", fmt.Errorf("other text")
		}
		return "", nil
	}}}
}

func stdCopy(data []byte, check func(func() int64) func() (string, error)) []harness.Case {
	var p plain
	d := std.NewDecoder(p.reset(data))
	e := std.NewEncoder(io.Discard)
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
	return []harness.Case{{Name: stdName, Run: func() { run() }, Check: check(run)}}
}
