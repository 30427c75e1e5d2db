package weft_test

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
)

// check stops an example at an error.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

func ExampleAdapt() {
	// A duration as text, and an instant as a number, in every format.
	codecs := weft.Codecs(
		weft.Adapt(time.Duration.String, time.ParseDuration),
		weft.Adapt(time.Time.Unix, func(s int64) (time.Time, error) { return time.Unix(s, 0).UTC(), nil }),
	)
	type job struct {
		Start time.Time     `json:"start"`
		Every time.Duration `json:"every"`
	}
	b, err := json.MarshalWith(job{time.Unix(1700000000, 0), 90 * time.Second}, codecs)
	check(err)
	fmt.Printf("%s\n", b)

	var back job
	check(json.UnmarshalWith(b, &back, codecs))
	fmt.Println(back.Start, back.Every)
	// Output:
	// {"start":1700000000,"every":"1m30s"}
	// 2023-11-14 22:13:20 +0000 UTC 1m30s
}

func ExampleCodecs() {
	codecs := weft.Codecs(weft.Adapt(netip.Addr.String, netip.ParseAddr))
	b, err := msgpack.Marshal(map[string]netip.Addr{"host": netip.MustParseAddr("10.0.0.1")}, codecs)
	check(err)
	fmt.Printf("%q\n", b)
	// Output: "\x81\xa4host\xa810.0.0.1"
}

type celsius float64

func (celsius) WeftCodec() weft.Codec {
	return weft.CodecFor(
		func(e *weft.Encoder, c celsius) error {
			return e.String(strconv.FormatFloat(float64(c), 'f', 1, 64) + "°C")
		},
		func(d *weft.Decoder) (celsius, error) {
			f, err := strconv.ParseFloat(strings.TrimSuffix(d.String(), "°C"), 64)
			return celsius(f), err
		})
}

func ExampleCoded() {
	b, err := json.Marshal([]celsius{21, -3.5})
	check(err)
	fmt.Printf("%s\n", b)

	var back []celsius
	check(json.Unmarshal(b, &back))
	fmt.Println(back[1] + 1)
	// Output:
	// ["21.0°C","-3.5°C"]
	// -2.5
}

func ExampleCodecFor() {
	bit := weft.Codecs(weft.CodecFor(
		func(e *weft.Encoder, d time.Weekday) error { return e.Int(1 << d) },
		func(d *weft.Decoder) (time.Weekday, error) {
			return time.Weekday(len(strconv.FormatUint(d.Uint64(), 2)) - 1), d.Err()
		}))
	b, err := json.MarshalWith([]time.Weekday{time.Sunday, time.Friday}, bit)
	check(err)
	fmt.Printf("%s\n", b)
	// Output: [1,32]
}

type event interface{ isEvent() }

type created struct {
	ID string `json:"id"`
}

type moved struct {
	X, Y int
}

type quit struct{}

func (created) isEvent() {}
func (moved) isEvent()   {}
func (quit) isEvent()    {}

var events = []weft.UnionCase{weft.Variant[created]("created"), weft.Variant[moved]("moved"), weft.Variant[quit]("quit")}

func ExampleUnion() {
	codecs := weft.Codecs(weft.Union[event](weft.Flat("type"), events...))
	b, err := json.MarshalWith([]event{created{"a1"}, moved{1, 2}, quit{}}, codecs)
	check(err)
	fmt.Printf("%s\n", b)

	var back []event
	check(json.UnmarshalWith([]byte(`[{"id":"a2","type":"created"}]`), &back, codecs))
	fmt.Printf("%#v\n", back)
	fmt.Println(json.UnmarshalWith([]byte(`[{"type":"deleted"}]`), &back, codecs))
	// Output:
	// [{"type":"created","id":"a1"},{"type":"moved","X":1,"Y":2},{"type":"quit"}]
	// []weft_test.event{weft_test.created{ID:"a2"}}
	// json: at /0/type, offset 9: must be a variant of weft_test.event: "type" is "deleted", not one of created, moved, quit
}

// shape is a circle, a square, or the name of one.
type shape struct{ V shapeVariant }

type shapeVariant interface{ isShape() }

type circle struct {
	Type   string  `json:"type"`
	Radius float64 `json:"radius" check:"required,exclusiveMinimum=0"`
}

type square struct {
	Type string  `json:"type"`
	Side float64 `json:"side"`
}

type shapeName string

func (*circle) isShape()   {}
func (*square) isShape()   {}
func (shapeName) isShape() {}

func (shape) WeftRules() weft.Rules {
	return weft.Rules{Union: &weft.Variants{
		Discriminator: "type",
		Cases:         []weft.UnionCase{weft.Variant[*circle]("circle"), weft.Variant[*square]("square"), weft.Variant[shapeName]()},
	}}
}

func ExampleVariants() {
	var list []shape
	check(json.Unmarshal([]byte(`[{"radius":2,"type":"circle"},"unit square"]`), &list))
	for _, s := range list {
		switch v := s.V.(type) {
		case *circle:
			fmt.Println("a circle of radius", v.Radius)
		case shapeName:
			fmt.Println("the", v)
		}
	}
	b, err := json.Marshal(shape{&square{Side: 3}}) // the type says what it is
	check(err)
	fmt.Printf("%s\n", b)
	fmt.Println(json.UnmarshalWith([]byte(`{"type":"hexagon"}`), new(shape)))
	// Output:
	// a circle of radius 2
	// the unit square
	// {"type":"square","side":3}
	// json: at offset 0: must be a variant of shape: "type" is "hexagon", not one of circle, square
}

func ExampleWrapped() {
	codecs := weft.Codecs(weft.Union[event](weft.Wrapped("type", "value"), events...))
	b, err := json.MarshalWith([]event{moved{1, 2}, quit{}}, codecs)
	check(err)
	fmt.Printf("%s\n", b)
	// Output: [{"type":"moved","value":{"X":1,"Y":2}},{"type":"quit","value":{}}]
}

func ExampleFlat() {
	// A struct of pointers is a union when the tag of a blank field says so.
	type message struct {
		_       struct{} `weft:",union:kind"`
		Created *created `json:"created"`
		Moved   *moved   `json:"moved"`
	}
	b, err := json.Marshal([]message{{Moved: &moved{1, 2}}, {Created: &created{"a1"}}})
	check(err)
	fmt.Printf("%s\n", b)
	// Output: [{"kind":"moved","X":1,"Y":2},{"kind":"created","id":"a1"}]
}

func ExampleVariant() {
	numbers := weft.Codecs(weft.Union[fmt.Stringer](weft.Wrapped("is", "of"),
		weft.Variant[time.Duration]("duration"), weft.Variant[*netip.Addr]("addr")))
	var v fmt.Stringer
	check(json.UnmarshalWith([]byte(`{"of":"::1","is":"addr"}`), &v, numbers))
	fmt.Printf("%T %v\n", v, v)
	// Output: *netip.Addr ::1
}

type cell struct{ Row, Column int }

func ExampleKeyCodec() {
	codecs := weft.Codecs(weft.KeyCodec(
		func(c cell) string { return fmt.Sprintf("R%dC%d", c.Row, c.Column) },
		func(s string) (c cell, err error) {
			_, err = fmt.Sscanf(s, "R%dC%d", &c.Row, &c.Column)
			return c, err
		}))
	b, err := json.MarshalWith(map[cell]cell{{1, 2}: {3, 4}}, codecs)
	check(err)
	fmt.Printf("%s\n", b)
	// Output: {"R1C2":{"Row":3,"Column":4}}
}

func ExampleCodec_AsKey() {
	// Numbers where they are values, names where they are keys.
	numbers := weft.Adapt(func(d time.Weekday) int { return int(d) },
		func(i int) (time.Weekday, error) { return time.Weekday(i), nil })
	days := numbers.AsKey(weft.KeyCodec(time.Weekday.String, func(s string) (d time.Weekday, err error) {
		for d = time.Sunday; d.String() != s && err == nil; d++ {
			if d > time.Saturday {
				err = fmt.Errorf("no day: %s", s)
			}
		}
		return d, err
	}))
	b, err := json.MarshalWith(map[time.Weekday]time.Weekday{time.Sunday: time.Monday}, weft.Codecs(days))
	check(err)
	fmt.Printf("%s\n", b)
	// Output: {"Sunday":1}
}

func ExampleTuple2() {
	var pair weft.Tuple2[string, []int]
	check(json.Unmarshal([]byte(`["primes",[2,3,5]]`), &pair))
	fmt.Println(pair.V1, pair.V2)

	type point struct {
		_    struct{} `weft:",tuple"`
		X, Y float64
	}
	b, err := json.Marshal([]point{{X: 1, Y: 2}})
	check(err)
	fmt.Printf("%s\n", b)
	// Output:
	// primes [2 3 5]
	// [[1,2]]
}

func ExampleTuple3() {
	b, err := json.Marshal(weft.Tuple3[string, int, bool]{V1: "a", V2: 1, V3: true})
	check(err)
	fmt.Printf("%s\n", b)
	// Output: ["a",1,true]
}

func ExampleTuple4() {
	b, err := json.Marshal(weft.Tuple4[string, int, bool, float64]{V1: "a", V2: 1, V3: true, V4: 2.5})
	check(err)
	fmt.Printf("%s\n", b)
	// Output: ["a",1,true,2.5]
}

func ExampleTuple5() {
	b, err := json.Marshal(weft.Tuple5[string, int, bool, float64, []int]{V1: "a", V2: 1, V3: true, V4: 2.5, V5: []int{3}})
	check(err)
	fmt.Printf("%s\n", b)
	// Output: ["a",1,true,2.5,[3]]
}

func ExampleRecord() {
	b, err := json.Marshal(weft.Record{weft.Label("name", "Ada"), weft.Label("age", 36)})
	check(err)
	fmt.Printf("%s\n", b)

	var name string
	var age int
	check(json.Unmarshal(b, &weft.Record{weft.Label("name", &name), weft.Label("age", &age)}))
	fmt.Println(name, age)
	// Output:
	// {"name":"Ada","age":36}
	// Ada 36
}

func ExampleLabel() {
	row := weft.Record{weft.Label("id", 7)}
	for _, tag := range []string{"x", "y"} {
		row = append(row, weft.Label(tag, true))
	}
	b, err := json.Marshal(row)
	check(err)
	fmt.Printf("%s\n", b)
	// Output: {"id":7,"x":true,"y":true}
}

func ExampleOmitNull() {
	type account struct {
		Name  string          `json:"name"`
		Email *string         `json:"email"`
		Age   opt.Null[int]   `json:"age"`
		Roles []string        `json:"roles"`
		Notes opt.Val[string] `json:"notes"`
	}
	b, err := json.MarshalWith(account{Name: "Ada"})
	check(err)
	fmt.Printf("%s\n", b)
	b, err = json.MarshalWith(account{Name: "Ada"}, weft.OmitNull(true))
	check(err)
	fmt.Printf("%s\n", b)
	// Output:
	// {"name":"Ada","email":null,"age":null,"roles":null}
	// {"name":"Ada"}
}

func ExampleOmitEmpty() {
	type account struct {
		Name  string         `json:"name"`
		Roles []string       `json:"roles"`
		Marks map[string]int `json:"marks"`
	}
	b, err := json.MarshalWith(account{"Ada", []string{}, map[string]int{}}, weft.OmitEmpty(true))
	check(err)
	fmt.Printf("%s\n", b)
	// Output: {"name":"Ada"}
}

func ExampleWriteEmpty() {
	type account struct {
		Name  string   `json:"name,omitempty"`
		Roles []string `json:"roles,omitempty"`
	}
	b, err := json.MarshalWith(account{Roles: []string{}}, weft.WriteEmpty(true))
	check(err)
	fmt.Printf("%s\n", b)
	// Output: {"name":"","roles":[]}
}
