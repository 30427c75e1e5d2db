package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

var (
	diffTime = flag.Duration("difftime", 0, "how long TestDifferential runs (default 2s, with -short 200ms)")
	diffSeed = flag.Uint64("diffseed", 1, "seed of TestDifferential")
)

// knownDifferences lists where this package differs from the classic
// encoding/json on purpose. An entry matches a case, encoding/json's outcome
// and the difference found.
//
// Where encoding/json stands on encoding/json/v2 (Go 1.27 by default) it
// differs from its own classic behaviour in error texts and offsets, in the
// target's state after an error and in Token errors; this package keeps the
// classic behaviour there, so the tests that compare with encoding/json run
// only where it is the classic one (on Go 1.27: GOEXPERIMENT=nojsonv2).
var knownDifferences = []struct {
	why   string
	match func(c *diffCase, want *outcome, diff string) bool
}{
	{
		"after a panic of one of the target's own methods the target's state is not defined; the panic is the same",
		func(_ *diffCase, want *outcome, diff string) bool {
			return want.panic != nil && !strings.HasPrefix(diff, "panic")
		},
	},
	{
		"a new slice has no room to spare, encoding/json's may: decoded into again, only one of them may leave its array, " +
			"which an array that was replaced before still refers to",
		func(_ *diffCase, _ *outcome, diff string) bool {
			return strings.HasPrefix(diff, "array of prefilled slice") && insideNested.MatchString(diff)
		},
	},
}

// insideNested matches the place of an element of a slice in a slice.
var insideNested = regexp.MustCompile(`\) \S*\[\d+\]\S*\[\d+\]`)

// diffOp is what a case does.
type diffOp uint8

const (
	opUnmarshal diffOp = iota
	opDecoder
	opTokens
	opMarshal
	opEncoder
	opText
	opCount
)

func (o diffOp) String() string {
	return [...]string{"Unmarshal", "Decoder", "Decoder.Token", "Marshal", "Encoder", "Valid/Compact/Indent/HTMLEscape"}[o]
}

// diffCase is one comparison; running it twice does the same.
type diffCase struct {
	op     diffOp
	typ    reflect.Type
	text   []byte
	filled bool   // decode into a value that is not zero
	seed   uint64 // of the value and of the choices within the operation
	// variant takes the functions that encoding/json does not have.
	variant bool
}

// outcome is what an implementation made of a case.
type outcome struct {
	value reflect.Value // decoded value
	alias []reflect.Value
	bytes []byte
	trace []string // calls in order
	errs  []error
	panic any
}

// run has an implementation do the case.
func (c *diffCase) run(im *implementation) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			if e, ok := p.(runtime.Error); ok {
				p = "runtime error: " + e.Error()
			}
			o.panic = p
		}
	}()
	g := newGen(c.seed, 2)
	switch c.op {
	case opUnmarshal:
		data := bytes.Clone(c.text)
		target := freshTarget(c.typ, c.seed, c.filled)
		o.value, o.alias = target, aliases(target)
		o.errs = append(o.errs, im.Unmarshal(data, target.Interface()))
		if !bytes.Equal(data, c.text) {
			o.trace = append(o.trace, "changed its input")
		}
		scribble(data)
	case opDecoder:
		target := freshTarget(c.typ, c.seed, c.filled)
		o.value, o.alias = target, aliases(target)
		r := chunked(g, c.text)
		d := im.NewDecoder(r)
		if g.one(2) {
			d.UseNumber()
		}
		if g.one(2) {
			d.DisallowUnknownFields()
		}
		for range 3 {
			o.trace = append(o.trace, fmt.Sprint("more ", d.More(), d.InputOffset()))
			err := d.Decode(target.Interface())
			o.errs = append(o.errs, err)
			o.trace = append(o.trace, fmt.Sprint("decoded to ", d.InputOffset()))
			if err != nil && g.one(2) {
				break
			}
		}
		rest, err := io.ReadAll(io.MultiReader(d.Buffered(), r))
		o.trace = append(o.trace, fmt.Sprintf("rest %q %v", rest, err))
	case opTokens:
		r := chunked(g, c.text)
		d := im.NewDecoder(r)
		if g.one(2) {
			d.UseNumber()
		}
		for range 40 {
			switch g.IntN(8) {
			case 0:
				o.trace = append(o.trace, fmt.Sprint("more ", d.More()))
			case 1:
				var v any
				err := d.Decode(&v)
				o.errs = append(o.errs, err)
				o.trace = append(o.trace, fmt.Sprintf("decode %#v at %d", v, d.InputOffset()))
			default:
				t, err := d.Token()
				o.errs = append(o.errs, err)
				o.trace = append(o.trace, fmt.Sprintf("token %T %v at %d", t, t, d.InputOffset()))
				if err != nil && g.one(2) {
					return o
				}
			}
		}
	case opMarshal:
		v := freshTarget(c.typ, c.seed, true)
		arg := v.Interface()
		if g.one(2) {
			arg = v.Elem().Interface()
		}
		var err error
		if g.one(4) {
			o.bytes, err = im.MarshalIndent(arg, pick(g, []string{"", ">", "\t"}), pick(g, []string{"", " ", "\t", "--"}))
		} else {
			o.bytes, err = im.Marshal(arg)
		}
		o.errs = append(o.errs, err)
		o.value = v
	case opEncoder:
		w := limitedWriter{left: 1 << 30}
		if g.one(8) {
			w.left = g.IntN(100)
		}
		e := im.NewEncoder(&w)
		e.SetEscapeHTML(g.one(2))
		if g.one(2) {
			e.SetIndent(pick(g, []string{"", ">"}), pick(g, []string{"", "  "}))
		}
		for i := range uint64(2) {
			v := freshTarget(c.typ, c.seed+i, true)
			o.errs = append(o.errs, e.Encode(v.Interface()))
		}
		o.bytes = w.Bytes()
	case opText:
		w := bytes.NewBufferString("before")
		o.trace = append(o.trace, fmt.Sprint("valid ", im.Valid(c.text)))
		o.errs = append(o.errs, im.Compact(w, c.text))
		o.trace = append(o.trace, w.String())
		o.errs = append(o.errs, im.Indent(w, c.text, pick(g, []string{"", ">"}), pick(g, []string{"", "\t"})))
		o.trace = append(o.trace, w.String())
		im.HTMLEscape(w, c.text)
		o.bytes = w.Bytes()
	}
	return o
}

// chunked returns a reader that yields text in one of several ways.
func chunked(g *gen, text []byte) io.Reader {
	r := io.Reader(bytes.NewReader(text))
	switch g.IntN(5) {
	case 0:
		return iotest.OneByteReader(r)
	case 1:
		return iotest.HalfReader(r)
	case 2:
		return iotest.DataErrReader(r)
	case 3:
		if n := len(text); n > 0 && g.one(3) {
			return io.MultiReader(bytes.NewReader(text[:g.IntN(n)]), iotest.ErrReader(errBad))
		}
	}
	return r
}

// limitedWriter fails after some bytes.
type limitedWriter struct {
	bytes.Buffer
	left int
}

func (w *limitedWriter) Write(b []byte) (int, error) {
	if len(b) > w.left {
		n, _ := w.Buffer.Write(b[:w.left])
		w.left = 0
		return n, errBad
	}
	w.left -= len(b)
	return w.Buffer.Write(b)
}

// scribble spoils the input after the call: a result that kept it shows.
func scribble(b []byte) {
	for i := range b {
		b[i] = '#'
	}
}

// aliases returns the slices, as they are before a decode, that a target
// holds: what is written into their arrays is part of the result.
func aliases(v reflect.Value) []reflect.Value {
	var list []reflect.Value
	var walk func(v reflect.Value, depth int)
	walk = func(v reflect.Value, depth int) {
		if depth == 0 {
			return
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), depth-1)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i), depth-1)
				}
			}
		case reflect.Slice:
			if v.Cap() > 0 {
				s := v.Slice(0, v.Cap())
				list = append(list, s)
				for i := range s.Len() {
					walk(s.Index(i), depth-1)
				}
			}
		case reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i), depth-1)
			}
		}
	}
	walk(v, 6)
	return list
}

// subject returns the functions under test.
func (c *diffCase) subject() *implementation {
	if c.variant {
		return &variant
	}
	return &subject
}

// stuckAfter is when a case counts as one that never ends.
const stuckAfter = 20 * time.Second

// diff runs the case with both implementations and tells how they differ.
func (c *diffCase) diff() string {
	watch := time.AfterFunc(stuckAfter, func() {
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		panic(fmt.Sprintf("%v does not return: type %v, text %q, filled %v, seed %d, %s\n%s", c.op, c.typ, c.text, c.filled,
			c.seed, c.subject().name, stacks))
	})
	defer watch.Stop()
	want, got := c.run(&oracle), c.run(c.subject())
	diff := c.compare(want, got)
	if diff == "" {
		return ""
	}
	for _, k := range knownDifferences {
		if k.match(c, &want, diff) {
			return ""
		}
	}
	return diff
}

func (c *diffCase) compare(want, got outcome) string {
	if fmt.Sprint(want.panic) != fmt.Sprint(got.panic) {
		return fmt.Sprintf("panic: got %v, want %v", got.panic, want.panic)
	}
	for i := range max(len(want.errs), len(got.errs)) {
		if i >= len(want.errs) || i >= len(got.errs) {
			return fmt.Sprintf("%d errors, want %d", len(got.errs), len(want.errs))
		}
		if d := errorDiff(want.errs[i], got.errs[i]); d != "" {
			return fmt.Sprintf("call %d: %s", i, d)
		}
	}
	for i := range max(len(want.trace), len(got.trace)) {
		if i >= len(want.trace) || i >= len(got.trace) {
			return fmt.Sprintf("%d steps, want %d", len(got.trace), len(want.trace))
		}
		if want.trace[i] != got.trace[i] {
			return fmt.Sprintf("step %d: got %s, want %s", i, got.trace[i], want.trace[i])
		}
	}
	if !bytes.Equal(want.bytes, got.bytes) || (want.bytes == nil) != (got.bytes == nil) {
		return fmt.Sprintf("bytes:\n\tgot  %q\n\twant %q", got.bytes, want.bytes)
	}
	if want.value.IsValid() && c.op != opMarshal {
		if d := differ(want.value, got.value); d != "" {
			return "result " + d
		}
		for i := range want.alias {
			if d := differ(want.alias[i], got.alias[i]); d != "" {
				return fmt.Sprintf("array of prefilled slice %d (%v) %s", i, want.alias[i].Type(), d)
			}
		}
	}
	return ""
}

// report prints a case so that it can be turned into a table row.
func (c *diffCase) report(diff string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s\n", c.op, diff)
	if c.typ != nil && c.op != opTokens && c.op != opText {
		fmt.Fprintf(&b, "  type   %s\n", strings.ReplaceAll(c.typ.String(), "json_test.", ""))
	}
	switch c.op {
	case opMarshal, opEncoder:
		v := freshTarget(c.typ, c.seed, true)
		fmt.Fprintf(&b, "  value  %s\n", dump(v.Elem()))
	default:
		fmt.Fprintf(&b, "  text   %q\n", c.text)
		if c.filled {
			fmt.Fprintf(&b, "  target %s\n", dump(freshTarget(c.typ, c.seed, true).Elem()))
		}
	}
	want, got := c.run(&oracle), c.run(c.subject())
	fmt.Fprintf(&b, "  want   %s\n  got    %s\n  seed   %d, %s\n", want.line(c), got.line(c), c.seed, c.subject().name)
	return b.String()
}

// line prints an outcome.
func (o *outcome) line(c *diffCase) string {
	var b strings.Builder
	if o.panic != nil {
		fmt.Fprintf(&b, "panic %v ", o.panic)
	}
	if o.value.IsValid() && c.op != opMarshal {
		b.WriteString(dump(o.value.Elem()) + " ")
	}
	if o.bytes != nil {
		fmt.Fprintf(&b, "%q ", o.bytes)
	}
	for _, e := range o.errs {
		b.WriteString(describe(e) + "; ")
	}
	if len(o.trace) > 0 {
		fmt.Fprintf(&b, "%q", o.trace)
	}
	return b.String()
}

// fill chooses the operation and the text of a case.
func (c *diffCase) fill(g *gen) {
	c.op = diffOp(g.IntN(int(opCount)))
	if g.one(2) {
		c.op = pick(g, []diffOp{opUnmarshal, opUnmarshal, opMarshal})
	}
	c.seed = g.Uint64() >> 1
	c.filled = g.one(2)
	c.variant = g.one(4)
	switch c.op {
	case opMarshal, opEncoder:
		return
	}
	switch g.IntN(4) {
	case 0: // the encoding of a value
		v := freshTarget(c.typ, c.seed+1, true)
		c.text = encodingOf(v)
	default:
		c.text = g.space(g.text(g.space(nil), c.typ, 4))
	}
	if c.op == opDecoder || c.op == opTokens {
		for g.one(2) {
			c.text = append(c.text, pick(g, []string{"", " ", "\n", "\n\n"})...)
			c.text = g.text(c.text, c.typ, 3)
		}
	}
	if g.one(3) {
		c.text = g.mutate(c.text)
	}
}

// encodingOf returns encoding/json's encoding of a value, or nothing when it has
// none or a method of the value panics.
func encodingOf(v reflect.Value) (text []byte) {
	defer func() { _ = recover() }()
	text, _ = stdjson.Marshal(v.Interface())
	return text
}

// typeRounds is how many cases share a type: making types is slow.
const typeRounds = 250

// TestDifferential compares this package with encoding/json on random types,
// values and texts: results, errors with their types, texts and fields, and
// the state of a target after an error.
//
//	go test ./json -run TestDifferential -difftime 60s -diffseed 7
func TestDifferential(t *testing.T) {
	if !classicOracle {
		t.Skip("encoding/json stands on encoding/json/v2 here: set GOEXPERIMENT=nojsonv2 to compare with the classic one")
	}
	limit := 2 * time.Second
	if testing.Short() {
		limit = 200 * time.Millisecond
	}
	if *diffTime > 0 {
		limit = *diffTime
	}
	g := newGen(*diffSeed, 0)
	failures := map[string]bool{}
	cases := 0
	for end := time.Now().Add(limit); time.Now().Before(end) && len(failures) < maxFailures(); {
		typ := g.typ(3)
		for range typeRounds {
			c := &diffCase{typ: typ}
			c.fill(g)
			cases++
			if d := c.diff(); d != "" {
				c, d = shrink(c, d)
				key := c.op.String() + signature(d)
				if !failures[key] {
					failures[key] = true
					t.Error(c.report(d))
				}
				break
			}
		}
	}
	t.Logf("%d cases, %d kinds of difference", cases, len(failures))
}

// maxFailures is after how many kinds of difference the test gives up.
func maxFailures() int {
	if os.Getenv("WEFT_DIFF_ALL") != "" {
		return 200
	}
	return 12
}

// signature reduces a difference to its kind: digits and quoted text go.
func signature(d string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(d) && b.Len() < 90; i++ {
		switch c := d[i]; {
		case c == '"' && (i == 0 || d[i-1] != '\\'):
			quoted = !quoted
		case !quoted && (c < '0' || c > '9'):
			b.WriteByte(c)
		}
	}
	return b.String()
}

// FuzzDifferentialDecode compares decoding of arbitrary text into types made
// from a seed.
func FuzzDifferentialDecode(f *testing.F) {
	for i, s := range conformanceSeeds() {
		f.Add(uint64(i), uint8(i), []byte(s))
	}
	f.Fuzz(func(t *testing.T, seed uint64, mode uint8, text []byte) {
		if !classicOracle {
			t.Skip()
		}
		c := &diffCase{
			op:      pick(newGen(uint64(mode), 9), []diffOp{opUnmarshal, opDecoder, opTokens, opText}),
			typ:     newGen(seed%4096, 0).typ(3),
			text:    text,
			filled:  mode&1 != 0,
			seed:    seed,
			variant: mode&2 != 0,
		}
		if d := c.diff(); d != "" {
			t.Error(c.report(d))
		}
	})
}

// FuzzDifferentialEncode compares the encoding of values made from seeds.
func FuzzDifferentialEncode(f *testing.F) {
	for i := range uint64(50) {
		f.Add(i, i, false)
	}
	f.Fuzz(func(t *testing.T, types, values uint64, stream bool) {
		if !classicOracle {
			t.Skip()
		}
		c := &diffCase{op: opMarshal, typ: newGen(types%65536, 0).typ(3), seed: values, variant: values&1 != 0}
		if stream {
			c.op = opEncoder
		}
		if d := c.diff(); d != "" {
			t.Error(c.report(d))
		}
	})
}
