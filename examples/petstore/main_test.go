package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft/examples/petstore/api"
	weftjson "github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
	"github.com/weftcodec/weft/schema"
)

// The program prints what its text says.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"owner":null,"tags":["loud","friendly"]`,
		"Rex belongs to nobody and has no nick",
		"it lives behind 12 bars",
		`missing required members "name", "kind"`,
		`json: at /kind, offset`,
		"must be greater than 0, not 0",
		"at /pets/0/name: must have at least 1 character, not 0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// The package in api is what the document gives today.
func TestGeneratedIsFresh(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.work")); err != nil {
		t.Skip("the tool is not in a workspace with this module")
	}
	cmd := exec.Command("go", "run", "./cmd/weft", "gen", "openapi", "examples/petstore/openapi.yaml", "--out",
		"examples/petstore/api", "--check")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// What the document allows is read and written back equal, what it does not is
// refused, in JSON, in MessagePack and through encoding/json.
func TestSemantics(t *testing.T) {
	newPet := func() any { return new(api.NewPet) }
	apiError := func() any { return new(api.Error) }
	home := func() any { return new(api.Home) }
	tests := []struct {
		name string
		make func() any
		text string
		want string // in the error; "" when the text is good
	}{
		{"required only", newPet, `{"name":"Rex","kind":"dog"}`, ""},
		{"everything", newPet,
			`{"name":"Rex","kind":"dog","nick":"R","owner":"ann","born":"2020-02-29","weight":12.5,"tags":["a","b-1"],"labels":{"x":"y"}}`,
			""},
		{"null kept apart from absent", newPet, `{"name":"Rex","kind":"dog","owner":null}`, ""},
		{"empty optional values stay", newPet, `{"name":"Rex","kind":"dog","nick":"","tags":[],"labels":{}}`, ""},
		{"unknown member is skipped", newPet, `{"name":"Rex","kind":"dog","on":[1,{"a":null}]}`, ""},
		{"one missing", newPet, `{"name":"Rex"}`, `missing required member "kind"`},
		{"all missing", newPet, `{}`, `missing required members "name", "kind"`},
		{"null where not allowed", newPet, `{"name":null,"kind":"dog"}`, "/name"},
		{"null for absent", newPet, `{"name":"Rex","kind":"dog","nick":null}`, "/nick"},
		{"null for the whole", newPet, `null`, "null"},
		{"wrong type", newPet, `{"name":1,"kind":"dog"}`, "/name"},
		{"too short", newPet, `{"name":"","kind":"dog"}`, "at /name"},
		{"too long", newPet, `{"name":"12345678901234567890123456789012345678901","kind":"dog"}`, "have at most 40 characters, not 41"},
		{"characters are counted, not bytes", newPet,
			`{"name":"äääääääääääääääääääääääääääääääääääääääää","kind":"dog"}`, "not 41"},
		{"no value of the enum", newPet, `{"name":"Rex","kind":"Dog"}`, `must be a value of Kind, not "Dog"`},
		{"excluded bound", newPet, `{"name":"Rex","kind":"dog","weight":0}`, "greater than 0"},
		{"included bound", newPet, `{"name":"Rex","kind":"dog","weight":1000}`, ""},
		{"beyond the bound", newPet, `{"name":"Rex","kind":"dog","weight":1000.5}`, "at most 1000, not 1000.5"},
		{"bad date", newPet, `{"name":"Rex","kind":"dog","born":"2021-02-29"}`, "must be a date"},
		{"pattern", newPet, `{"name":"Rex","kind":"dog","tags":["ok","Not"]}`, `/tags/1`},
		{"too many elements", newPet, `{"name":"Rex","kind":"dog","tags":["a","b","c","d","e","f","g","h","i","j","k"]}`,
			"at most 10 elements, not 11"},
		{"equal elements", newPet, `{"name":"Rex","kind":"dog","tags":["a","b","a"]}`, "no two equal elements"},
		{"typed map", newPet, `{"name":"Rex","kind":"dog","labels":{"a":1}}`, "/labels/a"},
		{"other members are kept", apiError, `{"code":1,"message":"m","trace":["x"],"ü":{}}`, ""},
		{"integer out of range", apiError, `{"code":2147483648,"message":"m"}`, "/code"},
		{"no integer", apiError, `{"code":1.5,"message":"m"}`, "/code"},
		{"number of the enum", apiError, `{"code":1,"message":"m","status":404}`, ""},
		{"no number of the enum", apiError, `{"code":1,"message":"m","status":403}`, "must be a value of ErrorStatus, not 403"},
		{"first variant", home, `{"type":"cage","bars":4}`, ""},
		{"second variant", home, `{"type":"tank","litres":4.5,"salt":true}`, ""},
		{"unknown discriminator", home, `{"type":"house","bars":4}`, "must be a variant of Home"},
		{"no discriminator", home, `{"bars":4}`, "must be a variant of Home"},
		{"discriminator and another body", home, `{"type":"cage","litres":4}`, `missing required member "bars"`},
		{"variant breaks a rule", home, `{"type":"cage","bars":3}`, "must be at least 4, not 3"},
		{"closed object", home, `{"type":"tank","litres":1,"fish":9}`, "unknown member"},
		{"no object", home, `[]`, "must be a variant of Home"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			packed, err := msgpack.Marshal(plain(t, tt.text))
			if err != nil {
				t.Fatal(err)
			}
			viaJSON, viaPack, viaStd := tt.make(), tt.make(), tt.make()
			errs := map[string]error{
				"JSON":          weftjson.UnmarshalWith([]byte(tt.text), viaJSON),
				"MessagePack":   msgpack.Unmarshal(packed, viaPack),
				"encoding/json": json.Unmarshal([]byte(tt.text), viaStd),
			}
			for how, err := range errs {
				switch {
				case tt.want == "" && err != nil:
					t.Errorf("%s: %v", how, err)
				case tt.want != "" && err == nil:
					t.Errorf("%s: no error for %s", how, tt.text)
				case tt.want != "" && tt.want != "null" && !strings.Contains(err.Error(), tt.want):
					t.Errorf("%s: %v; want %q in it", how, err, tt.want)
				}
			}
			if tt.want != "" || t.Failed() {
				return
			}
			if !reflect.DeepEqual(viaJSON, viaPack) || !reflect.DeepEqual(viaJSON, viaStd) {
				t.Errorf("values differ: %+v, %+v, %+v", viaJSON, viaPack, viaStd)
			}
			if err := schema.Validate(viaJSON); err != nil {
				t.Error(err)
			}
			out, err := weftjson.Marshal(viaJSON)
			if err != nil {
				t.Fatal(err)
			}
			want := plain(t, tt.text)
			if m := want.(map[string]any); tt.name == "unknown member is skipped" {
				delete(m, "on")
			}
			if got := plain(t, string(out)); !reflect.DeepEqual(got, want) {
				t.Errorf("written as %s", out)
			}
		})
	}
}

// plain returns the value of a JSON text with integers as such.
func plain(t *testing.T, text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return integers(v)
}

func integers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = integers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = integers(v[k])
		}
	}
	return v
}

// Generated types are merged by members, though they marshal themselves.
func TestMerge(t *testing.T) {
	cage := func(bars int32) api.Home { return api.Home{V: &api.Cage{Type: "cage", Bars: bars}} }
	rex := api.Pet{Name: "Rex", Kind: api.KindDog, Nick: slim.ValOf("r"), Owner: slim.FieldOf("ann"), Tags: []string{"a"},
		Labels: map[string]string{"x": "1"}, Chip: slim.NullOf("c"), Home: cage(3)}
	change := api.Pet{Name: "Max", Kind: api.KindDog, Owner: slim.FieldNull[string](), Labels: map[string]string{"y": "2"}}
	want := api.Pet{
		Name:   "Max",
		Kind:   api.KindDog,
		Nick:   rex.Nick,
		Tags:   rex.Tags,
		Labels: map[string]string{"x": "1", "y": "2"},
		Home:   cage(3),
	}
	if got := opt.Merge(rex, change); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	back := want
	back.Owner, back.Labels, back.Home = slim.FieldOf("bob"), map[string]string{"x": "1", "y": "3"}, cage(4)
	patch, err := opt.Diff(want, back)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(patch); err != nil || string(text) !=
		`{"name":"Max","kind":"dog","owner":"bob","labels":{"y":"3"},"id":0,"added":"0001-01-01T00:00:00Z","chip":null,`+
			`"home":{"type":"cage","bars":4}}` {
		t.Errorf("%s, %v", text, err)
	}
	if got := opt.Merge(want, patch); !reflect.DeepEqual(got, back) {
		t.Errorf("%+v\nwant %+v", got, back)
	}
}
