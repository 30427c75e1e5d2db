package value

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
)

// obj returns a map of alternating names and values.
func obj(pairs ...any) Value {
	var ms []Member
	for i := 0; i < len(pairs); i += 2 {
		ms = append(ms, Member{pairs[i].(string), lit(pairs[i+1])})
	}
	return Map(ms...)
}

// arr returns a list.
func arr(elems ...any) Value {
	out := make([]Value, len(elems))
	for i := range elems {
		out[i] = lit(elems[i])
	}
	return List(out...)
}

func lit(x any) Value {
	switch x := x.(type) {
	case nil:
		return Null()
	case bool:
		return Bool(x)
	case int:
		return Int(int64(x))
	case string:
		return String(x)
	case Value:
		return x
	}
	panic(fmt.Sprintf("%T", x))
}

func TestWith(t *testing.T) {
	v := obj("a", obj("b", arr(1, 2)), "c", 3)
	tests := []struct {
		path string
		x    Value
		want string // an error where it begins with "value: "
	}{
		{"", Int(9), `9`},
		{"c", Int(9), `{"a":{"b":[1,2]},"c":9}`},
		{"a.b[0]", Int(9), `{"a":{"b":[9,2]},"c":3}`},
		{"a.b[2]", Int(9), `{"a":{"b":[1,2,9]},"c":3}`},
		{"d", Int(9), `{"a":{"b":[1,2]},"c":3,"d":9}`},
		{"d.e[0].f", Int(9), `{"a":{"b":[1,2]},"c":3,"d":{"e":[{"f":9}]}}`},
		{`["x.y"]`, Int(9), `{"a":{"b":[1,2]},"c":3,"x.y":9}`},
		{"a.b[3]", Int(9), `value: at /a/b/3: index out of range`},
		{"a.b.x", Int(9), `value: at /a/b: a list is not a map`},
		{"c.x", Int(9), `value: at /c: a int is not a map`},
		{"c[0]", Int(9), `value: at /c: a int is not a list`},
		{"d[1]", Int(9), `value: at /d/1: index out of range`},
		{"[0]", Int(9), `value: a map is not a list`},
		{"a..b", Int(9), `value: bad path "a..b"`},
	}
	before := v.Hash()
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			got, err := v.With(tt.path, tt.x)
			text := got.String()
			if err != nil {
				text = err.Error()
				if !got.same(v) {
					t.Errorf("With(%q) failed and returned %v", tt.path, got)
				}
			}
			if text != tt.want {
				t.Errorf("With(%q) = %s, want %s", tt.path, text, tt.want)
			}
		})
	}
	for _, tt := range []struct{ path, want string }{
		{"", "null"}, {"a", `{"c":3}`}, {"a.b", `{"a":{},"c":3}`}, {"a.b[0]", `{"a":{"b":[2]},"c":3}`},
		{"x", v.String()}, {"a.b[2]", v.String()}, {"c.x", v.String()}, {"a.x.y", v.String()},
	} {
		t.Run(tt.path, func(t *testing.T) {
			got, err := v.Without(tt.path)
			if err != nil || got.String() != tt.want {
				t.Errorf("Without(%q) = %v, %v, want %s", tt.path, got, err, tt.want)
			}
		})
	}
	if _, err := v.Without("["); err == nil {
		t.Error("Without of a bad path")
	}
	if v.Hash() != before {
		t.Errorf("v became %v", v)
	}
	if w, err := v.Append(Int(1)); err == nil || !w.same(v) {
		t.Errorf("a map appended to: %v", w)
	}
	if w, err := Null().Append(Int(1)); err != nil || w.String() != "[1]" {
		t.Errorf("null appended to: %v, %v", w, err)
	}
	if w := Int(5).WithMember("a", Int(1)); w.String() != `{"a":1}` {
		t.Errorf("an int with a member: %v", w)
	}
}

// TestShare checks that what is not changed is not copied.
func TestShare(t *testing.T) {
	big := arr("x", "y")
	v := obj("a", big, "b", obj("c", 1), "d", 2)
	w, err := v.With("b.c", Int(2))
	if err != nil {
		t.Fatal(err)
	}
	x, _ := w.Get("a")
	if !x.same(big) {
		t.Error("With copied an untouched member")
	}
	if w.shape() != v.shape() {
		t.Error("With copied the names")
	}
	for name, same := range map[string]Value{
		"With":     must(v.With("a", big)),
		"Without":  must(v.Without("x.y")),
		"Merge":    v.Merge(obj("a", big, "b", obj("z", nil))),
		"Merge {}": v.Merge(Map()),
		"Patch":    must(v.Patch(List())),
	} {
		t.Run(name, func(t *testing.T) {
			if !same.same(v) {
				t.Errorf("%s changed nothing and made another value", name)
			}
		})
	}
	if a, b := v.WithMember("e", Int(1)), v.WithMember("e", Int(2)); a.shape() != b.shape() {
		t.Error("the names of two maps that grew alike are not shared")
	}
}

func must(v Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return v
}

// TestMerge has the examples of RFC 7396, appendix A.
func TestMerge(t *testing.T) {
	tests := []struct {
		v, patch Value
		want     string
	}{
		{obj("a", "b"), obj("a", "c"), `{"a":"c"}`},
		{obj("a", "b"), obj("b", "c"), `{"a":"b","b":"c"}`},
		{obj("a", "b"), obj("a", nil), `{}`},
		{obj("a", "b", "b", "c"), obj("a", nil), `{"b":"c"}`},
		{obj("a", arr("b")), obj("a", "c"), `{"a":"c"}`},
		{obj("a", "c"), obj("a", arr("b")), `{"a":["b"]}`},
		{obj("a", obj("b", "c")), obj("a", obj("b", "d", "c", nil)), `{"a":{"b":"d"}}`},
		{obj("a", arr(obj("b", "c"))), obj("a", arr(1)), `{"a":[1]}`},
		{arr("a", "b"), arr("c", "d"), `["c","d"]`},
		{obj("a", "b"), arr("c"), `["c"]`},
		{obj("a", "foo"), Null(), `null`},
		{obj("a", "foo"), String("bar"), `bar`},
		{obj("e", nil), obj("a", 1), `{"e":null,"a":1}`},
		{arr(1, 2), obj("a", "b", "c", nil), `{"a":"b"}`},
		{Map(), obj("a", obj("bb", obj("ccc", nil))), `{"a":{"bb":{}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			before := tt.v.Hash()
			if got := tt.v.Merge(tt.patch); got.String() != tt.want || tt.v.Hash() != before {
				t.Errorf("%v merged with %v is %v, want %s", tt.v, tt.patch, got, tt.want)
			}
		})
	}
}

// TestPatch has the examples of RFC 6902, appendix A, and what goes wrong.
func TestPatch(t *testing.T) {
	op := func(op, path string, more ...any) Value {
		return obj(append([]any{"op", op, "path", path}, more...)...)
	}
	tests := []struct {
		v     Value
		patch Value
		want  string
	}{
		{obj("foo", "bar"), arr(op("add", "/baz", "value", "qux")), `{"foo":"bar","baz":"qux"}`},
		{obj("foo", arr("bar", "baz")), arr(op("add", "/foo/1", "value", "qux")), `{"foo":["bar","qux","baz"]}`},
		{obj("baz", "qux", "foo", "bar"), arr(op("remove", "/baz")), `{"foo":"bar"}`},
		{obj("foo", arr("bar", "qux", "baz")), arr(op("remove", "/foo/1")), `{"foo":["bar","baz"]}`},
		{obj("baz", "qux", "foo", "bar"), arr(op("replace", "/baz", "value", "boo")), `{"baz":"boo","foo":"bar"}`},
		{obj("foo", obj("bar", "baz", "waldo", "fred"), "qux", obj("corge", "grault")), arr(op("move", "/qux/thud", "from", "/foo/waldo")),
			`{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{obj("foo", arr("all", "grass", "cows", "eat")), arr(op("move", "/foo/3", "from", "/foo/1")), `{"foo":["all","cows","eat","grass"]}`},
		{obj("baz", "qux", "foo", arr("a", 2, "c")), arr(op("test", "/baz", "value", "qux"), op("test", "/foo/1", "value", 2)),
			`{"baz":"qux","foo":["a",2,"c"]}`},
		{obj("baz", "qux"), arr(op("test", "/baz", "value", "bar")), `value: at /0: test: path "/baz": test failed`},
		{obj("foo", "bar"), arr(op("add", "/child", "value", obj("grandchild", Map()))), `{"foo":"bar","child":{"grandchild":{}}}`},
		{obj("foo", "bar"), arr(op("add", "/baz", "value", "qux", "xyz", 123)), `{"foo":"bar","baz":"qux"}`},
		{obj("foo", "bar"), arr(op("add", "/baz/bat", "value", "qux")), `value: at /0: add: path "/baz/bat": there is no such value`},
		{obj("/", 9, "~1", 10), arr(op("test", "/~01", "value", 10)), `{"/":9,"~1":10}`},
		{obj("/", 9, "~1", 10), arr(op("test", "/~01", "value", "10")), `value: at /0: test: path "/~01": test failed`},
		{obj("foo", arr("bar")), arr(op("add", "/foo/-", "value", arr("abc", "def"))), `{"foo":["bar",["abc","def"]]}`},
		{obj("a", 1), arr(op("add", "", "value", 2)), `2`},
		{obj("a", 1), arr(op("replace", "", "value", 2)), `2`},
		{obj("a", 1), arr(op("copy", "/b", "from", "/a"), op("remove", "/a")), `{"b":1}`},
		{obj("a", 1), arr(op("copy", "/b", "from", "")), `{"a":1,"b":{"a":1}}`},
		{obj("a", arr("b", arr("c"))), arr(op("copy", "/d", "from", "/a")), `{"a":["b",["c"]],"d":["b",["c"]]}`},
		{obj("a", 1), arr(op("move", "/a", "from", "/a")), `{"a":1}`},
		{obj("a", obj("b", 1)), arr(op("move", "", "from", "/a")), `{"b":1}`},
		{obj("a", obj("b", 1)), arr(op("move", "/a/c", "from", "/a")), `value: at /0: move: a value cannot be moved into itself`},
		{obj("a", 1), arr(op("move", "/b", "from", "/x")), `value: at /0: move: from "/x": there is no such value`},
		{obj("a", 1), arr(op("remove", "")), `value: at /0: remove: path "": the whole document cannot be removed`},
		{obj("a", 1), arr(op("remove", "/x")), `value: at /0: remove: path "/x": there is no such value`},
		{obj("a", 1), arr(op("replace", "/x", "value", 1)), `value: at /0: replace: path "/x": there is no such value`},
		{obj("a", 1), arr(op("remove", "a")), `value: at /0: remove: path "a": bad pointer`},
		{arr(1), arr(op("add", "/2", "value", 1)), `value: at /0: add: path "/2": index out of range`},
		{arr(1), arr(op("add", "/01", "value", 1)), `value: at /0: add: path "/01": bad pointer`},
		{arr(1), arr(op("remove", "/-")), `value: at /0: remove: path "/-": bad pointer`},
		{arr(1), arr(op("remove", "/1")), `value: at /0: remove: path "/1": index out of range`},
		{obj("a", 1), arr(op("add", "/b")), `value: at /0: bad operation: no member "value"`},
		{obj("a", 1), arr(op("add", "/b", "value", 1), op("spoil", "/b")), `value: at /1: bad operation: op "spoil"`},
		{obj("a", 1), arr(obj("op", "add")), `value: at /0: bad operation: no string "path"`},
		{obj("a", 1), arr(5), `value: at /0: bad operation: no string "op"`},
		{obj("a", 1), arr(op("copy", "/b")), `value: at /0: bad operation: no string "from"`},
		{obj("a", 1), obj(), `value: a patch that is a map is not a list`},
		{arr(1), List(slices.Repeat([]Value{op("copy", "/-", "from", "")}, 40)...), `value: at /23: copy: from "": the operations copy too much`},
		{obj("a", strings.Repeat("a", 1<<20), "b", arr()), List(slices.Repeat([]Value{op("copy", "/b/-", "from", "/a")}, 40)...),
			`value: at /15: copy: from "/a": the operations copy too much`},
		{arr(), arr(op("remove", "/"+strings.Repeat("a", 1<<20))),
			`value: at /0: remove: path "/` + strings.Repeat("a", 63) + `"…: bad pointer`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			before := tt.v.Hash()
			got, err := tt.v.Patch(tt.patch)
			text := got.String()
			if err != nil {
				var e *weft.Error
				if text = err.Error(); !errors.As(err, &e) || !got.same(tt.v) {
					t.Errorf("%v patched by %v failed and is %v", tt.v, tt.patch, got)
				}
			}
			if text != tt.want || tt.v.Hash() != before {
				t.Errorf("%v patched by %v is %s, want %s", tt.v, tt.patch, text, tt.want)
			}
		})
	}
}

// TestPatchTogether: the operations of a patch do what they do one by one.
func TestPatchTogether(t *testing.T) {
	r := newRandom(4)
	pointer := func(v Value) string {
		var p []byte
		for range r.IntN(4) {
			s := step{index: r.IntN(v.Len() + 1)}
			if v.Kind() == KindMap {
				s = step{v.Name(s.index) + pick(r.IntN(8) == 0, "+", ""), -1}
			}
			p = s.append(p)
			v, _ = v.into(s)
		}
		return string(p) + pick(r.IntN(16) == 0, "/-", "")
	}
	names := []string{"add", "add", "replace", "remove", "move", "copy", "test"}
	for range 20_000 {
		v := r.value(5)
		want, failed, ops := v, error(nil), []Value(nil)
		for range r.IntN(12) {
			op := obj("op", names[r.IntN(len(names))], "path", pointer(want), "from", pointer(want), "value", r.value(3))
			if x, ok := want.Pointer(op.At(1).String()); ok && op.At(0).String() == "test" {
				op = op.WithMember("value", x)
			}
			w, err := want.Patch(List(op))
			if err != nil && r.IntN(9) > 0 {
				continue
			}
			want, failed, ops = w, err, append(ops, op)
			if failed != nil {
				want = v
				break
			}
		}
		before, patch := v.Hash(), List(ops...)
		hash := patch.Hash()
		got, err := v.Patch(patch)
		if got.String() != want.String() || (err == nil) != (failed == nil) || v.Hash() != before || patch.Hash() != hash {
			t.Fatalf("%v patched by %v is %v, %v, want %v, %v", v, patch, got, err, want, failed)
		}
	}
}

// TestPatchCost: a patch of many operations does not copy what it changes for each of them.
func TestPatchCost(t *testing.T) {
	const n = 10_000
	each := func(f func(i string) Value) Value {
		ops := make([]Value, n)
		for i := range ops {
			ops[i] = f(fmt.Sprint(i))
		}
		return List(ops...)
	}
	full, err := obj("l", arr(), "m", obj()).Patch(each(func(i string) Value { return obj("op", "add", "path", "/m/"+i, "value", 1) }))
	if err != nil {
		t.Fatal(err)
	}
	for name, op := range map[string]func(i string) Value{
		"append":  func(string) Value { return obj("op", "add", "path", "/l/-", "value", 1) },
		"add":     func(i string) Value { return obj("op", "add", "path", "/m/x"+i, "value", 1) },
		"replace": func(i string) Value { return obj("op", "replace", "path", "/m/"+i, "value", 2) },
		"remove":  func(i string) Value { return obj("op", "remove", "path", "/m/"+i) },
		"rename":  func(i string) Value { return obj("op", "move", "path", "/m/x"+i, "from", "/m/"+i) },
		"test":    func(i string) Value { return obj("op", "test", "path", "/m/"+i, "value", 1) },
		"copy":    func(i string) Value { return obj("op", "copy", "path", "/l/-", "from", "/m/"+i) },
	} {
		t.Run(name, func(t *testing.T) {
			patch := each(op)
			if got := sample.Allocated(func() { full.Patch(patch) }); got > n*1000 {
				t.Errorf("%d bytes are allocated for %d operations", got, n)
			}
			if _, err := full.Patch(patch); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestModel applies random operations to values and to plain Go data, and checks
// after each that no value made before has changed.
func TestModel(t *testing.T) {
	r := newRandom(2)
	for range 30 {
		m := map[string]any{}
		v := Map()
		type kept struct {
			v    Value
			hash uint64
			text string
		}
		var all []kept
		for step := range 60 {
			all = append(all, kept{v, v.Hash(), v.String()})
			name, sub := r.name(), r.name()
			x := r.scalar()
			quoted := fmt.Sprintf("[%q]", name)
			inner, isMap := m[name].(map[string]any)
			list, isList := m[name].([]any)
			var err error
			switch op := r.IntN(8); {
			case op == 0:
				v, err = v.Without(quoted)
				delete(m, name)
			case op == 1 && isMap:
				v, err = v.With(quoted+fmt.Sprintf("[%q]", sub), x)
				inner[sub] = x
			case op == 2 && isMap:
				v, err = v.Without(quoted + fmt.Sprintf("[%q]", sub))
				delete(inner, sub)
			case op == 3 && isList:
				i := r.IntN(len(list) + 1)
				v, err = v.With(quoted+fmt.Sprintf("[%d]", i), x)
				if i == len(list) {
					list = append(list, x)
				}
				list[i] = x
				m[name] = list
			case op == 4 && isList && len(list) > 0:
				i := r.IntN(len(list))
				v, err = v.Without(quoted + fmt.Sprintf("[%d]", i))
				m[name] = append(list[:i:i], list[i+1:]...)
			case op == 5:
				v = v.WithMember(name, Map())
				m[name] = map[string]any{}
			case op == 6:
				v = v.Merge(Map(Member{name, List(x)}))
				m[name] = []any{x}
			default:
				v, err = v.With(quoted, x)
				m[name] = x
			}
			if err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			if want := fromModel(m); !v.Equal(want) {
				t.Fatalf("step %d: %v, want %v", step, v, want)
			}
		}
		for i := range all {
			if k := &all[i]; k.v.Hash() != k.hash || k.v.String() != k.text {
				t.Fatalf("%s became %v", k.text, k.v)
			}
		}
	}
}

func fromModel(x any) Value {
	switch x := x.(type) {
	case map[string]any:
		m := map[string]Value{}
		for name, e := range x {
			m[name] = fromModel(e)
		}
		return MapSorted(m)
	case []any:
		var l []Value
		for _, e := range x {
			l = append(l, fromModel(e))
		}
		return List(l...)
	}
	return x.(Value)
}

// TestDiff checks that the difference of two values turns one into the other.
func TestDiff(t *testing.T) {
	r := newRandom(3)
	for range 500 {
		v := r.value(4)
		w := r.value(4)
		if r.IntN(2) == 0 { // more alike
			w = v.Merge(r.value(2))
		}
		hv, hw := v.Hash(), w.Hash()
		d := Diff(v, w)
		got, err := v.Patch(d)
		if err != nil || !got.Equal(w) || v.Hash() != hv || w.Hash() != hw {
			t.Fatalf("%v patched by %v is %v, %v, want %v", v, d, got, err, w)
		}
		if (d.Len() == 0) != v.Equal(w) {
			t.Fatalf("%v and %v differ in %v", v, w, d)
		}
		if again := w.Merge(Map()); w.Kind() == KindMap && !again.same(w) {
			t.Fatalf("%v merged with nothing is %v", w, again)
		}
	}
	if d := Diff(arr(1, 2, 3, 4), arr(1, 9, 4)); d.String() != `[{"op":"replace","path":"/1","value":9},{"op":"remove","path":"/2"}]` {
		t.Errorf("difference of lists: %v", d)
	}
}

// TestDiffDeep: what stands deep in both is not compared at every level.
func TestDiffDeep(t *testing.T) {
	deep := func(last int64, each func(v Value) Value) Value {
		list := make([]Value, 100_000)
		list[len(list)-1] = Int(last)
		v := List(list...)
		for range 5_000 {
			v = each(v)
		}
		return v
	}
	for _, each := range [][2]func(v Value) Value{
		{func(v Value) Value { return List(v) }, func(v Value) Value { return List(v) }},
		{func(v Value) Value { return List(v) }, func(v Value) Value { return List(v, Int(1)) }},
		{func(v Value) Value { return List(v, v.At(0)) }, func(v Value) Value { return List(v) }},
		{func(v Value) Value { return Map(Member{"a", v}) }, func(v Value) Value { return Map(Member{"a", v}) }},
	} {
		begin := time.Now()
		d := Diff(deep(1, each[0]), deep(2, each[1]))
		if took := time.Since(begin); d.Len() == 0 || took > 2*time.Second {
			t.Errorf("%d changes in %v", d.Len(), took)
		}
	}
}

// TestShared uses one value from many goroutines; the race detector watches.
func TestShared(t *testing.T) {
	ms := make([]Member, 50)
	for i := range ms {
		ms[i] = Member{fmt.Sprint(i), Int(int64(i))}
	}
	v, w := Map(ms...), obj("a", arr(1, 2))
	hash := v.Hash()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				name := fmt.Sprint(i)
				x, _ := v.Get(name)
				u := v.WithMember(name, Int(int64(g))).WithMember(fmt.Sprint("new", i%3), w)
				if y, ok := u.Lookup(fmt.Sprintf("new%d.a[1]", i%3)); !ok || !y.Equal(Int(2)) || !x.Equal(Int(int64(i))) {
					t.Errorf("%v", u)
				}
				if v.Hash() != hash || v.Compare(u) == 0 || !v.Sorted().Equal(v) {
					t.Errorf("%v", v)
				}
			}
		}()
	}
	wg.Wait()
}
