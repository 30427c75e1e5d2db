package weft_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

var formats = []weft.Format{json.Format, msgpack.Format, cbor.Format, tagged.Format}

// record is written by the protocol; plainRecord has the same shape and is
// written by the plan.
type record struct {
	ID     int64
	Name   string
	Score  float64
	Small  float32
	Ok     bool
	Data   []byte
	At     time.Time
	Tags   []string
	Counts map[string]int
	Point  point
	Points []point
	Any    any
	Parent *record
	U      uint64
	Nick   string // left out when empty
	Null   *int   // always null
	I8     int8
}

type plainRecord struct {
	ID     int64          `json:"id"`
	Name   string         `json:"name"`
	Score  float64        `json:"score"`
	Small  float32        `json:"small"`
	Ok     bool           `json:"ok"`
	Data   []byte         `json:"data"`
	At     time.Time      `json:"at"`
	Tags   []string       `json:"tags"`
	Counts map[string]int `json:"counts"`
	Point  plainPoint     `json:"point"`
	Points []plainPoint   `json:"points"`
	Any    any            `json:"any"`
	Parent *plainRecord   `json:"parent,omitempty"`
	U      uint64         `json:"u"`
	Nick   string         `json:"nick,omitempty"`
	Null   *int           `json:"null"`
	I8     int8           `json:"i8"`
}

type plainPoint struct {
	X int `json:"x"`
	Y int `json:"a<b>"`
}

type point struct{ X, Y int }

var pointFields = weft.NewFields("x", "a<b>")

func (p point) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(pointFields)
	o.Int(0, p.X)
	o.Int(1, p.Y)
	return o.End()
}

func (p *point) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(pointFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			p.X = d.Int()
		case 1:
			p.Y = d.Int()
		}
	}
	return o.End()
}

var recordFields = weft.NewFields("id", "name", "score", "small", "ok", "data", "at", "tags", "counts", "point",
	"points", "any", "parent", "u", "nick", "null", "i8")

func (r *record) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(recordFields)
	o.Int64(0, r.ID)
	o.String(1, r.Name)
	o.Float64(2, r.Score)
	o.Float32(3, r.Small)
	o.Bool(4, r.Ok)
	o.Bytes(5, r.Data)
	o.Time(6, r.At)
	if r.Tags == nil {
		o.Null(7)
	} else {
		a := o.Array(7, len(r.Tags))
		for _, s := range r.Tags {
			a.Next()
			e.String(s)
		}
		a.End()
	}
	o.Value(8, r.Counts)
	o.Marshal(9, r.Point)
	o.Value(10, r.Points)
	o.Value(11, r.Any)
	if r.Parent != nil {
		o.Marshal(12, r.Parent)
	}
	o.Uint64(13, r.U)
	if r.Nick != "" {
		o.String(14, r.Nick)
	}
	o.Null(15)
	o.Int32(16, int32(r.I8))
	return o.End()
}

func (r *record) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(recordFields)
	o.Require(0, 1)
	for o.Next() {
		switch o.Index() {
		case 0:
			r.ID = d.Int64()
		case 1:
			r.Name = d.String()
		case 2:
			r.Score = d.Float64()
		case 3:
			r.Small = d.Float32()
		case 4:
			r.Ok = d.Bool()
		case 5:
			r.Data = d.Bytes()
		case 6:
			r.At = d.Time()
		case 7:
			if d.Null() {
				break
			}
			r.Tags = []string{}
			for a := d.Array(); a.Next(); {
				r.Tags = append(r.Tags, d.String())
			}
		case 8:
			if d.Null() {
				break
			}
			r.Counts = map[string]int{}
			for m := d.Map(); m.Next(); {
				name := m.Name()
				r.Counts[name] = d.Int()
			}
		case 9:
			d.Unmarshal(&r.Point)
		case 10:
			d.Value(&r.Points)
		case 11:
			r.Any = d.Any()
		case 12:
			r.Parent = new(record)
			d.Unmarshal(r.Parent)
		case 13:
			r.U = d.Uint64()
		case 14:
			r.Nick = d.String()
		case 16:
			r.I8 = d.Int8()
			// "null" is not read: the decoder skips it.
		}
	}
	return o.End()
}

func (r *record) plain() *plainRecord {
	if r == nil {
		return nil
	}
	p := &plainRecord{r.ID, r.Name, r.Score, r.Small, r.Ok, r.Data, r.At, r.Tags, r.Counts, plainPoint(r.Point), nil,
		r.Any, r.Parent.plain(), r.U, r.Nick, r.Null, r.I8}
	if r.Points != nil {
		p.Points = []plainPoint{}
	}
	for _, x := range r.Points {
		p.Points = append(p.Points, plainPoint(x))
	}
	return p
}

func records() []*record {
	at := time.Date(2026, 11, 21, 1, 2, 3, 4000, time.UTC)
	full := &record{
		ID: -5, Name: "a \"name\" <b>", Score: 1e21, Small: 0.1, Ok: true, Data: []byte("data"), At: at,
		Tags: []string{"x", "", strings.Repeat("long", 100)}, Counts: map[string]int{"a": 1, "b": -70000}, Point: point{1, -2},
		Points: []point{{3, 4}, {}}, Any: map[string]any{"k": []any{"t", nil, "s", 2.5}}, U: math.MaxUint64, Nick: "nick", I8: -128,
	}
	child := *full
	child.Parent = full
	return []*record{{At: at}, full, &child, {At: at, Tags: []string{}, Counts: map[string]int{}, Points: []point{}, Parent: &record{At: at}}}
}

// TestProtocolLikePlan: the protocol writes the bytes the plan writes, and
// either reads what the other writes; alone and nested.
func TestProtocolLikePlan(t *testing.T) {
	sorted := weft.Deterministic(true)
	for _, f := range formats {
		for i, r := range records() {
			for _, c := range []struct{ written, planned any }{
				{r, r.plain()},
				{[]*record{r, r}, []*plainRecord{r.plain(), r.plain()}},
				{map[string]any{"x": r}, map[string]any{"x": r.plain()}},
				{&struct{ R *record }{r}, &struct{ R *plainRecord }{r.plain()}},
			} {
				t.Run(fmt.Sprintf("%s, record %d, %T", f.Name(), i, c.written), func(t *testing.T) {
					got, err := f.MarshalAppend(nil, c.written, sorted)
					if err != nil {
						t.Fatalf("%s, record %d, %T: %v", f.Name(), i, c.written, err)
					}
					want, err := f.MarshalAppend(nil, c.planned, sorted)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s, record %d, %T:\n got %q\nwant %q", f.Name(), i, c.written, got, want)
					}
				})
			}
			b, _ := f.MarshalAppend(nil, r.plain(), sorted)
			var back record
			if err := f.Unmarshal(b, &back); err != nil {
				t.Fatalf("%s, record %d: %v", f.Name(), i, err)
			}
			if !reflect.DeepEqual(&back, r) {
				t.Errorf("%s, record %d:\n got %+v\nwant %+v", f.Name(), i, back, r)
			}
			var list []record
			if b, err := f.MarshalAppend(nil, []*plainRecord{r.plain()}); err != nil {
				t.Error(err)
			} else if err := f.Unmarshal(b, &list); err != nil || !reflect.DeepEqual(&list[0], r) {
				t.Errorf("%s, record %d in a list: %v", f.Name(), i, err)
			}
		}
	}
}

func TestProtocolAsArray(t *testing.T) {
	array := weft.StructAsArray(true)
	for i, r := range records() {
		got, err := msgpack.Marshal(r, array)
		if err != nil {
			t.Fatal(err)
		}
		var back record
		if err := msgpack.Unmarshal(got, &back); i > 0 && i < 3 && (err != nil || back.Name != r.Name || back.I8 != r.I8) {
			t.Errorf("record %d as array: %v, %+v", i, err, back)
		}
	}
	if b, err := msgpack.Marshal(point{1, 2}, array); err != nil || string(b) != "\x92\x01\x02" {
		t.Errorf("point as array: %x, %v", b, err)
	}
	var p point
	if err := msgpack.Unmarshal([]byte("\x93\x01\x02\xa1x"), &p); err != nil || p != (point{1, 2}) {
		t.Errorf("point from array: %v, %v", p, err)
	}
}

// marshalerFunc is a Marshaler by itself.
type marshalerFunc func(e *weft.Encoder) error

func (f marshalerFunc) MarshalWeft(e *weft.Encoder) error { return f(e) }

// unmarshalerFunc is an Unmarshaler by itself.
type unmarshalerFunc struct{ f func(d *weft.Decoder) error }

func (u *unmarshalerFunc) UnmarshalWeft(d *weft.Decoder) error { return u.f(d) }

var errOwn = errors.New("own error")

func TestEncoderErrors(t *testing.T) {
	fields := weft.NewFields("a", "b/c")
	for name, c := range map[string]struct {
		f    func(e *weft.Encoder) error
		path string
	}{
		"nothing written": {func(e *weft.Encoder) error { return nil }, ""},
		"two values":      {func(e *weft.Encoder) error { e.Int(1); return e.Int(2) }, ""},
		"not ended":       {func(e *weft.Encoder) error { e.Object(fields); return nil }, ""},
		"own error":       {func(e *weft.Encoder) error { return errOwn }, ""},
		"deep": {func(e *weft.Encoder) error {
			o := e.Object(fields)
			o.Int(0, 1)
			a := o.Array(1, 2)
			a.Next()
			e.Null()
			a.Next()
			m := e.Map(1)
			m.Name("m")
			e.Value(marshalerFunc(func(e *weft.Encoder) error { return errOwn }))
			m.End()
			a.End()
			return o.End()
		}, "/b~1c/1/m"},
		"stray value":     {func(e *weft.Encoder) error { o := e.Object(fields); e.Int(1); return o.End() }, ""},
		"no value":        {func(e *weft.Encoder) error { a := e.Array(1); a.Next(); return a.End() }, "/0"},
		"endless":         {endless, "*"},
		"impossible type": {func(e *weft.Encoder) error { return e.Value(make(chan int)) }, ""},
		"member fails": {func(e *weft.Encoder) error {
			o := e.Object(fields)
			o.Marshal(1, marshalerFunc(func(e *weft.Encoder) error { return e.Fail(errOwn) }))
			return o.End()
		}, "/b~1c"},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := msgpack.Marshal(marshalerFunc(c.f))
			var e *weft.Error
			if !errors.As(err, &e) || b != nil || c.path != "*" && e.Path != c.path {
				t.Errorf("%q, %v", b, err)
			}
			if _, err := json.Marshal(marshalerFunc(c.f)); err == nil {
				t.Error("no error from json")
			}
		})
	}
	if _, err := msgpack.Marshal(marshalerFunc(func(e *weft.Encoder) error {
		o := e.Object(fields)
		o.Int(1, 1)
		o.Int(0, 1)
		return o.End()
	}), weft.StructAsArray(true)); err == nil {
		t.Error("members of an array out of order")
	}
}

func endless(e *weft.Encoder) error { return e.Marshal(marshalerFunc(endless)) }

func TestDecoderErrors(t *testing.T) {
	for _, f := range formats {
		encode := func(v any) []byte {
			b, err := f.MarshalAppend(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		var missing *weft.MissingError
		if err := f.Unmarshal(encode(map[string]any{"r": map[string]int{"u": 1}}), &map[string]*record{}); !errors.As(err, &missing) ||
			!reflect.DeepEqual(missing.Names, []string{"id", "name"}) || !strings.Contains(err.Error(), "/r") {
			t.Errorf("%s: missing members: %v", f.Name(), err)
		}
		if sf, ok := f.(weft.StreamFormat); ok {
			cut := encode([]int{1, 2, 3})
			var ints []int
			err := sf.NewDecoder(bytes.NewReader(cut[:len(cut)-1])).Decode(&ints)
			if !errors.Is(err, weft.ErrUnexpectedEnd) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: cut: %v", f.Name(), err)
			}
		}
		var p point
		if err := f.Unmarshal(encode(map[string]any{"other": []int{1}, "x": 5, "more": nil}), &p); err != nil || p.X != 5 {
			t.Errorf("%s: unknown members: %v", f.Name(), err)
		}
		for name, read := range map[string]func(d *weft.Decoder) error{
			"own error":      func(d *weft.Decoder) error { return errOwn },
			"nothing read":   func(d *weft.Decoder) error { return nil },
			"not ended":      func(d *weft.Decoder) error { o := d.Object(pointFields); o.Next(); return nil },
			"ended too soon": func(d *weft.Decoder) error { o := d.Object(pointFields); o.Next(); return o.End() },
			"wrong kind":     func(d *weft.Decoder) error { d.Bool(); return d.Err() },
		} {
			if f.Name() == "json" && (name == "nothing read" || name == "not ended") {
				continue
			}
			v := struct{ V unmarshalerFunc }{unmarshalerFunc{read}}
			if err := f.Unmarshal(encode(map[string]any{"V": map[string]int{"x": 1}}), &v); err == nil {
				t.Errorf("%s: %s is not an error", f.Name(), name)
			} else if name == "own error" && !errors.Is(err, errOwn) {
				t.Errorf("%s: %s: %v", f.Name(), name, err)
			}
		}
	}
}

// TestMark tries one shape, goes back and takes another.
func TestMark(t *testing.T) {
	type both struct {
		Before int
		V      unmarshalerFunc
		After  string
	}
	for _, f := range formats {
		for _, in := range []any{"text", 5, map[string]any{"x": 1, "a<b>": 2}, []any{[]any{1, map[string]any{"x": "bad"}}}} {
			b, err := f.MarshalAppend(nil, map[string]any{"Before": 1, "V": in, "After": "end"}, weft.Deterministic(true))
			if err != nil {
				t.Fatal(err)
			}
			var got any
			v := both{V: unmarshalerFunc{func(d *weft.Decoder) error {
				r := d.Reader()
				m := r.Mark()
				var p []point
				if r.Value(&p); r.Err() == nil {
					return errors.New("a list of points")
				}
				r.Reset(m)
				var q point
				if d.Unmarshal(&q); d.Err() == nil {
					got = q
					return nil
				}
				r.Reset(m)
				got = d.Any()
				return d.Err()
			}}}
			if err := f.Unmarshal(b, &v); err != nil || v.Before != 1 || v.After != "end" || got == nil {
				t.Errorf("%s, %v: %v, %+v, %v", f.Name(), in, err, v, got)
			}
			if _, ok := in.(map[string]any); ok && got != (point{1, 2}) {
				t.Errorf("%s, %v: %v", f.Name(), in, got)
			}
		}
	}
}

func TestTranscode(t *testing.T) {
	for _, in := range []string{
		`{"a":[1,-2.5,"x",null,{},[],true,false,18446744073709551615,-9223372036854775808],"b":{"c":{"d":"é\n"}}}`,
		`[]`, `"s"`, `1e+300`, `[[[[[[]]]]]]`, `-0`, `{"a":[-0,0]}`,
		"[" + strings.Repeat("0,", 70000) + "0]",
	} {
		packed, err := weft.Transcode(nil, msgpack.Format, []byte(in), json.Format)
		if err != nil || !msgpack.Valid(packed) {
			t.Fatalf("%.60s: %v", in, err)
		}
		out, err := weft.Transcode([]byte(">"), json.Format, packed, msgpack.Format)
		if err != nil || string(out) != ">"+in {
			t.Errorf("%.60s comes back as %.60s, %v", in, out, err)
		}
		var fromJSON, fromPack any
		if err := json.Unmarshal([]byte(in), &fromJSON); err != nil {
			t.Fatal(err)
		}
		if err := msgpack.Unmarshal(packed, &fromPack); err != nil {
			t.Fatal(err)
		}
		again, err := msgpack.Marshal(fromPack, weft.Deterministic(true))
		if err != nil || len(again) != len(packed) {
			t.Errorf("%.60s: %d bytes, %d as marshaled", in, len(packed), len(again))
		}
	}
	for in, want := range map[string]string{
		"\x82\x01\xc4\x02hi\xa1t\xd6\xff\x00\x00\x00\x01": `{"1":"aGk=","t":"1970-01-01T00:00:01Z"}`,
	} {
		if out, err := weft.Transcode(nil, json.Format, []byte(in), msgpack.Format); err != nil || string(out) != want {
			t.Errorf("%q becomes %s, %v", in, out, err)
		}
	}
	for _, in := range []string{"\xd4\x05\x01", "\x91\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00", "\x92\x01", "\xc1", "\x01\x02", "\x81\x90\x01"} {
		if out, err := weft.Transcode([]byte("x"), json.Format, []byte(in), msgpack.Format); err == nil || string(out) != "x" {
			t.Errorf("%q becomes %q", in, out)
		}
	}
}

// TestTranscodeErrors checks that an error is one of the format that fails, and says
// which once.
func TestTranscodeErrors(t *testing.T) {
	for _, tt := range []struct {
		from, to weft.Format
		in, want string
	}{
		{msgpack.Format, json.Format, "\x81\xa1a\x92\x01\xd4\x05\x07", "json: at /a/1: the format has no such extension"},
		{msgpack.Format, tagged.Format, "\x81\xa1a\x92\x01\xd4\x05\x07", "tagged: at /a/1: the format has no such extension"},
		{msgpack.Format, tagged.Framed, "\x81\xa1a\x92\x01\xd4\x05\x07", "framed: at /a/1: the format has no such extension"},
		{msgpack.Format, json.Format, "\x81\xa1a\x92\x01\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00", "json: at /a/1: number is not finite"},
		{msgpack.Format, json.Format, "\x81\xa1a\x92\x01\xc1", "msgpack: at /a/1, offset 5: byte c1 is not the start of a value"},
		{msgpack.Format, json.Format, "\xd4\x05\x07", "json: the format has no such extension"},
		{json.Format, msgpack.Format, `{"a":[1,1e999]}`, "json: at /a/1, offset 8: number 1e999 does not fit float64"},
		{json.Format, tagged.Format, `{"a":[1,{"priceIndex":1,"roleCreated":2}]}`, "tagged: at /a/1/roleCreated: the member names"},
		{json.Format, tagged.Format, `{"a":[{"*":1},2]}`, "tagged: at /a/0/*: "},
		{json.Format, compress.Gzip(tagged.Format), `[{"*":1},2]`, "tagged: at /0/*: "},
	} {
		t.Run(tt.want, func(t *testing.T) {
			b, err := weft.Transcode([]byte("x"), tt.to, []byte(tt.in), tt.from)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || string(b) != "x" {
				t.Errorf("%s to %s of %q: %v, want %s", tt.from.Name(), tt.to.Name(), tt.in, err, tt.want)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	a := weft.Join(weft.RejectUnknown(true), weft.MaxDepth(5), weft.With("k", 1))
	b := weft.Join(a, weft.RejectUnknown(false), weft.With("k", 2), weft.Deterministic(true))
	if a.Flags(0) != setting.RejectUnknown || b.Flags(setting.AliasInput) != setting.AllowUnknown|setting.Deterministic|setting.AliasInput {
		t.Errorf("flags %x, %x", a.Flags(0), b.Flags(0))
	}
	if v, ok := b.Value("k"); v != 2 || !ok || b.Depth() != 5 || a.Depth() != 5 || (weft.Options{}).Depth() != setting.DefaultMaxDepth {
		t.Errorf("values %v, %v", v, b.Depth())
	}
	if v, _ := a.Value("k"); v != 1 {
		t.Error("Join changed its argument")
	}
	if n := testing.AllocsPerRun(100, func() { b = weft.Join(a, weft.StructAsArray(true)) }); n > 0 {
		t.Errorf("joining flags allocates %v times", n)
	}
}

// Each flag has a bit of its own: one option must not turn another one on.
func TestFlagsAreDistinct(t *testing.T) {
	var all uint64
	for i, f := range []uint64{
		setting.RejectUnknown, setting.RejectDuplicates, setting.Deterministic, setting.AliasInput,
		setting.StructAsArray, setting.AllowUnknown, setting.Unchecked, setting.Request, setting.Response, setting.AllViolations,
		setting.OmitNull, setting.OmitEmpty, setting.WriteEmpty,
	} {
		if f == 0 || f&(f-1) != 0 || all&f != 0 || f >= setting.JSON {
			t.Errorf("flag %d is %#x; those before it are %#x", i, f, all)
		}
		all |= f
	}
	type pointer struct{ A *int }
	if b, err := json.MarshalWith(pointer{}, weft.AsResponse(true)); err != nil || string(b) != `{"A":null}` {
		t.Errorf("as a response: %s, %v", b, err)
	}
}

func TestFields(t *testing.T) {
	f := weft.NewFields("a", "b", "")
	if f.Len() != 3 || f.Name(1) != "b" || f.Index("") != 2 || f.Index("c") != backend.Unknown {
		t.Error("table of fields")
	}
	done := make(chan bool)
	for range 4 {
		go func() {
			for range 100 {
				g := weft.NewFields("x")
				go namewire.Of(g.Names()).JSON()
				done <- namewire.Of(g.Names()).Pack().Len() == 1 && namewire.Of(g.Names()).JSON().Plain[0] == `"x":`
			}
		}()
	}
	for range 400 {
		if !<-done {
			t.Error("names made by several goroutines")
		}
	}
}

func TestPointer(t *testing.T) {
	if got := string(wire.AppendPointer([]byte("/x"), "a/b~c")); got != "/x/a~1b~0c" {
		t.Error(got)
	}
	for _, c := range []struct {
		err  weft.Error
		want string
	}{
		{weft.Error{Format: "json", Offset: 5, Path: "/a", Err: errOwn}, "json: at /a, offset 5: own error"},
		{weft.Error{Format: "json", Offset: 5, Err: errOwn}, "json: at offset 5: own error"},
		{weft.Error{Format: "json", Offset: -1, Path: "/a", Err: errOwn}, "json: at /a: own error"},
		{weft.Error{Format: "json", Offset: -1, Err: errOwn}, "json: own error"},
		{weft.Error{Format: "json", Offset: -1, Path: "/\"é\"/�", Err: errOwn}, `json: at /"é"/�: own error`},
		{weft.Error{Format: "json", Offset: -1, Path: "/\x1b[2J\n\"é\"\x81", Err: errOwn},
			`json: at /\x1b[2J\n"é"\x81: own error`},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := c.err.Error(); got != c.want || !errors.Is(&c.err, errOwn) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
