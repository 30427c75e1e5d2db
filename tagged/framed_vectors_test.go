package tagged

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/compress"
)

var update = flag.Bool("update", false, "write testdata/framed.jsonl again")

// framedVectors are streams that testdata/framed.jsonl has in hexadecimal.
func framedVectors() []struct {
	name string
	v    any
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
	return []struct {
		name string
		v    any
	}{
		{"one value", 150},
		{"one string", "Hello"},
		{"null list", []int(nil)},
		{"empty list", []int{}},
		{"integers: constant", []int{5, 5, 5}},
		{"integers: packed", []int{3, -1, 7, 0, 2}},
		{"integers: delta", []int{100, 110, 120, 130, 140, 150, 160, 170}},
		{"integers: runs", runs},
		{"integers: plain", []int64{1, 2, -3, 1 << 60, 4, 5, 6, 7}},
		{"floats: plain", []float64{0.1234567890123, -1e300}},
		{"floats: decimal", []float64{0.5, -1.25, 3, 10, 0.75, 2.5, 1, 0}},
		{"strings: plain", []string{"alpha", "be", "", "日本"}},
		{"strings: constant", []string{"x", "x"}},
		{"strings: dictionary", words},
		{"strings: front", []string{"/usr/share/alpha", "/usr/share/beta", "/usr/share/gamma", "/usr/share/delta"}},
		{"strings: shape", []string{"foo1-2026", "foo2-2027", "foo10-1999"}},
		{"strings: shape of fixed width", []string{"2026-01-02", "2026-11-30"}},
		{"structs", []leaf{{true, -1, 1 << 63, 0.5, 0.1, "a"}, {false, 2, 3, 1.5, 0.2, "b"}}},
		{"compressed", []string{strings.Repeat("front ", 20) + "a", strings.Repeat("middle ", 20) + "b"}},
		{"nested", []nest{{[]string{"a", "b"}, map[string]int{"k": 1}, &seven, "o", at, []byte{1, 2}, map[string]any{"q": "r"}, struct{ N []int }{[]int{1}}}, {}}},
	}
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
		var out strings.Builder
		for _, c := range framedVectors() {
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
		if err != nil || hex.EncodeToString(b) != row.Hex && c.name != "compressed" { // whose bytes are another library's
			t.Errorf("%s: written as %x, %v, want %s", c.name, b, err, row.Hex)
		}
		back := reflect.New(reflect.TypeOf(c.v))
		if err := UnmarshalFramed(unhex(row.Hex), back.Interface(), optionsOf(c.name)...); err != nil || !reflect.DeepEqual(back.Elem().Interface(), c.v) {
			t.Errorf("%s: read as %v, %v", c.name, back.Elem(), err)
		}
	}
	if s.Scan() {
		t.Error("more vectors than values")
	}
}
