package opt_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// record has every kind of option of scalars, which the formats have opcodes
// for, and of other types.
type record struct {
	Name  opt.Null[string]        `json:"name"`
	Omit  opt.Null[string]        `json:"omit,omitzero"`
	ID    opt.Val[int64]          `json:"id"`
	Price opt.Field[float64]      `json:"price"`
	Open  opt.Val[bool]           `json:"open"`
	Level opt.Field[int8]         `json:"level"`
	Big   opt.Null[uint64]        `json:"big"`
	Time  opt.Field[time.Time]    `json:"time"`
	At    opt.Val[point]          `json:"at"`
	Tags  opt.Field[[]string]     `json:"tags"`
	More  opt.Null[opt.Val[int]]  `json:"more"`
	Long  opt.Field[string]       `json:"a name that is longer than three words of eight bytes"`
	Ptr   *opt.Null[string]       `json:"ptr"`
	List  []opt.Null[int]         `json:"list"`
	Map   map[string]opt.Val[int] `json:"map"`
	Rank  opt.Field[int]          `json:"rank" check:"minimum=0"`
	Nick  opt.Val[string]         `json:"nick" check:"minLength=1"`
}

func records() []record {
	null := opt.NullOf("in a pointer")
	return []record{
		{},
		{Price: opt.FieldNull[float64](), Level: opt.FieldNull[int8](), Time: opt.FieldNull[time.Time](), Tags: opt.FieldNull[[]string](),
			Long: opt.FieldNull[string](), Ptr: new(opt.Null[string]), Rank: opt.FieldNull[int]()},
		{Name: opt.NullOf(""), Omit: opt.NullOf(""), ID: opt.ValOf[int64](0), Price: opt.FieldOf(0.0), Open: opt.ValOf(false),
			Level: opt.FieldOf[int8](0), Big: opt.NullOf[uint64](0), Time: opt.FieldOf(time.Unix(0, 0).UTC()), At: opt.ValOf(point{}),
			Tags: opt.FieldOf([]string{}), More: opt.NullOf(opt.ValOf(0)), Long: opt.FieldOf(""), List: []opt.Null[int]{{}, opt.NullOf(0)},
			Rank: opt.FieldOf(0), Nick: opt.ValOf("x")},
		{Name: opt.NullOf("rex"), Omit: opt.NullOf("x"), ID: opt.ValOf[int64](-1 << 63), Price: opt.FieldOf(0.1), Open: opt.ValOf(true),
			Level: opt.FieldOf[int8](-128), Big: opt.NullOf[uint64](1<<64 - 1), Time: opt.FieldOf(time.Unix(1e9, 5).UTC()),
			At: opt.ValOf(point{1, 2}), Tags: opt.FieldOf([]string{"a", "b"}), More: opt.NullOf(opt.ValOf(5)), Long: opt.FieldOf("l"), Ptr: &null,
			List: []opt.Null[int]{opt.NullOf(1), {}}, Map: map[string]opt.Val[int]{"a": opt.ValOf(1)}, Rank: opt.FieldOf(1), Nick: opt.ValOf("r")},
	}
}

var engines = []sample.Engine{
	sample.EngineOf("json", json.Format),
	sample.EngineOf("msgpack", msgpack.Format),
	sample.EngineOf("msgpack, arrays", msgpack.Format, weft.StructAsArray(true)),
	sample.EngineVia("value", msgpack.Format, value.Marshal, value.Unmarshal),
}

func TestEngines(t *testing.T) {
	for _, e := range append([]sample.Engine{
		sample.EngineOf("cbor", cbor.Format), sample.EngineOf("tagged", tagged.Format), sample.EngineOf("framed", tagged.Framed),
	}, engines...) {
		for i, r := range records() {
			if e.Name == "msgpack, arrays" && i == 0 {
				continue // an array has no absent members: they are nil, which a Field reads as null
			}
			if r.Ptr != nil && !r.Ptr.Valid {
				r.Ptr = nil // null, as a pointer to null is
			}
			b, err := e.Marshal(r)
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			for _, into := range []record{{}, records()[3], records()[2]} {
				if i == 0 || i == 1 {
					into = record{} // what is absent leaves alone
				}
				into.Map, into.List = nil, nil
				if err := e.Unmarshal(b, &into); err != nil {
					t.Fatalf("%s: %q: %v", e.Name, b, err)
				}
				if i == 2 {
					into.Ptr, into.Omit = nil, opt.NullOf("")
				}
				if !reflect.DeepEqual(into, r) {
					t.Errorf("%s: record %d comes back as %+v\nwant %+v", e.Name, i, into, r)
				}
			}
			all := []record{r, r}
			if b, err = e.Marshal(all); err != nil {
				t.Fatal(err)
			}
			var back []record
			if err := e.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, all) {
				t.Errorf("%s: a list of record %d comes back as %+v, %v", e.Name, i, back, err)
			}
		}
	}
}

// TestEnginesKeep wants an error that names the member, and the old value whole.
func TestEnginesKeep(t *testing.T) {
	tests := []struct {
		member string
		value  any
	}{
		{"name", 5}, {"id", "x"}, {"id", nil}, {"price", "x"}, {"open", nil}, {"open", 1}, {"level", 128}, {"level", -129},
		{"big", -1}, {"time", "yesterday"}, {"time", 1.5}, {"at", nil}, {"at", map[string]any{"X": 9, "Y": "x"}}, {"at", "x"},
		{"tags", []any{"new", 5}}, {"tags", 5}, {"more", "x"}, {"a name that is longer than three words of eight bytes", 5},
		{"list", []any{"x"}}, {"map", map[string]any{"a": "x"}},
	}
	for _, e := range engines {
		for _, tt := range tests {
			t.Run(tt.member, func(t *testing.T) {
				text, err := e.Marshal(map[string]any{tt.member: tt.value})
				if err != nil {
					t.Fatal(err)
				}
				for _, old := range []record{records()[3], {}} {
					now := old
					if tt.member == "list" || tt.member == "map" {
						now = record{}
						old = now
					}
					err := e.Unmarshal(text, &now)
					now.List, now.Map = old.List, old.Map
					if err == nil {
						t.Errorf("%s: %s takes %v: %+v", e.Name, tt.member, tt.value, now)
					} else if tt.value != nil && !strings.Contains(err.Error(), strings.Fields(tt.member)[0]) &&
						!(tt.member == "time" && e.Name == "json") {
						t.Errorf("%s: %s: the error does not tell where: %v", e.Name, tt.member, err)
					}
					if !reflect.DeepEqual(now, old) {
						t.Errorf("%s: %s: the old value has changed: %+v\nwant %+v", e.Name, tt.member, now, old)
					}
				}
			})
		}
	}
}

// scalars has what the formats write and read in place.
type scalars struct {
	A opt.Null[string]
	B opt.Val[int64]
	C opt.Field[float64]
	D opt.Null[bool]
	E opt.Field[string]
}

// TestEnginesAllocate wants no allocation, which a call of a method would need.
func TestEnginesAllocate(t *testing.T) {
	sample.NoAllocation(t,
		&scalars{opt.NullOf("short"), opt.ValOf[int64](5), opt.FieldOf(0.5), opt.NullOf(true), opt.FieldNull[string]()},
		json.Format, msgpack.Format)
}
