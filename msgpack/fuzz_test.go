package msgpack

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/packwire"
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
		for _, o := range []Options{
			{},
			weft.Join(weft.RejectDuplicates(true), weft.RejectUnknown(true), RejectInvalidUTF8(true), ExactArrays(true),
				AnyMaps(true), weft.AliasInput(true)),
		} {
			for _, v := range []any{new(any), new(shapes), new([]shapes), new(map[string]any), new(map[int]shapes), new(Raw)} {
				err := Unmarshal(b, v, o)
				var e *weft.Error
				if err != nil && (!asError(err, &e) || e.Offset < 0 || e.Offset > int64(len(b)) || e.Err == nil) {
					t.Fatalf("error without a place: %#v", err)
				}
				if err == nil && !valid {
					t.Fatalf("%x is not well-formed but reads into %T", b, v)
				}
				// What the options refuse is well-formed all the same.
				refused := errors.Is(err, weft.ErrDuplicateName) || errors.Is(err, errUTF8)
				if _, raw := v.(*Raw); raw && (err == nil) != valid && !(valid && refused) {
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

// coded is a type whose fields codecs write and read.
type coded struct {
	C  celsius
	P  *celsius
	L  []celsius
	M  map[celsius]shout
	Ms map[string]celsius
	S  shout
	A  any
	B  bool
	Bs []bool
	R  *coded
}

// FuzzCodecs is FuzzRoundTrip for calls with codecs, in both layouts: what reads
// is written as one well-formed value, read again, and written again the same.
func FuzzCodecs(f *testing.F) {
	v := coded{
		C: celsius{1}, P: &celsius{-1}, L: []celsius{{2}}, M: map[celsius]shout{{3}: "three"}, S: "s", A: celsius{4}, B: true,
		R: &coded{},
	}
	layouts := []Options{
		weft.Join(someCodecs, weft.Deterministic(true)),
		weft.Join(someCodecs, weft.Deterministic(true), weft.StructAsArray(true)),
	}
	for _, o := range layouts {
		b, err := Marshal(v, o)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range []string{
		"\xd6\x07\x00\x00\x00\x01", "\xd6\x08\x00\x00\x00\x01", "\xd5\x07\x00\x00", "\xd6\x07\xff\x00\x00\x00",
		"\x93\xd6\x07\x00\x00\x00\x09\xd4\x08\x01\xc3",
		"\x81\xa1S\xa1X", "\x81\xa1B\xa3yes", "\x81\xa1M\x81\xd6\x07\x00\x00\x00\x03\xa1x", "\x81\xd6\x07\x00\x00\x00\x03\xa1x", "\x81\xa1R\xc0",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, o := range layouts {
			for _, v := range []any{new(any), new(coded), new([]celsius), new(map[celsius]shout)} {
				if Unmarshal(b, v, o) != nil {
					continue
				}
				if !Valid(b) {
					t.Fatalf("%x is not well-formed but reads into %T", b, v)
				}
				once, err := Marshal(v, o)
				if errors.Is(err, errBad) { // what the codec reads but refuses to write
					continue
				}
				if err != nil || !Valid(once) {
					t.Fatalf("%x reads into %T but is written as %x, %v", b, v, once, err)
				}
				w := reflect.New(reflect.TypeOf(v).Elem()).Interface()
				if err := Unmarshal(once, w, o); err != nil {
					t.Fatalf("%x is written as %x: %v", b, once, err)
				}
				twice, err := Marshal(w, o)
				if err != nil || !bytes.Equal(once, twice) {
					t.Fatalf("%x is written as %x, then as %x, %v", b, once, twice, err)
				}
			}
		}
	})
}

// FuzzTokens: a document is read as tokens exactly when it is well-formed, from
// a stream as from memory; written again they are a document of the same tokens
// that is no longer, and its own copy.
func FuzzTokens(f *testing.F) {
	seeds(f)
	f.Add(everyFormat()[:200])
	f.Add([]byte("\xd9\x01x\xcd\x00\x01\xdc\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		toks, out := tokens(t, b)
		due, ended := 1, false
		for i, tok := range toks {
			due--
			switch tok.Kind {
			case weft.KindArray:
				due += tok.Len
			case weft.KindObject:
				due += 2 * tok.Len
			}
			if due == 0 {
				ended = i == len(toks)-1
				break
			}
		}
		whole := ended && len(out.rest) == 0
		if end, _ := packwire.Skip(b, 0, len(b)+1); (end == len(b) && len(b) > 0) != whole {
			t.Fatalf("%x: one value of tokens: %v, but Skip ends at %d of %d", b, whole, end, len(b))
		}
		read := len(b) - len(out.rest)
		if len(out.b) > read {
			t.Fatalf("%x is written longer: %x", b[:read], out.b)
		}
		if whole && Valid(b) && !Valid(out.b) {
			t.Fatalf("%x is well-formed, but written as %x is not", b, out.b)
		}
		again, copied := tokens(t, out.b)
		if len(copied.rest) != 0 || !bytes.Equal(out.b, copied.b) || len(again) != len(toks) {
			t.Fatalf("%x is written as %x, then as %x", b[:read], out.b, copied.b)
		}
		for i := range toks {
			if !sameToken(toks[i], again[i]) {
				t.Fatalf("token %d of %x is %+v, written and read again %+v", i, b[:read], toks[i], again[i])
			}
		}
	})
}

// written is the tokens of a document written again, and what is left of it.
type written struct{ b, rest []byte }

// tokens reads b as tokens as far as it goes, from memory and from a stream, and
// writes them again.
func tokens(t *testing.T, b []byte) (toks []Token, out written) {
	d := NewDecoder(bytes.NewReader(b))
	out.rest = b
	for len(out.rest) > 0 {
		tok, rest, err := ReadToken(out.rest)
		streamed, serr := d.ReadToken()
		if (err == nil) != (serr == nil) || err == nil && !sameToken(tok, streamed) {
			t.Fatalf("%x: %+v, %v; from a stream %+v, %v", out.rest, tok, err, streamed, serr)
		}
		if err != nil {
			return toks, out
		}
		if out.b, err = AppendToken(out.b, tok); err != nil {
			t.Fatalf("%+v is not written: %v", tok, err)
		}
		toks, out.rest = append(toks, tok), rest
	}
	return toks, out
}

// sameToken compares tokens; a signed format of a number from 0 on is written as
// an unsigned one, and NaNs are alike.
func sameToken(x, y Token) bool {
	if x.Kind == weft.KindInt && x.Int >= 0 {
		x.Kind, x.Uint, x.Int = weft.KindUint, uint64(x.Int), 0
	}
	if y.Kind == weft.KindInt && y.Int >= 0 {
		y.Kind, y.Uint, y.Int = weft.KindUint, uint64(y.Int), 0
	}
	return x.Kind == y.Kind && x.Bool == y.Bool && x.Single == y.Single && x.Ext == y.Ext && x.Len == y.Len &&
		x.Int == y.Int &&
		x.Uint == y.Uint && (x.Float == y.Float || math.IsNaN(x.Float) && math.IsNaN(y.Float)) && bytes.Equal(x.Data, y.Data)
}
