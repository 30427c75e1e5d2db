package json_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"time"

	"github.com/weftcodec/weft/json"
)

func ExampleMarshal() {
	type pet struct {
		Name string   `json:"name"`
		Tags []string `json:"tags,omitempty"`
	}
	b, err := json.Marshal([]pet{{"Rex", nil}, {"Tom", []string{"old"}}})
	fmt.Println(string(b), err)
	// Output: [{"name":"Rex"},{"name":"Tom","tags":["old"]}] <nil>
}

func ExampleMarshalIndent() {
	b, err := json.MarshalIndent(map[string]int{"a": 1}, "", "  ")
	fmt.Println(string(b), err)
	// Output:
	// {
	//   "a": 1
	// } <nil>
}

func ExampleMarshalAppend() {
	line := []byte("data: ") // memory that is used again
	line, err := json.MarshalAppend(line, []int{1, 2})
	fmt.Println(string(line), err)
	// Output: data: [1,2] <nil>
}

func ExampleMarshalWrite() {
	err := json.MarshalWrite(os.Stdout, map[string]bool{"ok": true})
	fmt.Print("\n", err)
	// Output:
	// {"ok":true}
	// <nil>
}

func ExampleMarshalWith() {
	b, err := json.MarshalWith("<b>", json.EscapeForHTML(false))
	fmt.Println(string(b), err)
	// Output: "<b>" <nil>
}

func ExampleNewEncoder() {
	e := json.NewEncoder(os.Stdout)
	for i := range 2 {
		if err := e.Encode(map[string]int{"line": i}); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// {"line":0}
	// {"line":1}
}

func ExampleCompact() {
	var b bytes.Buffer
	err := json.Compact(&b, []byte(`{ "a": [1, 2] }`))
	fmt.Println(b.String(), err)
	// Output: {"a":[1,2]} <nil>
}

func ExampleIndent() {
	var b bytes.Buffer
	err := json.Indent(&b, []byte(`{"a":[1]}`), "", " ")
	fmt.Println(b.String(), err)
	// Output:
	// {
	//  "a": [
	//   1
	//  ]
	// } <nil>
}

func ExampleHTMLEscape() {
	var b bytes.Buffer
	json.HTMLEscape(&b, []byte(`"<script>"`))
	fmt.Println(b.String())
	// Output: "\u003cscript\u003e"
}

func ExampleJoinUnmarshalers() {
	options := json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFunc(func(b []byte, a *netip.Addr) (err error) {
			*a, err = netip.ParseAddr(string(bytes.Trim(b, `"`)))
			return err
		}),
		json.UnmarshalFunc(func(b []byte, d *time.Duration) (err error) {
			*d, err = time.ParseDuration(string(bytes.Trim(b, `"`)))
			return err
		}),
	))
	var v struct {
		Addr netip.Addr
		Wait time.Duration
	}
	err := json.UnmarshalWith([]byte(`{"addr":"::1","wait":"1m30s"}`), &v, options)
	fmt.Println(v.Addr, v.Wait, err)
	// Output: ::1 1m30s <nil>
}
