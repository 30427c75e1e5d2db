package weft_test

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/value"
)

var unixTimes = weft.Codecs(weft.Adapt(time.Time.Unix, func(i int64) (time.Time, error) { return time.Unix(i, 0).UTC(), nil }))

func TestCodecTime(t *testing.T) {
	// A type with a place of its own in each engine: in fields, elements, keys,
	// interfaces and behind pointers.
	now := time.Unix(1e9, 0).UTC()
	type holder struct {
		T time.Time
		P *time.Time
		A any
		L []time.Time
		M map[time.Time]time.Time
		O opt.Val[time.Time]
	}
	v := holder{now, &now, now, []time.Time{now}, map[time.Time]time.Time{now: now}, opt.ValOf(now)}
	b, err := json.MarshalWith(v, unixTimes)
	want := `{"T":1000000000,"P":1000000000,"A":1000000000,"L":[1000000000],"M":{"1000000000":1000000000},"O":1000000000}`
	if err != nil || string(b) != want {
		t.Errorf("%s %v", b, err)
	}
	for _, f := range lawFormats {
		doc, err := f.marshal(v, unixTimes)
		if err != nil {
			t.Fatal(f.name, err)
		}
		got := holder{}
		if err := f.unmarshal(doc, &got, unixTimes); err != nil {
			t.Fatal(f.name, err)
		}
		got.A = now // it is a number in an interface
		if !reflect.DeepEqual(got, v) {
			t.Errorf("%s: %+v", f.name, got)
		}
		if doc, err = f.marshal(now, unixTimes); err != nil {
			t.Error(f.name, err)
		}
		var one time.Time
		if err := f.unmarshal(doc, &one, unixTimes); err != nil || one != now {
			t.Error(f.name, one, err)
		}
	}
	if b, err := json.Marshal(now); err != nil || string(b) != `"2001-09-09T01:46:40Z"` {
		t.Errorf("without codecs: %s %v", b, err)
	}
}

func TestCodecNull(t *testing.T) {
	v := struct{ L lawLevel }{3}
	if err := json.UnmarshalWith([]byte(`{"L":null}`), &v, lawCodecs); err != nil || v.L != 0 {
		t.Error(v, err)
	}
}

var errOdd = errors.New("odd")

func TestCodecErrors(t *testing.T) {
	codecs := weft.Codecs(weft.CodecFor(
		func(e *weft.Encoder, v lawLevel) error {
			switch v {
			case 1:
				return errOdd
			case 3:
				return nil // nothing is written
			case 5:
				_ = e.Int(1)
				return e.Int(2)
			}
			return e.Int(int(v))
		},
		func(d *weft.Decoder) (lawLevel, error) {
			switch d.Kind() {
			case weft.KindString:
				return 0, nil // nothing is read
			case weft.KindBool:
				return 0, errOdd
			}
			return lawLevel(d.Int()), nil
		}))
	for _, f := range lawFormats {
		for v, want := range map[lawLevel]string{1: "odd", 3: "exactly one value", 5: "exactly one value"} {
			_, err := f.marshal(map[string]any{"a": []lawLevel{2, v}}, codecs)
			if err == nil || !strings.Contains(err.Error(), want) || v == 1 && !errors.Is(err, errOdd) {
				t.Errorf("%s: writing %d: %v", f.name, v, err)
			}
		}
		for _, bad := range []any{"text", true} {
			if f.name == "tagged" && bad == true {
				continue // it has no booleans
			}
			doc, err := f.marshal([]any{1, bad})
			if err != nil {
				t.Fatal(err)
			}
			if err := f.unmarshal(doc, new([]lawLevel), codecs); err == nil || bad == true && !errors.Is(err, errOdd) {
				t.Errorf("%s: reading %v: %v", f.name, bad, err)
			}
		}
	}
}

func TestCodecJoin(t *testing.T) {
	one := weft.Codecs(weft.Adapt(lawLevel.String, parseLawLevel))
	two := weft.Codecs(weft.Adapt(func(l lawLevel) int { return int(l) }, func(i int) (lawLevel, error) { return lawLevel(i), nil }))
	v := []any{lawLevel(1), time.Unix(5, 0)}
	tests := []struct {
		opts []weft.Options
		want string
	}{
		{[]weft.Options{one, unixTimes}, `["level 1",5]`},
		{[]weft.Options{two, unixTimes, one}, `["level 1",5]`},
		{[]weft.Options{one, unixTimes, two}, `[1,5]`},
		{[]weft.Options{weft.Join(one, unixTimes), two}, `[1,5]`},
	}
	for i, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if b, err := json.MarshalWith(v, tt.opts...); err != nil || string(b) != tt.want {
				t.Errorf("%d: %s %v", i, b, err)
			}
			if plan.DialectOf(tt.opts) != plan.DialectOf([]weft.Options{weft.Join(tt.opts...)}) {
				t.Errorf("%d: joined anew", i)
			}
		})
	}
	if plan.DialectOf([]weft.Options{weft.RejectUnknown(true), weft.OmitNull(false)}) != nil {
		t.Error("a dialect of nothing")
	}
}

func TestCodecConcurrent(t *testing.T) {
	codecs := weft.Codecs(weft.Adapt(lawLevel.String, parseLawLevel))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				opts := []weft.Options{codecs, unixTimes}
				for _, f := range []weft.Format{json.Format, msgpack.Format} {
					in := map[string][]lawLevel{"a": {1, 2}}
					var out map[string][]lawLevel
					b, err := f.MarshalAppend(nil, in, opts...)
					if err == nil {
						err = f.Unmarshal(b, &out, opts...)
					}
					if err != nil || !reflect.DeepEqual(in, out) {
						t.Error(out, err)
					}
				}
				if v, err := value.MarshalWith(lawLevel(1), opts...); err != nil || v.String() != "level 1" {
					t.Error(v, err)
				}
			}
		})
	}
	group.Wait()
}

type embedsCoded struct {
	lawRange
	*lawResult
	A int
}

func TestDeclared(t *testing.T) {
	// A struct that embeds a coded type is not coded.
	if b, err := json.Marshal(embedsCoded{A: 1}); err != nil || string(b) != `{"From":0,"To":0,"A":1}` {
		t.Errorf("%s %v", b, err)
	}
	type badUnion struct {
		_ struct{} `weft:",union:"`
	}
	type valueUnion struct {
		_ struct{} `weft:",union:t"`
		A int
	}
	type twice struct {
		_ struct{} `weft:",union:t"`
		A *int     `weft:"x"`
		B *int     `weft:"x"`
	}
	type ownTag struct {
		_ struct{} `weft:",union:name"`
		A *struct {
			Name []string `json:"name"`
		}
	}
	for _, v := range []any{badUnion{}, valueUnion{}, twice{}, ownTag{}} {
		for _, f := range lawFormats {
			if _, err := f.marshal(v); err == nil || !strings.Contains(err.Error(), reflect.TypeOf(v).String()) {
				t.Errorf("%s: %T: %v", f.name, v, err)
			}
		}
	}
}

func TestTupleLength(t *testing.T) {
	for in, want := range map[string]string{`[1]`: "must have 2 elements, not 1", `[1,2,3]`: "not 3", `{}`: "array", `[1,"2"]`: "/1"} {
		t.Run(in, func(t *testing.T) {
			var pair weft.Tuple2[int, int]
			if err := json.Unmarshal([]byte(in), &pair); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", in, err)
			}
		})
	}
}

func TestRecord(t *testing.T) {
	name, age, tags := "", 0, []string(nil)
	write := weft.Record{weft.Label("name", "Ada"), weft.Label("age", 36), weft.Label("none", opt.Val[int]{}),
		weft.Label("tags", []string{"x"})}
	for _, f := range lawFormats {
		doc, err := f.marshal(write)
		if err != nil {
			t.Fatal(f.name, err)
		}
		name, age, tags = "", 0, nil
		read := weft.Record{{"age", &age}, {"tags", &tags}, {"more", new(int)}, {"name", &name}}
		if err := f.unmarshal(doc, &read); err != nil || name != "Ada" || age != 36 || len(tags) != 1 {
			t.Errorf("%s: %q %d %q %v", f.name, name, age, tags, err)
		}
		if _, err := f.marshal(weft.Record{{"a", 1}, {"a", 2}}); !errors.Is(err, weft.ErrDuplicateName) {
			t.Errorf("%s: %v", f.name, err)
		}
		if err := f.unmarshal(doc, &weft.Record{{"age", 1}}); err == nil {
			t.Errorf("%s: read into a value", f.name)
		}
	}
	if b, _ := json.Marshal(write); string(b) != `{"name":"Ada","age":36,"tags":["x"]}` {
		t.Errorf("%s", b)
	}
	if json.Unmarshal([]byte("null"), &weft.Record{}) == nil {
		t.Error("null was read")
	}
}

func TestAbsence(t *testing.T) {
	if _, err := msgpack.Marshal([]lawOptionalProtocol{{}}, weft.OmitEmpty(true), weft.MaxDepth(1)); err == nil {
		t.Error("deeper than allowed")
	}
	type inner struct {
		L []int `weft:"l"`
	}
	type subject struct {
		P *int           `weft:"p"`
		I any            `weft:"i"`
		S []int          `weft:"s"`
		M map[string]int `weft:"m"`
		B []byte         `weft:"b"`
		R []int          `weft:"r,required"`
		Z []int          `weft:"z,omitempty"`
		N int            `weft:"n,omitzero"`
		T string         `weft:"t"`
		O opt.Null[int]  `weft:"o"`
		X inner          `weft:"x"`
	}
	empty := subject{S: []int{}, M: map[string]int{}, B: []byte{}, R: []int{}, Z: []int{}, X: inner{[]int{}}}
	tests := []struct {
		name string
		v    subject
		opts []weft.Options
		want string
	}{
		{"usual", subject{}, nil, `{"p":null,"i":null,"s":null,"m":null,"b":null,"r":null,"t":"","o":null,"x":{"l":null}}`},
		{"null", subject{}, []weft.Options{weft.OmitNull(true)}, `{"r":null,"t":"","x":{}}`},
		{"null, empty", empty, []weft.Options{weft.OmitNull(true)}, `{"s":[],"m":{},"b":"","r":[],"t":"","x":{"l":[]}}`},
		{"empty", empty, []weft.Options{weft.OmitEmpty(true)}, `{"p":null,"i":null,"r":[],"t":"","o":null,"x":{}}`},
		{"both", empty, []weft.Options{weft.OmitEmpty(true), weft.OmitNull(true)}, `{"r":[],"t":"","x":{}}`},
		{"off", empty, []weft.Options{weft.OmitEmpty(true), weft.OmitEmpty(false)},
			`{"p":null,"i":null,"s":[],"m":{},"b":"","r":[],"t":"","o":null,"x":{"l":[]}}`},
		{"write", empty, []weft.Options{weft.WriteEmpty(true)},
			`{"p":null,"i":null,"s":[],"m":{},"b":"","r":[],"z":[],"n":0,"t":"","o":null,"x":{"l":[]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, f := range lawFormats {
				doc, err := f.marshal(tt.v, tt.opts...)
				if err != nil {
					t.Fatal(f.name, err)
				}
				// Every format has the same members.
				var tree any
				if err := f.unmarshal(doc, &tree); err != nil {
					t.Fatal(f.name, err)
				}
				if f.name == "json" && string(doc.([]byte)) != tt.want {
					t.Errorf("%s, want %s", doc, tt.want)
				}
				var want any
				if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
					t.Fatal(err)
				}
				if got, want := names(tree), names(want); got != want {
					t.Errorf("%s has %s, want %s", f.name, got, want)
				}
				var back subject
				if err := f.unmarshal(doc, &back); err != nil {
					t.Errorf("%s: %v", f.name, err)
				}
			}
		})
	}
}

// names returns the names of the members of a tree, sorted.
func names(tree any) string {
	m, ok := tree.(map[string]any)
	if !ok {
		return ""
	}
	flat := map[string]string{}
	for k, v := range m {
		flat[k] = names(v)
	}
	b, _ := json.Marshal(flat)
	return string(b)
}
