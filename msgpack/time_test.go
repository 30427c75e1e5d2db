package msgpack

import (
	"fmt"
	"testing"
	"time"

	"github.com/weftcodec/weft"
)

// TestTimeAlone: a time that is the whole document is written and read as one
// in a struct is, and as by a call with options.
func TestTimeAlone(t *testing.T) {
	general := weft.RejectUnknown(false)
	for _, at := range []time.Time{
		{}, time.Unix(0, 0), time.Unix(1, 999999999).UTC(), time.Unix(1<<34-1, 1), time.Unix(1<<34, 0), time.Unix(-1, 5),
	} {
		fast, err := MarshalAppend([]byte("x"), &at)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := MarshalAppend([]byte("x"), &at, general)
		if err != nil || string(fast) != string(slow) {
			t.Errorf("%v is written as %x, with options as %x, %v", at, fast, slow, err)
		}
		checkTimeAlone(t, fast[1:], general)
		checkTimeAlone(t, append(fast[1:], 0), general)
		for n := range len(fast) - 1 {
			checkTimeAlone(t, fast[1:1+n], general)
		}
	}
	for _, s := range []string{
		"\xc0", "\xc1", "\x05", "\xd7\xff\xff\xff\xff\xff\x00\x00\x00\x00", "\xd7\x05\x00\x00\x00\x00\x00\x00\x00\x00",
		"\xc7\x08\xff\x00\x00\x00\x00\x00\x00\x00\x01",
	} {
		checkTimeAlone(t, []byte(s), general)
	}
	if b, err := MarshalAppend(nil, (*time.Time)(nil)); err != nil || string(b) != "\xc0" {
		t.Errorf("a nil pointer is written as %x, %v", b, err)
	}
	if err := Unmarshal([]byte("\xc0"), (*time.Time)(nil)); err == nil {
		t.Error("a nil pointer is read into")
	}
	at := new(time.Time)
	b, _ := MarshalAppend(nil, at)
	if n := testing.AllocsPerRun(100, func() { b, _ = MarshalAppend(b[:0], at); _ = Unmarshal(b, at) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func checkTimeAlone(t *testing.T, b []byte, general Options) {
	t.Helper()
	x, y := time.Unix(7, 7), time.Unix(7, 7)
	xerr, yerr := Unmarshal(b, &x), Unmarshal(b, &y, general)
	if fmt.Sprint(xerr) != fmt.Sprint(yerr) || x != y {
		t.Errorf("%x: %v, %v; with options %v, %v", b, x, xerr, y, yerr)
	}
}
