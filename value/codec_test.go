package value_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/value"
)

func num(text string) value.Value {
	v, err := value.Number(text)
	if err != nil {
		panic(err)
	}
	return v
}

func member(name string, v value.Value) value.Member { return value.Member{Name: name, Value: v} }

// TestReadJSON checks the kind and the text of what is read from JSON.
func TestReadJSON(t *testing.T) {
	tests := []struct {
		text string
		want value.Value
	}{
		{`null`, value.Null()}, {` true `, value.Bool(true)}, {`false`, value.Bool(false)},
		{`0`, value.Int(0)}, {`-1`, value.Int(-1)}, {`9223372036854775807`, value.Int(math.MaxInt64)},
		{`9223372036854775808`, value.Uint(1 << 63)}, {`18446744073709551615`, value.Uint(math.MaxUint64)},
		{`18446744073709551616`, num("18446744073709551616")}, {`-9223372036854775808`, value.Int(math.MinInt64)},
		{`-9223372036854775809`, num("-9223372036854775809")}, {`123456789012345678901234567890`, num("123456789012345678901234567890")},
		{`-0`, value.Float(math.Copysign(0, -1))}, {`1.0`, value.Float(1)}, {`0.10`, value.Float(0.1)}, {`-2.5e-3`, value.Float(-0.0025)},
		{`1E5`, value.Float(1e5)}, {`1e+2`, value.Float(100)}, {`1e400`, num("1e400")}, {`-1e400`, num("-1e400")}, {`1e-400`, num("1e-400")},
		{`1e99999999999999999999`, num("1e99999999999999999999")}, {`0e99999999999999999999`, value.Float(0)}, {`0e401`, value.Float(0)},
		{`1.7976931348623157e308`, value.Float(math.MaxFloat64)}, {`1.7976931348623159e308`, num("1.7976931348623159e308")},
		{`0.12345678901234567`, value.Float(0.12345678901234567)}, {`0.123456789012345678`, num("0.123456789012345678")},
		{`1000000000000000000000000.5`, num("1000000000000000000000000.5")}, {`2.5e-320`, num("2.5e-320")},
		{`12345678901234567890`, value.Uint(12345678901234567890)}, {`99999999999999999999`, num("99999999999999999999")},
		{`"x\n\u00e9"`, value.String("x\né")}, {`""`, value.String("")},
		{`[]`, value.List()}, {`[1,[2,[]]]`, value.List(value.Int(1), value.List(value.Int(2), value.List()))},
		{`{}`, value.Map()}, {`{"b":1,"a":{"":null}}`, value.Map(member("b", value.Int(1)), member("a", value.Map(member("", value.Null()))))},
		{`{"b":1,"a":2,"b":3}`, value.Map(member("b", value.Int(3)), member("a", value.Int(2)))},
		{`[{"x":1,"y":2},{"x":3,"y":4},{"y":5,"x":6}]`, value.List(value.Map(member("x", value.Int(1)), member("y", value.Int(2))),
			value.Map(member("x", value.Int(3)), member("y", value.Int(4))), value.Map(member("y", value.Int(5)), member("x", value.Int(6))))},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var v value.Value
			if err := json.Unmarshal([]byte(tt.text), &v); err != nil || v.GoString() != tt.want.GoString() {
				t.Errorf("%#v, %v, want %#v", v, err, tt.want)
			}
		})
	}
	for _, bad := range []string{
		``, `{`, `[1`, `{"a"}`, `{"a":}`, `[1,]`, `01`, `-`, `1.`, `1e`, `nul`, `"`, `"\x"`, `{"a":1,}`, `[1 2]`,
		`1 2`, `{1:2}`,
	} {
		v := value.Int(7)
		if err := json.Unmarshal([]byte(bad), &v); err == nil || !v.Equal(value.Int(7)) {
			t.Errorf("%s: %v, %v", bad, v, err)
		}
	}
	deep := strings.Repeat("[", 20000)
	if err := json.Unmarshal([]byte(deep+strings.Repeat("]", 20000)), new(value.Value)); err == nil {
		t.Error("a text too deep is read")
	}
}

// TestMany checks duplicates and order in large objects.
func TestMany(t *testing.T) {
	for _, n := range []int{9, 64, 65, 1000} {
		var b []byte
		var want []string
		for i := range n {
			b = fmt.Appendf(b, `,"k%d":%d`, n-i, i)
			want = append(want, fmt.Sprintf("k%d", n-i))
		}
		for _, tail := range []string{"", `,"k1":0`} {
			text := append(append([]byte("{"), b[1:]...), tail+"}"...)
			var v value.Value
			if err := json.Unmarshal(text, &v); err != nil || v.Len() != n {
				t.Fatalf("%d members: %d, %v", n, v.Len(), err)
			}
			for i := range n {
				x, ok := v.Get(want[i])
				wantInt := int64(i)
				if i == n-1 && tail != "" {
					wantInt = 0
				}
				if v.Name(i) != want[i] || !ok || !x.Equal(value.Int(wantInt)) {
					t.Fatalf("%d members: %s is %v", n, v.Name(i), x)
				}
			}
		}
	}
}

// random returns a value that JSON can say where json is set, else any.
func random(r *rand.Rand, depth int, json bool) value.Value {
	n := r.IntN(15)
	if depth == 0 {
		n = r.IntN(11)
	}
	switch n {
	case 0:
		return value.Null()
	case 1:
		return value.Bool(r.IntN(2) == 0)
	case 2, 3:
		return value.Int(r.Int64N(1000) - 500)
	case 4:
		return value.Int(int64(r.Uint64()))
	case 5:
		return value.Uint(r.Uint64() | 1<<63)
	case 6:
		return value.Float(float64(r.IntN(1000))/7 + 0.001)
	case 7:
		return value.String(strings.Repeat("é\"\x01ab", r.IntN(5)))
	case 8:
		if !json {
			return value.Bytes(bytes.Repeat([]byte{0xff}, r.IntN(300)))
		}
		return num("1e999")
	case 9:
		if !json {
			return value.Time(time.Unix(r.Int64N(1<<40)-1<<39, r.Int64N(1e9)))
		}
		return value.String("t")
	case 10:
		if !json {
			return value.Ext(r.Int64N(100), bytes.Repeat([]byte{1}, r.IntN(20)))
		}
		return value.Null()
	case 11, 12:
		elems := make([]value.Value, r.IntN(20))
		for i := range elems {
			elems[i] = random(r, depth-1, json)
		}
		return value.List(elems...)
	}
	ms := make([]value.Member, r.IntN(20))
	for i := range ms {
		ms[i] = member(string(rune('a'+r.IntN(26)))+strings.Repeat("x", r.IntN(3)), random(r, depth-1, json))
	}
	return value.Map(ms...)
}

// TestRoundTrip writes and reads values in each format: order, kinds and digits are
// kept.
func TestRoundTrip(t *testing.T) {
	for _, f := range []weft.StreamFormat{json.Format, msgpack.Format} {
		r := rand.New(rand.NewPCG(7, 7))
		for range 400 {
			v := random(r, 4, f.Name() == "json")
			b, err := f.MarshalAppend(nil, v)
			if err != nil {
				t.Fatalf("%s: %v: %v", f.Name(), v, err)
			}
			var w value.Value
			if err := f.Unmarshal(b, &w); err != nil {
				t.Fatalf("%s: %v: %v", f.Name(), v, err)
			}
			if !w.Equal(v) || w.String() != v.String() && !strings.Contains(v.String(), "T") {
				t.Fatalf("%s: %v\ncame back as\n%v", f.Name(), v, w)
			}
			again, err := f.MarshalAppend(nil, w)
			if err != nil || !bytes.Equal(again, b) {
				t.Fatalf("%s: %s\nwritten again is\n%s, %v", f.Name(), b, again, err)
			}
			if f.Name() == "json" {
				var std any
				if err := stdjson.Unmarshal(b, &std); err != nil && !strings.Contains(string(b), "1e999") {
					t.Fatalf("encoding/json: %s: %v", b, err)
				}
			}
		}
	}
}

// record has values in a struct.
type record struct {
	ID   int           `json:"id"`
	Data value.Value   `json:"data"`
	More []value.Value `json:"more"`
	Opt  value.Value   `json:"opt,omitzero"`
	Ptr  *value.Value  `json:"ptr"`
}

func TestField(t *testing.T) {
	x := value.List(value.Int(1), value.String("a"))
	in := record{ID: 1, Data: value.Map(member("k", value.Uint(math.MaxUint64))), More: []value.Value{value.Null(), x}, Ptr: &x}
	for _, f := range []weft.StreamFormat{json.Format, msgpack.Format} {
		b, err := f.MarshalAppend(nil, &in)
		if err != nil {
			t.Fatal(err)
		}
		var out record
		if err := f.Unmarshal(b, &out); err != nil || !out.Data.Equal(in.Data) ||
			!value.List(out.More...).Equal(value.List(in.More...)) || !out.Ptr.Equal(x) {
			t.Errorf("%s: %+v, %v", f.Name(), out, err)
		}
		if f.Name() == "json" && string(b) != `{"id":1,"data":{"k":18446744073709551615},"more":[null,[1,"a"]],"ptr":[1,"a"]}` {
			t.Errorf("%s", b)
		}
	}
	var r record
	err := json.Unmarshal([]byte(`{"id":1,"data":{"a":[1,{"b":tru}]}}`), &r)
	if err == nil {
		t.Error("bad JSON in a field is read")
	}
}

// TestExt checks what each format says to kinds that it does not have.
func TestExt(t *testing.T) {
	v := value.Map(member("e", value.Ext(5, []byte("abc"))))
	if _, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "/e: the format has no such extension") {
		t.Errorf("an extension in JSON: %v", err)
	}
	if _, err := msgpack.Marshal(value.Ext(1000, nil)); err == nil {
		t.Error("an extension of a type beyond 8 bits in MessagePack")
	}
	if _, err := json.Marshal(value.List(value.Float(math.NaN()))); err == nil {
		t.Error("NaN in JSON")
	}
	b, err := msgpack.Marshal(v)
	var w value.Value
	if err != nil || msgpack.Unmarshal(b, &w) != nil || !w.Equal(v) {
		t.Errorf("%v, %v", w, err)
	}
	b, err = msgpack.Marshal(num("12345678901234567890123"))
	if err != nil || msgpack.Unmarshal(b, &w) != nil || !w.Equal(value.String("12345678901234567890123")) {
		t.Errorf("a big number in MessagePack: %x, %v, %v", b, w, err)
	}
	out, err := json.Marshal(value.List(value.Bytes([]byte("hi")), value.Bytes(nil), value.Time(time.Unix(0, 5).UTC()), value.String("<")))
	if err != nil || string(out) != `["aGk=","","1970-01-01T00:00:00.000000005Z","\u003c"]` {
		t.Errorf("%s, %v", out, err)
	}
	// Names in MessagePack that are not strings.
	if err := msgpack.Unmarshal([]byte{0x81, 0x05, 0xc3}, &w); err != nil || w.String() != `{"5":true}` {
		t.Errorf("%v, %v", w, err)
	}
}

// holder passes a value on by the protocol.
type holder struct{ v value.Value }

func (h holder) MarshalWeft(e *weft.Encoder) error    { return e.Marshal(h.v) }
func (h *holder) UnmarshalWeft(d *weft.Decoder) error { d.Unmarshal(&h.v); return d.Err() }

func TestProtocol(t *testing.T) {
	in := holder{value.Map(member("a", value.List(value.Uint(1), value.Bytes([]byte("x")), num("1e999"))))}
	v, err := value.Marshal([]holder{in})
	if err != nil || !v.At(0).Equal(in.v) || v.At(0).GoString() != in.v.GoString() {
		t.Errorf("%#v, %v", v, err)
	}
	var out []holder
	if err := value.Unmarshal(v, &out); err != nil || !out[0].v.Equal(in.v) {
		t.Errorf("%v, %v", out, err)
	}
	b, err := weft.Transcode(nil, msgpack.Format, []byte(`{"a":[1,"x"]}`), json.Format)
	var w value.Value
	if err != nil || msgpack.Unmarshal(b, &w) != nil || w.String() != `{"a":[1,"x"]}` {
		t.Errorf("%v, %v", w, err)
	}
}

// TestAlias reads with strings that point into the input, which changes afterwards:
// values read from other inputs do not.
func TestAlias(t *testing.T) {
	text := []byte(`{"first":"x","second":1}`)
	var v value.Value
	if err := json.Format.Unmarshal(text, &v, weft.AliasInput(true)); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] = '#'
	}
	if err := json.Unmarshal([]byte(`{"first":"y","second":2}`), &v); err != nil || v.String() != `{"first":"y","second":2}` {
		t.Errorf("%v, %v", v, err)
	}
}

// TestAliasText looks where the texts of a Value stand: those that are in the input as
// they are change with it, and no others.
func TestAliasText(t *testing.T) {
	alias := weft.AliasInput(true)
	long := strings.Repeat("long", 20000)
	text := `{"plain":"abcd","escaped":"a\u0062\ncd","list":["ab",1.5,true],"number":1e999,"long":"` + long +
		`","empty":"","big":123456789012345678}`
	check := func(name string, in []byte, unmarshal func([]byte, any) error, moved ...string) {
		t.Helper()
		var v, want value.Value
		if err := unmarshal(bytes.Clone(in), &want); err != nil {
			t.Fatal(name, err)
		}
		if err := unmarshal(in, &v); err != nil || !v.Equal(want) || v.Hash() != want.Hash() || v.String() != want.String() {
			t.Fatalf("%s: %v, %v", name, v, err)
		}
		for i, c := range in {
			if 'a' <= c && c <= 'z' {
				in[i] = c ^ 0x20 // upper case
			}
		}
		for name, x := range v.Members() {
			was, _ := want.Get(name)
			if x.Equal(was) == slices.Contains(moved, name) {
				t.Errorf("%s is %.40v now, was %.40v", name, x, was)
			}
		}
	}
	check("json", []byte(text), func(b []byte, v any) error { return json.UnmarshalWith(b, v, alias) }, "plain", "list", "long")
	packed, err := msgpack.Marshal(map[string]any{
		"plain": "abcd",
		"bytes": []byte("abcd"),
		"ext":   msgpack.Ext{Type: 5, Data: []byte("abcd")},
		"n":     5,
		"long":  long,
	})
	if err != nil {
		t.Fatal(err)
	}
	check("msgpack", packed, func(b []byte, v any) error { return msgpack.Unmarshal(b, v, alias) }, "plain", "bytes", "ext", "long")
	// What is not UTF-8 is repaired, and so not in the input.
	check("bad UTF-8", []byte("{\"a\":\"ab\xff\",\"b\":\"cd\"}"), func(b []byte, v any) error { return json.UnmarshalWith(b, v, alias) })
	// The buffer of a stream is used again.
	for _, f := range []weft.StreamFormat{json.Format, msgpack.Format} {
		var in bytes.Buffer
		for i := range 2000 {
			if err := f.MarshalWrite(&in, map[string]string{"s": strings.Repeat(string(rune('a'+i%26)), 50)}); err != nil {
				t.Fatal(err)
			}
		}
		dec := f.NewDecoder(&in, alias)
		var values []value.Value
		var plain []string
		for i := range 2000 {
			var v value.Value
			var p struct {
				S string `json:"s"`
			}
			into := any(&v)
			if i%2 == 1 {
				into = &p
			}
			if err := dec.Decode(into); err != nil {
				t.Fatal(err)
			}
			values, plain = append(values, v), append(plain, p.S)
		}
		for i, v := range values {
			s, _ := v.Lookup("s")
			text, _ := s.Text()
			if i%2 == 1 {
				text = plain[i]
			}
			if want := strings.Repeat(string(rune('a'+i%26)), 50); text != want {
				t.Fatalf("%s: %d is %q", f.Name(), i, text)
			}
		}
	}
}

// TestLarge reads what is too large for the fields of a cell.
func TestLarge(t *testing.T) {
	const n = 70000
	var list, names, shapes []byte
	for i := range n {
		list = fmt.Appendf(list, ",%d", i)
		names = fmt.Appendf(names, `,"k%d":[%d]`, i, i)
		shapes = fmt.Appendf(shapes, `,{"x%d":{"y":%d}}`, i, i)
	}
	long := strings.Repeat("x\u00e9", n)
	text := fmt.Sprintf(`{"list":[%s],"map":{%s},"shapes":[%s],"plain":"%s","long":"%s","number":1%s}`,
		list[1:], names[1:], shapes[1:], strings.Repeat("y", n), long, strings.Repeat("0", n))
	var v value.Value
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, want string }{
		{"list[69999]", "69999"}, {"map.k65536[0]", "65536"}, {"map.k69999[0]", "69999"}, {"shapes[69999].x69999.y", "69999"},
		{"shapes[65535].x65535", `{"y":65535}`}, {"plain", strings.Repeat("y", n)}, {"long", strings.Repeat("xé", n)},
		{"number", "1" + strings.Repeat("0", n)},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if x, ok := v.Lookup(tt.path); !ok || x.String() != tt.want {
				t.Errorf("%s: %.50v", tt.path, x)
			}
		})
	}
	b, err := json.Marshal(v)
	if err != nil || string(b) != strings.ReplaceAll(text, `\u00e9`, "é") {
		t.Errorf("%.50s, %v", b, err)
	}
	if v, err = v.Without("number"); err != nil {
		t.Fatal(err)
	}
	packed, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var w value.Value
	if err := msgpack.Unmarshal(packed, &w); err != nil || !w.Equal(v) {
		t.Errorf("%.50v came back, %v", w, err)
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null,true],"b":{"a":1e400}}`, `[[],{}]`, `-0`, `{"a":1,"a":2}`, `12345678901234567890.5e-3`} {
		f.Add([]byte(s))
	}
	long := strings.Repeat("long ", 60)
	f.Add([]byte(`{"a":[{"b":["` + long + `",{"c":"` + long + `"}, "` + long + `"]}],"d":"` + long + `"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var v value.Value
		err := json.Unmarshal(text, &v)
		if valid := stdjson.Valid(text); valid != (err == nil) {
			t.Fatalf("valid %t: %v", valid, err)
		}
		if err != nil {
			return
		}
		var alias value.Value
		if err := json.UnmarshalWith(text, &alias, weft.AliasInput(true)); err != nil || alias.GoString() != v.GoString() {
			t.Fatalf("%v, %v as parts of the input", alias, err)
		}
		d := stdjson.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var std any
		if err := d.Decode(&std); err != nil {
			t.Fatal(err)
		}
		want, err := value.Marshal(std)
		if err != nil {
			t.Fatal(err)
		}
		if !closeTo(v, want) {
			t.Fatalf("%v, want %v", v, want)
		}
		var lazy value.Value
		if err := json.UnmarshalWith(text, &lazy, json.LazyValues(true)); err != nil || lazy.GoString() != v.GoString() {
			t.Fatalf("lazy %#v, want %#v", lazy, v)
		}
		var slow value.Value // read token by token
		if err := slow.UnmarshalJSON(text); err == nil && slow.GoString() != v.GoString() {
			t.Fatalf("%#v, want %#v", v, slow)
		}
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var again value.Value
		if err := json.Unmarshal(out, &again); err != nil || !closeTo(v, again) {
			t.Fatalf("%v came back as %v, %v", v, again, err)
		}
	})
}

// closeTo compares values where floats stand for the numbers they were read from: JSON
// writes 7e18 as an integer.
func closeTo(v, w value.Value) bool {
	switch {
	case v.Kind() == value.KindFloat:
		f, _ := w.Float()
		return v.Equal(value.Float(f))
	case v.Len() != w.Len() || v.Kind() != value.KindMap && v.Kind() != value.KindList:
		return v.Equal(w)
	case v.Kind() == value.KindList:
		for i, x := range v.All() {
			if !closeTo(x, w.At(i)) {
				return false
			}
		}
	}
	for name, x := range v.Members() {
		y, ok := w.Get(name)
		if !ok || !closeTo(x, y) {
			return false
		}
	}
	return true
}

// slowly is a Value that is read value by value, as from a format that makes no
// trees.
type slowly struct{ v value.Value }

type plainReader struct{ backend.Reader }

type extReader struct {
	plainReader
	ext interface{ Ext() (int8, []byte) }
}

func (r extReader) Ext() (int8, []byte) { return r.ext.Ext() }

func (s *slowly) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	var plain weft.Decoder
	plain.Over(plainReader{r})
	if ext, ok := r.(interface{ Ext() (int8, []byte) }); ok {
		plain.Over(extReader{plainReader{r}, ext})
	}
	return s.v.UnmarshalWeft(&plain)
}

// TestSlowly reads value by value.
func TestSlowly(t *testing.T) {
	text := []byte(`[{"a":1,"b":[2.5,"x",null,true,1e400]},{"a":-1,"b":{"c":{},"c":18446744073709551615}}]`)
	var v value.Value
	var s slowly
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &s); err != nil || s.v.GoString() != v.GoString() {
		t.Errorf("%#v, want %#v, %v", s.v, v, err)
	}
	list := value.List(v.At(1), value.Bytes([]byte("b")), value.Time(time.Unix(1, 2).UTC()), value.Ext(7, []byte("e")),
		value.Float(math.NaN()))
	packed, err := msgpack.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := msgpack.Unmarshal(packed, &s); err != nil || s.v.GoString() != list.GoString() {
		t.Errorf("%#v, want %#v, %v", s.v, list, err)
	}
}

func FuzzMsgpack(f *testing.F) {
	for _, v := range []any{
		map[string]any{"a": []any{1, 2.5, "x", nil, true, []byte("b")}}, msgpack.Ext{Type: 3, Data: []byte("abc")},
		time.Unix(1, 2), uint64(math.MaxUint64),
	} {
		b, err := msgpack.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v value.Value
		var s slowly
		err := msgpack.Unmarshal(b, &v)
		if slow := msgpack.Unmarshal(b, &s); (err == nil) != (slow == nil) || err == nil && v.GoString() != s.v.GoString() {
			t.Fatalf("%v, %#v\nvalue by value %v, %#v", err, v, slow, s.v)
		}
		if err != nil {
			return
		}
		var alias value.Value
		if err := msgpack.Unmarshal(b, &alias, weft.AliasInput(true)); err != nil || alias.GoString() != v.GoString() {
			t.Fatalf("%v, %v as parts of the input", alias, err)
		}
		out, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var again value.Value
		if err := msgpack.Unmarshal(out, &again); err != nil || !again.Equal(v) {
			t.Fatalf("%v came back as %v, %v", v, again, err)
		}
	})
}

// document is about what web services answer with.
func document() []byte {
	if p := os.Getenv("WEFT_DOCUMENT"); p != "" {
		b, err := os.ReadFile(filepath.Clean(p))
		if err != nil {
			panic(err)
		}
		return b
	}
	var list []map[string]any
	for i := range 300 {
		list = append(list, map[string]any{
			"id": i * 7919, "name": fmt.Sprintf("user %d", i), "active": i%3 == 0, "score": float64(i) / 7,
			"tags": []string{"alpha", "beta", "gamma"},
			"address": map[string]any{
				"street": "Long Road 5",
				"city":   "Springfield",
				"zip":    "12345",
				"geo":    []float64{48.1374 + float64(i)/100, 11.5755},
			},
			"note": nil, "text": strings.Repeat("some words ", i%9),
		})
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return b
}

func BenchmarkFormats(b *testing.B) {
	text := document()
	var v value.Value
	var a any
	if err := json.Unmarshal(text, &v); err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(text, &a); err != nil {
		b.Fatal(err)
	}
	pack, err := msgpack.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("read json/value", func() error { var v value.Value; return json.Unmarshal(text, &v) })
	run("read json/any", func() error { var v any; return json.Unmarshal(text, &v) })
	run("read json/encoding-json any", func() error { var v any; return stdjson.Unmarshal(text, &v) })
	run("read msgpack/value", func() error { var v value.Value; return msgpack.Unmarshal(pack, &v) })
	run("read msgpack/any", func() error { var v any; return msgpack.Unmarshal(pack, &v) })
	run("write json/value", func() error { _, err := json.Marshal(v); return err })
	run("write json/any", func() error { _, err := json.Marshal(a); return err })
	run("write msgpack/value", func() error { _, err := msgpack.Marshal(v); return err })
	run("write msgpack/any", func() error { _, err := msgpack.Marshal(a); return err })
	run("json to msgpack/value", func() error {
		var v value.Value
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		_, err := msgpack.Marshal(v)
		return err
	})
	run("json to msgpack/any", func() error {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		_, err := msgpack.Marshal(v)
		return err
	})
}
