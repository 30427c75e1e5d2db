package weft_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

func ExampleStructAsArray() {
	type point struct{ X, Y int }
	b, err := msgpack.Marshal([]point{{1, 2}}, weft.StructAsArray(true))
	fmt.Printf("%x %v\n", b, err)
	// Output: 91920102 <nil>
}

func ExampleDeterministic() {
	b, err := msgpack.Marshal(map[string]int{"b": 2, "a": 1}, weft.Deterministic(true))
	fmt.Printf("%q %v\n", b, err)
	// Output: "\x82\xa1a\x01\xa1b\x02" <nil>
}

func ExampleFoldNames() {
	var v struct{ Name string }
	err := msgpack.Unmarshal([]byte("\x81\xa4name\xa3Rex"), &v, weft.FoldNames(true))
	fmt.Println(v.Name, err)
	err = json.UnmarshalWith([]byte(`{"NAME":"Tom"}`), &v, weft.FoldNames(false))
	fmt.Println(v.Name, err)
	// Output:
	// Rex <nil>
	// Rex <nil>
}

func ExampleAliasInput() {
	b := []byte("\xa3Rex")
	var name string
	err := msgpack.Unmarshal(b, &name, weft.AliasInput(true)) // b must not change while name is used
	fmt.Println(name, err)
	// Output: Rex <nil>
}

func ExampleRejectUnknown() {
	var v struct{ Name string }
	err := json.UnmarshalWith([]byte(`{"name":"Rex","nmae":"Tom"}`), &v, weft.RejectUnknown(true))
	fmt.Println(errors.Is(err, weft.ErrUnknownMember), err)
	// Output: true json: at /nmae, offset 14: unknown member
}

func ExampleRejectDuplicates() {
	var v map[string]int
	err := msgpack.Unmarshal([]byte("\x82\xa1a\x01\xa1a\x02"), &v, weft.RejectDuplicates(true))
	fmt.Println(errors.Is(err, weft.ErrDuplicateName), err)
	// Output: true msgpack: at /a, offset 6: duplicate member name
}

func ExampleMaxDepth() {
	var v any
	err := json.UnmarshalWith([]byte(strings.Repeat("[", 1_000_000)), &v, weft.MaxDepth(3))
	fmt.Println(errors.Is(err, weft.ErrDepth), err)
	// Output: true json: at /0/0/0, offset 3: nesting too deep
}

func ExampleUnchecked() {
	type order struct {
		Count int `json:"count" check:"minimum=1"`
	}
	var o order
	fmt.Println(json.Unmarshal([]byte(`{"count":0}`), &o))
	fmt.Println(json.UnmarshalWith([]byte(`{"count":0}`), &o, weft.Unchecked(true)))
	// Output:
	// json: at /count, offset 9: must be at least 1, not 0
	// <nil>
}

func ExampleAllViolations() {
	var o struct {
		Item  string `json:"item" check:"required,minLength=1"`
		Count int    `json:"count" check:"minimum=1"`
	}
	err := json.UnmarshalWith([]byte(`{"item":"","count":0}`), &o, weft.AllViolations(true))
	var all *weft.ValidationError
	if errors.As(err, &all) {
		for _, v := range all.Violations {
			fmt.Println(v.Path, v.Err)
		}
	}
	// Output:
	// /item must have at least 1 character, not 0
	// /count must be at least 1, not 0
}

// Requests must have the password, and responses the id.
type signIn struct {
	ID       string `json:"id" check:"required,readOnly"`
	Password string `json:"password" check:"required,writeOnly"`
}

func ExampleAsRequest() {
	var s signIn
	fmt.Println(json.UnmarshalWith([]byte(`{"password":"secret"}`), &s, weft.AsRequest(true)))
	fmt.Println(json.UnmarshalWith([]byte(`{"id":"a1"}`), &s, weft.AsRequest(true)))
	// Output:
	// <nil>
	// json: at offset 0: missing required member "password"
}

func ExampleAsResponse() {
	var s signIn
	fmt.Println(json.UnmarshalWith([]byte(`{"id":"a1"}`), &s, weft.AsResponse(true)))
	fmt.Println(json.UnmarshalWith([]byte(`{}`), &s, weft.AsResponse(true)))
	// Output:
	// <nil>
	// json: at offset 0: missing required member "id"
}

// retriesKey is the key of an option that only one package knows.
type retriesKey struct{}

// retries is that option: it goes with those of the formats.
func retries(n int) weft.Options { return weft.With(retriesKey{}, n) }

func ExampleWith() {
	options := weft.Join(weft.Deterministic(true), retries(3))
	n, ok := options.Value(retriesKey{})
	fmt.Println(n, ok)
	// Output: 3 true
}

type interval struct{ From, To int }

var intervalFields = weft.NewFields("from", "to") // once for a type

func (i interval) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(intervalFields)
	o.Int(0, i.From)
	o.Int(1, i.To)
	return o.End()
}

func ExampleNewFields() {
	b, err := json.Marshal(interval{1, 5})
	fmt.Printf("%s %v\n", b, err)
	// Output: {"from":1,"to":5} <nil>
}

type period struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// WeftRules has a rule that relates two members.
func (period) WeftRules() weft.Rules {
	return weft.Rules{Func: weft.CheckFunc(func(p *period) error {
		if p.To < p.From {
			return fmt.Errorf("must not end at %d, before it begins at %d", p.To, p.From)
		}
		return nil
	})}
}

func ExampleCheckFunc() {
	var p period
	fmt.Println(json.Unmarshal([]byte(`{"from":5,"to":3}`), &p))
	// Output: json: at offset 0: must not end at 3, before it begins at 5
}
