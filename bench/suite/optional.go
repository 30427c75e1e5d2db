package suite

import (
	"database/sql"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strings"

	jsoniter "github.com/json-iterator/go"
	"github.com/mailru/easyjson"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/value"

	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/optional"
	"github.com/weftcodec/weft/bench/peers"
)

// plainForm is the form that the others are compared with.
const plainForm = "values"

// form is one way to declare a struct whose fields may be missing.
type form struct {
	name string
	full any              // a pointer to a filled struct
	zero func() any       // a pointer to the one struct that is read into, zero again
	fill func()           // fills a struct that is there
	pass func(calls bool) // copies the struct, through a chain of calls or once
}

// filled is a pointer to a struct that fills itself.
type filled[T any] interface {
	*T
	Fill(s string)
}

func formOf[T any, P filled[T]](name, text string) form {
	v, w := P(new(T)), P(new(T))
	v.Fill(text)
	f := plainFormOf[T](name, (*T)(v))
	f.fill = func() { w.Fill(text) }
	return f
}

// plainFormOf returns the form of a filled struct.
func plainFormOf[T any](name string, v *T) form {
	to := new(T)
	into := new(T)
	return form{name: name, full: v, zero: func() any { *into = *new(T); return into },
		pass: func(calls bool) {
			if calls {
				chain(v, to)
			} else {
				*to = *v
			}
		}}
}

// chain hands a struct down a chain of twelve calls by value.
func chain[T any](v, to *T) { chainA(*v, to); chainA(*v, to); chainA(*v, to) }

//go:noinline
func chainA[T any](v T, to *T) { chainB(v, to); chainB(v, to); chainB(v, to) }

//go:noinline
func chainB[T any](v T, to *T) { *to = v }

// optionalOp is something that every form can do, and how fast optional values
// must be in it.
type optionalOp struct {
	name  string
	weft  bool // a format of ours, where optional values must keep up with plain ones
	takes func(f *form) bool
	run   func(f *form) (func(), error)
}

// codecOps returns the encoding and the decoding of a library.
func codecOps(name string, weft bool, marshal func(v any) ([]byte, error), unmarshal func(b []byte, v any) error) []optionalOp {
	takes := func(f *form) bool { return true }
	if name == "easyjson" {
		takes = func(f *form) bool { _, ok := f.full.(easyjson.Unmarshaler); return ok }
	}
	return []optionalOp{
		{name + " encode", weft, takes, func(f *form) (func(), error) {
			b, err := marshal(f.full)
			if err != nil {
				return nil, err
			}
			v := f.zero()
			if err := unmarshal(b, v); err != nil {
				return nil, err
			}
			if !reflect.DeepEqual(v, f.full) {
				return nil, fmt.Errorf("reads back as %.80v", v)
			}
			return func() { _, _ = marshal(f.full) }, nil
		}},
		{name + " decode", weft, takes, func(f *form) (func(), error) {
			b, err := marshal(f.full)
			return func() { _ = unmarshal(b, f.zero()) }, err
		}},
	}
}

func optionalOps() []optionalOp {
	compatible := jsoniter.ConfigCompatibleWithStandardLibrary
	ops := []optionalOp{
		{"fill", false, func(f *form) bool { return f.fill != nil }, func(f *form) (func(), error) { return f.fill, nil }},
		{"copy", false, func(f *form) bool { return f.fill != nil }, func(f *form) (func(), error) { return func() { f.pass(false) }, nil }},
		{"chained calls", false, func(f *form) bool { return f.fill != nil }, func(f *form) (func(), error) { return func() { f.pass(true) }, nil }},
	}
	ops = append(ops, codecOps("jsoniter", false, compatible.Marshal, compatible.Unmarshal)...)
	ops = append(ops, codecOps("easyjson", false,
		func(v any) ([]byte, error) { return easyjson.Marshal(v.(easyjson.Marshaler)) },
		func(b []byte, v any) error { return easyjson.Unmarshal(b, v.(easyjson.Unmarshaler)) })...)
	ops = append(ops, codecOps("encoding/json", false, stdjson.Marshal, stdjson.Unmarshal)...)
	ops = append(ops, codecOps("weft json", true, func(v any) ([]byte, error) { return json.Marshal(v) }, func(b []byte, v any) error { return json.Unmarshal(b, v) })...)
	ops = append(ops, codecOps("weft msgpack", true, func(v any) ([]byte, error) { return msgpack.Marshal(v) }, func(b []byte, v any) error { return msgpack.Unmarshal(b, v) })...)
	return append(ops, valueOps()...)
}

// valueOps are the ways to a dynamic value and back.
func valueOps() []optionalOp {
	all := func(*form) bool { return true }
	return []optionalOp{
		{"weft value of struct", true, all, func(f *form) (func(), error) {
			_, err := value.Marshal(f.full)
			return func() { _, _ = value.Marshal(f.full) }, err
		}},
		{"weft struct of value", true, all, func(f *form) (func(), error) {
			v, err := value.Marshal(f.full)
			return func() { _ = value.Unmarshal(v, f.zero()) }, err
		}},
	}
}

// forms returns the structs of a table.
func forms() map[string][]form {
	const short, long = "Utrecht, Oudegracht", "0123456789012345678901234567890123456789"
	p, v, n, o, f := optional.Mixed()
	own := optional.MixedSQLNulls{}
	own.Name.Null, own.ID.Null, own.Price.Null = sqlNull(n.Name), sqlNull(n.ID), sqlNull(n.Price)
	own.Open.Null, own.Count.Null, own.City.Null = sqlNull(n.Open), sqlNull(n.Count), sqlNull(n.City)
	return map[string][]form{
		"small": {
			formOf[optional.SmallValues](plainForm, short),
			formOf[optional.SmallPointers]("pointers", short),
			formOf[optional.SmallOpts]("opt.Null", short),
			formOf[optional.SmallNans]("nan's form", short),
			formOf[optional.SmallSQLNulls]("sql.Null's form", short),
		},
		"mixed": {
			plainFormOf(plainForm, v), plainFormOf("pointers", p), plainFormOf("opt.Null", n),
			plainFormOf("opt.Val", o), plainFormOf("opt.Field", f), plainFormOf("sql.Null's form", &own),
		},
		"big": {
			formOf[optional.BigValues](plainForm, long),
			formOf[optional.BigPointers]("pointers", long),
			formOf[optional.BigOpts]("opt.Null", long),
			formOf[optional.BigNans]("nan's form", long),
		},
	}
}

// sqlNull returns o as the library of SQL has it, which is the same memory.
func sqlNull[T any](o opt.Null[T]) sql.Null[T] { return sql.Null[T](o) }

// optionalGroup compares optional values with plain fields, pointers and the
// forms of other libraries.
func optionalGroup() Group {
	return Group{Name: "optional", Modules: peers.JSONModules, Run: func(r *Runner) (string, error) {
		all := forms()
		var within, cells, allocs, std, stdCells, noAlloc int
		worst := 9.0
		for _, corpus := range []string{"small", "mixed", "big"} {
			for _, op := range optionalOps() {
				c := optionalContest(corpus, &op, all[corpus])
				if c == nil {
					continue
				}
				rows, err := r.contest(c)
				if err != nil {
					return "", err
				}
				plain, old := find(rows, plainForm), find(rows, "sql.Null's form")
				for i := range rows {
					row := &rows[i]
					if !strings.HasPrefix(row.Case, "opt.") {
						continue
					}
					switch {
					case op.weft:
						cells++
						if row.Ratio.Median >= 0.90 {
							within++
						}
						if row.Allocs <= plain.Allocs+0.5 {
							allocs++
						}
						worst = min(worst, row.Ratio.Median)
					case strings.HasPrefix(op.name, "encoding/json") && old != nil:
						stdCells++
						if ratio, tie := row.Versus(old); tie || ratio.Median >= 1 {
							std++
						}
					case corpus == "big" && (op.name == "fill" || op.name == "copy"):
						if row.Allocs < 0.5 {
							noAlloc++
						}
					}
				}
			}
		}
		return fmt.Sprintf("optional: weft-within-10%%=%d/%d worst=%.2f weft-allocs-equal=%d/%d encoding/json-not-slower-than-sql=%d/%d big-fill-copy-no-alloc=%d/2",
			within, cells, worst, allocs, cells, std, stdCells, noAlloc), nil
	}}
}

// optionalContest makes the contest of one operation, or nil where too few forms
// can do it.
func optionalContest(corpus string, op *optionalOp, forms []form) *harness.Contest {
	c := &harness.Contest{Group: "optional", Corpus: corpus, Op: op.name, Ref: plainForm}
	for i := range forms {
		f := &forms[i]
		if !op.takes(f) {
			continue
		}
		run, err := op.run(f)
		c.Cases = append(c.Cases, harness.Case{Name: f.name, Run: run, Check: func() (string, error) { return "", err }})
	}
	if len(c.Cases) < 2 {
		return nil
	}
	return c
}
