package schema_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// schemaTests are values that schemas allow and refuse.
var schemaTests = []struct {
	schema string
	good   []string
	bad    []string
}{
	{`true`, []string{`1`}, nil},
	{`false`, nil, []string{`1`, `null`, `{}`}},
	{`{"type":"string"}`, []string{`""`}, []string{`1`, `null`, `[]`}},
	{`{"type":["integer","null"]}`, []string{`1`, `null`, `1.0`, `-9223372036854775808`}, []string{`1.5`, `"1"`}},
	{`{"type":"number"}`, []string{`1`, `1.5`}, []string{`true`}},
	{`{"enum":["a",1,null,[1,{"b":2}]]}`, []string{`"a"`, `1`, `null`, `[1,{"b":2}]`, `[1.0,{"b":2}]`}, []string{`"b"`, `2`, `[1]`, `{}`}},
	{`{"const":{"a":[1]}}`, []string{`{"a":[1]}`}, []string{`{"a":[1,2]}`, `{"a":[1],"b":2}`, `1`}},
	{`{"minimum":1,"exclusiveMaximum":3,"multipleOf":0.5}`, []string{`1`, `2.5`, `"any"`}, []string{`0.5`, `3`, `1.2`}},
	{`{"maximum":18446744073709551615,"exclusiveMinimum":9223372036854775807}`,
		[]string{`18446744073709551615`, `9223372036854775808`}, []string{`9223372036854775807`, `-1`}},
	{`{"type":"integer","format":"int32"}`, []string{`2147483647`}, []string{`2147483648`}},
	{`{"type":"integer","format":"uint8"}`, []string{`255`, `0`}, []string{`256`, `-1`}},
	{`{"minLength":2,"maxLength":3,"pattern":"^ä"}`, []string{`"äb"`, `"äbc"`, `5`}, []string{`"ä"`, `"äbcd"`, `"xb"`}},
	{`{"format":"hostname"}`, []string{`"example.com"`, `"-no host_."`, `7`}, nil},
	{`{"format":"idn-hostname"}`, []string{`""`}, nil},
	{`{"format":"ipv4"}`, []string{`"192.0.2.1"`, `7`}, []string{`"300.0.0.1"`, `"::1"`}},
	{`{"properties":{"a":{"type":"integer"}},"required":["a"]}`, []string{`{"a":1}`, `{"a":1,"b":"x"}`, `[]`}, []string{`{}`, `{"a":"x"}`}},
	{`{"properties":{"a":{}},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`,
		[]string{`{}`, `{"a":1,"x-b":"s"}`}, []string{`{"b":1}`, `{"x-b":1}`}},
	{`{"additionalProperties":{"type":"integer"}}`, []string{`{"a":1}`}, []string{`{"a":"x"}`}},
	{`{"propertyNames":{"pattern":"^[a-z]+$","maxLength":3}}`, []string{`{"abc":1}`}, []string{`{"abcd":1}`, `{"A":1}`}},
	{`{"propertyNames":{"enum":["a","b"]}}`, []string{`{"a":1}`, `{}`}, []string{`{"c":1}`}},
	{`{"minProperties":1,"maxProperties":2}`, []string{`{"a":1}`, `{"a":1,"b":2}`}, []string{`{}`, `{"a":1,"b":2,"c":3}`}},
	{`{"dependentRequired":{"card":["name"]}}`, []string{`{}`, `{"name":1}`, `{"card":1,"name":1}`}, []string{`{"card":1}`}},
	{`{"dependentSchemas":{"card":{"required":["name"]}}}`, []string{`{}`, `{"card":1,"name":1}`}, []string{`{"card":1}`}},
	{`{"items":{"type":"integer"},"minItems":1,"maxItems":2}`, []string{`[1]`, `[1,2]`}, []string{`[]`, `["a"]`, `[1,2,3]`}},
	{`{"prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`, []string{`[]`, `[1]`, `[1,"a"]`}, []string{`["a"]`, `[1,"a",2]`}},
	{`{"uniqueItems":true}`, []string{`[1,2]`, `[{"a":1},{"a":2}]`}, []string{`[1,1.0]`, `[{"a":1,"b":2},{"b":2,"a":1}]`}},
	{`{"uniqueItems":true}`, []string{`[9007199254740993,9007199254740992.0]`, `[[[{"a":1}]],[[{"a":2}]],{"a":1},{"b":1}]`,
		`[[],{},"",null,0,false]`}, []string{`[0.1,1e-1]`, `[[[1,{"a":[]}]],[[1,{"a":[]}]]]`, `[-0,0]`}},
	{`{"contains":{"type":"integer"},"minContains":2,"maxContains":3}`, []string{`[1,2]`, `[1,2,3,"a"]`}, []string{`[1,"a"]`, `[1,2,3,4]`}},
	{`{"contains":{"const":1}}`, []string{`[1]`, `[0,1]`}, []string{`[]`, `[2]`}},
	{`{"allOf":[{"minimum":1},{"maximum":2}]}`, []string{`1`}, []string{`0`, `3`}},
	{`{"anyOf":[{"type":"string"},{"minimum":5}]}`, []string{`"a"`, `5`}, []string{`4`}},
	{`{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}`, []string{`2`, `3`}, []string{`1`, `6`}},
	{`{"not":{"required":["a"]}}`, []string{`{}`, `{"b":1}`}, []string{`{"a":1}`, `1`}},
	{`{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`,
		[]string{`{"a":1,"b":1}`, `{"a":2,"c":1}`}, []string{`{"a":1,"c":1}`, `{"a":2}`}},
	{`{"allOf":[{"properties":{"a":{}}}],"anyOf":[{"properties":{"b":{}},"required":["b"]},{"properties":{"c":{}},` +
		`"required":["c"]}],"unevaluatedProperties":false}`,
		[]string{`{"a":1,"b":1}`, `{"b":1,"c":1}`}, []string{`{"a":1}`, `{"b":1,"d":1}`}},
	{`{"properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}}},"unevaluatedProperties":{"type":"string"}}`,
		[]string{`{"a":1,"b":1}`, `{"b":"s"}`}, []string{`{"b":1}`}},
	{`{"allOf":[{"unevaluatedProperties":true}],"unevaluatedProperties":false}`, []string{`{"a":1}`}, nil},
	{`{"allOf":[{"prefixItems":[true],"unevaluatedItems":{"type":"integer"}}],"unevaluatedItems":false}`,
		[]string{`["a",1]`}, []string{`[1,"a"]`}},
	{`{"anyOf":[{"unevaluatedProperties":{"type":"integer"}},true],"unevaluatedProperties":false}`, []string{`{"a":1}`},
		[]string{`{"a":"b"}`}},
	{`{"allOf":[{"properties":{"a":true}},{"unevaluatedProperties":false}]}`, []string{`{}`}, []string{`{"a":1}`}},
	{`{"prefixItems":[{}],"contains":{"type":"string"},"unevaluatedItems":false}`, []string{`[1,"a"]`, `["a"]`}, []string{`[1,"a",2]`}},
	{`{"$ref":"tree"}`, []string{`{}`, `{"kids":[{"kids":[]}]}`}, []string{`{"kids":[{"kids":1}]}`, `[]`}},
	{`{"allOf":[{"$ref":"loop"}]}`, []string{`1`}, []string{`0`}},
	{`{"$ref":"link"}`, []string{`{}`, `{"kids":[{}]}`}, []string{`{"kids":[1]}`, `1`}},
	{`{"$ref":"round"}`, []string{`1`, `{}`}, nil},
	{`{"properties":{"a":{"$ref":"link"}},"required":["a","z","a"]}`, []string{`{"z":1,"a":{}}`, `{"a":{"kids":[]},"z":{"kids":1}}`},
		[]string{`{"a":{}}`, `{"z":1}`, `{"a":{"kids":[[]]},"z":1,"b":[]}`}},
	{`{"properties":{"a":{"type":"integer"}},"patternProperties":{"^a":{"minimum":2},"a$":{"maximum":4}},` +
		`"additionalProperties":{"type":"null"}}`,
		[]string{`{"a":3}`, `{"aa":3,"b":null}`, `{"ab":9,"ba":1}`}, []string{`{"a":1}`, `{"a":5}`, `{"a":2.5}`, `{"b":1}`, `{"aa":1,"b":null}`}},
	{`{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{},"e":{},"f":{},"g":{},"h":{},"i":{"type":"null"}},` +
		`"required":["i","y"],"maxProperties":3}`,
		[]string{`{"i":null,"y":1}`, `{"y":1,"i":null,"a":2}`}, []string{`{"i":null}`, `{"i":1,"y":1}`, `{"i":null,"y":1,"a":1,"b":2}`, `[]`}},
	{`{"type":"array","items":{"type":"array","maxItems":1,"items":{"type":"number"}}}`, []string{`[]`, `[[],[1],[1.5]]`},
		[]string{`[[1,2],[]]`, `[["a"]]`, `[{}]`}},
	{`{"type":["object","array"]}`, []string{`{"a":[1]}`, `[{}]`}, []string{`1`, `null`}},
	{`{"items":{"anyOf":[{"type":"null"},{"$ref":"tree"}]}}`, []string{`[null,{"kids":[{}]}]`}, []string{`[1]`, `[{"kids":[[]]}]`}},
}

// schemaTable returns the table of a schema called it, and of those that the tests refer to.
func schemaTable(text string) *schema.Set {
	return schema.New("it", text,
		"tree", `{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"tree"}}}}`,
		"loop", `{"minimum":1,"allOf":[{"$ref":"loop"}]}`, "link", `{"$ref":"tree"}`, "round", `{"$ref":"circle"}`, "circle", `{"$ref":"round"}`)
}

// TestSchemaCheck holds it in both formats.
func TestSchemaCheck(t *testing.T) {
	for _, tt := range schemaTests {
		t.Run(tt.schema, func(t *testing.T) {
			s := schemaTable(tt.schema).Get("it")
			for i, text := range append(append([]string{}, tt.good...), tt.bad...) {
				jsonErr := json.UnmarshalWith([]byte(text), &checked{s})
				packErr := msgpack.Read(packed(t, text), checked{s})
				if good := i < len(tt.good); (jsonErr == nil) != good || (packErr == nil) != good {
					t.Errorf("%s\nof %s: JSON %v, MessagePack %v", tt.schema, text, jsonErr, packErr)
				}
			}
		})
	}
}

// wideTests are schemaTests with numbers that MessagePack does not have.
var wideTests = []struct {
	schema    string
	good, bad []string
}{
	{`{"uniqueItems":true}`, []string{`[18446744073709551616,18446744073709551617]`, `[1e400,2e400]`},
		[]string{`[18446744073709551617,18446744073709551617]`, `[1e400,10e399]`}},
	{`{"enum":[18446744073709551617,9007199254740993]}`, []string{`18446744073709551617`, `9007199254740993`},
		[]string{`18446744073709551616`, `18446744073709551618`, `9007199254740992.0`}},
	{`{"const":[[1,{"a":18446744073709551617}]]}`, []string{`[[1,{"a":18446744073709551617}]]`},
		[]string{`[[1,{"a":18446744073709551616}]]`, `[[1,{"a":18446744073709551617}],1,2,3,4,5,6]`, `[[[[[]]]]]`}},
	{`{"maximum":18446744073709551616}`, []string{`18446744073709551616`, `1.8446744073709551616e19`},
		[]string{`18446744073709551617`, `1e400`}},
	{`{"exclusiveMinimum":18446744073709551616}`, []string{`18446744073709551617`, `1e400`}, []string{`18446744073709551616`, `-1e400`}},
	{`{"minimum":9007199254740993}`, []string{`9007199254740993`}, []string{`9007199254740992.0`, `9007199254740992`}},
	{`{"multipleOf":10}`, []string{`1e23`, `100000000000000000000000`, `1e300`, `9223372036854775810`, `-1e23`},
		[]string{`1e-1`, `9223372036854775809`, `100000000000000000000001`}},
	{`{"multipleOf":0.01}`, []string{`0.07`, `1.1`, `1e400`},
		[]string{`0.0700000000001`}},
	{`{"type":"integer","multipleOf":3}`, []string{`18446744073709551618`, `3e20`, `18446744073709551615`},
		[]string{`18446744073709551617`, `18446744073709551616`, `18446744073709551618.5`}},
}

// TestSchemaWide checks that numbers of any size are compared exactly.
func TestSchemaWide(t *testing.T) {
	for _, tt := range wideTests {
		t.Run(tt.schema, func(t *testing.T) {
			s := schemaTable(tt.schema).Get("it")
			for i, text := range append(append([]string{}, tt.good...), tt.bad...) {
				var v value.Value
				if err := json.Unmarshal([]byte(text), &v); err != nil {
					t.Fatal(err)
				}
				jsonErr := json.UnmarshalWith([]byte(text), &checked{s})
				itemErr := jsonErr
				if item, err := cbor.Marshal(v); err == nil { // it has no number beyond all float64
					itemErr = cbor.Unmarshal(item, &checked{s})
				}
				valueErr := value.Unmarshal(v, &checked{s})
				if good := i < len(tt.good); (jsonErr == nil) != good || (itemErr == nil) != good || (valueErr == nil) != good {
					t.Errorf("%s: JSON %v, CBOR %v, value %v", text, jsonErr, itemErr, valueErr)
				}
			}
		})
	}
}

// TestSchemaFaults checks that a text that is not a JSON Schema panics with its name and where it is wrong.
func TestSchemaFaults(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"type":"bogus"}`, `at /type: there is no type "bogus"`},
		{`{"type":["string",1]}`, "at /type/1: expected the name of a type"},
		{`{"type":7}`, "at /type: expected the name of a type, or a list of them"},
		{`{"items":{"minItems":-1}}`, "at /items/minItems: expected a count, not -1"},
		{`{"items":{"minLength":1.5}}`, "at /items/minLength: expected a count, not 1.5"},
		{`{"maxProperties":"1"}`, "at /maxProperties: expected a count"},
		{`{"minimum":"1"}`, "at /minimum: expected a number"},
		{`{"exclusiveMaximum":true}`, "at /exclusiveMaximum: expected a number"},
		{`{"multipleOf":0}`, "at /multipleOf: expected a number greater than 0"},
		{`{"required":"a"}`, "at /required: expected a list of strings"},
		{`{"required":[1]}`, "at /required: expected a list of strings"},
		{`{"dependentRequired":{"a":"b"}}`, "at /dependentRequired/a: expected a list of strings"},
		{`{"dependentSchemas":[]}`, "at /dependentSchemas: expected an object"},
		{`{"properties":{"a/b":1}}`, "at /properties/a~1b: expected a schema"},
		{`{"properties":[]}`, "at /properties: expected an object"},
		{`{"allOf":[true,{"anyOf":{}}]}`, "at /allOf/1/anyOf: expected a list of schemas"},
		{`{"not":null}`, "at /not: expected a schema"},
		{`{"enum":1}`, "at /enum: expected a list of values"},
		{`{"uniqueItems":"yes"}`, "at /uniqueItems: expected true or false"},
		{`{"pattern":1}`, "at /pattern: expected a pattern"},
		{`{"items":{"pattern":"a("}}`, `at /items/pattern: pattern "a(", offset 1: a ( without its ); write \(`},
		{`{"patternProperties":{"(?=a)/":{}}}`,
			`at /patternProperties/(?=a)~1: pattern "(?=a)/", offset 0: look-ahead is not supported but after ^ at the begin; ` +
				`write the pattern without it`},
		{`{"format":1}`, "at /format: expected a string"},
		{`{"$ref":1}`, "at /$ref: expected the name of a schema"},
		{`{"a":1`, "not JSON at offset 6"},
		{`{"a":1x}`, "not JSON at offset 7"},
		{`{} {}`, "not JSON at offset 3"},
		{`{"$ref":"none"}`, `no schema called "none"`},
	} {
		t.Run(tt.text, func(t *testing.T) {
			s := schema.New("it", tt.text, "of", `{"$ref":"it"}`)
			want := "schema: " + tt.want
			if !strings.HasPrefix(tt.want, "no schema") {
				want = strings.Replace(`schema: the schema "it": `+tt.want, ": at", " at", 1)
			}
			for _, name := range []string{"it", "of", "it"} {
				func() {
					defer func() {
						if got := recover(); got != want {
							t.Errorf("got %v, want %s", got, want)
						}
					}()
					_ = json.UnmarshalWith([]byte("1"), &checked{s.Get(name)})
				}()
			}
		})
	}
}

// TestSchemaDepth checks that what elements are compared by is read once, however deep they are.
func TestSchemaDepth(t *testing.T) {
	s := schema.New("it", `{"items":{"$ref":"it"},"uniqueItems":true}`).Get("it")
	reads := func(depth int) (n int) {
		text := strings.Repeat("[[[[]]],[[]],[],", depth) + "1" + strings.Repeat(",[1]]", depth)
		if err := json.UnmarshalWith([]byte(text), &counted{s, &n}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if few, many := reads(50), reads(500); many > 20*few {
		t.Errorf("%d values read, %d of a tenth", many, few)
	}
}

// TestSchemaParts checks that a schema decides the same when each schema in it has another part, which takes another way:
// of all values of the tests.
func TestSchemaParts(t *testing.T) {
	for _, tt := range schemaTests {
		d := stdjson.NewDecoder(strings.NewReader(tt.schema))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		text, err := stdjson.Marshal(withPart(v))
		if err != nil {
			t.Fatal(err)
		}
		alone, parted := schemaTable(tt.schema).Get("it"), schemaTable(string(text)).Get("it")
		for _, other := range schemaTests {
			for _, text := range append(append([]string{}, other.good...), other.bad...) {
				want, got := json.UnmarshalWith([]byte(text), &checked{parted}), json.UnmarshalWith([]byte(text), &checked{alone})
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s\nof %s: %v, with another part %v", tt.schema, text, got, want)
				}
			}
		}
	}
}

// withPart adds a part that says nothing to a schema and those in it.
func withPart(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return map[string]any{"allOf": []any{v}}
	}
	for name, x := range m {
		switch x := x.(type) {
		case map[string]any:
			switch name {
			case "properties", "patternProperties", "dependentSchemas":
				for k, s := range x {
					x[k] = withPart(s)
				}
			case "const", "dependentRequired":
			default:
				m[name] = withPart(x)
			}
		case []any:
			if slices.Contains([]string{"allOf", "anyOf", "oneOf", "prefixItems"}, name) {
				for i := range x {
					x[i] = withPart(x[i])
				}
			}
		}
	}
	all, _ := m["allOf"].([]any)
	m["allOf"] = append(all, true)
	return m
}

// The error for elements that are counted says which bound is broken.
func TestContainsErrors(t *testing.T) {
	s := schema.New("it", `{"contains":{"const":1},"minContains":2,"maxContains":3}`).Get("it")
	for text, want := range map[string]string{
		`[1,0]`:     "json: at offset 0: must contain at least 2 elements as the document says",
		`[1,1,1,1]`: "json: at offset 0: must contain at most 3 elements as the document says",
	} {
		if err := json.UnmarshalWith([]byte(text), &checked{s}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// checked reads a value that a schema must allow.
type checked struct{ s *schema.Schema }

func (c checked) UnmarshalWeft(d *weft.Decoder) error { return c.read(d.Reader()) }
func (c checked) ReadMsgpack(r *msgpack.Reader) error { return c.read(r) }

func (c checked) read(r backend.Reader) error {
	r.Refuse(c.s.Check(r))
	r.Skip()
	return r.Err()
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	d := stdjson.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	b, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An error says where the value breaks which rule.
func TestSchemaError(t *testing.T) {
	s := schema.New("it", `{"properties":{"a":{"items":{"minimum":1}},"u":{"prefixItems":[true],"unevaluatedItems":false},`+
		`"c":{"properties":{"d":true},"unevaluatedProperties":false},`+
		`"e":{"oneOf":[{"required":["p"]},{"required":["q","r"]},{"required":["s"]}]},"n":{"anyOf":[{"required":["p"],`+
		`"properties":{"p":{"const":1}}},`+
		`{"required":["q"]}]}},"not":{"required":["b"]}}`).Get("it")
	for _, tt := range []struct{ text, want, place string }{
		{`{"a":[1, 0]}`, "must be at least 1, not 0", "at /a/1, offset 9: "},
		{`{"b":1}`, `must not match the schema of "not"`, "at offset 0: "},
		{`{"u":[1,2]}`, "unknown member", "at /u/1, offset 8: "},
		{`{"e":{"q":1}}`, `must have "p" or "q" and "r" or "s"`, "at /e, offset 5: "},
		{`{"e":{"p":1,"s":1}}`, `must have "p" or "q" and "r" or "s", and no other of them`, "at /e, offset 5: "},
		{`{"e":[]}`, "must match only one of the 3 schemas of a oneOf, not 3", "at /e, offset 5: "},
		{`{"n":{}}`, `must have "p" or "q"`, "at /n, offset 5: "},
		{`{"n":{"p":2}}`, "must be one of the values listed", "at /n/p, offset 10: "},
		{`{"c":{"d":1, "e" : 2}}`, "unknown member", "at /c/e, offset 19: "},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if err := json.UnmarshalWith([]byte(tt.text), &checked{s}); err == nil || err.Error() != "json: "+tt.place+tt.want {
				t.Error(err)
			}
			path, _, _ := strings.Cut(tt.place, ", offset")
			if err := msgpack.Read(packed(t, tt.text), checked{s}); err == nil ||
				!strings.HasPrefix(err.Error(), "msgpack: "+strings.TrimSuffix(path, ": ")) ||
				!strings.HasSuffix(err.Error(), ": "+tt.want) {
				t.Error(err)
			}
		})
	}
}

// counting counts the values that are looked at.
type counting struct {
	backend.Reader
	n *int
}

func (c counting) Kind() weft.Kind {
	*c.n++
	return c.Reader.Kind()
}

// counted is checked that counts.
type counted struct {
	s *schema.Schema
	n *int
}

func (c counted) UnmarshalWeft(d *weft.Decoder) error {
	return checked{c.s}.read(counting{d.Reader(), c.n})
}

// choosing reads nested choices as the parts of a recursive object do.
type choosing struct {
	s     *schema.Schema
	n     int
	picks []uint64
}

func (c *choosing) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	i, err := c.s.Match(counting{r, &c.n})
	if err != nil {
		return err
	}
	c.picks = append(c.picks, i)
	for ok := r.BeginMap(); ok; {
		var name string
		if name, ok = r.NextKey(); !ok {
			break
		}
		if name != "of" {
			r.Skip()
		} else if err := c.UnmarshalWeft(d); err != nil {
			return err
		}
	}
	return r.Err()
}

// However deep choices nest, values are looked at a fixed number of times.
func TestSchemaChoiceLinear(t *testing.T) {
	// Neither names nor kinds tell the two apart: only the leaf does.
	table := schema.New("tree", `{"anyOf":[
		{"type":"object","properties":{"of":{"$ref":"tree"},"leaf":{"type":"string"}}},
		{"type":"object","properties":{"of":{"$ref":"tree"},"leaf":{"type":"integer"}}}]}`)
	count := func(depth int) int {
		c := choosing{s: table.Choice("tree", "Tree", "A", "B")}
		text := strings.Repeat(`{"of":`, depth) + `{"leaf":1}` + strings.Repeat(`}`, depth)
		if err := json.UnmarshalWith([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		if len(c.picks) != depth+1 || c.picks[depth] != 2 {
			t.Fatalf("%d picks, the last %d", len(c.picks), c.picks[len(c.picks)-1])
		}
		return c.n
	}
	few, many := count(100), count(1000)
	if many > 11*few {
		t.Errorf("%d looks at 100 levels, %d at 1000", few, many)
	}
}

func TestSchemaMatch(t *testing.T) {
	table := schema.New(
		"one", `{"oneOf":[{"type":"object","required":["a"]},{"type":"object","required":["b"],"properties":{"c":{"items":{"type":"string"}}}}]}`,
		"any", `{"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"a":{},"b":{}}},{"type":"integer"}]}`)
	tests := []struct {
		name, text string
		want       uint64 // a bit for each
		err        string
	}{
		{"one", `{"a":1}`, 1, ""},
		{"one", `{"b":1}`, 2, ""},
		{"one", `{"a":1,"b":1,"c":[1]}`, 1, ""}, // only what is nested tells
		{"one", `{"a":1,"b":1}`, 3, ""},
		{"one", `{}`, 0, "must be a variant of U: A, B"},
		{"one", `7`, 0, "must be a variant of U: A, B"},
		{"any", `{"a":1}`, 3, ""},
		{"any", `{"a":1,"b":1}`, 3, ""},
		{"any", `7`, 4, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.text, func(t *testing.T) {
			c := picking{s: table.Choice(tt.name, "U", "A", "B", "B")} // two schemas of a B
			err := json.Unmarshal([]byte(tt.text), &c)
			if text := fmt.Sprint(err); c.all != tt.want || (err != nil) != (tt.err != "") || !strings.HasSuffix(text, tt.err) {
				t.Errorf("%s of %s: %d, %v", tt.text, tt.name, c.all, err)
			}
			var choice *weft.ChoiceError
			if tt.err != "" && !errors.As(err, &choice) {
				t.Errorf("%s: %T", tt.text, err)
			}
		})
	}
}

// TestOneOfBoolless: where booleans are the integers 0 and 1, one that may be
// both is the number if that matches one schema, or else the boolean.
func TestOneOfBoolless(t *testing.T) {
	table := schema.New(
		"two", `{"oneOf":[{"type":"string"},{"type":"boolean"},{"type":"integer"}]}`,
		"three", `{"oneOf":[{"type":"integer"},{"type":"boolean"},{"type":"number"}]}`,
		"enum", `{"oneOf":[{"enum":[1,2]},{"enum":[true]},{"type":"integer","maximum":0}]}`,
		"not", `{"oneOf":[{"multipleOf":2,"type":"integer"},{"multipleOf":3,"type":"integer"}]}`,
		"inner", `{"oneOf":[{"properties":{"a":{"oneOf":[{"type":"integer"},{"type":"boolean"}]}},"type":"object"},`+
			`{"properties":{"a":{"type":"string"}},"type":"object"},false]}`)
	tests := []struct {
		name string
		v    any
		one  bool
	}{
		{"two", true, true}, {"two", 1, true}, {"two", 5, true}, {"two", "1", true},
		{"three", true, true}, {"three", false, true}, {"three", 5, false}, {"three", 1.5, true},
		{"enum", true, true}, {"enum", 0, true}, {"enum", 2, true},
		{"not", 0, false}, {"not", 2, true},
		{"inner", map[string]any{"a": true}, true}, {"inner", map[string]any{"a": "x"}, true},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %v", tt.name, tt.v), func(t *testing.T) {
			b, err := tagged.Marshal(tt.v, tagged.BoolsAsInts(true))
			if err != nil {
				t.Fatal(err)
			}
			if err := tagged.Unmarshal(b, &checked{table.Get(tt.name)}); (err == nil) != tt.one {
				t.Errorf("%v of %s: %v", tt.v, tt.name, err)
			}
		})
	}
}

type picking struct {
	s   *schema.Schema
	all uint64
}

func (p *picking) UnmarshalWeft(d *weft.Decoder) (err error) {
	r := d.Reader()
	p.all, err = p.s.Match(r)
	r.Refuse(err)
	r.Skip()
	return r.Err()
}
