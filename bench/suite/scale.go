package suite

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
)

// oneGoroutine is the case that two goroutines are compared with.
const oneGoroutine = "one goroutine"

// scaleGroup compares weft with itself: on two goroutines, which must not wait for each other's memory, and with the
// kernels of each instruction set, for strings too where these do most of the work.
func scaleGroup() Group {
	return Group{Name: "scale", Run: func(r *Runner) (string, error) {
		part, err := r.goroutines("control", scaleOp{"arithmetic", 0, 10, arithmetic})
		if err != nil {
			return "", err
		}
		summary := "scale:" + part
		all := corpus.All()
		for _, k := range []struct {
			corpus     string
			ops        []string
			goroutines bool
		}{
			{"twitter_status", []string{"decode", "encode", "append"}, true},
			{"pet", []string{"decode", "encode", "append"}, true},
			{"string_escaped", []string{"append"}, false},
			{"string_unicode", []string{"decode", "append"}, false},
		} {
			c := all[slices.IndexFunc(all, func(c corpus.Corpus) bool { return c.Name == k.corpus })]
			ops, err := scaleOps(c)
			if err != nil {
				return "", err
			}
			for _, o := range ops {
				if !slices.Contains(k.ops, o.name) {
					continue
				}
				if k.goroutines {
					part, err := r.goroutines(c.Name, o)
					if err != nil {
						return "", err
					}
					summary += part
				}
				rows, err := r.levels(c.Name, o)
				if err != nil {
					return "", err
				}
				for _, row := range rows {
					summary += fmt.Sprintf(" %s-%s-%s=%.2f", c.Name, o.name, row.Case, row.Ratio.Median)
				}
			}
		}
		part, err = r.validLevels()
		return summary + part, err
	}}
}

// validLevels compares the kernels on the check of all nine documents, and returns the geometric means.
func (r *Runner) validLevels() (string, error) {
	ratios := make(map[string][]float64)
	var names []string
	for _, c := range corpus.All() {
		data, err := c.Data()
		if err != nil {
			return "", err
		}
		rows, err := r.levels(c.Name, scaleOp{"valid", len(data), max(1, 50_000/len(data)), func() func() error {
			return func() error {
				if !json.Valid(data) {
					return errors.New("calls the corpus invalid")
				}
				return nil
			}
		}})
		if err != nil {
			return "", err
		}
		for _, row := range rows {
			if !slices.Contains(names, row.Case) {
				names = append(names, row.Case)
			}
			ratios[row.Case] = append(ratios[row.Case], row.Ratio.Median)
		}
	}
	var part string
	for _, n := range names {
		part += fmt.Sprintf(" valid-%s=%.2f", n, harness.GeoMean(ratios[n]))
	}
	return part, nil
}

// scaleOp is a thing to do with a document. make returns it for one goroutine.
type scaleOp struct {
	name  string
	size  int
	times int // that make up a run
	make  func() func() error
}

// arithmetic touches no memory: what it does not gain on two goroutines the machine does not give.
func arithmetic() func() error {
	return func() error {
		x := uint64(1)
		for range 5000 {
			x = x*6364136223846793005 + 1442695040888963407
		}
		if x == 0 {
			return errors.New("comes to zero")
		}
		return nil
	}
}

func scaleOps(c corpus.Corpus) ([]scaleOp, error) {
	data, err := c.Data()
	if err != nil {
		return nil, err
	}
	t := reflect.TypeOf(c.New()).Elem()
	v := c.New()
	if err := stdjson.Unmarshal(data, v); err != nil {
		return nil, err
	}
	times := max(1, 50_000/len(data))
	return []scaleOp{
		{"decode", len(data), times, func() func() error {
			return func() error { return json.Unmarshal(data, reflect.New(t).Interface()) }
		}},
		{"encode", len(data), times, func() func() error {
			return func() error { _, err := json.Marshal(v); return err }
		}},
		{"append", len(data), times, func() func() error {
			var b []byte
			return func() (err error) { b, err = json.MarshalAppend(b[:0], v); return err }
		}},
	}, nil
}

// goroutines times the operation on one goroutine and on two, in CPU time for as much work, with two processors for
// both. Where the goroutines share nothing they are even.
func (r *Runner) goroutines(corpus string, o scaleOp) (string, error) {
	c := harness.Contest{Group: "scale", Corpus: corpus, Op: o.name, Bytes: o.size * 2 * o.times, Ref: oneGoroutine}
	for i, name := range []string{oneGoroutine, "two goroutines"} {
		each := 2 / (i + 1) * o.times
		work := make([]func() error, i+1)
		for i := range work {
			work[i] = o.make()
		}
		run := func() {
			var wg sync.WaitGroup
			for _, f := range work {
				wg.Go(func() {
					for range each {
						if err := f(); err != nil {
							panic(err)
						}
					}
				})
			}
			wg.Wait()
		}
		c.Cases = append(c.Cases, harness.Case{Name: name, Run: run,
			Note: "(CPU time for the same work)",
			Measure: func(n, warm int) (harness.Sample, error) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
				return harness.Measure(run, n, warm), nil
			}})
	}
	rows, err := r.contest(&c)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(" %s-%s-two=%.2f", corpus, o.name, 2*rows[1].Ratio.Median), nil
}

// levels times the operation with the kernels of each instruction set that the processor has, and returns the rows of
// all but the best.
func (r *Runner) levels(corpus string, o scaleOp) ([]harness.Row, error) {
	levels := wire.Levels()
	c := harness.Contest{Group: "scale", Corpus: corpus, Op: o.name, Bytes: o.size * o.times, Ref: levels[0]}
	for _, level := range levels {
		f := o.make()
		c.Cases = append(c.Cases, harness.Case{Name: level, Run: func() {
			defer wire.SetLevel(level)()
			for range o.times {
				if err := f(); err != nil {
					panic(err)
				}
			}
		}})
	}
	rows, err := r.contest(&c)
	if err != nil {
		return nil, err
	}
	return rows[1:], nil
}
