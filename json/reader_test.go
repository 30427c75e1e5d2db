package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json"
)

var petFields = weft.NewFields("id", "name", "tags", "born", "next", "more")

// rPet reads itself from the reader.
type rPet struct {
	ID   int64          `json:"id"`
	Name string         `json:"name"`
	Tags []string       `json:"tags"`
	Born time.Time      `json:"born"`
	Next *rPet          `json:"next"`
	More map[string]any `json:"more"`
}

func (p *rPet) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	var seen uint64
	for i := r.BeginObject(petFields); i != backend.End; i = r.Member(petFields, i+1) {
		switch i {
		case 0:
			p.ID = r.Signed(64)
		case 1:
			p.Name = r.String()
		case 2:
			r.Value(&p.Tags)
		case 3:
			p.Born = r.Time()
		case 4:
			if !r.Null() {
				p.Next = new(rPet)
				r.Value(p.Next)
			}
		case 5:
			r.Value(&p.More)
		default:
			r.Skip()
			continue
		}
		seen |= 1 << i
	}
	if seen&1 == 0 {
		r.Missing(petFields, seen, 1)
	}
	return r.Err()
}

// wPet reads itself in any format.
type wPet struct {
	ID   int64
	Name string
	Next *wPet
	List []wPet
	Any  any
}

func (p *wPet) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(petFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			p.ID = d.Int64()
		case 1:
			p.Name = d.String()
		case 2:
			d.Value(&p.List)
		case 4:
			d.Value(&p.Next)
		case 5:
			p.Any = d.Any()
		}
	}
	return o.End()
}

// wRoot reads a wPet.
type wRoot struct{ wPet }

func (p *wRoot) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	r.Value(&p.wPet)
	return r.Err()
}

// readFunc is a type that reads itself by the function f, the same for all
// values while a test runs.
type readFunc struct{ f func(r backend.Reader) error }

func (f *readFunc) UnmarshalWeft(d *weft.Decoder) error { return f.f(d.Reader()) }

func reading(f func(r backend.Reader) error) *readFunc { return &readFunc{f} }

type readNothing struct{}

func (*readNothing) UnmarshalWeft(*weft.Decoder) error { return nil }

type readHalf struct{}

func (*readHalf) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	r.BeginArray()
	return r.Err()
}

type readTwice struct{}

func (*readTwice) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	r.Skip()
	r.More()
	return nil
}

type readWrong struct{}

func (*readWrong) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	r.More()
	return r.Err()
}

type weftNothing struct{}

func (*weftNothing) UnmarshalWeft(*weft.Decoder) error { return nil }

// TestMisreadValue: a method that does not read its value, and it alone, is an
// error, whatever stands around it.
func TestMisreadValue(t *testing.T) {
	for _, v := range []any{
		new(readNothing), new(struct{ A readNothing }), new([]readNothing), new([2]readNothing), new(map[string]readNothing), new(*readNothing),
		new(readHalf), new(struct{ A readHalf }), new([]readHalf), new(map[string]readHalf),
		new(readTwice), new(struct{ A readTwice }), new([]readTwice), new(map[string]readTwice),
		new(readWrong), new(struct{ A readWrong }), new([]readWrong),
		new(weftNothing), new(struct{ A weftNothing }), new([]weftNothing), new(map[string]weftNothing),
	} {
		for _, text := range []string{`[1,2]`, `{"A":[1,2],"B":3}`, `[[1,2],[3]]`, `{"A":[],"B":[]}`, `[1,{"A":2}]`} {
			data := []byte(text)
			switch reflect.TypeOf(v).Elem().Kind() {
			case reflect.Slice, reflect.Array:
				if text[0] != '[' {
					continue
				}
			case reflect.Map:
				if text[0] != '{' {
					continue
				}
			case reflect.Struct:
				if reflect.TypeOf(v).Elem().NumField() > 0 && text[0] != '{' {
					continue
				}
			}
			if strings.Contains(fmt.Sprintf("%T", v), "readHalf") && strings.Contains(text, "[]") {
				continue // it has been read
			}
			target := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			if err := json.Unmarshal(data, target); err == nil {
				t.Errorf("Unmarshal of %s into %T: no error", text, v)
			}
			if err := json.NewDecoder(bytes.NewReader(data)).Decode(target); err == nil {
				t.Errorf("Decode of %s into %T: no error", text, v)
			}
		}
	}
	for _, v := range []weft.Unmarshaler{new(readNothing), new(readHalf), new(readTwice), new(readWrong)} {
		for _, text := range []string{`[1,2]`, `[1`, `[`, `[[1,2]`, `1,2`, ``} {
			err := json.UnmarshalWith([]byte(text), v)
			var e *weft.Error
			if !errors.As(err, &e) {
				t.Errorf("Read of %s by %T: %v", text, v, err)
			}
		}
	}
}

// TestReaderKeepsFirstError: neither a nested value nor a look ahead makes a
// Reader forget what went wrong before.
func TestReaderKeepsFirstError(t *testing.T) {
	first := "number 300 does not fit int8"
	for name, more := range map[string]func(r backend.Reader){
		"Value of readNothing":   func(r backend.Reader) { r.Value(new(readNothing)) },
		"Value of UnmarshalWeft": func(r backend.Reader) { r.Value(new(weftNothing)) },
		"Value of a pet":         func(r backend.Reader) { r.Value(new(rPet)) },
		"PeekTag":                func(r backend.Reader) { r.Lookahead().PeekTag(r, petFields) },
		"PeekNames":              func(r backend.Reader) { plan.PeekNames(r, petFields) },
		"Any":                    func(r backend.Reader) { r.Any() },
		"Raw":                    func(r backend.Reader) { r.Raw() },
		"Name":                   func(r backend.Reader) { r.Name() },
		"everything": func(r backend.Reader) {
			r.BeginObject(petFields)
			r.Member(petFields, 0)
			r.BeginArray()
			r.More()
			r.BeginMap()
			r.NextKey()
			r.Null()
			r.Bool()
			r.Bytes()
			r.Time()
			r.Float32()
			r.Float64()
			r.Unsigned(8)
			r.Kind()
			r.Skip()
			r.Fail(errors.New("late"))
			r.Missing(petFields, 0, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := json.UnmarshalWith([]byte(`300`), reading(func(r backend.Reader) error {
				if r.Signed(8) != 0 {
					t.Error("a number that is too big")
				}
				more(r)
				return nil
			}))
			if err == nil || !strings.Contains(err.Error(), first) {
				t.Error(err)
			}
		})
	}
}

// union reads a value by its tag, looking ahead for it.
type union struct{ Tag string }

func (u *union) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	u.Tag, _ = r.Lookahead().PeekTag(r, weft.NewFields("name"))
	r.Skip()
	return r.Err()
}

// TestSavedErrorSurvivesUnion: a value that does not fit is an error also if
// a union behind it looks ahead.
func TestSavedErrorSurvivesUnion(t *testing.T) {
	type in struct {
		A int   `json:"a"`
		U union `json:"u"`
	}
	text := `{"in":{"a":"x","u":{"name":"n"}},"list":[{"a":1}]}`
	var v struct {
		In   in   `json:"in"`
		List []in `json:"list"`
	}
	err := json.Unmarshal([]byte(text), &v)
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) || e.Field != "in.a" || e.Struct != "in" {
		t.Fatalf("got %v", err)
	}
	if v.In.U.Tag != "n" || len(v.List) != 1 {
		t.Fatalf("got %+v", v)
	}
}

// tries reads a number as the second thing it tries.
type tries struct{ N int64 }

func (u *tries) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	m := r.Mark()
	if _ = r.String(); r.Err() == nil {
		return nil
	}
	r.Reset(m)
	u.N = r.Signed(64)
	return r.Err()
}

// TestTriesAreLinear: what is tried and forgotten costs no more than its value.
func TestTriesAreLinear(t *testing.T) {
	data := []byte("[" + strings.Repeat("1,", 100_000) + "1]")
	start := time.Now()
	var v []tries
	if err := json.Unmarshal(data, &v); err != nil || len(v) != 100_001 || v[7].N != 1 {
		t.Fatal(err, len(v))
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	bad := []byte(`{"a":[1,[2,true]]}`)
	var w struct {
		A []any `json:"-"`
		B []struct{ C tries }
		D map[string]tries `json:"a"`
	}
	err := json.Unmarshal([]byte(`{"a":{"x":1,"y":true}}`), &w)
	var e *weft.Error
	if !errors.As(err, &e) || e.Path != "/a/y" || e.Offset != 16 {
		t.Errorf("got %#v", err)
	}
	err = json.UnmarshalWith(bad, reading(func(r backend.Reader) error {
		r.BeginObject(weft.NewFields("a"))
		r.BeginArray()
		r.Signed(0)
		r.More()
		r.BeginArray()
		m := r.Mark()
		r.Bool()
		r.Reset(m)
		r.Signed(0)
		r.More()
		r.Signed(0)
		return fmt.Errorf("wrapped: %w", r.Err())
	}))
	if !errors.As(err, &e) || e.Path != "/a/1/1" || e.Offset != 11 {
		t.Errorf("got %#v", err)
	}
}

// TestReaderAnywhere calls methods where they do not belong: they return, and
// nothing is read beyond the text.
func TestReaderAnywhere(t *testing.T) {
	calls := []func(r backend.Reader){
		func(r backend.Reader) { r.BeginObject(petFields) },
		func(r backend.Reader) { r.Member(petFields, 0) },
		func(r backend.Reader) { r.Member(petFields, 1<<30) },
		func(r backend.Reader) { r.Member(petFields, -9) },
		func(r backend.Reader) { _ = r.Name() },
		func(r backend.Reader) { r.BeginArray() },
		func(r backend.Reader) { r.BeginMap() },
		func(r backend.Reader) { r.NextKey() },
		func(r backend.Reader) { r.Null() },
		func(r backend.Reader) { r.Signed(0) },
		func(r backend.Reader) { _ = r.String() },
		func(r backend.Reader) { r.Any() },
		func(r backend.Reader) { r.Raw() },
		func(r backend.Reader) { r.Value(new(any)) },
		func(r backend.Reader) { r.Value(new(rPet)) },
		func(r backend.Reader) { r.Value(new([]wPet)) },
		func(r backend.Reader) { r.Value(nil) },
		func(r backend.Reader) { r.Value(7) },
		func(r backend.Reader) { r.Skip() },
		func(r backend.Reader) { r.Reset(backend.Mark{}) },
		func(r backend.Reader) { r.Missing(petFields, 0, 1) },
		func(r backend.Reader) { r.Offset(); r.Kind() },
		func(r backend.Reader) { r.More() },
		func(r backend.Reader) { r.Reset(backend.Mark{Offset: 1 << 30}) },
		func(r backend.Reader) { r.Reset(backend.Mark{Offset: -1 << 30}) },
	}
	forged := len(calls) - 3 // and later ones: marks that the reader has not made, commas that are skipped
	texts := []string{
		``, ` `, `{`, `[{`, `{}`, `[]`, `1`, `"a"`, `{"id":1}`, `[1,[2,{"id":null,"name":"b"}]]`, `}`, `]`, `:`,
		strings.Repeat(`[`, 70),
	}
	_ = json.UnmarshalWith([]byte(strings.Repeat(" ", 1<<20)+`{"id":1}`), new(rPet)) // leaves its state in the pool
	for _, text := range texts {
		for i, first := range calls {
			for j, second := range calls {
				for k, third := range calls {
					err := json.UnmarshalWith([]byte(text), reading(func(r backend.Reader) error {
						first(r)
						second(r)
						third(r)
						return nil
					}))
					if err == nil && !stdjson.Valid([]byte(text)) && max(i, j, k) < forged {
						t.Fatalf("%q is read by calls %d, %d, %d", text, i, j, k)
					}
				}
			}
		}
	}
}

// TestReadLocates: errors of methods tell offset and path.
func TestReadLocates(t *testing.T) {
	for _, c := range []struct {
		text string
		off  int64
		path string
		is   error
	}{
		{`{"id":"x"}`, 6, "/id", nil},
		{`{"id":1,"next":{"id":2,"tags":["a",7]}}`, 35, "/next/tags/1", nil},
		{`{"id":1,"next":{"name":"b"}}`, 26, "/next", nil},
		{`{"id":1,"next":{"id":2,`, 23, "/next", nil},
		{`{"id":1,"more":{"a":{"b":[1,}}}`, 28, "/more/a/b", nil},
		{`{"id":1} x`, 9, "", nil},
		{`{"id":1,"born":"never"}`, 15, "/born", nil},
		{`{"id":1,"more":` + strings.Repeat("[", 10000), 15 + 9999, "", weft.ErrDepth},
		{``, 0, "", nil},
	} {
		t.Run(fmt.Sprintf("%.60s", c.text), func(t *testing.T) {
			err := json.UnmarshalWith([]byte(c.text), new(rPet))
			var e *weft.Error
			if !errors.As(err, &e) || e.Offset != c.off || e.Format != "json" || c.is == nil && e.Path != c.path ||
				c.is != nil && !errors.Is(err, c.is) {
				text := fmt.Sprint(err)
				t.Errorf("got %.200s, want offset %d at %s", text, c.off, c.path)
			}
		})
	}
}

// TestNestedReaders: a method that reads part of itself by its plan, in
// which there are values that read themselves, and so on.
func TestNestedReaders(t *testing.T) {
	text := []byte(`[{"id":1,"tags":[{"id":2,"tags":[{"id":3},{"id":4,"next":{"id":5}}]},{"id":6}],"name":"n"},` +
		`{"id":7,"next":{"id":8,"more":[1]}}]`)
	var v []wPet
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	want := []wPet{
		{ID: 1, Name: "n", List: []wPet{{ID: 2, List: []wPet{{ID: 3}, {ID: 4, Next: &wPet{ID: 5}}}}, {ID: 6}}},
		{ID: 7, Next: &wPet{ID: 8, Any: []any{1.0}}},
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got %+v", v)
	}
	for n := range text {
		var v []wPet
		if err := json.Unmarshal(text[:n], &v); err == nil || v != nil {
			t.Errorf("%s: %v, %v", text[:n], v, err)
		}
	}
}

// TestNameAfterValue: the name of a member is there after its value has been
// read by a type that reads members itself.
func TestNameAfterValue(t *testing.T) {
	err := json.UnmarshalWith([]byte(`{"x":{"id":1},"y":[{"id":2}]}`), reading(func(r backend.Reader) error {
		var names []string
		none := weft.NewFields()
		for i := r.BeginObject(none); i != backend.End; i = r.Member(none, 0) {
			if r.Kind() == weft.KindObject {
				r.Value(new(rPet))
			} else {
				r.Value(new([]wPet))
			}
			names = append(names, r.Name())
		}
		if fmt.Sprint(names) != "[x y]" {
			t.Errorf("names %v", names)
		}
		return r.Err()
	}))
	if err != nil {
		t.Error(err)
	}
}

// TestPanicInMethod: a panic of a user's method leaves nothing behind.
func TestPanicInMethod(t *testing.T) {
	for range 50 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			var v []struct {
				S []string
				P panics
			}
			_ = json.Unmarshal([]byte(`[{"S":["a","b"]},{"S":["c"],"P":1}]`), &v)
		}()
		var v []struct{ S []string }
		if err := json.Unmarshal([]byte(`[{"S":["a"]},{},{"S":null}]`), &v); err != nil || fmt.Sprint(v) != "[{[a]} {[]} {[]}]" || v[1].S != nil {
			t.Fatal(v, err)
		}
	}
	// The same where the program recovers and goes on with the reader.
	err := json.UnmarshalWith([]byte(`{"a":[{"S":["x"],"P":1}],"b":[{"S":["y"]}]}`), reading(func(r backend.Reader) error {
		f := weft.NewFields("a", "b")
		r.BeginObject(f)
		func() {
			defer func() { _ = recover() }()
			m := r.Mark()
			defer r.Reset(m)
			r.Value(new([]struct {
				S []string
				P panics
			}))
		}()
		r.Skip()
		r.Member(f, 1)
		var v []struct{ S []string }
		r.Value(&v)
		if fmt.Sprint(v) != "[{[y]}]" {
			t.Error(v)
		}
		r.Member(f, 2)
		return r.Err()
	}))
	if err != nil {
		t.Error(err)
	}
}

type panics struct{}

func (*panics) UnmarshalJSON([]byte) error { panic("on purpose") }

// readNumber reads an integer by read.
type readNumber struct {
	read func(r backend.Reader) any
	got  any
}

func (n *readNumber) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	n.got = n.read(r)
	return r.Err()
}

// TestReaderWholeNumbers: an integer may have a fraction of zeros and an exponent.
func TestReaderWholeNumbers(t *testing.T) {
	int64s := func(r backend.Reader) any { return r.Signed(64) }
	int8s := func(r backend.Reader) any { return r.Signed(8) }
	uint64s := func(r backend.Reader) any { return r.Unsigned(64) }
	uint8s := func(r backend.Reader) any { return r.Unsigned(8) }
	for _, c := range []struct {
		read       func(r backend.Reader) any
		text, want string // want is "" for an error
	}{
		{int64s, "1.0", "1"}, {int64s, "-1.000", "-1"}, {int64s, "1e2", "100"}, {int64s, "12.5e1", "125"}, {int64s, "100e-2", "1"},
		{int64s, "0.0", "0"}, {int64s, "-0.0", "0"}, {int64s, "0e999999999", "0"}, {int64s, "0.000000000000000000001e21", "1"},
		{int64s, "-9223372036854775808.0", "-9223372036854775808"}, {int64s, "-9223372036854775809.0", ""},
		{int64s, "9223372036854775807.0", "9223372036854775807"}, {int64s, "9223372036854775808.0", ""},
		{int64s, "1e19", ""}, {int64s, "1e999999999", ""}, {int64s, "1e-1", ""}, {int64s, "1.5", ""}, {int64s, "1e-999999999", ""},
		{int64s, "1.0000000000000000000000", "1"}, {int64s, "1.0000000000000000000001", ""},
		{int64s, "1.", ""}, {int64s, "01.0", ""}, {int64s, "1e", ""}, {int64s, "1.0.0", ""}, {int64s, `"1.0"`, ""},
		{int8s, "127.0", "127"}, {int8s, "128.0", ""}, {int8s, "-128.0", "-128"}, {int8s, "-129.0", ""}, {int8s, "300", ""},
		{uint64s, "18446744073709551615.0", "18446744073709551615"}, {uint64s, "18446744073709551616.0", ""}, {uint64s, "1e20", ""},
		{uint8s, "255.0", "255"}, {uint8s, "2.55e2", "255"}, {uint8s, "256.0", ""}, {uint8s, "-1.0", ""}, {uint8s, "-0.0", "0"},
	} {
		t.Run(c.text, func(t *testing.T) {
			n := readNumber{read: c.read}
			err := json.UnmarshalWith([]byte(c.text), &n)
			got := fmt.Sprint(n.got)
			if err != nil {
				got = ""
			}
			if got != c.want {
				t.Errorf("%s read as %T: %q, %v, want %q", c.text, n.got, got, err, c.want)
			}
		})
	}
}

// calls counts how often it is read.
type calls int

func (c *calls) UnmarshalWeft(d *weft.Decoder) error {
	*c++
	d.Skip()
	return d.Err()
}

// TestScratch: a text that is not JSON is not read into a target that is in use, unless nobody looks at it afterwards.
func TestScratch(t *testing.T) {
	for _, scratch := range []bool{false, true} {
		c := calls(7)
		err := json.UnmarshalWith([]byte(`[1,2`), &c, weft.Options{}.Decide(setting.Scratch, scratch))
		if want := calls(7 + map[bool]int{true: 1}[scratch]); err == nil || c != want {
			t.Errorf("%t: %d, %v, want %d", scratch, c, err, want)
		}
	}
}
