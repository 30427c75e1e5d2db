package opt_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
)

// mergeText is JSON Merge Patch as RFC 7396, section 2, writes it down.
func mergeText(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	result := map[string]any{}
	t, _ := target.(map[string]any)
	for name, v := range t {
		result[name] = v
	}
	for name, v := range p {
		if v == nil {
			delete(result, name)
		} else {
			result[name] = mergeText(result[name], v)
		}
	}
	return result
}

// diffText returns the patch that makes to of from by mergeText, if there is one.
func diffText(from, to any) (patch any, ok bool) {
	f, isMap := from.(map[string]any)
	t, both := to.(map[string]any)
	if !both {
		return to, true
	}
	if !isMap {
		f = nil
	}
	p := map[string]any{}
	for name := range f {
		if _, there := t[name]; !there {
			p[name] = nil
		}
	}
	for name, v := range t {
		switch old, there := f[name]; {
		case there && reflect.DeepEqual(old, v):
			continue
		case v == nil:
			return nil, false
		}
		if p[name], ok = diffText(f[name], v); !ok {
			return nil, false
		}
	}
	return p, true
}

// patchable reports whether a value of the type can be the patch.
func patchable(t *testing.T, typ reflect.Type, from, to []byte) bool {
	t.Helper()
	patch, ok := diffText(document(t, from), document(t, to))
	if !ok {
		return false
	}
	p := reflect.New(typ)
	if json.Unmarshal(marshal(t, patch), p.Interface()) != nil {
		return false
	}
	return bytes.Equal(mergedText(t, typ, from, marshal(t, p.Interface())), to)
}

// document returns what a text says, numbers as they stand there.
func document(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := stdjson.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// mergedText merges the texts of two values of a type, and returns the text of
// what the type makes of the result.
func mergedText(t *testing.T, typ reflect.Type, target, patch []byte) []byte {
	t.Helper()
	text := marshal(t, mergeText(document(t, target), document(t, patch)))
	v := reflect.New(typ)
	if err := json.Unmarshal(text, v.Interface()); err != nil {
		t.Fatalf("%v: %v: %s", typ, err, text)
	}
	return marshal(t, v.Interface())
}

// again returns what v is when it has been written and read.
func again(t *testing.T, v reflect.Value) reflect.Value {
	t.Helper()
	w := reflect.New(v.Type().Elem())
	if err := json.Unmarshal(marshal(t, v.Interface()), w.Interface()); err != nil {
		t.Fatal(err)
	}
	return w
}

// optional are the types that say that a member is absent or null.
var optional = []reflect.Type{
	reflect.TypeFor[opt.Field[int]](), reflect.TypeFor[opt.Val[string]](), reflect.TypeFor[opt.Null[bool]](),
	reflect.TypeFor[slim.Field[string]](), reflect.TypeFor[slim.Val[int]](), reflect.TypeFor[slim.Null[float64]](),
	reflect.TypeFor[opt.Field[own]](), reflect.TypeFor[own](), reflect.TypeFor[opt.Val[map[string]slim.Field[own]]](),
	reflect.TypeFor[opt.Field[[]int]](), reflect.TypeFor[opt.Val[any]](), reflect.TypeFor[opt.Field[time.Time]](),
}

// own is like a type that is generated: it marshals itself as an object of its
// fields.
type own struct {
	ID   int                   `json:"id"`
	Note slim.Field[string]    `json:"note,omitzero"`
	Nick opt.Val[string]       `json:"nick,omitzero"`
	Tags []string              `json:"tags,omitzero"`
	By   map[string]string     `json:"by,omitzero"`
	In   slim.Val[inner]       `json:"in,omitzero"`
	More map[string]any        `weft:",unknown"`
	At   opt.Field[*time.Time] `json:"at,omitzero"`
}

type inner struct {
	A opt.Field[int] `json:"a,omitzero"`
	B opt.Null[int]  `json:"b"`
}

func (o own) MarshalJSON() ([]byte, error) {
	type plain own
	return json.Marshal(plain(o))
}

func (o *own) UnmarshalJSON(b []byte) error {
	type plain own
	return json.Unmarshal(b, (*plain)(o))
}

func (i inner) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(innerFields)
	o.Value(0, i.A)
	o.Value(1, i.B)
	return o.End()
}

var innerFields = weft.NewFields("a", "b")

// fillOptional sets what the sampler does not know to set.
func fillOptional(m *sample.Maker, v reflect.Value) bool {
	t := v.Type()
	if t.Kind() == reflect.Pointer && fillOptional(m, reflect.New(t.Elem()).Elem()) {
		return true // nil: a pointer to a null is the same on the wire
	}
	if !strings.HasPrefix(t.PkgPath(), "github.com/weftcodec/weft/opt") || t.NumField() != 2 || t.Field(0).Name != "V" {
		return false
	}
	state := m.IntN(3)
	if v.Field(1).Kind() == reflect.Bool {
		v.Field(1).SetBool(state > 0)
	} else {
		v.Field(1).SetUint(uint64(state))
	}
	if state == 2 || state == 1 && v.Field(1).Kind() == reflect.Bool {
		v.Field(0).Set(m.Value(v.Field(0).Type(), 2).Elem())
	}
	return true
}

// For values of any type: Merge is merging what JSON writes of them, Diff is what
// Merge makes the second of.
func TestPatchLaws(t *testing.T) {
	m := &sample.Maker{Rand: rand.New(rand.NewPCG(3, 4)), Tag: "json", Leaves: optional, Set: fillOptional,
		Text: func(s string) string { return fmt.Sprintf("%.3q", s) }}
	rounds := 20000
	if testing.Short() {
		rounds = 1500
	}
	merged, patched, refused := 0, 0, 0
	for range rounds {
		typ := m.Type(3)
		if slices.Contains(optional, typ) || strings.Contains(typ.String(), "]opt.Val[") || strings.Contains(typ.String(), "]slim.Val[") {
			continue // outside of a struct nothing can be absent
		}
		a, b := m.Value(typ, 4), m.Value(typ, 4)
		if _, err := json.Marshal(a.Interface()); err != nil {
			continue
		}
		if _, err := json.Marshal(b.Interface()); err != nil {
			continue
		}
		a, b = again(t, a), again(t, b)
		ta, tb := marshal(t, a.Interface()), marshal(t, b.Interface())
		if got, want := marshal(t, opt.MergeValues(a.Elem(), b.Elem())), mergedText(t, typ, ta, tb); !bytes.Equal(got, want) {
			t.Fatalf("%v:\n%s merged into\n%s is\n%s, want\n%s", typ, tb, ta, got, want)
		}
		merged++
		patch, err := opt.DiffValues(a.Elem(), b.Elem())
		if err != nil {
			var at *weft.Error
			if !errors.As(err, &at) || at.Format != "opt" {
				t.Fatal(err)
			}
			if patchable(t, typ, ta, tb) {
				t.Fatalf("%v: from\n%s to\n%s: %v", typ, ta, tb, err)
			}
			refused++
			continue
		}
		patched++
		if got := marshal(t, opt.MergeValues(a.Elem(), patch)); !bytes.Equal(got, tb) {
			t.Fatalf("%v: from\n%s to\n%s by\n%s is\n%s", typ, ta, tb, marshal(t, patch.Interface()), got)
		}
		// So it is when the patch has travelled.
		if got := mergedText(t, typ, ta, marshal(t, patch.Interface())); !bytes.Equal(got, tb) {
			t.Fatalf("%v: from\n%s to\n%s by\n%s as text is\n%s", typ, ta, tb, marshal(t, patch.Interface()), got)
		}
	}
	t.Logf("%d merged, %d patched, %d refused", merged, patched, refused)
	if patched < merged/3 {
		t.Errorf("of %d differences %d could not be said", merged, refused)
	}
}
