package json_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// note is what a string holds the text of.
type note struct {
	N int64  `json:"n" check:"minimum=1"`
	S string `json:"s"`
}

func (note) WeftRules() weft.Rules { return weft.Rules{Strict: true, Closed: true} }

// letter has a note as a text, and one as bytes.
type letter struct {
	Text  json.Text[note]      `json:"text"`
	Bytes json.TextBytes[note] `json:"bytes"`
}

func TestContent(t *testing.T) {
	const good = `{"n":1,"s":"a"}`
	for _, f := range []weft.Format{json.Format, msgpack.Format, tagged.Format} {
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
			t.Run(tt.text, func(t *testing.T) {
				for i, texts := range [][2]string{{tt.text, good}, {good, tt.text}} {
					for _, alias := range []bool{false, true} {
						var v letter
						b, err := f.MarshalAppend(nil, map[string]any{"text": texts[0], "bytes": []byte(texts[1])})
						if err != nil {
							t.Fatal(err)
						}
						err = f.Unmarshal(b, &v, tt.opts, weft.AliasInput(alias))
						var in *weft.ContentError
						var at *weft.Error
						switch {
						case tt.bad == "" && err != nil, tt.bad != "" && (!errors.As(err, &in) || !errors.As(err, &at)):
							t.Errorf("%s: %q: %v", f.Name(), texts, err)
						case tt.bad == "":
							var want [2]note
							for i := range texts {
								if err := json.UnmarshalWith([]byte(texts[i]), &want[i], tt.opts); err != nil {
									t.Fatal(err)
								}
							}
							if v.Text.V != want[0] || v.Bytes.V != want[1] {
								t.Errorf("%s: %q: %+v", f.Name(), texts, v)
							}
						case at.Path != []string{"/text", "/bytes"}[i] || tt.bad != "-" && in.Path != tt.bad:
							t.Errorf("%s: %q: at %s, in it at %s: %v", f.Name(), texts, at.Path, in.Path, err)
						}
					}
				}
			})
		}
	}
}

// TestContentErrors: what cannot be written is an error, and leaves no text.
func TestContentErrors(t *testing.T) {
	for _, f := range []weft.Format{json.Format, msgpack.Format, tagged.Format} {
		for _, v := range []any{json.Text[chan int]{}, json.TextBytes[[]any]{V: []any{func() {}}}} {
			if b, err := f.MarshalAppend([]byte("x"), v); err == nil || string(b) != "x" {
				t.Errorf("%s: %q, %v", f.Name(), b, err)
			}
		}
	}
}

// TestContentFlags: a reader tells the options that generated types obey.
func TestContentFlags(t *testing.T) {
	for flag := uint64(1); flag < 1<<16; flag <<= 1 {
		want := flag & setting.OfTypes
		v := flagged(0)
		opts := weft.Options{}.Decide(flag, true)
		if flag&(setting.StructAsArray|setting.Deterministic|setting.OfTypes|setting.AliasInput) == 0 {
			continue
		}
		if err := json.UnmarshalWith([]byte("1"), &v, opts); err != nil || uint64(v) != want {
			t.Errorf("json: %x of %x, %v", v, flag, err)
		}
		if err := msgpack.Read([]byte{1}, &v, opts); err != nil || uint64(v) != want {
			t.Errorf("msgpack: %x of %x, %v", v, flag, err)
		}
	}
}

// flagged is the flags of its reader.
type flagged uint64

func (v *flagged) read(r backend.Reader) error {
	*v = flagged(r.Flags())
	r.Skip()
	return r.Err()
}

func (v *flagged) UnmarshalWeft(d *weft.Decoder) error { return v.read(d.Reader()) }
func (v *flagged) ReadMsgpack(r *msgpack.Reader) error { return v.read(r) }

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
	in := outer{
		S: json.Text[inner]{V: inner{7}},
		B: json.TextBytes[[]inner]{V: []inner{{1}, {2}}},
		L: []json.Text[map[string]int]{{V: map[string]int{"<": 1}}},
	}
	if b, err := json.MarshalWith(in,
		json.EscapeForHTML(false)); string(b) != `{"s":"{\"n\":7}","b":"W3sibiI6MX0seyJuIjoyfV0=","l":["{\"<\":1}"]}` ||
		err != nil {
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
