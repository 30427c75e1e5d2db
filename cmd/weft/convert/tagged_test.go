package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

func TestTagged(t *testing.T) {
	const lines = `{"x":[1,2.5,"s",null],"n":1,"name":"a"}` + "\n" + `{"x":{},"n":18446744073709551615,"name":"b"}` + "\n"
	turn := func(in, from, to string) string {
		t.Helper()
		var out bytes.Buffer
		if err := Convert(&out, strings.NewReader(in), Options{From: from, To: to}); err != nil {
			t.Fatalf("%s to %s: %v", from, to, err)
		}
		return out.String()
	}
	for _, way := range [][]string{
		{Tagged}, {Framed}, {Tagged, Framed}, {Framed, Tagged}, {MessagePack, Tagged}, {Framed, MessagePack}, {JSON, Tagged},
		{JSON, Framed, JSON},
	} {
		text, from := lines, NDJSON
		for _, to := range append(way, NDJSON) {
			text, from = turn(text, from, to), to
		}
		if text != lines {
			t.Errorf("by way of %v: %s", way, text)
		}
	}
	// Frames keep everything; the last number is text, since no float has it.
	const exact = `{"z":true,"a":[false,null,{},[],-0.0,1e300,"",{"priceIndex":1,"roleCreated":2,"*":3}]}` + "\n" +
		`{"a":1,"z":null,"n":0.12345678901234567890,"m":[1,1.5,true,"x"]}` + "\n" + `5` + "\n" + `null` + "\n"
	if got, want := turn(turn(exact, NDJSON, Framed), Framed, NDJSON),
		strings.NewReplacer("-0.0", "-0", "1e300", "1e+300").Replace(exact); got != want {
		t.Errorf("by way of frames: %s, want %s", got, want)
	}
	packed := "\x92\xca\x3f\x8c\xcc\xcd\xcb\x3f\xf1\x99\x99\x99\x99\x99\x9a"
	if turn(turn(packed, MessagePack, Framed), Framed, MessagePack) != packed[1:] { // the elements are the records
		t.Error("floats of 32 bits become others")
	}
	var ints bytes.Buffer
	if err := Convert(&ints, strings.NewReader(`{"a":[true,false]}`), Options{From: JSON, To: Tagged, BoolsAsInts: true}); err != nil {
		t.Error(err)
	} else if got := turn(ints.String(), Tagged, JSON); got != `{"a":[1,0]}`+"\n" {
		t.Error(got)
	}
	if b := turn(`{"a":1}`, JSON, Tagged); turn(b, Tagged, JSON) != `{"a":1}`+"\n" || !tagged.Valid([]byte(b)) {
		t.Errorf("%x", b)
	}
	b, err := tagged.MarshalFramed(map[string]any{"z": "last", "a": []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	if got := turn(string(b), Framed, JSON); !strings.Contains(got, `"a":[1]`) || got[0] != '{' {
		t.Error(got)
	}
	for _, c := range []struct{ in, from, to string }{
		{"\x09\x00\x00\x00\x7f", Tagged, JSON}, {"\xf7wft", Framed, JSON}, {string(b[:len(b)-1]), Framed, JSON},
		{`{"priceIndex":1,"roleCreated":2}`, JSON, Tagged}, {`{"*":1}`, JSON, Tagged}, {`{"a":true}`, JSON, Tagged},
		{"\x07\x00\x00\x00\x01\xff", Tagged, JSON},
	} {
		t.Run(c.in, func(t *testing.T) {
			if err := Convert(new(bytes.Buffer), strings.NewReader(c.in), Options{From: c.from, To: c.to}); err == nil {
				t.Errorf("%q from %s to %s: no error", c.in, c.from, c.to)
			}
		})
	}
}

// A file that is one array is the list of its elements, in whichever format, as a JSON file is; of several values each is
// a record.
func TestOneArray(t *testing.T) {
	for _, row := range []struct{ name, from, in, want string }{
		{"msgpack array", MessagePack, "\x92\x81\xa1a\x01\xa1x", `[{"a":1},"x"]`},
		{"msgpack array of none", MessagePack, "\x90", `[]`},
		{"msgpack array of one", MessagePack, "\x91\x01", `[1]`},
		{"msgpack array of arrays", MessagePack, "\x92\x91\x01\x90", `[[1],[]]`},
		{"msgpack arrays", MessagePack, "\x91\x01\x91\x02", `[[1],[2]]`},
		{"msgpack array and more", MessagePack, "\x91\x01\x02", `[[1],2]`},
		{"cbor array", CBOR, "\x82\xa1\x61a\x01\x61x", `[{"a":1},"x"]`},
		{"cbor array of open length", CBOR, "\x9f\xa1\x61a\x01\x61x\xff", `[{"a":1},"x"]`},
		{"cbor array of none", CBOR, "\x80", `[]`},
		{"cbor arrays", CBOR, "\x81\x01\x9f\x02\xff", `[[1],[2]]`},
		{"cbor array and more", CBOR, "\x81\x01\x02", `[[1],2]`},
	} {
		for _, to := range []string{Framed, Tagged} {
			t.Run(row.name+"/"+to, func(t *testing.T) {
				var out, back bytes.Buffer
				if err := Convert(&out, strings.NewReader(row.in), Options{From: row.from, To: to}); err != nil {
					t.Fatal(err)
				}
				if err := Convert(&back, &out, Options{From: to, To: JSON}); err != nil {
					t.Fatal(err)
				}
				if got := strings.ReplaceAll(back.String(), "\n", ""); got != row.want {
					t.Errorf("%s, want %s", got, row.want)
				}
			})
		}
	}
}

// A list of the hashed-tag format is converted in batches: nothing shows of it, and errors have the place that they have
// when it is read at once.
func TestMessageList(t *testing.T) {
	var text bytes.Buffer
	for i := range 20_000 {
		switch i % 5 {
		case 0, 1:
			fmt.Fprintf(&text, `{"id":%d,"name":"name %d","in":[%[1]d,{"id":null}]}`+"\n", i, i*7)
		case 2:
			fmt.Fprintf(&text, "%d\n", i)
		case 3:
			fmt.Fprintf(&text, "[\"%0*d\",%d.5]\n", i%1000, 0, i)
		default:
			fmt.Fprintf(&text, "\"text %d\"\n", i)
		}
	}
	var message bytes.Buffer
	if err := Convert(&message, strings.NewReader(text.String()), Options{From: NDJSON, To: Tagged}); err != nil {
		t.Fatal(err)
	}
	if message.Len() < 2*maxBatch {
		t.Fatalf("%d bytes", message.Len())
	}
	var whole []any
	if err := tagged.Unmarshal(message.Bytes(), &whole); err != nil || len(whole) != 20_000 {
		t.Fatal(len(whole), err)
	}
	for _, to := range []string{NDJSON, JSON, MessagePack, CBOR, Framed, Tagged} {
		t.Run(to, func(t *testing.T) {
			var out, back bytes.Buffer
			if err := Convert(&out, bytes.NewReader(message.Bytes()), Options{From: Tagged, To: to}); err != nil {
				t.Fatal(err)
			}
			if err := Convert(&back, &out, Options{From: to, To: Tagged}); err != nil || !bytes.Equal(back.Bytes(), message.Bytes()) {
				t.Errorf("%d bytes, want %d: %v", back.Len(), message.Len(), err)
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		cut := bytes.Clone(message.Bytes())
		at := r.IntN(len(cut))
		switch r.IntN(3) {
		case 0:
			cut = cut[:at]
		case 1:
			cut[at] ^= byte(1 + r.IntN(127))
		default:
			at = len(cut) - 1 - r.IntN(100) // within the names
			cut[at] ^= byte(1 + r.IntN(127))
		}
		t.Run(fmt.Sprintf("fault at %d of %d", at, len(cut)), func(t *testing.T) {
			var v value.Value
			want := tagged.Unmarshal(cut, &v)
			got := Convert(io.Discard, bytes.NewReader(cut), Options{From: Tagged, To: CBOR})
			if want == nil && got == nil {
				return
			}
			var a, b *weft.Error
			if !errors.As(want, &a) || !errors.As(got, &b) || a.Offset != b.Offset || a.Path != b.Path {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
