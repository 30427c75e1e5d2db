package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
)

// runNode is a struct of every kind of member that runs write, and of some that they leave to their caller.
type runNode struct {
	Name     string
	Next     *runNode   `json:",omitempty"`
	List     []runNode  `json:",omitempty"`
	Pointers []*runNode `json:"pointers"`
	Texts    []string
	Ints     []int64 `json:"ints"`
	Floats   []float64
	Bytes    []byte
	Map      map[string]int `json:"map"`
	Few      map[string]any `json:"few,omitempty"`
	Labels   map[string]string
	Any      any
	OmitAny  any `json:",omitempty"`
	Time     *time.Time
	Moment   time.Time `json:"moment,omitzero"`
	B        bool      `json:"b,omitempty"`
	I8       int8
	I16      int16
	I32      int32 `json:",omitempty"`
	I64      int64
	U        uint
	U8       uint8  `json:",omitempty"`
	U16      uint16 `json:",omitempty"`
	U32      uint32
	U64      uint64
	F        float64 `json:",omitempty"`
	F32      float32
	PS       *string
	PB       *bool `json:",omitempty"`
	PI       *int
	PU8      *uint8
	PU16     *uint16
	Port     uint16
	Names    []runName
	PF       *float64
	PList    *[]runNode
	PMap     *map[string]int
	PP       **string
	Quoted   int `json:",string"`
	Within   struct {
		Empty  struct{}
		Inside struct{ Text string } `json:"inside"`
	}
	NameOfAMemberThatHasMoreThanThirtyTwoBytes string

	LongOmitted                                                          *int `json:"a_name_of_more_than_thirty_two_bytes,omitempty"`
	NameOfMoreThanSixtyFourBytesWhichRunsLeaveToTheirCallersAsTheyDoMuch []string
	runEmbedded
	*RunFar
	Opt runOptions
}

type runName string

// runOptions has options, as members that may be left out for encoding/json to leave out those that are absent.
type runOptions struct {
	NullText   opt.Null[string]
	NullInt    opt.Null[int]
	NullBool   opt.Null[bool]    `json:"nb"`
	NullByte   opt.Null[uint8]   `json:",omitzero"`
	NullFloat  opt.Null[float64] `json:"nf"`
	NullTime   opt.Null[time.Time]
	NullTexts  opt.Null[[]string] `json:"a_name_of_more_than_thirty_two_bytes"`
	NullNested opt.Null[opt.Null[int32]]
	ValText    opt.Val[string]           `json:",omitzero"`
	ValInt     opt.Val[int64]            `json:",omitzero"`
	ValBool    opt.Val[bool]             `json:"vb,omitzero"`
	ValPointer opt.Val[*int]             `json:",omitzero"`
	ValStruct  opt.Val[RunFar]           `json:",omitzero"`
	FieldText  opt.Field[string]         `json:",omitzero"`
	FieldInt   opt.Field[int]            `json:"fi,omitzero"`
	FieldBool  opt.Field[bool]           `json:",omitzero"`
	FieldTime  opt.Field[time.Time]      `json:",omitzero"`
	FieldMap   opt.Field[map[string]int] `json:",omitzero"`
	SlimNull   slim.Null[string]
	SlimVal    slim.Val[uint32]   `json:",omitzero"`
	SlimField  slim.Field[uint64] `json:",omitzero"`
	SlimLast   slim.Field[string] `json:"last,omitzero"`

	NullLong     opt.Null[int]     `json:"null_of_more_than_thirty_two_bytes"`
	ValLong      opt.Val[string]   `json:"value_of_more_than_thirty_two_bytes,omitzero"`
	FieldLong    opt.Field[string] `json:"field_of_more_than_thirty_two_bytes,omitzero"`
	NullLongest  opt.Null[int]     `json:"null_of_more_than_sixty_four_bytes_which_runs_leave_to_others"`
	FieldLongest opt.Field[int]    `json:"field_of_more_than_sixty_four_bytes_which_runs_leave_to_others,omitzero"`
}

// runOptionValues are values of it: each field of every state, beside others of that state and of the next.
func runOptionValues(at time.Time) []runOptions {
	n := 12
	set := runOptions{
		opt.NullOf("a\ntext"), opt.NullOf(-1), opt.NullOf(true), opt.NullOf(uint8(0)), opt.NullOf(0.5), opt.NullOf(at),
		opt.NullOf([]string{"a"}), opt.NullOf(opt.NullOf(int32(3))),
		opt.ValOf(""), opt.ValOf(int64(1e15)), opt.ValOf(false), opt.ValOf(&n), opt.ValOf(RunFar{"f", "o"}),
		opt.FieldOf("é"), opt.FieldOf(0), opt.FieldOf(true), opt.FieldOf(at), opt.FieldOf(map[string]int{"a": 1}),
		slim.NullOf("slim"), slim.ValOf(uint32(7)), slim.FieldOf(uint64(math.MaxUint64)), slim.FieldOf("last"),
		opt.NullOf(1), opt.ValOf("long"), opt.FieldOf("long"), opt.NullOf(0), opt.FieldOf(1),
	}
	null := runOptions{
		FieldText: opt.FieldNull[string](), FieldInt: opt.FieldNull[int](), FieldBool: opt.FieldNull[bool](),
		FieldTime: opt.FieldNull[time.Time](), FieldMap: opt.FieldNull[map[string]int](),
		SlimField: slim.FieldNull[uint64](), SlimLast: slim.FieldNull[string](),
		FieldLong: opt.FieldNull[string](), FieldLongest: opt.FieldNull[int](),
	}
	all := []runOptions{set, null, {}}
	states := []reflect.Value{reflect.ValueOf(set), reflect.ValueOf(null), reflect.ValueOf(runOptions{})}
	for period := 1; period < 6; period++ {
		for first := range states {
			var v runOptions
			for i := range reflect.TypeFor[runOptions]().NumField() {
				reflect.ValueOf(&v).Elem().Field(i).Set(states[(first+i/period)%len(states)].Field(i))
			}
			all = append(all, v)
		}
	}
	return all
}

type runEmbedded struct{ Embedded string }

// RunFar is embedded by a pointer.
type RunFar struct{ Far, Off string }

// runTexts are strings of all kinds of bytes and lengths.
func runTexts() []string {
	texts := []string{
		"", "a", "café", "naïve <b>", "日本語", "a&b", "😀 smile", "\u2028x\u2029", "\u2027", "\ufeff", "\u0800\u07ff\ud7ff\ue000",
		"\U00010000\U0010ffff", "\xc3", "\xe2\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80",
		"\xc0\x80", "\xff", "\x7f\x00\x1f\"\\\n",
	}
	for n := range 100 {
		texts = append(texts, strings.Repeat("x", n), strings.Repeat("y", n)+"\n", strings.Repeat("é", n/3)+strings.Repeat("z", n%7),
			"<"+strings.Repeat("w", n), strings.Repeat("日本 ж", n/4)+"\n", strings.Repeat("x", n)+"\u2029", strings.Repeat("ж", n)+"\xe2")
	}
	return texts
}

// runValues are values of it.
func runValues() []*runNode {
	at := time.Date(2026, 11, 25, 1, 2, 3, 4e8, time.UTC)
	text, yes, seven, byte8, half, whole := "text", true, -7, uint8(8), 0.5, 12345.0
	ptr := &text
	var all []*runNode
	for _, s := range runTexts() {
		all = append(all, &runNode{Name: s, PS: &s, Texts: []string{"a", s, ""}, Labels: map[string]string{"k": s, s: "v", "": "w"}})
	}
	for _, n := range []int64{
		0, 1, -1, 9, 10, 99, 100, 12345678, 99999999, 100000000, 123456789012, 9999999999999999, 10000000000000000,
		math.MaxInt64, math.MinInt64, -100000000, -12,
	} {
		all = append(all, &runNode{
			I8: int8(n), I16: int16(n), I32: int32(n), I64: n,
			U: uint(n), U8: uint8(n), U16: uint16(n), U32: uint32(n), U64: uint64(n),
			F: float64(n), F32: float32(n), Ints: []int64{n, n, -n}, Floats: []float64{float64(n), 0.25}, Quoted: int(n),
		})
	}
	for _, f := range []float64{math.Copysign(0, -1), 0.1, 1e21, 1e22, -1e15, 1e15, 5e-324, 123456.5} {
		all = append(all, &runNode{F: f, PF: &f})
	}
	for n := range 40 {
		labels := make(map[string]string)
		for i := range n {
			labels[strings.Repeat("label", n-i)] = strings.Repeat("é", 9*i)
		}
		all = append(all, &runNode{Labels: labels})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		n, d, exact := rng.Int64N(1<<(1+i%50)), math.Pow10(i%9), rng.Uint64()
		f := float64(n) / d
		all = append(all, &runNode{F: f, PF: &f, Opt: runOptions{NullFloat: opt.NullOf(-f)}})
		if f := math.Float64frombits(exact>>12 | uint64(1003+i%46)<<52); i%4 == 0 {
			all = append(all, &runNode{F: f, PF: &f})
		}
	}
	for _, o := range runOptionValues(at) {
		all = append(all, &runNode{Opt: o})
	}
	deep := &runNode{Name: "deepest", Any: "any"}
	for i := range 40 {
		deep = &runNode{Name: fmt.Sprint(i), Next: deep, Any: i}
		if i%5 == 0 {
			deep = &runNode{List: []runNode{{Name: "first"}, *deep, {}}, Moment: at}
		}
		if i%7 == 0 {
			deep = &runNode{Pointers: []*runNode{{Name: "first"}, deep, {Map: map[string]int{"b": 2, "a": 1}}}}
		}
	}
	return append(all, deep, &runNode{}, &runNode{
		Name: "full", List: []runNode{}, Pointers: []*runNode{nil, {}, nil}, Texts: []string{}, Ints: []int64{}, Floats: []float64{1},
		Bytes: []byte("bytes"), Map: map[string]int{}, Few: map[string]any{}, Labels: map[string]string{"app": "web", "<": "\n"},
		Any: map[string]any{"k": []any{1, "<"}}, OmitAny: 0, Time: &at,
		Moment: at, B: true, I32: 4, PB: &yes, PI: &seven, PU8: &byte8, PF: &half, PList: &[]runNode{{}, {PF: &whole}},
		PMap: &map[string]int{"x": 1}, PP: &ptr, NameOfAMemberThatHasMoreThanThirtyTwoBytes: "<long>", LongOmitted: &seven,
		NameOfMoreThanSixtyFourBytesWhichRunsLeaveToTheirCallersAsTheyDoMuch: []string{"l"},
		runEmbedded: runEmbedded{"e"}, RunFar: &RunFar{"f", "o"},
	}, &runNode{Few: map[string]any{"one": 1}, Bytes: []byte{}, Floats: []float64{}, Pointers: []*runNode{}, PList: new([]runNode)})
}

// TestRuns has structs written by the kernel and without it, as encoding/json writes them.
func TestRuns(t *testing.T) {
	values := runValues()
	for _, level := range wire.Levels() {
		t.Run(level, func(t *testing.T) {
			defer wire.SetLevel(level)()
			for i, v := range values {
				want, err := stdjson.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := json.Marshal(v); err != nil || !sameRuns(string(got), string(want)) {
					t.Fatalf("value %d: %v\n%s\nwant\n%s", i, err, got, want)
				}
				var b bytes.Buffer
				std := stdjson.NewEncoder(&b)
				std.SetEscapeHTML(false)
				if err := std.Encode(v); err != nil {
					t.Fatal(err)
				}
				got, err := json.MarshalWith(v, json.EscapeForHTML(false))
				if err != nil || !sameRuns(string(got)+"\n", b.String()) {
					t.Fatalf("value %d without HTML: %v\n%s\nwant\n%s", i, err, got, b.Bytes())
				}
				if !utf8.ValidString(v.Name) || strings.ContainsAny(v.Name, "\u2028\u2029") {
					continue
				}
				got, err = json.MarshalWith(v, json.EscapeForHTML(false), json.TrustUTF8(true))
				if err != nil || string(got)+"\n" != b.String() {
					t.Fatalf("value %d trusted: %v\n%s\nwant\n%s", i, err, got, b.Bytes())
				}
			}
		})
	}
}

// sameRuns reports whether two texts are the same but for U+FFFD, which encoding/json on v2 does not escape.
func sameRuns(got, want string) bool {
	if !classicOracle {
		got = strings.ReplaceAll(got, `\ufffd`, "\ufffd")
	}
	return got == want
}

// TestRunsRoom has them written to memory of which there is more or less.
func TestRunsRoom(t *testing.T) {
	values := runValues()
	list := values[len(values)-4:]
	want, err := stdjson.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 11
	}
	for c := 0; c < len(want)+300; c += step {
		got, err := json.MarshalAppend(make([]byte, 0, c), list)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("capacity %d: %v\n%s\nwant\n%s", c, err, got, want)
		}
	}
}

type runBad struct {
	A  string
	In struct {
		List  []struct{ F float64 }
		Other *struct{ C any }
	}
}

// TestRunsErrors has what a run leaves to its caller fail within structs and lists.
func TestRunsErrors(t *testing.T) {
	for _, row := range []struct {
		name string
		make func(v *runBad)
	}{
		{"list", func(v *runBad) {
			v.In.List = append(v.In.List, struct{ F float64 }{1}, struct{ F float64 }{math.NaN()})
		}},
		{"pointer", func(v *runBad) { v.In.Other = &struct{ C any }{make(chan int)} }},
	} {
		t.Run(row.name, func(t *testing.T) {
			v := new(runBad)
			row.make(v)
			_, want := stdjson.Marshal(v)
			got, err := json.Marshal(v)
			if got != nil || err == nil || err.Error() != want.Error() {
				t.Errorf("%q, %v, want %v", got, err, want)
			}
			_, err = json.MarshalWith(v, json.V2())
			if err == nil || errors.Unwrap(err) == nil && !strings.Contains(err.Error(), "json") {
				t.Error(err)
			}
		})
	}
}

// runLean is a struct of members that omitempty leaves out by encoding/json/v2's rules, and of nil lists, which are empty.
type runLean struct {
	S     *string        `json:"s,omitempty"`
	L     *[]int         `json:"l,omitempty"`
	B     *[]byte        `json:"b,omitempty"`
	M     *map[int]int   `json:"m,omitempty"`
	In    runInner       `json:"in,omitempty"`
	To    *runInner      `json:"to,omitempty"`
	List  []runInner     `json:"list,omitempty"`
	PList *[]runInner    `json:"plist,omitempty"`
	Any   any            `json:"any,omitempty"`
	Self  *runLean       `json:"self,omitempty"`
	Long  runInner       `json:"a_struct_whose_name_has_more_than_32_bytes,omitempty"`
	Far   *runInner      `json:"a_pointer_whose_name_has_more_than_32_bytes,omitempty"`
	Text  *string        `json:"a_string_whose_name_has_more_than_32_bytes,omitempty"`
	Nil   []string       `json:"nil"`
	Ints  []int          `json:"ints"`
	Map   map[string]int `json:"map"`
	Bytes []byte         `json:"bytes"`
}

type runInner struct {
	Deep struct {
		T *string `json:"t,omitempty"`
		N int     `json:"n,omitzero"`
	} `json:"deep,omitempty"`
	Last *runInner `json:"last,omitempty"`
}

// TestRunsV2 has members left out by what would be written, by the kernel and without it.
func TestRunsV2(t *testing.T) {
	empty, text := "", "x"
	full := runInner{}
	full.Deep.T = &text
	const tail = `"nil":[],"ints":[],"map":{},"bytes":""}`
	for _, row := range []struct {
		name string
		v    runLean
		want string
	}{
		{"nothing", runLean{}, `{` + tail},
		{"empty", runLean{S: &empty, L: &[]int{}, B: &[]byte{}, M: &map[int]int{}, To: new(runInner), List: []runInner{},
			PList: new([]runInner), Any: []int{}, Far: &runInner{Last: new(runInner)}, Text: &empty}, `{` + tail},
		{"set", runLean{S: &text, L: &[]int{1}, B: &[]byte{1}, M: &map[int]int{1: 2}, In: full, To: &full, Any: 1, Text: &text},
			`{"s":"x","l":[1],"b":"AQ==","m":{"1":2},"in":{"deep":{"t":"x"}},"to":{"deep":{"t":"x"}},"any":1,` +
				`"a_string_whose_name_has_more_than_32_bytes":"x",` + tail},
		{"elements", runLean{List: []runInner{{}, full, {}}, PList: &[]runInner{{Last: new(runInner)}}},
			`{"list":[{},{"deep":{"t":"x"}},{}],"plist":[{}],` + tail},
		{"long", runLean{Long: full, Far: &runInner{Last: &full}},
			`{"a_struct_whose_name_has_more_than_32_bytes":{"deep":{"t":"x"}},` +
				`"a_pointer_whose_name_has_more_than_32_bytes":{"last":{"deep":{"t":"x"}}},` + tail},
		{"within", runLean{In: runInner{Last: &runInner{Last: &runInner{Last: new(runInner)}}}, Self: &runLean{To: &full}},
			`{"self":{"to":{"deep":{"t":"x"}},` + tail + `,` + tail},
	} {
		for _, level := range wire.Levels() {
			t.Run(row.name+"/"+level, func(t *testing.T) {
				defer wire.SetLevel(level)()
				if got, err := json.MarshalWith(&row.v, json.V2()); err != nil || string(got) != row.want {
					t.Errorf("%v\n%s\nwant\n%s", err, got, row.want)
				}
			})
		}
	}
}

type circleA struct {
	Name string
	B    *circleB
}

type circleB struct {
	At   time.Time
	As   []*circleA
	In   struct{ List []circleC }
	Last *time.Time
}

type circleC struct {
	N int
	A *circleA
}

// TestRunsCircles: pointers and slices count in a run as they do elsewhere, so that the same value is found to be in a circle.
func TestRunsCircles(t *testing.T) {
	short := &circleA{}
	short.B = &circleB{As: []*circleA{short}}
	long := &circleA{}
	long.B = &circleB{}
	long.B.In.List = []circleC{{}, {A: &circleA{B: &circleB{As: []*circleA{{}, long}}}}}
	for name, v := range map[string]any{
		"short": short, "short inside": short.B, "short in a list": []*circleA{short}, "short in a struct": struct{ X circleA }{*short},
		"long": long, "long inside": long.B, "long in an any": []any{1, long}, "long in a map": map[string]*circleB{"a": long.B},
	} {
		t.Run(name, func(t *testing.T) {
			_, want := stdjson.Marshal(v)
			_, err := json.Marshal(v)
			if err == nil || want == nil || classicOracle && err.Error() != want.Error() {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

// runWords are strings in a row.
type runWords struct {
	A, B string
	List []runWord
	N    int
	E, F string
}

type runWord struct {
	C string `json:",omitempty"`
	D string
}

// TestRunsWords has strings in a row begin with characters of ASCII and with others, in each order.
func TestRunsWords(t *testing.T) {
	words := []string{"", "a", "é", "日本語, text"}
	for n := range 1 << 12 {
		v := runWords{List: make([]runWord, 2)}
		for i, p := range []*string{&v.A, &v.B, &v.List[0].C, &v.List[1].D, &v.E, &v.F} {
			*p = words[n>>(2*i)&3]
		}
		v.List[0].D, v.List[1].C = v.List[1].D, v.List[0].C
		want, err := stdjson.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(&v); err != nil || string(got) != string(want) {
			t.Fatalf("%s, %v, want %s", got, err, want)
		}
	}
}

type (
	strictRun struct {
		Name    string            `json:"name"`
		N       int               `json:"n"`
		Half    float64           `json:"half,omitzero"`
		Yes     *bool             `json:"yes,omitempty"`
		Texts   []string          `json:"texts"`
		Left    []string          `json:"left,omitempty"`
		Ints    []int64           `json:"ints"`
		Bytes   []byte            `json:"bytes"`
		Map     map[string]string `json:"map"`
		Few     map[string]int    `json:"few,omitempty"`
		Keys    []string          `json:"keys,omitzero"`
		Parts   []strictPart      `json:"parts,omitzero"`
		By      map[string]string `json:"by,omitzero"`
		Some    any               `json:"some,omitzero"`
		In      strictPart        `json:"in"`
		List    []strictPart      `json:"list"`
		ToList  []*strictPart     `json:"toList"`
		To      *strictPart       `json:"to,omitempty"`
		Last    *[]int            `json:"last,omitzero"`
		Any     any               `json:"any"`
		Must    *int              `json:"must"`
		Numbers [][]int           `json:"numbers"`
		Nul     opt.Field[*int]   `json:"nul,omitzero"`
		Empty   opt.Field[[]int]  `json:"empty,omitzero"`
		Named   fmt.Stringer      `json:"named,omitzero"`
		Namer   *strictNamed      `json:"namer,omitempty"`
	}
	strictPart struct {
		Texts []string       `json:"texts"`
		Map   map[string]any `json:"map,omitzero"`
		Far   *string        `json:"far"`
	}
)

type strictNamed struct {
	S fmt.Stringer `json:"s"`
}

func (*strictNamed) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

func (*strictRun) WeftRules() weft.Rules  { return weft.Rules{Strict: true} }
func (*strictPart) WeftRules() weft.Rules { return weft.Rules{Strict: true} }

// TestRunsStrict has structs of strict types, where nil is not null, written by the kernel and without it.
func TestRunsStrict(t *testing.T) {
	one, text, yes := 1, "far", false
	part := strictPart{Texts: []string{"a"}, Map: map[string]any{"k": nil}, Far: &text}
	const empty = `{"name":"","n":0,"texts":[],"ints":[],"bytes":"","map":{},"in":{"texts":[],"far":"far"},"list":[],"toList":[],` +
		`"any":null,"must":1,"numbers":[]}`
	for _, level := range wire.Levels() {
		t.Run(level, func(t *testing.T) {
			defer wire.SetLevel(level)()
			for _, c := range []struct {
				name string
				v    strictRun
				want string
			}{
				{"empty", strictRun{In: strictPart{Far: &text}, Must: &one}, empty},
				{
					"full", strictRun{
						Name: "n", N: 2, Half: .5, Yes: &yes, Texts: []string{"t"}, Left: []string{"l"}, Ints: []int64{3}, Bytes: []byte{4},
						Map: map[string]string{"k": "v"}, Few: map[string]int{"f": 5},
						Keys: []string{}, Parts: []strictPart{}, By: map[string]string{}, Some: 8, In: part, List: []strictPart{part, {Far: &text}},
						ToList: []*strictPart{&part}, To: &part, Last: new([]int), Any: 6, Must: &one, Numbers: [][]int{nil, {7}},
						Nul: opt.FieldOf[*int](nil), Empty: opt.FieldOf[[]int](nil),
					},
					`{"name":"n","n":2,"half":0.5,"yes":false,"texts":["t"],"left":["l"],"ints":[3],"bytes":"BA==","map":{"k":"v"},` +
						`"few":{"f":5},"keys":[],"parts":[],"by":{},"some":8,` +
						`"in":{"texts":["a"],"map":{"k":null},"far":"far"},` +
						`"list":[{"texts":["a"],"map":{"k":null},"far":"far"},{"texts":[],"far":"far"}],` +
						`"toList":[{"texts":["a"],"map":{"k":null},"far":"far"}],"to":{"texts":["a"],"map":{"k":null},"far":"far"},` +
						`"last":[],"any":6,"must":1,"numbers":[[],[7]],"nul":null,"empty":[]}`,
				},
				{"nil", strictRun{In: strictPart{Far: &text}}, "/must"},
				{"nil within", strictRun{Must: &one}, "/in/far"},
				{"nil interface", strictRun{In: part, Must: &one, Namer: &strictNamed{}}, "/namer/s"},
				{"nil in a list", strictRun{In: part, Must: &one, ToList: []*strictPart{nil}}, "/toList/0"},
				{"nil in an element", strictRun{In: part, Must: &one, List: []strictPart{part, {}}}, "/list/1/far"},
			} {
				got, err := json.Marshal(&c.v)
				if c.want[0] == '/' {
					if e, ok := errors.AsType[*weft.Error](err); !ok || e.Path != c.want {
						t.Errorf("%s: %s, %v; want an error at %s", c.name, got, err, c.want)
					}
				} else if err != nil || string(got) != c.want {
					t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
				}
			}
		})
	}
}
