package opt_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

type dated struct {
	At   opt.Date            `json:"at"`
	May  opt.Val[opt.Date]   `json:"may,omitzero"`
	Null opt.Null[opt.Date]  `json:"null"`
	List []opt.Date          `json:"list"`
	Map  map[opt.Date]string `json:"map"`
}

// Every format writes a date as its text, and reads it.
func TestDate(t *testing.T) {
	leap := opt.Date{Year: 2024, Month: time.February, Day: 29}
	in := dated{At: leap, Null: opt.NullOf(leap), List: []opt.Date{leap, {Year: 1, Month: 1, Day: 1}}, Map: map[opt.Date]string{leap: "x"}}
	const text = `{"at":"2024-02-29","null":"2024-02-29","list":["2024-02-29","0001-01-01"],"map":{"2024-02-29":"x"}}`
	if b, err := json.Marshal(in); string(b) != text || err != nil {
		t.Errorf("%s, %v", b, err)
	}
	if v, err := value.Marshal(in); err != nil || v.String() == "" {
		t.Error(v, err)
	}
	for _, f := range []weft.Format{json.Format, msgpack.Format, tagged.Format} {
		b, err := f.MarshalAppend(nil, in)
		if err != nil {
			t.Fatal(f.Name(), err)
		}
		var out dated
		if err := f.Unmarshal(b, &out); err != nil || out.At != leap || out.Null.V != leap || out.List[1].Year != 1 || out.Map[leap] != "x" {
			t.Errorf("%s: %+v, %v", f.Name(), out, err)
		}
		if b, err = f.MarshalAppend(nil, map[string]string{"at": "2023-02-29"}); err != nil {
			t.Fatal(err)
		}
		if err := f.Unmarshal(b, &out); err == nil {
			t.Errorf("%s: reads 2023-02-29", f.Name())
		}
		if _, err := f.MarshalAppend(nil, dated{}); err == nil {
			t.Errorf("%s: writes the zero date", f.Name())
		}
	}
}

func TestDateMethods(t *testing.T) {
	d, err := opt.ParseDate("2024-02-29")
	if err != nil || d.String() != "2024-02-29" || d.IsZero() || d != opt.DateOf(d.In(time.Local)) {
		t.Error(d, err)
	}
	next := opt.DateOf(d.In(time.UTC).AddDate(0, 0, 1))
	if d.Compare(next) != -1 || next.Compare(d) != 1 || d.Compare(d) != 0 || next.String() != "2024-03-01" {
		t.Error(next)
	}
	for _, s := range []string{"", "2024-2-29", "2024-02-30", "2024-02-29T00:00:00Z", "02024-02-29"} {
		if d, err := opt.ParseDate(s); err == nil || !d.IsZero() {
			t.Errorf("%q is %v", s, d)
		}
	}
	for _, d := range []opt.Date{{}, {Year: 10000, Month: 1, Day: 1}, {Year: -1, Month: 1, Day: 1}, {Year: 2023, Month: 2, Day: 29}} {
		if b, err := d.MarshalText(); err == nil {
			t.Errorf("%v is written as %s", d, b)
		}
	}
}

// The text of a date is that which package time writes, and what is not a day has none.
func TestDateText(t *testing.T) {
	for _, year := range []int{-1, 0, 1, 4, 99, 100, 400, 1900, 2000, 2023, 2024, 9999, 10000} {
		t.Run(fmt.Sprint(year), func(t *testing.T) {
			for n := -1; n < 14*33; n++ {
				d := opt.Date{Year: year, Month: time.Month(n/33 - 1), Day: n%33 - 1}
				at := d.In(time.UTC)
				text, err := d.MarshalText()
				if good := opt.DateOf(at) == d && year >= 0 && year < 10000; good != (err == nil) {
					t.Errorf("%v: %v", d, err)
				} else if want := at.Format(time.DateOnly); good && string(text) != want {
					t.Errorf("%s, want %s", text, want)
				}
			}
		})
	}
}
