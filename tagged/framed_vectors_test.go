package tagged

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/compress"
)

var update = flag.Bool("update", false, "write testdata/framed.jsonl again")

// framedVectors are streams that testdata/framed.jsonl has in hexadecimal. Those that
// are old are read only.
func framedVectors() []struct {
	name string
	v    any
	old  bool
} {
	type leaf struct {
		B bool    `json:"b"`
		I int8    `json:"i"`
		U uint64  `json:"u"`
		F float32 `json:"f"`
		D float64 `json:"d"`
		S string  `json:"s"`
	}
	type nest struct {
		L []string          `json:"l"`
		M map[string]int    `json:"m"`
		P *int              `json:"p"`
		O string            `json:"o,omitempty"`
		T time.Time         `json:"t"`
		Y []byte            `json:"y"`
		X any               `json:"x"`
		E struct{ N []int } `json:"e"`
	}
	seven := 7
	at := time.Date(2026, 7, 1, 9, 30, 0, 5, time.UTC)
	words := []string{"red", "green", "red", "red", "blue", "green", "red", "blue", "red", "red", "green", "red"}
	var runs []int
	for i := range 100 {
		runs = append(runs, i/40*1000)
	}
	vectors := []struct {
		name string
		v    any
		old  bool
	}{
		{"one value", 150, false},
		{"one string", "Hello", false},
		{"null list", []int(nil), false},
		{"empty list", []int{}, false},
		{"integers: constant", []int{5, 5, 5}, false},
		{"integers: packed", []int{3, -1, 7, 0, 2}, false},
		{"integers: delta", []int{100, 110, 120, 130, 140, 150, 160, 170}, false},
		{"integers: runs", runs, false},
		{"integers: plain", []int64{1, 2, -3, 1 << 60, 4, 5, 6, 7}, false},
		{"floats: plain", []float64{0.1234567890123, -1e300}, false},
		{"floats: decimal", []float64{0.5, -1.25, 3, 10, 0.75, 2.5, 1, 0}, false},
		{"strings: plain", []string{"alpha", "be", "", "日本"}, false},
		{"strings: constant", []string{"x", "x"}, false},
		{"strings: dictionary", words, false},
		{"strings: front", []string{"/usr/share/alpha", "/usr/share/beta", "/usr/share/gamma", "/usr/share/delta"}, false},
		{"strings: shape", []string{"foo1-2026", "foo2-2027", "foo10-1999"}, false},
		{"strings: shape of fixed width", []string{"2026-01-02", "2026-11-30"}, false},
		{"structs", []leaf{{true, -1, 1 << 63, 0.5, 0.1, "a"}, {false, 2, 3, 1.5, 0.2, "b"}}, false},
		{"compressed", []string{strings.Repeat("front ", 20) + "a", strings.Repeat("middle ", 20) + "b"}, false},
		{"nested", []nest{
			{[]string{"a", "b"}, map[string]int{"k": 1}, &seven, "o", at, []byte{1, 2}, map[string]any{"q": "r"},
				struct{ N []int }{[]int{1}}},
			{},
		}, true},
	}
	nested := vectors[len(vectors)-1]
	nested.name, nested.old = "nested, any", false
	type any1 struct{ X any }
	wide, other := map[string]any{}, []any{}
	for i := range 20 {
		wide[fmt.Sprintf("k%02d", i)] = int64(i)
	}
	for i := range 100 {
		m := map[string]any{"all": int64(i)}
		for k, name := range []string{"b", "c", "d", "e"} {
			if i>>k&1 != 0 {
				m[name] = true
			}
		}
		other = append(other, m)
	}
	zone := time.Date(2026, 7, 1, 9, 30, 0, 0, time.FixedZone("", 7200))
	return append(vectors, []struct {
		name string
		v    any
		old  bool
	}{
		nested,
		{"any: kinds", []any1{
			{nil}, {true}, {int64(-1)}, {uint64(1)}, {float32(0.5)}, {1.5}, {"s"}, {[]byte("b")}, {zone}, {json.Number("1e400")},
			{[]any{false, "t"}},
			{map[string]any{"m": int64(1)}}}, false},
		{"any: one kind", []any{"x", "y"}, false},
		{"any: nothing", []any{}, false},
		{"any: objects by shape", []map[string]any{{"a": int64(1), "b": nil}, {"a": int64(2)}, nil}, false},
		{"any: objects by presence", other, false},
		{"any: objects by names", []any{wide}, false},
	}...)
}

// optionsOf returns the options that a vector is written and read with.
func optionsOf(name string) []Options {
	if name == "compressed" {
		return []Options{Compress(compress.NewZstd())}
	}
	return nil
}

func TestFramedVectors(t *testing.T) {
	const name = "testdata/framed.jsonl"
	if *update {
		lines, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := strings.SplitAfter(string(lines), "\n")
		var out strings.Builder
		for i, c := range framedVectors() {
			if c.old {
				out.WriteString(before[i])
				continue
			}
			b, err := MarshalFramed(c.v, optionsOf(c.name)...)
			if err != nil {
				t.Fatal(err)
			}
			d := NewFrameDecoder(strings.NewReader(string(b)))
			schema, err := d.Schema()
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(c.v)
			if err != nil {
				t.Fatal(err)
			}
			line, err := json.Marshal(map[string]any{"name": c.name, "schema": schema, "value": json.RawMessage(text), "hex": hex.EncodeToString(b)})
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
		if err := os.WriteFile(name, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for _, c := range framedVectors() {
		if !s.Scan() {
			t.Fatal("no vector for ", c.name)
		}
		var row struct{ Name, Hex string }
		if err := json.Unmarshal(s.Bytes(), &row); err != nil || row.Name != c.name {
			t.Fatal(row.Name, c.name, err)
		}
		b, err := MarshalFramed(c.v, optionsOf(c.name)...)
		if c.old {
			b = unhex(row.Hex)
		}
		if err != nil || hex.EncodeToString(b) != row.Hex && c.name != "compressed" { // whose bytes are another library's
			t.Errorf("%s: written as %x, %v, want %s", c.name, b, err, row.Hex)
		}
		back := reflect.New(reflect.TypeOf(c.v))
		if err := UnmarshalFramed(unhex(row.Hex), back.Interface(), optionsOf(c.name)...); err != nil ||
			!reflect.DeepEqual(back.Elem().Interface(), c.v) {
			t.Errorf("%s: read as %v, %v", c.name, back.Elem(), err)
		}
	}
	if s.Scan() {
		t.Error("more vectors than values")
	}
}
