package tagged

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
	wjson "github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

// TestFramedMany: values that take no bytes are no more than a reader takes from few
// bytes, and are read whatever their number.
func TestFramedMany(t *testing.T) {
	wide := func(records, members int) []any {
		list := make([]any, records)
		for i := range list {
			m := make(map[string]any, members)
			for k := range members {
				m[fmt.Sprint("m", k)] = nil
			}
			list[i] = m
		}
		return list
	}
	lists := make([]any, 20)
	for i := range lists {
		lists[i] = make([]any, 1<<16)
	}
	var nested any = int64(1)
	for range 5000 {
		nested = []any{nested}
	}
	tests := []struct {
		name string
		v    []any
		most int // bytes
	}{
		{"nulls", make([]any, 20000), 150},
		{"a list of nulls", []any{make([]any, framewire.MaxFree)}, 80},
		{"a longer list of nulls", []any{make([]any, framewire.MaxFree+1)}, 80 + framewire.MaxFree/8},
		{"lists of nulls", lists, 100 + 20*framewire.MaxFree/8},
		{"few members", wide(4000, 50), 1000},
		{"members beyond what may be free", []any{wide(3600, 300)}, (3600*300-maxFreeValues)/8 + 6000},
		{"empty objects", wide(8000, 0), 150},
		{"deep", []any{nested}, 30000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := MarshalFramed(tt.v)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > tt.most {
				t.Errorf("%d bytes, want at most %d", len(b), tt.most)
			}
			t.Log(len(b))
			var back []any
			if err := UnmarshalFramed(b, &back); err != nil || !reflect.DeepEqual(back, tt.v) {
				t.Fatal("another value comes back", err)
			}
		})
	}
}

// TestFramedBombs: what few bytes say they are is an error where it is too much.
func TestFramedBombs(t *testing.T) {
	body := func(schema *framewire.Schema, rows int, parts ...string) []byte {
		b := framewire.AppendHeader(nil, 0, schema)
		at := len(b)
		b = append(b, make([]byte, framewire.FrameLen)...)
		b = append(b, strings.Join(parts, "")...)
		framewire.Seal(b[at:], rows, framewire.Plain)
		return framewire.AppendEnd(b, int64(rows))
	}
	column := func(s string) string { return string(tagwire.End(append([]byte{0, 0}, s...), 1)) }
	constant := func(n int64) string {
		v := make([]int64, 2)
		v[0], v[1] = n, n
		return string(framewire.AppendInts(nil, v))
	}
	const rows = framewire.MaxRows
	values := &framewire.Schema{Kind: framewire.Dynamic}
	full := constant(rows + 1) // lengths of lists, each of as many elements as may be free
	members := func(n int) string {
		var b strings.Builder
		b.WriteString("\x02\x0a\x00")
		b.Write(tagwire.AppendUvarint(nil, uint64(n)))
		for i := range n {
			b.Write(appendText(nil, fmt.Sprint(i)))
		}
		b.WriteString("\x01") // one shape
		b.Write(tagwire.AppendUvarint(nil, uint64(n)))
		for i := range n {
			b.Write(tagwire.AppendUvarint(nil, uint64(i)))
		}
		b.WriteString(strings.Repeat("\x02\x00", n)) // nulls
		return b.String()
	}
	unused := "\x02\x0a\x00\x64" // a hundred names, and one shape that has none of them
	for i := range 100 {
		unused += string(appendText(nil, fmt.Sprint(i)))
	}
	unused += "\x01\x00" + strings.Repeat("\x00", 100)
	deep := strings.Repeat("\x02\x0b"+constant(2), setting.DefaultMaxDepth+5) + "\x02\x00"
	tests := []struct {
		name string
		b    []byte
		err  error
	}{
		{"as many as there may be", body(values, rows, column("\x02\x00")), nil},
		{"objects that have no member", body(values, rows, column(unused)), nil},
		{"a member where there are none", body(values, 1, column("\x02\x0a\x00\x00\x01\x01\x00")), framewire.ErrBlock},
		{"members without bytes", body(values, rows, column(members(1000))), framewire.ErrBlock},
		{"lists without bytes", body(values, 1, column("\x02\x0b"+full+"\x02\x0b"+full+"\x02\x00")), framewire.ErrBlock},
		{"lists in lists", body(values, 1, column(deep)), weft.ErrDepth},
		{"a kind that there is not", body(values, 1, column("\x02\x0f")), framewire.ErrBlock},
		{"messages", body(values, 1, column("\x02\x0d\x00\x00")), framewire.ErrBlock},
		{"kinds out of order",
			body(values, 2,
				column("\x05\x02\x01"+string(framewire.AppendInts(nil, []int64{0, 1}))+constant(1)+constant(1))), framewire.ErrBlock},
		{"more of a column than there is", body(values, 1, column("\x02\x00\x00")), framewire.ErrBlock},
		{"another mode", body(values, 1, column("\x02\x0a\x03\x00")), framewire.ErrBlock},
		{"a member that there is not", body(values, 1, column("\x02\x0a\x00\x01\x01a\x01\x01\x01\x02\x00")), framewire.ErrBlock},
		{"the old version", oldVersion(body(values, 1, column("\x02\x00"))), framewire.ErrSchema},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var list []any
			var err error
			used := sample.Allocated(func() { err = UnmarshalFramed(tt.b, &list) })
			if !errors.Is(err, tt.err) || tt.err == nil && len(list) != rows {
				t.Errorf("%d values, %v, want %v", len(list), err, tt.err)
			}
			if used > 64<<20 {
				t.Errorf("%d bytes take %d bytes of memory", len(tt.b), used)
			}
		})
	}
}

// TestFramedMisfits: what does not fit is found in the time that it takes to read.
func TestFramedMisfits(t *testing.T) {
	const rows = framewire.MaxRows
	there, values := make([]int64, rows), make([]int64, rows)
	for i := range there {
		there[i], values[i] = isThere, 300
	}
	there[0] = isAbsent
	b := framewire.AppendHeader(nil, 0, &framewire.Schema{Kind: framewire.Struct, Names: []string{"n"},
		Nodes: []*framewire.Schema{{Kind: framewire.Int, Nullable: true}}})
	at := len(b)
	b = append(b, make([]byte, framewire.FrameLen)...)
	b = framewire.AppendInts(framewire.AppendInts(b, there), values[1:])
	framewire.Seal(b[at:], rows, framewire.Plain)
	b = framewire.AppendEnd(b, rows)
	d := NewFrameDecoder(bytes.NewReader(b))
	begin, n := time.Now(), 0
	for {
		var v struct {
			N *int8 `weft:"n"`
		}
		err := d.Decode(&v)
		if err == io.EOF {
			break
		}
		if e := (*weft.Error)(nil); (err == nil) != (n == 0) || err != nil && (!errors.As(err, &e) || e.Path != "/n") {
			t.Fatalf("record %d: %v", n, err)
		}
		n++
	}
	if d := time.Since(begin); n != rows || d > time.Second {
		t.Errorf("%d records in %v", n, d)
	}
}

// TestFramedNumbers: a json.Number without text is read as 0 where it is no json.Number, and one that is no number not at all.
func TestFramedNumbers(t *testing.T) {
	type record struct{ N json.Number }
	b, err := MarshalFramed([]record{{""}, {"7"}})
	if err != nil {
		t.Fatal(err)
	}
	var ints []struct{ N int }
	if err := UnmarshalFramed(b, &ints); err != nil || len(ints) != 2 || ints[0].N != 0 || ints[1].N != 7 {
		t.Errorf("%v %v", ints, err)
	}
	if text, err := weft.Transcode(nil, wjson.Format, b, Framed); err != nil || string(text) != `[{"N":0},{"N":7}]` {
		t.Errorf("%s %v", text, err)
	}
	at := bytes.LastIndexByte(b, '7')
	b[at] = 'x'
	mend(b)
	if err := UnmarshalFramed(b, new([]any)); !errors.Is(err, errNumber) {
		t.Error(err)
	}
	if text, err := weft.Transcode(nil, wjson.Format, b, Framed); err == nil {
		t.Errorf("%s", text)
	}
}

// TestFramedEdges: what is easily forgotten comes back.
func TestFramedEdges(t *testing.T) {
	type rest struct {
		More map[string]any `weft:",inline"`
	}
	for name, v := range map[string]any{
		"a struct without members in an interface": []any{map[string]any{}, struct{}{}},
		"a struct of members without a field":      []rest{{map[string]any{"a": int64(1)}}, {}},
		"a zone of more than a day":                []time.Time{time.Unix(5, 0).In(time.FixedZone("", 100000))},
		"no list":                                  []int(nil),
	} {
		t.Run(name, func(t *testing.T) {
			b, err := MarshalFramed(v)
			if err != nil {
				t.Fatal(err)
			}
			got := reflect.New(reflect.TypeOf(v))
			err = UnmarshalFramed(b, got.Interface())
			want, _ := value.Marshal(v)
			if x, _ := value.Marshal(got.Interface()); err != nil || x.String() != want.String() {
				t.Errorf("%v, %v, want %v", x, err, want)
			}
			var x value.Value
			if b, err = weft.Transcode(nil, Framed, b, Framed); err == nil {
				err = UnmarshalFramed(b, &x)
			}
			if err != nil || x.String() != want.String() {
				t.Errorf("copied %v, %v, want %v", x, err, want)
			}
		})
	}
}

// TestFramedSorted: what has been written, sorted, is not read into.
func TestFramedSorted(t *testing.T) {
	seven, other := 7, 8
	was := map[int]*int{1: &seven}
	b, err := MarshalFramed(&was, weft.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Marshal(map[int]*int{2: &other})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // of which some find what the last one used
		var got map[int]*int
		if _, err := MarshalFramed(&was, weft.Deterministic(true)); err != nil || Unmarshal(doc, &got) != nil || *got[2] != 8 || seven != 7 {
			t.Fatalf("%v, %d, %v", got, seven, err)
		}
	}
	if err := UnmarshalFramed(b, &was); err != nil || *was[1] != 7 {
		t.Errorf("%v, %v", was, err)
	}
}

// oldVersion makes the header of a stream one of version 1.
func oldVersion(b []byte) []byte {
	b[len(framewire.Magic)] = 1
	mend(b)
	return b
}

// TestFramedOnce: a name that an object has twice is an error.
func TestFramedOnce(t *testing.T) {
	r := weft.Record{weft.Label("a", 1), weft.Label("b", 2)}
	if _, err := MarshalFramed(r); err != nil {
		t.Fatal(err)
	}
	_, err := MarshalFramed(twiceA{})
	if !errors.Is(err, weft.ErrDuplicateName) || !strings.Contains(err.Error(), `"a"`) {
		t.Error(err)
	}
}

type twiceA struct{}

func (twiceA) MarshalWeft(e *weft.Encoder) error {
	m := e.Map(-1)
	for range 2 {
		m.Name("a")
		e.Int(1)
	}
	return m.End()
}
