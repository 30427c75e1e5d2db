package weft_test

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// sharing are the formats in which values that are read together share memory.
var sharing = []weft.Format{json.Format, msgpack.Format, cbor.Format, tagged.Format}

// branch has values behind pointers and in short slices.
type branch struct {
	Name  *string
	Count *int64
	On    *bool
	Twig  *twig
	Twigs []twig
	Next  []*branch
}

type twig struct {
	Text string
	Leaf *string
}

func to[T any](v T) *T { return &v }

func branches(n int, text string) []*branch {
	list := make([]*branch, n)
	for i := range list {
		twigs := make([]twig, i%5)
		for k := range twigs {
			twigs[k] = twig{text, to(text)}
		}
		list[i] = &branch{Name: to(text), Count: to(int64(i)), On: to(i%2 == 0), Twig: &twig{Text: text}, Twigs: twigs}
	}
	list[0].Next = []*branch{{Count: to(int64(-1))}, {Twigs: []twig{}}}
	return list
}

// TestShared: values that share memory are their own all the same.
func TestShared(t *testing.T) {
	for _, f := range sharing {
		t.Run(f.Name(), func(t *testing.T) {
			want := branches(100, "text")
			doc, err := f.MarshalAppend(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			var got, again []*branch
			allocs := testing.AllocsPerRun(10, func() {
				got = nil
				if err := f.Unmarshal(doc, &got); err != nil {
					t.Fatal(err)
				}
			})
			if allocs > 100 && !mem.Safe && !sample.Race {
				t.Errorf("%v allocations", allocs)
			}
			for _, v := range got {
				*v.Count, *v.Name, v.Twig.Text = 1<<40, "other", "other"
				v.Twigs = append(v.Twigs, twig{Text: "more"})
				v.Next = append(v.Next, v)
			}
			for range 3 {
				if err := f.Unmarshal(doc, &again); err != nil || !reflect.DeepEqual(again, want) {
					t.Fatalf("%v, or another value", err)
				}
				again = nil
				runtime.GC()
			}
			for i, v := range got {
				if *v.Count != 1<<40 || *v.Name != "other" || v.Twig.Text != "other" || *v.On != (i%2 == 0) || len(v.Twigs) != i%5+1 {
					t.Fatalf("%d has changed", i)
				}
			}
		})
	}
}

// TestSharedKeepsLittle: a value that is kept keeps no more alive than a few of those that are read with it.
func TestSharedKeepsLittle(t *testing.T) {
	if sample.Race {
		t.Skip("the race detector keeps memory")
	}
	const long = 64 << 10
	for _, f := range sharing {
		t.Run(f.Name(), func(t *testing.T) {
			doc, err := f.MarshalAppend(nil, branches(64, strings.Repeat("x", long)))
			if err != nil {
				t.Fatal(err)
			}
			var kept []any
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for range 4 {
				var v []*branch
				if err := f.Unmarshal(doc, &v); err != nil {
					t.Fatal(err)
				}
				kept = append(kept, v[30].Count, v[31].On, v[32].Twig, v[33].Twigs)
			}
			runtime.GC()
			runtime.GC()
			runtime.ReadMemStats(&after)
			if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > 4*12*long {
				t.Errorf("%d KB are kept", n>>10)
			}
			runtime.KeepAlive(kept)
		})
	}
}

// finalized gives its receiver a finalizer, and keeps its address.
type finalized struct {
	self *finalized
	text string
}

func (f *finalized) UnmarshalText(text []byte) error {
	runtime.SetFinalizer(f, func(*finalized) {})
	f.self, f.text = f, string(text)
	return nil
}

func (f *finalized) MarshalText() ([]byte, error) { return []byte(f.text), nil }

// finalizedPair is an array that gives itself a finalizer.
type finalizedPair [2]string

func (f *finalizedPair) UnmarshalText(text []byte) error {
	runtime.SetFinalizer(f, func(*finalizedPair) {})
	*f = finalizedPair{string(text), "read"}
	return nil
}

func (f finalizedPair) MarshalText() ([]byte, error) { return []byte(f[0]), nil }

// TestSharedMethods: what a method behind a pointer gets is memory of its own, to which the runtime lets it give a
// finalizer.
func TestSharedMethods(t *testing.T) {
	type inner struct{ F finalized }
	type holder struct {
		P *finalized
		Q *inner
		R *[1]finalized
		S *finalizedPair
	}
	for _, f := range sharing {
		t.Run(f.Name(), func(t *testing.T) {
			want := make([]*holder, 50)
			for i := range want {
				want[i] = &holder{&finalized{text: "a"}, &inner{finalized{text: "b"}}, &[1]finalized{{text: "c"}}, &finalizedPair{"d"}}
			}
			doc, err := f.MarshalAppend(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			var got []*holder
			allocs := testing.AllocsPerRun(1, func() {
				got = nil
				if err := f.Unmarshal(doc, &got); err != nil {
					t.Fatal(err)
				}
			})
			if allocs > 50*4+25 && !mem.Safe && !sample.Race { // what points to it shares memory
				t.Errorf("%v allocations", allocs)
			}
			for i, h := range got {
				if h.P.text != "a" || h.P.self != h.P || h.Q.F.self != &h.Q.F || h.R[0].self != &h.R[0] || h.S[1] != "read" {
					t.Errorf("%d: %+v has moved", i, h.P)
				}
			}
		})
	}
}
