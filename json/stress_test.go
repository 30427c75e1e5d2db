package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json"
)

// stressEnv tells the test binary, run again by itself, what it is to do.
const stressEnv = "WEFT_JSON_STRESS"

// again runs one test of this binary in a process of its own.
func again(t *testing.T, name string, env ...string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	args := []string{"-test.run=^" + name + "$", "-test.v", "-test.timeout=120s"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	c := exec.Command(exe, args...)
	c.Env = append(append(os.Environ(), env...), stressEnv+"="+name)
	out, err := c.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+name)) {
		t.Fatalf("%v\n%s", err, out[:min(len(out), 8<<10)])
	}
}

// sBig is larger than half of what slices share.
type sBig struct {
	Pad  [150]int64 `json:"-"`
	Name *string    `json:"name"`
	Kids []sBig     `json:"kids"`
}

// sList nests in itself behind a slice, a map and a pointer.
type sList struct {
	S    string            `json:"s"`
	Subs []sList           `json:"subs"`
	Map  map[string]sList  `json:"map"`
	Ptrs []*sList          `json:"ptrs"`
	Num  []float64         `json:"num"`
	Str  []string          `json:"str"`
	Any  any               `json:"any"`
	Hook []dPtrJSON        `json:"hook"`
	Keys map[dKeyStr]*int8 `json:"keys"`
}

// stressCases are texts with the type to decode them into.
func stressCases() (cases []struct {
	text []byte
	typ  reflect.Type
}) {
	add := func(text string, typ reflect.Type) {
		cases = append(cases, struct {
			text []byte
			typ  reflect.Type
		}{[]byte(text), typ})
	}
	for _, doc := range hostileDocs[:5] {
		add(doc, reflect.TypeFor[hostile]())
		add(doc, reflect.TypeFor[*any]())
		add(doc, reflect.TypeFor[map[string]any]())
		add("["+doc+","+doc+","+doc+"]", reflect.TypeFor[[]hostile]())
		add("["+doc+","+doc+","+doc+"]", reflect.TypeFor[[]*hostile]())
		add(`{"a":`+doc+`,"b":`+doc+`}`, reflect.TypeFor[map[string]*hostile]())
	}
	for _, n := range []int{1, 3, 17, 70, 600} {
		list := func(f func(i int) string) string {
			parts := make([]string, n)
			for i := range parts {
				parts[i] = f(i)
			}
			return "[" + strings.Join(parts, ",") + "]"
		}
		add(list(func(i int) string { return fmt.Sprintf("%q", strings.Repeat("s", i%70)) }), reflect.TypeFor[[]string]())
		add(list(func(i int) string { return fmt.Sprint(i) }), reflect.TypeFor[[]int32]())
		if n > 100 {
			continue
		}
		add(list(func(i int) string { return fmt.Sprintf(`{"name":"%d","kids":[{},{"kids":[{"name":"x"}]}]}`, i) }), reflect.TypeFor[[]sBig]())
		add(list(func(i int) string { return fmt.Sprintf(`["%d",[%d],{"k":"\u00e9%d"}]`, i, i, i) }), reflect.TypeFor[any]())
		add(list(func(i int) string { return fmt.Sprintf(`{"k%d":{"a":"b%d"}}`, i, i) }), reflect.TypeFor[[]map[string]map[string]string]())
		add(list(func(i int) string {
			return fmt.Sprintf(`{"s":"%d","subs":[{"s":"a","subs":[{"str":["x","y"]}]},{}],"map":{"m":{"ptrs":[{"s":"p"},null]}},`+
				`"num":[1,%d],"str":["%d"],"any":[{"q":"%d"}],"hook":[1,"h"],"keys":{"k":%d}}`, i, i, i, i, i%100)
		}), reflect.TypeFor[[]sList]())
	}
	return cases
}

// TestUnderCollector decodes while the collector runs all the time and spoils
// what it frees: results are equal to encoding/json's, and stay so.
func TestUnderCollector(t *testing.T) {
	if os.Getenv(stressEnv) == "" {
		again(t, t.Name(), "GODEBUG=clobberfree=1", "GOGC=1")
		return
	}
	debug.SetGCPercent(1)
	span := 3 * time.Second
	if testing.Short() {
		span = time.Second
	}
	stop := make(chan struct{})
	var collector, workers sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	cases := stressCases()
	wants := make([]reflect.Value, len(cases))
	for i, c := range cases {
		wants[i] = reflect.New(c.typ)
		if err := stdjson.Unmarshal(c.text, wants[i].Interface()); err != nil {
			t.Fatalf("%.60s: %v", c.text, err)
		}
	}
	type kept struct {
		i   int
		got reflect.Value
	}
	begin := time.Now()
	for w := range 2 {
		workers.Go(func() {
			var ring [64]kept
			for n := w; time.Since(begin) < span; n++ {
				i := n * 7 % len(cases)
				c := cases[i]
				text := bytes.Clone(c.text)
				got := reflect.New(c.typ)
				var err error
				if n%3 == 0 {
					err = json.NewDecoder(bytes.NewReader(text)).Decode(got.Interface())
				} else {
					err = json.Unmarshal(text, got.Interface())
				}
				if err != nil {
					t.Errorf("%.60s: %v", c.text, err)
					return
				}
				scribble(text)
				if n%5 == 0 { // and something that fails, which leaves the decoder unclean
					_ = json.Unmarshal(c.text[:len(c.text)/2], reflect.New(c.typ).Interface())
				}
				k := &ring[n%len(ring)]
				if k.got.IsValid() {
					if d := differ(wants[k.i], k.got); d != "" {
						t.Errorf("%.60s into %v, after a while: %s", cases[k.i].text, cases[k.i].typ, d)
						return
					}
				}
				*k = kept{i, got}
			}
			for _, k := range ring {
				if k.got.IsValid() {
					if d := differ(wants[k.i], k.got); d != "" {
						t.Errorf("%.60s into %v, at the end: %s", cases[k.i].text, cases[k.i].typ, d)
					}
				}
			}
		})
	}
	workers.Wait()
	close(stop)
	collector.Wait()
}

// The types of TestDepthMillion, which nest in themselves in every way.
type (
	sDeepSlice  []sDeepSlice
	sDeepMap    map[string]sDeepMap
	sDeepStruct struct {
		A *sDeepStruct  `json:"a"`
		B []sDeepStruct `json:"b"`
	}
	sDeepAny    struct{ A any }
	sDeepHook   struct{ A *sDeepHook }
	sDeepReader struct{ A []sDeepReader }
	sDeepWeft   struct{ A []sDeepWeft }
)

func (d *sDeepHook) UnmarshalJSON(b []byte) error {
	type plain sDeepHook
	return json.Unmarshal(b, (*plain)(d))
}

func (s *sDeepReader) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	for ok := r.BeginArray(); ok; ok = r.More() {
		s.A = append(s.A, sDeepReader{})
		if err := s.A[len(s.A)-1].UnmarshalWeft(d); err != nil {
			return err
		}
	}
	return r.Err()
}

func (d *sDeepWeft) UnmarshalWeft(r *weft.Decoder) error {
	r.Value(&d.A)
	return r.Err()
}

// TestDepthMillion: nesting a million deep is an error, and what is allowed
// decodes, with a stack of 8 MiB.
func TestDepthMillion(t *testing.T) {
	if os.Getenv(stressEnv) == "" {
		again(t, t.Name())
		return
	}
	stack := 8 << 20
	if info, ok := debug.ReadBuildInfo(); !ok || sample.Race || json.SafeBuild ||
		slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "-gcflags" }) {
		stack *= 4 // frames are larger in such a build
	}
	defer debug.SetMaxStack(debug.SetMaxStack(stack))
	type shape struct{ open, middle, end string }
	array, object, list := shape{"[", "[]", "]"}, shape{`{"a":`, "null", "}"}, shape{`{"b":[`, "{}", "]}"}
	for _, c := range []struct {
		s    shape
		most int // levels that are allowed
		v    any
	}{
		{array, 9999, new(any)}, {object, 10000, new(any)}, {list, 4999, new(any)}, {array, 9999, new(sDeepSlice)},
		{object, 10000, new(sDeepMap)},
		{object, 10000, new(sDeepStruct)}, {list, 4999, new(sDeepStruct)}, {object, 10000, new(sDeepAny)}, {array, 9999, new(json.RawMessage)},
		{array, 9999, new(struct{})}, {array, 9999, new(sDeepReader)}, {array, 9999, new(sDeepWeft)},
		{object, 10000, new(map[string]map[string]any)}, {object, 600, new(sDeepHook)},
	} {
		t.Run(fmt.Sprintf("%s %T", c.s.open, c.v), func(t *testing.T) {
			for _, depth := range []int{c.most, c.most + 1, 1_000_000} {
				if _, ok := c.v.(*sDeepHook); ok && depth == c.most+1 {
					continue
				}
				text := []byte(strings.Repeat(c.s.open, depth) + c.s.middle + strings.Repeat(c.s.end, depth))
				if depth == 1_000_000 && testing.Short() && c.s != array {
					continue
				}
				for name, decode := range map[string]func(v any) error{
					"Unmarshal": func(v any) error { return json.Unmarshal(text, v) },
					"Decoder":   func(v any) error { return json.NewDecoder(bytes.NewReader(text)).Decode(v) },
					"UnmarshalRead": func(v any) error {
						return json.UnmarshalRead(bytes.NewReader(text), v, weft.MaxDepth(setting.DefaultMaxDepth))
					},
				} {
					target := reflect.New(reflect.TypeOf(c.v).Elem())
					err := decode(target.Interface())
					var se *json.SyntaxError
					var te *json.UnmarshalTypeError
					if ok := err == nil || errors.As(err, &te); ok != (depth == c.most) || !ok && !errors.As(err, &se) {
						t.Errorf("%s of %q %d deep into %T: %v", name, c.s.open, depth, c.v, err)
					}
					if depth > c.most && !target.Elem().IsZero() {
						t.Errorf("%s of %q %d deep changed a %T", name, c.s.open, depth, c.v)
					}
				}
				if json.Valid(text) != (depth == c.most) {
					t.Errorf("Valid of %q %d deep", c.s.open, depth)
				}
				if err := json.UnmarshalWith(text, new(any), weft.RejectDuplicates(true)); (err == nil) != (depth == c.most) {
					t.Errorf("%q %d deep without duplicates: %v", c.s.open, depth, err)
				}
				if r, ok := c.v.(weft.Unmarshaler); ok {
					if err := json.UnmarshalWith(text, r); (err == nil) != (depth == c.most) || err != nil && !errors.Is(err, weft.ErrDepth) {
						t.Errorf("Read %d deep: %.200v", depth, err)
					}
				}
			}
		})
	}
}

// sTree is a type of which each instance is met for the first time.
type sTree[T any] struct {
	V    T                   `json:"v"`
	Kids []sTree[T]          `json:"kids"`
	Map  map[string]sTree[T] `json:"map"`
	P    *sTree[T]           `json:"p"`
	L    [][]T               `json:"l"`
	More *sPair[T, sTree[T]] `json:"more"`
}

type sPair[T, U any] struct {
	T []T
	U []*U
}

func rootsOf[T any]() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[sTree[T]](), reflect.TypeFor[[]sTree[T]](), reflect.TypeFor[map[string]sTree[T]](),
		reflect.TypeFor[*sTree[T]](), reflect.TypeFor[sPair[T, sTree[T]]](),
		reflect.TypeFor[[3]sTree[T]](), reflect.TypeFor[[]*sTree[T]](), reflect.TypeFor[struct{ X []sTree[T] }](),
	}
}

// TestFirstUse: many goroutines meet many types for the first time at once.
func TestFirstUse(t *testing.T) {
	var types []reflect.Type
	for _, list := range [][]reflect.Type{
		rootsOf[int8](), rootsOf[int16](), rootsOf[int32](), rootsOf[int64](), rootsOf[uint8](), rootsOf[uint16](),
		rootsOf[uint32](), rootsOf[uint64](), rootsOf[float32](), rootsOf[float64](),
		rootsOf[any](), rootsOf[json.Number](), rootsOf[dPtrJSON](), rootsOf[*int](), rootsOf[[]int](), rootsOf[map[string]int](),
	} {
		types = append(types, list...)
	}
	for i := range 20 {
		fields := []reflect.StructField{
			{Name: "V", Type: types[i], Tag: `json:"v"`},
			{Name: "W", Type: reflect.SliceOf(types[i+20]), Tag: `json:"kids"`},
		}
		types = append(types, reflect.StructOf(fields))
	}
	tree := `{"v":1,"kids":[{"v":2,"kids":[{"v":3}]},{"l":[[1],[2,3]]}],"map":{"m":{"v":4}},"p":{"p":{"v":5}},` +
		`"more":{"T":[1,2],"U":[{"v":6},null]}}`
	texts := []string{tree, "[" + tree + "," + tree + "]", `{"X":[` + tree + `],"a":` + tree + `,"U":[` + tree + `]}`}
	type outcome struct {
		v   reflect.Value
		err error
	}
	const goroutines = 8
	results := make([][]outcome, goroutines)
	var ready, done sync.WaitGroup
	ready.Add(goroutines)
	for g := range goroutines {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			for i := range types {
				typ := types[(i+g%2)%len(types)]
				for _, text := range texts {
					v := reflect.New(typ)
					err := json.Unmarshal([]byte(text), v.Interface())
					results[g] = append(results[g], outcome{v, err})
				}
			}
		})
	}
	done.Wait()
	for g := range goroutines {
		for k, got := range results[g] {
			typ, text := types[(k/len(texts)+g%2)%len(types)], texts[k%len(texts)]
			want := reflect.New(typ)
			err := stdjson.Unmarshal([]byte(text), want.Interface())
			if (err == nil) != (got.err == nil) || classicOracle && differ(want, got.v) != "" {
				t.Fatalf("%s into %v: %v, want %v; %s", text, typ, got.err, err, differ(want, got.v))
			}
		}
	}
}

// TestManyAtOnce: goroutines share nothing but what has been compiled.
func TestManyAtOnce(t *testing.T) {
	cases := stressCases()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := g / 2; i < len(cases); i += 4 {
				c := cases[i]
				a, b := reflect.New(c.typ), reflect.New(c.typ)
				_ = stdjson.Unmarshal(c.text, a.Interface())
				if err := json.Unmarshal(c.text, b.Interface()); err != nil {
					t.Errorf("%.60s: %v", c.text, err)
				}
				if d := differ(a, b); d != "" {
					t.Errorf("%.60s: %s", c.text, d)
				}
			}
		})
	}
	wg.Wait()
}
