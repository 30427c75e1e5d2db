// Command quickstart takes one Go type through JSON and MessagePack.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// Trip is an ordinary struct: its type is compiled on first use into a program
// for each format. Every format reads the tags of encoding/json.
type Trip struct {
	Name    string            `json:"name"`
	Start   time.Time         `json:"start"`
	Stops   []Point           `json:"stops"`
	Notes   map[string]string `json:"notes,omitempty"`
	Planned bool              `json:"planned"`
}

// Point defines how it is written, once for all formats.
type Point struct {
	Lat, Lon float64
}

var pointFields = weft.NewFields("lat", "lon")

// MarshalWeft writes the point as an object of two members.
func (p Point) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(pointFields)
	o.Float64(0, p.Lat)
	o.Float64(1, p.Lon)
	return o.End()
}

// UnmarshalWeft reads the point; both members must be there.
func (p *Point) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(pointFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			p.Lat = d.Float64()
		case 1:
			p.Lon = d.Float64()
		}
	}
	o.Require(0, 1)
	return o.End()
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// run shows a trip in both formats, and what a wrong document leads to.
func run(w io.Writer) error {
	trip := Trip{
		Name:  "Lake round",
		Start: time.Date(2026, 7, 1, 9, 30, 0, 0, time.UTC),
		Stops: []Point{{47.5, 9.25}, {47.75, 9}},
		Notes: map[string]string{"bikes": "4"},
	}
	text, err := json.Marshal(trip)
	if err != nil {
		return err
	}
	packed, err := msgpack.Marshal(trip)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n", text)
	fmt.Fprintf(w, "%d bytes of JSON, %d of MessagePack\n", len(text), len(packed))

	// A format is a value too.
	for _, f := range []struct {
		weft.Format
		doc []byte
	}{{json.Format, text}, {msgpack.Format, packed}} {
		var back Trip
		if err := f.Unmarshal(f.doc, &back); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %s stops %d times, first at %v\n", f.Name(), back.Name, len(back.Stops), back.Stops[0])
	}

	// An error names the place.
	var back Trip
	err = json.Unmarshal([]byte(`{"name": "Lake", "stops": [{"lat": 47.5, "lon": 9.25}, {"lat": 47.75}]}`), &back)
	var missing *weft.MissingError
	if !errors.As(err, &missing) {
		return fmt.Errorf("expected an error about a missing member, got %w", err)
	}
	fmt.Fprintln(w, err)
	return nil
}
