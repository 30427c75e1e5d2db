package weft_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/value"
)

// partPet is a thing that has legs, a thing that has a name, or both.
type partPet struct {
	Legged *partLegged
	Named  *partNamed
	Extra  map[string]any `weft:",unknown"`
}

func (*partPet) WeftRules() weft.Rules {
	return weft.Rules{Strict: true, Parts: weft.PartsOf[partPet](partSchemas.Choice("pet", "partPet", "partLegged", "partNamed"))}
}

type partLegged struct {
	Legs  int             `json:"legs" check:"required"`
	Born  opt.Val[string] `json:"born,omitzero"`
	Shoes []string        `json:"shoes" check:"required"`
	Inner *partPet        `json:"inner,omitzero"`
}

func (*partLegged) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

type partNamed struct {
	Name string             `json:"name" check:"required,maxLength=5"`
	Born opt.Val[time.Time] `json:"born,omitzero"`
	Rest map[string]any     `weft:",unknown"`
}

func (*partNamed) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// partClosed is the same without a place for other members.
type partClosed struct {
	Legged *partLegged
	Named  *partNamed
}

func (*partClosed) WeftRules() weft.Rules {
	choice := partSchemas.Choice("pet", "partClosed", "partLegged", "partNamed")
	return weft.Rules{Strict: true, Closed: true, Parts: weft.PartsOf[partClosed](choice)}
}

var partSchemas = schema.New(
	"pet", `{"anyOf":[{"$ref":"legged"},{"$ref":"named"}]}`,
	"some", `{"anyOf":[{"$ref":"named"},{"$ref":"named"},{"$ref":"named"},{"$ref":"named"},{"$ref":"named"},{"$ref":"named"}]}`,
	"one", `{"anyOf":[{"$ref":"named"}]}`,
	"legged", `{"type":"object","required":["legs","shoes"],"properties":{"legs":{"type":"integer"}}}`,
	"named", `{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`,
)

// partRows are values of a partPet, what they are written as, if that is not the same, the parts that they have, and what
// the error says.
var partRows = []struct{ name, in, out, parts, err string }{
	{"one part", `{"legs":4,"shoes":["a"]}`, "", "legged", ""},
	{"the other", `{"name":"Rex"}`, "", "named", ""},
	{"both", `{"legs":4,"shoes":[],"name":"Rex"}`, "", "legged named", ""},
	{"a member of both", `{"legs":4,"born":"2020-01-02T03:04:05Z","shoes":[],"name":"Rex"}`, "", "legged named", ""},
	{"parts in any order", `{"name":"Rex","shoes":[],"legs":4}`, `{"legs":4,"shoes":[],"name":"Rex"}`, "legged named", ""},
	{"other members", `{"legs":4,"shoes":[],"x":[1.50]}`, "", "legged", ""},
	{"members of the part that it is not", `{"name":"Rex","legs":"four"}`, "", "named", ""},
	{"parts in parts", `{"legs":4,"shoes":[],"inner":{"legs":2,"shoes":[],"name":"Mia","y":1},"name":"Rex"}`, "", "legged named", ""},
	{"no part", `{"x":1}`, "", "", ": must be a variant of partPet: partLegged, partNamed"},
	{"no part below", `{"legs":4,"shoes":[],"inner":{}}`, "", "", "/inner: must be a variant of partPet"},
	{"no object", `[1]`, "", "", ": must be a variant of partPet"},
	{"null", `null`, "", "", ": must be a variant of partPet"},
	{"a rule of a part", `{"legs":4,"shoes":[],"name":"Rexona"}`, "", "", "/name: must have at most 5 characters, not 6"},
	{"a type within a part", `{"legs":4,"shoes":[1]}`, "", "", "/shoes/0: "},
}

// An object of parts is each of those whose schema holds, in every format.
func TestParts(t *testing.T) {
	for _, f := range strictFormats {
		for _, r := range partRows {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				b := encodedAs(t, f, r.in)
				var v partPet
				err := f.Unmarshal(b, &v)
				if r.err != "" {
					at, ok := errors.AsType[*weft.Error](err)
					if !ok || !strings.HasPrefix(at.Path+": "+at.Err.Error(), r.err) {
						t.Fatalf("%v, want %s", err, r.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				var parts []string
				if v.Legged != nil {
					parts = append(parts, "legged")
				}
				if v.Named != nil {
					parts = append(parts, "named")
				}
				if got := strings.Join(parts, " "); got != r.parts {
					t.Errorf("is %s, want %s", got, r.parts)
				}
				if back, want := writtenAs(t, f, &v), valueOf(t, or(r.out, r.in)); !value.Equal(back, want) {
					t.Errorf("%v, want %v", back, want)
				}
				if err := schema.Validate(&v); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// valueOf returns the value that a JSON text is.
func valueOf(t *testing.T, text string) (v value.Value) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// encodedAs returns a JSON text in another format.
func encodedAs(t *testing.T, f weft.Format, text string) []byte {
	t.Helper()
	b, err := f.MarshalAppend(nil, valueOf(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// writtenAs returns what a format writes for v.
func writtenAs(t *testing.T, f weft.Format, v any) (back value.Value) {
	t.Helper()
	if f.Name() == "value" {
		back, err := value.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return back
	}
	out, err := f.MarshalAppend(nil, v)
	if err == nil {
		err = f.Unmarshal(out, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// What is written has the members of all parts, which must agree.
func TestPartsWrite(t *testing.T) {
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	legged := func(born string) *partLegged { return &partLegged{Legs: 4, Born: opt.ValOf(born)} }
	named := &partNamed{Name: "Rex", Born: opt.ValOf(at), Rest: map[string]any{"x": 1}}
	for _, r := range []struct {
		name      string
		v         partPet
		want, err string
	}{
		{"no part", partPet{}, "", ": must have partPet set"},
		{"one part", partPet{Named: &partNamed{Name: "Rex"}}, `{"name":"Rex"}`, ""},
		{"members without a field of a part", partPet{Named: &partNamed{Name: "Rex", Rest: map[string]any{"x": 1}}}, `{"name":"Rex","x":1}`, ""},
		{"and of all", partPet{Named: named, Extra: map[string]any{"x": 1, "y": 2}},
			`{"born":"2020-01-02T03:04:05Z","name":"Rex","y":2,"x":1}`, ""},
		{"that differ", partPet{Named: named, Extra: map[string]any{"x": 2}}, "", "/x: two parts"},
		{"the same time", partPet{Legged: legged("2020-01-02T04:04:05+01:00"), Named: named},
			`{"legs":4,"born":"2020-01-02T04:04:05+01:00","shoes":[],"name":"Rex","x":1}`, ""},
		{"another time", partPet{Legged: legged("2020-01-02T03:04:06Z"), Named: named}, "", "/born: two parts"},
		{"a member of one", partPet{Legged: &partLegged{}, Named: &partNamed{Name: "Rex", Born: opt.ValOf(at)}},
			`{"legs":0,"born":"2020-01-02T03:04:05Z","shoes":[],"name":"Rex"}`, ""},
	} {
		for _, f := range strictFormats {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				_, err := f.MarshalAppend(nil, &r.v)
				if r.err != "" {
					at, ok := errors.AsType[*weft.Error](err)
					if !ok || !strings.HasPrefix(at.Path+": "+at.Err.Error(), r.err) {
						t.Fatalf("%v, want %s", err, r.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(writtenAs(t, f, &r.v)) // a time as text
				if err != nil {
					t.Fatal(err)
				}
				if got, want := valueOf(t, string(text)), valueOf(t, r.want); !value.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
			})
		}
	}
}

// Members that no part has are refused where the type is closed and has no field for them.
func TestPartsClosed(t *testing.T) {
	for _, f := range strictFormats {
		var v partClosed
		if err := f.Unmarshal(encodedAs(t, f, `{"name":"Rex","legs":"no"}`), &v); !errors.Is(err, weft.ErrUnknownMember) {
			t.Errorf("%s: %v", f.Name(), err)
		}
		if err := f.Unmarshal(encodedAs(t, f, `{"name":"Rex","legs":"no"}`), &v, weft.RejectUnknown(false)); err != nil || v.Named == nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		if err := f.Unmarshal(encodedAs(t, f, `{"name":"Rex","legs":4,"shoes":[]}`), &v); err != nil || v.Named == nil || v.Legged == nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}

// Validate finds what is wrong with the parts, and that there is none.
func TestPartsValidate(t *testing.T) {
	for _, r := range []struct {
		name string
		v    partPet
		want string
	}{
		{"no part", partPet{}, "must be a variant of partPet"},
		{"a part", partPet{Named: &partNamed{Name: "Rexona"}}, "/name: must have at most 5 characters"},
		{"below", partPet{Legged: &partLegged{Inner: &partPet{}}}, "/inner: must be a variant of partPet"},
	} {
		t.Run(r.name, func(t *testing.T) {
			if err := schema.Validate(&r.v); err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("%v, want %s", err, r.want)
			}
		})
	}
}

// A wrong declaration is an error that says why.
func TestPartsFaults(t *testing.T) {
	for _, r := range []struct {
		v    any
		want string
	}{
		{new(partNoPointer), "the field Named is not a pointer to a struct"},
		{new(partNoName), "no field points to a partLegged"},
	} {
		if err := json.Unmarshal([]byte(`{}`), r.v); err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%T: %v, want %s", r.v, err, r.want)
		}
	}
}

type (
	partNoPointer struct{ Named partNamed }
	partNoName    struct{ Named *partNamed }
)

func (*partNoPointer) WeftRules() weft.Rules {
	return weft.Rules{Parts: weft.PartsOf[partNoPointer](partSchemas.Choice("pet", "x", "partLegged", "partNamed"))}
}

func (*partNoName) WeftRules() weft.Rules {
	return weft.Rules{Parts: weft.PartsOf[partNoName](partSchemas.Choice("pet", "x", "partLegged", "partNamed"))}
}

// partOuter has parts between other fields, of which the plan is made at the same time.
type partOuter struct {
	A string      `json:"a"`
	P *partPet    `json:"p,omitzero"`
	B string      `json:"b"`
	Q partClosed  `json:"q,omitzero"`
	C []string    `json:"c,omitzero"`
	R []*partPet2 `json:"r,omitzero"`
	D string      `json:"d"`
}

func (partOuter) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

type partPet2 struct {
	Named *partNamed
}

func (*partPet2) WeftRules() weft.Rules {
	return weft.Rules{Parts: weft.PartsOf[partPet2](partSchemas.Choice("one", "partPet2", "partNamed"))}
}

// A struct that holds objects of parts is read and written as any other.
func TestPartsHeld(t *testing.T) {
	const text = `{"a":"x","p":{"name":"Rex"},"b":"y","q":{"name":"Mia"},"c":["z"],"r":[{"name":"Tom"}],"d":"w"}`
	for _, f := range strictFormats {
		var v partOuter
		if err := f.Unmarshal(encodedAs(t, f, text), &v); err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		if got, want := writtenAs(t, f, &v), valueOf(t, text); !value.Equal(got, want) {
			t.Errorf("%s: %v, want %v", f.Name(), got, want)
		}
	}
}

// partsOf has a part for each way in which Go holds a text, of which all have the member v.
type partsOfOne struct {
	Text  *partText
	Date  *partDate
	Bytes *partBytes
	Union *partUnion
	Wrap  *partWrap
	Deep  *partDeep
}

type (
	partText struct {
		V string `json:"v" check:"required"`
	}
	partDate struct {
		V opt.Val[opt.Date] `json:"v,omitzero"`
	}
	partBytes struct {
		V []byte `json:"v"`
	}
	partUnion struct {
		V varKind `json:"v"`
	}
	partWrap struct {
		V wrappedDate `json:"v"`
	}
	partDeep struct {
		V opt.Null[*varKind] `json:"v"`
	}
)

func (partsOfOne) WeftRules() weft.Rules {
	choice := partSchemas.Choice("some", "partsOfOne", "partText", "partDate", "partBytes", "partUnion", "partWrap", "partDeep")
	return weft.Rules{Parts: weft.PartsOf[partsOfOne](choice)}
}

// Parts agree about a member that they have as different types.
func TestPartsAgree(t *testing.T) {
	day := opt.Date{Year: 2024, Month: 1, Day: 2}
	text := &partText{day.String()}
	for _, r := range []struct {
		name      string
		same, not partsOfOne
	}{
		{"date", partsOfOne{Text: text, Date: &partDate{opt.ValOf(day)}}, partsOfOne{Text: &partText{"x"}, Date: &partDate{opt.ValOf(day)}}},
		{"bytes", partsOfOne{Text: &partText{"AQ=="}, Bytes: &partBytes{[]byte{1}}},
			partsOfOne{Text: &partText{"AQ"}, Bytes: &partBytes{[]byte{1}}}},
		{"union", partsOfOne{Text: text, Union: &partUnion{varKind{new(varText(text.V))}}},
			partsOfOne{Text: text, Union: &partUnion{varKind{varFlag(true)}}}},
		{"wrapper", partsOfOne{Text: text, Wrap: &partWrap{wrappedDate{day}}}, partsOfOne{Text: text, Wrap: &partWrap{}}},
		{"behind", partsOfOne{Text: text, Deep: &partDeep{opt.NullOf(&varKind{new(varText(text.V))})}},
			partsOfOne{Text: text, Deep: &partDeep{opt.NullOf(&varKind{new(varText("x"))})}}},
	} {
		for _, f := range strictFormats {
			t.Run(f.Name()+"/"+r.name, func(t *testing.T) {
				if _, err := f.MarshalAppend(nil, &r.same); err != nil {
					t.Error(err)
				}
				const differ = "two parts of the object have different values of this member"
				if _, err := f.MarshalAppend(nil, &r.not); err == nil || !strings.Contains(err.Error(), differ) {
					t.Errorf("%v, want %v", err, differ)
				}
			})
		}
	}
}
