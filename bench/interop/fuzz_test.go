package interop

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/tinylib/msgp/msgp"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/msgpack"

	"github.com/weftcodec/weft/bench/records"
)

// FuzzAgainstPeers: where two other libraries read a document as one value, weft
// reads that value, unless it is one of those below that weft refuses on
// purpose; and what weft writes again the others read back.
func FuzzAgainstPeers(f *testing.F) {
	for _, v := range []any{
		records.New(), records.New().AsMap(), []any{1, -1, 1.5, "s", []byte("b"), nil, true}, time.Unix(1, 2),
		map[string]any{"k": []int{1 << 40}},
	} {
		b, err := msgpack.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range []string{
		"\xc1", "\xdd\x00\x00\x00\x01\x05", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "\xca\x7f\xc0\x00\x00",
		"\x81\xa1a\x81\xa1b\xc0",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var own any
		err := msgpack.Unmarshal(b, &own)
		if err == nil && !msgpack.Valid(b) {
			t.Fatalf("%x is read but not valid", b)
		}
		if !msgpack.Valid(b) { // the others allocate what a header claims
			return
		}
		x, rest, xerr := msgp.ReadIntfBytes(b)
		var y any
		if xerr == nil && len(rest) == 0 && vmihailenco.Unmarshal(b, &y) == nil && norm(x) == norm(y) {
			if err != nil {
				t.Fatalf("%x is read by msgp and vmihailenco as %v, but: %v", b, x, err)
			}
			if norm(own) != norm(x) {
				t.Fatalf("%x is %s, but %s to msgp and vmihailenco", b, norm(own), norm(x))
			}
		}
		if err != nil {
			return
		}
		again, err := msgpack.Marshal(own, weft.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		if x, rest, err := msgp.ReadIntfBytes(again); err == nil && (len(rest) != 0 || norm(x) != norm(own)) {
			t.Fatalf("%x is written as %x: %s, not %s, to msgp", b, again, norm(x), norm(own))
		}
	})
}

// FuzzRecord: what msgp's generated code reads as a record, weft reads as the
// same record, and they write it the same but for the order of maps.
func FuzzRecord(f *testing.F) {
	for _, v := range []any{records.New(), &records.Record{}} {
		for _, o := range []weft.Options{{}, weft.StructAsArray(true)} {
			b, err := msgpack.Marshal(v, o)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	f.Add([]byte("\x9900\xca0000\xcb00000000\xc3\xad000000000000\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd0\x99\x1000\xd1")) // a list of no such length
	f.Fuzz(func(t *testing.T, b []byte) {
		if !msgpack.Valid(b) { // msgp allocates what a header claims
			return
		}
		var m records.RecordMap
		if rest, err := m.UnmarshalMsg(b); err == nil && len(rest) == 0 {
			compareRecord(t, b, &m)
		}
		var a records.RecordTuple
		if rest, err := a.UnmarshalMsg(b); err == nil && len(rest) == 0 {
			compareRecord(t, b, &a)
		}
	})
}

func compareRecord(t *testing.T, b []byte, want any) {
	var got records.Record
	if err := msgpack.Unmarshal(b, &got); err != nil {
		t.Fatalf("%x is read by msgp: %v", b, err)
	}
	own, err := msgpack.Marshal(&got, weft.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := msgpack.Marshal(reflect.ValueOf(want).Interface(), weft.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	if string(own) != string(theirs) {
		// nil and empty are one to msgp, which keeps no difference for maps.
		if norm(plain(own)) != norm(plain(theirs)) {
			t.Fatalf("%x is read as %x, but by msgp as %x", b, own, theirs)
		}
	}
}

// plain reads a document without a type.
func plain(b []byte) (v any) {
	_ = msgpack.Unmarshal(b, &v)
	return v
}

// norm writes a value so that equal ones are equal strings, whatever Go types a
// library has chosen for them.
func norm(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case bool:
		return fmt.Sprint(x)
	case float32:
		return norm(float64(x))
	case float64:
		if math.IsNaN(x) {
			return "NaN"
		}
		return fmt.Sprintf("f%x", math.Float64bits(x))
	case string:
		return fmt.Sprintf("s%q", x)
	case []byte:
		return fmt.Sprintf("b%x", x)
	case time.Time:
		return fmt.Sprintf("t%d.%d", x.Unix(), x.Nanosecond())
	case complex64, complex128:
		return fmt.Sprintf("c%v", x)
	case msgp.RawExtension:
		return normExt(x.Type, x.Data)
	case *msgp.RawExtension:
		return normExt(x.Type, x.Data)
	case msgpack.Ext:
		return normExt(x.Type, x.Data)
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Slice:
		s := "["
		for i := range rv.Len() {
			s += norm(rv.Index(i).Interface()) + " "
		}
		return s + "]"
	case reflect.Map:
		pairs := map[string]string{}
		for _, k := range rv.MapKeys() {
			pairs[norm(k.Interface())] = norm(rv.MapIndex(k).Interface())
		}
		return fmt.Sprint(pairs) // sorted
	}
	return fmt.Sprint(v)
}

// normExt is norm for an extension: what one library takes for a time or a
// complex number another may leave as it is.
func normExt(typ int8, body []byte) string {
	b := msgpack.AppendExt(nil, typ, body)
	var t time.Time
	var c complex128
	switch {
	case (typ == -1 || typ == 5) && msgpack.Unmarshal(b, &t, msgpack.OldTimes(true)) == nil:
		return norm(t)
	case typ == 3 && msgpack.Unmarshal(b, &c) == nil:
		return fmt.Sprintf("c%v", complex64(c))
	case typ == 4 && msgpack.Unmarshal(b, &c) == nil:
		return fmt.Sprintf("c%v", c)
	}
	return fmt.Sprintf("e%d:%x", typ, body)
}
