package gocql

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	stdjson "encoding/json"
	"math/big"
	"net"
	"reflect"
	"testing"
	"time"

	driver "github.com/gocql/gocql"
	"gopkg.in/inf.v0"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
)

func native(t driver.Type) driver.TypeInfo { return driver.NewNativeType(4, t, "") }

func list(elem driver.TypeInfo) driver.TypeInfo {
	return driver.CollectionType{NativeType: driver.NewNativeType(4, driver.TypeList, ""), Elem: elem}
}

// trip holds that v goes through a column as the driver itself has it, and so does a null.
func trip[T any](info driver.TypeInfo, v T, wire string) func(t *testing.T) {
	return func(t *testing.T) {
		want, err := hex.DecodeString(wire)
		if err != nil {
			t.Fatal(err)
		}
		if id, ok := any(v).(opt.RawUUID); ok {
			check(t, info, driver.UUID(id), want)
		} else {
			check(t, info, v, want)
		}
		null, val, field := opt.NullOf(v), opt.ValOf(v), opt.FieldOf(v)
		for _, from := range []any{AsNull(&null), Null[T](null), AsVal(&val), Val[T](val).Arg(), AsField(&field), Field[T](field).Arg()} {
			if b, err := driver.Marshal(info, from); err != nil || !bytes.Equal(b, want) {
				t.Errorf("%T writes %x, %v; want %x", from, b, err, want)
			}
		}
		var n opt.Null[T]
		var o opt.Val[T]
		var f opt.Field[T]
		read := func(data []byte) {
			t.Helper()
			for _, to := range []any{AsNull(&n), AsVal(&o), AsField(&f)} {
				if err := driver.Unmarshal(info, data, to); err != nil {
					t.Errorf("%T: %v", to, err)
				}
			}
		}
		read(want)
		if !n.Equal(null) || !o.Equal(val) || !f.Equal(field) {
			t.Errorf("%x reads as %v, %v, %v", want, n, o, f)
		}
		read(nil)
		if n.Valid || o.Valid || f.State != opt.IsNull || !reflect.ValueOf(n.V).IsZero() || !reflect.ValueOf(f.V).IsZero() {
			t.Errorf("a null reads as %#v, %#v, %#v", n, o, f)
		}
		for _, from := range []any{AsNull(&n), AsVal(&o), AsField(&f), AsField(new(opt.Field[T]))} {
			if b, err := driver.Marshal(info, from); err != nil || b != nil {
				t.Errorf("%T: a null writes %x, %v", from, b, err)
			}
		}
	}
}

// check holds that the driver writes and reads a plain value so.
func check[T any](t *testing.T, info driver.TypeInfo, v T, want []byte) {
	t.Helper()
	if b, err := driver.Marshal(info, v); err != nil || !bytes.Equal(b, want) {
		t.Errorf("the driver writes %x, %v; want %x", b, err, want)
	}
}

func TestTypes(t *testing.T) {
	id := [16]byte{0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
	const idHex = "6ba7b8109dad11d180b400c04fd430c8"
	tests := map[string]func(*testing.T){
		"text":             trip(native(driver.TypeText), "Utrecht", "55747265636874"),
		"text, empty":      trip(native(driver.TypeText), "", ""),
		"varchar":          trip(native(driver.TypeVarchar), "é", "c3a9"),
		"ascii":            trip(native(driver.TypeAscii), "null", "6e756c6c"),
		"blob":             trip(native(driver.TypeBlob), []byte{0, 0xff}, "00ff"),
		"boolean, false":   trip(native(driver.TypeBoolean), false, "00"),
		"boolean, true":    trip(native(driver.TypeBoolean), true, "01"),
		"tinyint":          trip(native(driver.TypeTinyInt), int8(-128), "80"),
		"tinyint, uint8":   trip(native(driver.TypeTinyInt), uint8(127), "7f"),
		"smallint":         trip(native(driver.TypeSmallInt), int16(-2), "fffe"),
		"smallint, uint16": trip(native(driver.TypeSmallInt), uint16(258), "0102"),
		"int":              trip(native(driver.TypeInt), int32(0), "00000000"),
		"int, int":         trip(native(driver.TypeInt), -1, "ffffffff"),
		"int, uint32":      trip(native(driver.TypeInt), uint32(7), "00000007"),
		"bigint":           trip(native(driver.TypeBigInt), int64(-1<<63), "8000000000000000"),
		"bigint, uint64":   trip(native(driver.TypeBigInt), uint64(1)<<62, "4000000000000000"),
		"counter":          trip(native(driver.TypeCounter), int64(3), "0000000000000003"),
		"varint":           trip(native(driver.TypeVarint), *big.NewInt(-256), "ff00"),
		"float":            trip(native(driver.TypeFloat), float32(1.5), "3fc00000"),
		"double":           trip(native(driver.TypeDouble), -0.5, "bfe0000000000000"),
		"decimal":          trip(native(driver.TypeDecimal), *inf.NewDec(12345, 2), "000000023039"),
		"timestamp":        trip(native(driver.TypeTimestamp), time.UnixMilli(1).UTC(), "0000000000000001"),
		"date":             trip(native(driver.TypeDate), time.Unix(86400, 0).UTC(), "80000001"),
		"time":             trip(native(driver.TypeTime), time.Second, "000000003b9aca00"),
		"duration":         trip(native(driver.TypeDuration), driver.Duration{Months: 1, Days: -1, Nanoseconds: 2}, "020104"),
		"uuid":             trip(native(driver.TypeUUID), driver.UUID(id), idHex),
		"uuid, RawUUID":    trip(native(driver.TypeUUID), opt.RawUUID(id), idHex),
		"timeuuid":         trip(native(driver.TypeTimeUUID), driver.UUID(id), idHex),
		"inet":             trip(native(driver.TypeInet), net.IP{10, 0, 0, 1}, "0a000001"),
		"list":             trip(list(native(driver.TypeInt)), []int32{1, -1}, "00000002"+"0000000400000001"+"00000004ffffffff"),
		"list, empty":      trip(list(native(driver.TypeInt)), []int32{}, "00000000"),
		"list of nulls": trip(list(native(driver.TypeText)), []Null[string]{{V: "a", Valid: true}, {}},
			"00000002"+"0000000161"+"ffffffff"),
		"map of nulls": trip(driver.TypeInfo(driver.CollectionType{NativeType: driver.NewNativeType(4, driver.TypeMap, ""),
			Key: native(driver.TypeText), Elem: native(driver.TypeBoolean)}), map[string]Field[bool]{"k": {V: true, State: opt.IsSet}},
			"00000001"+"000000016b"+"0000000101"),
		"user-defined": trip(driver.TypeInfo(driver.UDTTypeInfo{NativeType: driver.NewNativeType(4, driver.TypeUDT, ""), Name: "place",
			Elements: []driver.UDTField{{Name: "city", Type: native(driver.TypeText)}, {Name: "height", Type: native(driver.TypeInt)}}}),
			place{City: Null[string]{V: "U", Valid: true}}, "0000000155"+"ffffffff"),
		"tuple": trip(driver.TypeInfo(driver.TupleTypeInfo{NativeType: driver.NewNativeType(4, driver.TypeTuple, ""),
			Elems: []driver.TypeInfo{native(driver.TypeText), native(driver.TypeInt)}}),
			struct {
				City   string
				Height int
			}{"U", 5}, "0000000155"+"0000000400000005"),
	}
	for name, test := range tests {
		t.Run(name, test)
	}
}

// place is a user-defined type.
type place struct {
	City   Null[string] `cql:"city" json:"city"`
	Height Val[int32]   `cql:"height" json:"height,omitzero"`
}

// TestKept checks that what cannot be read is an error, and leaves the old value.
func TestKept(t *testing.T) {
	null, val, field := opt.NullOf(int8(1)), opt.ValOf(int8(1)), opt.FieldOf(int8(1))
	tests := []struct {
		info driver.TypeInfo
		data []byte
	}{
		{native(driver.TypeInt), []byte{0, 0, 1, 0}}, // an overflow
		{native(driver.TypeText), []byte("1")},
		{native(driver.TypeUUID), make([]byte, 16)},
		{list(native(driver.TypeInt)), []byte{0, 0, 0, 1}},
	}
	for _, test := range tests {
		for _, to := range []any{AsNull(&null), AsVal(&val), AsField(&field)} {
			if err := driver.Unmarshal(test.info, test.data, to); err == nil {
				t.Errorf("%v into %T is not an error", test.info, to)
			}
		}
	}
	if null != opt.NullOf(int8(1)) || val != opt.ValOf(int8(1)) || field != opt.FieldOf(int8(1)) {
		t.Error(null, val, field)
	}
	if b, err := driver.Marshal(native(driver.TypeInt), Null[string]{V: "text", Valid: true}); err == nil {
		t.Errorf("text is written as an int: %x", b)
	}
}

func TestArg(t *testing.T) {
	if got := (Val[int]{}).Arg(); got != any(driver.UnsetValue) {
		t.Error(got)
	}
	if got := (Field[int]{}).Arg(); got != any(driver.UnsetValue) {
		t.Error(got)
	}
	null := Field[int](opt.FieldNull[int]())
	if got := null.Arg(); got != any(null) {
		t.Error(got)
	}
}

// TestElsewhere checks that fields of these types are what those of opt are to formats.
func TestElsewhere(t *testing.T) {
	type row struct {
		N Null[string]  `json:"n"`
		V Val[int]      `json:"v,omitzero"`
		F Field[bool]   `json:"f,omitzero"`
		S sql.Null[int] `json:"-"`
	}
	tests := []struct {
		row  row
		text string
	}{
		{row{}, `{"n":null}`},
		{row{F: Field[bool]{State: opt.IsNull}}, `{"n":null,"f":null}`},
		{row{N: Null[string]{V: "x", Valid: true}, V: Val[int]{Valid: true}, F: Field[bool]{V: true, State: opt.IsSet}},
			`{"n":"x","v":0,"f":true}`},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			for name, f := range map[string]struct {
				marshal   func(any) ([]byte, error)
				unmarshal func([]byte, any) error
			}{
				"weft":          {func(v any) ([]byte, error) { return json.Marshal(v) }, func(b []byte, v any) error { return json.Unmarshal(b, v) }},
				"encoding/json": {stdjson.Marshal, stdjson.Unmarshal},
			} {
				b, err := f.marshal(test.row)
				if err != nil || string(b) != test.text {
					t.Errorf("%s writes %s, %v; want %s", name, b, err, test.text)
				}
				var got row
				if err := f.unmarshal(b, &got); err != nil || got != test.row {
					t.Errorf("%s reads %s as %+v, %v", name, b, got, err)
				}
			}
			var got row
			b, err := msgpack.Marshal(test.row)
			if err == nil {
				err = msgpack.Unmarshal(b, &got)
			}
			if err != nil || got != test.row {
				t.Errorf("%x reads as %+v, %v", b, got, err)
			}
		})
	}
	n := Null[string]{V: "x", Valid: true}
	if n.Opt() != opt.NullOf("x") || n.String() != "x" || (Val[int]{}).String() != "absent" || !(Field[int]{}).IsZero() {
		t.Error(n)
	}
}
