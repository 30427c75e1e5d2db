package sdktypes

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft/bench/sdk"
)

// Every document is as large as its name says, is always the same, and has one value in any order.
func TestDocuments(t *testing.T) {
	for _, d := range All() {
		t.Run(d.Name, func(t *testing.T) {
			if testing.Short() && !strings.HasSuffix(d.Name, "small") {
				t.Skip("-short")
			}
			data, err := d.Data()
			if err != nil {
				t.Fatal(err)
			}
			again, err := d.Data()
			if err != nil || !bytes.Equal(data, again) {
				t.Errorf("made twice it is another, or fails: %v", err)
			}
			from, to := largeFrom, largeTo
			if strings.HasSuffix(d.Name, "small") {
				from, to = smallFrom, smallTo
			}
			if d.Owner != "none" && (len(data) < from || len(data) > to) {
				t.Errorf("it has %d bytes", len(data))
			}
			other, err := sdk.Shuffled(data)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(data, other) {
				t.Error("the other order is the same")
			}
			if !reflect.DeepEqual(through(t, &d, data), through(t, &d, other)) {
				t.Error("in the other order it is another value")
			}
		})
	}
}

// through returns what is in the text that the type writes, having read data. Raw values in it have no order.
func through(t *testing.T, d *sdk.Document, data []byte) (v any) {
	t.Helper()
	typed := d.New()
	if err := json.Unmarshal(data, typed); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(typed)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}
