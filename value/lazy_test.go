package value_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/value"
)

func readLazy(t testing.TB, text []byte) (v value.Value) {
	t.Helper()
	if err := json.UnmarshalWith(text, &v, json.LazyValues(true)); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLazy does with a value of which there is the text all that can be done with one
// that has been read.
func TestLazy(t *testing.T) {
	var indented bytes.Buffer
	if err := stdjson.Indent(&indented, document(), " ", "\t"); err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{document(), bytes.TrimSpace(indented.Bytes()),
		[]byte(`{` + strings.Repeat(" ", 300) + `}`), []byte(`[` + strings.Repeat(" ", 300) + `]`),
		[]byte(`{"a":"` + strings.Repeat("x", 300) + `","b":[],"a":{}}`)} {
		var want value.Value
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		v := func() value.Value { return readLazy(t, text) }
		if b, err := json.MarshalWith(v(), json.EscapeForHTML(false)); err != nil || !bytes.Equal(b, text) {
			t.Errorf("%.80s was written back as %.80s, %v", text, b, err)
		}
		a, _ := msgpack.Marshal(v())
		if b, err := msgpack.Marshal(want); err != nil || !bytes.Equal(a, b) {
			t.Error("other bytes in MessagePack")
		}
		for name, same := range map[string]bool{
			"Kind": v().Kind() == want.Kind(), "Len": v().Len() == want.Len(), "GoString": v().GoString() == want.GoString(),
			"String": v().String() == want.String(), "Hash": v().Hash() == want.Hash(),
			"Equal":   v().Equal(want) && want.Equal(v()) && v().Equal(v()),
			"Compare": v().Compare(want) == 0, "Clone": v().Clone().GoString() == want.GoString(),
			"Sorted": v().Sorted().GoString() == want.Sorted().GoString(),
			"Merge":  v().Merge(v()).Equal(want), "Diff": value.Diff(v(), want).Len() == 0,
			"At":   v().At(1).Equal(want.At(1)) && v().At(-1).IsNull(),
			"Name": v().Name(0) == want.Name(0), "Interface": fmt.Sprint(v().Interface()) == fmt.Sprint(want.Interface()),
			"WithMember": v().WithMember("new", value.Int(1)).Equal(want.WithMember("new", value.Int(1))),
		} {
			if !same {
				t.Errorf("%s of %.80s differs", name, text)
			}
		}
		n := 0
		for range v().Names() {
			n++
		}
		for range v().Members() {
			n++
		}
		if want.Kind() == value.KindMap && n != 2*want.Len() {
			t.Errorf("%d names and members in %.80s", n, text)
		}
	}
	v := readLazy(t, document())
	if x, ok := v.Lookup("[7].address.city"); !ok || x.String() != "Springfield" {
		t.Error(x)
	}
	if x, ok := v.Pointer("/7/tags/1"); !ok || x.String() != "beta" {
		t.Error(x)
	}
	var list []struct {
		ID   int      `json:"id"`
		Tags []string `json:"tags"`
	}
	if err := value.Unmarshal(v, &list); err != nil || list[3].ID != 3*7919 || list[3].Tags[2] != "gamma" {
		t.Errorf("%v, %v", list[3], err)
	}
	w, err := v.With("[0].name", value.String("new"))
	if err != nil || w.At(0).String() == v.At(0).String() || !w.At(1).Equal(v.At(1)) {
		t.Error("a change has come out wrong")
	}
	html := []byte(`["<b>&</b>",   "` + strings.Repeat("x", 300) + `"]`)
	if b, err := json.Marshal(readLazy(t, html)); err != nil || !strings.HasPrefix(string(b), `["\u003cb\u003e\u0026\u003c/b\u003e","x`) {
		t.Errorf("%.60s, %v", b, err)
	}
	for _, bad := range []string{`[1,]`, `["\x"]`, `{"a" 1}`, `[01]`} {
		if err := json.UnmarshalWith([]byte(`{"pad":"`+strings.Repeat("x", 300)+`","bad":`+bad+`}`), new(value.Value),
			json.LazyValues(true)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// TestLazyInput reads a lazy value after its input has been overwritten.
func TestLazyInput(t *testing.T) {
	text := bytes.Clone(document())
	v := readLazy(t, text)
	clear(text)
	var want value.Value
	if err := json.Unmarshal(document(), &want); err != nil || !v.Equal(want) {
		t.Errorf("%.60v, %v", v, err)
	}
}

// TestLazyShared opens parts of a value in several goroutines at once.
func TestLazyShared(t *testing.T) {
	v := readLazy(t, document())
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range v.Len() {
				if x, ok := v.At((i + g*31) % v.Len()).Lookup("address.zip"); !ok || x.String() != "12345" {
					t.Error(x)
				}
			}
		}()
	}
	wait.Wait()
}

func BenchmarkLazy(b *testing.B) {
	text := document()
	for _, lazy := range []bool{false, true} {
		b.Run(fmt.Sprintf("lazy=%t", lazy), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var v value.Value
				if err := json.UnmarshalWith(text, &v, json.LazyValues(lazy)); err != nil {
					b.Fatal(err)
				}
				v.Lookup("[3].address.city")
				if _, err := json.Marshal(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
