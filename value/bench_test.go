package value

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// The data of the benchmarks: a struct of two strings and the map of them, ten
// fields, nested structs, and a thousand elements.
type (
	pair struct {
		Foo string `json:"foo"`
		Bar string `json:"bar"`
	}
	ten struct {
		ID      int64     `json:"id"`
		Name    string    `json:"name"`
		Email   string    `json:"email"`
		Age     int       `json:"age"`
		Score   float64   `json:"score"`
		Active  bool      `json:"active"`
		Created time.Time `json:"created"`
		City    string    `json:"city"`
		Rank    uint32    `json:"rank"`
		Note    *string   `json:"note"`
	}
	nested struct {
		Head  pair      `json:"head"`
		Owner *ten      `json:"owner"`
		Items []pair    `json:"items"`
		Sizes []float64 `json:"sizes"`
	}
)

func benchData() map[string]any {
	p := pair{"foo value", "bar value"}
	note := "a note"
	t := ten{1, "Ada", "ada@example.com", 36, 9.5, true, time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC), "London", 3, &note}
	n := nested{p, &t, []pair{p, p, p}, []float64{1, 2.5, 3}}
	many := make([]ten, 1000)
	for i := range many {
		many[i] = t
	}
	return map[string]any{
		"struct": &p, "ten": &t, "nested": &n, "1000": &many,
		"map":    &map[string]string{"foo": p.Foo, "bar": p.Bar},
		"anymap": &map[string]any{"foo": p.Foo, "bar": p.Bar, "n": 1, "ok": true},
	}
}

var benchNames = []string{"struct", "ten", "nested", "1000", "map", "anymap"}

// hand converts pair as one would by hand.
func handMarshal(p *pair) Value {
	return Map(Member{"foo", String(p.Foo)}, Member{"bar", String(p.Bar)})
}

func handUnmarshal(v Value, p *pair) {
	foo, _ := v.Get("foo")
	p.Foo, _ = foo.Text()
	bar, _ := v.Get("bar")
	p.Bar, _ = bar.Text()
}

func BenchmarkMarshal(b *testing.B) {
	data := benchData()
	for _, name := range benchNames {
		in := data[name]
		b.Run(name+"/plan", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Marshal(in); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/reflection", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := refMarshal(in); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/json", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				text, _ := json.Marshal(in)
				var out any
				if err := json.Unmarshal(text, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	p := data["struct"].(*pair)
	b.Run("struct/hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			handMarshal(p)
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	data := benchData()
	for _, name := range benchNames {
		in := data[name]
		v, err := Marshal(in)
		if err != nil {
			b.Fatal(err)
		}
		plain := v.Interface()
		out := reflect.New(reflect.TypeOf(in).Elem())
		to := out.Interface()
		run := func(kind string, f func() error) {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					out.Elem().SetZero()
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("plan", func() error { return Unmarshal(v, to) })
		run("reflection", func() error { return refUnmarshal(v, to) })
		run("json", func() error {
			text, err := json.Marshal(plain)
			if err != nil {
				return err
			}
			return json.Unmarshal(text, to)
		})
	}
	v, _ := Marshal(data["struct"])
	var p pair
	b.Run("struct/hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			handUnmarshal(v, &p)
		}
	})
	other := Map(Member{"bar", String("b")}, Member{"foo", String("f")})
	b.Run("struct/other order", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := Unmarshal(other, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{4, 16, 1000} {
		var ms []Member
		plain := map[string]any{}
		for i := range n {
			name := fmt.Sprintf("member%d", i)
			ms = append(ms, Member{name, obj("inner", obj("leaf", i))})
			plain[name] = map[string]any{"inner": map[string]any{"leaf": i}}
		}
		v := Map(ms...)
		name := fmt.Sprintf("member%d", n/2)
		b.Run(fmt.Sprintf("%d/value", n), func(b *testing.B) {
			for b.Loop() {
				x, _ := v.Get(name)
				x, _ = x.Get("inner")
				if _, ok := x.Get("leaf"); !ok {
					b.Fatal("lost")
				}
			}
		})
		b.Run(fmt.Sprintf("%d/path", n), func(b *testing.B) {
			path := name + ".inner.leaf"
			for b.Loop() {
				if _, ok := v.Lookup(path); !ok {
					b.Fatal("lost")
				}
			}
		})
		b.Run(fmt.Sprintf("%d/go", n), func(b *testing.B) {
			for b.Loop() {
				x, _ := plain[name].(map[string]any)
				x, _ = x["inner"].(map[string]any)
				if _, ok := x["leaf"]; !ok {
					b.Fatal("lost")
				}
			}
		})
	}
}

func BenchmarkWith(b *testing.B) {
	v, _ := Marshal(benchData()["ten"])
	b.ReportAllocs()
	for b.Loop() {
		v.WithMember("city", String("Paris"))
	}
}
