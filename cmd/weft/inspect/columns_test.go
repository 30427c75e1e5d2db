package inspect

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// rowsOf prints frames, without the remarks.
func rowsOf(t *testing.T, b []byte) string {
	t.Helper()
	var out strings.Builder
	if err := Dump(&out, bytes.NewReader(b), Framed); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

func TestColumns(t *testing.T) {
	dynamic := func(text string) []value.Value {
		var v []value.Value
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	type record struct {
		Name string
		Tags []string
		By   map[string]int
		Of   *float64
	}
	half := 0.5
	for _, tt := range []struct {
		name string
		v    any
		want []string
	}{
		{"struct", []record{{"a", []string{"x", "y"}, map[string]int{"k": 7}, &half}, {Name: "b"}}, []string{
			`string, plain, 2 values: "a", "b"  `, "lengths of list, packed, 2 values: 2, null", `2 values: "x", "y"  `, "/Tags/*\n",
			"presence, packed, 2 values: there, null", "/By/(keys)\n", "int, constant, 1 value: 7 ", "float64, decimal of 1 place, 1 value: 0.5 "}},
		{"shapes", dynamic(`[{"a":1,"b":"x"},{"a":2},{"a":[true,null],"b":"z"}]`), []string{
			"shapes, packed, 3 values: 0, 1, 0", "kinds, packed, 3 values: int, int, list", "int, packed, 2 values: 1, 2",
			"bool, constant, 1 value: true", "/a/*\n", `string, plain, 2 values: "x", "z"`}},
		{"numbers in text", []string{"id-007", "id-010", "id-011", "id-012", "id-013"},
			[]string{`string, shape, 5 values: "id-007", "id-010", "id-011"`}},
		{"not shown", strings.Split(strings.Repeat("ab,cd,", 40), ","), []string{`dictionary of 3`, `"ab", "cd", "ab"`, "…"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := tagged.MarshalFramed(tt.v)
			if err != nil {
				t.Fatal(err)
			}
			out := rowsOf(t, b)
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
	b, err := tagged.MarshalFramed(strings.Split(strings.Repeat("a long text, ", 4000), " "), tagged.Compress(compress.NewZstd()))
	if err != nil {
		t.Fatal(err)
	}
	if out := rowsOf(t, b); !strings.Contains(out, "zstd") || !strings.Contains(out, "offsets in the decompressed body") ||
		!strings.Contains(out, `"long", "text,"`) {
		t.Error(out)
	}
}

// TestColumnsVectors checks that the columns of the vectors have their values, and that bytes that have changed
// do not lead astray.
func TestColumnsVectors(t *testing.T) {
	f, err := os.Open("../../../tagged/testdata/framed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	compared := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var vector struct {
			Hex, Name, Schema string
			Value             any
		}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&vector); err != nil {
			t.Fatal(err)
		}
		b, err := hex.DecodeString(vector.Hex)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(vector.Name, func(t *testing.T) {
			out := rowsOf(t, b)
			if list, ok := vector.Value.([]any); ok && len(list) > 0 && (vector.Schema == "int" || vector.Schema == "string") {
				var shown []string
				for _, v := range list[:min(len(list), 3)] {
					if s, ok := v.(string); ok {
						v = fmt.Sprintf("%q", s)
					}
					shown = append(shown, fmt.Sprint(v))
				}
				compared++
				if want := " values: " + strings.Join(shown, ", "); !strings.Contains(out, want) && !strings.Contains(out, "…") {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			head := columns{b: b, i: 6}
			head.uvarint()
			schema, frame := head.node(), b[head.i+4:]
			for i := range frame {
				for _, flip := range []byte{1, 0x7f, 0x80, 0xff} {
					bad := bytes.Clone(frame)
					bad[i] ^= flip
					c := columns{dump: &dump{emit: func(Row) {}}, b: bad, i: 12}
					c.column(schema, int(min(frame[4], 100)), 0)
				}
			}
		})
	}
	if compared < 5 {
		t.Errorf("%d vectors compared", compared)
	}
}
