package json

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json/jsontext"
)

// textPair writes and reads itself as [x,y] by tokens.
type textPair struct{ X, Y int64 }

func (p textPair) MarshalJSONTo(e *jsontext.Encoder) error {
	for _, t := range []jsontext.Token{jsontext.BeginArray, jsontext.Int(p.X), jsontext.Int(p.Y), jsontext.EndArray} {
		if err := e.WriteToken(t); err != nil {
			return err
		}
	}
	return nil
}

func (p *textPair) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for _, v := range []*int64{&p.X, &p.Y} {
		t, err := d.ReadToken()
		if err != nil {
			return err
		}
		if *v, err = t.Int(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// textLiar breaks the promise of both hooks.
type textLiar struct{ tokens []jsontext.Token }

func (l *textLiar) MarshalJSONTo(e *jsontext.Encoder) error {
	for _, t := range l.tokens {
		if err := e.WriteToken(t); err != nil {
			return err
		}
	}
	return nil
}

func (l *textLiar) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	for range l.tokens {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
	}
	return nil
}

func TestMarshalEncode(t *testing.T) {
	type pet struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
	}
	var b bytes.Buffer
	e := jsontext.NewEncoder(&b, jsontext.SpaceAfterColon(true))
	steps := []func() error{
		func() error { return e.WriteToken(jsontext.BeginObject) },
		func() error { return e.WriteToken(jsontext.String("pet")) },
		func() error { return MarshalEncode(e, pet{"<rex>", nil}) },
		func() error { return MarshalEncode(e, "pair") },
		func() error { return MarshalEncode(e, textPair{1, 2}) },
		func() error { return MarshalEncode(e, "null") },
		func() error { return MarshalEncode(e, (*textPair)(nil)) },
		func() error { return MarshalEncode(e, "opts") },
		func() error { return MarshalEncode(e, []string(nil), FormatNilSliceAsNull(false)) },
		func() error { return e.WriteToken(jsontext.EndObject) },
	}
	for i, step := range steps {
		if err := step(); err != nil {
			t.Fatal(i, err)
		}
	}
	want := `{"pet": {"name": "<rex>","tags": null},"pair": [1,2],"null": null,"opts": []}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}

	e.Reset(&b)
	for _, tokens := range [][]jsontext.Token{nil, {jsontext.Null, jsontext.Null}, {jsontext.BeginArray}} {
		e.Reset(io.Discard)
		if err := MarshalEncode(e, &textLiar{tokens}); !errors.Is(err, errNotOne) {
			t.Errorf("%d tokens: %v", len(tokens), err)
		}
	}
	e.Reset(io.Discard)
	if err := MarshalEncode(e, make(chan int)); err == nil || err.Error() != "json: unsupported type: chan int" {
		t.Error(err)
	}
	if b, err := MarshalAppend([]byte("x"), textPair{3, 4}); err != nil || string(b) != "x[3,4]" {
		t.Errorf("%s %v", b, err)
	}
}

func TestUnmarshalDecode(t *testing.T) {
	d := jsontext.NewDecoder(strings.NewReader(`{"pet":{"name":"rex"},"pair":[1,2],"bad":{"n":[1,"x"]}} 7`))
	read := func(v any, opts ...Options) error { return UnmarshalDecode(d, v, opts...) }
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		t.Fatal(tok, err)
	}
	var (
		name string
		pet  struct{ Name string }
		pair textPair
		bad  struct{ N []int }
		n    int
	)
	if err := errors.Join(read(&name), read(&pet), read(&name), read(&pair), read(&name)); err != nil {
		t.Fatal(err)
	}
	if pet.Name != "rex" || pair != (textPair{1, 2}) || name != "bad" {
		t.Error(pet, pair, name)
	}
	err := read(&bad)
	var we *weft.Error
	if !errors.As(err, &we) || we.Path != "/bad/n/1" || we.Offset != 49 {
		t.Errorf("%v %+v", err, we)
	}
	if te := new(UnmarshalTypeError); !errors.As(err, &te) || te.Type != reflect.TypeFor[int]() {
		t.Error(err)
	}
	if err := read(n); err == nil {
		t.Error("no error for a value that is not a pointer")
	}
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '}' {
		t.Fatal(tok, err)
	}
	if err := read(&n); err != nil || n != 7 {
		t.Error(n, err)
	}
	if err := read(&n); err != io.EOF {
		t.Error(err)
	}

	for _, tokens := range [][]jsontext.Token{nil, {jsontext.Null, jsontext.Null}, {jsontext.BeginArray}} {
		d := jsontext.NewDecoder(strings.NewReader(`[[1],2]`))
		if tokens == nil {
			d = jsontext.NewDecoder(strings.NewReader(`1`))
		}
		if err := UnmarshalDecode(d, &textLiar{tokens}); !errors.Is(err, errNotOne) {
			t.Errorf("%d tokens: %v", len(tokens), err)
		}
	}
	d.Reset(strings.NewReader(`{"A":1,"a":2,"A":3}`))
	var dup map[string]int
	if err := read(&dup); !errors.Is(err, jsontext.ErrDuplicateName) {
		t.Error(err)
	}
	d.Reset(strings.NewReader(`{"A":1,"B":2}`), weft.RejectUnknown(true))
	var a struct{ A int }
	if err := read(&a); err == nil || !strings.Contains(err.Error(), "at /B, offset 7: unknown member") {
		t.Error(err)
	}
	d.Reset(strings.NewReader(`{"A":1,"B":2}`), weft.RejectUnknown(true))
	if err := read(&a, weft.RejectUnknown(false)); err != nil || a.A != 1 {
		t.Error(err)
	}
	if err := Unmarshal([]byte(`[5,6]`), &pair); err != nil || pair != (textPair{5, 6}) {
		t.Error(pair, err)
	}
}

func ExampleMarshalEncode() {
	var b strings.Builder
	e := jsontext.NewEncoder(&b)
	e.WriteToken(jsontext.BeginArray)
	for _, v := range []any{1, "two", []int{3}} {
		if err := MarshalEncode(e, v); err != nil {
			fmt.Println(err)
		}
	}
	e.WriteToken(jsontext.EndArray)
	fmt.Print(b.String())
	// Output: [1,"two",[3]]
}

func ExampleUnmarshalDecode() {
	d := jsontext.NewDecoder(strings.NewReader("{\"id\":1}\n{\"id\":2}\n"))
	for {
		var v struct{ ID int }
		err := UnmarshalDecode(d, &v)
		if err == io.EOF {
			break
		}
		fmt.Println(v.ID, err)
	}
	// Output:
	// 1 <nil>
	// 2 <nil>
}
