package msgpack

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
)

// shapes is a type with a field for each way to read a value.
type shapes struct {
	B   bool
	I   int
	I8  int8
	U   uint
	U16 uint16
	F   float64
	F32 float32
	S   string
	Bs  []byte
	T   time.Time
	D   time.Duration
	C   complex128
	A   any
	P   *shapes
	L   []shapes
	Li  []int
	Ls  []string
	La  []any
	Ar  [3]int
	Ab  [2]byte
	M   map[string]shapes
	Mi  map[int]string
	Mu  map[string]uint
	Mk  map[keyed]int
	R   Raw
	E   Ext
	N   opt.Null[string]
	V   opt.Val[int]
	O   opt.Field[bool]
	Tu  tuple
	X   map[string]any `msgpack:",inline"`
}

func seeds(f *testing.F) {
	for _, s := range []string{
		"", "\xc0", "\xc1", "\x80", "\x90", "\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\xdb\xff\xff\xff\xff",
		"\x81\xa1A\x81\x01\xa1x", "\x83\xa1I\x05\xa2I8\xd0\x80\xa1L\x91\x81\xa1S\xa1x", "\x81\xa1M\x81\xa1k\x81\xa1P\xc0",
		"\x81\xa1T\xd6\xff\x00\x00\x00\x01", "\x81\xa2Mk\x81\x82\xa1X\x01\xa1Y\x02\x03", "\x92\xc3\x05",
		"\x81\xa1R\x93\x01\x02\x03", "\x81\xa1E\xd4\x05\x01", "\x83\xa1N\xa1s\xa1V\x01\xa1O\xc0", "\x82\xa2Tu\x93\x01\xa1y\xc0\xa3new\x01",
	} {
		f.Add([]byte(s))
	}
	v := shapes{I: -5, S: "text", Li: []int{1, 200, -70000}, M: map[string]shapes{"k": {}}, A: []any{int64(1), "x"}, P: &shapes{}}
	for _, o := range []Options{{}, weft.StructAsArray(true)} {
		b, err := Marshal(v, o)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

// FuzzUnmarshal reads anything: no panic, an error with a place, no change of
// the input; and all ways agree on what is well-formed.
func FuzzUnmarshal(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		in := string(b)
		valid := Valid(b)
		for _, o := range []Options{{}, weft.Join(weft.RejectDuplicates(true), weft.RejectUnknown(true), RejectInvalidUTF8(true), ExactArrays(true), AnyMaps(true), weft.AliasInput(true))} {
			for _, v := range []any{new(any), new(shapes), new([]shapes), new(map[string]any), new(map[int]shapes), new(Raw)} {
				err := Unmarshal(b, v, o)
				var e *weft.Error
				if err != nil && (!asError(err, &e) || e.Offset < 0 || e.Offset > int64(len(b)) || e.Err == nil) {
					t.Fatalf("error without a place: %#v", err)
				}
				if err == nil && !valid {
					t.Fatalf("%x is not well-formed but reads into %T", b, v)
				}
				if _, raw := v.(*Raw); raw && (err == nil) != valid {
					t.Fatalf("Valid(%x) is %v, but %v", b, valid, err)
				}
			}
		}
		if string(b) != in {
			t.Fatal("the input has changed")
		}
		d := NewDecoder(bytes.NewReader(b))
		var raw Raw
		raw, err := d.DecodeRaw()
		if (err == nil && len(raw) == len(b)) != valid {
			t.Fatalf("Valid(%x) is %v, but a Decoder says %v", b, valid, err)
		}
	})
}

// FuzzRoundTrip: what reads is written, read again and written again the same.
func FuzzRoundTrip(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		sorted := weft.Deterministic(true)
		for _, v := range []any{new(any), new(shapes)} {
			if Unmarshal(b, v) != nil {
				continue
			}
			once, err := Marshal(v, sorted)
			if err != nil {
				t.Fatalf("%x reads into %T but is not written: %v", b, v, err)
			}
			w := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			if err := Unmarshal(once, w); err != nil {
				t.Fatalf("%x is written as %x: %v", b, once, err)
			}
			twice, err := Marshal(w, sorted)
			if err != nil || !bytes.Equal(once, twice) {
				t.Fatalf("%x is written as %x, then as %x, %v", b, once, twice, err)
			}
		}
	})
}
