package convert

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weftcodec/weft/tagged"
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
	if turn(turn(packed, MessagePack, Framed), Framed, MessagePack) != packed {
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
