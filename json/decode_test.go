package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/opt"
)

// TestRejectUnknown: a member without a field is an error, in every way that a
// struct can be reached, and nothing else is.
func TestRejectUnknown(t *testing.T) {
	type inner struct {
		A int `json:"a"`
	}
	for _, c := range []struct {
		text string
		v    any
		want string
	}{
		{`{"a":1}`, new(inner), ""}, {`{"A":1}`, new(inner), ""},
		{`{"a":1,"b":2}`, new(inner), "at /b, offset 7: unknown member"},
		{`{"\u0062":2,"c":3}`, new(inner), "at /b, offset 1: unknown member"},
		{`[{"a":1},{"q\n":{"x":[]},"a":5}]`, new([]inner), "at /1/q\\n, offset 10: unknown member"},
		{`{"x":{"b":1}}`, new(map[string]inner), "at /x/b, offset 6: unknown member"}, {`{"b":1}`, new(map[string]int), ""},
		{`{"b":1}`, new(any), ""}, {`{"b":"x"}`, new(struct{ B int }), "cannot unmarshal"},
		{`{"c":1,"b":"x"}`, new(struct{ B int }), "at /c, offset 1: unknown member"},
		{`{"b":`, new(inner), "unexpected end"},
	} {
		t.Run(fmt.Sprintf("%s into %T", c.text, c.v), func(t *testing.T) {
			for how, err := range map[string]error{
				"UnmarshalWith": json.UnmarshalWith([]byte(c.text), reflect.New(reflect.TypeOf(c.v).Elem()).Interface(), weft.RejectUnknown(true)),
				"UnmarshalRead": json.UnmarshalRead(strings.NewReader(c.text), reflect.New(reflect.TypeOf(c.v).Elem()).Interface(),
					weft.Join(weft.RejectUnknown(true))),
				"Format": json.Format.Unmarshal([]byte(c.text), reflect.New(reflect.TypeOf(c.v).Elem()).Interface(),
					weft.RejectUnknown(false), weft.RejectUnknown(true)),
			} {
				if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
					t.Errorf("%s of %s into %T: %v, want %s", how, c.text, c.v, err, c.want)
				}
			}
			if err := json.UnmarshalWith([]byte(c.text), c.v, weft.RejectUnknown(true), weft.RejectUnknown(false)); err != nil &&
				strings.Contains(err.Error(), "unknown") {
				t.Errorf("%s with the option off again: %v", c.text, err)
			}
		})
	}
}

// TestRejectDuplicates: two members of one name are an error with the place of
// the second.
func TestRejectDuplicates(t *testing.T) {
	for _, c := range []struct {
		text string
		off  int64
		path string
	}{
		{`{"a":1,"b":2}`, -1, ""}, {`{"a":1,"a":2}`, 7, "/a"}, {`{"a":1,"\u0061":2}`, 7, "/a"},
		{`{"a":{"a":1},"b":{"a":1}}`, -1, ""}, {`[{"a":1},{"a":1}]`, -1, ""},
		{`{"x":[1,{"y":0,"":{"z":1,"k":2,"z":[]}}]}`, 31, "/x/1//z"}, {`{"a":"a","b":"a"}`, -1, ""}, {`"a"`, -1, ""},
		{`["a","a"]`, -1, ""}, {`{"A":1,"a":2}`, -1, ""}, {` { "a" : 1 , "a" : 2 } `, 13, "/a"},
		{"{\"\xff\":1,\"\xfe\":2}", 7, "/\ufffd"},
	} {
		t.Run(c.text, func(t *testing.T) {
			for _, v := range []any{new(any), new(map[string]any), new(struct{ A any }), new([]any)} {
				err := json.UnmarshalWith([]byte(c.text), v, weft.RejectDuplicates(true))
				var e *weft.Error
				switch dup := errors.Is(err, weft.ErrDuplicateName); {
				case dup != (c.off >= 0):
					t.Errorf("%s into %T: %v", c.text, v, err)
				case dup && (!errors.As(err, &e) || e.Offset != c.off || e.Path != c.path):
					t.Errorf("%s into %T: %v, want offset %d of %s", c.text, v, err, c.off, c.path)
				case dup && !reflect.ValueOf(v).Elem().IsZero():
					t.Errorf("%s has changed a %T", c.text, v)
				}
			}
			err := json.UnmarshalWith([]byte(c.text+"]"), new(any), weft.RejectDuplicates(true))
			if errors.Is(err, weft.ErrDuplicateName) || err == nil {
				t.Errorf("%s]: %v", c.text, err)
			}
		})
	}
}

// TestMaxDepth: the limit holds for every way to nest.
func TestMaxDepth(t *testing.T) {
	limits, depths := []int{-5, 0, 1, 2, 3, 7, 9999, 10001, 20000}, []int{0, 1, 2, 3, 6, 7, 9998, 9999, 10000, 10001, 15000, 20001}
	if testing.Short() {
		limits, depths = []int{0, 1, 3, 10001}, []int{0, 1, 2, 3, 4, 10001, 10002}
	}
	nest := func(n int, open, middle, end string) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	for _, c := range []struct {
		open, middle, end string
		v                 any
	}{
		{"[", "[]", "]", new(any)}, {"[", "[]", "]", new(sDeepSlice)}, {`{"a":`, "{}", "}", new(any)},
		{`{"a":`, "{}", "}", new(sDeepMap)}, {`{"a":`, "{}", "}", new(sDeepStruct)},
		{"[", "[]", "]", new(struct{})}, {"[", "[]", "]", new(json.RawMessage)}, {"[", "[]", "]", new(sDeepReader)},
		{"[", "[]", "]", new(sDeepWeft)}, {`{"a":`, "{}", "}", new(sDeepHook)},
		{"[", "[]", "]", new([2][2][2]any)},
	} {
		t.Run(fmt.Sprintf("%T", c.v), func(t *testing.T) {
			for _, limit := range limits {
				for _, depth := range depths {
					_, hook := c.v.(*sDeepHook)
					_, array := c.v.(*sDeepReader)
					if hook && depth > 7 || array && depth == 0 {
						continue // each level is a call of its own; null is not an array
					}
					text := []byte(nest(max(depth-1, 0), c.open, c.middle, c.end))
					if depth == 0 {
						text = []byte("null")
					}
					v := reflect.New(reflect.TypeOf(c.v).Elem())
					err := json.UnmarshalWith(text, v.Interface(), weft.MaxDepth(limit))
					var te *json.UnmarshalTypeError
					if errors.As(err, &te) {
						err = nil
					}
					if (err == nil) != (depth <= limit || depth == 0) || err != nil && !errors.Is(err, weft.ErrDepth) {
						t.Fatalf("%q %d deep into %T, limit %d: %.200v", c.open, depth, c.v, limit, err)
					}
					if err != nil && !v.Elem().IsZero() {
						t.Fatalf("%q %d deep into %T, limit %d: changed", c.open, depth, c.v, limit)
					}
				}
			}
		})
	}
	var e *weft.Error
	if err := json.UnmarshalWith([]byte(`{"a":[1,[2]]}`), new(any), weft.MaxDepth(2)); !errors.As(err, &e) ||
		e.Offset != 8 || e.Path != "/a/1" {
		t.Error(err)
	}
	if err := json.UnmarshalWith([]byte(`[[1]]`), new(any), weft.MaxDepth(1), weft.MaxDepth(setting.DefaultMaxDepth)); err != nil {
		t.Error("the later limit does not win:", err)
	}
	filled := []any{1}
	if err := json.UnmarshalWith([]byte(`[[2]]`), &filled, weft.MaxDepth(1)); err == nil || fmt.Sprint(filled) != "[1]" {
		t.Error(err, filled)
	}
}

// TestMaxDepthHuge: no limit is so high that the stack overflows.
func TestMaxDepthHuge(t *testing.T) {
	const depth = 300_000
	text := []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
	for _, v := range []any{new(any), new(sDeepSlice), new(sDeepReader)} {
		if err := json.UnmarshalWith(text, v, weft.MaxDepth(1<<30)); !errors.Is(err, weft.ErrDepth) {
			t.Errorf("into %T: %.100v", v, err)
		}
	}
}

// TestUnmarshalRead reads streams that end well, badly and not at once.
func TestUnmarshalRead(t *testing.T) {
	for _, r := range []func(string) io.Reader{
		func(s string) io.Reader { return strings.NewReader(s) },
		func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
		func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) },
	} {
		var v struct{ A []int }
		if err := json.UnmarshalRead(r(` {"A":[1,2]} `), &v); err != nil || fmt.Sprint(v) != "{[1 2]}" {
			t.Error(v, err)
		}
		var se *json.SyntaxError
		if err := json.UnmarshalRead(r(`{"A":[3]} 1`), &v); !errors.As(err, &se) || fmt.Sprint(v) != "{[1 2]}" {
			t.Error(v, err)
		}
		if err := json.UnmarshalRead(r(``), &v); !errors.As(err, &se) {
			t.Error(err)
		}
	}
	if err := json.UnmarshalRead(iotest.ErrReader(errBad), new(any)); !errors.Is(err, errBad) {
		t.Error(err)
	}
	if err := json.UnmarshalRead(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(`[1]`))),
		new(any)); !errors.Is(err, iotest.ErrTimeout) {
		t.Error(err)
	}
	var ie *json.InvalidUnmarshalError
	for _, v := range []any{nil, 1, (*int)(nil), struct{}{}} {
		if err := json.UnmarshalRead(strings.NewReader(`1`), v); !errors.As(err, &ie) {
			t.Errorf("%T: %v", v, err)
		}
	}
}

type circle *circle
type circleOption *opt.Null[circleOption]

// TestCircles: pointers that lead to themselves are an error, where
// encoding/json never returns.
func TestCircles(t *testing.T) {
	var a, b, c any
	a, b = &b, &a
	c = &a
	for _, v := range []any{&a, &b, &c, new(circle), new(circleOption), new([]circle), new(map[string]circle)} {
		text := `1`
		switch v.(type) {
		case *[]circle:
			text = `[1]`
		case *map[string]circle:
			text = `{"a":1}`
		}
		if err := json.Unmarshal([]byte(text), v); err == nil || !strings.Contains(err.Error(), "circle") {
			t.Errorf("%T: %v", v, err)
		}
	}
	var self any
	self = &self
	if err := json.Unmarshal([]byte(`{"a":1}`), &self); err != nil || fmt.Sprint(self) != "map[a:1]" {
		t.Error(self, err)
	}
	for _, c := range []struct{ text, want, outer string }{
		{`[1]`, "[1]", "*interface {}"}, {`false`, "false", "*interface {}"}, {`null`, "", "<nil>"},
	} {
		t.Run(c.text, func(t *testing.T) {
			self = &self
			outer := []any{&self}
			err := json.Unmarshal([]byte("["+c.text+"]"), &outer)
			if err != nil || c.want != "" && fmt.Sprint(self) != c.want || fmt.Sprintf("%T", outer[0]) != c.outer {
				t.Errorf("%s by way of a pointer: %v in %T, %v", c.text, self, outer[0], err)
			}
		})
	}
	for _, c := range []struct{ text, want string }{{`[[null]]`, "[[]]"}, {`[[[]],[]]`, "[[] []]"}, {`[[null],1,[]]`, "[[] [] []]"}} {
		t.Run(c.text, func(t *testing.T) {
			s := make(sDeepSlice, 3)
			s[0] = s // encoding/json decodes into what is there, which the text may cut short
			if err := json.Unmarshal([]byte(c.text), &s); (err != nil) != strings.Contains(c.text, "1") || fmt.Sprint(s) != c.want {
				t.Errorf("%s into a slice that holds itself: %v, %v", c.text, s, err)
			}
		})
	}
	type chain struct{ Next ****chain }
	deep := strings.Repeat(`{"Next":`, 9999) + "{}" + strings.Repeat("}", 9999)
	if err := json.Unmarshal([]byte(deep), new(chain)); err != nil {
		t.Error("a chain is not a circle:", err)
	}
}

// own remembers its address, and that of what it was decoded to.
type own struct {
	self *own
	S    string
}

var owners []*own

func (o *own) UnmarshalJSON(b []byte) error {
	o.self, o.S = o, string(b)
	owners = append(owners, o)
	return nil
}

type ownText struct{ self *ownText }

func (o *ownText) UnmarshalText([]byte) error { o.self = o; return nil }

// TestMethodsKeepAddress: what a method has seen as its receiver keeps what it
// was given; it is not memory that is used again. As with encoding/json a
// slice may move while it grows.
func TestMethodsKeepAddress(t *testing.T) {
	for _, n := range []int{1, 5, 40, 1000} {
		text := []byte("[" + strings.Repeat(`"x",`, n-1) + `"x"]`)
		owners = nil
		var v []own
		if err := json.Unmarshal(text, &v); err != nil || len(v) != n {
			t.Fatal(err)
		}
		for range 3 {
			_ = json.Unmarshal([]byte(strings.ReplaceAll(string(text), "x", "yy")), new([]own))
		}
		for i, o := range owners[:n] {
			if o.self != o || o.S != `"x"` {
				t.Fatalf("%d of %d: %+v at %p", i, n, o, o)
			}
		}
	}
	long := `"` + strings.Repeat("long", 3000) + `"`
	var p struct {
		P *own
		Q *struct{ O own }
		T *ownText
		M map[string]*own
		L []struct{ P *own }
	}
	if err := json.Unmarshal([]byte(`{"P":`+long+`,"Q":{"O":`+long+`},"T":`+long+`,"M":{"k":`+long+`},"L":[{"P":`+long+
		`}]}`), &p); err != nil {
		t.Fatal(err)
	}
	if p.P.self != p.P || p.Q.O.self != &p.Q.O || p.T.self != p.T || p.M["k"].self != p.M["k"] || p.L[0].P.self != p.L[0].P {
		t.Error("a value behind a pointer has moved")
	}
}

// TestKeepsLittle: of a large document a kept value keeps little alive.
func TestKeepsLittle(t *testing.T) {
	if sample.Race {
		t.Skip("the race detector keeps memory")
	}
	const n, size = 200, 64 << 10
	long := strings.Repeat("x", size)
	list := func(elem string) []byte { return []byte("[" + strings.Repeat(elem+",", n-1) + elem + "]") }
	type item struct {
		S    string
		Tags []string
		P    *string
	}
	for name, decode := range map[string]func() any{
		"a string of any": func() any {
			var v any
			_ = json.Unmarshal(list(`"`+long+`"`), &v)
			return v.([]any)[5]
		},
		"an object of any": func() any {
			var v any
			_ = json.Unmarshal(list(`{"a":"`+long+`"}`), &v)
			return v.([]any)[5]
		},
		"an array of any": func() any {
			var v any
			_ = json.Unmarshal(list(`["`+long+`"]`), &v)
			return v.([]any)[5]
		},
		"a string": func() any {
			var v []string
			_ = json.Unmarshal(list(`"`+long+`"`), &v)
			s := strings.Clone("")
			s = v[5]
			return &s
		},
		"a slice": func() any {
			var v []item
			_ = json.Unmarshal(list(`{"Tags":["`+long+`"]}`), &v)
			return v[5].Tags
		},
		"a pointer": func() any {
			var v []*item
			_ = json.Unmarshal(list(`{"S":"`+long+`"}`), &v)
			return v[5]
		},
		"one string of many": func() any {
			var v []struct {
				A string
				B any
			}
			_ = json.Unmarshal(list(`{"A":"`+long[:900]+`","B":"`+long[:100]+`"}`), &v)
			return []any{v[150].B}
		},
		"short strings": func() any {
			var v []any
			_ = json.Unmarshal(list(`"`+long[:900]+`"`), &v)
			return v[5]
		},
	} {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			runtime.GC() // pools are empty now
			before := heapInUse()
			kept := decode()
			runtime.GC()
			runtime.GC()
			most := int64(6 * size)
			if name == "one string of many" {
				most = 40 << 10
			}
			if got := int64(heapInUse()) - int64(before); got > most {
				t.Errorf("keeps %d KB of %d", got>>10, n*size>>10)
			}
			runtime.KeepAlive(kept)
		})
	}
}

// TestStringKeeps8KB: a string that is kept keeps at most 8 KB beside itself, in an interface too.
func TestStringKeeps8KB(t *testing.T) {
	if sample.Race || json.SafeBuild {
		t.Skip("other memory than usual is kept")
	}
	for _, size := range []int{1, 40, 500, 1024, 3000} {
		list := func(elem string) []byte {
			return []byte("[" + strings.Repeat(elem+",", 32<<10/len(elem)) + elem + "]")
		}
		str := `"` + strings.Repeat("x", size) + `"`
		strs, objects := list(str), list(`{"a":`+str+`}`)
		for name, decode := range map[string]func(at int) any{
			"a string": func(at int) any {
				var v []string
				_ = json.Unmarshal(strs, &v)
				return []string{v[at%len(v)]}
			},
			"a string in an interface": func(at int) any {
				var v []any
				_ = json.Unmarshal(strs, &v)
				return v[at%len(v)]
			},
			"a member": func(at int) any {
				var v []map[string]any
				_ = json.Unmarshal(objects, &v)
				return v[at%len(v)]["a"]
			},
		} {
			const n = 50
			kept := make([]any, n)
			for range 2 { // the first time something else may be made too
				clear(kept)
				runtime.GC()
				runtime.GC()
				before := heapInUse()
				for i := range kept {
					kept[i] = decode(1<<20 + 37*i)
				}
				runtime.GC()
				runtime.GC()
				kept[0] = (int64(heapInUse()) - int64(before)) / n
			}
			if got, most := kept[0].(int64), int64(8<<10+size+size/8+32); got > most {
				t.Errorf("%s of %d bytes keeps %d bytes, want at most %d", name, size, got, most)
			}
			runtime.KeepAlive(kept)
		}
	}
}

// TestForgetsMuch: what a large document has taken for scratch memory goes after small ones, even
// where it is always in use.
func TestForgetsMuch(t *testing.T) {
	if sample.Race {
		t.Skip("the race detector keeps memory")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // each processor has its own
	long := strings.Repeat("x", 16<<20)
	text := []byte(`{"a":"` + long + `"}`)
	for name, do := range map[string]func(long string, text []byte) error{
		"MarshalWrite": func(long string, _ []byte) error { return json.MarshalWrite(io.Discard, long) },
		"Encoder":      func(long string, _ []byte) error { return json.NewEncoder(io.Discard).Encode(long) },
		"Unmarshal":    func(_ string, text []byte) error { return json.Unmarshal(text, new(any)) },
		"V2":           func(_ string, text []byte) error { return json.UnmarshalWith(text, new(any), json.V2()) },
		"Canonicalize": func(_ string, text []byte) error { c := jsontext.Value(bytes.Clone(text)); return c.Canonicalize() },
	} {
		runtime.GC()
		runtime.GC()
		before := heapInUse()
		if err := do(long, text); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			for range 100 {
				if err := do("", []byte("{}")); err != nil {
					t.Fatal(err)
				}
			}
			runtime.GC()
		}
		if got := int64(heapInUse()) - int64(before); got > int64(len(long))/2 {
			t.Errorf("%s keeps %d KB", name, got>>10)
		}
	}
	runtime.KeepAlive(text)
	runtime.KeepAlive(long)
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestPiecesKeepLittle: a string behind a pointer, or a short slice of strings, keeps no more alive than two pieces of
// memory that strings share and one that it is in itself, however large the document was.
func TestPiecesKeepLittle(t *testing.T) {
	type record struct {
		Note *string  `json:"note"`
		Size *int     `json:"size"`
		Tags []string `json:"tags"`
		Text []string `json:"text"`
	}
	one := `{"note":"a note of %d","size":%d,"tags":["a tag","b%d"],"text":["` + strings.Repeat(strings.Repeat("x", 900)+`","`, 9) + `"]}`
	var b strings.Builder
	b.WriteString("[")
	for i := range 1000 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, one, i, i, i)
	}
	text := []byte(b.String() + "]")
	for name, pick := range map[string]func(*record) any{
		"*string":  func(r *record) any { return r.Note },
		"*int":     func(r *record) any { return r.Size },
		"[]string": func(r *record) any { return r.Tags },
	} {
		t.Run(name, func(t *testing.T) {
			var kept []any
			var before uint64
			for range 3 { // the first time leaves what programs need
				kept = nil
				for range 3 { // and what pools had
					runtime.GC()
				}
				before = heapInUse()
				var v []record
				if err := json.Unmarshal(text, &v); err != nil {
					t.Fatal(err)
				}
				kept = append(kept, pick(&v[300]), pick(&v[600]))
			}
			for range 3 {
				runtime.GC()
			}
			if got := int64(heapInUse()) - int64(before); got > 2*32<<10 {
				t.Errorf("two pieces of type %s keep %d KB", name, got>>10)
			}
			runtime.KeepAlive(kept)
		})
	}
	runtime.KeepAlive(text)
}

// TestExpected: a list or a map after larger ones needs no more than a few times its text.
func TestExpected(t *testing.T) {
	type methods struct {
		At   netip.Addr
		Room [100]int
	}
	var names strings.Builder
	for k := range 1000 {
		fmt.Fprintf(&names, `,"%d":""`, k)
	}
	for _, c := range []struct {
		name, large, small string
		fresh              func() any
	}{
		{"list", "[" + strings.Repeat("{},", 999) + "{}]", "[{}]", func() any { return new([]methods) }},
		{"map", "{" + names.String()[1:] + "}", `{"a":""}`, func() any { return new(map[string]string) }},
		{"map of structs", `{"a":` + "{" + strings.ReplaceAll(names.String()[1:], `""`, "{}") + "}}", `{"a":{"b":{}}}`,
			func() any { return new(map[string]map[string]methods) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(text string) {
				if err := json.Unmarshal([]byte(text), c.fresh()); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 {
				read(c.large)
			}
			var from, to runtime.MemStats
			runtime.ReadMemStats(&from)
			for range 100 {
				read(c.small)
			}
			runtime.ReadMemStats(&to)
			if got := (to.TotalAlloc - from.TotalAlloc) / 100; got > 16<<10 {
				t.Errorf("%d bytes for %s", got, c.small)
			}
		})
	}
}

// TestNamedMaps: maps of named types decode as those of the types that they are made of, and elements with methods are
// memory that their methods may keep.
func TestNamedMaps(t *testing.T) {
	type (
		texts  map[string]string
		values map[string]any
		counts map[string]int
	)
	type named struct {
		T texts
		V values
		C counts
		L []map[string]own
	}
	text := []byte(`{"T":{"a":"b"},"V":{"a":[1,{"b":null}]},"C":{"a":1,"b":-2},"L":[{"k":"x"},{"k":"y","l":"z"},{}]}`)
	owners = nil
	var got named
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	kept := owners[0]
	owners = nil
	for range 3 {
		_ = json.Unmarshal([]byte(`{"L":[{"k":"later"},{"k":"later"}]}`), new(named))
	}
	if slices.Contains(owners, kept) {
		t.Error("memory of which a method had the address was used again")
	}
	var want named
	if err := stdjson.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.T, want.T) || !reflect.DeepEqual(got.V, want.V) || !reflect.DeepEqual(got.C, want.C) ||
		got.L[1]["l"].S != `"z"` {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestInputIsFree: results keep nothing of the input, and methods that append
// to what they are given do not write into it.
func TestInputIsFree(t *testing.T) {
	doc := `{"name":"a name","tags":["x","` + strings.Repeat("long ", 100) +
		`"],"raw":{"r":[1]},"num":12.5,"blob":"aGVsbG8=","any":{"k":["v",{"n":"m"}]},"j":"hook","t":"text","map":{"a":"b"}}`
	data := []byte(doc)
	var v, w hostile
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	scribble(data)
	if err := stdjson.Unmarshal([]byte(doc), &w); err != nil || !reflect.DeepEqual(v, w) {
		t.Errorf("the result has changed with the input: %+v", v)
	}
	data = []byte(`{"A":1,"B":"second"}`)
	var g struct{ A, B grabby }
	if err := json.Unmarshal(data, &g); err != nil || string(data) != `{"A":1,"B":"second"}` || g.B != `"second"` {
		t.Errorf("%s %v %v", data, g, err)
	}
	r := bytes.NewReader(data)
	if err := json.NewDecoder(r).Decode(&g); err != nil || g.B != `"second"` {
		t.Errorf("%v %v", g, err)
	}
}

// grabby appends to the text that it is given.
type grabby string

func (g *grabby) UnmarshalJSON(b []byte) error {
	*g = grabby(b)
	_ = append(b, "#########"...)
	return nil
}

// TestTypedErrorsGoOn: a value that does not fit is skipped, and what follows
// is decoded.
func TestTypedErrorsGoOn(t *testing.T) {
	for _, text := range []string{
		`{"id":"x","name":"n"}`, `{"tags":[1,"b",{}],"name":"n"}`, `{"list":[{"id":"x"},{"id":5}],"name":"n"}`,
		`{"any":1e999,"name":"n"}`, `{"map":{"a":1e999,"b":2},"name":"n"}`,
		`{"ints":{"x":"1","2":"two"},"name":"n"}`, `{"pair":[true,2,3],"name":"n"}`,
		`{"next":{"small":300,"un":-1},"name":"n"}`, `{"t":[1],"name":"n"}`, `{"ts":["a",2,"c"],"name":"n"}`,
		`{"grid":[[1,"x"],"y",[3]],"name":"n"}`, `{"rates":{"a":"b","c":1},"name":"n"}`,
		`{"strings":{"a":1,"b":"c"},"name":"n"}`, `{"blob":"!","name":"n"}`, `{"floats":[1,"x",2],"name":"n"}`,
		`{"quoted":17,"name":"n"}`, `{"quo":17,"name":"n"}`, `{"quo":9e308,"name":"n"}`, `{"id":"x","quo":9e308,"name":"n"}`,
		`{"f32":1e39,"name":"n"}`, `{"when":5,"name":"n"}`, `{"num":"x","name":"n"}`,
	} {
		for fill := range 2 {
			a, b := hostileTarget(reflect.TypeFor[hostile](), fill), hostileTarget(reflect.TypeFor[hostile](), fill)
			want, got := stdjson.Unmarshal([]byte(text), a.Interface()), json.Unmarshal([]byte(text), b.Interface())
			compare(t, "Unmarshal", []byte(text), true, want, got, a, b)
		}
	}
}

type (
	toJSON    *dPtrJSON
	toText    *dPtrText
	toToJSON  **dPtrJSON
	toHookMap *dValHookUnmarshal
)

// TestNamedPointers: the methods of what a pointer type with a name points to
// do not count, as in encoding/json.
func TestNamedPointers(t *testing.T) {
	if !classicOracle {
		t.Skip("encoding/json/v2 has methods of its own for named pointers")
	}
	type all struct {
		A toJSON
		B toText
		C toToJSON
		D toHookMap
		E []toJSON
		F map[string]toText
		G *toJSON
		H any
		I *dPtrJSON
	}
	for _, v := range []string{`{"S":"x"}`, `"x"`, `null`, `1`, `[{"S":"x"}]`, `{"k":{"S":"y"}}`} {
		for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "H", "I"} {
			text := []byte(`{"` + name + `":` + v + `}`)
			a, b := all{H: toJSON(new(dPtrJSON))}, all{H: toJSON(new(dPtrJSON))}
			want, got := stdjson.Unmarshal(text, &a), json.Unmarshal(text, &b)
			compare(t, "Unmarshal", text, true, want, got, reflect.ValueOf(&a), reflect.ValueOf(&b))
		}
		a, b := toJSON(new(dPtrJSON)), toJSON(new(dPtrJSON))
		want, got := stdjson.Unmarshal([]byte(v), a), json.Unmarshal([]byte(v), b)
		compare(t, "Unmarshal", []byte(v), true, want, got, reflect.ValueOf(a), reflect.ValueOf(b))
	}
}

// TestKeysByMethods: a key is given to UnmarshalJSON before UnmarshalText, as encoding/json has it.
func TestKeysByMethods(t *testing.T) {
	var m map[dKeyAll]int
	err := json.Unmarshal([]byte(`{"a":1, "\u0062" :2,"":3}`), &m)
	if want := map[dKeyAll]int{{`json "a"`}: 1, {`json "\u0062"`}: 2, {`json ""`}: 3}; err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("%v, %v, want %v", m, err, want)
	}
	if err := json.Unmarshal([]byte(`{"ab":1}`), &m); err != errBad {
		t.Error(err)
	}
}

// TestNamedElements: lists of types that the program has declared are decoded and
// encoded as those of the types that these stand on.
func TestNamedElements(t *testing.T) {
	type (
		named struct {
			F  []dFloat64
			G  *[]dFloat64
			F2 [][]dFloat64
			FA [3]dFloat64
			FM map[string]dFloat64
			I  []dInt8
			S  []dString
			SA [2]dString
			SM map[dString]dString
			B  []dByte
			A  []dIface
		}
		plain struct {
			F  []float64
			G  *[]float64
			F2 [][]float64
			FA [3]float64
			FM map[string]float64
			I  []int8
			S  []string
			SA [2]string
			SM map[string]string
			B  []byte
			A  []any
		}
	)
	text := `{"F":[1,2.5,-3e2],"G":[0.1],"F2":[[1],[],[2,3]],"FA":[1,2,3],"FM":{"a":1.5},"I":[1,-2],"S":["a","","\u0062"],` +
		`"SA":["x","y"],"SM":{"a":"b"},"B":"AQI=","A":[1.5,null,"x"]}`
	var n named
	var p plain
	if err := errors.Join(json.Unmarshal([]byte(text), &n), json.Unmarshal([]byte(text), &p)); err != nil {
		t.Fatal(err)
	}
	x, err := json.Marshal(&n)
	y, err2 := json.Marshal(&p)
	if err != nil || err2 != nil || !bytes.Equal(x, y) || len(n.F) != 3 || n.F[2] != -300 || cap(n.F) != 3 {
		t.Errorf("%s, %v\n%s, %v", x, err, y, err2)
	}
}
