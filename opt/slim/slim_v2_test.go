//go:build goexperiment.jsonv2 && go1.27

package slim_test

import (
	"encoding/json/v2"
	"testing"
	"time"

	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
)

// TestJSONv2: encoding/json/v2 takes the types by the methods of version 1.
func TestJSONv2(t *testing.T) {
	type doc struct {
		N slim.Null[Kind]          `json:"n"`
		V slim.Val[level]          `json:"v,omitzero"`
		F slim.Field[[]string]     `json:"f,omitzero"`
		P slim.Field[*point]       `json:"p,omitzero"`
		D slim.Null[time.Duration] `json:"d"`
	}
	for _, tt := range []struct {
		doc  doc
		text string
	}{
		{doc{}, `{"n":null,"d":null}`},
		{doc{
			N: slim.NullOf(Kind("<x>")),
			V: slim.ValOf(level(0)),
			F: slim.FieldNull[[]string](),
			P: slim.FieldNull[*point](),
			D: slim.NullOf(time.Second),
		},
			`{"n":"<x>","v":0,"f":null,"p":null,"d":1000000000}`},
		{doc{F: slim.FieldOf([]string{"a"}), P: slim.FieldOf(&point{1, 2})}, `{"n":null,"f":["a"],"p":{"X":1,"Y":2},"d":null}`},
	} {
		t.Run(tt.text, func(t *testing.T) {
			b, err := json.Marshal(tt.doc)
			if err != nil || string(b) != tt.text {
				t.Errorf("%s, %v; want %s", b, err, tt.text)
			}
			var back doc
			if err := json.Unmarshal(b, &back); err != nil {
				t.Errorf("%s: %v", b, err)
			}
			same(t, back, tt.doc)
		})
	}
	old := doc{N: slim.NullOf(KindDog), V: slim.ValOf(level(1)), F: slim.FieldOf([]string{"old"})}
	for _, text := range []string{`{"n":1}`, `{"v":null}`, `{"v":1e40}`, `{"v":128}`, `{"f":["a",1]}`, `{"d":"x"}`, `{"p":1}`} {
		now := old
		if err := json.Unmarshal([]byte(text), &now); err == nil {
			t.Errorf("%s is taken", text)
		}
		same(t, now, old)
	}
	for _, text := range texts {
		var s slim.Field[[]string]
		var o opt.Field[[]string]
		if err, err2 := json.Unmarshal([]byte(text), &s), json.Unmarshal([]byte(text), &o); (err == nil) != (err2 == nil) {
			t.Errorf("%q: %v; its twin %v", text, err, err2)
		}
		same(t, opt.Field[[]string](s), o)
	}
}
