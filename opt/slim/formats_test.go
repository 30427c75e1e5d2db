package slim_test

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// record has every kind of option of what the formats have opcodes for, and of
// other types.
type record struct {
	Name  slim.Null[string]       `json:"name"`
	Omit  slim.Null[Kind]         `json:"omit,omitzero"`
	Kind  slim.Val[Kind]          `json:"kind,omitzero"`
	ID    slim.Val[int64]         `json:"id"`
	Price slim.Field[float64]     `json:"price"`
	Open  slim.Val[bool]          `json:"open"`
	Level slim.Field[level]       `json:"level,omitzero"`
	Big   slim.Null[uint64]       `json:"big"`
	Time  slim.Field[time.Time]   `json:"time"`
	At    slim.Field[*point]      `json:"at"`
	Place slim.Val[point]         `json:"place"`
	Tags  slim.Field[[]string]    `json:"tags"`
	More  slim.Field[map[int]int] `json:"more"`
	List  []slim.Null[Kind]       `json:"list"`
	Map   map[string]slim.Null[int]
}

// twin is record with the types of opt.
type twin struct {
	Name  opt.Null[string]       `json:"name"`
	Omit  opt.Null[Kind]         `json:"omit,omitzero"`
	Kind  opt.Val[Kind]          `json:"kind,omitzero"`
	ID    opt.Val[int64]         `json:"id"`
	Price opt.Field[float64]     `json:"price"`
	Open  opt.Val[bool]          `json:"open"`
	Level opt.Field[level]       `json:"level,omitzero"`
	Big   opt.Null[uint64]       `json:"big"`
	Time  opt.Field[time.Time]   `json:"time"`
	At    opt.Field[*point]      `json:"at"`
	Place opt.Val[point]         `json:"place"`
	Tags  opt.Field[[]string]    `json:"tags"`
	More  opt.Field[map[int]int] `json:"more"`
	List  []opt.Null[Kind]       `json:"list"`
	Map   map[string]opt.Null[int]
}

type level int8

func records() []record {
	return []record{
		{},
		{Price: slim.FieldNull[float64](), Level: slim.FieldNull[level](), Time: slim.FieldNull[time.Time](), At: slim.FieldNull[*point](),
			Tags: slim.FieldNull[[]string](), More: slim.FieldNull[map[int]int]()},
		{Name: slim.NullOf(""), Omit: slim.NullOf(Kind("")), Kind: slim.ValOf(Kind("")), ID: slim.ValOf[int64](0), Price: slim.FieldOf(0.0),
			Open: slim.ValOf(false), Level: slim.FieldOf(level(0)), Big: slim.NullOf[uint64](0), Time: slim.FieldOf(time.Unix(0, 0).UTC()),
			At: slim.FieldOf(new(point)), Place: slim.ValOf(point{}), Tags: slim.FieldOf([]string{}), More: slim.FieldOf(map[int]int{}),
			List: []slim.Null[Kind]{{}, slim.NullOf(KindCat)}, Map: map[string]slim.Null[int]{"a": {}}},
		{Name: slim.NullOf("rex"), Omit: slim.NullOf(KindCat), Kind: slim.ValOf(KindDog), ID: slim.ValOf[int64](-1 << 63),
			Price: slim.FieldOf(0.1), Open: slim.ValOf(true), Level: slim.FieldOf(level(-128)),
			Big: slim.NullOf[uint64](1<<64 - 1), Time: slim.FieldOf(time.Unix(1e9, 5).UTC()),
			At: slim.FieldOf(&point{1, 2}), Place: slim.ValOf(point{3, 4}),
			Tags: slim.FieldOf([]string{"a", "b"}), More: slim.FieldOf(map[int]int{1: 2}),
			List: []slim.Null[Kind]{slim.NullOf(KindDog)}, Map: map[string]slim.Null[int]{"a": slim.NullOf(1)}},
	}
}

// twinOf converts a record, field by field.
func twinOf(r record) (out twin) {
	from, to := reflect.ValueOf(r), reflect.ValueOf(&out).Elem()
	for i := range from.NumField() {
		f := from.Field(i)
		switch f.Kind() {
		case reflect.Struct:
			to.Field(i).Set(f.Convert(to.Field(i).Type()))
		case reflect.Slice:
			if !f.IsNil() {
				to.Field(i).Set(reflect.MakeSlice(to.Field(i).Type(), 0, f.Len()))
			}
			for j := range f.Len() {
				to.Field(i).Set(reflect.Append(to.Field(i), f.Index(j).Convert(to.Field(i).Type().Elem())))
			}
		case reflect.Map:
			if !f.IsNil() {
				to.Field(i).Set(reflect.MakeMap(to.Field(i).Type()))
			}
			for _, k := range f.MapKeys() {
				to.Field(i).SetMapIndex(k, f.MapIndex(k).Convert(to.Field(i).Type().Elem()))
			}
		}
	}
	return out
}

var engines = []sample.Engine{
	sample.EngineOf("json", json.Format),
	sample.EngineOf("json, V2", json.Format, json.V2()),
	sample.EngineOf("json, OmitNull", json.Format, weft.OmitNull(true)),
	sample.EngineOf("msgpack", msgpack.Format),
	sample.EngineOf("msgpack, arrays", msgpack.Format, weft.StructAsArray(true)),
	sample.EngineOf("tagged", tagged.Format),
	sample.EngineVia("value", msgpack.Format, value.Marshal, value.Unmarshal),
}

// TestFormats: every format writes a value of slim as one of opt, byte by byte,
// and reads it alike, over what was there before too.
func TestFormats(t *testing.T) {
	for _, e := range engines {
		for i, r := range records() {
			b, err := e.Marshal(r)
			want, err2 := e.Marshal(twinOf(r))
			if err != nil || err2 != nil || !bytes.Equal(b, want) {
				t.Errorf("%s: record %d is %q, %v; with opt %q, %v", e.Name, i, b, err, want, err2)
				continue
			}
			for j := range records() {
				into := records()[j]
				other := twinOf(into)
				err, err2 := e.Unmarshal(b, &into), e.Unmarshal(b, &other)
				if err != nil || err2 != nil || !reflect.DeepEqual(twinOf(into), other) {
					t.Errorf("%s: record %d over %d comes back as %+v, %v; with opt %+v, %v", e.Name, i, j, into, err, other, err2)
				}
			}
			// An array has no absent members, and OmitNull no null ones.
			var back record
			if err := e.Unmarshal(b, &back); err != nil || i >= 2 && !reflect.DeepEqual(back, r) {
				t.Errorf("%s: record %d comes back as %+v, %v", e.Name, i, back, err)
			}
			all := []record{r, r}
			b, err = e.Marshal(all)
			want, err2 = e.Marshal([]twin{twinOf(r), twinOf(r)})
			if err != nil || err2 != nil || !bytes.Equal(b, want) {
				t.Errorf("%s: a list of record %d is %q, %v; with opt %q, %v", e.Name, i, b, err, want, err2)
			}
		}
	}
}

// TestStates: absent, null and set, in each format.
func TestStates(t *testing.T) {
	type doc struct {
		F slim.Field[Kind] `json:"f"`
	}
	for _, e := range engines {
		for state, f := range map[string]slim.Field[Kind]{"absent": {}, "null": slim.FieldNull[Kind](), "set": slim.FieldOf(Kind(""))} {
			if e.Name == "msgpack, arrays" && state == "absent" {
				continue
			}
			b, err := e.Marshal(doc{f})
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
			var back doc
			if err := e.Unmarshal(b, &back); err != nil || back.F != f || back.F.State.String() != state {
				t.Errorf("%s: %s comes back as %v, %v", e.Name, state, back.F.State, err)
			}
		}
	}
}

// TestFormatsKeep wants the errors of opt, and the old value whole.
func TestFormatsKeep(t *testing.T) {
	for _, e := range engines {
		for _, tt := range []struct {
			member string
			value  any
		}{
			{"name", 5}, {"id", "x"}, {"id", nil}, {"kind", nil}, {"kind", 5}, {"price", "x"}, {"open", nil}, {"open", 1}, {"level", 128},
			{"level", "x"}, {"big", -1}, {"time", "yesterday"}, {"at", "x"}, {"place", nil}, {"place", map[string]any{"X": 9, "Y": "x"}},
			{"tags", []any{"new", 5}}, {"tags", 5}, {"more", "x"},
		} {
			t.Run(tt.member, func(t *testing.T) {
				b, err := e.Marshal(map[string]any{tt.member: tt.value})
				if err != nil {
					t.Fatal(err)
				}
				if e.Name == "tagged" && tt.value == nil || e.Name == "json, OmitNull" {
					return
				}
				for _, old := range []record{{}, records()[3]} {
					now, other := old, twinOf(old)
					err, err2 := e.Unmarshal(b, &now), e.Unmarshal(b, &other)
					if (err == nil) != (err2 == nil) || !reflect.DeepEqual(twinOf(now), other) {
						t.Errorf("%s: %s takes %v: %v, %+v; with opt %v, %+v", e.Name, tt.member, tt.value, err, now, err2, other)
					}
					if err != nil && e.Name != "tagged" && !reflect.DeepEqual(now, old) { // tagged reads in place, as it does opt
						t.Errorf("%s: %s: the old value has changed: %+v", e.Name, tt.member, now)
					}
				}
			})
		}
	}
}

// scalars has what the formats write and read in place.
type scalars struct {
	A slim.Null[Kind]
	B slim.Val[level]
	C slim.Field[float64]
	D slim.Null[bool]
	E slim.Field[Kind]
}

// TestFormatsAllocate wants no allocation, which a call of a method would need.
func TestFormatsAllocate(t *testing.T) {
	sample.NoAllocation(t,
		&scalars{slim.NullOf(KindDog), slim.ValOf(level(5)), slim.FieldOf(0.5), slim.NullOf(true), slim.FieldNull[Kind]()},
		json.Format, msgpack.Format)
}
