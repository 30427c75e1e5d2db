package tagged_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	wjson "github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// exactValue returns a value of any kind, nested as deep as depth.
func exactValue(r *rand.Rand, depth int) value.Value {
	kinds := 11
	if depth > 0 {
		kinds = 16
	}
	switch r.IntN(kinds) {
	case 0:
		return value.Null()
	case 1:
		return value.Bool(r.IntN(2) == 0)
	case 2:
		return value.Int(int64(r.Uint64()) >> r.IntN(64))
	case 3:
		return value.Uint(r.Uint64() >> r.IntN(64))
	case 4:
		return value.Float(r.NormFloat64())
	case 5:
		return value.Float([]float64{0, math.Copysign(0, -1), 1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324}[r.IntN(8)])
	case 6:
		v, err := value.Number([]string{"0", "-0", "1.0", "1e400", "18446744073709551616", "0.1234567890123456789"}[r.IntN(6)])
		if err != nil {
			panic(err)
		}
		return v
	case 7:
		return value.String([]string{"", "x", "日本語😀", "*", "2026-01-02", "\x00"}[r.IntN(6)])
	case 8:
		return value.Bytes([]byte("\x00\xffbytes")[:r.IntN(8)])
	case 9:
		at := time.Unix(r.Int64N(1<<40)-1<<39, r.Int64N(1e9)).UTC()
		if r.IntN(2) == 0 {
			at = at.In(time.FixedZone("", r.IntN(2*43200)-43200))
		}
		return value.Time(at)
	case 10:
		return value.Float32(float32(r.NormFloat64()))
	case 11, 12:
		list := make([]value.Value, r.IntN(4))
		for i := range list {
			list[i] = exactValue(r, depth-1)
		}
		return value.List(list...)
	}
	// Names in any order; two of them have one hash, and one is the format's own.
	names := []string{"priceIndex", "roleCreated", "*", "a", "b", "", "é"}
	r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	var members []value.Member
	for _, name := range names[:r.IntN(len(names))] {
		members = append(members, value.Member{Name: name, Value: exactValue(r, depth-1)})
	}
	if r.IntN(20) == 0 {
		for i := range 40 {
			members = append(members, value.Member{Name: fmt.Sprint("k", i*r.IntN(3), "_", i), Value: exactValue(r, 0)})
		}
	}
	return value.Map(members...)
}

// TestFramedValues: frames keep every kind of value, and the order of members.
func TestFramedValues(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	type row struct {
		V value.Value
		P *value.Value
		L []value.Value
		M map[string]value.Value
		A any
	}
	for seed := range uint64(rounds) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		list := make([]value.Value, rnd.IntN(40))
		for i := range list {
			list[i] = exactValue(rnd, 4)
		}
		same := func(what string, got []value.Value, err error) {
			t.Helper()
			if err != nil || len(got) != len(list) {
				t.Fatalf("seed %d, %s: %d of %d values, %v", seed, what, len(got), len(list), err)
			}
			for i := range got {
				if g, w := got[i].GoString(), list[i].GoString(); g != w {
					t.Fatalf("seed %d, %s: value %d is\n%s, want\n%s", seed, what, i, g, w)
				}
			}
		}
		b, err := tagged.MarshalFramed(list)
		if err != nil {
			t.Fatal(err)
		}
		var back []value.Value
		same("a slice", back, tagged.UnmarshalFramed(b, &back))
		same("a slice", back, nil)

		var one value.Value
		err = tagged.UnmarshalFramed(b, &one)
		var elems []value.Value
		for i := range one.Len() {
			elems = append(elems, one.At(i))
		}
		same("one value", elems, err)

		var out bytes.Buffer
		e := tagged.NewFrameEncoder(&out)
		for i := range list {
			if err := e.Encode(list[i]); err != nil {
				t.Fatal(err)
			}
			if rnd.IntN(9) == 0 {
				if err := e.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		d := tagged.NewFrameDecoder(&out)
		back = nil
		for {
			var v value.Value
			if err = d.Decode(&v); err != nil {
				break
			}
			back = append(back, v)
		}
		if err == io.EOF {
			err = nil
		}
		same("a stream", back, err)

		rows := make([]row, len(list))
		for i, v := range list {
			rows[i] = row{V: v, P: &v, L: []value.Value{v, v}, M: map[string]value.Value{"k": v}, A: v}
		}
		if b, err = tagged.MarshalFramed(rows); err != nil {
			t.Fatal(err)
		}
		var typed []row
		err = tagged.UnmarshalFramed(b, &typed)
		columns := make([][]value.Value, 5)
		for i, r := range typed {
			if r.P == nil { // of a null
				r.P = new(value.Value)
			}
			for k, v := range []value.Value{r.V, *r.P, r.L[0], r.L[1], r.M["k"]} {
				columns[k] = append(columns[k], v)
			}
			if got, want := plain(r.A), plain(list[i].Interface()); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: an any is %#v, want %#v", seed, got, want)
			}
		}
		for k, c := range columns {
			same(fmt.Sprint("column ", k), c, err)
		}
		var whole []value.Value
		if err := tagged.UnmarshalFramed(b, &whole); err != nil {
			t.Fatal(err)
		}
		for i, v := range whole {
			if x, ok := v.Get("V"); !ok || x.GoString() != list[i].GoString() {
				t.Fatalf("seed %d: a struct read as a value has %#v, want %#v", seed, x, list[i])
			}
		}
	}
}

// plain makes what is not equal to itself a text, in a copy.
func plain(v any) any {
	switch v := v.(type) {
	case float64:
		return fmt.Sprintf("float64 %x", math.Float64bits(v))
	case float32:
		return fmt.Sprintf("float32 %x", math.Float32bits(v))
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, plain(x))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = plain(x)
		}
		return out
	}
	return v
}

type boolWriter struct{ b bool }

func (w boolWriter) MarshalWeft(e *weft.Encoder) error { return e.Bool(w.b) }

type flagBool bool

// TestBooleans: a boolean of which no Go type says that it is one is kept in frames,
// and an error in messages unless an option lets it become an integer.
func TestBooleans(t *testing.T) {
	yes := true
	type anyField struct {
		X any `json:"x"`
	}
	type typed struct {
		B bool            `json:"b"`
		P *bool           `json:"p"`
		L []bool          `json:"l"`
		M map[string]bool `json:"m"`
		W boolWriter      `json:"w"`
	}
	tests := []struct {
		name  string
		v     any
		path  string // of the error, "ok" for none
		ints  string // as JSON, with the option
		exact string // as JSON, by frames
	}{
		{"alone", true, "ok", `1`, `true`},
		{"of a type of its own", flagBool(true), "ok", `1`, `true`},
		{"in an any", anyField{true}, "/x", `{"x":1}`, `{"x":true}`},
		{"false", anyField{false}, "/x", `{"x":0}`, `{"x":false}`},
		{"behind a pointer in an any", anyField{&yes}, "/x", `{"x":1}`, `{"x":true}`},
		{"of a type of its own in an any", anyField{flagBool(true)}, "/x", `{"x":1}`, `{"x":true}`},
		{"in a list", []any{1, []any{true}}, "/1/0", `[1,[1]]`, `[1,[true]]`},
		{"in a map", map[string]any{"a": true}, "/a", `{"a":1}`, `{"a":true}`},
		{"a value", value.Bool(true), "", `1`, `true`},
		{"in a value", value.Map(value.Member{Name: "m", Value: value.List(value.Bool(false))}), "/m/0", `{"m":[0]}`, `{"m":[false]}`},
		{"in a record", weft.Record{weft.Label("r", true), weft.Label("p", &yes)}, "ok", `{"p":1,"r":1}`, `{"p":true,"r":true}`},
		{"typed", typed{true, &yes, []bool{true}, map[string]bool{"m": false}, boolWriter{true}}, "ok",
			`{"b":1,"l":[1],"m":{"m":0},"p":1,"w":1}`, `{"b":true,"l":[true],"m":{"m":false},"p":true,"w":true}`},
		{"typed in an any", anyField{typed{L: []bool{true}}}, "ok",
			`{"x":{"b":0,"l":[1],"m":null,"p":null,"w":0}}`, `{"x":{"b":false,"l":[true],"m":null,"p":null,"w":false}}`},
	}
	text := func(v any, err error) string {
		t.Helper()
		b, jerr := json.Marshal(v)
		if err != nil || jerr != nil {
			t.Error(err, jerr)
		}
		return string(b)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tagged.Marshal(tt.v)
			if e, ok := err.(*weft.Error); tt.path == "ok" && err != nil ||
				tt.path != "ok" && (!ok || e.Path != tt.path || !strings.Contains(err.Error(), "BoolsAsInts")) {
				t.Errorf("%v, want an error at %s", err, tt.path)
			}
			b, err := tagged.Marshal(tt.v, tagged.BoolsAsInts(true))
			if err != nil {
				t.Fatal(err)
			}
			var x any
			if got := text(x, tagged.Unmarshal(b, &x)); text(x, nil) != tt.ints {
				t.Errorf("%s as integers (%s), want %s", text(x, nil), got, tt.ints)
			}
			for _, v := range []any{tt.v, &tt.v} {
				if b, err = tagged.MarshalFramed(v); err != nil {
					t.Fatal(err)
				}
				x = nil
				if err := tagged.UnmarshalFramed(b, &x); err != nil || text(x, nil) != tt.exact {
					t.Errorf("%s, %v by frames, want %s", text(x, nil), err, tt.exact)
				}
				var d value.Value
				if err := tagged.UnmarshalFramed(b, &d); err != nil {
					t.Fatal(err)
				}
				if got := text(d.Interface(), nil); got != tt.exact {
					t.Errorf("%s as a value by frames, want %s", got, tt.exact)
				}
			}
		})
	}
}

// ragged is n records whose members differ: some are absent or null, some of two
// kinds, some in another order, and one has names that are data.
func ragged(n int) string {
	rnd := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":%d,"at":"2026-%02d-%02dT%02d:%02d:00Z"`, i, 1+i%12, 1+i%28, i%24, i%60)
		if rnd.IntN(3) > 0 {
			fmt.Fprintf(&b, `,"user":{"name":"user%d","admin":%v}`, rnd.IntN(500), rnd.IntN(9) == 0)
		}
		if rnd.IntN(4) == 0 {
			b.WriteString(`,"note":null`)
		}
		switch rnd.IntN(4) {
		case 0:
			fmt.Fprintf(&b, `,"price":%d`, rnd.IntN(1000))
		default:
			fmt.Fprintf(&b, `,"price":%d.%d`, rnd.IntN(1000), 1+rnd.IntN(9))
		}
		if rnd.IntN(5) == 0 {
			fmt.Fprintf(&b, `,"tags":["%c","t%d"]`, 'a'+rnd.IntN(4), rnd.IntN(9))
		}
		if rnd.IntN(10) == 0 {
			fmt.Fprintf(&b, `,"by":{"u%d":%d}`, rnd.IntN(100000), rnd.IntN(9))
		}
		fmt.Fprintf(&b, `,"b":%d,"a":%d}`, i%7, i%5)
		if i%50 == 49 {
			fmt.Fprintf(&b, "\n"+`{"a":%d,"b":%d,"id":%d}`, i%5, i%7, -i)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// lines returns the values of newline-delimited JSON.
func lines(t *testing.T, text string) (list []value.Value) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v value.Value
		if err := wjson.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// TestFramedColumns: values without a type have columns as those with one have.
func TestFramedColumns(t *testing.T) {
	type module struct {
		Organization string `json:"organization"`
		Name         string `json:"name"`
		Revision     string `json:"revision"`
	}
	type item struct {
		ID   int    `json:"id"`
		At   string `json:"at,omitempty"`
		User *struct {
			Name  string `json:"name"`
			Admin bool   `json:"admin"`
		} `json:"user,omitempty"`
		Note  *int           `json:"note,omitempty"`
		Price float64        `json:"price,omitempty"`
		Tags  []string       `json:"tags,omitempty"`
		By    map[string]int `json:"by,omitempty"`
		B     int            `json:"b"`
		A     int            `json:"a"`
	}
	var modules strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&modules, `{"organization":"org%d.example","name":"module-%d","revision":"%d.%d.%d"}`+"\n", i%97, i%3001, i%7, i%13, i)
	}
	tests := []struct {
		name, text string
		typed      any
		most       float64 // times the size of typed records
	}{
		{"modules", modules.String(), new([]module), 1.05},
		{"ragged", ragged(20000), new([]item), 1.05},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := lines(t, tt.text)
			if err := value.Unmarshal(value.List(list...), tt.typed); err != nil {
				t.Fatal(err)
			}
			typed, err := tagged.MarshalFramed(tt.typed)
			if err != nil {
				t.Fatal(err)
			}
			plainList, maps := make([]any, len(list)), make([]map[string]any, len(list))
			for i, v := range list {
				plainList[i] = v.Interface()
				maps[i] = plainList[i].(map[string]any)
			}
			for _, in := range []any{list, plainList, maps} {
				b, err := tagged.MarshalFramed(in)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%T: %d bytes, typed %d, as text %d", in, len(b), len(typed), len(tt.text))
				if float64(len(b)) > tt.most*float64(len(typed)) {
					t.Errorf("%T has %d bytes, typed records %d", in, len(b), len(typed))
				}
				back := reflect.New(reflect.TypeOf(in))
				if err := tagged.UnmarshalFramed(b, back.Interface()); err != nil {
					t.Fatal(err)
				}
				if in, ok := in.([]value.Value); !ok && !reflect.DeepEqual(back.Elem().Interface(), any(plainList)) &&
					!reflect.DeepEqual(back.Elem().Interface(), any(maps)) {
					t.Errorf("another %T comes back", in)
				} else if ok {
					for i, v := range back.Elem().Interface().([]value.Value) {
						if v.GoString() != in[i].GoString() {
							t.Fatalf("value %d is %v, want %v", i, v, in[i])
						}
					}
				}
				same := reflect.New(reflect.TypeOf(tt.typed).Elem())
				if err := tagged.UnmarshalFramed(b, same.Interface()); err != nil || !reflect.DeepEqual(same.Interface(), tt.typed) {
					t.Errorf("%T is read as other typed records, %v", in, err)
				}
			}
		})
	}
}
