package value_test

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

func Example() {
	var v value.Value
	if err := json.Unmarshal([]byte(`{"user":{"id":18446744073709551615,"tags":["a","b"]}}`), &v); err != nil {
		fmt.Println(err)
		return
	}
	id, _ := v.Lookup("user.id")
	tag, _ := v.Pointer("/user/tags/1")
	fmt.Println(id.Kind(), id, tag)

	w, err := v.With("user.tags[2]", value.String("c"))
	fmt.Println(w, err)
	fmt.Println(v)
	// Output:
	// uint 18446744073709551615 b
	// {"user":{"id":18446744073709551615,"tags":["a","b","c"]}} <nil>
	// {"user":{"id":18446744073709551615,"tags":["a","b"]}}
}

func ExampleMarshal() {
	type account struct {
		Name  string `json:"name"`
		Limit int8   `json:"limit"`
	}
	v, err := value.Marshal(account{"Ada", 100})
	fmt.Println(v, err)
	_, err = value.Marshal(map[string]any{"done": make(chan int)})
	fmt.Println(err)
	// Output:
	// {"name":"Ada","limit":100} <nil>
	// value: at /done: chan int: chan has no form in any format
}

func ExampleUnmarshal() {
	type account struct {
		Name  string `weft:"name,required"`
		Limit int8   `weft:"limit"`
	}
	v := value.Map(value.Member{Name: "name", Value: value.String("Ada")}, value.Member{Name: "limit", Value: value.Int(300)})
	var a account
	fmt.Println(value.Unmarshal(v, &a))
	fmt.Println(value.Unmarshal(value.Map(), &a))
	// Output:
	// value: at /limit: int 300 does not fit int8
	// value: missing required member "name"
}

func ExampleValue_Merge() {
	v := value.Map(value.Member{Name: "a", Value: value.Int(1)}, value.Member{Name: "b", Value: value.Int(2)})
	fmt.Println(v.Merge(value.Map(value.Member{Name: "a", Value: value.Null()}, value.Member{Name: "c", Value: value.Int(3)})))
	// Output: {"b":2,"c":3}
}

func ExampleDiff() {
	v := value.List(value.Int(1), value.Int(2), value.Int(3))
	w := value.List(value.Int(1), value.Int(3))
	patch := value.Diff(v, w)
	fmt.Println(patch)
	fmt.Println(v.Patch(patch))
	// Output:
	// [{"op":"remove","path":"/1"}]
	// [1,3] <nil>
}

func ExampleMarshalAny() {
	type point struct {
		X int `json:"x"`
		Y int `json:"y"`
	}
	tree, err := value.MarshalAny([]point{{1, 2}})
	fmt.Println(tree, err)
	var back []point
	err = value.UnmarshalAny(tree, &back)
	fmt.Println(back, err)
	// Output:
	// [map[x:1 y:2]] <nil>
	// [{1 2}] <nil>
}

func ExampleUnmarshalAny() {
	var point struct{ X, Y int }
	err := value.UnmarshalAny(map[string]any{"X": 1.0, "Y": 2}, &point)
	fmt.Println(point, err)
	// Output: {1 2} <nil>
}

func ExampleMarshalWith() {
	type list struct{ Items []int }
	v, err := value.MarshalWith(list{}, weft.OmitEmpty(true))
	fmt.Println(v, err)
	// Output: {} <nil>
}

func ExampleUnmarshalWith() {
	codecs := weft.Codecs(weft.Adapt(time.Duration.String, time.ParseDuration))
	var d time.Duration
	err := value.UnmarshalWith(value.String("1h30m"), &d, codecs)
	fmt.Println(d, err)
	// Output: 1h30m0s <nil>
}

// With [json.LazyValues] the parts of a large document that nobody looks into are kept
// as text, and written back as they were.
func ExampleValue_lazy() {
	text := []byte(`{"id": 7, "log": [ ` + strings.Repeat(`"a long entry", `, 40) + `"end" ]}`)
	var v value.Value
	if err := json.UnmarshalWith(text, &v, json.LazyValues(true)); err != nil {
		fmt.Println(err)
		return
	}
	id, _ := v.Get("id")
	same, _ := json.Marshal(v)
	changed, _ := json.Marshal(v.WithMember("id", value.Int(8)))
	fmt.Println(id, bytes.Equal(same, text), string(changed[:27]))
	// Output: 7 true {"id":8,"log":[ "a long ent
}
