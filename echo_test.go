package weft_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// echoed has fields that refuse long texts.
type echoed struct {
	Bool     bool
	Int      int
	Float    float64
	Text     string      `check:"maxLength=3"`
	Match    string      `check:"pattern=^b"`
	Enum     string      `check:"enum=a|b"`
	Mail     string      `check:"format=email"`
	Number   json.Number `check:"maximum=3"`
	Time     time.Time
	Span     time.Duration
	Addr     netip.Addr
	Bytes    []byte
	Option   opt.Null[int]
	List     []int
	Ints     map[int]int
	Addrs    map[netip.Addr]int
	Nested   struct{ A int }
	Complete [16]byte
}

// TestEchoes checks that errors do not repeat long parts of the input, but for the path.
func TestEchoes(t *testing.T) {
	const n = 1 << 17
	long := strings.Repeat("a", n)
	texts := map[string]value.Value{
		"text": value.String(long), "digits": value.String(strings.Repeat("1", n)), "base64": value.String(long + "*"),
		"bytes":  value.Bytes([]byte(long)),
		"quoted": value.String(strings.Repeat("\x01", n)), "UTF-8": value.String(strings.Repeat("ä", n/2)),
	}
	if x, err := value.Number(strings.Repeat("1", n)); err == nil {
		texts["number"] = x
	}
	fields := []string{"Bool", "Int", "Float", "Text", "Match", "Enum", "Mail", "Number", "Time", "Span", "Addr", "Bytes", "Option", "List",
		"Ints", "Addrs", "Nested", "Complete"}
	for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format, tagged.Format, tagged.Framed} {
		for name, x := range texts {
			for _, field := range fields {
				for _, v := range []value.Value{
					value.Map(value.Member{Name: field, Value: x}),
					value.Map(value.Member{Name: field, Value: value.List(x)}),
				} {
					b, err := f.MarshalAppend(nil, v)
					if err != nil {
						short(t, f.Name()+" writing "+name, err)
						continue
					}
					var into echoed
					short(t, f.Name()+" "+name+" into "+field, f.Unmarshal(b, &into))
					short(t, f.Name()+" "+name+" into "+field, f.Unmarshal(b, &into, weft.AllViolations(true)))
				}
			}
		}
	}
	name := strings.Repeat("b", n)
	for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format} {
		for _, v := range []value.Value{
			value.Map(value.Member{Name: name, Value: value.Int(1)}),
			value.Map(value.Member{Name: "Ints", Value: value.Map(value.Member{Name: name, Value: value.Int(1)})}),
			value.Map(value.Member{Name: "Addrs", Value: value.Map(value.Member{Name: name, Value: value.Int(1)})}),
			value.Map(value.Member{Name: "Map", Value: value.Map(value.Member{Name: name, Value: value.Map()})}),
		} {
			b, err := f.MarshalAppend(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			var into struct {
				echoed
				Map map[string]string
			}
			short(t, f.Name()+" name", f.Unmarshal(b, &into, weft.RejectUnknown(true)))
			short(t, f.Name()+" name", f.Unmarshal(b, &into, weft.AllViolations(true)))
		}
		short(t, f.Name()+" cut", f.Unmarshal([]byte("{"+name), new(any)))
	}
	for _, text := range []string{`{"` + name + `":1,"` + name + `":2}`, `{"` + name + `":]}`, strings.Repeat("1", n) + "x",
		`["\ud800` + name + `"]`,
		name, "[1e" + strings.Repeat("9", n) + "]", strings.Repeat("1", n)} {
		short(t, "json.V2", json.UnmarshalWith([]byte(text), new(any), json.V2()))
		short(t, "json.V2 of an integer", json.UnmarshalWith([]byte(text), new(int), json.V2()))
		short(t, "jsontext", jsontext.NewDecoder(strings.NewReader(text)).SkipValue())
		var v value.Value
		short(t, "value", json.UnmarshalWith([]byte(text), &v, weft.RejectDuplicates(true)))
		_, err := value.Number(text)
		short(t, "number", err)
		_, err = v.With(name+"[", v)
		short(t, "path", err)
		_, err = value.Map().With("a."+name+"[7]", v)
		short(t, "path", err)
	}
	s := schema.New("it",
		`{"items":{"maximum":`+strings.Repeat("1", 400)+`,"enum":["a"]},"additionalProperties":false,"maxLength":3}`).Get("it")
	for _, text := range []string{"[" + strings.Repeat("1", n) + "]", `{"` + name + `":1}`, `"` + name + `"`} {
		short(t, "schema", json.UnmarshalWith([]byte(text), &checkedBy{s}))
	}
}

type checkedBy struct{ s *schema.Schema }

func (c *checkedBy) UnmarshalWeft(d *weft.Decoder) error { return c.s.Check(d.Reader()) }

// short checks that err has at most 2500 bytes.
func short(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil && len(err.Error()) > 2500 {
		t.Errorf("%s: %d bytes: %.100s", what, len(err.Error()), err)
	}
}
