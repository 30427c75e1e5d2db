package convert

import (
	"bytes"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/msgpack"
)

// bytesOf returns the bytes that a case writes: MessagePack and CBOR in hexadecimal.
func bytesOf(t testing.TB, format, text string) []byte {
	if format != MessagePack && format != CBOR {
		return []byte(text)
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConvert(t *testing.T) {
	long := strings.Repeat("x", 300)
	tests := []struct {
		from, in, to, out string
	}{
		// Integers stay integers, in the shortest form.
		{JSON, `[0,-1,127,128,-32,-33,255,256]`, MessagePack, "98 00 ff 7f cc80 e0 d0df ccff cd0100"},
		{JSON, `[9223372036854775807,-9223372036854775808,18446744073709551615]`, MessagePack,
			"93 cf7fffffffffffffff d38000000000000000 cfffffffffffffffff"},
		{MessagePack, "93 cf7fffffffffffffff d38000000000000000 cfffffffffffffffff", JSON,
			"[9223372036854775807,-9223372036854775808,18446744073709551615]\n"},
		// Every other number is the nearest float64.
		{JSON, `[1.0,1e2,-0,-0.0,0.1]`, MessagePack,
			"95 cb3ff0000000000000 cb4059000000000000 cb8000000000000000 cb8000000000000000 cb3fb999999999999a"},
		{JSON, `[5e-325,123456789012345678901234567890.0]`, MessagePack, "92 cb0000000000000000 cb45f8ee90ff6c373e"},
		{MessagePack, "94 ca3dcccccd cb3fb999999999999a cb8000000000000000 cb444b1ae4d6e2ef50", JSON, "[0.1,0.1,-0,1e+21]\n"},
		// Numbers as text stay as they are.
		{JSON, `[1.50, 1E5, 123456789012345678901234567890]`, JSON, "[1.50,1E5,123456789012345678901234567890]\n"},
		// Order and repeated names stay.
		{JSON, `{"b": 1, "a": [true, false, null], "b": "x"}`, MessagePack, "83 a162 01 a161 93 c3 c2 c0 a162 a178"},
		{MessagePack, "83 a162 01 a161 93 c3 c2 c0 a162 a178", JSON, `{"b":1,"a":[true,false,null],"b":"x"}` + "\n"},
		// Text.
		{JSON, `"\ud83d\ude00 \u003c\n\"\\"`, MessagePack, "a9 f09f9880203c0a225c"},
		{MessagePack, "a9 f09f9880203c0a225c", JSON, `"😀 <\n\"\\"` + "\n"},
		{JSON, `"` + long + `"`, MessagePack, "da012c" + hex.EncodeToString([]byte(long))},
		{JSON, "[" + strings.Repeat("1,", 15) + "1]", MessagePack, "dc0010" + strings.Repeat("01", 16)},
		// What JSON has no kind for.
		{MessagePack, "94 c403fbff00 c400 d6ff6553f100 d7ff0000000400000001", JSON,
			`["+/8A","","2023-11-14T22:13:20Z","1970-01-01T00:00:01.000000001Z"]` + "\n"},
		{MessagePack, "83 07 01 ff 02 cfffffffffffffffff 03", JSON, `{"7":1,"-1":2,"18446744073709551615":3}` + "\n"},
		{MessagePack, "83 07 d40511 c3 cd0001 a1ff cb7ff0000000000000", MessagePack, "83 07 d40511 c3 cd0001 a1ff cb7ff0000000000000"},
		// Records.
		{NDJSON, "{\"a\":1}\n\n  \r\n[2]\r\n3", MessagePack, "81a16101 9102 03"},
		{NDJSON, " {\"a\" : 1}\n[2]\n", NDJSON, "{\"a\":1}\n[2]\n"},
		{NDJSON, "1\n2\n", JSON, "[1,\n2]\n"},
		{NDJSON, "1\n", JSON, "[1]\n"},
		{NDJSON, "", JSON, "[]\n"},
		{NDJSON, "\n", MessagePack, ""},
		{JSON, `[{"a":1},[2],[]]`, NDJSON, "{\"a\":1}\n[2]\n[]\n"},
		{JSON, `[]`, NDJSON, ""},
		{JSON, `{"a":[1,2]}`, NDJSON, "{\"a\":[1,2]}\n"},
		{MessagePack, "01 9102 a133", NDJSON, "1\n[2]\n\"3\"\n"},
		{MessagePack, "01 9102 a133", JSON, "[1,\n[2],\n\"3\"]\n"},
		{MessagePack, "9102", JSON, "[2]\n"},
		{MessagePack, "9102", NDJSON, "[2]\n"},
		{MessagePack, "", NDJSON, ""},
		{MessagePack, "", MessagePack, ""},
		// CBOR, in its preferred form.
		{JSON, `[0,-1,23,24,-25,1000]`, CBOR, "86 00 20 17 1818 3818 1903e8"},
		{JSON, `[1.0,1e2,-0,0.1,100000.0]`, CBOR, "85 f93c00 f95640 f98000 fb3fb999999999999a fa47c35000"},
		{JSON, `{"b":[true,false,null],"a":"\u00fc","b":{}}`, CBOR, "a3 6162 83f5f4f6 6161 62c3bc 6162 a0"},
		{JSON, `18446744073709551616`, CBOR, "c249010000000000000000"},
		{CBOR, "82 c249010000000000000000 3bffffffffffffffff", JSON, "[18446744073709551616,-18446744073709551616]\n"},
		{CBOR, "84 f93e00 fa3dcccccd fb3fb999999999999a f98000", JSON, "[1.5,0.10000000149011612,0.1,-0]\n"},
		{CBOR, "86 43fbff00 c11a6553f100 c074323031332d30332d32315432303a30343a30305a d82063612e62 f7 c48221196ab3",
			JSON, `["+/8A","2023-11-14T22:13:20Z","2013-03-21T20:04:00Z","a.b",null,27315e-2]` + "\n"},
		{CBOR, "a2 01 02 20 03", JSON, `{"1":2,"-1":3}` + "\n"},
		{CBOR, "bf 6161 9f 01 7f 6162 6163 ff ff ff", JSON, `{"a":[1,"bc"]}` + "\n"},
		{CBOR, "d9d9f7 8101", JSON, "[1]\n"},
		{CBOR, "9f 01 8102 ff", JSON, "[1,[2]]\n"},
		{CBOR, "9f ff", JSON, "[]\n"},
		{CBOR, "80", JSON, "[]\n"},
		{CBOR, "01 8102 9f 03 ff", JSON, "[1,\n[2],\n[3]]\n"},
		{CBOR, "8101 02", JSON, "[[1],\n2]\n"},
		{CBOR, "01 8102 9f 03 ff", NDJSON, "1\n[2]\n[3]\n"},
		{NDJSON, "{\"a\":1}\n[2]\n3", CBOR, "a1616101 8102 03"},
		{CBOR, "", NDJSON, ""},
		{CBOR, "9f 01 f5 ff 8103", MessagePack, "92 01 c3 91 03"},
		{CBOR, "d9d9f7 9f 1801 fb3ff8000000000000 ff 9f 1801 ff", CBOR, "d9d9f7 9f 1801 fb3ff8000000000000 ff 9f 1801 ff"},
		{MessagePack, "82 a161 93 01 c3 cb3ff8000000000000 a162 d6ff6553f100 93 ca3fc00000 c401ff cfffffffffffffffff",
			CBOR, "a2 6161 83 01 f5 f93e00 6162 c11a6553f100 83 f93e00 41ff 1bffffffffffffffff"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %.60q to %s", tt.from, tt.in, tt.to), func(t *testing.T) {
			in, want := bytesOf(t, tt.from, tt.in), bytesOf(t, tt.to, tt.out)
			for name, r := range map[string]io.Reader{
				"at once":      bytes.NewReader(in),
				"byte by byte": iotest.OneByteReader(bytes.NewReader(in)),
			} {
				var out bytes.Buffer
				if err := Convert(&out, r, Options{From: tt.from, To: tt.to}); err != nil {
					t.Errorf("%s: %v", name, err)
				} else if !bytes.Equal(out.Bytes(), want) {
					t.Errorf("%s: got %q, want %q", name, out.Bytes(), want)
				}
			}
		})
	}
}

func TestConvertErrors(t *testing.T) {
	tests := []struct {
		from, in, to string
		offset       int64
		want         string
	}{
		{JSON, ``, MessagePack, 0, "unexpected end"},
		{JSON, `{"a":[1,`, MessagePack, 8, "/a"},
		{JSON, `{"a":[1,}`, MessagePack, 8, "/a"},
		{JSON, `[1] 2`, MessagePack, 4, ""},
		{JSON, `{"a":[1,18446744073709551616]}`, MessagePack, 8,
			"at /a/1, offset 8: MessagePack has no form for the integer 18446744073709551616"},
		{JSON, `[-9223372036854775809]`, MessagePack, 1, "-9223372036854775809"},
		{JSON, `[1e309]`, MessagePack, 1, "beyond float64"},
		{JSON, `"\ud83d"`, NDJSON, 1, `\ud83d is half of a pair`},
		{JSON, `{"a":[1,"x\udc00"]}`, MessagePack, 10, `\udc00 is half of a pair`},
		{JSON, `[{"a":1},{"\ud83d\ud83d":2}]`, CBOR, 11, `\ud83d is half of a pair`},
		{JSON, `["\\ud83d","\ud83d"]`, JSON, 12, `\ud83d is half of a pair`},
		{NDJSON, "1\n[\"\\ud83dx\"]\n", Tagged, 4, `line 2: json: at `},
		{NDJSON, "1\n[\"\xff\"]\n", Framed, 4, `line 2: json: at `},
		{NDJSON, "1\n{\"a\":\n2\n", MessagePack, 8, "line 2: "},
		{NDJSON, "1\n2\n[0,1e999]\n", MessagePack, 7, "line 3: json: at /1, offset 7"},
		{MessagePack, "92 01", JSON, -1, "unexpected end"},
		{MessagePack, "", JSON, 0, "unexpected end"},
		{MessagePack, "01 02 c1", NDJSON, 2, "value 3: "},
		{MessagePack, "01 92 01 a5 61", NDJSON, 3, "at /1"},
		{MessagePack, "dd ffffffff 01", NDJSON, -1, ""},
		{MessagePack, "db ffffffff 61", NDJSON, -1, ""},
		{MessagePack, "81 a161 91 d40511", JSON, 4, "at /a/0, offset 4: JSON has no form for extension type 5"},
		{MessagePack, "91 c70305aabbcc", JSON, 1, "extension type 5"},
		{MessagePack, "91 c80001ffaa", JSON, 1, ""},
		{MessagePack, "d630", JSON, -1, "unexpected end"},
		{MessagePack, "91 cb7ff8000000000000", JSON, 1, "at /0, offset 1: "},
		{MessagePack, "91 ca7f800000", JSON, 1, "at /0, offset 1: "},
		{MessagePack, "81 c3 01", JSON, 1, "name"},
		{MessagePack, "81 9101 01", JSON, 1, "name"},
		{MessagePack, "91 a2fffe", JSON, 1, "UTF-8"},
		{MessagePack, "01 81 a2fffe 01", NDJSON, 5, "UTF-8"},
		{CBOR, "82 01", JSON, 2, "at /1, offset 2: unexpected end"},
		{CBOR, "", JSON, 0, "unexpected end"},
		{CBOR, "01 02 ff", NDJSON, 2, "value 3: "},
		{CBOR, "01 82 01 65 61", NDJSON, 5, "at /1"},
		{CBOR, "9b ffffffffffffffff 01", NDJSON, -1, ""},
		{CBOR, "7b 7fffffffffffffff 61", NDJSON, -1, ""},
		{CBOR, "81 a1 6161 81 f97e00", JSON, 5, "at /0/a/0, offset 5: "},
		{CBOR, "81 a1 8101 01", JSON, -1, ""},
		{CBOR, "81 62fffe", JSON, 1, "UTF-8"},
		{CBOR, "81 c249010000000000000000", MessagePack, 1, "MessagePack has no form for the integer 18446744073709551616"},
		{CBOR, "82 00 e8", JSON, 2, "at /1, offset 2: json has no form for simple value 8"},
		{CBOR, "82 00 e8", MessagePack, 2, "at /1, offset 2: msgpack has no form for simple value 8"},
		{CBOR, "82 00 f8 ff", Tagged, 2, "at /1, offset 2: cannot be written as tagged: the format has no such extension"},
		{MessagePack, "81 a161 d40511", Tagged, 3, "at /a, offset 3: cannot be written as tagged: the format has no such extension"},
		{MessagePack, "82 a161 c3 a162 01", Tagged, 3, "at /a, offset 3: cannot be written as tagged: the format has no booleans"},
		{MessagePack, "81 a161 92 01 c3", Tagged, 5, "at /a/1, offset 5: cannot be written as tagged: the format has no booleans"},
		{CBOR, "81 a1 6161 f5", Tagged, 4, "at /0/a, offset 4: cannot be written as tagged: the format has no booleans"},
		{JSON, `[{"a":true}]`, Tagged, 6, "json: at /0/a, offset 6: cannot be written as tagged: the format has no booleans"},
		{NDJSON, "{\"a\":1}\n{\"a\":true}", Tagged, 13, "json: at /a, offset 13: cannot be written as tagged: the format has no booleans"},
		{MessagePack, "91 d40511", CBOR, 1, "CBOR has no form for extension type 5"},
		{JSON, `[1e309]`, CBOR, 1, "beyond float64"},
		{JSON, "{\"a\": [\"\xff\"]}", MessagePack, 8, "at /a/0, offset 8: invalid UTF-8"},
		{NDJSON, "1\n\"\xed\xa0\x80\"\n", JSON, 3, "line 2: json: at offset 3: invalid UTF-8"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %.60q to %s", tt.from, tt.in, tt.to), func(t *testing.T) {
			err := Convert(io.Discard, bytes.NewReader(bytesOf(t, tt.from, tt.in)), Options{From: tt.from, To: tt.to})
			var located *weft.Error
			if !errors.As(err, &located) || tt.offset >= 0 && located.Offset != tt.offset || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s %q to %s: got %v, want offset %d and %q", tt.from, tt.in, tt.to, err, tt.offset, tt.want)
			}
		})
	}
	for _, o := range []Options{{From: "xml", To: JSON}, {From: JSON, To: "xml"}, {}} {
		if err := Convert(io.Discard, strings.NewReader("1"), o); err == nil {
			t.Errorf("%v: no error", o)
		}
	}
}

// What goes from JSON to MessagePack, to CBOR and back means the same to encoding/json.
func TestConvertRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		in, err := stdjson.Marshal(randomValue(random, 0))
		if err != nil {
			t.Fatal(err)
		}
		checkRoundTrip(t, in)
	}
}

func checkRoundTrip(t *testing.T, in []byte) {
	t.Helper()
	var packed, items, back bytes.Buffer
	if err := Convert(&packed, bytes.NewReader(in), Options{From: JSON, To: MessagePack}); err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	if err := Convert(&items, bytes.NewReader(packed.Bytes()), Options{From: MessagePack, To: CBOR}); err != nil {
		t.Fatalf("%s, % x: %v", in, packed.Bytes(), err)
	}
	if err := Convert(&back, bytes.NewReader(items.Bytes()), Options{From: CBOR, To: JSON}); err != nil {
		t.Fatalf("%s, % x: %v", in, items.Bytes(), err)
	}
	var want, got any
	if err := stdjson.Unmarshal(in, &want); err != nil {
		t.Fatal(err)
	}
	if err := stdjson.Unmarshal(back.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s came back as %s", in, back.Bytes())
	}
}

func randomValue(r *rand.Rand, depth int) any {
	kinds := 8
	if depth > 4 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return int64(r.Uint64() >> r.IntN(64))
	case 3:
		return r.NormFloat64()
	case 4:
		return strings.Repeat("aä😀\"\\\n", r.IntN(9))
	case 5:
		return -r.IntN(1000)
	case 6:
		list := make([]any, r.IntN(20))
		for i := range list {
			list[i] = randomValue(r, depth+1)
		}
		return list
	default:
		object := map[string]any{}
		for range r.IntN(20) {
			object[fmt.Sprintf("k%d", r.IntN(1000))] = randomValue(r, depth+1)
		}
		return object
	}
}

// TestConvertMemory: a stream, and an array at the top, takes the memory of a record, not its own.
func TestConvertMemory(t *testing.T) {
	const size = 16 << 20
	record := `{"id":1234567,"name":"a name of some length","tags":["a","b","c"],"price":12.5}` + "\n"
	var packed bytes.Buffer
	if err := Convert(&packed, strings.NewReader(record), Options{From: NDJSON, To: MessagePack}); err != nil {
		t.Fatal(err)
	}
	var items bytes.Buffer
	if err := Convert(&items, strings.NewReader(record), Options{From: NDJSON, To: CBOR}); err != nil {
		t.Fatal(err)
	}
	n := size / len(record)
	array := string(msgpack.AppendArrayHeader(nil, n))
	var message bytes.Buffer
	if err := Convert(&message, &repeated{text: record, left: n}, Options{From: NDJSON, To: Tagged}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ from, to, head, record, tail string }{
		{NDJSON, MessagePack, "", record, ""},
		{NDJSON, JSON, "", record, ""},
		{NDJSON, Tagged, "", record, ""},
		{NDJSON, Framed, "", record, ""},
		{MessagePack, NDJSON, "", packed.String(), ""},
		{MessagePack, Tagged, "", packed.String(), ""},
		{MessagePack, NDJSON, array, packed.String(), ""},
		{MessagePack, JSON, array, packed.String(), ""},
		{MessagePack, MessagePack, array, packed.String(), ""},
		{CBOR, NDJSON, "", items.String(), ""},
		{CBOR, JSON, "\x9f", items.String(), "\xff"},
		{CBOR, MessagePack, "\x9f", items.String(), "\xff"},
		{CBOR, CBOR, "\x9f", items.String(), "\xff"},
		{JSON, CBOR, "[", record + ",", "1]"},
		{JSON, NDJSON, "[", record + ",", "1]"},
		{JSON, JSON, "\n [", record + ",", "1]"},
		{JSON, MessagePack, "[", record + ",", "1]"},
		{JSON, Tagged, "[", record + ",", "1]"},
		{JSON, Framed, "[", record + ",", record + "]"},
		{MessagePack, Framed, array, packed.String(), ""},
		{MessagePack, Tagged, array, packed.String(), ""},
		{CBOR, Framed, "\x9f", items.String(), "\xff"},
		{CBOR, Tagged, "\x9f", items.String(), "\xff"},
		{Tagged, JSON, message.String(), "", ""},
		{Tagged, NDJSON, message.String(), "", ""},
		{Tagged, CBOR, message.String(), "", ""},
		{Tagged, Framed, message.String(), "", ""},
		{Tagged, Tagged, message.String(), "", ""},
	} {
		t.Run(fmt.Sprintf("%s%.10q to %s", tt.from, tt.head, tt.to), func(t *testing.T) {
			var before, after runtime.MemStats
			peak := uint64(0)
			runtime.GC()
			runtime.ReadMemStats(&before)
			in := io.MultiReader(strings.NewReader(tt.head), &repeated{text: tt.record, left: n}, strings.NewReader(tt.tail))
			err := Convert(io.Discard, in, Options{From: tt.from, To: tt.to, Size: size,
				Progress: func(off int64) {
					if off%(1<<22) < int64(len(record)) {
						runtime.GC() // on a busy machine the collector is late
						runtime.ReadMemStats(&after)
						peak = max(peak, after.HeapInuse)
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			if peak == 0 {
				t.Fatal("no progress was told")
			}
			grown := int64(peak) - int64(before.HeapInuse)
			if t.Logf("%s to %s: %d bytes of memory", tt.from, tt.to, grown); grown > size/4 {
				t.Errorf("%s%.10s to %s: %d bytes took %d bytes of memory", tt.from, tt.head, tt.to, size, grown)
			}
		})
	}
}

// repeated is a text a number of times.
type repeated struct {
	text string
	left int
	at   int
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.text[r.at:])
	if r.at += n; r.at == len(r.text) {
		r.at = 0
		r.left--
	}
	return n, nil
}

// Deep nesting is an error, not a crash.
func TestConvertDepth(t *testing.T) {
	for from, unit := range map[string]string{JSON: "[", NDJSON: `{"a":`, MessagePack: "\x91", CBOR: "\x81"} {
		t.Run(from, func(t *testing.T) {
			for _, to := range Formats() {
				err := Convert(io.Discard, strings.NewReader(strings.Repeat(unit, 1_000_000)), Options{From: from, To: to})
				var located *weft.Error
				if !errors.As(err, &located) {
					t.Errorf("%s to %s: %v", from, to, err)
				}
			}
		})
	}
}

// A failing disk is not a broken file.
func TestConvertReadError(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, from := range Formats() {
		for _, head := range []string{"", "1", "\x92\x01", "\xd9"} {
			if from == Framed { // which finds out that the others are none
				head = "\xf7wft"[:len(head)]
			}
			err := Convert(io.Discard, io.MultiReader(strings.NewReader(head), iotest.ErrReader(broken)), Options{From: from, To: NDJSON})
			if !errors.Is(err, broken) {
				t.Errorf("%s %q: got %v", from, head, err)
			}
		}
	}
}

// FuzzConvert checks that no input makes Convert panic, that every error has a
// place inside the input, and that what JSON gives comes back.
func FuzzConvert(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.5,"x",null,true,{}]}`), byte(0))
	f.Add([]byte("1\n[2]\n"), byte(1))
	f.Add([]byte("\x83\xa1a\x01\xa1b\xc4\x01\xff\x07\xd6\xff\x00\x00\x00\x01"), byte(2))
	f.Add([]byte("\xdd\xff\xff\xff\xff\x01"), byte(2))
	f.Add([]byte("\x9f\xa1aa\xc2\x41\x01\xf7\xf9\x3e\x00\xff\x01"), byte(3))
	f.Add([]byte("\xe8"), byte(3))
	f.Fuzz(func(t *testing.T, in []byte, n byte) {
		from := Formats()[n%4]
		for _, to := range Formats() {
			var out bytes.Buffer
			err := Convert(&out, bytes.NewReader(in), Options{From: from, To: to})
			var located *weft.Error
			if err != nil && (!errors.As(err, &located) || located.Offset < 0 || located.Offset > int64(len(in))) {
				t.Fatalf("%s to %s: %q: error without a place: %v", from, to, in, err)
			}
			if err != nil {
				continue
			}
			if to == JSON && !stdjson.Valid(out.Bytes()) {
				t.Fatalf("%s to %s: %q gives %q", from, to, in, out.Bytes())
			}
			// What was written can be read.
			if err := Convert(io.Discard, bytes.NewReader(out.Bytes()), Options{From: to, To: to}); err != nil {
				t.Fatalf("%s to %s: %q gives %q, %v", from, to, in, out.Bytes(), err)
			}
		}
	})
}
