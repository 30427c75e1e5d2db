// Package shadow compares two JSON libraries in production.
//
// A [Codec] calls one library and returns its result. For a sample of the calls it also calls the other library and
// reports every difference: in bytes, in values, or in whether there is an error. So a program can try another
// library without depending on its results, and switch by a flag:
//
//	var codec = shadow.New(shadow.Config{
//		Old:    shadow.Library{Marshal: stdjson.Marshal, Unmarshal: stdjson.Unmarshal},
//		New:    shadow.Library{Marshal: json.Marshal, Unmarshal: json.Unmarshal},
//		Sample: 0.01,
//		Report: func(d *shadow.Difference) { log.Print(d) },
//	})
//
// The names that matter are [New], [Config], [Codec.Marshal], [Codec.Unmarshal], [Codec.ServeNew] and
// [Difference].
package shadow

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
)

// A Library is a pair of functions with the signatures of encoding/json's.
type Library struct {
	Marshal   func(v any) ([]byte, error)
	Unmarshal func(data []byte, v any) error
}

// A Config says what a [Codec] compares.
type Config struct {
	Old, New Library

	// Sample is the share of the calls that are compared, from 0 for none to 1 for all.
	Sample float64

	// Report is called with each difference, on the goroutine of the call and before it returns. It may be
	// called by several goroutines at once. Without it differences are only counted.
	Report func(*Difference)

	// SameText reports whether two results of Marshal count as equal. By default they must have the same bytes.
	SameText func(a, b []byte) bool

	// SameValue reports whether two results of Unmarshal count as equal. By default [reflect.DeepEqual] decides.
	SameValue func(a, b any) bool
}

// A Codec calls two libraries and returns the result of one. Its methods may be called by several goroutines at
// once.
type Codec struct {
	cfg                         Config
	sample                      atomic.Uint64 // the bits of a float64
	serveNew                    atomic.Bool
	compared, skipped, differed atomic.Uint64
}

// New returns a codec that serves the results of cfg.Old. It panics if a function of a library is nil.
func New(cfg Config) *Codec {
	for _, f := range []bool{
		cfg.Old.Marshal == nil, cfg.Old.Unmarshal == nil, cfg.New.Marshal == nil, cfg.New.Unmarshal == nil,
	} {
		if f {
			panic("shadow: a function of a library is nil: set Marshal and Unmarshal of Old and New")
		}
	}
	if cfg.SameText == nil {
		cfg.SameText = bytes.Equal
	}
	if cfg.SameValue == nil {
		cfg.SameValue = reflect.DeepEqual
	}
	c := &Codec{cfg: cfg}
	c.SetSample(cfg.Sample)
	return c
}

// ServeNew sets whether calls return the result of the new library. Both are still compared.
func (c *Codec) ServeNew(on bool) { c.serveNew.Store(on) }

// SetSample sets the share of the calls that are compared, from 0 to 1.
func (c *Codec) SetSample(share float64) { c.sample.Store(math.Float64bits(share)) }

// Counts are the numbers of calls that a [Codec] has compared.
type Counts struct {
	Compared uint64 // sampled and compared
	Differed uint64 // with a difference
	Skipped  uint64 // sampled but not comparable: the target of Unmarshal was not a pointer to a zero value
}

// Counts returns the numbers so far.
func (c *Codec) Counts() Counts {
	return Counts{Compared: c.compared.Load(), Differed: c.differed.Load(), Skipped: c.skipped.Load()}
}

// A Difference is a call to which the libraries gave different results.
type Difference struct {
	Call           string // "Marshal" or "Unmarshal"
	Type           reflect.Type
	Text           []byte // the text that Unmarshal read; it must not be retained or modified
	Old, New       any    // the results: []byte of Marshal, the values of Unmarshal
	OldErr, NewErr error
}

// String describes the difference without the data, which may be secret.
func (d *Difference) String() string {
	switch {
	case d.OldErr == nil && d.NewErr == nil:
		return fmt.Sprintf("shadow: %s of %v: the results differ", d.Call, d.Type)
	case d.OldErr == nil:
		return fmt.Sprintf("shadow: %s of %v: only the new library fails: %v", d.Call, d.Type, d.NewErr)
	}
	return fmt.Sprintf("shadow: %s of %v: only the old library fails: %v", d.Call, d.Type, d.OldErr)
}

// Marshal returns the JSON of v by the library that serves.
//
// A compared call marshals v twice, so methods of v must not depend on the number of calls.
func (c *Codec) Marshal(v any) ([]byte, error) {
	serve, other, isNew := c.libraries()
	text, err := serve.Marshal(v)
	if !c.sampled() {
		return text, err
	}
	c.compared.Add(1)
	var text2 []byte
	err2 := guard(func() (err error) { text2, err = other.Marshal(v); return err })
	if same(err, err2) && (err != nil || c.cfg.SameText(text, text2)) {
		return text, err
	}
	c.report(&Difference{Call: "Marshal", Type: reflect.TypeOf(v)}, isNew, text, text2, err, err2)
	return text, err
}

// Unmarshal reads data into v by the library that serves.
//
// A call is compared if v is a pointer to a zero value; otherwise it is counted as skipped. The other library
// reads into a new value.
func (c *Codec) Unmarshal(data []byte, v any) error {
	serve, other, isNew := c.libraries()
	if !c.sampled() {
		return serve.Unmarshal(data, v)
	}
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || !p.Elem().IsZero() {
		c.skipped.Add(1)
		return serve.Unmarshal(data, v)
	}
	c.compared.Add(1)
	p2 := reflect.New(p.Type().Elem())
	// The copy is read by the other library, so that neither sees what the other does to the input.
	text := bytes.Clone(data)
	err := serve.Unmarshal(data, v)
	err2 := guard(func() error { return other.Unmarshal(text, p2.Interface()) })
	if same(err, err2) && (err != nil || c.cfg.SameValue(v, p2.Interface())) {
		return err
	}
	c.report(&Difference{Call: "Unmarshal", Type: p.Type().Elem(), Text: data}, isNew, v, p2.Interface(), err, err2)
	return err
}

// libraries returns the library that serves, the other one, and whether the former is the new one.
func (c *Codec) libraries() (serve, other *Library, isNew bool) {
	if c.serveNew.Load() {
		return &c.cfg.New, &c.cfg.Old, true
	}
	return &c.cfg.Old, &c.cfg.New, false
}

func (c *Codec) sampled() bool {
	share := math.Float64frombits(c.sample.Load())
	return share > 0 && (share >= 1 || rand.Float64() < share)
}

// same reports whether both calls failed or both succeeded. The texts of errors are not compared.
func same(a, b error) bool { return (a == nil) == (b == nil) }

func (c *Codec) report(d *Difference, isNew bool, result, result2 any, err, err2 error) {
	c.differed.Add(1)
	if c.cfg.Report == nil {
		return
	}
	d.Old, d.New, d.OldErr, d.NewErr = result, result2, err, err2
	if isNew {
		d.Old, d.New, d.OldErr, d.NewErr = result2, result, err2, err
	}
	c.cfg.Report(d)
}

// guard turns a panic of the library that does not serve into an error.
func guard(call func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return call()
}
