package weft_test

import (
	"fmt"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// temperature is written as a number of degrees, in every format.
type temperature float64

func (t temperature) MarshalWeft(e *weft.Encoder) error { return e.Float64(float64(t)) }

func (t *temperature) UnmarshalWeft(d *weft.Decoder) error {
	*t = temperature(d.Float64())
	return d.Err()
}

// reading is written as an object that leaves out what is not known.
type reading struct {
	Place string
	Value temperature
	Notes []string
}

var readingFields = weft.NewFields("place", "value", "notes")

func (r *reading) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(readingFields)
	o.String(0, r.Place)
	o.Marshal(1, r.Value)
	if r.Notes != nil {
		o.Value(2, r.Notes)
	}
	return o.End()
}

func (r *reading) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(readingFields)
	o.Require(0, 1)
	for o.Next() {
		switch o.Index() {
		case 0:
			r.Place = d.String()
		case 1:
			d.Unmarshal(&r.Value)
		case 2:
			d.Value(&r.Notes)
		}
	}
	return o.End()
}

func ExampleMarshaler() {
	for _, f := range []weft.Format{json.Format, msgpack.Format} {
		b, err := f.MarshalAppend(nil, []*reading{{Place: "roof", Value: 20.5}})
		fmt.Printf("%s: %q %v\n", f.Name(), b, err)
		var list []reading
		err = f.Unmarshal(b, &list)
		fmt.Println(list, err)
	}
	// Output:
	// json: "[{\"place\":\"roof\",\"value\":20.5}]" <nil>
	// [{roof 20.5 []}] <nil>
	// msgpack: "\x91\x82\xa5place\xa4roof\xa5value\xcb@4\x80\x00\x00\x00\x00\x00" <nil>
	// [{roof 20.5 []}] <nil>
}

func ExampleUnmarshaler() {
	var r reading
	err := msgpack.Unmarshal([]byte("\x81\xa5value\x15"), &r)
	fmt.Println(err)
	// Output: msgpack: at offset 0: missing required member "place"
}

func ExampleTranscode() {
	b, err := weft.Transcode(nil, msgpack.Format, []byte(`{"a": [1, 2.5, null]}`), json.Format)
	fmt.Printf("%q %v\n", b, err)
	b, err = weft.Transcode(nil, json.Format, b, msgpack.Format)
	fmt.Printf("%s %v\n", b, err)
	// Output:
	// "\x81\xa1a\x93\x01\xcb@\x04\x00\x00\x00\x00\x00\x00\xc0" <nil>
	// {"a":[1,2.5,null]} <nil>
}

func ExampleJoin() {
	strict := weft.Join(weft.RejectUnknown(true), weft.RejectDuplicates(true), weft.MaxDepth(100))
	var v struct{ A int }
	fmt.Println(msgpack.Unmarshal([]byte("\x81\xa1B\x01"), &v, strict))
	// Output: msgpack: at /B, offset 3: unknown member
}

// The rules of a field stand in its tag, and every format checks them.
func ExampleRules() {
	type Booking struct {
		Room   string `json:"room" check:"required,pattern=^[A-Z][0-9]{3}$"`
		Nights int    `json:"nights" check:"minimum=1,maximum=30"`
	}
	var b Booking
	fmt.Println(json.Unmarshal([]byte(`{"room":"B12","nights":3}`), &b))
	fmt.Println(json.UnmarshalWith([]byte(`{"room":"b12","nights":31}`), &b, weft.AllViolations(true)))
	// Output:
	// json: at /room, offset 8: must match ^[A-Z][0-9]{3}$, not "B12"
	// json: at /room, offset 8: must match ^[A-Z][0-9]{3}$, not "b12"; at /nights, offset 23: must be at most 30, not 31
}
