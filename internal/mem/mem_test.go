package mem_test

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"strconv"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

type inner struct {
	A int32
	B string
}

type outer struct {
	N    int64
	In   inner
	P    *inner
	S    []string
	Arr  [3]uint16
	Name named
}

type named string

func TestLocations(t *testing.T) {
	o := outer{N: 5, In: inner{7, "x"}, P: &inner{B: "p"}, S: []string{"a", "b"}, Arr: [3]uint16{1, 2, 3}, Name: "n"}
	rt := reflect.TypeFor[outer]()
	it := mem.TypeOf(reflect.TypeFor[inner]())
	p := mem.Of(reflect.ValueOf(&o))
	if got := *mem.At[int64](p.Field(mem.FieldOf(rt, 0))); got != 5 {
		t.Errorf("N = %d", got)
	}
	b := mem.FieldOf(rt, 1).Then(mem.FieldOf(reflect.TypeFor[inner](), 1))
	*mem.At[string](p.Field(b)) = "changed"
	if o.In.B != "changed" {
		t.Errorf("In.B = %q", o.In.B)
	}
	*mem.At[string](p.Field(mem.FieldOf(rt, 5))) = "named"
	if o.Name != "named" {
		t.Errorf("Name = %q", o.Name)
	}
	q := p.Field(mem.FieldOf(rt, 2))
	if got := *mem.At[string](q.Deref(it).Field(mem.FieldOf(reflect.TypeFor[inner](), 1))); got != "p" {
		t.Errorf("P.B = %q", got)
	}
	q.SetPtr(it.New())
	if o.P == nil || *o.P != (inner{}) {
		t.Errorf("P = %v", o.P)
	}
	q.SetNil()
	if o.P != nil || !q.Deref(it).IsNil() {
		t.Errorf("P = %v", o.P)
	}
	st := mem.TypeOf(reflect.TypeFor[string]())
	s := p.Field(mem.FieldOf(rt, 3))
	if s.SliceLen() != 2 || *mem.At[string](s.Slice().At(st, 1)) != "b" {
		t.Errorf("S")
	}
	a := p.Field(mem.FieldOf(rt, 4)).Array()
	*mem.At[uint16](a.At(mem.TypeOf(reflect.TypeFor[uint16]()), 2)) = 9
	if o.Arr != [3]uint16{1, 2, 9} {
		t.Errorf("Arr = %v", o.Arr)
	}
	if !mem.To(new(outer)).AllZero(mem.TypeOf(rt)) || p.AllZero(mem.TypeOf(rt)) {
		t.Error("AllZero")
	}
}

func TestData(t *testing.T) {
	for _, v := range []any{
		int64(3), "s", inner{1, "b"}, &inner{2, "c"}, map[string]int{"a": 1}, [1]*inner{{3, "d"}},
		struct{ P *inner }{&inner{4, "e"}}, 1.5, struct{}{},
	} {
		mt := mem.TypeOf(reflect.TypeOf(v))
		if got := mem.Data(v, mt).Value(mt).Interface(); !reflect.DeepEqual(got, v) {
			t.Errorf("Data(%v) = %v", v, got)
		}
		if mem.IDOf(v) != mem.IDOfType(reflect.TypeOf(v)) {
			t.Errorf("IDOf(%v)", v)
		}
	}
	if mem.IDOf(1) == mem.IDOf("") {
		t.Error("two types, one identity")
	}
	x := &inner{5, "f"}
	if got := mem.At[inner](mem.PtrOf(x)); got != x {
		t.Error("PtrOf")
	}
}

type node struct {
	Name string
	Kids []node
	N    *int
}

// TestGather gathers nested slices, the collector running, and compares with
// append.
func TestGather(t *testing.T) {
	g := mem.NewGather(mem.TypeOf(reflect.TypeFor[node]()), true)
	var build func(depth, n int) ([]node, []node)
	build = func(depth, n int) (got, want []node) {
		mark := g.Mark()
		for i := range n {
			p := mem.At[node](g.Next())
			if !reflect.DeepEqual(*p, node{}) {
				t.Fatalf("not zero: %v", *p)
			}
			w := node{Name: fmt.Sprint(depth, i), N: &i}
			p.Name, p.N = w.Name, w.N
			if depth > 0 {
				p.Kids, w.Kids = build(depth-1, n*2)
			}
			want = append(want, w)
		}
		runtime.GC()
		g.Take(mark, mem.To(&got), true)
		return got, want
	}
	for range 3 {
		if got, want := build(3, 3); !reflect.DeepEqual(got, want) {
			t.Fatal("gathered and appended differ")
		}
	}
}

func TestGatherClasses(t *testing.T) {
	gatherClass(t, func(i int) byte { return byte(i) })
	gatherClass(t, func(i int) int64 { return int64(i) })
	gatherClass(t, func(i int) [3]byte { return [3]byte{byte(i), 1, 2} })
	gatherClass(t, func(i int) string { return fmt.Sprint(i) })
	gatherClass(t, func(i int) *int { return &i })
	gatherClass(t, func(i int) any { return i })
	gatherClass(t, func(i int) node { return node{Name: fmt.Sprint(i), N: &i} })
	gatherClass(t, func(i int) struct{} { return struct{}{} })
	gatherClass(t, func(i int) [2000]string { return [2000]string{1999: fmt.Sprint(i)} })
}

// gatherClass gathers many slices of T one after another and looks at them
// when all are there: none may share an element with another one.
func gatherClass[T any](t *testing.T, f func(int) T) {
	for _, nests := range []bool{false, true} {
		g := mem.NewGather(mem.TypeOf(reflect.TypeFor[T]()), nests)
		var all, want [][]T
		next := 0
		for _, n := range []int{1, 3, 2, 1, 100, 7, 1000, 5, 5, 64, 20, 33, 1, 1, 1, 300, 2} {
			mark := g.Mark()
			var got, w []T
			for range n {
				p := mem.At[T](g.Next())
				var zero T
				if !reflect.DeepEqual(*p, zero) {
					t.Fatalf("%T: not zero", zero)
				}
				*p = f(next)
				w = append(w, f(next))
				next++
			}
			g.Take(mark, mem.To(&got), n != 7)
			if cap(got) != n && !mem.Safe {
				t.Fatalf("%T: capacity %d of %d", got, cap(got), n)
			}
			all, want = append(all, got), append(want, w)
			if n%3 == 0 {
				runtime.GC()
			}
		}
		if !reflect.DeepEqual(all, want) {
			t.Errorf("%T, nests %v: differ", all, nests)
		}
	}
}

func TestSlabs(t *testing.T) {
	var slabs mem.Slabs
	m, ints := mem.TypeOf(reflect.TypeFor[node]()), mem.TypeOf(reflect.TypeFor[int]())
	var all [][]node
	for i := range 200 {
		var list []node
		n := i % (mem.MostShared/int(m.Size) + 1)
		slabs.Make(i%7, m, mem.To(&list), reflect.TypeFor[[]node](), n)
		if list == nil || len(list) != n || cap(list) != n {
			t.Fatalf("%d of %d, %d", len(list), cap(list), n)
		}
		for k := range list {
			if list[k].Name != "" {
				t.Fatal("not zero")
			}
			list[k].Name = fmt.Sprint(i, k)
		}
		all = append(all, list)
		if v := mem.At[int](slabs.New(i%5, ints)); *v != 0 { // the numbers of another type before
			t.Fatal("not zero")
		}
	}
	runtime.GC()
	for i, list := range all {
		for k := range list {
			if list[k].Name != fmt.Sprint(i, k) {
				t.Fatal("overwritten")
			}
		}
	}
	p := slabs.New(1, m)
	mem.At[node](p).Name = "own"
	if q := slabs.Keep(1, m, p, 1<<20); mem.At[node](q).Name != "own" || !mem.Safe && mem.At[node](p).Name != "" {
		t.Error("not moved")
	}
}

func TestSlabAndBoxes(t *testing.T) {
	s := mem.NewSlab(mem.TypeOf(reflect.TypeFor[node]()))
	var all, within []*node
	for i := range 200 {
		p := s.New()
		n := mem.At[node](p)
		if n.Name != "" {
			t.Fatal("not zero")
		}
		n.Name = fmt.Sprint(i)
		if i%4 == 3 { // one within it, which may go elsewhere too
			q := s.New()
			if mem.At[node](q).Name != "" {
				t.Fatal("not zero")
			}
			mem.At[node](q).Name = "within"
			if i%8 == 3 {
				q = s.Own(q)
			}
			within = append(within, mem.At[node](q))
		}
		if i%3 == 0 {
			p = s.Own(p)
		}
		all = append(all, mem.At[node](p))
	}
	runtime.GC()
	var b mem.Boxes
	var anys []any
	for i, n := range all {
		if n.Name != fmt.Sprint(i) || within[i/4].Name != "within" {
			t.Fatal("overwritten")
		}
		anys = append(anys, b.String(n.Name), b.Float64(float64(i)), b.Int64(int64(i*i)))
		if i%70 == 69 {
			b.Cut()
		}
	}
	runtime.GC()
	for i := range all {
		if anys[3*i] != fmt.Sprint(i) || anys[3*i+1] != float64(i) || anys[3*i+2] != int64(i*i) {
			t.Fatal("boxes")
		}
	}
}

// TestList fills lists that stand in interfaces, and appends to them: the interfaces see
// the elements, and no more.
func TestList(t *testing.T) {
	var boxes []any
	for n := range 40 {
		list, box := mem.List(n)
		if list == nil || len(list) != n || cap(list) != n {
			t.Fatalf("%d of %d in %d", len(list), n, cap(list))
		}
		for i := range list {
			if list[i] != nil {
				t.Fatal("not zero")
			}
			list[i] = fmt.Sprint(n, i)
		}
		_ = append(list, "more")
		boxes = append(boxes, box)
	}
	runtime.GC()
	for n, box := range boxes {
		list, ok := box.([]any)
		if !ok || len(list) != n {
			t.Fatalf("list %d is %v", n, box)
		}
		for i, v := range list {
			if v != fmt.Sprint(n, i) {
				t.Fatalf("list %d has %v at %d", n, v, i)
			}
		}
	}
}

func TestEntry(t *testing.T) {
	m := map[string]*int{}
	e := mem.NewEntry(reflect.TypeOf(m))
	for i := range 20 {
		*mem.At[string](e.Key) = fmt.Sprint(i)
		*mem.At[*int](e.Elem) = &i
		e.Put(reflect.ValueOf(m))
		if *mem.At[*int](e.Elem) != nil {
			t.Fatal("not cleared")
		}
	}
	n := 0
	for e.Range(reflect.ValueOf(m)); e.Next(); n++ {
		if fmt.Sprint(**mem.At[*int](e.Elem)) != *mem.At[string](e.Key) {
			t.Fatal("entry")
		}
	}
	if n != 20 || len(m) != 20 {
		t.Fatalf("%d of %d", n, len(m))
	}
}

func TestBytes(t *testing.T) {
	b := mem.BytesOf([]byte("0123456789abcdef"))
	if b.At(3) != '3' || b.U32(1) != '1'|'2'<<8|'3'<<16|'4'<<24 || b.U16(9) != '9'|'a'<<8 || b.U64(0)&0xff != '0' ||
		b.View(2, 5) != "234" || string(b.Slice(10, 12)) != "ab" {
		t.Error("loads")
	}
	b.SetU64(8, 0x4142434445464748)
	if b.View(8, 16) != "HGFEDCBA" {
		t.Error(b.View(8, 16))
	}
	w := mem.WordsOf([]uint64{1<<63 | 1, 2, 0, 0, 1 << 5})
	for _, row := range [][2]int{{0, 0}, {1, 63}, {63, 63}, {64, 65}, {65, 65}, {66, 261}, {128, 261}, {261, 261}} {
		if got := w.Next(row[0]); got != row[1] {
			t.Errorf("Next(%d) = %d, want %d", row[0], got, row[1])
		}
	}
	if s := mem.MakeNoZero(100); len(s) != 0 || cap(s) < 100 {
		t.Error("MakeNoZero")
	}
}

type hidden struct {
	msg    string
	Offset int64
}

func TestStringField(t *testing.T) {
	h := &hidden{Offset: 3}
	set := mem.StringField[hidden]("msg")
	if set != nil {
		set(h, "text")
	}
	if (set == nil) != mem.Safe || set != nil && *h != (hidden{"text", 3}) ||
		mem.StringField[hidden]("Offset") != nil || mem.StringField[hidden]("none") != nil {
		t.Errorf("%v %v", set != nil, h)
	}
}

// TestComparable: as reflect has it, for types that hold interfaces by the value.
func TestComparable(t *testing.T) {
	type inner struct{ A [2]any }
	for _, v := range []any{1, "x", [2]string{}, hidden{}, inner{}, inner{[2]any{1, []int{}}}, []int{}, [0]func(){}} {
		p := reflect.New(reflect.TypeOf(v))
		p.Elem().Set(reflect.ValueOf(v))
		if got, want := mem.TypeOf(p.Type().Elem()).Comparable(mem.Of(p)), p.Elem().Comparable(); got != want {
			t.Errorf("%T: %v", v, got)
		}
	}
}

// TestAllZero: negative zeros are not zero bytes.
func TestAllZero(t *testing.T) {
	type nested struct {
		A [2]float32
		b struct{ C complex128 }
		S string
	}
	minus := math.Copysign(0, -1)
	f, n := minus, new(nested)
	if mem.To(&f).AllZero(mem.TypeOf(reflect.TypeFor[float64]())) {
		t.Error("-0")
	}
	typ := mem.TypeOf(reflect.TypeFor[nested]())
	if !mem.To(n).AllZero(typ) {
		t.Error("a zero struct")
	}
	for i, set := range []func(n *nested){
		func(n *nested) { n.A[1] = float32(minus) }, func(n *nested) { n.b.C = complex(0, minus) }, func(n *nested) { n.S = "x" },
	} {
		n := new(nested)
		if set(n); mem.To(n).AllZero(typ) {
			t.Errorf("case %d: %v", i, n)
		}
	}
}

type boxer interface{ Box() int }

type (
	boxStruct struct{ A, B int }
	boxMap    map[string]int
	boxOne    struct{ P *int }
	boxByte   uint8
)

func (s boxStruct) Box() int { return s.A + s.B }
func (m boxMap) Box() int    { return m["a"] }
func (o boxOne) Box() int    { return *o.P }
func (b boxByte) Box() int   { return int(b) }

type (
	mapName  string
	mapNames []mapName
)

// TestNamedMap has types of maps that can be read as another one, and such that cannot.
func TestNamedMap(t *testing.T) {
	tests := []struct {
		m         any
		text, all bool // as maps of strings, of interfaces
	}{
		{map[string]string{}, true, false},
		{map[mapName]string{}, true, false},
		{map[mapName]mapName{}, true, false},
		{map[mapName]any{}, false, true},
		{map[mapName]fmt.Stringer{}, false, false},
		{map[mapName]mapNames{}, false, false},
		{map[int]string{}, false, false},
		{map[any]string{}, false, false},
		{map[[1]string]string{}, false, false},
	}
	for _, tt := range tests {
		rt := reflect.TypeOf(tt.m)
		if got := mem.NamedMap(rt, "x"); got != tt.text && !mem.Safe {
			t.Errorf("%v: %t for strings", rt, got)
		}
		if got := mem.NamedMap[any](rt, "x"); got != tt.all && !mem.Safe {
			t.Errorf("%v: %t for interfaces", rt, got)
		}
	}
	if rt := reflect.TypeFor[map[mapName]*mapName](); !mem.SimilarMap[*byte](rt) && !mem.Safe || mem.SimilarMap[[]byte](rt) {
		t.Errorf("%v: as of pointers and of slices", rt)
	}
	if rt := reflect.TypeFor[map[string]mapNames](); !mem.SimilarMap[[]byte](rt) && !mem.Safe || mem.SimilarMap[*byte](rt) {
		t.Errorf("%v: as of slices and of pointers", rt)
	}
	if mem.NamedMap(reflect.TypeFor[map[string]mapNames](), []string{"x"}) {
		t.Error("a slice of other elements")
	}

	large := map[mapName]mapName{} // of many tables
	for i := range 5000 {
		large[mapName(strconv.Itoa(i))] = "x"
		delete(large, mapName(strconv.Itoa(i/2)))
	}
	if m := reflect.ValueOf(&large); mem.NamedMap(m.Type().Elem(), "x") {
		left := maps.Clone(large)
		for k, v := range mem.MapOf[string](mem.Ptr{}, large) {
			if left[mapName(k)] != mapName(v) {
				t.Errorf("%s: %s", k, v)
			}
			delete(left, mapName(k))
		}
		if len(left) > 0 {
			t.Errorf("%d entries of a large map are left", len(left))
		}
	}
}

// TestBox stores values, and pointers to them, in interfaces with methods and without.
func TestBox(t *testing.T) {
	seven := 7
	for _, v := range []boxer{
		boxStruct{3, 4}, &boxStruct{3, 4}, boxMap{"a": 7}, &boxMap{"a": 7}, boxOne{&seven}, &boxOne{&seven}, boxByte(7),
	} {
		dyn := reflect.TypeOf(v)
		q := reflect.New(dyn)
		q.Elem().Set(reflect.ValueOf(v))
		if dyn.Kind() == reflect.Pointer {
			q = q.Elem()
		}
		var got boxer
		var none any
		b, c := mem.BoxOf(reflect.TypeFor[boxer](), dyn), mem.BoxOf(reflect.TypeFor[any](), dyn)
		mem.To(&got).SetBox(&b, mem.Of(q))
		mem.To(&none).SetBox(&c, mem.Of(q))
		runtime.GC()
		if dyn.Kind() == reflect.Pointer && mem.As[boxer](&b, mem.Of(q)) != v {
			t.Errorf("%T: another pointer", v)
		}
		if !reflect.DeepEqual(got, v) || !reflect.DeepEqual(none, any(v)) || got.Box() != 7 || dyn.Kind() == reflect.Pointer && got != v {
			t.Errorf("%T: %v, %v", v, got, none)
		}
	}
}
