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
	"github.com/weftcodec/weft/internal/setting"
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

// TestCoderOptions: options of MarshalEncode and UnmarshalDecode hold for their value, and those that cannot change where
// it stands are an error that leaves the coder as it is.
func TestCoderOptions(t *testing.T) {
	twice := jsontext.Value(`{"a":1,"a":2}`)
	const names, utf8, space = "duplicate name checks", "UTF-8 checks", "whitespace"
	for _, row := range []struct {
		name string
		text string // before the value
		of   Options
		v    any
		opt  Options
		want string // of the value, or in the error
	}{
		{"names of a value", `{"n":`, weft.Join(), twice, jsontext.AllowDuplicateNames(true), string(twice)},
		{"names of an element", `[1,`, weft.Join(), twice, jsontext.AllowDuplicateNames(true), string(twice)},
		{"names, refused", `[1,`, jsontext.AllowDuplicateNames(true), twice, jsontext.AllowDuplicateNames(false), "duplicate"},
		{"UTF-8 of a value", `{"n":`, weft.Join(), "\xff", jsontext.AllowInvalidUTF8(true), "\"\ufffd\""},
		{"UTF-8, refused", ``, jsontext.AllowInvalidUTF8(true), "\xff", jsontext.AllowInvalidUTF8(false), "invalid UTF-8"},
		{"HTML", `[`, weft.Join(), "<", EscapeForHTML(true), `"\u003c"`},
		{"HTML off", `[`, EscapeForHTML(true), "<", EscapeForHTML(false), `"<"`},
		{"names of a name", `{`, weft.Join(), "n", jsontext.AllowDuplicateNames(true), names},
		{"names of a name, the same", `{`, weft.Join(), "n", jsontext.AllowDuplicateNames(false), `"n"`},
		{"UTF-8 of a name", `{"n":1,`, weft.Join(), "m", jsontext.AllowInvalidUTF8(true), utf8},
		{"lines", `[`, jsontext.WithIndent(" "), 1, jsontext.Multiline(false), space},
		{"indentation", ``, jsontext.WithIndent(" "), 1, jsontext.WithIndent("  "), space},
		{"the same indentation", ``, jsontext.WithIndent(" "), 1, jsontext.WithIndent(" "), "1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var b bytes.Buffer
			e := jsontext.NewEncoder(&b, row.of)
			d := jsontext.NewDecoder(strings.NewReader(row.text))
			for d.PeekKind() != jsontext.KindInvalid {
				tok, err := d.ReadToken()
				if err != nil {
					t.Fatal(err)
				}
				if err := e.WriteToken(tok); err != nil {
					t.Fatal(err)
				}
			}
			before := e.OutputOffset()
			err := MarshalEncode(e, row.v, V2(), row.of, row.opt)
			if err != nil {
				if !strings.Contains(err.Error(), row.want) || e.OutputOffset() != before {
					t.Errorf("%v at %d, want %s at %d", err, e.OutputOffset(), row.want, before)
				}
				if sem := new(SemanticError); (row.want == names || row.want == space) && !errors.As(err, &sem) {
					t.Errorf("%v is no SemanticError", err)
				}
			}
			if e.StackDepth() > 0 && e.WriteToken(jsontext.String("end")) != nil {
				t.Error("the encoder does not go on")
			}
			for e.StackDepth() > 0 {
				if e.WriteToken(jsontext.EndArray) != nil && e.WriteToken(jsontext.EndObject) != nil {
					e.WriteToken(jsontext.Null)
				}
			}
			if err == nil && !strings.Contains(b.String(), row.want) {
				t.Errorf("%s, want %s", &b, row.want)
			}

			if row.want == space || strings.HasPrefix(row.name, "HTML") {
				return
			}
			text, quoted := row.text, twice
			if s, ok := row.v.(string); ok {
				quoted = jsontext.Value(`"` + s + `"`)
			} else if _, ok := row.v.(int); ok {
				quoted = jsontext.Value("1")
			}
			d = jsontext.NewDecoder(strings.NewReader(text+string(quoted)), row.of)
			for d.InputOffset() < int64(len(strings.TrimRight(text, ",:"))) {
				if _, err := d.ReadToken(); err != nil {
					t.Fatal(err)
				}
			}
			at := d.InputOffset()
			err = UnmarshalDecode(d, new(any), V2(), row.of, row.opt)
			if fails := strings.Contains(row.name, "refused") || row.want == names || row.want == utf8; fails != (err != nil) {
				t.Errorf("%v, want %s", err, row.want)
			} else if fails && (!strings.Contains(err.Error(), row.want) || d.InputOffset() != at) {
				t.Errorf("%v at %d, want %s at %d", err, d.InputOffset(), row.want, at)
			}
		})
	}
}

// textInt writes and reads itself as an int, or in an array.
type textInt struct {
	N    int
	List bool
}

func (v textInt) MarshalJSONTo(e *jsontext.Encoder) error {
	if !v.List {
		return MarshalEncode(e, v.N)
	}
	return errors.Join(e.WriteToken(jsontext.BeginArray), MarshalEncode(e, v.N), e.WriteToken(jsontext.EndArray))
}

func (v *textInt) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if v.List = d.PeekKind() == jsontext.KindBeginArray; !v.List {
		return UnmarshalDecode(d, &v.N)
	}
	token := func() error { _, err := d.ReadToken(); return err }
	return errors.Join(token(), UnmarshalDecode(d, &v.N), token())
}

// TestTextMethodsString has the tag option string pass on to what a method writes and reads, but not into an array.
func TestTextMethodsString(t *testing.T) {
	type model struct {
		L []string
		V textInt  `json:",string"`
		P *textInt `json:",string"`
	}
	want := `{"L":["a"],"V":"1","P":[2]}`
	v := model{[]string{"a"}, textInt{N: 1}, &textInt{2, true}}
	if got, err := MarshalWith(v, V2()); string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	var got model
	if err := UnmarshalWith([]byte(want), &got, V2()); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("got %+v, %v, want %+v", got, err, v)
	}
	if err := UnmarshalWith([]byte(`{"V":1}`), &got, V2()); err == nil {
		t.Error("a number is read where the tag says string")
	}
	var told []bool
	tell := WithMarshalers(MarshalToFunc(func(e *jsontext.Encoder, v textInt) error {
		on, ok := jsontext.GetOption(e.Options(), StringifyNumbers)
		err := e.WriteToken(jsontext.BeginArray)
		within, _ := jsontext.GetOption(e.Options(), StringifyNumbers)
		told = append(told, on, ok, within)
		return errors.Join(err, e.WriteToken(jsontext.EndArray))
	}))
	if _, err := MarshalWith(model{}, V2(), tell); err != nil || !reflect.DeepEqual(told, []bool{true, true, false}) {
		t.Error(told, err)
	}
}

// textDeclines counts the calls of its methods, which pass.
type textDeclines struct{ N int }

var textDeclined int

func (*textDeclines) MarshalJSONTo(*jsontext.Encoder) error {
	textDeclined++
	return errors.ErrUnsupported
}

func (*textDeclines) UnmarshalJSONFrom(*jsontext.Decoder) error {
	textDeclined++
	return errors.ErrUnsupported
}

// A method that declines is called once for each value.
func TestDeclineOnce(t *testing.T) {
	for _, opts := range [][]Options{nil, {V2()}} {
		textDeclined = 0
		var b bytes.Buffer
		v := &textDeclines{1}
		err := MarshalEncode(jsontext.NewEncoder(&b, opts...), v)
		if err != nil || textDeclined != 1 || b.String() != `{"N":1}`+"\n" {
			t.Errorf("%d calls, %q, %v", textDeclined, &b, err)
		}
		textDeclined = 0
		if b, err := MarshalWith([]MarshalerTo{v}, opts...); err != nil || textDeclined != 1 || string(b) != `[{"N":1}]` {
			t.Errorf("%d calls in an interface, %s, %v", textDeclined, b, err)
		}
		err = UnmarshalDecode(jsontext.NewDecoder(strings.NewReader(`{"N":2}`), opts...), v)
		if err != nil || textDeclined != 2 || v.N != 2 {
			t.Errorf("%d calls, %v, %v", textDeclined, v, err)
		}
	}
}

// textTold tells the options that its methods are called with.
type textTold struct{}

var toldText []string

func tell(o Options) {
	quoted, _ := jsontext.GetOption(o, StringifyNumbers)
	twice, _ := jsontext.GetOption(o, jsontext.AllowDuplicateNames)
	format, _ := lastOf([]Options{o}, setting.TagKey{}).(setting.Tag)
	toldText = append(toldText, fmt.Sprint(quoted, twice, format.Format))
}

func (textTold) MarshalJSONTo(e *jsontext.Encoder) error {
	tell(e.Options())
	return e.WriteToken(jsontext.Null)
}

func (*textTold) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	tell(d.Options())
	return d.SkipValue()
}

// A coder serves all methods of a call, and tells each of them what its own field says.
func TestTextMethodOptions(t *testing.T) {
	type model struct {
		A []textTold
		B textTold `json:",string"`
		C textTold
		D textTold `json:",string,format:RFC3339"`
		E textTold `json:",format:RFC3339"`
		F map[string]textTold
	}
	for range 2 { // the second time with coders that have served
		for _, twice := range []bool{false, true} {
			var want []string
			for _, tag := range []struct {
				quoted bool
				format string
			}{{}, {}, {true, ""}, {}, {true, "RFC3339"}, {false, "RFC3339"}, {}} {
				want = append(want, fmt.Sprint(tag.quoted, twice, tag.format))
			}
			opts := []Options{V2(), ExtendedTags(true), jsontext.AllowDuplicateNames(twice)}
			toldText = nil
			text, err := MarshalWith(model{A: make([]textTold, 2), F: map[string]textTold{"k": {}}}, opts...)
			if err != nil || !reflect.DeepEqual(toldText, want) {
				t.Errorf("marshal told %q, %v, want %q", toldText, err, want)
			}
			toldText = nil
			if err := UnmarshalWith(text, new(model), opts...); err != nil || !reflect.DeepEqual(toldText, want) {
				t.Errorf("unmarshal told %q, %v, want %q", toldText, err, want)
			}
		}
	}
}

// textSkipped counts the values that it skips.
type textSkipped struct{}

var skippedTexts int

func (*textSkipped) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	skippedTexts++
	return d.SkipValue()
}

// As in encoding/json/v2, a method is called before a name is found twice, and a function without a decoder is not for
// a value that has one.
func TestTextDuplicates(t *testing.T) {
	const text = `[0,{"x":1,"x":2}]`
	skippedTexts = 0
	err := UnmarshalWith([]byte(text), new([]textSkipped), V2())
	if skippedTexts != 2 || !errors.Is(err, weft.ErrDuplicateName) {
		t.Errorf("%d calls, %v", skippedTexts, err)
	}
	type raw struct{}
	var got []string
	f := UnmarshalFunc(func(b []byte, _ *raw) error { got = append(got, string(b)); return nil })
	err = UnmarshalWith([]byte(text), new([]raw), V2(), WithUnmarshalers(f))
	if !reflect.DeepEqual(got, []string{"0"}) || !errors.Is(err, weft.ErrDuplicateName) {
		t.Errorf("calls for %q, %v", got, err)
	}
}

// textTwice writes a second value, which the object around it takes for a name.
type textTwice struct{ told *error }

func (v textTwice) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteValue(jsontext.Value("1")); err != nil {
		return err
	}
	*v.told = e.WriteValue(jsontext.Value("2"))
	return *v.told
}

// TestTextBeyondValue: a number beyond the value of a method is no name.
func TestTextBeyondValue(t *testing.T) {
	var told error
	_, err := MarshalWith(struct{ A textTwice }{textTwice{&told}}, V2())
	if !errors.Is(told, jsontext.ErrNonStringName) || !errors.Is(err, jsontext.ErrNonStringName) {
		t.Errorf("told %v, failed with %v", told, err)
	}
}
