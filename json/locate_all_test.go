package json_test

import (
	stdjson "encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
)

var errFailed = errors.New("own error")

type (
	failJSON   struct{}
	failText   struct{}
	failWeft   struct{}
	failFrom   struct{}
	failInt    int
	failBehind struct{ B int }
	failEmbed  struct{ *failBehind }
	failFold   struct {
		B  int `json:"b"`
		C  int `json:"c"`
		DE int `json:"de"`
		D  int `json:"d_e"`
	}
)

func (o *failJSON) UnmarshalJSON(b []byte) error {
	var in struct {
		In []int8
	}
	switch {
	case string(b) == `"own"`:
		return errFailed
	case strings.HasPrefix(string(b), `{"std"`):
		return stdjson.Unmarshal([]byte(`[1]`), &in)
	}
	return json.UnmarshalWith(b, &in)
}

func (failText) UnmarshalText([]byte) error { return errFailed }

func (failWeft) UnmarshalWeft(d *weft.Decoder) error { return d.Fail(errFailed) }

func (failFrom) UnmarshalJSONFrom(*jsontext.Decoder) error { return errFailed }

// TestLocates: every error of every function that takes options, and of a decoder made with some, tells where it is.
func TestLocates(t *testing.T) {
	ints := json.WithUnmarshalers(json.UnmarshalFunc(func([]byte, *failInt) error { return errFailed }))
	folds := []json.Options{json.V2(), json.MatchCaseInsensitiveNames(true)}
	for _, row := range []struct {
		name, text string
		target     any
		at         string // what stands at the offset
		path       string
		is         error // by errors.Is, nil for any
		opts       []json.Options
	}{
		{"syntax", `{"a":[1,x]}`, new(any), "x]}", "/a/1", nil, nil},
		{"end", `{"a":[1,`, new(any), "", "/a/1", nil, nil},
		{"type", `{"a":[1,"x"]}`, new(map[string][]int), `"x"`, "/a/1", nil, nil},
		{"range", `{"a":[1,300]}`, new(map[string][]int8), `300`, "/a/1", nil, nil},
		{"object", `{"a":[1,{"b":2}]}`, new(map[string][]int8), `{"b"`, "/a/1", nil, nil},
		{"float", `{"a":[1e999]}`, new(any), `1e999`, "/a/0", nil, nil},
		{"key", `{"a":{"x":1}}`, new(map[string]map[int]int), `"x"`, "/a/x", nil, nil},
		{"text key", `{"a":{"x":1}}`, new(map[string]map[failText]int), `"x"`, "/a/x", errFailed, nil},
		{"quoted", `{"a":[{"q":1}]}`, new(struct {
			A []struct {
				Q int `json:"q,string"`
			} `json:"a"`
		}), `1}`, "/a/0/q", nil, nil},
		{"base64", `{"a":"%"}`, new(map[string][]byte), `"%"`, "/a", nil, nil},
		{"time", `{"a":["x"]}`, new(map[string][]time.Time), `"x"`, "/a/0", nil, nil},
		{"time format", `{"a":"x"}`, new(struct {
			A time.Time `weft:"a,format:DateOnly"`
		}), `"x"`, "/a", nil, nil},
		{"unknown", `{"a":[{"b":1}]}`, new(map[string][]struct{}), `"b"`, "/a/0/b", weft.ErrUnknownMember,
			[]json.Options{json.RejectUnknownMembers(true)}},
		{"duplicate", `{"a":{"b":1,"b":2}}`, new(any), `"b":2`, "/a/b", weft.ErrDuplicateName,
			[]json.Options{jsontext.AllowDuplicateNames(false)}},
		{"folded twice", `{"a":{"b":1,"c":2,"\"\\":0,"\u0042" : 3}}`, new(map[string]failFold), `"\u0042"`, "/a/B", weft.ErrDuplicateName, folds},
		{"field twice", `{"a":{"C":1,"b":2, "c":3}}`, new(map[string]failFold), `"c":3`, "/a/c", weft.ErrDuplicateName, folds},
		{"of two fields", `{"a":{"b":1,"d-e":2}}`, new(map[string]failFold), `"d-e"`, "/a/d-e", nil, folds},
		{"UTF-8", "{\"a\":[\"\xff\"]}", new(any), "\xff", "/a/0", nil, []json.Options{jsontext.AllowInvalidUTF8(false)}},
		{"depth", `{"a":[[1]]}`, new(any), `[1]`, "/a/0", weft.ErrDepth, []json.Options{weft.MaxDepth(2)}},
		{"interface", `{"a":[1]}`, new(map[string][]io.Reader), `1]`, "/a/0", nil, nil},
		{"embedded", `{"a":{"B":1}}`, new(map[string]failEmbed), `1}`, "/a/B", nil, nil},
		{"required", `{"a":{}}`, new(map[string]struct {
			B int `weft:"b,required"`
		}), `{}`, "/a", nil, nil},
		{"UnmarshalJSON", `{"a":["own"]}`, new(map[string][]failJSON), `"own"`, "/a/0", errFailed, nil},
		{"UnmarshalJSON of ours", `{"a":[{"In":[1,"x"]}]}`, new(map[string][]failJSON), `"x"`, "/a/0/In/1", nil, nil},
		{"UnmarshalJSON of encoding/json's", `{"a":[{"std":1}]}`, new(map[string][]failJSON), `{"std"`, "/a/0", nil, nil},
		{"UnmarshalText", `{"a":["x"]}`, new(map[string][]failText), `"x"`, "/a/0", errFailed, nil},
		{"UnmarshalWeft", `{"a":["x"]}`, new(map[string][]failWeft), `"x"`, "/a/0", errFailed, nil},
		{"UnmarshalJSONFrom", `{"a":["x"]}`, new(map[string][]failFrom), `"x"`, "/a/0", errFailed, nil},
		{"UnmarshalFunc", `{"a":[1]}`, new(map[string][]failInt), `1]`, "/a/0", errFailed, []json.Options{ints}},
	} {
		t.Run(row.name, func(t *testing.T) {
			const before = "7 \n"
			ways := map[string]func(v any, o ...json.Options) error{
				"UnmarshalWith":   func(v any, o ...json.Options) error { return json.UnmarshalWith([]byte(row.text), v, o...) },
				"UnmarshalRead":   func(v any, o ...json.Options) error { return json.UnmarshalRead(strings.NewReader(row.text), v, o...) },
				"UnmarshalDecode": func(v any, o ...json.Options) error { return decodeAfter(before, row.text, v, o) },
				"NewDecoderWith": func(v any, o ...json.Options) error {
					d := json.NewDecoderWith(iotest.OneByteReader(strings.NewReader(before+row.text)), o...)
					return errors.Join(d.Decode(new(int)), d.Decode(v))
				},
				"tokens": func(v any, o ...json.Options) error {
					d := json.NewDecoderWith(strings.NewReader("[ "+row.text), o...)
					_, err := d.Token()
					return errors.Join(err, d.Decode(v))
				},
				"Format": func(v any, o ...json.Options) error {
					d := json.Format.NewDecoder(strings.NewReader(before+row.text), o...)
					return errors.Join(d.Decode(new(int)), d.Decode(v))
				},
			}
			for way, read := range ways {
				if way == "UnmarshalDecode" && row.name == "end" {
					continue // package jsontext has the place of the array
				}
				for _, v2 := range []bool{false, true} {
					opts := row.opts
					if v2 {
						if row.name == "key" || row.name == "required" || row.name == "quoted" || row.name == "time format" {
							continue // another rule
						}
						opts = append([]json.Options{json.V2()}, opts...)
					}
					err := read(reflect.New(reflect.TypeOf(row.target).Elem()).Interface(), opts...)
					off := strings.Index(row.text, row.at)
					if row.at == "" {
						off = len(row.text)
					}
					switch way {
					case "NewDecoderWith", "Format", "UnmarshalDecode":
						off += len(before)
					case "tokens":
						off += len("[ ")
					}
					var e *weft.Error
					var syntactic *jsontext.SyntacticError // has errors of its own
					is := row.is == nil || errors.Is(err, row.is) || errors.As(err, &syntactic)
					if !errors.As(err, &e) || e.Path != row.path || e.Offset != int64(off) || !is {
						t.Errorf("%s, V2 %t: %v, want %s, offset %d: %+v", way, v2, err, row.path, off, e)
					}
				}
			}
			// Without options errors are encoding/json's own, of which many give the location to Locate.
			err := json.Unmarshal([]byte(row.text), reflect.New(reflect.TypeOf(row.target).Elem()).Interface())
			var syntax *json.SyntaxError
			var typed *json.UnmarshalTypeError
			var e *weft.Error
			if errors.As(err, &syntax) || errors.As(err, &typed) && !strings.HasPrefix(row.name, "UnmarshalJSON") {
				if err = json.Locate([]byte(row.text), err); !errors.As(err, &e) || e.Path != row.path {
					t.Errorf("%v, want %s", err, row.path)
				}
			}
		})
	}
}

func decodeAfter(before, text string, v any, o []json.Options) error {
	d := jsontext.NewDecoder(strings.NewReader(before+text), o...)
	return errors.Join(json.UnmarshalDecode(d, new(int)), json.UnmarshalDecode(d, v))
}
