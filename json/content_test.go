package json_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

var noteFields = weft.NewFields("n", "s")

// note is what a string holds the text of.
type note struct {
	N int64
	S string
}

func (v *note) ReadJSON(r *json.Reader) error {
	for i := r.BeginObject(noteFields); i != weft.End; i = r.Member(noteFields, i+1) {
		switch i {
		case 0:
			v.N = r.Int64()
			r.Check(weft.CheckMin(v.N, 1))
		case 1:
			v.S = r.String()
		default:
			r.Unknown(true)
		}
	}
	return r.Err()
}

func (v *note) AppendJSON(b []byte, f json.Flags) ([]byte, error) {
	if v.N < 0 {
		return b, errors.New("negative")
	}
	b = json.AppendInt(append(b, `{"n":`...), v.N)
	return append(json.AppendString(append(b, `,"s":`...), v.S, f), '}'), nil
}

// letter has a note as a text, and one as bytes.
type letter struct{ text, bytes note }

func (v *letter) read(r weft.Reader) error {
	if r.BeginArray() {
		json.ReadContent(r, &v.text, (*note).ReadJSON)
	}
	if r.More() {
		json.ReadByteContent(r, &v.bytes, (*note).ReadJSON)
	}
	for r.More() {
		r.Skip()
	}
	return r.Err()
}

func (v *letter) ReadJSON(r *json.Reader) error       { return v.read(r) }
func (v *letter) ReadMsgpack(r *msgpack.Reader) error { return v.read(r) }
func (v *letter) ReadTagged(r *tagged.Reader) error   { return v.read(r) }

func (v *letter) AppendJSON(b []byte, f json.Flags) ([]byte, error) {
	b, err := json.AppendContent(append(b, '['), &v.text, f, (*note).AppendJSON)
	if err == nil {
		b, err = json.AppendContentBy(append(b, ','), &v.bytes, f, (*note).AppendJSON, json.AppendBytes)
	}
	return append(b, ']'), err
}

// formats read a letter of two texts.
var letterFormats = map[string]func(v *letter, text, bytes string, opts ...weft.Options) error{
	"json": func(v *letter, text, bytes string, opts ...weft.Options) error {
		b, err := json.Marshal([]any{text, []byte(bytes)})
		if err != nil {
			return err
		}
		return json.Read(b, v, opts...)
	},
	"msgpack": func(v *letter, text, bytes string, opts ...weft.Options) error {
		b, err := msgpack.Marshal([]any{text, []byte(bytes)})
		if err != nil {
			return err
		}
		return msgpack.Read(b, v, opts...)
	},
	"tagged": func(v *letter, text, bytes string, opts ...weft.Options) error {
		b, err := tagged.Marshal([]any{text, []byte(bytes)})
		if err != nil {
			return err
		}
		return tagged.Read(b, v, opts...)
	},
}

func TestContent(t *testing.T) {
	const good = `{"n":1,"s":"a"}`
	for format, read := range letterFormats {
		for _, tt := range []struct {
			text string
			opts weft.Options
			bad  string // path in the text, "-" for the text itself
		}{
			{text: good},
			{text: ` {"s":"é\n\"<" , "n" : 7 } `},
			{text: `{"n":0}`, bad: "/n"},
			{text: `{"n":0}`, opts: weft.Unchecked(true)},
			{text: `{"n":"x"}`, opts: weft.Unchecked(true), bad: "/n"},
			{text: `{"n":1,"m":2}`, bad: "/m"},
			{text: `{"n":1,"m":2}`, opts: weft.RejectUnknown(false)},
			{text: `{"n":1,"n":2}`},
			{text: `{"n":1,"n":2}`, opts: weft.RejectDuplicates(true), bad: "/n"},
			{text: ``, bad: "-"}, {text: `{`, bad: "-"}, {text: good + "x", bad: "-"}, {text: `[]`, bad: "-"}, {text: "null", bad: "-"},
		} {
			for i, texts := range [][2]string{{tt.text, good}, {good, tt.text}} {
				for _, alias := range []bool{false, true} {
					var v letter
					err := read(&v, texts[0], texts[1], tt.opts, weft.AliasInput(alias))
					var in *weft.ContentError
					var at *weft.Error
					switch {
					case tt.bad == "" && err != nil, tt.bad != "" && (!errors.As(err, &in) || !errors.As(err, &at)):
						t.Errorf("%s: %q: %v", format, texts, err)
					case tt.bad == "":
						var want [2]note
						for i := range texts {
							if err := json.Read([]byte(texts[i]), &want[i], tt.opts); err != nil {
								t.Fatal(err)
							}
						}
						if v.text != want[0] || v.bytes != want[1] {
							t.Errorf("%s: %q: %+v", format, texts, v)
						}
					case at.Path != fmt.Sprint("/", i) || tt.bad != "-" && in.Path != tt.bad:
						t.Errorf("%s: %q: at %s, in it at %s: %v", format, texts, at.Path, in.Path, err)
					}
				}
			}
		}
	}
}

// TestContentAppend: what is written is read back, and an error leaves no text.
func TestContentAppend(t *testing.T) {
	v := letter{note{1, "é\"<\\"}, note{2, ""}}
	for _, f := range []json.Flags{0, json.SortMapKeys, json.EscapeHTML} {
		b, err := v.AppendJSON(nil, f)
		var back letter
		if err != nil || json.Read(b, &back) != nil || !reflect.DeepEqual(back, v) {
			t.Errorf("%s, %v: %+v", b, err, back)
		}
	}
	v.bytes.N = -1
	if _, err := v.AppendJSON(nil, 0); err == nil {
		t.Error("an error is lost")
	}
}

// TestContentFlags: a reader tells the options that generated types obey.
func TestContentFlags(t *testing.T) {
	for flag := weft.Flag(1); flag < 1<<16; flag <<= 1 {
		want := flag & weft.FlagsOfTypes
		v := flagged(0)
		opts := flag.Options(true)
		if flag&(weft.FlagStructAsArray|weft.FlagDeterministic|weft.FlagsOfTypes|weft.FlagAliasInput) == 0 {
			continue
		}
		if err := json.Read([]byte("1"), &v, opts); err != nil || weft.Flag(v) != want {
			t.Errorf("json: %x of %x, %v", v, flag, err)
		}
		if err := msgpack.Read([]byte{1}, &v, opts); err != nil || weft.Flag(v) != want {
			t.Errorf("msgpack: %x of %x, %v", v, flag, err)
		}
	}
}

// flagged is the flags of its reader.
type flagged weft.Flag

func (v *flagged) read(r weft.FlagReader) error {
	*v = flagged(r.Flags())
	r.Skip()
	return r.Err()
}

func (v *flagged) ReadJSON(r *json.Reader) error       { return v.read(r) }
func (v *flagged) ReadMsgpack(r *msgpack.Reader) error { return v.read(r) }

func ExampleReadContent() {
	var v note
	err := json.Read([]byte(`"{\"n\":0,\"s\":\"a\"}"`), content{&v})
	fmt.Println(err)
	err = json.Read([]byte(`"{\"n\":7,\"s\":\"a\"}"`), content{&v})
	fmt.Println(v, err)
	// Output:
	// json: at offset 0: in its text, at /n, offset 5: must be at least 1, not 0
	// {7 a} <nil>
}

// content reads a note from the text of a string.
type content struct{ v *note }

func (c content) ReadJSON(r *json.Reader) error {
	json.ReadContent(r, c.v, (*note).ReadJSON)
	return r.Err()
}

func ExampleAppendContent() {
	b, err := json.AppendContent(nil, &note{7, "a"}, 0, (*note).AppendJSON)
	fmt.Println(string(b), err)
	b, err = json.AppendContentBy(nil, &note{7, "a"}, 0, (*note).AppendJSON, json.AppendBytes)
	fmt.Println(string(b), err)
	// Output:
	// "{\"n\":7,\"s\":\"a\"}" <nil>
	// "eyJuIjo3LCJzIjoiYSJ9" <nil>
}

// A value stands as its text in a string, and in bytes, in every format.
func TestText(t *testing.T) {
	type inner struct {
		N int64 `json:"n" check:"required,minimum=1"`
	}
	type outer struct {
		S json.Text[inner]            `json:"s"`
		B json.TextBytes[[]inner]     `json:"b"`
		L []json.Text[map[string]int] `json:"l"`
	}
	in := outer{S: json.Text[inner]{V: inner{7}}, B: json.TextBytes[[]inner]{V: []inner{{1}, {2}}}, L: []json.Text[map[string]int]{{V: map[string]int{"<": 1}}}}
	if b, err := json.MarshalWith(in, json.EscapeForHTML(false)); string(b) != `{"s":"{\"n\":7}","b":"W3sibiI6MX0seyJuIjoyfV0=","l":["{\"<\":1}"]}` || err != nil {
		t.Errorf("%s, %v", b, err)
	}
	for _, f := range []weft.Format{json.Format, msgpack.Format, tagged.Format} {
		b, err := f.MarshalAppend(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		var out outer
		if err := f.Unmarshal(b, &out); err != nil || !reflect.DeepEqual(in, out) {
			t.Errorf("%s: %+v, %v", f.Name(), out, err)
		}
		b, _ = f.MarshalAppend(nil, map[string]string{"s": `{"n":0}`})
		var content *weft.ContentError
		if err := f.Unmarshal(b, &out); !errors.As(err, &content) || content.Path != "/n" {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}
