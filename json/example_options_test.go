package json_test

import (
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
)

func ExampleV2() {
	type pet struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
	}
	b, err := json.MarshalWith(pet{Name: "<rex>"}, json.V2())
	fmt.Println(string(b), err)

	var p pet
	fmt.Println(json.UnmarshalWith([]byte(`{"name":"a","name":"b"}`), &p, json.V2()))
	// Output:
	// {"name":"<rex>","tags":[]} <nil>
	// json: at /name, offset 12: duplicate member name
}

func ExampleFastest() {
	text := []byte(`{"id":"a1"}`)
	var v map[string]string
	err := json.UnmarshalWith(text, &v, json.Fastest()) // its strings are parts of text
	fmt.Println(v["id"], err)
	// Output: a1 <nil>
}

func ExampleFormatTime() {
	v := struct {
		At   time.Time
		Took time.Duration
		Key  []byte
	}{time.Unix(1700000000, 5e8).UTC(), 90 * time.Second, []byte{0xca, 0xfe}}
	b, err := json.MarshalWith(v, json.FormatTime("unixmilli"), json.FormatDuration("units"), json.FormatBytes("hex"))
	fmt.Println(string(b), err)
	// Output: {"At":1700000000500,"Took":"1m30s","Key":"cafe"} <nil>
}

func ExampleWithMarshalers() {
	upper := json.MarshalToFunc(func(e *jsontext.Encoder, s string) error {
		return e.WriteToken(jsontext.String(strings.ToUpper(s)))
	})
	whole := json.MarshalFunc(func(n *big.Int) ([]byte, error) { return json.Marshal(n.String()) })
	options := json.WithMarshalers(json.JoinMarshalers(upper, whole))
	b, err := json.MarshalWith([]any{"a", big.NewInt(7)}, options)
	fmt.Println(string(b), err)
	// Output: ["A","7"] <nil>
}

func ExampleWithUnmarshalers() {
	options := json.WithUnmarshalers(json.UnmarshalFunc(func(b []byte, d *time.Duration) error {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		x, err := time.ParseDuration(s)
		*d = x
		return err
	}))
	var v map[string]time.Duration
	err := json.UnmarshalWith([]byte(`{"a":"1h"}`), &v, options)
	fmt.Println(v, err)
	// Output: map[a:1h0m0s] <nil>
}

func ExampleMarshalFunc() {
	yes := json.WithMarshalers(json.MarshalFunc(func(b bool) ([]byte, error) {
		if b {
			return []byte(`"yes"`), nil
		}
		return []byte(`"no"`), nil
	}))
	b, err := json.MarshalWith(map[string]bool{"ok": true}, yes)
	fmt.Println(string(b), err)
	// Output: {"ok":"yes"} <nil>
}

func ExampleUnmarshalFromFunc() {
	trimmed := json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, s *string) error {
		tok, err := d.ReadToken()
		*s = strings.TrimSpace(tok.String())
		return err
	}))
	var v []string
	err := json.UnmarshalWith([]byte(`[" a ","b"]`), &v, trimmed)
	fmt.Printf("%q %v\n", v, err)
	// Output: ["a" "b"] <nil>
}

func ExampleNewDecoderWith() {
	d := json.NewDecoderWith(strings.NewReader(`{"id":1} {"ID":2}`), json.V2(), json.RejectUnknownMembers(true))
	for {
		var v struct {
			ID int `json:"id"`
		}
		err := d.Decode(&v)
		if err == io.EOF {
			return
		}
		fmt.Println(v.ID, err)
	}
	// Output:
	// 1 <nil>
	// 0 json: at /ID, offset 10: unknown member
}

func ExampleNewEncoderWith() {
	e := json.NewEncoderWith(os.Stdout, json.V2(), json.Deterministic(true))
	_ = e.Encode(map[string][]int{"b": nil, "a": {1}})
	// Output: {"a":[1],"b":[]}
}

func ExampleText() {
	type message struct {
		Event json.Text[map[string]int] `json:"event"`
	}
	var m message
	err := json.Unmarshal([]byte(`{"event":"{\"id\":7}"}`), &m)
	fmt.Println(m.Event.V, err)
	// Output: map[id:7] <nil>
}

func ExampleTextBytes() {
	type message struct {
		Event json.TextBytes[[]int] `json:"event"`
	}
	var m message
	err := json.Unmarshal([]byte(`{"event":"WzEsMl0="}`), &m)
	fmt.Println(m.Event.V, err)
	// Output: [1 2] <nil>
}
