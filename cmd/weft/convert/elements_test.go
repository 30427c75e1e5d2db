package convert

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// TestElements checks that an array that is converted element by element becomes what
// it does at once, below and above what is held in memory, and that nothing is left in
// the folder for temporary files.
func TestElements(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	kinds := []string{
		`{"a":1,"b":"text"}`, `[]`, `{}`, `null`, `-1.5`, `"é\u0000"`, `[{"a":1.5},[[1]]]`, `{"b":{"a":"x"},"c":[{"d":{}}]}`,
		`12`, `{"a":-7}`,
	}
	for _, n := range []int{0, 1, 2, 10, 300_000} {
		var text strings.Builder
		for i := range n {
			if i > 0 {
				text.WriteString(" , ")
			}
			text.WriteString(kinds[(i+3*(n&1))%len(kinds)])
		}
		in := "[" + text.String() + "]"
		for to, f := range map[string]weft.Format{JSON: json.Format, MessagePack: msgpack.Format, Tagged: tagged.Format} {
			var out bytes.Buffer
			if err := Convert(&out, strings.NewReader(in), Options{From: JSON, To: to}); err != nil {
				t.Fatalf("%d to %s: %v", n, to, err)
			}
			want, err := weft.Transcode(nil, f, []byte(in), json.Format)
			if to == JSON {
				want = append(want, '\n')
			}
			if err != nil || !bytes.Equal(out.Bytes(), want) {
				t.Errorf("%d to %s: %d bytes, %.60q, want %d, %.60q, %v", n, to, out.Len(), out.Bytes(), len(want), want, err)
			}
			if to != MessagePack {
				continue
			}
			for back, want := range map[string]string{
				JSON:        strings.ReplaceAll(in, " , ", ",") + "\n",
				NDJSON:      strings.ReplaceAll(in, " , ", ",") + "\n",
				MessagePack: out.String(),
			} {
				var got bytes.Buffer
				if err := Convert(&got, bytes.NewReader(out.Bytes()), Options{From: MessagePack, To: back}); err != nil || got.String() != want {
					t.Errorf("%d to msgpack and to %s: %.60q, want %.60q, %v", n, back, got.String(), want, err)
				}
			}
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestElementErrors checks that what is wrong with an element has its place in the
// input.
func TestElementErrors(t *testing.T) {
	for _, tt := range []struct{ from, in, want string }{
		{JSON, `[1, {"a": tru}]`, "json: at /1/a, offset "},
		{JSON, `[1, {"a": 36893488147419103232}]`, "json: at /1/a, offset 10: MessagePack has no form"},
		{JSON, "[1, [\"\xff\"]]", "json: at /1/0, offset 6: invalid UTF-8"},
		{JSON, `[1, 2`, "offset 5: unexpected end"},
		{JSON, `[1 2]`, "offset 3: invalid character '2' after array element"},
		{JSON, `[1] 2`, "json: at offset 4: data after the value"},
		{MessagePack, "\x92\x01\x81\xa1a\xc1", "msgpack: at /1/a, offset 5: "},
		{MessagePack, "\x92\x01\x92\x01", ": unexpected end"},
		{MessagePack, "\x92\x01", "msgpack: at /1, offset 2: unexpected end"},
		{MessagePack, "\x91\x01\x91\xc1", "value 2: msgpack: at /0, offset 3: "},
	} {
		t.Run(tt.want, func(t *testing.T) {
			for _, to := range []string{MessagePack, JSON} {
				if to == JSON && strings.Contains(tt.want, "MessagePack") {
					continue
				}
				err := Convert(new(bytes.Buffer), strings.NewReader(tt.in), Options{From: tt.from, To: to})
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%q to %s: %v, want %q", tt.in, to, err, tt.want)
				}
			}
		})
	}
	// Several arrays are several records.
	for n, want := range map[int]string{1: "[1,2]\n", 2: "[[1,2],\n[1,2]]\n", 3: "[[1,2],\n[1,2],\n[1,2]]\n"} {
		var out bytes.Buffer
		if err := Convert(&out, strings.NewReader(strings.Repeat("\x92\x01\x02", n)),
			Options{From: MessagePack, To: JSON}); err != nil ||
			out.String() != want {
			t.Errorf("%d arrays: %q, %v", n, fmt.Sprint(out.String()), err)
		}
	}
}
