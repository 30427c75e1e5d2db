package weft_test

import (
	"bytes"
	"encoding"
	stdjson "encoding/json"
	"errors"
	stdflag "flag"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

var (
	randomTime = stdflag.Duration("randomtime", 0, "how long TestRandomLaws runs (default 2s, with -short 300ms)")
	randomSeed = stdflag.Uint64("randomseed", 1, "seed of TestRandomLaws")
)

// Types with methods of their own, on values and on pointers.
type (
	lawTextKey int8
	lawPtrText struct{ s string }
	lawValWeft struct{ n int64 }
	lawRules   struct {
		A int             `json:"a" check:"minimum=-5,maximum=900"`
		B string          `json:"b,omitempty" check:"maxLength=90"`
		C []opt.Val[int]  `json:"c"`
		D *opt.Null[bool] `json:"d,omitzero"`
	}
	lawDeep struct {
		lawDeepIn
		*lawDeepPtr
		By   map[lawTextKey]*lawDeep
		Up   *lawDeep `json:",omitempty"`
		Arr  [2]*lawDeepIn
		Null opt.Field[[]lawDeepIn] `json:",omitzero"`
	}
	lawDeepIn  struct{ X, Y any }
	lawDeepPtr struct {
		Z  []byte `json:"z,omitempty"`
		At opt.Null[time.Time]
	}
)

func (k lawTextKey) MarshalText() ([]byte, error) { return []byte("k" + strconv.Itoa(int(k))), nil }
func (k *lawTextKey) UnmarshalText(b []byte) error {
	n, err := strconv.Atoi(strings.TrimPrefix(string(b), "k"))
	*k = lawTextKey(n)
	return err
}
func (p *lawPtrText) MarshalText() ([]byte, error)        { return []byte(p.s), nil }
func (p *lawPtrText) UnmarshalText(b []byte) error        { p.s = string(b); return nil }
func (v lawValWeft) MarshalWeft(e *weft.Encoder) error    { return e.Int64(v.n) }
func (v *lawValWeft) UnmarshalWeft(d *weft.Decoder) error { v.n = d.Int64(); return d.Err() }

var _ encoding.TextMarshaler = new(lawPtrText)

func lawMaker(seed uint64) *sample.Maker {
	return &sample.Maker{
		Rand: rand.New(rand.NewPCG(seed, 9)),
		Tag:  "json",
		Leaves: []reflect.Type{
			reflect.TypeFor[*lawPtrText](), reflect.TypeFor[lawValWeft](), reflect.TypeFor[lawRules](), reflect.TypeFor[lawDeep](),
			reflect.TypeFor[*lawDeep](), reflect.TypeFor[*big.Int](), reflect.TypeFor[netip.Addr](),
			reflect.TypeFor[url.URL](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[stdjson.Number](), reflect.TypeFor[value.Value](),
			reflect.TypeFor[opt.Val[string]](), reflect.TypeFor[opt.Field[[]int]](), reflect.TypeFor[opt.Null[opt.Val[bool]]](),
			reflect.TypeFor[[0]int](), reflect.TypeFor[[]struct{}](), reflect.TypeFor[map[netip.Addr]lawTextKey](),
		},
		Keys: []reflect.Type{reflect.TypeFor[lawTextKey](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[uint8](), reflect.TypeFor[int32]()},
		Text: func(s string) string { return fmt.Sprintf("%.20q", s) },
		Set: func(m *sample.Maker, v reflect.Value) bool {
			switch x := v.Addr().Interface().(type) {
			case *lawPtrText:
				x.s = "t" + strconv.Itoa(m.IntN(50))
			case *lawValWeft:
				x.n = m.Int64() >> m.IntN(64)
			case *big.Int:
				x.SetInt64(m.Int64())
				x.Mul(x, big.NewInt(int64(m.IntN(9))))
			case *netip.Addr:
				*x = netip.AddrFrom4([4]byte{1, 2, byte(m.IntN(4)), 4})
			case *url.URL:
				*x = url.URL{Scheme: "http", Host: "a.b", Path: "/" + strconv.Itoa(m.IntN(9))}
			case *json.RawMessage:
				*x = json.RawMessage([]string{`{"a":[1,null]}`, `null`, `"x"`, `1.5`}[m.IntN(4)])
			case *stdjson.Number:
				*x = stdjson.Number([]string{"0", "1.5", "-3", "1e30", "12345678901234567890123"}[m.IntN(5)])
			case *value.Value:
				*x = value.List(value.Int(int64(m.IntN(9))), value.String("s"), value.Null())
			case *opt.Field[[]int]:
				*x = []opt.Field[[]int]{{}, opt.FieldNull[[]int](), opt.FieldOf([]int{m.IntN(9)})}[m.IntN(3)]
			case *lawRules:
				x.A = m.IntN(900) - 5
				for range m.IntN(3) {
					x.C = append(x.C, opt.ValOf(m.IntN(9)))
				}
			default:
				return false
			}
			return true
		},
	}
}

// TestRandomLaws: for random types and values, in every format, what is read is the same as what was written, but that
// version 2 of JSON omits what is empty there; what is written again after it is read is the same; all ways to write and
// to read agree; reading again into what was read changes nothing; a cut document is an error; damage is never a panic,
// nor does it allocate what it only claims.
//
//	go test -run TestRandomLaws . -args -randomtime 60s -randomseed 7
func TestRandomLaws(t *testing.T) {
	limit := 2 * time.Second
	if testing.Short() {
		limit = 300 * time.Millisecond
	}
	if *randomTime > 0 {
		limit = *randomTime
	}
	m := lawMaker(*randomSeed)
	opts := []weft.Options{json.FormatDuration("units"), tagged.BoolsAsInts(true), weft.Deterministic(true)}
	done, refused := 0, map[string]int{}
	seen := map[string]bool{}
	for end := time.Now().Add(limit); time.Now().Before(end) && len(seen) < 12; {
		rt := m.Type(3)
		for range 3 {
			v := m.Value(rt, 4)
			for _, f := range heldFormats {
				what, err := randomLaws(m, v, f.f, strings.HasSuffix(f.name, "arrays"), f.name == "json V2", slices.Concat(f.opts, opts)...)
				if err != nil {
					if key := f.name + what + fmt.Sprintf("%.60v", err); !seen[key] && what != "refused" {
						seen[key] = true
						t.Errorf("%s, %s: %v\n%.200v\n%.200s", f.name, what, err, rt, fmt.Sprintf("%+v", v.Elem().Interface()))
					}
					if what == "refused" {
						refused[f.name+": "+fmt.Sprintf("%.120v", err)]++
					}
				} else {
					done++
				}
			}
		}
	}
	t.Logf("%d laws held", done)
	if testing.Verbose() {
		for k, n := range refused {
			t.Log(n, k)
		}
	}
}

// randomLaws returns which law does not hold for the value that v points to, and why.
func randomLaws(m *sample.Maker, v reflect.Value, f weft.Format, arrays, lossy bool, opts ...weft.Options) (what string, err error) {
	defer func() {
		if r := recover(); r != nil {
			what, err = what+" panics", fmt.Errorf("%v\n%s", r, debug.Stack())
		}
	}()
	rt := v.Type().Elem()
	what = "write"
	b, err := f.MarshalAppend(nil, v.Interface(), opts...)
	if err != nil {
		return "refused", err
	}
	text := string(b)
	var w bytes.Buffer
	if err := f.MarshalWrite(&w, v.Interface(), opts...); err != nil || w.String() != text {
		return "MarshalWrite", fmt.Errorf("%v: %q, and appended %q", err, w.String(), text)
	}
	if c, err := f.MarshalAppend([]byte("pre"), v.Interface(), opts...); err != nil || string(c) != "pre"+text {
		return "MarshalAppend", fmt.Errorf("%v: %q, and appended %q", err, c, text)
	}
	what = "read"
	x := reflect.New(rt)
	if err := f.Unmarshal(b, x.Interface(), opts...); err != nil {
		return what, fmt.Errorf("%w: %.60q", err, text)
	}
	if string(b) != text {
		return "input is written to", errors.New(text)
	}
	if at := sample.Same(v, x, arrays); at != "" && !lossy {
		return "equal", errors.New(at)
	}
	// What is omitted with what holds it is not there the next time.
	c, err := f.MarshalAppend(nil, x.Interface(), opts...)
	if err != nil {
		return "written again", err
	}
	want := string(c)
	again := func(how string, x reflect.Value) (string, error) {
		c, err := f.MarshalAppend(nil, x.Interface(), opts...)
		if got := string(c); err != nil || got != want {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			i = max(i-40, 0)
			return how, fmt.Errorf("%.90q, not %.90q: %v", got[min(i, len(got)):], want[min(i, len(want)):], err)
		}
		return "", nil
	}
	clear(b)
	if what, err := again("input is kept", x); err != nil {
		return what, err
	}
	x = reflect.New(rt)
	if err := f.Unmarshal(c, x.Interface(), opts...); err != nil {
		return "read again", err
	}
	if what, err := again("again", x); err != nil {
		return what, err
	}
	b = []byte(text)
	for _, r := range []io.Reader{
		bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b)), iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(b))),
	} {
		y := reflect.New(rt)
		if err := f.UnmarshalRead(r, y.Interface(), opts...); err != nil {
			return "UnmarshalRead", fmt.Errorf("%q: %w", text, err)
		}
		if what, err := again("again, of a reader", y); err != nil {
			return what, err
		}
	}
	if err := f.Unmarshal(b, x.Interface(), opts...); err != nil {
		return "read into used memory", err
	}
	if what, err := again("again, of used memory", x); err != nil {
		return what, err
	}
	if sf, ok := f.(weft.StreamFormat); ok {
		var w bytes.Buffer
		e := sf.NewEncoder(&w, opts...)
		for range 3 {
			if err := e.Encode(v.Interface()); err != nil {
				return "Encode", err
			}
		}
		if err := e.Close(); err != nil {
			return "Close", err
		}
		d := sf.NewDecoder(iotest.HalfReader(&w), opts...)
		for range 3 {
			y := reflect.New(rt)
			if err := d.Decode(y.Interface()); err != nil {
				return "Decode", err
			}
			if what, err := again("again, of a stream", y); err != nil {
				return what, err
			}
		}
		if err := d.Decode(reflect.New(rt).Interface()); err != io.EOF {
			return "end of a stream", err
		}
	}
	if len(b) > 400 {
		return "", nil
	}
	for n := range b {
		what = "cut"
		y := reflect.New(rt)
		err := f.Unmarshal(b[:n:n], y.Interface(), opts...)
		if err == nil && f != json.Format && f != tagged.Format {
			return what, fmt.Errorf("%q at %d", text, n)
		}
		if err2 := f.UnmarshalRead(bytes.NewReader(b[:n]), reflect.New(rt).Interface(), opts...); (err == nil) != (err2 == nil) {
			return what + " by reader", fmt.Errorf("%q at %d: %v, %v", text, n, err, err2)
		}
		bad := append([]byte(nil), b...)
		bad[n] ^= byte(1 + m.IntN(255))
		what = fmt.Sprintf("damage of %q: %q", text, bad)
		y = reflect.New(rt)
		if got := sample.Allocated(func() { err = f.Unmarshal(bad, y.Interface(), opts...) }); got > 1<<20 {
			return "damage allocates", fmt.Errorf("%d bytes for %q", got, bad)
		}
		var e *weft.Error
		if err != nil && !errors.As(err, &e) && f != json.Format {
			return "damage", fmt.Errorf("%q: %T %v", bad, err, err)
		}
		// What was read in part can be read into.
		if err := f.Unmarshal(b, y.Interface(), opts...); err != nil {
			return "read into what damage left", fmt.Errorf("%q after %q: %w", text, bad, err)
		}
		f.UnmarshalRead(bytes.NewReader(bad), reflect.New(rt).Interface(), opts...)
	}
	return "", nil
}
